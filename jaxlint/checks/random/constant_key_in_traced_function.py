"""JAX406: a constant seed in a compiled function gives the same numbers in every call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX406", events.ConstantKey)
def constant_key_in_traced_function(event: events.ConstantKey) -> Iterator[Report]:
    yield Report(
        event.node,
        "the key comes from a constant seed: every call draws the same numbers",
        "pass a key as an argument, or fold in a step counter",
        traced_since(None, event.context),
        Certainty.POSSIBLE if event.meant or event.assumed else shown_outside_tests(event),
        stands=not event.assumed,
    )


@check("JAX406", events.DefaultKeyRenewed)
def default_key_renewed(event: events.DefaultKeyRenewed) -> Iterator[Report]:
    """Callers that nobody has seen will pass a key, too, as those do that are seen."""
    yield Report(event.node, "", withdraws=True)
