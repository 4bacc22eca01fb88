"""Dynamic mode from end to end: findings in, the same findings with verdicts out, and what only tracing saw.

Names that JAX has or has not are looked up (`names.py`), everything else is traced.

Only a confirmation raises a finding's severity; a refutation takes it below what is shown by default.  Nothing is
ever dropped here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from jaxlint.dynamic import names
from jaxlint.dynamic.broker import Options, Unavailable, look_up, missing_capabilities, run_jobs
from jaxlint.dynamic.cache import Cache
from jaxlint.dynamic.decided import Decided
from jaxlint.dynamic.inputs.recordings import joined
from jaxlint.dynamic.names import Answer, Question, is_final
from jaxlint.dynamic.notebooks import written_out
from jaxlint.dynamic.observations import Job, Kind, Observation, Result, Span, Traced
from jaxlint.dynamic.plan import plan, span_of
from jaxlint.dynamic.progress import Progress
from jaxlint.dynamic.rehearsal import rehearsed
from jaxlint.dynamic.stopping import Stop
from jaxlint.dynamic.verdicts import EXPECTED, Judge, assumptions_of, is_there
from jaxlint.project.program import Program
from jaxlint.vocabulary import rules
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Proof, Severity, Verdict


def prove(
    program: Program,
    findings: list[Finding],
    traced: Iterable[Location],
    options: Options,
    jax: str,
    progress: Progress | None = None,
    cache: Cache | None = None,
    stop: Stop | None = None,
) -> list[Finding]:
    """``findings`` with a verdict each, and findings of origin `tracing` for what nobody had claimed.

    ``traced`` are functions that are believed to be traced: they are run whether or not there is a finding in them.
    ``jax`` is the version that the workers have.  ``stop`` is told what was left out; once it is given a signal, the
    verdicts are those of what was traced until then.  Raises `broker.Unavailable` when nothing can be run at all.
    """
    stop = stop or Stop()
    results: list[Result] = []
    judge = Judge(results, jax, where=_where(program))
    decided = Decided(program, judge, progress)
    with stop.listening():
        looked_up = _looked_up(program, findings, options, jax, cache)
        decided.at_once(looked_up)
        open_ = [finding for finding in findings if finding not in looked_up or not is_final(looked_up[finding])]
        planned = plan(program, open_, traced, options.lower_for)
        judge.lacks = _missing(options, cache) if planned.jobs and not stop.signal else ()
        checked = [finding for finding in open_ if finding.code in EXPECTED]
        innermost = [planned.targets[finding][0] for finding in checked if planned.targets[finding]]
        wanted = {(os.path.realpath(program.modules[module].path), name) for module, name in innermost}
        with rehearsed(program, wanted, options, stop, cache) as recorded:
            jobs = [replace(job, recordings=joined(job.recordings, recorded)) for job in planned.jobs]
            decided.expect(planned.targets)
            for result in results_of(program, jobs, options, progress, cache, stop):
                results.append(result)
                decided.after(result)
    verdicts = looked_up | {
        finding: verdict
        for finding in open_
        if (verdict := judge.verdict(finding, planned.targets[finding])).state.is_decisive or finding not in looked_up
    }
    judged = [_with(finding, verdicts[finding]) for finding in findings]
    return judged + list(only_traced(judge, program))


def _where(program: Program) -> Callable[[Span], str]:
    """How people find a place in the text that is analysed: in a notebook by its cell."""

    def told(at: Span) -> str:
        module = program.at(at.path)
        layout = module.document.layout if module is not None else None
        place = Location(at.path, at.line, max(at.column, 1))
        if layout is not None:
            place = layout.place(place)
        return f"cell {place.cell}, line {place.line}" if place.cell else f"line {place.line}"

    return told


def _looked_up(
    program: Program, findings: list[Finding], options: Options, jax: str, cache: Cache | None
) -> dict[Finding, Verdict]:
    """What can be said of names by asking the installed jax for them; nothing where it gives no answer."""

    def ask(questions: list[Question]) -> list[Answer]:
        return look_up(questions, options)

    try:
        asks = ask if cache is None else lambda questions: cache.looked_up(questions, ask)
        return names.verdicts(program, findings, jax, asks)
    except Unavailable:
        return {}


def _missing(options: Options, cache: Cache | None) -> tuple[str, ...]:
    return cache.missing(options, missing_capabilities) if cache is not None else missing_capabilities(options)


def explain(program: Program, place: Location, options: Options, jax: str, progress: Progress | None) -> list[str]:
    """What tracing shows of one line: each call that reached it, what was observed and the equations it makes."""
    jobs = [replace(job, explain=span_of(place)) for job in plan(program, [], [place]).jobs]
    told: list[str] = []
    for result in results_of(program, jobs, options, progress, None):
        for traced in result.traced:
            here = [seen for seen in traced.observations if is_there(seen.at, place)]
            equations = traced.jaxpr.splitlines()
            if here or equations:
                told += ["", f"traced as {traced.inputs} (jax {jax})", *_bullets(traced, here), *_indented(equations)]
        if not result.traced and result.qualname:
            told += ["", f"{result.module}.{result.qualname} was not traced: {result.detail}"]
    return told or ["", "no trace reached this line"]


def _bullets(traced: Traced, here: list[Observation]) -> Iterator[str]:
    for seen in here:
        assumed = assumptions_of(traced, seen)
        handled = ", which the code handles" if seen.handled else ""
        yield f"  {seen.kind.value}: {seen.detail}{handled}" + (f" (if {', and '.join(assumed)})" if assumed else "")


def _indented(equations: list[str]) -> Iterator[str]:
    return (f"  {equation}" for equation in equations)


def results_of(
    program: Program,
    jobs: list[Job],
    options: Options,
    progress: Progress | None,
    cache: Cache | None,
    stop: Stop | None = None,
) -> Iterator[Result]:
    """What the workers say of the jobs, or said of the very same ones before."""
    fresh = []
    for job in jobs:
        known = cache.read(job, options) if cache is not None else None
        if known is None:
            fresh.append(job)
        else:
            yield from known
    found: dict[str, list[Result]] = {}
    with written_out(program, fresh) as scripts:
        for seen in run_jobs(map(scripts.run, fresh), options, progress, stop):
            found.setdefault(seen.module, []).append(result := scripts.told(seen))
            yield result
    for job in fresh:
        if cache is not None:
            cache.write(job, options, found.get(job.module, []))


def _with(finding: Finding, verdict: Verdict) -> Finding:
    if verdict.state is Proof.CONFIRMED:
        severity = finding.severity if finding.code in _ONLY_WARNS else Severity.ERROR
        return replace(finding, verdict=verdict, severity=severity, certainty=Certainty.CERTAIN)
    if verdict.state is Proof.REFUTED_FOR:
        return replace(finding, verdict=verdict, certainty=Certainty.POSSIBLE)
    return replace(finding, verdict=verdict)


_ONLY_WARNS = frozenset({"JAX802"})
"""What JAX only warns of is no error when it happens."""

CLAIMED_BY: dict[Kind, tuple[str, str]] = {
    Kind.BOOL: ("JAX201", "a tracer is asked for its truth here"),
    Kind.INT: ("JAX211", "a tracer is turned into an int here"),
    Kind.FLOAT: ("JAX211", "a tracer is turned into a float here"),
    Kind.COMPLEX: ("JAX211", "a tracer is turned into a complex number here"),
    Kind.INDEX: ("JAX204", "a tracer is used as a Python integer here"),
    Kind.ARRAY: ("JAX213", "a tracer is turned into a NumPy array here"),
    Kind.ITEM_STORE: ("JAX301", "an item of a JAX array is assigned here"),
    Kind.PRINT: ("JAX101", "a tracer is printed here, once for each trace"),
    Kind.LOG: ("JAX102", "a tracer is logged here, once for each trace"),
    Kind.FILE: ("JAX102", "a file is opened here, once for each trace"),
    Kind.INPUT: ("JAX102", "input is read here, once for each trace"),
    Kind.TIME: ("JAX103", "the clock is read here, once for each trace"),
    Kind.RANDOM: ("JAX103", "random numbers of the host are drawn here, once for each trace"),
    Kind.ENVIRON: ("JAX103", "the environment is read here, once for each trace"),
    Kind.STATE: ("JAX103", "two traces with the same inputs differ here: something outside was read"),
    Kind.GLOBAL_WRITE: ("JAX104", "an outer variable is rebound while tracing"),
    Kind.OUTER_WRITE: ("JAX105", "an object from before the trace is changed while tracing"),
    Kind.LEAK: ("JAX107", "a tracer leaves its trace here"),
    Kind.KEY_REUSE: ("JAX401", "a PRNG key is used twice"),
    Kind.SHARED_KEY: ("JAX405", "every lane of a `vmap` draws the same numbers here"),
    Kind.CONSTANT: ("JAX501", "a large array becomes a constant of the compiled program here"),
    Kind.LOWERING: ("JAX803", "JAX cannot compile this for a platform that was asked for"),
    Kind.CONSTANT_KEY: ("JAX406", "a key is made of a constant inside the traced function"),
}
"""The rule that an observation belongs to when no finding had claimed it, and its message."""


def only_traced(judge: Judge, program: Program) -> Iterator[Finding]:
    """Findings that nobody had without tracing.  Only what happened with real inputs is shown by default."""
    for traced, seen in judge.unclaimed():
        module = program.at(seen.at.path)
        if module is None or seen.kind not in CLAIMED_BY or seen.assumptions or _is_unsure(seen):
            continue
        code, message = CLAIMED_BY[seen.kind]
        rule = rules.all_rules()[code]
        verdict = _verdict(judge, traced, seen)
        real = verdict.state is Proof.CONFIRMED and (bool(seen.traced_by) or seen.kind is Kind.LOWERING)
        yield Finding(
            code,
            rule.name,
            message,
            _location(module.path, seen.at),
            rule.severity,
            rule.certainty if real else Certainty.POSSIBLE,
            verdict=verdict,
            origin="tracing",
        )


def _is_unsure(seen: Observation) -> bool:
    """Whether only JAX's leak checker says it: it counts tracers that host callbacks and rules rightly close over.

    Keys in what only has its shape evaluated are drawn from by nobody.
    """
    checked = seen.kind is Kind.LEAK and seen.exception == "Exception"
    return checked or (seen.kind in _ABOUT_KEYS and seen.traced_by[:1] == ("eval_shape",))


_ABOUT_KEYS = frozenset({Kind.KEY_REUSE, Kind.SHARED_KEY, Kind.CONSTANT_KEY})


def _verdict(judge: Judge, traced: Traced, seen: Observation) -> Verdict:
    evidence = (traced.inputs, f"{judge.where(seen.at)}: {seen.detail}", *seen.equations[:6])
    if traced.stubs:
        return Verdict(Proof.DEPENDS_ON_STUB, judge.jax, evidence)
    assumptions = assumptions_of(traced, seen)
    return Verdict(Proof.CONFIRMED_IF if assumptions else Proof.CONFIRMED, judge.jax, evidence, assumptions)


def _location(path: str, at: Span) -> Location:
    return Location(path, at.line, max(at.column, 1), at.end_line, at.end_column)
