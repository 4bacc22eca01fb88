"""Which functions of a module mention which names, and which modules it imports: what code may get to, by the text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode, descendants


class Mentions(NamedTuple):
    """A function, the class whose method it is (empty: none) and the names and attributes in it."""

    owner: str
    name: str
    words: frozenset[str]


def functions_of(scope: ModuleText) -> tuple[Mentions, ...]:
    return tuple(one for found in scope.parts(_functions_in) for one in found)


def _functions_in(statement: ast.AST) -> tuple[Mentions, ...]:
    return tuple(_below((statement,), ""))


def _below(body: Iterable[ast.AST], owner: str) -> Iterator[Mentions]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _below(node.body, node.name)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            words = (getattr(part, "attr", getattr(part, "id", "")) for part in descendants(node))
            inside = (part.name for part in descendants(node) if isinstance(part, ast.FunctionDef) and part is not node)
            yield Mentions(owner, node.name, frozenset(word for word in (*words, *inside) if isinstance(word, str)))
            yield from _below(node.body, "")
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            yield from _below(ast.iter_child_nodes(node), owner)


def is_read_in(scope: ModuleText, name: str) -> bool:
    """Whether a module reads a name or an attribute, or imports it by another name."""
    return name in scope.names_read


def is_named_in(scope: ModuleText, word: str) -> bool:
    """Whether a module reads a name or an attribute ``word``, or has it as a text, as in `method="decode"`."""
    nodes = descendants(scope.tree) if scope.tree is not None else ()
    return any(
        word in (getattr(one, "attr", None), getattr(one, "id", None), getattr(one, "value", None)) for one in nodes
    )


def reached(functions: Iterable[Mentions], roots: Iterable[str], owners: Iterable[str]) -> frozenset[str]:
    """The names that the methods ``roots`` of the classes mention, and those that functions and methods of the classes
    by such a name mention in turn."""
    own = [one for one in functions if not one.owner or one.owner in frozenset(owners)]
    found = set[str]()
    pending = {word for one in own if one.owner and one.name in frozenset(roots) for word in one.words}
    while pending:
        found |= pending
        pending = {word for one in own if one.name in pending for word in one.words} - found
    return frozenset(found)


def reached_in(scope: ModuleText, roots: frozenset[str], owners: frozenset[str]) -> frozenset[str]:
    """`reached` of the functions of one module."""
    return reached(scope.once(functions_of), roots, owners)


def attributes_of(scope: ModuleText, function: FunctionNode) -> dict[str, set[str]]:
    """The attributes that a function reads or sets of what each name in it is bound to."""
    found: dict[str, set[str]] = {}
    for part in descendants(function):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            found.setdefault(part.value.id, set()).add(part.attr)
    return found


def imported_modules(scope: ModuleText) -> tuple[tuple[str, str], ...]:
    """The names that a module's body binds by `import`, each with what it says there."""
    statements = scope.tree.body if scope.tree is not None else []
    outside = (part for one in statements if not isinstance(one, _DEFINITIONS) for part in descendants(one))
    names = (alias for part in outside if isinstance(part, ast.Import) for alias in part.names)
    return tuple((alias.name, alias.asname or "") for alias in names)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
