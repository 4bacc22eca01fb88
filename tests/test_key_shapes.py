"""Key reuse and its look-alikes: short programs of many shapes, judged by JAX first and by jaxlint second.

Each program has a function ``main(key)`` or ``main(key, callee)``, where ``callee`` is something jaxlint cannot look
into and that draws from every key it is given.  Marks at the ends of lines say what jaxlint has to report, and that
is all it may report.  JAX is the judge of the marks: under ``jax.debug_key_reuse`` a marked program raises
KeyReuseError and an unmarked one does not.  ``UNJUDGED`` holds the programs JAX's checker is blind to.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from jaxlint.api import lint_source

PRELUDE = "import jax\nimport jax.numpy as jnp\n"

STRAIGHT = {
    "two-samplers": """
def main(key):
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # JAX401
""",
    "two-samplers-by-keyword": """
def main(key):
    a = jax.random.normal(key=key, shape=(2,))
    return a, jax.random.gamma(a=1.0, key=key)  # JAX401
""",
    "three-draws-are-one-cause": """
def main(key):
    a = jax.random.normal(key)
    b = jax.random.normal(key)  # JAX401
    c = jax.random.normal(key)
    return a, b, c
""",
    "from-import-and-alias": """
from jax import random as jr
from jax.random import normal as gauss

def main(key):
    other = key
    a = gauss(other)
    return a + jr.bernoulli(key)  # JAX401
""",
    "draw-then-split": """
def main(key):
    a = jax.random.normal(key)
    key, sub = jax.random.split(key)  # JAX401
    return a + jax.random.normal(sub)
""",
    "split-then-draw": """
def main(rng):
    init_rng, data_rng = jax.random.split(rng)
    a = jax.random.normal(init_rng) + jax.random.normal(data_rng)
    return a * jax.random.normal(rng)  # JAX401
""",
    "split-twice": """
def main(key):
    a, b = jax.random.split(key)
    c, d, e = jax.random.split(key, 3)  # JAX401
    return a, b, c, d, e
""",
    "consumed-child": """
def main(key):
    key, sub = jax.random.split(key)
    a = jax.random.normal(sub, (3,))
    return a + jax.random.laplace(sub, (3,)), key  # JAX401
""",
    "initializer-and-sampler": """
def main(key):
    init = jax.nn.initializers.he_normal()
    kernel = init(key, (3, 3))
    return kernel @ jax.random.normal(key, (3,))  # JAX401
""",
    "two-initializers": """
from jax.nn.initializers import orthogonal, zeros

def main(key):
    bias = zeros(key, (3,))
    left = orthogonal()(key, (3, 3))
    return left, orthogonal(2.0)(key, (3, 3)), bias  # JAX401
""",
    "walrus-and-tuple": """
def main(key):
    if (a := jax.random.uniform(key)) > 2:
        return a
    return (a, jax.random.normal(key))  # JAX401
""",
    "created-here": """
def main(key):
    mine = jax.random.key(0)
    x = jax.random.normal(mine, (3,))
    y = jax.random.randint(mine, (3,), 0, 2)  # JAX401
    return x, y
""",
    "in-both-arguments": """
def main(key):
    return jnp.dot(jax.random.normal(key, (3,)), jax.random.normal(key, (3,)))  # JAX401
""",
    "advanced-each-time": """
def main(key):
    key, sub = jax.random.split(key)
    a = jax.random.normal(sub)
    key, sub = jax.random.split(key)
    return a + jax.random.normal(sub) + jax.random.normal(key)
""",
    "parent-forgotten": """
def main(key):
    key, *subs = jax.random.split(key, 4)
    a, b, c = subs
    return jax.random.normal(a), jax.random.normal(b), jax.random.normal(c), jax.random.normal(key)
""",
    "folded-after-draw": """
def main(key):
    a = jax.random.normal(key)
    return a + jax.random.normal(jax.random.fold_in(key, 7))
""",
    "folded-apart": """
def main(key):
    a = jax.random.normal(jax.random.fold_in(key, 0))
    b = jax.random.normal(jax.random.fold_in(key, 1))
    return a + b + jax.random.normal(key)
""",
    "clone-says-so": """
def main(key):
    a = jax.random.normal(key)
    return a - jax.random.normal(jax.random.clone(key)) + a
""",
    "inspected": """
def main(key):
    print(key, key.shape, key.dtype, jax.random.key_impl(key))
    data = jax.random.key_data(key)
    assert jax.random.wrap_key_data(data) == key
    jax.debug.print("{}", data)
    return jax.random.normal(key)
""",
    "deleted-and-rebound": """
def main(key):
    a = jax.random.normal(key)
    del key
    key = jax.random.key(1)
    return a + jax.random.normal(key)
""",
    "traced-but-not-run": """
def draw(key):
    return jax.random.normal(key)

def main(key):
    shape = jax.eval_shape(draw, key)
    lowered = jax.jit(draw).lower(key)
    jaxpr = jax.make_jaxpr(draw)(key)
    return draw(key), shape, lowered, jaxpr
""",
    "keyless-initializers": """
from jax.nn.initializers import constant, ones, zeros

def main(key):
    bias = zeros(key, (3,)) + ones(key, (3,)) + constant(0.5)(key, (3,))
    return bias * jax.random.normal(key, (3,))
""",
    "keys-of-generators": """
def keys_of(key, n):
    for _ in range(n):
        key, sub = jax.random.split(key)
        yield sub

def forever(key):
    i = 0
    while True:
        key, sub = jax.random.split(key)
        yield i, sub
        i += 1

def main(key):
    left, right = jax.random.split(key)
    some, more = keys_of(left, 3), forever(right)
    (_, a), (_, b) = next(more), next(more)
    drawn = [jax.random.normal(next(some)), jax.random.normal(next(some)), jax.random.normal(a)]
    made = (jax.random.key(i) for i in range(2))
    return drawn, jax.random.normal(b), jax.random.normal(next(made)), jax.random.normal(next(made))
""",
    "key-of-a-generator-used-twice": """
def forever(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    drawn = []
    for sub in forever(key):
        drawn.append(jax.random.normal(sub))
        drawn.append(jax.random.uniform(sub))  # JAX401
        if len(drawn) > 3:
            return drawn
""",
    "folded-with-a-counter": """
import itertools

def main(key):
    ids = itertools.count()
    a = jax.random.normal(jax.random.fold_in(key, next(ids)))
    return a, jax.random.normal(jax.random.fold_in(key, next(ids)))
""",
}

BRANCHES = {
    "if-else": """
def main(key, flag=True):
    if flag:
        return jax.random.normal(key)
    else:
        x = jax.random.uniform(key)
    return x
""",
    "ternary": """
def main(key, kind="normal"):
    return jax.random.normal(key) if kind == "normal" else jax.random.uniform(key)
""",
    "early-return": """
def main(key, n=0):
    if n == 0:
        return jax.random.normal(key)
    return jax.random.normal(key, (n,))
""",
    "early-raise": """
def main(key, n=1):
    if n < 0:
        raise ValueError(jax.random.normal(key))
    return jax.random.normal(key, (n,))
""",
    "match": """
def main(key, kind="a"):
    match kind:
        case "a":
            return jax.random.normal(key)
        case "b":
            return jax.random.uniform(key)
        case _:
            return jax.random.laplace(key)
""",
    "opposite-tests": """
def main(key, kind="abl"):
    x = 0.0
    if kind == "abl":
        x = jax.random.normal(key)
    y = x + 1
    if kind != "abl":
        y = jax.random.uniform(key)
    return y
""",
    "same-flag-negated": """
def main(key, train=True):
    x = jax.random.normal(key) if train else 0.0
    if not train:
        x = jax.random.uniform(key)
    return x
""",
    "none-or-given": """
def main(key, noise=None):
    if noise is None:
        noise = jax.random.normal(key)
    return noise
""",
    "try-fallback": """
def main(key):
    try:
        return jax.random.normal(key)
    except TypeError:
        raise RuntimeError("no key")
""",
    "cond-branches": """
def main(key):
    return jax.lax.cond(True, jax.random.normal, jax.random.uniform, key)
""",
    "switch-branches": """
@jax.jit
def main(key):
    return jax.lax.switch(1, [lambda k: jax.random.normal(k), lambda k: jax.random.uniform(k)], key)
""",
    "after-if": """
def main(key, flag=True):
    x = 0.0
    if flag:
        x = jax.random.normal(key)
    return x + jax.random.uniform(key)  # JAX401
""",
    "after-both": """
def main(key, flag=True):
    if flag:
        x = jax.random.normal(key)
    else:
        x = jax.random.uniform(key)
    return x + jax.random.laplace(key)  # JAX401
""",
    "before-branch": """
def main(key, flag=True):
    x = jax.random.normal(key)
    if flag:
        x += jax.random.uniform(key)  # JAX401
    return x
""",
    "after-cond": """
@jax.jit
def main(key):
    x = jax.lax.cond(True, lambda k: jax.random.normal(k), lambda k: 0.0, key)
    return x + jax.random.normal(key)  # JAX401
""",
    "renewed-in-one-branch": """
def main(key, flag=False):
    x = jax.random.normal(key)
    if flag:
        key, _ = jax.random.split(jax.random.fold_in(key, 3))
    return x + jax.random.uniform(key)  # JAX401
""",
    "finally": """
def main(key):
    try:
        x = jax.random.normal(key)
    finally:
        y = jax.random.normal(key)  # JAX401
    return x, y
""",
    "with-block": """
def main(key):
    with jax.named_scope("noise"):
        x = jax.random.normal(key)
    return x + jax.random.uniform(key)  # JAX401
""",
}

LOOPS = {
    "for": """
def main(key):
    total = 0.0
    for _ in range(3):
        total += jax.random.normal(key)  # JAX403
    return total
""",
    "while": """
def main(key):
    n = 0
    while n < 3:
        x = jax.random.normal(key)  # JAX403
        n += 1
    return x
""",
    "list-comprehension": """
def main(key):
    return [jax.random.normal(key, (n,)) for n in (1, 2)]  # JAX403
""",
    "dict-comprehension": """
def main(key):
    return {name: jax.random.normal(key) for name in ("kernel", "bias")}  # JAX403
""",
    "generator": """
def main(key):
    return sum(jax.random.normal(key) for _ in range(3))  # JAX403
""",
    "split-in-loop-not-kept": """
def main(key):
    out = []
    for _ in range(3):
        _, sub = jax.random.split(key)  # JAX403
        out.append(jax.random.normal(sub))
    return out
""",
    "nested-loops-inner-key": """
def main(key):
    out = []
    for epoch in range(2):
        key, epoch_key = jax.random.split(key)
        for batch in range(2):
            out.append(jax.random.normal(epoch_key))  # JAX403
    return out
""",
    "eval-key-again": """
def main(key):
    key, test_key = jax.random.split(key)
    out = []
    for _ in range(2):
        key, sub = jax.random.split(key)
        out.append(jax.random.normal(sub))
        out.append(jax.random.normal(test_key))  # JAX403
    return out
""",
    "advanced-then-drawn": """
def main(rng):
    out = []
    for _ in range(2):
        rng, _ = jax.random.split(rng)  # JAX403
        out.append(jax.random.normal(rng))
    return out
""",
    "helper-in-loop": """
def noise(key):
    return jax.random.normal(key)

def main(key):
    out = []
    for _ in range(2):
        out.append(noise(key))  # JAX403
    return out
""",
    "map-builtin": """
def main(key):
    return list(map(lambda scale: scale * jax.random.normal(key), (1.0, 2.0)))  # JAX403
""",
    "advanced": """
def main(key):
    out = []
    for _ in range(3):
        key, sub = jax.random.split(key)
        out.append(jax.random.normal(sub))
    return out
""",
    "folded": """
def main(key):
    return [jax.random.normal(jax.random.fold_in(key, i)) for i in range(3)]
""",
    "over-children": """
def main(key):
    out = []
    for sub in jax.random.split(key, 3):
        out.append(jax.random.normal(sub))
    return out
""",
    "zip-enumerate-children": """
def main(key):
    pairs = zip(jax.random.split(key, 2), ("a", "b"))
    return {name: jax.random.normal(k) * i for i, (k, name) in enumerate(pairs)}
""",
    "indexed-children": """
def main(key):
    keys = jax.random.split(key, 3)
    out = []
    for i in range(3):
        out.append(jax.random.normal(keys[i]))
    return out
""",
    "comprehension-shadows": """
def main(key):
    draws = [jax.random.normal(key) for key in jax.random.split(jax.random.fold_in(key, 0), 2)]
    return draws, jax.random.normal(key)
""",
    "break-after-use": """
def main(key):
    for n in (0, 3, 4):
        if n > 0:
            x = jax.random.normal(key, (n,))
            break
    return x
""",
    "return-in-loop": """
def main(key):
    for n in (0, 3, 4):
        if n > 0:
            return jax.random.normal(key, (n,))
    return None
""",
    "drawn-before-loop": """
def main(key):
    x = jax.random.normal(key)
    for i in range(3):
        x = x * i
    return x
""",
    "renewed-at-end": """
def main(key):
    for _ in range(3):
        x = jax.random.normal(key)
        key = jax.random.fold_in(key, 1)
    return x
""",
    "seeds": """
def main(key):
    return [jax.random.normal(jax.random.key(seed)) for seed in range(3)]
""",
    "keys-mapped-from-seeds": """
def main(key):
    keys = map(jax.random.key, range(3))
    return [jax.random.normal(k, (n,)) for k, n in zip(keys, (1, 2, 3))]
""",
    "popped": """
def main(key):
    keys = list(jax.random.split(key, 3))
    out = []
    while keys:
        out.append(jax.random.normal(keys.pop()))
    return out
""",
    "next-of-iterator": """
def main(key):
    keys = iter(jax.random.split(key, 3))
    return jax.random.normal(next(keys)) + jax.random.normal(next(keys))
""",
}

TRACED_LOOPS = {
    "rebound-before-on-one-path": """
@jax.jit
def f(key, pair):
    for _ in range(pair.size - 1):
        key, sub = jax.random.split(key)
    total = 0.0
    for _ in range(pair.size):
        total += jax.random.normal(key)  # JAX403
    return total

def main(key):
    return f(key, jnp.ones(2))
""",
    "rebound-on-one-path-and-used-once": """
@jax.jit
def f(key, pair):
    for _ in range(pair.size - 1):
        key, sub = jax.random.split(key)
    return jax.random.normal(key)

def main(key):
    return f(key, jnp.ones(2))
""",
    "keys-of-a-traced-list": """
@jax.jit
def f(keys):
    kept = [key for key in keys]
    total = 0.0
    for key in kept:
        total += jax.random.normal(key)
    return total

def main(key):
    return f(jax.random.split(key, 3))
""",
    "keys-of-a-traced-dict": """
@jax.jit
def f(keys):
    total = 0.0
    for key in keys.values():
        total += jax.random.normal(key)
    return total

@jax.jit
def g(keys):
    return sum(jax.random.normal(key) for name, key in {**keys}.items())

def main(key):
    a, b, c, d = jax.random.split(key, 4)
    return f({"a": a, "b": b}), g({"a": c, "b": d})
""",
    "keys-declared-to-be-arrays": """
@jax.jit
def f(keys: dict[str, jax.Array], more: list[jax.Array]):
    both = jax.random.normal(keys["a"]) + jax.random.normal(keys["b"])
    return both + jax.random.normal(more[0]) + jax.random.normal(more[1])

def main(key):
    a, b, c, d = jax.random.split(key, 4)
    return f({"a": a, "b": b}, [c, d])
""",
    "scan-closure": """
def main(key):
    def body(carry, x):
        return carry + x * jax.random.normal(key), None  # JAX403

    return jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "child-in-a-dict-drawn-from-twice": """
def main(key):
    def body(x, xs):
        return x + jax.random.normal(xs["key"]) * jax.random.uniform(xs["key"]), None  # JAX401

    return jax.lax.scan(body, 0.0, {"key": jax.random.split(key, 3)})[0]
""",
    "scan-carry-kept": """
def main(key):
    def body(carry, x):
        k, total = carry
        return (k, total + jax.random.normal(k)), x  # JAX403

    return jax.lax.scan(body, (key, 0.0), jnp.ones(3))
""",
    "scan-lambda": """
def main(key):
    return jax.lax.scan(lambda c, _: (c, jax.random.normal(c)), key, None, length=3)  # JAX403
""",
    "fori-closure": """
def main(key):
    return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.normal(key), 0.0)  # JAX403
""",
    "while-closure": """
def main(key):
    return jax.lax.while_loop(lambda x: x < 3, lambda x: x + 1 + jax.random.uniform(key), 0.0)  # JAX403
""",
    "map-closure": """
def main(key):
    return jax.lax.map(lambda x: x + jax.random.normal(key), jnp.ones(3))  # JAX403
""",
    "scan-body-in-helper": """
def noisy(key, x):
    return x + jax.random.normal(key)

def main(key):
    def body(x, _):
        return noisy(key, x), None  # JAX403

    return jax.lax.scan(body, 0.0, None, length=2)
""",
    "jitted-scan": """
@jax.jit
def main(key):
    def body(x, _):
        return x + jax.random.normal(key), x  # JAX403

    return jax.lax.scan(body, 0.0, None, length=2)
""",
    "key-after-scan": """
def main(key):
    def body(k, x):
        k, sub = jax.random.split(k)
        return k, x + jax.random.normal(sub)

    _, ys = jax.lax.scan(body, key, jnp.ones(3))
    return ys, jax.random.normal(key)  # JAX401
""",
    "two-draws-in-body": """
def main(key):
    def body(x, k):
        y = jax.random.normal(k)
        return x + y + jax.random.uniform(k), None  # JAX401

    return jax.lax.scan(body, 0.0, jax.random.split(key, 3))
""",
    "scan-carry-renewed": """
def main(key):
    def body(carry, x):
        k, total = carry
        k, sub = jax.random.split(k)
        return (k, total + jax.random.normal(sub)), x

    (key, total), _ = jax.lax.scan(body, (key, 0.0), jnp.ones(3))
    return total + jax.random.normal(key)
""",
    "scan-over-children": """
def main(key):
    return jax.lax.scan(lambda x, k: (x + jax.random.normal(k), None), 0.0, jax.random.split(key, 3))
""",
    "scan-over-a-dict-of-children": """
def main(key):
    def body(x, step, k):
        return x + step * jax.random.normal(k), None

    xs = {"step": jnp.arange(3), "key": jax.random.split(key, 3)}
    return jax.lax.scan(lambda x, xs: body(x, xs["step"], xs["key"]), 0.0, xs)[0]
""",
    "one-kind-after-the-other": """
class Small:
    def __init__(self, size, more=None, *, key):
        size = size + more if more is not None else size
        self.w = jax.random.normal(key, (size,))

class Large:
    def __init__(self, size, *, key):
        self.w = jax.random.normal(key, (size, size))

def make(key, kind: str, config):
    if kind == "small":
        model = Small(config["size"], config.get("more"), key=key)
    if kind == "large":
        model = Large(config["size"], key=key)
    return model.w

def main(key):
    return make(key, "small", {"size": 2})
""",
    "arguments-bound-to-parameters": """
import functools
import inspect

def logged(f):
    signature = inspect.signature(f)

    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        signature.bind(*args, **kwargs).apply_defaults()
        return f(*args, **kwargs)

    return wrapped

@logged
def sample(key, n):
    return jax.random.normal(key, (n,))

def main(key):
    return sample(key, n=2)
""",
    "read-back-off-the-object-that-keeps-it": """
class State:
    def __init__(self, key=None):
        self.key = jax.random.key(1) if key is None else key

def main(key):
    key, sub = jax.random.split(key)
    state = State(sub)
    return jax.random.normal(state.key)
""",
    "scan-over-a-list-in-a-dict": """
def main(key):
    return jax.lax.map(lambda xs: jax.random.normal(xs["keys"][0]), {"keys": [jax.random.split(key, 3)]})
""",
    "vmap-over-an-object-of-children": """
import typing

class Batch(typing.NamedTuple):
    x: jax.Array
    rest: dict

def main(key):
    batch = Batch(jnp.ones(3), {"key": jax.random.split(key, 3)})
    return jax.vmap(lambda b: b.x * jax.random.normal(b.rest["key"]))(batch)
""",
    "fori-folded": """
def main(key):
    return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.normal(jax.random.fold_in(key, i)), 0.0)
""",
    "while-carry-renewed": """
def main(key):
    def body(state):
        k, x = state
        k, sub = jax.random.split(k)
        return k, x + 1 + jax.random.uniform(sub)

    return jax.lax.while_loop(lambda state: state[1] < 3, body, (key, 0.0))
""",
    "vmap-over-children": """
def main(key):
    return jax.vmap(jax.random.normal)(jax.random.split(key, 3))
""",
    "map-over-children": """
def main(key):
    return jax.lax.map(lambda k: jax.random.normal(k), jax.random.split(key, 3))
""",
    "vmap-then-parent": """
def main(key):
    keys = jax.random.split(key, 3)
    x = jax.vmap(lambda k: jax.random.normal(k))(keys)
    return x + jax.random.normal(key)  # JAX401
""",
    "vmap-twice": """
def main(key):
    keys = jax.random.split(key, 3)
    x = jax.vmap(jax.random.normal)(keys)
    return x + jax.vmap(jax.random.uniform)(keys)  # JAX401
""",
    "grad-of-noisy-loss": """
def loss(w, key):
    return jnp.sum(w * jax.random.normal(key, (3,)))

def main(key):
    slope = jax.grad(loss)(1.0, key)
    return slope + jax.random.normal(key)  # JAX401
""",
    "value-and-grad-renewed": """
def loss(w, key):
    return jnp.sum(w * jax.random.normal(key, (3,)))

def main(key):
    key, sub = jax.random.split(key)
    value, slope = jax.value_and_grad(loss)(1.0, sub)
    return value, slope, jax.random.normal(key)
""",
}

CALLS = {
    "a-call-of-the-module-hides-nothing": """
class Steps:
    def __init__(self, one):
        self.one = one

def train(x, key, kind, noisy):
    def step(x, key):
        if noisy:
            x = x + jax.random.normal(key, x.shape)
            x = x * jax.random.uniform(key, x.shape)  # JAX401
        return x
    return getattr(Steps(step), kind)(x, key)

train(jnp.ones(3), jax.random.key(0), "one", noisy=False)

def main(key):
    return train(jnp.ones(3), key, "one", noisy=True)
""",
    "helper-twice": """
def noise(rng, n):
    return jax.random.normal(rng, (n,))

def main(key):
    a = noise(key, 2)
    b = noise(key, 3)  # JAX401
    return a, b
""",
    "helper-and-draw": """
def noise(rng, n):
    return jax.random.normal(rng, (n,))

def main(key):
    b = noise(n=3, rng=key)
    return b, jax.random.permutation(key, 3)  # JAX401
""",
    "two-calls-away": """
def inner(k):
    return jax.random.split(k)[1]

def outer(k):
    return jax.random.normal(inner(k))

def main(key):
    x = outer(key)
    return x + jax.random.normal(key)  # JAX401
""",
    "reuse-inside-helper": """
def both(k):
    x = jax.random.normal(k)
    return x + jax.random.normal(k)  # JAX401

def main(key):
    return both(key)
""",
    "jitted-helper": """
@jax.jit
def noise(k):
    return jax.random.normal(k)

def main(key):
    a = noise(key)
    return a + noise(key)  # JAX401
""",
    "closure-twice": """
def main(key):
    def draw(scale):
        return scale * jax.random.normal(key)

    a = draw(1.0)
    return a + draw(2.0)  # JAX401
""",
    "partial-twice": """
from functools import partial

def sample(key, scale):
    return scale * jax.random.normal(key)

def main(key):
    draw = partial(sample, key)
    a = draw(1.0)
    return a + draw(2.0)  # JAX401
""",
    "helper-returns-the-same-key": """
def prepare(key):
    x = jax.random.normal(key)
    return x, key  # JAX401

def main(key):
    x, key = prepare(key)
    return x + jax.random.normal(key)
""",
    "function-as-value": """
def apply(sampler, key):
    return sampler(key)

def main(key):
    a = apply(jax.random.normal, key)
    return a + apply(jax.random.uniform, key)  # JAX401
""",
    "star-arguments": """
def noise(*args, **kwargs):
    return jax.random.normal(*args, **kwargs)

def main(key):
    a = noise(key, (2,))
    return a + noise(key, shape=(2,))  # JAX401
""",
    "default-key": """
DEFAULT = jax.random.key(0)

def noise(key=DEFAULT):
    return jax.random.normal(key)

def main(key):
    a = noise()
    return a + noise()  # JAX401
""",
    "global-key": """
KEY = jax.random.key(3)

def main(key):
    a = jax.random.normal(KEY)
    return a + jax.random.uniform(KEY)  # JAX401
""",
    "decorated": """
import functools

def timed(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper

@timed
def noise(key):
    return jax.random.normal(key)

def main(key):
    a = noise(key)
    return a + noise(key)  # JAX401
""",
    "lambda-helper": """
draw = lambda k: jax.random.normal(k)

def main(key):
    a = draw(key)
    return a + draw(key)  # JAX401
""",
    "helper-folds": """
def stream(key, i):
    return jax.random.fold_in(key, i)

def main(key):
    a = jax.random.normal(stream(key, 0))
    return a + jax.random.normal(stream(key, 1))
""",
    "helper-ignores": """
def greedy(params, key):
    del key
    return params

def main(key):
    a = greedy(1.0, key)
    return a + greedy(2.0, key) + jax.random.normal(key)
""",
    "helper-returns-new-key": """
def advance(key):
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub)

def main(key):
    key, a = advance(key)
    key, b = advance(key)
    return a + b
""",
    "helper-draws-on-one-path": """
def maybe(key, train):
    if not train:
        return 0.0
    return jax.random.normal(key)

def main(key):
    a = maybe(key, False)
    return a + maybe(key, True)
""",
    "closure-once": """
def main(key):
    def draw():
        return jax.random.normal(key)

    return draw()
""",
    "defined-not-called": """
def main(key):
    def a():
        return jax.random.normal(key)

    def b():
        return jax.random.uniform(key)

    return a() if key.ndim == 0 else b()
""",
}

CONTAINERS = {
    "rows-of-one-of-two-matrices": """
def main(key):
    keys, n = jax.random.split(key, (2, 3)), len(jax.devices())
    for _ in range(n):
        for _ in range(max(n, 1)):
            keys = jax.vmap(lambda row: jax.random.split(row[0], 3))(keys)
            if n > 2:
                n = n + 1
    return jax.vmap(lambda row: jax.random.normal(row[0]))(keys)
""",
    "dict": """
def main(key):
    rngs = {"params": key}
    a = jax.random.normal(rngs["params"])
    return a + jax.random.uniform(key)  # JAX401
""",
    "same-key-two-entries": """
def main(key):
    rngs = {"params": key, "dropout": key}
    a = jax.random.normal(rngs["params"])
    return a + jax.random.uniform(rngs["dropout"])  # JAX401
""",
    "tuple-and-unpack": """
def main(key):
    pair = (1.0, key)
    scale, k = pair
    a = scale * jax.random.normal(k)
    return a + jax.random.normal(pair[1])  # JAX401
""",
    "namedtuple": """
from typing import NamedTuple

class State(NamedTuple):
    x: jax.Array
    rng: jax.Array

def main(key):
    state = State(0.0, key)
    state = state._replace(x=jax.random.normal(state.rng))
    return state.x + jax.random.normal(state.rng)  # JAX401
""",
    "dataclass-parameter": """
from dataclasses import dataclass

@dataclass
class State:
    rng: jax.Array
    step: int = 0

def act(state):
    a = jax.random.normal(state.rng)
    return a + jax.random.uniform(state.rng)  # JAX401

def main(key):
    return act(State(key))
""",
    "element-twice": """
def main(key):
    ks = jax.random.split(key, 3)
    a = jax.random.normal(ks[1])
    return a + jax.random.normal(ks[0]) + jax.random.uniform(ks[1])  # JAX401
""",
    "negative-element": """
def main(key):
    ks = jax.random.split(key, 3)
    a = jax.random.normal(ks[-1])
    return a + jax.random.uniform(ks[2])  # JAX401
""",
    "element-and-slice": """
def main(key):
    ks = jax.random.split(key, 3)
    a = jax.vmap(jax.random.normal)(ks[1:])
    return a + jax.random.uniform(ks[2])  # JAX401
""",
    "iterated-and-indexed": """
@jax.jit
def main(key):
    ks = jax.random.split(key, 3)
    a = [jax.random.normal(k) for k in ks]
    return a, jax.random.uniform(ks[0])  # JAX401
""",
    "list-of-keys": """
def main(key):
    keys = list(jax.random.split(key, 3))
    first, *rest = keys
    a = jax.random.normal(first)
    return a + jax.random.normal(keys[0])  # JAX401
""",
    "replace-keeps-key": """
from dataclasses import dataclass, replace

@dataclass
class State:
    rng: jax.Array
    x: float = 0.0

def main(key):
    state = State(key)
    state = replace(state, x=jax.random.normal(state.rng))
    return state.x + jax.random.normal(state.rng)  # JAX401
""",
    "elements-apart": """
def main(key):
    ks = jax.random.split(key, 4)
    a = jax.random.normal(ks[0]) + jax.random.normal(ks[1])
    return a + jax.random.normal(ks[-1]) + jax.random.normal(ks[-2])
""",
    "slices-apart": """
def main(key):
    ks = jax.random.split(key, 4)
    return jax.vmap(jax.random.normal)(ks[:2]) + jax.vmap(jax.random.normal)(ks[2:])
""",
    "dict-of-children": """
def main(key):
    names = ("params", "dropout")
    rngs = dict(zip(names, jax.random.split(key, len(names))))
    return {name: jax.random.normal(k) for name, k in rngs.items()}
""",
    "replaced-state": """
from typing import NamedTuple

class State(NamedTuple):
    x: jax.Array
    rng: jax.Array

def step(state):
    rng, sub = jax.random.split(state.rng)
    return state._replace(x=state.x + jax.random.normal(sub), rng=rng)

def main(key):
    return step(step(State(0.0, key)))
""",
    "entry-renewed": """
def main(key):
    rngs = {"dropout": key}
    for _ in range(2):
        rngs["dropout"], sub = jax.random.split(rngs["dropout"])
        x = jax.random.normal(sub)
    return x
""",
    "tree-of-children": """
def main(key):
    params = {"a": jnp.ones(2), "b": jnp.ones(3)}
    leaves, tree = jax.tree.flatten(params)
    keys = jax.tree.unflatten(tree, list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys)
""",
    "grid-of-keys": """
def main(key):
    grid = jax.random.split(key, (2, 3))
    return jax.random.normal(grid[0, 1]) + jax.random.normal(grid[1, 0])
""",
    "stored-in-checkpoint": """
def main(key):
    x = jax.random.normal(key)
    checkpoint = {"x": x, "rng": key}
    return checkpoint
""",
}

OBJECTS = {
    "an-object-that-only-holds-the-key": """
class State:
    def __init__(self, key, weights):
        self.key = key
        self.weights = weights

    def __repr__(self):
        return f"State({self.key})"

    def scaled(self, factor):
        self.weights = self.weights * factor
        return self

def main(key):
    state = State(key, jnp.ones(2))
    key, sub = jax.random.split(key)
    return state.scaled(2.0).weights + jax.random.normal(sub)
""",
    "an-object-that-only-holds-the-key-for-others": """
class State:
    def __init__(self, key):
        self.key = key

def main(key):
    state = State(key)
    x = jax.random.normal(key)
    return x + jax.random.uniform(state.key)  # JAX401
""",
    "self-key-twice": """
class Agent:
    def __init__(self, key):
        self.key = key

    def act(self):
        a = jax.random.normal(self.key)
        return a + jax.random.uniform(self.key)  # JAX401

def main(key):
    return Agent(key).act()
""",
    "self-key-split-then-used": """
class Agent:
    def __init__(self, key):
        self.rng = key

    def act(self):
        rng, sub = jax.random.split(self.rng)
        return jax.random.normal(sub) + jax.random.uniform(self.rng), rng  # JAX401

def main(key):
    return Agent(key).act()
""",
    "init-then-method": """
class Agent:
    def __init__(self, key):
        self.key = key
        self.w = jax.random.normal(self.key)

    def act(self):
        return self.w + jax.random.uniform(self.key)

def main(key):
    agent = Agent(key)
    return agent.act()  # JAX401
""",
    "method-twice": """
class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)

def main(key):
    sampler = Sampler(key)
    a = sampler.draw()
    return a + sampler.draw()  # JAX401
""",
    "method-calls-method": """
class Agent:
    def __init__(self, key):
        self.key = key

    def noise(self):
        return jax.random.normal(self.key)

    def act(self):
        a = self.noise()
        return a + jax.random.uniform(self.key)  # JAX401

def main(key):
    return Agent(key).act()
""",
    "inherited": """
class Base:
    def __init__(self, key):
        self.key = key

    def noise(self):
        return jax.random.normal(self.key)

class Child(Base):
    def act(self):
        return super().noise() + self.noise()  # JAX401

def main(key):
    return Child(key).act()
""",
    "advanced-attribute": """
class Agent:
    def __init__(self, key):
        self.key = key

    def act(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

def main(key):
    agent = Agent(key)
    return agent.act() + agent.act()
""",
    "property-of-fresh-keys": """
class Context:
    def __init__(self, key):
        self._key = key

    @property
    def rng(self):
        self._key, sub = jax.random.split(self._key)
        return sub

def main(key):
    context = Context(key)
    return jax.random.normal(context.rng) + jax.random.uniform(context.rng)
""",
    "generator-of-keys": """
def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    keys = stream(key)
    return jax.random.normal(next(keys)) + jax.random.normal(next(keys))
""",
    "two-objects": """
class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)

def main(key):
    a, b = jax.random.split(key)
    return Sampler(a).draw() + Sampler(b).draw()
""",
    "callable-object": """
class Noise:
    def __init__(self, key):
        self.key = key

    def __call__(self, x):
        self.key, sub = jax.random.split(self.key)
        return x + jax.random.normal(sub)

def main(key):
    noise = Noise(key)
    return noise(noise(0.0))
""",
    "lazy-property-in-a-long-function": """
class Layer:
    def __init__(self):
        self._rng = None

    @property
    def rng(self):
        if self._rng is None:
            self._rng = jax.random.key(0)
        return self._rng

def main(key, callee):
    layer, x = Layer(), 0.0
"""
    + "    x = x + 1.0\n" * 140
    + """
    a, b = jax.random.split(layer.rng)
    c, d, e = jax.random.split(layer.rng, 3)  # JAX401
    return a, b, c, d, e, x
""",
}

UNSEEN = {
    "split-parent-to-step": """
def main(key, callee):
    key, action_key = jax.random.split(key)
    env_key, _ = jax.random.split(key)
    state = callee.reset(env_key)
    return callee.step(key, state, jax.random.normal(action_key))  # JAX402
""",
    "data-and-init": """
def main(key, callee):
    x = jax.random.normal(key, (1, 4))
    return callee.init(key, x), x  # JAX402
""",
    "init-and-apply": """
def main(key, callee):
    params = callee.init(key, jnp.ones(3))
    return callee.apply(params, jax.random.normal(key), rngs={"dropout": jax.random.key(1)})  # JAX402
""",
    "policy-value": """
def main(key, callee):
    noise = jax.random.normal(key)
    return callee(noise, rng=key)  # JAX402
""",
    "callee-then-split": """
def main(rng, callee):
    params = callee.init(rng, 1.0)
    rng, sub = jax.random.split(rng)  # JAX402
    return params, jax.random.normal(sub)
""",
    "attribute-handed-on": """
class Agent:
    def __init__(self, key, model):
        self.key = key
        self.model = model

    def act(self, x):
        noise = jax.random.normal(self.key)
        return self.model(x + noise, self.key)  # JAX402

def main(key, callee):
    return Agent(key, callee).act(1.0)
""",
    "helper-hands-on": """
def reset(env, key):
    return env.reset(key)

def main(key, callee):
    state = reset(callee, key)
    return state + jax.random.normal(key)  # JAX402
""",
    "child-to-each": """
def main(key, callee):
    init_key, step_key, key = jax.random.split(key, 3)
    params = callee.init(init_key, 1.0)
    return callee.step(step_key, params), jax.random.normal(key)
""",
    "record-read-before-its-key-is-used": """
def lookup(site):
    return None

def draw(find, site):
    value = find(site)
    if value is None:
        key = site["options"]["key"]
        value = jax.lax.cond(True, lambda k: site["fn"](k), lambda k: 0.0, key)
    return value

def main(key):
    return draw(min([lookup], key=id), min([{"fn": jax.random.normal, "options": {"key": key}}], key=id))
""",
    "recursion-that-draws-once": """
def sample(key, observed=None, mask=None):
    if mask is not None:
        seen = sample(key, observed)
        missing = sample(key)
        return jnp.where(mask, seen, missing)
    return jax.random.normal(key) if observed is None else observed

def main(key):
    return sample(key, jnp.ones(()), jnp.ones((), bool))
""",
    "recursion-over-an-array-of-keys": """
from functools import partial

@partial(jax.jit, static_argnums=1)
def split(keys, number):
    if keys.ndim > 0:
        return jax.vmap(split, in_axes=(0, None))(keys, number)
    return jax.random.split(keys, number)

@partial(jax.jit, static_argnames="number")
def children(keys, number):
    if keys.ndim == 0:
        made = jax.random.split(keys, number)
    else:
        made = jax.vmap(partial(children, number=number))(keys)
    return made

def main(key):
    one, other = split(key, 2)
    return split(split(one, 3), 2), children(children(other, number=3), number=2)
""",
    "recursion-over-an-array-of-keys-that-are-spent": """
from functools import partial

@partial(jax.jit, static_argnums=1)
def split(keys, number):
    if keys.ndim > 0:
        return jax.vmap(split, in_axes=(0, None))(keys, number)
    noise = jax.random.normal(keys)
    return jax.random.split(keys, number)  # JAX401

def main(key):
    return split(jax.random.split(key), 2)
""",
    "recursion-that-draws-each-time": """
def walk(key, steps):
    here = jax.random.normal(key)
    return here + walk(key, steps - 1) if steps else here  # JAX402

def main(key):
    return walk(key, 2)
""",
    "shapes-first-then-numbers": """
def main(key, callee):
    def first_step(key):
        params = callee.init(key)
        return params + jax.random.normal(key)  # JAX402

    shape = jax.eval_shape(first_step, key)
    return min([first_step], key=id)(key)
""",
    "one-callee-only": """
def main(key, callee):
    return callee.sample(key, 1.0)
""",
    "one-callee-on-each-path": """
def main(key, callee, train=True):
    if train:
        return callee.sample(key)
    return callee.mode(key)
""",
    "fold-for-callees": """
def main(key, callee):
    a = callee.init(jax.random.fold_in(key, 0))
    return a + callee.apply(a, jax.random.fold_in(key, 1))
""",
    "advanced-in-loop": """
def main(key, callee):
    state = callee.reset(jax.random.fold_in(key, 100))
    for _ in range(3):
        key, sub = jax.random.split(key)
        state = callee.step(sub, state)
    return state
""",
    "callee-returns-new-key": """
def main(key, callee):
    for _ in range(3):
        key, state = callee.next(key), 0.0
    return state
""",
}

FOLDED = {
    "folds-beyond-the-children": """
def main(key):
    a, b = jax.random.split(key)
    for i in range(2, 12):
        a = a, jax.random.fold_in(key, i)
    for number, name in enumerate(sorted(locals()), start=2):
        b = b, jax.random.fold_in(key, number)
    return a, b
""",
    "folds-moved-beyond-the-children": """
def main(key):
    a, b = jax.random.split(key)
    keys = [jax.random.fold_in(key, 2 + i) for i in range(3)] + [jax.random.fold_in(key, i + 12) for i in range(3)]
    for number in range(1, 4):
        keys.append(jax.random.fold_in(key, 50 * number))
    return a, b, keys
""",
    "folds-of-characters": """
def main(key):
    a, b = jax.random.split(key)
    return a, b, jax.random.fold_in(key, ord("a")), [jax.random.fold_in(key, ord(letter)) for letter in str(b)]
""",
    "folds-of-hashes": """
def main(key):
    a, b = jax.random.split(key)
    name = "train"
    return a, b, jax.random.fold_in(key, abs(hash(name)) % 2**31), jax.random.fold_in(key, hash(name) % 2**31)
""",
    "in-a-helper-of-a-comprehension": """
import zlib

def stream(key, name):
    return jax.random.fold_in(key, zlib.crc32(name.encode()))

def main(key):
    shapes = {name: (2,) for name in "ab"}
    return {name: jax.random.normal(stream(key, name), shape) for name, shape in shapes.items()}
""",
    "in-a-helper-of-a-loop": """
def at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))

def main(key):
    return [at(key, i) for i in range(int(key.size) + 2)]
""",
    "in-a-jitted-helper": """
@jax.jit
def jitter(i, x, key):
    return x + jax.random.normal(jax.random.fold_in(key, i), x.shape)

def main(key):
    x = jitter(0, jnp.ones(3), key)
    for i in range(1, 3 + x.size):
        x = jitter(i, x, key)
    return x
""",
    "counted-by-a-helper": """
def following(i):
    return i + 1

def main(key):
    i, total = 0, 0.0
    while i < 3:
        total += jax.random.normal(jax.random.fold_in(key, i))
        i = following(i)
    return total
""",
    "counted-by-an-attribute": """
class Noise:
    def __init__(self, key):
        self.key, self.step = key, 0

    def __call__(self):
        self.step += 1
        return jax.random.normal(jax.random.fold_in(self.key, self.step))

def main(key):
    noise = Noise(key)
    return noise(), noise(), [noise() for _ in range(3)]
""",
    "a-member-of-a-batch-that-a-helper-picks": """
def pick(keys, i):
    return jax.random.normal(keys[i])

def main(key):
    keys = jax.random.split(key, 4)
    return [pick(keys, i) for i in range(keys.shape[0])]
""",
    "bound-by-partial-and-mapped": """
from functools import partial

def at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))

def main(key):
    return list(map(partial(at, key), range(int(key.size) + 2)))
""",
}

LEFT_BEHIND = {
    "a-helper-advances-the-global": """
KEY = jax.random.key(0)

def fresh():
    global KEY
    KEY, sub = jax.random.split(KEY)
    return jax.random.normal(sub)

def indirectly():
    return fresh() + 1

def main(key):
    return fresh(), fresh(), indirectly(), [indirectly() for _ in range(3)]
""",
    "a-helper-advances-an-entry-of-the-global": """
STATE = {"key": jax.random.key(1)}

def fresh():
    STATE["key"], sub = jax.random.split(STATE["key"])
    return jax.random.normal(sub)

def main(key):
    return fresh(), fresh(), [fresh() for _ in range(3)]
""",
    "a-helper-advances-its-argument": """
from types import SimpleNamespace

def fresh(state):
    state.key, sub = jax.random.split(state.key)
    return jax.random.normal(sub)

def train(state):
    return fresh(state), fresh(state), [fresh(state) for _ in range(3)]

def main(key):
    return train(SimpleNamespace(key=key))
""",
    "a-helper-draws-from-the-global": """
KEY = jax.random.key(2)

def fixed():
    return jax.random.normal(KEY)

def main(key):
    return fixed(), fixed()  # JAX401
""",
}

COMPUTED = {
    "by-a-property-of-a-sibling": """
class Advancing:
    @property
    def next_key(self):
        self._key, sub = jax.random.split(self._key)
        return sub

class Noisy:
    def draw(self):
        return jax.random.normal(self.next_key), jax.random.uniform(self.next_key)

class Agent(Advancing, Noisy):
    def __init__(self, key):
        self._key = key

def main(key):
    return Agent(key).draw()
""",
    "by-a-property-of-a-subclass": """
class Noisy:
    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)

class Agent(Noisy):
    def __init__(self, key):
        self._key = key

    @property
    def rng(self):
        self._key, sub = jax.random.split(self._key)
        return sub

def main(key):
    return Agent(key).draw()
""",
    "by-getattr": """
class Agent:
    def __init__(self, key):
        self._key = key

    def __getattr__(self, name):
        if name != "rng":
            raise AttributeError(name)
        self._key, sub = jax.random.split(self._key)
        return sub

    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)

def main(key):
    return Agent(key).draw()
""",
    "by-a-descriptor": """
class Fresh:
    def __get__(self, owner, kind):
        owner._key, sub = jax.random.split(owner._key)
        return sub

class Agent:
    rng = Fresh()

    def __init__(self, key):
        self._key = key

    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)

def main(key):
    return Agent(key).draw()
""",
    "an-attribute-that-a-method-renews": """
from types import SimpleNamespace

def advance(state):
    state.key = jax.random.split(state.key)[0]

def draw(state):
    a = jax.random.normal(jax.random.fold_in(state.key, 0))
    state.advance(state)
    return a, jax.random.normal(jax.random.fold_in(state.key, 0))

def main(key):
    return draw(SimpleNamespace(key=key, advance=advance))
""",
    "kept-and-given-out": """
class Agent:
    def __init__(self, key):
        self.rng = key

    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)  # JAX401

def main(key):
    return Agent(key).draw()
""",
}

CLOSURES = {
    "made-before-the-class-that-it-is-given": """
def make():
    def run(env, key):
        env.reset(key)
        return jax.random.normal(key)

    return run

run = make()

class Env:
    def reset(self, key):
        return 0.0

def main(key):
    return run(Env(), key)
""",
    "made-before-the-function-that-it-calls": """
def make(scale):
    def run(key):
        return scale * draw(key) + jax.random.normal(key)  # JAX401

    return run

run = make(2.0)

def draw(key):
    return jax.random.normal(key)

def main(key):
    return globals()["run"](key)
""",
    "either-of-two": """
def shake(key, hard):
    def soft():
        return jax.random.normal(key)

    def rough():
        return jax.random.laplace(key)

    return rough() if hard else soft()

def main(key):
    return shake(key, True)

print(shake(jax.random.key(5), False))
""",
    "one-of-a-table": """
def shake(key, kind):
    table = {"soft": lambda: jax.random.normal(key), "rough": lambda: jax.random.laplace(key)}
    return table[kind]()

def main(key):
    return shake(key, "soft")

print(shake(jax.random.key(5), "rough"))
""",
    "one-that-nobody-calls": """
def main(key):
    def debug():
        return jax.random.normal(key)

    return jax.random.laplace(key)
""",
    "one-of-two-that-are-returned": """
def pair(key):
    return lambda: jax.random.normal(key), lambda: jax.random.laplace(key)

def main(key):
    soft, rough = pair(key)
    return soft()
""",
    "both-that-are-returned": """
def pair(key):
    return lambda: jax.random.normal(key), lambda: jax.random.laplace(key)

def main(key):
    soft, rough = pair(key)
    return soft(), rough()  # JAX401
""",
    "spent-before-it-is-kept": """
def prepare(key, table):
    first = jax.random.normal(key)
    table["later"] = lambda: jax.random.laplace(key)  # JAX401
    return first

def main(key):
    table = {}
    return prepare(key, table), table["later"]()  # JAX401
""",
}

CARRIED = {
    "renewed-by-replace": """
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def learner(draw):
    def update(state: State, _):
        def step(state: State, _):
            params, key = state
            key, sub = jax.random.split(key)
            return state._replace(key=key), draw(sub)

        state, noise = jax.lax.scan(step, state, None, 3)
        params, key = state
        key, sub = jax.random.split(key)
        return state._replace(params=params + draw(sub), key=key), noise

    return lambda state: jax.lax.scan(update, state, None, 2)

def main(key):
    learn = jax.jit(learner(jax.random.normal))
    state = State(jnp.zeros(()), key)
    for _ in range(2):
        state, _ = learn(state)
    return jax.random.normal(state.key)
""",
    "renewed-by-replace-of-a-mapping": """
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def step(state, changes):
    params, key = state
    key, sub = jax.random.split(key)
    changes = dict(changes)
    changes["key"] = key
    state = state._replace(**changes)
    params, key = state
    return state, jax.random.normal(key)

def main(key):
    return jax.jit(step)(State(jnp.zeros(()), key), {"params": jnp.ones(())})[1]
""",
    "renewed-by-dataclasses-replace": """
import dataclasses

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: jax.Array
    key: jax.Array

def step(state, _):
    key, sub = jax.random.split(state.key)
    return dataclasses.replace(state, key=key), jax.random.normal(sub)

def main(key):
    state, noise = jax.lax.scan(step, State(jnp.zeros(()), key), None, 3)
    return noise, jax.random.normal(state.key)
""",
    "kept-by-replace": """
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def step(state, _):
    key, sub = jax.random.split(state.key)
    return state._replace(params=jax.random.normal(sub)), None  # JAX403

def main(key):
    return jax.lax.scan(step, State(jnp.zeros(()), key), None, 3)
""",
    "the-old-one-put-back-by-replace": """
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def step(state, _):
    params, key = state
    new_key, sub = jax.random.split(key)
    return State(params + jax.random.normal(sub), key), None  # JAX403

def main(key):
    return jax.lax.scan(step, State(jnp.zeros(()), key), None, 3)
""",
    "the-count-replaced-and-the-key-kept": """
from typing import NamedTuple

class State(NamedTuple):
    count: jax.Array
    key: jax.Array

@jax.jit
def step(state):
    count, key = state
    noise = jax.random.normal(key)
    state = state._replace(count=count + 1)
    _, key = state
    return noise + jax.random.normal(key)  # JAX401

def main(key):
    return step(State(jnp.zeros(()), key))
""",
    "halves-of-a-list": """
def main(key, callee):
    halves = lambda key, count: list(jax.random.split(key, count))
    for _ in range(3):
        key, sub = halves(key, 2)
        callee.run(sub)
    return jax.random.normal(key)
""",
    "halves-of-a-mapped-list": """
def main(key, callee):
    halves = jax.vmap(lambda key: list(jax.random.split(key)))
    keys = jax.random.split(key, 1)
    for _ in range(3):
        keys, subs = halves(keys)
        callee.run(subs[0])
    return jax.random.normal(keys[0])
""",
    "halves-of-a-jitted-list": """
def main(key, callee, count=2):
    halves = jax.jit(lambda key, count: list(jax.random.split(key, count)), static_argnums=1)
    for _ in range(3):
        key, sub = halves(key, count)
        callee.run(sub)
    return jax.random.normal(key)
""",
    "one-half-of-a-list-twice": """
def main(key):
    halves = lambda key, count: list(jax.random.split(key, count))
    for _ in range(3):
        key, sub = halves(key, 2)
        noise = jax.random.normal(sub) + jax.random.uniform(sub)  # JAX401
    return noise
""",
}

LATE = {
    "bound-again-before-the-closure-runs": """
def main(key):
    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)

    @jax.jit
    def shake(x):
        return x + jax.random.normal(sub)

    key, sub = jax.random.split(key)
    return first, shake(1.0)
""",
    "bound-again-before-the-mapped-lambda-runs": """
def main(key):
    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)
    shake = jax.vmap(lambda x: x + jax.random.normal(sub))
    key, sub = jax.random.split(key)
    return first, shake(jnp.ones(2))
""",
    "bound-again-after-the-closure-ran": """
def main(key):
    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)

    @jax.jit
    def shake(x):
        return x + jax.random.normal(sub)

    second = shake(1.0)  # JAX401
    key, sub = jax.random.split(key)
    return first, second, jax.random.normal(sub)
""",
    "spent-after-it-is-bound-again": """
def main(key):
    key, sub = jax.random.split(key)

    @jax.jit
    def shake(x):
        return x + jax.random.normal(sub)

    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)
    return first, shake(1.0)  # JAX401
""",
}

IGNORED = {
    "wrappers-around-the-unseen": """
import types

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))  # JAX402

def main(key, callee):
    inner = types.SimpleNamespace(step=lambda key, state: callee(key))
    return rollout(Counted(Wrapper(inner)), key, 1.0)
""",
    "wrappers-around-what-draws-nothing": """
class Still:
    def step(self, key, state):
        del key
        return state

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))

def main(key):
    return rollout(Counted(Wrapper(Still())), key, 1.0)
""",
    "wrappers-around-one-that-draws": """
class Still:
    def step(self, key, state):
        return state + jax.random.normal(key)

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))  # JAX401

def main(key):
    return rollout(Counted(Wrapper(Still())), key, 1.0)
""",
    "wrappers-around-one-of-two-that-draw": """
class Still:
    def step(self, key, state):
        del key
        return state

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

class Loud(Still):
    def step(self, key, state):
        return state + jax.random.normal(key)

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))  # JAX401

def main(key):
    return rollout(Counted(Wrapper(Loud())), key, 1.0)
""",
    "handed-again-to-a-function-that-calls-itself": """
def countdown(x, key, n):
    return x if n == 0 else countdown(x, key, n - 1)

def main(key):
    x = countdown(1.0, key, 3)
    return x + jax.random.normal(key)
""",
    "handed-again-to-a-function-that-calls-itself-and-draws": """
def walk(x, key, n):
    return x + jax.random.normal(key) if n == 0 else walk(x, key, n - 1)

def main(key, n=3):
    x = walk(1.0, key, n)
    return x + jax.random.normal(key)  # JAX401
""",
    "an-abstract-method-of-which-no-version-draws": """
class Policy:
    def act(self, key, obs):
        raise NotImplementedError

class Greedy(Policy):
    def act(self, key, obs):
        return self.best(obs, key=key)

    def best(self, obs, key=None):
        assert key is not None
        return obs * 2

def play(policy: Policy, key):
    return policy.act(key, 1.0) + jax.random.normal(key)

def main(key):
    return play(Greedy(), key)
""",
    "an-abstract-method-of-which-one-version-draws": """
class Policy:
    def act(self, key, obs):
        raise NotImplementedError

class Greedy(Policy):
    def act(self, key, obs):
        return obs * 2

class Noisy(Policy):
    def act(self, key, obs):
        return obs + jax.random.normal(key)

def play(policy: Policy, key):
    return policy.act(key, 1.0) + jax.random.normal(key)  # JAX402

def main(key):
    return play(globals()["Noisy"](), key)
""",
    "a-method-that-every-class-in-reach-has-and-none-draws-in": """
class Maze:
    @jax.jit
    def advance(self, key, obs):
        return self.moved(key, obs)

    def moved(self, key, obs):
        assert key.shape == () and key is not None, f"{key}"
        return obs + 1

jax.tree_util.register_pytree_node(Maze, lambda maze: ((), None), lambda aux, children: Maze())

def step(world, key):
    return jax.jit(world.advance)(key, 1.0) + world.advance(key, 1.0) + jax.random.normal(key)

def main(key):
    return step(Maze(), key)
""",
    "a-method-that-one-class-in-reach-draws-in": """
class Maze:
    def advance(self, key, obs):
        return obs + 1

class Windy(Maze):
    def advance(self, key, obs):
        return obs + jax.random.normal(key)

def step(world, key):
    return world.advance(key, 1.0) + jax.random.normal(key)  # JAX402

def main(key):
    return step(globals()["Windy"](), key)
""",
    "a-method-that-stores-the-key-may-draw-later": """
class Maze:
    def seed(self, key):
        self.key = key

    def advance(self, obs):
        return obs + jax.random.normal(self.key)

def step(world, key):
    world.seed(key)
    return world.advance(1.0) + jax.random.normal(key)  # JAX402

def main(key):
    return step(globals()["Maze"](), key)
""",
    "a-check-of-types-over-a-tree": """
from jax.tree_util import tree_all, tree_map

def is_array(tree, n=1):
    if n == 0:
        return tree_all(tree_map(lambda leaf: isinstance(leaf, (jax.Array, int)), tree))
    return is_array(tree, n - 1)

def main(key):
    return jax.random.normal(key) if is_array(key) else None
""",
}

_SAMPLERS = """
def draw(key):
    return jax.random.normal(key)

def other(key):
    return jax.random.uniform(key)

def plain(key):
    return 1.0
"""

ONE_OF = {
    "an-item-of-a-table-whose-functions-all-draw": _SAMPLERS
    + """
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    x = jax.random.normal(key)
    return x + TABLE[name](key)  # JAX401
""",
    "a-table-that-is-asked-with-a-default": _SAMPLERS
    + """
TABLE = dict(a=draw, b=lambda key: jax.random.bernoulli(key))

def main(key, name="c"):
    x = TABLE.get(name, other)(key)
    return x + jax.random.normal(key)  # JAX401
""",
    "a-table-that-may-have-no-such-entry": _SAMPLERS
    + """
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    sampler = TABLE.get(name)
    x = jax.random.normal(key)
    if sampler is None:
        return x
    return x + sampler(key)  # JAX401
""",
    "a-list-of-many": _SAMPLERS
    + """
MANY = [draw, other, lambda key: draw(key) + 1, lambda key: 2 * draw(key), jax.random.gumbel, jax.random.laplace]

def main(key, number=4):
    return MANY[number](key), jax.random.normal(key)  # JAX401
""",
    "the-same-table-twice": _SAMPLERS
    + """
TABLE = {"a": draw, "b": other}

def main(key, name="a", another="b"):
    return TABLE[name](key) + TABLE[another](key)  # JAX401
""",
    "a-table-in-every-pass": _SAMPLERS
    + """
TABLE = {"a": draw, "b": other}

def main(key, names=("a", "b")):
    return [TABLE[name](key) for name in names]  # JAX403
""",
    "a-registry-that-decorators-fill": _SAMPLERS
    + """
REGISTRY = {}

def register(name):
    def add(function):
        REGISTRY[name] = function
        return function
    return add

@register("a")
def first(key):
    return jax.random.normal(key)

@register("b")
def second(key, scale=1.0):
    return scale * jax.random.uniform(key)

def main(key, name="a"):
    return REGISTRY[name](key) + jax.random.normal(key)  # JAX401
""",
    "a-table-of-classes": _SAMPLERS
    + """
class One:
    def act(self, key):
        return draw(key)

class Two:
    def act(self, key):
        return other(key)

CLASSES = {"one": One, "two": Two}

def main(key, name="one"):
    agent = CLASSES[name]()
    x = jax.random.normal(key)
    return x + agent.act(key)  # JAX401
""",
    "a-factory-of-two-classes": _SAMPLERS
    + """
class One:
    def act(self, key):
        return draw(key)

class Two:
    def act(self, key):
        return other(key)

def make(name):
    if name == "one":
        return One()
    if name == "two":
        return Two()
    raise ValueError(name)

def main(key, name="one"):
    agent = make(name)
    return agent.act(key) + jax.random.normal(key)  # JAX401
""",
    "one-function-of-a-table-draws-nothing": _SAMPLERS
    + """
TABLE = {"a": draw, "b": plain}

def main(key, name="a"):
    x = jax.random.normal(key)
    return x + TABLE[name](key)  # JAX402
""",
    "one-function-of-a-table-draws-nothing-and-the-key-is-used-later": _SAMPLERS
    + """
TABLE = {"a": draw, "b": plain}

def main(key, name="a"):
    x = TABLE.get(name)(key)
    return x + jax.random.normal(key)  # JAX402
""",
    "no-function-of-a-table-draws": _SAMPLERS
    + """
TABLE = {"a": plain, "b": lambda key: 2.0}

def main(key, name="a"):
    x = TABLE.get(name, plain)(key) + TABLE[name](key)
    return x + jax.random.normal(key)
""",
    "a-table-that-is-given-another-part-of-the-key": _SAMPLERS
    + """
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    key, sub = jax.random.split(key)
    return TABLE[name](sub) + TABLE.get(name)(key)
""",
    "a-table-on-one-path-and-a-draw-on-the-other": _SAMPLERS
    + """
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    if name in TABLE:
        return TABLE[name](key)
    return jax.random.normal(key)
""",
    "functions-that-fold-differently": _SAMPLERS
    + """
TABLE = {"a": lambda key: draw(jax.random.fold_in(key, 1)), "b": lambda key: draw(jax.random.fold_in(key, 2))}

def main(key, name="a"):
    return TABLE[name](key) + draw(jax.random.fold_in(key, 3))
""",
    "either-of-two-functions-that-both-draw": _SAMPLERS
    + """
def main(key, loud=True):
    sampler = draw if loud else other
    x = jax.random.normal(key)
    return x + sampler(key)  # JAX401
""",
    "the-one-that-draws-and-a-draw-exclude-each-other": _SAMPLERS
    + """
def main(key, loud=True):
    if loud:
        sampler = draw
    else:
        sampler = plain
    x = sampler(key)
    if not loud:
        x += jax.random.normal(key)
    return x
""",
    "functions-that-draw-from-different-parts": _SAMPLERS
    + """
TABLE = {"a": jax.vmap(draw), "b": lambda keys: draw(keys[0]), "c": lambda keys: min([draw], key=id)(keys[1])}

class Wrapped:
    def reset(self, keys):
        return jax.vmap(jax.random.split)(keys)

class Plain(Wrapped):
    def reset(self, keys):
        return self.find(keys)

    def find(self, keys):
        return jax.random.normal(keys[0])

def main(key, name="a", wrapped=False):
    parts = jax.random.split(key)
    first, second = jax.random.split(parts[0]), jax.random.split(parts[1])
    wrapper = {True: Wrapped, False: Plain}[wrapped]()
    return TABLE[name](first), jax.jit(wrapper.reset)(second)
""",
    "branches-that-draw-from-different-parts": _SAMPLERS
    + """
def main(key, loud=True):
    keys = jax.random.split(key)
    if loud:
        sampler = lambda keys: draw(keys[0])
    else:
        sampler = lambda keys: draw(keys[0]) + draw(keys[1])
    return sampler(keys)
""",
}

_POLICIES = """
from dataclasses import dataclass
from typing import Optional, Union

class Loud:
    def act(self, key):
        return jax.random.normal(key)

class Other:
    def act(self, key):
        return jax.random.uniform(key)

class Silent:
    def act(self, key):
        return 0.0
"""

DECLARED = {
    "either-of-two-classes-that-both-draw": _POLICIES
    + """
def act(policy: Loud | Other, key):
    x = jax.random.normal(key)
    return x + policy.act(key)  # JAX401

def main(key):
    return act(Loud(), key)
""",
    "a-union-that-is-written-in-the-old-way": _POLICIES
    + """
def act(policy: "Union[Loud, Other]", key):
    return policy.act(key) + jax.random.normal(key)  # JAX401

def main(key):
    return act(Loud(), key)
""",
    "an-object-or-none": _POLICIES
    + """
def act(policy: Optional[Loud], key):
    if policy is None:
        return jax.random.normal(key)
    return policy.act(key) + jax.random.normal(key)  # JAX401

def main(key):
    return act(Loud(), key)
""",
    "a-field-of-either-class": _POLICIES
    + """
@dataclass
class Agent:
    policy: Loud | Other
    second: Optional[Loud] = None

    def act(self, key):
        return self.policy.act(key) + jax.random.normal(key)  # JAX401

    def act_again(self, key):
        return self.second.act(key) + jax.random.normal(key)  # JAX401

def main(key):
    return Agent(Loud()).act(key)
""",
    "an-attribute-that-is-given-as-either-class": _POLICIES
    + """
class Agent:
    def __init__(self, policy: Loud | Other, name="agent"):
        self.policy = policy
        self.name = name

    def act(self, key):
        x = jax.random.normal(key)
        return x + self.policy.act(key)  # JAX401

def main(key):
    return Agent(Loud()).act(key)
""",
    "one-of-two-classes-draws-nothing": _POLICIES
    + """
def act(policy: Loud | Silent, key):
    x = jax.random.normal(key)
    return x + policy.act(key)  # JAX402

def main(key):
    return globals()["act"](Loud(), key)
""",
    "a-union-with-what-nobody-can-look-up": _POLICIES
    + """
def act(policy: Loud | object, key):
    x = jax.random.normal(key)
    return x + policy.act(key)  # JAX402

def main(key):
    return globals()["act"](Loud(), key)
""",
    "neither-of-two-classes-draws": _POLICIES
    + """
class Still(Silent):
    pass

def act(policy: Silent | Still | None, key):
    return policy.act(key) + jax.random.normal(key)

def main(key):
    return act(Still(), key)
""",
    "a-check-tells-which-class-it-is": _POLICIES
    + """
def act(policy: Loud | Silent, key):
    if isinstance(policy, Silent):
        return policy.act(key) + jax.random.normal(key)
    return policy.act(key)

def main(key):
    return act(Silent(), key)
""",
    "a-check-tells-which-class-it-is-not": _POLICIES
    + """
def act(policy: Loud | Silent, key):
    if not isinstance(policy, Silent):
        return policy.act(key) + jax.random.normal(key)  # JAX401
    return policy.act(key)

def main(key):
    return act(Loud(), key)
""",
    "each-of-two-classes-is-given-a-key-of-its-own": _POLICIES
    + """
def act(policy: Loud | Other, key):
    key, sub = jax.random.split(key)
    return policy.act(sub) + jax.random.normal(key)

def main(key):
    return act(Other(), key)
""",
}

_QUIET = """
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x)

    def decode(self, x, key):
        return x
"""
_NOISY = _QUIET.replace("nn.Dense(2)(x)", "nn.Dense(2)(x) + jax.random.normal(key)")

APPLIED = {
    "apply-of-a-module-that-leaves-its-key-alone": _QUIET
    + """
def main(key):
    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, None)
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, noise) + jax.random.normal(noise)
""",
    "apply-of-a-module-that-draws": _NOISY
    + """
def main(key):
    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, jax.random.key(2))
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, noise) + jax.random.normal(noise)  # JAX402
""",
    "apply-with-the-key-by-name": _NOISY
    + """
def main(key):
    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, jax.random.key(2))
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, key=noise) + jax.random.normal(noise)  # JAX402
""",
    "apply-with-a-key-that-is-among-its-own": _NOISY.replace(
        "return nn", "x = nn.Dropout(0.5)(x, False)\n        return nn"
    )
    + """
def main(key):
    x = jnp.ones((1, 2))
    keys = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
    variables = Net().init(keys, x, jax.random.key(3))
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, noise, rngs={"dropout": noise})
""",
    "apply-of-a-method-by-name": _NOISY
    + """
def main(key):
    noise, other = jax.random.split(key)
    return Net().apply({}, jnp.ones(2), noise, method="decode") + jax.random.normal(noise)
""",
    "apply-of-a-method": _NOISY
    + """
def main(key):
    noise, other = jax.random.split(key)
    return Net().apply({}, jnp.ones(2), noise, method=Net.decode) + jax.random.normal(noise)
""",
    "apply-of-any-module-where-all-leave-their-key-alone": _QUIET
    + """
def predict(net: nn.Module, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)

def main(key):
    x = jnp.ones((1, 2))
    return predict(Net(), Net().init(jax.random.key(1), x, None), x, key)
""",
    "apply-of-any-module-where-one-draws": _NOISY
    + """
def predict(net: nn.Module, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)  # JAX402

def main(key):
    x = jnp.ones((1, 2))
    return predict(Net(), Net().init(jax.random.key(1), x, jax.random.key(2)), x, key)
""",
    "apply-of-what-nobody-knows": _QUIET
    + """
def predict(net, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)

def by_state(state, x, key):
    noise, other = jax.random.split(key)
    return state.apply_fn(state.params, x, noise) + jax.random.normal(noise)

def main(key):
    from flax.training.train_state import TrainState
    import optax

    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, None)
    state = TrainState.create(apply_fn=Net().apply, params=variables, tx=optax.sgd(0.1))
    first, second = jax.random.split(key)
    return predict(Net(), variables, x, first) + by_state(state, x, second)
""",
    "apply-of-what-nobody-knows-where-a-module-draws": _NOISY
    + """
def predict(net, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)  # JAX402

def main(key):
    x = jnp.ones((1, 2))
    return predict(Net(), Net().init(jax.random.key(1), x, jax.random.key(2)), x, key)
""",
}

COLLECTIONS = {
    "a-collection-that-no-module-asks-for": """
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(2)(x))

def predict(net: nn.Module, params, key, x):
    noise, drop = jax.random.split(key)
    out = net.apply(params, x, rngs={"random": noise, "dropout": drop})
    return out + jax.random.normal(noise)

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    params = Net().init(init, x)
    return predict(Net(), params, key, x)
""",
    "parameters-that-there-are-need-no-key": """
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) + jax.random.normal(self.make_rng("noise"))

def predict(net: nn.Module, params, key, x):
    noise, other = jax.random.split(key)
    out = net.apply(params, x, rngs={"params": other, "noise": noise})
    return out + jax.random.normal(other)

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    params = Net().init(init, x)
    return predict(Net(), params, key, x)
""",
    "what-init-draws-beside-parameters-is-thrown-away": """
import flax.linen as nn

def main(key):
    first, second = jax.random.split(key)
    net = nn.Dropout(0.5, deterministic=False)
    params = net.init({"params": first, "dropout": second}, jnp.ones(3))
    return net.apply(params, jnp.ones(3), rngs={"dropout": second})
""",
}

ONE_PASS = {
    "in-the-pass-that-a-loop-asks-for": """
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i == wanted:
            total += jax.random.normal(key)
    return total
""",
    "in-any-other-pass": """
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i != wanted:
            total += jax.random.normal(key)  # JAX403
    return total
""",
    "in-the-pass-after-the-others-go-on": """
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i, x in enumerate([0.0] * count):
        if i != wanted:
            continue
        total += x + jax.random.normal(key)
    return total
""",
    "in-each-pass-if-something-else-is-so": """
def main(key, count=4, wanted=2, mode=2):
    total = jnp.zeros(())
    for i in range(count):
        if mode == wanted:
            total += jax.random.normal(key)  # JAX403
    return total
""",
    "in-one-pass-and-in-another": """
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i == wanted:
            total += jax.random.normal(key)  # JAX403
        if i == 0:
            total += jax.random.uniform(key)
    return total
""",
}

HANDED_BACK = {
    "a-state-with-the-key-that-was-split": """
@jax.jit
def step(state, x):
    total, key = state
    a, b = jax.random.split(key)
    return (total + jax.random.normal(a), key), x * jax.random.normal(b)  # JAX403

def main(key):
    state = (0.0, key)
    for x in (1.0, 2.0, 3.0):
        state, _ = step(state, x)
    return state
""",
    "the-driver-and-what-it-calls-pass-it-on": """
def step(state):
    key, sub = jax.random.split(state["key"])
    return {"total": state["total"] + jax.random.normal(sub), "key": state["key"]}  # JAX403

def twice(state):
    return step(state)

def main(key):
    state = {"total": 0.0, "key": key}
    for _ in range(3):
        state = twice(state)
    return state
""",
    "a-key-made-there": """
def start(seed):
    key = jax.random.key(seed)
    return (
        jax.random.normal(key),
        key,  # JAX401
    )

def main(key):
    x, key = start(3)
    return x + jax.random.uniform(key)
""",
    "on-one-path": """
def maybe(key, x):
    if x is None:
        return jax.random.normal(key), key  # JAX401
    return x, key

def main(key):
    x, key = maybe(key, None)
    return x + jax.random.uniform(key)
""",
    "the-caller-goes-on-with-its-own": """
def draw(key):
    return jax.random.normal(key), key

def main(key):
    x, _ = draw(key)
    return x + jax.random.uniform(key)  # JAX401
""",
    "the-caller-spent-it-before": """
def same(key):
    return key

def main(key):
    x = jax.random.normal(key)
    key = same(key)
    return x + jax.random.uniform(key)  # JAX401
""",
    "a-carry-that-is-drawn-from-in-the-body": """
def main(key):
    def body(carry, _):
        x, key = carry
        x = x + jax.random.normal(key)  # JAX403
        return (x, key), None
    return jax.lax.scan(body, (0.0, key), None, 3)
""",
    "a-new-key": """
@jax.jit
def step(state, x):
    total, key = state
    key, sub = jax.random.split(key)
    return (total + jax.random.normal(sub), key), x

def main(key):
    state = (0.0, key)
    for x in (1.0, 2.0):
        state, _ = step(state, x)
    return state[0] + jax.random.normal(state[1])
""",
    "nobody-uses-it": """
def draw(key):
    return jax.random.normal(key), key

def main(key):
    a, b = jax.random.split(key)
    x, _ = draw(a)
    y, last = draw(b)
    return x + y, last
""",
    "folded-into-before-the-next-use": """
def draw(key, step):
    return jax.random.normal(jax.random.fold_in(key, step)), key

def main(key):
    x, key = draw(key, 0)
    y, key = draw(key, 1)
    return x + y
""",
}

JUDGED = {
    f"{group}/{name}": PRELUDE + source
    for group, programs in {
        "straight": STRAIGHT,
        "branches": BRANCHES,
        "loops": LOOPS,
        "traced-loops": TRACED_LOOPS,
        "calls": CALLS,
        "containers": CONTAINERS,
        "objects": OBJECTS,
        "unseen": UNSEEN,
        "folded": FOLDED,
        "left-behind": LEFT_BEHIND,
        "closures": CLOSURES,
        "computed": COMPUTED,
        "carried": CARRIED,
        "late": LATE,
        "ignored": IGNORED,
        "one-of": ONE_OF,
        "declared": DECLARED,
        "applied": APPLIED,
        "collections": COLLECTIONS,
        "one-pass": ONE_PASS,
        "handed-back": HANDED_BACK,
    }.items()
    for name, source in programs.items()
}

# Here `main` returns pairs of numbers or keys: equal ones if a line is marked, different ones if none is.
BLIND = {
    "folds-from-the-last-child-on": """
def main(key):
    a, b, c = jax.random.split(key, 3)
    return [(c, jax.random.fold_in(key, i)) for i in range(2, 3)]  # JAX404
""",
    "folds-moved-not-far-enough": """
def main(key):
    a, b, c = jax.random.split(key, 3)
    return [(c, jax.random.fold_in(key, i + 2)) for i in range(1)]  # JAX404
""",
    "folds-of-a-number-s-hash": """
def main(key):
    a, b = jax.random.split(key)
    return [(b, jax.random.fold_in(key, hash(i))) for i in range(1, 2)]  # JAX404
""",
    "folds-moved-down": """
def main(key):
    a, b = jax.random.split(key)
    return [(b, jax.random.fold_in(key, i + -1)) for i in range(2, 3)]  # JAX404
""",
    "folds-that-count-down": """
def main(key):
    a, b = jax.random.split(key)
    return [(b, jax.random.fold_in(key, i)) for i in range(1, 0, -1)]  # JAX404
""",
    "the-collection-that-a-module-asks-for": """
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) + jax.random.normal(self.make_rng("noise"))

def predict(net: nn.Module, params, key, x):
    first = net.apply(params, x, rngs={"noise": key})
    return first, net.apply(params, x, rngs={"noise": key})  # JAX402

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    return [predict(Net(), Net().init(init, x), key, x)]
""",
    "params-stands-in-for-what-is-not-given": """
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) + jax.random.normal(self.make_rng("noise"))

def predict(net: nn.Module, params, key, x):
    first = net.apply(params, x, rngs={"params": key})
    return first, net.apply(params, x, rngs={"params": key})  # JAX402

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    return [predict(Net(), Net().init(init, x), key, x)]
""",
    "in-one-pass-of-traced-branches": """
def make(noise, wanted):
    def run(x, i, key):
        return jax.lax.cond((x > -100.0) & (i == wanted), lambda x: x + noise(key), lambda x: x, x)

    return run

def main(key, count=4):
    first, second = make(jax.random.normal, 0), make(jax.random.uniform, 3)
    a, b = jax.random.split(key)
    xs = [jnp.zeros(())]
    for i in range(count):
        xs.append(second(first(xs[-1], i, a), i, b))
    return [(xs[1], xs[4])]
""",
    "in-one-pass-of-a-scan": """
def main(key):
    def step(total, i):
        return jax.lax.cond(i == 2, lambda x: x + jax.random.normal(key), lambda x: x, total), total

    totals = jax.lax.scan(step, jnp.zeros(()), jnp.arange(4))[1]
    return [(totals[0], totals[3])]
""",
    "in-each-pass-of-a-scan": """
def main(key):
    def step(total, i):
        return total, jax.lax.cond(i < 3, lambda x: x + jax.random.normal(key), lambda x: x, total)  # JAX403

    noise = jax.lax.scan(step, jnp.zeros(()), jnp.arange(3))[1]
    return [(noise[0], noise[1])]
""",
    "same-fold-twice": """
def main(key):
    a = jax.random.normal(jax.random.fold_in(key, 3))
    b = jax.random.normal(jax.random.fold_in(key, 3))  # JAX401
    return [(a, b)]
""",
    "same-fold-twice-in-a-helper": """
def at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))

def main(key, step=3):
    return [(at(key, step), at(key, step))]  # JAX401
""",
    "same-fold-twice-in-a-jitted-helper": """
@jax.jit
def jitter(i, x, key):
    return x + jax.random.normal(jax.random.fold_in(key, i), x.shape)

def main(key):
    return [(jitter(0, jnp.ones(3), key), jitter(0, jnp.ones(3), key))]  # JAX401
""",
    "split-and-fold": """
def main(key):
    first, second = jax.random.split(key)
    return [(second, jax.random.fold_in(key, 1))]  # JAX404
""",
    "legacy-key": """
def main(key):
    key = jax.random.PRNGKey(0)
    a = jax.random.normal(key)
    return [(a, jax.random.normal(key))]  # JAX401
""",
    "legacy-split-twice": """
def main(key):
    key = jax.random.PRNGKey(0)
    a, b = jax.random.split(key)
    c, d = jax.random.split(key)  # JAX401
    return [(a, c), (b, d)]
""",
    "fold-far-from-children": """
def main(key):
    first, second = jax.random.split(key)
    far = jax.random.fold_in(key, 100)
    return [(first, far), (second, far)]
""",
    "fold-into-a-child": """
def main(key):
    first, parent = jax.random.split(key)
    return [(first, jax.random.fold_in(parent, 0)), (parent, jax.random.fold_in(parent, 1))]
""",
    "not-keys": """
import random

import numpy as np

def main(key):
    rng = np.random.default_rng(0)
    state = random.Random(0)
    items = [1, 2, 3, 4]
    alpha = 0.3
    pairs = [(rng.normal(), rng.normal()), (np.random.beta(alpha, alpha), np.random.beta(alpha, alpha))]
    picked = random.choice(items), random.choice(items)
    return [*pairs, (state.random(), state.random())] if picked else []
""",
    "shapes-only": """
def main(key, callee):
    def first_step(key):
        params = callee.init(key)
        return callee.step(params, key) + jax.random.normal(key)

    shape = jax.eval_shape(first_step, key).shape
    a, b = jax.random.split(key)
    return [(jax.random.normal(a, shape), jax.random.normal(b, shape))]
""",
    "streams": """
import flax.nnx as nnx
import haiku as hk

def main(key):
    rngs = nnx.Rngs(0)
    sequence = hk.PRNGSequence(0)
    a = jax.random.normal(rngs.dropout()), jax.random.normal(rngs.dropout())
    return [a, (jax.random.normal(next(sequence)), jax.random.normal(next(sequence)))]
""",
    "streams-that-draw": """
import flax.nnx as nnx

def main(key):
    rngs = nnx.Rngs(0)
    x, y = rngs.normal((3,)), rngs.uniform((3,))
    return [(x, 2 * (x - y) ** 2 + jnp.sort(x))]
""",
}


UNJUDGED = {f"blind/{name}": PRELUDE + source for name, source in BLIND.items()}


def expected(source: str) -> set[tuple[int, str]]:
    return {(n, mark[1]) for n, line in enumerate(source.splitlines(), 1) if (mark := re.search(r"# (JAX\d+)$", line))}


class Callee:
    """Draws from each key among its arguments, under whatever name it is called."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return sum(jax.random.normal(leaf) for leaf in jax.tree.leaves((args, options)) if is_key(leaf))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self

    def next(self, key: jax.Array) -> jax.Array:
        return jax.random.split(key)[0]


def is_key(leaf: object) -> bool:
    return isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Runs a program as a module of its own and calls its ``main``."""

    def call_main(source: str) -> Any:
        module = ModuleType("program")
        monkeypatch.setitem(sys.modules, "program", module)
        exec(compile(source, "program.py", "exec"), vars(module))
        wanted = len([p for p in inspect.signature(module.main).parameters.values() if p.default is p.empty])
        return jax.block_until_ready(module.main(*[jax.random.key(0), Callee()][:wanted]))

    return call_main


@pytest.mark.parametrize("name", JUDGED)
def test_jax_agrees_with_the_marks(name: str, run: Callable[[str], Any]) -> None:
    with jax.debug_key_reuse(True):
        if expected(JUDGED[name]):
            with pytest.raises(jax.errors.KeyReuseError):
                run(JUDGED[name])
        else:
            run(JUDGED[name])


@pytest.mark.parametrize("name", UNJUDGED)
def test_equal_draws_prove_the_marks(name: str, run: Callable[[str], Any]) -> None:
    for pair in run(UNJUDGED[name]):
        left, right = (np.asarray(jax.random.key_data(x) if is_key(x) else x) for x in pair)
        assert np.array_equal(left, right) == bool(expected(UNJUDGED[name]))


@pytest.mark.parametrize("name", [*JUDGED, *UNJUDGED])
def test_jaxlint_reports_exactly_the_marked_lines(name: str) -> None:
    source = (JUDGED | UNJUDGED)[name]
    assert {(finding.location.line, finding.code) for finding in lint_source(source)} == expected(source)
