"""What `jax.jit` is told of the parameters of a function, against what the function has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Const, Function, Partial, Transformed, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.project.lifted import decorators

_CHECKING = frozenset(("jax.jit", "jax.experimental.pjit.pjit", "flax.nnx.jit"))
"""What compares its options with the function at once; `jax.pmap` waits for a call."""
_NUMBERS, _NAMES = ("static_argnums", "donate_argnums"), ("static_argnames", "donate_argnames")


class _Parameters:
    """The parameters that a function has for those who call it, positional ones by position."""

    def __init__(self, function: Function, bound: int, filled: frozenset[str]) -> None:
        spec = function.node.args
        positional = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        self.only_positional = {parameter.arg for parameter in spec.posonlyargs}
        self.positional = positional[bound:]
        self.count = len([name for name in self.positional if name not in filled])
        self.names = {*self.positional, *(parameter.arg for parameter in spec.kwonlyargs)}
        self.any_number = spec.vararg is not None
        self.any_name = spec.kwarg is not None


def check_options(it: Interpreter, made: Transformed) -> bool:
    """A function is compiled here: whether the options speak of parameters that it has, as far as is known."""
    function, bound, filled = _described(made)
    if function is None or made.name not in _CHECKING or not _is_its_own(function, made):
        return True
    has = _Parameters(function, bound, filled)
    for option, wrong, how in (*_wrong_numbers(it, made, has), *_wrong_names(it, made, has), *_both(it, made, has)):
        it.emit(events.WrongParameter(made.node, made.name, function.name, option, wrong, how, tuple(has.positional)))
        return False
    return True


def _described(made: Transformed) -> tuple[Function | None, int, frozenset[str]]:
    """The function whose signature `inspect` finds, with how many arguments, and which, are bound already."""
    bound, filled, value = 0, frozenset[str](), made.function
    while isinstance(value, (Partial, Transformed)):
        if isinstance(value, Partial):
            bound += len(value.args)
            filled |= value.kwargs.keys()
        elif value.receiver is not None or not value.name.startswith("jax."):
            return None, 0, filled
        value = value.function
    if not isinstance(value, Function):
        return None, 0, filled
    return value, bound + (value.receiver is not None), filled


def _is_its_own(function: Function, made: Transformed) -> bool:
    """Whether the parameters are those that are written: a decorator around the function may have others."""
    others = decorators(function.node)
    given = made.node.args[0] if isinstance(made.node, ast.Call) and made.node.args else None
    if isinstance(given, ast.Attribute) and given.attr == "__wrapped__" and made.function is function:
        return len(others) <= 1
    return not others or made.node is others[-1]


def _wrong_numbers(it: Interpreter, made: Transformed, has: _Parameters) -> Iterator[tuple[str, object, str]]:
    for option in _NUMBERS:
        for number in _given(it, made.options.get(option)):
            if isinstance(number, str):
                yield option, number, "no number"
            elif isinstance(number, int) and not has.any_number and not -has.count <= number < has.count:
                yield option, number, "no such number"


def _wrong_names(it: Interpreter, made: Transformed, has: _Parameters) -> Iterator[tuple[str, object, str]]:
    for option in _NAMES:
        for name in _given(it, made.options.get(option)):
            if isinstance(name, int):
                yield option, name, "no name"
            elif isinstance(name, str) and name not in has.names and not has.any_name:
                yield option, name, "no such name"
            elif isinstance(name, str) and name in has.only_positional:
                yield option, name, "only positional"


def _both(it: Interpreter, made: Transformed, has: _Parameters) -> Iterator[tuple[str, object, str]]:
    """Parameters that are said to be static and to be donated."""
    told = []
    for numbers, names in zip(_NUMBERS, _NAMES):
        positions = [number for number in _given(it, made.options.get(numbers)) if isinstance(number, int)]
        known = {has.positional[number] for number in positions if -has.count <= number < has.count}
        told.append(known | {name for name in _given(it, made.options.get(names)) if isinstance(name, str)})
    for name in sorted(told[0] & told[1]):
        yield "donate_argnames", name, "static too"


def _given(it: Interpreter, value: Value | None) -> list[object]:
    """The constants that an option is given; none where one is not known."""
    if value is None:
        return []
    items = [value] if isinstance(value, Const) else known_items(it, value, KNOWN_ITEMS.value)
    if items is None or not all(isinstance(item, Const) for item in items):
        return []
    found = [item.value for item in items if isinstance(item, Const)]
    return [one for one in found if one is not None and not isinstance(one, bool)]
