"""Where names are bound and read in a function, and which binding a read is of."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.fixes.source import CannotFix, Source
from jaxlint.flow.source.trees import breadth_first

LOOPS = (ast.For, ast.AsyncFor, ast.While)


def loads(scope: ast.AST) -> dict[str, list[ast.Name]]:
    """Where each name is read in a function or module, functions inside it included."""
    return _names(scope, reads=True)


def stores(scope: ast.AST) -> dict[str, list[ast.Name]]:
    """Where each name is bound by its appearance: assigned, looped over, deleted."""
    return _names(scope, reads=False)


def _names(scope: ast.AST, reads: bool) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for node in breadth_first(scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) is reads:
            found.setdefault(node.id, []).append(node)
    return found


def declared_outer(function: ast.AST) -> set[str]:
    """The names that a function, or one inside it, declares `global` or `nonlocal`."""
    declared = (node.names for node in breadth_first(function) if isinstance(node, (ast.Global, ast.Nonlocal)))
    return {name for names in declared for name in names}


def scope_of(source: Source, node: ast.AST) -> ast.AST:
    """The function around a node, or the module."""
    return source.function(node) or source.tree


def block_of(source: Source, statement: ast.AST) -> list[ast.stmt]:
    """The list of statements that a statement is one of.  Raises CannotFix where it is none."""
    block = source.once(_blocks, source.tree).get(statement)
    if block is None:
        raise CannotFix
    return block


def _blocks(tree: ast.AST) -> dict[ast.AST, list[ast.stmt]]:
    found: dict[ast.AST, list[ast.stmt]] = {}
    for node in breadth_first(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                found.update((statement, block) for statement in block)
    return found


def is_bound_between(source: Source, name: str, scope: ast.AST, start: int, end: int) -> bool:
    """Whether a name is bound in a part of the text of a function or module."""
    places = source.once(_store_offsets, (source, scope)).get(name, [])
    return bisect_left(places, start) != bisect_left(places, end)


def _store_offsets(asked: tuple[Source, ast.AST]) -> dict[str, list[int]]:
    source, scope = asked
    return {
        name: sorted(source.offsets(node)[0] for node in nodes) for name, nodes in source.once(stores, scope).items()
    }


# -- bindings -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Binding:
    """The statement that has bound a name whenever a place is reached (None: not known), and the loops around the
    place in which that statement is not.
    """

    statement: ast.stmt | None
    loops: tuple[ast.stmt, ...]


def binding_of(source: Source, node: ast.AST, name: str) -> Binding:
    """The last assignment of a name above a node, in its block or one around it, or the loop over its values."""
    function = source.function(node)
    assigning = source.once(_assigning, (source, function or source.tree)).get(name, {})
    loops: list[ast.stmt] = []
    inner = node
    for outer in source.parents(node):
        if isinstance(inner, ast.stmt) and assigning:
            above = assigning.get(id(block_of(source, inner)), [])
            index = bisect_left(above, source.offsets(inner)[0], key=lambda each: each[0])
            if index:
                return Binding(above[index - 1][1], tuple(loops))
        if outer is function:
            break
        if isinstance(outer, LOOPS):
            if not isinstance(outer, ast.While) and inner in outer.body and name in source.once(stores, outer.target):
                return Binding(outer, tuple(loops))
            loops.append(outer)
        inner = outer
    return Binding(None, tuple(loops))


def _assigning(asked: tuple[Source, ast.AST]) -> dict[str, dict[int, list[tuple[int, ast.stmt]]]]:
    """The assignments to each name in a function or module, with their places, by the block that they stand in."""
    source, scope = asked
    found: dict[str, dict[int, list[tuple[int, ast.stmt]]]] = {}
    for node in breadth_first(scope):
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            entry = (source.offsets(node)[0], node)
            block = id(block_of(source, node))
            for name in stores(node):
                found.setdefault(name, {}).setdefault(block, []).append(entry)
    for blocks in found.values():
        for entries in blocks.values():
            entries.sort(key=lambda each: each[0])
    return found


# -- reads --------------------------------------------------------------------------------------------------


@dataclass
class _Reads:
    """The reads of what one binding has made of a name; ``start`` is where that stands, ``last`` the last of them.

    Those in functions inside are apart: nobody knows when they read.
    """

    statement: ast.stmt | None
    is_inside: bool
    start: int
    last: int
    nodes: list[tuple[int, ast.Name]]


def _reads(source: Source, at: ast.AST, name: str) -> Iterator[_Reads]:
    scope = scope_of(source, at)
    return iter(source.once(_reads_in, (source, scope)).get(name, ()))


def _reads_in(asked: tuple[Source, ast.AST]) -> dict[str, list[_Reads]]:
    source, scope = asked
    found: dict[str, dict[ast.AST | None, _Reads]] = {}
    for name, nodes in source.once(loads, scope).items():
        groups = found.setdefault(name, {})
        for node in nodes:
            is_inside = scope_of(source, node) is not scope
            bound = None if is_inside else binding_of(source, node, name).statement
            start = -1 if bound is None else source.offsets(bound)[0]
            group = groups.setdefault(scope if is_inside else bound, _Reads(bound, is_inside, start, -1, []))
            at = source.offsets(node)[0]
            group.last = max(group.last, at)
            group.nodes.append((at, node))
    return {name: list(groups.values()) for name, groups in found.items()}


def is_read_after(source: Source, name: str, statement: ast.stmt, but: frozenset[ast.expr] = frozenset()) -> bool:
    """Whether somebody may read what a name stands for at a statement, there or later, other than the nodes ``but``."""
    start = source.offsets(statement)[0]
    loops = binding_of(source, statement, name).loops
    for group in _reads(source, statement, name):
        if group.start >= start or (group.last < start and not loops and not group.is_inside):
            continue
        for at, read in group.nodes:
            if read not in but and (group.is_inside or at >= start or _is_in(source, read, loops)):
                return True
    return False


def is_read(source: Source, name: str, made: ast.stmt, but: ast.expr) -> bool:
    """Whether somebody may read what a statement binds a name to; ``but`` is a part of the statement."""
    start, end = source.offsets(made)
    loops = binding_of(source, made, "").loops
    for group in _reads(source, made, name):
        if group.is_inside or group.statement is made:
            return True
        if group.start < start and group.last >= end:
            return True
        if group.statement is None and any(read is not but and _is_in(source, read, loops) for _, read in group.nodes):
            return True
    return False


def is_free_at(source: Source, name: str, statement: ast.stmt) -> bool:
    """Whether a name can be given another value at a statement and nobody sees it who does not read that value."""
    start = source.offsets(statement)[0]
    for group in _reads(source, statement, name):
        if group.is_inside or group.statement is None or group.start < start <= group.last:
            return False
    return name not in source.once(declared_outer, scope_of(source, statement))


def _is_in(source: Source, node: ast.AST, loops: tuple[ast.stmt, ...]) -> bool:
    return bool(loops) and any(parent in loops for parent in source.parents(node))
