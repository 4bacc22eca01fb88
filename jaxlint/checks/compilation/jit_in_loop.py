"""JAX502: a loop compiles a new function object in every pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX502", events.CompiledInEveryPass)
def jit_in_loop(event: events.CompiledInEveryPass) -> Iterator[Report]:
    loop = event.scope.location(event.loop)
    names = " and ".join(f"`{name}`" for name in event.taken)
    yield Report(
        event.node,
        f"the loop makes {event.what} anew for `{event.transform}` in every pass: every pass compiles it again",
        "make the compiled function once, before the loop" + (f", and give it {names} as well" if names else ""),
        (Related(loop, "the loop"),),
        certainty=Certainty.POSSIBLE if event.is_shown else shown_outside_tests(event),
        repair=None if names else repair("hoisted_jit", event, places=(("loop", loop),)),
    )
