"""JAX308: where NumPy makes an array of a list, JAX raises TypeError."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow.domain import events


@check("JAX308", events.ListArgument)
def python_list_to_jnp(event: events.ListArgument) -> Iterator[Report]:
    given = "the shape of an array" if event.kind == "shape" else f"a {event.kind}"
    wanted = "arrays of jax take none" if event.function == "an operator" else "it takes arrays and numbers"
    subject = "an operator" if event.function == "an operator" else f"`{event.function}`"
    places = () if event.written is None else (("argument", event.scope.location(event.written)),)
    yield Report(
        event.node,
        f"{subject} is given {given}: {wanted}, TypeError",
        "make an array of it first: `jnp.array(...)`",
        repair=repair("list_argument", event, places=places) if places and event.kind != "shape" else None,
    )
