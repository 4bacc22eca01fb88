"""Whether code may be given references, which look like arrays and dicts and may be changed."""

from __future__ import annotations

from jaxlint.flow.domain.values import Function, Lazy, ModuleScope, ModuleValue, Transformed
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.port import Interpreter


def may_be_given(it: Interpreter) -> bool:
    """Whether the module that runs has to do with references, or one that imports something of it."""
    scope = it.frame.scope
    if scope.uses_references:
        return True
    others = [other for other in it.scopes.values() if other is not scope and other.tree is not None]
    for other in others:
        it.note_text(other)
    return any(other.uses_references and _imports(it, other, scope) for other in others)


def _imports(it: Interpreter, other: ModuleScope, scope: ModuleScope) -> bool:
    """Whether a module has a function of the other one, from wherever it is imported, or that module itself."""
    values = (resolve(it, one) if isinstance(one, Lazy) else one for one in list(it.state.read(other.frame).values()))
    return any(isinstance(value, (Function, ModuleValue, Transformed)) and value.scope is scope for value in values)
