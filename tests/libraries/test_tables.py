"""Every name, keyword and position in the library tables is one that the installed library really has.

A library that is not installed is skipped: its table rests on the documentation alone.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from typing import Any

import jax
import pytest

from jaxlint.flow.models.outside import externals
from jaxlint.semantics.arrays import OF_FLAX
from jaxlint.semantics.known import WITH_CODE_OF_THEIR_OWN
from jaxlint.semantics.libraries import KEY_METHODS, LIBRARIES, WRAPPERS
from jaxlint.semantics.model import Library

# What a factory returns: `hk.transform(f).init` is looked up on the class of the object.
PRODUCTS = {
    "haiku.transform": "haiku.Transformed",
    "haiku.transform_with_state": "haiku.TransformedWithState",
    "haiku.multi_transform": "haiku.MultiTransformed",
    "haiku.multi_transform_with_state": "haiku.MultiTransformedWithState",
    "haiku.without_apply_rng": "haiku.Transformed",
    "blackjax.window_adaptation": "blackjax.base.AdaptationAlgorithm",
}
# The streams of an Rngs are attributes that come into being when they are named.
MADE_ON_DEMAND = "flax.nnx.Rngs."


def installed(library: Library) -> bool:
    return importlib.util.find_spec(library.name) is not None


def resolve(name: str) -> Any:
    """Return the object a qualified name stands for; AttributeError where there is none."""
    path, *rest = name.split(".")
    found: Any = importlib.import_module(path)
    for part in rest:
        path = f"{path}.{part}"
        # An attribute wins over a submodule of the same name, as it does for the code that is linted.
        found = getattr(found, part) if hasattr(found, part) else submodule(path)
    return found


def submodule(path: str) -> Any:
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        raise AttributeError(path) from None


def parameters(name: str) -> list[inspect.Parameter]:
    """The parameters a caller passes: those of the constructor for a class, without `self` for a method."""
    found = resolve(name)
    signature = list(inspect.signature(found).parameters.values())
    return signature[1:] if signature and signature[0].name == "self" else signature


def accepts(name: str, position: int | None, keyword: str) -> bool:
    """Whether the callable has a parameter of that keyword (at that position), or swallows any keyword."""
    accepted = parameters(name)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted) and (
        keyword not in {parameter.name for parameter in accepted}
    ):
        return True
    names = [parameter.name for parameter in accepted]
    return keyword in names and (position is None or names.index(keyword) == position)


def of_installed(field: str) -> Iterator[Any]:
    for library in LIBRARIES:
        if installed(library):
            for name in sorted(getattr(library, field)):
                yield pytest.param(name, getattr(library, field), id=name)


def exists(name: str) -> bool:
    try:
        resolve(name)
    except AttributeError:
        return False
    return True


NAME_FIELDS = (
    "array_results callbacks fresh_keys higher_order implicit_rng key_uses module_bases mutable_modules never_keys "
    "pure_results pytree_bases pytree_decorators static_fields static_results streams wrappers"
)


@pytest.mark.parametrize("field", NAME_FIELDS.split())
def test_names_exist(field: str) -> None:
    names = [param.values[0] for param in of_installed(field)]
    missing = [name for name in names if not exists(name) and not name.startswith(MADE_ON_DEMAND)]
    assert [name for name in missing if not is_of_a_product(name)] == []


def is_of_a_product(name: str) -> bool:
    """Whether a name is a method of what a factory returns, which has no class that could be looked at."""
    owner = name.rpartition(".")[0]
    return exists(owner) and callable(resolve(owner)) and not inspect.isclass(resolve(owner))


def methods_of_classes() -> Iterator[Any]:
    """The methods that can be looked up; where a function picks the class (`dist.Bernoulli`), none can."""
    for param in of_installed("key_methods"):
        owner = param.values[0].rpartition(".")[0]
        if inspect.isclass(resolve(PRODUCTS.get(owner, owner))):
            yield param


@pytest.mark.parametrize(("name", "table"), of_installed("wrappers"))
def test_wrappers_take_their_arguments(name: str, table: Any) -> None:
    wrapper = table[name]
    assert accepts(name, *wrapper.function)
    for keyword in (wrapper.static_nums, wrapper.static_names, wrapper.in_axes, wrapper.argnums):
        assert keyword is None or accepts(name, None, keyword)
    for index, option in enumerate(wrapper.options, wrapper.function[0] + 1):
        assert accepts(name, index, option)


@pytest.mark.parametrize(("name", "table"), of_installed("named_tuples"))
def test_named_tuples_have_these_fields(name: str, table: Any) -> None:
    assert resolve(name)._fields == table[name]


@pytest.mark.parametrize(("name", "table"), of_installed("made_pure"))
def test_what_is_made_pure_is_applied_to_these_first(name: str, table: Any) -> None:
    parameters = inspect.signature(resolve(name)(lambda *args: args).apply).parameters.values()
    assert tuple(one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD) == table[name]


@pytest.mark.parametrize(("name", "table"), of_installed("higher_order"))
def test_higher_order_functions_take_their_callables(name: str, table: Any) -> None:
    for position, keyword in table[name].callables:
        assert accepts(name, position, keyword)


@pytest.mark.parametrize(("name", "table"), of_installed("key_uses"))
def test_keys_are_where_the_table_says(name: str, table: Any) -> None:
    for position, keyword in table[name].arguments:
        assert accepts(name, position, keyword)


@pytest.mark.parametrize(("name", "table"), methods_of_classes())
def test_methods_take_keys_where_the_table_says(name: str, table: Any) -> None:
    owner, _, method = name.rpartition(".")
    path = f"{PRODUCTS.get(owner, owner)}.{method}"
    # A field of a named tuple holds the function: it exists and has no signature of its own.
    assert hasattr(resolve(PRODUCTS.get(owner, owner)), method)
    if inspect.isfunction(resolve(path)):
        for position, keyword in table[name].arguments:
            assert accepts(path, position, keyword)


def test_aliases_reach_the_merged_tables() -> None:
    assert WRAPPERS["flax.linen.transforms.jit"] is WRAPPERS["flax.linen.jit"]
    assert KEY_METHODS["flax.linen.module.Module.init"] is KEY_METHODS["flax.linen.Module.init"]
    assert WRAPPERS["flax.experimental.nnx.jit"] is WRAPPERS["flax.nnx.jit"]


def test_what_a_row_may_be_like_has_a_table_or_code_of_its_own() -> None:
    assert externals._SPECIAL.keys() == WITH_CODE_OF_THEIR_OWN


@pytest.mark.parametrize("module", ["flax.linen", "flax.nnx"])
def test_functions_of_jax_have_a_name_in_flax(module: str) -> None:
    there = importlib.import_module(module)
    assert all(getattr(there, name) is getattr(jax.nn, name) for name in OF_FLAX)
