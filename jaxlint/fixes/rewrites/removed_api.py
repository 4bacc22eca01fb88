"""A removed or deprecated name of JAX becomes the one that took its place, where that takes the same arguments."""

from __future__ import annotations

import ast

import libcst as cst

from jaxlint.fixes.arrays import has_no_at
from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.semantics.removed import ARGUMENTS, NAMES, SAME_ARGUMENTS
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe where every JAX that the program may run with has the new name; else the fact `old_jax` is set.

    Raises CannotFix where the replacement is called in another way, or is none.
    """
    applicability = Applicability.UNSAFE if repair.fact("old_jax") else Applicability.SAFE
    argument = repair.fact("argument")
    name = repair.fact("name") or ""
    if argument is not None:
        message, edits = _keyword(source, repair, name, argument)
    elif repair.fact("import"):
        message, edits = _import(source, repair, name)
    elif name in _UPDATES:
        message, edits = "Use `x.at[…]`", _update(source, source.node(repair.location, ast.Attribute), name)
    else:
        new = _replacement(name)
        attribute = source.node(repair.location, ast.Attribute)
        written, imports = name_for(source, new, attribute)
        message, edits = f"Use `{new}`", (*imports, source.replace(attribute, written))
    return Fix(message, applicability, edits)


_UPDATES = {
    "jax.ops.index_update": "set",
    "jax.ops.index_add": "add",
    "jax.ops.index_mul": "multiply",
    "jax.ops.index_min": "min",
    "jax.ops.index_max": "max",
}
"""The method of `x.at[i]` that does what a function of jax.ops did."""


def _update(source: Source, function: ast.Attribute, name: str) -> tuple[Edit, ...]:
    """`jax.ops.index_add(x, i, v)` becomes `x.at[i].add(v)`; `jax.ops.index[1:]` was how a slice was written.

    The functions took whatever makes an array: what has no `at` is made one, as they did.
    """
    call = source.parent(function)
    if not isinstance(call, ast.Call) or call.func is not function or call.keywords or len(call.args) != 3:
        raise CannotFix
    array, index, value = call.args
    if isinstance(index, ast.Subscript) and source.text(index.value).endswith("ops.index"):
        index = index.slice
    rest = f".at[{source.text(index)}].{_UPDATES[name]}({source.text(value)})"
    if not has_no_at(source, array):
        return (source.replace(call, source.operand(array) + rest),)
    jnp, imports = name_for(source, "jax.numpy", call)
    return (*imports, source.replace(call, f"{jnp}.asarray({source.text(array)}){rest}"))


def _replacement(name: str) -> str:
    entry = NAMES.get(name)
    if entry is None or entry.replacement is None or name not in SAME_ARGUMENTS:
        raise CannotFix
    return entry.replacement


def _keyword(source: Source, repair: Repair, function: str, argument: str) -> tuple[str, tuple[Edit, ...]]:
    """`a_min=` becomes `min=`."""
    keyword = source.node(repair.location, ast.keyword)
    start = source.offsets(keyword)[0]
    if (function, argument) in _POSITIONS:
        return "Pass it by position", (_by_position(source, keyword, _POSITIONS[function, argument]),)
    new = next((row.replacement for row in ARGUMENTS.get(function, ()) if row.keyword == argument), None)
    if new is None or not new.isidentifier() or new in ("stable", "vmap_method", "static_argnums"):
        raise CannotFix  # another name for another value
    return f"Write `{new}=`", (source.replace_range(start, start + len(argument), new),)


_POSITIONS = {
    ("jax.jit", "fun"): 0,
    ("jax.numpy.clip", "a"): 0,
    ("jax.numpy.where", "condition"): 0,
    ("jax.numpy.where", "x"): 1,
    ("jax.numpy.where", "y"): 2,
}
"""Arguments that are positional only by now, and where they stand."""


def _by_position(source: Source, keyword: ast.keyword, position: int) -> Edit:
    """`f(a, x=b)` becomes `f(a, b)`, when that is where the argument belongs."""
    call = source.parent(keyword)
    if not isinstance(call, ast.Call) or call.keywords[0] is not keyword or len(call.args) != position:
        raise CannotFix
    start = source.offsets(keyword)[0]
    return source.replace_range(start, source.offsets(keyword.value)[0], "")


def _import(source: Source, repair: Repair, name: str) -> tuple[str, tuple[Edit, ...]]:
    """`from jax.experimental.maps import Mesh` becomes `from jax.sharding import Mesh`; other names stay behind."""
    statement = source.statement(source.node(repair.location, ast.AST))
    if not isinstance(statement, ast.ImportFrom) or statement.module is None:
        raise CannotFix
    all_gone = repair.fact("import") == "module"
    gone = [alias for alias in statement.names if all_gone or f"{statement.module}.{alias.name}" == name]
    new = {alias.name: _new_import(f"{statement.module}.{alias.name}", alias) for alias in gone}
    lines = list(new.values())
    kept = [alias for alias in statement.names if alias.name not in new]
    indent = source.indent(statement)
    if kept:
        lines.insert(0, _without(source, statement, set(new)))
    text = f"{source.newline}{indent}".join(lines)
    return f"Import `{name}` from where it is now", (source.replace(statement, text),)


def _new_import(name: str, alias: ast.alias) -> str:
    """The import of the replacement, under the name that the program uses."""
    module, _, last = _replacement(name).rpartition(".")
    bound = alias.asname or alias.name
    return f"from {module} import {last}" + (f" as {bound}" if bound != last else "")


def _without(source: Source, statement: ast.ImportFrom, names: set[str]) -> str:
    """An import without some of its names, otherwise as it is written."""
    line = source.parsed_statement(statement)
    tree = line.body[0] if isinstance(line, cst.SimpleStatementLine) else line
    if not isinstance(tree, cst.ImportFrom) or isinstance(tree.names, cst.ImportStar):
        raise CannotFix
    kept = [alias for alias in tree.names if alias.evaluated_name not in names]
    kept[-1] = kept[-1].with_changes(comma=tree.names[-1].comma)
    return source.code(tree.with_changes(names=kept))
