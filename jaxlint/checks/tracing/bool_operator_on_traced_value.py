"""JAX202: and, or, not, in, chained comparisons and the search of a list ask a tracer for its truth."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair_traced, traced_since
from jaxlint.flow.domain import events

_HELP = {
    "and": "use `&` with parentheses, or `jnp.logical_and`",
    "or": "use `|` with parentheses, or `jnp.logical_or`",
    "not": "use `~` or `jnp.logical_not`",
    "compare": "write `(a < x) & (x < b)`",
    "in": "use `jnp.isin` or `jnp.any(x == y)`",
    ".count()": "use `jnp.sum(xs == x)`",
    ".index()": "use `jnp.argmax(xs == x)`",
    ".remove()": "use a mask",
    "any": "use `jnp.any`",
    "all": "use `jnp.all`",
}
_WORDS = {"compare": "a chained comparison", "any": "any()", "all": "all()"}


@check("JAX202", events.TruthTest)
def bool_operator_on_traced_value(event: events.TruthTest) -> Iterator[Report]:
    if event.how in _HELP and not is_of_statics(event.value):
        yield Report(
            event.node,
            f"{_WORDS.get(event.how, f'`{event.how}`')} needs the truth value of a tracer: TracerBoolConversionError",
            _HELP[event.how],
            traced_since(event.value, event.context),
            event.certainty,
            repair=repair_traced("bool_operator", event, event.value),
        )
