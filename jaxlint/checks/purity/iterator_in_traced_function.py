"""JAX109: an iterator from outside is advanced once a trace, and lax loops refuse iterators."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX109", events.OuterIterator)
def iterator_in_traced_function(event: events.OuterIterator) -> Iterator[Report]:
    certainty = None
    if event.how == "used up":
        message = f"the first trace uses this {event.what} up; a trace for other shapes finds nothing in it"
        advice = "make a list or tuple of it outside"
        certainty = Certainty.LIKELY  # unless there is no other trace
    elif event.how == "advanced":
        message = "next() runs once, while JAX traces; every later call reuses the item"
        advice = "take the item outside and pass it as an argument"
        certainty = None if event.is_known else Certainty.LIKELY
    else:
        message = f"a Python {event.what} is handed to `{event.to}`, which takes arrays: TypeError"
        advice = "stack the items into an array (`jnp.arange`, `jnp.stack`)"
    yield Report(event.node, message, advice, traced_since(None, event.context), certainty=certainty)
