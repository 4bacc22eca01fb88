"""JAX709: `lax.map` and `associative_scan` take the function first, and call it in one way."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.words import one_of_kind, parameters
from jaxlint.flow.domain import events


@check("JAX709", events.MapMisused)
def map_misused(event: events.MapMisused) -> Iterator[Report]:
    name = event.operation.removeprefix("jax.")
    taken = parameters(event.taken)
    if event.how == "many":
        message = f"`{name}` is given {event.what} arrays: TypeError, it takes one, or a tree of them"
        help_ = "give them as one tuple, and take that apart: `lax.map(lambda xy: f(*xy), (x, y))`"
    elif event.how == "order":
        message = f"`{name}` is given {one_of_kind(event.what)} in the place of the function: TypeError"
        help_ = f"the function comes first: `{name}(f, xs)`"
    elif event.count == 1:
        message = f"`{name}` calls its function with one element, and this one takes {taken}: TypeError"
        help_ = "it gets a tuple of elements as one argument: `lax.map(lambda xy: f(*xy), (x, y))`"
    else:
        message = f"`{name}` calls its function with two arguments, and this one takes {taken}: TypeError"
        help_ = "it combines two elements, or two trees of them: `lambda a, b: ...`"
    yield Report(event.node, message, help_, certainty=shown_outside_tests(event))


@check("JAX709", events.BatchTested)
def batch_asked_for_its_truth(event: events.BatchTested) -> Iterator[Report]:
    name = event.operation.removeprefix("jax.")
    yield Report(
        event.node,
        f"the function of `{name}` gets many elements at once, and asks them for one truth: ValueError",
        "combine elementwise: `jnp.maximum(a, b)`, `jnp.where(a > b, a, b)`",
        certainty=shown_outside_tests(event),
    )
