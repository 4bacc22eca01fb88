"""What several jobs have in common: the project's files that importing their modules reads, and what these import.

Read off the import statements that run when a module is imported.  A guess is good enough: what is missing here is
imported by each worker for itself, what is too much costs a little time once.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator

from jaxlint.dynamic.observations import Common
from jaxlint.project.program import Module, Program


def in_common(program: Program, modules: Iterable[Module]) -> Common:
    """Everything that importing ``modules`` leads to."""
    reached: dict[str, Module] = {}
    foreign: dict[str, dict[str, None]] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module.name in reached or module.document.tree is None:
            continue
        reached[module.name] = module
        for name, asked in _imported(program, module):
            own = [found for found in map(program.find, _prefixes(name)) if found is not None]
            waiting += own
            if not own:
                foreign.setdefault(name, {}).update(dict.fromkeys(asked))
        waiting += [found for found in map(program.find, _prefixes(module.package)) if found is not None]
    files = tuple(os.path.realpath(module.path) for module in reached.values())
    return Common(files, tuple((name, tuple(asked)) for name, asked in foreign.items()))


def needed(program: Program, module: Module) -> int:
    """How many of the project's modules a module is written with, itself and by way of others.

    What the packages around it import besides is not counted: it is the same for all that is in them.
    """
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        each = waiting.pop()
        if each.name in reached or each.document.tree is None:
            continue
        reached.add(each.name)
        for name, asked in _imported(program, each):
            found = program.find(name)
            is_around = any(program.find(f"{name}.{part}") is not None for part in asked)
            if found is not None and not is_around and not f"{module.name}.".startswith(f"{name}."):
                waiting.append(found)
    return len(reached)


def _imported(program: Program, module: Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The absolute names that a module imports, each with what is imported from it."""
    assert module.document.tree is not None
    for node in _at_import(module.document.tree.body):
        if isinstance(node, ast.Import):
            yield from ((program.resolve_import(module, 0, alias.name), ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = program.resolve_import(module, node.level, node.module)
            names = tuple(alias.name for alias in node.names if alias.name != "*")
            yield name, names
            yield from ((f"{name}.{each}", ()) for each in names if program.find(f"{name}.{each}") is not None)


def _at_import(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements that run when a module is imported; for type checkers alone is not among them."""
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _at_import(node.orelse)
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)) and not isinstance(node, _LATER):
            yield node
            yield from _at_import(ast.iter_child_nodes(node))


_LATER = (ast.FunctionDef, ast.AsyncFunctionDef)


def _prefixes(name: str) -> list[str]:
    """``a``, ``a.b`` and ``a.b.c`` of ``a.b.c``: importing it runs them all."""
    parts = name.split(".") if name else []
    return [".".join(parts[: end + 1]) for end in range(len(parts))]
