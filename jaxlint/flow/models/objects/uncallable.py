"""Objects that are called and cannot be: modules written as torch wants them, which runs `forward`."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ClassValue, External, Instance
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_BASES = frozenset(("equinox.Module", "flax.nnx.Module"))
"""Classes of modules that have no `__call__` themselves."""


def check_called(it: Interpreter, owner: Instance, node: ast.AST) -> None:
    """model(x), where the class of the model has `forward` and no `__call__`."""
    cls = owner.cls
    if owner.symbolic or not classes.external_bases(cls) & _BASES or classes.find_member(it, cls, "forward") is None:
        return
    line = classes.linearized(cls)
    bases = [base for part in line for base in part.bases if not isinstance(base, ClassValue)]
    if not all(isinstance(base, External) and base.name in _BASES | classes.WITHOUT_MEMBERS for base in bases):
        return
    if any(part.node.keywords or not all(isinstance(one, External) for one in part.decorators) for part in line):
        return
    scopes = {id(scope): scope for scope in (it.frame.scope, *(part.scope for part in line))}
    if not any(it.ask_text(scope, _sets_call) for scope in scopes.values()):
        it.emit(events.UncallableModule(node, cls.name))


def _sets_call(scope: ModuleText) -> bool:
    """Whether a module gives something a `__call__` afterwards, whatever that is."""
    return scope.tree is not None and any(
        (isinstance(part, ast.Attribute) and part.attr == "__call__")
        or (isinstance(part, ast.Constant) and part.value == "__call__")
        for part in descendants(scope.tree)
    )
