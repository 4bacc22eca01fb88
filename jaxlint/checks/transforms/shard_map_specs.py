"""JAX712: `shard_map` is told where arrays are by the axes of its mesh, for what the function takes and gives."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events

_TOLD = {
    "axis": (
        "`{option}` of `{function}` names the axis {what}, and the mesh has {other}: ValueError",
        "name axes of the mesh, or make the mesh with that axis",
    ),
    "named": (
        "what `{function}` makes is given {what} by name: TypeError, it takes arguments by position",
        "pass the arguments by position, in the order of `in_specs`",
    ),
    "arguments": (
        "`{option}` of `{function}` has {what} entries, and {other} arguments are passed: ValueError",
        "write one spec for each argument, or one for all of them that is in no tuple",
    ),
    "parameters": (
        "`{option}` of `{function}` has {what} entries, and its function takes {other} arguments: no call fits both",
        "write one spec for each argument, or one for all of them that is in no tuple",
    ),
    "outputs": (
        "`{option}` of `{function}` has {what} entries, and the function returns {other}: ValueError",
        "write one spec for each output, or one for all of them that is in no tuple",
    ),
    "long": (
        "`{option}` of `{function}` splits axis {what} of {other}, which has none: ValueError",
        "split axes that are there; a scalar is `P()` once `jax.lax.psum` has made it the same everywhere",
    ),
    "own": (
        "`{option}` of `{function}` says that all devices along {what} give the same; each gives its own: ValueError",
        "combine it first, with `jax.lax.psum` or `jax.lax.pmean`, or name the axis in `{option}`",
    ),
}


@check("JAX712", events.SpecsMisfit)
def shard_map_specs(event: events.SpecsMisfit) -> Iterator[Report]:
    facts = {"function": event.function, "option": event.option, "what": event.what, "other": event.other}
    message, help_ = (words.format(**facts) for words in _TOLD[event.how])
    yield Report(event.node, message, help_, certainty=shown_outside_tests(event))
