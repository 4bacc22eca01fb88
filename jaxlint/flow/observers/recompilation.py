"""Compiled functions that a loop makes anew in every pass, so that every pass traces and compiles again.

JAX's caches know functions by identity: `jax.jit` of one function object, however often, is compiled once; of a
lambda, a nested function, a partial or a gradient that the loop makes, once in each pass.  So is a method that the loop
looks up: each look-up makes a new bound method.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Function, Instance, Method, Partial, Transformed, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.set_against import is_set_against
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children
from jaxlint.semantics.array_members import STATIC_ATTRIBUTES
from jaxlint.semantics.compiling import FORGETS, FUNCTION, METHOD, SEEN_THROUGH

Loop = ast.For | ast.AsyncFor | ast.While
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CONDITIONAL = (
    ast.If, ast.IfExp, ast.BoolOp, ast.Try, getattr(ast, "TryStar", ast.Try), ast.Match, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def note_call(it: Interpreter, made: Transformed) -> None:
    """A transformed function is called: whether it is a compiled one that the loop around need not have made anew."""
    if made.name not in FORGETS or made.scope is not it.frame.scope or it.ctx.tracing:
        return
    for loop, number in it.loops:
        if isinstance(loop, _LOOPS) and _stands_in(made.node, loop):
            what = _made_anew(made.name, made.function, loop)
            written = _where_written(made, loop)
            taken = _taken_from_pass(written, loop)
            if what and written and in_every_pass(made.node, loop) and (not taken or _may_be_given(made, loop, taken)):
                if number:
                    function = it.activation.function
                    is_shown = function is not None and it.ask_text(
                        it.frame.scope, is_set_against, function.node, made.node
                    )
                    names = tuple(sorted(taken))
                    it.emit(events.CompiledInEveryPass(made.node, made.name, what, loop, is_shown, names))
                    return
                it.repeating.add(loop)


def _stands_in(node: ast.AST, loop: Loop) -> bool:
    """Whether a node is in the loop's body, by the lines."""
    first, last = loop.body[0], loop.body[-1]
    line: int = getattr(node, "lineno", 0)
    decorators = getattr(first, "decorator_list", ())
    start: int = min([first.lineno, *(one.lineno for one in decorators)])
    return start <= line <= (last.end_lineno or 0)


def in_every_pass(node: ast.AST, loop: Loop) -> bool:
    """Whether nothing but other loops and ``with`` blocks decides that a pass comes by a node."""
    pending: list[ast.AST] = list(loop.body)
    while pending:
        around = pending.pop()
        if around is node:
            return True
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += around.decorator_list
        elif not isinstance(around, _CONDITIONAL):
            pending += children(around)
    return False


def _made_anew(compiler: str, function: Value, loop: Loop) -> str:
    """What the loop makes a new one of in every pass and is compiled anew, in words; empty when there is nothing."""
    forgets = FORGETS[compiler]
    if is_bound(function):
        return f"the bound method `{function.name}`" if METHOD in forgets else ""
    if isinstance(function, Function):
        if not _stands_in(function.node, loop):
            return f"`{compiler}({function.name})`" if FUNCTION in forgets else ""
        return "a lambda" if isinstance(function.node, ast.Lambda) else f"`{function.name}`"
    if isinstance(function, Transformed):
        if function.name in SEEN_THROUGH.get(compiler, ()):
            return _made_anew(compiler, function.function, loop)
        return f"`{function.name}(…)`" if _stands_in(function.node, loop) else ""
    return "a partial" if isinstance(function, Partial) else ""


def is_bound(function: Value) -> TypeGuard[Function | Method]:
    """Whether it is a method of an object, which makes a new one of it whenever it is asked."""
    if isinstance(function, Method):
        return isinstance(function.receiver, Instance)
    return isinstance(function, Function) and function.receiver is not None


def _where_written(made: Transformed, loop: Loop) -> list[ast.AST]:
    """The expressions or definition that make the jitted function; none where parts of it are made elsewhere."""
    node, function = made.node, made.function
    while isinstance(function, Transformed):
        function = function.function
    if isinstance(function, Function) and isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if any(node is part or node in _below(part) for part in function.node.decorator_list):
            return [function.node]
    if not isinstance(node, ast.Call) or not node.args:
        return []
    first, *others = node.args
    is_method = is_bound(function)
    is_older = isinstance(function, Function) and (function.frame is None or not _stands_in(function.node, loop))
    if is_older and FUNCTION in FORGETS[made.name]:
        return [node]
    if isinstance(first, ast.Name):
        value = _value_in(loop, first.id, is_method)
        return [] if value is None else [value, *others, *node.keywords]
    return [node] if _is_written_out(first, is_method) else []


def _value_in(loop: Loop, name: str, is_bound: bool) -> ast.expr | None:
    """What a loop binds a name to in every pass, if it does so once and the value is written there."""
    if list(_bound(loop)).count(name) != 1:
        return None
    for node in _below(loop):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and in_every_pass(node, loop):
            (target,) = node.targets
            if isinstance(target, ast.Name) and target.id == name and _is_written_out(node.value, is_bound):
                return node.value
    return None


def _is_written_out(value: ast.expr, is_bound: bool) -> bool:
    """Whether an expression makes a new function, of nothing but names; ``is_bound``: at its core is a method, so that
    an attribute does."""
    if is_bound and isinstance(value, ast.Attribute):
        return dotted(value) != ""
    return isinstance(value, ast.Lambda) or (isinstance(value, ast.Call) and _is_plain(value))


def _is_plain(call: ast.Call) -> bool:
    """Whether a call's arguments are names, constants, lambdas and calls of such: what they are does not change."""
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    return dotted(call.func) != "" and all(
        isinstance(part, (ast.Name, ast.Constant, ast.Lambda, ast.Attribute, ast.Tuple))
        or (isinstance(part, ast.Call) and _is_plain(part))
        for part in parts
    )


def _taken_from_pass(written: list[ast.AST], loop: Loop) -> set[str]:
    """What the loop binds or changes and what is written uses, so that this is not the same in every pass."""
    bound, changed = set(_bound(loop)), set(_changed(loop))
    return {name for part in written for name in _uses_of(part) & (_without_own_name(part, bound) | changed)}


def _may_be_given(made: Transformed, loop: Loop, names: set[str]) -> bool:
    """Whether a lambda is called where it is compiled, and nowhere else, and only computes with what is in these names:
    each with something that has to do with its arguments, so that it could be another one of them."""
    node = made.node
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Lambda):
        return False
    if len(node.args) > 1 or node.keywords:
        return False
    function = node.args[0]
    own = {parameter.arg for parameter in parameters(function)}
    parts = [function.body, *_below(function.body)]
    taken = {part for part in parts if isinstance(part, ast.Name) and part.id in names}
    computed = {
        side
        for part in parts
        if isinstance(part, ast.BinOp) and isinstance(part.op, _ARITHMETIC)
        for side, other in ((part.left, part.right), (part.right, part.left))
        if not own.isdisjoint(_names_in(other)) and not _asks_for_shape(other)
    }
    return taken <= computed and any(isinstance(part, ast.Call) and part.func is node for part in _below(loop))


_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def _asks_for_shape(node: ast.AST) -> bool:
    parts = (node, *_below(node))
    return any(getattr(part, "attr", "") in STATIC_ATTRIBUTES or getattr(part, "id", "") == "len" for part in parts)


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in (node, *_below(node)) if isinstance(part, ast.Name)}


def _uses_of(written: ast.AST) -> set[str]:
    """The names that a definition or an expression takes from around it."""
    parts = [written, *_below(written)]
    own = {node.arg for node in parts if isinstance(node, ast.arg)} | set(_bound(written))
    return {node.id for node in parts if isinstance(node, ast.Name)} - own


def _without_own_name(written: ast.AST, names: set[str]) -> set[str]:
    return names - {written.name} if isinstance(written, (ast.FunctionDef, ast.AsyncFunctionDef)) else names


def _bound(root: ast.AST) -> Iterator[str]:
    """The names that a loop, or a function's body, binds."""
    for node in _below(root):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name


def _changed(loop: Loop) -> Iterator[str]:
    """The names of what the loop may change: `a.b = …`, `a[i] = …`, and `a.update(…)` as a statement of its own."""
    for node in _below(loop):
        target: ast.expr | None = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            target = node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            target = node.value.func if isinstance(node.value.func, ast.Attribute) else None
        while isinstance(target, (ast.Attribute, ast.Subscript)):
            target = target.value
        if isinstance(target, ast.Name):
            yield target.id


def bound_in(loop: ast.AST) -> set[str]:
    """The names that a loop, or one of a comprehension, binds."""
    return set(_bound(loop))


def _below(root: ast.AST) -> Iterable[ast.AST]:
    pending = children(root)
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)
