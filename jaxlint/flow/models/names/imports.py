"""Imports and module globals: how a dotted name becomes a value."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxlint.flow.domain.buffers import SENT
from jaxlint.flow.domain.contexts import EAGER
from jaxlint.flow.domain.donations import DONATED
from jaxlint.flow.domain.started import STARTED
from jaxlint.flow.domain.state import State
from jaxlint.flow.domain.values import Const, Lazy, ModuleScope, ModuleValue, Opaque, Static, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText, is_exported, rebound_globals, replaced_globals
from jaxlint.project.demos import main_block
from jaxlint.semantics.arrays import ALIASES


def external_name(name: str) -> str:
    """The public spelling of a qualified name: `jax._src…` and old module paths become jax's own."""
    head = name
    while True:
        alias = ALIASES.get(head)
        if alias is not None:
            return alias + name[len(head) :]
        head, dot, _ = head.rpartition(".")
        if not dot:
            return name


def scope_of(it: Interpreter, dotted: str) -> ModuleScope | None:
    """The module of that name, not necessarily evaluated yet."""
    scope = it.scopes.get(dotted)
    if scope is None:
        module = it.program.find(dotted)
        if module is None:
            return None
        scope = it.scopes[dotted] = ModuleScope(module)
    return scope


_COMPOUND = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    getattr(ast, "TryStar", ast.Try),
    ast.Match,
)
"""What has statements of the module's own in it: one binds, the next one calls."""


def load(it: Interpreter, scope: ModuleScope) -> None:
    """Evaluates the module's body once; a module that is being evaluated is left as far as it got.

    What only a script does, from its `__main__` block on, or all of it, may be left for ``run_as_script``.
    """
    if scope.state != "new":
        return
    tree = scope.tree
    if tree is None:
        scope.state = "done"
        return
    scope.rebound = rebound_globals(tree, "global " in scope.module.document.text)
    scope.replaced = replaced_globals(tree)
    end = _end_of_import(it, scope, tree) if it.imports_only else len(tree.body)
    _run_body(it, scope, tree.body[:end])
    scope.left = tree.body[end:]


def _end_of_import(it: Interpreter, scope: ModuleScope, tree: ast.Module) -> int:
    """How many statements of a module an import runs: of what is never imported none.

    Whoever may be given references asks what the modules have imported that make some (`changeable.py`).
    """
    if scope.name in it.scripts and not scope.uses_references:
        return 0
    block = main_block(tree)
    return len(tree.body) if block is None else tree.body.index(block)


def run_as_script(it: Interpreter, scope: ModuleScope) -> None:
    """Evaluates what ``load`` has left of a module's body."""
    load(it, scope)
    left, scope.left = scope.left, []
    if left:
        _run_body(it, scope, left)


def _run_body(it: Interpreter, scope: ModuleScope, statements: list[ast.stmt]) -> None:
    scope.state = "running"
    with it.at_home_in(scope), it.isolated(State(it.base), EAGER, scope):
        it.state.write(scope.frame)
        it.state.show(scope.frame)
        it.state.cells.update(scope.so_far)
        for statement in statements:
            if isinstance(statement, _COMPOUND):
                it.state.hold_back(scope.frame)
            it.run_toplevel(scope, statement)
            # Functions called while the module is read see the globals bound so far.
            it.state.show(scope.frame)
        cells = it.state.cells  # functions may have run before that:
        scope.so_far = {owner: cells.pop(owner) for owner in (DONATED, SENT, STARTED) if owner in cells}
        scope.reaches_out = scope.reaches_out or any(owner is not scope.frame for owner in it.state.touched)
        it.note_touched(scope, it.state.touched, cells)
        it.base.update(cells)
    scope.state = "done"


def some_module_says(it: Interpreter, word: str, question: Callable[[ModuleText], bool]) -> bool:
    """Whether the text of some module of the program answers yes, or has the word if it has no tree."""
    for name, module in it.program.modules.items():
        scope = scope_of(it, name)
        if it.ask_text(scope, question) if scope is not None else word in module.document.text:
            return True
    return False


def module_attribute(it: Interpreter, scope: ModuleScope, name: str) -> Value:
    """What ``module.name`` is: a global, a submodule, or a star-imported name."""
    load(it, scope)
    it.note_global(scope, name)
    value = it.state.read(scope.frame).get(name)
    if value is not None:
        return resolve(it, value)
    submodule = scope_of(it, f"{scope.name}.{name}")
    if submodule is not None:
        return ModuleValue(submodule)
    found = _star_imported(it, scope, name)
    if found is None and it.rows.speak_of(f"{scope.name}.{name}"):
        return it.external(f"{scope.name}.{name}")
    return found if found is not None else scope.missing.setdefault(name, Opaque(name))


def module_global(it: Interpreter, scope: ModuleScope | None, name: str) -> Value | None:
    """A global that no frame in reach binds: star imports are the last place to look."""
    if scope is None:
        return None
    it.note_global(scope, name)
    return _star_imported(it, scope, name)


def _star_imported(
    it: Interpreter, scope: ModuleScope, name: str, asked: set[ModuleScope] | None = None
) -> Value | None:
    """A name from one of the modules that everything is imported from, each ``asked`` once: they may form rings."""
    if name.startswith("_"):
        return None
    asked = {scope} if asked is None else asked
    for dotted in scope.star_imports:
        source = scope_of(it, dotted)
        if source is None:
            if it.external_has(dotted, name):
                return it.external(f"{dotted}.{name}")
            continue
        if source in asked or source.state == "running":
            continue
        asked.add(source)
        load(it, source)
        it.note_global(source, name)
        value = it.state.read(source.frame).get(name)
        if value is None:
            value = _star_imported(it, source, name, asked)
        if value is not None:
            return resolve(it, value)
    return None


def resolve(it: Interpreter, value: Value) -> Value:
    """Follows a lazily imported name to what it stands for."""
    while isinstance(value, Lazy):
        if value.resolved is None:
            scope = scope_of(it, value.module)
            if scope is None:
                return Opaque(value.name)
            value.resolved = Opaque(value.name)  # what a cycle of re-exports that leads nowhere ends with
            with it.finding(value):
                value.resolved = found = module_attribute(it, scope, value.name)
            if scope.state == "running" and isinstance(found, Opaque):
                value.resolved = None
                return found
            if it.keeps_notes:
                value.resolved = None  # looked up each time, so that who uses the name is known
                return found
        else:
            it.note_again(value)
        value = value.resolved
    return value


def _import(it: Interpreter, dotted: str) -> None:
    """What Python does first where something is imported: the packages around a module are run, then its body."""
    parts = dotted.split(".")
    for count in range(1, len(parts) + 1):
        scope = scope_of(it, ".".join(parts[:count]))
        if scope is not None:
            it.note_import(scope)
            load(it, scope)


def bind_import(it: Interpreter, node: ast.Import) -> None:
    module = it.frame.scope.module
    for alias in node.names:
        dotted = it.program.resolve_import(module, 0, alias.name)
        _import(it, dotted)
        if alias.asname is not None:
            it.bind(alias.asname, _module_value(it, dotted))
            continue
        first = alias.name.partition(".")[0]
        it.bind(first, _module_value(it, it.program.resolve_import(module, 0, first)))


def _module_value(it: Interpreter, dotted: str) -> Value:
    scope = scope_of(it, dotted)
    if scope is not None:
        return ModuleValue(scope)
    parent, _, name = dotted.rpartition(".")
    if parent and scope_of(it, parent) is not None:
        return Lazy(parent, name)
    if is_project_name(it, dotted):
        return Opaque(dotted)
    return it.external(dotted)


def is_project_name(it: Interpreter, dotted: str) -> bool:
    """A name below one of the program's own packages for which there is no file (a built extension), and no row."""
    return dotted.partition(".")[0] in it.own_packages and not it.rows.speak_of(dotted)


def bind_from_import(it: Interpreter, node: ast.ImportFrom) -> None:
    scope = it.frame.scope
    dotted = it.program.resolve_import(scope.module, node.level, node.module)
    source = scope_of(it, dotted)
    if any(alias.name == "*" for alias in node.names):
        _import(it, dotted)
    for alias in node.names:
        if alias.name == "*":
            scope.star_imports.insert(0, dotted)
            _bind_again(it, source)
            continue
        name = alias.asname or alias.name
        _import(it, f"{dotted}.{alias.name}")
        if source is not None:
            it.bind(name, _from_project(it, source, alias.name))
        elif scope_of(it, f"{dotted}.{alias.name}") is not None:
            it.bind(name, _module_value(it, f"{dotted}.{alias.name}"))
        elif is_project_name(it, dotted):
            it.bind(name, Opaque(alias.name))
        else:
            it.bind(name, it.external(f"{dotted}.{alias.name}"))


def _bind_again(it: Interpreter, source: ModuleScope | None) -> None:
    """Gives names that are bound here what ``from source import *`` has for them; the others are looked up there."""
    if source is None or source is it.frame.scope or source.state == "running":
        return
    load(it, source)
    it.note_global(source, "__all__")
    there = it.state.read(source.frame)
    for name in [name for name in it.state.read(it.frame) if name in there and not name.startswith("_")]:
        it.note_global(source, name)
        if source.tree is not None and is_exported(source.tree, name):
            it.bind(name, _from_project(it, source, name))


def _from_project(it: Interpreter, source: ModuleScope, name: str) -> Value:
    if source is it.frame.scope:
        submodule = scope_of(it, f"{source.name}.{name}")
        if submodule is not None:
            return ModuleValue(submodule)
    return Lazy(source.name, name)


def global_constant(scope: ModuleScope, name: str, value: Value) -> Value:
    """A module global as a function sees it: a constant only if nothing binds it again."""
    if isinstance(value, Const) and value.value is not None and name in scope.rebound:
        return Static(type(value.value).__name__)
    if isinstance(value, Const) and name in scope.rebound:
        return Opaque(name)
    return value
