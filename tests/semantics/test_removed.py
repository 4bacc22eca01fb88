"""The table of removed names against the installed jax and its own lists of deprecations."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics import removed as table
from jaxlint.semantics.removed import Removed, RemovedArgument, happened, is_gone, version_key, warns
from tests.semantics.examples import INSTALLED, resolve

ENTRIES = {**table.NAMES, **table.MODULES}
# Modules that are as private as jax._src, or need an accelerator to import.
NOT_PUBLIC = ("jax._src", "jax.experimental.jax2tf", "jax.experimental.mosaic", "jax.experimental.pallas.ops")


def exists(name: str) -> bool:
    """Whether the name can be had, without a word about warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            resolve(name)
        except AttributeError:
            return False
    return True


@pytest.mark.parametrize("entry", [entry for name, entry in ENTRIES.items() if name not in table.IMPORT_ONLY], ids=str)
def test_removed_names_are_gone_and_the_others_are_there(entry: Removed) -> None:
    if is_gone(entry, INSTALLED):
        assert not exists(entry.name)
    elif entry.removed is None or happened(entry.deprecated, INSTALLED) or happened(entry.returned, INSTALLED):
        assert exists(entry.name)


@pytest.mark.parametrize("name", sorted(table.IMPORT_ONLY))
def test_import_only_names_are_attributes_and_no_modules(name: str) -> None:
    assert exists(name)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(name)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=str)
def test_a_name_is_deprecated_before_it_is_removed(entry: Removed) -> None:
    assert entry.deprecated or entry.removed
    if entry.deprecated and entry.removed:
        assert version_key(entry.deprecated) < version_key(entry.removed)
    if entry.returned:
        assert version_key(entry.removed or "") < version_key(entry.returned)


def own_deprecations() -> Iterator[tuple[str, bool]]:
    """Each name that jax's modules list as deprecated, and whether they say that it is gone."""
    names = ["jax", *(module.name for module in pkgutil.walk_packages(jax.__path__, "jax."))]
    for name in names:
        if name.startswith(NOT_PUBLIC):
            continue
        try:
            module = importlib.import_module(name)
        except Exception:
            continue  # An optional dependency is missing.
        for attribute, (_, replacement) in getattr(module, "_deprecations", {}).items():
            yield f"{name}.{attribute}", replacement is None


def test_every_deprecation_that_jax_lists_is_in_the_table() -> None:
    listed = dict(own_deprecations())
    assert {"jax.experimental.pjit.pjit", "jax.core.pytype_aval_mappings"} <= set(listed)
    assert set(listed) - set(table.NAMES) == set()
    for name, gone in listed.items():
        assert warns(table.NAMES[name], INSTALLED), name
        assert is_gone(table.NAMES[name], INSTALLED) == gone, name


def outside_of_a_kernel(path: str, *arguments: object) -> Callable[..., None]:
    """A call of what only runs in a kernel; what it says of its arguments comes before that."""

    def call(**options: Any) -> None:
        with contextlib.suppress(NotImplementedError, TypeError):
            resolve(path)(*arguments, **options)

    return call


X = jnp.array([1.0, 2.0])
CALLS: dict[str, Callable[..., Any]] = {
    "jax.jit": lambda **options: jax.jit(*() if "fun" in options else (jnp.sin,), **options),
    "jax.make_jaxpr": lambda **options: jax.make_jaxpr(jnp.sin, **options),
    "jax.ShapeDtypeStruct": lambda **options: jax.ShapeDtypeStruct((1,), "float32", **options),
    "jax.checkpoint": lambda **options: jax.checkpoint(jnp.sin, **options),
    "jax.remat": lambda **options: jax.remat(jnp.sin, **options),
    "jax.ffi.ffi_call": lambda **options: jax.ffi.ffi_call("target", X, **options),
    "jax.numpy.clip": lambda **options: jnp.clip(*() if "a" in options else (X,), **options),
    "jax.numpy.reshape": lambda **options: jnp.reshape(X, **options),
    "jax.numpy.sort": lambda **options: jnp.sort(X, **options),
    "jax.numpy.argsort": lambda **options: jnp.argsort(X, **options),
    "jax.numpy.where": lambda **options: jnp.where(**options),
    "jax.nn.softmax": lambda **options: jax.nn.softmax(X, **options),
    "jax.nn.log_softmax": lambda **options: jax.nn.log_softmax(X, **options),
    "jax.make_mesh": lambda **options: jax.make_mesh(axis_names=("a",), **options),
    "jax.experimental.pallas.mosaic_gpu.kernel": lambda **options: resolve("jax.experimental.pallas.mosaic_gpu.kernel")(
        jnp.sin, **options
    ),
}
CALLS |= {
    f"jax.experimental.pallas.{name}": outside_of_a_kernel(f"jax.experimental.pallas.{name}", *arguments)
    for name, *arguments in (
        ("semaphore_signal", X),
        ("tpu.async_remote_copy", X, X, X, X, 0),
        ("tpu.make_async_remote_copy", X, X, X, X, 0),
        ("mosaic_gpu.remote_ref", X, 0),
    )
}
CALLS |= {
    f"jax.numpy.{name}": lambda name=name, **options: getattr(jnp, name)(X, 0.5, **options)
    for name in ("percentile", "quantile", "nanpercentile", "nanquantile")
}
VALUES = {"device": jax.devices()[0], "backend": "cpu", "fun": jnp.sin, "newshape": (2, 1), "kind": "stable", "a": X}
ARGUMENTS = [argument for arguments in table.ARGUMENTS.values() for argument in arguments]


@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda argument: f"{argument.function}-{argument.keyword}")
def test_removed_arguments_are_refused_and_deprecated_ones_warn(argument: RemovedArgument) -> None:
    if argument.function == "jax.pure_callback":
        # It hands unknown keywords to the callback, so the error comes when that runs.
        assert "vectorized" not in inspect.signature(jax.pure_callback).parameters
        return

    def call() -> object:
        return CALLS[argument.function](**{argument.keyword: VALUES.get(argument.keyword, 1.0)})

    if happened(argument.removed, INSTALLED):
        with pytest.raises((TypeError, NotImplementedError)) as raised:
            call()
        assert raised.type.__name__ == argument.error(INSTALLED)
    elif happened(argument.deprecated, INSTALLED):
        with pytest.warns(DeprecationWarning, match="deprecated"):
            call()


@pytest.mark.parametrize("name", table.ARRAY_ATTRIBUTES)
def test_removed_attributes_of_arrays_are_gone(name: str) -> None:
    assert not hasattr(X, name)


def test_versions_compare_by_number_and_not_by_text() -> None:
    assert version_key("0.4.9") < version_key("0.4.30") < version_key("0.5") < version_key("0.10.0.dev1")
    assert happened("0.6.0", (0, 6))
    assert not happened("0.6.1", (0, 6))
    assert not happened(None, (0, 6))
