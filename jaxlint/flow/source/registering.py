"""Which classes a module registers as pytrees, as far as its text tells."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.flow.source.trees import descendants

_REGISTERS = re.compile(r"\bregister_(?:pytree|dataclass|static|with_keys|attrs|node)")


def registers(text: str) -> bool:
    """Whether a text may register classes."""
    return _REGISTERS.search(text) is not None


class Registrations(NamedTuple):
    """What one statement says of classes that are registered.

    ``told`` are the ``mentions`` of functions that register which decorate a class, one of ``decorated``; ``handed``
    are the others that are called with something of a name.
    """

    classes: frozenset[str]  # names of classes that are written there, or imported and most likely classes
    bound: frozenset[str]  # names that are given something else
    mentions: frozenset[ast.AST]
    told: frozenset[ast.AST]
    decorated: frozenset[str]
    handed: tuple[tuple[str, ast.AST], ...]
    renames: bool  # whether it imports such a function by another name


def registrations(statement: ast.AST) -> Registrations:
    nodes = list(descendants(statement))
    decorated: set[str] = set()
    told: set[ast.AST] = set()
    handed: list[tuple[str, ast.AST]] = []
    renames = False
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            mentions = [part for decorator in node.decorator_list for part in _mentions(decorator)]
            told.update(mentions)
            decorated.update([node.name] if mentions else ())
        elif isinstance(node, ast.Call) and _is_mention(node.func) and node.args:
            handed.append((getattr(node.args[0], "attr", getattr(node.args[0], "id", "")), node.func))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            renames |= any(alias.asname is not None and registers(alias.name) for alias in node.names)
    mentioned = frozenset(filter(_is_mention, nodes))
    return Registrations(
        _class_names(nodes), _bound(nodes), mentioned, frozenset(told), frozenset(decorated), tuple(handed), renames
    )


def registered_classes(parts: Sequence[Registrations]) -> frozenset[str] | None:
    """The names of the classes that a module registers; None where any that it names may be one of them.

    One that it decorates, or hands to such a function by the name of a class, is the only one meant there.
    """
    if any(part.renames for part in parts):
        return None
    made = frozenset[str]().union(*(part.classes for part in parts))
    classes = made.difference(*(part.bound for part in parts))
    handed = [(name, node) for part in parts for name, node in part.handed if name in classes]
    told = frozenset[ast.AST]().union(*(part.told for part in parts), [node for _, node in handed])
    if any(not part.mentions <= told for part in parts):
        return None
    return frozenset[str]().union(*(part.decorated for part in parts), [name for name, _ in handed])


def registering_functions(statement: ast.AST) -> frozenset[ast.AST]:
    """The functions in a statement that name a function which registers classes."""
    functions = (node for node in descendants(statement) if isinstance(node, _FUNCTIONS))
    return frozenset(node for node in functions if any(map(_is_named, descendants(node))))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _is_named(node: ast.AST) -> bool:
    name = getattr(node, "attr", getattr(node, "id", ""))
    return isinstance(name, str) and registers(name)


def _class_names(nodes: list[ast.AST]) -> frozenset[str]:
    """The names of classes that are written somewhere, or imported and most likely classes."""
    made = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    imported = {
        alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    return frozenset(made | imported)


def _bound(nodes: list[ast.AST]) -> frozenset[str]:
    """The names that variables and parameters have."""
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return frozenset(bound | {node.arg for node in nodes if isinstance(node, ast.arg)})


def _mentions(node: ast.AST) -> list[ast.AST]:
    return [part for part in descendants(node) if _is_mention(part)]


def _is_mention(node: ast.AST) -> bool:
    """Whether it is a name, or an attribute, of a function that registers, also as a string."""
    if isinstance(node, ast.Constant):  # getattr(jax.tree_util, "register_static")
        return isinstance(node.value, str) and node.value.isidentifier() and registers(node.value)
    return _is_named(node)
