"""What transforms and loops ask of the functions and the arguments that they are given, and what breaks it for certain.

JAX compares pytrees: their structure, and the abstract values of their leaves.  A claim is made only of what is known
on both sides; something unknown is like anything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.avals import Aval
from jaxlint.flow.domain.contexts import Why
from jaxlint.flow.domain.values import (
    Array,
    Const,
    Container,
    Cut,
    Function,
    HostArray,
    Key,
    KeyId,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
    innermost,
)
from jaxlint.flow.limits import KNOWN_ITEMS, LEAF_DEPTH
from jaxlint.flow.models.arrays import handed_back, slopes
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.objects.iteration import known_fields, known_items
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def kind_of_node(value: Value) -> str:
    """What a value is to JAX as a node of a pytree; empty where that is not known."""
    if isinstance(value, (Array, HostArray, Key)) or is_number(value):
        return "array"
    if isinstance(value, Const) and value.value is None:
        return "None"
    if isinstance(value, Tuple) and not value.declared:
        return "namedtuple" if value.fields or value.cls is not None else "tuple"
    if isinstance(value, Container) and value.kind in ("list", "dict"):
        return value.kind
    return ""


def is_number(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, (bool, int, float, complex))
    return isinstance(value, Static) and value.kind in avals.KINDS


def children(it: Interpreter, value: Value) -> dict[str, Value] | None:
    """The parts of a node by how they are written behind it; None where not all are known."""
    if isinstance(value, Container) and value.kind == "dict":
        fields = known_fields(it, value)
        return None if fields is None else {f"[{name!r}]": part for name, part in sorted(fields.items(), key=str)}
    items = known_items(it, value, KNOWN_ITEMS.value)
    return None if items is None else {f"[{number}]": item for number, item in enumerate(items)}


def exact(leaf: Value) -> Aval:
    """What is known of a leaf, other than by its annotation."""
    if isinstance(leaf, Array):
        return leaf.aval
    if isinstance(leaf, HostArray):
        return Aval(shape=leaf.shape)
    return avals.of_number(leaf.value) if isinstance(leaf, Const) and is_number(leaf) else avals.UNKNOWN


def differences(
    it: Interpreter, a: Value, b: Value, place: str = "", depth: int = 0
) -> Iterator[tuple[Value, Value, str, str]]:
    """The pairs of leaves of two trees, as ``(leaf, other leaf, place, "")``, and where the structure is not the same,
    with the reason in the last part."""
    kinds = kind_of_node(a), kind_of_node(b)
    if not all(kinds) or depth > LEAF_DEPTH.value:
        return
    if kinds[0] != kinds[1]:
        if not (_is_said_to_be(a) or _is_said_to_be(b)):
            yield a, b, place, "structure"
    elif kinds[0] == "array":
        yield a, b, place, ""
    elif kinds[0] != "None":
        mine, others = children(it, a), children(it, b)
        if mine is None or others is None:
            return
        if mine.keys() != others.keys():
            yield a, b, place, "structure"
            return
        for name, part in mine.items():
            yield from differences(it, part, others[name], place + name, depth + 1)


def _is_said_to_be(value: Value) -> bool:
    """Whether nothing but an annotation calls it an array: those of fields are often less than the truth."""
    return isinstance(value, Array) and value.declared and value.aval == avals.UNKNOWN


def described(it: Interpreter, value: Value) -> str:
    """A node in a few words."""
    kind = kind_of_node(value)
    if kind == "array":
        return str(exact(value))
    parts = children(it, value) if kind not in ("", "None") else None
    if parts is None:
        return kind
    if kind == "dict":
        return f"a dict with {', '.join(name[1:-1] for name in parts) or 'nothing'}"
    return f"a {kind} of {len(parts)}"


def in_words(it: Interpreter, value: Value) -> str:
    """A node in a few words; a number as it is."""
    return f"the number {value.value}" if isinstance(value, Const) and is_number(value) else described(it, value)


def is_no_output(it: Interpreter, transform: str, function: Value, result: Value, node: ast.AST) -> bool:
    """Whether a function returns what no transform can: a string, a class, an object that is no tree of arrays."""
    what = no_leaf(it, result)
    if not what:
        return False
    place, scope = where_returned(function, node)
    return it.emit(events.NoOutput(place, transform, what), scope)


# -- loops ----------------------------------------------------------------------------------------------------


def check_pair(it: Interpreter, operation: str, body: Value, result: Value, node: ast.AST) -> None:
    """The body of a scan gives the carry and an output."""
    kind = kind_of_node(result)
    parts = known_items(it, result, KNOWN_ITEMS.value) if kind not in ("", "array", "dict", "None") else None
    if kind in ("array", "dict", "None") or (parts is not None and len(parts) != 2):
        place, scope = where_returned(body, node)
        it.emit(events.NoPair(place, operation, described(it, result)), scope)


Again = Callable[[Callable[[Value], Value]], object]


def as_it_is(it: Interpreter, carry: Value, depth: int = 0) -> Value:
    """What a pass is given, whatever it does to the lists and dicts in there."""
    if isinstance(carry, Tuple):
        return carry.with_items(tuple([as_it_is(it, item, depth) for item in carry.items]))
    if not isinstance(carry, Container) or depth > LEAF_DEPTH.value:
        return carry
    kept = Container(carry.kind, carry.birth, carry.text, carry.provenance, carry.parameter)
    held = {name: as_it_is(it, item, depth + 1) for name, item in it.state.read(carry).items()}
    it.state.write(kept).update(held)
    return kept


def check_carry(
    it: Interpreter,
    operation: str,
    body: Value,
    before: Value,
    after: Value,
    node: ast.AST,
    again: Again,
) -> bool:
    """The carry that a pass gives is of the structure and the types of the one that it was given.  ``again`` goes
    through the next pass, and has changed before what that is given.  Returns whether it can be gone on with."""
    for a, b, place, what in differences(it, before, after):
        found = what or _changed(exact(a), exact(b), isinstance(a, Key) or isinstance(b, Key))
        if found:
            told = (found, place, described(it, a), described(it, b))
            where, scope = where_returned(body, node)
            it.emit(events.CarryChanged(where, operation, *told), scope)
            return not what
    for tree, parts, place in _made_of(it, before, after):
        if _holds(it, parts, tree.key) or _refuses(it, before, again):
            where, scope = where_returned(body, node)
            it.emit(events.CarryChanged(where, operation, "structure", place, "", described(it, parts)), scope)
            return False
    grown = next(_grown(it, before, after), None)
    if grown is not None:
        where, scope = where_returned(body, node)
        it.emit(events.CarryChanged(where, operation, "grown", grown, "", ""), scope)
    return True


def _made_of(
    it: Interpreter, before: Value, after: Value, place: str = "", depth: int = 0
) -> Iterator[tuple[Tree, Tuple, str]]:
    """Where a tuple comes back for something unknown."""
    if isinstance(before, Tree):
        if before.sure and isinstance(after, Tuple) and kind_of_node(after) == "tuple":
            yield before, after, place
    elif kind_of_node(before) == kind_of_node(after) in ("tuple", "list", "dict") and depth <= LEAF_DEPTH.value:
        mine, others = children(it, before), children(it, after)
        if mine is not None and others is not None:
            for name, part in mine.items():
                if name in others:
                    yield from _made_of(it, part, others[name], place + name, depth + 1)


def _holds(it: Interpreter, value: Value, ident: KeyId, depth: int = 0) -> bool:
    """Whether something is a part of a tuple: no tree is a part of itself."""
    if isinstance(value, Tree):
        return value.key is ident
    if kind_of_node(value) in ("", "array", "None") or depth > LEAF_DEPTH.value:
        return False
    return any(_holds(it, part, ident, depth + 1) for part in (children(it, value) or {}).values())


def _refuses(it: Interpreter, before: Value, again: Again) -> bool:
    """Whether a pass takes for an array what it gives as a tuple.  If it were given one it would raise, and otherwise
    the carry is another one afterwards."""
    with it.scratch(), it.keeping() as told:
        again(lambda after: _given_by_a_pass(before, after))
    return any(isinstance(event, events.PairForLoss) for event, _ in told.events.values())


def _given_by_a_pass(before: Value, after: Value) -> Value:
    """A carry in which a tuple that comes back for something unknown remembers where it comes from."""
    if not isinstance(after, Tuple):
        return after
    if isinstance(before, Tree) and before.sure and kind_of_node(after) == "tuple":
        return handed_back.by(handed_back.CARRIED, *after.items)
    if isinstance(before, Tuple) and len(before.items) == len(after.items):
        return after.with_items(tuple(map(_given_by_a_pass, before.items, after.items)))
    return after


def _grown(it: Interpreter, before: Value | KeyId, after: Value, place: str = "", depth: int = 0) -> Iterator[str]:
    """Where in a tree an array comes back with something beside what it was, whatever its shape is.  Of a part of
    something unknown no more is known than its identity."""
    if isinstance(after, Array):
        ident = before.key if isinstance(before, (Array, Tree)) else before
        if any(part.key is ident for part in after.beyond):
            yield place
    elif kind_of_node(after) not in ("", "None") and depth <= LEAF_DEPTH.value:
        parts = _parts_of(it, before)
        for name, part in (children(it, after) or {}).items():
            if name in parts:
                yield from _grown(it, parts[name], part, place + name, depth + 1)


def _parts_of(it: Interpreter, tree: Value | KeyId) -> Mapping[str, Value | KeyId]:
    if isinstance(tree, Tree):
        tree = tree.key
    if isinstance(tree, KeyId):
        return {f"[{selector[1]!r}]": part for selector, part in tree.parts.items() if selector[0] == "item"}
    return children(it, tree) or {}


def _changed(before: Aval, after: Aval, is_key: bool) -> str:
    """What is another one in the carry: Python's numbers are made what the pass makes of them, other than booleans."""
    if is_key:
        return ""
    if avals.other_shape(before, after):
        return "shape"
    if not avals.other_dtype(before, after):
        return ""
    if before.kind != after.kind:
        return "dtype" if after.rank <= before.rank or before.weak is False else ""
    return "dtype" if before.is_strong and after.is_strong else ""


def check_branches(it: Interpreter, operation: str, results: Sequence[Value], node: ast.AST) -> None:
    """All branches give the same."""
    for number, result in enumerate(results[1:], 1):
        for a, b, place, what in differences(it, results[0], result):
            found = what or _differs(exact(a), exact(b), isinstance(a, Key) or isinstance(b, Key))
            if found:
                told = (found, place, described(it, a), described(it, b))
                it.emit(events.BranchesDiffer(node, operation, number, *told))
                return


def _differs(a: Aval, b: Aval, is_key: bool) -> str:
    if is_key:
        return ""
    if avals.other_shape(a, b):
        return "shape"
    if avals.other_dtype(a, b) and (a.kind != b.kind or (a.is_strong and b.is_strong)):
        return "dtype"
    return ""


def where_returned(function: Value, node: ast.AST) -> tuple[ast.AST, ModuleText | None]:
    """The expression that a function returns, if there is one only; else the call that runs it."""
    inner, _, _ = innermost(function)
    if inner is None:
        return node, None
    if isinstance(inner.node, ast.Lambda):
        return inner.node.body, inner.scope
    returns = list(_returns(inner.node.body))
    return (returns[0], inner.scope) if len(returns) == 1 else (node, None)


def _returns(statements: Iterable[ast.AST]) -> Iterator[ast.Return]:
    """The statements that return from the function that these are the body of."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            yield statement
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield from _returns(ast.iter_child_nodes(statement))


def check_kernel(it: Interpreter, kernel: Function, result: Value, node: ast.AST) -> None:
    """A kernel gives nothing: it writes to its references."""
    gives = described(it, result) if kind_of_node(result) not in ("", "None") else ""
    if isinstance(result, Ref):
        gives = "a reference"
    if gives and it.alive:
        place, scope = where_returned(kernel, node)
        it.emit(events.KernelReturns(place, gives), scope)


def check_written(it: Interpreter, kernel: Function, outputs: Sequence[str]) -> None:
    """`o_ref = x` is no write to the reference of an output, which nothing else in the kernel names."""
    parts = list(descendants(kernel.node))
    read = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)}
    lost = [name for name in outputs if name not in read]
    bound = [part for part in parts if isinstance(part, ast.Assign)] if lost else []
    for part in sorted(bound, key=lambda one: one.lineno):
        target = part.targets[0]
        if isinstance(target, ast.Name) and target.id in lost and it.alive:
            it.emit(events.KernelRebinds(part, target.id), kernel.scope)
            lost.remove(target.id)


# -- gradients ------------------------------------------------------------------------------------------------


def check_differentiated(it: Interpreter, transform: str, values: Sequence[Value], node: ast.AST) -> bool:
    """Only floats are differentiated; whether these are, as far as is known."""
    for value in values:
        for leaf, place in leaves(it, value):
            if isinstance(leaf, Key):
                it.emit(events.GradientOfWhole(node, transform, "a key of jax.random", place))
                return False
            if exact(leaf).kind in ("int", "bool"):
                it.emit(events.GradientOfWhole(node, transform, described(it, leaf), place))
                return False
            if isinstance(leaf, Static) and leaf.sure and leaf.kind in ("int", "bool"):
                it.emit(events.GradientOfWhole(node, transform, f"{_PYTHON[leaf.kind]} of Python", place))
                return False
    return True


_PYTHON = {"int": "an int", "bool": "a bool"}


def check_turned_out(it: Interpreter, transform: str, values: Sequence[Value], node: ast.AST) -> None:
    """The same when the function has run, of what it has drawn from: that was a key."""
    for value in values:
        named = {"": value} if kind_of_node(value) in ("", "array") else children(it, value) or {}
        for place, part in named.items():
            if not isinstance(part, Key) and keys.is_known_key(part):
                it.emit(events.GradientOfWhole(node, transform, "a key of jax.random", place))
                return


def leaves(it: Interpreter, value: Value, place: str = "", depth: int = 0) -> Iterator[tuple[Value, str]]:
    kind = kind_of_node(value)
    if kind == "array":
        yield value, place
    elif kind not in ("", "None") and depth <= LEAF_DEPTH.value:
        for name, part in (children(it, value) or {}).items():
            yield from leaves(it, part, place + name, depth + 1)


def refused_loss(
    it: Interpreter, transform: str, result: Value, has_aux: bool, node: ast.AST
) -> events.OfGradient | None:
    """What is differentiated gives one float, with ``has_aux`` a pair of it and anything; else what is to be told."""
    kind = kind_of_node(result)
    if has_aux:
        parts = known_items(it, result, KNOWN_ITEMS.value) if kind not in ("", "array", "dict", "None") else None
        if kind in ("array", "dict", "None") or (parts is not None and len(parts) != 2):
            return events.NoAux(node, transform, described(it, result))
        if parts is None:
            return None
        result, kind = parts[0], kind_of_node(parts[0])
    aval = exact(result)
    if kind == "array":
        is_many = not isinstance(result, Key) and (aval.ends or aval.kind in ("int", "bool", "complex"))
        form = "complex" if aval.kind == "complex" and not aval.ends else ""
        return events.GradientOfMany(node, transform, str(aval), form) if is_many else None
    form = "pair" if kind and _is_pair(it, result) else ""
    return events.GradientOfMany(node, transform, described(it, result), form) if kind else None


def lost_slope(transform: str, result: Value, node: ast.AST) -> events.OfGradient | None:
    """There is a slope, and a way back to what is differentiated; else what is to be told."""
    if not isinstance(result, Array) or result.kind in ("int", "bool"):
        return None
    if result.flat is not None and result.flat.node is not None:
        return events.ZeroGradient(node, transform, result.flat)
    if slopes.goes_back(transform):
        for cut in sorted(result.barriers, key=_place):
            return events.NoWayBack(node, transform, cut)
    return None


def where_wrong(event: events.OfGradient, function: Value, node: ast.AST) -> tuple[ast.AST, ModuleText | None]:
    """Where in a function that is differentiated something is wrong with it."""
    if isinstance(event, (events.ZeroGradient, events.NoWayBack)) and event.operation.node is not None:
        return event.operation.node, event.operation.scope
    return where_returned(function, node)


def _place(cut: Cut) -> tuple[str, int, int]:
    path = "" if cut.scope is None else cut.scope.name
    return path, getattr(cut.node, "lineno", 0), getattr(cut.node, "col_offset", 0)


def _is_pair(it: Interpreter, value: Value) -> bool:
    return len(known_items(it, value, KNOWN_ITEMS.value) or ()) == 2


# -- lanes ----------------------------------------------------------------------------------------------------


def check_lanes(it: Interpreter, transform: str, lanes: Sequence[tuple[str, Value, int]], node: ast.AST) -> None:
    """The mapped axes of all arguments, and of all that they hold, have one size; ``lanes`` are the arguments with
    their axes."""
    first: tuple[str, int] | None = None
    for name, value, axis in _leaves_of(it, lanes):
        shape = exact(value).shape
        if isinstance(value, Key) and _is_single(value):
            it.emit(events.NoAxisToMap(node, transform, name, "a single key", axis, True, value.typed is True))
            return
        if shape is not None and not -len(shape) <= axis < len(shape):
            it.emit(events.NoAxisToMap(node, transform, name, str(exact(value)), axis))
            return
        size = _size_along(value, axis)
        if size is None:
            continue
        if first is not None and first[1] != size:
            it.emit(events.LanesDiffer(node, transform, first, (name, size)))
            return
        first = first or (name, size)


def _is_single(key: Key) -> bool:
    """Whether it is one key: one that was made of a seed or folded, or one of as many as a number says.  Mapped over,
    it is a scalar, or the numbers of a raw key are taken for one key each."""
    if key.batch or not key.ranked:
        return False
    whole = key.ident.parent
    if whole is None:
        return key.ident.text == "key"
    is_split = whole.text == "split" and (whole.many is None or isinstance(whole.many, Const))
    return is_split or key.ident.selector[0] == "fold"


def _leaves_of(it: Interpreter, lanes: Iterable[tuple[str, Value, int]]) -> Iterator[tuple[str, Value, int]]:
    for name, value, axis in lanes:
        for leaf, place in leaves(it, value):
            yield name + place, leaf, axis


def count_lanes(it: Interpreter, lanes: Iterable[tuple[str, Value, int]]) -> int | None:
    """How many lanes there are, if any of the arguments tells."""
    sizes = (_size_along(leaf, axis) for _, leaf, axis in _leaves_of(it, lanes))
    return next((size for size in sizes if size is not None), None)


def _size_along(leaf: Value, axis: int) -> int | None:
    """The size of an axis that is known, and there."""
    if isinstance(leaf, Key):
        return leaf.size if leaf.ranked and leaf.dims == 1 and axis == 0 else None
    aval = exact(leaf)
    if aval.shape is None and axis >= 0:
        return None
    return aval.ends[axis] if -len(aval.ends) <= axis < len(aval.ends) else None


def check_one_for_all(
    it: Interpreter,
    transform: str,
    result: Value,
    axes: Value,
    mapped: Sequence[Value],
    node: ast.AST,
    applied: ast.AST | None,
) -> None:
    """What ``axes`` say to be one for all lanes is not an argument that is mapped, nor computed of one."""
    for part, place in _said_to_be_one(it, result, axes):
        for leaf, where in leaves(it, part, place):
            if isinstance(leaf, Array) and (
                any(isinstance(one, Array) and one.key is leaf.key for one in mapped) or is_of_lane(leaf, applied)
            ):
                it.emit(events.OutputMapped(node, transform, where))
                return


def is_of_lane(leaf: Array, applied: ast.AST | None) -> bool:
    """Whether it is a tracer that comes of what the map that is made there has gone through, and no collective has
    made one of it for all."""
    step = leaf.provenance
    if step is None or step.why not in (Why.PARAMETER, Why.ARGUMENT) or step.parent is None:
        return False
    return step.parent.node is applied and step.parent.why is Why.APPLIED


def _said_to_be_one(it: Interpreter, result: Value, axes: Value) -> Iterator[tuple[Value, str]]:
    """The parts of a result for which ``out_axes`` says None, and where they are."""
    if isinstance(axes, Const):
        if axes.value is None:
            yield result, ""
        return
    said, parts = known_items(it, axes, KNOWN_ITEMS.value), known_items(it, result, KNOWN_ITEMS.value)
    if kind_of_node(axes) in ("tuple", "list") and said is not None and parts is not None and len(said) == len(parts):
        for number, (part, axis) in enumerate(zip(parts, said)):
            if isinstance(axis, Const) and axis.value is None:
                yield part, f"[{number}]"
