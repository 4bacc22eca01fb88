"""Text that is put together by f-strings, `%`, `str.format` or the arguments of print, as one template for str.format.

`jax.debug.print` fills in a template when the program runs.  What Python knows while it traces (a shape, a dtype) is
left to an f-string, because the template would be given arrays of it.
"""

from __future__ import annotations

import ast
import itertools
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from jaxlint.fixes.source import CannotFix


@dataclass(frozen=True)
class Field:
    """A placeholder: the code of what fills it, and how it is shown."""

    code: str
    is_static: bool
    conversion: str = ""
    spec: str = ""

    @property
    def shown(self) -> str:
        return (f"!{self.conversion}" if self.conversion else "") + (f":{self.spec}" if self.spec else "")


Piece = str | Field

_STATIC_ATTRIBUTES = frozenset(("shape", "dtype", "ndim", "size", "__name__"))
_STATIC_FUNCTIONS = frozenset(("len", "type"))
_PERCENT = re.compile(r"%(?P<flags>[-0+ ]*)(?P<width>(?:[1-9]\d*)?)(?P<precision>\.\d+)?(?P<kind>[sridefgEFG%])")


def pieces_of(node: cst.BaseExpression) -> list[Piece]:
    """What an expression would print.  Raises CannotFix for formats that str.format does not have."""
    if (text := _constant(node)) is not None:
        return [_plain(text)]
    if isinstance(node, cst.ConcatenatedString):
        return [*pieces_of(node.left), *pieces_of(node.right)]
    if isinstance(node, cst.FormattedString):
        return [piece for part in node.parts for piece in _parts(node, part)]
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
        template = _constant(node.left)
        if template is not None:
            return list(percent(template, _operands(node.right)))
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "format":
        template = _constant(node.func.value)
        if template is not None:
            return list(_formatted(template, node.args))
    return [field(node)]


def field(node: cst.BaseExpression, conversion: str = "", spec: str = "") -> Field:
    """A placeholder for an expression.  Raises CannotFix for one that cannot be an argument as it stands."""
    if isinstance(node, (cst.Yield, cst.Await, cst.NamedExpr, cst.FormattedString)):
        raise CannotFix
    code = _code(node)
    if isinstance(node, (cst.Tuple, cst.GeneratorExp)) and not node.lpar:
        code = f"({code})"
    return Field(code, _is_static(node) and not set(code) & set("\"'{}\\\n#"), conversion, spec)


def percent(template: str, operands: Sequence[cst.BaseExpression]) -> Iterator[Piece]:
    """The pieces of `template % operands`."""
    left = list(operands)
    end = 0
    for found in _PERCENT.finditer(template):
        yield _plain(template[end : found.start()])
        end = found.end()
        if found["kind"] == "%":
            yield _plain("%")
        elif not left:
            raise CannotFix
        else:
            yield field(left.pop(0), *_conversion(found))
    if left or "%" in template[end:]:
        raise CannotFix
    yield _plain(template[end:])


def _conversion(found: re.Match[str]) -> tuple[str, str]:
    """A conversion of `%` in the words of str.format, which aligns text to the left and refuses 1.0 for `d`."""
    flags, width, precision, kind = found["flags"], found["width"], found["precision"] or "", found["kind"]
    alignment = ("<" if "-" in flags else ">") if width and (kind in "sr" or "-" in flags) else ""
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zeros = "0" if "0" in flags and not alignment else ""
    if kind in "sr":
        spec = f"{alignment}{width}{precision}"
        return ("r" if kind == "r" else "s" if spec else ""), spec
    if kind in "id":
        shown = f"{alignment}{sign}{zeros}{width}"
        return "", f"{shown}d" if shown else ""
    return "", f"{alignment}{sign}{zeros}{width}{precision}{kind}"


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, cst.Tuple):
        return [_element(element) for element in node.elements]
    if isinstance(node, cst.Dict):
        raise CannotFix
    return [node]


def _element(element: cst.BaseElement) -> cst.BaseExpression:
    if isinstance(element, cst.StarredElement):
        raise CannotFix
    return element.value


def _formatted(template: str, arguments: Sequence[cst.Arg]) -> Iterator[Piece]:
    """The pieces of `template.format(arguments)`."""
    values: dict[str, cst.BaseExpression] = {}
    for position, argument in enumerate(arguments):
        if argument.star:
            raise CannotFix
        values[argument.keyword.value if argument.keyword else str(position)] = argument.value
    numbers = itertools.count()
    for text, name, spec, conversion in fields_of(template):
        yield _plain(text)
        if name is not None:
            found = values.get(name or str(next(numbers)))
            if found is None or "{" in (spec or ""):
                raise CannotFix
            yield field(found, conversion or "", spec or "")


def fields_of(template: str) -> list[tuple[str, str | None, str | None, str | None]]:
    """A template as str.format reads it.  Raises CannotFix where it would not."""
    try:
        return list(string.Formatter().parse(template))
    except ValueError:
        raise CannotFix from None


def _parts(around: cst.FormattedString, part: cst.BaseFormattedStringContent) -> Iterator[Piece]:
    if isinstance(part, cst.FormattedStringText):
        prefix = "r" if "r" in around.prefix.lower() else ""
        yield str(ast.literal_eval(f"{prefix}{around.quote}{part.value}{around.quote}"))  # braces stay doubled
        return
    assert isinstance(part, cst.FormattedStringExpression), "the other kind"
    spec = ""
    for piece in part.format_spec or ():
        if not isinstance(piece, cst.FormattedStringText):
            raise CannotFix  # `{x:{width}}`
        spec += piece.value
    if part.equal is not None:
        yield _plain(_code(part.expression) + _code(part.equal))
    yield field(part.expression, part.conversion or "", spec)


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _constant(node: cst.BaseExpression) -> str | None:
    value = node.evaluated_value if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)) else None
    return value if isinstance(value, str) else None


def _is_static(node: cst.BaseExpression) -> bool:
    """Whether an expression is one whose value a tracer knows."""
    if isinstance(node, cst.Attribute):
        return node.attr.value in _STATIC_ATTRIBUTES
    if isinstance(node, cst.Subscript):
        return _is_static(node.value)
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in _STATIC_FUNCTIONS


def written(pieces: Sequence[Piece], quote: str = '"') -> str:
    """The template and its arguments as they stand in a call of `jax.debug.print`.

    Raises CannotFix for a brace before the first placeholder: jax 0.10 takes that for a text without placeholders.
    """
    if _begins_with_brace(pieces):
        raise CannotFix
    deferred = [piece for piece in pieces if isinstance(piece, Field) and not piece.is_static]
    is_fstring = any(isinstance(piece, Field) and piece.is_static for piece in pieces)
    text = ""
    for piece in pieces:
        if isinstance(piece, Field) and piece.is_static:
            text += f"{{{piece.code}{piece.shown}}}"
            continue
        literal = f"{{{piece.shown}}}" if isinstance(piece, Field) else piece
        text += _plain(_escaped(literal, quote)) if is_fstring else _escaped(literal, quote)
    return ", ".join([f"{'f' if is_fstring else ''}{quote}{text}{quote}", *(piece.code for piece in deferred)])


def _begins_with_brace(pieces: Sequence[Piece]) -> bool:
    for piece in pieces:
        if isinstance(piece, Field) and not piece.is_static:
            return False
        if isinstance(piece, str) and ("{" in piece or "}" in piece):
            return True
    return False


def _escaped(text: str, quote: str) -> str:
    """What stands between the quotes of a literal."""
    shown = repr(text + '"')[1:-2]  # with a double quote in it, repr uses single ones
    return shown.replace("\\'", "'").replace(quote, f"\\{quote}")


def quote_of(nodes: Sequence[cst.BaseExpression]) -> str:
    """The quotation mark that strings are written with."""
    for node in nodes:
        while isinstance(node, (cst.BinaryOperation, cst.ConcatenatedString)):
            node = node.left
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            node = node.func.value
        if isinstance(node, (cst.SimpleString, cst.FormattedString)):
            return node.quote[0]
    return '"'


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
