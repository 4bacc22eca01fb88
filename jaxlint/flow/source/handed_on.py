"""Which object a wrapper's `__getattr__` asks for what the wrapper itself lacks."""

from __future__ import annotations

import ast

from jaxlint.flow.source.trees import FunctionNode, descendants


def wrapped_attribute(node: FunctionNode) -> str | None:
    """The attribute that is asked in place of the object, as in `return getattr(self.env, name)`; None if a
    `__getattr__` does anything else but raise before that."""
    if isinstance(node, ast.Lambda) or len(node.args.args) != 2:
        return None
    *before, last = node.body
    owner, name = (parameter.arg for parameter in node.args.args)
    if not isinstance(last, ast.Return) or not all(_passes_by(statement, {owner, name}) for statement in before):
        return None
    match last.value:
        case ast.Call(
            func=ast.Name("getattr"),
            args=[ast.Attribute(ast.Name(read), wrapped), ast.Name(asked)],
            keywords=[],
        ) if (read, asked) == (owner, name):
            return wrapped
    return None


def _passes_by(statement: ast.stmt, names: set[str]) -> bool:
    """Whether a statement refuses some names or does nothing of interest: it neither returns, nor calls anything but
    to raise it, nor gives one of these names to something else."""
    if isinstance(statement, ast.If):
        return all(_passes_by(each, names) for each in (*statement.body, *statement.orelse))
    return isinstance(statement, ast.Raise) or not _does_more(statement, names)


def _does_more(node: ast.AST, names: set[str]) -> bool:
    return any(
        isinstance(part, (ast.Return, ast.Call, ast.Yield, ast.YieldFrom, ast.Await, ast.Try, ast.Delete))
        or (isinstance(part, ast.Name) and part.id in names and not isinstance(part.ctx, ast.Load))
        or (isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load))
        for part in descendants(node)
    )
