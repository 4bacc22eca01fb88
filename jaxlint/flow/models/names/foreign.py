"""Keywords and arguments of torch, TensorFlow and NumPy, given to functions of JAX."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, Static, Tuple, Value
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.foreign import KEYWORDS, OF_OTHERS, OF_SAMPLES


def check_keywords(it: Interpreter, function: str, args: Arguments, node: ast.AST) -> None:
    """jnp.sum(x, dim=0), jax.random.normal(key, size=3)"""
    module, _, name = function.rpartition(".")
    if module == "jax.numpy" and name in OF_OTHERS:
        return  # there is no such function
    unknown = OF_SAMPLES if function.startswith("jax.random.") else KEYWORDS
    keyword = next((name for name in args.named if name in unknown), None)
    if keyword is not None:
        it.emit(events.ForeignKeyword(node, function, keyword))


def check_view(it: Interpreter, args: Arguments, node: ast.AST) -> None:
    """x.view(-1), x.view(batch, 3)"""
    if args.positional and _is_size(args.positional[0]):
        it.emit(events.ViewedBySize(node, "NotImplementedError" if len(args.positional) > 1 else "TypeError"))


def _is_size(value: Value) -> bool:
    """A number or a tuple of them."""
    if isinstance(value, Tuple):
        return bool(value.items) and all(map(_is_size, value.items))
    is_number = isinstance(value, Const) and isinstance(value.value, int)
    return is_number or (isinstance(value, Static) and value.kind == "int")
