"""Whether the numbers, or the keys, that a use of a key makes are read by anybody: in the function that makes them, in
the functions that these are returned to, and so on."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.values import External, ModuleScope, Value
from jaxlint.flow.limits import MOST_WAYS
from jaxlint.flow.models.keys.meant import body_of
from jaxlint.flow.models.names.imports import external_name, resolve
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.dead import Does, FunctionNode, Held, Looked, around, fate, is_held
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.read_nowhere import reads_attribute
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants
from jaxlint.project.lifted import decorators

Place: TypeAlias = tuple[ModuleScope, ast.AST]

_PURE = ("jax.numpy.", "jax.random.", "jax.nn.")
_NOT_PURE = frozenset(
    "save savez savetxt vectorize apply_along_axis apply_over_axes piecewise fromfunction frompyfunc".split()
)
_SEEDING = frozenset(("numpy.random.seed", "random.seed"))
_COMPILING = frozenset(("jax.jit", "jax.vmap", "jax.pmap", "jax.checkpoint", "jax.remat"))
_BRANCHING = frozenset(("jax.lax.cond", "jax.lax.switch"))
_LOOPING = frozenset(("jax.lax.scan", "jax.lax.map", "jax.lax.fori_loop"))


def is_unread(it: Interpreter, use: Use) -> bool:
    """Whether nobody looks at what ``use`` gives, as far as its results go; no if that cannot be seen.

    A draw that is a statement of its own is none of these: it gives nothing up that was there for something.
    """
    try:
        ways = list(islice(_ways(use), MOST_WAYS.value + 1))
        if not (0 < len(ways) <= MOST_WAYS.value and all(_goes_nowhere(it, way) for way in ways)):
            return False
        return not (_only_draws(use) and all(_is_statement(way) for way in ways))
    except Looked:
        return False


def is_kept_for_nobody(it: Interpreter, use: Use) -> bool:
    """Whether the keys that a split makes go into an attribute, and nothing in the program reads one of that name."""
    if use.how != "split" or use.via is not None or use.scope.tree is None:
        return False
    statement = body_of(use.scope, use.scope.tree).around(use.node)
    if not isinstance(statement, ast.Assign) or statement.value is not use.node or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Attribute):
        return False
    scopes = [scope for scope in it.scopes.values() if scope.tree is not None]
    return not any(it.ask_text(scope, reads_attribute, target.attr) for scope in scopes)


def _only_draws(use: Use) -> bool:
    return all(one.how == "draw" for one in use.leaves())


def _is_statement(way: list[Place]) -> bool:
    """Whether what a call gives is dropped as it is made, by functions, too, that return it as it is."""
    outermost = way[0][1]
    for scope, node in reversed(way):
        root = root_around(scope, node)
        if root is None or (isinstance(root, ast.Lambda) and root.body is node and node is not outermost):
            continue
        statement = next((part for part in descendants(root) if getattr(part, "value", None) is node), None)
        if node is outermost:
            is_unnamed = isinstance(statement, ast.Assign) and all(dotted(part) == "_" for part in statement.targets)
            return is_unnamed or isinstance(statement, ast.Expr)
        if not isinstance(statement, ast.Return):
            return False
    return False


def _ways(use: Use) -> Iterator[list[Place]]:
    """The calls that lead to ``use``, and it; where it stands for what a callee does, those of each use there.

    Raises ``Looked`` where nobody knows what the use does.
    """
    before: list[Place] = [(site[2], site[1]) for site in use.calls]
    before.append((use.scope, use.node))
    if use.via is None:
        if not use.callee.startswith("jax.random.") or use.how not in ("draw", "split"):
            raise Looked
        yield before
        return
    for inner in (use.via, *(one for one in use.beside if one is not use.via)):
        if inner.how == "fold":
            continue
        for way in _ways(inner):
            yield before + _inside(way, use.callee)


def root_around(scope: ModuleScope, node: ast.AST) -> ast.AST | None:
    """The function or module that a node stands in; looked up once."""
    if (node, None) not in scope.unread:
        scope.unread[node, None] = (around(scope.tree, node) if scope.tree is not None else None,)
    found: ast.AST | None = scope.unread[node, None][0]
    return found


def _inside(way: list[Place], name: str) -> list[Place]:
    """The end of a way that lies within the last call of a function of that name on it."""
    for number in range(len(way) - 1, -1, -1):
        scope, node = way[number]
        root = root_around(scope, node)
        if ("<lambda>" if isinstance(root, ast.Lambda) else getattr(root, "name", None)) == name:
            return way[number:]
    raise Looked


def _goes_nowhere(it: Interpreter, way: list[Place]) -> bool:
    held: Held = True
    callee: ast.AST | None = None
    for scope, node in reversed(way):
        root = root_around(scope, node)
        if root is None or not isinstance(root, (ast.Module, ast.FunctionDef, ast.Lambda)):
            return False
        if not isinstance(node, ast.Call) or (isinstance(root, ast.Module) and scope.module.document.is_in_cells):
            return False
        if not isinstance(root, ast.Module) and it.facts_of(root).generator:
            return False
        it.note_around(scope, node)
        if callee is not None:
            held = _result(it, scope, root, node, callee, held)
        held = _fate(it, scope, root, node, held)
        if not is_held(held):
            return True
        callee = root
    return False


def _fate(it: Interpreter, scope: ModuleScope, root: ast.AST, node: ast.Call, held: Held) -> Held:
    """What ``fate`` tells; it is asked once for each call, however many uses meet there."""
    known = scope.unread.get((node, held))
    if known is None:
        try:
            known = (fate(root, node, held, functools.partial(_does, it, scope, root)),)
        except Looked:
            known = ()
        scope.unread[node, held] = known
    if not known:
        raise Looked
    found: Held = known[0]
    return found


def _result(it: Interpreter, scope: ModuleScope, root: ast.AST, call: ast.Call, callee: ast.AST, held: Held) -> Held:
    """How much of what the call gives is what the function ``callee`` that it runs returns."""
    if isinstance(callee, ast.FunctionDef) and dotted(call.func).rpartition(".")[2] == callee.name:
        return held if not decorators(callee) else True
    name = qualified(it, scope, root, call.func)
    if name in _BRANCHING or (not name and isinstance(call.func, ast.Name)):
        return True
    if name in _LOOPING and not any(isinstance(part, ast.Expr) for part in descendants(callee)):
        return True  # what comes into the next pass goes nowhere but into its result
    if isinstance(call.func, ast.Call) and qualified(it, scope, root, call.func.func) in _COMPILING:
        return True
    raise Looked


def _does(it: Interpreter, scope: ModuleScope, root: ast.AST, call: ast.Call) -> Does:
    name = qualified(it, scope, root, call.func)
    if name in _SEEDING:
        return Does.SEED
    is_pure = name.startswith(_PURE) and name.rpartition(".")[2] not in _NOT_PURE
    return Does.COMPUTE if is_pure else Does.LOOK


def qualified(it: Interpreter, scope: ModuleScope, root: ast.AST, function: ast.expr) -> str:
    """The name of a library's function that a module imports; empty for any other."""
    first, dot, rest = dotted(function).partition(".")
    value = _global(it, scope, root, first)
    return external_name(value.name + dot + rest) if isinstance(value, External) else ""


def function_named(it: Interpreter, scope: ModuleScope, root: ast.AST, function: ast.expr) -> Value | None:
    """What a name of the module is that a function or the module itself calls."""
    return _global(it, scope, root, function.id) if isinstance(function, ast.Name) else None


def _global(it: Interpreter, scope: ModuleScope, root: ast.AST, name: str) -> Value | None:
    if isinstance(root, FunctionNode):
        own = it.facts_of(root).stored.keys() | {parameter.arg for parameter in parameters(root)}
        if name in own:
            return None
    value = it.state.read(scope.frame).get(name)
    return resolve(it, value) if value is not None else None
