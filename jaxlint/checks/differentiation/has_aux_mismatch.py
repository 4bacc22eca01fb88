"""JAX603: with has_aux a function returns its value and the rest, and so does its gradient."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, shown_when_called
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX603", events.NoAux)
def has_aux_mismatch(event: events.NoAux) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    yield Report(
        event.node,
        f"`{short}` with `has_aux=True` needs a function that returns a pair, this one returns {event.what}: TypeError",
        "return `loss, aux`, or leave `has_aux` out",
        certainty=shown_when_called(event),
    )


@check("JAX603", events.UnpackedOtherwise)
def unpacked_otherwise(event: events.UnpackedOtherwise) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    if event.parts == 1:
        message = f"the value that `{short}` gives without `has_aux` is one number, it is unpacked: TypeError"
        cure = "write `loss, gradients = …`, or say `has_aux=True` and return a pair"
    else:
        message = f"`{short}` gives {event.parts} things here, they are unpacked into {event.count}: ValueError"
        cure = _FORMS.get(short, "unpack what the transform gives")
    yield Report(event.node, message, cure, certainty=shown_outside_tests(event))


_FORMS = {
    "value_and_grad": "write `value, gradients = …`, with `has_aux` `(value, aux), gradients = …`",
    "grad": "with `has_aux` it gives `gradients, aux`",
    "vjp": "it gives `value, pullback`, with `has_aux` `value, pullback, aux`",
    "jvp": "it gives `value, tangent`, with `has_aux` `value, tangent, aux`",
    "linearize": "it gives `value, linear`, with `has_aux` `value, linear, aux`",
}


@check("JAX603", events.PairForLoss)
def pair_for_loss(event: events.PairForLoss) -> Iterator[Report]:
    what = f"has no attribute `{event.name}`: AttributeError" if event.name else "is no number: TypeError"
    yield Report(
        event.node,
        f"`value_and_grad` with `has_aux` gives the pair `(loss, aux)` for the loss, which {what}",
        "unpack it: `(loss, aux), gradients = …`",
        certainty=shown_outside_tests(event),
    )


@check("JAX603", events.LossForGradient)
def loss_for_gradient(event: events.LossForGradient) -> Iterator[Report]:
    yield Report(
        event.node,
        "the loss that `value_and_grad` gives is used as the gradient: the value comes first",
        "unpack it as `loss, gradients = …`",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )


@check("JAX603", events.TupleOfGradients)
def tuple_of_gradients(event: events.TupleOfGradients) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    source = "the function that `jax.vjp` returns" if short == "vjp" else f"`{short}` with `argnums` in a tuple"
    parts = "one gradient" if event.parts == 1 else f"{event.parts} gradients"
    if event.count:
        taken = f"it is unpacked into {event.count}: ValueError"
    else:
        taken = f"it has no attribute `{event.name}`: AttributeError" if event.name else "it is no array: TypeError"
    yield Report(
        event.node,
        f"{source} gives a tuple of {parts}, {taken}",
        "unpack it: `(gradient,) = …`" if event.parts == 1 else "unpack it, or use `jax.tree.map`",
        certainty=shown_outside_tests(event),
    )


@check("JAX603", events.GradientCalled)
def told_at_the_call(event: events.GradientCalled) -> Iterator[Report]:
    yield Report(event.node, "", withdraws=True)
