"""JAX801: an attribute or a method that arrays have no longer."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.checks.versions.removed_api import newest_jax
from jaxlint.flow.domain import events
from jaxlint.semantics.removed import ARRAY_ATTRIBUTES, is_gone
from jaxlint.vocabulary.findings import Certainty


@check("JAX801", events.RemovedMember)
def removed_member(event: events.RemovedMember) -> Iterator[Report]:
    entry = ARRAY_ATTRIBUTES[event.member]
    if not is_gone(entry, newest_jax(event.versions)):
        return
    error = "TypeError, it is an attribute now" if entry.name.endswith("()") else "AttributeError"
    yield Report(
        event.node,
        f"`{entry.name}` of arrays was removed in JAX {entry.removed}: {error}; use `{entry.replacement}`",
        certainty=Certainty.LIKELY if event.declared else None,
    )
