"""Variables that are bound once, so that what they are bound to may be read in their place."""

from __future__ import annotations

import ast

from jaxlint.flow.port import Interpreter


def only_value(it: Interpreter, name: ast.Name) -> ast.expr | None:
    """What a variable of the function that runs, or of the module, is bound to, where that is done once."""
    function = it.activation.function
    bodies: list[ast.AST | None] = [] if function is None else [function.node]
    for body in [*bodies, it.frame.scope.tree]:
        if body is None:
            continue
        walked = it.frame.scope.walked(body)
        if name.id in walked.parameters:
            return None
        stores = walked.stores.get(name.id, [])
        if stores:
            return walked.assigned.get(stores[0]) if len(stores) == 1 else None
    return None
