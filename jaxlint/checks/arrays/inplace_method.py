"""JAX303: NumPy's in-place methods and attributes, and functions whose result is dropped."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX303", events.InplaceMethod)
def inplace_method(event: events.InplaceMethod) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`.{event.method}` changes a NumPy array in place; a jax array has no such thing: {event.outcome}",
        "use the jnp function and assign its result",
        repair=repair("inplace_method", event),
    )


@check("JAX303", events.UpdateDiscarded)
def result_dropped(event: events.UpdateDiscarded) -> Iterator[Report]:
    if event.how.startswith(".at[") or event.how == "jax.random.split":
        return
    yield Report(
        event.node,
        f"the result of `{event.how}` is dropped, and nothing is changed in place",
        "assign the result",
        certainty=shown_outside_tests(event, Certainty.LIKELY if event.is_supposed else None),
        repair=repair("dropped_result", event, function=event.how),
    )


@check("JAX303", events.UpdatesUnused)
def updates_unused(event: events.UpdatesUnused) -> Iterator[Report]:
    if event.is_applied:
        message = f"the gradients `{event.instead}` are added as they are: nothing reads the updates `{event.name}`"
        advice = f"pass `{event.name}` to `apply_updates`"
    else:
        message = f"nothing reads the optimiser's new state `{event.name}`: `{event.instead}` is still the old one"
        advice = f"go on with `{event.name}`" if event.name.strip("_") else f"bind it to `{event.instead}`"
    yield Report(event.node, message, advice, certainty=Certainty.LIKELY)
