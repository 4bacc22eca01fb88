"""Whether the code at the top of a file gives something to what it has imported from the program.

    from layers import power
    power.defvjp(forward, backward)

All that use the function have its rules then, and a registry has what is registered.  What a file only sets, a flag of
its settings say, is so where that file runs, and another program of the same files may do without.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.project.program import Module, Program


def gives_to_others(program: Program, module: Module) -> bool:
    """Whether a statement outside of functions and classes calls a method of something imported and drops the result,
    decorates with one, or hands something imported to an imported function."""
    tree = module.document.tree
    imported = dict(_imported(program, module, tree)) if tree is not None else {}
    return any(_gives(node, imported) for node in _at_top(tree)) if tree is not None and imported else False


def _at_top(tree: ast.Module) -> Iterator[ast.AST]:
    """What runs when the file does, without what is in functions and classes."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            pending += ast.iter_child_nodes(node)


def _imported(program: Program, module: Module, tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The names that imports bind to what is the program's, and over how many attributes functions are called there:
    one of a module, none of what is no module."""
    for node in _at_top(tree):
        is_from = isinstance(node, ast.ImportFrom)
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            if isinstance(node, ast.ImportFrom):
                source = program.resolve_import(module, node.level, node.module)
                dotted = f"{source}.{alias.name}" if source else alias.name  # `from . import layers` beside no package
            else:
                source = dotted = program.resolve_import(module, 0, alias.name)
            if source in program.modules or dotted in program.modules:
                is_whole = not is_from and alias.asname is None
                yield (
                    alias.asname or alias.name.partition(".")[0],
                    1 + alias.name.count(".") * is_whole if dotted in program.modules else 0,
                )


def _gives(node: ast.AST, imported: dict[str, int]) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return any(_is_method(getattr(one, "func", one), imported) for one in node.decorator_list)
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    is_handed_on = any(imported.get(_root(one)[0]) == 0 for one in call.args)
    return _is_method(call.func, imported) or (is_handed_on and _root(call.func)[0] in imported)


def _is_method(function: ast.expr, imported: dict[str, int]) -> bool:
    """Whether a method of something imported is called; a function of a module is none."""
    name, depth = _root(function)
    return name in imported and depth > imported[name]


def _root(node: ast.expr) -> tuple[str, int]:
    """The variable that an expression goes out from, and over how many attributes and items."""
    depth = 0
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node, depth = node.value, depth + 1
    return (node.id, depth) if isinstance(node, ast.Name) else ("", depth)
