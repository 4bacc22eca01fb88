"""Whether the text of a module sets an attribute or an item of a global between two calls of a compiled function."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeGuard

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.places import place_of, targets
from jaxlint.flow.source.runs_again import callers, holders
from jaxlint.flow.source.text import dotted, leaves
from jaxlint.flow.source.trees import children, descendants
from jaxlint.project.lifted import decorators
from jaxlint.semantics.compiling import NOT_FOUND_AGAIN

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_PARTS = ("body", "orelse", "handlers", "finalbody")


def forgets(scope: ModuleText) -> bool:
    """Whether the module throws away what has been compiled, or compiles nothing for a while."""
    return any(name in scope.walked().attributes for name in NOT_FOUND_AGAIN)


def is_set(scope: ModuleText, place: str) -> bool:
    return place in scope.set_places


def set_between(scope: ModuleText, name: str, place: str) -> ast.AST | None:
    """What sets a place after a call of the compiled function of that name, and before another one."""
    if scope.tree is None:
        return None
    body, everything = scope.lifted, list(descendants(scope.tree))
    named = [node for node in everything if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(named) != 1 or not decorators(named[0]) or forgets(scope):
        return None
    # What a call has made is the same one only where the module keeps it.
    compiling = callers(scope, body, named[0]) if named[0] in body else holders(scope, body, named[0], sys.maxsize)
    functions = [node for node in everything if sees_globals(node, place)]
    setters = {node.name for node in functions if any(_sets(part, place) for part in descendants(node))} - compiling
    blocks: Iterable[list[ast.stmt]] = [body, *(node.body for node in functions if node is not named[0])]
    return next((found for block in blocks if (found := _between(block, compiling, setters, place))), None)


def calls_between(scope: ModuleText, module: str, setter: str, compiled: str) -> bool:
    """Whether a function of a module, or its body, calls what sets a global after a call of what is compiled and before
    another one; both are functions of ``module``."""
    calls = scope.walked().calls if scope.tree is not None else {}
    if scope.tree is None or not calls.get(setter) or not calls.get(compiled):
        return False
    if forgets(scope):
        return False
    imports = [node for node in descendants(scope.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    names = {name: {f"{one}.{name}" for one in imported} for name in (setter, compiled)}
    for name, known_as in names.items():
        known_as.update([name] if scope.name == module or name in imported else [])
    bodies = [scope.tree.body, *(node.body for node in descendants(scope.tree) if isinstance(node, _FUNCTIONS))]
    return any(_between(body, names[compiled], names[setter], "") is not None for body in bodies)


def sees_globals(node: ast.AST, place: str) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Whether it is a function that has no variable of its own by the name of the global that the place belongs to."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    parts = [*descendants(node.args), *(part for statement in node.body for part in descendants(statement))]
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return re.split(r"[.\[]", place, maxsplit=1)[0] not in own


class _Step(NamedTuple):
    """A call or a write, and the statements that it stands in, each with the part of it: a branch, or a loop's body."""

    node: ast.AST
    around: dict[ast.AST, str]


def _between(block: list[ast.stmt], compiling: set[str], setters: set[str], place: str) -> ast.AST | None:
    steps = list(_steps(block, {}))
    runs = [step for step in steps if _calls(step.node, compiling)]
    for write in steps:
        if not _sets(write.node, place) and not _calls(write.node, setters):
            continue
        later = [run for run in runs if _line(run) > _line(write) and not _apart(write, run)]
        if later and any(_line(run) < _line(write) and not _apart(run, write) for run in runs):
            return write.node
        if any(_is_changed_by_a_loop(write, run) for run in runs):
            return write.node
    return None


def _is_changed_by_a_loop(write: _Step, run: _Step) -> bool:
    """Whether the passes of a loop set a place, not always to the same, and call the function."""
    loops = [node for node in write.around if isinstance(node, _LOOPS) and node in run.around]
    if not loops or _apart(write, run) or _apart(run, write):
        return False
    inside = list(write.around)[list(write.around).index(loops[-1]) + 1 :]
    is_constant = all(isinstance(one, ast.Constant) for one in _written(write.node))
    return not is_constant or any(isinstance(node, ast.If) for node in inside)


def _written(node: ast.AST) -> list[ast.AST]:
    """What is set, or what the call that sets it is given; itself where that is not to be seen."""
    if isinstance(node, ast.Call):
        return [*node.args, *(keyword.value for keyword in node.keywords)] or [node]
    return [node.value] if isinstance(node, ast.Assign) else [node]


def _steps(block: Iterable[ast.AST], around: dict[ast.AST, str]) -> Iterator[_Step]:
    for node in block:
        if isinstance(node, _DEFINITIONS):
            continue
        yield _Step(node, around)
        parts = [(name, getattr(node, name, [])) for name in _PARTS if _is_block(node)]
        within = {id(part) for _, part in parts for part in part}
        yield from _steps([child for child in children(node) if id(child) not in within], around)
        for name, part in parts:
            yield from _steps(part, {**around, node: name})


def _is_block(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt) and isinstance(getattr(node, "body", None), list)


def _apart(first: _Step, second: _Step) -> bool:
    """Whether no path leads from the first to the second: they are in different branches, or the first's one ends."""
    for node, part in first.around.items():
        other = second.around.get(node)
        if isinstance(node, ast.If) and other is not None and other != part:
            return True
        if other is None and leaves(getattr(node, part)):
            return True
    return False


def _line(step: _Step) -> tuple[int, int]:
    return getattr(step.node, "lineno", 0), getattr(step.node, "col_offset", 0)


def _calls(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in names


def _sets(node: ast.AST, place: str) -> bool:
    return any(found is not None and found[1] == place for found in map(place_of, targets(node)))
