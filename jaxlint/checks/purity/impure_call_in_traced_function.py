"""JAX103: the clock, host randomness, the environment and input are read once, at trace time."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_where_it_runs, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_WHAT = {
    "time": (
        "the time is read once, while JAX traces; every later call sees the same",
        "measure around the call, outside",
    ),
    "random": (
        "drawn once, while JAX traces; every later call gets the same numbers",
        "draw with `jax.random` from a key that is an argument",
    ),
    "env": ("the environment is read once, while JAX traces", "read it before and pass the value"),
    "input": ("asks once, while JAX traces; every later call reuses the answer", "ask before and pass the answer"),
}


@check("JAX103", events.HostEffectUnderTrace)
def impure_call_in_traced_function(event: events.HostEffectUnderTrace) -> Iterator[Report]:
    found = _WHAT.get(event.category)
    if found is not None and not event.of_statics:
        name = event.function.removeprefix("builtins.").replace(".__getitem__", "[…]")
        yield Report(
            event.node,
            f"`{name}`: {found[0]}",
            found[1],
            traced_since(event.traced, event.context),
            shown_where_it_runs(event, Certainty.POSSIBLE if _may_be_meant(event) else None),
        )


def _may_be_meant(event: events.HostEffectUnderTrace) -> bool:
    """A start that is replaced, a switch of the process, numbers of a function that gets nothing to compute with: one
    wants each just once."""
    return (
        event.starts
        or event.category == "env"
        or (event.category == "random" and event.direct and not event.context.has_arguments)
    )
