"""Which functions of a module mention which names: what a constructor may get to, by the text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode, descendants

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Mentions(NamedTuple):
    """A function, the class whose method it is (empty: none) and the names and attributes in it."""

    owner: str
    name: str
    words: frozenset[str]


def functions_of(scope: ModuleText) -> tuple[Mentions, ...]:
    return tuple(_below(scope.tree.body, "")) if scope.tree is not None else ()


def _below(body: Iterable[ast.AST], owner: str) -> Iterator[Mentions]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _below(node.body, node.name)
        elif isinstance(node, _FUNCTIONS):
            words = (getattr(part, "attr", getattr(part, "id", "")) for part in descendants(node))
            inside = (part.name for part in descendants(node) if isinstance(part, ast.FunctionDef) and part is not node)
            yield Mentions(owner, node.name, frozenset(word for word in (*words, *inside) if isinstance(word, str)))
            yield from _below(node.body, "")
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            yield from _below(ast.iter_child_nodes(node), owner)


def is_read_in(scope: ModuleText, name: str) -> bool:
    """Whether a module reads a name or an attribute, or imports it by another name."""
    return name in scope.names_read


def makers_of(scope: ModuleText, name: str) -> tuple[str, ...]:
    """The functions of a module that define one of that name and return it."""
    nodes = descendants(scope.tree) if scope.tree is not None and name in scope.names_read else ()
    return tuple(sorted(one.name for one in nodes if isinstance(one, ast.FunctionDef) and _return_of(one, name)))


def _return_of(function: ast.FunctionDef, name: str) -> ast.Return | None:
    """Where a function returns what it has defined by that name."""
    last = function.body[-1]
    is_made = any(isinstance(one, _FUNCTIONS) and one.name == name for one in function.body)
    return last if is_made and isinstance(last, ast.Return) and getattr(last.value, "id", "") == name else None


def is_read_beyond(scope: ModuleText, word: str, name: str) -> bool:
    """Whether a module reads a name or an attribute ``word``, or imports it by another name, for something else than to
    hand on what it stands for as ``name``: `f = Holder.f`, `f = make_f()`, and a `return f` behind its definition."""
    if scope.tree is None or word not in scope.names_read:
        return False
    nodes = list(descendants(scope.tree))
    handed = set[ast.AST | None]()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Attribute() as value) if bound == name:
                handed.add(value)
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Call(func=maker, args=[])) if bound == name:
                handed.add(maker)
            case ast.FunctionDef() if (returned := _return_of(node, name)) is not None:
                handed.add(returned.value)
    read = [one for one in nodes if one not in handed and not isinstance(getattr(one, "ctx", None), ast.Store)]
    renamed = (one.name for one in read if isinstance(one, ast.alias) and one.asname)
    return word in renamed or any(word in (getattr(one, "attr", None), getattr(one, "id", None)) for one in read)


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


def attributes_of(scope: ModuleText, function: FunctionNode, name: str) -> tuple[str, ...]:
    """The attributes that a function reads or sets of what a name in it is bound to."""
    parts = (part for part in descendants(function) if isinstance(part, ast.Attribute))
    return tuple(sorted({part.attr for part in parts if isinstance(part.value, ast.Name) and part.value.id == name}))
