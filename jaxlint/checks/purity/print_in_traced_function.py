"""JAX101: print runs once, while JAX traces."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_run, shown_where_it_runs, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_BRANCH, _PASS = "whichever branch is taken", "not in each pass"
_PARTS = {
    **dict.fromkeys(("jax.lax.cond", "jax.lax.switch"), _BRANCH),
    **dict.fromkeys(("jax.lax.scan", "jax.lax.fori_loop", "jax.lax.while_loop", "jax.lax.map"), _PASS),
}
"""Where a text that never changes tells the wrong thing, with what it does not tell."""


def _is_text(call: ast.AST) -> bool:
    """Whether what is printed is written there; a shape says something of the trace."""
    return isinstance(call, ast.Call) and bool(call.args) and all(isinstance(part, ast.Constant) for part in call.args)


@check("JAX101", events.HostEffectUnderTrace)
def print_in_traced_function(event: events.HostEffectUnderTrace) -> Iterator[Report]:
    if event.category != "print" or event.function.startswith("sys."):
        return
    if event.traced is None and event.context.transform in _PARTS and _is_text(event.node):
        yield Report(
            event.node,
            f"print runs once, while JAX traces: {_PARTS[event.context.transform]}",
            "if it is to be seen at each call, use `jax.debug.print`",
            traced_since(None, event.context),
            shown_where_it_runs(event, Certainty.LIKELY),
        )
    elif event.traced is None:
        yield Report(
            event.node,
            "print runs once, while JAX traces, and never again",
            "if it is to be seen at each call, use `jax.debug.print`",
            traced_since(None, event.context),
            Certainty.POSSIBLE,
        )
    else:
        yield Report(
            event.node,
            "print runs once, while JAX traces, and shows the tracer instead of its value",
            'use `jax.debug.print("x = {}", x)`, which prints at run time',
            traced_since(event.traced, event.context),
            shown_where_it_runs(event),
            repair=repair_run("print", event),
        )
