"""JAX104: a write to a global, a nonlocal, a class or module attribute happens once a trace."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Key, Static, Tree
from jaxlint.vocabulary.findings import Certainty


@check("JAX104", events.OuterWrite)
def global_write_in_traced_function(event: events.OuterWrite) -> Iterator[Report]:
    if event.target not in ("global", "nonlocal", "class", "environ"):
        return
    if isinstance(event.stored, (Array, Tree, Key)) and event.stored.level:
        return  # JAX107 says the worse thing
    holds = isinstance(event.stored, Static) and event.stored.tainted is not None  # the text of a tracer
    yield Report(
        event.node,
        f"`{event.what}` is written once, while JAX traces, not at every call",
        f"set `{event.what}` before the call"
        if event.target == "environ"
        else f"return the new value of `{event.what}` and let the caller keep it",
        traced_since(None, event.context),
        shown_outside_tests(event, event.certainty if event.target != "environ" or holds else Certainty.POSSIBLE),
    )
