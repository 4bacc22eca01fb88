"""JAX503: a function that is called again and again compiles a new function object at each call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX503", events.CompiledAtEachCall)
def jit_recreated_each_call(event: events.CompiledAtEachCall) -> Iterator[Report]:
    if event.loop is None or event.loop_scope is None:
        return
    is_loop = event.transform.startswith("jax.lax.")
    if is_loop and event.entered:
        return  # who calls may compile all of it
    is_seldom = event.seldom or event.loop_scope.module.is_test  # what a test repeats costs nobody anything
    loop = getattr(event.loop, "target", event.loop)  # a comprehension has no place of its own
    yield Report(
        event.node,
        f"each call of `{event.maker}` makes {event.what} anew for `{event.transform}`, and a loop calls it in every"
        " pass: every pass compiles it again",
        f"compile the whole of `{event.maker}` once, with `jax.jit`, or make the functions outside of it"
        if is_loop
        else "make the compiled function once, outside of the function that is called again and again",
        (Related(event.loop_scope.location(loop), "the loop"),),
        certainty=Certainty.POSSIBLE if is_seldom else shown_outside_tests(event),
    )
