"""JAX713: a callback gives what JAX is told that it gives, and takes what JAX passes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.words import one_of_kind, parameters
from jaxlint.flow.domain import events

_SHAPES = "tell the shape and the dtype: `jax.ShapeDtypeStruct(x.shape, x.dtype)`, or a tree of these"
_TOLD = {
    "function": (
        "`{function}` is given {what} in the place of the callback: TypeError",
        "give it the function, and its arguments behind",
    ),
    "shapes": ("`{function}` is told {what} for what the callback gives: AttributeError", _SHAPES),
    "unused": (
        "nobody uses what `{function}` gives: the callback is not called",
        "of a callback that is there for its effect say so: `jax.experimental.io_callback`, or `jax.debug.callback`",
    ),
    "parameters": (
        "the callback of `{function}` takes {what}, and gets {passed}: TypeError when it is called",
        "what follows the callback, and the shapes of its results, is passed to it, as is any other keyword",
    ),
    "count": (
        "the callback of `{function}` gives {what}, and is told to give {told}: RuntimeError when it runs",
        "return what is told, or tell what is returned: None for nothing",
    ),
    "shape": (
        "the callback of `{function}` gives an array of shape {what}, and is told {told}: RuntimeError when it runs",
        "return what is told, or tell what is returned",
    ),
}


@check("JAX713", events.CallbackMisused)
def callback_misused(event: events.CallbackMisused) -> Iterator[Report]:
    facts = {"function": event.function, "what": _what(event), "told": event.told, "passed": _passed(event)}
    message, help_ = (words.format(**facts) for words in _TOLD[event.how])
    yield Report(event.node, message, help_, certainty=shown_outside_tests(event))


def _what(event: events.CallbackMisused) -> str:
    if event.how in ("function", "shapes"):
        return one_of_kind(event.what)
    if event.how == "parameters":
        return parameters(event.taken)
    if event.how == "count":
        return {"0": "nothing", "1": "1 array"}.get(event.what, f"{event.what} arrays")
    return event.what


def _passed(event: events.CallbackMisused) -> str:
    count, names = event.passed
    return f"{count} by position" + (f" and {', '.join(f'`{name}`' for name in names)}" if names else "")
