"""JAX116: arrays are unhashable, so a dataclass refuses one as a default."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.checks.versions.removed_api import newest_jax
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

FIRST_FOR_PYTHON_3_11 = (0, 4)
"""jaxlib has had wheels for Python 3.11, the first that asks whether a default is hashable, since this release."""


@check("JAX116", events.ArrayDefault)
def array_as_dataclass_default(event: events.ArrayDefault) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a jax array as the default of `{event.cls}.{event.field}`: ValueError, mutable default",
        "use `dataclasses.field(default_factory=…)`",
        certainty=Certainty.POSSIBLE if newest_jax(event.versions) < FIRST_FOR_PYTHON_3_11 else None,
        repair=repair("default_factory", event),
    )
