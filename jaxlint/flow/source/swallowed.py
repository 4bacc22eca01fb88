"""Context managers of the project that keep an exception of their block to themselves, as `pytest.raises` does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, children, descendants, parameter_names

_MAKER = "contextmanager"


def expecting_managers(statement: ast.AST) -> dict[str, ast.AST]:
    """The functions and classes in a statement whose blocks have to fail, by name: else they raise something."""
    return {
        part.name: part
        for part in descendants(statement)
        if (isinstance(part, ast.FunctionDef) and any(swallowing(part)) and _may_raise(part))
        or (isinstance(part, ast.ClassDef) and any(keeps_exceptions(own) and _may_raise(own) for own in part.body))
    }


def swallowing(function: ast.AST) -> Iterator[ast.ExceptHandler]:
    """The handlers of a `@contextmanager` that the exceptions of its block reach, and go no further.

    None for what is no generator of a context manager, and for handlers that raise at their end.
    """
    if not isinstance(function, ast.FunctionDef) or not any(_is_maker(one) for one in function.decorator_list):
        return
    for part in _own_parts(function):
        if isinstance(part, ast.Try) and any(
            isinstance(one, ast.Yield) for own in part.body for one in descendants(own)
        ):
            yield from (one for one in part.handlers if not isinstance(one.body[-1], ast.Raise))


def keeps_exceptions(method: ast.AST) -> bool:
    """Whether it is an `__exit__` that says so: it gives True, or what it has found out of the exception.  What it only
    hands on, `return self.scope.__exit__(*error)`, says nothing."""
    return (
        isinstance(method, ast.FunctionDef)
        and method.name == "__exit__"
        and any(isinstance(part, ast.Return) and _says_so(part.value) for part in _own_parts(method))
    )


def caught_names(call: ast.expr, managers: dict[str, ast.AST]) -> list[ast.expr]:
    """What a `with` expects of its block, if it calls one of ``managers``: the classes as they are written, in the
    call where the handler has a parameter."""
    manager = managers.get(_last(call.func)) if isinstance(call, ast.Call) else None
    if manager is None:
        return []
    assert isinstance(call, ast.Call)
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not isinstance(manager, ast.FunctionDef):
        return given
    names = parameter_names(manager)
    found: list[ast.expr] = []
    for handler in swallowing(manager):
        is_given = isinstance(handler.type, ast.Name) and handler.type.id in names
        found += given if is_given else [handler.type] if handler.type is not None else []
    return found


def _may_raise(function: ast.AST) -> bool:
    return any(isinstance(part, (ast.Raise, ast.Assert)) for part in _own_parts(function))


def _is_maker(decorator: ast.expr) -> bool:
    return _last(decorator) == _MAKER


def _own_parts(function: ast.AST) -> Iterator[ast.AST]:
    for part in children(function):
        if not isinstance(part, (FunctionNode, ast.ClassDef)):
            yield part
            yield from _own_parts(part)


def _says_so(value: ast.expr | None) -> bool:
    if value is None or isinstance(value, ast.Constant):
        return value is not None and bool(value.value)
    return any(
        (isinstance(part, ast.Compare) and not _is_of_none(part)) or _is_test(part) for part in descendants(value)
    )


def _is_of_none(part: ast.Compare) -> bool:
    """`error is None` is true only where nothing was raised."""
    other = part.comparators[0]
    return isinstance(part.ops[0], (ast.Is, ast.Eq)) and isinstance(other, ast.Constant) and other.value is None


def _is_test(part: ast.AST) -> bool:
    return isinstance(part, ast.Call) and dotted(part.func) in ("issubclass", "isinstance")


def _last(name: ast.expr) -> str:
    return dotted(name).rpartition(".")[2]
