"""JAX711: a class that is a pytree says how JAX takes its objects apart and puts them together."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_PAIR = "return `(children, aux_data)`: a tuple of the parts that are traced, and what of the rest is compared"
_TOLD = {
    "twice": ("`{cls}` is registered as a pytree twice: ValueError", "leave all but one of them out"),
    "missing": (
        "`{cls}` is registered as a pytree and has no `{what}`: AttributeError",
        "write `tree_flatten(self)` and the class method `tree_unflatten(cls, aux_data, children)`",
    ),
    "flatten": ("JAX calls `{what}` with the object of `{cls}` alone, which it does not take: TypeError", _PAIR),
    "unflatten": (
        "JAX calls `{what}` of `{cls}` with `aux_data` and `children`, which it does not take: TypeError",
        "write it as a class method: `@classmethod`, `def tree_unflatten(cls, aux_data, children)`",
    ),
    "pair": ("objects of `{cls}` are taken apart into {what}, not into children and structure: ValueError", _PAIR),
    "order": (
        "`{what}` is what was given for the structure of `{cls}`, None: the structure comes before the children",
        "take the structure first: `def tree_unflatten(cls, aux_data, children)`",
    ),
    "swapped": (
        "`tree_unflatten` gives the constructor of `{cls}` `{what}`: what a transform puts together has them exchanged",
        "pass everything by name: `cls(data=children[0], grid=aux_data)`",
    ),
    "no dataclass": (
        "`{cls}` is no dataclass where it is registered as one: TypeError",
        "write `@dataclasses.dataclass` below `@jax.tree_util.register_dataclass`",
    ),
    "left out": (
        "the field `{what}` of `{cls}` is neither in `data_fields` nor in `meta_fields`: ValueError",
        "name each field that the constructor takes in one of them, or in `drop_fields`",
    ),
    "no field": (
        "`{what}` is no field of `{cls}` that its constructor takes: ValueError",
        "name the fields that the constructor takes",
    ),
}


@check("JAX711", events.PytreeDefect)
def pytree_class_defect(event: events.PytreeDefect) -> Iterator[Report]:
    message, help_ = (words.format(cls=event.cls, what=event.what) for words in _TOLD[event.how])
    yield Report(event.node, message, help_, certainty=shown_outside_tests(event))


@check("JAX711", events.LeafConverted)
def leaf_converted(event: events.LeafConverted) -> Iterator[Report]:
    then = "under each trace" if event.fails else "where JAX puts something else in the place of an array"
    yield Report(
        event.node,
        f"`tree_unflatten` makes objects of `{event.cls}` with their constructor, whose `{event.what}` fails {then}",
        "convert and validate elsewhere, such as in a class method, and let the constructor store what it is given",
        certainty=shown_outside_tests(event, Certainty.LIKELY if event.fails else Certainty.POSSIBLE),
    )


@check("JAX711", events.ArrayInStructure)
def array_in_structure(event: events.ArrayInStructure) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.name}` of `{event.cls}` is an array and part of the structure: the function keeps this one, and "
        f"a call with another is a ValueError",
        "make it one of the children",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )
