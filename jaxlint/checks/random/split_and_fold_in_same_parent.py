"""JAX404: split(key, n)[i] is fold_in(key, i)."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_key, shown_outside_tests, used_at
from jaxlint.flow.domain import events


@check("JAX404", events.SplitAndFold)
def split_and_fold_in_same_parent(event: events.SplitAndFold) -> Iterator[Report]:
    yield Report(
        event.node,
        "this key is both split and folded into: `split(key, n)[i]` is exactly `fold_in(key, i)`",
        "fold into a child of its own: `a, b = jax.random.split(key)`, then `fold_in(b, i)`",
        used_at(event.earlier),
        shown_outside_tests(event),
        repair=repair_key(event),
    )
