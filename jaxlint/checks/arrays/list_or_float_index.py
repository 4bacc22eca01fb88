"""JAX312: an array of JAX is indexed by integers, not by a list or a float."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events


@check("JAX312", events.IndexRefused)
def list_or_float_index(event: events.IndexRefused) -> Iterator[Report]:
    if event.what == "list":
        message, help_ = "an array of JAX is indexed by a list: TypeError", "make an array of it: `x[jnp.array([...])]`"
    else:
        what = "a slice of an array of JAX ends or begins at" if event.bound else "an array of JAX is indexed by"
        message, help_ = (
            f"{what} a float: TypeError",
            "divide with `//`, or make it an integer: `int(...)`, `x.astype(int)`",
        )
    yield Report(event.node, message, help_)
