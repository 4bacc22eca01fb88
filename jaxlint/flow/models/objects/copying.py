"""Methods of a project's records that certainly do nothing but to give a changed copy.

It is told from what the method says: statements that bind names of its own, conditions, and calls of
which each is known to compute and to do nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import ClassValue, External, Function, Instance, Opaque, Tree, Tuple, Value
from jaxlint.flow.models.objects import classes, frozen
from jaxlint.flow.models.objects.declared import declared_class
from jaxlint.flow.models.objects.iteration import is_callable
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.array_members import AT_UPDATES
from jaxlint.semantics.arrays import EFFECT_FUNCTIONS

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.Return, ast.If, ast.Pass)
_NOT_COMPUTING = (ast.Await, ast.Yield, ast.YieldFrom, ast.Delete, ast.NamedExpr)
_COMPUTING = ("jax.numpy.", "jax.nn.", "jax.random.", "jax.scipy.")
"""The modules whose functions compute, where they are given no function."""
_OF_TREES = frozenset(("jax.tree.map", "jax.tree_util.tree_map"))
_BUILTINS = frozenset(
    f"builtins.{name}" for name in "abs bool dict enumerate float int len list range tuple zip".split()
)
_LEAVING_FUNCTIONS = frozenset(("jax.jit", "equinox.filter_jit", "functools.partial"))


def copied_record(it: Interpreter, node: ast.Call) -> str:
    """The call of a method that only gives a changed copy of an object, in words: of the project's own, or that of a
    library's record which a parameter is declared to be."""
    method = node.func
    if it.muted or not isinstance(method, ast.Attribute) or not _is_path(method.value):
        return ""
    with it.scratch(), it.quiet():
        owner = it.eval(method.value)
    if isinstance(owner, (Opaque, Tree)):
        declared = declared_class(it, method.value)
        is_copy = isinstance(declared, External) and f"{declared.name}.{method.attr}" in libraries.RECORD_STEPS
        if isinstance(declared, ClassValue):
            is_copy = copies(it, Instance(declared, None, symbolic=True), method.attr)
    else:
        is_copy = copies(it, owner, method.attr)
    return f".{method.attr}()" if is_copy else ""


def _is_path(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def copies(it: Interpreter, owner: Value, name: str) -> bool:
    """Whether a method of an object only gives a changed copy of it, in whatever class it is that the object is of."""
    if isinstance(owner, Tuple):
        owner = Instance(owner.cls, None) if owner.cls is not None else owner
    if not isinstance(owner, Instance) or not classes.is_record(owner.cls):
        return False
    family = [owner.cls]
    if owner.symbolic:
        family += [other for other in it.all_classes(owner.cls) if owner.cls in classes.linearized(other)]
    found = {classes.find_member(it, cls, name) for cls in family}
    method = found.pop() if len(found) == 1 else None
    return isinstance(method, Function) and method.owner is not None and _Method(it, owner.cls, method).copies()


class _Method:
    """A method as objects of a class have it; ``asked`` are those that it leads from."""

    def __init__(self, it: Interpreter, cls: ClassValue, function: Function, asked: tuple[ast.AST, ...] = ()) -> None:
        self.it, self.cls, self.function = it, cls, function
        self.asked = (*asked, function.node)
        self.receiver = next((one.arg for one in function.node.args.args), "") if function.owner is not None else ""
        parts = list(descendants(function.node))
        self.stored = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
        self.bound = self.stored | {part.arg for part in parts if isinstance(part, ast.arg)}

    def copies(self) -> bool:
        returned = [part.value for part in descendants(self.function.node) if isinstance(part, ast.Return)]
        return bool(returned) and all(map(self._is_copy, returned)) and self.computes()

    def computes(self, kind: str = "") -> bool:
        """Whether nothing that is outside of the function is another one after it, and nobody sees that it ran."""
        node = self.function.node
        if not isinstance(node, ast.FunctionDef) or self.function.kind != kind or self.receiver in self.stored:
            return False
        self.it.note_function(self.function)
        decorators = [] if kind else node.decorator_list
        return all(map(self._is_plain, decorators)) and all(map(self._computes, _without_docstring(node.body)))

    def _is_plain(self, decorator: ast.expr) -> bool:
        applied = self.it.eval_annotation(
            decorator.func if isinstance(decorator, ast.Call) else decorator, self.function
        )
        return isinstance(applied, External) and applied.name in _LEAVING_FUNCTIONS

    def _computes(self, statement: ast.stmt) -> bool:
        for part in descendants(statement):
            if isinstance(part, ast.stmt) and not isinstance(part, _STATEMENTS):
                return False
            if isinstance(part, _NOT_COMPUTING) or _stores_outside(part):
                return False
            if isinstance(part, ast.Call) and not self._is_pure(part):
                return False
            if isinstance(part, ast.Attribute) and not self._is_field(part):
                return False
        return True

    def _is_field(self, read: ast.Attribute) -> bool:
        """Whether what is read of the object is no property that does more than to compute."""
        if not _names([read.value], self.receiver):
            return True
        member = classes.find_member(self.it, self.cls, read.attr)
        is_property = isinstance(member, Function) and member.kind == "property"
        return not is_property or (isinstance(member, Function) and self._follows(member, "property"))

    def _is_copy(self, value: ast.expr | None) -> bool:
        """Whether what is returned is a new object of the same record's class."""
        if not isinstance(value, ast.Call):
            return False
        called = self._called(value.func)
        if isinstance(called, External):
            place = _COPYING.get(called.name, len(value.args))
            return _names(value.args[place : place + 1], self.receiver)
        return called in classes.linearized(self.cls) or self._is_replace(value.func)

    def _is_pure(self, call: ast.Call) -> bool:
        if self._is_replace(call.func) or _updates_array(call.func):
            return True
        called = self._called(call.func)
        if isinstance(called, ClassValue):
            return self._only_stores(called)
        if isinstance(called, Function):
            return self._follows(called)
        if not isinstance(called, External):
            return False
        if called.name in _OF_TREES:
            mapped = self._called(call.args[0]) if call.args else None
            is_computing = isinstance(mapped, External) and _is_computing(mapped.name)
            return is_computing or bool(call.args and isinstance(call.args[0], ast.Lambda))
        if called.name == "builtins.type":
            return len(call.args) == 1
        is_given = called.name not in _COPYING and any(self._may_be_function(argument) for argument in call.args)
        return _is_computing(called.name) and not is_given

    def _may_be_function(self, argument: ast.expr) -> bool:
        named = self._called(argument) if isinstance(argument, (ast.Name, ast.Attribute)) else None
        return isinstance(argument, ast.Lambda) or (named is not None and is_callable(named))

    def _follows(self, function: Function, kind: str = "") -> bool:
        return function.node not in self.asked and _Method(self.it, self.cls, function, self.asked).computes(kind)

    def _only_stores(self, cls: ClassValue) -> bool:
        """Whether making an object keeps what is given and does nothing else."""
        return classes.is_record(cls) and all(
            frozen.is_known(self.it, part)
            and not any(classes.find_member(self.it, part, name) for name in _OF_MAKING)
            and not classes.external_bases(part) - classes.WITHOUT_MEMBERS - _RECORDS
            for part in classes.linearized(cls)
        )

    def _is_replace(self, called: ast.expr) -> bool:
        """`self.replace`, of a record that has it from a library."""
        return (
            isinstance(called, ast.Attribute)
            and called.attr in ("replace", "_replace")
            and isinstance(called.value, ast.Name)
            and called.value.id == self.receiver
            and classes.is_record(self.cls)
            and classes.find_member(self.it, self.cls, called.attr) is None
        )

    def _called(self, called: ast.expr) -> Value | None:
        """What a name stands for that the function does not bind; a method of the object, and the object's class."""
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Name) and called.func.id == "type":
            return self.cls if _names(called.args, self.receiver) else None
        if isinstance(called, ast.Attribute) and _names([called.value], self.receiver):
            return self.cls if called.attr == "__class__" else classes.find_member(self.it, self.cls, called.attr)
        root = called
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.bound:
            return None
        return self.it.eval_annotation(called, self.function)


_OF_MAKING = ("__init__", "__post_init__", "__new__", "__check_init__")
_COPYING = {"dataclasses.replace": 0, "equinox.tree_at": 1}
"""Which argument a function gives a changed copy of."""
_RECORDS = frozenset(
    "typing.NamedTuple typing_extensions.NamedTuple equinox.Module flax.struct.PyTreeNode "
    "flax.training.train_state.TrainState".split()
)


def _is_computing(name: str) -> bool:
    if name in _BUILTINS or name in libraries.PURE_RESULTS or name in _COPYING or name == "jax.lax.stop_gradient":
        return True
    return name.startswith(_COMPUTING) and name not in EFFECT_FUNCTIONS and name not in libraries.HIGHER_ORDER


def _names(written: list[ast.expr], name: str) -> bool:
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
