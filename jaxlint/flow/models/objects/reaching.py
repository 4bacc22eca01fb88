"""What methods of the program's classes come to, by the text."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from jaxlint.flow.domain.values import ClassValue
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.mentioned import functions_of, reached, reached_in


def reached_from(it: Interpreter, line: Collection[ClassValue], roots: Iterable[str]) -> frozenset[str]:
    """The names that the methods ``roots`` of some classes mention, and what the functions and methods of the classes'
    modules by these names do in turn."""
    scopes, owners = [*{part.scope: None for part in line}], frozenset(part.name for part in line)
    if len(scopes) == 1:  # whatever else is edited in the module, the answer stays
        return it.ask_text(scopes[0], reached_in, frozenset(roots), owners)
    return reached([one for scope in scopes for one in it.ask_text(scope, functions_of)], roots, owners)
