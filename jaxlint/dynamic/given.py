"""The functions that an exception is about and does not come from: those that the call which raised it was given.

`jax.lax.scan(body, init, xs)` raises when the body has returned, so that no line of the body is in the traceback.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from jaxlint.dynamic import places
from jaxlint.dynamic.observations import Span


def functions_given(error: BaseException, sources: places.Sources) -> tuple[tuple[Span, str], ...]:
    """The lines of each project function, with a word on it, that the project's innermost call in a traceback names."""
    at, frame = sources.raised_at(error.__traceback__), _innermost(error, sources)
    call = _calls(at.path).get(at) if at is not None else None
    if call is None or frame is None or at is None:
        return ()
    return tuple(
        (span, f"`{ast.unparse(node)}` is what the call was given")
        for node in (*call.args, *(keyword.value for keyword in call.keywords))
        if (span := _lines(_value(node, frame), sources)) is not None
    )


def _innermost(error: BaseException, sources: places.Sources) -> FrameType | None:
    step, found = error.__traceback__, None
    while step is not None:
        found = step.tb_frame if sources.path_of(step.tb_frame.f_code) else found
        step = step.tb_next
    return found


def _value(node: ast.expr, frame: FrameType) -> Any:
    """What a name, or a method of what a name stands for, is there; looked up without running any code of the user."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return inspect.getattr_static(_value(node.value, frame), node.attr, None)
    return None


def _lines(function: Any, sources: places.Sources) -> Span | None:
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or not (path := sources.path_of(code)):
        return None
    return Span(path, code.co_firstlineno, 0, max(_all_lines(code)), 0)


def _all_lines(code: CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    yield from (line for _, _, line in code.co_lines() if line)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_lines(constant)


@lru_cache(maxsize=64)
def _calls(path: str) -> dict[Span, ast.Call]:
    return {places.span_of(path, node): node for node in ast.walk(places.tree_of(path)) if isinstance(node, ast.Call)}
