"""Methods of a project's records that certainly do nothing but to give a changed copy.

It is told from what the method says: it only computes, and returns a new object of its own object's class.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import ClassValue, External, Function, Instance, Opaque, Tree, Tuple, Value
from jaxlint.flow.models.objects import classes, frozen
from jaxlint.flow.models.objects.computing import COPYING, Computing, names
from jaxlint.flow.models.objects.declared import declared_class
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries


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


class _Method(Computing):
    """A method as objects of a class have it, or what it calls; ``asked`` are those that it leads from."""

    def __init__(self, it: Interpreter, cls: ClassValue, function: Function, asked: tuple[ast.AST, ...] = ()) -> None:
        super().__init__(it, function, asked)
        self.cls = cls
        has_receiver = function.owner is not None and function.kind != "static"
        self.receiver = next((one.arg for one in function.node.args.args), "") if has_receiver else ""

    def copies(self) -> bool:
        returned = [part.value for part in descendants(self.function.node) if isinstance(part, ast.Return)]
        return bool(returned) and all(map(self._is_copy, returned)) and self.computes()

    def computes(self, kind: str = "") -> bool:
        return self.receiver not in self.stored and super().computes(kind)

    def other(self, function: Function) -> _Method:
        return _Method(self.it, self.cls, function, self.asked)

    def is_field(self, read: ast.Attribute) -> bool:
        """Whether what is read of the object is no property that does more than to compute."""
        if not names([read.value], self.receiver):
            return True
        member = classes.find_member(self.it, self.cls, read.attr)
        is_property = isinstance(member, Function) and member.kind == "property"
        return not is_property or (isinstance(member, Function) and self.follows(member, "property"))

    def _is_copy(self, value: ast.expr | None) -> bool:
        """Whether what is returned is a new object of the same record's class."""
        if not isinstance(value, ast.Call):
            return False
        called = self.called(value.func)
        if isinstance(called, External):
            place = COPYING.get(called.name, len(value.args))
            return names(value.args[place : place + 1], self.receiver)
        return called in classes.linearized(self.cls) or self._is_replace(value.func)

    def is_pure(self, call: ast.Call) -> bool:
        if self._is_replace(call.func):
            return True
        called = self.called(call.func)
        return self._only_stores(called) if isinstance(called, ClassValue) else super().is_pure(call)

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

    def called(self, called: ast.expr) -> Value | None:
        """What a name stands for that the function does not bind; a method of the object, and the object's class."""
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Name) and called.func.id == "type":
            return self.cls if names(called.args, self.receiver) else None
        if isinstance(called, ast.Attribute) and names([called.value], self.receiver):
            return self.cls if called.attr == "__class__" else classes.find_member(self.it, self.cls, called.attr)
        return super().called(called)


_OF_MAKING = ("__init__", "__post_init__", "__new__", "__check_init__")
_RECORDS = frozenset(
    "typing.NamedTuple typing_extensions.NamedTuple equinox.Module flax.struct.PyTreeNode "
    "flax.training.train_state.TrainState".split()
)
