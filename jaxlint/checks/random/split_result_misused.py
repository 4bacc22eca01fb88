"""JAX407: the keys that split returns are unpacked wrongly, dropped, or used as one key."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, shown_outside_tests
from jaxlint.flow import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX407", events.SplitMisuse)
def split_result_misused(event: events.SplitMisuse) -> Iterator[Report]:
    yield Report(event.node, event.message, event.help, repair=repair("split_count", event))


@check("JAX407", events.UpdateDiscarded)
def split_dropped(event: events.UpdateDiscarded) -> Iterator[Report]:
    if event.how == "jax.random.split":
        yield Report(
            event.node,
            "the result of `jax.random.split` is dropped: the key is not advanced",
            "assign it: `key, subkey = jax.random.split(key)`",
            certainty=shown_outside_tests(event) if event.used_after else Certainty.POSSIBLE,
            repair=repair("split_count", event),
        )
