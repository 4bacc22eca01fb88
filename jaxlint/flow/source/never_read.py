"""Whether a function is made under a name that nobody ever reads: in a cell of a notebook, or in a function.

What a module has may be imported by whoever likes; a notebook, and the variables of a function, are all there is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from jaxlint.flow.source.dead import FunctionNode, around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import children, descendants


def is_never_read(scope: ModuleText, made: ast.AST) -> bool:
    """Whether the call ``made`` gives a name a function, which is handed on nowhere and called nowhere; or is the
    decorator of a function in a cell that loses its name to something else before."""
    if scope.tree is None:
        return False
    is_decorator = any(made in getattr(one, "decorator_list", ()) for one in scope.tree.body)
    root = scope.tree if is_decorator else around(scope.tree, made)
    if isinstance(root, ast.Module):
        document = scope.module.document
        if document.layout is None or document.layout.goes_on or not document.is_in_cells:
            return False
        bound = _bound_by(made, root.body)
        if bound is None or not _is_own(bound[1], list(descendants(root))):
            return False
        loses_it = any(_binds(statement, bound[1]) for statement in root.body[bound[0] + 1 :])
        return (loses_it or not is_decorator) and not _is_read_from(*bound, root.body)
    if not isinstance(root, FunctionNode) or not isinstance(made, ast.Call):
        return False
    parts = list(descendants(root))
    name = _name_of(made, parts)
    return name is not None and not _is_read(name, parts) and _is_own(name, parts)


def _bound_by(made: ast.AST, body: list[ast.stmt]) -> tuple[int, str] | None:
    """Which statement of a module binds a name to what is made, and which name."""
    for number, statement in enumerate(body):
        if isinstance(statement, ast.FunctionDef) and any(made is one for one in statement.decorator_list):
            return (number, statement.name) if len(statement.decorator_list) == 1 else None
        if isinstance(statement, ast.Assign) and statement.value is made and isinstance(made, ast.Call):
            target = statement.targets[0]
            return (number, target.id) if len(statement.targets) == 1 and isinstance(target, ast.Name) else None
    return None


def _is_read_from(number: int, name: str, body: list[ast.stmt]) -> bool:
    """Whether a name is read before a later statement gives it to something else: by the statements up to there, or by
    functions that were made by then, which may run at any time."""
    functions = (part for other in body[:number] for part in descendants(other) if isinstance(part, FunctionNode))
    if any(_is_read(name, _free(function, name)) for function in functions):
        return True
    for statement in body[number + 1 :]:
        if _binds(statement, name):
            return _is_read(name, _before_bound(statement))
        if _is_read(name, _free(statement, name)):
            return True
    return False


def _free(part: ast.AST, name: str) -> list[ast.AST]:
    """What of a statement is run where a name is that of the module: not what a function with such a parameter does."""
    if not isinstance(part, FunctionNode):
        return [part, *(inner for child in children(part) for inner in _free(child, name))]
    given = [argument for argument in descendants(part.args) if isinstance(argument, ast.arg)]
    if any(argument.arg == name for argument in given):
        return _before_bound(part)
    return list(descendants(part))


def _before_bound(statement: ast.AST) -> list[ast.AST]:
    """What of a statement runs before it binds its name: of a function its decorators and defaults."""
    if not isinstance(statement, FunctionNode):
        return list(descendants(statement))
    first = [*statement.args.defaults, *(default for default in statement.args.kw_defaults if default is not None)]
    return [inner for part in (*getattr(statement, "decorator_list", ()), *first) for inner in descendants(part)]


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement of a module gives a name to something else in any case."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return statement.name == name
    targets = statement.targets if isinstance(statement, (ast.Assign, ast.Delete)) else []
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _name_of(made: ast.Call, parts: Iterable[ast.AST]) -> str | None:
    """The variable that gets what a call makes."""
    statement = next((part for part in parts if isinstance(part, ast.Assign) and part.value is made), None)
    target = statement.targets[0] if statement is not None and len(statement.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else None


def _is_read(name: str, parts: Iterable[ast.AST]) -> bool:
    """Whether anything reads the variable, or might: by its name in a text that is code."""
    return any(
        (isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load))
        or (isinstance(part, ast.Constant) and isinstance(part.value, str) and _is_code_with(part.value, name))
        or (isinstance(part, ast.Name) and part.id in _ALL_NAMES)
        for part in parts
    )


def _is_code_with(text: str, name: str) -> bool:
    if re.search(rf"\b{re.escape(name)}\b", text) is None:
        return False
    try:
        code = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(part, ast.Name) and part.id == name for part in descendants(code))


_ALL_NAMES = frozenset(("globals", "locals", "vars", "exec", "eval"))


def _is_own(name: str, parts: Iterable[ast.AST]) -> bool:
    return not any(isinstance(part, (ast.Global, ast.Nonlocal)) and name in part.names for part in parts)
