"""JAX102: logging, files, warnings and experiment trackers run once and are given tracers."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_where_it_runs, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_CATEGORIES = frozenset(("log", "warn", "file", "buffer", "experiment-logger", "network", "process", "progress"))


@check("JAX102", events.HostEffectUnderTrace)
def io_in_traced_function(event: events.HostEffectUnderTrace) -> Iterator[Report]:
    if event.category not in _CATEGORIES and not event.function.startswith("sys."):
        return
    name = event.function.removeprefix("builtins.")
    if event.traced is not None:
        message = f"`{name}` runs once, while JAX traces, and is given a tracer instead of a value"
    else:
        message = f"`{name}` runs once, while JAX traces, and never again"
    yield Report(
        event.node,
        message,
        "return the value and log it outside, or use `jax.debug.callback`",
        traced_since(event.traced, event.context),
        shown_where_it_runs(event, Certainty.POSSIBLE if event.category == "progress" or event.of_statics else None),
    )
