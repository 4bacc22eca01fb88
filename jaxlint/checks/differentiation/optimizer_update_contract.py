"""JAX612: an optimiser is given arrays, gradients that are like them, and all that its update needs."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX612", events.UpdateNeeds)
def update_needs(event: events.UpdateNeeds) -> Iterator[Report]:
    made_by = event.made_by.rpartition(".")[2]
    others = [name for name in event.missing if name != "params"]
    missing = ", ".join(f"`{name}`" for name in event.missing)
    raised = "TypeError" if others else "ValueError"
    named = ", ".join(f"{name}=…" for name in others)
    yield Report(
        event.node,
        f"the update of an optimiser made by `{made_by}` needs {missing}: {raised}",
        f"write `update(grads, state, params{f', {named}' if named else ''})`",
        certainty=shown_outside_tests(event),
    )


@check("JAX612", events.StateApplied)
def state_applied(event: events.StateApplied) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function.rpartition('.')[2]}` is given an optimiser's state for its updates: ValueError or TypeError",
        "`update` gives the updates first: `updates, state = optimiser.update(…)`",
        certainty=shown_outside_tests(event),
    )


@check("JAX612", events.NoParameters)
def no_parameters(event: events.NoParameters) -> Iterator[Report]:
    made_by = event.made_by.rpartition(".")[2]
    yield Report(
        event.node,
        f"the `init` of an optimiser made by `{made_by}` gets {event.what}: TypeError or AttributeError, no array",
        "give it the arrays alone, of a module of equinox `eqx.filter(model, eqx.is_inexact_array)`",
        certainty=shown_outside_tests(event),
    )


@check("JAX612", events.NoState)
def array_for_state(event: events.NoState) -> Iterator[Report]:
    made_by = event.made_by.rpartition(".")[2]
    yield Report(
        event.node,
        f"the update of an optimiser made by `{made_by}` gets {event.what} for its state: TypeError or ValueError",
        "hand on the state that `update` gives: `updates, state = optimiser.update(grads, state)`",
        certainty=shown_outside_tests(event),
    )


@check("JAX612", events.GradientsInside)
def gradients_inside(event: events.GradientsInside) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    what, cure = _FORMS[event.option]
    yield Report(
        event.node,
        f"the optimiser is given {what.format(short)}, which is no tree like the parameters: ValueError or TypeError",
        cure,
        certainty=shown_outside_tests(event, None if event.is_known else Certainty.LIKELY),
    )


_FORMS = {
    "has_aux": (
        "the pair `(gradients, aux)` of `{}` with `has_aux`",
        "unpack it: `gradients, aux = …`",
    ),
    "argnums": (
        "the tuple of gradients that `{}` gives for a tuple of `argnums`",
        "unpack it: `(gradients,) = …`, or write a number for `argnums`",
    ),
    "": ("the pair `(value, gradients)` of `{}`", "unpack it: `value, gradients = …`"),
}
