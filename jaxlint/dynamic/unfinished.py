"""What JAX is still computing when the project looks at the clock.

A call of JAX returns before its result is there.  Where the result has a name of its own, bound by one statement only,
the array itself says whether it is ready.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import FrameType
from typing import Any

import jax

from jaxlint.dynamic import private
from jaxlint.dynamic.inputs.usage import parsed
from jaxlint.dynamic.observations import Kind, Observation, Span
from jaxlint.dynamic.recording import RECORDER

_MOST_LEAVES = 64
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_OWN_NAMES = (*_FUNCTIONS, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def looked_at_the_clock(frame: FrameType) -> None:
    """The function of ``frame`` reads the clock, outside of any trace."""
    path = RECORDER.sources.path_of(frame.f_code)
    if not path or private.tracing():
        return
    values = frame.f_locals
    for name, (first, last) in _bound_once(path, frame.f_code.co_name, frame.f_code.co_firstlineno).items():
        if name in values and _is_unfinished(values[name]):
            begun = Span(path, first, 0, last)
            told = f"`{name}` is still being computed when the clock is read"
            related = ((begun, "it begins here"),)
            RECORDER.seen(Observation(Kind.UNFINISHED, RECORDER.sources.span(frame), told, related=related))


def _is_unfinished(value: Any) -> bool:
    try:
        return any(map(_is_awaited, jax.tree_util.tree_leaves(value)[:_MOST_LEAVES]))
    except Exception:  # pytrees are user code, and an array may be deleted
        return False


def _is_awaited(leaf: Any) -> bool:
    is_ready = getattr(leaf, "is_ready", None) if isinstance(leaf, jax.Array) else None
    return is_ready is not None and not private.is_tracer(leaf) and not is_ready()


@functools.lru_cache(maxsize=256)
def _bound_once(path: str, name: str, line: int) -> dict[str, tuple[int, int]]:
    """The names that one statement of a function binds, and no other, and its lines."""
    tree = parsed(path)
    body = _body(tree, name, line) if tree is not None else None
    found: dict[str, list[tuple[int, int]]] = {}
    for node in _inside(body) if body is not None else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append((0, 0))
        elif isinstance(node, ast.Assign):
            for target in (part for one in node.targets for part in ast.walk(one) if isinstance(part, ast.Name)):
                found.setdefault(target.id, []).append((node.lineno, node.end_lineno or node.lineno))
    # Each assignment is met as a statement and as a name.
    return {name: max(places) for name, places in found.items() if len(places) == 2 and max(places)[0]}


def _body(tree: ast.Module, name: str, line: int) -> list[ast.stmt] | None:
    if name == "<module>":
        return tree.body
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            if line == min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]):
                return node.body
    return None


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a function that share its names."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _OWN_NAMES):
            waiting += ast.iter_child_nodes(node)
