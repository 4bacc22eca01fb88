"""Random small JAX programs, from tables: the same seed gives the same program.

Every expression has a type of the table below, so that a program has no errors but those it is meant to have.  What JAX
objects to, or would do once instead of each time, stands in tables of its own, and a program's
`rate` says how often they are drawn from: many programs have nothing bad in them, and few have much.

In a template ``{vec}`` is an expression of that type, ``{vec+}`` a new variable, ``{vec=}`` a variable of the
function that may be assigned to, and ``{block}`` statements; braces of the program are «».  A new variable is known
after its statement.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TYPES = """
vec: a traced float32[3]        scal: a traced float32[]     int: a traced int32[], small      flag: a traced bool[]
tree: a dict of w, b            pair: a tuple of vec, scal   state: a named tuple of w, b      rows: a list of vecs
key: one random key             fun: a function of a vec     keys: an array of two keys
n: a Python int, 1 or 2         f: a Python float            b: a Python bool                  host: a NumPy float[3]
"""

ATOMS = {
    "vec": "jnp.ones(3)", "scal": "jnp.float32(2.0)", "int": "jnp.int32(1)", "flag": "jnp.bool_(True)",
    "tree": "«'w': {vec}, 'b': {scal}»", "pair": "({vec}, {scal})", "state": "State({vec}, {scal})",
    "rows": "[{vec}, {vec}]", "fun": "jnp.sin", "n": "2", "f": "0.5", "b": "True", "host": "np.ones(3)",
}  # fmt: skip
"""What is written where nothing else is at hand.  Keys have no atom: where there is none, none is used."""

FINE: dict[str, list[str]] = {
    "vec": [
        "{vec} + {vec}", "{vec} * {scal}", "-{vec}", "jnp.sin({vec})", "jnp.where({vec} > {scal}, {vec}, {vec})",
        "{vec}.at[{n}].set({scal})", "{vec}.at[{int}].add({scal})", "{tree}['w']", "{pair}[0]", "{state}.w",
        "{fun}({vec})", "jnp.asarray({host})", "{host} * {scal}", "jnp.full((3,), {f})", "{vec} if {b} else {vec}",
        "jnp.zeros({vec}.shape)", "jax.vmap(lambda e: e * {scal})({vec})", "jnp.where({flag}, {vec}, {vec})",
        "jax.grad(lambda v: (v * {vec}).sum())({vec})", "jax.jit({fun})({vec})", "jax.checkpoint({fun})({vec})",
        "lax.cond({flag}, {fun}, {fun}, {vec})", "lax.fori_loop(0, {n}, lambda i, v: v + i, {vec})",
        "lax.while_loop(lambda v: v.sum() < 9.0, lambda v: v * v + 1.0, lax.stop_gradient({vec}))",
        "jnp.stack([{scal}, {scal}, {scal}])", "jnp.stack([e * 2.0 for e in {vec}])", "sum({rows})", "{rows}[{n} - 1]",
        "{vec}[::-1]", "jnp.sort({vec})", "{vec}.reshape({vec}.shape)", "jnp.array(np.arange(3.0))",
        "functools.partial(jnp.add, {vec})({vec})", "jax.random.normal({key}, (3,))",
        "jax.random.uniform({key}, {vec}.shape)", "jax.tree.map(lambda leaf: leaf * {f}, {tree})['w']",
        "jnp.concatenate([{vec}[:1], {vec}[1:]])",
        "jax.vmap(lambda k: jax.random.normal(k))(jax.random.split({key}, 3))", "{vec} * np.sqrt({f})",
        "jnp.linspace(0.0, 1.0, {vec}.shape[0])", "{host} + {vec}", "{vec} * len({rows})",
        "{vec} @ jnp.eye(len({vec}))", "dict(a={vec})['a']", "[v * {f} for v in {rows}][0]",
        "lax.select({vec} > 0, {vec}, {vec})", "({vec} if {vec}.ndim == 1 else {vec}[0])",
        "jax.jvp({fun}, ({vec},), ({vec},))[1]", "jax.lax.map(jnp.cos, {vec})",
        "lax.switch({int}, [{fun}, {fun}, jnp.cos], {vec})", "{vec}.astype(jnp.float32)", "max({n}, {n}) * {vec}",
    ],
    "scal": [
        "{vec}.sum()", "{vec}[{n}]", "{vec}[{int}]", "jnp.max({vec})", "{scal} * {scal}", "{tree}['b']", "{pair}[1]",
        "{state}.b", "jnp.dot({vec}, {vec})", "{scal} + {f}", "jnp.where({flag}, {scal}, {scal})",
        "{scal} if {b} else {scal}", "jax.grad(lambda t: t * {scal})({scal})", "jax.random.normal({key})",
        "lax.cond({flag}, jnp.sin, jnp.cos, {scal})", "functools.reduce(jnp.add, [e for e in {vec}])",
        "sum(e for e in {vec})", "{scal} ** {n}", "{scal} / {vec}.shape[0]", "jax.random.uniform({key}) * {f}",
        "jnp.float32({host}.sum())", "{vec}[-1]", "{vec}[jnp.argmax({vec})]",
    ],
    "int": [
        "jnp.argmax({vec})", "jnp.int32({n})", "jnp.minimum({int}, {n})", "{int} % 3",
        "jax.random.randint({key}, (), 0, 3)", "({vec} > 0).sum() % 2", "jnp.where({flag}, 0, {n})",
    ],
    "flag": [
        "{scal} > 0", "{scal} < {scal}", "jnp.any({vec} > {f})", "jnp.all({vec} == {vec})", "{int} > {n}",
        "{int} == {n}", "~{flag}", "jnp.logical_and({flag}, {flag})", "{flag} | {flag}", "jnp.isnan({scal})",
        "{scal} != {f}",
    ],
    "tree": [
        "«'w': {vec}, 'b': {scal}»", "jax.tree.map(jnp.sin, {tree})", "dict({tree}, b={scal})",
        "«**{tree}, 'w': {vec}»", "jax.tree.map(lambda a, b: a + b, {tree}, {tree})",
        "«k: v * {f} for k, v in {tree}.items()»",
    ],
    "pair": [
        "({vec}, {scal})", "tuple([{vec}, {scal}])", "jax.tree.map(jnp.cos, {pair})",
    ],
    "state": [
        "State({vec}, {scal})", "{state}._replace(w={vec})", "State(*{pair})", "State(**{tree})",
    ],
    "rows": [
        "[{vec}, {vec}]", "[{vec} * i for i in range(2)]", "list(({vec}, {vec}))", "[{vec}] * 2", "[*{rows}]",
    ],
    "keys": [
        "jax.random.split({key})", "jax.random.split({key}, 2)",
    ],
    "key": [
        "jax.random.fold_in({key}, {n})", "jax.random.fold_in({key}, {int})", "jax.random.split({key})[0]",
        "{keys}[0]", "{keys}[1]", "jax.random.split({key}, 3)[{n}]", "jax.random.clone({key})",
    ],
    "fun": [
        "lambda v: v * {f}", "lambda v: v + {vec}", "functools.partial(jnp.multiply, {vec})", "jnp.tanh",
        "jax.jit(jnp.exp)", "(jnp.sin if {b} else jnp.cos)", "jax.checkpoint(lambda v: jnp.sin(v) * {scal})",
        "jax.grad(lambda v: (v ** 2).sum())",
    ],
    "n": [
        "{vec}.ndim", "len({vec}) - 1", "{vec}.shape[0] - 1", "min({n}, 2)", "{n} if {b} else {n}", "len({rows})",
        "{vec}.size - 2", "int(np.sum({host}.shape)) - 1", "len([a for a in {vec}.shape])", "max(1, {n} - 1)",
    ],
    "f": [
        "0.25", "{f} * {n}", "float({n})", "math.sqrt(2.0)", "float(np.pi)", "{f} if {b} else {f}", "float({host}[0])",
        "np.cos({f})",
    ],
    "b": [
        "{n} > 1", "{vec}.ndim == 1", "{vec}.dtype == jnp.float32", "{opt} is None", "isinstance({n}, int)", "not {b}",
        "{b} and {b}", "{b} or {b}", "'w' in {tree}", "len({rows}) > 1", "bool({n})", "callable({fun})",
        "{opt} is not None", "{host}.sum() > 2", "{vec}.shape == (3,)", "isinstance({tree}, dict)", "{n} in (1, 2)",
        "any(a > 2 for a in {vec}.shape)", "hasattr({vec}, 'shape')",
    ],
    "host": [
        "np.arange(3.0)", "np.zeros(3)", "{host} + {f}", "np.sin({host})", "np.full({vec}.shape, {f})",
        "np.asarray([{f}, {f}, {f}])",
    ],
    "opt": [
        "{vec} if {b} else None",
    ],
}  # fmt: skip

BAD: dict[str, list[str]] = {
    "vec": [
        "np.sin({vec})", "np.add({vec}, {host})", "{vec} if {flag} else {vec}", "{vec}[{vec} > 0].sum() + {vec}",
        "{rows}[{int}]", "jnp.asarray(np.asarray({vec}))", "{vec} * len(range({int}))",
        "jax.vmap(lambda e: e if e > 0 else -e)({vec})", "jax.vmap(lambda e: jax.random.normal({key}) * e)({vec})",
        "jnp.zeros({int}).sum() + {vec}", "{vec}[:{int}].sum() + {vec}", "jnp.nonzero({vec})[0].sum() * {vec}",
        "jax.random.normal(jax.random.PRNGKey(0), (3,))", "{vec} * random.random()",
        "lax.fori_loop(0, 2, lambda i, v: v + jax.random.normal({key}, (3,)), {vec})",
        "np.where({flag}, {vec}, {vec})", "jnp.where({scal} > 0 and {scal} < 1, {vec}, {vec})",
        "lax.cond({flag}, lambda v: v * float(v[0]), {fun}, {vec})", "sum(v for v in {rows} if v.sum() > 0)",
        "jnp.stack([e if e > 0 else e * 2 for e in {vec}])", "np.linalg.norm({vec}) * {vec}",
    ],
    "scal": [
        "max({scal}, {scal})", "min({vec})", "abs({scal}) if {scal} < 0 else {scal}", "math.sin({scal})",
        "{scal} * float({scal})", "{scal} + time.time()", "np.max({vec})", "{scal} * np.random.rand()",
        "{vec}.mean().item() * {scal}", "round(float({scal})) * {scal}",
    ],
    "n": [
        "int({int})", "{int}.item()", "int({scal}.astype(int))", "int(jnp.ceil(2.0))", "int(np.asarray({int}))",
    ],
    "f": [
        "float({scal})", "{scal}.item()", "{vec}[0].tolist()", "math.cos({scal})", "float({vec}[{n}])",
    ],
    "b": [
        "bool({flag})", "{scal} > 0 and {b}", "not {flag}", "any({vec} > 0)", "{scal} in (1.0, 2.0)", "{flag} or {b}",
        "0 < {scal} < 1", "all(e > 0 for e in {vec})", "jnp.allclose({vec}, {vec})", "{vec}.any()",
        "{int} == 1 and {n} == 2",
    ],
    "host": [
        "np.asarray({vec})", "np.array({vec})", "np.stack([{scal}, {scal}, {scal}])", "np.cumsum({vec})",
    ],
    "key": [
        "jax.random.PRNGKey(1)",
    ],
}  # fmt: skip

STATEMENTS = [
    *[
        "{vec+} = {vec}", "{vec=} = {vec}", "{scal+} = {scal}", "{vec=} += {vec}",
    ] * 3,
    "{n+} = {n}", "{f+} = {f}", "{b+} = {b}", "{host+} = {host}", "{tree+} = {tree}", "{pair+} = {pair}",
    "{state+} = {state}", "{int+} = {int}", "{flag+} = {flag}", "{rows+} = {rows}", "{fun+} = {fun}", "{opt+} = {opt}",
    "{scal=} *= {f}", "{vec+}, {scal+} = {pair}", "{vec+}, {vec+} = {rows}", "{vec+}, {scal+} = {state}",
    "{host=} = {host}", "{n=} = {n}",
    *[
        "{key+}, {key+} = jax.random.split({key})", "{keys+} = {keys}", "{key+} = {key}",
        "{vec+} = jax.random.normal({key}, (3,))",
    ] * 2,
    "{keep}, {key+} = jax.random.split({keep})", "{keep}, {key+}, {key+} = jax.random.split({keep}, 3)",
    "for {key+} in jax.random.split({key}, {n}):\n{block}", "if {b}:\n{block}", "if {b}:\n{block}\nelse:\n{block}",
    "if {b}:\n    {vec=} = {vec}\nelif {b}:\n    {vec=} = {vec}\nelse:\n{block}", "for {n+} in range({n}):\n{block}",
    "for {scal+} in {vec}:\n{block}", "for {vec+} in {rows}:\n{block}",
    "for {n+}, {vec+} in enumerate({rows}):\n{block}", "for {vec+}, {scal+} in zip({rows}, {vec}):\n{block}",
    "for {name+}, {leaf+} in {tree}.items():\n{block}",
    "{index+} = 0\nwhile {index} < {n}:\n{block}\n    {index} += 1", "assert {vec}.ndim == 1",
    "if {b}:\n    return {result}", "with jax.named_scope('scope'):\n{block}",
    "if {n} > 9:\n    raise ValueError('never mind')\n{vec+} = {vec}", "try:\n{block}\nexcept KeyError:\n    pass",
    "{rows+} = []\nfor {n+} in range(2):\n    {last}.append({vec})", "{tree=}['w'] = {vec}", "print({vec}.shape)",
    "{tree+} = «»\n{last}['w'], {last}['b'] = {vec}, {scal}", "{vec+} = {opt}\nif {last} is None:\n    {last} = {vec}",
    "{total+} = {scal}\nfor {scal+} in {vec}:\n    {total} = {total} + {scal}\n{vec=} = {vec=} * {total}",
    "{n+} = 0\nfor {n+} in range(2):\n    if {b}:\n        break\n{block0}",
    "{vec+} = {vec}\nfor {n+} in range(2):\n    if {b}:\n        continue\n{block}", "jax.debug.print('v «»', {vec})",
    "{fun+} = [{fun}, {fun}][{n} - 1]", "{vec+} = (lambda v, t: v * t)({vec}, {scal})",
    "{vec+} = «'a': {fun}, 'b': {fun}»['a']({vec})",
    "{vec+}, {keep} = (lambda k: (jax.random.normal(k[0], (3,)), k[1]))(jax.random.split({keep}))",
]  # fmt: skip

BAD_STATEMENTS = [
    "if {flag}:\n{block}", "if {flag}:\n{block}\nelse:\n{block}", "while {flag}:\n{block}\n    break", "assert {flag}",
    "print({vec})", "if {scal} > {f}:\n    return {result}", "for {n+} in range({int}):\n{block}",
    "print(f'«{vec=}»')", "LOG.append({vec})", "LOG.append({n})", "global COUNT\nCOUNT += 1", "TABLE['seen'] = {n}",
    "TABLE['last'] = {vec}", "MODEL.count += 1", "MODEL.last = {vec}", "{vec=}[0] = {scal}", "{host=}[0] = {scal}",
    "if {vec}.sum():\n{block}", "{vec=} = {vec} if {flag} else {vec}", "{b+} = time.time() > 0",
    "LOG.extend([{n}, {n}])", "TABLE.update(a={n})", "{vec+} = jax.random.normal({spent}, (3,))",
    "{key+}, {key+} = jax.random.split({spent})", "del TABLE['a']",
    "for {n+} in range(2):\n    {vec=} = {vec=} + jax.random.normal({key}, (3,))", "SEEN.add({n})",
    "setattr(MODEL, 'count', {n})",
    "try:\n    if {flag}:\n        {vec=} = {vec}\nexcept jax.errors.TracerBoolConversionError:\n    pass",
    "while {int} > 3:\n{block}\n    break", "{vec+} = jnp.ones(3)\nif {last}.sum() > 1:\n{block}",
    "if {vec}[0]:\n    {vec=} = {vec}", "global LAST\nLAST = {vec}", "sys.stdout.write(str({vec}))",
]  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """A function: its parameters with types, lines before the body, what it returns, and how it is used."""

    parameters: str
    result: str
    use: str
    before: str = ""


NESTED = [
    Shape("carry: vec, e: scal", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}, {vec}, {vec})"),
    Shape(
        "carry: vec, k: key", "{vec}, {scal}", "{vec+}, {vec+} = lax.scan({name}, {vec}, jax.random.split({key}, 3))"
    ),
    Shape(
        "carry, e: scal",
        "({keep}, {vec}), {scal}",
        "({key+}, {vec+}), {vec+} = lax.scan({name}, ({key}, {vec}), {vec})",
        before="{keep+}, {vec+} = carry",
    ),
    Shape("carry: state, _", "{state}, {vec}", "{state+}, {opt+} = lax.scan({name}, {state}, None, length=2)"),
    Shape("carry: tree, e: scal", "{tree}, None", "{tree+}, {opt+} = lax.scan({name}, {tree}, {vec})"),
    Shape("e: scal", "{scal}", "{vec+} = jax.vmap({name})({vec})"),
    Shape("e: scal, t: scal", "{scal}", "{vec+} = jax.vmap({name}, in_axes=(0, None))({vec}, {scal})"),
    Shape("k: key, e: scal", "{scal}", "{vec+} = jax.vmap({name})(jax.random.split({key}, 3), {vec})"),
    Shape("v: vec", "{scal}", "{vec+} = jax.grad({name})({vec})"),
    Shape("v: vec", "{scal}", "{scal+}, {vec+} = jax.value_and_grad({name})({vec})"),
    Shape("v: vec", "({scal}, {vec})", "{vec+}, {vec+} = jax.grad({name}, has_aux=True)({vec})"),
    Shape("p: tree, v: vec", "{scal}", "{tree+} = jax.grad({name})({tree}, {vec})"),
    Shape("v: vec, t: scal", "{scal}", "{scal+} = jax.grad({name}, argnums=1)({vec}, {scal})"),
    Shape("v: vec", "{vec}", "{vec+} = jax.checkpoint({name})({vec})"),
    Shape("v: vec", "{vec}", "{vec+} = jax.jit({name})({vec})"),
    Shape("v: vec, m: n", "{vec}", "{vec+} = jax.jit({name}, static_argnums=1)({vec}, {n})"),
    Shape("v: vec, *, on: b", "{vec}", "{vec+} = jax.jit({name}, static_argnames='on')({vec}, on={b})"),
    Shape("v: vec, m: n", "{vec}", "{vec+} = jax.jit({name})({vec}, m={n})".replace("m={n}", "{n}"), ""),
    Shape("v: vec, t: scal", "{vec}", "{vec+} = jax.jit(functools.partial({name}, t={scal}))({vec})"),
    Shape("i: int, v: vec", "{vec}", "{vec+} = lax.fori_loop(0, 3, {name}, {vec})"),
    Shape("i: int, v: vec", "{vec}", "{vec+} = lax.fori_loop(0, {int}, {name}, lax.stop_gradient({vec}))"),
    Shape("v: vec", "{vec}", "{vec+} = lax.while_loop(lambda v: v.sum() < 3.0, {name}, {vec})"),
    Shape("v: vec", "{flag}", "{vec+} = lax.while_loop({name}, lambda v: v + 1.0, {vec})"),
    Shape("v: vec", "{vec}", "{vec+} = lax.cond({flag}, {name}, lambda v: v, {vec})"),
    Shape("v: vec, t: scal", "{vec}", "{vec+} = lax.cond({flag}, {name}, lambda v, t: v * t, {vec}, {scal})"),
    Shape("v: vec", "{vec}", "{vec+} = lax.switch({int}, [{name}, lambda v: -v], {vec})"),
    Shape("e: scal", "{scal}", "{vec+} = lax.map({name}, {vec})"),
    Shape("v: vec", "{vec}", "{vec+} = {name}({vec})"),
    Shape("v: vec, m: n = 2", "{vec}", "{vec+} = {name}({vec})"),
    Shape("v: vec, t: scal", "{vec}", "{vec+} = functools.partial({name}, {vec})({scal})"),
    Shape("v: vec", "{vec}", "{fun+} = {name}"),
    Shape("v: vec", "{vec}", "{vec+} = jax.jit(jax.vmap({name}))(jnp.stack({rows}))[0]"),
    Shape("v: vec", "{scal}", "{vec+} = jax.jit(jax.grad({name}))({vec})"),
    Shape("v: vec", "{scal}", "{vec+} = jax.vmap(jax.value_and_grad({name}))(jnp.stack({rows}))[1][0]"),
    Shape("v: vec", "{vec}", "{vec+} = jax.linearize({name}, {vec})[0]"),
    Shape("v: vec", "{vec}", "{vec+} = jax.tree.map({name}, {rows})[0]"),
    Shape("v: vec", "{vec}", "{vec+} = list(map({name}, {rows}))[0]"),
    Shape("*vs: rows, m: n = 1", "{vec}", "{vec+} = {name}(*{rows}, m={n})"),
    Shape("v: vec, **more: tree", "{vec}", "{vec+} = {name}({vec}, **{tree})"),
]  # fmt: skip

HELPERS = [
    Shape("v: vec", "{vec}", "{name}({vec})"),
    Shape("v: vec, t: scal", "{vec}", "{name}({vec}, {scal})"),
    Shape("v: vec, m: n = 2", "{vec}", "{name}({vec}, m={n})"),
    Shape("v: vec, m: n = 2, on: b = False", "{vec}", "{name}({vec}, {n}, {b})"),
    Shape("v: vec, opt: opt = None", "{vec}", "{name}({vec}, {opt})"),
    Shape("v: vec, opt: opt = None", "{vec}", "{name}({vec})"),
    Shape("k: key, v: vec", "{vec}", "{name}({key}, {vec})"),
    Shape("k: key, n: n", "{vec}", "{name}({key}, {n})"),
    Shape("p: tree, v: vec", "{vec}", "{name}({tree}, {vec})"),
    Shape("st: state", "{vec}", "{name}({state})"),
    Shape("f: fun, v: vec", "{vec}", "{name}({fun}, {vec})"),
]
SCALARS = [
    Shape("v: vec", "{scal}", "{name}({vec})"),
    Shape("t: scal, m: n", "{scal}", "{name}({scal}, {n})"),
    Shape("p: tree, v: vec", "{scal}", "{name}({tree}, {vec})"),
    Shape("k: key", "{scal}", "{name}({key})"),
]
STATES = [Shape("st: state, t: scal", "{state}", "{name}({state}, {scal})")]
TREES = [Shape("p: tree, g: tree, lr: f = 0.1", "{tree}", "{name}({tree}, {tree}, lr={f})")]
DECORATORS = ["", "", "", "@jax.jit", "@jax.checkpoint"]

HEADER = """
import functools
import math
import random
import sys
import time
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

class State(NamedTuple):
    w: jax.Array
    b: jax.Array

LOG = []
TABLE = {'a': 1}
SEEN = set()
COUNT = 0
LAST = None
"""

ENTRY = "x: vec, s: scal, i: int, params: tree, key: key, n: n, flag: b, opt: opt"
ANNOTATIONS = {
    "x": "jax.Array",
    "s": "jax.Array",
    "i": "jax.Array",
    "params": "dict[str, jax.Array]",
    "n": "int",
    "flag": "bool",
}
"""Of the entry: without them, ``x[0]`` could be a list's item, and nothing could be said of it."""

ENTRIES = [
    "@functools.partial(jax.jit, static_argnames=('n', 'flag'))\n{definition}",
    "{definition}\nmain = jax.jit(main, static_argnums=(5, 6))",
    "{definition}\nmain = functools.partial(jax.jit, static_argnames=['n', 'flag'])(main)",
]
STATIC = ("n", "flag", "opt")
"""The entry is called ``main``; of its parameters these are no arrays, and ``opt`` is None."""

_BRACES = str.maketrans("«»", "{}")
_HOLE = re.compile(r"\{(\w+)([+=]?)\}")


@dataclass
class _Scope:
    """The variables that can be read, and those of the function that can be assigned to, by type."""

    known: list[tuple[str, str]] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    spent: set[str] = field(default_factory=set)
    result: str = "vec"

    def inner(self, function: bool = False) -> _Scope:
        """What a block sees; a function's own variables start empty."""
        return _Scope(list(self.known), set() if function else set(self.own), set(self.spent), self.result)

    def names(self, kind: str) -> list[str]:
        return [name for name, known in self.known if known == kind]


def program(seed: int) -> str:
    """The program of a seed, laid out as `ast.unparse` does."""
    tree = ast.parse(_Writer(random.Random(seed)).text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            _declare_first(node)
    return ast.unparse(tree)


def _declare_first(function: ast.FunctionDef) -> None:
    """Moves the `global` statements of a function to its start, where there may be one for each name."""
    names: set[str] = set()
    waiting: list[ast.AST] = [function]
    while waiting:
        for name in ("body", "orelse", "handlers"):
            body = getattr(node := waiting[-1], name, [])
            if isinstance(body, list):
                names |= {each for item in body if isinstance(item, ast.Global) for each in item.names}
                body[:] = [item for item in body if not isinstance(item, ast.Global)]
                waiting[:0] = [item for item in body if not isinstance(item, ast.FunctionDef)]
        waiting.remove(node)
    if names:
        function.body.insert(0, ast.Global(sorted(names)))


class _Writer:
    """Draws one program."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.rate = draw.choice([0.0, 0.01, 0.02, 0.04, 0.1])
        self.count = 0
        self.callables: dict[str, list[str]] = {}
        self.size = 0

    def text(self) -> str:
        draw = self.draw
        parts = [HEADER, self._model()]
        for _ in range(draw.randint(0, 2)):
            shapes, kind = draw.choice(
                [(HELPERS, "vec"), (HELPERS, "vec"), (SCALARS, "scal"), (STATES, "state"), (TREES, "tree")]
            )
            shape, name = draw.choice(shapes), self._name("helper")
            static = any(word in shape.parameters for word in (": n", ": b", ": f", "fun"))
            decorator = "" if static else draw.choice(DECORATORS)
            parts.append(f"{decorator}\n{self._function(name, shape, _Scope())}")
            self.callables.setdefault(kind, []).append(shape.use.replace("{name}", name))
        entry = Shape(ENTRY, draw.choice(["{vec}", "({vec}, {scal})", "{scal}", "{state}"]), "")
        definition = self._function("main", entry, _Scope(), size=draw.randint(2, 6))
        return "\n".join([*parts, draw.choice(ENTRIES).replace("{definition}", definition)])

    def _model(self) -> str:
        apply = self._function(
            "apply", Shape("self, v: vec, t: scal", "{vec}", ""), _Scope(known=[("self.scale", "f")]), size=2
        )
        self.callables["vec"] = ["MODEL.apply({vec}, {scal})"]
        lines = [
            "def __init__(self, scale):",
            "    self.scale = scale",
            "    self.count = 0",
            "    self.last = None",
            *apply.split("\n"),
        ]
        return "\n".join(["class Model:", *("    " + line for line in lines), "MODEL = Model(2.0)"])

    def _function(self, name: str, shape: Shape, outer: _Scope, size: int | None = None) -> str:
        scope = outer.inner(function=True)
        scope.result = shape.result
        names = []
        for parameter in shape.parameters.split(", "):
            label, _, rest = parameter.partition(": ")
            kind, _, default = rest.partition(" = ")
            note = f": {ANNOTATIONS[label]}" if name == "main" and label in ANNOTATIONS else ""
            names.append(f"{label}={default}" if default else label + note)
            bare = label.lstrip("*")
            scope.known = [(known, of) for known, of in scope.known if known != bare]
            if kind:
                scope.known.append((bare, kind))
                scope.own.add(bare)
        lines = self._statement(shape.before, scope).split("\n") if shape.before else []
        lines += self._block(scope, size or self.draw.randint(1, 3))
        lines.append(f"return {self._filled(shape.result, scope, 2)}")
        return "\n".join([f"def {name}({', '.join(names)}):", *("    " + line for line in lines)])

    def _block(self, scope: _Scope, size: int) -> list[str]:
        return [line for _ in range(size) for line in self._one(scope).split("\n")]

    def _one(self, scope: _Scope) -> str:
        self.size += 1
        if self.size < 16 and self.draw.random() < 0.2:
            shape, name = self.draw.choice(NESTED), self._name("inner")
            if self._possible(shape.use, scope):
                definition = self._function(name, shape, scope)
                return f"{definition}\n{self._statement(shape.use.replace('{name}', name), scope)}"
        for _ in range(20):
            bad = self.draw.random() < self.rate * 2
            template = self.draw.choice(BAD_STATEMENTS if bad else STATEMENTS)
            if self._possible(template, scope) and ("{block}" not in template or self.size < 14):
                return self._statement(template, scope)
        return "pass"

    def _possible(self, template: str, scope: _Scope) -> bool:
        """Whether the scope has the variables that a template cannot do without."""
        for kind, mark in _HOLE.findall(template):
            if kind in ("key", "keys") and not mark and not self._fresh(scope):
                return False
            if kind == "keep" and not mark and not self._kept(scope):
                return False
            if kind == "spent" and not scope.spent:
                return False
            if mark == "=" and not any(name in scope.own for name in scope.names(kind)):
                return False
            if kind == "result" and not self._possible(scope.result, scope):
                return False
        return True

    def _statement(self, template: str, scope: _Scope) -> str:
        """A filled statement; what it binds is known to its own blocks, and afterwards unless it is a loop."""
        inner = scope.inner() if re.match(r"(for|while|if|try|with)\b", template) or "\nfor" in template else scope
        bound: list[tuple[str, str]] = []
        kept: dict[str, str] = {}

        def fill(match: re.Match[str]) -> str:
            kind, mark = match.groups()
            if kind in ("block", "block0"):
                known = inner.inner()
                known.known += bound
                known.own |= {name for name, of in bound if of != "counter"}
                lines = self._block(known, self.draw.randint(1, 2))
                return "\n".join(("    " if kind == "block" else "") + line for line in lines)
            if kind == "last":
                return bound[-1][0] if bound[-1][1] != "n" else next(name for name, of in reversed(bound) if of != "n")
            if mark == "+":
                name = kept[kind] = self._name({"keep": "key"}.get(kind, kind)[0])
                bound.append((name, {"keep": "key", "index": "counter", "total": "scal"}.get(kind, kind)))
                return name
            if kind in ("index", "total"):
                return kept[kind]
            if kind == "keep":
                if kind not in kept:
                    kept[kind] = self.draw.choice(self._kept(inner))
                return kept[kind]
            if mark == "=":
                choices = [name for name in inner.names(kind) if name in inner.own]
                if kind not in kept:
                    kept[kind] = self.draw.choice(choices)
                return kept[kind]
            if kind == "result":
                return self._filled(scope.result, inner, 2)
            return self._expression(kind, inner, 2)

        text = _HOLE.sub(fill, template)
        if not template.startswith(("for", "if", "try")):
            scope.known += [pair for pair in bound if pair[1] in FINE or pair[1] in ATOMS]
            scope.own |= {name for name, _ in bound}
        if inner is not scope:
            scope.spent |= inner.spent
        if "keep" in kept and not template.startswith("{keep+}"):
            scope.own.add(kept["keep"])
        return text.translate(_BRACES)

    def _filled(self, template: str, scope: _Scope, depth: int) -> str:
        text = _HOLE.sub(lambda match: self._expression(match[1], scope, depth), template)
        return text.translate(_BRACES)

    def _expression(self, kind: str, scope: _Scope, depth: int) -> str:
        draw = self.draw
        if kind in ("key", "spent"):
            return self._key(kind, scope, depth)
        if kind == "keep":
            return draw.choice(self._kept(scope) or self._fresh(scope) or scope.names("key"))
        names = scope.names(kind)
        if depth <= 0 or (names and draw.random() < 0.45):
            if names:
                return draw.choice(names[-4:] if draw.random() < 0.7 else names)
            if kind in ATOMS:
                return self._filled(ATOMS[kind], scope, 0)
        if kind == "opt" and draw.random() < 0.6:
            return draw.choice(names or ["None"])
        table = BAD.get(kind, []) if draw.random() < self.rate else FINE[kind] + self.callables.get(kind, []) * 3
        for _ in range(10):
            template = draw.choice(table or FINE[kind])
            if self._possible(template, scope):
                return (
                    f"({self._filled(template, scope, depth - 1)})"
                    if " " in template
                    else self._filled(template, scope, depth - 1)
                )
        return self._filled(ATOMS.get(kind, "None"), scope, 0)

    def _key(self, kind: str, scope: _Scope, depth: int) -> str:
        """A key that nothing has drawn from, in a program that is careful; ``spent``: one that something has."""
        if kind == "spent":
            return self.draw.choice(sorted(scope.spent))
        if depth > 0 and self.draw.random() < 0.3:
            template = self.draw.choice(BAD["key"] if self.draw.random() < self.rate else FINE["key"])
            if self._possible(template, scope):
                return self._filled(template, scope, depth - 1)
        fresh = self._fresh(scope) or scope.names("key")
        name = self.draw.choice(fresh[-3:])
        scope.spent.add(name)
        return name

    def _fresh(self, scope: _Scope) -> list[str]:
        return [name for name in scope.names("key") if name not in scope.spent]

    def _kept(self, scope: _Scope) -> list[str]:
        """Fresh keys that the function may rebind."""
        return [name for name in self._fresh(scope) if name in scope.own]

    def _name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"


def programs(start: int, count: int) -> Iterator[tuple[int, str]]:
    for seed in range(start, start + count):
        yield seed, program(seed)
