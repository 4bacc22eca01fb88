"""What jaxprs tell: hidden state, captured arrays, values nobody uses, platforms that lack a rule."""

from __future__ import annotations

from typing import Any

import jax

from jaxlint.dynamic import oracle
from jaxlint.dynamic.observations import Kind


def array(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, "float32")


PROGRAM = """
import jax
import jax.numpy as jnp
import jax.scipy
import numpy as np

LARGE = np.ones((600, 600))
RNG = np.random.default_rng(0)


def number(x):
    noise = RNG.normal()
    return x + noise


def inside(x):
    def body(carry, item):
        return carry + item * RNG.normal(), item
    return jax.lax.scan(body, 0.0, x)


def constant(x):
    noise = RNG.normal(size=3)
    return x + noise


def large(x):
    return x + (LARGE @ jnp.ones(600)).sum()


def unused(x):
    x.at[0].set(1.0)
    y = jnp.sin(x)
    x.sort()
    return x


def lowered(x):
    jax.debug.print("x is {}", x)
    jax.pure_callback(lambda y: y, x, x)
    return jax.scipy.linalg.schur(jnp.outer(x, x))[0]


def clean(x):
    f = jax.jit(lambda v: jnp.tanh(v) + v.at[0].set(1.0))
    return jax.nn.relu(f(x)), jax.grad(lambda v: f(v).sum())(x)
"""


def test_two_traces_that_differ(program: Any) -> None:
    it = program(PROGRAM)
    for name, line in (("number", "x + noise"), ("inside", "item * RNG.normal()"), ("constant", "x + noise")):
        [seen] = it.trace(name, array(3)).observations
        text = it.text.splitlines()[seen.at.line - 1]
        assert (seen.kind, line in text, len(seen.equations)) == (Kind.STATE, True, 2)


def test_a_captured_array(program: Any) -> None:
    it = program(PROGRAM)
    [seen] = it.trace("large", array(3)).observations
    assert (seen.kind, seen.at.line) == (Kind.CONSTANT, it.at("LARGE @").line)
    assert seen.aval.endswith("[600,600]")


def test_statements_whose_value_is_not_used(program: Any) -> None:
    it = program(PROGRAM)
    seen = {(each.kind, each.at.line) for each in it.trace("unused", array(3)).observations}
    assert seen == {(Kind.DEAD, it.at("x.at[0].set(1.0)\n    y").line), (Kind.DEAD, it.at("x.sort()").line)}


def test_a_platform_without_a_rule(program: Any) -> None:
    it = program(PROGRAM)
    traced = it.trace("lowered", array(3), limits=oracle.Limits(platforms=("cuda", "tpu")))
    seen = [each for each in traced.observations if each.kind is Kind.LOWERING]
    # The callbacks do not lower from here either, but that is no fact about the platform.
    assert all(each.at.line == it.at("return jax.scipy").line for each in seen)
    alone = program("import jax.scipy\n\n\ndef f(x):\n    return jax.scipy.linalg.schur(x)[0]\n")
    limits = oracle.Limits(platforms=("cuda",))
    [seen_alone] = alone.trace("f", array(3, 3), limits=limits).observations
    assert (seen_alone.kind, seen_alone.at.line) == (Kind.LOWERING, 5)


def test_nothing_to_tell(program: Any) -> None:
    traced = program(PROGRAM).trace("clean", array(3), limits=oracle.Limits(platforms=("cuda", "rocm", "tpu")))
    assert (traced.observations, traced.error) == ([], "")
