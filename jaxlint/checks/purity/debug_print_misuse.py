"""JAX111: jax.debug.print formats at run time, with str.format."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow.domain import events

_SAID = {
    "formatted": "the f-string is filled in while JAX traces, so every run prints the tracer",
    "invalid": "the format string is not valid: {what}",
    "surplus": "more values than placeholders: ValueError, unused positional arguments",
    "missing": "more placeholders than values: IndexError",
    "unnamed": "no value for the placeholder {{{what}}}: KeyError",
    "unused": "a keyword without a placeholder: ValueError, unused keyword arguments",
}


@check("JAX111", events.DebugPrintMisuse)
def debug_print_misuse(event: events.DebugPrintMisuse) -> Iterator[Report]:
    message = _SAID[event.how].format(what=event.what)
    do = "pass the value as an argument" if event.how == "formatted" else "give each value a placeholder"
    advice = f'{do}: `jax.debug.print("x = {{}}", x)`'
    yield Report(event.node, f"`jax.debug.print`: {message}", advice, repair=repair("debug_print", event))
