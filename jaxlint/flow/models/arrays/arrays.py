"""Operators on arrays, and the checks every use of an array goes through.

Each ``check_*`` looks at operands and emits the event of what JAX does with them; results are computed by
the callers, so that a finding never stops the analysis.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import operator
from collections.abc import Iterable
from typing import Any, TypeGuard

from jaxlint.flow.domain import events
from jaxlint.flow.domain.avals import UNKNOWN, Aval
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.state import excluded, has_to_be_static, join_values
from jaxlint.flow.domain.values import (
    ABSTRACT,
    COMPUTED,
    CONCRETE,
    DIFFERENCE,
    FREE,
    GRAD,
    NOTHING,
    SQUARE,
    Array,
    At,
    ClassValue,
    Const,
    Container,
    External,
    Function,
    HostArray,
    Instance,
    Key,
    Leaf,
    Method,
    ModuleValue,
    Opaque,
    Partial,
    Ref,
    Slice,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    without_none,
)
from jaxlint.flow.limits import KNOWN_ITEMS, REPEATED_ITEMS, SHOWN_PARTS_DEPTH
from jaxlint.flow.models.arrays import (
    changeable,
    dtypes,
    formatted,
    handed_back,
    left_out,
    low_precision,
    references,
    results,
    several,
    slopes,
    strict,
    unset,
    whole,
    widths,
    wrapped,
)
from jaxlint.flow.models.names import buffers, clocks, evidence, waits
from jaxlint.flow.models.objects import containers, copying, unknown_copies
from jaxlint.flow.models.objects.binding import ask, ask_first
from jaxlint.flow.models.objects.classes import find_member
from jaxlint.flow.models.objects.hashing import unhashable
from jaxlint.flow.models.objects.iteration import iterate, known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants
from jaxlint.flow.source.updated_in_vain import may_be_read_after, updates_in_vain
from jaxlint.semantics.array_members import MEMBERS, UNAVAILABLE_ATTRIBUTES
from jaxlint.semantics.arrays import DTYPES, NUMBERS
from jaxlint.semantics.host import effect_of
from jaxlint.vocabulary.findings import Certainty

# -- what a value is ----------------------------------------------------------------------------------------


def tracer_in(
    it: Interpreter,
    value: Value,
    minimum: int = ABSTRACT,
    depth: int = 0,
    derived: bool = False,
    seen: set[Value] | None = None,
) -> Value | None:
    """A tracer that ``value`` is or contains, or None.  ``derived``: what unseen code made of one counts too."""
    if isinstance(value, (Array, Tree)):
        return value if value.level >= minimum and _is_certain(value) else None
    if isinstance(value, Key):
        return value if value.level >= minimum and value.provenance is not None else None
    if isinstance(value, Static):
        return value.tainted
    if isinstance(value, Opaque) and value.derived is not None and derived:
        return value
    if depth > SHOWN_PARTS_DEPTH.value:
        return None
    seen = set() if seen is None else seen
    parts: Iterable[Value] = ()
    if isinstance(value, (Tuple, Container)):
        if value in seen:
            return None
        seen.add(value)
    if isinstance(value, Tuple):
        parts = value.items
    elif isinstance(value, Container):
        parts = list(it.state.read(value).values())
    elif isinstance(value, Union):
        found = [tracer_in(it, option, minimum, depth + 1, derived) for option in value.options]
        return found[0] if found and all(found) else None
    for part in parts:
        tracer = tracer_in(it, part, minimum, depth + 1, derived, seen)
        if tracer is not None:
            return tracer
    return None


def index_parts(index: Value) -> tuple[Value, ...]:
    """The parts of a subscript: x[a, b] has two."""
    return index.items if isinstance(index, Tuple) else (index,)


def is_scalar_index(index: Value) -> bool:
    return isinstance(index, Array) and index.ndim == 0


def is_name(index: Value) -> bool:
    """Whether ``index`` is a string, or a tuple with one: no array is indexed so, and what is must be a mapping."""
    if isinstance(index, Tuple):
        return any(map(is_name, index.items))
    if isinstance(index, Const):
        return isinstance(index.value, str)
    return isinstance(index, Static) and index.kind == "str"


def is_array_index(index: Value) -> bool:
    """Whether only an array can be indexed so (a dict or list cannot)."""
    if isinstance(index, Tuple):
        return not is_name(index)
    return isinstance(index, Array) or (isinstance(index, Const) and (index.value is None or index.value is ...))


def _is_array(value: Value) -> bool:
    return isinstance(value, (Array, Tree))


def as_operand(value: Value, op: ast.AST | None = None) -> Value:
    """What an operator, or a conversion, finds: no module of a library knows any, so that it must be an array, or a
    number, of which there is no product of matrices."""
    if (
        isinstance(value, Opaque)
        and value.leaf is not None
        and (isinstance(op, ast.MatMult) or not value.leaf.or_number)
    ):
        return as_array(value, value.leaf)
    return value


def as_array(value: Opaque, leaf: Leaf) -> Array:
    """What is unknown, but an array by what is asked of it, where arrays are traced."""
    return Array(ABSTRACT, leaf.reason, key=value.key, declared=True)


def sequence_kind(value: Value) -> str:
    """What kind of Python sequence it is, if it is one: JAX takes none for an array."""
    if isinstance(value, Container):
        return value.kind if value.kind in ("list", "tuple") else ""
    if isinstance(value, Static):
        return "shape" if value.kind == "shape" else ""
    return "tuple" if isinstance(value, Tuple) else ""


def check_sequence_operand(it: Interpreter, left: Value, right: Value, op: ast.AST, node: ast.AST) -> None:
    """x + [1, 2], [0] * n: TypeError, whatever is in the list; what is only declared to be an array may be of NumPy."""
    for array, other in ((left, right), (right, left)):
        kind = sequence_kind(other)
        if isinstance(array, Array) and not array.declared and kind:
            it.emit(events.ListArgument(node, "an operator", kind))


# -- operators ----------------------------------------------------------------------------------------------


def _of_objects(it: Interpreter, operands: tuple[Value, ...], op: ast.AST, node: ast.AST) -> Value | None:
    """What operators give that a class has of its own; None if all of the operands may be arrays."""
    if not any(_has_own_operators(it, operand) for operand in operands):
        return None
    for owner, other, method in zip(operands, (operands[1:], operands[:1]), _METHODS.get(type(op), ())):
        found = ask(it, owner, method, list(other), node)
        if found is not None and not _leaves_it_to_others(found):
            return found
    tracer = next((operand for operand in operands if isinstance(operand, (Array, Tree)) and operand.level), None)
    return Opaque("a result", derived=tracer.provenance if tracer is not None else None)


def _leaves_it_to_others(value: Value) -> bool:
    """Whether a method of an operator may say that it knows nothing of the other operand."""
    if isinstance(value, Union):
        return any(map(_leaves_it_to_others, value.options))
    return isinstance(value, External) and value.name == "builtins.NotImplemented"


def in_place(it: Interpreter, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value:
    """left op= right: an object may have a method of its own for it, such as `__iadd__`."""
    name = _METHODS[type(op)][0].replace("__", "__i", 1)
    found = ask(it, left, name, [right], node)
    return found if found is not None and not _leaves_it_to_others(found) else binary(it, left, right, op, node)


_METHODS: dict[type, tuple[str, ...]] = {
    **{
        kind: (f"__{name}__", f"__r{name}__")
        for kind, name in (
            (ast.Add, "add"),
            (ast.Sub, "sub"),
            (ast.Mult, "mul"),
            (ast.MatMult, "matmul"),
            (ast.Div, "truediv"),
            (ast.FloorDiv, "floordiv"),
            (ast.Mod, "mod"),
            (ast.Pow, "pow"),
            (ast.LShift, "lshift"),
            (ast.RShift, "rshift"),
            (ast.BitAnd, "and"),
            (ast.BitOr, "or"),
            (ast.BitXor, "xor"),
        )
    },
    ast.Eq: ("__eq__", "__eq__"),
    ast.NotEq: ("__ne__", "__ne__"),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
    ast.USub: ("__neg__",),
    ast.UAdd: ("__pos__",),
    ast.Invert: ("__invert__",),
}
"""What Python asks the left operand for, and else the right one."""


def _has_own_operators(it: Interpreter, value: Value) -> bool:
    """Whether it is an object and no array: of a class of the project, or asked for an attribute that no array has."""
    if isinstance(value, Instance):
        return find_member(it, value.cls, "__jax_array__") is None
    if not isinstance(value, Tree) or value.array_like:
        return False
    return any(selector[0] == "attr" and selector[1] not in MEMBERS for selector in value.parts)


_FOLDED: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: operator.truediv,
}
_BITWISE: dict[type, Any] = {ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor}
_OF_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.MatMult)
_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _types_of(value: Value) -> tuple[Value, ...] | None:
    """The classes that `int | float` is of; None for what is no class."""
    if isinstance(value, Const) and value.value is None:
        return (External("types.NoneType"),)
    if isinstance(value, Tuple) and value.items and all(isinstance(one, (ClassValue, External)) for one in value.items):
        return value.items
    is_type = isinstance(value, ClassValue) or (isinstance(value, External) and value.name in _TYPES)
    return (value,) if is_type else None


_TYPES = frozenset(f"builtins.{name}" for name, value in vars(builtins).items() if isinstance(value, type))
_TYPES |= DTYPES | frozenset(
    "jax.Array jax.numpy.ndarray jax.core.Tracer numpy.ndarray numpy.generic numpy.number numpy.floating numpy.integer "
    "numbers.Number numbers.Real numbers.Integral collections.abc.Callable collections.abc.Mapping "
    "collections.abc.Sequence typing.Callable typing.Mapping typing.Sequence".split()
)


def binary(it: Interpreter, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value:
    """left op right."""
    types = (_types_of(left), _types_of(right)) if isinstance(op, ast.BitOr) else (None, None)
    if types[0] is not None and types[1] is not None:
        return Tuple((*types[0], *types[1]))  # a check of types takes it as it takes a tuple
    if isinstance(op, ast.BitOr) and (_is_dict(left) or _is_dict(right)):
        return _united(it, left, right, node)
    left, right = as_operand(without_none(left), op), as_operand(without_none(right), op)
    references.check_operands(it, (left, right), node)
    if isinstance(left, Const) and isinstance(right, Const):
        return _folded(left, right, op)
    if isinstance(left, Const) and isinstance(left.value, str) and isinstance(op, ast.Mod):
        clocks.wait_for(it, (right,))
        formatted.check_percent(it, left.value, right, node)
        return Static("str", tainted=tracer_in(it, right))
    for operand in (left, right):
        if isinstance(operand, Key):
            note_key_arithmetic(it, op, node, typed=operand.typed)
            return Opaque("arithmetic on a key")
    if isinstance(op, _OF_NUMBERS) and not handed_back.check_operator(it, op, left, right, node):
        return Opaque("a result")
    handed_back.check_step(it, op, left, right, node)
    if _holds_arrays(left) or _holds_arrays(right):
        return _joined_sequence(left, right, op)
    of_objects = _of_objects(it, (left, right), op, node)
    if of_objects is not None:
        return of_objects
    joined = _joined_with_argument(it, left, right) if isinstance(op, ast.Add) else None
    if joined is not None:
        return joined
    if _is_array(left) or _is_array(right):
        return _array_result(it, left, right, op, node)
    if isinstance(left, Union) or isinstance(right, Union):
        return _lifted(it, left, right, op, node)
    if _is_host_result(it, left, right):
        return HostArray(birth=it.ctx, shape=results.of_operator(op, left, right).shape)
    if isinstance(left, (Tuple, Container)) and _leaves_sequences(op, right):
        return _sequence_result(it, left, right, op)
    if left.is_static and right.is_static:
        if isinstance(op, ast.Sub):
            clocks.check_difference(it, left, right, node)
        return _static_result(left, right, op)
    return Opaque(_told_of_result(left, right, op))


def _is_dict(value: Value) -> bool:
    return isinstance(value, Container) and value.kind == "dict"


def _united(it: Interpreter, left: Value, right: Value, node: ast.AST) -> Value:
    """`defaults | {"lr": lr}`: a new dict, which only another one goes with."""
    made = containers.make(it, "dict", [])
    for part in (left, right):
        containers.extend(it, made, part, node)
    return made


def note_key_arithmetic(it: Interpreter, op: ast.operator, node: ast.AST, *, typed: bool | None) -> None:
    per_process = not typed and isinstance(op, ast.Add) and _adds_process(it, node)
    it.emit(events.KeyArithmetic(node, "arithmetic", "per process" if per_process else ""))


def _told_of_result(left: Value, right: Value, op: ast.operator) -> str:
    """What is told of a result by no more than how it was computed."""
    told = {getattr(part, "text", "") for part in (left, right)}
    if isinstance(op, ast.Sub) or DIFFERENCE in told:
        return DIFFERENCE
    if isinstance(op, (ast.Mult, ast.Div)) and SQUARE in told:
        return DIFFERENCE if slopes.is_negative(left) or slopes.is_negative(right) else SQUARE
    is_square = isinstance(op, ast.Pow) and isinstance(right, Const) and right.value == 2
    return SQUARE if is_square or (isinstance(op, ast.Mult) and left is right) else COMPUTED


def _is_host_result(it: Interpreter, left: Value, right: Value) -> bool:
    """Whether NumPy computes it: with something unknown, which may be a jax array, it may be jax that does."""
    return (isinstance(left, HostArray) and _is_of_host(it, right)) or (
        isinstance(right, HostArray) and _is_of_host(it, left)
    )


def _is_of_host(it: Interpreter, value: Value) -> bool:
    """Whether NumPy takes it for a number, or makes an array of it where no other array is in it."""
    if isinstance(value, Tuple):
        return all(_is_of_host(it, part) for part in value.items)
    if isinstance(value, Container):
        return value.kind == "list" and all(part.is_static for part in _parts_held(it, value))
    return value.is_static


def _parts_held(it: Interpreter, value: Container) -> list[Value]:
    cell = it.state.read(value).values()
    return [part for held in cell for part in (held.items if isinstance(held, Tuple) else (held,))]


def _leaves_sequences(op: ast.operator, right: Value) -> bool:
    """Whether Python joins or repeats a sequence that something else is added to, or that is multiplied by it: an array
    computes with what is in it."""
    if isinstance(op, ast.Mult):
        return isinstance(right, (Const, Static))
    return isinstance(op, ast.Add) and not isinstance(right, HostArray)


def _folded(left: Const, right: Const, op: ast.operator) -> Value:
    fold = _FOLDED.get(type(op))
    a, b = left.value, right.value
    if (
        fold is not None
        and isinstance(a, (int, float))
        and isinstance(b, (int, float))
        and abs(a) < _WIDEST
        and abs(b) < _WIDEST
    ):
        try:
            return Const(fold(a, b))
        except ArithmeticError:
            return Static("float", sure=True)
    if (
        isinstance(op, ast.Pow)
        and isinstance(a, (int, float))
        and isinstance(b, int)
        and 0 <= b <= _MOST_BITS >= abs(a)
    ):
        return Const(a**b)
    bitwise = _BITWISE.get(type(op))
    if bitwise is not None and isinstance(a, int) and isinstance(b, int) and abs(a) < _WIDEST and abs(b) < _WIDEST:
        return Const(bitwise(a, b))
    if isinstance(a, str):
        return Static("str", sure=True)
    return Static(_kind_of_numbers(a, b, op), sure=True)


_WIDEST, _MOST_BITS = 2.0**64, 64
"""Numbers up to which sums and products, and powers, are worth knowing."""

_NUMBERS: tuple[type, ...] = (bool, int, float, complex)
"""In the order in which the later wins over the earlier."""


def _kind_of_numbers(a: object, b: object, op: ast.operator) -> str:
    """What Python makes of two numbers; empty if they are none."""
    if type(a) not in _NUMBERS or type(b) not in _NUMBERS:
        return ""
    kind = max(type(a), type(b), key=_NUMBERS.index)
    if isinstance(op, ast.Pow) and kind is not complex:
        return "" if kind is float else "int" if isinstance(b, int) and b >= 0 else "float"
    if isinstance(op, ast.Div) and kind is not complex:
        return "float"
    return "int" if kind is bool and type(op) not in _BITWISE else kind.__name__


def _static_result(left: Value, right: Value, op: ast.operator) -> Value:
    of_shape = any(isinstance(part, Static) and part.of_shape for part in (left, right))
    tainted = next((part.tainted for part in (left, right) if isinstance(part, Static) and part.tainted), None)
    kinds = {_kind_of(part, op) for part in (left, right)}
    kind = "str" if "str" in kinds else _kind_of_kinds(kinds, op)
    drawn = next((part.drawn for part in (left, right) if isinstance(part, Static) and part.drawn), None)
    return Static(kind, of_shape, tainted, least=_least_of(left, right, op), drawn=drawn, sure=True)


def _kind_of(operand: Value, op: ast.operator) -> str:
    """The type of a number, or of something else; what is only declared to be a float may be an int, of which only a
    quotient is none."""
    if isinstance(operand, Static):
        is_told = operand.sure or operand.kind != "float" or isinstance(op, ast.Div)
        return operand.kind if is_told else ""
    if isinstance(operand, External):
        return "float" if operand.name in NUMBERS else ""
    return type(getattr(operand, "value", None)).__name__


def _kind_of_kinds(kinds: set[str], op: ast.operator) -> str:
    """What Python makes of two things of these kinds: of numbers of several kinds one of the widest.  What is of no
    known kind may be an array of NumPy."""
    if isinstance(op, ast.Div):
        return "float" if kinds <= {"bool", "int", "float"} else ""
    if len(kinds) == 1:
        (kind,) = kinds
        return "int" if kind == "bool" and type(op) not in _BITWISE else kind
    if not kinds <= {"bool", "int", "float"} or isinstance(op, ast.Pow):  # -8 ** 0.5 is complex
        return ""
    return "float" if "float" in kinds else "int"


def _least_of(left: Value, right: Value, op: ast.operator) -> int | None:
    """The smallest number that a sum or a product can be, if that of both parts is known."""
    least, other = (part.least if isinstance(part, Static) else getattr(part, "value", None) for part in (left, right))
    if not isinstance(least, int) or not isinstance(other, int) or not isinstance(op, (ast.Add, ast.Mult)):
        return None
    if isinstance(op, ast.Add):
        return least + other
    return least * other if min(least, other) >= 0 else None


def _sequence_result(it: Interpreter, left: Value, right: Value, op: ast.operator) -> Value:
    mine, other = known_items(it, left, KNOWN_ITEMS.value), known_items(it, right, KNOWN_ITEMS.value)
    kind = left.kind if isinstance(left, Container) else "tuple"
    if isinstance(op, ast.Add) and mine is not None and other is not None:
        return Tuple(tuple(mine + other)) if kind == "tuple" else containers.make(it, kind, mine + other)
    count = right.value if isinstance(right, Const) else None
    if (
        isinstance(op, ast.Mult)
        and mine is not None
        and isinstance(count, int)
        and len(mine) * count <= REPEATED_ITEMS.value
    ):
        items = mine * max(count, 0)
        return Tuple(tuple(items)) if kind == "tuple" else containers.make(it, kind, items)
    elements = (mine or [iterate(it, left, ast.Pass())]) + (other or [])
    return containers.make(it, kind, None, elements)


def _holds_arrays(value: Value) -> bool:
    return isinstance(value, Tree) and bool(value.holds)


def _joined_sequence(left: Value, right: Value, op: ast.operator) -> Value:
    """rows + rows, rows * 2, where rows are declared to be a list of arrays."""
    tree = left if isinstance(left, Tree) else right
    is_longer = isinstance(op, ast.Mult) or (_holds_arrays(left) and _holds_arrays(right))
    if isinstance(tree, Tree) and tree.container == "sequence" and is_longer:
        return Tree(tree.level, tree.provenance, sure=tree.sure, holds=tree.holds)
    return Opaque("a result")


def _joined_with_argument(it: Interpreter, left: Value, right: Value) -> Value | None:
    """[first] + rows + [last]: where an argument is added to a list, it is one, too; an array JAX would refuse.  So is
    what an annotation wrongly calls an array: `params.shape + (1,)`."""
    for tree, other in ((left, right), (right, left)):
        kind = sequence_kind(other)
        if isinstance(tree, Array) and tree.declared and kind:
            return Opaque("a result")
        if isinstance(tree, Tree) and not tree.array_like and kind in ("list", "tuple"):
            if not tree.sure:
                return Opaque("a result")
            items = known_items(it, other, KNOWN_ITEMS.value) or [iterate(it, other, ast.Pass())]
            return containers.make(it, kind, None, [*items, tree.element()])
    return None


def _lifted(it: Interpreter, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value:
    with it.quiet():
        results = [
            binary(it, a, b, op, node)
            for a in (left.options if isinstance(left, Union) else (left,))
            for b in (right.options if isinstance(right, Union) else (right,))
        ]
    joined = results[0]
    for result in results[1:]:
        joined = join_values(joined, it.state, result, it.state, it.state)
    return joined


def _array_result(it: Interpreter, left: Value, right: Value, op: ast.operator, node: ast.AST) -> Value:
    if isinstance(node, ast.BinOp) and isinstance(op, ast.Mult):
        for written, other in ((node.left, right), (node.right, left)):
            if isinstance(written, (ast.List, ast.Tuple)):
                check_sequence_index(it, "list", other, node)
    if isinstance(op, ast.Mult) and (is_name(left) or is_name(right)):
        clocks.wait_for(it, (left, right))  # "-" * x asks for a number
    for part in (left, right):
        dtypes.check_operand(it, part)
        check_counted(it, part)
    if isinstance(op, ast.MatMult) and not any(getattr(part, "declared", False) for part in (left, right)):
        clocks.begin(it, "@", node)
    check_sequence_operand(it, left, right, op, node)
    strict.check_operator(it, op, left, right, node)
    widths.check_operator(it, op, left, right, node)
    wrapped.check_operator(it, op, left, right, node)
    low_precision.check_operator(it, op, left, right, node)
    unset.check_operator(it, op, left, right, node)
    kind = ""
    kinds = [part.kind if isinstance(part, (Array, Static)) else _const_kind(part) for part in (left, right)]
    if type(op) in _BITWISE and "bool" in kinds:
        kind = "bool"
    elif isinstance(op, ast.Div):
        kind = "float"
    elif kinds == ["int", "int"]:
        kind = "int"
    elif "float" in kinds:
        kind = "float"
    stops = isinstance(op, ast.FloorDiv)
    result = combine(it, (left, right), kind, stops, aval=results.of_operator(op, left, right))
    return slopes.note_operator(it, result, OPERATIONS.get(type(op), ""), (left, right), node)


def check_counted(it: Interpreter, value: Value) -> None:
    """A value goes into what JAX computes, or is a result of it: a number of a counter is the same one from then on."""
    if isinstance(value, Tuple):
        for item in value.items:
            check_counted(it, item)
    elif isinstance(value, Static) and value.drawn is not None and it.ctx.staging:
        scope, place = value.drawn
        it.emit(events.OuterIterator(place, "counter", "advanced"), scope)


OPERATIONS: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.Invert: "not",
    ast.Not: "not",
    ast.USub: "neg",
    ast.UAdd: "same",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.FloorDiv: "floor_divide",
}
"""Operators by the names that `slopes` has for operations."""


def _const_kind(value: Value) -> str:
    return type(value.value).__name__ if isinstance(value, Const) and isinstance(value.value, (int, float)) else ""


def is_of_lanes(operand: Array | Tree | Key) -> bool:
    """Whether it is traced since each lane of a `vmap` has its own."""
    step = operand.provenance
    return step is not None and step.why in (Why.PARAMETER, Why.ARGUMENT) and step.names[-1] == "vmap"


def combine(
    it: Interpreter,
    operands: Iterable[Value],
    kind: str = "",
    grad_stops: bool = False,
    ndim: int | None = None,
    computed: bool = False,
    aval: Aval = UNKNOWN,
) -> Value:
    """The array that an operation makes of ``operands`` here.

    Inside a staging trace every operation returns a tracer, also on constants.  ``grad_stops``: under plain
    grad the result has no gradient and is concrete (comparisons, argmax).  ``computed``: JAX computes it, whatever the
    operands are.
    """
    operands = tuple(operands)
    level, provenance, statics, sure = CONCRETE, None, True, True
    for operand in operands:
        if isinstance(operand, (Array, Tree, Key)):
            if (
                operand.level > level
                or provenance is None
                or (it.ctx.mapped and operand.level == level and is_of_lanes(operand))
            ):
                provenance = operand.provenance or provenance
            level = max(level, operand.level)
            statics = statics and isinstance(operand, Array) and operand.of_statics
            sure = sure and (getattr(operand, "sure", True))
        elif isinstance(operand, (At, Ref)):
            level = max(level, operand.level)
            statics = False
        elif not operand.is_static:
            statics = False
    is_jax = computed and it.ctx.staging and not it.ctx.concrete
    if not sure and not is_jax and not any(isinstance(o, Array) and o.level == ABSTRACT for o in operands):
        # A part that may be a static field: what Python does with it is not known.
        if not it.ctx.staging or all(not isinstance(o, Array) for o in operands):
            return Opaque("a result")
    if level == GRAD and grad_stops:
        level = CONCRETE
    if it.ctx.staging and level < ABSTRACT and not it.ctx.concrete:
        level = ABSTRACT
    if level == ABSTRACT and provenance is None:
        provenance = it.ctx.provenance
    result = Array(level, provenance, kind, ndim, of_statics=statics and it.ctx.staging, aval=aval)
    result.slope = not grad_stops and any(map(slopes.has_slope, operands))
    if it.ctx.is_differentiated:
        slopes.settle(result, operands, grad_stops)
    elif slopes.are_free(operands):
        result.flat = FREE
    return result


def unary(it: Interpreter, value: Value, op: ast.unaryop, node: ast.AST) -> Value:
    if not isinstance(op, ast.Not):
        value = without_none(value)
        references.check_operands(it, (as_operand(value),), node)
    value = as_operand(value)
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        if isinstance(op, ast.USub):
            return Const(-value.value)
        if isinstance(op, ast.UAdd):
            return value
    if not isinstance(op, ast.Not) and not handed_back.check_number(it, value, node):
        return Opaque("a result")
    of_object = _of_objects(it, (value,), op, node)
    if of_object is not None:
        return of_object
    if _is_array(value):
        if isinstance(op, ast.USub):
            strict.check_negative(it, value, node)
        result = combine(it, (value,), value.kind if isinstance(value, Array) else "", aval=results.aval_of(value))
        return slopes.note(it, result, OPERATIONS[type(op)], (value,), node)
    if isinstance(value, HostArray) and value.no_scalar:  # of what has no axes it is a number
        return HostArray(value.readonly, value.kind, value.birth, value.text, narrow=value.narrow, shape=value.shape)
    if isinstance(value, (Static, HostArray)):
        return value
    if value.is_static:
        return Static("")
    return Opaque(DIFFERENCE if getattr(value, "text", "") in (DIFFERENCE, SQUARE) else COMPUTED)


def _may_be_key_of_dict(value: Value) -> bool:
    return isinstance(value, Tree) and value.maybe_name


def compare(it: Interpreter, left: Value, right: Value, op: ast.cmpop, node: ast.AST) -> Value:
    """left op right for one comparison operator."""
    check_identity(it, left, right, op, node)
    if isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) and _is_namespace(left) and _is_namespace(right):
        return Const((left.name == right.name) is isinstance(op, (ast.Is, ast.Eq)))
    if _is_type_of_array(left) and _are_of_python(right):
        return Const(isinstance(op, (ast.IsNot, ast.NotEq, ast.NotIn)))
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _identity(it, left, right, isinstance(op, ast.Is))
    if isinstance(op, (ast.In, ast.NotIn)):
        found = membership(it, left, right, node)
        return Const(not found.value) if isinstance(op, ast.NotIn) and isinstance(found, Const) else found
    if isinstance(left, Const) and isinstance(right, Const):
        return _compared_constants(left, right, op)
    if isinstance(op, _ORDERING):
        left, right = without_none(left), without_none(right)
    if isinstance(op, _ORDERING) and not handed_back.check_operator(it, op, left, right, node):
        return Opaque("a comparison")
    if isinstance(op, (ast.Eq, ast.NotEq)):
        if _are_constants(left) and _are_constants(right):
            return Const((_constants(left) == _constants(right)) == isinstance(op, ast.Eq))
        if any(_never_elementwise(part) for part in (left, right)):
            return Static("bool")
        if all(isinstance(part, Opaque) for part in (left, right)):
            return Opaque("a comparison")
        if any(_may_be_key_of_dict(one) and isinstance(other, Opaque) for one, other in ((left, right), (right, left))):
            return Opaque("a comparison")
        if isinstance(left, Tree) and isinstance(right, (Tuple, Container)):
            return Static("bool")  # `args == ()`: the argument is a tuple, compared as one
    else:
        references.check_operands(it, (left, right), node)
    left, right = as_operand(left), as_operand(right)
    if _holds_arrays(left) or _holds_arrays(right):
        return Opaque("a comparison")
    of_objects = _of_objects(it, (left, right), op, node)
    if of_objects is not None:
        return of_objects
    if _is_array(left) or _is_array(right):
        widths.check_operator(it, op, left, right, node)
        result = combine(it, (left, right), "bool", grad_stops=True, aval=results.of_comparison(left, right))
        return slopes.note(it, result, OPERATIONS[type(op)], (left, right), node)
    if isinstance(left, Union) or isinstance(right, Union):
        options = [
            compare(it, a, b, op, node)
            for a in (left.options if isinstance(left, Union) else (left,))
            for b in (right.options if isinstance(right, Union) else (right,))
        ]
        return options[0] if all(isinstance(option, Array) for option in options) else Opaque("a comparison")
    if _is_host_result(it, left, right):
        return HostArray(kind="bool")
    return Static("bool") if left.is_static and right.is_static else Opaque("a comparison")


def _is_type_of_array(value: Value) -> bool:
    return isinstance(value, Static) and value.kind == "type of array"


def _are_of_python(value: Value) -> bool:
    """Whether this is a class of Python, or several: no array is of one."""
    if isinstance(value, Tuple):
        return bool(value.items) and all(map(_are_of_python, value.items))
    return isinstance(value, External) and value.name in _CLASSES_OF_PYTHON


_CLASSES_OF_PYTHON = frozenset(f"builtins.{name}" for name in "tuple list dict set str int float bool bytes".split())


def _is_namespace(value: Value) -> TypeGuard[External]:
    """Whether it is NumPy or its twin: a function that is written for both asks which it is given."""
    return isinstance(value, External) and value.name in ("numpy", "jax.numpy")


_ARRAY_CLASSES = frozenset(("jax.numpy.ndarray", "jax.Array"))


def check_identity(it: Interpreter, left: Value, right: Value, op: ast.cmpop, node: ast.AST) -> None:
    """type(x) is jnp.ndarray, x.dtype is jnp.float32 and x.dtype in {jnp.float32} are always False."""
    if _is_type_of_array(left) and isinstance(op, (ast.Is, ast.IsNot, ast.Eq)):
        if isinstance(right, External) and right.name in _ARRAY_CLASSES:
            it.emit(events.TypeCheck(node, Array(), right.name))
    if not isinstance(left, Static) or left.kind != "dtype" or not left.of_shape:
        return
    if isinstance(op, (ast.Is, ast.IsNot)) and isinstance(right, External) and right.name.startswith("jax.numpy."):
        it.emit(events.TypeCheck(node, Array(), right.name))
    elif isinstance(op, (ast.In, ast.NotIn)) and isinstance(right, Container) and right.kind in ("set", "frozenset"):
        items = known_items(it, right, KNOWN_ITEMS.value) or []
        if items and all(isinstance(item, External) and item.name.startswith("jax.numpy.") for item in items):
            it.emit(events.TypeCheck(node, Array(), "a set of jnp dtypes"))


def _never_elementwise(value: Value) -> bool:
    """x == None and x == "name" are plain Python comparisons."""
    if isinstance(value, Const):
        return value.value is None or isinstance(value.value, (str, bytes))
    return isinstance(value, Static) and value.kind in ("str", "dtype", "shape")


_NEVER_NONE = (
    Array,
    Tuple,
    Container,
    Instance,
    Key,
    HostArray,
    Method,
    Function,
    Partial,
    Transformed,
    ClassValue,
    ModuleValue,
)


def _identity(it: Interpreter, left: Value, right: Value, positive: bool) -> Value:
    for value, other in ((left, right), (right, left)):
        if isinstance(other, Const) and other.value is None:
            if isinstance(value, Const):
                return Const((value.value is None) is positive)
            if isinstance(value, _NEVER_NONE) or (isinstance(value, Tree) and _is_given(it, value)):
                return Const(not positive)
            if isinstance(value, Static) and (value.sure or (value.of_shape and value.kind)):
                return Const(not positive)
    return Static("bool")


def _is_given(it: Interpreter, value: Tree) -> bool:
    """Whether an argument of a traced function, tested further in, is none of those that may be left out.

    The function itself has no default for it and never asks: only a function that it calls knows calls without.
    """
    if value.array_like:
        return True
    here = it.frame.function
    if value.required_by is None or here is None:
        return False
    owner, name = value.required_by
    if here.node is owner:
        return False
    return not any(
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and node.left.id == name
        and isinstance(node.ops[0], (ast.Is, ast.IsNot))
        for node in descendants(owner)
    )


_ORDER: dict[type, Any] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _compared_constants(left: Const, right: Const, op: ast.cmpop) -> Value:
    try:
        return Const(bool(_ORDER[type(op)](left.value, right.value)))
    except TypeError:
        return Static("bool")


def _are_constants(value: Value) -> bool:
    """Whether it is a tuple of which all is known, such as a shape."""
    return isinstance(value, Tuple) and all(isinstance(item, Const) for item in value.items)


def _constants(value: Value) -> list[object]:
    return [item.value for item in value.items if isinstance(item, Const)] if isinstance(value, Tuple) else []


def membership(it: Interpreter, left: Value, right: Value, node: ast.AST, how: str = "in") -> Value:
    """`x in (1, 2)` compares a tracer with each item; `1. in x` asks for any(x == 1.), `"a" in x` for nothing.

    ``how`` is `in`, or the method that searches a list in the same way."""
    if not is_name(left):
        clocks.wait_for(it, (left, right))
    said = ask(it, right, "__contains__", [left], node)
    if said is not None:
        truth(it, said, node, how)  # Python makes a bool of it
    if isinstance(left, Array) and left.level == ABSTRACT and isinstance(right, (Tuple, Container)):
        if not (isinstance(right, Container) and right.kind == "dict") and not _never_compared(it, left, right):
            it.emit(events.TruthTest(node, left, how))
    elif isinstance(right, Array) and right.level == ABSTRACT:
        if not _never_elementwise(left):
            it.emit(events.TruthTest(node, right, how))
    elif isinstance(left, Tree) and left.sure and left.level == ABSTRACT and left.parameter:
        is_searched = isinstance(right, (Tuple, Container)) and not _holds_strings(it, right)
        if is_searched and not _never_compared(it, left, right):
            it.emit(events.TruthTest(node, left, how, Certainty.LIKELY))
    elif isinstance(right, Tree) and right.sure and isinstance(left, Const) and isinstance(left.value, (int, float)):
        if right.level == ABSTRACT and right.parameter and not evidence.used_as_container(it, right):
            it.emit(events.TruthTest(node, right, how, Certainty.LIKELY))
    elif isinstance(left, Const) and isinstance(right, (Tuple, Container)):
        items = known_items(it, right, KNOWN_ITEMS.value)
        if items is not None and all(isinstance(item, Const) for item in items):
            return Const(any(isinstance(item, Const) and item.value == left.value for item in items))
    return Static("bool")


def _never_compared(it: Interpreter, value: Value, searched: Value) -> bool:
    """Whether nothing before ``value`` itself, which Python knows without comparing, is compared as arrays are."""
    items = known_items(it, searched, KNOWN_ITEMS.value)
    if items is None:
        return False
    before = itertools.takewhile(lambda item: item is not value, items)
    return all(map(_never_elementwise, before))


def _holds_strings(it: Interpreter, value: Value) -> bool:
    items = known_items(it, value, KNOWN_ITEMS.value)
    return items is None or any(isinstance(item, Const) and isinstance(item.value, str) for item in items)


# -- truth and conversion -----------------------------------------------------------------------------------


def truth(it: Interpreter, value: Value, node: ast.AST, how: str) -> Value:
    """Python asks ``value`` for its truth; what has it: for an object what a method of its class gives."""
    clocks.wait_for(it, (value,))
    if isinstance(value, Instance):
        told = ask_first(it, value, ("__bool__", "__len__"), [], node)
        return told if told is not None and told.is_static else value
    if isinstance(value, Union):
        options = [option for option in value.options if isinstance(option, Array) and option.level == ABSTRACT]
        if options and len(options) == len(value.options):
            _fail(it, events.TruthTest(node, options[0], how))
        elif any(_may_be(it, value, option) for option in options):
            it.emit(events.TruthTest(node, options[0], how, Certainty.POSSIBLE))
    elif isinstance(value, Array):
        if value.level == ABSTRACT and not _failed_before(it, value):
            _fail(it, events.TruthTest(node, value, how))
        several.check(it, value, node, "the truth")
    elif isinstance(value, Tree) and value.level == ABSTRACT and value.sure:
        if value.array_like:
            _fail(it, events.TruthTest(node, value, how))
        elif _is_taken_for_array(it, value):
            it.emit(events.TruthTest(node, value, how, Certainty.LIKELY))
    return value


def _may_be(it: Interpreter, value: Union, option: Value) -> bool:
    """Whether conditions that nothing here excludes have led to this one of several values; what else was bound under
    them, and may keep it from being asked, nobody knows."""
    guards = next((known for one, known in zip(value.options, value.guards) if one is option), NOTHING)
    return bool(guards) and not excluded(guards, it.state.guards)


def _is_taken_for_array(it: Interpreter, value: Tree) -> bool:
    """Whether what is asked for its truth, and may be a tree, is most likely an array."""
    if not evidence.has_name(it, value) or evidence.used_as_container(it, value, as_sequence=True):
        return False
    if evidence.used_as_array(it, value):
        return True
    return not left_out.may_be_left_out(it, value) and not evidence.handed_as_tree(it, value)


def _failed_before(it: Interpreter, value: Array) -> bool:
    """Whether what the value comes of has been a size or a shape further up, which has raised."""
    return value.provenance is not None and has_to_be_static(value.provenance) in it.state.guards


def _fail(it: Interpreter, event: events.Event) -> None:
    """JAX raises for certain: where the code expects that the path ends, and what handles it goes on."""
    if it.emit(event) and not it.counts(event):
        it.alive = False


def convert(it: Interpreter, value: Value, node: ast.AST, how: str) -> Value:
    """float(x), int(x), x.item(), …: what comes out, with the event if it cannot."""
    waits.check(it, value, it.work_begun, node, how)
    clocks.wait_for(it, (value,))
    kind = {"int": "int", "bool": "bool", "float": "float", "complex": "complex"}.get(how, "")
    if kind and kind != "bool" and not handed_back.check_number(it, value, node):
        return Opaque("a number")
    if how != "bool":
        value = as_operand(without_none(value))
    if isinstance(value, (Array, Tree)) and getattr(value, "sure", True):
        if value.level == ABSTRACT and how == "bool":
            if isinstance(value, Array) or value.array_like:
                _fail(it, events.TruthTest(node, value, "bool"))
            elif value.parameter and not evidence.used_as_container(it, value):
                it.emit(events.TruthTest(node, value, "bool", Certainty.LIKELY))
        elif value.level == ABSTRACT:
            _fail(it, events.ScalarConversion(node, value, how))
        elif value.level and not it.logging:
            it.emit(events.ScalarConversion(node, value, how))
        elif isinstance(value, Array):
            several.check(it, value, node, "the truth" if how == "bool" else f"`{how}`")
        return Opaque("a number")
    if isinstance(value, Const) and isinstance(value.value, (int, float)) and how in ("int", "float", "bool"):
        try:
            return Const({"int": int, "float": float, "bool": bool}[how](value.value))
        except (ValueError, OverflowError):
            return Static(how, sure=True)
    of_shape = isinstance(value, Static) and value.of_shape
    is_number = value.is_static or (how == "int" and isinstance(value, Opaque))  # whatever it is of
    return Static(kind, of_shape, sure=True) if is_number else Opaque("a number")


# -- item access --------------------------------------------------------------------------------------------


def check_index(it: Interpreter, owner: Value, index: Value, node: ast.AST, at: bool = False) -> None:
    """Masks and dynamic slice bounds in x[...] and x.at[...]."""
    whole.check_index(it, owner, index, node)
    for part in index_parts(index):
        if isinstance(part, Slice):
            check_slice(it, part, node)
        elif isinstance(part, Array) and part.kind == "bool" and part.level == ABSTRACT:
            it.emit(events.MaskIndex(node, part, "at" if at else "index"))
    if not at:
        check_bounds(it, owner, index, node)


def check_bounds(it: Interpreter, owner: Value, index: Value, node: ast.AST, update: bool = False) -> None:
    """Constant indices beyond the end of their axes, of x[...] and of the methods of x.at[...]."""
    beyond = results.beyond(results.aval_of(owner), index_parts(index))
    if beyond is not None:
        it.emit(events.IndexBeyond(node, *beyond, update))


def check_slice(it: Interpreter, index: Slice, node: ast.AST, of_reference: bool | None = False) -> None:
    for bound in (index.lower, index.upper, index.step):
        if isinstance(bound, (Array, Tree)) and bound.level == ABSTRACT and getattr(bound, "sure", True):
            it.emit(events.SliceBound(node, bound, of_reference))
            return


def check_sequence_index(it: Interpreter, what: str, index: Value, node: ast.AST) -> None:
    """A Python sequence or NumPy array wants a number."""
    for part in index_parts(index) if what == "NumPy array" else (index,):
        for value in (part.lower, part.upper, part.step) if isinstance(part, Slice) else (part,):
            clocks.wait_for(it, (value,))
            if isinstance(value, (Array, Tree)) and value.level == ABSTRACT and _is_certain(value):
                it.emit(events.SequenceIndex(node, value, what))
                return


def _is_certain(value: Array | Tree) -> bool:
    return isinstance(value, Array) or (value.sure and not value.maybe_name)


_KEPT_IN_LISTS = (Tuple, Container, Instance, Function)
"""What is kept in a list or a dict, and hardly in an array."""


def _may_be_a_list(value: Value) -> bool:
    return isinstance(value, Tree) and not value.array_like


def check_item_store(it: Interpreter, owner: Value, index: Value, value: Value, node: ast.AST, op: type | None) -> None:
    """owner[index] = value, owner[index] op= value (``op``), del owner[index] (``op`` is ast.Delete)."""
    if is_name(index):
        return
    options = owner.options if isinstance(owner, Union) else (owner,)
    if op is None and isinstance(value, _KEPT_IN_LISTS) and any(_may_be_a_list(option) for option in options):
        return
    if all(isinstance(option, (Array, Tree)) for option in options):
        # what a parameter is on one path, and what was computed from it on another, must both refuse it
        sure = [_certainty_of_store(it, option, index) for option in options]
        certainty = min((one for one in sure if one is not None), default=None)
        if certainty is not None and None not in sure:
            it.emit(events.ItemAssignment(node, owner, _store_text(op), certainty, index))
    elif isinstance(owner, Container):
        if it.ctx.tracing and _is_of_a_parameter(it, node):
            it.emit(events.ContainerItemSet(node))
    elif isinstance(owner, At):
        if not isinstance(owner.array, Ref):
            it.emit(events.ItemAssignment(node, owner.array, "at", index=index))
    elif isinstance(owner, HostArray):
        if isinstance(value, Array):
            clocks.wait(it)
        buffers.check_written(it, owner, node)  # what is not known to be an array was there before the call
        clocks.wait_for(it, (value,))
        if owner.readonly:
            it.emit(events.ReadonlyWrite(node, owner.text))
        _check_buffer_store(it, owner, index, value, node)


def _is_of_a_parameter(it: Interpreter, node: ast.AST) -> bool:
    """Whether it is an item of what a call has handed in that the statement sets."""
    function, target = it.activation.function, node.target if isinstance(node, ast.AugAssign) else node
    if function is None or not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return False
    name = target.value.id
    is_given = any(parameter.arg == name for parameter in parameters(function.node))
    return is_given and name not in it.facts_of(function.node).stored


def _certainty_of_store(it: Interpreter, owner: Value, index: Value) -> Certainty | None:
    """How sure it is that an item of an array, or of an argument that may be one, cannot be set, if that is likely at
    all.

    Outside traces annotations of arrays stand for NumPy arrays, too; Pallas code annotates its references as arrays.
    """
    if isinstance(owner, Tree):
        return _certainty_of_tree_store(it, owner, index)
    if not isinstance(owner, Array) or not owner.declared:
        return Certainty.CERTAIN
    if isinstance(index, Opaque) or changeable.may_be_given(it):
        return None
    return Certainty.LIKELY if owner.level else Certainty.POSSIBLE


_STORES: dict[type | None, str] = {
    None: "=",
    ast.Delete: "del",
    ast.Add: "+=",
    ast.Sub: "-=",
    ast.Mult: "*=",
    ast.Div: "/=",
}


def _store_text(op: type | None) -> str:
    return _STORES.get(op, "op=")


def _certainty_of_tree_store(it: Interpreter, owner: Tree, index: Value) -> Certainty | None:
    if (isinstance(index, Const) and index.value is ...) or changeable.may_be_given(it):
        return None  # x[...] = v is how a jax.Ref is written
    if not owner.sure:
        return Certainty.LIKELY if _has_tracer(it, index) or _is_of_compiled_array(it, index) else None
    if is_array_index(index) or owner.array_like:
        return Certainty.CERTAIN
    if owner.parameter and not evidence.used_as_container(it, owner, as_sequence=True):
        by_number = isinstance(index, Slice) or (isinstance(index, Const) and isinstance(index.value, int))
        if by_number or isinstance(index, Tree) or (isinstance(index, Static) and index.kind == "int"):
            return Certainty.LIKELY
    return None


def _is_of_compiled_array(it: Interpreter, index: Value) -> bool:
    """Whether only an array is indexed so, `[:, 0]`, where an attribute of an argument can be none of NumPy: what
    `jax.jit` does not trace of an argument has to be hashed."""
    is_sliced = isinstance(index, Tuple) and any(isinstance(part, Slice) for part in index.items)
    return is_sliced and (it.transform == "jax.jit" or it.transform.startswith("jax.lax."))


def _has_tracer(it: Interpreter, index: Value) -> bool:
    """Whether a part of an index is a tracer: then items can be set neither of an array nor of what else an attribute
    of an argument may be, a list, a dict or a NumPy array."""
    return it.transform.startswith("jax.") and any(
        (isinstance(part, Array) and part.level == ABSTRACT and not part.declared)
        or (isinstance(part, Tree) and part.sure and part.parameter and not evidence.used_as_container(it, part, True))
        for part in index_parts(index)
    )


def _check_buffer_store(it: Interpreter, owner: HostArray, index: Value, value: Value, node: ast.AST) -> None:
    """A NumPy buffer takes neither a tracer as value, unless it is one of objects, nor one as index."""
    for part in index_parts(index) if owner.kind == "object" else (value, *index_parts(index)):
        if isinstance(part, (Array, Tree)) and part.level >= GRAD and getattr(part, "sure", True):
            it.emit(events.NumpyBufferWrite(node, part, "item"))
            return


def check_buffer_update(it: Interpreter, owner: HostArray, value: Value, node: ast.AST) -> None:
    """buf += tracer rebinds the name to a new jax array; the buffer stays as it was."""
    if owner.readonly and not isinstance(value, (Array, Tree)):
        it.emit(events.ReadonlyWrite(node, owner.text))
    if isinstance(value, (Array, Tree)) and value.level == ABSTRACT and owner.birth is not None:
        if not it.ctx.encloses(owner.birth):
            it.emit(events.NumpyBufferWrite(node, value, "augmented"))
    if not isinstance(value, (Array, Tree, Opaque)):
        buffers.check_written(it, owner, node)


def check_rebound_argument(it: Interpreter, target: ast.Name, right: Value, node: ast.AugAssign) -> None:
    """a += v on a parameter that holds a jax array and is not read again: nobody sees the new array."""
    function, value = it.activation.function, it.lookup(target.id)
    root = function.node if function is not None else it.frame.scope.tree
    if root is None or isinstance(root, ast.Lambda):
        return
    if not isinstance(value, Array) and not (isinstance(value, Tree) and _is_rebound(value, right, node.op)):
        return
    if isinstance(value, Array) and value.declared and not value.level:
        return  # what is passed may be a NumPy array, which is changed in place
    is_array = isinstance(value, Array) or value.array_like
    if it.ask_text(it.frame.scope, updates_in_vain, root, node):
        it.emit(events.ArgumentRebound(node, target.id, True, not is_array, is_part=True))
    if function is None or not any(parameter.arg == target.id for parameter in function.node.args.args):
        return
    if not it.loops and not may_be_read_after(function.node, target.id, getattr(node, "lineno", 0)):
        parts = (part for part in descendants(function.node) if isinstance(part, _GIVING))
        in_vain = not any(part.value for part in parts)
        it.emit(events.ArgumentRebound(node, target.id, in_vain, not is_array))


def _is_rebound(value: Tree, right: Value, op: ast.operator) -> bool:
    """Whether an operator makes something new of a traced argument: lists are only added to, or repeated by a number
    that is known, and no dict takes any of these."""
    if value.level != ABSTRACT or not value.sure or value.array_like:
        return value.level == ABSTRACT and value.array_like
    if isinstance(op, ast.Mult):
        return isinstance(right, Array) and right.level == ABSTRACT
    return isinstance(op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult))


_GIVING = (ast.Return, ast.Yield, ast.YieldFrom)


def check_hashed(it: Interpreter, value: Value, node: ast.AST, how: str) -> None:
    """Python hashes ``value``: a tuple by what is in it, an object by its own method."""
    if isinstance(value, Tuple):
        for item in value.items:
            check_hashed(it, item, node, how)
    ask(it, value, "__hash__", [], node)
    if isinstance(value, Array) or (isinstance(value, Tree) and value.sure and value.level and not value.maybe_name):
        it.emit(events.HashedArray(node, value, how))
    if isinstance(value, Container) and unhashable(it, value):
        it.breaks()  # TypeError


def check_device_query(it: Interpreter, owner: Array | Tree, name: str, node: ast.AST) -> None:
    if owner.level == ABSTRACT and not (isinstance(owner, Array) and owner.declared):
        it.emit(events.DeviceQuery(node, owner, name, UNAVAILABLE_ATTRIBUTES[name]))


_PROCESS_NUMBERS = frozenset(("jax.process_index", "jax.host_id"))


def _adds_process(it: Interpreter, node: ast.AST) -> bool:
    """Whether a term of the sum ``node`` is the number of this process."""
    terms = (
        (node.left, node.right)
        if isinstance(node, ast.BinOp)
        else (node.value,)
        if isinstance(node, ast.AugAssign)
        else ()
    )
    calls = [term.func for term in terms if isinstance(term, ast.Call)]
    with it.quiet():
        return any(isinstance(found, External) and found.name in _PROCESS_NUMBERS for found in map(it.eval, calls))


# -- statements ---------------------------------------------------------------------------------------------


def check_discarded(it: Interpreter, node: ast.Call, value: Value) -> None:
    """A call as a statement whose result was all it did."""
    note = it.last_pure_call
    if it.expected or it.trying or it.activation.handled:
        return
    how = note[1] if note is not None and note[0] is node else unknown_copies.copy_of_unknown(it, node, value)
    how = how or copying.copied_record(it, node)
    supposed = "" if how else unknown_copies.copy_of_record(it, node, value)
    if how or supposed:
        it.emit(events.UpdateDiscarded(node, how or supposed, _is_used_after(it, node), bool(supposed)))


def _is_used_after(it: Interpreter, node: ast.Call) -> bool:
    """Whether the function that runs may look at the first argument again below the call, or in a loop around it."""
    argument = node.args[0] if node.args else next((keyword.value for keyword in node.keywords), None)
    function = it.activation.function
    if not isinstance(argument, ast.Name):
        return True
    body = it.frame.scope.tree if function is None else function.node
    parts = list(descendants(body)) if body is not None else []
    loops = [part for part in parts if isinstance(part, (ast.For, ast.While)) and node in set(descendants(part))]
    below = min((loop.lineno for loop in loops), default=node.end_lineno or node.lineno)
    return any(
        isinstance(part, ast.Name)
        and part.id == argument.id
        and isinstance(part.ctx, ast.Load)
        and part is not argument
        and part.lineno >= below
        for part in parts
    )


def check_unpack(it: Interpreter, value: Value, count: int, star: int | None, node: ast.AST) -> None:
    """Unpacking a key array into another number of names."""
    if isinstance(value, Key) and value.batch and value.size is not None and star is None and value.size != count:
        if value.typed is not None or value.ident.text == "split":
            it.emit(events.UnpackedKeys(node, value.size, count))


_ARITHMETIC_ERRORS = frozenset(("ZeroDivisionError", "FloatingPointError", "OverflowError", "ArithmeticError"))


def check_handlers(it: Interpreter, node: ast.Try) -> None:
    """Handlers for errors that arrays never raise are noted; they are reported if the body works on arrays."""
    for handler in node.handlers:
        if handler.type is None:
            continue
        options = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {dotted(option).rpartition(".")[2] for option in options}
        if names <= {"ZeroDivisionError"} and _divides_tracer(it, node):
            it.emit(events.DeadHandler(handler, "ZeroDivisionError"))
        elif names <= {"LinAlgError"} and _solves_arrays(it, node):
            it.emit(events.DeadHandler(handler, "LinAlgError"))


def _divides_tracer(it: Interpreter, node: ast.Try) -> bool:
    divisions = [part for statement in node.body for part in descendants(statement) if _is_division(part)]
    with it.scratch(), it.quiet():
        for part in divisions:
            for operand in (part.left, part.right):  # type: ignore[attr-defined]
                value = it.eval(operand)
                if isinstance(value, Array) or (isinstance(value, Tree) and value.sure):
                    return True
    return False


def _is_division(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))


def _solves_arrays(it: Interpreter, node: ast.Try) -> bool:
    with it.scratch(), it.quiet():
        for statement in node.body:
            for part in descendants(statement):
                if isinstance(part, ast.Attribute):
                    value = it.eval(part)
                    if isinstance(value, External) and value.name.startswith(
                        ("jax.numpy.linalg.", "jax.scipy.linalg.")
                    ):
                        return True
    return False


def host_effect(it: Interpreter, name: str, arguments: list[Value], node: ast.AST) -> bool:
    """Reports a call with an effect on the host under a staging trace; True if ``name`` has one."""
    effect = effect_of(name)
    if effect is None:
        return False
    if it.ctx.runs_once:
        candidates = (tracer_in(it, argument, derived=True) for argument in arguments)
        tracer = next((t for t in candidates if t is not None), None)
        if effect.seeded and arguments and isinstance(arguments[0], (Const, Static)):
            return True
        of_statics = tracer is None and effect.certainty_needs_traced
        function = it.activation.function
        direct = function is not None and function.node is it.ctx.root
        starts = function is not None and not of_statics and _only_starts(function.node, node)
        it.emit(events.HostEffectUnderTrace(node, name, effect.category, tracer, direct, starts, of_statics))
    return True


def _only_starts(function: ast.AST, call: ast.AST) -> bool:
    """Whether a call gives a variable its first value, which functions inside replace: `nonlocal last`."""
    names = {
        target.id
        for node in descendants(function)
        if isinstance(node, ast.Assign) and node.value is call
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    inside = (node for node in descendants(function) if isinstance(node, ast.Nonlocal)) if names else ()
    return any(not names.isdisjoint(node.names) for node in inside)


def like(value: Value, level: int, step: Provenance, text: str) -> Value:
    """An array of the shape of ``value``, such as its gradient, at this level or that of ``value``; where ``value``
    is not known to be an array, nothing is known."""
    if isinstance(value, Array):
        above = value.level > level
        return Array(
            max(level, value.level), value.provenance if above else step if level else None, "float", value.ndim,
            aval=value.aval if value.kind == "float" else UNKNOWN,
        )  # fmt: skip
    if isinstance(value, Tuple):
        return value.with_other(tuple(like(item, level, step, text) for item in value.items))
    if isinstance(value, Tree) and value.sure and max(level, value.level) == ABSTRACT:
        provenance = value.provenance if value.level > level else step
        return Tree(ABSTRACT, provenance, array_like=value.array_like, holds=value.holds)
    return Opaque(text)
