"""Equations of a jaxpr and the project lines that made them.

JAX keeps the jaxpr of a library function it has compiled, with the traceback of whoever called it first, and newer
versions cut tracebacks where a jaxpr begins.  So an equation inside a call is placed by its own traceback only from
where that call's jaxpr begins, and if no project code runs there, it belongs to the line of the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jaxlint.dynamic import places, private
from jaxlint.dynamic.observations import Span

_OWN_JAXPR = {
    "jit", "scan", "while_loop", "fori_loop", "map", "cond", "switch", "checkpoint", "custom derivative", "make_jaxpr",
    "shard_map", "eval_shape", "associative_scan", "pmap",
}  # fmt: skip
"""Transforms that trace their function into a jaxpr; the others add equations to the one they are in."""


@dataclass(frozen=True, slots=True)
class Stack:
    """How an equation came about, outermost first: the project lines, and the transforms between them."""

    spans: tuple[Span, ...] = ()
    transforms: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # the transform that an equation with an inner jaxpr is itself

    @property
    def at(self) -> Span | None:
        return self.spans[-1] if self.spans else None


def stack_of(equation: Any, caller: Stack | None, sources: places.Sources) -> Stack:
    """Where an equation comes from; ``caller`` is the stack of the equation whose jaxpr it is in, if it is in one."""
    frames = private.frames_of(equation)
    last = max((index for index, frame in enumerate(frames) if sources.path_of(frame[0])), default=-1)
    if last < 0:
        return caller or Stack()
    inner = any(True for _ in private.inner_jaxprs(equation))
    trailing = _names(frames[last + 1 :])
    if caller is not None and sum(name in _OWN_JAXPR for name in trailing) > inner:
        return caller  # made by the library, in a jaxpr that may be somebody else's
    begins = max((i for i, frame in enumerate(frames[:last]) if _OWN_JAXPR & {*_names([frame])}), default=-1) + 1
    spans = [sources.instruction(*frame) for frame in frames[begins:] if sources.path_of(frame[0])]
    names = _names(frames[begins:])
    own = names[-1:] if inner and trailing else ()
    outer = caller or Stack()
    transforms = outer.transforms + outer.own + (names[:-1] if own else names)
    return Stack(outer.spans + tuple(spans), transforms, own)


def _names(frames: list[Any]) -> tuple[str, ...]:
    return places.named_transforms([frame[0] for frame in reversed(frames)])


def walk(jaxpr: Any, sources: places.Sources, caller: Stack | None = None) -> Iterator[tuple[Any, Stack, Any]]:
    """Every equation with its stack and the jaxpr it stands in, those of inner jaxprs after the one that holds them."""
    for equation in private.opened(jaxpr).eqns:
        stack = stack_of(equation, caller, sources)
        yield equation, stack, jaxpr
        for _, inner in private.inner_jaxprs(equation):
            yield from walk(inner, sources, stack)


def text_of(equation: Any) -> str:
    """One equation on one line, shortened."""
    return " ".join(str(equation).split())[:300]
