"""The tracing oracle: one function is traced, and every question it asks a tracer is noted and answered.

Plain JAX stops at the first tracer that is asked for its value.  Here the methods that ask are replaced: they call
JAX's own, and where that raises, the place is recorded and the trace goes on with an answer that is made up.  A truth
value is answered both ways, in one trace each.  What a path sees before its first made-up answer is
what plain JAX does with these inputs; what it sees later carries the answers as its assumptions, and an exception
after a made-up answer proves nothing, because a made-up size fits nowhere.

Code that expects the failure must see it.  Where a handler could catch it, or JAX asks only tentatively, the original
exception is raised first.  If it ends the trace, the place is real and the trace is repeated with an answer; if
somebody catches it, the trace goes on as it would without the oracle.
"""

from __future__ import annotations

import contextlib
import operator
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxlint.dynamic import equations, keys, lowering, places, private, twice
from jaxlint.dynamic.gradients import nan_gradients
from jaxlint.dynamic.observations import Kind, Observation, Origin, Span, Traced
from jaxlint.dynamic.outside import let_go_of_variables
from jaxlint.dynamic.recording import RECORDER, concerned, described

_MANY = 1 << 20  # made-up arrays with more elements share one
_RAISE = object()  # instead of an answer: what plain JAX raises


@dataclass(frozen=True, slots=True)
class Limits:
    """How long one function may be followed, and what is looked for beside the questions."""

    paths: int = 24
    questions: int = 2000  # on one path
    seconds: float = 6.0  # of a processor
    trace_again: bool = True  # for hidden state and leaks
    platforms: tuple[str, ...] = ()  # also lowered for these
    slopes: tuple[Span, ...] = ()  # looked at for gradients that are NaN


class _EndOfPath(BaseException):
    """A limit was reached; user code that catches Exception does not stop it."""


@dataclass(slots=True)
class _Question:
    """A tracer was asked for a value, and JAX's answer was ``error``."""

    observation: Observation
    error: Exception
    tentative: bool  # somebody on the stack may expect the error
    handled: bool  # namely project code
    expected: bool  # namely a function of the project
    foreign: bool  # neither project code nor JAX asked, but NumPy, say
    instruction: int  # of the frame that asks: Python gives both parts of `a and b` one place
    answers: Sequence[Any] = ()  # what can be made up instead
    words: Sequence[str] = ()  # the same as assumptions
    escaped: bool = False  # no project code has caught the error, or it has raised another one for it

    def caught(self) -> Observation | None:
        """What to report once somebody has handled the error: JAX may ask in vain, others may not."""
        if self.handled and RECORDER.sources.raised_at(self.error.__traceback__):
            return replace(self.observation, handled=self.expected)
        return replace(self.observation, exception="") if self.foreign else None


@dataclass(slots=True)
class _Site:
    """What is known of one place that asks."""

    real: bool = False  # its exception ends the trace
    caught: bool = False  # somebody handles its exception
    answered: set[int] = field(default_factory=set)  # the answers given, or waiting to be, by number


@dataclass(slots=True)
class _Path:
    """One trace: the choices it repeats from another, those it made, and the exceptions it raised on trial."""

    prefix: Sequence[tuple[Any, int | None]] = ()
    taken: list[tuple[Any, int | None]] = field(default_factory=list)
    visits: dict[Any, int] = field(default_factory=dict)
    tried: list[tuple[Any, _Question]] = field(default_factory=list)


class _Exploration:
    """All paths through one function."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.deadline = time.process_time() + limits.seconds
        self.thread = threading.get_ident()
        self.sites: dict[Any, _Site] = {}
        self.waiting: list[list[tuple[Any, int | None]]] = [[]]
        self.path = _Path()

    def paths(self) -> Iterator[_Path]:
        """One path after the other, until every answer was given or a limit is reached."""
        for _ in range(self.limits.paths):
            if not self.waiting or time.process_time() > self.deadline:
                return
            self.path = _Path(self.waiting.pop(0))
            RECORDER.session.assumptions, RECORDER.session.invented = (), False
            yield self.path
            self._branch_off(self.path)

    def choose(self, question: _Question) -> Any:
        """The answer that this path gives, or `_RAISE`."""
        path, site = self.path, (question.observation.kind, question.observation.at, question.instruction)
        if len(path.taken) >= self.limits.questions or time.process_time() > self.deadline:
            raise _EndOfPath
        index, state = len(path.taken), self.sites.setdefault(site, _Site())
        visit = path.visits[site] = path.visits.get(site, -1) + 1
        if index < len(path.prefix) and path.prefix[index][0] == site:
            number = path.prefix[index][1]
        elif state.caught or (question.tentative and not state.real):
            number = None
        else:
            number = visit % len(question.answers)
        path.taken.append((site, number))
        if number is None:
            path.tried.append((site, question))
            return _RAISE
        state.answered.add(number)
        RECORDER.seen(question.observation)
        RECORDER.session.assumptions += (question.words[number],)
        RECORDER.session.invented |= site[0] is not Kind.BOOL
        return question.answers[number]

    def settle(self, path: _Path, error: BaseException | None) -> None:
        """Learns from what ended the path which of the exceptions raised on trial are real."""
        chain = _chain(error)
        for site, question in path.tried:
            ended = any(question.error is each for each in chain)
            state = self.sites[site]
            state.real, state.caught = state.real or ended, state.caught or not ended
            if seen := question.observation if ended else question.caught():
                RECORDER.seen(seen)

    def _branch_off(self, path: _Path) -> None:
        """Queues the answers that no path has given at their place."""
        for index, (site, number) in enumerate(path.taken):
            state = self.sites[site]
            if number is None:
                if state.real and 0 not in state.answered:
                    state.answered.add(0)
                    self.waiting.append(path.taken[:index])
            elif site[0] is Kind.BOOL and 1 - number not in state.answered:
                state.answered.add(1 - number)
                self.waiting.append([*path.taken[:index], (site, 1 - number)])


def _chain(error: BaseException | None) -> list[BaseException]:
    """An exception, what it was raised for, and so on."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


_exploration: _Exploration | None = None


def observe(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    *,
    module: str,
    qualname: str,
    origin: Origin,
    inputs: str,
    sources: Collection[str],
    limits: Limits = Limits(),
    explain: Span | None = None,
) -> Traced:
    """Traces ``function`` and says what happened; raises for nothing that user code does.

    Leaves of ``args`` and ``kwargs`` that are `jax.ShapeDtypeStruct` are traced, everything else is passed as it is.
    Only places in the files of ``sources`` are reported.  The equations that the line of ``explain`` makes become the
    result's ``jaxpr``.
    """
    global _exploration
    RECORDER.know(sources)
    traced = Traced(module, qualname, origin, inputs)
    call, avals = _abstracted(function, args, kwargs)
    before, _exploration = _exploration, _Exploration(limits)
    try:
        with hooked(), RECORDER.filling(traced, _CALL) as session:
            session.given = (*args, *kwargs.values(), *_receivers(function))
            plain = None
            for path in _exploration.paths():
                if (closed := _follow(_exploration, path, call, avals, traced)) is not None:
                    _read(closed, limits if plain is None else replace(limits, platforms=()))
                    if explain is not None and not traced.jaxpr:
                        traced.jaxpr = "\n".join(equations.on_line(closed, explain, RECORDER.sources))
                    plain = plain if RECORDER.session.assumptions else closed
            _exploration = None
            RECORDER.session.assumptions = ()
            if plain is not None and limits.trace_again:
                _trace_again(plain, call, avals, function)
            if plain is not None and limits.slopes:
                _look_at_slopes(plain, limits.slopes)
    finally:
        _exploration = before
        private.clear_caches()
    return traced


def _receivers(function: Any) -> Iterator[Any]:
    """The objects that a bound method, or what wraps one, is called on."""
    while function is not None:
        if (receiver := getattr(function, "__self__", None)) is not None:
            yield receiver
        function = getattr(function, "__wrapped__", None)


@contextlib.contextmanager
def online(sources: Collection[str], traced: Traced | None = None) -> Iterator[Traced]:
    """Watches code that runs by itself: questions are noted, and raise as they always do.

    Yields the `Traced` that fills while the block runs; what leaves the block is not touched.
    """
    RECORDER.know(sources)
    traced = traced or Traced("", "", Origin.RECORDED, "")
    with hooked(), RECORDER.filling(traced):
        try:
            yield traced
        finally:
            settle()


def _abstracted(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], list[Any]]:
    """A function of the traced leaves alone, and those leaves."""
    leaves, tree = jax.tree_util.tree_flatten((tuple(args), dict(kwargs)))
    spots = [index for index, leaf in enumerate(leaves) if isinstance(leaf, jax.ShapeDtypeStruct)]

    def call(*tracers: Any) -> Any:
        filled = list(leaves)
        for index, tracer in zip(spots, tracers):
            filled[index] = tracer
        positional, named = jax.tree_util.tree_unflatten(tree, filled)
        return _called(function, positional, named)

    return call, [leaves[index] for index in spots]


def _called(function: Callable[..., Any], positional: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """The arrays that a call returns; a function that JAX never sees by itself may return other things beside them."""
    leaves = jax.tree_util.tree_leaves(function(*positional, **named))
    return [leaf for leaf in leaves if private.is_tracer(leaf) or private.is_array(leaf)]


_CALL = _called.__code__


def _follow(exploration: _Exploration, path: _Path, call: Callable[..., Any], avals: list[Any], traced: Traced) -> Any:
    """Traces along one path; returns the jaxpr, or None if the path did not reach its end."""
    private.clear_caches()
    traced.paths += 1
    try:
        # A new function each time: JAX keeps the jaxpr of a function it has seen.
        closed = jax.make_jaxpr(lambda *arrays: call(*arrays))(*avals)
    except _EndOfPath:
        traced.error = traced.error or "the limit of questions or of time was reached"
    except (Exception, SystemExit) as error:
        exploration.settle(path, error)
        _ended_by(error, path, traced)
    else:
        exploration.settle(path, None)
        return closed
    finally:
        path.tried.clear()  # they hold frames, and with them tracers
        RECORDER.outside.forget()
    return None


def _read(closed: Any, limits: Limits) -> None:
    """Adds what the jaxpr of a path shows."""
    sources = RECORDER.sources
    seen = keys.check(closed, sources) + twice.captured(closed, sources) + twice.unused(closed, sources)
    if any(private.is_tracer(value) for value in private.constants(closed)):
        text = "UnexpectedTracerError: the result of one trace is used in another"
        seen += _left(text)
    seen += lowering.check(closed, limits.platforms, sources)
    for observation in seen:
        RECORDER.seen(observation)


def _look_at_slopes(closed: Any, wanted: Collection[Span]) -> None:
    """Records the places whose slopes make the gradient of what was traced NaN."""
    RECORDER.session.paused = True
    found = nan_gradients(closed, RECORDER.sources, wanted)
    RECORDER.session.paused = False
    for observation in found:
        RECORDER.seen(observation)


def _trace_again(first: Any, call: Callable[..., Any], avals: list[Any], function: Any) -> None:
    """Traces once more, with the leak checker, a function that asked nothing; records what the second trace adds."""
    private.clear_caches()
    session = RECORDER.session
    session.paused = True
    try:
        with private.checking_leaks():
            second = jax.make_jaxpr(lambda *arrays: call(*arrays))(*avals)
    except (Exception, SystemExit) as error:
        seen = _leaks(error, function)
    else:
        seen = twice.differences(first, second, RECORDER.sources)
        if any(private.is_tracer(value) for value in private.constants(second)):
            seen = [twice.as_leak(each) for each in seen]
    session.paused = False
    for observation in seen:
        RECORDER.seen(observation)


def _leaks(error: BaseException, function: Any) -> list[Observation]:
    """What an exception says that only a second trace raises: a tracer of the first one, or one that is still alive."""
    text = described(error)
    if not (private.is_leak(error) or isinstance(error, jax.errors.UnexpectedTracerError)):
        return []
    if RECORDER.session.leaking:
        return _left(text)
    at = RECORDER.sources.raised_at(error.__traceback__) or RECORDER.sources.definition(function)
    related = RECORDER.sources.created(error)
    return [Observation(Kind.LEAK, at, text, type(error).__name__, related=related)] if at else []


def _left(text: str) -> list[Observation]:
    """The statements that have stored a tracer outside of its trace."""
    return [
        Observation(Kind.LEAK, at, text, traced_by=left.traced_by, assumptions=left.assumptions)
        for at, left in RECORDER.session.leaking.items()
    ]


def _ended_by(error: BaseException, path: _Path, traced: Traced) -> None:
    """Records the exception that ended a path, if it says something.

    A number or an array that was made up fits nowhere.  Where only the way was made up, what the project raises itself
    is what it does on that way; what a library raises there is a mistake on a way that may be taken.
    """
    session = RECORDER.session
    if session.invented or (session.assumptions and RECORDER.sources.raised_by(error.__traceback__)):
        return
    text = described(error)
    if not session.assumptions:
        traced.error = traced.error or text
    if isinstance(error, jax.errors.UnexpectedTracerError) and RECORDER.session.leaking:
        for observation in _leaks(error, None):
            RECORDER.seen(observation)
    elif not any(error is question.error for _, question in path.tried):
        if at := RECORDER.sources.raised_at(error.__traceback__):
            related = concerned(error, RECORDER.sources)
            RECORDER.seen(Observation(_kind_of(error), at, text, type(error).__name__, related=related))


def _kind_of(error: BaseException) -> Kind:
    if isinstance(error, jax.errors.UnexpectedTracerError):
        return Kind.LEAK
    return Kind.CONCRETE if isinstance(error, jax.errors.ConcretizationTypeError) else Kind.ERROR


_hooks = 0


@contextlib.contextmanager
def hooked() -> Iterator[None]:
    """Replaces the methods that ask a tracer for its value while the block runs."""
    global _hooks
    _hooks += 1
    undo = _install() if _hooks == 1 else contextlib.ExitStack()
    try:
        with undo:
            yield
    finally:
        _hooks -= 1


def _install() -> contextlib.ExitStack:
    undo = contextlib.ExitStack()
    for tracer, name in list(private.conversion_sites()):
        if name in vars(tracer):
            original = vars(tracer)[name]
            undo.callback(setattr, tracer, name, original)
        else:
            original = getattr(tracer, name, _no_deletion)
            undo.callback(delattr, tracer, name)
        setattr(tracer, name, _asking(name, original))
    module, name = private.concrete_or_error()
    original = getattr(module, name)
    undo.callback(setattr, module, name, original)
    setattr(module, name, _wanting_a_value(original))
    if (search := private.leak_search()) is not None:
        module, name = search
        original = getattr(module, name)
        undo.callback(setattr, module, name, original)
        setattr(module, name, _letting_go(original))
    error = jax.errors.NonConcreteBooleanIndexError
    undo.callback(setattr, error, "__init__", error.__init__)
    error.__init__ = _noted(error.__init__)  # type: ignore[method-assign]
    return undo


def _letting_go(original: Callable[..., Any]) -> Callable[..., Any]:
    """JAX's search for what keeps a finished trace alive: that must not be the recorder, nor the trace itself."""

    @wraps(original)
    def search(trace: Any, *args: Any, **kwargs: Any) -> Any:
        settle()
        RECORDER.let_go()
        let_go_of_variables(sys._getframe(1))
        private.let_go_of_effects(trace)
        private.let_go_of_failed_traces()
        return original(trace, *args, **kwargs)

    return search


def _noted(original: Callable[..., None]) -> Callable[..., None]:
    """The constructor of an exception that no method of a tracer raises, noted while code runs by itself."""

    @wraps(original)
    def constructor(self: Any, tracer: Any, *args: Any) -> None:
        original(self, tracer, *args)
        if _exploration is None:
            _answer(Kind.ERROR, tracer, self, sys._getframe(1), lambda: ((), ()))

    return constructor


def _no_deletion(tracer: Any, index: Any) -> None:
    """What Python does with `del` for a class in Python that can store items and not delete them."""
    raise AttributeError("__delitem__")


def _asking(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a tracer that notes when JAX's own refuses, or turns the tracer into text."""
    kind, refusals = private.CONVERSIONS[name]

    @wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            result = original(self, *args, **kwargs)
        except refusals as error:
            answer = _answer(kind, self, error, sys._getframe(1), lambda: _made_up(name, self, *args))
            if answer is _RAISE:
                raise
            return answer
        if kind is Kind.FORMAT and RECORDER.watching():
            _shown(self, result, sys._getframe(1))
        return result

    return method


def _shown(tracer: Any, text: str, frame: FrameType) -> None:
    """A tracer became text: reported if project code asked for it, and remembered for what prints it."""
    RECORDER.showed(text)
    if RECORDER.sources.path_of(frame.f_code):
        RECORDER.effect(Kind.FORMAT, frame, f"the text is {text[:80]}", private.aval_text(tracer))


def _wanting_a_value(original: Callable[..., Any]) -> Callable[..., Any]:
    """JAX's function for values that must be known, which notes when they are not."""

    @wraps(original)
    def concrete_or_error(force: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(force, value, *args, **kwargs)
        except jax.errors.ConcretizationTypeError as error:
            frame = sys._getframe(1)
            kind = Kind.ARRAY if frame.f_code.co_name == "_item" else Kind.CONCRETE
            answer = _answer(kind, value, error, frame, lambda: _forced(force, value))
            if answer is _RAISE:
                raise
            return answer

    return concrete_or_error


def _answer(
    kind: Kind,
    tracer: Any,
    error: Exception,
    frame: FrameType,
    made_up: Callable[[], tuple[Sequence[Any], Sequence[str]]],
) -> Any:
    """What a question gets that ``frame`` asks: a made-up value, or `_RAISE`."""
    if not RECORDER.active or RECORDER.session.paused or (user := RECORDER.sources.innermost(frame)) is None:
        return _RAISE
    if any(error is question.error for question in _open_questions()):
        return _RAISE  # one question passes through a method that asks another
    at, session = RECORDER.sources.span(user), RECORDER.session
    at = places.tested(at) if kind is Kind.BOOL else at
    transforms = places.transforms(user, session.entry)
    observation = Observation(
        kind, at, described(error), type(error).__name__, private.aval_text(tracer), session.assumptions, transforms
    )
    handled = RECORDER.sources.handled(user, error)
    question = _Question(
        observation,
        error,
        tentative=handled or frame is not user,
        handled=handled,
        expected=handled and RECORDER.sources.handled(user, error, modules=False),
        foreign=frame is not user and not places.of_jax(frame),
        instruction=user.f_lasti,
    )
    if _exploration is None or _exploration.thread != threading.get_ident():
        return _unexplored(question)
    try:
        question.answers, verbs = made_up()
    except Exception:  # keys, tokens and other things that nothing can be made up for
        return _unexplored(question)
    what = places.asked(at) if kind is Kind.BOOL else f"`{places.excerpt(at)}`"
    question.words = [f"line {at.line}: {what} {verb}" for verb in verbs]
    return _exploration.choose(question)


_unsettled: list[_Question] = []


def _open_questions() -> list[_Question]:
    return [question for _, question in _exploration.path.tried] if _exploration else _unsettled


def _unexplored(question: _Question) -> Any:
    """Raises; what somebody may expect is recorded once its exception has reached project code."""
    settle()
    if question.tentative:
        _unsettled.append(question)
    else:
        RECORDER.seen(question.observation)
    return _RAISE


def settle() -> None:
    """Decides which questions of code that runs by itself were real, of those whose exceptions are through."""
    while _unsettled:
        question = _unsettled.pop()
        reached = RECORDER.sources.raised_at(question.error.__traceback__)
        is_real = question.escaped or (reached and not question.handled)
        if seen := question.observation if is_real else question.caught():
            RECORDER.seen(seen)


def _escaping(error: BaseException, frame: FrameType) -> None:
    """An exception leaves a function of the project: questions it is raised for are real if nobody handles it."""
    if _unsettled and not RECORDER.sources.handled(frame.f_back, error):
        chain = _chain(error)
        for question in _unsettled:
            question.escaped = question.escaped or any(question.error is each for each in chain)


RECORDER.at_leaving.append(_escaping)


def _made_up(name: str, tracer: Any, *args: Any) -> tuple[Sequence[Any], Sequence[str]]:
    """The answers to a method of a tracer, and what each assumes."""
    if name == "__bool__":
        return (True, False), ("is true", "is false")
    if name == "__array__":
        return (_ones(tracer, *args[:1]),), ("is an array of ones",)
    if name == "tolist":
        return (_ones(tracer).tolist(),), ("is a list of ones",)
    if name == "__getitem__":
        return (tracer[_known_masks(args[0])],), ("selects everything",)
    if name == "__format__":
        return ("1",), ("is formatted as 1",)
    if name in _NUMBERS:
        return (_NUMBERS[name],), (f"is {_NUMBERS[name]}",)
    return (None,), ("is skipped",)


_NUMBERS: dict[str, Any] = {"__int__": 2, "__index__": 2, "__float__": 1.0, "__complex__": 1 + 0j}


def _known_masks(index: Any) -> Any:
    """An index whose traced masks are all true."""
    if isinstance(index, tuple):
        return tuple(_known_masks(item) for item in index)
    return np.ones(index.shape, bool) if private.is_abstract(index) and index.dtype == bool else index


def _forced(force: Any, tracer: Any) -> tuple[Sequence[Any], Sequence[str]]:
    """The answers to `concrete_or_error`."""
    if force is bool:
        return (True, False), ("is true", "is false")
    if force in (int, operator.index):
        return (2,), ("is 2",)
    value = _ones(tracer)
    if not value.shape:
        value = value.dtype.type(2 if np.issubdtype(value.dtype, np.integer) else 1)
        return (force(value) if force else value,), (f"is {value}",)
    return (force(value) if force else value,), ("is an array of ones",)


def _ones(tracer: Any, dtype: Any = None) -> Any:
    dtype = np.dtype(dtype or tracer.dtype)
    if tracer.size > _MANY:
        return np.broadcast_to(np.ones((), dtype), tracer.shape)
    return np.ones(tracer.shape, dtype)
