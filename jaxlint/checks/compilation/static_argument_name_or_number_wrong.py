"""JAX506: an option of `jax.jit` speaks of a parameter that the function does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events

_SAID = {
    "no such number": "`{0}={1}`: `{2}` has {3}: ValueError",
    "no such name": "`{0}`: `{2}` has no parameter `{4}`: ValueError",
    "only positional": "`{0}`: the parameter `{4}` of `{2}` has a position and no name: ValueError",
    "no number": "`{0}` takes positions, and {1} is none: TypeError",
    "no name": "`{0}` takes names, and {1} is none: TypeError",
    "static too": "the parameter `{4}` of `{2}` is static and donated: ValueError",
}
_HELP = {
    "no such number": "count from 0; of a bound method `self` does not count",
    "no such name": "name a parameter that the function has, each as a text of its own",
    "only positional": "say `static_argnums`",
    "no number": "say `static_argnames`",
    "no name": "say `static_argnums`",
    "static too": "donate arrays, which are traced",
}


@check("JAX506", events.WrongParameter)
def static_argument_name_or_number_wrong(event: events.WrongParameter) -> Iterator[Report]:
    count = len(event.parameters)
    has = "no positional parameter" if not count else f"{count} positional parameter" + "s" * (count > 1)
    said = _SAID[event.how].format(event.option, repr(event.given), event.function, has, event.given)
    yield Report(event.node, f"`{event.transform}` refuses {said}", _HELP[event.how])
