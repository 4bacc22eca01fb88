"""A short fixed part of what fuzz.py does at length."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from fuzz import Failure, files_below, input_number, run, run_apart
from generated_programs import random_program
from half_typed import HALF_TYPED
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.api import lint_source


@pytest.mark.parametrize("seed", [1, 2])
def test_damaged_files_and_generated_programs_are_linted_without_a_crash(seed: int, tmp_path: Path) -> None:
    failures = [f"input {failure.number}: {failure.why}" for failure in run(range(100), seed, tmp_path)]
    assert not failures, "\n".join(failures)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(random=st.randoms(use_true_random=False))
def test_no_small_program_crashes_the_linter(random: Random) -> None:
    lint_source(random_program(random, statements=10))


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=st.text(alphabet="x=1:\n\t ()[]{}\\'\"#@,.*ifelsdrtunlamb\r\x0c\x00é\ud800"))
def test_no_text_crashes_the_linter(text: str) -> None:
    lint_source(text)


CODE = """\
import jax
from jax import lax


@jax.jit
def step(carry, x):
    return carry + x, jax.vmap(lambda y: y * 2)(x)


def train(xs):
    if xs.ndim > 1:
        return lax.scan(step, 0.0, xs)
    return [x for x in xs]
"""


@pytest.mark.parametrize("change", HALF_TYPED, ids=lambda change: change.__name__)
def test_half_typed_code_is_linted_without_a_crash(change: Callable[[str, Random], str], tmp_path: Path) -> None:
    texts = [change(CODE, Random(number)) for number in range(8)]
    assert any(text != CODE for text in texts)
    for text in texts:
        assert not [finding for finding in lint_source(text) if "broke off" in finding.message], text
    for odd in ("", "\n", "def f(:\n", "é = f(x)\r\ny = g(é)"):
        for number in range(4):
            change(odd, Random(number))


def test_code_of_ones_own_can_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text(CODE)
    (tmp_path / "code" / "b.py").write_bytes(b"x = '\xff'\n")
    files = files_below([tmp_path])
    assert input_number(3, 0, files) == input_number(3, 0, files)
    assert [*run_apart(range(6), 0, files, tmp_path)] == []


def test_what_hangs_is_reported_and_the_next_is_linted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lint(paths: list[Path]) -> list[object]:
        while b"first" in paths[0].read_bytes():
            pass
        return []

    monkeypatch.setattr("fuzz.TIME_LIMIT_S", 1)
    monkeypatch.setattr("fuzz.lint_paths", lint)
    monkeypatch.setattr("fuzz.input_number", lambda number, seed, files: (b"first", b"second")[number])
    (failure,) = run_apart(range(2), 0, [], tmp_path)
    assert isinstance(failure, Failure)
    assert (failure.number, failure.data, "took longer" in failure.why) == (0, b"first", True)


def test_an_input_is_reproduced_by_its_number() -> None:
    assert input_number(7, seed=0) == input_number(7, seed=0) != input_number(9, seed=0)
