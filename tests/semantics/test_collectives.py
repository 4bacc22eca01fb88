"""The functions that take the name of an axis take it where the table says, in the installed jax."""

from __future__ import annotations

import inspect
import operator

import jax
import jax.experimental.pjit
import pytest

from jaxlint.semantics.collectives import AXIS_ARGUMENTS, NAMING, WITHOUT_AXES
from jaxlint.semantics.transforms import HIGHER_ORDER, WRAPPERS

OTHERS = {
    "all_gather_reduced",
    "pbroadcast",
    "pcast",
    "pvary",
    "reduced_vary_cast",
    "ragged_all_to_all",
    "psend",
    "precv",
}
"""Functions with an `axis_name` that only make sense under `shard_map`, which binds what nobody can tell."""


@pytest.mark.parametrize("name", AXIS_ARGUMENTS)
def test_the_axis_is_where_the_table_says(name: str) -> None:
    function = operator.attrgetter(name.removeprefix("jax."))(jax)
    assert list(inspect.signature(function).parameters)[AXIS_ARGUMENTS[name]] == "axis_name"


@pytest.mark.parametrize("name", AXIS_ARGUMENTS)
def test_a_name_that_nothing_binds_is_an_error(name: str) -> None:
    function = operator.attrgetter(name.removeprefix("jax."))(jax)
    more = {"ppermute": [[(0, 0)]], "pshuffle": [[0]], "all_to_all": [0, 0], "pswapaxes": [0]}
    before = [jax.numpy.ones((1, 1))] * AXIS_ARGUMENTS[name]
    with pytest.raises(NameError, match="unbound axis name"):
        jax.jit(lambda *values: function(*values, "nobody", *more.get(name.rpartition(".")[2], [])))(*before)


def test_all_of_them_are_known() -> None:
    functions = {name: getattr(jax.lax, name) for name in dir(jax.lax) if not name.endswith("_p")}
    found = {name for name, one in functions.items() if inspect.isfunction(one) and _takes_axis(one)}
    assert found <= {name.rpartition(".")[2] for name in AXIS_ARGUMENTS} | OTHERS


def _takes_axis(function: object) -> bool:
    try:
        return "axis_name" in inspect.signature(function).parameters  # type: ignore[arg-type]
    except ValueError:
        return False


def test_what_binds_no_axis_is_known_to_trace() -> None:
    assert WRAPPERS.keys() | HIGHER_ORDER.keys() >= WITHOUT_AXES
    assert WRAPPERS.keys() >= NAMING


@pytest.mark.parametrize("name", sorted(WITHOUT_AXES))
def test_what_binds_no_axis_has_no_name_for_one(name: str) -> None:
    function = operator.attrgetter(name.removeprefix("jax."))(jax)
    assert not {"axis_name", "axis_env", "mesh"} & inspect.signature(function).parameters.keys()
