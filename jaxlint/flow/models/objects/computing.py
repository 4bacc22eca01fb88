"""Functions that certainly compute what they return and do nothing else.

It is told from what they say: statements that bind names of their own, conditions, and calls of which each is known to
compute and to do nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import External, Function, Partial, Union, Value
from jaxlint.flow.models.objects.iteration import is_callable
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.project.lifted import decorators
from jaxlint.semantics import libraries
from jaxlint.semantics.array_members import ARRAY_METHODS, AT_UPDATES
from jaxlint.semantics.arrays import EFFECT_FUNCTIONS, STATIC_RESULTS
from jaxlint.semantics.inplace import INPLACE_METHODS
from jaxlint.semantics.transforms import HIGHER_ORDER

COPYING = {"dataclasses.replace": 0, "equinox.tree_at": 1}
"""Which argument a function gives a changed copy of."""

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.Return, ast.If, ast.Pass)
_NOT_COMPUTING = (ast.Await, ast.Yield, ast.YieldFrom, ast.Delete, ast.NamedExpr)
_COMPUTING = ("jax.numpy.", "jax.nn.", "jax.random.", "jax.scipy.", "jax.lax.")
"""The modules whose functions compute, where they are given no function."""
_OF_TREES = frozenset(("jax.tree.map", "jax.tree_util.tree_map"))
_BUILTINS = frozenset(
    f"builtins.{name}" for name in "abs bool dict enumerate float int isinstance len list range tuple zip".split()
)
_LEAVING_FUNCTIONS = frozenset(("jax.jit", "equinox.filter_jit", "functools.partial"))
_METHODS = ARRAY_METHODS - INPLACE_METHODS.keys()


def only_compute(it: Interpreter, functions: list[Value]) -> bool:
    """Whether functions only compute, and one of them an array: who runs those that hand on what they are given may
    want to hear what JAX says of that, and shapes are looked at in a notebook."""
    return all(_only_computes(it, one) for one in functions) and any(_makes_array(it, one) for one in functions)


def _only_computes(it: Interpreter, value: Value) -> bool:
    if isinstance(value, Union):
        return all(_only_computes(it, option) for option in value.options)
    if isinstance(value, Partial):
        return _only_computes(it, value.function)
    if isinstance(value, External):
        return is_computing(value.name)
    return isinstance(value, Function) and value.owner is None and Computing(it, value).computes()


def _makes_array(it: Interpreter, value: Value) -> bool:
    if isinstance(value, Union):
        return all(_makes_array(it, option) for option in value.options)
    if isinstance(value, Partial):
        return _makes_array(it, value.function)
    if isinstance(value, External):
        return not value.name.startswith("builtins.") and value.name not in STATIC_RESULTS
    return isinstance(value, Function) and Computing(it, value).has_operations()


class Computing:
    """A function of the project; ``asked`` are those that it leads from."""

    def __init__(self, it: Interpreter, function: Function, asked: tuple[ast.AST, ...] = ()) -> None:
        self.it, self.function = it, function
        self.asked = (*asked, function.node)
        parts = list(descendants(function.node))
        self.stored = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
        self.bound = self.stored | {part.arg for part in parts if isinstance(part, ast.arg)}

    def computes(self, kind: str = "") -> bool:
        """Whether nothing that is outside of the function is another one after it, and nobody sees that it ran."""
        node = self.function.node
        if isinstance(node, ast.AsyncFunctionDef) or self.function.kind not in (kind, "static"):
            return False
        self.it.note_function(self.function)
        if isinstance(node, ast.Lambda):
            return self._computes(node.body)
        others = [] if kind else decorators(node)
        return all(map(self._is_plain, others)) and all(map(self._computes, _without_docstring(node.body)))

    def has_operations(self) -> bool:
        """Whether something in it is computed of arrays, and not only of what tells their form."""
        for part in descendants(self.function.node):
            if isinstance(part, (ast.BinOp, ast.UnaryOp)):
                return True
            called = self.called(part.func) if isinstance(part, ast.Call) else None
            if isinstance(part, ast.Call) and not (isinstance(called, External) and not _makes_array(self.it, called)):
                return True
        return False

    def _is_plain(self, decorator: ast.expr) -> bool:
        applied = self.it.eval_annotation(
            decorator.func if isinstance(decorator, ast.Call) else decorator, self.function
        )
        return isinstance(applied, External) and applied.name in _LEAVING_FUNCTIONS

    def _computes(self, body: ast.stmt | ast.expr) -> bool:
        for part in descendants(body):
            if isinstance(part, ast.stmt) and not isinstance(part, _STATEMENTS):
                return False
            if isinstance(part, _NOT_COMPUTING) or _stores_outside(part):
                return False
            if isinstance(part, ast.Call) and not self.is_pure(part):
                return False
            if isinstance(part, ast.Attribute) and not self.is_field(part):
                return False
        return True

    def is_field(self, read: ast.Attribute) -> bool:
        """Whether it does no more than to compute where an attribute is read."""
        return True

    def is_pure(self, call: ast.Call) -> bool:
        if _updates_array(call.func) or self._is_of_array(call.func):
            return True
        called = self.called(call.func)
        if isinstance(called, Function):
            return self.follows(called)
        if not isinstance(called, External):
            return False
        if called.name in _OF_TREES:
            mapped = self.called(call.args[0]) if call.args else None
            computes = isinstance(mapped, External) and is_computing(mapped.name)
            return computes or bool(call.args and isinstance(call.args[0], ast.Lambda))
        if called.name == "builtins.type":
            return len(call.args) == 1
        is_given = called.name not in COPYING and any(self._may_be_function(argument) for argument in call.args)
        return is_computing(called.name) and not is_given

    def _is_of_array(self, called: ast.expr) -> bool:
        """A method by which an array is computed from what the function is given, or has computed."""
        if not isinstance(called, ast.Attribute) or called.attr not in _METHODS:
            return False
        owner = called.value
        return not isinstance(owner, ast.Attribute) and (not isinstance(owner, ast.Name) or owner.id in self.bound)

    def _may_be_function(self, argument: ast.expr) -> bool:
        named = self.called(argument) if isinstance(argument, (ast.Name, ast.Attribute)) else None
        return isinstance(argument, ast.Lambda) or (named is not None and is_callable(named))

    def follows(self, function: Function, kind: str = "") -> bool:
        return function.node not in self.asked and self.other(function).computes(kind)

    def other(self, function: Function) -> Computing:
        return Computing(self.it, function, self.asked)

    def called(self, called: ast.expr) -> Value | None:
        """What a name stands for that the function does not bind."""
        root = called
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.bound:
            return None
        return self.it.eval_annotation(called, self.function)


def is_computing(name: str) -> bool:
    """Whether a function of a library computes what it gives, and does nothing else, if it is given no function."""
    if name in _BUILTINS or name in libraries.PURE_RESULTS or name in COPYING:
        return True
    runs_others = name in HIGHER_ORDER or name in libraries.HIGHER_ORDER
    return name.startswith(_COMPUTING) and name not in EFFECT_FUNCTIONS and not runs_others


def names(written: list[ast.expr], name: str) -> bool:
    """Whether one expression is written, and is that name."""
    return len(written) == 1 and isinstance(written[0], ast.Name) and written[0].id == name


def _stores_outside(node: ast.AST) -> bool:
    return isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)


def _updates_array(called: ast.expr) -> bool:
    """x.at[i].add"""
    return (
        isinstance(called, ast.Attribute)
        and called.attr in AT_UPDATES | {"get"}
        and isinstance(called.value, ast.Subscript)
        and isinstance(called.value.value, ast.Attribute)
        and called.value.value.attr == "at"
    )


def _without_docstring(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield statement
