"""Attributes, items and iteration: how values are taken apart and put together.

Contents of mutable objects live in the state: a list has `ITEMS` (a Tuple of known parts) or `ANY` (what any
part may be); a dict has one entry a known key under ("k", key) and `ANY`; an instance its attributes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.flow import arrays, classes, events, keys, random_calls
from jaxlint.flow.contexts import Context
from jaxlint.flow.state import join_values
from jaxlint.flow.text import dotted
from jaxlint.flow.trees import descendants
from jaxlint.flow.values import (
    ABSTRACT,
    ATTRIBUTE,
    Array,
    At,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    KeyId,
    Method,
    ModuleValue,
    Opaque,
    Partial,
    Ref,
    Slice,
    Static,
    Stream,
    Super,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.semantics.arrays import ARRAY_ATTRIBUTES, ARRAY_METHODS, STATIC_ATTRIBUTES, UNAVAILABLE_ATTRIBUTES

if TYPE_CHECKING:
    from jaxlint.flow.interpreter import Interpreter

ITEMS, ANY = "items", "any"


def make(it: Interpreter, kind: str, items: list[Value] | None, elements: list[Value] | None = None) -> Container:
    """A new list, dict or set with exactly ``items``, or with unknown many of ``elements``."""
    made = Container(kind, it.ctx)
    cell = it.state.write(made)
    if items is not None:
        cell[ITEMS] = Tuple(tuple(items))
    else:
        any_value: Value = elements[0] if elements else Opaque("an element")
        for value in (elements or [])[1:]:
            any_value = join_values(any_value, it.state, value, it.state, it.state)
        cell[ANY] = any_value
    return made


def put(it: Interpreter, target: Container, key: Value, value: Value) -> None:
    """target[key] = value without any event."""
    cell = it.state.write(target)
    if target.kind == "dict":
        if isinstance(key, Const):
            cell[("k", key.value)] = value
            return
        cell.pop(ITEMS, None)
    elif isinstance(key, Const) and isinstance(key.value, int) and isinstance(cell.get(ITEMS), Tuple):
        items = list(cell[ITEMS].items)  # type: ignore[attr-defined]
        if -len(items) <= key.value < len(items):
            items[key.value] = value
            cell[ITEMS] = Tuple(tuple(items))
            return
    else:
        _loosen(it, target)
        cell = it.state.write(target)
    old = cell.get(ANY)
    cell[ANY] = value if old is None else join_values(old, it.state, value, it.state, it.state)


def _loosen(it: Interpreter, target: Container) -> None:
    """Forgets which parts there are, but not what they may be."""
    cell = it.state.write(target)
    known = cell.pop(ITEMS, None)
    if isinstance(known, Tuple) and known.items:
        values = list(known.items) + ([cell[ANY]] if ANY in cell else [])
        joined = values[0]
        for value in values[1:]:
            joined = join_values(joined, it.state, value, it.state, it.state)
        cell[ANY] = joined


def forget(it: Interpreter, target: Value) -> None:
    """The contents changed in a way nobody can follow."""
    cell = it.state.write(target)
    cell.clear()
    cell[ANY] = Opaque("an element")


def append(it: Interpreter, target: Container, value: Value) -> None:
    cell = it.state.write(target)
    known = cell.get(ITEMS)
    if isinstance(known, Tuple) and len(known.items) < 64 and not it.loops:
        cell[ITEMS] = Tuple((*known.items, value))
        return
    _loosen(it, target)
    cell = it.state.write(target)
    old = cell.get(ANY)
    cell[ANY] = value if old is None else join_values(old, it.state, value, it.state, it.state)


def extend(it: Interpreter, target: Container, value: Value, node: ast.AST) -> None:
    """list.extend / dict.update / ** in a display."""
    if target.kind == "dict":
        pairs = known_items(it, value, 64) if isinstance(value, Iterator) else None
        if isinstance(value, Container):
            it.state.write(target).update(it.state.read(value))
        elif pairs is not None and all(isinstance(pair, Tuple) and len(pair.items) == 2 for pair in pairs):
            for pair in pairs:
                put(it, target, pair.items[0], pair.items[1])  # type: ignore[attr-defined]
        else:
            it.state.write(target)[ANY] = Opaque("a value")
        return
    items = known_items(it, value, 64)
    if items is None:
        append(it, target, iterate(it, value, node))
        _loosen(it, target)
    else:
        for item in items:
            append(it, target, item)


# -- iteration ------------------------------------------------------------------------------------------


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
        return [Const(number) for number in range(count)] if count <= min(limit, 4) else None
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) <= limit:
        return [Const(character) for character in value.value]
    return None


def _known_pairs(it: Interpreter, value: Iterator, limit: int) -> list[Value] | None:
    source = value.source
    if not isinstance(source, Tuple):
        return None
    columns = [known_items(it, part, limit) for part in source.items]
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


def known_fields(it: Interpreter, value: Value) -> dict[str, Value] | None:
    """The entries of a dict with known string keys, for **kwargs."""
    if isinstance(value, Container) and value.kind == "dict":
        cell = it.state.read(value)
        if ANY not in cell and all(isinstance(key, tuple) and isinstance(key[1], str) for key in cell if key != ITEMS):
            return {key[1]: part for key, part in cell.items() if key != ITEMS}
    return None


def iterate(it: Interpreter, value: Value, node: ast.AST) -> Value:
    """One element of ``value``, a new one each time this is called."""
    if isinstance(value, Key):
        if value.batch:
            number = it.loops[-1][1] if it.loops else object()
            ident = keys.child(it, value.ident, ("lane", number), "key of a loop", node)
            dims = value.dims - 1
            return Key(ident, dims > 0, None, value.level, value.provenance, value.typed, dims)
        return Opaque("part of a key")
    if isinstance(value, Array):
        return Array(value.level, value.provenance, value.kind)
    if isinstance(value, Tree):
        return Tree(value.level, value.provenance, sure=value.sure, array_like=value.array_like, maybe_name=True)
    if isinstance(value, Iterator):
        return _iterator_element(it, value, node)
    if isinstance(value, Container):
        cell = it.state.read(value)
        if value.kind == "dict":
            return Opaque("a dict key")
        return _one_of(it, _joined_parts(it, cell), node)
    if isinstance(value, Tuple):
        return _join_all(it, list(value.items))
    if isinstance(value, HostArray):
        return Static(value.kind) if value.kind else Opaque("an element of a NumPy array")
    if isinstance(value, Static):
        return Static("int" if value.kind == "shape" else "str" if value.kind == "str" else "", value.of_shape)
    if isinstance(value, Const) and isinstance(value.value, str):
        return Static("str")
    return Opaque("an element")


def _one_of(it: Interpreter, element: Value, node: ast.AST) -> Value:
    """One of unknown many elements: a key among them is another key at each pass."""
    if isinstance(element, Key):
        number = it.loops[-1][1] if it.loops else object()
        ident = keys.child(it, element.ident, ("lane", number), "key of a loop", node)
        return Key(ident, element.batch, None, element.level, element.provenance, element.typed, element.dims)
    if isinstance(element, Tuple):
        return Tuple(tuple(_one_of(it, item, node) for item in element.items), element.fields, element.cls)
    return element


def _iterator_element(it: Interpreter, value: Iterator, node: ast.AST) -> Value:
    source = value.source
    if value.kind == "range":
        return Static("int")
    if value.kind in ("zip", "enumerate", "items") and isinstance(source, Tuple):
        parts = [iterate(it, part, node) for part in source.items]
        if value.kind == "enumerate":
            return Tuple((Static("int"), parts[0]))
        return Tuple(tuple(parts))
    if value.kind in ("reversed", "view") and isinstance(source, Tuple):
        return iterate(it, source.items[0], node)
    if value.kind == "iterator" and isinstance(source, Tuple):
        return iterate(it, source.items[0], node)
    return renewed(value.element)


def renewed(value: Value) -> Value:
    """Another element of the same kind: what is unknown in it is another unknown."""
    if isinstance(value, Opaque):
        return Opaque(value.text)
    if isinstance(value, Tuple):
        return Tuple(tuple(renewed(item) for item in value.items), value.fields, value.cls)
    return value


def _joined_parts(it: Interpreter, cell: dict[Any, Value]) -> Value:
    known = cell.get(ITEMS)
    values = list(known.items) if isinstance(known, Tuple) else []
    if ANY in cell:
        values.append(cell[ANY])
    return _join_all(it, values)


def _join_all(it: Interpreter, values: list[Value]) -> Value:
    if not values:
        return Opaque("an element")
    result = values[0]
    for value in values[1:]:
        result = join_values(result, it.state, value, it.state, it.state)
    # Another element of the same container is another object: an unknown one gets a new identity.
    return Opaque("an element") if isinstance(result, Opaque) else result


def unpack(it: Interpreter, value: Value, count: int, star: int | None, node: ast.AST) -> list[Value]:
    """The ``count`` values that unpacking gives; the starred one is a list."""
    items = known_items(it, value, 64)
    if items is not None:
        if star is None:
            return (items + [Opaque("missing")] * count)[:count]
        after = count - star - 1
        middle = make(it, "list", items[star : max(star, len(items) - after)])
        return [*items[:star], middle, *(items[len(items) - after :] if after else [])][:count]
    parts: list[Value] = []
    for number in range(count):
        if number == star:
            parts.append(_rest(it, value, number, node))
        else:
            index = number if star is None or number < star else number - count
            parts.append(_unpacked(it, value, index, node))
    return parts


def _rest(it: Interpreter, value: Value, start: int, node: ast.AST) -> Value:
    if isinstance(value, Key):
        return Key(keys.child(it, value.ident, ("slice", start), "rest of a key array", node), batch=True)
    return make(it, "list", None, [iterate(it, value, node)])


def _unpacked(it: Interpreter, value: Value, index: int, node: ast.AST) -> Value:
    if isinstance(value, (Key, Opaque, Tree)):
        return get_item(it, value, Const(index), node, quiet=True)
    return iterate(it, value, node)


# -- items ----------------------------------------------------------------------------------------------


def get_item(it: Interpreter, owner: Value, index: Value, node: ast.AST, quiet: bool = False) -> Value:
    """owner[index]."""
    getter = _ITEM_GETTERS.get(type(owner))
    if getter is None:
        return Opaque("an item")
    return getter(it, owner, index, node, quiet)


def _item_of_key(it: Interpreter, owner: Key, index: Value, node: ast.AST, quiet: bool) -> Value:
    if isinstance(index, Slice):
        return _key_slice(it, owner, index, node)
    if isinstance(index, Const) and index.value is None:
        dims = owner.dims + 1
        return Key(owner.ident, True, None, owner.level, owner.provenance, owner.typed, dims)
    if not owner.batch:
        if not quiet and random_calls.made_here(it, owner.ident):
            it.emit(events.KeyArithmetic(node, "indexed"))
        return Opaque("part of a key")
    if isinstance(index, (Const, Static)) or arrays.is_scalar_index(index):
        return keys.element(it, owner, index, node)
    ident = keys.child(it, owner.ident, ("gather", id(index), index), "selected keys", node)
    return Key(ident, batch=True, level=owner.level, provenance=owner.provenance)


def _key_slice(it: Interpreter, owner: Key, index: Slice, node: ast.AST) -> Value:
    bounds = tuple(
        part.value if isinstance(part, Const) else ("?", id(part), part) for part in (index.lower, index.upper)
    )
    step_is_none = isinstance(index.step, Const) and index.step.value is None
    if step_is_none and all(part is None or isinstance(part, int) for part in bounds):
        lower, upper = bounds
        if owner.size is not None:
            lower, upper, _ = slice(lower, upper).indices(owner.size)
            elements = [keys.element(it, owner, Const(number), node).ident for number in range(lower, upper)]
            ident = KeyId("slice of a key array", (it.frame.scope, node), alternatives=tuple(elements), known=True)
            spent = [use for element in elements for use in it.state.uses.get(element, ())]
            if spent:
                it.state.uses[ident] = tuple(dict.fromkeys(spent))
            return Key(ident, batch=True, size=max(0, upper - lower), typed=owner.typed)
    ident = keys.child(it, owner.ident, ("part", bounds), "slice of a key array", node)
    return Key(ident, batch=True, typed=owner.typed)


def _item_of_opaque(it: Interpreter, owner: Opaque, index: Value, node: ast.AST, quiet: bool) -> Value:
    for part in arrays.index_parts(index):
        if isinstance(part, Slice):
            arrays.check_slice(it, part, node)
        elif isinstance(part, Array) and part.level == ABSTRACT:
            # Only an array can be indexed with a tracer.
            return Array(ABSTRACT, part.provenance, key=owner.key.part(("item", ("value", id(part), part))))
    if isinstance(index, Const) and index.value is None:
        return Opaque(owner.text, key=owner.key)  # x[None]: the same array with another axis
    held = it.state.read(owner).get(_part_selector(index))
    return held if held is not None else owner.part(_part_selector(index), _text(node))


def _part_selector(index: Value) -> Any:
    if isinstance(index, Const):
        return ("item", index.value if _hashable(index.value) else repr(index.value))
    if isinstance(index, Slice):
        return ("part", _part_selector(index.lower), _part_selector(index.upper))
    return ("at", id(index), index)


def _hashable(value: Any) -> bool:
    return isinstance(value, (str, int, bytes, float, bool, type(None)))


def _item_of_tree(it: Interpreter, owner: Tree, index: Value, node: ast.AST, quiet: bool) -> Value:
    arrays.check_index(it, owner, index, node)
    if arrays.is_array_index(index):
        return Array(owner.level, owner.provenance) if owner.sure else Opaque("an item")
    held = it.state.read(owner).get(_part_selector(index))
    return held if held is not None else owner.part(_part_selector(index), sure=owner.sure)


def _item_of_array(it: Interpreter, owner: Array, index: Value, node: ast.AST, quiet: bool) -> Value:
    arrays.check_index(it, owner, index, node)
    level = max([owner.level, *(part.level for part in arrays.index_parts(index))])
    if level == 0 and it.ctx.staging:
        level = ABSTRACT
    ndim = None
    if owner.ndim is not None and (isinstance(index, (Const, Static)) or arrays.is_scalar_index(index)):
        ndim = owner.ndim - 1
    provenance = owner.provenance or next(
        (p.provenance for p in arrays.index_parts(index) if isinstance(p, (Array, Tree))), None
    )
    return Array(
        level, provenance or it.ctx.provenance, owner.kind, ndim, of_statics=owner.of_statics and level == owner.level
    )


def _item_of_tuple(it: Interpreter, owner: Tuple, index: Value, node: ast.AST, quiet: bool) -> Value:
    if isinstance(index, Const) and isinstance(index.value, int):
        if -len(owner.items) <= index.value < len(owner.items):
            return owner.items[index.value]
        return Opaque("an item")
    if isinstance(index, Slice):
        parts = (index.lower, index.upper, index.step)
        bounds: list[Any] = [part.value if isinstance(part, Const) else "?" for part in parts]
        if all(bound is None or (isinstance(bound, int) and not isinstance(bound, bool)) for bound in bounds):
            if bounds[2] != 0:
                return Tuple(owner.items[slice(*bounds)])
        return make(it, "tuple", None, [_join_all(it, list(owner.items))])
    arrays.check_sequence_index(it, "tuple", index, node)
    return _join_all(it, list(owner.items))


def _item_of_container(it: Interpreter, owner: Container, index: Value, node: ast.AST, quiet: bool) -> Value:
    cell = it.state.read(owner)
    if owner.kind == "dict":
        arrays.check_hashed(it, index, node, "a dict key")
        if isinstance(index, Const) and ("k", index.value) in cell:
            return cell[("k", index.value)]
        unknown = cell.get(ANY)
        if isinstance(index, Const) and isinstance(unknown, Opaque):
            return unknown.part(_part_selector(index), _text(node))
        return _value_of_dict(it, cell)
    known = cell.get(ITEMS)
    if isinstance(known, Tuple) and ANY not in cell and isinstance(index, (Const, Slice)):
        part = _item_of_tuple(it, known, index, node, quiet)
        if isinstance(index, Slice) and isinstance(part, Tuple):
            return make(it, "list", list(part.items))
        return part
    arrays.check_sequence_index(it, owner.kind, index, node)
    if isinstance(index, Slice):
        arrays.check_slice(it, index, node)
        return make(it, owner.kind, None, [_joined_parts(it, cell)])
    any_value = cell.get(ANY)
    if isinstance(any_value, Opaque) and ITEMS not in cell:
        return any_value.part(_part_selector(index), _text(node))
    if isinstance(any_value, Key) and ITEMS not in cell:
        ident = keys.child(it, any_value.ident, ("item", _part_selector(index)), "key of a list", node)
        return Key(ident, any_value.batch, None, any_value.level, any_value.provenance, any_value.typed, any_value.dims)
    return _joined_parts(it, cell)


def _value_of_dict(it: Interpreter, cell: dict[Any, Value]) -> Value:
    values = [value for key, value in cell.items() if key != ITEMS]
    return _join_all(it, values)


def _item_of_host_array(it: Interpreter, owner: HostArray, index: Value, node: ast.AST, quiet: bool) -> Value:
    arrays.check_sequence_index(it, "NumPy array", index, node)
    return (
        HostArray(owner.readonly, owner.kind)
        if isinstance(index, (Slice, Tuple))
        else Opaque("an element of a NumPy array")
    )


def _item_of_static(it: Interpreter, owner: Static, index: Value, node: ast.AST, quiet: bool) -> Value:
    arrays.check_sequence_index(it, "shape" if owner.kind == "shape" else "host value", index, node)
    if isinstance(index, Slice):
        return Static(owner.kind, owner.of_shape)
    return Static("int" if owner.kind == "shape" else "str" if owner.kind == "str" else "", owner.of_shape)


def _item_of_const(it: Interpreter, owner: Const, index: Value, node: ast.AST, quiet: bool) -> Value:
    if isinstance(owner.value, str):
        arrays.check_sequence_index(it, "string", index, node)
        return Static("str")
    return Opaque("an item")


def _item_of_at(it: Interpreter, owner: At, index: Value, node: ast.AST, quiet: bool) -> Value:
    if not isinstance(owner.array, Ref):
        arrays.check_index(it, owner.array, index, node, at=True)
    return At(owner.array, indexed=True)


def _item_of_ref(it: Interpreter, owner: Ref, index: Value, node: ast.AST, quiet: bool) -> Value:
    if owner.provenance is None:
        return Array(owner.level)
    return Array(owner.level, owner.provenance)


def _item_of_union(it: Interpreter, owner: Union, index: Value, node: ast.AST, quiet: bool) -> Value:
    with it.quiet():
        return _join_all_exact(it, [get_item(it, option, index, node) for option in owner.options])


def _join_all_exact(it: Interpreter, values: list[Value]) -> Value:
    result = values[0]
    for value in values[1:]:
        result = join_values(result, it.state, value, it.state, it.state)
    return result


def _item_of_external(it: Interpreter, owner: External, index: Value, node: ast.AST, quiet: bool) -> Value:
    if owner.name == "os.environ":
        arrays.host_effect(it, "os.environ.__getitem__", [], node)
        return Static("str")
    if owner.name.startswith(("builtins.", "typing.", "jaxtyping.", "collections.")):
        return owner  # list[int], Optional[Key]: a type is a type
    return Opaque("an item")


def _item_of_stream(it: Interpreter, owner: Value, index: Value, node: ast.AST, quiet: bool) -> Value:
    return owner


def _item_of_external_instance(
    it: Interpreter, owner: ExternalInstance, index: Value, node: ast.AST, quiet: bool
) -> Value:
    selector = _part_selector(index)
    found = owner.parts.get(selector)
    if found is None:
        found = owner.parts[selector] = Opaque("an item")
    return found


def _item_of_class(it: Interpreter, owner: ClassValue, index: Value, node: ast.AST, quiet: bool) -> Value:
    return owner  # Generic[T]


def _item_of_partial(it: Interpreter, owner: Value, index: Value, node: ast.AST, quiet: bool) -> Value:
    """pallas_call(...)[grid], or a registered kernel: not modelled."""
    return Opaque("an item")


_ITEM_GETTERS: dict[type, Callable[[Any, Any, Value, ast.AST, bool], Value]] = {
    Key: _item_of_key,
    Opaque: _item_of_opaque,
    Tree: _item_of_tree,
    Array: _item_of_array,
    Tuple: _item_of_tuple,
    Container: _item_of_container,
    HostArray: _item_of_host_array,
    Static: _item_of_static,
    Const: _item_of_const,
    At: _item_of_at,
    Ref: _item_of_ref,
    Union: _item_of_union,
    External: _item_of_external,
    Stream: _item_of_stream,
    ExternalInstance: _item_of_external_instance,
    ClassValue: _item_of_class,
    Partial: _item_of_partial,
}


def store_item(it: Interpreter, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
    """owner[index] = value: where it goes, and whether it outlives the trace."""
    if isinstance(owner, Container):
        if owner.kind == "dict":
            arrays.check_hashed(it, index, node, "a dict key")
        outlives(it, owner, value, "item", owner.text or _owner_text(node), node)
        put(it, owner, index, value)
    elif isinstance(owner, (Opaque, Tree)):
        if isinstance(owner, Opaque):
            it.state.write(owner)[_part_selector(index)] = value
        elif isinstance(index, Const) and index.value is not ...:
            argument_mutated(it, owner, f"item {index.value!r} is set", value, node)
            it.state.write(owner)[_part_selector(index)] = value
    elif isinstance(owner, External) and owner.name == "os.environ":
        outer_write(it, "environ", "os.environ", value, node)


def _owner_text(node: ast.AST) -> str:
    return dotted(node.value) if isinstance(node, ast.Subscript) else ""


def _text(node: ast.AST) -> str:
    return dotted(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else ""


# -- writes that outlive the trace -------------------------------------------------------------------------


def outlives(it: Interpreter, owner: Value, value: Value | None, target: str, what: str, node: ast.AST) -> None:
    """Reports a write into ``owner`` if it was made outside the trace that is running."""
    if not it.ctx.tracing or it.ctx.host:
        return
    if isinstance(owner, Container) and owner.parameter:
        argument_mutated(it, owner, f"changed by {target}", value, node)
        return
    birth: Context | None = getattr(owner, "birth", None)
    if it.ctx.encloses(birth) or _fills_a_cache(it, owner) or _may_be_new(it, owner):
        return
    outer_write(it, target, what, value, node, birth)


def _may_be_new(it: Interpreter, owner: Value) -> bool:
    """An attribute of some object, met in a helper: the object may have been made inside the trace."""
    if not isinstance(owner, Container) or owner.birth is not None or owner.text != ATTRIBUTE:
        return False
    function = it.activation.function
    return function is None or function.node is not it.ctx.root


def _fills_a_cache(it: Interpreter, owner: Value) -> bool:
    """if name not in CACHE: CACHE[name] = …"""
    return any(not guard.holds and any(part is owner for part in guard.objects) for guard in it.state.guards)


def outer_write(
    it: Interpreter, target: str, what: str, value: Value | None, node: ast.AST, birth: Context | None = None
) -> None:
    """A write to something that lives longer than the trace."""
    if not it.ctx.tracing or it.ctx.host:
        return
    if target == "nonlocal" and _bound_inside(it, what):
        return
    level = value.level if isinstance(value, (Array, Tree, Key)) else 0
    if level:
        if not it.ctx.leaks(birth, level):
            return
    elif not it.ctx.staging or _is_restored(it, what) or _is_idempotent(it, target, what, node):
        return  # under plain grad and vmap the write happens at every call
    if target == "item" and _is_scratch_list(it, what):
        return
    it.emit(events.OuterWrite(node, target, what, value))


def _is_idempotent(it: Interpreter, target: str, what: str, node: ast.AST) -> bool:
    """self.size = x.shape[0], table[0] = graphdef, a global that is filled when it is None: doing it once is as
    good as doing it at every call.  A count or a value made from the old one is not."""
    if it.ctx.transform.rpartition(".")[2] in ("eval_shape", "make_jaxpr", "closure_convert"):
        return True  # traced once, to look at what comes out
    if target in ("global", "nonlocal"):
        return any(
            guard.holds and guard.constant == ("==", None) and f"'{what}'" in guard.text for guard in it.state.guards
        )
    if target == "attribute":
        return isinstance(node, ast.Attribute)
    if target != "item" or not isinstance(node, ast.Subscript) or it.assigned is None:
        return False
    root = what.partition(".")[0].partition("[")[0]
    return not any(isinstance(part, ast.Name) and part.id == root for part in descendants(it.assigned))


def _is_scratch_list(it: Interpreter, what: str) -> bool:
    """A list of the enclosing function that only the running one looks at: nothing reads it after the trace."""
    root = what.partition(".")[0].partition("[")[0]
    function = it.activation.function
    frame = it.frame.parent
    while frame is not None and root not in it.state.read(frame):
        frame = frame.parent
    if frame is None or frame.function is None or function is None:
        return False
    start, end = function.node.lineno, function.node.end_lineno or 0
    return not any(
        isinstance(part, ast.Name)
        and part.id == root
        and isinstance(part.ctx, ast.Load)
        and not start <= part.lineno <= end
        for part in descendants(frame.function.node)
    )


def _is_restored(it: Interpreter, what: str) -> bool:
    """Whether the function undoes the write: in a ``finally``, or as a context manager after its yield."""
    function = it.activation.function
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    facts = it.facts_of(function.node)
    root = what.rpartition(".")[0] or what
    return facts.generator or root in facts.restored or what in facts.restored


def _bound_inside(it: Interpreter, name: str) -> bool:
    """Whether a nonlocal belongs to a function that itself runs inside the current trace."""
    frame = it.frame.parent
    while frame is not None:
        if name in it.state.read(frame):
            function = frame.function
            return function is not None and it.frame_contexts.get(frame) is it.ctx
        frame = frame.parent
    return False


def argument_mutated(it: Interpreter, owner: Value, how: str, value: Value | None, node: ast.AST) -> None:
    """Notes a change of a container argument; it is reported when the function does not return the container."""
    parameter = getattr(owner, "parameter", "")
    if not it.ctx.tracing or not parameter:
        return
    event = events.ArgumentMutated(node, parameter, how, value)
    it.activation.mutated.append((owner, event))


# -- attributes -------------------------------------------------------------------------------------------


def get_attribute(it: Interpreter, owner: Value, name: str, node: ast.AST) -> Value:
    """owner.name."""
    getter = _ATTRIBUTE_GETTERS.get(type(owner))
    return Opaque(name) if getter is None else getter(it, owner, name, node)


_METADATA_KINDS = {"shape": "shape", "dtype": "dtype", "aval": "", "weak_type": "bool"}


def _attribute_of_array(it: Interpreter, owner: Array, name: str, node: ast.AST) -> Value:
    if name in STATIC_ATTRIBUTES:
        return Static(_METADATA_KINDS.get(name, "int"), of_shape=True)
    if name == "at":
        return At(owner)
    if name in ARRAY_ATTRIBUTES:
        return Array(owner.level, owner.provenance, owner.kind, owner.ndim)
    if name in UNAVAILABLE_ATTRIBUTES:
        arrays.check_device_query(it, owner, name, node)
    if name in ("sharding", "device"):
        return Static("")
    return Method(owner, name)


def _attribute_of_tree(it: Interpreter, owner: Tree, name: str, node: ast.AST) -> Value:
    held = it.state.read(owner).get(("attr", name))
    if held is not None:
        return held
    if name in STATIC_ATTRIBUTES:
        return Static(_METADATA_KINDS.get(name, "int"), of_shape=True)
    if name == "at":
        return At(owner)
    if name in _DEVICE_QUERIES and owner.sure and owner.parameter:
        arrays.check_device_query(it, owner, name, node)
    if name in _ARRAY_ONLY:
        return Method(Array(owner.level, owner.provenance), name)
    if name in _TREE_METHODS:
        return Method(owner, name)
    if name in ("T", "mT"):
        return Array(owner.level, owner.provenance)
    return owner.part(("attr", name), sure=False)


_DEVICE_QUERIES = frozenset(
    "device sharding devices addressable_shards block_until_ready is_deleted addressable_data".split()
)
_ARRAY_ONLY = (ARRAY_METHODS | frozenset(("item", "tolist", "block_until_ready"))) - frozenset(("copy", "get"))
_TREE_METHODS = frozenset(
    "items keys values get pop update append extend copy setdefault index count _replace replace".split()
)


def _attribute_of_key(it: Interpreter, owner: Key, name: str, node: ast.AST) -> Value:
    if name in STATIC_ATTRIBUTES:
        return (
            Tuple((Const(owner.size),))
            if name == "shape" and owner.size and owner.batch and owner.typed
            else Static(_METADATA_KINDS.get(name, "int"), of_shape=True)
        )
    if name == "at":
        return At(Array(owner.level, owner.provenance))
    return Method(owner, name)


def _attribute_of_opaque(it: Interpreter, owner: Opaque, name: str, node: ast.AST) -> Value:
    held = it.state.read(owner).get(("attr", name))
    return held if held is not None else owner.part(("attr", name), f"{owner.text}.{name}" if owner.text else name)


def _attribute_of_external(it: Interpreter, owner: External, name: str, node: ast.AST) -> Value:
    return it.external(f"{owner.name}.{name}")


def _attribute_of_module(it: Interpreter, owner: ModuleValue, name: str, node: ast.AST) -> Value:
    return it.module_attribute(owner.scope, name)


def _attribute_of_tuple(it: Interpreter, owner: Tuple, name: str, node: ast.AST) -> Value:
    if name in owner.fields:
        return owner.items[owner.fields.index(name)]
    if owner.cls is not None:
        found = classes.find_member(it, owner.cls, name)
        if found is not None:
            return classes.bind_member(it, found, owner, owner.cls, node)
    return Method(owner, name)


def _attribute_of_method_owner(it: Interpreter, owner: Value, name: str, node: ast.AST) -> Value:
    return Method(owner, name)


def _attribute_of_static(it: Interpreter, owner: Static, name: str, node: ast.AST) -> Value:
    if owner.kind in ("str", "shape", "tuple"):
        return Method(owner, name)
    return Static("", owner.of_shape)


def _attribute_of_host_array(it: Interpreter, owner: HostArray, name: str, node: ast.AST) -> Value:
    if name in ("shape", "dtype", "ndim", "size", "itemsize", "nbytes"):
        return Static(_METADATA_KINDS.get(name, "int"))
    if name in ("T", "flat", "real", "imag"):
        return HostArray(owner.readonly, owner.kind)
    return Method(owner, name)


def _attribute_of_instance(it: Interpreter, owner: Instance, name: str, node: ast.AST) -> Value:
    held = it.state.read(owner).get(name)
    if held is not None:
        return held
    return classes.instance_attribute(it, owner, name, node)


def _attribute_of_class(it: Interpreter, owner: ClassValue, name: str, node: ast.AST) -> Value:
    found = classes.find_member(it, owner, name)
    if found is None:
        return Static("str") if name == "__name__" else Opaque(name)
    if isinstance(found, Function) and found.kind == "class":
        return found.bind(owner)
    return found


def _attribute_of_super(it: Interpreter, owner: Super, name: str, node: ast.AST) -> Value:
    for base in owner.cls.bases:
        if isinstance(base, ClassValue):
            found = classes.find_member(it, base, name)
            if found is not None:
                return classes.bind_member(it, found, owner.receiver, base, node)
    return Method(owner, name)


def _attribute_of_union(it: Interpreter, owner: Union, name: str, node: ast.AST) -> Value:
    useful = [option for option in owner.options if not (isinstance(option, Const) and option.value is None)]
    with it.quiet():
        values = [get_attribute(it, option, name, node) for option in useful]
    return _join_all_exact(it, values) if values else Opaque(name)


def _attribute_of_at(it: Interpreter, owner: At, name: str, node: ast.AST) -> Value:
    return Method(owner, name)


def _attribute_of_external_instance(it: Interpreter, owner: ExternalInstance, name: str, node: ast.AST) -> Value:
    if owner.made_by == "functools.partial":
        return Opaque(name)
    held = it.state.read(owner).get(name)
    return held if held is not None else Method(owner, name)


def _attribute_of_function(it: Interpreter, owner: Value, name: str, node: ast.AST) -> Value:
    return Method(owner, name)


def _attribute_of_ref(it: Interpreter, owner: Ref, name: str, node: ast.AST) -> Value:
    if name in STATIC_ATTRIBUTES:
        return Static(_METADATA_KINDS.get(name, "int"), of_shape=True)
    return At(owner) if name == "at" else Opaque(name)


_ATTRIBUTE_GETTERS: dict[type, Callable[[Any, Any, str, ast.AST], Value]] = {
    Array: _attribute_of_array,
    Tree: _attribute_of_tree,
    Key: _attribute_of_key,
    Opaque: _attribute_of_opaque,
    External: _attribute_of_external,
    ModuleValue: _attribute_of_module,
    Tuple: _attribute_of_tuple,
    Container: _attribute_of_method_owner,
    Iterator: _attribute_of_method_owner,
    Stream: _attribute_of_method_owner,
    Const: _attribute_of_method_owner,
    Static: _attribute_of_static,
    HostArray: _attribute_of_host_array,
    Instance: _attribute_of_instance,
    ClassValue: _attribute_of_class,
    Super: _attribute_of_super,
    Union: _attribute_of_union,
    At: _attribute_of_at,
    ExternalInstance: _attribute_of_external_instance,
    Function: _attribute_of_function,
    Transformed: _attribute_of_function,
    Partial: _attribute_of_function,
    Method: _attribute_of_function,
    Ref: _attribute_of_ref,
}


def store_attribute(
    it: Interpreter, owner: Value, name: str, value: Value, target: ast.Attribute, node: ast.AST
) -> None:
    """owner.name = value, or owner.name op= value where ``node`` is the whole statement."""
    what = dotted(target)
    if isinstance(owner, Instance):
        if classes.writes_are_tracked(it, owner):
            _check_raw_attribute(it, owner, value, what, node)
        elif owner.level and owner.parameter:
            argument_mutated(it, owner, f"attribute {name!r} is set", value, node)
        elif not _in_constructor(it, owner):
            outlives(it, owner, value, "attribute", what, node)
        it.state.write(owner)[name] = value
    elif isinstance(owner, (Array, Tree)) and isinstance(owner, Array):
        if name in ("shape", "dtype"):
            it.emit(events.InplaceMethod(node, owner, name, "AttributeError"))
    elif isinstance(owner, Tree) and owner.parameter and name in ("shape", "dtype"):
        it.emit(events.InplaceMethod(node, owner, name, "AttributeError"))
    elif isinstance(owner, Tree):
        argument_mutated(it, owner, f"attribute {name!r} is set", value, node)
        it.state.write(owner)[("attr", name)] = value
    elif isinstance(owner, Opaque):
        if it.ctx.transform.startswith("flax.nnx.") and isinstance(value, Array) and value.level == ABSTRACT:
            if owner.parent is None and what.count(".") == 1:
                it.emit(events.ModuleInRawTransform(node, what, "flax.nnx"))
        it.state.write(owner)[("attr", name)] = value
    elif isinstance(owner, (ClassValue, ModuleValue)):
        outer_write(it, "class", what, value, node)
    elif isinstance(owner, ExternalInstance):
        it.state.write(owner)[name] = value


def _check_raw_attribute(it: Interpreter, owner: Instance, value: Value, what: str, node: ast.AST) -> None:
    """An nnx module keeps Variables across a trace; a plain array attribute set inside keeps a tracer."""
    if isinstance(value, Array) and value.level == ABSTRACT and it.ctx.staging and not it.ctx.encloses(owner.birth):
        it.emit(events.ModuleInRawTransform(node, what, "flax.nnx"))


def _in_constructor(it: Interpreter, owner: Instance) -> bool:
    function = it.activation.function
    return (
        function is not None and function.receiver is owner and function.name in ("__init__", "setup", "__post_init__")
    )


def havoc(it: Interpreter, value: Value, depth: int = 0) -> None:
    """Code that cannot be seen got ``value``: what mutable objects hold may have changed."""
    if isinstance(value, Opaque):
        value.parts.clear()
        if value in it.state.cells:
            it.state.write(value).clear()
    elif isinstance(value, Container):
        forget(it, value)
