"""Items of a value: reading and storing `owner[index]`, and unpacking, which reads the first few."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import names_of
from jaxlint.flow.domain.avals import UNKNOWN, Aval
from jaxlint.flow.domain.slots import slot_of_item
from jaxlint.flow.domain.state import join_values
from jaxlint.flow.domain.values import (
    ABSTRACT,
    ANY,
    FROZEN_DICT,
    ITEMS,
    NONE,
    Array,
    At,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    HostArray,
    Instance,
    Key,
    KeyId,
    Opaque,
    Partial,
    Ref,
    Slice,
    Static,
    Stream,
    Tree,
    Tuple,
    Union,
    Value,
    without_none,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import arrays, handed_back, references, results, slopes, taken_apart
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import evidence, settings
from jaxlint.flow.models.objects import classes, containers
from jaxlint.flow.models.objects.binding import ask
from jaxlint.flow.models.objects.derived_containers import contents_of
from jaxlint.flow.models.objects.iteration import (
    any_value,
    check_used_up,
    iterate,
    join_all,
    join_options,
    joined_parts,
    known_items,
    parts_of,
)
from jaxlint.flow.models.objects.unnamed_attributes import attributes_changed
from jaxlint.flow.models.random import random_calls
from jaxlint.flow.models.traces import variables
from jaxlint.flow.models.traces.outer_writes import argument_mutated, outer_write, outlives
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted


def get_item(it: Interpreter, owner: Value, index: Value, node: ast.AST, quiet: bool = False) -> Value:
    """owner[index]."""
    getter = _ITEM_GETTERS.get(type(owner))
    if getter is None:
        return Opaque("an item")
    item = getter(it, owner, index, node, quiet)
    if isinstance(owner, (Array, Tree)) and isinstance(item, Array):
        slopes.pass_on(owner, item)
        if owner.slope:
            slopes.note(it, item, "item", (owner, index), node)
        elif it.ctx.is_differentiated:
            slopes.note_spread(it, item, owner, index, node)
    return item


def _item_of_key(it: Interpreter, owner: Key, index: Value, node: ast.AST, quiet: bool) -> Value:
    added = _added_axes(index)
    if added is not None:
        dims, size = owner.dims + added, None if added else owner.size
        return Key(owner.ident, dims > 0, size, owner.level, owner.provenance, owner.typed, dims, owner.ranked)
    if isinstance(index, Slice):
        return _key_slice(it, owner, index, node)
    if not owner.batch and owner.ranked:
        if not quiet and random_calls.made_here(it, owner.ident):
            random = "typed" if owner.typed else "random" if owner.ident.text != "key" else ""
            it.emit(events.KeyArithmetic(node, "indexed", random))
        return Opaque("part of a key")
    if isinstance(index, (Const, Static)) or arrays.is_scalar_index(index):
        if not quiet:
            _check_number_of_key(it, owner, index, node)
        return keys.element(it, *(keys.in_whole(owner, index) or (owner, index)), node)
    ident = keys.child(it, owner.ident, ("gather", index.identity), "selected keys", node)
    return Key(ident, batch=True, level=owner.level, provenance=owner.provenance)


def _check_number_of_key(it: Interpreter, owner: Key, index: Value, node: ast.AST) -> None:
    """split(key, 2)[2] is another time the last of the two."""
    number = index.value if isinstance(index, Const) else None
    if owner.batch and owner.size and type(number) is int and not -owner.size <= number < owner.size:
        it.emit(events.IndexBeyond(node, number, owner.size, False))


def _added_axes(index: Value) -> int | None:
    """How many axes an index adds that selects everything: `[None, :]`, `[..., None]`; None if it selects some."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    if not all(_selects_all(part) for part in parts):
        return None
    return sum(isinstance(part, Const) and part.value is None for part in parts)


def _selects_all(part: Value) -> bool:
    if isinstance(part, Slice):
        bounds = (part.lower, part.upper, part.step)
        return all(isinstance(bound, Const) and bound.value is None for bound in bounds)
    return isinstance(part, Const) and (part.value is None or part.value is ...)


def _bounds(*parts: Value) -> tuple[Any, ...]:
    """What tells a slice of something, by its bounds, from others of it."""
    return tuple(part.value if isinstance(part, Const) else ("?", part.identity) for part in parts)


def _another(it: Interpreter, value: Value, selector: Any, text: str, node: ast.AST) -> Value:
    """One of those that ``value`` stands for, or some: a key, or what may be one, is another than by other selectors,
    and a number may be."""
    if isinstance(value, Tuple):
        items = tuple(_another(it, item, selector, text, node) for item in value.items)
        return value if all(item is old for item, old in zip(items, value.items)) else value.with_other(items)
    if isinstance(value, Tree):
        return value.among(selector)
    if isinstance(value, Static):
        return value.uncounted((value.identity, selector) if selector[0] == "item" else None)
    if not isinstance(value, Key):
        return value
    ident = keys.child(it, value.ident, selector, text, node)
    return Key(ident, value.batch, None, value.level, value.provenance, value.typed, value.dims)


def _key_slice(it: Interpreter, owner: Key, index: Slice, node: ast.AST) -> Value:
    bounds = _bounds(index.lower, index.upper)
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
            size = max(0, upper - lower)
            return Key(ident, batch=True, size=size, level=owner.level, provenance=owner.provenance, typed=owner.typed)
    kind = "slice" if step_is_none else "part"
    ident = keys.child(it, owner.ident, (kind, bounds), "slice of a key array", node)
    return Key(ident, batch=True, level=owner.level, provenance=owner.provenance, typed=owner.typed)


def _item_of_opaque(it: Interpreter, owner: Opaque, index: Value, node: ast.AST, quiet: bool) -> Value:
    for part in arrays.index_parts(index):
        if isinstance(part, Slice):
            arrays.check_slice(it, part, node, None if it.frame.scope.uses_references else False)
        elif isinstance(part, Array) and part.level == ABSTRACT and owner.selector != ("attr", "at"):
            # An array, or an object that knows how to index those in it.
            key = owner.key.part(("item", ("value", part.identity)))
            return Array(ABSTRACT, part.provenance, key=key, declared=True)
    if isinstance(index, Const) and index.value is None:
        return Opaque(owner.text, key=owner.key)  # x[None]: the same array with another axis
    held = it.state.read(owner).get(_part_selector(index))
    return held if held is not None else owner.part(_part_selector(index), _text(node))


def _part_selector(index: Value) -> Any:
    if isinstance(index, Const):
        return ("item", index.value if _hashable(index.value) else repr(index.value))
    if isinstance(index, Slice):
        return ("part", _part_selector(index.lower), _part_selector(index.upper))
    return ("at", index.identity)


def _hashable(value: Any) -> bool:
    return isinstance(value, (str, int, bytes, float, bool, type(None)))


def _item_of_tree(it: Interpreter, owner: Tree, index: Value, node: ast.AST, quiet: bool) -> Value:
    arrays.check_index(it, owner, index, node)
    if arrays.is_array_index(index):
        if owner.sure:
            aval = results.of_item(UNKNOWN, arrays.index_parts(index))
            return Array(owner.level, owner.provenance, declared=not owner.array_like, aval=aval)
        # A field that may be static: what lets a tracer be its index is an array, as the result is.
        parts = (part for part in arrays.index_parts(index) if isinstance(part, Array) and part.level == ABSTRACT)
        tracer = next(parts, None)
        return Opaque("an item") if tracer is None else Array(ABSTRACT, tracer.provenance, declared=True)
    held = it.state.read(owner).get(_part_selector(index))
    return held if held is not None else owner.part(_part_selector(index), sure=owner.sure)


def _item_of_array(it: Interpreter, owner: Array, index: Value, node: ast.AST, quiet: bool) -> Value:
    if arrays.is_name(index):  # so it is no array: a record, a dict or an object of them
        return Tree(owner.level, owner.provenance) if owner.provenance is not None else Opaque("an item")
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
    of_statics = owner.of_statics and level == owner.level
    aval = results.of_item(owner.aval, arrays.index_parts(index))
    return Array(
        level, provenance or it.ctx.provenance, owner.kind, ndim, of_statics, declared=owner.declared, aval=aval
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
        return containers.make(it, "tuple", None, [join_all(it, list(owner.items))])
    arrays.check_sequence_index(it, "tuple", index, node)
    return _one_at(it, list(owner.items), index, node)


def _item_of_container(it: Interpreter, owner: Container, index: Value, node: ast.AST, quiet: bool) -> Value:
    cell = it.state.read(owner)
    if owner.kind == "dict":
        arrays.check_hashed(it, index, node, "key")
        if isinstance(index, Const) and ("k", index.value) in cell:
            return cell[("k", index.value)]
        unknown = cell.get(ANY)
        if isinstance(index, Const) and isinstance(unknown, Opaque):
            return unknown.part(_part_selector(index), _text(node))
        if isinstance(index, Const) and isinstance(unknown, Tree):
            return unknown.part(_part_selector(index), unknown.sure)
        if isinstance(index, Const) and ANY not in cell:
            return Opaque("an item")  # none that was seen to be put there
        names = names_of(cell)
        return _one_of(it, any_value(it.state, owner), index, node, ANY in names or len(names) > 1)
    known = cell.get(ITEMS)
    if isinstance(known, Tuple) and ANY not in cell and isinstance(index, (Const, Slice)):
        part = _item_of_tuple(it, known, index, node, quiet)
        if isinstance(index, Slice) and isinstance(part, Tuple):
            return containers.make(it, "list", list(part.items))
        return part
    arrays.check_sequence_index(it, owner.kind, index, node)
    if isinstance(index, Slice):
        arrays.check_slice(it, index, node)
        part = joined_parts(it, cell)
        if not _selects_all(index):
            part = _another(it, part, ("part", _bounds(index.lower, index.upper, index.step)), "keys of a list", node)
        return containers.make(it, owner.kind, None, [part])
    other = cell.get(ANY)
    if isinstance(other, Opaque) and ITEMS not in cell:
        return other.part(_part_selector(index), _text(node))
    return _one_at(it, parts_of(cell), index, node, ANY in cell)


def _one_at(it: Interpreter, parts: list[Value], index: Value, node: ast.AST, more: bool = False) -> Value:
    """What an unknown index leads to, of these parts, of which one stands for many if there are ``more``: a key may be
    another one than by another index."""
    return _one_of(it, join_all(it, parts), index, node, more or len(parts) > 1)


def _one_of(it: Interpreter, any_of: Value, index: Value, node: ast.AST, of_many: bool) -> Value:
    if not of_many:
        return any_of
    return _another(it, any_of, ("item", _part_selector(index)), "key of a container", node)


def _item_of_host_array(it: Interpreter, owner: HostArray, index: Value, node: ast.AST, quiet: bool) -> Value:
    arrays.check_sequence_index(it, "NumPy array", index, node)
    if not isinstance(index, (Slice, Tuple)):
        return Opaque("an element of a NumPy array")
    shape = results.of_item(Aval(shape=owner.shape), arrays.index_parts(index)).shape
    return HostArray(owner.readonly, owner.kind).of_shape(shape or None)


def _item_of_static(it: Interpreter, owner: Static, index: Value, node: ast.AST, quiet: bool) -> Value:
    if owner.kind in ("int", "float", "bool"):
        return Opaque("an item of what is said to be a number")  # an annotation that is wrong: an array may come
    arrays.check_sequence_index(it, "shape" if owner.kind == "shape" else "host value", index, node)
    if isinstance(index, Slice):
        return Static(owner.kind, owner.of_shape)
    kind = "int" if owner.kind == "shape" else "str" if owner.kind == "str" else ""
    known = owner.read_off is not None and isinstance(index, Const)
    return Static(kind, owner.of_shape, read_off=(owner.read_off, _part_selector(index)) if known else None)


def _item_of_const(it: Interpreter, owner: Const, index: Value, node: ast.AST, quiet: bool) -> Value:
    if isinstance(owner.value, str):
        arrays.check_sequence_index(it, "string", index, node)
        return Static("str")
    return Opaque("an item")


def _item_of_at(it: Interpreter, owner: At, index: Value, node: ast.AST, quiet: bool) -> Value:
    if not isinstance(owner.array, Ref):
        arrays.check_index(it, owner.array, index, node, at=True)
    return At(owner.array, index)


def _item_of_ref(it: Interpreter, owner: Ref, index: Value, node: ast.AST, quiet: bool) -> Value:
    if isinstance(index, Const) and isinstance(index.value, str):
        return Opaque("an item")  # of a dict in a Variable
    references.check_slices(it, index, node)
    if owner.provenance is None:
        return Array(owner.level)
    return Array(owner.level, owner.provenance)


def _item_of_union(it: Interpreter, owner: Union, index: Value, node: ast.AST, quiet: bool) -> Value:
    left = owner.without(_has_no_items)  # of the others nothing comes back
    if all(isinstance(option, (Array, Tree)) for option in left.options):
        arrays.check_index(it, left.options[0], index, node)
    with it.quiet():
        return join_options(it, left, [get_item(it, option, index, node) for option in left.options])


def _has_no_items(value: Value) -> bool:
    """Whether Python refuses to index it: a number, or None."""
    return isinstance(value, Const) and (value.value is None or isinstance(value.value, (int, float, complex)))


def _item_of_external(it: Interpreter, owner: External, index: Value, node: ast.AST, quiet: bool) -> Value:
    if owner.name == "os.environ":
        arrays.host_effect(it, "os.environ.__getitem__", [], node)
        return Static("str")
    if owner.name.startswith(("builtins.", "typing.", "typing_extensions.", "jaxtyping.", "collections.")):
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
    if classes.is_enum(owner):
        member = classes.find_member(it, owner, str(index.value)) if isinstance(index, Const) else None
        return member if isinstance(member, Const) else classes.member_of_enum(owner)
    if any(one.arg == "metaclass" for one in owner.node.keywords):
        return Opaque("an item")
    return owner  # Generic[T]


def _item_of_instance(it: Interpreter, owner: Instance, index: Value, node: ast.AST, quiet: bool) -> Value:
    with it.quiet() if quiet else nullcontext():
        found = ask(it, owner, "__getitem__", [index], node)
    if found is not None:
        return found
    contents = contents_of(it, owner)
    return Opaque("an item") if contents is None else get_item(it, contents, index, node, quiet)


def _item_of_partial(it: Interpreter, owner: Value, index: Value, node: ast.AST, quiet: bool) -> Value:
    """pallas_call(...)[grid], or a registered kernel: not modelled."""
    return Opaque("an item")


def _text(node: ast.AST) -> str:
    return dotted(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else ""


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
    Instance: _item_of_instance,
    Partial: _item_of_partial,
}


def store_item(it: Interpreter, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
    """owner[index] = value: where it goes, and whether it outlives the trace."""
    references.check_stored(it, owner, index, value, node)
    if isinstance(node, ast.Subscript):
        attributes_changed(it, node.value)
    if isinstance(owner, Container):
        if owner.kind == "dict":
            arrays.check_hashed(it, index, node, "key")
        before = it.state.read(owner).get(("k", index.value)) if isinstance(index, Const) else None
        slot = slot_of_item(owner, index, before, node if isinstance(node, ast.AugAssign) else None)
        outlives(it, owner, value, "item", _owner_text(node) or owner.text, node, slot)
        containers.put(it, owner, index, value)
    elif _is_frozen_dict(owner):
        it.emit(events.FrozenSet(node, f"{_owner_text(node)}[…]", "frozen dict", "FrozenDict", False, False, True))
    elif isinstance(owner, (Opaque, Tree)):
        if isinstance(owner, Opaque):
            _store_in_unknown(it, owner, index, value)
        elif isinstance(index, Const) and index.value is not ...:
            if isinstance(index.value, str) or evidence.used_as_container(it, owner, as_sequence=True):
                argument_mutated(it, owner, events.Change("set", "item", repr(index.value)), value, node)
            _store_in_unknown(it, owner, index, value)
        elif arrays.is_name(index) or evidence.used_as_mapping(it, owner):
            argument_mutated(it, owner, events.Change("set", "item"), value, node)
    elif isinstance(owner, ExternalInstance):
        variables.note_item_set(it, owner, value, node)
    elif isinstance(owner, Instance):
        variables.note_item_set(it, owner, value, node)
        contents = contents_of(it, owner)
        if ask(it, owner, "__setitem__", [index, value], node) is None and contents is not None:
            store_item(it, contents, index, value, node)
    elif isinstance(owner, External) and owner.name == "os.environ":
        outer_write(it, "environ", "os.environ", value, node)
        settings.check_variables(it, [getattr(index, "value", None)], node)


def _is_frozen_dict(owner: Value) -> bool:
    """Whether flax has made it of a dict, so that it cannot be changed."""
    if isinstance(owner, ExternalInstance):
        return owner.made_by == "flax.core.FrozenDict"
    return isinstance(owner, Opaque) and owner.text == FROZEN_DICT


def _store_in_unknown(it: Interpreter, owner: Opaque | Tree, index: Value, value: Value) -> None:
    """A name that only the run knows may be that of any item that was stored before."""
    cell = it.state.write(owner)
    for selector, old in list(cell.items()) if not isinstance(index, (Const, Slice)) else ():
        if isinstance(selector, tuple) and selector[0] == "item" and containers.may_be(index, selector[1]):
            cell[selector] = join_values(old, it.state, value, it.state, it.state)
    cell[_part_selector(index)] = value


def _owner_text(node: ast.AST) -> str:
    target = node.target if isinstance(node, ast.AugAssign) else node
    return dotted(target.value) if isinstance(target, ast.Subscript) else ""


def unpack(it: Interpreter, value: Value, count: int, star: int | None, node: ast.AST) -> list[Value]:
    """The ``count`` values that unpacking gives; the starred one is a list."""
    value = without_none(value)
    if star is None:
        handed_back.check_unpacked(it, value, count, node)
    if taken_apart.is_refused(it, value, count, star, node):
        return [Opaque("missing")] * count
    check_used_up(it, value, node)
    items = known_items(it, value, KNOWN_ITEMS.value)
    if items is not None:
        if star is None:
            return (items + [Opaque("missing")] * count)[:count]
        after = count - star - 1
        middle = containers.make(it, "list", items[star : max(star, len(items) - after)])
        return [*items[:star], middle, *(items[len(items) - after :] if after else [])][:count]
    parts: list[Value] = []
    for number in range(count):
        if number == star:
            parts.append(_rest(it, value, number, number + 1 - count, node))
        else:
            index = number if star is None or number < star else number - count
            parts.append(_unpacked(it, value, index, node))
    return parts


def _rest(it: Interpreter, value: Value, start: int, end: int, node: ast.AST) -> Value:
    """What a starred target gets of something of unknown length, from a place to the one that ``end`` counts from the
    last, 0 for all: of an array of keys a list, each of whose parts is a key, and not one array of them."""
    if isinstance(value, Key):
        rest = get_item(it, value, Slice(Const(start), Const(end) if end else NONE, NONE), node, quiet=True)
        return containers.make(it, "list", None, [iterate(it, rest, node)])
    if isinstance(value, Container) and value.kind != "dict":
        return get_item(it, value, Slice(Const(start), NONE, NONE), node, quiet=True)
    return containers.make(it, "list", None, [iterate(it, value, node)])


def _unpacked(it: Interpreter, value: Value, index: int, node: ast.AST) -> Value:
    """One of the parts of which nobody knows how many there are; each is another key."""
    if isinstance(value, Union):
        return join_options(it, value, [_unpacked(it, option, index, node) for option in value.options])
    if isinstance(value, (Key, Opaque, Tree, Tuple)):
        return get_item(it, value, Const(index), node, quiet=True)
    is_sequence = isinstance(value, Container) and value.kind in ("list", "tuple")
    element = it.state.read(value).get(ANY) if is_sequence else None
    if isinstance(element, Key):
        return get_item(it, value, Const(index), node, quiet=True)
    if isinstance(element, Tree):
        return element.renamed("", element.key.part(("item", index), element.key.text))
    part = iterate(it, value, node)
    if isinstance(value, Array) and isinstance(part, Array):
        slopes.pass_on(value, part)
        if value.slope:
            slopes.note(it, part, "item", (value, Const(index)), node)
    return part
