"""Functions that work on each leaf of a pytree and give back the tree, such as `lax.pmean` and `jax.device_put`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxlint.flow.domain.contexts import Why
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    GRAD,
    Array,
    Const,
    Container,
    HostArray,
    Instance,
    Key,
    Opaque,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import TREE_DEPTH
from jaxlint.flow.models.arrays import arrays, slopes
from jaxlint.flow.models.objects import classes, instances
from jaxlint.flow.models.objects.iteration import iterate
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.arrays import COMPUTED_TREES, MOVING, PUT_ON_DEVICES


def of_each_leaf(it: Interpreter, name: str, tree: Value, node: ast.AST) -> Value:
    """What the function ``name`` of the tables about trees makes of ``tree``; nobody looks at the one it was given."""
    if name.startswith("jax.lax.") or name in PUT_ON_DEVICES or name in MOVING:
        it.last_pure_call = (node, name)
    if name in COMPUTED_TREES:
        return map_leaves(it, tree, lambda leaf: _combined(it, name, _computed(it, leaf), node))
    if name in PUT_ON_DEVICES:
        shard = iterate(it, tree, node) if name == "jax.device_put_sharded" else tree
        return map_leaves(it, shard, lambda leaf: _stacked(_forwarded(it, leaf)))
    if name == "jax.lax.stop_gradient":
        return map_leaves(it, tree, lambda leaf: _stopped(it, leaf, node))
    return map_leaves(it, tree, lambda leaf: _forwarded(it, leaf))


def _stacked(leaf: Value) -> Value:
    """An array with another axis."""
    if not isinstance(leaf, Array):
        return leaf
    return Array(leaf.level, leaf.provenance, leaf.kind, key=leaf._key)


def map_leaves(it: Interpreter, tree: Value, change: Callable[[Value], Value], depth: int = 0) -> Value:
    """A new tree with ``change`` of each leaf; an unknown tree is one leaf."""
    if depth > TREE_DEPTH.value:
        return Opaque("a tree")
    if isinstance(tree, Tuple):
        items = tuple(map_leaves(it, item, change, depth + 1) for item in tree.items)
        return tree.with_other(items)
    if isinstance(tree, Container):
        made = Container(tree.kind, it.ctx)
        cell = {part: map_leaves(it, item, change, depth + 1) for part, item in it.state.read(tree).items()}
        it.state.write(made).update(cell)
        return made
    if isinstance(tree, Instance):
        return _map_fields(it, tree, change, depth)
    if isinstance(tree, Union):
        return Union(tuple(map_leaves(it, option, change, depth + 1) for option in tree.options), tree.guards)
    if isinstance(tree, Const) and tree.value is None:
        return tree
    return change(tree)


def _map_fields(it: Interpreter, tree: Instance, change: Callable[[Value], Value], depth: int) -> Value:
    if not classes.is_pytree(it, tree.cls):
        return Opaque("a tree")
    made = Instance(tree.cls, it.ctx, tree.symbolic)
    made.level, made.provenance = tree.level, tree.provenance
    cell = {
        field: item if instances.passes_as_is(it, tree.cls, field, item) else map_leaves(it, item, change, depth + 1)
        for field, item in it.state.read(tree).items()
    }
    it.state.write(made).update(cell)
    return made


def computed_with(it: Interpreter, tree: Value, other: Value) -> Value:
    """A new tree whose leaves come of those of two trees of one structure, and have the shapes and dtypes of the first
    one's: they are traced where either is."""
    tracer = arrays.tracer_in(it, other)

    def change(leaf: Value) -> Value:
        if tracer is None or isinstance(leaf, Key):
            return _computed(it, leaf)
        if isinstance(leaf, Array):
            return arrays.combine(it, [leaf, tracer], leaf.kind, ndim=leaf.ndim, aval=leaf.aval)
        made = arrays.combine(it, [leaf, tracer])
        if isinstance(leaf, (Opaque, Tree)) and isinstance(made, Array) and made.provenance is not None:
            return Tree(made.level, made.provenance, holds=leaf.holds) if made.level else Opaque("a tree")
        return made

    return map_leaves(it, tree, change)


def _combined(it: Interpreter, collective: str, leaf: Value, node: ast.AST) -> Value:
    """What a collective has made of a leaf: it is not of one device or lane alone, whatever the leaf came of."""
    if isinstance(leaf, (Array, Tree)) and leaf.provenance is not None:
        leaf.provenance = it.provenance(Why.COMBINED, collective, node, leaf.provenance)
    return leaf


def _computed(it: Interpreter, leaf: Value) -> Value:
    """Another array for a leaf, another tree for what may be one."""
    if isinstance(leaf, (Opaque, Tree)):
        made = arrays.combine(it, [leaf])
        if not isinstance(made, Array) or not made.level or made.provenance is None:
            return Opaque("a tree")
        like = leaf if isinstance(leaf, Tree) else None
        is_array, holds = (like.array_like, like.holds) if like is not None else (False, "")
        return Tree(made.level, made.provenance, array_like=is_array, holds=holds)
    if isinstance(leaf, Key):
        return Opaque("keys")
    return arrays.combine(it, [leaf])


def _forwarded(it: Interpreter, leaf: Value) -> Value:
    if isinstance(leaf, (Const, Static, HostArray)):
        return arrays.combine(it, [leaf])
    return leaf


def _stopped(it: Interpreter, leaf: Value, node: ast.AST) -> Value:
    """Under plain grad what comes out is no longer differentiated."""
    if isinstance(leaf, Array) and leaf.level == GRAD:
        values = Array(CONCRETE, kind=leaf.kind, ndim=leaf.ndim, aval=leaf.aval)
        return slopes.stopped(values, slopes.cut_at(it, leaf, "stop_gradient", node))
    if isinstance(leaf, (Array, Tree)) and (leaf.slope or leaf.level == ABSTRACT) and it.ctx.is_differentiated:
        return slopes.stopped(leaf, slopes.cut_at(it, leaf, "stop_gradient", node))
    if isinstance(leaf, Tree) and leaf.level == GRAD:
        return Opaque("values", key=leaf.key if leaf.has_key else None, holds=leaf.holds)
    return _forwarded(it, leaf)
