"""JAX707: mapped axes exist, and are of one size; what is the same in all lanes is not mapped."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX707", events.LanesDiffer)
def lanes_that_differ(event: events.LanesDiffer) -> Iterator[Report]:
    (name, size), (other, other_size) = event.first, event.other
    short = event.transform.rpartition(".")[2]
    in_one = name.partition("[")[0] == other.partition("[")[0]
    yield Report(
        event.node,
        f"`{short}` maps over axes of different sizes, {size} of `{name}` and {other_size} of `{other}`: ValueError",
        "say `None` for it in `in_axes` if each lane is to get all of it, as parameters of a model are"
        if in_one
        else "map over one of them (`in_axes=(0, None)`), and over the other in a `vmap` of its own if all pairs are "
        "meant",
        certainty=shown_outside_tests(event),
    )


@check("JAX707", events.NoAxisToMap)
def no_axis_to_map(event: events.NoAxisToMap) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    raised = "ValueError" if event.is_typed else "ValueError or TypeError"
    yield Report(
        event.node,
        f"`{short}` maps `{event.name}` over axis {event.axis}, but it is {event.what}: {raised}",
        "split it into one key for each lane"
        if event.is_key
        else "say `None` for it in `in_axes`: each lane gets all of it",
        certainty=shown_outside_tests(event),
    )


@check("JAX707", events.AxesForOthers)
def axes_for_others(event: events.AxesForOthers) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    yield Report(
        event.node,
        f"`in_axes` of `{short}` has {event.axes} entries for {event.arguments} positional arguments: ValueError",
        "give one entry for each argument that is passed by position; those passed by name are mapped over axis 0",
        certainty=shown_outside_tests(event),
    )


def _place(event: events.AxesForOtherTree) -> str:
    return f"`{event.place}`" if event.option == "in_axes" else event.place


@check("JAX707", events.AxesForOtherTree)
def axes_for_other_tree(event: events.AxesForOtherTree) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    yield Report(
        event.node,
        f"`{event.option}` of `{short}` has {event.axes} for {_place(event)}, which is {event.what}: ValueError",
        "write one axis or None for all of it, or axes in a tree of its own kind (an object of its class that has axes "
        "in its fields)",
        certainty=shown_outside_tests(event),
    )


@check("JAX707", events.NothingMapped)
def nothing_mapped(event: events.NothingMapped) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    yield Report(
        event.node,
        f"`in_axes` of `{short}` has None for each argument of this call: ValueError",
        "name the axis of what differs from lane to lane, `in_axes=(0, None)`, or the number of lanes, `axis_size`",
        certainty=shown_outside_tests(event),
    )


@check("JAX707", events.OutputMapped)
def output_mapped(event: events.OutputMapped) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    where = f"`result{event.place}`" if event.place else "the result"
    yield Report(
        event.node,
        f"`out_axes` of `{short}` says that {where} is the same in all lanes, and it comes of a mapped argument: "
        "ValueError",
        "say 0 for it in `out_axes`, or None in `in_axes` if it is the same for all",
        certainty=shown_outside_tests(event),
    )
