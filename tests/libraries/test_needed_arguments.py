"""The arguments that the tables say a library does not do without are those that its signatures have no default for."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

from jaxlint.semantics.libraries import equinox, flax

NEEDS = {**flax.LIBRARY.needs, **equinox.LIBRARY.needs}


def found(name: str) -> Any:
    """The object of that qualified name, in the module nearest to it."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            value = getattr(value, part)
        return value
    raise LookupError(name)


def parameters(value: Any) -> dict[str, inspect.Parameter]:
    """What a caller passes, by name and in order: not the object itself."""
    function = value.__init__ if inspect.isclass(value) else value
    return {name: one for name, one in inspect.signature(function).parameters.items() if name != "self"}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_what_is_needed_has_no_default(name: str) -> None:
    pytest.importorskip(name.partition(".")[0])
    taken = parameters(found(name))
    for need in NEEDS[name]:
        assert taken[need.name].default is inspect.Parameter.empty
        if need.position is None:
            assert taken[need.name].kind is inspect.Parameter.KEYWORD_ONLY
        elif taken[need.name].kind is not inspect.Parameter.KEYWORD_ONLY:  # else it had a position, in older versions
            assert [*taken].index(need.name) == need.position


@pytest.mark.parametrize(
    ("module", "argument", "known"),
    [
        ("flax.nnx", "rngs", set(flax.NNX_KEYED_LAYERS)),
        ("equinox.nn", "key", set(equinox.KEYED_LAYERS) - {"Embedding"}),  # it may be given its weight instead
    ],
)
def test_no_layer_that_is_made_with_keys_is_left_out(module: str, argument: str, known: set[str]) -> None:
    layers = vars(pytest.importorskip(module)).items()
    kinds = {name: kind for name, kind in layers if inspect.isclass(kind) and not name.startswith("_")}
    asking = {
        name
        for name, kind in kinds.items()
        if (one := parameters(kind).get(argument)) is not None
        and one.default is inspect.Parameter.empty
        and one.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert asking == known
