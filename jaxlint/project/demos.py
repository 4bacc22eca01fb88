"""Where a module that others import shows or tries what it offers: the block that runs only where it is the program.

A script is its `__main__` block; in a library's module nobody is hurt by what happens there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.project.concern import targets
from jaxlint.project.import_lines import Import, imports_in
from jaxlint.project.lifted import lifted
from jaxlint.project.program import Module, Program

Lines = range

_SETTINGS = frozenset(
    "absl argparse click docopt draccus fire getopt hydra ml_collections omegaconf optparse simple_parsing typer tyro "
    "wandb".split()
)
"""Packages by which a program that somebody runs is told what to do, or tells what it has done."""


def demonstrations(program: Program, module: Module) -> list[Lines]:
    """The lines of a module that only run when it is the program, if it is there to be imported: by other modules, not
    only by tests, and it takes no settings from whoever runs it.

    They are those of its `__main__` block and, in a module of a package, of the functions that only the block calls.
    """
    tree = module.document.tree
    block = main_block(tree) if tree is not None else None
    if tree is None or block is None or _takes_settings(module):
        return []
    users = list(_users(program, module))
    if not users:
        return []
    found = [_lines(block)]
    if any(one.level or (one.module or "").count(".") for one in users):
        taken = {name for one in users for name in one.names}
        found += [_lines(function) for function in _only_called_in(tree, block) if not taken & {function.name, "*"}]
    return found


def main_block(tree: ast.AST) -> ast.If | None:
    """The last statement `if __name__ == "__main__":` of a module."""
    for statement in reversed(getattr(tree, "body", ())):
        if isinstance(statement, ast.If) and isinstance(statement.test, ast.Compare):
            sides = (statement.test.left, *statement.test.comparators)
            if any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides):
                return statement
    return None


def _takes_settings(module: Module) -> bool:
    text = module.document.text
    heads = {name for one in imports_in(text) for name in ([one.module] if one.module else one.names)}
    return "sys.argv" in text or any(name.partition(".")[0] in _SETTINGS for name in heads)


def _users(program: Program, module: Module) -> Iterator[Import]:
    """The imports of a module in other modules that are no tests."""
    last = module.name.rpartition(".")[2]
    for other in program.modules.values():
        if other is module or other.is_test or last not in other.document.text:
            continue
        for one in imports_in(other.document.text):
            if module.name in targets(program, other, [one]):
                yield one


def _only_called_in(tree: ast.AST, block: ast.If) -> list[ast.FunctionDef]:
    """The functions of a module that nothing but the block, and others of them, names."""
    body = lifted(getattr(tree, "body", []))
    functions = [one for one in body if isinstance(one, ast.FunctionDef)]
    uses: dict[str, list[int]] = {one.name: [] for one in functions}
    for part in (part for statement in body for part in ast.walk(statement)):
        if isinstance(part, ast.Name) and part.id in uses:
            uses[part.id].append(part.lineno)
    inside, found, grown = set(_lines(block)), set[ast.FunctionDef](), True
    while grown:
        grown = False
        for function in functions:
            lines = set(_lines(function))
            if function not in found and uses[function.name] and set(uses[function.name]) - lines <= inside:
                found.add(function)
                inside |= lines
                grown = True
    return [function for function in functions if function in found]


def _lines(node: ast.If | ast.FunctionDef) -> Lines:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
