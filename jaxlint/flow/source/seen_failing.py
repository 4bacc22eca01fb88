"""Functions that are called only where a test says that they fail.

A `try` around all calls is none of that: the function is wrong all the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.flow.source.swallowed import caught_names
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children, descendants

RAISING = frozenset(("raises", "assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch"))
"""What a `with` calls to say that its block fails, beside managers of the module's own."""

Managers = dict[str, ast.AST]

_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
_STEPS = 2  # from one name to the next that is bound to what is made of it
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class _Mention:
    """Where a name is read, and what is expected around that."""

    line: int
    is_deep: bool  # in a function of the scope, which is run later
    kept_as: str  # the name that the statement binds to what it makes of it
    expected: frozenset[str]


def expects_failures(statement: ast.stmt) -> bool:
    """Whether a statement says anywhere in it that a block fails."""
    return any(_expected_in(part, {}) for part in descendants(statement) if isinstance(part, ast.With))


def seen_failing(tree: ast.Module, body: list[ast.stmt], managers: Managers) -> dict[ast.AST, frozenset[str]]:
    """Functions of a module with the exceptions (their names) that are said to be raised around everything that reads
    the name of the function, or the name of what is made of it.  ``body`` is the module's, with functions `lifted`;
    ``managers`` are what else than `RAISING` says that a block fails."""
    read: dict[_Scope, _Names] = {}
    found: dict[ast.AST, frozenset[str]] = {}
    for function, scope in _scopes(tree, body):
        names = read.get(scope) or read.setdefault(scope, _Names(body if scope is tree else scope.body, managers))
        expected = names.around(function.name, function.end_lineno or 0)
        if expected:
            found[function] = expected
    return found


class _Names:
    """The lines that bind each name in a scope, and the mentions of names in it."""

    def __init__(self, body: list[ast.stmt], managers: Managers) -> None:
        self.managers = managers
        self.bound: dict[str, list[int]] = {}
        self.mentions: dict[str, list[_Mention]] = {}
        self._gather(body, frozenset(), False)

    def around(self, name: str, line: int, steps: int = 0) -> frozenset[str]:
        """What is expected around all that reads a name that is bound up to a line."""
        following = min((other for other in self.bound.get(name, ()) if other > line), default=None)
        found: frozenset[str] | None = None
        for mention in self.mentions.get(name, ()):
            is_before = mention.line <= line and not (mention.is_deep and following is None)  # what is deep runs later
            if is_before or (following is not None and mention.line > following):
                continue
            here = mention.expected
            if not here and mention.kept_as not in ("", name) and steps < _STEPS and not mention.is_deep:
                here = self.around(mention.kept_as, mention.line, steps + 1)
            found = here if found is None else found & here
        return found or frozenset()

    def _gather(self, body: list[ast.stmt], expected: frozenset[str], is_deep: bool) -> None:
        for statement in body:
            kept_as = "" if is_deep else _bound_by(statement)
            if kept_as:
                self.bound.setdefault(kept_as, []).append(statement.lineno)
            for node in _own_names(statement):
                mention = _Mention(node.lineno, is_deep, kept_as, expected)
                self.mentions.setdefault(node.id, []).append(mention)
            is_definition = isinstance(statement, _DEFINITIONS)  # what is around it is not around its calls
            for block, more in _blocks(statement, self.managers):
                self._gather(block, frozenset() if is_definition else expected | more, is_deep or is_definition)


def _scopes(tree: ast.Module, body: list[ast.stmt]) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, _Scope]]:
    """Each function with the function around it, or the module; not methods, which are called by other names."""
    of_module = frozenset(body)
    stack: list[tuple[ast.AST, _Scope | None]] = [(tree, tree)]
    while stack:
        node, scope = stack.pop()
        for child in children(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                around = tree if child in of_module else scope
                if around is not None:
                    yield child, around
                stack.append((child, child))
            else:
                stack.append((child, None if isinstance(child, ast.ClassDef) else scope))


def _bound_by(statement: ast.stmt) -> str:
    if isinstance(statement, _DEFINITIONS):
        return statement.name
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _blocks(statement: ast.stmt, managers: Managers) -> Iterator[tuple[list[ast.stmt], frozenset[str]]]:
    """The blocks of a statement, with the exceptions that it says are expected in each."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if block:
            yield block, _expected_in(statement, managers) if field == "body" else frozenset()
    for handler in getattr(statement, "handlers", ()):
        yield handler.body, frozenset()


def _expected_in(statement: ast.stmt, managers: Managers) -> frozenset[str]:
    if not isinstance(statement, ast.With):
        return frozenset()
    calls = [item.context_expr for item in statement.items if isinstance(item.context_expr, ast.Call)]
    stated = [each for call in calls if _last(call.func) in RAISING for each in call.args[:1]]
    return _names([*stated, *(each for call in calls for each in caught_names(call, managers))])


def _names(classes: list[ast.expr]) -> frozenset[str]:
    parts = [part for each in classes for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
    return frozenset(map(_last, parts))


def _last(name: ast.expr) -> str:
    return dotted(name).rpartition(".")[2]


def _own_names(statement: ast.stmt) -> Iterator[ast.Name]:
    """The names that a statement reads outside of its blocks."""
    inner = {id(each) for block, _ in _blocks(statement, {}) for each in block}
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node
        stack += [child for child in children(node) if id(child) not in inner]
