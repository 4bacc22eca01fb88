"""What modules ask of who runs them: keys, and collections that they may change.

A method that is run for `apply` leaves behind, in the order of its layers, what it has asked for on no condition that
is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, ExternalInstance, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays.conditions import truth_of
from jaxlint.flow.models.objects.iteration import known_fields, known_items
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.libraries.haiku import STATEFUL

KEY, STATE = "a key", "state"
"""What is asked for instead of a collection's name: of haiku also a place for what it keeps between calls."""

_NORMALISING, _DROPPING = "flax.linen.BatchNorm", "flax.linen.Dropout"
LAYERS = frozenset((_NORMALISING, _DROPPING))
"""The layers of which all options are kept."""


@contextmanager
def noted(it: Interpreter) -> Iterator[list[tuple[str, str]]]:
    """Notes what the modules that are run inside ask for."""
    saved, asks = (it.asks, it.undecided), list[tuple[str, str]]()
    it.asks, it.undecided = asks, 0
    try:
        yield asks
    finally:
        it.asks, it.undecided = saved


def note(it: Interpreter, what: str, by: str) -> None:
    """A module asks for something, here."""
    if it.asks is not None and not it.undecided:
        it.asks.append((what, by))


def note_layer(it: Interpreter, layer: ExternalInstance, args: Arguments) -> None:
    """A layer is called: statistics of the batch change, or something is dropped."""
    if it.asks is None or args.open_ended:
        return
    if layer.made_by in STATEFUL:
        note(it, STATE, layer.made_by.rpartition(".")[2])
    if layer.made_by == _NORMALISING and _option(it, layer, 0, args, "use_running_average") is False:
        note(it, "batch_stats", "BatchNorm")
    elif layer.made_by == _DROPPING and args.get(2, "rng") is None:
        rate = layer.args[0] if layer.args else layer.kwargs.get("rate")
        is_on = isinstance(rate, Const) and isinstance(rate.value, float) and 0 < rate.value < 1
        if is_on and _option(it, layer, 2, args, "deterministic") is False:
            note(it, KEY, "Dropout")


def _option(it: Interpreter, layer: ExternalInstance, position: int, args: Arguments, name: str) -> bool | None:
    """An option that is a layer's own, at this ``position`` of its fields, or an argument of its call."""
    own = layer.args[position] if position < len(layer.args) else layer.kwargs.get(name)
    given = args.get(1, name)
    value = own if given is None or (isinstance(given, Const) and given.value is None) else given
    return None if value is None or (isinstance(value, Const) and value.value is None) else truth_of(it, value)


def check(it: Interpreter, asks: Iterable[tuple[str, str]], args: Arguments, node: ast.AST) -> None:
    """Whether `apply` is given what the method that it runs has asked for."""
    if args.open_ended or args.more_names:
        return
    for what, by in dict.fromkeys(ask for ask in asks if ask[0] != STATE):
        lacks = _gives_no_key(it, args.named.get("rngs")) if what == KEY else _keeps(it, args, what)
        if lacks:
            it.emit(events.ApplyLacks(node, "" if what == KEY else what, by))


def _gives_no_key(it: Interpreter, rngs: Value | None) -> bool:
    if rngs is None or (isinstance(rngs, Const) and rngs.value is None):
        return True
    return known_fields(it, rngs) == {}


def _keeps(it: Interpreter, args: Arguments, collection: str) -> bool:
    """Whether a collection is none of those that may be changed."""
    value = args.named.get("mutable", Const(False))
    if isinstance(value, Const):
        return value.value is False or (isinstance(value.value, str) and value.value != collection)
    names = known_items(it, value, KNOWN_ITEMS.value)
    if names is None or not all(isinstance(name, Const) for name in names):
        return False
    return not any(isinstance(name, Const) and name.value == collection for name in names)
