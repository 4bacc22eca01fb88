"""JAX320: a sum that begins with memory nobody has set."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.versions.removed_api import newest_jax
from jaxlint.flow.domain import events
from jaxlint.semantics.removed import UNSET_SINCE, happened
from jaxlint.vocabulary.findings import Certainty


@check("JAX320", events.UnsetRead)
def accumulation_into_empty(event: events.UnsetRead) -> Iterator[Report]:
    maker = event.function.rpartition(".")[2]
    zeros = maker.replace("empty", "zeros")
    is_unset = happened(UNSET_SINCE, newest_jax(event.versions))
    yield Report(
        event.node,
        f"this begins with any values on a GPU or a TPU: since JAX {UNSET_SINCE} `jnp.{maker}` sets none",
        f"use `jnp.{zeros}`",
        certainty=shown_outside_tests(event) if is_unset else Certainty.POSSIBLE,
    )
