"""JAX207: jnp turns static values into tracers; NumPy and math keep them static."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair, traced_since
from jaxlint.flow.domain import events


@check(
    "JAX207",
    events.TruthTest,
    events.ScalarConversion,
    events.TracedStaticArgument,
    events.SequenceIndex,
    events.SliceBound,
)
def jnp_on_static_values(
    event: events.TruthTest | events.ScalarConversion | events.TracedStaticArgument | events.SequenceIndex,
) -> Iterator[Report]:
    if not is_of_statics(event.value):
        return
    yield Report(
        event.node,
        "jnp makes a tracer of values that were static, and Python needs their value here",
        "compute it with `math` or NumPy (`np.prod`, `math.sqrt`), which stay static",
        traced_since(event.value, event.context),
        repair=repair("static_function", event),
    )
