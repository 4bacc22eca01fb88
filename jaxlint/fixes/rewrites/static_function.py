"""`jnp.prod(x.shape)` becomes `np.prod(x.shape)`: NumPy leaves static what jnp makes a tracer of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.fixes.arrays import STATIC_ATTRIBUTES
from jaxlint.fixes.imports import dotted_name, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.semantics.host_libraries import NUMPY_TO_JNP
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_NUMPY_NAMES = {twin: name for name, twin in NUMPY_TO_JNP.items()} | {
    f"jax.numpy.{name}": f"numpy.{name}"
    for name in "bool_ int8 int16 int32 int64 float16 float32 float64 pi e inf".split()
}


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where the call of jnp is not part of the expression, or NumPy has no such function.

    Unsafe, because NumPy computes with 64 bits.
    """
    place = source.node(repair.location, ast.expr)
    used = list(_uses_of_jnp(source, place))
    if not used or any(isinstance(source.parent(node), ast.Attribute) for node in used):
        raise CannotFix
    np, imports = name_for(source, "numpy", place)
    edits = [source.replace(node, f"{np}.{_numpy_name(source, node).removeprefix('numpy.')}") for node in used]
    return Fix(f"Use `{np}`, which stays static", Applicability.UNSAFE, (*imports, *edits))


def _uses_of_jnp(source: Source, place: ast.expr) -> Iterator[ast.expr]:
    """The names of jnp's functions in an expression, except the one that the whole expression calls."""
    skipped = place.func if isinstance(place, ast.Call) else None
    for node in _outside_of_metadata(place):
        if isinstance(node, (ast.Name, ast.Attribute)) and node is not skipped:
            name = dotted_name(source, node)
            if name.startswith("jax.numpy.") and name.count(".") == 2:
                yield node


def _outside_of_metadata(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it, except what a shape or dtype is asked of, which may be an array."""
    yield node
    if not (isinstance(node, ast.Attribute) and node.attr in STATIC_ATTRIBUTES):
        for child in ast.iter_child_nodes(node):
            yield from _outside_of_metadata(child)


def _numpy_name(source: Source, node: ast.expr) -> str:
    name = _NUMPY_NAMES.get(dotted_name(source, node))
    if name is None:
        raise CannotFix
    return name
