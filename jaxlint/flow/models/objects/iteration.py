"""What iterating over a value gives: all its parts where they are known, else one that stands for any of them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from copy import copy
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import LentCell
from jaxlint.flow.domain.state import State, join_values
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
    Array,
    ClassValue,
    Const,
    Container,
    Counts,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    KeyId,
    Method,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    without_none,
)
from jaxlint.flow.limits import COUNTED_ITEMS, MOST_CALLABLES
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.keys.slices import SOMEWHERE
from jaxlint.flow.models.names import evidence
from jaxlint.flow.models.objects.binding import ask
from jaxlint.flow.models.objects.classes import find_member
from jaxlint.flow.models.objects.derived_containers import contents_of
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.optimisers import MAKING


def known_items(it: Interpreter, value: Value, limit: int) -> list[Value] | None:
    """The parts of ``value`` when there are at most ``limit`` and all are known."""
    if isinstance(value, Tuple):
        return list(value.items) if len(value.items) <= limit else None
    if isinstance(value, Container):
        cell = it.state.read(value)
        if value.kind == "dict":
            if ANY in cell:
                return None
            return [Const(key[1]) for key in cell if isinstance(key, tuple)] if len(cell) <= limit else None
        known = cell.get(ITEMS)
        if isinstance(known, Tuple) and ANY not in cell and len(known.items) <= limit:
            return list(known.items)
        return None
    if isinstance(value, Iterator) and value.kind in ("enumerate", "zip", "items", "reversed", "view"):
        return _known_pairs(it, value, limit)
    if isinstance(value, Iterator) and value.kind == "range" and isinstance(value.source, Const):
        count = value.source.value
        return [Const(number) for number in range(count)] if count <= min(limit, COUNTED_ITEMS.value) else None
    if isinstance(value, ExternalInstance) and value.made_by in MAKING and value.made_by != "optax.MultiSteps":
        return [Method(value, "init"), Method(value, "update")]
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) <= limit:
        return [Const(character) for character in value.value]
    return None


def _known_pairs(it: Interpreter, value: Iterator, limit: int) -> list[Value] | None:
    source = value.source
    if not isinstance(source, Tuple):
        return None
    columns = [known_items(it, part, limit) for part in source.items]
    shortest = min((len(column) for column in columns if column is not None), default=0)
    columns = [_rows(it, part, shortest) if column is None else column for part, column in zip(source.items, columns)]
    if any(column is None for column in columns):
        return None
    known = [column for column in columns if column is not None]
    if value.kind == "enumerate":
        return [Tuple((Const(number), item)) for number, item in enumerate(known[0])]
    if value.kind == "reversed":
        return known[0][::-1]
    if value.kind == "view":
        return known[0]
    return [Tuple(row) for row in zip(*known)]


def _rows(it: Interpreter, value: Value, count: int) -> list[Value] | None:
    """What is gone through beside ``count`` other things, one by one: the first keys of an array of known size, or what
    is repeated without end."""
    if isinstance(value, Iterator) and value.kind == "repeat" and value.source is None:
        return [value.element] * count or None
    if not isinstance(value, Key) or not value.batch or value.size is None or value.ident.site is None or not count:
        return None
    node = value.ident.site[1]
    return [keys.element(it, value, Const(number), node) for number in range(min(value.size, count))]


def known_fields(it: Interpreter, value: Value) -> dict[str, Value] | None:
    """The entries of a dict with known string keys, for **kwargs."""
    if isinstance(value, Container) and value.kind == "dict":
        cell = it.state.read(value)
        if ANY not in cell and all(isinstance(key, tuple) and isinstance(key[1], str) for key in cell):
            return {key[1]: part for key, part in cell.items()}
    return None


def entries_of(it: Interpreter, value: Value) -> dict[str, Value]:
    """Those entries of a dict that are known."""
    if not isinstance(value, Container) or value.kind != "dict":
        return {}
    cell = it.state.read(value)
    names = [key for key in cell if isinstance(key, tuple) and isinstance(key[1], str)]
    return {key[1]: cell[key] for key in names}


def any_entry_of(it: Interpreter, value: Value) -> Value | None:
    """What stands in a mapping under any name but those of `entries_of`; None where nothing is known of it."""
    if isinstance(value, Tree):
        return value.element()
    return it.state.read(value).get(ANY) if isinstance(value, Container) and value.kind == "dict" else None


def check_used_up(it: Interpreter, value: Value, node: ast.AST) -> None:
    """A loop in a compiled function goes through an iterator from outside of all traces: the next finds it empty."""
    if not isinstance(value, Iterator) or value.kind in _AGAIN or not it.ctx.staging or it.ctx.host:
        return
    is_outer = value.birth is None or not value.birth.tracing
    if is_outer and it.ctx.is_compiled and not _is_handed(it, value):
        it.emit(events.OuterIterator(node, value.kind, "used up"))


def _is_handed(it: Interpreter, value: Value) -> bool:
    """Whether it is an argument of the compiled function itself, which refuses it."""
    function = it.activation.function
    if function is None or function.node is not it.ctx.root:
        return False
    arguments, held = function.node.args, it.state.read(it.frame)
    return any(held.get(one.arg) is value for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


_AGAIN = ("view", "range", "counter", "repeat")
"""Iterators that are not used up, or never."""


def iterate(it: Interpreter, value: Value, node: ast.AST) -> Value:
    """One element of ``value``, a new one each time this is called."""
    value = without_none(value)
    if isinstance(value, Key):
        if value.batch:
            number = it.loops[-1][1] if it.loops else object()
            ident = keys.child(it, value.ident, ("pass", number), "key of a loop", node)
            dims = value.dims - 1
            return Key(ident, dims > 0, None, value.level, value.provenance, value.typed, dims, value.ranked)
        return Opaque("part of a key")
    if isinstance(value, Array):
        return Array(value.level, value.provenance, value.kind, aval=value.aval.of_row())
    if isinstance(value, Tree):
        if evidence.used_as_mapping(it, value):
            return Opaque("a dict key")
        element = value.element()
        element.maybe_name = not element.array_like
        return element
    if isinstance(value, Iterator):
        return _iterator_element(it, value, node)
    if isinstance(value, Container):
        cell = it.state.read(value)
        if value.kind == "dict":
            return Opaque("a dict key")
        return _one_of(it, joined_parts(it, cell), node)
    if isinstance(value, Tuple):
        return join_all(it, list(value.items))
    if isinstance(value, Union):
        return join_all(it, [iterate(it, option, node) for option in value.options])
    if isinstance(value, HostArray):
        return Static(value.kind) if value.kind and value.is_static else Opaque("an element of a NumPy array")
    if isinstance(value, Static):
        return Static("int" if value.kind == "shape" else "str" if value.kind == "str" else "", value.of_shape)
    if isinstance(value, Const) and isinstance(value.value, str):
        return Static("str")
    return _next_of(it, value, node) if isinstance(value, Instance) else Opaque("an element")


def iterator_of(it: Interpreter, value: Value, node: ast.AST) -> Value:
    """What a loop over ``value`` goes through: of an object of the project that is what its `__iter__` gives."""
    value = without_none(value)
    found = ask(it, value, "__iter__", [], node)
    if found is not None:
        return found
    contents = contents_of(it, value)
    return value if contents is None else contents


def _next_of(it: Interpreter, value: Instance, node: ast.AST) -> Value:
    """One more element of an object that is its own iterator, or that has items by number."""
    before = it.state.fork()
    element = ask(it, value, "__next__", [], node)
    if element is None and find_member(it, value.cls, "__iter__") is None:
        element = ask(it, value, "__getitem__", [Static("int")], node)
    if not it.alive:  # there is none on this path
        it.state, it.alive, element = before, True, None
    return Opaque("an element") if element is None else element


def _one_of(it: Interpreter, element: Value, node: ast.AST) -> Value:
    """One of unknown many elements: a key among them is another key at each pass, and a number may be another."""
    if isinstance(element, Key):
        number = it.loops[-1][1] if it.loops else object()
        ident = keys.child(it, element.ident, ("pass", number), "key of a loop", node)
        return Key(ident, element.batch, None, element.level, element.provenance, element.typed, element.dims)
    if isinstance(element, Tree):
        number = it.loops[-1][1] if it.loops else object()
        return element.renamed("", element.key.part(("pass", number), element.key.text))
    if isinstance(element, Tuple):
        return element.with_other(tuple(_one_of(it, item, node) for item in element.items))
    return element.uncounted() if isinstance(element, Static) else element


def start_of(given: Sequence[Value]) -> int | None:
    """The number that counting starts with, by the first of what is ``given``; 0 if nothing is."""
    start = given[0] if given else Const(0)
    return start.value if isinstance(start, Const) and isinstance(start.value, int) else None


def _iterator_element(it: Interpreter, value: Iterator, node: ast.AST) -> Value:
    source = value.source
    if value.kind == "range":
        number = value.element
        return _count(it, number.least, number.counts) if isinstance(number, Static) else Static("int", sure=True)
    if value.kind in ("zip", "enumerate", "items") and isinstance(source, Tuple):
        if value.kind == "zip":
            return Tuple(tuple(elements_of_row(it, source.items, node)))
        parts = [iterate(it, part, node) for part in source.items]
        if value.kind == "enumerate":
            start, many = start_of(source.items[1:]), length_of(source.items[0])
            return Tuple((_count(it, start, Counts(many) if start == 0 else None), parts[0]))
        return Tuple(tuple(parts))
    if value.kind in ("reversed", "view") and isinstance(source, Tuple):
        return iterate(it, source.items[0], node)
    if value.kind == "iterator" and isinstance(source, Tuple):
        return iterate(it, source.items[0], node)
    if value.kind == "repeat":
        return value.element
    element = renewed(value.element)
    _take_over_uses(it, value.element, element)
    return _one_of(it, element, node) if value.kind == "view" else element  # a generator knows which of its are one key


def elements_of_row(it: Interpreter, sources: Sequence[Value], node: ast.AST) -> list[Value]:
    """What is handed out together of ``sources`` that are gone through side by side: that ends with the shortest, so
    that the last keys of an array may be left over."""
    rows = []
    for source in sources:
        others = [other for other in sources if other is not source]
        if isinstance(source, Key) and source.batch and not all(_is_as_long(it, other, source) for other in others):
            source = begun(it, source, node)
        row = iterate(it, source, node)
        if isinstance(row, Key) and isinstance(source, Container):  # whose length nobody knows
            row = copy(row)
            row.ident = keys.child(it, row.ident, ("part", (None, SOMEWHERE)), "keys of a loop", node)
        rows.append(row)
    return rows


def begun(it: Interpreter, batch: Key, node: ast.AST) -> Key:
    """An array of keys of which the first is reached in any case, and maybe no other."""
    made = copy(batch)
    made.ident = keys.child(it, batch.ident, ("slice", (None, SOMEWHERE)), "keys of a loop", node)
    made.size = None
    return made


def _is_as_long(it: Interpreter, other: Value, batch: Key) -> bool:
    """Whether ``other`` has certainly as many elements as an array of keys, or more."""
    while isinstance(other, Iterator) and other.kind in _ELEMENT_BY_ELEMENT and isinstance(other.source, Tuple):
        other = other.source.items[0]
    if isinstance(other, Iterator):
        counted = other.element.counts if other.kind == "range" and isinstance(other.element, Static) else None
        is_endless = other.kind == "counter" or (other.kind == "repeat" and other.source is None)
        return is_endless or (counted is not None and counted.many in keys.many_of(batch))
    if batch.ident.length_of is not None and other.identity == batch.ident.length_of:
        return True
    length = length_of(other)
    if isinstance(other, Key) and other.size is not None:
        return batch.size is not None and other.size >= batch.size
    return length is not None and length in keys.many_of(batch)


_ELEMENT_BY_ELEMENT = ("enumerate", "items", "iterator", "reversed", "view")
"""Iterators that give as many as there are in what they go through."""


def _take_over_uses(it: Interpreter, known: Value, element: Value) -> None:
    """Of each key that a generator gives as much has been used as of any."""
    if isinstance(known, Tuple) and isinstance(element, Tuple):
        for one, other in zip(known.items, element.items):
            _take_over_uses(it, one, other)
    elif isinstance(known, Opaque) and isinstance(element, Opaque) and known.has_key:
        uses = it.state.uses.get(known.key.origin)
        if uses and known is not element:
            it.state.uses[element.key] = uses


def _count(it: Interpreter, least: int | None, counts: Counts | None) -> Static:
    """The number of the pass that begins here."""
    if counts is not None:
        counts = Counts(counts.many, it.loops[-1][1] if it.loops else object(), it.state.lasting_guards)
    return Static("int", least=least, counts=counts, sure=True)


def length_of(value: Value) -> Any:
    """The identity of how many elements there are, where another look finds as many: an array does not grow."""
    if isinstance(value, Key):
        return keys.many_of(value)[0]
    is_array = isinstance(value, (Array, HostArray)) or (isinstance(value, Tree) and value.array_like)
    return ((value, "shape"), ("item", 0)) if is_array else None


def generated(it: Interpreter, values: list[Value]) -> Value:
    """Any of what a generator gives, by the ``values`` of the passes that were looked at.  A key is the same one each
    time only if it was the same in two passes."""
    if not values:
        return Opaque("generated")
    if isinstance(values[0], Key):
        idents = {value.ident if isinstance(value, Key) else None for value in values}
        if len(values) > 1 and len(idents) == 1:
            return values[0]
        seeds = {ident.seed if ident is not None else None for ident in idents}
        made = KeyId("a generated key", seed=seeds.pop() if len(seeds) == 1 else None)
        spent = [it.state.uses.get(ident.origin, ()) if ident is not None else () for ident in idents]
        if all(spent):
            it.state.uses[made] = spent[0]  # the generator has used each that it gives
        return Opaque("a generated key", key=made)
    first = values[0]
    if isinstance(first, Tuple) and all(isinstance(v, Tuple) and len(v.items) == len(first.items) for v in values):
        rows = zip(*(value.items for value in values if isinstance(value, Tuple)))
        return first.with_other(tuple(generated(it, list(column)) for column in rows))
    return join_all_exact(it, values)


def renewed(value: Value) -> Value:
    """Another element of the same kind: what is unknown in it is another unknown."""
    if isinstance(value, Opaque):
        seed = value.key.seed if value.has_key else None
        return Opaque(value.text, key=KeyId(value.text, seed=seed)) if seed is not None else Opaque(value.text)
    if isinstance(value, Static):
        return copy(value)
    if isinstance(value, Tree):
        return value.renamed("", KeyId(value.parameter))
    if isinstance(value, Tuple):
        return value.with_other(tuple(renewed(item) for item in value.items))
    return value


def parts_of(cell: dict[Any, Value]) -> list[Value]:
    """The parts of a list or set, from its cell of the state."""
    known = cell.get(ITEMS)
    values = list(known.items) if isinstance(known, Tuple) else []
    if ANY in cell:
        values.append(cell[ANY])
    return values


def joined_parts(it: Interpreter, cell: dict[Any, Value]) -> Value:
    """Any part of a list or set."""
    return join_all(it, parts_of(cell))


def any_value(state: State, owner: Value) -> Value:
    """Any of what a dict holds, in a state."""
    cell = state.read(owner)
    joined = cell.joined() if isinstance(cell, LentCell) else None
    return _joined(state, list(cell.values())) if joined is None else _another_unknown(joined)


def join_all(it: Interpreter, values: list[Value]) -> Value:
    """One of the parts of a container."""
    return _joined(it.state, values)


def _joined(state: State, values: list[Value]) -> Value:
    if not values:
        return Opaque("an element")
    callables = dict.fromkeys(values)
    if 1 < len(callables) <= MOST_CALLABLES.value and all(map(is_callable, callables)):
        return Union(tuple(callables))
    return _another_unknown(_joined_exactly(state, values))


def _another_unknown(value: Value) -> Value:
    """Another element of the same container is another object: an unknown one gets a new identity."""
    return Opaque("an element") if isinstance(value, Opaque) else value


def is_callable(value: Value) -> bool:
    """Whether the value is a function or a class, of the project or not."""
    return isinstance(value, (Function, Transformed, Partial, ClassValue, External))


def join_all_exact(it: Interpreter, values: list[Value]) -> Value:
    """One of ``values``, which keeps its identity where they agree."""
    return _joined_exactly(it.state, values)


def join_options(it: Interpreter, owner: Union, parts: list[Value]) -> Value:
    """The part of what is one of some options: of each of these, in their order.  A key among them has been spent where
    its option is the one."""
    if not (owner.guards and any(_is_spent_on_a_condition(it, part) for part in parts)):
        return join_all_exact(it, parts)
    joined, state = parts[0], it.state.where(owner.guards[0])
    for part, guards in zip(parts[1:], owner.guards[1:]):
        joined = join_values(joined, state, part, it.state.where(guards), it.state)
        state = it.state
    return joined


def _is_spent_on_a_condition(it: Interpreter, value: Value) -> bool:
    ident = None if isinstance(value, Array) and not value.has_key else keys.key_of(value)
    return ident is not None and any(use.guards for use in it.state.uses.get(ident.origin, ()))


def _joined_exactly(state: State, values: list[Value]) -> Value:
    return functools.reduce(lambda one, other: join_values(one, state, other, state, state), values)
