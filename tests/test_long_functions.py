"""What stands late in a function is looked at like what stands early: nothing is used up on the way there."""

from __future__ import annotations

import pytest

from jaxlint import api

HARMLESS = "    n = 1\n" * 400

BRANCH = """\
import jax


def sign(x):
    if x > 0:
        return x
    return -x


@jax.jit
def f(x):
{harmless}    return sign(x)
"""

TWICE = """\
import jax


def draw(key):
    return jax.random.normal(key)


def main(seed):
    key = jax.random.key(seed)
{harmless}    first = draw(key)
    return first + draw(key)
"""

PROPERTY = """\
import jax


class Model:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    @property
    def noise(self):
        return jax.random.normal(self.key)


def main(seed):
    model = Model(seed)
{harmless}    return model.noise + model.noise
"""

RETURNED = """\
import jax


def maker(scale):
    def inner(x):
        if x > scale:
            return x
        return -x

    return inner


def main(x):
{harmless}    return jax.jit(maker(2.0))(x)
"""


SCRIPT = """import jax
import jax.numpy as jnp


def made(n):
{harmless}    return n


key = jax.random.key(made(3))
keys = jnp.stack([key, *jax.random.split(key, 4)])
{between}keys = jnp.stack([key])
print(jax.vmap(jax.random.normal)(keys))
"""


def test_what_a_script_drops_is_seen_beside_long_functions() -> None:
    read = SCRIPT.format(harmless=HARMLESS, between="print(jax.vmap(jax.random.normal)(keys))\n")
    dropped = SCRIPT.format(harmless=HARMLESS, between="")
    assert [finding.code for finding in api.lint_source(read)] == ["JAX401"]
    assert api.lint_source(dropped) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [(BRANCH, "JAX201"), (TWICE, "JAX401"), (PROPERTY, "JAX401"), (RETURNED, "JAX201")],
    ids=["a call", "a key", "a property", "a function that is made"],
)
def test_what_stands_late_is_found(text: str, code: str) -> None:
    early, late = text.format(harmless=""), text.format(harmless=HARMLESS)
    for program in (early, late):
        assert [finding.code for finding in api.lint_source(program)] == [code]
