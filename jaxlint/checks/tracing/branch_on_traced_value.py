"""JAX201: Python control flow needs a value that a tracer does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair_traced, traced_since
from jaxlint.flow.domain import events

_WORDS = {
    "if": "an `if`",
    "while": "a `while`",
    "assert": "an `assert`",
    "ternary": "a conditional expression",
    "filter": "a comprehension's `if`",
    "match": "a `match`",
    **{f"{name}()": f"`{name}`" for name in ("dropwhile", "filter", "filterfalse", "takewhile")},
}
_MASK = "use `jnp.where` or a mask"
_HELP = {
    "if": "use `jnp.where` or `jax.lax.cond`, or make the argument static",
    "while": "use `jax.lax.while_loop`",
    "assert": "use `checkify.check`, or assert on shapes and dtypes only",
    "ternary": "use `jnp.where(condition, a, b)`",
    "filter": _MASK,
    "match": "use `jax.lax.switch`",
}


@check("JAX201", events.TruthTest)
def branch_on_traced_value(event: events.TruthTest) -> Iterator[Report]:
    if event.how in _WORDS and not is_of_statics(event.value):
        yield Report(
            event.node,
            f"{_WORDS[event.how]} needs the value of a tracer: TracerBoolConversionError",
            _HELP.get(event.how, _MASK),
            traced_since(event.value, event.context),
            event.certainty,
            repair=repair_traced("branch", event, event.value),
        )
