"""Runs the interpreter over a program with every check listening, and makes findings of the reports."""

from __future__ import annotations

import functools
import gc
import importlib
import pkgutil
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from jaxlint.checks import base, frozen, units
from jaxlint.checks.demos import possible_in_demos
from jaxlint.checks.one_cause import one_for_each_cause
from jaxlint.checks.precision import without_x64
from jaxlint.checks.versions import ModuleUses, cannot_start, check_module, may_mention
from jaxlint.checks.versions import findings as version_findings
from jaxlint.checks.ways import Reports
from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Why
from jaxlint.flow.domain.met import Failure, Met
from jaxlint.flow.domain.retold import reasons_of
from jaxlint.flow.engine.entries import Engine
from jaxlint.flow.engine.units import UnitMachine
from jaxlint.flow.limits import MAX_EVALUATIONS, TooMuchWork
from jaxlint.flow.observers.call_graph import CallGraph
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.parts import TEXT
from jaxlint.project.program import Module, Program
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary import rules
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Severity
from jaxlint.vocabulary.work import FUNCTIONS, NAMES, SILENT, Work

if TYPE_CHECKING:
    from jaxlint.checks.spread import Crew

FAMILIES = ("purity", "tracing", "arrays", "random", "compilation", "differentiation", "transforms", "versions")

_STACK_BYTES = 512 * 1024 * 1024
_RECURSION = 40_000
_COLLECTED_AFTER = (100_000, 10, 10)  # see gc.set_threshold


def analyse(
    program: Program,
    settings: Settings,
    work: Work = SILENT,
    traced: set[Location] | None = None,
    graph: CallGraph | None = None,
    met: Met | None = None,
    watch: Callable[[Interpreter], None] | None = None,
    crew: Crew | None = None,
    asked: Collection[str] | None = None,
    kept: units.Kept | None = None,
) -> list[Finding]:
    """All findings in all modules of ``program``, sorted, whatever their certainty.

    With ``asked``, the names of some modules, all in those; what cannot lead to any there is not looked at.

    What earlier runs have ``kept`` of units that depend on nothing that has changed is not looked for again.
    ``work`` hears how far it is, ``traced`` is given the places of the functions that run under a trace that
    holds tracers, ``graph`` which functions run under which transforms, ``met`` where limits ended the analysis.
    ``watch`` is given the interpreter before it runs.  The units are run by a ``crew``, unless one of those who look on
    wants to see them all.
    Raises nothing for anything the program contains.
    """
    if met is not None or graph is not None or watch is not None:
        crew, asked, kept = None, None, None  # who watches sees each unit run
    analysis = _Analysis(program, crew, kept, work)
    interpreter = analysis.runner.it
    interpreter.called, interpreter.met = graph, met
    if watch is not None:
        watch(interpreter)
    on_deep_stack(lambda: analysis.run(asked))
    if traced is not None:
        traced.update(analysis.traced)
    roots, functions = len(interpreter.deferred), len(interpreter.functions)
    work.told(f"{_count(roots, 'root')} of traces, {_count(functions, 'function')}")
    work.stage(NAMES, len(program.modules))
    found = list(one_for_each_cause(possible_in_demos(without_x64(analysis.findings(), program), program)))
    found.extend(analysis.failures)
    for name, module in program.modules.items():
        if name not in program.foreign and (asked is None or name in asked):
            found.extend(_removed(program, module, kept))
    return sorted(found, key=Finding.sort_key)


class UnitRunner:
    """Runs the units of a program, and gathers what they find; ``is_noting`` what that depends on."""

    def __init__(self, program: Program, is_noting: bool = False) -> None:
        self.program = program
        self.is_noting = is_noting
        self.names: list[str] = []
        self.collector = Collector()
        self.it = UnitMachine(program, self.collector.listeners(), is_noting)
        self.engine = Engine(self.it)
        self._told = 0  # so many functions that run under a trace

    def read(self, work: Work = SILENT) -> units.Unit:
        """Reads all modules: afterwards ``names`` are the units.  Returns what reading has found."""
        self.names = self.engine.read_modules(work)
        self.it.finish_reading()
        return units.Unit("", *self._gathered())

    def run(self, names: list[str]) -> units.Found:
        found = units.Found([self._run(name) for name in names])
        found.traced = list(self.it.traced_functions(self._told))
        self._told += len(found.traced)
        return found

    def _run(self, name: str) -> units.Unit:
        self.engine.run_units([name])
        reports, failures = self._gathered()
        return units.Unit(name, reports, failures, *(self.it.depends_on(name) if self.is_noting else ()))

    def _gathered(self) -> tuple[list[Finding], list[Finding]]:
        """What was reported since the last time, and what was not analysed to its end."""
        reports, self.collector.reports = self.collector.reports, Reports()
        failures, self.it.failures = self.it.failures, []
        return list(reports.all()), [gave_up(each) for each in failures]


class _Analysis:
    """Has units run that may find something, and gathers what they have found."""

    def __init__(self, program: Program, crew: Crew | None, kept: units.Kept | None, work: Work) -> None:
        self.runner = UnitRunner(program, is_noting=kept is not None)
        if kept is not None:
            self.runner.it.parts = kept.parts
        self.crew = crew
        self.kept = kept
        self.work = work
        self.reports: list[Finding] = []
        self.failures: list[Finding] = []
        self.traced: set[Location] = set()

    def run(self, asked: Collection[str] | None) -> None:
        """Runs the units that may lead to something in the modules that are ``asked`` for (None: in any)."""
        runner = self.runner
        self._add_unit(runner.read(self.work))
        every = runner.names
        if asked is None or len(asked) == len(every):
            self._run_units()
            return
        done: set[str] = set()
        while True:
            behind = self._behind(asked)
            runner.names = [name for name in every if (behind is None or name in behind) and name not in done]
            if not runner.names:
                break
            done.update(runner.names)
            self._run_units()
            asked = {*asked, *self._keepers()}

    def _behind(self, asked: Collection[str]) -> set[str] | None:
        run_with = self.runner.engine.may_be_run_with(asked)
        return None if run_with is None else self.runner.engine.importers.behind(run_with)

    def _keepers(self) -> Iterator[str]:
        """The modules in which a finding is told instead if several of its kind lead there (`one_cause`)."""
        for report in self.reports:
            for name, place in report.repair.places if report.repair is not None else ():
                module = self.runner.program.at(place.path) if name == "kept" else None
                if module is not None:
                    yield module.name

    def _run_units(self) -> None:
        runner = self.runner
        runner.names = names = [name for name in runner.names if not self._recalls(name)]
        pool = self.crew.pool(runner) if self.crew is not None else None
        if pool is not None:
            from jaxlint.checks.spread import run_units

            run_units(runner, pool, self.work, self._add)
            return
        self.work.stage(FUNCTIONS, len(names))
        for done, name in enumerate(names):
            self.work.at(done, len(names), name)
            self._add(runner.run([name]))

    def _add(self, found: units.Found) -> None:
        self.traced.update(found.traced)
        questions = self.runner.it.questions
        for unit in found.units:
            self._add_unit(unit)
            if self.kept is not None:
                self.kept.keep(unit, [questions.digest(asked) for asked in unit.questions])

    def _add_unit(self, unit: units.Unit) -> None:
        self.reports += unit.reports
        self.failures += unit.failures

    def _recalls(self, name: str) -> bool:
        """Whether an earlier run has found what there is to be found: nothing that the unit depends on has changed."""
        known = self.kept.recall(name) if self.kept is not None else None
        if known is None:
            return False
        unit, answers = known
        questions = self.runner.it.questions
        try:
            if any(questions.digest(asked) != answer for asked, answer in zip(unit.questions, answers)):
                return False
        except (KeyError, TypeError):  # another jaxlint of the same version wrote it
            return False
        self._add_unit(unit)
        return True

    def findings(self) -> Iterator[Finding]:
        reports = Reports()
        for report in self.reports:
            reports.add(report)
        return reports.findings()


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def gave_up(failure: Failure) -> Finding:
    """What was not analysed to its end, shown instead of losing the run: a defect, or code beyond a limit."""
    rule = rules.all_rules()["JAX004"]
    where = failure.scope.location(failure.node)
    if isinstance(failure.error, TooMuchWork):
        message = (
            f"{failure.what} takes more than {MAX_EVALUATIONS.value:,} steps to analyse, findings in it may be missing"
        )
        advice = "move parts of it into functions of their own, which are analysed by themselves"
        return Finding("JAX004", rule.name, message, where, rule.severity, rule.certainty, advice)
    error = f"{type(failure.error).__name__}: {failure.error}".splitlines()[0][:120]
    return Finding(
        "JAX004",
        rule.name,
        f"the analysis of {failure.what} broke off ({error}), findings in it may be missing",
        where,
        rule.severity,
        rule.certainty,
        "this is a defect of jaxlint: please report it",
    )


def removed(program: Program, module: Module, places: ModuleUses | None = None) -> list[Finding]:
    """The names in a module that JAX has removed or is about to; ``places`` has it as it was the last time."""
    return _removed_by(program, module, lambda name: program.missing(module, name), places)


def _removed_by(
    program: Program, module: Module, missing: Callable[[str], str], places: ModuleUses | None = None
) -> list[Finding]:
    """`removed`, where ``missing`` says which imported names there is no file for."""
    tree = module.document.tree
    text = module.document.text
    versions = program.jax_of(module)
    if tree is None or "jax" not in text or not may_mention(text, versions):
        return []
    owned = {name.partition(".")[0] for name in program.modules}
    references = list(check_module(tree, module.name, lambda name: name.partition(".")[0] in owned, versions, places))
    if not references:
        return []
    return list(version_findings(references, module.document.location, versions, cannot_start(tree, missing)))


def _removed(program: Program, module: Module, kept: units.Kept | None) -> list[Finding]:
    """`removed`; what an earlier run has found in the same text is kept for as long as the same files are missing."""
    if kept is None:
        return removed(program, module)
    name = f"names of {module.name}"
    known = kept.recall(name)
    if known is not None:
        unit, answers = known
        if [program.missing(module, *asked) for asked in unit.questions] == answers:
            return unit.reports
    asked: dict[str, str] = {}

    def missing(dotted: str) -> str:
        asked[dotted] = program.missing(module, dotted)
        return asked[dotted]

    found = _removed_by(program, module, missing)
    unit = units.Unit(name, found, [], [(module.name, TEXT)], [(dotted,) for dotted in asked])
    kept.keep(unit, list(asked.values()))
    return found


def on_deep_stack(work: Callable[[], None], is_frozen: bool = False) -> None:
    """Runs ``work`` with room for deeply nested code.  Garbage is collected, but seldom.

    Most abstract values live as long as the run, so the usual thresholds would cost a fifth of the time.  States
    that are gone hold each other, though: never to look for them is a third of the memory.  What there is before, such
    as the trees that have been read, is not looked through.  Who asks again and again sees to that: ``is_frozen``.
    """
    limit, collecting, thresholds = sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()
    gc.set_threshold(*_COLLECTED_AFTER)
    gc.enable()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        with nullcontext() if is_frozen else frozen.meanwhile():
            if sys.platform == "emscripten":
                work()  # a browser has no threads, and calls of Python take little of its stack
            else:
                _in_thread(work)
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
        if not collecting:
            gc.disable()


def _in_thread(work: Callable[[], None]) -> None:
    """Runs ``work`` in a thread of its own, whose stack is as large as that of no first thread."""
    failure: list[BaseException] = []

    def target() -> None:
        try:
            work()
        except BaseException as error:
            failure.append(error)

    stack = threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=target, name="jaxlint-analysis")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(stack)
    if failure:
        raise failure[0]


_OF_VALUES = "JAX2"
"""The rules that tell of values which tracers do not have: these alone count in a trace that is only supposed."""


class Collector:
    """Turns what checks yield into findings; what several traces tell of one place is for `Reports` to make one."""

    def __init__(self) -> None:
        self.rules = rules.all_rules()
        self.reports = Reports()

    def listeners(self) -> dict[type, list[Callable[[Any], None]]]:
        checks: dict[type, list[tuple[str, base.Check]]] = {}
        for code, event_type, function in registry():
            checks.setdefault(event_type, []).append((code, function))
        return {event_type: [functools.partial(self._listen, those)] for event_type, those in checks.items()}

    def _listen(self, checks: list[tuple[str, base.Check]], event: events.Event) -> None:
        for code, function in checks:
            for report in function(event):
                self.add(code, report, event)

    def add(self, code: str, report: base.Report, event: events.Event) -> None:
        location = (report.scope or event.scope).location(report.node)
        rule = self.rules.get(code)
        certainty = rule.certainty if rule is not None else Certainty.CERTAIN
        if report.certainty is not None:
            certainty = min(certainty, report.certainty)
        if any(step.why is Why.TAKEN for reason in reasons_of(event) for step in reason.chain()):
            certainty = min(certainty, Certainty.LIKELY)
        if event.context.is_supposed:
            if not code.startswith(_OF_VALUES):
                return
            certainty = min(certainty, Certainty.LIKELY)
        finding = Finding(
            code,
            rule.name if rule is not None else "",
            report.message,
            location,
            rule.severity if rule is not None else Severity.ERROR,
            certainty,
            report.help,
            report.related,
            event.definition,
            repair=report.repair,
            withdraws=report.withdraws,
            stands=report.stands,
            narrow=report.narrow,
        )
        self.keep(finding)

    def keep(self, report: Finding) -> None:
        self.reports.add(report)


def registry() -> list[tuple[str, type, base.Check]]:
    """Every registered check, in the order of the codes."""
    _import_checks()
    return sorted(base.REGISTRY, key=lambda entry: entry[0])


@functools.cache
def _import_checks() -> None:
    """Has the modules of all checks register them."""
    for family in FAMILIES:
        package = importlib.import_module(f"jaxlint.checks.{family}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"jaxlint.checks.{family}.{module.name}")
