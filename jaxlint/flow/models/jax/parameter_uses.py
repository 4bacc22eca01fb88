"""What a function takes a parameter of its for, as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.domain.values import External, Function
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.static_arguments import STATIC_ARGUMENTS
from jaxlint.semantics.transforms import HIGHER_ORDER, WRAPPERS

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_COUNTING = frozenset(("builtins.range", "builtins.int", "builtins.float"))
_NUMBERS = frozenset(("builtins.int", "builtins.float", "builtins.bool", "jax.Array", "jax.numpy.ndarray"))
_COUNTS = {"jax.numpy.repeat": 1, "jax.numpy.tile": 1, "jax.numpy.power": 1}
"""Functions that take a number, or numbers, by this position."""


def is_number(it: Interpreter, function: Function, name: str, required: bool = False) -> bool:
    """Whether a parameter stands for a number, a flag or an array: it is declared to be one, or used as one.  None, a
    function, or an object whose attributes are read may be a pytree without any array in it.  ``required``: each call
    gives it, so that one of which only the truth is asked is a flag."""
    if _is_declared(it, function, name):
        return True
    uses = _Uses(it, function, name)
    return uses.counts or (required and uses.asked and not uses.others)


def _is_declared(it: Interpreter, function: Function, name: str) -> bool:
    spec = function.node.args
    for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        if parameter.arg == name and parameter.annotation is not None:
            found = it.eval_annotation(parameter.annotation, function)
            return isinstance(found, External) and found.name in _NUMBERS
    return False


class _Uses:
    """Which uses there are of a parameter: it is computed with (``counts``), its truth is ``asked``, or ``others``."""

    def __init__(self, it: Interpreter, function: Function, name: str) -> None:
        self.it, self.function, self.name = it, function, name
        self.counts = self.asked = self.others = False
        for node in descendants(function.node):
            self._look(node)

    def _look(self, node: ast.AST) -> None:
        if isinstance(node, ast.BinOp):
            self.counts |= self._among((node.left, node.right)) and not isinstance(node.op, (ast.Mod, ast.BitOr))
        elif isinstance(node, ast.Compare):
            self.counts |= isinstance(node.ops[0], _ORDERS) and self._among((node.left, *node.comparators))
            self.others |= self._among((node.left, *node.comparators))
        elif isinstance(node, ast.Call):
            self._look_at_call(node)
        elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
            self.asked |= self._among((node.test,))
        elif isinstance(node, ast.UnaryOp):
            self.asked |= isinstance(node.op, ast.Not) and self._among((node.operand,))
        elif isinstance(node, ast.BoolOp):
            self.asked |= self._among(node.values)
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            self.others |= self._among((node.value,))

    def _look_at_call(self, node: ast.Call) -> None:
        self.others |= self._among((node.func, *node.args, *(one.value for one in node.keywords)))
        if not any(self._among(_parts(argument)) for argument in node.args):
            return
        called = self.it.eval_annotation(node.func, self.function)
        if not isinstance(called, External) or called.name in WRAPPERS or called.name in HIGHER_ORDER:
            return
        if called.name in _COUNTING:
            self.counts = True
        elif called.name.startswith(("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.")):
            sizes = {rule.position for rule in STATIC_ARGUMENTS.get(called.name, ()) if rule.is_size}
            wanted = {0, _COUNTS.get(called.name), *sizes}
            self.counts |= any(at in wanted and self._among(_parts(argument)) for at, argument in enumerate(node.args))

    def _among(self, nodes: Iterable[ast.AST]) -> bool:
        return any(isinstance(node, ast.Name) and node.id == self.name for node in nodes)


def _parts(argument: ast.expr) -> tuple[ast.expr, ...]:
    """An argument, or the parts of a shape that is written there."""
    return tuple(argument.elts) if isinstance(argument, (ast.Tuple, ast.List)) else (argument,)
