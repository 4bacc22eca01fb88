"""JAX607: what is a step everywhere, or is cut off, has the gradient zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, shown_when_called
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related

_WRITTEN = {
    "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!=", "floor_divide": "//",
}  # fmt: skip


@check("JAX607", events.ArgumentUnread)
def unread_argument(event: events.ArgumentUnread) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    function, names = event.function, " and ".join(f"`{name}`" for name in event.parameters)
    what = "the function" if isinstance(function.node, ast.Lambda) else f"`{function.name}`"
    yield Report(
        event.node,
        f"`{short}` gives zeros: {what} does not read {names}, which it is differentiated for",
        "compute with the argument, not with a variable of the function around",
        (Related(function.scope.location(function.node), "what is differentiated"),),
        certainty=shown_outside_tests(event),
    )


@check("JAX607", events.ZeroGradient)
def zero_gradient_operation(event: events.ZeroGradient) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    cut = event.operation
    name = _WRITTEN.get(cut.name, cut.name)
    related: tuple[Related, ...] = ()
    if cut.scope is not None and cut.node is not None:
        related = (Related(cut.scope.location(cut.node), f"`{name}` has the slope 0"),)
    if name == "stop_gradient":
        yield Report(
            event.node,
            f"`{short}` gives zeros: all that the result has of what is differentiated goes through `stop_gradient`",
            "stop the gradient of what is not to be trained, such as a target, and leave one way to what is",
            related,
            certainty=shown_when_called(event, Certainty.LIKELY),
        )
        return
    yield Report(
        event.node,
        f"`{short}` gives zeros: what it differentiates is constant between the steps of `{name}`",
        "differentiate a smooth loss (a cross entropy for an accuracy, `jax.nn.sigmoid` for a comparison), or let the "
        "gradient through: `x + jax.lax.stop_gradient(jnp.round(x) - x)`",
        related,
        certainty=shown_when_called(event),
    )


@check("JAX607", events.GradientCalled)
def told_at_the_call(event: events.GradientCalled) -> Iterator[Report]:
    yield Report(event.node, "", withdraws=True)
