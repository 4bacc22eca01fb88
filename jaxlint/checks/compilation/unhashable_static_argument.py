"""JAX504: what is passed for a static parameter has no hash."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX504", events.UnhashableStatic)
def unhashable_static_argument(event: events.UnhashableStatic) -> Iterator[Report]:
    parameter = f"`{event.parameter}`" if event.parameter else "an argument"
    yield Report(
        event.node,
        f"{parameter} is static for `{event.transform}` and is given {event.what}: ValueError, it has no hash",
        _help(event.what),
        traced_since(event.value) if event.what == "a tracer" else (),
    )


def _help(what: str) -> str:
    if what == "a tracer":
        return "do not declare it static, or pass what is known while tracing, such as a shape"
    if " in it" in what and "array" in what:
        return "pass numbers in place of its arrays (`int(x)`, `float(x)`), or do not declare it static"
    if "array" in what or "key" in what:
        return "do not declare it static: arrays are traced"
    if "dataclass" in what:
        return "make it `frozen=True`, with fields that have a hash"
    if "__" in what:
        return "define `__hash__` in accord with `__eq__`"
    return "pass what has a hash, such as a tuple"
