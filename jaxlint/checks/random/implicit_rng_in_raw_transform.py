"""JAX413: an ambient stream of keys does not advance inside a raw jax loop or vmap."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events


@check("JAX413", events.ImplicitRng)
def implicit_rng_in_raw_transform(event: events.ImplicitRng) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` inside raw `{event.context.transform}`: every step or lane gets the same key",
        "use the library's lifted transform (`nn.scan`, `hk.scan`, numpyro's control_flow.scan), or pass keys in",
        traced_since(None, event.context),
        shown_outside_tests(event),
    )
