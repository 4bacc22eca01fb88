"""Whether one key is used twice to give several arrays the same order, or to take the same rows of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, islice

from jaxlint.flow.domain.state import Use, loop_between
from jaxlint.flow.limits import MOST_DRAWS
from jaxlint.flow.models.keys.meant import Pair
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

_ORDER = "jax.random.permutation"
_INDICES = {"jax.random.randint": 1, "jax.random.choice": 2, _ORDER: None}
"""Samplers of what may be indices, each with the place of the shape among its arguments."""


def are_paired(pair: Pair, earlier: Use, later: Use) -> bool:
    """Whether both uses only choose rows or their order, by equal draws, of what is not the same array.

    Equal draws are what keeps the rows together then; independent ones would tear them apart.
    """
    first, second = pair.earlier, pair.later
    if not (isinstance(first, ast.Call) and isinstance(second, ast.Call)):
        return False
    draws = [*islice(chain(earlier.leaves(), later.leaves()), MOST_DRAWS.value + 1)]
    if len(draws) > MOST_DRAWS.value or len({draw.callee for draw in draws}) > 1 or not all(map(_arranges, draws)):
        return False
    if pair.repeats:
        names = _that_vary(pair, earlier, later)
        return bool(names) and not names.isdisjoint(_names(second) | _names_of_rows(pair.root, second))
    if first is second:
        return False
    if earlier.via is None and later.via is None and first is earlier.node and second is later.node:
        rows, others = _rows(pair.root, first), _rows(pair.root, second)
        if rows and others:
            return rows.isdisjoint(others)
        return not rows and not others and _is_of_data(first) and _is_of_data(second) and _differ(first, second)
    is_one_order = all(
        draw.callee == _ORDER and isinstance(draw.node, ast.Call) and _is_of_data(draw.node) for draw in draws
    )
    return (is_one_order or ast.dump(first.func) == ast.dump(second.func)) and _differ(first, second)


def _arranges(draw: Use) -> bool:
    """Whether a draw gives the order of rows, or several of their indices and nothing else."""
    call = draw.node
    if not isinstance(call, ast.Call) or draw.callee not in _INDICES:
        return False
    if draw.callee == _ORDER and _is_of_data(call):
        return True
    if draw.callee != _ORDER and not _is_batch(call, _INDICES[draw.callee]):
        return False
    root = draw.function if draw.function is not None else draw.scope.tree
    return root is not None and bool(_rows(root, call))


def _is_of_data(call: ast.Call) -> bool:
    """Whether what is permuted is no number of rows, as far as the call tells."""
    data = _argument(call, 1, "x")
    if data is None or isinstance(data, (ast.Constant, ast.BinOp)) or dotted(call.func).rpartition(".")[2] == "choice":
        return False
    if isinstance(data, ast.Call):
        return dotted(data.func) not in ("len", "int")
    return not any(isinstance(part, ast.Attribute) and part.attr in ("shape", "size") for part in _with(data))


def _is_batch(call: ast.Call, place: int | None) -> bool:
    """Whether the draw gives more than one number: a single one places or picks something."""
    shape = _argument(call, place, "shape")
    return shape is not None and not (isinstance(shape, ast.Tuple) and not shape.elts)


def _argument(call: ast.Call, place: int | None, name: str) -> ast.expr | None:
    if place is not None and len(call.args) > place:
        return call.args[place]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _differ(first: ast.Call, second: ast.Call) -> bool:
    return ast.dump(first) != ast.dump(second)


def _rows(root: ast.AST, call: ast.Call) -> set[str]:
    """The arrays, as they are written, of which the result of a call is an index; none if it is anything else."""
    return {ast.dump(array) for array in _indexed(root, call)}


def _names_of_rows(root: ast.AST, call: ast.Call) -> set[str]:
    return {name for array in _indexed(root, call) for name in _names(array)}


def _indexed(root: ast.AST, call: ast.Call) -> list[ast.expr]:
    name = _name_of(root, call)
    found: list[ast.expr] = []
    known: set[ast.AST] = set()
    for part in descendants(root):
        for array, index in _taken(part):
            if index is call or (isinstance(index, ast.Name) and index.id == name):
                known.add(index)
                found.append(array)
    if name is not None:
        loads = (part for part in descendants(root) if isinstance(part, ast.Name) and part.id == name)
        if any(isinstance(part.ctx, ast.Load) and part not in known for part in loads):
            return []
    return found


def _name_of(root: ast.AST, call: ast.Call) -> str | None:
    """The variable that gets the result of a call, as it is."""
    for part in descendants(root):
        if isinstance(part, ast.Assign) and part.value is call and len(part.targets) == 1:
            return part.targets[0].id if isinstance(part.targets[0], ast.Name) else None
    return None


def _taken(part: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
    """The array and the index of an expression that takes entries of an array along one axis."""
    if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load):
        if isinstance(part.value, ast.Attribute) and part.value.attr == "at":
            return  # entries are written there: what is drawn is their place
        places = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
        moving = [place for place in places if not isinstance(place, (ast.Slice, ast.Constant))]
        if len(moving) == 1:
            yield part.value, moving[0]
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "take":
        if len(part.args) > 1:
            yield part.args[0], part.args[1]


def _that_vary(pair: Pair, earlier: Use, later: Use) -> set[str]:
    """The names for what is another array in each pass of the loop in which both uses are: an element of a display, or
    a leaf of a tree."""
    loop = loop_between(earlier, later)
    if isinstance(loop, ast.Call) and isinstance(pair.root, (ast.Lambda, ast.FunctionDef)):
        if is_tree_map(loop) or dotted(loop.func) == "map":
            return {parameter.arg for parameter in pair.root.args.args}
    if isinstance(loop, (ast.For, ast.comprehension)) and _gives_arrays(loop.iter):
        return _names(loop.target)
    return set()


def is_tree_map(loop: ast.AST) -> bool:
    """Whether what runs a function again is no loop but a call that maps it over the leaves of trees."""
    if not isinstance(loop, ast.Call):
        return False
    module, _, function = dotted(loop.func).rpartition(".")
    return function == "tree_map" or (function == "map" and module != "" and "lax" not in module.split("."))


def _gives_arrays(iterable: ast.expr) -> bool:
    if isinstance(iterable, (ast.Tuple, ast.List)):
        return not any(isinstance(part, ast.Constant) for part in iterable.elts)
    function = iterable.func if isinstance(iterable, ast.Call) else None
    return function is not None and dotted(function).rpartition(".")[2] in ("values", "items", "leaves", "tree_leaves")


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in _with(node) if isinstance(part, ast.Name)}


def _with(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    yield from descendants(node)
