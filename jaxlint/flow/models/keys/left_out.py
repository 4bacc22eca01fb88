"""Whether a use of a key stands where only an option leads that no call in the program gives."""

from __future__ import annotations

import ast

from jaxlint.flow.models.keys.meant import Pair
from jaxlint.flow.models.names.imports import scope_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.left_out import is_given, options_of


def is_left_out(it: Interpreter, pair: Pair) -> bool:
    """Whether one of two uses is come to by an option alone that all who call the function leave out."""
    name = pair.root.name if isinstance(pair.root, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""
    options = {option for node in (pair.earlier, pair.later) for option in options_of(pair.root, node)}
    asked = ((name, parameter, str(position)) for parameter, position in sorted(options))
    return any(it.ask_program(is_never_given, *about) for about in asked)


def is_never_given(it: Interpreter, function: str, parameter: str, position: str) -> bool:
    """Whether modules of the program call functions of that name, and all without the option."""
    answers = set()
    for name in it.program.modules:
        scope = scope_of(it, name)
        answers.add(it.ask_text(scope, is_given, function, parameter, int(position)) if scope is not None else True)
    return answers <= {None, False} and False in answers
