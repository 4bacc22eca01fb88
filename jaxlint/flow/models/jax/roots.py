"""With what a traced function is entered: by callers nobody knows, who pass what they must, and then all they can."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Hashable, Iterator

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import (
    Array,
    ClassValue,
    Const,
    Function,
    HostArray,
    Instance,
    Key,
    Opaque,
    Partial,
    Transformed,
    Tuple,
    Union,
    Value,
    innermost,
)
from jaxlint.flow.models.jax import closed_options
from jaxlint.flow.models.jax.derived_receivers import receivers
from jaxlint.flow.models.jax.jitted_methods import check_receiver, takes_an_object
from jaxlint.flow.models.jax.transforms import has_axis, static_parameters
from jaxlint.flow.models.names import expectations
from jaxlint.flow.models.objects.declared import annotated, may_be_arrays
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.model import Abstracts


def enter(it: Interpreter, made: Transformed) -> None:
    """Runs a transformed function on unknown arguments: on all that it can be given if it is ``offered``, else on those
    that it must be given.  One that is called where it is made has no other callers."""
    function, _, named = innermost(made)
    if function is not None and not made.called_at_once and _can_be_called(function, named):
        check_receiver(it, made, function)
        with expectations.as_all_callers(it, function):
            for cls in receivers(it, made, function):
                args = _Root(it, made, function, cls).arguments()
                with it.scratch():  # each is another call, and what one leaves behind no other one finds
                    it.call(made, args, made.node)
        if made.offered:
            closed_options.note(it, made, args)


def _can_be_called(function: Function, named: frozenset[str]) -> bool:
    """Whether the function has all the parameters that partials have bound by name."""
    spec = function.node.args
    return spec.kwarg is not None or named.issubset(one.arg for one in (*spec.args, *spec.kwonlyargs))


def takes_more(it: Interpreter, made: Transformed) -> bool:
    """Whether a caller may pass more than a transformed function must be given."""
    function, _, _ = innermost(made)
    if function is None:
        return False
    return _Root(it, made, function, function.owner).can_be_given != {} or closed_options.has_options(it, made)


def place_of(made: Transformed, function: Function, ctx: Context) -> tuple[Hashable, ...]:
    """What tells one application of a transform from another: the same in another context of the caller, and on the
    same kinds of arguments, tells nothing new."""
    return (made.node, function.node, ctx.whole_signature, *_settings(made))


def _settings(value: Value) -> Iterator[Hashable]:
    """What transforms and partials around a function say of its arguments."""
    while isinstance(value, (Transformed, Partial)):
        if isinstance(value, Transformed):
            yield value.node, value.offered, *map(_setting, value.options.items())
        else:
            yield *map(_setting, enumerate(value.args)), *map(_setting, value.kwargs.items())
        value = value.function


def _setting(option: tuple[Hashable, Value]) -> Hashable:
    name, value = option
    return name, _constant(value)


def _constant(value: Value) -> Hashable:
    if isinstance(value, Tuple):
        return tuple(map(_constant, value.items))
    if isinstance(value, Const):
        return type(value.value), repr(value.value)
    return type(value).__name__


def _may_bind_more(value: Value) -> bool:
    """Whether a partial has bound something by names that nobody knows."""
    while isinstance(value, (Transformed, Partial)):
        if isinstance(value, Partial) and value.more:
            return True
        value = value.function
    return False


class _Root:
    """A transformed function of the project and its parameters.  ``receiver`` is the class of the object that a method
    is given."""

    def __init__(self, it: Interpreter, made: Transformed, function: Function, receiver: ClassValue | None) -> None:
        self.it = it
        self.receiver = receiver
        self.made = made
        self.function = function
        _, self.bound, self.named = innermost(made)
        spec = function.node.args
        self.ordered = [*spec.posonlyargs, *spec.args]
        self.required = len(self.ordered) - len(function.defaults)
        self.may_be_bound = _may_bind_more(made)  # all but the first one

    def arguments(self) -> Arguments:
        spec = self.function.node.args
        required = [*enumerate(self.ordered[: self.required])][self.bound :]
        if self.may_be_bound:
            return Arguments([self._required(*one) for one in required[:1]], assumed=True)
        # Behind one that a partial has bound by its name the others have to be named, too.
        in_order = [*itertools.takewhile(lambda row: row[1].arg not in self.named, required)]
        positional = [self._required(index, parameter) for index, parameter in in_order]
        named = {
            parameter.arg: self._required(index, parameter)
            for index, parameter in required[len(in_order) :]
            if parameter.arg not in self.named
        }
        named |= {
            parameter.arg: self._value(parameter)
            for parameter, default in zip(spec.kwonlyargs, self.function.kw_defaults)
            if default is None and parameter.arg not in self.named
        }
        if self.made.offered:
            given = self.can_be_given
            for index, parameter in enumerate(self.ordered[self.required :], self.required):
                if parameter.arg in given and len(positional) == index - self.bound:
                    positional.append(given.pop(parameter.arg))
            named.update(given)
        rest = Opaque(spec.vararg.arg) if spec.vararg is not None else None
        if rest is not None and not positional and self.made.wrapper.abstracts is Abstracts.DIFFERENTIATED:
            positional, rest = [rest], None  # what is differentiated is passed, and by position
        others = Opaque(spec.kwarg.arg) if spec.kwarg is not None else None
        return Arguments(positional, named, rest=rest, others=others, assumed=True)

    @property
    def can_be_given(self) -> dict[str, Value]:
        """What may be passed of what need not be, by name."""
        if self.may_be_bound:
            return {}
        spec, found = self.function.node.args, {}
        static = static_parameters(self.it, self.made)
        optional: list[tuple[ast.arg, Value | None, int]] = [
            *zip(self.ordered[self.required :], self.function.defaults, range(self.required, len(self.ordered))),
            *((parameter, default, -1) for parameter, default in zip(spec.kwonlyargs, self.function.kw_defaults)),
        ]
        for parameter, default, index in optional:
            if default is None or parameter.arg in self.named or 0 <= index < self.bound:
                continue
            if not has_axis(self.it, self.made, index - self.bound):
                continue
            if parameter.arg in static or self._may_be_traced(parameter, default):
                found[parameter.arg] = self._value(parameter)
        return found

    def _may_be_traced(self, parameter: ast.arg, default: Value) -> bool:
        """Whether a default is there to be replaced by arrays: a function, the name of a mode or a number that is
        not static is one that callers leave alone."""
        if self.made.wrapper.abstracts not in (Abstracts.ALL, Abstracts.MAPPED, Abstracts.NODES):
            return True
        if isinstance(default, Const) and default.value is None:
            return may_be_arrays(self.it, parameter, self.function)
        return isinstance(default, (Array, HostArray, Key))

    def _required(self, index: int, parameter: ast.arg) -> Value:
        function = self.function
        if index == 0 and function.owner is not None and function.receiver is None and function.kind in ("", "class"):
            if function.kind == "class":
                return function.owner
            if takes_an_object(self.it, self.made, function, parameter.arg):
                return Instance(self.receiver or function.owner, None, symbolic=True)
        return self._value(parameter)

    def _value(self, parameter: ast.arg) -> Value:
        """An argument of a traced function; one of several classes is a tree like any other."""
        value = annotated(self.it, parameter, self.function)
        return Opaque(parameter.arg) if isinstance(value, Union) else value
