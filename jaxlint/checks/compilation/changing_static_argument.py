"""JAX507: a static argument is another one at each call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX507", events.StaticAnew)
def changing_static_argument(event: events.StaticAnew) -> Iterator[Report]:
    if event.loop is None or event.loop_scope is None:
        return
    loop = getattr(event.loop, "target", event.loop)  # a comprehension has no place of its own
    parameter = f"`{event.parameter}`" if event.parameter else "an argument"
    again, advice = "call", "make it once, and pass that at each call"
    if event.as_no_array:
        advice = "pass an array: `jnp.asarray(…)` is traced, a Python number is not"
    elif event.is_number:
        advice = "do not declare it static: it is traced then"
    elif event.of_item:
        again, advice = "other value", "trace it, or bring the items to a few values"
    told = f"{parameter} is static for `{event.transform}` and is given {event.what}"
    if event.in_structure:
        told = f"`{event.what}` of {parameter} belongs to its structure and is another number in every pass"
        advice = "make it a leaf, which is traced"
    yield Report(
        event.node,
        f"{told}: each {again} compiles it again",
        advice,
        (Related(event.loop_scope.location(loop), "the loop"),),
        certainty=Certainty.POSSIBLE if event.seldom else shown_outside_tests(event),
    )
