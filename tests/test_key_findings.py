"""What a finding of a key says: which use it is shown with, and what to do with the variable that is the key."""

from __future__ import annotations

import pytest

from jaxlint.api import lint_source
from jaxlint.findings import Finding

PRELUDE = "import jax\n\n"


def only(source: str, line: int) -> Finding:
    found = [finding for finding in lint_source(PRELUDE + source) if finding.location.line == line]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("source", "line", "partner"),
    [
        ("def f(key, g):\n    g(key)\n    a = jax.random.normal(key)\n    return a, jax.random.split(key)\n", 6, 5),
        (
            (
                "def f(key, flag):\n    a = jax.random.normal(key)\n    if flag:\n        a = jax.random.gumbel(key)\n"
                "    return a, jax.random.laplace(key)\n"
            ),
            7,
            4,
        ),
        (
            (
                "def f(key):\n    a = jax.random.normal(key)\n    b = jax.random.gumbel(key)\n"
                "    return a, b, jax.random.laplace(key)\n"
            ),
            6,
            5,
        ),
    ],
    ids=["seen-before-maybe", "certain-before-nearer", "nearest"],
)
def test_the_partner_is_the_nearest_use_that_is_certain(source: str, line: int, partner: int) -> None:
    finding = only(source, line)
    assert finding.code == "JAX401"
    assert finding.related[0].location.line == partner


def test_many_uses_that_may_draw_nothing_hide_no_pair() -> None:
    handed = "".join(f"    g{number}(key)\n" for number in range(12))
    source = f"def f(key, {', '.join(f'g{n}' for n in range(12))}):\n    a = jax.random.normal(key)\n{handed}"
    finding = only(source + "    return a, jax.random.laplace(key)\n", 17)
    assert (finding.code, finding.related[0].location.line) == ("JAX401", 4)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a = jax.random.split(rng)\n    return a, jax.random.split(rng)", "split again by `jax.random.split`"),
        ("a = jax.random.normal(rng)\n    return a, jax.random.split(rng)", "split by `jax.random.split` after"),
        ("a = jax.random.split(rng)\n    return a, jax.random.normal(rng)", "consumed by `jax.random.normal` after"),
        ("a = jax.random.gumbel(rng)\n    return a, jax.random.normal(rng)", "consumed again by `jax.random.normal`"),
    ],
)
def test_the_words_say_what_was_done(body: str, words: str) -> None:
    finding = only(f"def f(rng):\n    {body}\n", 5)
    assert words in finding.message
    assert finding.help is not None
    assert "`rng, subkey = jax.random.split(rng)`" in finding.help


def test_a_loop_says_which_uses_meet() -> None:
    loop = "def f(rng, n):\n    x = 0.0\n    for _ in range(n):\n        rng, unused = jax.random.split(rng)\n"
    finding = only(loop + "        x += jax.random.normal(rng)\n    return x\n", 6)
    assert "`jax.random.split` splits the key that `jax.random.normal` used in the pass before" in finding.message
