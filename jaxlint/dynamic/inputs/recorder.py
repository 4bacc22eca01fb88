"""Records, in a process that runs the user's tests or script, what the project's functions are called with.

A probe at the entry of each function notes up to three different calls of it, traced or eager, and some more where
what is not an array differs; then it only looks a number up.  What cannot be called again from another process, nested
functions above all, is judged here while it runs.  Every record is appended to the file at once, so that a process
that is killed loses nothing it has recorded.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, cast

import jax

from jaxlint.dynamic import effects, oracle, places, private, probes
from jaxlint.dynamic.inputs import recordings, texts
from jaxlint.dynamic.inputs.calls import Call, describe
from jaxlint.dynamic.inputs.outcome import Outcome, imported
from jaxlint.dynamic.inputs.signatures import Unencodable, encode, has_traced
from jaxlint.dynamic.inputs.usage import definitions, line_range, parsed
from jaxlint.dynamic.observations import Observation, Origin, Span, Traced
from jaxlint.dynamic.recording import NOTHING, RECORDER, Recorder
from jaxlint.dynamic.retracing import RETRACES

MOST_ALIKE = 3  # calls that differ in nothing but their arrays
MOST_CALLS = 8
MOST_LOOKS = 30  # at calls that turn out to be like one that is recorded
SECONDS_BETWEEN_FLUSHES = 2.0

_ARRAY = re.compile(r"\b[a-z]+\d*\[[\d,]*\]")

_SKIPPED_FOLDERS = frozenset({"site-packages", "node_modules", "__pycache__", "build", "dist"})
MOST_FILES = 20_000


def project_files(root: str, tests: bool = False) -> list[str]:
    """The Python files below a folder that are no parts of an environment, and unless these are wanted no ``tests``."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and name not in _SKIPPED_FOLDERS
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        ]
        wanted = (name for name in files if name.endswith(".py") and (tests or not _is_test(name)))
        found += [os.path.realpath(os.path.join(folder, name)) for name in wanted]
        if len(found) > MOST_FILES:
            break
    return found[:MOST_FILES]


def _is_test(name: str) -> bool:
    return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"


@dataclass(slots=True, eq=False)
class _Function:
    """One function of the project, and how much of it is recorded."""

    path: str
    qualname: str  # empty: the script's own code
    is_nested: bool
    drops_first: bool  # a classmethod: its class is found again with it
    calls: set[str] = field(default_factory=set)
    alike: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    online: str = ""  # the call for people, once it is known that the function has to be judged here
    traced: str = ""  # the first call under a trace, for people
    eager: str = ""  # the first call outside of any trace
    written: str = ""
    entered: bool = False
    ran: set[_Function] = field(default_factory=set)  # what it called itself
    callers: set[int] = field(default_factory=set)  # the ids of the codes that it was called from

    @property
    def is_done(self) -> bool:
        return len(self.calls) >= MOST_CALLS or self.looks >= MOST_LOOKS

    def is_known_from(self, caller: FrameType | None) -> bool:
        """Whether another call of it, from there, says nothing new."""
        return caller is not None and id(caller.f_code) in self.callers and self.is_done


class Recording:
    """The recorder of this process.  Use `recording`."""

    def __init__(self, out: str, sources: Collection[str], script: str = "") -> None:
        self.out = os.path.realpath(out)
        self.base = os.path.dirname(self.out)
        self.sources = sources
        self.traced = Traced("", "", Origin.RECORDED, "")
        self._script = _script(script) if script else None
        self._functions: dict[Span, _Function] = {}
        self._owners: dict[str, list[tuple[range, _Function]]] = {}
        self._watched: dict[Span, _Function] = {}
        self._looking = False
        self._entries: dict[int, _Function | None] = {}  # of `_functions`, by the id of the place, which probes keep
        self._by_code: dict[int, tuple[CodeType, _Function | None]] = {}  # by its id, which it keeps while it is here
        self._entered: dict[str, list[_Function]] = {}  # what has run so far, by the last part of its name
        self._next_flush = time.monotonic() + SECONDS_BETWEEN_FLUSHES
        self._on_file = recordings.lines(self.out)

    def install(self) -> None:
        """Puts the probes into what is imported from now on."""
        spans: list[Span] = []
        for path in self.sources:
            spans += self._read(path)
        effects.install()
        RETRACES.begin()
        probes.install(self.sources, spans, cast(Recorder, _Recorder(self)), RETRACES.called)

    def _read(self, path: str) -> Iterator[Span]:
        """The functions of a file, and the expressions in them whose values may matter."""
        owners = self._owners.setdefault(path, [])
        for qualname, nodes in definitions(path).items():
            decorators = {ast.unparse(each) for each in nodes[-1].decorator_list}
            function = _Function(path, qualname, "<locals>" in qualname, "classmethod" in decorators)
            for node in nodes:
                owners.append((line_range(node), function))
                self._functions[(span := _span(path, node))] = function
                yield span
        owners.sort(key=lambda owner: len(owner[0]))
        for part in ast.walk(parsed(path) or ast.Module([], [])):
            for expression in _watched(part):
                span = _span(path, expression)
                owner = self._owner(span)
                if owner is not None:
                    self._watched[span] = owner
                    yield span

    def _owner(self, at: Span) -> _Function | None:
        """The innermost function around a place; of the script that is run, its own code."""
        own = self._script if self._script is not None and at.path == self._script.path else None
        return next((function for lines, function in self._owners.get(at.path, ()) if at.line in lines), own)

    def _called_around(self, at: Span) -> _Function | None:
        """The innermost function around a place that has been called: a decorator runs before its function does."""
        around = (function for lines, function in self._owners.get(at.path, ()) if at.line in lines)
        own = [self._script] if self._script is not None and at.path == self._script.path else []
        called = (each for each in (*around, *own) if each.online or each.traced or each.eager)
        return next(called, None)

    # -------------------------------------------------------------------------------------------- entries

    def visit(self, at: Span, value: Any, frame: FrameType) -> None:
        """A function was entered, or a watched expression was evaluated."""
        function = self._entry(at) if value is NOTHING else None
        if function is not None and function.is_known_from(frame.f_back):
            return  # tight loops come by here
        if self._looking or not RECORDER.active:
            return
        if function is not None:
            self._ran(function, frame.f_back)
            if not function.is_done:
                self._called(function, frame)
            return
        watched = self._watched.get(at)
        if watched is not None and (watched.online or not watched.is_done):
            RECORDER.visit(at, value, frame)

    def _entry(self, at: Span) -> _Function | None:
        """The function that starts at a place."""
        if (key := id(at)) not in self._entries:
            self._entries[key] = self._functions.get(at)
        return self._entries[key]

    def _ran(self, function: _Function, caller: FrameType | None) -> None:
        """Notes that a function runs, and from which other one of the project."""
        if not function.entered:
            function.entered = True
            self._entered.setdefault(function.qualname.rpartition(".")[2], []).append(function)
        caller = RECORDER.sources.innermost(caller)
        if caller is None or id(code := caller.f_code) in function.callers:
            return
        function.callers.add(id(code))
        if id(code) not in self._by_code:
            owner = self._owner(Span(RECORDER.sources.path_of(code), code.co_firstlineno))
            self._by_code[id(code)] = code, owner
        if (owner := self._by_code[id(code)][1]) is not None:
            owner.ran.add(function)

    def _all_run_by(self, function: _Function) -> list[tuple[str, str]]:
        """What a function ran, and what ran in turn; what surrounds a function says what it closes over.

        JAX keeps what it has traced: a call of a jitted function need not run it.  So what has run at any time, and has
        a name that is mentioned, counts as well.
        """
        found, waiting = {function}, [function]
        for each in waiting:
            mentioned = texts.mentioned(each.path, each.qualname)
            near = each.ran.union(*(self._entered.get(name, ()) for name in mentioned))
            waiting += near - found
            found |= near
        names = {(each.path, each.qualname) for each in found}
        return sorted(names | {(path, name.partition(".<locals>")[0]) for path, name in names})

    def _called(self, function: _Function, frame: FrameType) -> None:
        function.looks += 1
        args, kwargs, names = _arguments(frame, function.drops_first)
        eager = not private.tracing()
        self._looking = RECORDER.session.paused = True  # to look at arguments may run the project's own code
        try:
            if eager and not function.eager:
                function.eager = describe(function.qualname, names, Call(args, kwargs, Origin.RECORDED))
            elif not eager and not function.traced:
                function.traced = describe(function.qualname, names, Call(args, kwargs, Origin.RECORDED))
            if function.is_nested:
                raise Unencodable("it has no importable name")
            call = encode(args, kwargs, lift=eager)
            if eager and not has_traced(call):
                raise Unencodable("there is nothing to trace in it")
            around = {} if eager else {"by": places.transforms(frame), "handled": _handled(frame)}
            self._write_call(function, {"eager": eager, **{name: it for name, it in around.items() if it}, **call})
        except Unencodable:
            if not eager or not function.online:
                function.online = describe(function.qualname, names, Call(args, kwargs, Origin.RECORDED))
                if not eager:
                    function.calls.add(function.online)
        except Exception:  # arguments are user code: their attributes may do anything
            function.looks = MOST_LOOKS
        finally:
            self._looking = RECORDER.session.paused = False
        if time.monotonic() > self._next_flush:
            self.flush()

    def _write_call(self, function: _Function, content: dict[str, Any]) -> None:
        text = recordings.line(function.path, function.qualname, self.base, content)
        likeness = _ARRAY.sub("array", text)
        if text not in function.calls and function.alike[likeness] < MOST_ALIKE:
            function.calls.add(text)
            function.alike[likeness] += 1
            if text not in self._on_file:
                self._append([text])

    # --------------------------------------------------------------------------------------------- output

    def outcome(self, tests: int | None = None, uncollected: Sequence[str] = ()) -> Outcome:
        """What has been recorded so far, after so many ``tests``; none came from what is ``uncollected``."""
        probed = probes.loaded()
        early, elsewhere = imported(self.sources, probed)
        functions = [each for named in self._entered.values() for each in named]
        noted = sum(bool(each.calls or each.written) for each in functions)
        own = len(probed.intersection(self.sources))
        return Outcome(len(self.sources), own, len(functions), noted, early, elsewhere, tests, (*uncollected,))

    def flush(self, *, is_last: bool = False) -> None:
        """Writes what was seen of the functions that are judged here, where it is more than was written before.

        That all calls of a place were traced anew is known when there are no more.
        """
        oracle.settle()
        self._next_flush = time.monotonic() + SECONDS_BETWEEN_FLUSHES
        texts = []
        for function, seen in self._seen([*RETRACES.observations()] if is_last else []):
            ran = self._all_run_by(function)
            text = recordings.seen_line(function.path, function.qualname, self.base, seen, jax.__version__, ran)
            if text != function.written:
                function.written = text
                texts.append(text)
        self._append(texts)

    def _seen(self, at_last: list[Observation]) -> Iterator[tuple[_Function, Traced]]:
        found: dict[int, tuple[_Function, Traced]] = {}

        def of(at: Span) -> Traced | None:
            """What takes something seen at a place; None where that is in no function that was called."""
            function = self._called_around(at)
            if function is None:
                return None
            inputs = function.online or function.traced or function.eager
            blank = Traced("", function.qualname, Origin.RECORDED, inputs, paths=1)
            return found.setdefault(id(function), (function, blank))[1]

        for observation in (*self.traced.observations, *at_last):
            if (traced := of(observation.at)) is not None:
                traced.observations.append(observation)
        for visit in self.traced.visits:
            if (traced := of(visit.at)) is not None:
                traced.visits.append(visit)
        yield from found.values()

    def _append(self, texts: list[str]) -> None:
        if texts:
            data = "".join(f"{text}\n" for text in texts).encode()
            file = os.open(self.out, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(file, data)
            finally:
                os.close(file)


class _Recorder:
    """What the probes report to: entries and values go to the recording, the rest to the oracle's recorder."""

    def __init__(self, recording: Recording) -> None:
        self.visit = recording.visit

    def __getattr__(self, name: str) -> Any:
        return getattr(RECORDER, name)


def _script(path: str) -> _Function:
    """The code of a script outside of its functions; it is called once, by Python."""
    real = os.path.realpath(path)
    return _Function(real, "", is_nested=True, drops_first=False, eager=f"python {os.path.basename(real)}")


@contextmanager
def recording(out: str, sources: Collection[str], script: str = "") -> Iterator[Recording]:
    """Records what is imported and called while the block runs.  The project must not have been imported before.

    Of a ``script`` its own code is judged as well.
    """
    active = Recording(out, sources, script)
    active.install()
    with oracle.online(sources, active.traced):
        try:
            yield active
        finally:
            active.flush(is_last=True)


def _handled(frame: FrameType) -> list[str]:
    """What a tracer raises when it is asked for its value, of that what functions around this one catch."""
    return [
        error.__name__
        for error in _REFUSALS
        if RECORDER.sources.handled(frame.f_back, error.__new__(error), modules=False)
    ]


_REFUSALS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerBoolConversionError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


def _arguments(frame: FrameType, drops_first: bool) -> tuple[tuple[Any, ...], dict[str, Any], list[str]]:
    """The arguments of a function that has just been entered, and the names of the positional ones."""
    info = inspect.getargvalues(frame)
    code = frame.f_code
    names = info.args[: code.co_argcount]
    args = [info.locals[name] for name in names]
    kwargs = {name: info.locals[name] for name in info.args[code.co_argcount :]}
    only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    kwargs.update({name: info.locals[name] for name in only})
    if info.varargs:
        args += info.locals[info.varargs]
    if info.keywords:
        kwargs.update(info.locals[info.keywords])
    start = 1 if drops_first else 0
    return tuple(args[start:]), kwargs, names[start:]


def _span(path: str, node: Any) -> Span:
    start = places.column(path, node.lineno, node.col_offset)
    return Span(path, node.lineno, start, node.end_lineno, places.column(path, node.end_lineno, node.end_col_offset))


def _watched(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions that a tracer must not be: tests, loops, casts, calls of NumPy, what is stored into."""
    if isinstance(node, (ast.If, ast.While, ast.Assert, ast.IfExp)):
        yield node.test
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.For):
        yield node.iter
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
        if name.endswith((".item", ".tolist")):
            yield node
        elif name in ("int", "float", "bool", "complex", "range") or name.startswith(("np.", "numpy.", "onp.")):
            yield node
            yield from (one for one in node.args[:2] if not isinstance(one, ast.Starred))


def stop_on_sigterm(active: Recording) -> None:
    """Flushes before SIGTERM ends the process, unless the program handles the signal itself."""
    import signal

    def stop(number: int, frame: FrameType | None) -> None:
        active.flush(is_last=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if sys.platform != "win32":
        signal.signal(signal.SIGTERM, stop)
