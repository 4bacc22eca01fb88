"""Runs the interpreter over a program with every check listening, and makes findings of the reports."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from typing import Any

from jaxlint.checks import base, units
from jaxlint.checks.demos import possible_in_demos
from jaxlint.checks.one_cause import one_for_each_cause
from jaxlint.checks.precision import without_x64
from jaxlint.checks.versions import ModuleUses, cannot_start, check_module, may_mention
from jaxlint.checks.versions import findings as version_findings
from jaxlint.checks.ways import Reports
from jaxlint.flow.domain import events
from jaxlint.flow.domain.met import Failure, Met
from jaxlint.flow.engine.entries import Engine
from jaxlint.flow.engine.units import UnitMachine
from jaxlint.flow.limits import MAX_EVALUATIONS, TooMuchWork
from jaxlint.flow.observers.call_graph import CallGraph
from jaxlint.flow.port import Interpreter
from jaxlint.project.program import Module, Program
from jaxlint.project.reach import Importers
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary import rules
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Severity
from jaxlint.vocabulary.work import FUNCTIONS, NAMES, SILENT, Work

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
    jobs: int = 1,
    asked: Collection[str] | None = None,
    kept: units.Kept | None = None,
) -> list[Finding]:
    """All findings in all modules of ``program``, sorted, whatever their certainty.

    With ``asked``, the names of some modules, all in those; what cannot lead to any there is not looked at.

    What earlier runs have ``kept`` of units that depend on nothing that has changed is not looked for again.
    ``work`` hears how far it is, ``traced`` is given the places of the functions that run under a trace that
    holds tracers, ``graph`` which functions run under which transforms, ``met`` where limits ended the analysis.
    ``watch`` is given the interpreter before it runs.  So many ``jobs`` are done at a time, unless one of those who
    look on wants to see them all.
    Raises nothing for anything the program contains.
    """
    collector = Collector()
    interpreter = UnitMachine(program, collector.listeners())
    interpreter.called, interpreter.met = graph, met
    if watch is not None:
        watch(interpreter)
    is_watched = met is not None or graph is not None or watch is not None
    if is_watched:
        jobs, asked, kept = 1, None, None  # who watches sees each unit run
    runner = _Runner(interpreter, collector, kept)
    on_deep_stack(lambda: runner.run_all(jobs, work, asked))
    if traced is not None:
        traced.update(runner.found.traced)
    roots, functions = len(interpreter.deferred), len(interpreter.functions)
    work.told(f"{_count(roots, 'root')} of traces, {_count(functions, 'function')}")
    work.stage(NAMES, len(program.modules))
    found = list(one_for_each_cause(possible_in_demos(without_x64(runner.findings(), program), program)))
    found.extend(runner.found.failures)
    for name, module in program.modules.items():
        if name not in program.foreign and (asked is None or name in asked):
            found.extend(_removed(program, module, kept))
    return sorted(found, key=Finding.sort_key)


class _Runner:
    """Runs the units of a program, and gathers what they find."""

    def __init__(self, interpreter: UnitMachine, collector: Collector, kept: units.Kept | None) -> None:
        self.kept = kept
        self.it = interpreter
        self.collector = collector
        self.engine = Engine(interpreter)
        self.names: list[str] = []
        self.found = units.Found()

    def run_all(self, jobs: int, work: Work, asked: Collection[str] | None) -> None:
        """Runs the units that may lead to something in the modules that are ``asked`` for (None: in any)."""
        self.names = every = self.engine.read_modules(work)
        self.it.finish_reading()
        self.found.add(self._gathered())
        if asked is None or len(asked) == len(every):
            self._run_units(jobs, work)
            return
        importers = Importers(self.it.program)
        done: set[str] = set()
        while True:
            behind = self._behind(importers, asked)
            self.names = [name for name in every if (behind is None or name in behind) and name not in done]
            if not self.names:
                break
            done.update(self.names)
            self._run_units(jobs, work)
            asked = {*asked, *self._keepers()}

    def _behind(self, importers: Importers, asked: Collection[str]) -> set[str] | None:
        run_with = self.engine.may_be_run_with(asked)
        return None if run_with is None else importers.behind(run_with)

    def _keepers(self) -> Iterator[str]:
        """The modules in which a finding is told instead if several of its kind lead there (`one_cause`)."""
        for report in self.found.reports:
            for name, place in report.repair.places if report.repair is not None else ():
                module = self.it.program.at(place.path) if name == "kept" else None
                if module is not None:
                    yield module.name

    def _run_units(self, jobs: int, work: Work) -> None:
        self.names = [name for name in self.names if not self._recalls(name)]
        used = units.usable(self.names, self.it.program, jobs)
        if used > 1:
            from jaxlint.checks.forked import run_units

            run_units(self, used, self.it.program, work, self._add)
            return
        work.stage(FUNCTIONS, len(self.names))
        for done, name in enumerate(self.names):
            work.at(done, len(self.names), name)
            self._add(self.run([name]))

    def run(self, names: list[str]) -> units.Found:
        found = units.Found()
        for name in names:
            self.engine.run_units([name])
            gathered = self._gathered()
            found.add(gathered)
            if self.kept is not None:
                found.units.append(self._unit(name, gathered))
        found.traced = set(self.it.traced_functions())
        return found

    def _unit(self, name: str, found: units.Found) -> units.Unit:
        return units.Unit(name, found.reports, found.failures, *self.it.depends_on(name))

    def _add(self, found: units.Found) -> None:
        self.found.add(found)
        if self.kept is not None:
            for unit in found.units:
                self.kept.keep(unit, [self.it.questions.digest(asked) for asked in unit.questions])

    def _recalls(self, name: str) -> bool:
        """Whether an earlier run has found what there is to be found: nothing that the unit depends on has changed."""
        known = self.kept.recall(name) if self.kept is not None else None
        if known is None:
            return False
        unit, answers = known
        try:
            if any(self.it.questions.digest(asked) != answer for asked, answer in zip(unit.questions, answers)):
                return False
        except (KeyError, TypeError):  # another jaxlint of the same version wrote it
            return False
        self.found.add_unit(unit)
        return True

    def _gathered(self) -> units.Found:
        """What was found since the last time."""
        reports, self.collector.reports = self.collector.reports, Reports()
        failures, self.it.failures = self.it.failures, []
        return units.Found(list(reports.all()), [gave_up(each) for each in failures])

    def findings(self) -> Iterator[Finding]:
        reports = Reports()
        for report in self.found.reports:
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
    tree = module.document.tree
    text = module.document.text
    versions = program.jax_of(module)
    if tree is None or "jax" not in text or not may_mention(text, versions):
        return []
    owned = {name.partition(".")[0] for name in program.modules}
    references = list(check_module(tree, module.name, lambda name: name.partition(".")[0] in owned, versions, places))
    if not references:
        return []
    is_abandoned = cannot_start(tree, lambda name: program.missing(module, name))
    return list(version_findings(references, module.document.location, versions, is_abandoned))


def _removed(program: Program, module: Module, kept: units.Kept | None) -> list[Finding]:
    """`removed`; where an earlier run has found nothing, that is kept for as long as the module's text is the same.

    What it finds depends on more: code that cannot start is not told of.
    """
    unit = f"names of {module.name}"
    if kept is not None and kept.recall(unit) is not None:
        return []
    found = removed(program, module)
    if kept is not None and not found:
        kept.keep(units.Unit(unit, [], [], [module.name], []), [])
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
    freezes = not is_frozen and gc.get_freeze_count() == 0  # else others have, who will want it to stay so
    if freezes:
        gc.freeze()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        if sys.platform == "emscripten":
            work()  # a browser has no threads, and calls of Python take little of its stack
        else:
            _in_thread(work)
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
        if freezes:
            gc.unfreeze()
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


class Collector:
    """Turns what checks yield into findings; what several traces tell of one place is for `Reports` to make one."""

    def __init__(self) -> None:
        self.rules = rules.all_rules()
        self.reports = Reports()

    def listeners(self) -> dict[type, list[Callable[[Any], None]]]:
        table: dict[type, list[Callable[[Any], None]]] = {}
        for code, event_type, function in registry():
            table.setdefault(event_type, []).append(self._listener(code, function))
        return table

    def _listener(self, code: str, function: base.Check) -> Callable[[Any], None]:
        def listen(event: events.Event) -> None:
            for report in function(event):
                self.add(code, report, event)

        return listen

    def add(self, code: str, report: base.Report, event: events.Event) -> None:
        location = (report.scope or event.scope).location(report.node)
        rule = self.rules.get(code)
        certainty = rule.certainty if rule is not None else Certainty.CERTAIN
        if report.certainty is not None:
            certainty = min(certainty, report.certainty)
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
        )
        self.keep(finding)

    def keep(self, report: Finding) -> None:
        self.reports.add(report)


def registry() -> list[tuple[str, type, base.Check]]:
    """Every registered check, in the order of the codes."""
    for family in FAMILIES:
        package = importlib.import_module(f"jaxlint.checks.{family}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"jaxlint.checks.{family}.{module.name}")
    return sorted(base.REGISTRY, key=lambda entry: entry[0])
