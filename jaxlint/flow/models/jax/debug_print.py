"""jax.debug.print: its format string is filled in at run time, by str.format."""

from __future__ import annotations

import ast
import string

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, Static
from jaxlint.flow.port import Interpreter

_OPTIONS = frozenset(("ordered", "partitioned", "skip_format_check"))


def check_debug_print(it: Interpreter, args: Arguments, node: ast.AST) -> None:
    """A tracer formatted before the call, and placeholders that do not fit the arguments."""
    template = args.get(0, "fmt")
    if isinstance(template, Static) and template.tainted is not None:
        it.emit(events.DebugPrintMisuse(node, "formatted"))
    elif isinstance(template, Const) and isinstance(template.value, str) and not args.open_ended:
        problem = _mismatch(template.value, args)
        if problem is not None:
            it.emit(events.DebugPrintMisuse(node, *problem))


def _mismatch(template: str, args: Arguments) -> tuple[str, str] | None:
    """How ``template`` does not fit the arguments, and what of it; None if it does."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(template) if field is not None]
    except ValueError as error:
        return "invalid", str(error)
    positional = args.positional[1:]
    named = {name for name in args.named if name not in _OPTIONS and name != "fmt"}
    roots = [field.partition(".")[0].partition("[")[0] for field in fields]
    used = {root for root in roots if root and not root.isdigit()}
    numbered = sum(1 for root in roots if not root) or max(
        (int(root) + 1 for root in roots if root.isdigit()), default=0
    )
    if len(positional) > numbered:
        return "surplus", ""
    if numbered > len(positional):
        return "missing", ""
    missing = used - named
    if missing:
        return "unnamed", sorted(missing)[0]
    if named - used:
        return "unused", ""
    return None
