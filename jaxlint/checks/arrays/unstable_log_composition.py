"""JAX313: the logarithm of what has lost its digits, where one function keeps them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, shown_outside_tests
from jaxlint.flow.domain import events

_LOST = {
    "log_softmax": "is -inf where the softmax underflows to 0, and its gradient NaN",
    "log_sigmoid": "is -inf where the sigmoid underflows to 0, and its gradient NaN",
    "softplus": "is inf where the exponential overflows, from 89 on in float32 and from 710 in float64",
    "logsumexp": "is inf or -inf where the exponentials overflow or underflow",
}


@check("JAX313", events.UnstableLogarithm)
def unstable_log_composition(event: events.UnstableLogarithm) -> Iterator[Report]:
    is_rest = event.what.startswith("1 - ")
    lost = "is -inf where the sigmoid rounds to 1, from 17 on in float32" if is_rest else _LOST[event.better]
    yield Report(
        event.node,
        f"the logarithm of `{event.what}` {lost}",
        f"use `jax.nn.{event.better}{'(-x)' if is_rest else ''}`, which is exact there",
        certainty=shown_outside_tests(event),
        repair=repair("logarithm", event, places=(("made", event.scope.location(event.made)),), better=event.better),
    )
