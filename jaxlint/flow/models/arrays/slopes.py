"""How what depends on a differentiated argument was computed, as far as that says where its slope is infinite or NaN.

Reverse mode multiplies slopes with cotangents, and zero times infinity is NaN: to drop the value of `log(0)` behind it,
by `where` or `maximum`, is too late.  What guards the argument itself (`log(where(x > 0, x, 1))`) is in time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import REVERSE
from jaxlint.flow.domain.values import (
    COMPUTED,
    DIFFERENCE,
    FREE,
    NOTHING,
    SQUARE,
    STOPPED,
    Array,
    Const,
    Container,
    Cut,
    External,
    HostArray,
    Instance,
    Key,
    Opaque,
    Origin,
    Slice,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import COMPUTED_DEPTH, KNOWN_ITEMS
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters

_SAME_ZERO = frozenset(
    "abs absolute neg negative square item sum mean sqrt std norm astype reshape ravel squeeze expand_dims same real "
    "broadcast_to conj max any all transpose swapaxes T".split()
)
"""What of something is zero where that is, and what may be where that is."""

_ROOTS = frozenset({"sqrt", "norm", "std"})
_POWERS = frozenset("pow power float_power".split())
_INVERSES = frozenset("arccos arcsin acos asin".split())
"""Functions whose slope is infinite at 1 and -1."""

_LOGS = frozenset("log log2 log10".split())
_QUOTIENTS = frozenset("div divide true_divide".split())

_PRODUCTS = frozenset({"mul", "multiply"}) | _QUOTIENTS
_WAVES = frozenset(("cos", "sin"))
_JOINING = frozenset("stack array asarray concatenate hstack column_stack".split())
"""Functions that make an array of several."""

_ORDER = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge", "eq": "eq", "ne": "ne"}
"""Comparisons, by what they are with the sides exchanged."""

_WITHOUT = {"gt": "le", "le": "gt", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}


STEPS_OF_LOGS = frozenset(
    "softmax sigmoid expit exp sub subtract clip minimum where abs absolute square pow power norm sqrt sum same".split()
)
CARRIED_TO_LOGS = frozenset("add mean mul div neg".split())
"""What a logarithm is better taken of in one step, what has been done so that it need not be, or what probabilities are
normalised by."""


def goes_back(name: str) -> bool:
    """Whether a transform goes backwards: the slope of where is that of the side that is taken in forward mode."""
    return name.rpartition(".")[2].removeprefix("filter_") in REVERSE


def is_differentiated(name: str) -> bool:
    """Whether it is known what a transform differentiates."""
    return goes_back(name) or name in _FORWARD


_FORWARD = frozenset(("jax.jacfwd", "jax.jvp", "jax.linearize", "equinox.filter_jacfwd", "equinox.filter_jvp"))


def mark(it: Interpreter, value: Value, depth: int = 0) -> Value:
    """What stands for a differentiated argument, or what it holds, from now on known to be one."""
    if isinstance(value, Tree):
        value = value.renamed(value.parameter, value.key)
        value.slope, value.free = True, None
    elif isinstance(value, Array):
        if value.kind not in ("int", "bool"):  # those are left alone where anything is not refused for them
            value.slope, value.flat, value.barriers = True, None, NOTHING
    elif depth < COMPUTED_DEPTH.value:
        if isinstance(value, Tuple):
            return value.with_other(tuple(mark(it, item, depth + 1) for item in value.items))
        if isinstance(value, (Container, Instance)):
            cell = it.state.read(value)
            if cell:
                it.state.write(value).update({name: mark(it, part, depth + 1) for name, part in cell.items()})
    return value


def has_slope(value: Value) -> bool:
    if isinstance(value, Union):
        return all(map(has_slope, value.options))
    return isinstance(value, (Array, Tree)) and value.slope


def leave(value: Value) -> None:
    """What stands for a traced argument that is not differentiated where others are."""
    if isinstance(value, (Tree, Opaque)):
        value.free = None if has_slope(value) else FREE
    elif isinstance(value, Array) and not value.slope:
        value.flat = FREE


def stopped(value: Array | Tree, why: Cut = FREE) -> Array | Tree:
    """The same array, or tree, but that it is not differentiated."""
    if isinstance(value, Tree):
        same = value.renamed(value.parameter, value.key)
        same.slope, same.free = False, why
        return same
    array = copy(value)
    array.share_key(value)
    array.slope, array.flat, array.barriers, array.origin = False, why, NOTHING, None
    return array


def cut_at(it: Interpreter, value: Array | Tree, name: str, node: ast.AST) -> Cut:
    """Why what an operation without a slope makes of a value is not differentiated: the operation, unless the value has
    had no slope before."""
    return _cut_of(value) or Cut(name, node, it.frame.scope)


def pass_on(owner: Array | Tree, part: Array) -> None:
    """A part has the slope that the whole has."""
    part.slope = owner.slope
    if isinstance(owner, Array):
        part.flat, part.barriers = owner.flat, owner.barriers
    elif owner.free is not None:
        part.flat = owner.free


def carry(it: Interpreter, inner: Value, outer: Value, depth: int = 0) -> None:
    """What a function gives has for its caller the slope that it has inside."""
    if isinstance(inner, Array) and isinstance(outer, Array):
        pass_on(inner, outer)
    elif depth < COMPUTED_DEPTH.value:
        if isinstance(inner, Tuple) and isinstance(outer, Tuple):
            for part, other in zip(inner.items, outer.items):
                carry(it, part, other, depth + 1)
        elif isinstance(inner, Container) and isinstance(outer, Container):
            others = it.state.read(outer)
            for name, part in it.state.read(inner).items():
                if name in others:
                    carry(it, part, others[name], depth + 1)


def link(it: Interpreter, given: Sequence[Value], result: Value, node: ast.AST) -> None:
    """What a transformed function computes of one differentiated array is gone back from through that array."""
    sources = [value for value in given if differentiated_in(it, value)]
    source = sources[0] if len(sources) == 1 else None
    if not isinstance(source, Array) or source.origin is None or source.origin.depth >= COMPUTED_DEPTH.value:
        return
    for part in result.items if isinstance(result, Tuple) else (result,):
        if isinstance(part, Array) and part.slope and part.origin is None:
            part.origin = Origin("a call", (source,), node, it.frame.scope, source.origin.depth + 1)


def are_trained(it: Interpreter, variables: Value, depth: int = 0) -> bool:
    """Whether all parameters among the variables of a flax module are differentiated here."""
    if isinstance(variables, Container) and variables.kind == "dict" and depth < COMPUTED_DEPTH.value:
        cell = it.state.read(variables)
        own = cell.get(("k", "params")) if depth == 0 else None
        parts = list(cell.values()) if own is None else [own]
        return bool(parts) and all(are_trained(it, part, depth + 1) for part in parts)
    return differentiated_in(it, variables)


def of_parameters(result: Value) -> Value:
    """What a layer computes of parameters that are differentiated."""
    if isinstance(result, Array):
        result.slope, result.flat, result.barriers = True, None, NOTHING
    return result


def settle(result: Array, operands: Iterable[Value], stops: bool) -> None:
    """Whether the result of an operation has a slope: ``stops`` is one that has none, as no whole number has."""
    cuts = [_cut_of(operand) for operand in operands]
    named = next((cut for cut in cuts if cut is not None and cut.node is not None), None)
    if stops or result.kind in ("int", "bool"):
        result.slope = False
        result.flat = named or (STOPPED if None in cuts else FREE)
    elif None not in cuts:
        result.flat = named or FREE
    elif result.slope:
        behind = [operand.barriers for operand in operands if isinstance(operand, Array) and operand.barriers]
        result.barriers = NOTHING.union(*behind) if behind else NOTHING


def are_free(operands: Iterable[Value]) -> bool:
    """Whether nothing that is differentiated, here or further inside, is in any of these."""
    return all(_cut_of(operand) is not None for operand in operands)


def _cut_of(value: Value) -> Cut | None:
    """Why a value has no slope; None if it may have one."""
    if isinstance(value, Array):
        return (value.flat or FREE) if value.kind in ("int", "bool") else value.flat
    if isinstance(value, (Tree, Opaque)):
        return value.free
    if isinstance(value, Tuple):
        cuts = [_cut_of(item) for item in value.items]
        return None if None in cuts else next((cut for cut in cuts if cut is not None and cut.node), FREE)
    return FREE if isinstance(value, (Const, Static, External, HostArray, Key, Slice)) else None


def block(it: Interpreter, before: Value, after: Value, result: Value, cut: Cut, depth: int = 0) -> None:
    """Reverse mode cannot go back through the loop ``cut``: what a pass makes another one of, ``after`` of what it was
    ``before``, has a barrier in the ``result``."""
    if isinstance(result, Array):
        if after is not before and isinstance(after, Array) and (has_slope(before) or has_slope(after)):
            if result.kind not in ("int", "bool"):
                result.slope, result.flat = True, None
                result.barriers |= {cut}
    elif depth < COMPUTED_DEPTH.value:
        if all(isinstance(value, Tuple) for value in (before, after, result)):
            for parts in zip(before.items, after.items, result.items):  # type: ignore[attr-defined]
                block(it, *parts, cut, depth + 1)
        elif all(isinstance(value, Container) for value in (before, after, result)):
            cells = [it.state.read(value) for value in (before, after, result)]
            for name in cells[2]:
                if name in cells[0] and name in cells[1]:
                    block(it, *(cell[name] for cell in cells), cut, depth + 1)  # type: ignore[call-arg, arg-type]


def differentiated_in(it: Interpreter, value: Value, depth: int = 0) -> bool:
    """Whether there is something in a value that is certainly differentiated here."""
    if not it.ctx.is_differentiated:
        return False
    if has_slope(value):
        return not isinstance(value, Tree) or value.sure
    if isinstance(value, Tuple) and depth < COMPUTED_DEPTH.value:
        return any(differentiated_in(it, item, depth + 1) for item in value.items)
    if isinstance(value, Container) and depth < COMPUTED_DEPTH.value:
        return any(differentiated_in(it, part, depth + 1) for part in it.state.read(value).values())
    return False


def forget(value: Value) -> None:
    """Of what a function gives that a decorator may have given another derivative, the slope is not known."""
    if isinstance(value, Array):
        value.flat, value.barriers = None, NOTHING
    elif isinstance(value, Tuple):
        for item in value.items:
            forget(item)


_DELIBERATE = frozenset("stop_gradient zeros_like ones_like empty_like full_like".split())
"""Operations that end a slope for who wants that."""

_STEPS = frozenset("heaviside".split())
"""Functions of floats without a slope, whose results are differentiated all the same."""

_UNSURE = frozenset("imag angle bincount copysign nextafter spacing piecewise full_like".split())
"""Functions that have a slope in some of their arguments only."""


def note(it: Interpreter, result: Value, name: str, parts: Iterable[Value], node: ast.AST) -> Value:
    """The result of an operation, which remembers it, if it has to do with what is differentiated or may be part of a
    logarithm that loses its digits."""
    if isinstance(result, Array):
        parts = tuple(parts)
        if name in _UNSURE:
            result.slope, result.flat, result.barriers = False, None, NOTHING
        elif name in _STEPS and it.ctx.is_differentiated:
            settle(result, parts, stops=True)
        if result.flat is STOPPED:
            result.flat = Cut(name, node, it.frame.scope)
        if result.flat is not None and name in _DELIBERATE:
            result.flat = FREE
        if _is_worth_knowing(it, name, parts):
            deepest = max([part.origin.depth for part in parts if isinstance(part, Array) and part.origin] or [0])
            kept = parts if deepest < COMPUTED_DEPTH.value else ()
            result.origin = Origin(name, kept, node, it.frame.scope, deepest + 1 if kept else 0)
    return result


def note_spread(it: Interpreter, result: Array, owner: Value, index: Value, node: ast.AST) -> None:
    """What `y[None]` is of, where `x` is differentiated: in `x[:, None] - y[None]` both may be the same array."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    if it.ctx.differentiates_backwards and any(map(_is_new, parts)):
        result.origin = Origin("item", (owner, index), node, it.frame.scope, 1)


def _is_new(part: Value) -> bool:
    return isinstance(part, Const) and part.value is None


def _is_worth_knowing(it: Interpreter, name: str, parts: tuple[Value, ...]) -> bool:
    if name in STEPS_OF_LOGS or any(map(has_slope, parts)):
        return True
    goes_on = name in CARRIED_TO_LOGS or it.ctx.differentiates_backwards
    return goes_on and any(isinstance(part, Array) and part.origin is not None for part in parts)


def note_operator(it: Interpreter, result: Value, name: str, parts: tuple[Value, ...], node: ast.AST) -> Value:
    """The same for an operator between two values: a power may be a root."""
    note(it, result, name, parts, node)
    if name in _POWERS:
        check_root(it, result)
    elif name in _QUOTIENTS:
        check_divisor(it, parts[1])
    return result


def parts_of(name: str, args: Arguments) -> list[Value]:
    """What a function computes its result of: the bounds of `clip` have names, too."""
    return args.values() if name.rpartition(".")[2] == "clip" else args.positional


def note_call(it: Interpreter, result: Value, name: str, parts: Sequence[Value], node: ast.AST) -> None:
    """The same for a function or a method, with what is to be said of its slope."""
    short = name.rpartition(".")[2]
    if short in _JOINING and parts:
        parts = known_items(it, parts[0], KNOWN_ITEMS.value) or parts
    note(it, result, short, parts, node)
    if short in ("log", "log1p") and len(parts) == 1:
        check_logarithm(it, short, parts[0], node)
    if not it.ctx.differentiates_backwards:
        return
    if short in _ROOTS or short in _POWERS:
        check_root(it, result)
    elif short in _INVERSES and len(parts) == 1:
        check_inverse(it, parts[0], short, node)
    elif short in _QUOTIENTS and len(parts) == 2:
        check_divisor(it, parts[1])
    elif short in ("where", "select") and len(parts) == 3:
        check_choice(it, parts[0], parts[1], parts[2], node)
    elif short in _BOUNDS and parts:
        for part in parts:
            check_bound(it, part, short, node)


_BOUNDS = frozenset("maximum clip nan_to_num".split())
"""What takes something else where a value is too small, or none."""


def check_root(it: Interpreter, value: Value) -> None:
    """The root of the differences of all pairs: those of a thing and itself are zero.  And that of what was negative
    and has been made zero."""
    origin = _origin(value)
    if origin is None or origin.name in _QUOTIENTS or not _counts(it, value):
        return
    argument = _argument(origin)
    if argument is not None and _is_of_pairs(argument):
        it.emit(events.SingularSlope(origin.node, origin.name, "pairs"), origin.scope)
    elif argument is not None and origin.name != "std" and _is_bound_to_zero(argument):
        it.emit(events.SingularSlope(origin.node, origin.name, "bound"), origin.scope)


def check_choice(it: Interpreter, condition: Value, taken: Value, other: Value, node: ast.AST) -> None:
    """where(condition, taken, other): what one side drops has been computed all the same."""
    for side, holds in ((taken, True), (other, False)):
        if _counts(it, side):
            if _tell_dropped_pairs(it, side, node):
                return
            for name, subject, limit in _tests(condition, holds):
                if _tell_dropped(it, side, name, subject, limit, "where", node):
                    return


def check_bound(it: Interpreter, value: Value, function: str, node: ast.AST) -> None:
    """maximum(log(x), -10.): the bound is taken where the logarithm has no slope."""
    origin = _origin(value)
    if origin is None or not _counts(it, value):
        return
    known = _LOGS | _ROOTS if function != "nan_to_num" else _LOGS | _ROOTS | _QUOTIENTS
    for one in _factors(origin) if function == "nan_to_num" else (origin,):
        if one.name in known and (argument := _argument(one)) is not None and _may_be_zero(argument):
            _tell(it, one, function, node, by_result=True)
            return


def _factors(origin: Origin) -> Iterator[Origin]:
    """What has made a value, or a factor of it: where one is infinite or none, so is the product, or their slopes."""
    yield origin
    if origin.name in ("mul", "multiply", "neg", "negative"):
        for part in origin.parts:
            inner = _origin(part)
            if inner is not None and has_slope(part):
                yield from _factors(inner)


def check_divisor(it: Interpreter, value: Value) -> None:
    """v / (norm(v) + 1e-8): who adds so little to what is no less than nothing expects nothing."""
    origin = _origin(value)
    if origin is None or origin.name != "add" or len(origin.parts) != 2 or not _counts(it, value):
        return
    for number, other in (origin.parts, origin.parts[::-1]):
        root = _origin(other)
        if root is not None and _is_little(number) and (root.name == "norm" or _is_norm(root)) and root.name != "std":
            argument = _argument(root)
            if argument is not None and _is_made_zero(argument):
                it.emit(events.SingularSlope(root.node, root.name, "rows"), root.scope)
            elif argument is not None and _may_be_zero(argument):
                it.emit(events.SingularSlope(root.node, root.name, "add"), root.scope)
            return


def check_inverse(it: Interpreter, value: Value, name: str, node: ast.AST) -> None:
    """arccos(clip(x, -1, 1)): who clips expects numbers beyond the ends, and at the ends the slope is infinite."""
    if _counts(it, value) and {-1, 1} & set(_bounds_of(value)):
        it.emit(events.SingularSlope(node, name, "ends"))


def _bounds_of(value: Value) -> Iterator[float]:
    """The numbers between which a value was brought last."""
    origin = _origin(value)
    if origin is None or origin.name not in ("clip", "minimum", "maximum"):
        return
    for part in origin.parts:
        if isinstance(part, Const) and isinstance(part.value, (int, float)):
            yield part.value
        elif origin.name != "clip":
            yield from _bounds_of(part)


def _is_little(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, float) and 0 < value.value <= _LITTLE


_LITTLE = 1e-3


def _is_made_zero(value: Value) -> bool:
    """Whether the negative, or what a mask leaves out, was made zero on the way to a value, so that all of it often is.
    `jax.nn.relu` selects: there NaN goes no further."""
    origin = _origin(value)
    if origin is None or not origin.parts:
        return False
    if origin.name in _SAME_ZERO or origin.name in _POWERS:
        return _is_made_zero(origin.parts[0])
    if origin.name in ("mul", "multiply"):
        return any(_is_mask(part) or _is_made_zero(part) for part in origin.parts)
    return origin.name == "maximum" and any(isinstance(part, Const) and part.value == 0 for part in origin.parts)


def _is_bound_to_zero(value: Value) -> bool:
    """Whether it is `maximum(x, 0)`, or the sum of its squares."""
    origin = _origin(value)
    if origin is None or not origin.parts:
        return False
    if origin.name in ("maximum", "clip"):
        bounds = origin.parts if origin.name == "maximum" else origin.parts[1:2]
        is_bound = any(isinstance(part, Const) and part.value == 0 for part in bounds)
        return is_bound and has_slope(value) and not any(map(_is_never_negative, origin.parts))
    return (origin.name == "sum" or _is_square(value)) and _is_bound_to_zero(origin.parts[0])


def _is_never_negative(value: Value) -> bool:
    """Whether a value is none that a bound at zero makes another one of: a square, a length, or a sum of them."""
    origin = _origin(value)
    if origin is None or not origin.parts:
        return False
    if origin.name in ("sum", "mean"):
        return _is_never_negative(origin.parts[0])
    return origin.name in ("norm", "sqrt", "exp", "std", "var", "absolute") or _is_square(value)


def _is_mask(value: Value) -> bool:
    return isinstance(value, Array) and value.kind == "bool"


def _counts(it: Interpreter, value: Value) -> bool:
    return it.ctx.differentiates_backwards and has_slope(value)


def _origin(value: Value) -> Origin | None:
    return value.origin if isinstance(value, Array) else None


# -- logarithms -------------------------------------------------------------------------------------------------


def check_logarithm(it: Interpreter, name: str, value: Value, node: ast.AST) -> None:
    """log(softmax(x)) and the like: what is inside underflows, or overflows, where its logarithm is a plain number."""
    origin = _origin(value)
    if origin is None or not origin.parts:
        return
    if name == "log" and origin.name in _ONE_STEP:
        it.emit(events.UnstableLogarithm(node, origin.name, _ONE_STEP[origin.name], origin.node))
    elif (kept := _left_of_one(name, origin)) is not None:
        it.emit(events.UnstableLogarithm(node, f"1 - {kept.name}", "log_sigmoid", kept.node))
    elif name == "log1p" and _is_plain_exp(it, origin):
        it.emit(events.UnstableLogarithm(node, "exp", "softplus", origin.node))
    elif name == "log" and origin.name == "add" and len(origin.parts) == 2:
        one, other = origin.parts if isinstance(origin.parts[0], Const) else origin.parts[::-1]
        inner = _origin(other)
        if isinstance(one, Const) and one.value == 1 and inner is not None and _is_plain_exp(it, inner):
            it.emit(events.UnstableLogarithm(node, "1 + exp", "softplus", inner.node))
    elif name == "log" and origin.name == "sum":
        inner = _origin(origin.parts[0])
        if inner is not None and _is_plain_exp(it, inner):
            it.emit(events.UnstableLogarithm(node, "sum of exp", "logsumexp", inner.node))


def _left_of_one(name: str, origin: Origin) -> Origin | None:
    """The sigmoid `s` of what a logarithm is taken of, `log(1 - s)` or `log1p(-s)`: that is one of `-x`."""
    if name == "log" and origin.name in ("sub", "subtract") and len(origin.parts) == 2:
        one, part = origin.parts
        inner = _origin(part) if isinstance(one, Const) and one.value == 1 else None
    else:
        inner = _origin(origin.parts[0]) if name == "log1p" and origin.name in ("neg", "negative") else None
    if inner is None or _ONE_STEP.get(inner.name) != "log_sigmoid" or any(map(_is_bounded, inner.parts)):
        return None
    return inner


def _is_bounded(value: Value) -> bool:
    """Whether somebody keeps a value from being great."""
    origin = _origin(value)
    if origin is None:
        return False
    return _is_below_zero(origin) or origin.name in ("clip", "minimum", "where")


_ONE_STEP = {"softmax": "log_softmax", "sigmoid": "log_sigmoid", "expit": "log_sigmoid"}


def _is_plain_exp(it: Interpreter, origin: Origin) -> bool:
    """Whether it is the exponential of something that nobody has made small, as by taking off the greatest."""
    if origin.name != "exp" or len(origin.parts) != 1:
        return False
    value = origin.parts[0]
    if isinstance(value, Opaque):
        return value.text in (COMPUTED, SQUARE) or _is_given(it, value)
    return isinstance(value, (Array, Tree)) and not _is_small(value)


def _is_small(value: Value) -> bool:
    """Whether something has been taken off on the way to a value, or a bound was set, or it is less than nothing."""
    if isinstance(value, Opaque):
        return value.text == DIFFERENCE
    origin = _origin(value)
    if origin is None:
        return False
    if origin.name in ("sub", "subtract", "clip", "minimum", "where"):
        return True
    return _is_below_zero(origin) or (origin.name in ("mul", "div", "neg") and any(map(_is_small, origin.parts)))


def _is_below_zero(origin: Origin) -> bool:
    """Whether a value that is never negative has been negated, or multiplied with a negative number."""
    is_negated = origin.name in ("neg", "negative") or (
        origin.name in ("mul", "multiply", "div", "divide") and any(map(is_negative, origin.parts))
    )
    return is_negated and any(map(_is_of_magnitude, origin.parts))


def is_negative(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, (int, float)) and value.value < 0


def _is_of_magnitude(value: Value) -> bool:
    """Whether a value is one that is never negative, times or divided by others."""
    if isinstance(value, Opaque):
        return value.text == SQUARE
    origin = _origin(value)
    if origin is None:
        return False
    if origin.name in ("abs", "absolute", "square", "norm", "sqrt") or _is_never_negative(value):
        return True
    return origin.name in ("mul", "div") and any(map(_is_of_magnitude, origin.parts))


def _is_given(it: Interpreter, value: Opaque) -> bool:
    """Whether something unknown is an argument of the function that runs, or a part of one, and not computed."""
    function = it.activation.function
    given = parameters(function.node) if function is not None else ()
    return any(it.lookup(parameter.arg) is value.root for parameter in given)


# -- conditions -------------------------------------------------------------------------------------------------


def _tests(condition: Value, holds: bool) -> Iterator[tuple[str, Value, float | None]]:
    """Comparisons of something with a number that hold where the condition does, or does not: how, what, and the number
    if it is known."""
    origin = _origin(condition)
    if origin is None:
        return
    if origin.name in ("not", "logical_not", "invert") and origin.parts:
        yield from _tests(origin.parts[0], not holds)
    elif (origin.name in ("and", "logical_and") and holds) or (origin.name in ("or", "logical_or") and not holds):
        for part in origin.parts:
            yield from _tests(part, holds)
    elif origin.name in _ORDER and len(origin.parts) == 2:
        left, right = origin.parts
        if has_slope(left) and not has_slope(right):
            yield from _test(origin.name, left, right, holds)
        elif has_slope(right) and not has_slope(left):
            yield from _test(_ORDER[origin.name], right, left, holds)
    elif origin.name in ("isfinite", "isnan", "isinf") and origin.parts and holds is (origin.name == "isfinite"):
        yield "finite", origin.parts[0], None


def _test(name: str, subject: Value, other: Value, holds: bool) -> Iterator[tuple[str, Value, float | None]]:
    number = other.value if isinstance(other, Const) and isinstance(other.value, (int, float)) else None
    if number is not None or isinstance(other, (Static, Opaque, External)):
        yield name if holds else _WITHOUT[name], subject, number


def _leaves_out(origin: Origin, name: str, limit: float | None) -> bool:
    """Whether the point where the slope of the operation is not finite is none of those numbers."""
    if origin.name in _INVERSES:
        return limit is not None and ((name == "lt" and 0 < limit <= 1) or (name == "le" and 0 < limit < 1))
    return _leaves_out_zero(name, limit)


def _leaves_out_zero(name: str, limit: float | None) -> bool:
    """Whether zero is none of the numbers that a comparison with ``limit``, a small positive number if nothing is known
    of it, holds for."""
    if name == "ne":
        return not limit
    if limit is None:
        return name in ("gt", "ge")
    return {"gt": limit >= 0, "ge": limit > 0, "lt": limit <= 0, "le": limit < 0}.get(name, False)


# -- operations -----------------------------------------------------------------------------------------------


def _tell_dropped(
    it: Interpreter, side: Value, name: str, subject: Value, limit: float | None, guard: str, node: ast.AST
) -> bool:
    """Tells of the operation on one side whose argument the condition keeps from zero too late."""
    about = set(_zero_with(subject))
    for origin, argument in _partial(side):
        if name == "finite":
            related = any(subject is value for value in _behind(side))
        else:
            related = _leaves_out(origin, name, limit) and not about.isdisjoint(_zero_with(argument))
        if related and (origin.name in _INVERSES or _may_be_zero(argument)):
            _tell(it, origin, guard, node, any(_origin(value) is origin for value in about))
            return True
    return False


def _tell_dropped_pairs(it: Interpreter, side: Value, node: ast.AST) -> bool:
    """Tells of the quotient or logarithm of the differences of all pairs on one side, whatever the condition is: on the
    diagonal nothing but `where` makes a number of it.  Roots are told where they are taken."""
    for origin, argument in _partial(side):
        if origin.name not in _ROOTS and not _is_power_between(origin, 0, 1) and _is_of_pairs(argument):
            _tell(it, origin, "where", node, by_result=False)
            return True
    return False


def _is_power_between(origin: Origin, least: float, most: float) -> bool:
    exponent = origin.parts[-1] if origin.name in _POWERS else None
    return isinstance(exponent, Const) and isinstance(exponent.value, (int, float)) and least < exponent.value < most


def _tell(it: Interpreter, origin: Origin, guard: str, node: ast.AST, by_result: bool) -> None:
    """A norm is to be mended where it is taken, any other operation where the guard is."""
    if origin.name == "norm" or (by_result and _is_norm(origin)):
        it.emit(events.SingularSlope(origin.node, origin.name, guard), origin.scope)
    else:
        it.emit(events.LateGuard(node, origin.name, guard))


def _partial(value: Value) -> Iterator[tuple[Origin, Value]]:
    """The operations behind a value whose slope is infinite, or none, where their argument is zero; innermost first."""
    origin = _origin(value)
    if origin is None or origin.name in _GUARDS:
        return
    for part in origin.parts if origin.name not in _JOINING else ():
        yield from _partial(part)
    argument = _argument(origin)
    if argument is not None and has_slope(argument):
        yield origin, argument


def _behind(value: Value) -> Iterator[Value]:
    yield value
    origin = _origin(value)
    for part in origin.parts if origin is not None else ():
        yield from _behind(part)


def _argument(origin: Origin) -> Value | None:
    """What must not be zero."""
    parts = origin.parts
    if not parts:
        return None
    if origin.name in _LOGS | _ROOTS | _INVERSES or origin.name in ("rsqrt", "reciprocal"):
        return parts[0]
    if origin.name in _QUOTIENTS and len(parts) == 2:
        return parts[1]
    if origin.name in _POWERS and len(parts) == 2 and isinstance(parts[1], Const):
        exponent = parts[1].value
        if isinstance(exponent, (int, float)) and (exponent < 0 or 0 < exponent < 1):
            return parts[0]
    return None


_GUARDS = frozenset("where select maximum clip clamp stop_gradient nan_to_num cond".split())
"""What keeps an argument from zero, or ends its slope."""


def _may_be_zero(value: Value) -> bool:
    """Whether nothing on the way to ``value`` keeps it from zero."""
    origin = _origin(value)
    if origin is None:
        return has_slope(value)
    if origin.name in _JOINING:
        return has_slope(value) and not _are_never_all_zero(origin.parts)
    if origin.name == "add":
        return bool(origin.parts) and all(has_slope(part) and _is_square(part) for part in origin.parts)
    if origin.name in _QUOTIENTS and origin.parts:
        return _may_be_zero(origin.parts[0])
    if origin.name in _SAME_ZERO or origin.name in ("sub", "mul", "pow", "dot", "matmul", "subtract", "multiply"):
        return bool(origin.parts) and any(has_slope(part) and _may_be_zero(part) for part in origin.parts)
    return False


def _are_never_all_zero(parts: Iterable[Value]) -> bool:
    """Whether one of the entries of a vector is a number that is not zero, or some are multiples of the cosine and of
    the sine of one angle."""
    waves: set[tuple[str, Value]] = set()
    for part in parts:
        if isinstance(part, Const) and part.value:
            return True
        origin = _origin(_without_factor(part))
        if origin is not None and origin.name in _WAVES and origin.parts:
            waves.add((origin.name, origin.parts[0]))
    return any({(name, angle) for name in _WAVES} <= waves for _, angle in waves)


def _without_factor(value: Value) -> Value:
    """What is multiplied or divided by a number that is not zero."""
    origin = _origin(value)
    if origin is None or not origin.parts:
        return value
    first, last = origin.parts[0], origin.parts[-1]
    if origin.name in ("neg", "negative") or (origin.name in _PRODUCTS and isinstance(last, Const) and last.value):
        return _without_factor(first)
    if origin.name in ("mul", "multiply") and isinstance(first, Const) and first.value:
        return _without_factor(last)
    return value


def _zero_with(value: Value) -> Iterator[Value]:
    """The value and what it is zero with."""
    yield value
    origin = _origin(value)
    if origin is not None and origin.parts:
        is_power = origin.name in _POWERS and isinstance(origin.parts[-1], Const)
        if origin.name in _SAME_ZERO or origin.name in _QUOTIENTS or is_power:
            yield from _zero_with(origin.parts[0])
        elif origin.name in ("mul", "multiply"):
            factors = [part for part in origin.parts if has_slope(part)]
            if len(factors) == 1 or (len(factors) == 2 and factors[0] is factors[1]):
                yield from _zero_with(factors[0])


def _is_norm(origin: Origin) -> bool:
    """Whether it is the root of a sum of squares."""
    inner = _origin(origin.parts[0]) if origin.name == "sqrt" and origin.parts else None
    if inner is None or inner.name not in ("sum", "add"):
        return origin.name == "std"
    return bool(inner.parts) and all(map(_is_square, inner.parts if inner.name == "add" else inner.parts[:1]))


def _is_square(value: Value) -> bool:
    origin = _origin(value)
    if origin is None or not origin.parts:
        return False
    if origin.name in ("mul", "multiply"):
        return len(origin.parts) == 2 and origin.parts[0] is origin.parts[1]
    power = origin.parts[-1]
    return origin.name in ("square", "abs") or (
        origin.name in _POWERS and isinstance(power, Const) and power.value == 2
    )


# -- points that are zero --------------------------------------------------------------------------------------


def note_zeros(result: Value, name: str) -> None:
    """An array is made of zeros."""
    if name in _ZEROS and isinstance(result, Array):
        result.zero = True


_ZEROS = frozenset(("jax.numpy.zeros", "jax.numpy.zeros_like"))


def root_of_zero(value: Value, goes_back: bool) -> Origin | None:
    """The root, on the way to a value, of what is zero where it is differentiated.  Where reverse mode ``goes_back``, a
    choice among results is on the way: it sends back zero, of which an infinite slope makes NaN."""
    ending = _GUARDS - _PASSED if goes_back else _GUARDS
    pending, seen = [value], {value}
    while pending:
        found = pending.pop()
        origin = _origin(found)
        if origin is None or not origin.parts or not has_slope(found) or origin.name in ending:
            continue
        is_root = (origin.name in _ROOTS and _is_of_squares(origin)) or _is_power_between(origin, 0, 1)
        if is_root and _is_zero(origin.parts[0]):
            return origin
        parts = origin.parts[1:] if origin.name in ("where", "select") else origin.parts
        pending += [part for part in parts if part not in seen]
        seen.update(parts)
    return None


_PASSED = frozenset("where select maximum clip nan_to_num".split())


def _is_of_squares(origin: Origin) -> bool:
    """Whether a norm is the root of squares, and none of another order, whose slope may be finite."""
    if origin.name != "norm":
        return True
    keywords = getattr(origin.node, "keywords", None)
    return len(origin.parts) == 1 and keywords is not None and all(one.arg in ("axis", "keepdims") for one in keywords)


def _is_zero(value: Value) -> bool:
    """Whether all of a value is zero, since that is so where it comes from."""
    origin = _origin(value)
    if isinstance(value, Array) and value.zero:
        return True
    if origin is None or not origin.parts:
        return False
    if origin.name in _SAME_ZERO or origin.name in _QUOTIENTS:
        return _is_zero(origin.parts[0])
    if origin.name in _POWERS:
        exponent = origin.parts[-1]
        is_positive = isinstance(exponent, Const) and isinstance(exponent.value, (int, float)) and exponent.value > 0
        return is_positive and _is_zero(origin.parts[0])
    return origin.name in ("mul", "multiply", "matmul", "dot", "vdot", "inner") and any(map(_is_zero, origin.parts))


# -- pairs ------------------------------------------------------------------------------------------------------


def _is_of_pairs(value: Value) -> bool:
    """Whether it is made of the differences `r[:, None] - r[None]`, or of a row and each row, in whatever units, and
    of nothing else."""
    origin = _origin(value)
    if origin is None or not origin.parts:
        return False
    if origin.name in ("add", "sub") and any(_is_nothing(part) for part in origin.parts):  # `soft` is zero
        return any(map(_is_of_pairs, origin.parts))
    if origin.name in ("sub", "subtract") and len(origin.parts) == 2:
        if _is_of_pairs(origin.parts[0]):  # the nearest image: `d - box * round(d / box)`
            return _vanishes_with(origin.parts[1], origin.parts[0])
        if _are_rows_of_one(*origin.parts):
            return True
        left, right = (_spread(part) for part in origin.parts)
        return left is not None and right is not None and left[1] != right[1] and _is_same(left[0], right[0])
    if origin.name == "einsum" and len(origin.parts) == 3:
        return origin.parts[1] is origin.parts[2] and _is_of_pairs(origin.parts[1])
    squared = origin.name in _POWERS and isinstance(origin.parts[-1], Const)
    if origin.name in ("sum", "square", "abs", "mean") or squared:
        return _is_of_pairs(origin.parts[0])
    if origin.name in _QUOTIENTS:
        return _is_of_pairs(origin.parts[0])
    return origin.name in ("mul", "multiply") and any(map(_is_of_pairs, origin.parts))


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) in (int, float) and value.value == 0


_OPERATORS = frozenset("add sub mul div pow neg same matmul".split())
"""Operations of which the parts say all."""


def _is_same(left: Value, right: Value) -> bool:
    """Whether two values are one, or were computed alike of the same ones."""
    if left is right or _are_one(left, right):
        return True
    if isinstance(left, Const) and isinstance(right, Const):
        return type(left.value) is type(right.value) and left.value == right.value
    one, other = _origin(left), _origin(right)
    if one is None or other is None or one.name != other.name or one.name not in _OPERATORS:
        return False
    return bool(one.parts) and len(one.parts) == len(other.parts) and all(map(_is_same, one.parts, other.parts))


def _are_one(left: Value, right: Value) -> bool:
    """Whether they stand for the same thing, one of them differentiated, and are no rows of it."""
    keys = [part.key for part in (left, right) if isinstance(part, (Array, Tree, Opaque)) and part.has_key]
    return len(keys) == 2 and keys[0] is keys[1] and not keys[0].lane


def _are_rows_of_one(left: Value, right: Value) -> bool:
    """Whether these are the rows that lanes have of the same array: in one of the lanes it is the same row."""
    keys = [part.key for part in (left, right) if isinstance(part, (Array, Tree, Opaque)) and part.has_key]
    return len(keys) == 2 and keys[0].row_of is not None and keys[0].row_of is keys[1].row_of


_ROUNDED = frozenset("round rint around floor fix trunc abs absolute neg negative sign".split())
"""What of zero is zero."""


def _vanishes_with(value: Value, base: Value) -> bool:
    """Whether a value is zero where ``base`` is."""
    origin = _origin(value)
    if value is base or origin is None or not origin.parts:
        return value is base
    if origin.name in ("mul", "multiply"):
        return any(_vanishes_with(part, base) for part in origin.parts)
    return (origin.name in _ROUNDED or origin.name in _QUOTIENTS) and _vanishes_with(origin.parts[0], base)


def _spread(value: Value) -> tuple[Value, tuple[bool, ...] | int] | None:
    """What an axis is added to, and where."""
    origin = _origin(value)
    if origin is None or len(origin.parts) != 2:
        return None
    base, index = origin.parts
    if origin.name == "expand_dims" and isinstance(index, Const) and isinstance(index.value, int):
        return base, index.value
    if origin.name != "item":
        return None
    parts = index.items if isinstance(index, Tuple) else (index,)
    added = tuple(map(_is_new, parts))
    if not any(added) or not all(new or _is_whole(part) for new, part in zip(added, parts)):
        return None
    while added and not added[-1]:  # `r[None, :]` is `r[None]`
        added = added[:-1]
    return base, added


def _is_whole(index: Value) -> bool:
    if isinstance(index, Const):
        return index.value is ...
    bounds = (index.lower, index.upper, index.step) if isinstance(index, Slice) else (index,)
    return isinstance(index, Slice) and all(isinstance(bound, Const) and bound.value is None for bound in bounds)
