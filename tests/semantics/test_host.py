"""The table of host effects: which names have one, and that the names exist."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from jaxlint.semantics import host
from jaxlint.semantics.host import HOST_EFFECTS, effect_of
from tests.semantics.examples import resolve


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("print", "print"),
        ("time.time", "time"),
        ("datetime.datetime.now", "time"),
        ("random.random", "random"),
        ("numpy.random.normal", "random"),
        ("os.environ.get", "env"),
        ("subprocess.run", "process"),
        ("wandb.log", "experiment-logger"),
    ],
)
def test_effects_are_found_by_name_or_by_module(name: str, category: str) -> None:
    effect = effect_of(name)
    assert effect is not None
    assert effect.category == category


@pytest.mark.parametrize(
    "name", ["numpy.sum", "math.sqrt", "jax.random.normal", "randomize.now", "subprocess.list2cmdline"]
)
def test_other_names_have_none(name: str) -> None:
    assert effect_of(name) is None


def test_generators_with_a_constant_seed_are_told_apart() -> None:
    assert effect_of("numpy.random.default_rng") is not effect_of("numpy.random.rand")
    assert {name for name in HOST_EFFECTS if HOST_EFFECTS[name].seeded} >= host.NUMPY_GENERATORS
    assert np.random.default_rng(0).normal() == np.random.default_rng(0).normal()


@pytest.mark.parametrize("name", [name for name in HOST_EFFECTS if not name.endswith("*")])
def test_names_exist_where_their_package_is_installed(name: str) -> None:
    package = name.split(".")[0]
    if "." not in name or importlib.util.find_spec(package) is None:
        return
    assert resolve(name) is not None


def test_methods_of_numpy_generators_exist() -> None:
    methods = set(dir(np.random.default_rng(0))) | set(dir(np.random.RandomState(0)))
    assert methods >= host.NUMPY_RANDOM_METHODS
    draws = {name for name in dir(np.random.default_rng(0)) if not name.startswith("_")} - {"bit_generator"}
    assert draws <= host.NUMPY_RANDOM_METHODS
