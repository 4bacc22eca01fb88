"""JAX212: under plain grad int(x), x.item() and round(x) work and cut the gradient."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_traced, traced_since
from jaxlint.checks.tracing.scalar_conversion_of_traced_value import UNDER_GRAD_TOO
from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import GRAD


@check("JAX212", events.ScalarConversion)
def scalar_conversion_under_grad(event: events.ScalarConversion) -> Iterator[Report]:
    if event.value.level == GRAD and event.how not in UNDER_GRAD_TOO and event.how != "range":
        text = event.how if event.how.startswith(".") else f"{event.how}()"
        yield Report(
            event.node,
            f"`{text}` takes the number out of a differentiated value: the gradient through it is silently zero",
            "use the array itself",
            traced_since(event.value, event.context),
            repair=repair_traced("scalar_conversion", event, event.value) if event.how == ".item()" else None,
        )
