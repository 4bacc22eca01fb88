"""`float(x)`, `x.item()` and their like are left out, `int(x)` becomes `x.astype(int)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.arrays import is_always_traced
from jaxlint.fixes.rewrites import static_argument
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_LEFT_OUT = {"float": ("float",), "int": ("int",), "bool": ("bool",), "complex": ("complex",)}
"""Functions, and of which dtypes they change nothing."""

_METHODS = frozenset(("item", "tolist", "__index__", "__float__", "__int__", "__bool__", "__complex__"))


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where a number is needed: a bound of range, a format, an index of a list, a dict's key.

    Safe where `item` is left out in a function that is only ever traced; an array in place of a number may have
    another dtype, and a list has other methods.
    """
    call = source.node(repair.location, ast.Call)
    if call.keywords or source.has_comment(call):
        raise CannotFix
    if (
        isinstance(call.func, ast.Name)
        and len(call.args) == 1
        and static_argument.looks_static(source, repair, call.args[0])
    ):
        return static_argument.made_static(source, repair)
    if isinstance(call.func, ast.Name) and call.func.id in ("int", "index") and _is_passed_on(source, call):
        return static_argument.rewrite(source, repair)
    if _needs_number(source, call):
        raise CannotFix
    value, text = _array(source, call, dict(repair.facts).get("dtype", ""))
    is_item = isinstance(call.func, ast.Attribute) and call.func.attr == "item"
    safe = is_item and is_always_traced(repair)
    edit = source.replace(call, text)
    return Fix(f"Keep the array `{value}`", Applicability.SAFE if safe else Applicability.UNSAFE, (edit,))


def _array(source: Source, call: ast.Call, dtype: str) -> tuple[str, str]:
    """What was converted, and what is left of the conversion."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS and not call.args:
        text = source.operand(call.func.value)
        return text, text
    if len(call.args) != 1 or isinstance(call.args[0], (ast.Starred, ast.GeneratorExp)):
        raise CannotFix
    text = source.operand(call.args[0])
    if isinstance(call.func, ast.Attribute) and call.func.attr == "index":
        return text, text  # operator.index
    if not isinstance(call.func, ast.Name) or call.func.id not in _LEFT_OUT:
        raise CannotFix
    name = call.func.id
    is_float_enough = name == "float" and dtype not in ("int", "bool")
    if is_float_enough or dtype in _LEFT_OUT[name]:
        return text, text
    return text, f"{text}.astype({name})"


def _is_passed_on(source: Source, call: ast.Call) -> bool:
    """Whether an integer goes to a function or into an index, which most likely needs one: a shape, an axis."""
    parent = source.parent(call)
    while isinstance(parent, (ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp, ast.keyword)):
        parent = source.parent(parent)
    return isinstance(parent, (ast.Call, ast.Subscript, ast.Slice))


def _needs_number(source: Source, call: ast.Call) -> bool:
    parent = source.parent(call)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Name) and parent.func.id in ("range", "str", "format", "print", "len")
    if isinstance(parent, (ast.Slice, ast.FormattedValue)):
        return True
    return isinstance(parent, ast.Subscript) and parent.slice is call
