"""JAX211: float(x), int(x), x.item() need a value that a tracer does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair_traced, traced_since
from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ABSTRACT

UNDER_GRAD_TOO = frozenset(("float", "complex", ".tolist()", ".__float__()", ".__complex__()"))
"""Conversions that even a tracer of plain grad, which knows its value, refuses."""


@check("JAX211", events.ScalarConversion, events.TruthTest)
def scalar_conversion_of_traced_value(event: events.ScalarConversion | events.TruthTest) -> Iterator[Report]:
    if event.how == "range" or is_of_statics(event.value):
        return
    if isinstance(event, events.TruthTest) and event.how != "bool":
        return
    if event.value.level < ABSTRACT and event.how not in UNDER_GRAD_TOO:
        return
    text = event.how if event.how.startswith(".") else f"{event.how}()"
    yield Report(
        event.node,
        f"`{text}` needs the value of a tracer: {_error(event.how)}",
        "keep the array (`x.astype(…)`), or convert outside the traced function",
        traced_since(event.value, event.context),
        event.certainty,
        repair=repair_traced("scalar_conversion", event, event.value),
    )


def _error(how: str) -> str:
    if how == "bool":
        return "TracerBoolConversionError"
    return "TracerIntegerConversionError" if how in events.TO_INTEGERS else "ConcretizationTypeError"
