"""JAX405: an unmapped key gives every lane of a vmap the same numbers."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, steps
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX405", events.KeyAcrossLanes)
def key_shared_across_vmap_lanes(event: events.KeyAcrossLanes) -> Iterator[Report]:
    shared = event.certainty is Certainty.POSSIBLE or not event.are_equal or event.in_test
    yield Report(
        event.node,
        f"every lane of `{event.callee}` draws from the same key: the same numbers in each",
        "map over `jax.random.split(key, n)`, unless the lanes are meant to share them",
        () if shared else steps(event.map.provenance),
        certainty=Certainty.POSSIBLE if shared else None,
    )
