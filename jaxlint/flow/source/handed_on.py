"""Which object a wrapper's `__getattr__` asks for what the wrapper itself lacks."""

from __future__ import annotations

import ast

from jaxlint.flow.source.trees import FunctionNode


def wrapped_attribute(node: FunctionNode) -> str | None:
    """The attribute that is asked in place of the object, as in `return getattr(self.env, name)`; None if a
    `__getattr__` does anything else but raise before that."""
    if isinstance(node, ast.Lambda) or len(node.args.args) != 2:
        return None
    *before, last = node.body
    if not isinstance(last, ast.Return) or not all(map(_only_raises, before)):
        return None
    owner, name = (parameter.arg for parameter in node.args.args)
    match last.value:
        case ast.Call(
            func=ast.Name("getattr"),
            args=[ast.Attribute(ast.Name(read), wrapped), ast.Name(asked)],
            keywords=[],
        ) if (read, asked) == (owner, name):
            return wrapped
    return None


def _only_raises(statement: ast.stmt) -> bool:
    """A docstring, or a branch that does nothing but refuse some names."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    return all(isinstance(inner, ast.Raise) for inner in statement.body)
