"""JAX319: what was kept in half precision is not any more."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX319", events.HalfPromoted)
def low_precision_promotion(event: events.HalfPromoted) -> Iterator[Report]:
    of_number = event.what.startswith("a ")
    yield Report(
        event.node,
        f"an array of {event.dtype} meets {event.what if of_number else f'one of {event.what}'}, and becomes float32",
        "use a number of Python: `2.0`, `math.sqrt(2)`, `float(c)`; or say what is meant: `x.astype(jnp.float32)`"
        if of_number
        else "convert one of them first: `x.astype(jnp.bfloat16)`",
        certainty=shown_outside_tests(event),
    )
