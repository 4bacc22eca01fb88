"""JAX316: what an operation does not take: other dtypes, other ranks, and more than one element."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_index_of_loop, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX316", events.DtypeRefused)
def operand_not_accepted(event: events.DtypeRefused) -> Iterator[Report]:
    is_function = event.operation.startswith("jax.")
    yield Report(
        event.node,
        f"`{event.operation}` does not take {event.what}: TypeError",
        "use the function of `jax.numpy`, which promotes, or convert one of the operands"
        if is_function
        else "convert first: `x.astype(int)`, `x.astype(float)`; masks take `~` and `^`",
        certainty=shown_outside_tests(event),
    )


@check("JAX316", events.RanksRefused)
def ranks_not_accepted(event: events.RanksRefused) -> Iterator[Report]:
    first, other = event.ranks
    yield Report(
        event.node,
        f"`{event.operation}` does not take arrays of {first} and of {other} axes: TypeError",
        "use the function of `jax.numpy`, which broadcasts, or give both the same axes: `x[None]`",
        certainty=shown_outside_tests(event),
    )


@check("JAX316", events.AxesRefused)
def axes_not_accepted(event: events.AxesRefused) -> Iterator[Report]:
    is_other = event.axes != event.ndim
    what = (
        f"{event.axes} axes of an array that has {event.ndim}" if is_other else "axes that are not each of the array's"
    )
    yield Report(
        event.node,
        f"`{event.operation}` is given {what}: TypeError or ValueError",
        "to swap two axes, as `transpose` does in torch, write `x.swapaxes(i, j)`; name all of them otherwise",
        certainty=shown_outside_tests(event),
    )


@check("JAX316", events.NotOneElement)
def not_one_element(event: events.NotOneElement) -> Iterator[Report]:
    of_truth = event.how == "the truth"
    yield Report(
        event.node,
        f"{event.how} of an array `{event.shape}` is asked for, which has not one element: "
        + ("ValueError" if of_truth else "TypeError or ValueError"),
        "use `.all()`, `.any()`, `jnp.array_equal(x, y)` or `x.size`"
        if of_truth
        else "take one element, or `x.tolist()` for all",
        certainty=shown_outside_tests(event),
    )


@check("JAX316", events.TakenApart)
def taken_apart(event: events.TakenApart) -> Iterator[Report]:
    if not is_index_of_loop(event):
        rows = "no axis: TypeError" if event.rows is None else f"{event.rows} rows: ValueError"
        yield Report(
            event.node,
            f"an array is unpacked into {event.count}, and has {rows}",
            "take as many as there are: `x.shape[0]` says how many",
            certainty=shown_outside_tests(event),
        )


@check("JAX316", events.NotSerializable)
def not_serializable(event: events.NotSerializable) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` is given an array of JAX: TypeError, it is not JSON serializable",
        "convert it first: `float(x)`, `x.item()`, `x.tolist()`",
        certainty=shown_outside_tests(event),
    )
