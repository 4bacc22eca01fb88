"""`match`: which cases can run, what their patterns bind, and what the patterns ask of the subject and of its parts."""

from __future__ import annotations

import ast
import builtins

from jaxlint.flow.domain.values import (
    ABSTRACT,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    Function,
    Instance,
    Opaque,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import arrays, conditions
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.python.attributes import get_attribute
from jaxlint.flow.models.python.items import get_item, unpack
from jaxlint.flow.port import Interpreter

Question = tuple[ast.pattern, Value]
"""A pattern that is a value, and what it is compared with."""


def match(it: Interpreter, node: ast.Match) -> None:
    """Runs each case that may fit under what its pattern binds, and joins the paths that arrive."""
    subject = it.eval(node.subject)
    origin = it.state
    arrived = []
    is_certain, exhaustive = True, False
    for case in node.cases:
        it.state, it.alive = origin.fork(), True
        asked: list[Question] = []
        fits = _fits(it, case.pattern, subject, asked)
        if asked and is_certain:
            arrays.truth(it, asked[0][1], asked[0][0], "match")
        # one question is enough, and what an unknown class takes does not come here
        is_certain = (
            is_certain and not asked and not (fits is None and isinstance(_whole(case.pattern), ast.MatchClass))
        )
        if fits is False:
            continue
        _bind(it, case.pattern, subject)
        if case.guard is not None:
            conditions.condition(it, case.guard, "if")
            it.alive = conditions.assume(it, case.guard, True)
        if it.alive:
            it.state.guards |= conditions.case_guards(it, node, case, subject)
            it.exec_block(case.body)
        if it.alive:
            arrived.append(it.state)
        if fits and case.guard is None:
            exhaustive = True
            break
    if not exhaustive:
        arrived.append(origin)
    it.settle(arrived)


def _whole(pattern: ast.pattern) -> ast.pattern:
    """What a pattern asks for, without the name that it gives it."""
    return pattern.pattern if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None else pattern


def _fits(it: Interpreter, pattern: ast.pattern, subject: Value, asked: list[Question]) -> bool | None:
    """Whether a pattern fits for sure, cannot fit, or may (None); what is compared on the way is added to ``asked``."""
    pattern = _whole(pattern)
    if isinstance(pattern, (ast.MatchAs, ast.MatchStar)):
        return True
    if isinstance(pattern, ast.MatchOr):
        options = [_fits(it, option, subject, asked) for option in pattern.patterns]
        return True if True in options else None if None in options else False
    if isinstance(pattern, ast.MatchSingleton):
        return _is_one_of(subject, pattern.value)
    if isinstance(pattern, ast.MatchValue):
        return _equals(it, pattern, subject, asked)
    if isinstance(subject, Array) and not isinstance(pattern, ast.MatchClass):
        return False  # no array is a sequence or a mapping to Python
    with it.quiet(), it.scratch():
        if isinstance(pattern, ast.MatchSequence):
            return _fits_sequence(it, pattern, subject, asked)
        if isinstance(pattern, ast.MatchMapping):
            values = [get_item(it, subject, it.eval(key), pattern) for key in pattern.keys]
            return _fit_all(it, pattern.patterns, values, asked) and None
        assert isinstance(pattern, ast.MatchClass)
        is_instance = _is_instance(it, pattern, subject)
        parts = _parts(it, pattern, subject) if is_instance else []
        return is_instance and _fit_all(it, [part for part, _ in parts], [value for _, value in parts], asked)


def _is_one_of(subject: Value, constant: bool | None) -> bool | None:
    """Whether a value is None, True or False, as a pattern asks for it."""
    if isinstance(subject, Const):
        return subject.value is constant
    return False if isinstance(subject, (Array, Tuple, Container, Instance, Function)) else None


def _equals(it: Interpreter, pattern: ast.MatchValue, subject: Value, asked: list[Question]) -> bool | None:
    with it.quiet(), it.scratch():
        value = it.eval(pattern.value)
    if isinstance(subject, Const) and isinstance(value, Const):
        return bool(subject.value == value.value)
    if isinstance(value, Const) and isinstance(value.value, str) and isinstance(subject, Array):
        return False  # JAX does not compare an array with a text
    asked.append((pattern, subject))
    return None


def _fits_sequence(it: Interpreter, pattern: ast.MatchSequence, subject: Value, asked: list[Question]) -> bool | None:
    known = isinstance(subject, (Tuple, Container)) and known_items(it, subject, KNOWN_ITEMS.value)
    if not known:
        return None
    star = next((i for i, part in enumerate(pattern.patterns) if isinstance(part, ast.MatchStar)), None)
    least = len(pattern.patterns) - (star is not None)
    if len(known) < least or (star is None and len(known) > least):
        return False
    return _fit_all(it, pattern.patterns, unpack(it, subject, len(pattern.patterns), star, pattern), asked)


def _fit_all(it: Interpreter, patterns: list[ast.pattern], values: list[Value], asked: list[Question]) -> bool | None:
    """The same for parts, which are looked at in order until one does not fit."""
    for pattern, value in zip(patterns, values):
        if (fits := _fits(it, pattern, value, asked)) is not True:
            return fits
    return True


def _is_instance(it: Interpreter, pattern: ast.MatchClass, subject: Value) -> bool | None:
    cls = it.eval(pattern.cls)
    if isinstance(cls, ClassValue):
        own = subject.cls if isinstance(subject, (Instance, Tuple)) else None
        return True if own is not None and cls in classes.linearized(own) else None
    if not isinstance(cls, External):
        return None
    if isinstance(subject, Array) and subject.level == ABSTRACT and cls.name in _ARRAYS:
        return _ARRAYS[cls.name]
    kind = getattr(builtins, cls.name.removeprefix("builtins."), None) if cls.name.startswith("builtins.") else None
    if not isinstance(kind, type):
        return None
    if isinstance(subject, Const):
        return isinstance(subject.value, kind)
    return False if isinstance(subject, Array) and kind is not object else None


_ARRAYS = {"jax.Array": True, "jax.core.Tracer": True, "numpy.ndarray": False, "numpy.generic": False}
"""Whether what is traced is an instance of a class."""


def _parts(it: Interpreter, pattern: ast.MatchClass, subject: Value) -> list[tuple[ast.pattern, Value]]:
    """The patterns inside one for a class, with the attributes that they are for; `int(x)` is for the object itself."""
    cls = it.eval(pattern.cls)
    fields = (classes.fields_in_order(cls) if isinstance(cls, ClassValue) else None) or ()
    parts: list[tuple[ast.pattern, Value]] = []
    for number, part in enumerate(pattern.patterns):
        if number < len(fields):
            parts.append((part, get_attribute(it, subject, fields[number], pattern)))
        elif isinstance(cls, External) and cls.name.startswith("builtins."):
            parts.append((part, subject))
        else:
            parts.append((part, Opaque("a matched part")))
    for name, part in zip(pattern.kwd_attrs, pattern.kwd_patterns):
        parts.append((part, get_attribute(it, subject, name, pattern)))
    return parts


def _bind(it: Interpreter, pattern: ast.pattern, subject: Value) -> None:
    """Binds the names of a pattern to what they stand for."""
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            _bind(it, pattern.pattern, subject)
        if pattern.name:
            it.bind(pattern.name, subject)
    elif isinstance(pattern, ast.MatchSequence):
        star = next((i for i, p in enumerate(pattern.patterns) if isinstance(p, ast.MatchStar)), None)
        with it.quiet():
            parts = unpack(it, subject, len(pattern.patterns), star, pattern)
        for part, value in zip(pattern.patterns, parts):
            _bind(it, part, value)
    elif isinstance(pattern, ast.MatchStar):
        if pattern.name:
            it.bind(pattern.name, subject)
    elif isinstance(pattern, ast.MatchMapping):
        for key, part in zip(pattern.keys, pattern.patterns):
            _bind(it, part, get_item(it, subject, it.eval(key), pattern))
        if pattern.rest:
            it.bind(pattern.rest, Opaque(pattern.rest))
    elif isinstance(pattern, ast.MatchClass):
        for part, value in _parts(it, pattern, subject):
            _bind(it, part, value)
    elif isinstance(pattern, ast.MatchOr):
        for part in pattern.patterns:
            _bind(it, part, subject)
