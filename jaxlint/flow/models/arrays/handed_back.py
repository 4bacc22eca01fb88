"""What gradients and passes of a loop hand back, told by what it is taken for: a pair for a loss, two parts for
three."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import (
    CONCRETE,
    Around,
    Array,
    Const,
    Container,
    Opaque,
    Origin,
    Static,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.semantics.array_members import ARRAY_METHODS, CONCRETIZING_METHODS, UNAVAILABLE_ATTRIBUTES

LOSS, LOSS_AND_AUX = "jax.value_and_grad", "jax.value_and_grad with has_aux"
"""By what a loss is given, alone and as a pair."""
GRADIENTS = "gradients of "
"""How it begins by what a tuple of gradients is given, before the transform: one for each argument, also of one."""
CARRIED = "the pass before"
"""By what a tuple is given of which it is to be found out whether the next pass could take it."""


def by(transform: str, *parts: Value) -> Tuple:
    """A tuple that remembers which transform has given it."""
    made = Tuple(parts)
    made.given_by = transform
    return made


def around(value: Tuple, transform: str, option: str, trees: Iterable[Value]) -> Tuple:
    """A tuple with gradients inside, where ``trees`` are what these are like."""
    value.around = tuple(Around(tree, transform, option) for tree in trees)
    return value


def inside(value: Value, tree: Value) -> Around | None:
    """What is known of a tuple that holds a tree like another one inside, if that is one of those."""
    found = value.around if isinstance(value, Tuple) else ()
    return next((one for one in found if _is_same(one.tree, tree)), None)


def check_alike(
    it: Interpreter, updates: Value | None, params: Value | None, node: ast.AST, is_known: bool = True
) -> bool:
    """Whether gradients, or updates that an optimiser has made of them, may have the structure of the parameters.  If
    it ``is_known``, an optimiser or what applies its updates is given both."""
    found = inside(updates, params) if updates is not None and params is not None else None
    if found is None:
        return True
    event = events.GradientsInside(found.update or node, found.transform, found.option, is_known)
    return not it.emit(event, found.scope)


def _is_same(one: Value, other: Value) -> bool:
    """Whether two values are one object, in a trace or around it."""
    if one is other or not isinstance(one, _WITH_KEY) or not isinstance(other, _WITH_KEY):
        return one is other
    return one.has_key and other.has_key and one.key is other.key


_WITH_KEY = (Array, Opaque, Tree)


def loss(it: Interpreter, value: Value, operands: Iterable[Value], node: ast.AST) -> Value:
    """The value that a transform gives beside the gradient by the ``operands``, which is a number or a pair."""
    if isinstance(value, Tuple) and len(value.items) == 2:
        return by(LOSS_AND_AUX, _remembered(it, value.items[0], operands, node), value.items[1])
    return _remembered(it, value, operands, node)


def _remembered(it: Interpreter, value: Value, operands: Iterable[Value], node: ast.AST) -> Value:
    if isinstance(value, Array):
        value.origin = Origin(LOSS, tuple(operands), node, it.frame.scope, 0)
    return value


def is_loss(value: Value | None) -> bool:
    """Whether it is the number that a transform gives beside a gradient."""
    return isinstance(value, Array) and value.origin is not None and value.origin.name == LOSS


def remembering(inner: Value, outer: Value) -> Value:
    """What a transform hands on of a loss that was given inside of it is still that loss."""
    if isinstance(inner, Tuple) and isinstance(outer, Tuple):
        for part, other in zip(inner.items, outer.items):
            remembering(part, other)
    elif isinstance(inner, Array) and isinstance(outer, Array) and inner.origin is not None:
        if inner.origin.name == LOSS and outer.origin is None:
            outer.origin = inner.origin
    return outer


def check_unpacked(it: Interpreter, value: Value, count: int, node: ast.AST) -> None:
    """Something is unpacked into ``count`` parts."""
    if isinstance(value, Tuple) and value.given_by and len(value.items) != count:
        if value.given_by.startswith(GRADIENTS):
            it.emit(events.TupleOfGradients(node, value.given_by.removeprefix(GRADIENTS), len(value.items), count))
            return
        it.emit(events.UnpackedOtherwise(node, value.given_by, len(value.items), count))
    elif is_loss(value):
        it.emit(events.UnpackedOtherwise(node, LOSS, 1, count))


def check_step(it: Interpreter, op: ast.AST, left: Value, right: Value, node: ast.AST) -> None:
    """`w - rate * loss`: what a step takes off the parameters is of the gradient by these, not of the loss."""
    if isinstance(op, ast.Sub):
        check_for_gradient(it, left, _without_rate(it, right), node)


def check_for_gradient(it: Interpreter, params: Value, other: Value, node: ast.AST) -> bool:
    """Whether what stands beside parameters as their gradient does is not the loss that was differentiated for them."""
    origin = other.origin if isinstance(other, Array) else None
    if origin is None or origin.name != LOSS or not any(_is_same(one, params) for one in origin.parts):
        return True
    return not it.emit(events.LossForGradient(node))


def _without_rate(it: Interpreter, value: Value) -> Value:
    """What is multiplied with a number of Python's, or with an argument of the function that runs."""
    while isinstance(value, Array) and value.origin is not None and value.origin.name in ("mul", "neg"):
        parts = value.origin.parts  # none, where it is too far back
        others = [part for part in parts if not _is_rate(it, part)]
        if len(others) != 1:
            break
        value = others[0]
    return value


def _is_rate(it: Interpreter, value: Value) -> bool:
    if isinstance(value, Opaque):
        function = it.activation.function
        given = parameters(function.node) if function is not None else ()
        return any(it.lookup(parameter.arg) is value.root for parameter in given)
    return isinstance(value, (Const, Static))


def check_number(it: Interpreter, value: Value, node: ast.AST) -> bool:
    """Whether what has to be a number, or an array, is no loss with what comes beside it."""
    if not isinstance(value, Tuple) or not _is_pair(value):
        return True
    _tell(it, value, node)
    return False


def _tell(it: Interpreter, value: Tuple, node: ast.AST, name: str = "") -> None:
    """A tuple is taken for a number, or for an array that has an attribute of that name."""
    if value.given_by.startswith(GRADIENTS):
        transform = value.given_by.removeprefix(GRADIENTS)
        it.emit(events.TupleOfGradients(node, transform, len(value.items), name=name))
    else:
        it.emit(events.PairForLoss(node, name))


def check_argument(it: Interpreter, value: Value, node: ast.AST) -> None:
    """A function of JAX that refuses sequences is given what a pass hands on."""
    if isinstance(value, Tuple) and value.given_by == CARRIED:
        it.emit(events.PairForLoss(node))


_OF_ARRAYS = (ARRAY_METHODS | CONCRETIZING_METHODS.keys() | UNAVAILABLE_ATTRIBUTES.keys()) - set(dir(tuple))


def check_attribute(it: Interpreter, value: Tuple, name: str, node: ast.AST) -> None:
    """An attribute is read that arrays have and tuples have not."""
    if _is_pair(value) and name in _OF_ARRAYS:
        _tell(it, value, node, name)


def check_operator(it: Interpreter, op: ast.AST, left: Value, right: Value, node: ast.AST) -> bool:
    """Whether none of the operands is such a pair, where the other one is of a kind that tuples refuse."""
    for pair, other in ((left, right), (right, left)):
        if not isinstance(pair, Tuple) or not _is_pair(pair):
            continue
        if _is_refused_by_tuples(op, other) or _is_computed_beside(it, op, pair, pair is left, node):
            _tell(it, pair, node)
            return False
    return True


def _is_computed_beside(it: Interpreter, op: ast.AST, pair: Value, is_left: bool, node: ast.AST) -> bool:
    """Whether what is added to a part of a carry is written as a number, or an array, that is computed."""
    if not isinstance(op, ast.Add) or not isinstance(node, ast.BinOp) or getattr(pair, "given_by", "") != CARRIED:
        return False
    return _is_computed(it, node.right if is_left else node.left)


def _is_computed(it: Interpreter, written: ast.expr) -> bool:
    """Whether no sequence comes of an expression: of a quotient, of a product with a fraction."""
    if isinstance(written, ast.Name | ast.Constant):
        with it.quiet():
            value = it.eval(written)
        return isinstance(value, Const) and isinstance(value.value, float)
    if not isinstance(written, ast.BinOp):
        return False
    if isinstance(written.op, ast.Mult):
        return _is_computed(it, written.left) or _is_computed(it, written.right)
    return isinstance(written.op, (ast.Sub, ast.Div, ast.Pow, ast.FloorDiv, ast.MatMult))


def _is_pair(value: Tuple) -> bool:
    return value.given_by in (LOSS_AND_AUX, CARRIED) or value.given_by.startswith(GRADIENTS)


def _is_refused_by_tuples(op: ast.AST, other: Value) -> bool:
    """Whether an operator between a tuple and this certainly raises.  Tuples are joined, repeated and compared with one
    another; NumPy makes an array of one, and so may objects of which nothing is known."""
    if isinstance(other, Const):
        return not (isinstance(op, ast.Mult) and isinstance(other.value, int))
    if isinstance(other, Static):
        return other.kind in ("bool", "int", "float") and not (isinstance(op, ast.Mult) and other.kind != "float")
    if isinstance(other, Array):
        return not (other.declared and other.level == CONCRETE)
    is_container = isinstance(other, (Tuple, Container))
    return is_container and isinstance(op, (ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.MatMult))
