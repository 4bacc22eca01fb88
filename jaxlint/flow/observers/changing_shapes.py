"""Arguments of compiled functions that have another shape in every pass of a loop, so that every pass compiles again.

Compiled code is found by the shapes of the arguments.  What a loop makes longer in each pass, and a slice up to a
number that the loop counts, never have the shape of the pass before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import SEQUENCES, Array, Container, External, Opaque, Transformed, Value
from jaxlint.flow.limits import LEAF_DEPTH
from jaxlint.flow.models.jax.transforms import static_given
from jaxlint.flow.observers.changing_statics import OF_FEW_VALUES, is_stepped, passes_are_few
from jaxlint.flow.observers.recompilation import Loop, as_statement, bound_in, in_every_pass
from jaxlint.flow.observers.recreated import written_out
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.compiling import AS_LONG_AS_GIVEN, FORGETS, OF_GIVEN_SIZE

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ADDING = frozenset(("append", "extend", "insert"))
_TAKING = frozenset(("pop", "clear", "remove", "popleft"))


def note_call(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> None:
    """A compiled function is called: whether an argument has another shape than in the pass before."""
    if made.name not in FORGETS or it.ctx.tracing or it.muted or args.open_ended:
        return
    for loop, place in _loops_around(it):
        static = {given.written for given in static_given(it, made, args, node)}
        for written, value in passed(args, node):
            if written in static:
                continue
            longer = _longer(it, written, value, loop) if loop is place else ""
            what = longer or _resized(it, written, loop)
            if what:
                event = events.ShapeAnew(node, made.name, what, it.definition(), place, it.frame.scope)
                event.seldom = what == _MADE or not in_every_pass(node, loop)
                it.emit(event)
                return


def _loops_around(it: Interpreter) -> Iterator[tuple[Loop, ast.AST]]:
    """The innermost loop that is a statement and, before it, the comprehensions inside, as loops, each with its place;
    without those whose passes are few."""
    for loop, _ in reversed(it.loops[it.activation.around :]):
        is_statement = isinstance(loop, _LOOPS)
        written = None if passes_are_few(loop) else as_statement(it, loop)
        if written is not None:
            yield written, loop if is_statement else getattr(loop, "target", loop)
        if is_statement:
            return


def passed(args: Arguments, node: ast.Call) -> Iterator[tuple[ast.expr, Value]]:
    """What the call passes, as it is written, and the values."""
    for index, value in enumerate(args.positional):
        written = args.expression(node, index)
        if written is not None:
            yield written, value
    for keyword in node.keywords:
        if keyword.arg in args.named:
            yield keyword.value, args.named[keyword.arg]


# -- what is made longer --------------------------------------------------------------------------------


def _longer(it: Interpreter, written: ast.expr, value: Value, loop: Loop) -> str:
    """What an argument is, in words, if it holds what the same expression gave in the pass before and more."""
    if isinstance(written, ast.Name) and _is_list(value):
        return _LIST if _grows(loop, written.id) else ""
    if not isinstance(value, (Array, Opaque)):
        return ""
    before = it.passed.get(written)
    it.passed[written] = value
    if isinstance(written, ast.Name) and written.id in bound_in(loop):
        it.repeating.add(loop)
    return _ARRAY if before is not None and _holds(value, before) else ""


_ARRAY, _LIST = "an array that each pass makes longer", "a list that each pass makes longer"


def _holds(value: Value, part: Value, depth: int = 0) -> bool:
    if not isinstance(value, Array) or depth > LEAF_DEPTH.value:
        return False
    return any(one is part or _holds(one, part, depth + 1) for one in value.beyond)


def _is_list(value: Value | None) -> bool:
    if isinstance(value, Opaque):
        return value.text == SEQUENCES["list"]
    return isinstance(value, Container) and value.kind == "list"


def _grows(loop: Loop, name: str) -> bool:
    """Whether each pass adds to a list, and none takes anything away."""
    adds = False
    for node in descendants(loop):
        if isinstance(node, ast.Assign) and any(_names(target, name) for target in node.targets):
            return False
        if isinstance(node, ast.Delete) and any(_names(target, name) for target in node.targets):
            return False
        if isinstance(node, ast.Attribute) and _names(node.value, name) and node.attr in _TAKING:
            return False
        added = isinstance(node, ast.AugAssign) and _names(node.target, name)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            method = node.value.func
            added = isinstance(method, ast.Attribute) and _names(method.value, name) and method.attr in _ADDING
        adds = adds or (added and in_every_pass(node, loop))
    return adds


def _names(node: ast.AST, name: str) -> bool:
    """Whether a target is the variable, or an item of it; an item by its number leaves a list as long as it is."""
    if isinstance(node, ast.Subscript) and (isinstance(node.slice, ast.Slice) or isinstance(node.ctx, ast.Del)):
        node = node.value
    return isinstance(node, ast.Name) and node.id == name


# -- what is made of another size -------------------------------------------------------------------------


def _resized(it: Interpreter, written: ast.expr, loop: Loop) -> str:
    """What an argument is, in words, if a number that the loop counts says how long it is."""
    if isinstance(written, ast.Name):
        if _is_list(it.lookup(written.id)):
            return _LIST if _grows(loop, written.id) else ""
        if written.id not in bound_in(loop):
            return ""
    found = written_out(it, written)
    if isinstance(found, ast.Subscript):
        parts = found.slice.elts if isinstance(found.slice, ast.Tuple) else [found.slice]
        return _SLICE if any(_is_open(it, part, loop) for part in parts) else ""
    if not isinstance(found, ast.Call) or not found.args:
        return ""
    with it.scratch(), it.quiet():
        callee = it.eval(found.func)
    if not isinstance(callee, External):
        return ""
    if callee.name in AS_LONG_AS_GIVEN and not isinstance(found.args[0], ast.Starred):
        return _resized(it, found.args[0], loop)
    return _MADE if callee.name in OF_GIVEN_SIZE and _counts(found.args[0], loop) else ""


_SLICE, _MADE = "a slice of another length in each pass", "an array of another size in each pass"


def _is_open(it: Interpreter, part: ast.expr, loop: Loop) -> bool:
    """Whether the loop moves one end of a slice, and the other stays where it is; a window that moves stays as long as
    it is, but for the last one."""
    if not isinstance(part, ast.Slice) or part.step is not None:
        return False
    ends = ((part.lower, part.upper), (part.upper, part.lower))
    return any(one is not None and _counts(one, loop) and _stays(it, other, loop) for one, other in ends)


def _stays(it: Interpreter, end: ast.expr | None, loop: Loop, seen: frozenset[str] = frozenset()) -> bool:
    """Whether one end of a slice is the same in each pass: nothing in it is bound by the loop, but to what is."""
    if end is None:
        return True
    for name in set(_variables(end)) & bound_in(loop):
        value = written_out(it, ast.Name(name)) if name not in seen else None
        if value is None or isinstance(value, ast.Name) or not _stays(it, value, loop, seen | {name}):
            return False
    return True


def _variables(node: ast.AST) -> Iterator[str]:
    return (part.id for part in descendants(node) if isinstance(part, ast.Name))


def _counts(node: ast.expr, loop: Loop) -> bool:
    """Whether an expression has another value in each pass, since it has a variable in it that the loop counts."""
    parts = list(descendants(node))
    if any(isinstance(part, (ast.Call, *OF_FEW_VALUES)) for part in parts):
        return False
    if any(isinstance(getattr(part, "op", None), OF_FEW_VALUES) for part in parts):
        return False
    return any(is_stepped(loop, name) for name in _variables(node))
