"""Calls made up from a function's signature and source, tried one after the other and led by what went wrong."""

from __future__ import annotations

import ast
import inspect
import re
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

import jax

from jaxlint.dynamic.inputs.annotations import build, hints, is_key_hint
from jaxlint.dynamic.inputs.calls import Call, shown
from jaxlint.dynamic.inputs.names import Maker, maker_by_name
from jaxlint.dynamic.inputs.usage import Use, definition, parsed, uses
from jaxlint.dynamic.inputs.values import (
    FIRST,
    GIVEN,
    KEPT,
    OTHER,
    AnyFunction,
    AnyObject,
    Choice,
    Unknown,
    array,
    free_array,
    key,
)
from jaxlint.dynamic.observations import Origin

MOST_ATTEMPTS = 14

_LATTICE = (
    (KEPT, Choice((3,))),
    (KEPT, Choice(())),
    (KEPT, Choice((3, 3))),
    (GIVEN, Choice((3,))),
    (FIRST, Choice((3,))),
    (OTHER, Choice((3,))),
    (KEPT, Choice((3, 3), integers=(3,))),  # a label for each row
    (KEPT, Choice((2, 3, 4))),
    (OTHER, Choice((3, 3))),
    (KEPT, Choice((1, 2, 3, 4))),
    (KEPT, Choice((3,), "int32")),
    (KEPT, Choice((), "int32")),
    (KEPT, Choice((3,), "bool")),
)

_FILE_VERBS = frozenset(
    "save load write read remove delete download upload open dump export restore unlink rmdir mkdir rename move "
    "copyfile exec system shell spawn kill".split()
)
_FILE_NOUNS = frozenset("path paths file files filename filenames dir directory folder".split())
_ARRAY_ATTRIBUTES = frozenset(dir(jax.Array)) | {"weak_type"}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What came of the last call: ``suspects`` are the parameters whose value was asked for by name."""

    finished: bool
    error: str = ""
    suspects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """How one parameter gets its value.

    ``sure``: an annotation, a default or an assertion says so.  ``if_traced`` makes the value for the question what
    happens when a parameter that looks static is traced.
    """

    name: str
    kind: Any
    make: Maker
    sure: bool
    reason: str = ""
    if_traced: Maker | None = None


def touches_files(name: str) -> bool:
    """Whether a function of this name may read, write or delete files: it is never called with made-up arguments."""
    return not _FILE_VERBS.isdisjoint(_words(name))


def names_file(name: str) -> bool:
    return not _FILE_NOUNS.isdisjoint(_words(name)) or touches_files(name)


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.split(r"[_.]|(?<=[a-z])(?=[A-Z])", name)]


def candidates(function: Callable[..., Any], known: dict[str, Any] | None = None) -> Generator[Call, Feedback, None]:
    """Calls of the function, likeliest first; send back what came of each.

    ``known`` are the values of parameters that somebody else determined.  Nothing is yielded for a function that
    may touch files or whose parameters cannot be made up.
    """
    if touches_files(getattr(function, "__name__", "")):
        return
    try:
        plans = {defaults: plan(function, known or {}, defaults) for defaults in (KEPT, GIVEN, FIRST, OTHER)}
    except (Unknown, ValueError, TypeError):
        return
    strings = any(isinstance(one.make(Choice()), str) for one in plans[KEPT])
    if strings and names_file(getattr(function, "__name__", "")):
        return  # the path of a tree is no file, the path of a string may be one
    queue = deque((defaults, replace(choice, dims={})) for defaults, choice in _LATTICE)
    tried: set[str] = set()
    left = MOST_ATTEMPTS
    while queue and left > 0:
        defaults, choice = queue.popleft()
        retry: deque[Choice] = deque()
        try:
            call = _call(plans[defaults], choice)
        except Unknown:
            return
        text = shown((call.args, call.kwargs))
        if text in tried:
            continue
        tried.add(text)
        left -= 1
        feedback = yield call
        if not feedback.finished:
            plans[defaults] = _corrected(plans[defaults], choice, feedback.error, retry)
            queue.extendleft((defaults, one) for one in retry)
            continue
        for variant in _variants(plans[defaults], feedback) if defaults == KEPT else ():
            made = replace(_call(variant, choice), is_variant=True)
            if (text := shown((made.args, made.kwargs))) not in tried:
                tried.add(text)
                left -= 1
                yield made


def plan(function: Callable[..., Any], known: dict[str, Any], defaults: str = KEPT) -> list[Plan]:
    """How each parameter that must be given gets its value.  Raises `Unknown` for one that touches files."""
    parameters = inspect.signature(function).parameters
    hinted, read, static = hints(function), uses(function), static_names(function)
    plans: list[Plan] = []
    omitted = has_given = False
    for name, parameter in parameters.items():
        hint, use = hinted.get(name, parameter.empty), read.get(name, Use())
        one: Plan | None = None
        if name in known:
            one = Plan(name, parameter.kind, _always(known[name]), sure=True)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            if len(parameters) == 1:
                one = Plan(name, parameter.kind, free_array, sure=False)
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD:
            one = _plan_one(name, hint, use, name in static)
        elif defaults != KEPT and not (defaults == FIRST and has_given):
            one = _instead(name, parameter.default, defaults, hint, use)
            has_given = one is not None
        if one is None:
            omitted = omitted or parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            continue
        by_name = omitted and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        plans.append(replace(one, kind=parameter.KEYWORD_ONLY if by_name else parameter.kind))
    return plans


def _instead(name: str, default: Any, defaults: str, hint: Any, use: Use) -> Plan | None:
    """What a parameter that has a default gets instead of it; None: nothing, the default is kept."""
    kind = inspect.Parameter.KEYWORD_ONLY
    if defaults in (GIVEN, FIRST) and default is None:
        try:
            return replace(_plan_one(name, hint, use, False), sure=False, reason="instead of None")
        except Unknown:
            return None
    other = not default if isinstance(default, bool) else next((one for one in use.strings if one != default), None)
    if defaults == OTHER and isinstance(default, (bool, str)) and other is not None:
        return Plan(name, kind, _always(other), sure=False, reason=f"instead of {default!r}")
    return None


def _plan_one(name: str, hint: Any, use: Use, static: bool) -> Plan:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if names_file(name) and hint not in (jax.Array, int, float):
        raise Unknown(f"{name} names a file")
    if use.asserted:
        return Plan(name, kind, _asserted(use), sure=True)
    if is_key_hint(use.annotation):
        return Plan(name, kind, key, sure=True)
    if hint is not inspect.Parameter.empty:
        made = _annotated(hint)
        if made is not None and not (static and made is free_array):
            return _refined(Plan(name, kind, made, sure=True, if_traced=_TRACED.get(hint)), use)
    make, reason = _used(use)
    if make is None:
        make, reason = maker_by_name(name)
        reason = reason and f"{reason}, by its name"
    if static and (make is free_array or _is_traced(make)):
        make, reason = _always(2), "static"
    number = not static and isinstance(make(Choice()), int)
    guess = Plan(name, kind, make, sure=False, reason=reason, if_traced=_TRACED[int] if number else None)
    return _refined(guess, use)


def _always(value: Any) -> Maker:
    return lambda choice: value


_TRACED: dict[Any, Maker] = {
    int: lambda choice: array((), "int32"),
    float: lambda choice: array((), "float32"),
    bool: lambda choice: array((), "bool"),
}


def _is_traced(make: Maker) -> bool:
    return isinstance(make(Choice()), jax.ShapeDtypeStruct)


def _annotated(hint: Any) -> Maker | None:
    """Values of the annotation; `free_array` itself where it only says "an array", None where it says nothing."""
    try:
        first, second = (build(hint, Choice(shape)) for shape in ((3,), (2, 3, 4)))
    except Unknown:
        return None
    if isinstance(first, jax.ShapeDtypeStruct) and (first.shape, second.shape) == ((3,), (2, 3, 4)):
        return free_array
    return lambda choice: build(hint, choice)


def _refined(found: Plan, use: Use) -> Plan:
    """An array or a string of which only that is known, with the meaning that source and name give it."""
    if found.sure and isinstance(found.make(Choice()), str):
        named, reason = maker_by_name(found.name)
        better = _always(use.strings[0]) if use.strings else named if reason else found.make
        return replace(found, make=better)
    if found.make is not free_array:
        return found
    if found.sure:
        make, reason = maker_by_name(found.name)
        if reason and _is_traced(make):
            return replace(found, make=make)
        if use.called or any(name not in _ARRAY_ATTRIBUTES for name in use.attributes):
            make_used, reason = _used(use)
            return replace(found, make=make_used or free_array, sure=False, reason=reason)
    if use.rank is not None:
        rank = use.rank
        return replace(found, make=lambda choice: array(_sizes(rank, choice), choice.dtype), reason=f"rank {rank}")
    return found


def _sizes(rank: int, choice: Choice) -> tuple[int, ...]:
    return choice.shape if len(choice.shape) == rank else (3,) * rank


def _asserted(use: Use) -> Maker:
    def make(choice: Choice) -> Any:
        shape = choice.shape
        if use.shape is not None:
            shape = tuple(3 if size is None else size for size in use.shape)
        elif use.rank is not None:
            shape = (3,) * use.rank
        return array(shape, use.dtype or choice.dtype)

    return make


def _used(use: Use) -> tuple[Maker | None, str]:
    """What a parameter must be to be used as the source uses it."""
    attributes = use.attributes - _ARRAY_ATTRIBUTES
    if use.called:
        return _always(AnyFunction("fn", count=use.returns)), "a function, because it is called"
    if attributes and not use.attributes & {"shape", "dtype", "ndim"}:
        names = sorted(attributes)
        return (lambda choice: _object(names, use.methods, choice)), f"an object with {', '.join(names)}"
    if use.items:
        items = tuple(dict.fromkeys(use.items))
        return (lambda choice: {item: maker_by_name(item)[0](choice) for item in items}), "a dict"
    if use.unpacked:
        return (lambda choice: (free_array(choice),) * use.unpacked), f"{use.unpacked} things, as unpacked"
    if use.strings:
        return _always(use.strings[0]), "a string it is compared with"
    if use.size:
        return _always(2), "static, because it is a size"
    return None, ""


def used_as(name: str, use: Use, choice: Choice) -> Any:
    """Something of this name that can be used in this way."""
    make, _ = _used(use)
    return (make or maker_by_name(name)[0])(choice)


def _object(attributes: list[str], methods: dict[str, int], choice: Choice) -> AnyObject:
    """The attributes by their names: methods are functions, the rest whatever the name says."""
    made: dict[str, Any] = {}
    for name in attributes:
        if name in methods or name in _METHODS:
            made[name] = AnyFunction(name, count=methods.get(name) or _METHODS.get(name, 0))
        else:
            made[name] = maker_by_name(name)[0](choice)
    return AnyObject(made)


_METHODS = {"init": 0, "apply": 0, "update": 2, "init_fn": 0, "apply_fn": 0, "update_fn": 2}
"""Attributes that are functions by custom, also where nobody calls them here, and how many values they return."""


def _call(plans: list[Plan], choice: Choice) -> Call:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for one in plans:
        value = one.make(choice)
        if one.kind is inspect.Parameter.KEYWORD_ONLY:
            kwargs[one.name] = value
        else:
            args.append(value)
    words = tuple(
        f"{one.name} is {shown(one.make(choice))}" + (f" ({one.reason})" if one.reason else "")
        for one in plans
        if not one.sure
    )
    origin = Origin.SYNTHESISED if words or any(one.make is free_array for one in plans) else Origin.ANNOTATED
    return Call(tuple(args), kwargs, origin, words)


# ---------------------------------------------------------------------------------------------- feedback


def _corrected(plans: list[Plan], choice: Choice, error: str, queue: deque[Choice]) -> list[Plan]:
    """The plans after a failure whose message says what would have been right; the same choice is then tried again."""
    for pattern, correct in _CORRECTIONS:
        if re.search(pattern, error):
            corrected = correct(plans, choice, queue)
            if corrected is not None:
                return corrected
    return plans


def _with_function(plans: list[Plan], choice: Choice, queue: deque[Choice]) -> list[Plan] | None:
    """Something that is no function was called: the next parameter that nothing is known of is one."""
    for position, one in enumerate(plans):
        if one.make is free_array and not one.sure:
            called = replace(one, make=_always(AnyFunction("fn")), reason="a function: without one it fails")
            queue.appendleft(choice)
            return [*plans[:position], called, *plans[position + 1 :]]
    return None


def _first(**fields: Any) -> Callable[[list[Plan], Choice, deque[Choice]], list[Plan] | None]:
    def correct(plans: list[Plan], choice: Choice, queue: deque[Choice]) -> list[Plan] | None:
        wanted = replace(choice, dims={}, **fields)
        if all(getattr(choice, name) == value for name, value in fields.items()):
            return None
        queue.appendleft(wanted)
        return plans

    return correct


def _unpackable(plans: list[Plan], choice: Choice, queue: deque[Choice]) -> list[Plan] | None:
    queue.appendleft(Choice((2,), choice.dtype))
    return plans


_CORRECTIONS: tuple[tuple[str, Callable[[list[Plan], Choice, deque[Choice]], list[Plan] | None]], ...] = (
    (r"not callable", _with_function),
    (r"integer|\bint(8|16|32|64)?\b.*(dtype|type)|must have .*int", _first(dtype="int32")),
    (r"expected 2\b|expected 2\)", _unpackable),
    (r"typed PRNG|new-style.*key|key array|PRNG key", _first(typed_keys=True)),
)


def _variants(plans: list[Plan], feedback: Feedback) -> list[list[Plan]]:
    """After a call that could be traced: what was asked for its value static, what looks static traced."""
    found = []
    static = [replace(one, make=_static(one), reason="static") if _suspected(one, feedback) else one for one in plans]
    if static != plans:
        found.append(static)
    traced = [
        replace(one, make=one.if_traced, sure=False, reason="traced", if_traced=None) if one.if_traced else one
        for one in plans
    ]
    if traced != plans:
        found.append(traced)
    return found


def _suspected(one: Plan, feedback: Feedback) -> bool:
    return one.name in feedback.suspects and not one.sure and _is_traced(one.make)


def _static(one: Plan) -> Maker:
    made = one.make(Choice())
    return _always(False if str(getattr(made, "dtype", "")) == "bool" else 2)


# ----------------------------------------------------------------------------------------- static arguments


def static_names(function: Any) -> frozenset[str]:
    """The parameters that a jitted function declares static, as its decorator or the call that made it says."""
    if not (hasattr(function, "lower") and hasattr(function, "__wrapped__")):
        return frozenset()
    parameters = list(inspect.signature(function).parameters)
    found: set[str] = set()
    for keyword in _jit_keywords(function):
        value = _evaluated(keyword.value, getattr(inspect.unwrap(function), "__globals__", {}))
        values = value if isinstance(value, (tuple, list, set, frozenset)) else (value,)
        for one in values:
            if isinstance(one, int) and -len(parameters) <= one < len(parameters):
                found.add(parameters[one])
            elif isinstance(one, str):
                found.add(one)
    return frozenset(found)


def _jit_keywords(function: Any) -> list[ast.keyword]:
    node = definition(function)
    places: list[ast.AST] = list(getattr(node, "decorator_list", ()))
    inner = inspect.unwrap(function)
    tree = parsed(getattr(getattr(inner, "__code__", None), "co_filename", ""))
    name = getattr(inner, "__name__", "")
    for statement in ast.walk(tree) if tree else ():
        # step = jax.jit(_step, static_argnums=1)
        if isinstance(statement, ast.Call) and any(
            isinstance(one, ast.Name) and one.id == name for one in statement.args
        ):
            places.append(statement)
    return [
        part
        for place in places
        for part in ast.walk(place)
        if isinstance(part, ast.keyword) and part.arg in ("static_argnums", "static_argnames")
    ]


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    try:
        return eval(compile(ast.Expression(node), "<static>", "eval"), dict(names))
    except Exception:  # an expression over local names
        return ()
