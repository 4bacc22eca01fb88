"""Keywords of torch, TensorFlow and NumPy, given to functions of JAX."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.foreign import KEYWORDS, OF_SAMPLES


def check_keywords(it: Interpreter, function: str, args: Arguments, node: ast.AST) -> None:
    """jnp.sum(x, dim=0), jax.random.normal(key, size=3)"""
    unknown = OF_SAMPLES if function.startswith("jax.random.") else KEYWORDS
    keyword = next((name for name in args.named if name in unknown), None)
    if keyword is not None:
        it.emit(events.ForeignKeyword(node, function, keyword))
