"""Which edits surely change nothing about the removed names that a module uses: it need not be searched again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from jaxlint.checks.versions import guards
from jaxlint.checks.versions.removed_api import PARENTS
from jaxlint.flow.tracking import bound_names
from jaxlint.flow.trees import descendants
from jaxlint.project.documents import Document
from jaxlint.project.edits import TreeEdit, lines_of

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WORD = re.compile(r"\w+")
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
    names = {name for node, _ in changed for name in bound_names(node)}
    return not names or names.isdisjoint(_bound_otherwise(edit))


def _is_silent(nodes: Iterable[ast.AST], document: Document, lines: Lines) -> bool:
    """Whether code surely uses no removed name and decides nothing for the rest of its module."""
    words = _words(document, lines)
    if not words.isdisjoint(guards.WORDS) or any("version" in word.lower() for word in words):
        return False
    return words.isdisjoint(PARENTS) or all(name not in PARENTS for name in _used(nodes))


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
        return _words(document, lines_of(statement)).isdisjoint(("jax", "__future__"))
    return isinstance(statement, _DEFINITIONS) and _is_silent([statement], document, lines_of(statement))


def _bound_otherwise(edit: TreeEdit) -> set[str]:
    """Names of the module that may stand for a part of JAX because of what was there before the edit, too."""
    assert edit.document.tree is not None
    names: set[str] = set()
    for statement in edit.document.tree.body:
        if statement not in edit.added and not isinstance(statement, _DEFINITIONS):
            names |= bound_names(statement)
    return names


def _words(document: Document, lines: Lines) -> set[str]:
    return set(_WORD.findall("\n".join(document.lines[lines[0] - 1 : lines[1]])))
