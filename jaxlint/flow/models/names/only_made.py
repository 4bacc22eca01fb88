"""Time in which compiled functions are only made: JAX compiles them when they are first called."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.clocks import Look
from jaxlint.flow.domain.values import External, Function, Transformed, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.straight import taken
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.compiling import FORGETS
from jaxlint.semantics.transforms import WRAPPERS


def check_between(it: Interpreter, root: ast.AST, earlier: Look, later: Look, node: ast.AST) -> None:
    """start = perf_counter(); step = make_step(); perf_counter() - start"""
    if earlier.by is not it.activation.frame or later.by is not it.activation.frame:
        return
    between = taken(_between(root, earlier.node, later.node))
    made = [_made_by(it, statement) for statement in between if not _does_nothing(statement)]
    if made and all(made):
        it.emit(events.TimedMaking(node, made[0]))


def check_repeated(it: Interpreter, function: Value, result: Value, node: ast.AST) -> None:
    """timeit(lambda: jax.jit(f))"""
    if isinstance(function, Function) and _is_compiled(result) and _only_makes(it, function):
        it.emit(events.TimedMaking(node, function.name if function.name.isidentifier() else "jax.jit"))


def _between(root: ast.AST, first: ast.AST, last: ast.AST) -> list[ast.stmt]:
    """The statements between the two in which these stand, if both are in one block."""
    for part in descendants(root):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(part, name, None)
            if isinstance(block, list):
                places = [
                    number
                    for one in (first, last)
                    for number, statement in enumerate(block)
                    if any(below is one for below in descendants(statement))
                ]
                if len(places) == 2:
                    return block[places[0] + 1 : places[1]]
    return []


def _made_by(it: Interpreter, statement: ast.stmt) -> str:
    """The variable that a statement binds to a compiled function, and does nothing else; empty otherwise."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target, written = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(written, ast.Call) or not _is_compiled(it.lookup(target.id)):
        return ""
    if any(isinstance(below, ast.Call) for one in ast.iter_child_nodes(written) for below in descendants(one)):
        return ""
    with it.scratch(), it.quiet():
        maker = it.eval(written.func)
    return dotted(target) if _is_jit(maker) or (isinstance(maker, Function) and _only_makes(it, maker)) else ""


def _is_compiled(value: Value | None) -> bool:
    return isinstance(value, Transformed) and value.name in FORGETS


def _is_jit(value: Value) -> bool:
    return isinstance(value, External) and value.name in FORGETS


def _only_makes(it: Interpreter, function: Function) -> bool:
    """Whether a function does nothing but to define functions, to transform them, and to return one."""
    node = function.node
    body = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
    calls: list[ast.Call] = []
    for statement in taken(body):
        if isinstance(statement, ast.Return) and statement.value is not None:
            calls += [part for part in descendants(statement.value) if isinstance(part, ast.Call)]
        elif not isinstance(statement, ast.FunctionDef) and not _does_nothing(statement):
            return False
    made_of = [it.eval_annotation(call.func, function) for call in calls]
    return all(isinstance(one, External) and one.name in WRAPPERS for one in made_of)


def _does_nothing(statement: ast.stmt) -> bool:
    """A docstring, `pass`, or a constant that gets a name."""
    if isinstance(statement, ast.Assign) and not all(isinstance(target, ast.Name) for target in statement.targets):
        return False
    is_constant = isinstance(statement, (ast.Assign, ast.Expr)) and isinstance(statement.value, ast.Constant)
    return is_constant or isinstance(statement, ast.Pass)
