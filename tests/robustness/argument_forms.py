"""Calls of everything that the analysis has a model of, with every number and kind of arguments, right or wrong."""

from __future__ import annotations

import importlib
import keyword
import pkgutil
import re
from collections.abc import Iterator
from random import Random

import jaxlint.flow
import jaxlint.semantics
from jaxlint.flow.models.outside import externals
from jaxlint.flow.models.python import builtin_calls
from jaxlint.project.installed import LIBRARIES
from jaxlint.semantics.random import KEY_FUNCTIONS

HEADER = """\
import jax, functools, itertools, numpy, unknown
import jax.numpy as jnp
from typing import NamedTuple


class Record(NamedTuple):
    a: int
    b: int = 1


class Model:
    def __init__(self, x=None):
        self.x = x

    def __call__(self, *args):
        return self.x, args


def helper(a, b=1, *rest, c=2, **others):
    return a, b


def pair(a, b):
    return a, b

"""
VALUES = (
    *("x", "key", "mapping", "None", "(lambda a, *b: a)", "unknown.thing", "[x, 1]", "(x, key)", "3", "'s'", "helper"),
    *("pair", "Model()", "Model", "Record(x)", "(i for i in x)", "2.5", "x.shape", "[]", "()", "{}", "jnp.sin", "-1"),
    *(
        "True",
        "b'b'",
        "jax.random.split(key)",
        "[helper, pair]",
        "jax.jit(helper)",
        "functools.partial(pair, 1)",
        "...",
    ),
    *("range(3)", "numpy.ones(3)", "rest", "others", "slice(x)", "x.at[0]", "iter([x])", "[key, key]", "1j", "{x: 1}"),
)
KEYWORDS = (
    *(
        "f",
        "fun",
        "func",
        "tree",
        "xs",
        "init",
        "length",
        "key",
        "axis",
        "operand",
        "iterable",
        "start",
        "shape",
        "num",
    ),
    *("static_argnums", "static_argnames", "in_axes", "has_aux", "argnums", "donate_argnums", "out_axes", "is_leaf"),
    *("body_fun", "cond_fun", "init_val", "true_fun", "false_fun", "branches", "a", "b", "default", "rngs", "mutable"),
)
USES = (
    *("{r}", "for i in {r}: i", "p, q = {r}", "{r}[0]", "{r}.T", "{r}(x)", "list({r})", "[*{r}]", "{r} + 1", "-{r}"),
    *(
        "bool({r})",
        "{r}.append(x)",
        "{r}(x, key)",
        "{r}[x]",
        "{r}.a.b(x)",
        "print({r})",
        "helper(*{r})",
        "helper(**{r})",
    ),
    *("with {r} as w: w", "@{r}\n    def inner(a): return a", "x = {r}", "key = {r}", "{r}.x = x", "{r}[0] = x"),
    *("class Inner({r}): pass", "p, *q = {r}", "x += {r}", "jax.jit({r})(x)", "jax.random.normal({r})", "{r} == x"),
)
RECEIVERS = ("x", "key", "mapping", "[x]", "(x, key)", "'s'", "x.at[0]", "Record(x)", "Model()", "helper", "rest")
_QUALIFIED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+\Z")


def modelled_names() -> tuple[list[str], list[str], list[str]]:
    """Functions with a model of their own, other functions and words that tables mention (methods, attributes)."""
    found: set[str] = set()
    for package in (jaxlint.flow, jaxlint.semantics):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for table in vars(importlib.import_module(module.name)).values():
                if isinstance(table, (dict, set, frozenset, tuple, list)):
                    found.update(entry for entry in table if isinstance(entry, str))
    tables = (externals.TRANSFORM_TABLE, externals.HIGHER_ORDER_TABLE, externals.CALLBACK_TABLE, externals._SPECIAL)
    special = {name for table in tables for name in table} | {f"jax.random.{name}" for name in KEY_FUNCTIONS}
    words = {name for name in found if name.isidentifier() and not keyword.iskeyword(name)}
    others = {name for name in found if _QUALIFIED.match(name)} - special
    return [*_shortest(special), *sorted(builtin_calls._BUILTINS)], _shortest(others), sorted(words)


def _shortest(names: set[str]) -> list[str]:
    """Of the names of one thing in a library (`flax.linen.jit`, `flax.linen.transforms.jit`) the shortest."""
    found: dict[tuple[str, str], str] = {}
    for name in sorted(names, key=lambda name: (len(name), name)):
        package, _, last = name.rpartition(".")
        found.setdefault((package if package.startswith("jax.") else package.partition(".")[0], last), name)
    return sorted(found.values())


def every_call(name: str, random: Random) -> Iterator[str]:
    """Statements that call ``name`` with few plain arguments and do with the result what can break."""
    for arguments in (
        "",
        "helper",
        "jnp.sin",
        "(lambda *a: x)",
        "(lambda *a: x), x",
        "x",
        "helper, x",
        "key",
        "key, x",
        "None",
        "*rest",
        "**others",
        "helper, [x], key",
    ):
        for use in random.sample(("{r}", "for i in {r}: i", "p, q = {r}", "{r}(x)"), 2):
            yield use.replace("{r}", f"{name}({arguments})")


def random_calls(name: str, count: int, random: Random) -> Iterator[str]:
    """Statements that call ``name`` with any number and kind of arguments."""
    for number in range(count):
        parts = [random.choice(VALUES) for _ in range(number % 7)]
        parts = [random.choice((part, part, part, f"*{part}")) for part in parts]
        parts += [f"{word}={random.choice(VALUES)}" for word in random.sample(KEYWORDS, random.choice((0, 0, 1, 2)))]
        parts += random.choice(([], [], [f"**{random.choice(VALUES)}"]))
        yield random.choice(USES).replace("{r}", f"{name}({', '.join(parts)})")


def programs(seed: int, count: int = 12, share: float = 1.0, size: int = 60) -> Iterator[str]:
    """Modules that call everything, each function and method in a function of its own.

    ``count`` calls are drawn for each, and of what has no model of its own only a ``share``; ``size`` is a module's.
    """
    random = Random(seed)
    special, others, words = modelled_names()
    others = random.sample(others, int(share * len(others)))
    words = random.sample(words, int(share * len(words)))
    written = [(name, [*every_call(name, random), *random_calls(name, count, random)]) for name in special]
    written += [(name, list(random_calls(name, count, random))) for name in others]
    for word in words:
        name = f"{random.choice(RECEIVERS)}.{word}"
        written.append((name, list(random_calls(name, count, random))))
    for first in range(0, len(written), size):
        yield HEADER + "".join(_function(name, body, random) for name, body in written[first : first + size])


def _function(name: str, statements: list[str], random: Random) -> str:
    head, package = (
        random.choice(("@jax.jit\n", "@jax.jit\n", "@jax.vmap\n", "@jax.grad\n", "")),
        name.partition(".")[0],
    )
    lines = [f"import {package}"] if package.isidentifier() and package in _PACKAGES else []
    lines += ["key, mapping = jax.random.key(0), {'a': x}", *statements, "return jax.random.normal(key)"]
    return f"\n\n{head}def f(x, *rest, **others):\n" + "".join(f"    {line}\n" for line in lines)


_PACKAGES = LIBRARIES | {"functools", "itertools", "operator", "copy", "collections", "dataclasses"}
