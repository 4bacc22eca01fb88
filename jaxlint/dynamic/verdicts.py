"""From what was seen while tracing to what can be said of each finding.

A verdict never says more than was observed.  Something seen with inputs that somebody really passes confirms; seen
with made-up inputs, or behind a made-up answer, it confirms under that assumption.  Only real inputs refute, and only
where the very expression ran under a trace and every time was harmless.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from jaxlint.dynamic.observations import EVERY_ROUND, Kind, Observation, Origin, Outcome, Result, Span, Traced, Visit
from jaxlint.vocabulary.findings import Finding, Location, Proof, Verdict


@dataclass(frozen=True, slots=True)
class Expected:
    """What an observation must be to show that a rule's claim is true.

    ``exceptions`` are the classes that count where the observation is an exception; empty: those of the kind alone.
    ``refutable``: running under a trace without it shows that the claim is false for these inputs.
    ``always``: what the watched expression is every time, as text, where that is the claim.
    ``inside``: it must be seen in the expression itself, not in one around it.
    ``named``: the exception has to name what the finding is about: it is raised for all that the statement makes.
    ``says``: what has to be found in what the exception says, as a regular expression.
    ``rounds``: what spends a key again in every round may have led to the finding, which is where the key is handed on.
    ``given``: one that says this may come from the call that was given the function which the finding is in.
    ``begun``: it must be about what the finding says was begun before, at the place that it names.
    """

    kinds: frozenset[Kind]
    exceptions: frozenset[str] = frozenset()
    refutable: bool = True
    always: str = ""
    inside: bool = False
    named: bool = False
    rounds: bool = False
    says: str = ""
    given: str = ""
    begun: bool = False

    @property
    def only_raises(self) -> bool:
        """Whether the claim is an exception and nothing else.

        Such a one may be raised at another place: where a function is called that was made here, or by the call that
        runs the function around the place, once that has returned.
        """
        return not self.kinds

    def matches(self, seen: Observation) -> bool:
        if seen.kind is Kind.ERROR:
            return seen.exception in self.exceptions and bool(re.search(self.says, seen.detail))
        return seen.kind in self.kinds


def _when(*kinds: Kind, raises: str = "", refutable: bool = True, always: str = "", says: str = "") -> Expected:
    return Expected(frozenset(kinds), frozenset(raises.split()), refutable, always, says=says)


_VALUE = (Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.COMPLEX, Kind.INDEX, Kind.ARRAY, Kind.CONCRETE)
_CONVERSIONS = (
    "ConcretizationTypeError TracerArrayConversionError TracerIntegerConversionError TracerBoolConversionError"
)

_CARRY = "must have (the same pytree structure|equal types)"

EXPECTED: dict[str, Expected] = {
    "JAX101": _when(Kind.PRINT),
    "JAX102": _when(Kind.PRINT, Kind.LOG, Kind.FILE, Kind.INPUT),
    "JAX103": _when(Kind.TIME, Kind.RANDOM, Kind.ENVIRON, Kind.INPUT, Kind.FILE, Kind.STATE),
    "JAX104": _when(Kind.GLOBAL_WRITE, Kind.OUTER_WRITE, Kind.ENVIRON),
    "JAX105": _when(Kind.OUTER_WRITE, Kind.GLOBAL_WRITE),
    "JAX106": _when(Kind.ARGUMENT_WRITE, refutable=False),
    "JAX107": _when(Kind.LEAK, Kind.OUTER_WRITE, Kind.GLOBAL_WRITE, raises="TraceContextError"),
    "JAX108": _when(Kind.STATE, refutable=False),
    "JAX109": _when(Kind.STATE, raises="TypeError", refutable=False),
    "JAX110": _when(*_VALUE, Kind.ITEM_STORE, raises=f"ValueError TypeError {_CONVERSIONS}"),
    "JAX111": _when(Kind.PRINT, Kind.FORMAT, raises="ValueError KeyError TypeError IndexError"),
    "JAX113": _when(Kind.LEAK, Kind.OUTER_WRITE, Kind.GLOBAL_WRITE),
    "JAX114": _when(Kind.LEAK, Kind.ARGUMENT_WRITE, refutable=False),
    "JAX115": _when(Kind.LEAK, refutable=False),
    "JAX116": replace(_when(raises="ValueError"), named=True),
    "JAX201": _when(Kind.BOOL, Kind.CONCRETE),
    "JAX202": _when(Kind.BOOL, Kind.CONCRETE),
    "JAX203": _when(Kind.BOOL, Kind.CONCRETE, Kind.ARRAY, raises="TypeError"),
    "JAX204": _when(Kind.INDEX, Kind.INT, Kind.CONCRETE, Kind.BOOL),
    "JAX206": _when(always="False"),
    "JAX207": _when(*_VALUE, raises=f"TypeError {_CONVERSIONS}"),
    "JAX211": _when(*_VALUE, raises=_CONVERSIONS),
    "JAX213": _when(Kind.ARRAY, *_VALUE, raises=f"TypeError ValueError {_CONVERSIONS}"),
    "JAX214": _when(Kind.INDEX, Kind.ARRAY, raises=f"TypeError IndexError {_CONVERSIONS}"),
    "JAX215": _when(Kind.FORMAT, *_VALUE, raises=f"TypeError {_CONVERSIONS}"),
    "JAX216": _when(raises="TypeError"),
    "JAX217": _when(Kind.CONCRETE, raises="AttributeError ConcretizationTypeError"),
    "JAX221": _when(Kind.CONCRETE, raises="NonConcreteBooleanIndexError"),
    "JAX222": _when(
        Kind.CONCRETE, Kind.BOOL, Kind.ARRAY, raises=f"NonConcreteBooleanIndexError ValueError {_CONVERSIONS}"
    ),
    "JAX223": _when(
        Kind.CONCRETE, Kind.BOOL, Kind.INDEX, Kind.INT, Kind.ARRAY, raises=f"TypeError ValueError {_CONVERSIONS}"
    ),
    "JAX224": _when(Kind.INDEX, Kind.CONCRETE, Kind.BOOL, raises=f"IndexError TypeError {_CONVERSIONS}"),
    "JAX301": _when(Kind.ITEM_STORE, raises="TypeError AttributeError"),
    "JAX302": _when(Kind.DEAD, raises="TypeError", refutable=False),
    "JAX303": _when(Kind.DEAD, raises="AttributeError TypeError", refutable=False),
    "JAX304": _when(raises="NotImplementedError TypeError ValueError"),
    "JAX306": _when(raises="ValueError"),
    "JAX308": _when(raises="TypeError"),
    "JAX317": _when(raises="AttributeError TypeError NotImplementedError"),
    **dict.fromkeys(("JAX312", "JAX314"), _when(raises="TypeError")),
    "JAX316": _when(raises="TypeError ValueError"),
    "JAX309": _when(Kind.NARROWED, refutable=False),
    "JAX315": _when(raises="OverflowError", refutable=False),
    "JAX321": _when(
        raises="FrozenInstanceError AttributeError SetAttributeFrozenModuleError SetAttributeInModuleSetupError"
    ),
    "JAX401": _when(Kind.KEY_REUSE, refutable=False),
    "JAX402": _when(Kind.KEY_REUSE, refutable=False),
    "JAX403": replace(_when(Kind.KEY_REUSE, refutable=False), rounds=True),
    "JAX404": _when(Kind.KEY_REUSE, refutable=False),
    "JAX405": _when(Kind.SHARED_KEY, Kind.CONSTANT_KEY, refutable=False),
    "JAX406": _when(Kind.CONSTANT_KEY, refutable=False),
    "JAX407": _when(Kind.DEAD, Kind.KEY_REUSE, raises="ValueError TypeError", refutable=False),
    "JAX408": _when(raises="TypeError ValueError"),
    "JAX411": _when(raises="OverflowError TypeError ValueError", refutable=False),
    "JAX413": _when(Kind.KEY_REUSE, Kind.SHARED_KEY, Kind.CONSTANT_KEY, raises="TraceContextError", refutable=False),
    **dict.fromkeys(("JAX502", "JAX503"), replace(_when(Kind.NEW_FUNCTION, refutable=False), inside=True)),
    "JAX507": replace(_when(Kind.NEW_STATIC, refutable=False), inside=True),
    "JAX512": replace(_when(Kind.NEW_SHAPE, refutable=False), inside=True),
    "JAX504": _when(raises="ValueError"),
    "JAX506": _when(raises="ValueError TypeError", says="arg(num|name)s|as an integer|not a string", refutable=False),
    "JAX508": _when(raises="RuntimeError ValueError JaxRuntimeError XlaRuntimeError", says="deleted", refutable=False),
    "JAX509": replace(_when(Kind.UNFINISHED, refutable=False), begun=True),
    "JAX517": _when(raises="AttributeError", says="config|setter", refutable=False),
    **dict.fromkeys(("JAX511", "JAX513"), _when(raises="TypeError")),
    **dict.fromkeys(("JAX601", "JAX602", "JAX704"), _when(raises="TypeError")),
    "JAX706": _when(raises="TypeError", refutable=False),  # what only the last pass gives is silent
    "JAX701": replace(_when(raises="TypeError", refutable=False), given="body output must be a pair"),
    "JAX702": replace(_when(raises="TypeError", says=_CARRY, refutable=False), given=_CARRY),
    "JAX703": _when(raises="ValueError IndexError"),
    "JAX705": _when(raises="TypeError ValueError", refutable=False),
    **dict.fromkeys(("JAX605", "JAX606"), _when(Kind.NAN_GRADIENT, refutable=False)),
    "JAX603": _when(raises="TypeError ValueError", refutable=False),
    **dict.fromkeys(("JAX604", "JAX611"), _when(raises="TypeError ValueError")),
    "JAX612": _when(raises="TypeError ValueError AttributeError"),
    "JAX608": _when(raises="ValueError"),
    "JAX610": _when(raises="ValueError NotImplementedError"),
    "JAX707": _when(raises="ValueError"),
    "JAX709": _when(raises="TypeError ValueError"),
    "JAX710": _when(raises="TypeError ValueError", refutable=False),
    "JAX711": _when(raises="AttributeError TypeError ValueError", refutable=False),
    "JAX712": _when(raises="TypeError ValueError"),
    "JAX714": _when(raises="AttributeError TypeError ValueError", refutable=False),
    "JAX801": _when(raises="AttributeError ImportError ModuleNotFoundError TypeError"),
    "JAX802": _when(Kind.WARNING, refutable=False),
}
"""What proves each rule.  A rule that is not here makes a claim that tracing does not check."""

_SPREAD = frozenset({Kind.STATE, Kind.LEAK, Kind.KEY_REUSE})
"""What is seen at a line and caused by one of those that led to it; of two uses of a key each is one."""

QUESTIONS = replace(_when(*_VALUE, Kind.ITEM_STORE, raises=f"NonConcreteBooleanIndexError {_CONVERSIONS}"), inside=True)
"""What shows that a tracer is asked for its value, or is stored into, in any way."""

_FAILED = {
    Outcome.NOT_IMPORTABLE: Proof.NOT_IMPORTABLE,
    Outcome.CRASHED: Proof.CRASHED,
    Outcome.TIMED_OUT: Proof.TIMED_OUT,
    Outcome.NO_INPUTS: Proof.NO_INPUTS,
}
"""Why there is no evidence, worst first: what struck the import comes before what struck one function."""


@dataclass
class Judge:
    """Everything the workers reported, and what can be concluded from it.

    ``jax`` is the version that traced, ``lacks`` what cannot be seen with it: then silence proves nothing.
    """

    results: list[Result]
    jax: str
    lacks: tuple[str, ...] = ()
    used: set[tuple[Kind, Span]] = field(default_factory=set)
    where: Callable[[Span], str] = lambda at: f"line {at.line}"  # how a place in the analysed text is told

    def verdict(
        self, finding: Finding, targets: Iterable[tuple[str, str]], expected: Expected | None = None
    ) -> Verdict:
        """What can be said of ``finding``; ``targets`` are the (module, qualname) pairs that lead to it.

        ``expected`` is what proves it, where that is not what proves its rule.
        """
        expected = expected or EXPECTED.get(finding.code)
        if expected is None:
            return self._say(Proof.NO_CHECK, "tracing has no check for this rule")
        targets = {*targets}
        verdict = self._judged(finding, targets, expected)
        if verdict.state in (Proof.CONFIRMED, Proof.REFUTED_FOR):
            return verdict
        results = (each for each in self.results if (each.module, each.qualname) in targets)
        void = dict.fromkeys(f"what was recorded is void: {reason}" for each in results for reason in each.void)
        return replace(verdict, evidence=(*verdict.evidence, *void))

    def _judged(self, finding: Finding, targets: set[tuple[str, str]], expected: Expected) -> Verdict:
        sightings = list(self._sightings(finding, expected))
        seen = [(traced, each) for traced, each in sightings if not each.handled]
        handled = [(traced, each) for traced, each in sightings if each.handled]
        if handled and (not seen or all(assumptions_of(*pair) for pair in seen)):
            return self._handled(expected, handled, seen, finding.location.path)
        if seen:
            return self._confirmed(seen, finding.location.path)
        place = finding.location
        visits = [(traced, visit) for traced, visit in self._visits(place) if not _broke_off(traced, place)]
        if not visits:
            return self._no_evidence(targets)
        if expected.only_raises and (told := self._perhaps_elsewhere(expected, place, visits)):
            return self._say(Proof.NO_CHECK, *told)
        return self._without_sighting(expected, visits)

    def ran_under_trace(self, place: Location) -> bool:
        """Whether a trace got to the place, whatever the inputs."""
        return any(visit.traced or visit.concrete for _, visit in self._visits(place))

    def unclaimed(self) -> Iterator[tuple[Traced, Observation]]:
        """What was seen and belongs to no finding, the best evidence for each place."""
        best: dict[tuple[Kind, Span], tuple[Traced, Observation]] = {}
        for traced, seen in self._observations():
            spot = (seen.kind, seen.at)
            if spot in self.used or seen.handled:
                continue
            old = best.get(spot)
            if old is None or _weakness(traced, seen) < _weakness(*old):
                best[spot] = (traced, seen)
        yield from best.values()

    def _observations(self) -> Iterator[tuple[Traced, Observation]]:
        for result in self.results:
            for traced in result.traced:
                for seen in traced.observations:
                    yield traced, seen

    def _sightings(self, finding: Finding, expected: Expected) -> Iterator[tuple[Traced, Observation]]:
        for traced, seen in self._observations():
            is_about = is_inside(seen.at, finding.location) if expected.inside else _shows(seen, finding)
            is_about = is_about or (bool(expected.given) and _concerns(seen, finding, expected.given))
            is_about = is_about or (expected.rounds and _led_to(seen, finding))
            if (expected.named and not _names(seen, finding)) or (expected.begun and not _begun(seen, finding)):
                continue
            if expected.matches(seen) and is_about:
                self.used.add((seen.kind, seen.at))
                yield traced, seen

    def _visits(self, place: Location) -> Iterator[tuple[Traced, Visit]]:
        for result in self.results:
            for traced in result.traced:
                for visit in traced.visits:
                    if is_inside(visit.at, place):  # that what is around it ran does not mean that it did
                        yield traced, visit

    def _confirmed(self, seen: list[tuple[Traced, Observation]], path: str) -> Verdict:
        traced, best = min(seen, key=lambda pair: _weakness(*pair))
        evidence = [f"{traced.inputs}", *self._shown(best, path)]
        assumptions = assumptions_of(traced, best)
        if traced.stubs:
            return self._say(
                Proof.DEPENDS_ON_STUB, *evidence, f"modules that are not installed: {', '.join(traced.stubs)}"
            )
        state = Proof.CONFIRMED_IF if assumptions else Proof.CONFIRMED
        return Verdict(state, self.jax, tuple(evidence), assumptions)

    def _handled(
        self,
        expected: Expected,
        handled: list[tuple[Traced, Observation]],
        others: list[tuple[Traced, Observation]],
        path: str,
    ) -> Verdict:
        """What the rule claims does happen, and the project's own code is prepared for it; ``others`` are made up."""
        real = [(traced, seen) for traced, seen in handled if not (assumptions_of(traced, seen) or traced.stubs)]
        if others and not real:
            return self._confirmed(others, path)
        traced, best = min(real or handled, key=lambda pair: _weakness(*pair))
        evidence = (
            f"{self._where(best.at, path)}: {best.detail}",
            "the code catches this exception itself",
            traced.inputs,
        )
        return self._say(Proof.REFUTED_FOR if real and expected.refutable else Proof.NOT_REACHED, *evidence)

    def _where(self, at: Span, path: str) -> str:
        """A place, for somebody who looks at ``path``."""
        return self.where(at) if _same_file(at.path, path) else f"{self.where(at)} of {os.path.basename(at.path)}"

    def _shown(self, seen: Observation, path: str) -> Iterator[str]:
        told = f"{self._where(seen.at, path)}: {seen.detail}"
        yield f"{told} ({seen.aval})" if seen.aval and seen.aval not in seen.detail else told
        if seen.traced_by:
            yield f"traced by {' in '.join(reversed(seen.traced_by))}"
        for at, text in seen.related:
            yield f"{self._where(at, path)}: {text}"
        yield from seen.equations[:6]

    def _perhaps_elsewhere(
        self, expected: Expected, place: Location, visits: list[tuple[Traced, Visit]]
    ) -> tuple[str, ...]:
        """Why it says nothing of an exception that none was raised in the place; empty where it says something."""
        for traced in {id(traced): traced for traced, _ in visits}.values():
            for seen in traced.observations:
                if seen.kind is Kind.ERROR and seen.exception in expected.exceptions and not is_there(seen.at, place):
                    return (
                        "it was raised elsewhere, which may be what is claimed:",
                        traced.inputs,
                        *self._shown(seen, place.path),
                    )
            if traced.error.partition(":")[0] in expected.exceptions:
                return "it was raised elsewhere, which may be what is claimed:", traced.inputs, traced.error
        if all(visit.functions == visit.count for _, visit in visits):
            return ("a function was made here; what happens when it is called was not looked at",)
        return ()

    def _without_sighting(self, expected: Expected, visits: list[tuple[Traced, Visit]]) -> Verdict:
        """The place ran, and what the rule claims was not seen there."""
        under_trace = [(traced, visit) for traced, visit in visits if visit.traced or visit.concrete]
        if not any(is_real(traced) for traced, _ in under_trace):
            # Where somebody is known to call it, and never under a trace, made-up traces say nothing against that.
            recorded = [(traced, visit) for traced, visit in visits if traced.origin is Origin.RECORDED]
            visits, under_trace = (recorded, []) if recorded else (visits, under_trace)
        if not under_trace:
            eager = sum(visit.eager for _, visit in visits)
            callbacks = sum(visit.callback for _, visit in visits)
            where = f"{eager} times outside any trace" if eager else f"{callbacks} times in a host callback"
            if expected.only_raises or expected.kinds & _EAGER_TOO:
                ran = f"ran {where} and nothing was seen, but the claim is not about traces alone"
                return self._say(Proof.NO_CHECK, ran, _inputs(visits))
            if all(visit.assumed == visit.count for _, visit in visits):
                return self._say(Proof.NOT_REACHED, f"ran {where}, and only where something that fails is left out")
            return self._say(Proof.HOST_ONLY, f"ran {where}: {_inputs(visits)}")
        observed = [(traced, visit) for traced, visit in under_trace if is_real(traced) and visit.assumed == 0]
        real = [(traced, visit) for traced, visit in observed if not traced.stubs]
        if expected.always and real and all(visit.values == (expected.always,) for _, visit in observed):
            times = sum(visit.traced + visit.concrete for _, visit in real)
            return self._say(
                Proof.CONFIRMED, f"ran {times} times under a trace and was always {expected.always}", _inputs(real)
            )
        silent = "ran under a trace and nothing was seen, which proves nothing: "
        if not observed:
            return self._say(Proof.NOT_REACHED, f"{silent}the inputs are made up", _inputs(under_trace))
        if not expected.refutable:
            return self._say(Proof.NO_CHECK, f"{silent}the check is not complete", _inputs(observed))
        if not real:
            missing = ", ".join(sorted({name for traced, _ in observed for name in traced.stubs}))
            why = f"{silent}modules that are not installed: {missing}"
            return self._say(Proof.DEPENDS_ON_STUB, why, _inputs(observed))
        if self.lacks:
            return self._say(Proof.NO_CHECK, f"nothing was seen, but this jax lacks {', '.join(self.lacks)}")
        times = sum(visit.traced + visit.concrete for _, visit in real)
        values = list(dict.fromkeys(value for _, visit in real for value in visit.values))[:3]
        cases = dict.fromkeys(f"with {traced.inputs}" for traced, _ in real)
        ran = f"ran {times} times under a trace and was never bad: {', '.join(values)}"
        return self._say(Proof.REFUTED_FOR, ran, *cases)

    def _no_evidence(self, targets: set[tuple[str, str]]) -> Verdict:
        """Nothing ran the place: the import, or the functions that lead to it, say why."""
        modules = {module for module, _ in targets}
        concerned = [
            result
            for result in self.results
            if (result.module, result.qualname) in targets or (not result.qualname and result.module in modules)
        ]
        for result in concerned:
            if not result.qualname and result.detail and not self._reached(targets):
                state = _FAILED.get(result.outcome, Proof.NOT_IMPORTABLE)
                return self._say(state, f"{result.module}: {result.detail}")
        for outcome, state in _FAILED.items():
            for result in concerned:
                if result.outcome is outcome and not (result.qualname and self._reached(targets)):
                    what = f"{result.module}.{result.qualname}".rstrip(".")
                    return self._say(state, f"{what}: {result.detail or outcome.value}")
        traced = [each.inputs for result in concerned if result.qualname for each in result.traced]
        return self._say(Proof.NOT_REACHED, f"traced {'; '.join(traced[:2])}" if traced else "nothing was traced")

    def _reached(self, targets: set[tuple[str, str]]) -> bool:
        """Whether one of the functions was traced; that a module was imported up to some line is no trace of it."""
        found = (each for each in self.results if each.qualname and (each.module, each.qualname) in targets)
        return any(result.traced for result in found)

    def _say(self, state: Proof, *evidence: str) -> Verdict:
        return Verdict(state, self.jax, tuple(evidence))


def _broke_off(traced: Traced, place: Location) -> bool:
    """Whether something else was raised in the place, so that only a part of it ran."""
    return any(seen.exception and not seen.assumptions and is_inside(seen.at, place) for seen in traced.observations)


def is_real(traced: Traced) -> bool:
    """Whether somebody makes this call."""
    return traced.origin.observed and not traced.assumptions


def assumptions_of(traced: Traced, seen: Observation) -> tuple[str, ...]:
    """What has to hold for the observation to be made in the user's own program; empty when it has been."""
    made_up: tuple[str, ...] = ()
    if not is_real(traced):
        made_up = traced.assumptions or (f"it is called as {traced.inputs}",)
    elif traced.origin is Origin.LIFTED and seen.kind not in _EAGER_TOO and (seen.kind in _ASKS or not seen.traced_by):
        made_up = ("it runs under a trace; the recorded calls ran outside of one",)
    return tuple(dict.fromkeys((*made_up, *seen.assumptions)))


def _names(seen: Observation, finding: Finding) -> bool:
    """Whether what was raised names the attribute that the finding's message begins with, `Class.field`."""
    named = re.search(r"`([\w.]+)`", finding.message)
    return named is None or named[1].rpartition(".")[2] in re.findall(r"\w+", seen.detail)


def _shows(seen: Observation, finding: Finding) -> bool:
    """Whether an observation is about a finding's place, or about one that led to it where that is as much to blame.

    Of a key that is used twice, what is called at both places has its part in it; only where the finding tells of one
    of the two is it about these.
    """
    if is_there(seen.at, finding.location) or seen.kind not in _SPREAD:
        return is_there(seen.at, finding.location)
    if not any(is_there(at, finding.location) for at, _ in seen.related):
        return False
    told = [each.location for each in finding.related]
    parting = (seen.at, *(at for at, _ in seen.related[:1]))
    return seen.kind is not Kind.KEY_REUSE or any(is_there(at, place) for at in parting for place in told)


def _begun(seen: Observation, finding: Finding) -> bool:
    """Whether what was seen is about what began at a place that the finding names."""
    return any(is_there(at, each.location) for at, _ in seen.related for each in finding.related)


def _led_to(seen: Observation, finding: Finding) -> bool:
    """Whether what is spent again in every round is spent at a place that led to the finding."""
    spent = (seen.at, *(at for at, _ in seen.related))
    told = [each.location for each in finding.related]
    return EVERY_ROUND in seen.detail and any(is_there(at, place) for at in spent for place in told)


def _concerns(seen: Observation, finding: Finding, says: str) -> bool:
    """Whether an exception is about the finding's function, and about the part of the value that the finding names."""
    part = re.match(r"`\w+(\[[^`]*\])`", finding.message)
    is_part = part is None or part[1] in seen.detail.replace("loop_carry[1]", "carry")  # `fori_loop` carries the index
    return (
        is_part and bool(re.search(says, seen.detail)) and any(is_there(at, finding.location) for at, _ in seen.related)
    )


_EAGER_TOO = frozenset(
    {
        Kind.KEY_REUSE, Kind.SHARED_KEY, Kind.CONSTANT_KEY, Kind.DEAD, Kind.WARNING, Kind.NARROWED, Kind.NAN_GRADIENT,
        Kind.UNFINISHED,
    }
)  # fmt: skip
"""What is as true of an eager call as of the trace that it is lifted into."""

_ASKS = QUESTIONS.kinds | {Kind.ERROR}
"""What an inner transform need not meet in the eager call: there, what comes from outside it is no tracer."""


def is_there(seen: Span, place: Location) -> bool:
    """Whether something seen at a span is about a place: on its lines, and where both know columns, overlapping."""
    if not _same_file(seen.path, place.path):
        return False
    end_line = max(place.end_line, place.line)
    seen_end = max(seen.end_line, seen.line)
    if seen_end < place.line or seen.line > end_line:
        return False
    if not seen.column or not place.column or seen.line != seen_end or place.line != end_line:
        return True
    seen_past = max(seen.end_column, seen.column + 1)
    place_past = max(place.end_column, place.column + 1)
    return seen.column < place_past and place.column < seen_past


def is_inside(seen: Span, place: Location) -> bool:
    """Whether something seen at a span is about a place or a part of it, as far as both know their columns."""
    if not is_there(seen, place) or not seen.column or not place.end_column:
        return is_there(seen, place)
    starts = (seen.line, seen.column) >= (place.line, place.column)
    return starts and (seen.end_line, seen.end_column) <= (place.end_line, place.end_column)


def _same_file(one: str, other: str) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def _weakness(traced: Traced, seen: Observation) -> tuple[bool, int]:
    """How much has to be believed, for choosing the best evidence."""
    return (bool(traced.stubs), len(assumptions_of(traced, seen)))


def _inputs(visits: list[tuple[Traced, Visit]]) -> str:
    return "; ".join(list(dict.fromkeys(traced.inputs for traced, _ in visits))[:2])
