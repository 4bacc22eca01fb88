"""JAX106: a traced function gets a rebuilt copy of its container arguments; changes to it are lost."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX106", events.ArgumentMutated)
def container_argument_mutated(event: events.ArgumentMutated) -> Iterator[Report]:
    yield Report(
        event.node,
        f"argument `{event.what}` is {_changed(event.change)} and not returned: "
        "JAX passed a copy, the caller's stays as it is",
        f"use `{event.carried_by}`, or return what is changed" if event.carried_by else "return the changed container",
        traced_since(None, event.context),
        None if event.missed else shown_outside_tests(event, Certainty.LIKELY if event.in_vain else Certainty.POSSIBLE),
    )


def _changed(change: events.Change) -> str:
    if change.how == "called":
        return f"changed by .{change.name}()"
    if not change.of:
        return f"changed by a {change.name}"
    what = f"{change.of} {change.name}" if change.name else f"an {change.of}"
    return f"changed ({what} is {change.how})"
