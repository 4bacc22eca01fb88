"""JAX505: a transform is put around a method, and traces its object."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events


@check("JAX505", events.TracedReceiver)
def jit_on_method(event: events.TracedReceiver) -> Iterator[Report]:
    if not event.cls:
        yield Report(
            event.node,
            f"`{event.transform}` traces `{event.parameter}` of `{event.method}`, a class, which is no array:"
            " TypeError at the first call",
            "make it a static method, or give a function what it needs"
            + (f"; `static_argnames='{event.parameter}'` does as well" if "jit" in event.transform else ""),
        )
        return
    yield Report(
        event.node,
        f"`{event.transform}` traces `{event.parameter}` of `{event.method}`, and a `{event.cls}` is no pytree:"
        " TypeError at the first call",
        f"give a function what it needs of `{event.parameter}`, or make `{event.cls}` a pytree"
        + (f"; `static_argnames='{event.parameter}'` does if it never changes" if "jit" in event.transform else ""),
    )
