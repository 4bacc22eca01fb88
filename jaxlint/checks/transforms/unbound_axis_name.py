"""JAX708: a collective works along an axis that a transform around it has named."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX708", events.UnboundAxis)
def unbound_axis_name(event: events.UnboundAxis) -> Iterator[Report]:
    short = event.function.removeprefix("jax.")
    bound = " and ".join(f"`{name}`" for name in event.bound)
    there = f"only {bound} is named by what runs this" if bound else "nothing that runs this names an axis"
    raised = "JAX raises" if event.context.transform.endswith("shard_map") else "NameError"
    yield Report(
        event.node,
        f"`{short}` works along the axis `{event.axis}`, and {there}: {raised}",
        f'map the function with that name, `jax.vmap(f, axis_name="{event.axis}")`, or under `jax.shard_map`',
        () if event.sure else traced_since(None, event.context),
        certainty=shown_outside_tests(event, None if event.sure else Certainty.LIKELY),
    )
