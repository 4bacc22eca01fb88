"""JAX714: a kernel reads its references and writes to them, and has nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX714", events.KernelReturns)
def kernel_that_returns(event: events.KernelReturns) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a kernel of `pallas_call` returns {event.what}: ValueError",
        "write the result to the reference of the output: `o_ref[...] = ...`",
        certainty=shown_outside_tests(event),
    )


_OPERANDS = {
    "reference": (
        "a kernel computes with a reference, and not with what it holds: AttributeError",
        "read it first: `x_ref[...]`",
    ),
    "stored": (
        "a kernel writes a reference to another one, and not what it holds: ValueError",
        "read it first: `o_ref[...] = x_ref[...]`",
    ),
    "captured": (
        "a kernel computes with an array from outside: ValueError, it captures constants",
        "pass the array to what `pallas_call` returns, and take a reference to it; a number of Python may be captured",
    ),
}


@check("JAX714", events.KernelOperand)
def kernel_operand(event: events.KernelOperand) -> Iterator[Report]:
    message, help_ = _OPERANDS[event.how]
    yield Report(event.node, message, help_, certainty=shown_outside_tests(event))


@check("JAX714", events.KernelRebinds)
def kernel_without_a_write(event: events.KernelRebinds) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.name}` is another value from here on, the output that it refers to is never written",
        f"write to the reference: `{event.name}[...] = ...`",
        certainty=shown_outside_tests(event),
    )
