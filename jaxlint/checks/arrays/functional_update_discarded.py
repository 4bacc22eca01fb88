"""JAX302: x.at[i].set(v) returns a new array and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, repair_item
from jaxlint.flow.domain import events


@check("JAX302", events.UpdateDiscarded)
def functional_update_discarded(event: events.UpdateDiscarded) -> Iterator[Report]:
    if event.how.startswith(".at["):
        yield Report(
            event.node,
            f"the result of `{event.how}` is dropped: the array stays as it is",
            "assign it: `x = x.at[i].set(v)`",
            repair=repair("dropped_result", event, function=event.how),
        )


@check("JAX302", events.ItemAssignment)
def update_in_the_wrong_form(event: events.ItemAssignment) -> Iterator[Report]:
    if event.how in ("at", "at()"):
        what = "`x.at[i] = v` assigns to a helper" if event.how == "at" else "`x.at(i)` calls a helper that is indexed"
        mended = repair_item(event) if event.how == "at" else repair("at_call", event)
        yield Report(event.node, f"{what}: TypeError", "write `x = x.at[i].set(v)`", repair=mended)
