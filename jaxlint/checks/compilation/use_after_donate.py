"""JAX508: an array is read after its memory was donated."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX508", events.ReadAfterDonation)
def use_after_donate(event: events.ReadAfterDonation) -> Iterator[Report]:
    donated = Related(
        event.donated_in.location(event.donated_by), "it is donated here" if event.kept_as else "it was donated here"
    )
    message, outcome = f"`{event.text}` was donated to `{event.callee}`", "it is deleted, RuntimeError"
    advice = "bind the name to the result (`state = step(state)`), copy the array before the call, or do not donate it"
    if event.kept_as:
        message = f"`{event.kept_as}` keeps what the next call of `{event.callee}` takes as `{event.text}`"
        advice = f"keep a copy: `{event.kept_as} = jax.tree.map(jnp.copy, {event.text})`"
    elif event.in_itself:
        message = f"the same array is donated to `{event.callee}` twice, in one argument"
        outcome = "RuntimeError"
        advice = "make each array anew, or put a copy (`x.copy()`) in one of the two places"
    elif event.at_once:
        message = f"`{event.text}` is donated to `{event.callee}` in the same call"
        advice = "pass a copy of it, or do not donate it"
    elif event.again:
        message += " in the pass before"
    yield Report(
        event.node,
        f"{message}: {outcome}",
        advice,
        () if event.again or event.at_once else (donated,),
        certainty=shown_outside_tests(event, Certainty.POSSIBLE if event.unsure else None),
    )
