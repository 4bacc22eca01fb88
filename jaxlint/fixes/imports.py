"""The name under which a module can be used at a place, with the import that is missing for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.fixes.source import CannotFix, Source
from jaxlint.flow.source.trees import children
from jaxlint.vocabulary.findings import Edit

_USUAL = {
    "jax": "import jax",
    "jax.numpy": "import jax.numpy as jnp",
    "jax.lax": "from jax import lax",
    "jax.random": "import jax.random",
    "functools": "import functools",
    "functools.partial": "from functools import partial",
    "dataclasses": "import dataclasses",
    "numpy": "import numpy as np",
}
"""How a module is imported where it is not yet, as most JAX code does it."""


def name_for(source: Source, module: str, at: ast.AST) -> tuple[str, tuple[Edit, ...]]:
    """How to write a module such as ``jax.numpy`` at a node, and the edits that import it (often none).

    Raises CannotFix where the name that it would get means something else.
    """
    known = source.once(_names_of_modules, source.tree)
    for dotted, suffix in _spellings(module):
        for name in known.get(dotted, ()):
            if not is_hidden(source, name, at):
                return name + suffix, ()
    for dotted, suffix in _spellings(module):
        if dotted in _USUAL:
            statement = _USUAL[dotted]
            name = statement.rpartition(" ")[2]
            first = name.partition(".")[0]
            if first in source.once(bound_at_top, source.tree) or is_hidden(source, first, at):
                continue
            return name + suffix, (_import(source, statement),)
    raise CannotFix


def _spellings(module: str) -> Iterator[tuple[str, str]]:
    """A module and the modules around it, each with what must follow its name: `jax.numpy`, then `jax` + `.numpy`."""
    package = module
    while package:
        yield package, module[len(package) :]
        package = package.rpartition(".")[0]


def dotted_name(source: Source, node: ast.AST) -> str:
    """What a name or attribute means by the module's imports: "jax.numpy.sum" for `jnp.sum`; empty if it is not one."""
    if isinstance(node, ast.Attribute):
        before = dotted_name(source, node.value)
        return f"{before}.{node.attr}" if before else ""
    if not isinstance(node, ast.Name) or is_hidden(source, node.id, node):
        return ""
    return source.once(_modules_by_name, source.tree).get(node.id, "")


def _names_of_modules(tree: ast.Module) -> dict[str, list[str]]:
    """The names that module-level imports give to modules (or to members of modules), by dotted name."""
    names: dict[str, list[str]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                names.setdefault(alias.name, []).append(alias.asname or alias.name)
                if alias.asname is None and "." in alias.name:
                    package = alias.name.partition(".")[0]
                    names.setdefault(package, []).append(package)
        elif isinstance(statement, ast.ImportFrom) and statement.level == 0:
            for alias in statement.names:
                names.setdefault(f"{statement.module}.{alias.name}", []).append(alias.asname or alias.name)
    return names


def _modules_by_name(tree: ast.Module) -> dict[str, str]:
    """What each name means, by the first import that gives it."""
    found: dict[str, str] = {}
    for dotted, names in _names_of_modules(tree).items():
        for name in names:
            found.setdefault(name, dotted)
    return found


def is_hidden(source: Source, name: str, at: ast.AST) -> bool:
    """Whether a function around a node binds the first part of a dotted name to something of its own."""
    first = name.partition(".")[0]
    return any(
        isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and first in source.once(bound_in, scope)
        for scope in (at, *source.parents(at))
    )


def bound_at_top(tree: ast.Module) -> set[str]:
    """The names that a module's own statements bind."""
    return {name for statement in tree.body for name in bound_by(statement)}


def bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The names that are local to a function: its parameters and whatever its body binds."""
    every = function.args
    parameters = [*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg]
    names = {parameter.arg for parameter in parameters if parameter is not None}
    body = function.body if isinstance(function.body, list) else [function.body]
    for statement in body:
        names |= bound_by(statement)
    return names


def bound_by(node: ast.AST) -> set[str]:
    """The names that a statement binds in its own scope; nested functions and classes bind only their own name."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return _bound_outside(node)
    names: set[str] = set()
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        names.add(node.id)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        names.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        names.add(node.rest)
    for child in children(node):
        names |= bound_by(child)
    return names


def _bound_outside(node: ast.expr) -> set[str]:
    """What a comprehension binds in the function around it; its variables are its own.  A lambda binds nothing."""
    if isinstance(node, ast.Lambda):
        return set()
    return {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}


def _import(source: Source, statement: str) -> Edit:
    """A new import after the last one at the top of the file, or where the first one would stand."""
    last: ast.stmt | None = None
    for node in source.tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (is_docstring and last is None):
            last = node
        else:
            break
    if last is None:
        first = source.tree.body[0]
        return source.insert_before(first, statement, "")
    line = last.end_lineno or last.lineno
    _, end = source.offsets(last)
    if end != source.offset(line, len(source.document.lines[line - 1].partition("#")[0].rstrip()) + 1):
        raise CannotFix  # `import a; b()`
    space = "" if isinstance(last, (ast.Import, ast.ImportFrom)) else source.newline
    at = source.offset(line, len(source.document.lines[line - 1]) + 1)
    return source.insert(at, f"{source.newline}{space}{statement}")
