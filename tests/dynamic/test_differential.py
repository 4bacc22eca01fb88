"""Random programs on which plain JAX, the oracle and the static analysis must agree, and those where they did not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxlint.dynamic import effects
from tests.dynamic.differential import compare, unexcused
from tests.dynamic.generated_programs import program

SEEDS = range(80)
CHUNK = 20
FOUND = sorted((Path(__file__).parent / "disagreements").glob("*.py"))


@pytest.fixture(autouse=True)
def effects_installed() -> Iterator[None]:
    effects.install()
    yield
    effects.uninstall()


@pytest.mark.parametrize("first", SEEDS[::CHUNK])
def test_random_programs(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + CHUNK):
        text = program(seed)
        left = unexcused(compare(text, str(tmp_path), typed_keys=bool(seed % 2)))
        assert not left, f"seed {seed}: {left}\n{text}"


@pytest.mark.parametrize("path", FOUND, ids=[path.stem for path in FOUND])
@pytest.mark.parametrize("typed_keys", [False, True], ids=["raw", "typed"])
def test_programs_that_once_divided(path: Path, typed_keys: bool, tmp_path: Path) -> None:
    assert unexcused(compare(path.read_text(), str(tmp_path), typed_keys)) == []


def test_the_same_seed_gives_the_same_program() -> None:
    assert program(7) == program(7) != program(8)


SILENCED = """
import jax

@jax.jit
def main(x, s, i, params, key, n, flag, opt):
    if s > 0:  # jaxlint: ignore
        return x
    return x
"""


def test_a_disagreement_is_seen(tmp_path: Path) -> None:
    """The comparison is not blind: a finding that a comment hides is missed."""
    assert [one.label for one in unexcused(compare(SILENCED, str(tmp_path)))] == ["static misses bool"]


REUSING = """
import jax

@jax.jit
def main(x, s, i, params, key, n, flag, opt):
    return jax.random.normal(key, (3,)) + jax.random.normal(key, (3,))
"""


def test_jax_itself_judges_keys(tmp_path: Path) -> None:
    assert compare(REUSING, str(tmp_path), typed_keys=True).plain.reuses
