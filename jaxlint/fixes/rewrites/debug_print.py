"""The arguments of `jax.debug.print` as its template wants them: f-strings, `print` and `logging` habits undone."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from jaxlint.fixes.source import CannotFix, Source
from jaxlint.fixes.templates import Piece, field, fields_of, percent, pieces_of, quote_of, written
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_OPTIONS = frozenset(("ordered", "partitioned", "skip_format_check"))


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where it is not plain which value belongs to which placeholder."""
    call = source.node(repair.location, ast.Call)
    tree = source.expression(call)
    if not isinstance(tree, cst.Call) or source.has_comment(call) or any(arg.star for arg in tree.args):
        raise CannotFix
    positional = [argument.value for argument in tree.args if argument.keyword is None]
    named = {argument.keyword.value: argument.value for argument in tree.args if argument.keyword is not None}
    if not positional or not named.keys() <= _OPTIONS:
        raise CannotFix
    template, *values = positional
    code = _arguments(template, values)
    options = "".join(f", {name}={source.code(value)}" for name, value in named.items())
    edit = source.replace(call, f"{source.code(tree.func)}({code}{options})")
    return Fix("Give each value a placeholder", Applicability.SAFE, (edit,))


def _arguments(template: cst.BaseExpression, values: Sequence[cst.BaseExpression]) -> str:
    quote = quote_of([template])
    if not values:
        if isinstance(template, cst.SimpleString):
            raise CannotFix  # placeholders without values
        return written(pieces_of(template), quote)
    text = template.evaluated_value if isinstance(template, (cst.SimpleString, cst.ConcatenatedString)) else None
    if not isinstance(text, str):
        raise CannotFix
    names = [name for _, name, _, _ in fields_of(text) if name is not None]
    if names:
        return _with_names(template, names, values)
    if "%" in text:
        return written(list(percent(text, values)), quote)
    pieces: list[Piece] = [text]
    for value in values:
        pieces += [" ", field(value)]
    return written(pieces, quote)


def _with_names(template: cst.BaseExpression, names: list[str], values: Sequence[cst.BaseExpression]) -> str:
    """`"x={x}", y` becomes `"x={x}", x=y`."""
    if len(names) != len(values) or len(set(names)) != len(names) or not all(name.isidentifier() for name in names):
        raise CannotFix
    code = cst.Module([]).code_for_node
    return ", ".join([code(template), *(f"{name}={code(value)}" for name, value in zip(names, values))])
