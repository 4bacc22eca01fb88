"""JAX710: trees that are mapped together are alike, and what is mapped is a tree."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.words import one_of_kind, parameters
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX710", events.TreeMapMisused)
def tree_map_misused(event: events.TreeMapMisused) -> Iterator[Report]:
    if event.how == "order":
        message = f"`{event.operation}` is given {one_of_kind(event.what)} in the place of the function: TypeError"
        help_ = f"the function comes first: `{event.operation}(f, tree)`"
    elif event.how == "function":
        message = f"`{event.operation}` is given a function in the place of the tree"
        help_ = f"the function comes first: `{event.operation}(f, tree)`"
    elif event.how == "nothing":
        message = f"`{event.operation}` is given a function that returns nothing and does nothing: a tree of None"
        help_ = "return what the function computes"
    else:
        taken = parameters(event.taken)
        given = "one argument" if event.count == 1 else f"{event.count} arguments"
        message = f"`{event.operation}` calls its function with {given}, and this one takes {taken}: TypeError"
        help_ = "it gets one leaf of each tree, `map_with_path` the path before them"
    certainty = Certainty.LIKELY if event.how == "function" else None
    yield Report(event.node, message, help_, certainty=shown_outside_tests(event, certainty))


@check("JAX710", events.TreesDiffer)
def trees_that_differ(event: events.TreesDiffer) -> Iterator[Report]:
    where = f" at `{event.place}`" if event.place else ""
    yield Report(
        event.node,
        f"`{event.operation}` goes through {event.first} and {event.other} together{where}: ValueError",
        _OF_NONE if "None" in (event.first, event.other) else "give trees of one structure",
        certainty=shown_outside_tests(event),
    )


_OF_NONE = "None is an empty tree: with `is_leaf=lambda x: x is None` it is a leaf, which the function gets"


@check("JAX710", events.TakenForLeaf)
def taken_for_leaf(event: events.TakenForLeaf) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.operation}` takes {one_of_kind(event.what)} for one leaf, whatever is in it",
        "make a list, tuple or dict of it first: `list(...)`",
        certainty=shown_outside_tests(event, Certainty.LIKELY if event.is_supposed else None),
    )
