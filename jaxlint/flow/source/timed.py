"""Whether a function is only there to be timed: nobody looks at what it returns, so that its numbers do not matter."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.limits import MOST_TIMED
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.runs_again import is_only_returned
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

_TIMERS = ("timeit", "repeat", "Timer")
"""What of `timeit` runs a function and says how long that took."""


Read = tuple[ast.stmt, bool, "str | None"]
Reads = dict[str, "list[Read]"]
"""Of each name that is read: the statement of the module, whether `timeit` runs what is read there, and the variable
that is made of it."""


def is_only_timed(scope: ModuleText, function: ast.AST) -> bool:
    """Whether a function is named nowhere but where `timeit` runs it, or what was made of it: one of a module's top,
    of a class there, or of a function there that only makes it."""
    if "timeit" not in scope.module.document.text:
        return False
    tree = scope.tree
    home = _home(tree.body, function) if isinstance(tree, ast.Module) else None
    if tree is None or home is None:
        return False
    known = scope.once(_reads)
    names, pending, is_timed = {home.name}, [home.name], False
    while pending:
        name = pending.pop()
        for statement, by_timer, made in known.get(name, ()):
            if statement is home:
                continue
            is_timed = is_timed or by_timer
            if by_timer:
                continue
            if made is None or len(names) > MOST_TIMED.value:
                return False
            if made not in names:
                names.add(made)
                pending.append(made)
    return is_timed


def _reads(scope: ModuleText) -> Reads:
    """Where a module reads names."""
    found: Reads = {}
    for known in scope.parts(_reads_in):
        for name, reads in known.items():
            found.setdefault(name, []).extend(reads)
    return found


def _reads_in(statement: ast.stmt) -> Reads:
    """Where a statement of a module reads names."""
    parts = list(descendants(statement))
    timed = {inner for part in parts if _runs(part) for inner in descendants(part)}
    makes = {inner: name for name, value in _named(parts) for inner in (value, *descendants(value))}
    found: Reads = {}
    for part in parts:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.setdefault(part.id, []).append((statement, part in timed, makes.get(part)))
    return found


def _home(body: list[ast.stmt], function: ast.AST) -> ast.FunctionDef | ast.ClassDef | None:
    """The statement of a module whose name leads to a function."""
    for statement in body:
        if statement is function and isinstance(statement, ast.FunctionDef):
            return statement
        if isinstance(statement, ast.ClassDef) and function in statement.body:
            return statement
        if isinstance(statement, ast.FunctionDef) and function in statement.body:
            return statement if is_only_returned(body, function) else None
    return None


def _runs(node: ast.AST) -> bool:
    """Whether a call has `timeit` run its arguments."""
    if not isinstance(node, ast.Call):
        return False
    module, _, function = dotted(node.func).rpartition(".")
    return function in _TIMERS and module in ("timeit", "") and (function == "timeit" or module == "timeit")


def _named(parts: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The variables that get what an expression gives, each with that."""
    for part in parts:
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
            yield part.targets[0].id, part.value


def is_only_compared(body: ast.AST, statement: ast.stmt, value: ast.AST) -> bool:
    """Whether an expression of a statement is there to be compared with a limit: itself, or the variable that gets it,
    everywhere in ``body``."""
    compared = {id(part) for node in descendants(body) if isinstance(node, ast.Compare) for part in descendants(node)}
    if id(value) in compared:
        return True
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or statement.value is not value:
        return False
    target = statement.targets[0]
    return isinstance(target, ast.Name) and _is_name_compared(body, target.id, compared)


def _is_name_compared(body: ast.AST, name: str, compared: set[int]) -> bool:
    """Whether whatever reads a variable compares it."""
    loads = list(_loads(body, name))
    return bool(loads) and all(id(load) in compared for load in loads)


def _loads(body: ast.AST, name: str) -> Iterator[ast.Name]:
    names = (part for part in descendants(body) if isinstance(part, ast.Name) and part.id == name)
    return (part for part in names if isinstance(part.ctx, ast.Load))


def is_handed_back(body: ast.AST, value: ast.AST) -> bool:
    """Whether a function returns an expression: itself, or a variable that gets it or a part of it."""
    returns = [part for part in descendants(body) if isinstance(part, ast.Return)]
    parts = [part for one in returns for part in descendants(one)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return value in parts or not names.isdisjoint(_names_of(body, value))


def may_be_compared(body: ast.AST, call: ast.AST) -> bool:
    """Whether what a call in ``body`` gives, or a part of it, is there to be compared with a limit."""
    compared = {id(part) for node in descendants(body) if isinstance(node, ast.Compare) for part in descendants(node)}
    return id(call) in compared or any(_is_name_compared(body, name, compared) for name in _names_of(body, call))


def _names_of(body: ast.AST, value: ast.AST) -> set[str]:
    """The variables that get what an expression gives, or a part of it."""
    statements = [one for one in descendants(body) if isinstance(one, ast.Assign) and one.value is value]
    targets = [target for one in statements for target in one.targets]
    parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return {part.id for part in parts if isinstance(part, ast.Name)}
