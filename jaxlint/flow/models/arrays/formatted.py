"""Values that are written by a format specification, which asks a tracer for the number that it does not have.

`"{}".format(x)` and `"%s" % x` only give the text of a tracer; so do `{x!r:>20}` and a colon that is not in a field.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Tree, Tuple, Value
from jaxlint.flow.models.arrays import handed_back
from jaxlint.flow.port import Interpreter


def check_format(it: Interpreter, value: Value, has_spec: bool, node: ast.AST, how: str) -> None:
    """A value is formatted, with or without a specification."""
    if has_spec:
        handed_back.check_number(it, value, node)
    if has_spec and isinstance(value, (Array, Tree)) and value.level and getattr(value, "sure", True):
        it.emit(events.Formatted(node, value, how))


def check_method(it: Interpreter, template: str, args: Arguments, node: ast.AST) -> None:
    """`template.format(...)`."""
    for value in _specified(template, args):
        check_format(it, value, True, node, "str.format")


def check_percent(it: Interpreter, template: str, right: Value, node: ast.AST) -> None:
    """`template % right`."""
    for value in _converted(template, right):
        check_format(it, value, True, node, "%")


def _specified(template: str, args: Arguments) -> Iterator[Value]:
    """The arguments that the fields of a template format by a specification; of parts of arguments nothing is told."""
    following = 0
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:  # a single brace: no such call works
        return
    for _, name, specification, conversion in fields:
        if name is None:
            continue
        if not name:
            name, following = str(following), following + 1
        following += len(list(filter(_is_counted, string.Formatter().parse(specification or ""))))
        if specification and conversion is None:
            value = args.get(int(name), "") if name.isdecimal() else args.named.get(name)
            if value is not None and not args.open_ended:
                yield value


def _is_counted(field: tuple[str, str | None, str | None, str | None]) -> bool:
    """Whether what stands inside a specification takes the next argument."""
    return field[1] == ""


_CONVERSION = re.compile(r"%[-+ #0]*(?P<width>\*|(?:[1-9]\d*)?)(?:\.(?P<digits>\*|\d*))?[hlL]?(?P<kind>[a-zA-Z%])")
_NUMBERS = frozenset("diouxXeEfFgGc")


def _converted(template: str, right: Value) -> Iterator[Value]:
    """The values that a template converts to numbers; of those of a mapping nothing is told."""
    conversions = [match for match in _CONVERSION.finditer(template) if match["kind"] != "%"]
    if "%(" in template or any("*" in (match["width"], match["digits"]) for match in conversions):
        return
    values = right.items if isinstance(right, Tuple) else (right,)
    for match, value in zip(conversions, values):
        if match["kind"] in _NUMBERS:
            yield value
