"""What a worker does with a job: import the module under the probes, then trace one target after the other.

Runs only in processes that `broker` started for it.  The inputs of a target are looked for in a cascade, from calls
that somebody really made to calls that are made up; it ends when everything that is watched in the target has run
under a trace, or when the ways of finding inputs are used up.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.util
import inspect
import itertools
import linecache
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import jax

from jaxlint.dynamic import effects, left_out, oracle, private, probes, stubs
from jaxlint.dynamic.fences import OutOfTime
from jaxlint.dynamic.inputs import adapters, factories, recordings, signatures, usage
from jaxlint.dynamic.inputs.adapters import Entry, NoEntry
from jaxlint.dynamic.inputs.call_sites import calls_in, known_arguments
from jaxlint.dynamic.inputs.callers import MOST_CALLERS, callers, readers_in
from jaxlint.dynamic.inputs.calls import Call, describe, shown
from jaxlint.dynamic.inputs.declared import BadDeclaration, call_of
from jaxlint.dynamic.inputs.synthesis import Feedback, candidates, touches_files
from jaxlint.dynamic.observations import Job, Kind, Origin, Outcome, Result, Span, Traced
from jaxlint.dynamic.recording import RECORDER
from jaxlint.dynamic.worker import own_names

SECONDS = 12.0  # of a processor for one target, after which no new call is tried
MOST_TRACED = 12
MOST_FACTORY_CALLS = 3
MOST_OBJECTS = 2
_PATIENCE = 5
MOST_OTHERS = 20  # recorded calls of other functions that are replayed in the hope that they get to the target
_LIMIT = "the limit of "  # how the oracle's errors begin that are no errors of the call


def so_far(result: Result) -> None:
    """Told what was seen until now, for the case that nothing more will be; the worker has its own."""


# ------------------------------------------------------------------------------------------------ import


def prepare(job: Job, end: float) -> None:
    """Reads what is the same for all jobs that have this in common, until the clock is at ``end``.

    That is the files' code with its probes, and what is looked up in the files for inputs.
    """
    probes.install(job.sources, job.probes, goes_on=True)
    recordings.read(job.recordings, jax.__version__)
    for path in job.common.files if job.common else ():
        if time.monotonic() > end:
            return
        probes.prepare(path)
        calls_in(path)
        readers_in(path)


def is_driven() -> bool:
    """Whether a backend runs in this process: an accelerator's is of no use in one that is forked from it."""
    return private.has_backend()


def load(job: Job) -> tuple[ModuleType | None, Result]:
    """The job's module, imported under the probes, and what was seen meanwhile; None if it cannot be imported.

    The result's ``detail`` says what the import failed at, also where there is a module without it.
    """
    sys.path[:0] = [folder for folder in job.search if folder not in sys.path]
    if job.run_as_main:
        vars(builtins)["display"] = _displayed
    recordings.read(job.recordings, jax.__version__)  # once here, and not in each of the processes forked from this one
    effects.install()
    probes.install(job.sources, job.probes, goes_on=True)
    if job.stub_missing:
        stubs.install(own_names(job))
    what = f"python {os.path.basename(job.path)}" if job.run_as_main else f"import {job.module}"
    traced = Traced(job.module, "", Origin.IMPORT, what)
    module, detail, outcome = None, "", Outcome.DONE
    with stubs.touched() as touched, oracle.online(job.sources, traced):
        probes.before_each_statement(_Progress(job, traced, touched))
        try:
            module = _import_in_turn(job)
            detail = probes.failure()
        except OutOfTime as error:  # what was seen until then has been seen
            detail, module = _LATE, _what_there_is(job, error)
            outcome = Outcome.DONE if module else Outcome.TIMED_OUT
        except (Exception, SystemExit) as error:
            if job.run_as_main and isinstance(error, SystemExit) and not error.code:
                module = sys.modules["__main__"]  # a script that ends with sys.exit(main())
            else:
                RECORDER.failed(error, sys._getframe())
                detail, module = _one_line(error), _what_there_is(job, error)
                outcome = Outcome.DONE if module else Outcome.NOT_IMPORTABLE
    probes.before_each_statement(None)
    traced.error = detail
    left_out.without_consequences(traced)
    traced.stubs = tuple(sorted(touched | set(stubs.shaping())))
    return module, Result(job.module, "", outcome, detail, traced=[traced, *_seen_before(job, module)])


_LATE = "its import did not end in time"


class _Progress:
    """Says what an import has shown each time that there is more of it: a statement may never end."""

    def __init__(self, job: Job, traced: Traced, touched: set[str]) -> None:
        self._job = job
        self._traced = traced
        self._touched = touched
        self._told = 0

    def __call__(self) -> None:
        seen = len(self._traced.observations) + len(self._traced.visits)
        if seen > self._told:
            self._told = seen
            traced = replace(self._traced, error=_LATE, stubs=tuple(sorted(self._touched | {*stubs.shaping()})))
            left_out.without_consequences(traced)
            so_far(Result(self._job.module, "", Outcome.TIMED_OUT, _LATE, traced=[traced]))


def _displayed(*values: Any, **options: Any) -> None:
    """What IPython gives to the cells of a notebook."""


def _seen_before(job: Job, module: ModuleType | None) -> list[Traced]:
    """What is recorded of the module's own code; of its functions as well, where there is none to trace them in."""
    path = os.path.realpath(job.path)
    records = (one for one in recordings.read(job.recordings, jax.__version__) if one.path == path)
    return [one.seen for one in records if one.seen is not None and (module is None or not one.qualname)]


def _what_there_is(job: Job, error: BaseException) -> ModuleType | None:
    """The module as far as it got: a top-level statement ended it, and what was defined before it can be traced."""
    path, step = os.path.realpath(job.path), error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_name == "<module>" and os.path.realpath(code.co_filename) == path:
            module = ModuleType(job.module)
            module.__dict__.update(step.tb_frame.f_globals)
            sys.modules.setdefault(job.module, module)
            return module
        step = step.tb_next
    return None


def _import_in_turn(job: Job) -> ModuleType:
    """The module; where it belongs to a circle of imports that has to be entered elsewhere, entered there."""
    try:
        return _import(job)
    except (ImportError, AttributeError) as error:
        asker = _asked_too_early(error)
        if asker is None:
            raise
        try:
            importlib.import_module(asker)
        except Exception:
            raise error from None
    return _import(job)


def _asked_too_early(error: BaseException) -> str | None:
    """The module that asked a half-imported one for what it had not got yet: imported first, it can find it."""
    if "circular import" not in str(error):  # Python's words for that
        return None
    asker, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_name == "<module>":
            asker = step.tb_frame.f_globals.get("__name__")
        step = step.tb_next
    return asker


def _import(job: Job) -> ModuleType:
    """By its name if that leads to its file, so that relative imports and the package's code work; else by its path."""
    path = os.path.realpath(job.path)
    if job.run_as_main:
        return module_from_path("__main__", path)
    if all(part.isidentifier() for part in job.module.split(".")):
        spec = importlib.util.find_spec(job.module)  # imports the packages around it
        if spec is not None and spec.origin and os.path.realpath(spec.origin) == path:
            return importlib.import_module(job.module)
    return module_from_path(job.module, path)


def module_from_path(name: str, path: str) -> ModuleType:
    """The file as a module of this name, found by the finders in the order in which an import asks them."""
    folder, stem = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    sys.path.insert(0, folder)
    found = (finder.find_spec(stem, [folder]) for finder in sys.meta_path)
    spec = next((spec for spec in found if spec is not None and spec.loader is not None), None)
    if spec is None or os.path.realpath(spec.origin or "") != path:
        raise ImportError(f"{path} cannot be imported as a module")
    module = importlib.util.module_from_spec(spec)
    module.__name__ = name
    sys.modules[name] = module
    code = spec.loader.get_code(stem)  # type: ignore[union-attr]
    exec(code, module.__dict__)
    return module


def _one_line(error: BaseException) -> str:
    text = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# ------------------------------------------------------------------------------------------------- trace


def trace(job: Job, module: ModuleType, qualname: str) -> Result:
    """Everything seen of one target, with inputs from the best source that has any."""
    started = time.monotonic()
    run = _Run(job, module, qualname)
    outcome, detail = Outcome.DONE, ""
    try:
        for source in _CASCADE:
            try:
                source(run)
            except (Exception, SystemExit) as error:  # making up inputs runs user code: metaclasses, descriptors
                run.reasons.append(_one_line(error))
            if run.is_settled():
                break
    except OutOfTime:
        if not run.traced:
            raise
        detail = "a call that was tried last did not end in time"  # those before it did
    if not run.traced:
        outcome, detail = Outcome.NO_INPUTS, run.detail()
    return Result(job.module, qualname, outcome, detail, time.monotonic() - started, run.traced, run.void())


class _Run:
    """The search for inputs of one target."""

    def __init__(self, job: Job, module: ModuleType, qualname: str) -> None:
        self.job = job
        self.module = module
        self.qualname = qualname
        self.outermost = qualname.partition(".<locals>")[0]
        self.path = os.path.realpath(job.path)
        self.records = [one for one in recordings.read(job.recordings, jax.__version__) if one.path == self.path]
        self.traced: list[Traced] = []
        self.failures: list[str] = []
        self.reasons: list[str] = []
        self.deadline = time.process_time() + SECONDS
        node = usage.functions(self.path).get(qualname)
        self.lines = usage.line_range(node) if node else range(0)
        self.unvisited = {probe for probe in job.probes if self._contains(probe)}
        self.is_factory = False
        self.is_watched = bool(self.unvisited)
        self.is_detour = False  # it is another function that is called

    def void(self) -> tuple[str, ...]:
        """Why what was recorded of the target, or of what is around it, does not count."""
        reasons = recordings.void(self.job.recordings, jax.__version__)
        names = dict.fromkeys((self.qualname, self.outermost))
        return tuple(reasons[self.path, name] for name in names if (self.path, name) in reasons)

    def _contains(self, span: Span) -> bool:
        return os.path.realpath(span.path) == self.path and span.line in self.lines

    @property
    def is_nested(self) -> bool:
        return self.outermost != self.qualname

    def is_exhausted(self) -> bool:
        """Whether no other call is tried, whatever is left to be learnt."""
        return time.process_time() > self.deadline or len(self.traced) >= MOST_TRACED

    def is_settled(self) -> bool:
        """Whether nothing is left to be learnt by another call."""
        if self.is_exhausted():
            return True
        return bool(self.traced) and not self.unvisited and (self.is_watched or not self.is_nested)

    def observe(self, entry: Entry, call: Call, name: str, by: tuple[str, ...] = ()) -> Traced:
        """Traces one call and keeps what it shows; ``by`` are the transforms that it is known to run under."""
        assumptions = (*entry.assumptions, *call.assumptions)
        origin = Origin.SYNTHESISED if entry.assumptions and call.origin is Origin.ANNOTATED else call.origin
        whole = Call((*entry.lead, *call.args), call.kwargs, origin, assumptions)
        if not origin.observed and not _traces_anything(whole):
            assumptions = (*assumptions, "it runs under a trace")
        inputs = _described(name, entry, whole)
        with stubs.touched() as touched:
            traced = oracle.observe(
                self._peeking(entry.call),
                whole.args,
                whole.kwargs,
                module=self.job.module,
                qualname=self.qualname,
                origin=origin,
                inputs=inputs,
                sources=self.job.sources,
                limits=oracle.Limits(platforms=self.job.lower_for, slopes=self.job.slopes),
                explain=self.job.explain,
            )
        for seen in traced.observations if by else ():
            seen.traced_by = by + seen.traced_by
        traced.assumptions = tuple(dict.fromkeys((*assumptions, *probes.assumed())))
        left_out.without_consequences(traced)
        traced.stubs = tuple(sorted({*traced.stubs, *touched, *stubs.shaping()}))
        if _is_evidence(traced):
            if not (self.traced or self.is_detour) or self._gets_there(traced):
                self.keep(traced)
        else:
            self.failures.append(f"{inputs}: {traced.error}")
        return traced

    def _peeking(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with a look at what it returns: only what returns functions is worth calling as a factory."""

        def call(*args: Any, **kwargs: Any) -> Any:
            returned = function(*args, **kwargs)
            self.is_factory = self.is_factory or bool(factories.members(returned))
            return returned

        call.__wrapped__ = function  # type: ignore[attr-defined]
        return call

    def _gets_there(self, traced: Traced) -> bool:
        """Whether anything was seen in the target: a call of a caller or of what is around it need not do that."""
        places = [seen.at for seen in traced.observations] + [visit.at for visit in traced.visits]
        return not (self.is_nested or self.is_detour) or any(self._contains(at) for at in places)

    def keep(self, traced: Traced) -> None:
        """Adds a run to the evidence and strikes out what was visited under a trace in it."""
        self.traced.append(traced)
        detail = "a call that was tried last did not end in time"
        so_far(Result(self.job.module, self.qualname, Outcome.DONE, detail, 0.0, self.traced, self.void()))
        visited = {visit.at for visit in traced.visits if visit.traced or visit.concrete}
        visited |= {seen.at for seen in traced.observations if seen.handled}
        self.unvisited -= visited

    def synthesise(
        self,
        entry: Entry,
        name: str,
        origin: Origin | None = None,
        known: dict[str, Any] | None = None,
        patience: int = 2,
    ) -> list[Call]:
        """Tries made-up calls until one shows everything; returns those that could be traced.

        It is given up after some calls that show nothing new, after ``patience`` on the way to a nested target: what
        leads there by a detour either gets there or does not, mostly whatever the shapes.
        """
        finished: list[Call] = []
        left = patience if self.is_nested or self.is_detour else _PATIENCE
        search = candidates(entry.plan, {**entry.known, **(known or {})})
        try:
            call = next(search)
            while call.is_variant or not (self.is_settled() or left == 0):
                before = len(self.unvisited)
                traced = self.observe(entry, replace(call, origin=origin) if origin else call, name)
                if adapters.needs_haiku(traced.error):
                    break
                if _is_finished(traced) and not call.is_variant:
                    finished.append(call)
                    left -= len(self.unvisited) == before
                call = search.send(Feedback(_is_finished(traced), traced.error, _suspects(traced)))
        except StopIteration:
            pass
        return finished

    def detail(self) -> str:
        """In one line, why there is no evidence."""
        if self.failures:
            return f"{len(self.failures)} calls tried, the first {self.failures[0]}"
        return self.reasons[0] if self.reasons else "its parameters could not be made up"


def _described(name: str, entry: Entry, call: Call) -> str:
    """The call for people, with the defaults that it leaves as they are: with others it may be another story."""
    names, given = (*entry.names, *_parameters(entry.plan)), len(call.args)
    try:
        parameters = inspect.signature(entry.plan).parameters.values()
    except (TypeError, ValueError):
        parameters = ()  # type: ignore[assignment]
    left = {
        one.name: one.default
        for one in parameters
        if one.default is not one.empty and one.name not in call.kwargs and one.name not in names[:given]
    }
    return describe(name, names, replace(call, kwargs=call.kwargs | left))


def _traces_anything(call: Call) -> bool:
    return any(isinstance(leaf, jax.ShapeDtypeStruct) for leaf in jax.tree_util.tree_leaves((call.args, call.kwargs)))


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of what is passed by position, up to `*args`."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(one.name for one in itertools.takewhile(lambda one: one.kind is not one.VAR_POSITIONAL, parameters))


def _is_finished(traced: Traced) -> bool:
    return not traced.error or traced.error.startswith(_LIMIT)


def _is_evidence(traced: Traced) -> bool:
    """A failure says something about the code if the call is real, or if what failed is a question to a tracer.

    Any other failure of a made-up call says that it was made up badly.
    """
    if traced.origin.observed or _is_finished(traced):
        return True
    return traced.error.partition(":")[0] in _QUESTIONS or private.wants_a_bound(traced.error)


_QUESTIONS = frozenset(
    name for name, error in vars(jax.errors).items() if isinstance(error, type) and issubclass(error, TypeError)
) | {"NonConcreteBooleanIndexError", "UnexpectedTracerError"}


def _suspects(traced: Traced) -> frozenset[str]:
    """The names in expressions whose value was asked for: `n` of `range(n)` and of `if n > 2`."""
    asked = (Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.INDEX, Kind.CONCRETE)
    texts = (_text(seen.at) for seen in traced.observations if seen.kind in asked)
    return frozenset(name for text in texts if _PLAIN.fullmatch(text) for name in _WORD.findall(text))


_PLAIN = re.compile(r"[\w\s+*/%<>=!-]+|range\(\w+\)")
_WORD = re.compile(r"[A-Za-z_]\w*")


def _text(at: Span) -> str:
    if not at.column or at.end_line != at.line:
        return ""
    return linecache.getline(at.path, at.line)[at.column - 1 : at.end_column - 1]


# ----------------------------------------------------------------------------------------------- cascade


def _recorded(run: _Run) -> None:
    """Real calls of the target, then of the module's other functions until the target has been reached."""
    mine = [one for one in run.records if one.qualname in (run.qualname, run.outermost)]
    others = [one for one in run.records if one.qualname not in (run.qualname, run.outermost)]
    seen = [one.seen for one in mine if one.seen is not None and one.qualname == run.qualname]
    calls = [one for one in mine if one.call is not None]
    if not any(one.qualname == run.qualname for one in calls):
        _keep_all(run, seen)
        seen = []
    _replay_all(run, calls)
    run.is_detour = True
    _replay_all(run, others[:MOST_OTHERS])
    run.is_detour = False
    _keep_all(run, seen)  # a replay shows more of a call, and need not get as far


def _replay_all(run: _Run, records: list[recordings.Record]) -> None:
    """Replays calls of other functions until nothing is left to be learnt, and of the target one of each case."""
    replayed = set()
    for record in records:
        is_another = not run.is_detour and record.case not in replayed
        if run.is_exhausted():
            return
        if is_another or not run.is_settled():
            _replay(run, record)
            replayed.add(record.case)


def _keep_all(run: _Run, seen: list[Traced]) -> None:
    for one in seen:
        run.keep(one)


def _replay(run: _Run, record: recordings.Record) -> None:
    if record.call is None or "<locals>" in record.qualname:
        return
    try:
        _, function = adapters.resolve(run.module, record.qualname)
        args, kwargs = signatures.decode(record.call)
    except (NoEntry, signatures.Unencodable) as error:
        run.reasons.append(f"recorded call: {error}")
        return
    origin = Origin.LIFTED if record.eager else Origin.RECORDED
    if record.eager and signatures.is_numpy_only(record.call):
        origin = Origin.CALL_SITE  # nobody has passed it a JAX array
    # What was recorded is what the innermost function got: a jitted one would trace its static arguments.
    with contextlib.suppress(ValueError):
        function = inspect.unwrap(function)
    kwargs = {name: value for name, value in kwargs.items() if not _is_default(function, name, value)}
    constructs = record.qualname.rpartition(".")[2] == "__init__"
    entry = Entry(function, _constructing(function) if constructs else function)
    call = Call(_without_defaults(function, args), kwargs, origin)
    traced = run.observe(entry, call, record.qualname, record.by)
    for seen in traced.observations:
        seen.handled = seen.handled or seen.exception in record.handled
    if traced.error and adapters.needs_haiku(traced.error):
        run.traced[:] = [one for one in run.traced if one is not traced]
        for other in adapters.entries(run.module, record.qualname):
            if other.lead:  # the real call ran inside it as well
                run.observe(replace(other, assumptions=()), call, record.qualname, record.by)


def _constructing(constructor: Callable[..., Any]) -> Callable[..., Any]:
    """The constructor, given an object that is made in the trace and has what the recorded one had before."""

    def construct(before: Any, *args: Any, **kwargs: Any) -> Any:
        made = before
        with contextlib.suppress(TypeError):  # what inherits from a class in C, or has no attributes of its own
            made = object.__new__(type(before))
            vars(made).update(vars(before))
        return constructor(made, *args, **kwargs)

    construct.__wrapped__ = constructor  # type: ignore[attr-defined]
    return construct


def _without_defaults(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments up to the last one that is no default: a list that was one is the function's own list again."""
    names, kept = _parameters(function), len(args)
    while 0 < kept <= len(names) and _is_default(function, names[kept - 1], args[kept - 1]):
        kept -= 1
    return args[:kept]


def _is_default(function: Callable[..., Any], name: str, value: Any) -> bool:
    defaults = inspect.signature(function).parameters if callable(function) else {}
    return type(value) in (list, dict, set) and name in defaults and type(defaults[name].default) is type(value)


def _declared(run: _Run) -> None:
    for name, text in run.job.declared:
        if name not in (run.qualname, run.outermost):
            continue
        for entry in _entered(run):
            try:
                call = call_of(text, entry.plan, vars(run.module))
            except BadDeclaration as error:
                run.reasons.append(str(error))
                continue
            traced = run.observe(entry, call, run.outermost)
            if run.is_factory:
                _follow(run, entry, call)
            if _is_finished(traced):
                return


def _at_call_sites(run: _Run) -> None:
    """What calls in the project write down is kept, the rest is made up around it."""
    name = run.outermost.rpartition(".")[2]
    for entry in _entered(run)[:1]:
        for known in known_arguments(name, entry.plan, run.job.sources):
            if run.is_settled():
                return
            complete = known.keys() >= set(_required(entry.plan))
            run.synthesise(entry, run.outermost, Origin.CALL_SITE if complete else None, known)


def _required(function: Callable[..., Any]) -> Iterator[str]:
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is parameter.empty and parameter.kind not in (2, 4):
            yield name


def _synthesised(run: _Run) -> None:
    for entry in _entered(run):
        if run.is_settled():
            return
        finished = run.synthesise(entry, run.outermost)
        for call in finished[:MOST_FACTORY_CALLS] if run.is_factory and not entry.lead else ():
            _follow(run, entry, call)
        if finished:
            return


def _through_callers(run: _Run) -> None:
    """Made-up calls of what calls the target, where calls of the target itself have left something unseen."""
    if not run.is_watched:
        return
    run.is_detour = True
    for module, name in itertools.islice(callers(run.path, run.outermost, run.job.sources), MOST_CALLERS):
        for entry in _entries_of(run, module, name)[:1]:
            if run.is_settled():
                return
            run.synthesise(entry, name)


def _entered(run: _Run) -> list[Entry]:
    return _entries_of(run, run.module, run.outermost)


def _entries_of(run: _Run, module: ModuleType, name: str) -> list[Entry]:
    if touches_files(name):
        run.reasons.append("its name says that it touches files: it is never called with made-up arguments")
        return []
    found: list[Entry] = []
    try:
        found.extend(adapters.entries(module, name))
    except NoEntry as error:
        run.reasons.append(str(error))
    return found


# --------------------------------------------------------------------------------------------- factories


def _follow(run: _Run, entry: Entry, call: Call) -> None:
    """Calls the function outside of any trace, as factories are, and traces the functions that it returns."""
    if run.is_settled():
        return
    try:
        returned = entry.call(*adapters.concrete(call.args), **adapters.concrete(call.kwargs))
    except (Exception, SystemExit) as error:
        run.failures.append(f"{run.outermost}: {_one_line(error)}")
        return
    name = describe(run.outermost, _parameters(entry.plan), call)
    _through_members(run, name, factories.members(returned), call.assumptions)


def _of_objects(run: _Run) -> None:
    """The methods of made-up objects in the order in which they are used: what `init` returns goes to `update`."""
    if not run.is_watched or touches_files(run.outermost):
        return
    method = run.outermost.rpartition(".")[2]
    try:
        for made in itertools.islice(adapters.objects(run.module, run.outermost), MOST_OBJECTS):
            if run.is_settled():
                return
            found = factories.members(made)
            if not any(member.name == method for member in found):
                found.append(factories.Member(f".{method}", getattr(made, method)))
            wanted = [member for member in found if factories.makes_arguments(member) or member.name == method]
            _through_members(run, type(made).__name__, wanted, (f"the object is {shown(made)}",))
    except NoEntry:
        return


def _through_members(run: _Run, name: str, found: list[factories.Member], assumptions: tuple[str, ...]) -> None:
    """Traces functions that belong together, those first that make arguments for the others."""
    starts = [member for member in found if factories.makes_arguments(member)]
    rest = [member for member in found if member not in starts]
    rounds: list[tuple[dict[str, Any], Any]] = []
    for member in starts:
        inner = Entry(member.function, member.function, assumptions=assumptions)
        for worked in run.synthesise(inner, name + member.path, Origin.FACTORY, patience=3):
            given = dict(zip(_parameters(member.function), worked.args)) | worked.kwargs
            rounds.append((given, _result_of(member.function, worked)))
    # Of the shapes that `init` took, the likeliest and the one of the highest rank.
    for given, made in [rounds[0], rounds[-1]] if len(rounds) > 1 else rounds or [({}, None)]:
        for member in rest:
            if run.is_settled():
                return
            known = factories.fed(member.function, given, made)
            inner = Entry(member.function, member.function, assumptions=assumptions, known=known)
            run.synthesise(inner, name + member.path, Origin.FACTORY)


def _result_of(function: Callable[..., Any], call: Call) -> Any:
    """The types of what a call returns; None where they cannot be found without the oracle."""
    leaves, structure = jax.tree_util.tree_flatten((call.args, call.kwargs))
    spots = [spot for spot, leaf in enumerate(leaves) if isinstance(leaf, jax.ShapeDtypeStruct)]

    def of_arrays(*arrays: Any) -> Any:
        filled = dict(zip(spots, arrays))
        filled_leaves = [filled.get(spot, leaf) for spot, leaf in enumerate(leaves)]
        args, kwargs = jax.tree_util.tree_unflatten(structure, filled_leaves)
        return function(*args, **kwargs)

    try:
        return jax.eval_shape(of_arrays, *(leaves[spot] for spot in spots))
    except (Exception, SystemExit):
        return None


_CASCADE: tuple[Callable[[_Run], None], ...] = (
    _recorded,
    _declared,
    _at_call_sites,
    _synthesised,
    _of_objects,
    _through_callers,
)
