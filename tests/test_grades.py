"""What is right and mostly meant is only possible: the certainty of findings by what the code around them is for.

Marks say which finding stands on a line and how sure it is; what is not marked is not reported at all.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxlint.api import lint_paths
from jaxlint.findings import Certainty
from jaxlint.settings import Settings

REUSE = """\
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 {}
"""

IN_TESTS = {
    "a module of tests": {"test_noise.py": REUSE.format("possible")},
    "a module of tests by the other name": {"noise_test.py": REUSE.format("possible")},
    "fixtures": {"conftest.py": REUSE.format("possible")},
    "a helper among tests": {"pyproject.toml": "", "pkg/tests/helpers/noise.py": REUSE.format("possible")},
    "a folder of tests that is no program of its own": {"tests/noise.py": REUSE.format("possible")},
    "a module about tests": {"pyproject.toml": "", "testing/latest.py": REUSE.format("certain")},
    "a program in a folder called tests": {"tests/pyproject.toml": "", "tests/noise.py": REUSE.format("certain")},
    "code that tests call": {
        "pyproject.toml": "",
        "noise.py": REUSE.format("certain"),
        "tests/test_noise.py": """
import jax

from noise import pair


def test_pair():
    pair(jax.random.key(0))
""",
    },
    "a test beside what it tests": {
        "noise.py": """
import jax


def test_same_key_same_numbers():
    key = jax.random.key(0)
    assert jax.random.normal(key) == jax.random.normal(key)  # JAX401 possible
"""
    },
    "a test case beside what it tests": {
        "noise.py": """
import unittest

import jax


class NoiseTest(unittest.TestCase):
    def test_same_key_same_numbers(self):
        key = jax.random.key(0)
        self.assertEqual(jax.random.normal(key), jax.random.normal(key))  # JAX401 possible
"""
    },
    "the test step of training": {
        "train.py": """
import jax


def test_step(params, key):
    noise = jax.random.normal(key)
    return params + noise, jax.random.uniform(key)  # JAX401 certain


class Trainer:
    def test(self, key):
        noise = jax.random.normal(key)
        return noise, jax.random.uniform(key)  # JAX401 certain
"""
    },
    "every rule of equal keys": {
        "test_keys.py": """
import jax


def twice(env, seed):
    key = jax.random.key(seed)
    state = env.reset(key)
    return state, env.reset(key)  # JAX402 possible


def passes(key):
    return [jax.random.normal(key) for _ in range(3)]  # JAX403 possible


def split_and_fold(key):
    first, second = jax.random.split(key)
    return first, second, jax.random.fold_in(key, 1)  # JAX404 possible


@jax.jit
def constant(x):
    key = jax.random.key(0)  # JAX406 possible
    return x + jax.random.normal(key)
"""
    },
}

PROGRAMS = IN_TESTS
_MARK = re.compile(r"# (JAX\d{3}) (possible|likely|certain)$")


@pytest.mark.parametrize("name", PROGRAMS)
def test_certainty(name: str, tmp_path: Path) -> None:
    expected = set()
    for path, text in PROGRAMS[name].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
        for number, line in enumerate(text.splitlines(), 1):
            if mark := _MARK.search(line):
                expected.add((path, number, mark[1], mark[2]))
    found = lint_paths([tmp_path], Settings(certainty=Certainty.POSSIBLE))
    places = {(str(Path(f.path).relative_to(tmp_path)), f.location.line, f.code, f.certainty.label) for f in found}
    assert places == expected
