"""JAX107: a tracer that is stored outside its trace raises when it is used there."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Key, Tree


@check("JAX107", events.OuterWrite)
def tracer_leak(event: events.OuterWrite) -> Iterator[Report]:
    stored = event.stored
    if not isinstance(stored, (Array, Tree, Key)) or not stored.level or not getattr(stored, "sure", True):
        return
    yield Report(
        event.node,
        f"a tracer is stored in `{event.what}`, which outlives the trace: UnexpectedTracerError when it is used",
        _advice(event),
        traced_since(stored, event.context),
        event.certainty,
    )


@check("JAX107", events.ChangedFromOutside)
def changed_from_outside(event: events.ChangedFromOutside) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.what}` is no argument of what is traced and may not be changed there: TraceContextError",
        "hand it over as an argument of the function",
        traced_since(None, event.context),
    )


def _advice(event: events.OuterWrite) -> str:
    """How the value gets out of the innermost transform instead."""
    short = event.context.transform.rpartition(".")[2]
    if "grad" in short:
        return f"return it, too, with `has_aux=True`, and store it in `{event.what}` outside"
    if short == "scan":
        return "return it as part of the second result of the body, which collects it for all steps"
    return f"return it and store it in `{event.what}` outside"
