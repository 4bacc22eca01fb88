"""Settings of JAX that come too late: after it was imported, or after arrays were made that they should have shaped."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.avals import FULL_FLOAT
from jaxlint.flow.domain.values import CONCRETE, Array, Const, Function, ModuleScope, Value
from jaxlint.flow.models.names import started
from jaxlint.flow.models.names.imports import external_name, scope_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.read_below import is_read_below
from jaxlint.flow.source.text import dotted, is_one_slip
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics.settings import IMPORTING, OPTIONS, READ_AT_IMPORT, STARTING_OTHERS

_Import = ast.Import | ast.ImportFrom
_WIDE = ("int", FULL_FLOAT, "complex")
"""The dtypes of arrays for which none was asked: the setting decides how wide they are."""


def check_variables(it: Interpreter, names: Iterable[object], node: ast.AST) -> None:
    """Variables of the environment are set: whether JAX has read them before."""
    written = [name for name in names if isinstance(name, str)]
    for name in written:
        started.check_setting(it, name, node)
    late = [name for name in written if name in READ_AT_IMPORT]
    if not late:
        return
    scope, line = it.frame.scope, getattr(node, "lineno", 0)
    before = [one for one in _imports(scope) if (one.end_lineno or 0) < line]
    first = next((one for one in before if _imports_jax(it, scope, one, set())), None)
    if first is not None and not _is_set_in_time(it, scope, late[0], first):
        heads = {name.partition(".")[0] for one in _imports(scope) for name in _names(it, scope, one)}
        it.emit(events.SetAfterImport(node, late[0], first, not heads.isdisjoint(STARTING_OTHERS)))


def _is_set_in_time(it: Interpreter, scope: ModuleScope, variable: str, first: _Import) -> bool:
    """Whether this function with those of the module that it names, or the body of the module, sets the same by
    `jax.config.update`, which has an effect then, or the module sets the variable before JAX is imported, too."""
    it.look_at(scope)
    body = scope.tree.body if scope.tree is not None else []
    statements = [one for one in body if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    here = it.frame.function.node if it.frame.function is not None else None
    for root in (*statements, *(_with_named(it, scope, here) if here is not None else ())):
        for node in descendants(root):
            if isinstance(node, ast.Call) and node.args:
                option = node.args[0]
                is_option = isinstance(option, ast.Constant) and option.value == variable.lower()
                if is_option and _called(it, scope, node) == "jax.config.update":
                    return True
            elif isinstance(node, ast.Constant) and node.value == variable and node.lineno < first.lineno:
                return True
    return False


def _with_named(it: Interpreter, scope: ModuleScope, function: FunctionNode) -> list[FunctionNode]:
    """A function, and those of the module that it leads to by their names."""
    found, held = [function], it.state.read(scope.frame)
    for one in found:
        for name in dict.fromkeys(node.id for node in descendants(one) if isinstance(node, ast.Name)):
            it.note_global(scope, name)
            value = held.get(name)
            if isinstance(value, Function) and value.scope is scope and value.node not in found:
                found.append(value.node)
    return found


def _called(it: Interpreter, scope: ModuleScope, call: ast.Call) -> str:
    """The qualified name of what a call runs that the module imports, at its head or in functions; empty for others."""
    first, dot, rest = dotted(call.func).partition(".")
    for statement in descendants(scope.tree) if scope.tree is not None else ():
        if isinstance(statement, _Import):
            for alias, name in zip(statement.names, _imported(it, scope, statement)):
                if (alias.asname or alias.name.partition(".")[0]) == first:
                    is_whole = alias.asname is not None or isinstance(statement, ast.ImportFrom)
                    return external_name((name if is_whole else first) + dot + rest)
    return ""


def _imports(scope: ModuleText) -> list[_Import]:
    """The imports that a module is sure to run."""
    return [one for one in (scope.tree.body if scope.tree is not None else ()) if isinstance(one, _Import)]


def _names(it: Interpreter, scope: ModuleScope, statement: _Import) -> Iterator[str]:
    """The modules that a statement imports."""
    if isinstance(statement, ast.ImportFrom):
        yield it.program.resolve_import(scope.module, statement.level, statement.module)
    yield from _imported(it, scope, statement)


def _imported(it: Interpreter, scope: ModuleScope, statement: _Import) -> Iterator[str]:
    """What each name of a statement stands for."""
    resolve = it.program.resolve_import
    if isinstance(statement, ast.Import):
        yield from (resolve(scope.module, 0, alias.name) for alias in statement.names)
    else:
        source = resolve(scope.module, statement.level, statement.module)
        yield from (f"{source}.{alias.name}" for alias in statement.names)


def _imports_jax(it: Interpreter, scope: ModuleScope, statement: _Import, seen: set[str]) -> bool:
    """Whether a statement imports JAX, or a module that does."""
    for name in _names(it, scope, statement):
        if name.partition(".")[0] in IMPORTING and it.program.find(name.partition(".")[0]) is None:
            return True
        parts = name.split(".")
        for count in range(1, len(parts) + 1):
            dotted = ".".join(parts[:count])
            other = scope_of(it, dotted) if dotted not in seen else None
            seen.add(dotted)
            if other is not None and other is not scope:
                if any(_imports_jax(it, other, one, seen) for one in it.ask_text(other, _imports)):
                    return True
    return False


def check_option(it: Interpreter, name: object, node: ast.AST, assigned: bool = False) -> None:
    """An option of `jax.config` is named: without the `jax_` there is none, and none is set by an assignment."""
    if not isinstance(name, str):
        return
    short = name.removeprefix("jax_")
    if short in OPTIONS and (assigned or not name.startswith("jax_")):
        it.emit(events.OptionMisnamed(node, name, f"jax_{short}", assigned))
    elif short not in OPTIONS and not assigned:
        meant = next((option for option in sorted(OPTIONS) if is_one_slip(short, option)), None)
        if meant is not None:
            it.emit(events.OptionMisnamed(node, name, f"jax_{meant}", assigned))


def check_update(it: Interpreter, setting: Value | None, value: Value | None, node: ast.AST) -> None:
    """`jax.config.update`: of the arrays that are there, and used once more, none becomes one of 64 bits."""
    if not isinstance(setting, Const) or setting.value != "jax_enable_x64" or it.ctx.tracing:
        return
    if not isinstance(value, Const) or value.value is not True:
        return
    frames = dict.fromkeys((it.frame, it.frame.scope.frame))
    names = [name for frame in frames for name, held in it.state.read(frame).items() if _is_of_default_width(held)]
    names = [name for name in names if it.ask_text(it.frame.scope, is_read_below, name, node)]
    if names:
        it.emit(events.WidenedTooLate(node, tuple(sorted(names))))


def _is_of_default_width(value: Value) -> bool:
    """Whether it is an array with the dtype that JAX takes where none is said."""
    return isinstance(value, Array) and value.level == CONCRETE and value.aval.as_strong().dtype in _WIDE
