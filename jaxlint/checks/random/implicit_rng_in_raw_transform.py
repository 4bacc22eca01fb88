"""JAX413: an ambient stream of keys does not advance inside a raw jax loop or vmap."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX413", events.ImplicitRng)
def implicit_rng_in_raw_transform(event: events.ImplicitRng) -> Iterator[Report]:
    transform = event.context.transform
    message, help_ = (text.format(function=event.function, transform=transform) for text in _WORDS[event.how])
    yield Report(
        event.node,
        message,
        help_,
        _draw(event) or traced_since(None, event.context),
        Certainty.POSSIBLE if _may_be_meant(event) else shown_outside_tests(event),
    )


def _draw(event: events.ImplicitRng) -> tuple[Related, ...]:
    if event.draw is None:
        return ()
    scope, node = event.draw
    return (Related(scope.location(node), f"a key of `{event.function}` is asked for here"),)


def _may_be_meant(event: events.ImplicitRng) -> bool:
    """One mask for all steps of a sequence is a known form of dropout."""
    return event.how == "not split" and event.function == "dropout"


_WORDS = {
    "": (
        "`{function}` inside raw `{transform}`: every step or lane gets the same key",
        "use the library's lifted transform (`nn.scan`, `hk.scan`, numpyro's control_flow.scan), or pass keys in",
    ),
    "not split": (
        "`{function}` is not split, and what runs here draws from it: the same numbers in every step or lane",
        "`split_rngs={{{function!r}: True}}`",
    ),
    "initialised alike": (
        "every step or lane of `{function}` has parameters of its own, which are all initialised from one key",
        "`split_rngs={{'params': True}}`; to share parameters, `variable_broadcast='params'`, in a vmap the axis None",
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
