"""What `jax.tree.map` is given that it does not take, or takes for one leaf."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Container, External, Function, Iterator, Key, Opaque, Value
from jaxlint.flow.limits import LEAF_DEPTH
from jaxlint.flow.models.arrays import handed_back
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.models.jax.contracts import children, described, kind_of_node
from jaxlint.flow.models.jax.map_calls import is_no_function
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.operands import computes_with
from jaxlint.flow.source.straight import taken
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.arrays import CONSTANTS

_TREE_AT = {
    f"{prefix}{name}": position
    for position, names in enumerate(("leaves all leaves_with_path", "map map_with_path reduce"))
    for name in names.split()
    for prefix in ("jax.tree.", "jax.tree_util.tree_")
}
"""Where functions have the tree whose leaves they work with.  Who flattens one asks for its structure, too, and that
something is one leaf is an answer."""

_ONE_LEAF = frozenset(("view", "generator", "zip", "enumerate", "reversed", "items", "range", "set", "frozenset"))


def check_one_leaf(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """Of what Python can go through, JAX takes tuples, lists and dicts apart: anything else is one leaf."""
    position = _TREE_AT.get(name)
    tree = args.get(position, "tree") if position is not None else None
    if tree is None or "is_leaf" in args.named or args.open_ended:
        return
    kind = tree.kind if isinstance(tree, (Iterator, Container)) else ""
    if kind in _ONE_LEAF:
        it.emit(events.TakenForLeaf(node, name, kind))
    elif isinstance(tree, Opaque) and position is not None and _is_view(args.expression(node, position)):
        it.emit(events.TakenForLeaf(node, name, "view", is_supposed=True))


def _is_view(written: ast.expr | None) -> bool:
    """Whether something is written as the view of a dict is: of an object of which nothing is known that says most."""
    if not isinstance(written, ast.Call) or written.args or written.keywords:
        return False
    return isinstance(written.func, ast.Attribute) and written.func.attr in ("values", "items", "keys")


def is_refused(it: Interpreter, name: str, args: Arguments, with_path: bool, node: ast.AST) -> bool:
    """Whether JAX raises for the function or the trees that `jax.tree.map` is given."""
    if args.open_ended:
        return False
    function, trees = args.get(0, "f"), [args.get(1, "tree"), *args.positional[2:]]
    known = [tree for tree in trees if tree is not None]
    if function is None or len(known) != len(trees):
        return False
    what = is_no_function(function)
    if what:
        return it.emit(events.TreeMapMisused(node, name, "order", what))
    if isinstance(function, Opaque) and _is_of_jax_numpy(known[0]):
        return it.emit(events.TreeMapMisused(node, name, "function", ""))
    if _does_nothing(it, function) and _has_leaf(it, known[0]):
        return it.emit(events.TreeMapMisused(node, name, "nothing", ""))
    taken = taken_by(it, function)
    count = len(known) + with_path
    if taken is not None and taken.refuses(count) and _has_leaf(it, known[0]):
        return it.emit(events.TreeMapMisused(node, name, "parameters", "", count, taken))
    return "is_leaf" not in args.named and _differ(it, name, known, node, function, with_path)


def _is_of_jax_numpy(tree: Value) -> bool:
    """Whether what is mapped over is a function of arrays."""
    return isinstance(tree, External) and tree.name.startswith(_OF_ARRAYS) and tree.name not in CONSTANTS


_OF_ARRAYS = ("jax.numpy.", "jax.nn.", "jax.lax.", "jax.scipy.")


def _is_empty(statement: ast.stmt) -> bool:
    """Whether a statement is a text, or is there for the grammar alone."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass)


def _does_nothing(it: Interpreter, function: Value) -> bool:
    """Whether a function computes something of arrays, binds it to its own names, and gives nothing."""
    if not isinstance(function, Function) or isinstance(function.node, ast.Lambda) or function.node.decorator_list:
        return False
    body = [part for part in taken(function.node.body) if not _is_empty(part)]
    if not body or isinstance(function.node, ast.AsyncFunctionDef):
        return False
    for statement in body:
        if not isinstance(statement, ast.Assign) or not all(isinstance(one, ast.Name) for one in statement.targets):
            return False
    parts = [part for statement in body for part in descendants(statement)]
    if any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Await)) for part in parts):
        return False
    called = [it.eval_annotation(part.func, function) for part in parts if isinstance(part, ast.Call)]
    return all(isinstance(one, External) and one.name.startswith(_OF_ARRAYS) for one in called)


def _has_leaf(it: Interpreter, tree: Value, depth: int = 0) -> bool:
    """Whether the function runs at all: nothing is known against it."""
    kind = kind_of_node(tree)
    if kind == "None":
        return False
    parts = children(it, tree) if kind not in ("", "array") and depth <= LEAF_DEPTH.value else None
    return parts is None or any(_has_leaf(it, part, depth + 1) for part in parts.values())


def _differ(
    it: Interpreter, name: str, trees: Sequence[Value], node: ast.AST, function: Value, with_path: bool
) -> bool:
    for number, other in enumerate(trees[1:], 1):
        if kind_of_node(trees[0]) in ("", "array") and not handed_back.check_for_gradient(it, trees[0], other, node):
            return False
        if handed_back.inside(trees[0], other) is not None:
            return it.emit(events.TreesDiffer(node, name, "", described(it, trees[0]), _LIKE_A_PART))
        if handed_back.inside(other, trees[0]) is not None and _computes_with(it, function, number + with_path):
            return it.emit(events.TreesDiffer(node, name, "", _LIKE_A_PART, described(it, other)))
        found = _difference(it, trees[0], other)
        if found is not None:
            place, first, second = found
            return it.emit(events.TreesDiffer(node, name, place, described(it, first), described(it, second)))
    return False


_LIKE_A_PART = "a tree like one of the parts"


def _computes_with(it: Interpreter, function: Value, position: int) -> bool:
    """Whether a function computes with its parameter at a position as with an array, and looks into it nowhere: below a
    leaf of the first tree another may have any structure."""
    return isinstance(function, Function) and it.ask_text(function.scope, computes_with, function.node, position)


def _difference(
    it: Interpreter, first: Value, other: Value, place: str = "", depth: int = 0
) -> tuple[str, Value, Value] | None:
    """Where a tree has not the structure of the first, with the two nodes.  Below a leaf of the first it may have
    any."""
    kinds = kind_of_node(first), kind_of_node(other)
    if not all(kinds) or kinds[0] == "array" or depth > LEAF_DEPTH.value:
        return None
    if kinds[0] != kinds[1]:
        return None if _may_be_alike(other, kinds) else (place, first, other)
    if kinds[0] == "None":
        return None
    mine, others = children(it, first), children(it, other)
    if mine is None or others is None:
        return None
    if mine.keys() != others.keys():
        return place, first, other
    pairs = ((name, part, others[name]) for name, part in mine.items())
    found = (_difference(it, a, b, place + name, depth + 1) for name, a, b in pairs)
    return next((one for one in found if one is not None), None)


def _may_be_alike(other: Value, kinds: tuple[str, str]) -> bool:
    """Whether two kinds of nodes may be one all the same: what two paths leave of a namedtuple is a tuple, and keys
    that are many may be a list of them."""
    if isinstance(other, Array) and other.declared:
        return True
    return (isinstance(other, Key) and other.batch) or set(kinds) == {"tuple", "namedtuple"}
