"""Whether JAX has been used: its first use starts the backend, and what comes later may come too late."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import NeedsCaller
from jaxlint.flow.domain.started import STARTED, Start
from jaxlint.flow.domain.state import excluded
from jaxlint.flow.domain.values import CONCRETE, Array, External, Key, ModuleScope, Value
from jaxlint.flow.models.names.imports import scope_of, some_module_says
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.arrays import STATIC_RESULTS
from jaxlint.semantics.starting import (
    CHOOSING,
    FORGETTING,
    FORKING,
    FORKING_BY_DEFAULT,
    OF_ARRAYS,
    OPTIONS,
    REFUSED,
    SET_START_METHOD,
    STARTING,
    VARIABLES,
)

# -- using JAX ------------------------------------------------------------------------------------------


def note_function(it: Interpreter, name: str, node: ast.AST) -> None:
    """A function outside the program is called."""
    if name in STARTING or (name.rpartition(".")[0] in OF_ARRAYS and name not in STATIC_RESULTS):
        note(it, name, node)


def note(it: Interpreter, what: str, node: ast.AST) -> None:
    """JAX is used outside of traces.  Where that may fail, and the code goes on, nothing is known."""
    may_fail = it.expected or it.activation.handled
    if STARTED not in it.state.cells and not it.ctx.tracing and not may_fail and not it.muted:
        start = Start(what, node, it.frame.scope, it.state.guards)
        it.state.cells[STARTED] = {start: start}


def first_use(it: Interpreter, node: ast.AST) -> Start | None:
    """What has started the backend before the code at ``node`` runs, in whatever way it comes to run."""
    for start in it.state.cells.get(STARTED, {}):
        if isinstance(start, Start) and not excluded(start.guards, it.state.guards):
            return None if _is_forgotten(it, it.frame.scope) else start
    function = it.frame.function
    found = next(_made_above(it, it.frame.scope, node if function is None else function.node, set()), None)
    return None if found is None or _is_forgotten(it, it.frame.scope) else found


def _is_forgotten(it: Interpreter, scope: ModuleScope) -> bool:
    """Whether the module may stop the backend, so that it starts anew."""
    return it.ask_text(scope, _forgets)


def _forgets(scope: ModuleText) -> bool:
    return any(name.endswith(FORGETTING) for name in scope.walked().attributes)


def _made_above(it: Interpreter, scope: ModuleScope, node: ast.AST | None, seen: set[ModuleScope]) -> Iterator[Start]:
    """The statements of a module, above ``node``, that are sure to make an array, or import a module with one."""
    seen.add(scope)
    held = it.state.read(scope.frame)
    for statement in it.ask_text(scope, _bindings_above, node):
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            for name in names:
                it.note_global(scope, name)
                is_bound_here = name not in scope.rebound  # else the module ends with what another statement has made
                if is_bound_here and _is_made(held.get(name)) and isinstance(statement.value, ast.Call):
                    yield Start(dotted(statement.value.func), statement, scope, frozenset())
        else:
            for other in _imported(it, scope, statement):
                if other not in seen:
                    yield from _made_above(it, other, None, seen)


def _bindings_above(scope: ModuleText, node: ast.AST | None) -> list[ast.Assign | ast.Import | ast.ImportFrom]:
    """The assignments and imports at the top of a module, all of them or those above a node."""
    line = getattr(node, "lineno", 0)
    return [
        statement
        for statement in (scope.tree.body if scope.tree is not None else ())
        if isinstance(statement, (ast.Assign, ast.Import, ast.ImportFrom)) and (node is None or statement.lineno < line)
    ]


def _imported(it: Interpreter, scope: ModuleScope, statement: ast.Import | ast.ImportFrom) -> Iterator[ModuleScope]:
    """The modules of the program that a statement imports."""
    resolve = it.program.resolve_import
    if isinstance(statement, ast.Import):
        dotted_names = [resolve(scope.module, 0, alias.name) for alias in statement.names]
    else:
        source = resolve(scope.module, statement.level, statement.module)
        dotted_names = [source, *(f"{source}.{alias.name}" for alias in statement.names)]
    for name in dotted_names:
        other = scope_of(it, name)
        if other is not None and other.state == "done":
            yield other


def _is_made(value: Value | None) -> bool:
    if isinstance(value, Key):
        return True
    return isinstance(value, Array) and value.level == CONCRETE and not value.declared


# -- what comes too late --------------------------------------------------------------------------------


def check_setting(it: Interpreter, setting: object, node: ast.AST) -> None:
    """A variable of the environment or an option is set, or processes are told of one another."""
    if not isinstance(setting, str) or it.ctx.tracing or setting not in _SETTINGS:
        return
    if setting in VARIABLES and not _is_written_here(it, setting):
        return
    if it.state.is_summarised and STARTED not in it.state.cells:
        raise NeedsCaller
    start = first_use(it, node)
    if start is not None and not _is_retried(it, start, node):
        it.emit(events.SetAfterStart(node, setting, start.what, start.scope, start.node, setting in REFUSED))


_SETTINGS = VARIABLES | OPTIONS | REFUSED


def _is_written_here(it: Interpreter, variable: str) -> bool:
    """Whether the statement says what a variable is to be; else it may put back what was there."""
    statement = it.statement
    texts = [part for part in descendants(statement) if isinstance(part, ast.Constant)] if statement else []
    return any(isinstance(part.value, str) and part.value not in ("", " ", variable) for part in texts)


def _is_retried(it: Interpreter, start: Start, node: ast.AST) -> bool:
    """Whether it is in a handler of a `try` that has begun to use JAX, and has not come far."""
    if start.scope is not it.frame.scope:
        return False
    it.look_at(start.scope)
    return any(
        any(_is_in(node, handler) for handler in one.handlers) and any(_is_in(start.node, part) for part in one.body)
        for one in start.scope.walked().tries
    )


def _is_in(node: ast.AST, outer: ast.stmt | ast.ExceptHandler) -> bool:
    """Whether a node stands in another one of the same module."""
    place = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    return (outer.lineno, outer.col_offset) <= place < (outer.end_lineno or 0, outer.end_col_offset or 0)


def check_fork(it: Interpreter, function: External, named: dict[str, Value], node: ast.AST) -> None:
    """A function is called that may copy the process."""
    name = function.name
    if it.ctx.tracing or (name not in FORKING and name not in FORKING_BY_DEFAULT):
        return
    is_default = name not in FORKING
    if is_default and not CHOOSING.isdisjoint(named):
        return
    start = first_use(it, node)
    if start is not None and not (is_default and it.ask_program(is_way_chosen)):
        it.emit(events.ForkAfterStart(node, name, is_default, start.what, start.scope, start.node))


def is_way_chosen(it: Interpreter) -> bool:
    """Whether some module of the program says how processes start."""
    return some_module_says(it, SET_START_METHOD, _names_way)


def _names_way(scope: ModuleText) -> bool:
    return SET_START_METHOD in scope.module.document.text
