"""JAX611: primals and tangents are sequences, and tangents like what they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX611", events.TangentRefused)
def jvp_vjp_argument_form(event: events.TangentRefused) -> Iterator[Report]:
    message, cure = _WORDS.get(event.how, _OTHER)
    of_pullback = event.what.startswith("cotangent") and event.how != "count"
    raised = "ValueError" if of_pullback or event.how == "shape" else "TypeError"
    yield Report(
        event.node,
        message.format(event=event) + f": {raised}",
        cure,
        certainty=shown_outside_tests(event),
    )


_OTHER = (
    "`{event.what}` is {event.given}, where it must be like {event.wanted}",
    "a tangent or cotangent has the structure, shapes and dtypes of what it belongs to: `jnp.ones_like(y)`",
)
_WORDS = {
    "no sequence": (
        "`jax.jvp` takes {event.what} in a tuple, this is {event.given}",
        "put them into tuples, also one alone: `jax.jvp(f, (x,), (v,))`",
    ),
    "count": (
        "what `jax.vjp` returns takes one cotangent, it is called with {event.given} arguments",
        "pass what the function returns as it returns it: a tuple for a tuple, `pullback((a, b))`",
    ),
}
