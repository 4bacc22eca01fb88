"""`jnp.nonzero(x)` becomes `jnp.nonzero(x, size=x.size, fill_value=-1)`: as many results as there can be."""

from __future__ import annotations

import ast

from jaxlint.fixes.arrays import is_number
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_SIZES = {
    "where": "size={0}.size, fill_value=-1",
    "nonzero": "size={0}.size, fill_value=-1",
    "argwhere": "size={0}.size, fill_value=-1",
    "flatnonzero": "size={0}.size, fill_value=-1",
    "unique": "size={0}.size",
    "unique_values": "size={0}.size",
    "setdiff1d": "size={0}.size",
    "union1d": "size={0}.size + {1}.size",
    "intersect1d": "size={0}.size",
    "roots": "strip_zeros=False",
}
"""What makes the shape of a result static, by function of jax.numpy and in terms of its arguments."""


def rewrite(source: Source, repair: Repair) -> Fix:
    """Never safe: what is made of the result has to expect the filling.

    Raises CannotFix for functions of whose result only the caller knows how large it can be, and for methods.
    """
    module, _, function = dict(repair.facts)["function"].rpartition(".")
    call = source.node(repair.location, ast.Call)
    form = _SIZES.get(function) if module == "jax.numpy" else None
    is_plain = isinstance(call.func, (ast.Name, ast.Attribute)) and not call.keywords
    if form is None or not is_plain or not call.args or any(isinstance(arg, ast.Starred) for arg in call.args):
        raise CannotFix
    arrays = [_array(source, argument) for argument in call.args]
    keywords = form.format(*arrays)
    last = source.offsets(call.args[-1])[1]
    behind = source.document.text[last : source.offsets(call)[1]].strip()
    if behind not in (")", ",)"):
        raise CannotFix
    edit = source.insert(last, f", {keywords}")
    return Fix(f"Give `{keywords.partition('=')[0]}=`", Applicability.UNSAFE, (edit,))


def _array(source: Source, node: ast.expr) -> str:
    """An expression that has the size of an argument: that of `x > 0` is that of `x`."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        return source.text(node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and is_number(node.comparators[0]):
        return _array(source, node.left)
    raise CannotFix
