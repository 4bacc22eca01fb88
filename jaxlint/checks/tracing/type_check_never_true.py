"""JAX206: under a trace no value is a float, an int or an np.ndarray."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX206", events.TypeCheck)
def type_check_never_true(event: events.TypeCheck) -> Iterator[Report]:
    yield Report(
        event.node,
        f"this check against `{event.against}` is False for every traced value",
        "test for `jax.Array`, or compare dtypes with `==` or `jnp.issubdtype`",
        traced_since(event.value, event.context),
        Certainty.POSSIBLE if event.meant else None,
        repair=repair("type_check", event),
    )
