"""Which edits surely change nothing about the removed names that a module uses: it need not be searched again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from jaxlint.checks.versions import questions
from jaxlint.checks.versions.removed_api import ADDED_PARENTS, PARENTS
from jaxlint.flow.engine.tracking import bound_names
from jaxlint.flow.source.trees import descendants
from jaxlint.project.documents import Document
from jaxlint.project.edits import TreeEdit, lines_of

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WORD = re.compile(r"\w+")
_NAMES = PARENTS.keys() | ADDED_PARENTS.keys()
Lines = tuple[int, int]


def is_quiet(old: Document, edit: TreeEdit) -> bool:
    """Whether what the edit changed uses no removed name, before and after, and decides nothing for other code."""
    for body in edit.bodies:
        if not _is_silent(body.old_body, old, body.old_lines):
            return False
        if not _is_silent(body.function.body, edit.document, body.new_lines):
            return False
    changed = [*((node, old) for node in edit.removed), *((node, edit.document) for node in edit.added)]
    if not all(_only_binds(node, document) for node, document in changed):
        return False
    bindings = {binding for node, _ in changed for binding in _bindings(node)}
    if not bindings:
        return True
    known = {name: set[str]() for name, _ in bindings}
    for name, what in _bound_otherwise(edit):
        if name in known:
            known[name].add(what)
    return all(known[name] <= {what} - {""} for name, what in bindings)


def _is_silent(nodes: Iterable[ast.AST], document: Document, lines: Lines) -> bool:
    """Whether code surely uses no removed name and decides nothing for the rest of its module."""
    words = _words(document, lines)
    if not words.isdisjoint(questions.WORDS) or any("version" in word.lower() for word in words):
        return False
    return words.isdisjoint(_NAMES) or all(name not in _NAMES for name in _used(nodes))


def _used(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names of attributes and keyword arguments, which are all that a removed name can be used by."""
    for root in nodes:
        for node in descendants(root):
            if isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.keyword) and node.arg:
                yield node.arg


def _only_binds(statement: ast.stmt, document: Document) -> bool:
    """Whether a statement of a module does no more than bind names that have nothing to do with JAX."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        if any(question in document.text for question in questions.OF_IMPORTED):
            return False  # whether they ask what JAX has depends on what is imported
        return _words(document, lines_of(statement)).isdisjoint(("jax", "__future__"))
    return isinstance(statement, _DEFINITIONS) and _is_silent([statement], document, lines_of(statement))


def _bound_otherwise(edit: TreeEdit) -> Iterator[tuple[str, str]]:
    """What names of the module may stand for because of what was there before the edit, too: maybe a part of JAX."""
    assert edit.document.tree is not None
    for statement in edit.document.tree.body:
        if statement not in edit.added and not isinstance(statement, _DEFINITIONS):
            yield from _bindings(statement)


def _bindings(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names that a statement of a module binds, each with what is imported under it, or nothing."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            what = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or what, what
    elif isinstance(statement, ast.ImportFrom):
        source = "." * statement.level + (statement.module or "")
        yield from ((alias.asname or alias.name, f"{source}.{alias.name}") for alias in statement.names)
    else:
        yield from ((name, "") for name in bound_names(statement))


def _words(document: Document, lines: Lines) -> set[str]:
    return set(_WORD.findall("\n".join(document.lines[lines[0] - 1 : lines[1]])))
