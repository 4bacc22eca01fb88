"""Probes in the project's own code: what watched expressions evaluate to, and which outer state is written.

An import hook rewrites the syntax tree of the project's files, and of nothing else, before Python compiles
them.  A watched expression ``e`` becomes ``probe(i, e)``, a store ``a.b = v`` becomes ``probe(i, a).b = v``, and so
on: the probes return what they are given, and positions stay those of the original text, so that tracebacks, columns
and `co_firstlineno` do not change.  Compiled files are neither read nor written.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import datetime
import functools
import importlib.abc
import importlib.machinery
import io
import itertools
import operator
import os
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import jax
import numpy as np

from jaxlint.dynamic import left_out, outside, places, private
from jaxlint.dynamic.observations import Kind, Observation, Span
from jaxlint.dynamic.recording import NOTHING, RECORDER, Left, Recorder

Called = Callable[[Span, Any], Any]
"""Given the place of a call and what is called there, says what is called instead."""

_NAME = "@jaxlint"  # no program has this name
_MUTATING: dict[type[Any], frozenset[str]] = {
    list: frozenset("append extend insert remove pop clear sort reverse".split()),
    dict: frozenset("update setdefault pop popitem clear".split()),
    set: frozenset("add update discard remove pop clear difference_update intersection_update".split()),
    deque: frozenset("append appendleft extend extendleft insert remove pop popleft clear rotate".split()),
    bytearray: frozenset("append extend insert remove pop clear".split()),
    np.ndarray: frozenset("sort fill put resize partition itemset".split()),
}
_CLOCKS = frozenset("now today utcnow".split())
_WRITING = frozenset("write writelines".split())
_METHODS: frozenset[str] = frozenset().union(_CLOCKS, _WRITING, *_MUTATING.values())


def install(
    sources: Collection[str],
    probes: Collection[Span],
    recorder: Recorder = RECORDER,
    calls: Called | None = None,
    goes_on: bool = False,
) -> None:
    """From now on imports of the files in ``sources`` are rewritten, with a probe at each span of ``probes``.

    ``calls`` is given what each call in them calls, and says what is called instead.  Call it before the project is
    imported.  A second call adds to the first.  ``goes_on``: statements that an import fails at are left out.
    """
    recorder.know(sources)
    hook = next((finder for finder in sys.meta_path if isinstance(finder, _Finder)), None)
    if hook is None:
        hook = _Finder(recorder, calls)
        sys.meta_path = _Finders([hook, *sys.meta_path])
        setattr(builtins, _NAME, hook.probes)
    if goes_on and hook.probes.left_out is None:
        hook.probes.left_out = left_out.LeftOut(recorder)
        left_out.install(hook.probes.left_out)
    hook.watch(probes)


def prepare(path: str) -> None:
    """Compiles a project file now, for this process and those forked from it; `install` comes first."""
    hook = next(finder for finder in sys.meta_path if isinstance(finder, _Finder))
    try:
        with open(path, "rb") as file:
            text = file.read()
        hook.codes[path] = text, compiled(path, text, hook.watched.get(path, []), hook.probes)
    except (OSError, SyntaxError, ValueError, RecursionError):
        pass  # its import will say so


def assumed() -> tuple[str, ...]:
    """What has to be believed of all that runs now: the statements that imports have left out."""
    return tuple(text for each in _left_out() for text in each.assumptions())


def failure() -> str:
    """What the first of these statements has raised."""
    return "".join(each.reason for each in _left_out())


def before_each_statement(tell: Callable[[], None] | None) -> None:
    """``tell`` is called before each statement of the project's modules that runs from now on."""
    for each in _left_out():
        each.before_each = tell


def _left_out() -> Iterator[left_out.LeftOut]:
    for finder in sys.meta_path:
        if isinstance(finder, _Finder) and finder.probes.left_out is not None:
            yield finder.probes.left_out


def loaded() -> set[str]:
    """The files whose code was loaded with probes."""
    return {path for finder in sys.meta_path if isinstance(finder, _Finder) for path in finder.probed}


def uninstall() -> None:
    """Imports are Python's own again; modules that were rewritten stay so."""
    sys.meta_path = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
    left_out.uninstall()


class Probes:
    """What rewritten code calls.  Each call returns the value it was given."""

    def __init__(self, recorder: Recorder, calls: Called | None = None) -> None:
        self._recorder = recorder
        self.calls = calls
        self._spans: list[Span] = []
        self._numbers: dict[Span, int] = {}
        self.leaving = _Leaving(recorder)
        self.left_out: left_out.LeftOut | None = None

    def number(self, span: Span) -> int:
        if span not in self._numbers:
            self._numbers[span] = len(self._spans)
            self._spans.append(span)
        return self._numbers[span]

    def value(self, number: int, value: Any = NOTHING) -> Any:
        """A watched expression was evaluated, or a watched statement is about to run."""
        self._recorder.visit(self._spans[number], value, sys._getframe(1))
        return value

    def called(self, number: int, function: Any) -> Any:
        """What is about to be called."""
        return function if self.calls is None else self.calls(self._spans[number], function)

    def attempt(self, number: int, names: tuple[str, ...]) -> Any:
        """What a statement of a module that binds ``names`` runs in."""
        return cast(left_out.LeftOut, self.left_out).attempt(self._spans[number], names)

    def store(self, number: int, holder: Any) -> Any:
        """An attribute or an item of ``holder`` is about to be written."""
        if self._recorder.watching() and not private.is_tracer(holder):
            self._changed(number, holder, sys._getframe(1))
        return holder

    def stored(self, number: int, value: Any) -> Any:
        """``value`` is about to be stored in something that may be from before the trace."""
        if self._recorder.watching() and (traces := outside.traces_in(value)):
            self._recorder.session.storing[self._spans[number]] = traces
        return value

    def method(self, number: int, holder: Any, name: str) -> Any:
        """The method of ``holder`` that is about to be called."""
        method = getattr(holder, name)
        if not (self._recorder.watching()):
            return method
        if name in _CLOCKS and holder in (datetime.date, datetime.datetime):
            text = f"`{name}` ran while tracing, not when the compiled function runs"
            self._recorder.effect(Kind.TIME, sys._getframe(1), text)
        if name in _WRITING:
            return self._writing(number, holder, method)
        if not any(isinstance(holder, container) and name in names for container, names in _MUTATING.items()):
            return method

        def mutate(*args: Any, **kwargs: Any) -> Any:
            self.stored(number, (args, kwargs))
            self._changed(number, holder, sys._getframe(1))
            return method(*args, **kwargs)

        return mutate

    def _writing(self, number: int, stream: Any, method: Any) -> Any:
        """The method of a stream, which is an effect where it writes the text of a tracer, or anything to a file."""
        kind = Kind.PRINT if stream in (sys.stdout, sys.stderr) else Kind.FILE
        is_file = kind is Kind.FILE and isinstance(stream, (io.TextIOWrapper, io.BufferedWriter, io.FileIO))

        def write(*args: Any) -> Any:
            shows = self._recorder.shows_tracer(*args)
            if shows or is_file:
                at = self._spans[number]
                does = "writes the text of a tracer" if shows else "wrote while tracing, not when the function runs"
                detail = f"`{places.excerpt(at)}` {does}"
                self._recorder.effect(kind, sys._getframe(1), detail, at=at)
            return method(*args)

        return write

    def unused(self, number: int, value: Any) -> None:
        """A statement has computed ``value`` and drops it."""
        recorder = self._recorder
        if recorder.active and recorder.session.entry is None and isinstance(value, jax.Array):
            text = "the array computed here is not used"
            at = self._spans[number]
            recorder.seen(Observation(Kind.DEAD, at, text, aval=private.aval_text(value)))

    def rebind(
        self, number: int, name: str, cell: FunctionType | None, value: Any = None, which: int | None = None
    ) -> Any:
        """A global, or the nonlocal in the closure of ``cell``, is about to be rebound to ``value`` or an item."""
        if self._recorder.watching():
            is_item = which is not None and type(value) in (tuple, list) and which < len(value)
            self.stored(number, value[which] if is_item else value)
            frame = sys._getframe(1)
            if cell is not None:
                self._written(Kind.GLOBAL_WRITE, number, id((cell.__closure__ or (None,))[0]), frame)
            else:
                self._written(Kind.GLOBAL_WRITE, number, outside.variable(name, frame), frame)
        return value

    def _changed(self, number: int, holder: Any, frame: FrameType) -> None:
        """An attribute or an item of ``holder`` changes."""
        self._written(Kind.OUTER_WRITE, number, id(holder), frame)
        if self._recorder.outside.is_argument(holder, frame, self._recorder.sources):
            at = self._spans[number]
            detail = f"`{places.excerpt(at)}` changes a copy that JAX made of an argument"
            self._recorder.effect(Kind.ARGUMENT_WRITE, frame, detail, at=at)

    def _written(self, kind: Kind, number: int, which: outside.Which, frame: FrameType) -> None:
        """``which`` changes: an effect where it is from before a trace for which Python runs once."""
        session, sources, at = self._recorder.session, self._recorder.sources, self._spans[number]
        crossed = [*self._recorder.outside.crossed(which, frame, sources)]
        stored = session.storing.get(at, [])
        leaking = any(self._recorder.outside.leaks(stored, boundary, sources) for boundary in crossed)
        if not leaking and not any(map(places.is_staging, crossed)):
            return
        leaves = " and leaves a tracer there" if leaking else ""
        detail = f"`{places.excerpt(at)}` writes what existed before the trace{leaves}"
        assumed = (_FROM_OUTSIDE,) if self._is_given(which, frame, crossed) else ()
        self._recorder.effect(kind, frame, detail, at=at, assumptions=assumed)
        if leaking and (at not in session.leaking or not assumed):
            session.leaking[at] = Left(places.transforms(frame, session.entry), assumed)

    def _is_given(self, which: outside.Which, frame: FrameType, crossed: list[FrameType]) -> bool:
        """Whether it is from before the oracle's own trace only because the oracle has passed it.

        Whoever calls the function may have made it in the trace.  It is older than a trace in the function for sure.
        """
        session, recorder = self._recorder.session, self._recorder
        if session.entry is None or not session.given:
            return False
        inner = itertools.takewhile(lambda each: each.f_code is not session.entry, places.frames(frame))
        if any(each in crossed and places.is_staging(each) for each in inner):
            return False
        return recorder.outside.is_given(which, session.given, recorder.sources)


_FROM_OUTSIDE = "what is written is older than the trace"


class _Leaving:
    """What the body of each function runs in."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if error is not None and self._recorder.active and self._recorder.session.entry is None:
            self._recorder.failed(error, sys._getframe(1))


class _Finders(list[Any]):
    """What is asked for modules: whoever wants to be asked first comes after `_Finder`, which asks them in turn."""

    def insert(self, index: Any, finder: Any) -> None:
        super().insert(max(index, 1) if index >= 0 and self and isinstance(self[0], _Finder) else index, finder)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules as the other finders do, and gives those of the project a loader that puts the probes in."""

    def __init__(self, recorder: Recorder, calls: Called | None) -> None:
        self.probes = Probes(recorder, calls)
        self.recorder = recorder
        self.watched: dict[str, list[Span]] = {}
        self.codes: dict[str, tuple[bytes, CodeType]] = {}  # what files were compiled to, and from which text
        self.probed: set[str] = set()  # the files whose code was loaded with probes
        self._asking = threading.local()

    def watch(self, spans: Collection[Span]) -> None:
        for path, wanted in itertools.groupby(spans, lambda span: span.path):
            real = os.path.realpath(path)
            known = self.watched.setdefault(real, [])
            if new := [span for span in dict.fromkeys(wanted) if span not in known]:
                known += new
                self.codes.pop(real, None)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = self._found(fullname, path, target)
        if spec is None or not spec.origin or os.path.realpath(spec.origin) not in self.recorder.sources.paths:
            return spec
        if type(spec.loader).__module__.startswith("_pytest."):
            _probe_asserting(spec.loader, self)
            return spec
        if not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not spec.origin or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = _Loader(fullname, spec.origin, self)
        else:
            _probe_through(spec.loader, self)
        return spec

    def _found(self, fullname: str, path: Any, target: Any) -> importlib.machinery.ModuleSpec | None:
        """What the finders after this one find; one of them may ask all finders, and so this one again."""
        asking = self._asking.__dict__.setdefault("names", set())
        if fullname in asking:
            return None
        asking.add(fullname)
        try:
            for finder in list(sys.meta_path):
                find = getattr(finder, "find_spec", None)
                if finder is self or getattr(finder, "makes_up", False):
                    continue
                if find is not None and (spec := find(fullname, path, target)) is not None:
                    return spec  # type: ignore[no-any-return]
        finally:
            asking.discard(fullname)
        return None


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles with probes, always from the source."""

    def __init__(self, name: str, path: str, finder: _Finder) -> None:
        super().__init__(name, path)
        self._finder = finder

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        real, text = os.path.realpath(path), self.get_data(path)
        self._finder.probed.add(real)
        known, code = self._finder.codes.get(real, (None, None))
        if code is not None and known == text and code.co_filename == path:
            return code
        return compiled(path, text, self._finder.watched.get(real, []), self._finder.probes)


def _probe_through(loader: importlib.machinery.SourceFileLoader, finder: _Finder) -> None:
    """Has another import hook's loader (jaxtyping's, beartype's) work on the tree that has the probes.

    Such a loader parses the text, changes the tree and compiles that.  It parses by calling `compile`, as does
    `ast.parse`, and gets the tree with the probes.
    """
    own: type[Any] = type(loader)
    if getattr(own, "probed_by", None) is not None:
        return

    def get_code(self: Any, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        text = self.get_data(path)
        finder.probed.add(os.path.realpath(path))
        with _parsed_with_probes(path, finder):
            code: CodeType = self.source_to_code(text, path)
        return code

    loader.__class__ = type(own.__name__, (own,), {"get_code": get_code, "probed_by": finder})


def _probe_asserting(loader: Any, finder: _Finder) -> None:
    """Has pytest's loader, which makes assertions say more, work on the tree that has the probes.

    It stays the loader: pytest asks for that.  Assertions have no probes, so that they say what they would.
    """
    if "exec_module" in vars(loader):
        return
    own = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        path = str(module.__spec__.origin) if module.__spec__ is not None else ""
        if os.path.realpath(path) not in finder.recorder.sources.paths:
            own(module)
            return
        finder.probed.add(os.path.realpath(path))
        with _uncached() as parsed, _parsed_with_probes(path, finder, parsed):
            own(module)

    loader.exec_module = exec_module


@contextlib.contextmanager
def _uncached() -> Iterator[Callable[[], None]]:
    """Until what it gives is called, compiled code is neither read nor written."""
    before = sys.dont_write_bytecode, sys.pycache_prefix

    def again() -> None:
        sys.dont_write_bytecode, sys.pycache_prefix = before

    with tempfile.TemporaryDirectory(prefix="jaxlint-") as empty:
        sys.dont_write_bytecode, sys.pycache_prefix = True, empty
        try:
            yield again
        finally:
            again()


_FEATURES = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


@contextlib.contextmanager
def _parsed_with_probes(path: str, finder: _Finder, asserting: Callable[[], None] | None = None) -> Iterator[None]:
    """While the block runs, this thread gets the tree with the probes where it parses a file of the project.

    ``asserting`` is called then; where it is given, assertions are left as they are.
    """
    original, thread = builtins.compile, threading.get_ident()

    def parsing(source: Any, filename: Any, mode: str, flags: int = 0, *args: Any, **options: Any) -> Any:
        if not args and not options.get("dont_inherit"):  # from its caller, which this is
            flags |= sys._getframe(1).f_code.co_flags & _FEATURES
            options["dont_inherit"] = True
        made = original(source, filename, mode, flags, *args, **options)
        if isinstance(made, ast.Module) and threading.get_ident() == thread and filename == path:
            if not isinstance(source, ast.AST):
                rewriter = _Rewriter(path, finder.probes, keeps_assertions=asserting is not None)
                rewriter.rewrite(made, finder.watched.get(os.path.realpath(path), []))
                if asserting is not None:
                    asserting()
        return made

    builtins.compile = parsing
    try:
        yield
    finally:
        builtins.compile = original


def compiled(path: str, text: bytes | str, watched: Sequence[Span], probes: Probes) -> CodeType:
    """The code of a project file with its probes.  Raises SyntaxError as Python does."""
    tree = ast.parse(text, path)
    _Rewriter(path, probes).rewrite(tree, watched)
    code: CodeType = compile(tree, path, "exec", dont_inherit=True)
    return code


class _Rewriter(ast.NodeTransformer):
    """Puts the probes into one file's tree."""

    def __init__(self, path: str, probes: Probes, keeps_assertions: bool = False) -> None:
        self._path = os.path.realpath(path)
        self._keeps_assertions = keeps_assertions
        self._probes = probes
        self._values: dict[ast.AST, list[int]] = {}  # an expression -> the probes of its value
        self._counted: dict[ast.AST, list[int]] = {}  # a statement -> the probes that count it
        self._declared: list[dict[str, str]] = []  # of each enclosing function: name -> "Global" or "Nonlocal"
        self._statement: Any = None

    def rewrite(self, tree: ast.Module, watched: Sequence[Span]) -> None:
        by_line: dict[int, list[Any]] = {}
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.pattern) for part in _below(node)}
        for node in ast.walk(tree):
            if isinstance(node, (ast.expr, ast.stmt, ast.pattern)) and not isinstance(node, _UNWATCHED):
                if id(node) not in inside:
                    by_line.setdefault(node.lineno, []).append(node)
        for span in watched:
            ranked = [
                (_rank(node, places.span_of(self._path, node), span), node) for node in by_line.get(span.line, ())
            ]
            if ranked and (best := min(ranked, key=operator.itemgetter(0)))[0][0] < _UNRELATED:
                self._watch(tree, best[1], self._probes.number(span))
        start = _start(tree.body) if self._probes.left_out is not None else len(tree.body)
        first, rest = tree.body[:start], tree.body[start:]
        tree.body = self._body(first, documented=True) + [self._attempted(statement) for statement in rest]

    def _attempted(self, statement: ast.stmt) -> ast.stmt:
        """A statement of the module, which is left out if it fails."""
        number = self._probes.number(places.span_of(self._path, statement))
        bound = dict.fromkeys(left_out.bound_by(statement))
        names = ast.Tuple([ast.Constant(name) for name in bound], ast.Load())
        attempt = self._call(statement, "attempt", ast.Constant(number), names)
        return _placed(ast.With([ast.withitem(attempt)], self._body([statement])), statement)

    def _watch(self, tree: ast.Module, node: Any, number: int) -> None:
        """Decides what is evaluated where a span points."""
        if isinstance(node, ast.stmt):
            value = _value_of(node)
            if value is None:
                self._counted.setdefault(node, []).append(number)
                return
            node = value
        elif isinstance(node, ast.pattern):
            matches = (match for match in ast.walk(tree) if isinstance(match, ast.Match))
            node = next(m.subject for m in matches if any(node in ast.walk(case.pattern) for case in m.cases))
        elif not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and hasattr(node, "value"):
            node = node.value  # of `x[0] = v`, what x is
        self._values.setdefault(node, []).append(number)

    def visit(self, node: ast.AST) -> Any:
        numbers = self._values.get(node, ())
        new = super().visit(node)
        if isinstance(getattr(new, "ctx", ast.Load()), ast.Load):
            for number in numbers:
                new = self._call(node, "value", ast.Constant(number), new)
        return new

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if name in _KEPT:
                continue
            if isinstance(value, list) and name in ("body", "orelse", "finalbody"):
                setattr(node, name, self._body(value))
            elif isinstance(value, list):
                value[:] = [self.visit(item) if isinstance(item, ast.AST) else item for item in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node

    # Statements

    def _body(self, body: list[Any], documented: bool = False) -> list[Any]:
        result = body[: _start(body)] if documented else []
        for statement in body[len(result) :]:
            outer, self._statement = self._statement, statement
            for number in self._counted.get(statement, ()) if not isinstance(statement, _FUNCTIONS) else ():
                result.append(self._standing(statement, "value", ast.Constant(number)))
            result += self._rebound(statement)
            result.append(self.visit(statement))
            self._statement = outer
        return result

    def _rebound(self, statement: Any) -> Iterator[ast.stmt]:
        """Probes for the outer names that a statement binds: in its value, or else before it."""
        targets = [node for target in _targets(statement) for node in ast.walk(target)]
        for name in [node for node in targets if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]:
            scope = self._declared[-1].get(name.id) if self._declared else None
            if scope is None:
                continue
            cell: Any = ast.Constant(None)
            if scope == "Nonlocal":
                nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
                cell = ast.Lambda(nothing, ast.Name(name.id, ast.Load()))
            arguments = [ast.Constant(self._write()), ast.Constant(name.id), cell]
            if getattr(statement, "value", None) is not None:
                which = ast.Constant(_element(statement, name))
                statement.value = self._call(name, "rebind", *arguments, statement.value, which)
            else:
                yield self._standing(name, "rebind", *arguments)

    def _write(self) -> int:
        """The number of the place that a write in the current statement is reported at."""
        return self._probes.number(places.span_of(self._path, self._statement))

    def visit_Assign(self, node: Any) -> Any:
        self.generic_visit(node)
        if self._declared and any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in _targets(node)):
            node.value = self._call(node.value, "stored", ast.Constant(self._write()), node.value)
        return node

    visit_AugAssign = visit_AnnAssign = visit_Assign

    def visit_Assert(self, node: Any) -> Any:
        return node if self._keeps_assertions else self.generic_visit(node)

    # Functions and classes

    def visit_FunctionDef(self, node: Any) -> Any:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self._defaults(node.args)
        counters = [self._standing(node, "value", ast.Constant(number)) for number in self._counted.get(node, ())]
        self._declared.append(_declarations(node.body))
        body = self._body(node.body, documented=True)
        self._declared.pop()
        start = _start(body)
        node.body = body[:start] + self._guarded(node, counters + body[start:])
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def _guarded(self, function: Any, body: list[Any]) -> list[Any]:
        """A body that says which exceptions leave it.

        JAX makes tracebacks anew from what frames are executing: `with` leaves a frame where the exception struck,
        and `raise` would not.
        """
        if not body:
            return body
        guard = ast.Attribute(ast.Name(_NAME, ast.Load()), "leaving", ast.Load())
        return [_placed(ast.With([ast.withitem(guard)], body), function)]

    def visit_Expr(self, node: ast.Expr) -> Any:
        is_call, number = isinstance(node.value, ast.Call) and bool(self._declared), self._write()
        self.generic_visit(node)
        if is_call:
            node.value = self._call(node.value, "unused", ast.Constant(number), node.value)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        self._defaults(node.args)
        self._declared.append({})
        node.body = self.visit(node.body)
        self._declared.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        outer, self._declared = self._declared, []  # a class body runs once, where it is written
        node.body = self._body(node.body, documented=True)
        self._declared = outer
        return node

    def _defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.visit(each) for each in arguments.defaults]
        arguments.kw_defaults = [each and self.visit(each) for each in arguments.kw_defaults]

    # Expressions

    def visit_Attribute(self, node: Any) -> Any:
        self.generic_visit(node)
        if self._declared and not isinstance(node.ctx, ast.Load) and not _counts(self._statement):
            node.value = self._call(node.value, "store", ast.Constant(self._write()), node.value)
        return node

    visit_Subscript = visit_Attribute

    def visit_Call(self, node: ast.Call) -> Any:
        counts = self._probes.calls is not None and not (isinstance(node.func, ast.Name) and node.func.id in _BUILTINS)
        number = self._probes.number(places.span_of(self._path, node)) if self._declared or counts else -1
        self.generic_visit(node)
        function = node.func
        if counts and not (isinstance(function, ast.Attribute) and function.attr in _METHODS):
            node.func = self._call(function, "called", ast.Constant(number), function)
        if not self._declared:
            return node
        if isinstance(function, ast.Attribute) and function.attr in _METHODS:
            name = ast.Constant(function.attr)
            node.func = self._call(function, "method", ast.Constant(number), function.value, name)
        elif isinstance(function, ast.Name) and function.id in ("setattr", "delattr") and node.args:
            if not isinstance(node.args[0], ast.Starred):
                node.args[0] = self._call(node.args[0], "store", ast.Constant(number), node.args[0])
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
                if part.format_spec is not None:
                    self.visit_JoinedStr(part.format_spec)  # type: ignore[arg-type]
        return node

    # New nodes

    def _call(self, place: Any, probe: str, *arguments: Any) -> ast.expr:
        """A call of a probe, at the place of a node."""
        function = ast.Attribute(ast.Name(_NAME, ast.Load()), probe, ast.Load())
        return _placed(ast.Call(function, [*arguments], []), place)

    def _standing(self, place: Any, probe: str, *arguments: Any) -> ast.stmt:
        return _placed(ast.Expr(self._call(place, probe, *arguments)), place)


_Node = TypeVar("_Node", bound=ast.AST)
_BUILTINS = frozenset(vars(builtins))
_UNWATCHED = (ast.FormattedValue, ast.Slice, ast.Starred)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KEPT = {"annotation", "returns", "pattern", "type_params", "ctx", "op", "ops", "type_ignores"}
_UNRELATED = 7


def _rank(node: Any, own: Span, span: Span) -> tuple[int, int]:
    """How well a node that starts on the line of a span fits it: the least fits best."""
    starts, statement = own.column == span.column, isinstance(node, ast.stmt)
    if starts and (own.end_line, own.end_column) == (span.end_line, span.end_column):
        return (1 if statement else 2 if isinstance(node, ast.pattern) else 0), 0
    if statement and (starts or not span.column):
        return 3, -own.end_line
    if starts and (not span.end_line or (own.end_line, own.end_column) <= (span.end_line, span.end_column)):
        return 4, -own.end_column
    return (5 if not span.column else _UNRELATED), 0


def _counts(statement: Any) -> bool:
    """Whether a statement is `count[0] += 1`: how tests count traces, on purpose."""
    match statement:
        case ast.AugAssign(
            target=ast.Subscript(slice=ast.Constant(value=0)), op=ast.Add(), value=ast.Constant(value=int())
        ):
            return True
    return False


def _value_of(statement: Any) -> ast.expr | None:
    """The expression that a statement is about."""
    match statement:
        case ast.If() | ast.While() | ast.Assert():
            return statement.test
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Return():
            return statement.value
        case ast.For() | ast.AsyncFor():
            return statement.iter
        case ast.Match():
            return statement.subject
    return None


def _below(node: ast.AST) -> list[ast.AST]:
    return [part for part in ast.walk(node) if part is not node]


def _targets(statement: Any) -> list[ast.expr]:
    match statement:
        case ast.Assign() | ast.Delete():
            return list(statement.targets)
        case ast.AnnAssign(value=None):
            return []
        case ast.AugAssign() | ast.AnnAssign() | ast.For() | ast.AsyncFor():
            return [statement.target]
        case ast.With() | ast.AsyncWith():
            return [item.optional_vars for item in statement.items if item.optional_vars]
    return []


def _element(statement: Any, name: ast.Name) -> int | None:
    """Which item of the value a name gets in `a, b = value`; None where it gets all of it, or that is not plain."""
    for target in _targets(statement):
        if isinstance(target, (ast.Tuple, ast.List)) and name in target.elts:
            before = target.elts[: target.elts.index(name)]
            return None if any(isinstance(each, ast.Starred) for each in before) else len(before)
    return None


def _declarations(body: list[Any]) -> dict[str, str]:
    """The names that a function declares global or nonlocal."""
    declared: dict[str, str] = {}
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            declared |= dict.fromkeys(node.names, type(node).__name__)
        elif isinstance(node, ast.AST) and not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.expr)):
            waiting += ast.iter_child_nodes(node)
    return declared


def _start(body: list[Any]) -> int:
    """The number of statements that must stay first: a docstring, and imports from the future."""
    count = 0
    for statement in body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (future or (text and count == 0 and isinstance(statement.value.value, str))):
            break
        count += 1
    return count


def _placed(new: _Node, place: Any) -> _Node:
    """``new`` with the position of ``place``, as have its parts that have none."""
    waiting: list[Any] = [new]
    while waiting:
        node = waiting.pop()
        if "lineno" in node._attributes:
            if hasattr(node, "lineno"):
                continue
            ast.copy_location(node, place)
        waiting += ast.iter_child_nodes(node)
    return new
