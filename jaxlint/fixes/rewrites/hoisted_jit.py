"""A jitted function that a loop makes anew in every pass is made before the loop."""

from __future__ import annotations

import ast
from collections import Counter

from jaxlint.fixes.imports import bound_by
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def rewrite(source: Source, repair: Repair) -> Fix:
    """Unsafe: what the function closes over is looked up before the loop, and its name is bound without any pass, too.

    Raises CannotFix where the function is not given a name by a statement of its own, the name stands for something
    else, too, or the function is made of what the loop makes.
    """
    statement = source.parent(source.node(repair.location, ast.expr))
    if not isinstance(statement, (ast.Assign, ast.FunctionDef)):
        raise CannotFix
    loop = _loop(source, repair, statement)
    name = _name(statement)
    around = source.function(loop) or source.tree
    if source.function(statement) is not source.function(loop) or source.once(_bindings, around)[name] != 1:
        raise CannotFix
    if _leans_on(statement, loop):
        raise CannotFix
    block = next(part for part in _blocks(source.parent(statement)) if statement in part)
    if len(block) == 1:
        raise CannotFix
    return Fix(f"Make `{name}` before the loop", Applicability.UNSAFE, _moved(source, statement, loop))


def _loop(source: Source, repair: Repair, statement: ast.stmt) -> ast.stmt:
    for node in source.parents(statement):
        if isinstance(node, _LOOPS) and source.document.location(node) == dict(repair.places)["loop"]:
            return node
    raise CannotFix


def _name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.FunctionDef):
        return statement.name
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name):
            return target.id
    raise CannotFix


def _leans_on(statement: ast.stmt, loop: ast.stmt) -> bool:
    """Whether a statement reads a name that another one in the loop around it binds."""
    inside = set(ast.walk(statement))
    own = {node.arg for node in inside if isinstance(node, ast.arg)}
    own |= {node.id for node in inside if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    read = {node.id for node in inside if isinstance(node, ast.Name)} - own
    others = [node for node in ast.walk(loop) if node not in inside]
    bound = {node.name for node in others if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    bound |= {node.id for node in others if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return not read.isdisjoint(bound)


def _bindings(around: ast.AST) -> Counter[str]:
    """How many statements bind each name in a function or module, blocks inside it included."""
    count: Counter[str] = Counter()
    pending = list(ast.iter_child_nodes(around))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt) and not _blocks(node):
            count.update(bound_by(node))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            count[node.name] += 1
        else:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                count[node.id] += 1
            pending += ast.iter_child_nodes(node)
    return count


def _blocks(node: ast.AST | None) -> list[list[ast.stmt]]:
    blocks = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
    return [block for block in blocks if isinstance(block, list) and block]


def _moved(source: Source, statement: ast.stmt, loop: ast.stmt) -> tuple[Edit, ...]:
    """The statement's lines, written as far to the left as the loop, in front of it."""
    old = source.indent(statement)
    first, last = source.lines_of(statement)
    lines = source.document.lines[first - 1 : last]
    behind = lines[-1][source.document.location(statement).end_column - 1 :].strip()
    if (behind and not behind.startswith("#")) or any(line.strip() and not line.startswith(old) for line in lines):
        raise CannotFix  # another statement on the line, or lines in brackets that are written further to the left
    if last == len(source.document.lines):
        raise CannotFix  # the end of the file, maybe without a line break
    if any(isinstance(node, ast.Constant) and node.lineno != node.end_lineno for node in ast.walk(statement)):
        raise CannotFix  # a string with line breaks, which must keep its white space
    gone = source.replace_range(source.offset(first, 1), source.offset(last + 1, 1), "")
    return source.insert_before(loop, *(line[len(old) :] for line in lines)), gone
