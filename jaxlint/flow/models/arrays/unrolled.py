"""Python loops under a trace: each pass is traced by itself, and the program holds a copy of the body for each."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.values import (
    ABSTRACT,
    Array,
    At,
    Const,
    External,
    Function,
    Method,
    Partial,
    Transformed,
    Tree,
    Value,
)
from jaxlint.flow.models.arrays import arrays
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.arrays import ARRAY_NAMESPACES


def check_loop(it: Interpreter, node: ast.For | ast.AsyncFor, iterable: Value) -> None:
    """for i in range(1000): x = jnp.sin(x) + i, after its passes."""
    if not it.ctx.staging or it.ctx.host or not it.alive:
        return
    over, passes = _passes(it, node.iter, iterable)
    if not over or _ends_early(node) or _is_used_by_python(it, node.target, node.body):
        return
    with it.scratch(), it.quiet():
        works = any(_works(it, statement) for statement in node.body)
    if works:
        it.emit(events.LoopUnrolled(node, over, passes))


def check_comprehension(it: Interpreter, node: ast.expr, generator: ast.comprehension, iterable: Value) -> None:
    """[jnp.sin(x[i]) for i in range(1000)]"""
    element = getattr(node, "elt", None)
    if not it.ctx.staging or it.ctx.host or element is None or generator.ifs:
        return
    over, passes = _passes(it, generator.iter, iterable)
    if over and not _is_used_by_python(it, generator.target, [ast.Expr(element)]):
        with it.scratch(), it.quiet():
            works = _computes(it, element)
        if works:
            it.emit(events.LoopUnrolled(node, over, passes))


def _passes(it: Interpreter, written: ast.expr, iterable: Value) -> tuple[str, int | None]:
    """What a loop goes through, and how many passes it has, if that is known; nothing for what may be short."""
    if isinstance(iterable, Array) and not iterable.declared and iterable.level == ABSTRACT:
        if _is_arange(it, written):
            return "jnp.arange", None
        size = iterable.aval.shape[0] if iterable.aval.shape else None
        return ("rows", size) if size is not None else ("", None)
    if isinstance(written, ast.Call) and not written.keywords:
        with it.scratch(), it.quiet():
            function, bounds = it.eval(written.func), [it.eval(argument) for argument in written.args]
        numbers = [bound.value for bound in bounds if isinstance(bound, Const) and type(bound.value) is int]
        if isinstance(function, External) and function.name == "builtins.range" and len(numbers) == len(bounds):
            return "range", avals.length(range(*numbers)) if 0 < len(numbers) <= 3 and numbers[2:] != [0] else 0
    return "", None


def _is_arange(it: Interpreter, written: ast.expr) -> bool:
    if not isinstance(written, ast.Call):
        return False
    with it.scratch(), it.quiet():
        function = it.eval(written.func)
    return isinstance(function, External) and function.name == "jax.numpy.arange"


def _ends_early(node: ast.For | ast.AsyncFor) -> bool:
    return any(isinstance(part, (ast.Break, ast.Return)) for part in descendants(node))


def _is_used_by_python(it: Interpreter, target: ast.expr, body: list[ast.stmt]) -> bool:
    """Whether passes differ in what only Python can tell apart: an item of a list, a name, a condition."""
    names = {part.id for part in (target, *descendants(target)) if isinstance(part, ast.Name)}
    for part in (part for statement in body for part in (statement, *descendants(statement))):
        for asked in _asked(it, part):
            if any(isinstance(one, ast.Name) and one.id in names for one in (asked, *descendants(asked))):
                return True
    return False


def _asked(it: Interpreter, part: ast.AST) -> list[ast.AST]:
    """The parts of an expression or a statement that have to be known while tracing."""
    if isinstance(part, (ast.If, ast.IfExp, ast.While)):
        return [part.test]
    if isinstance(part, ast.For):
        return [part.iter]
    if isinstance(part, (ast.JoinedStr, ast.Slice)):
        return [part]
    if isinstance(part, ast.Subscript):
        with it.scratch(), it.quiet():
            owner = it.eval(part.value)
        return [] if isinstance(owner, (Array, At)) else [part.slice]
    return []


def _works(it: Interpreter, statement: ast.stmt) -> bool:
    """Whether a statement that each pass executes computes with arrays."""
    if isinstance(statement, (ast.For, ast.With)):
        return any(_works(it, inner) for inner in statement.body)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return _is_traced(it.lookup(statement.target.id)) or _computes(it, statement.value)
    value = getattr(statement, "value", None)
    return isinstance(value, ast.expr) and _computes(it, value)


def _computes(it: Interpreter, written: ast.expr) -> bool:
    if isinstance(written, (ast.BinOp, ast.UnaryOp, ast.Compare)):
        return _is_traced(it.eval(written))
    if isinstance(written, ast.Call):
        return _calls(it, written) or any(_computes(it, argument) for argument in written.args)
    if isinstance(written, (ast.Tuple, ast.List)):
        return any(_computes(it, item) for item in written.elts)
    return (
        isinstance(written, ast.Subscript)
        and isinstance(it.eval(written.value), Array)
        and _is_traced(it.eval(written))
    )


def _calls(it: Interpreter, written: ast.Call) -> bool:
    """Whether it calls what computes with arrays: a function of `jax`, a method, or a function that gives some."""
    function = it.eval(written.func)
    if isinstance(function, External):
        return function.name.rpartition(".")[0] in (*ARRAY_NAMESPACES, "jax.random")
    if isinstance(function, Method):
        return isinstance(function.receiver, Array) and _is_traced(it.eval(written))
    if isinstance(function, (Function, Partial, Transformed)):
        return arrays.tracer_in(it, it.eval(written)) is not None
    return False


def _is_traced(value: Value | None) -> bool:
    return isinstance(value, (Array, Tree)) and value.level == ABSTRACT
