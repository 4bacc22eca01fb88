"""JAX604: what is differentiated for is passed by position."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX604", events.ArgumentNotPassed)
def argnums_wrong(event: events.ArgumentNotPassed) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    raised = "TypeError" if short in ("grad", "value_and_grad") and event.number >= 0 else "ValueError"
    if event.keyword:
        passed = f"which is passed by its name, `{event.keyword}`"
        cure = f"pass `{event.keyword}` by position"
    else:
        passed = f"and is called with {_count(event.count)}"
        cure = "count from 0, and pass the argument by position; one that is keyword-only cannot be differentiated for"
    yield Report(
        event.node,
        f"`{short}` differentiates for argument {event.number}, {passed}: {raised}",
        cure,
        certainty=shown_outside_tests(event),
    )


def _count(count: int) -> str:
    if not count:
        return "no argument by position"
    return "one argument by position" if count == 1 else f"{count} arguments by position"
