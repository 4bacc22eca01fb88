"""JAX706: what `while_loop` and `fori_loop` ask of their conditions, bounds and bodies."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_index_of_loop, shown_outside_tests
from jaxlint.checks.transforms.given_functions import reported
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_ORDERS = {
    "while_loop": "the functions come first: `while_loop(cond_fun, body_fun, init_val)`",
    "fori_loop": "the bounds come first: `fori_loop(lower, upper, body_fun, init_val)`",
}
_OPERANDS = {
    "while_loop": "write `f(carry)`: what is carried is one argument, which the function takes apart if it is a tuple",
    "fori_loop": "write `body(i, carry)`: what is carried is one argument, which the body takes apart if it is a tuple",
}


@check("JAX706", events.NoFunction, events.ParametersDiffer)
def loop_functions_called(event: events.NoFunction | events.ParametersDiffer) -> Iterator[Report]:
    if event.operation in _ORDERS:
        yield from reported(event, _ORDERS[event.operation], _OPERANDS[event.operation])


@check("JAX706", events.ChoiceRefused)
def condition_that_is_none(event: events.ChoiceRefused) -> Iterator[Report]:
    if event.role == "cond_fun":
        yield Report(
            event.node,
            f"the condition of `{event.operation}` gives {event.what}, not one boolean: TypeError",
            "compare (`i < n`, `x > 0`), and reduce what has more elements with `jnp.any` or `jnp.all`",
            certainty=shown_outside_tests(event),
        )


@check("JAX706", events.BoundsDiffer)
def bounds_that_differ(event: events.BoundsDiffer) -> Iterator[Report]:
    if event.upper:
        told = f"`{event.operation}` counts from {event.lower} to {event.upper}, which are of two types: TypeError"
    else:
        told = f"a bound of `{event.operation}` is {event.lower}, not one number: TypeError"
    yield Report(
        event.node, told, "give it two whole numbers: `n // 2`, `int(n)`", certainty=shown_outside_tests(event)
    )


@check("JAX706", events.TakenApart)
def index_taken_apart(event: events.TakenApart) -> Iterator[Report]:
    if is_index_of_loop(event):
        yield Report(
            event.node,
            f"what `fori_loop` gives its body first is the index, it is unpacked into {event.count}: TypeError",
            "the body takes the index before what is carried: `body(i, carry)`",
            certainty=shown_outside_tests(event),
        )


@check("JAX706", events.CarryUnread)
def carry_unread(event: events.CarryUnread) -> Iterator[Report]:
    yield Report(
        event.node,
        f"the body of `{event.operation}` never reads what it carries, `{event.carried}`: only its last pass counts",
        f"the body takes the index before what is carried: `body({event.index}, {event.carried})` is to use both",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )
