"""The text of functions, as it is on disk: what a recording holds for, and what its places are relative to.

A function's text is that of its definition.  What it *reads* belongs to it, too: the statements of its module and of
its classes that give values to the names it mentions.  Where all that stands in the file does not matter.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jaxlint.dynamic.inputs.usage import MOST_FILES, definitions, line_range, parsed, text_of

_LINE_END = re.compile(r"\r\n|\r|\n")
_LENGTH = 12  # of a hash


@dataclass(frozen=True, slots=True)
class Definition:
    """One `def`; ``number`` says which, of several with the same qualified name, such as a property's functions."""

    qualname: str
    number: int
    lines: range
    indent: int


@functools.lru_cache(maxsize=MOST_FILES)
def all_in(path: str) -> tuple[Definition, ...]:
    """The definitions of a file, innermost first."""
    found = [
        Definition(qualname, number, line_range(node), node.col_offset)
        for qualname, nodes in definitions(path).items()
        for number, node in enumerate(nodes)
    ]
    return tuple(sorted(found, key=lambda one: len(one.lines)))


def around(path: str, line: int) -> Definition | None:
    """The innermost definition that a line of a file is in."""
    return next((one for one in all_in(path) if line in one.lines), None)


def named(path: str, qualname: str, number: int = 0) -> Definition | None:
    """The definition of a name, None where the file has none."""
    return next((one for one in all_in(path) if (one.qualname, one.number) == (qualname, number)), None)


def whole(path: str) -> Definition:
    """The module's own code, which has no name: its text is that of the file."""
    return Definition("", 0, range(1, len(_source_lines(path)) + 1), 0)


@functools.cache
def own_hash(path: str, qualname: str) -> str:
    """A hash of the text of a function's definitions, "" where there are none."""
    if not qualname:
        return _hash([text_of(path)])
    return _hash(_text(path, line_range(node)) for node in definitions(path).get(qualname, ()))


@functools.cache
def whole_hash(path: str, qualname: str) -> str:
    """A hash of a function's text and of what it reads."""
    if not qualname:
        return own_hash(path, qualname)
    own = [_text(path, line_range(node)) for node in definitions(path).get(qualname, ())]
    read = [_text(path, _lines(statement)) for statement in _read_by(path, qualname)]
    return _hash((*own, *read)) if own else ""


@functools.cache
def mentioned(path: str, qualname: str) -> frozenset[str]:
    """The names that a function, or what it reads, mentions: variables and attributes."""
    if not qualname:
        return frozenset(_names(tree)) if (tree := parsed(path)) is not None else frozenset()
    nodes = (*definitions(path).get(qualname, ()), *_read_by(path, qualname))
    return frozenset(name for node in nodes for name in _names(node))


def _read_by(path: str, qualname: str) -> Iterator[ast.stmt]:
    """The statements of the module that bind a name that a function mentions, and those of the classes around it."""
    names = {name for node in definitions(path).get(qualname, ()) for name in _names(node)}
    for statement in _bindings(path):
        if any(name in names for target in _targets(statement) for name in _names(target)):
            yield statement
    prefix = ""
    for part in qualname.split(".")[:-1]:
        prefix += part
        yield from _class_statements(path).get(prefix, ())
        prefix += "."


@functools.lru_cache(maxsize=MOST_FILES)
def _bindings(path: str) -> tuple[ast.stmt, ...]:
    """The assignments that a module's own code makes."""
    tree = parsed(path)
    return tuple(_simple(tree.body)) if tree is not None else ()


@functools.lru_cache(maxsize=MOST_FILES)
def _class_statements(path: str) -> dict[str, tuple[ast.stmt, ...]]:
    """The assignments in the body of each class that no function makes, by its qualified name."""
    found: dict[str, tuple[ast.stmt, ...]] = {}

    def collect(body: Iterable[ast.AST], prefix: str) -> None:
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                found[prefix + statement.name] = tuple(_simple(statement.body))
                collect(statement.body, f"{prefix}{statement.name}.")
            elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.expr)):
                collect(ast.iter_child_nodes(statement), prefix)

    tree = parsed(path)
    collect(tree.body if tree is not None else (), "")
    return found


def _simple(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The assignments in a body, those in its branches and loops among them."""
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            yield statement
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _simple(child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt))


def _targets(statement: Any) -> list[ast.expr]:
    return list(statement.targets) if isinstance(statement, ast.Assign) else [statement.target]


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _hash(texts: Iterable[str]) -> str:
    text = "\n".join(texts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH] if text else ""


def _text(path: str, lines: range) -> str:
    own = _source_lines(path)[lines.start - 1 : lines.stop - 1]
    return textwrap.dedent("\n".join(text.rstrip() for text in own))


@functools.lru_cache(maxsize=MOST_FILES)
def _source_lines(path: str) -> list[str]:
    return _LINE_END.split(text_of(path))


# ------------------------------------------------------------------------------------------------ places


def relative(span: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a place, with its lines and columns counted from where the text of its function begins."""
    one = around(span["path"], span["line"]) or whole(span["path"])
    start = dict.fromkeys(_LINES, one.lines.start) | dict.fromkeys(_COLUMNS, one.indent)
    counted = {name: span[name] - first if span[name] else None for name, first in start.items()}
    return span | counted | {"in": one.qualname, "number": one.number}


def absolute(span: dict[str, Any]) -> dict[str, Any]:
    """The place as it is in the file now.  Raises ValueError where the function is not there, KeyError for no place."""
    one = named(span["path"], span["in"], span["number"]) if span["in"] else whole(span["path"])
    if one is None:
        raise ValueError(f"{span['path']} has no {span['in']}")
    start = dict.fromkeys(_LINES, one.lines.start) | dict.fromkeys(_COLUMNS, one.indent)
    counted = {name: 0 if span[name] is None else span[name] + first for name, first in start.items()}
    return {name: value for name, value in (span | counted).items() if name not in ("in", "number")}


_LINES, _COLUMNS = ("line", "end_line"), ("column", "end_column")
"""What a place is made of; what is not known of it is 0."""
