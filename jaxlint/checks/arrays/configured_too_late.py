"""JAX310: a setting comes after what it should have decided."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX310", events.SetAfterImport)
def environment_set_after_import(event: events.SetAfterImport) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.variable}` is set after JAX was imported, which has read it then: it has no effect",
        f'call `jax.config.update("{event.variable.lower()}", …)`, or set the variable before the first import of JAX',
        (Related(event.scope.location(event.imported_by), "JAX is imported here"),),
        certainty=Certainty.POSSIBLE if event.for_others else shown_outside_tests(event),
    )


@check("JAX310", events.SetAfterStart)
def set_after_first_use(event: events.SetAfterStart) -> Iterator[Report]:
    is_call = event.setting.startswith("jax.")
    name = f"`{event.setting}`"
    comes = f"{name} is called" if is_call else f"{name} is set"
    what = "RuntimeError" if event.refused else "it has no effect, since it is read when JAX is used first"
    yield Report(
        event.node,
        f"{comes} after `{event.what}` has used JAX: {what}",
        f"{'call' if is_call else 'set'} it before the first array is made, at the top of the module that is run",
        (Related(event.within.location(event.started), "JAX is used here"),),
        certainty=shown_outside_tests(event),
    )


@check("JAX310", events.WidenedTooLate)
def x64_enabled_after_arrays(event: events.WidenedTooLate) -> Iterator[Report]:
    names = ", ".join(f"`{name}`" for name in event.names[:3])
    yield Report(
        event.node,
        f"`jax_enable_x64` is set after {names} {'was' if len(event.names) == 1 else 'were'} made: these keep 32 bits",
        "set it before the first array is made, at the top of the module that is run",
        certainty=shown_outside_tests(event),
    )
