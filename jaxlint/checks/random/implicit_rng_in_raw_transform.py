"""JAX413: an ambient stream of keys does not advance inside a raw jax loop or vmap."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events


@check("JAX413", events.ImplicitRng)
def implicit_rng_in_raw_transform(event: events.ImplicitRng) -> Iterator[Report]:
    transform = event.context.transform
    message, help_ = _WORDS[event.how]
    yield Report(
        event.node,
        message.format(function=event.function, transform=transform),
        help_,
        traced_since(None, event.context),
        shown_outside_tests(event),
    )


_WORDS = {
    "": (
        "`{function}` inside raw `{transform}`: every step or lane gets the same key",
        "use the library's lifted transform (`nn.scan`, `hk.scan`, numpyro's control_flow.scan), or pass keys in",
    ),
    "closed over": (
        "`{transform}` closes over a `{function}`, which counts under no trace but its own: TraceContextError",
        "give it to a transform of `nnx` as an argument, or take the keys outside",
    ),
    "lost": (
        "`{transform}` got a copy of `{function}`, and its count is lost: the next call draws the same numbers",
        "use the transform of `nnx`, which carries the count out, or take the keys outside",
    ),
}
