"""Equations of a jaxpr and the project lines that made them.

JAX keeps the jaxpr of a library function it has compiled, with the traceback of whoever called it first, and newer
versions cut tracebacks where a jaxpr begins.  So an equation inside a call is placed by its own traceback only if that
continues the traceback of the call, or starts inside it; otherwise it belongs to the line of the call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

from jaxlint.dynamic import places, private
from jaxlint.dynamic.observations import Span

_OWN_JAXPR = places.STAGING | {"custom derivative"}
_Frame = tuple[CodeType, int, int]


@dataclass(frozen=True, slots=True)
class Stack:
    """How an equation came about, outermost first: the project lines, and the transforms between them."""

    spans: tuple[Span, ...] = ()
    transforms: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # the transform that an equation with an inner jaxpr is itself
    frames: tuple[_Frame, ...] = ()  # of the equation's own traceback, down to its last project frame

    @property
    def at(self) -> Span | None:
        return self.spans[-1] if self.spans else None


def stack_of(equation: Any, caller: Stack | None, sources: places.Sources) -> Stack:
    """Where an equation comes from; ``caller`` is the stack of the equation whose jaxpr it is in, if it is in one."""
    frames = private.frames_of(equation)
    project = [index for index, frame in enumerate(frames) if sources.path_of(frame[0])]
    outer = caller or Stack()
    if not project:
        return outer
    first, last = project[0], project[-1] + 1
    if outer.frames and frames[0][0] is outer.frames[0][0]:  # the traceback is whole
        if last <= len(outer.frames) or tuple(frames[: len(outer.frames)]) != outer.frames:
            return outer
        first, enclosing = len(outer.frames), outer.transforms
    else:
        enclosing = outer.transforms + outer.own
    inner = any(True for _ in private.inner_jaxprs(equation))
    trailing = _names(frames[last:])
    own = trailing[-1:] if inner else ()
    between = tuple(name for name in trailing[: len(trailing) - len(own)] if name not in _OWN_JAXPR)
    spans = tuple(sources.instruction(*frames[index]) for index in project if index >= first)
    transforms = enclosing + _names(frames[first:last]) + between
    return Stack(outer.spans + spans, transforms, own, tuple(frames[:last]))


def _names(frames: list[_Frame]) -> tuple[str, ...]:
    return places.named_transforms([frame[0] for frame in reversed(frames)])


def walk(
    jaxpr: Any, sources: places.Sources, wanted: Callable[[Any, Any], bool], caller: Stack | None = None
) -> Iterator[tuple[Any, Stack]]:
    """The equations, also of inner jaxprs, that ``wanted`` picks, given one and its plain jaxpr, with their stacks."""
    plain = private.opened(jaxpr)
    for equation in plain.eqns:
        inner, chosen = list(private.inner_jaxprs(equation)), wanted(equation, plain)
        if not (inner or chosen):
            continue  # stacks are the dear part
        stack = stack_of(equation, caller, sources)
        if chosen:
            yield equation, stack
        for _, each in inner:
            yield from walk(each, sources, wanted, stack)


def on_line(jaxpr: Any, at: Span, sources: places.Sources, caller: Stack | None = None) -> Iterator[str]:
    """The equations that a line makes, each with the avals of its inputs; what a call in it does inside is its own."""
    for equation in private.opened(jaxpr).eqns:
        stack = stack_of(equation, caller, sources)
        if stack.at is not None and (stack.at.path, stack.at.line) == (at.path, at.line):
            inputs = ", ".join(map(private.aval_text, equation.invars))
            yield f"{text_of(equation)}    # of {inputs or 'nothing'}"
            continue
        for _, inner in private.inner_jaxprs(equation):
            yield from on_line(inner, at, sources, stack)


def primitives(jaxpr: Any) -> Iterator[str]:
    """The names of the primitives in a jaxpr, those of inner jaxprs included."""
    for equation in private.opened(jaxpr).eqns:
        yield equation.primitive.name
        for _, inner in private.inner_jaxprs(equation):
            yield from primitives(inner)


def text_of(equation: Any) -> str:
    """One equation on one line, without the jaxprs inside it, shortened."""
    text = " ".join(str(equation).split())
    inside, end = _INSIDE.search(text), text.rfind("}")
    if inside is not None and inside.end() <= end:
        text = text[: inside.start()] + "={…}" + text[end + 1 :]
    return text[:300]


_INSIDE = re.compile(r"=\{ ?lambda ")
