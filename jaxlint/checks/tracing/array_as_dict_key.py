"""JAX216: jax arrays are unhashable, traced or not."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX216", events.HashedArray)
def array_as_dict_key(event: events.HashedArray) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a jax array is used as {_USES[event.how]}: TypeError, unhashable",
        "use a Python number (`int(x)` outside traces), a shape or a dtype",
        traced_since(event.value),
    )


_USES = {
    "key": "a dict key",
    "member": "a set member",
    "hash": "an argument of hash()",
    "cached": "an argument of a cached function",
}
