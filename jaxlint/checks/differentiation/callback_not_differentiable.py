"""JAX610: what runs on the host has no derivative."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX610", events.CallbackDifferentiated)
def callback_not_differentiable(event: events.CallbackDifferentiated) -> Iterator[Report]:
    short = event.callback.rpartition(".")[2]
    raised = "NotImplementedError" if short == "apply" else "ValueError"
    yield Report(
        event.node,
        f"`{short}` has no derivative, and is given what is differentiated: {raised}",
        "write a rule with `jax.custom_vjp` or `jax.custom_jvp`, or pass `jax.lax.stop_gradient(x)`"
        if short != "apply"
        else "write `x.at[i].set(f(x[i]))`, which is differentiated",
        certainty=shown_outside_tests(event),
    )


@check("JAX610", events.CallbackMapped)
def callback_mapped(event: events.CallbackMapped) -> Iterator[Report]:
    yield Report(
        event.node,
        "`pure_callback` is mapped without being told how it takes a batch: NotImplementedError",
        'say it: `vmap_method="sequential"` calls it for each, `"broadcast_all"` and `"expand_dims"` with all at once',
        certainty=shown_outside_tests(event),
    )
