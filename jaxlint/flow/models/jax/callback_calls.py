"""What callbacks from a trace to the host are given, told to give, and give."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import Aval
from jaxlint.flow.domain.values import (
    CONCRETE,
    TOLD_SHAPE,
    Array,
    Const,
    Container,
    External,
    Function,
    HostArray,
    Static,
    Tuple,
    Value,
    innermost,
)
from jaxlint.flow.limits import KNOWN_ITEMS, LEAF_DEPTH
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.models.jax.contracts import children, kind_of_node
from jaxlint.flow.models.jax.map_calls import is_no_function
from jaxlint.flow.models.jax.replaced import may_be_replaced
from jaxlint.flow.models.jax.transforms import lower
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.flow.source.unflattened import returned
from jaxlint.semantics.arrays import DTYPES
from jaxlint.semantics.callbacks import OPTIONS
from jaxlint.semantics.removed import ARGUMENTS

_T = TypeVar("_T")


def is_refused(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> bool:
    """Whether a callback fails, at the call or when it runs, or never runs."""
    options = OPTIONS.get(name)
    function = args.get(0, "callback")
    if options is None or function is None or args.open_ended:
        return False
    what = is_no_function(function)
    if what:
        return it.emit(events.CallbackMisused(node, name, "function", what))
    first = 2 if "result_shape_dtypes" in options else 1
    old = {removed.keyword for removed in ARGUMENTS.get(name, ())}
    named = {key: value for key, value in args.named.items() if key not in options}
    if old & named.keys():
        return True
    told = args.get(1, "result_shape_dtypes") if first == 2 else Const(None)
    if told is None:
        return False
    refused = _no_shape(it, told)
    if refused:
        return it.emit(events.CallbackMisused(node, name, "shapes", refused))
    if _is_never_run(it, name, told, node):
        return it.emit(events.CallbackMisused(node, name, "unused"))
    given = args.positional[first:]
    taken = taken_by(it, function)
    if taken is not None and taken.refuses(len(given), named):
        return it.emit(events.CallbackMisused(node, name, "parameters", taken=taken, passed=(len(given), tuple(named))))
    if first != 2:
        return False
    batch = not _gets_one_lane(it, name, args)
    return _gives_other(it, name, function, Arguments(given, named), told, node, batch)


def _gets_one_lane(it: Interpreter, name: str, args: Arguments) -> bool:
    """Whether the callback is given what is passed here: under a map it may be given all lanes at once."""
    if name != "jax.pure_callback":
        return True
    method = args.named.get("vmap_method", Const(None))
    if not isinstance(method, Const):
        return False
    return method.value in _ONE_BY_ONE or (method.value is None and not it.ctx.mapped)


_ONE_BY_ONE = ("sequential", "sequential_unrolled")


def _is_never_run(it: Interpreter, name: str, told: Value, node: ast.AST) -> bool:
    """Whether nobody uses what a pure callback gives."""
    if name != "jax.pure_callback":
        return False
    if isinstance(told, Const) and told.value is None:
        return True
    return it.ctx.is_compiled and isinstance(it.statement, ast.Expr) and it.statement.value is node


def _no_shape(it: Interpreter, told: Value, depth: int = 0) -> str:
    """What kind of thing is told that has no shape and dtype."""
    if isinstance(told, Const):
        return "" if told.value is None else type(told.value).__name__
    if isinstance(told, Static):
        return told.kind if told.kind in ("shape", "str", "dtype") else ""
    if isinstance(told, External):
        return "dtype" if told.name in DTYPES else ""
    if isinstance(told, (Tuple, Container)) and depth <= LEAF_DEPTH.value:
        items = known_items(it, told, KNOWN_ITEMS.value) if kind_of_node(told) in ("tuple", "list") else None
        if items and all(isinstance(item, Const) and isinstance(item.value, int) for item in items):
            return "shape"
        return next(filter(None, (_no_shape(it, item, depth + 1) for item in items or ())), "")
    return ""


# -- what it gives --------------------------------------------------------------------------------------------


def _gives_other(
    it: Interpreter, name: str, function: Value, args: Arguments, told: Value, node: ast.AST, batch: bool
) -> bool:
    """Whether a callback gives another number of arrays than is told or, if it is given no ``batch``, other shapes."""
    shapes = _told(it, told)
    inner = innermost(function)[0]
    if shapes is None or inner is None or it.is_running(inner.node) or may_be_replaced(it, function):
        return False
    host = Arguments(
        [lower(it, value, CONCRETE) for value in args.positional],
        {key: lower(it, value, CONCRETE) for key, value in args.named.items()},
    )
    with it.scratch(), it.quiet(), it.context(it.ctx.leave()):
        alive = it.alive
        result = it.call(function, host, node)
        reached, it.alive = it.alive, alive
        leaves = _leaves(it, result) if reached else None
    if leaves is None and reached and _filled(it, inner) is not None:
        leaves = [HostArray()]
    if leaves is None:
        return False
    if len(leaves) != len(shapes):
        return it.emit(events.CallbackMisused(node, name, "count", str(len(leaves)), str(len(shapes))))
    for leaf, shape in zip(leaves, () if batch else shapes):
        found_shape = _shape_of(it, leaf, inner if len(leaves) == 1 else None)
        if avals.other_shape(Aval(shape=found_shape), shape):
            found = str(Aval(shape=found_shape)).removeprefix("array")
            return it.emit(events.CallbackMisused(node, name, "shape", found, str(shape).removeprefix("array")))
    return False


def _told(it: Interpreter, told: Value, depth: int = 0) -> list[Aval] | None:
    """The shapes that are told; None if not all of them are seen."""
    if isinstance(told, Static):
        shape = it.state.read(told).get(TOLD_SHAPE)
        if shape is None:
            return None
        return [Aval(shape=tuple(map(_size, shape.items)) if isinstance(shape, Tuple) else None)]
    if isinstance(told, Array) and not told.declared:
        return [told.aval]
    if isinstance(told, HostArray):
        return [Aval()]
    return _of_parts(it, told, depth, _told)


def _size(value: Value) -> int | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else None


def _of_parts(
    it: Interpreter, value: Value, depth: int, each: Callable[[Interpreter, Value, int], list[_T] | None]
) -> list[_T] | None:
    if kind_of_node(value) == "None":
        return []
    parts = children(it, value) if kind_of_node(value) not in ("", "array") and depth <= LEAF_DEPTH.value else None
    if parts is None:
        return None
    found: list[_T] = []
    for part in parts.values():
        leaves = each(it, part, depth + 1)
        if leaves is None:
            return None
        found += leaves
    return found


def _leaves(it: Interpreter, value: Value, depth: int = 0) -> list[Value] | None:
    """The leaves of what it gives; None if not all of them are seen."""
    if kind_of_node(value) == "array":
        return None if isinstance(value, Array) and value.declared else [value]
    return _of_parts(it, value, depth, _leaves)


def _shape_of(it: Interpreter, leaf: Value, function: Function | None) -> avals.Shape | None:
    if isinstance(leaf, Array):
        return leaf.aval.shape
    if isinstance(leaf, (Const, Static)):
        return ()
    return _filled(it, function) if function is not None and isinstance(leaf, HostArray) else None


_FILLED = frozenset(f"numpy.{name}" for name in ("zeros", "ones", "empty", "full"))
_NUMBERED = {"numpy.linspace": (2, "num", 50), "numpy.geomspace": (2, "num", 50), "numpy.logspace": (2, "num", 50)}
"""What makes a row of numbers: the argument that says of how many, and of how many else."""
_KEEPING = frozenset(("astype", "copy"))


def _filled(it: Interpreter, function: Function) -> avals.Shape | None:
    """The shape of what a function makes and returns, if it is written there."""
    values = returned(function.node)
    made = values[0] if values is not None and len(values) == 1 else None
    return _written(it, function, made) if made is not None else None


def _written(it: Interpreter, function: Function, made: ast.expr, depth: int = 0) -> avals.Shape | None:
    """The shape of an array that NumPy makes of sizes that are written there."""
    if isinstance(made, ast.Name):
        walked = function.scope.walked(function.node)
        stores = walked.stores.get(made.id, ())
        is_changed = made.id in walked.parameters or _gets_another_shape(function, made.id)
        bound = walked.assigned.get(stores[0]) if len(stores) == 1 and not is_changed else None
        return _written(it, function, bound, depth + 1) if bound is not None and depth <= LEAF_DEPTH.value else None
    if isinstance(made, ast.Subscript):
        call, number = made.value, made.slice
        is_first = isinstance(number, ast.Constant) and number.value == 0
        bins = _number_of(it, function, call, "numpy.histogram", (1, "bins", 10)) if is_first else None
        return None if bins is None else (bins,)
    if not isinstance(made, ast.Call):
        return None
    if isinstance(made.func, ast.Attribute) and made.func.attr in _KEEPING:
        return _written(it, function, made.func.value, depth)
    called = _called(it, function, made)
    if called in _NUMBERED and all(map(_is_number, made.args[:2])):
        count = _number_of(it, function, made, called, _NUMBERED[called])
        return None if count is None else (count,)
    return _sizes(made.args[0]) if called in _FILLED and made.args else None


def _is_number(written: ast.expr) -> bool:
    """Whether it is written as a number, or asks an array for one: x.max()."""
    if isinstance(written, ast.UnaryOp):
        return _is_number(written.operand)
    if isinstance(written, ast.Call):
        return isinstance(written.func, ast.Attribute) and written.func.attr in ("max", "min") and not written.args
    return isinstance(written, ast.Constant)


def _gets_another_shape(function: Function, name: str) -> bool:
    """Whether an array is given another shape in place: x.shape = (2, 4), x.resize(8)."""
    return any(
        isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id == name
        and (part.attr == "resize" or isinstance(part.ctx, ast.Store))
        for part in descendants(function.node)
    )


def _sizes(written: ast.expr) -> avals.Shape | None:
    sizes = written.elts if isinstance(written, (ast.Tuple, ast.List)) else [written]
    known = [part.value for part in sizes if isinstance(part, ast.Constant) and isinstance(part.value, int)]
    return tuple(known) if len(known) == len(sizes) else None


def _called(it: Interpreter, function: Function, call: ast.expr) -> str:
    if not isinstance(call, ast.Call) or not isinstance(call.func, (ast.Name, ast.Attribute)):
        return ""
    called = it.eval_annotation(call.func, function)
    return called.name if isinstance(called, External) else ""


def _number_of(
    it: Interpreter, function: Function, call: ast.expr, name: str, said: tuple[int, str, int]
) -> int | None:
    """What a call of ``name`` says for an argument that is a number, or else takes for it."""
    if not isinstance(call, ast.Call) or _called(it, function, call) != name:
        return None
    place, keyword, default = said
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return None
    named = next((one.value for one in call.keywords if one.arg == keyword), None)
    written = call.args[place] if len(call.args) > place else named
    if written is None:
        return default
    return written.value if isinstance(written, ast.Constant) and type(written.value) is int else None
