"""`print("x =", x)` becomes `jax.debug.print("x = {}", x)`, which prints at every run what the program computes.

Unsafe where that is more than once a call: in a loop, in the body of a scan, for every row of a map.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from jaxlint.fixes.bindings import LOOPS
from jaxlint.fixes.imports import is_hidden, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.fixes.templates import Piece, pieces_of, quote_of, written
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where print does what `jax.debug.print` cannot: another file, no line break at the end."""
    call = source.node(repair.location, ast.Call)
    if not isinstance(call.func, ast.Name) or call.func.id != "print" or is_hidden(source, "print", call):
        raise CannotFix
    tree = source.expression(call)
    if not isinstance(tree, cst.Call) or source.has_comment(call):
        raise CannotFix
    values = [argument.value for argument in tree.args if argument.keyword is None and not argument.star]
    options = {argument.keyword.value: argument.value for argument in tree.args if argument.keyword is not None}
    if len(values) + len(options) != len(tree.args):
        raise CannotFix  # `print(*values)`
    pieces = _joined(values, _separator(options))
    jax, imports = name_for(source, "jax", call)
    edit = source.replace(call, f"{jax}.debug.print({written(pieces, quote_of(values))})")
    once = repair.fact("runs") == "once" and not _is_in_loop(source, call)
    applicability = Applicability.SAFE if once else Applicability.UNSAFE
    return Fix(f"Use `{jax}.debug.print`", applicability, (*imports, edit))


def _is_in_loop(source: Source, call: ast.Call) -> bool:
    """Whether a loop of Python's is around a call, in its own function."""
    function = source.function(call)
    for node in source.parents(call):
        if node is function:
            return False
        if isinstance(node, (*LOOPS, ast.comprehension, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return True
    return False


def _separator(options: dict[str, cst.BaseExpression]) -> str:
    """What print puts between its arguments.  Raises CannotFix for options that have no counterpart."""
    constants = {name: _constant(value) for name, value in options.items()}
    if not constants.keys() <= {"sep", "end", "flush"} or constants.get("end", "\n") != "\n":
        raise CannotFix
    if constants.get("flush") not in (None, "True", "False"):
        raise CannotFix
    separator = constants.get("sep", " ")
    if separator is None:
        raise CannotFix
    return separator.replace("{", "{{").replace("}", "}}")


def _constant(node: cst.BaseExpression) -> str | None:
    """A string's value, or a name as it is written; None for anything else."""
    if isinstance(node, cst.SimpleString) and isinstance(node.evaluated_value, str):
        return node.evaluated_value
    return node.value if isinstance(node, cst.Name) and node.value in ("True", "False") else None


def _joined(values: Sequence[cst.BaseExpression], separator: str) -> list[Piece]:
    pieces: list[Piece] = []
    for number, value in enumerate(values):
        if number:
            pieces.append(separator)
        pieces += pieces_of(value)
    return pieces
