"""JAX222: functions whose result's shape depends on values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, traced_since
from jaxlint.flow.domain import events


@check("JAX222", events.DataDependentShape)
def data_dependent_shape(event: events.DataDependentShape) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` of a tracer has a shape that depends on its values: ConcretizationTypeError",
        f"give `{event.needs}=` a static value" if event.needs else "use a function with a static result shape",
        traced_since(event.value, event.context),
        repair=repair("result_size", event, function=event.function),
    )
