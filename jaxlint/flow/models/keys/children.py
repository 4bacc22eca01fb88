"""Which children of a split, and whether a folded key, somebody may draw from.

Equal children do no harm where nobody takes them: `split(key)[0]` and `split(key)[1]` are as independent as those of
one split, and a folded key that is read nowhere is no sibling of any child.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.values import Const, ModuleScope
from jaxlint.flow.models.keys.meant import Body, body_of
from jaxlint.flow.models.keys.unread import root_around
from jaxlint.flow.models.names.imports import scope_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.dead import Does, Forgotten, FunctionNode, Held, Left, Looked, fate, is_held
from jaxlint.flow.source.read_nowhere import reads_of_module
from jaxlint.flow.source.trees import descendants

_SPLIT, _FOLD_IN = "jax.random.split", "jax.random.fold_in"


def are_others(it: Interpreter, earlier: Use, later: Use) -> bool:
    """Whether two uses only split one key, and no child that is taken of one is taken of the other."""
    first, second = list(earlier.leaves(folds_beside=False)), list(later.leaves(folds_beside=False))
    if not all(one.how == "split" and one.callee == _SPLIT for one in (*first, *second)):
        return False
    return not any(_share(it, one, other) for one in first for other in second)


def _share(it: Interpreter, one: Use, other: Use) -> bool:
    first, second = _picked(it, one), _picked(it, other)
    if frozenset() in (first, second):
        return False
    if first is None or second is None:
        return True
    return any(_is_taken(it, one, number) and _is_taken(it, other, number) for number in first & second)


def may_be_taken(it: Interpreter, use: Use, number: object) -> bool:
    """Whether somebody may draw from what a split or a fold gives; of a split from the child of that number, if it is
    one."""
    for one in use.leaves(folds_beside=False):
        if one.callee == _SPLIT:
            picked = _picked(it, one)
            if picked is None:
                return True
            numbers = picked & {number} if isinstance(number, int) else picked
            if any(_is_taken(it, one, child) for child in numbers):
                return True
        elif one.callee != _FOLD_IN or _is_looked_at(it, one, one.node, True):
            return True
    return False


def _picked(it: Interpreter, use: Use) -> frozenset[int] | None:
    """The numbers of the children that are taken out of what a split gives; None if that may be any."""
    root = root_around(use.scope, use.node)
    if not isinstance(root, (ast.Module, *FunctionNode)):
        return None
    it.note_around(use.scope, use.node)
    body = body_of(use.scope, root)
    size = use.data.value if isinstance(use.data, Const) and type(use.data.value) is int else None
    statement = body.around(use.node)
    if isinstance(statement, ast.Assign) and statement.value is use.node and len(statement.targets) == 1:
        target = statement.targets[0]
        if (names := _unpacked(target)) is not None:
            return frozenset(range(len(names)))
        return _read_of(body, target.id, size) if isinstance(target, ast.Name) else None
    if isinstance(statement, ast.Expr) and statement.value is use.node:
        return frozenset()
    holder = statement if statement is not None else root
    items = _items_of(holder, use.node)
    return _numbers(items, size) if items else None


def _items_of(holder: ast.AST | None, node: ast.AST) -> list[ast.Subscript]:
    """The items that are taken of an expression right where it stands."""
    parts = descendants(holder) if holder is not None else ()
    return [part for part in parts if isinstance(part, ast.Subscript) and part.value is node]


def _unpacked(target: ast.expr) -> list[ast.expr] | None:
    if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(part, ast.Starred) for part in target.elts):
        return None
    return target.elts


def _read_of(body: Body, name: str, size: int | None) -> frozenset[int] | None:
    """Which items are taken of a variable that only one statement sets and that is read for its items only."""
    nodes = [node for node in body.names if node.id == name]
    loads = {node for node in nodes if isinstance(node.ctx, ast.Load)}
    items = [part for part in descendants(body.root) if isinstance(part, ast.Subscript) and part.value in loads]
    if len(items) < len(loads) or len(nodes) - len(loads) != 1 or isinstance(body.root, ast.Module):
        return None
    return _numbers(items, size)


def _numbers(items: list[ast.Subscript], size: int | None) -> frozenset[int] | None:
    """The places, counted from the first, at which items of an array of keys are read."""
    found = set()
    for item in items:
        number = _constant(item.slice)
        if number is None or (number < 0 and size is None):
            return None
        found.add(number + size if number < 0 and size is not None else number)
    return frozenset(found)


def _constant(node: ast.expr) -> int | None:
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    value = node.operand if isinstance(node, ast.UnaryOp) and is_negative else node
    if not isinstance(value, ast.Constant) or type(value.value) is not int:
        return None
    return -value.value if is_negative else value.value


def _is_taken(it: Interpreter, use: Use, number: int) -> bool:
    """Whether somebody looks at the child of that number, one of those that are picked."""
    root = root_around(use.scope, use.node)
    statement = body_of(use.scope, root).around(use.node) if root is not None else None
    if isinstance(statement, ast.Assign) and statement.value is use.node:
        names = _unpacked(statement.targets[0])
        return names is None or _is_looked_at(it, use, use.node, tuple(place == number for place in range(len(names))))
    items = _items_of(statement if statement is not None else root, use.node)
    return not items or _is_looked_at(it, use, items[0], True)


def _is_looked_at(it: Interpreter, use: Use, node: ast.AST, held: Held) -> bool:
    """Whether anybody reads what an expression gives, or that much of it, for anything at all."""
    it.note_around(use.scope, node)
    asked = (node, ("looked at", held))
    if asked not in use.scope.unread:
        use.scope.unread[asked] = (_readers(use.scope, node, held),)
    (found,) = use.scope.unread[asked]
    return found is None or any(it.ask_program(may_be_imported, name) for name in found)


def _readers(scope: ModuleScope, node: ast.AST, held: Held) -> tuple[str, ...] | None:
    """The names by which other modules may read what an expression gives; None where it may be read in this one."""
    root = root_around(scope, node)
    if not isinstance(root, (ast.Module, *FunctionNode)) or not isinstance(node, (ast.Call, ast.Subscript)):
        return None
    try:
        return None if is_held(fate(root, node, held, lambda _: Does.LOOK)) else ()
    except Forgotten:
        return ()
    except Left as left:
        return None if scope.module.document.is_in_cells else left.names
    except Looked:
        return None


def may_be_imported(it: Interpreter, name: str) -> bool:
    """Whether some module of the program may read what another one calls so."""
    for dotted, module in it.program.modules.items():
        scope = scope_of(it, dotted)
        if it.ask_text(scope, reads_of_module, name) if scope is not None else name in module.document.text:
            return True
    return False
