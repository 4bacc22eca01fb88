"""JAX315: a number that does not fit raises, or wraps."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX315", events.NumberBeyond)
def number_beyond_dtype(event: events.NumberBeyond) -> Iterator[Report]:
    if event.wraps:
        yield Report(
            event.node,
            f"{event.number} does not fit into {event.dtype}: another number takes its place, nothing is raised",
            "convert the array first: `x.astype(jnp.int32)`",
            certainty=shown_outside_tests(event),
            narrow=event.dtype == "uint32",  # what a sum of fewer bits has otherwise 64 of
        )
    else:
        yield Report(
            event.node,
            f"{event.number} does not fit into the 32 bits of a number that meets an array: OverflowError",
            "write a float (`1e10`), an array of a dtype that holds it (`jnp.uint32(...)`), or set `jax_enable_x64`",
            certainty=shown_outside_tests(event),
            narrow=True,
        )


@check("JAX315", events.ResultBeyond)
def result_beyond_dtype(event: events.ResultBeyond) -> Iterator[Report]:
    what = f"all factors together, {event.number}," if event.is_factor else f"the result, {event.number},"
    yield Report(
        event.node,
        f"{what} are more than {event.dtype} holds: the product wraps, nothing is raised"
        if event.is_factor
        else f"{what} is more than {event.dtype} holds: it wraps, nothing is raised",
        "convert the array first: `x.astype(jnp.int32)`"
        if event.is_factor
        else "calculate with numbers of Python, and make a float of the result, or of fewer digits",
        certainty=shown_outside_tests(event),
    )


@check("JAX315", events.LimitedTooLate)
def limited_too_late(event: events.LimitedTooLate) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.how}` leaves {event.dtype} as it is: what does not fit has wrapped before",
        "convert the arrays before the arithmetic, and back when its result is limited: `x.astype(jnp.int32)`",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )


@check("JAX315", events.CutOff)
def float_cut_off(event: events.CutOff) -> Iterator[Report]:
    is_complex = event.stored == "complex"
    what, lost = ("complex numbers", "their imaginary part") if is_complex else ("floats", "them")
    yield Report(
        event.node,
        f"{what} are stored into an array of {event.dtype}, which cuts {lost} off: FutureWarning",
        f"make the array one of {what} first: `x.astype({event.stored})`",
        certainty=shown_outside_tests(event),
    )


@check("JAX315", events.UnsignedDifference)
def unsigned_difference(event: events.UnsignedDifference) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.how}` of a difference of {event.dtype}: it is never below zero, 1 - 2 is the largest number instead",
        "convert the arrays before they are subtracted: `x.astype(jnp.int32) - y.astype(jnp.int32)`",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )
