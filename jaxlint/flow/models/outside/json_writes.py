"""Arrays among what is written as JSON, which knows none."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Container, Tuple, Value
from jaxlint.flow.limits import KNOWN_ITEMS, SHOWN_PARTS_DEPTH
from jaxlint.flow.models.objects.iteration import known_fields, known_items
from jaxlint.flow.port import Interpreter


def check_written(it: Interpreter, function: str, args: Arguments, node: ast.AST) -> None:
    """json.dumps({"loss": loss})"""
    if args.open_ended or args.unsure or not {"default", "cls"}.isdisjoint(args.named):
        return
    if _holds_array(it, args.get(0, "obj"), SHOWN_PARTS_DEPTH.value):
        it.emit(events.NotSerializable(node, function))


def _holds_array(it: Interpreter, value: Value | None, depth: int) -> bool:
    """Whether an array is certainly in it.  What operators make may be an object of a class that has its own."""
    if isinstance(value, Array):
        return bool(value.aval.kind) and not value.declared
    if depth == 0 or not isinstance(value, (Container, Tuple)):
        return False
    fields = known_fields(it, value) if isinstance(value, Container) and value.kind == "dict" else None
    items = list(fields.values()) if fields is not None else known_items(it, value, KNOWN_ITEMS.value)
    return any(_holds_array(it, item, depth - 1) for item in items or ())
