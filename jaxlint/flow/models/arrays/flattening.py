"""Trees that are taken apart into leaves, and put together again."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import (
    ABSTRACT,
    ANY,
    Array,
    Container,
    Instance,
    Key,
    Opaque,
    Static,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.models.arrays import arrays
from jaxlint.flow.models.arrays.pytrees import map_leaves
from jaxlint.flow.models.objects import containers, instances
from jaxlint.flow.port import Interpreter

_TAKEN_APART = "taken apart"
"""Where the state keeps of a structure which tree it is of, the list of leaves, and what each of these is."""


def leaves(it: Interpreter, tree: Value) -> Container | None:
    """The leaves of a tree that has tracers in it: as many as there may be."""
    tracer = arrays.tracer_in(it, tree)
    if not isinstance(tracer, (Array, Tree)) or tracer.provenance is None:
        return None
    return containers.make(it, "list", None, [Tree(tracer.level, tracer.provenance, array_like=True)])


def flattened(it: Interpreter, tree: Value, node: ast.AST, is_partly: bool) -> Tuple:
    """The leaves and the structure of a tree.  ``is_partly``: somebody says what leaves are."""
    if isinstance(tree, Instance) and tree.symbolic:
        is_partly |= not instances.knows_children(it, tree, node)
    structure, found = Static("", of_shape=True), [] if is_partly else _found(it, tree)
    is_traced = all(isinstance(leaf, (Array, Tree, Key)) and leaf.level == ABSTRACT for leaf in found)
    listed = leaves(it, Tuple(tuple(found))) if is_traced else None
    if listed is None:
        return Tuple((Opaque("leaves"), structure))
    it.state.write(structure)[_TAKEN_APART] = Tuple((tree, listed, it.state.read(listed)[ANY]))
    return Tuple((listed, structure))


def _found(it: Interpreter, tree: Value) -> list[Value]:
    """The leaves of a tree that are known one by one; what is not known is one."""
    found: list[Value] = []

    def note(leaf: Value) -> Value:
        found.append(leaf)
        return leaf

    map_leaves(it, tree, note)
    return found


def put_together(it: Interpreter, structure: Value, given: Value) -> Value:
    """The same tree where these are the leaves that it was taken apart into, as they were."""
    taken = it.state.read(structure).get(_TAKEN_APART)
    if not isinstance(taken, Tuple) or taken.items[1] is not given or it.state.read(given) != {ANY: taken.items[2]}:
        return Opaque("a tree")
    return map_leaves(it, taken.items[0], lambda leaf: leaf)
