"""Variables that are bound once, so that what they are bound to may be read in their place."""

from __future__ import annotations

import ast

from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText


def only_value(it: Interpreter, name: ast.Name) -> ast.expr | None:
    """What a variable of the function that runs, or of the module, is bound to, where that is done once."""
    function = it.activation.function
    found = _bound_in(it.frame.scope, function.node, name.id) if function is not None else ()
    if not found:
        found = it.ask_text(it.frame.scope, _bound_in, None, name.id)
    return found[0] if found else None


def _bound_in(scope: ModuleText, function: ast.AST | None, name: str) -> tuple[ast.expr | None, ...]:
    """What a function, or the module, binds a name to; None if that is not clear, empty if it does not."""
    walked = scope.walked(function)
    stores = walked.stores.get(name, [])
    if name in walked.parameters:
        return (None,)
    return (walked.assigned.get(stores[0]) if len(stores) == 1 else None,) if stores else ()
