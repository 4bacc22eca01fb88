"""`a, b, c = split(key)` becomes `a, b, c = split(key, 3)`; a split whose result is dropped advances the key."""

from __future__ import annotations

import ast

from jaxlint.fixes.places import rebinding
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where the number of names or the split cannot be seen in the statement."""
    statement = source.statement(source.node(repair.location, ast.AST))
    if isinstance(statement, ast.Expr):
        return _advanced(source, statement)
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Call(keywords=[]) as call):
            pass
        case _:
            raise CannotFix
    if not source.text(call.func).endswith("split") or not 1 <= len(call.args) <= 2:
        raise CannotFix
    return Fix(f"Split into {len(names)} keys", Applicability.UNSAFE, (_count(source, call, len(names)),))


def _count(source: Source, call: ast.Call, count: int) -> Edit:
    if len(call.args) == 2:
        return source.replace(call.args[1], str(count))
    return source.insert(source.offsets(call.args[0])[1], f", {count}")


def _advanced(source: Source, statement: ast.Expr) -> Fix:
    """`split(key)` as a statement becomes `key, _ = split(key)`."""
    call = statement.value
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords or not isinstance(call.args[0], ast.Name):
        raise CannotFix
    rebinding(source, call.args[0])
    key = source.text(call.args[0])
    edit = source.insert(source.offsets(call)[0], f"{key}, _ = ")
    return Fix(f"Assign the new key to `{key}`", Applicability.UNSAFE, (edit,))
