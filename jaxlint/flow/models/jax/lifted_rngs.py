"""What flax's lifted `scan` and `vmap` are told of keys: of which collections all steps or lanes get the same one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import Const, Container, Transformed, Value
from jaxlint.flow.models.random.own_parameters import makes_none
from jaxlint.flow.port import Interpreter

_LIFTED = frozenset(
    f"flax.linen.{name}" for name in ("scan", "vmap", "partitioning.scan_with_axes", "partitioning.vmap_with_axes")
)
_PARAMETERS = "params"


def check_made(it: Interpreter, made: Transformed, node: ast.AST) -> None:
    """Parameters of their own for each step or lane, all initialised from one key."""
    if _PARAMETERS not in shared_by(it, made) or makes_none(it, made.function):
        return
    if _is_axis(dict(_told(it, made, "variable_axes")).get(_PARAMETERS)):
        it.emit(events.ImplicitRng(node, made.name, "initialised alike"))


def shared_by(it: Interpreter, made: Transformed) -> frozenset[str]:
    """The collections whose key is not split, as is said in so many words."""
    if made.name not in _LIFTED:
        return frozenset()
    return frozenset(name for name, value in _told(it, made, "split_rngs") if _is_false(value))


def note_asked(it: Interpreter, name: Value | None, node: ast.AST) -> None:
    """``self.make_rng(name)``; what is made of parameters that all share is the same on purpose."""
    if not isinstance(name, Const) or name.value not in it.ctx.shared or name.value == _PARAMETERS:
        return
    told: Context | None = it.ctx
    while told is not None and told.parent is not None and name.value in told.parent.shared:
        told = told.parent
    if told is not None and told.provenance is not None:
        place = told.provenance
        it.emit(events.ImplicitRng(place.node, name.value, "not split", (it.frame.scope, node)), place.scope)


def _told(it: Interpreter, made: Transformed, option: str) -> Iterator[tuple[str, Value]]:
    """What an option says of collections by their names."""
    given = made.options.get(option)
    if isinstance(given, Container) and given.kind == "dict":
        for key, value in it.state.read(given).items():
            if isinstance(key, tuple) and isinstance(key[1], str):
                yield key[1], value


def _is_false(value: Value) -> bool:
    return isinstance(value, Const) and value.value is False


def _is_axis(value: Value | None) -> bool:
    return isinstance(value, Const) and type(value.value) is int
