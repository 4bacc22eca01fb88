"""Writes to what was made outside the trace: objects that outlive it, names of outer scopes, arguments.

Such a write happens once, at trace time, and may leave a tracer behind.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.flow import events
from jaxlint.flow.contexts import Context
from jaxlint.flow.trees import descendants
from jaxlint.flow.values import ATTRIBUTE, Array, Container, Key, Tree, Union, Value

if TYPE_CHECKING:
    from jaxlint.flow.interpreter import Interpreter


def outlives(it: Interpreter, owner: Value, value: Value | None, target: str, what: str, node: ast.AST) -> None:
    """Reports a write into ``owner`` if it was made outside the trace that is running."""
    if not it.ctx.tracing or it.ctx.host:
        return
    if isinstance(owner, Container) and owner.parameter:
        argument_mutated(it, owner, f"changed by {target}", value, node)
        return
    birth: Context | None = getattr(owner, "birth", None)
    if it.ctx.encloses(birth) or _fills_a_cache(it, owner) or _may_be_new(it, owner):
        return
    outer_write(it, target, what, value, node, birth)


def _may_be_new(it: Interpreter, owner: Value) -> bool:
    """An attribute of some object, met in a helper: the object may have been made inside the trace."""
    if not isinstance(owner, Container) or owner.birth is not None or owner.text != ATTRIBUTE:
        return False
    function = it.activation.function
    return function is None or function.node is not it.ctx.root


def _fills_a_cache(it: Interpreter, owner: Value) -> bool:
    """if name not in CACHE: CACHE[name] = …"""
    return any(not guard.holds and any(part is owner for part in guard.objects) for guard in it.state.guards)


def outer_write(
    it: Interpreter, target: str, what: str, value: Value | None, node: ast.AST, birth: Context | None = None
) -> None:
    """A write to something that lives longer than the trace."""
    if not it.ctx.tracing or it.ctx.host:
        return
    if target == "nonlocal" and _bound_inside(it, what):
        return
    if isinstance(value, Union) and all(map(_is_traced, value.options)):
        value = min(value.options, key=lambda option: option.level)
    level = value.level if isinstance(value, (Array, Tree, Key)) else 0
    if level:
        if not it.ctx.leaks(birth, level):
            return
    elif not it.ctx.staging or _is_restored(it, what) or _is_idempotent(it, target, what, node):
        return  # under plain grad and vmap the write happens at every call
    if target == "item" and _is_scratch_list(it, what):
        return
    it.emit(events.OuterWrite(node, target, what, value))


def _is_traced(value: Value) -> bool:
    return isinstance(value, (Array, Tree, Key)) and value.level > 0 and getattr(value, "sure", True)


def _is_idempotent(it: Interpreter, target: str, what: str, node: ast.AST) -> bool:
    """self.size = x.shape[0], table[0] = graphdef, a global that is filled when it is None: doing it once is as
    good as doing it at every call.  A count or a value made from the old one is not."""
    if it.ctx.transform.rpartition(".")[2] in ("eval_shape", "make_jaxpr", "closure_convert"):
        return True  # traced once, to look at what comes out
    if target in ("global", "nonlocal"):
        return any(
            guard.holds and guard.constant == ("==", None) and f"'{what}'" in guard.text for guard in it.state.guards
        )
    if target == "attribute":
        return isinstance(node, ast.Attribute)
    if target != "item" or not isinstance(node, ast.Subscript) or it.assigned is None:
        return False
    root = what.partition(".")[0].partition("[")[0]
    return not any(isinstance(part, ast.Name) and part.id == root for part in descendants(it.assigned))


def _is_scratch_list(it: Interpreter, what: str) -> bool:
    """A list of the enclosing function that only the running one looks at: nothing reads it after the trace."""
    root = what.partition(".")[0].partition("[")[0]
    function = it.activation.function
    frame = it.frame.parent
    while frame is not None and root not in it.state.read(frame):
        frame = frame.parent
    if frame is None or frame.function is None or function is None:
        return False
    start, end = function.node.lineno, function.node.end_lineno or 0
    return not any(
        isinstance(part, ast.Name)
        and part.id == root
        and isinstance(part.ctx, ast.Load)
        and not start <= part.lineno <= end
        for part in descendants(frame.function.node)
    )


def _is_restored(it: Interpreter, what: str) -> bool:
    """Whether the function undoes the write: in a ``finally``, or as a context manager after its yield."""
    function = it.activation.function
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    facts = it.facts_of(function.node)
    root = what.rpartition(".")[0] or what
    return facts.generator or root in facts.restored or what in facts.restored


def _bound_inside(it: Interpreter, name: str) -> bool:
    """Whether a nonlocal belongs to a function that itself runs inside the current trace."""
    frame = it.frame.parent
    while frame is not None:
        if name in it.state.read(frame):
            function = frame.function
            return function is not None and it.frame_contexts.get(frame) is it.ctx
        frame = frame.parent
    return False


def argument_mutated(it: Interpreter, owner: Value, how: str, value: Value | None, node: ast.AST) -> None:
    """Notes a change of a container argument; it is reported when the function does not return the container."""
    parameter = getattr(owner, "parameter", "")
    if not it.ctx.tracing or not parameter:
        return
    event = events.ArgumentMutated(node, parameter, how, value)
    it.activation.mutated.append((owner, event))
