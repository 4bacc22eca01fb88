"""Whether a program has to do with `jax_enable_x64`: enables it, asks for it, or tells its users to."""

from __future__ import annotations

import ast
import glob
import os
import re
from collections.abc import Collection, Iterator
from weakref import WeakKeyDictionary

from jaxlint.files.reading import read_text
from jaxlint.project.documents import Document
from jaxlint.project.edits import lines_of
from jaxlint.project.program import Program
from jaxlint.project.roots import repository_around
from jaxlint.project.together import may_run_with

_NAME = re.compile(r"enable_?x64|x64_?enabled", re.IGNORECASE)
_OFF = re.compile(r"enable_?x64\W{1,4}(false|0)\b", re.IGNORECASE)

_ENABLING = frozenset({"netket"})
"""Libraries whose import enables it."""
_MAY_SET = re.compile("|".join((_NAME.pattern, *_ENABLING)), re.IGNORECASE)

_BESIDE = (
    "pyproject.toml",
    "pytest.ini",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    "conftest.py",
    "Makefile",
    "*Dockerfile*",
    ".env*",
    "README*",
    "*.sh",
    os.path.join("scripts", "*.sh"),
    os.path.join(".github", "workflows", "*.y*ml"),
    ".gitlab-ci.yml",
    os.path.join("tests", "conftest.py"),
)
"""Files of a program, or of the repository around it, that say how it is run."""


def with_x64(program: Program) -> Collection[str]:
    """The modules that may run where the setting is on: code that runs with them names it, unless to switch it off."""
    setting = [name for name, module in program.modules.items() if _names_it(module.document)]
    found = may_run_with(program, setting, _is_setting) if setting else ()
    return program.modules if found is None else found


def _is_setting(statement: ast.stmt) -> bool:
    return any(map(_sets_it, _code(statement)))


def is_told_of_x64(program: Program) -> bool:
    """Whether a file beside the sources names the setting, unless it is to switch it off."""
    return any(_NAME.search(_OFF.sub("", text)) for text in texts_beside(program))


def texts_beside(program: Program) -> Iterator[str]:
    """The files beside the sources that say how the program is run."""
    folders = dict.fromkeys((program.root, repository_around(program.root) or program.root))
    for folder in folders:
        yield from _texts_in(folder)


def _names_it(document: Document) -> bool:
    """Whether code names the setting; found out once for each text."""
    if document not in _NAMING:
        _NAMING[document] = _has_it_in_code(document)
    return _NAMING[document]


_NAMING: WeakKeyDictionary[Document, bool] = WeakKeyDictionary()


def _has_it_in_code(document: Document) -> bool:
    """A comment or a docstring does not count: what it says need not be done."""
    if not _MAY_SET.search(document.text) or document.tree is None:
        return False
    named = {number for number, line in enumerate(document.lines, 1) if _MAY_SET.search(line)}
    return any(
        _sets_it(node)
        for statement in document.tree.body
        if not named.isdisjoint(range(*_lines(statement)))
        for node in _code(statement)
    )


def _lines(statement: ast.stmt) -> tuple[int, int]:
    first, last = lines_of(statement)
    return first, last + 1


def _code(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without strings that stand for themselves, and without calls that switch the setting
    off."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Call) and any(_is_off(argument) for argument in (*node.args[-1:], *_values(node))):
            pending += [part for part in ast.iter_child_nodes(node) if not _sets_it(part)]
            continue
        yield node
        pending += ast.iter_child_nodes(node)


def _values(call: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in call.keywords]


def _is_off(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (False, "0", "false", "False")


def _sets_it(node: ast.AST) -> bool:
    names: tuple[str, ...] = ()
    if isinstance(node, ast.Attribute):
        names = (node.attr,)
    elif isinstance(node, ast.Name):
        names = (node.id,)
    elif isinstance(node, ast.keyword):
        names = (node.arg or "",)
    elif isinstance(node, ast.Constant):
        names = (node.value,) if isinstance(node.value, str) else ()
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        names = tuple(alias.name for alias in node.names)
        imported = [*names, (getattr(node, "module", None) or "")]
        if not _ENABLING.isdisjoint(name.partition(".")[0] for name in imported):
            return True
    return any(_NAME.search(name) for name in names)


def _texts_in(folder: str) -> Iterator[str]:
    for pattern in _BESIDE:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), pattern))):
            try:
                yield read_text(path)
            except (OSError, ValueError):
                continue  # what cannot be read says nothing
