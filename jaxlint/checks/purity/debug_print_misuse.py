"""JAX111: jax.debug.print formats at run time, with str.format."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow import events


@check("JAX111", events.DebugPrintMisuse)
def debug_print_misuse(event: events.DebugPrintMisuse) -> Iterator[Report]:
    yield Report(event.node, f"`jax.debug.print`: {event.message}", event.help, repair=repair("debug_print", event))
