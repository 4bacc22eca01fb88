"""Lists and tuples that are given to functions of JAX which take arrays."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, Static, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import arrays, handed_back
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.lists import NAMED_WITHOUT_LISTS, OF_ARRAYS, WITHOUT_LISTS


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> bool:
    """jnp.sum([a, b]), jnp.average(x, weights=[a, b]): NumPy makes an array of a list; whether JAX refuses it."""
    if args.open_ended:
        return False
    positions = WITHOUT_LISTS.get(name, ())
    given = [(args.expression(node, n), args.positional[n]) for n in positions if n < len(args.positional)]
    if name == "jax.numpy.einsum" and args.positional and _is_text(args.positional[0]):  # else lists of axes follow
        given = [(args.expression(node, n), value) for n, value in enumerate(args.positional)][1:]
    if name in NAMED_WITHOUT_LISTS and isinstance(node, ast.Call):
        by_name = {one.arg: one.value for one in node.keywords if one.arg in NAMED_WITHOUT_LISTS[name]}
        given += [(by_name[word], args.named[word]) for word in by_name if word in args.named]
    for written, value in given:
        kind = arrays.sequence_kind(value)
        if kind:
            handed_back.check_argument(it, value, node)
            return it.emit(events.ListArgument(node, name, kind, written))
    if name in OF_ARRAYS and args.positional:
        items = known_items(it, args.positional[0], KNOWN_ITEMS.value) or []
        kinds = filter(None, map(arrays.sequence_kind, items))
        if kind := next(kinds, ""):
            return it.emit(events.ListArgument(node, name, f"{kind} in it"))
    return False


def _is_text(value: Value) -> bool:
    return (
        isinstance(value.value, str) if isinstance(value, Const) else isinstance(value, Static) and value.kind == "str"
    )
