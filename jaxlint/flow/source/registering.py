"""Which classes a module registers as pytrees, as far as its text tells."""

from __future__ import annotations

import ast
import re

from jaxlint.flow.source.trees import descendants

_REGISTERS = re.compile(r"\bregister_(?:pytree|dataclass|static|with_keys|attrs|node)")


def registers(text: str) -> bool:
    """Whether a text may register classes."""
    return _REGISTERS.search(text) is not None


def registered_classes(tree: ast.Module | None, text: str) -> frozenset[str] | None:
    """The names of the classes that a module registers; None where any that it names may be one of them.

    One that it decorates, or hands to such a function by the name of a class, is the only one meant there.
    """
    if not registers(text):
        return frozenset()
    if tree is None:
        return None
    nodes = list(descendants(tree))
    classes = _class_names(nodes)
    found: set[str] = set()
    told: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            mentions = [part for decorator in node.decorator_list for part in _mentions(decorator)]
            told.update(mentions)
            found.update([node.name] if mentions else ())
        elif isinstance(node, ast.Call) and _is_mention(node.func) and node.args:
            name = getattr(node.args[0], "attr", getattr(node.args[0], "id", ""))
            if name in classes:
                told.add(node.func)
                found.add(name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if any(alias.asname is not None and registers(alias.name) for alias in node.names):
                return None
    others = (node for node in nodes if node not in told and _is_mention(node))
    return None if next(others, None) is not None else frozenset(found)


def registering_functions(tree: ast.Module | None, text: str) -> frozenset[ast.AST]:
    """The functions in a module that name a function which registers classes."""
    if tree is None or not registers(text):
        return frozenset()
    functions = (node for node in descendants(tree) if isinstance(node, _FUNCTIONS))
    return frozenset(node for node in functions if any(map(_is_named, descendants(node))))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _is_named(node: ast.AST) -> bool:
    name = getattr(node, "attr", getattr(node, "id", ""))
    return isinstance(name, str) and registers(name)


def _class_names(nodes: list[ast.AST]) -> frozenset[str]:
    """The names of classes that are written in the module, or that it imports and are most likely classes: nothing
    else is given them."""
    made = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    imported = {
        alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return frozenset((made | imported) - bound)


def _mentions(node: ast.AST) -> list[ast.AST]:
    return [part for part in descendants(node) if _is_mention(part)]


def _is_mention(node: ast.AST) -> bool:
    """Whether it is a name, or an attribute, of a function that registers, also as a string."""
    if isinstance(node, ast.Constant):  # getattr(jax.tree_util, "register_static")
        return isinstance(node.value, str) and node.value.isidentifier() and registers(node.value)
    return _is_named(node)
