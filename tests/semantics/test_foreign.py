"""What the tables call foreign is: NumPy or another module has it, and no release of JAX had it there."""

from __future__ import annotations

import contextlib
import importlib
import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.semantics import removed
from jaxlint.semantics.array_members import FIELDS, MEMBERS, NO_METHODS, OTHER_MEMBERS
from jaxlint.semantics.foreign import KEYWORDS, NUMPY_ONLY, OF_OTHERS, ONCE_OF_NUMPY


@pytest.mark.parametrize("name", sorted(NUMPY_ONLY))
def test_only_numpy_has_it(name: str) -> None:
    assert hasattr(np, name) is (name not in ONCE_OF_NUMPY)
    assert not hasattr(jnp, name)
    assert f"jax.numpy.{name}" not in removed.NAMES


@pytest.mark.parametrize(("name", "instead"), sorted(OF_OTHERS.items()))
def test_others_have_it(name: str, instead: str) -> None:
    assert not hasattr(jnp, name)
    assert name not in NUMPY_ONLY
    assert f"jax.numpy.{name}" not in removed.NAMES
    module, _, function = instead.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_fields_are_those_of_the_tuples_that_functions_return() -> None:
    square, row = jnp.eye(2), jnp.ones(2)
    linear = [getattr(jnp.linalg, name)(square) for name in ("eigh", "eig", "qr", "svd", "slogdet")]
    unique = [getattr(jnp, f"unique_{name}")(row) for name in ("all", "counts", "inverse")]
    found = {name for made in (*linear, *unique) for name in dir(made) if not name.startswith("_")}
    assert found == FIELDS


SOME_RELEASES_ONLY = {"aval_mutable_qdd", "cur_qdd", "mutable_qdd", "memory_space", "unsafe_raw_buffer"}


def test_members_are_all_that_arrays_and_tracers_have() -> None:
    found = set(dir(jnp.ones(1))) | set(dir(jax.random.key(0)))
    jax.make_jaxpr(lambda x: found.update(dir(x)) or x)(1.0)
    jax.grad(lambda x: found.update(dir(x)) or x)(1.0)
    public = {name for name in found if not name.startswith("_")}
    assert public <= MEMBERS | OTHER_MEMBERS
    assert public >= OTHER_MEMBERS - SOME_RELEASES_ONLY


def test_no_function_has_the_keywords() -> None:
    modules = (jnp, jnp.linalg, jnp.fft, jax.nn, jax.lax, jax.scipy.special, jax.scipy.linalg, jax.Array)
    functions = [getattr(module, name) for module in modules for name in dir(module) if not name.startswith("_")]
    found = set()
    for function in functions:
        with contextlib.suppress(TypeError, ValueError):
            found.update(inspect.signature(function).parameters)
    assert {"axis", "keepdims"} <= found
    assert KEYWORDS.isdisjoint(found)


@pytest.mark.parametrize("name", sorted(NO_METHODS))
def test_attributes_are_not_called(name: str) -> None:
    with pytest.raises(TypeError, match="not callable"):
        getattr(jnp.ones((2, 3)), name)()
