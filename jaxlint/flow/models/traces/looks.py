"""Whether a caller looks again at what it has handed to a traced function, which got a copy of it."""

from __future__ import annotations

import ast
import functools

from jaxlint.flow.domain.contexts import Looks
from jaxlint.flow.domain.values import Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import children, descendants


def looked_at_again(it: Interpreter, node: ast.AST, values: list[Value], names: list[str]) -> Looks:
    """What the code around the call ``node`` of a function of these parameters reads of its arguments afterwards."""
    around = it.frame.function.node if it.frame.function is not None else it.frame.scope.tree
    if not isinstance(node, ast.Call) or around is None or it.statement is None:
        return frozenset()
    found: set[tuple[str, str]] = set()
    for expression, value, name in zip(node.args, values, names):
        if isinstance(expression, ast.Starred):
            break
        if name and isinstance(expression, ast.Name) and it.lookup(expression.id) is value:
            found |= {(name, item) for item in _reads(around, node, it.statement, expression.id)}
    return frozenset(found)


def _reads(around: ast.AST, call: ast.Call, statement: ast.stmt, name: str) -> set[str]:
    """The items of the variable that are read after the statement, or elsewhere in a loop around it, before it is
    bound again."""
    if any(isinstance(part, ast.Name) and part.id == name and not _is_read(part) for part in descendants(statement)):
        return set()
    own = {part for part in descendants(call) if isinstance(part, ast.Name)}
    mentions, loops = _mentions(around)
    start = _place(call)
    first = min((loop[0] for loop in loops if loop[0] <= start <= loop[1]), default=start)
    found: set[str] = set()
    for mention, item in mentions.get(name, ()):
        place = _place(mention)
        if mention in own or place < first:
            continue
        if not _is_read(mention):
            if place > start:
                break
            found.clear()
        else:
            found.add(item)
    return found


def is_called_again(it: Interpreter, node: ast.AST, name: str) -> bool:
    """Whether a loop calls a function again with the same object, by a variable that it does not bind anew."""
    around = it.frame.function.node if it.frame.function is not None else it.frame.scope.tree
    loops = [part for part in descendants(around) if isinstance(part, _LOOPS)] if around is not None else []
    for loop in loops:
        inside = list(descendants(loop))
        if node in inside and all(_is_read(part) for part in inside if isinstance(part, ast.Name) and part.id == name):
            return True
    return False


_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


@functools.lru_cache(maxsize=32)
def _mentions(
    around: ast.AST,
) -> tuple[dict[str, list[tuple[ast.Name, str]]], list[tuple[tuple[int, int], tuple[int, int]]]]:
    """The variables of a function in the order of its text, each with the item that is taken of it, and its loops."""
    found: dict[str, list[tuple[ast.Name, str]]] = {}
    loops = []
    for node in descendants(around):
        if isinstance(node, (ast.For, ast.While)):
            loops.append((_place(node), (node.end_lineno or 0, node.end_col_offset or 0)))
        for child in children(node):
            if isinstance(child, ast.Name):
                item = _item_of(node, child)
                if item is not None:
                    found.setdefault(child.id, []).append((child, item))
    for mentions in found.values():
        mentions.sort(key=lambda mention: _place(mention[0]))
    return found, loops


def _item_of(node: ast.AST, name: ast.Name) -> str | None:
    """Which item of ``name`` its parent takes, if a constant says so; None where one is set or deleted."""
    if not isinstance(node, ast.Subscript) or name is not node.value:
        return ""
    if not isinstance(node.ctx, ast.Load):
        return None
    return repr(node.slice.value) if isinstance(node.slice, ast.Constant) else ""
