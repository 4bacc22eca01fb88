"""Which calls of compiled functions JAX traced anew while code ran by itself, and what was new about each.

JAX looks compiled code up by the function object, the static arguments and the types of the others.  A probe at each
call of the project counts the calls and, where JAX reports a trace meanwhile, compares the call with those before.
A place says something only if every call there was traced anew, and each for the same kind of reason.
"""

from __future__ import annotations

import inspect
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from types import CodeType
from typing import Any

import jax
from jax import monitoring

from jaxlint.dynamic import places, private
from jaxlint.dynamic.inputs.calls import shown
from jaxlint.dynamic.observations import Kind, Observation, Span
from jaxlint.dynamic.recording import RECORDER

LEAST = 3  # traces at one place, each for another function, value or shape: two may be all that there are
MOST = 64  # that are compared at one place
_EXAMPLES = 4
_TRACED = "/jax/core/compile/jaxpr_trace_duration"


@dataclass(frozen=True, slots=True)
class _Made:
    """A function under `jax.jit` or `jax.pmap`: what was compiled, where, and which parameters are static."""

    compiled: weakref.ref[Any]
    function: weakref.ref[Any]
    number: int  # of the function object, so that no two have the same
    static: frozenset[str]
    stack: tuple[Span, ...]  # project lines, outermost first


@dataclass(frozen=True, slots=True)
class _Argument:
    types: tuple[Any, ...]  # what JAX goes by where it is traced
    value: Any  # what it is where it is static; None where that is the same
    text: str


@dataclass(frozen=True, slots=True)
class _Case:
    """One call that was traced."""

    made: _Made
    code: CodeType | None
    arguments: dict[str, _Argument]

    def news(self, before: _Case) -> tuple[Kind, str] | None:
        """Why JAX could not use what it had compiled for another call, if that is one thing; which argument it was."""
        if self.arguments.keys() != before.arguments.keys():
            return None
        pairs = [(name, one, before.arguments[name]) for name, one in self.arguments.items()]
        typed = [name for name, one, other in pairs if one.types != other.types]
        valued = [name for name, one, other in pairs if name in self.made.static and one.value != other.value]
        if self.made.number != before.made.number:
            is_same = self.code is not None and self.code is before.code and not typed and not valued
            return (Kind.NEW_FUNCTION, "") if is_same else None
        if len(typed) == 1 and not any(name not in typed for name in valued):
            one, other = self.arguments[typed[0]].types, before.arguments[typed[0]].types
            is_structure = one[1] == other[1]  # the same leaves, in a pytree that is another one
            return (Kind.NEW_STATIC if is_structure else Kind.NEW_SHAPE), typed[0]
        return (Kind.NEW_STATIC, valued[0]) if len(valued) == 1 and not typed else None


@dataclass(slots=True)
class _Site:
    """A place that calls compiled functions outside of any trace."""

    calls: int = 0
    counted: int = 0  # the calls up to the last one that was traced
    traces: int = 0
    cases: list[_Case] = field(default_factory=list)


class Retraces:
    """What is known of the calls of this process."""

    def __init__(self) -> None:
        self._sites: dict[Span, _Site] = {}
        self._settled: set[int] = set()  # the ids of the places that say nothing whatever comes: probes keep the places
        self._made: dict[int, _Made] = {}
        self._numbers: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._count = 0
        self._thread = threading.local()
        self._listens = False

    def begin(self) -> None:
        """From now on JAX says when it traces; what was seen before is forgotten."""
        self._sites.clear()
        self._settled.clear()
        if not self._listens:
            self._listens = True
            monitoring.register_event_duration_secs_listener(self._traced)

    def called(self, at: Span, function: Any) -> Any:
        """What the project is about to call; the same with a look at the call where it is a compiled function."""
        if id(at) in self._settled or (type(function) is not private.COMPILED and id(function) not in self._made):
            return function
        if private.tracing() or not RECORDER.active:
            return function
        made = self._known(function)
        return function if made is None else partial(self._call, at, function, made)

    def _call(self, at: Span, function: Any, made: _Made, /, *args: Any, **kwargs: Any) -> Any:
        if (site := self._sites.get(at)) is None:  # none is made for nothing: tight loops come by here
            site = self._sites.setdefault(at, _Site())
        site.calls += 1
        names: list[Any] = []
        self._thread.names = names
        result = function(*args, **kwargs)
        if names and any(name in _names(function, made.function()) for name in names):
            site.traces, site.counted = site.traces + 1, site.calls
            if len(site.cases) < MOST:
                site.cases.append(_case(made, args, kwargs))
        elif site.traces < LEAST:  # not all calls up to the third trace will have been traced
            self._settled.add(id(at))
        return result

    def _traced(self, event: str, duration_secs: float, **details: Any) -> None:
        if event == _TRACED and (names := getattr(self._thread, "names", None)) is not None and not private.tracing():
            names.append(details.get("fun_name"))

    def noting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """`jax.jit` or `jax.pmap`, with a note of what is made where."""

        @wraps(original)
        def make(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            frame = sys._getframe(1)
            if RECORDER.sources.innermost(frame) is not None and not private.tracing():
                project = (each for each in places.frames(frame) if RECORDER.sources.path_of(each.f_code))
                self._note(made, kwargs, reversed([*map(_span, project)]))
            return made

        return make

    def _note(self, compiled: Any, options: dict[str, Any], stack: Iterator[Span]) -> _Made | None:
        function = getattr(compiled, "__wrapped__", None)
        try:
            number = self._number(function)
            static = frozenset(_static(function, options))
            made = _Made(weakref.ref(compiled), weakref.ref(function), number, static, tuple(stack))
        except (TypeError, ValueError):  # something without weak references, or without a signature
            return None
        self._made[id(compiled)] = made
        return made

    def _known(self, compiled: Any) -> _Made | None:
        made = self._made.get(id(compiled))
        if made is not None and made.compiled() is compiled:
            return made
        self._made.pop(id(compiled), None)  # another object had its place
        if type(compiled) is not private.COMPILED or str(compiled.__module__).partition(".")[0] == "jax":
            return None
        return self._note(compiled, {}, iter(()))

    def _number(self, function: Any) -> int:
        known = self._numbers.get(id(function))
        if known is not None and known[0]() is function:
            return known[1]
        self._count += 1
        self._numbers[id(function)] = weakref.ref(function), self._count
        return self._count

    def observations(self) -> Iterator[Observation]:
        """What the places say so far, each told where it is called and where it was made."""
        for at, site in list(self._sites.items()):
            if site.traces < LEAST or site.traces != site.counted or len(site.cases) < LEAST:
                continue
            news = {_reason(case, site.cases[:index]) for index, case in enumerate(site.cases) if index}
            if len(news) != 1 or (reason := news.pop()) is None:
                continue
            kind, name = reason
            told = f"{site.traces} calls were {site.traces} traces: each had {_told(kind, name, site.cases)}"
            yield Observation(kind, at, told)
            if kind is Kind.NEW_FUNCTION:
                makers = dict.fromkeys(span for case in site.cases for span in case.made.stack)
                yield from (Observation(kind, span, told, related=((at, "it is called here"),)) for span in makers)


def _static(function: Any, options: dict[str, Any]) -> Iterator[str]:
    """The parameters that are static, of those that can be named."""
    parameters = list(inspect.signature(function).parameters)
    for name in ("static_argnames", "static_argnums", "static_broadcasted_argnums"):
        given = () if (named := options.get(name)) is None else named
        for one in (given,) if isinstance(given, (int, str)) else given:
            if isinstance(one, str):
                yield one
            elif -len(parameters) <= one < len(parameters):
                yield parameters[one]


def _names(compiled: Any, function: Any) -> set[str]:
    """What JAX may call a function when it says that it has traced it."""
    code = _code(function)
    named = {getattr(function, "__name__", ""), code.co_name if code else ""} - {""}
    return named if type(compiled) is private.COMPILED else {*named, private.MAPPED}


def _span(frame: Any) -> Span:
    return RECORDER.sources.span(frame)


def _reason(case: _Case, before: list[_Case]) -> tuple[Kind, str] | None:
    """What was new about a call, compared with the one that was most like it."""
    found = [news for each in before if (news := case.news(each)) is not None]
    return found[-1] if found else None


def _told(kind: Kind, name: str, cases: list[_Case]) -> str:
    if kind is Kind.NEW_FUNCTION:
        code = cases[-1].code
        return f"another function object of `{code.co_name if code else ''}`"
    is_static = any(name in case.made.static for case in cases)
    static = "another static argument" if is_static else "another structure of"
    what = static if kind is Kind.NEW_STATIC else "another type of"
    texts = ", ".join(dict.fromkeys(case.arguments[name].text for case in cases[:_EXAMPLES]))
    return f"{what} `{name}`: {texts}{', …' if len(cases) > _EXAMPLES else ''}"


def _case(made: _Made, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Case:
    function = made.function()
    paused, RECORDER.session.paused = RECORDER.session.paused, True  # a look at arguments may run the project's code
    try:
        named = _named(function, args, kwargs)
        return _Case(made, _code(function), {name: _argument(value) for name, value in named.items()})
    except Exception:  # attributes, signatures and texts are user code
        return _Case(made, None, {})
    finally:
        RECORDER.session.paused = paused


def _named(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {f"argument {number}": value for number, value in enumerate(args)} | kwargs


def _argument(value: Any) -> _Argument:
    leaves, structure = jax.tree_util.tree_flatten(value)
    types = tuple(private.aval_text(leaf) if private.is_array(leaf) else type(leaf) for leaf in leaves)
    values = tuple(None if private.is_array(leaf) else _identity(leaf) for leaf in leaves)
    return _Argument((str(structure), types), values, shown(value))


def _identity(leaf: Any) -> Any:
    """What makes a static leaf equal to another: its value where that is plain, else the object itself."""
    return leaf if isinstance(leaf, (bool, int, float, complex, str, bytes, type(None))) else id(leaf)


def _code(function: Any) -> CodeType | None:
    """The code of what a function, a partial of it or a transform of it runs."""
    while not isinstance(code := getattr(function, "__code__", None), CodeType) or hasattr(function, "__wrapped__"):
        inner = getattr(function, "func", None) or getattr(function, "__wrapped__", None)
        inner = inner or getattr(function, "__func__", None)
        if inner is None:
            return code if isinstance(code, CodeType) else None
        function = inner
    return code


RETRACES = Retraces()
"""JAX's compiled code is one for the process, and so is this."""
