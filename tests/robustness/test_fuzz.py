"""A short fixed part of what fuzz.py does at length."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fuzz import input_number, run
from generated_programs import random_program
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


def test_an_input_is_reproduced_by_its_number() -> None:
    assert input_number(7, seed=0) == input_number(7, seed=0) != input_number(9, seed=0)
