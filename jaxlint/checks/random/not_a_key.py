"""JAX408: arguments of jax.random in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_SAID = {
    "value": "`{function}` needs a key and is given {what!r}: TypeError",
    "tuple": "`{function}` needs a key as its first argument and is given a tuple: TypeError",
    "missing": "`{function}` is missing `{what}`: TypeError",
    "dtype": "`{function}` is given {what!r} where it expects a dtype: TypeError",
    "shape": "`{function}` is given a shape where it expects `{what}`: TypeError",
    "list": "`{function}` is given a Python list: TypeError",
}


@check("JAX408", events.NotAKey)
def not_a_key(event: events.NotAKey) -> Iterator[Report]:
    if event.how == "seed":
        yield Report(event.node, f"a seed must be an integer, not {event.what!r}: TypeError", "pass an int")
        return
    message = _SAID[event.how].format(function=event.function, what=event.what)
    yield Report(
        event.node,
        message,
        f"the signature is `{event.function}({', '.join(event.parameters)})`",
        certainty=Certainty.LIKELY if event.assumed else None,
    )


@check("JAX408", events.KeylessDropout)
def keyless_dropout(event: events.KeylessDropout) -> Iterator[Report]:
    yield Report(
        event.node,
        "dropout that is on needs a key and is given none: RuntimeError",
        "pass one: `dropout(x, key=key)`; for inference, `eqx.nn.inference_mode(model)`",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )
