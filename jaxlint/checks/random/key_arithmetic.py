"""JAX409: arithmetic on a key makes weak keys, or raises."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow import events


@check("JAX409", events.KeyArithmetic)
def key_arithmetic(event: events.KeyArithmetic) -> Iterator[Report]:
    what = "a key is indexed" if event.how == "indexed" else "arithmetic on a key"
    yield Report(
        event.node,
        f"{what}: weak randomness with legacy keys, TypeError with typed ones",
        "derive keys with `jax.random.split` or `jax.random.fold_in`",
        repair=repair("key_arithmetic", event),
    )
