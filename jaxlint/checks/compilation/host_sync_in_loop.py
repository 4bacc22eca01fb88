"""JAX516: a loop that asks for a value in each pass does not let JAX run ahead."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX516", events.WaitedInLoop)
def host_sync_in_loop(event: events.WaitedInLoop) -> Iterator[Report]:
    if event.loop is None:
        return
    how = event.how if event.how.startswith(".") else f"{event.how}()"
    yield Report(
        event.node,
        f"`{how}` waits for `{event.work}` in each pass: the next step is begun only when this one is done",
        "keep the array, and convert every so many steps or after the loop",
        certainty=Certainty.POSSIBLE,
    )
