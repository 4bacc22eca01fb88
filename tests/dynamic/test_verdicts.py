"""What is concluded from what was seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jaxlint.dynamic.observations import Kind, Observation, Origin, Outcome, Result, Span, Traced, Visit
from jaxlint.dynamic.verdicts import QUESTIONS, Expected, Judge
from jaxlint.vocabulary.findings import Finding, Location, Proof, Related, Verdict

PLACE = Location("/project/lib.py", 3, 8, 3, 13)


def run(origin: Origin, *assumptions: str, **counts: int) -> Traced:
    visit = Visit(Span(PLACE.path, 3, 8, 3, 13), values=("True",), **counts)
    return Traced("lib", "step", origin, "step(x: float32[3])", assumptions, visits=[visit])


@pytest.mark.parametrize(
    ("traced", "state"),
    [
        ([run(Origin.RECORDED, concrete=2)], Proof.REFUTED_FOR),
        ([run(Origin.SYNTHESISED, "x is float32[3]", concrete=2)], Proof.NOT_REACHED),
        # Somebody calls it, outside of any trace: that made-up calls can be traced says nothing against it.
        ([run(Origin.SYNTHESISED, "x is float32[3]", concrete=2), run(Origin.RECORDED, eager=1)], Proof.HOST_ONLY),
        ([run(Origin.RECORDED, concrete=1), run(Origin.RECORDED, eager=1)], Proof.REFUTED_FOR),
        # That importing the module runs it says nothing of its other calls.
        ([run(Origin.SYNTHESISED, "x is float32[3]", concrete=2), run(Origin.IMPORT, eager=1)], Proof.NOT_REACHED),
    ],
)
def test_a_place_that_was_harmless(traced: list[Traced], state: Proof) -> None:
    judge = Judge([Result("lib", "step", Outcome.DONE, traced=traced)], "0.10.2")
    assert judge.verdict(Finding("condition", "", "", PLACE), [("lib", "step")], QUESTIONS).state is state


def test_a_stand_in_takes_the_weight_only_of_the_calls_that_touched_it() -> None:
    clean, stubbed = run(Origin.RECORDED, concrete=1), run(Origin.RECORDED, concrete=1)
    stubbed.stubs = ("sklearn",)

    def verdict(*traced: Traced) -> Verdict:
        judge = Judge([Result("lib", "step", Outcome.DONE, traced=list(traced))], "0.10.2")
        return judge.verdict(Finding("condition", "", "", PLACE), [("lib", "step")], QUESTIONS)

    assert verdict(stubbed, clean).state is Proof.REFUTED_FOR
    assert verdict(stubbed).state is Proof.DEPENDS_ON_STUB
    assert "sklearn" in verdict(stubbed).evidence[0]


def test_what_is_around_a_place_says_nothing_of_it() -> None:
    """In `int(np.prod(x))` it is `int` that asks; in `x is None or np.any(x)` the call need not run."""
    around = Span(PLACE.path, 3, 4, 3, 14)
    asked = Observation(Kind.INT, around, "ConcretizationTypeError: ...", "ConcretizationTypeError")
    traced = Traced("lib", "step", Origin.RECORDED, "step(x)", observations=[asked], visits=[Visit(around, concrete=1)])
    judge = Judge([Result("lib", "step", Outcome.DONE, traced=[traced])], "0.10.2")
    inner, outer = Finding("numpy", "", "", PLACE), Finding("cast", "", "", Location(PLACE.path, 3, 4, 3, 14))
    assert judge.verdict(inner, [("lib", "step")], QUESTIONS).state is Proof.NOT_REACHED
    assert judge.verdict(outer, [("lib", "step")], QUESTIONS).state is Proof.CONFIRMED


@pytest.mark.parametrize(("line", "state"), [(2, Proof.CONFIRMED), (1, Proof.NO_CHECK)])
def test_the_clock_is_read_before_what_the_finding_names_is_done_or_before_something_else_is(
    line: int, state: Proof
) -> None:
    at = Span(PLACE.path, 3, 8, 3, 13)
    begun = ((Span(PLACE.path, 2, 0, 2), "it begins here"),)
    seen = Observation(Kind.UNFINISHED, at, "`y` is still being computed when the clock is read", related=begun)
    traced = Traced("lib", "bench", Origin.RECORDED, "bench()", observations=[seen], visits=[Visit(at, eager=1)])
    judge = Judge([Result("lib", "bench", Outcome.DONE, traced=[traced])], "0.10.2")
    finding = Finding(
        "JAX509", "", "", PLACE, related=(Related(Location(PLACE.path, line, 9, line, 14), "begins here"),)
    )
    assert judge.verdict(finding, [("lib", "bench")]).state is state


def test_a_place_in_another_file_is_told_with_its_file() -> None:
    here, there = Span(PLACE.path, 3, 8, 3, 13), Span("/project/grid.py", 279, 4)
    seen = Observation(Kind.KEY_REUSE, here, "a key is split", related=((here, "it is here"), (there, "it is there")))
    traced = Traced("lib", "step", Origin.RECORDED, "step(key: key<fry>[])", observations=[seen])
    judge = Judge([Result("lib", "step", Outcome.DONE, traced=[traced])], "0.10.2")
    shown = judge.verdict(Finding("JAX401", "", "", PLACE), [("lib", "step")]).evidence
    assert shown[1:] == ("line 3: a key is split", "line 3: it is here", "line 279 of grid.py: it is there")


@pytest.mark.parametrize(("code", "state"), [("JAX405", Proof.CONFIRMED), ("JAX401", Proof.NOT_REACHED)])
def test_a_key_that_lanes_share_is_not_a_key_that_is_used_again(code: str, state: Proof) -> None:
    shared = Observation(Kind.SHARED_KEY, Span(PLACE.path, 3, 8, 3, 13), "…", traced_by=("jit", "vmap"))
    traced = Traced("lib", "step", Origin.RECORDED, "step(key: key<fry>[])", observations=[shared])
    judge = Judge([Result("lib", "step", Outcome.DONE, traced=[traced])], "0.10.2")
    assert judge.verdict(Finding(code, "", "", PLACE), [("lib", "step")]).state is state


def test_an_eager_call_confirms_only_what_is_not_due_to_its_lifting() -> None:
    at = Span(PLACE.path, 3, 8, 3, 13)

    def verdict(kind: Kind, code: str, *traced_by: str) -> Proof:
        seen = Observation(kind, at, "…", traced_by=traced_by)
        traced = Traced("lib", "step", Origin.LIFTED, "step(x: float32[3])", observations=[seen])
        judge = Judge([Result("lib", "step", Outcome.DONE, traced=[traced])], "0.10.2")
        return judge.verdict(Finding(code, "", "", PLACE), [("lib", "step")]).state

    assert verdict(Kind.BOOL, "JAX201") is Proof.CONFIRMED_IF
    assert verdict(Kind.BOOL, "JAX201", "jit") is Proof.CONFIRMED_IF
    assert verdict(Kind.PRINT, "JAX101") is Proof.CONFIRMED_IF
    assert verdict(Kind.PRINT, "JAX101", "jit") is Proof.CONFIRMED
    assert verdict(Kind.KEY_REUSE, "JAX401") is Proof.CONFIRMED


def test_an_exception_for_one_attribute_says_nothing_of_the_next() -> None:
    around = Span(PLACE.path, 2, 1, 5, 20)
    error = "ValueError: mutable default <class 'ArrayImpl'> for field reward is not allowed"
    seen = Observation(Kind.ERROR, around, error, "ValueError")
    imported = Traced("lib", "", Origin.IMPORT, "import lib", observations=[seen])
    judge = Judge([Result("lib", "", Outcome.DONE, traced=[imported])], "0.10.2")

    def verdict(field: str) -> Proof:
        message = f"a jax array as the default of `Stats.{field}`: ValueError, mutable default"
        return judge.verdict(Finding("JAX116", "", message, PLACE), [("lib", "")]).state

    assert verdict("reward") is Proof.CONFIRMED
    assert verdict("length") is not Proof.CONFIRMED


def test_a_key_that_callers_use_twice_says_nothing_of_what_is_called() -> None:
    first, second, inside = (
        Span(PLACE.path, 20, 5, 20, 12),
        Span(PLACE.path, 21, 5, 21, 12),
        Span(PLACE.path, 3, 8, 3, 13),
    )
    related = ((first, "it is drawn from here first"), (inside, "it is drawn from here"))
    seen = Observation(Kind.KEY_REUSE, second, "a key is drawn from that is drawn from before", related=related)
    traced = Traced("lib", "main", Origin.RECORDED, "main()", observations=[seen])
    judge = Judge([Result("lib", "main", Outcome.DONE, traced=[traced])], "0.10.2")

    def verdict(place: Location, *related: Location) -> Proof:
        told = tuple(Related(each, "key consumed") for each in related)
        return judge.verdict(Finding("JAX401", "", "", place, related=told), [("lib", "main")]).state

    assert verdict(Location(PLACE.path, 21, 5, 21, 12)) is Proof.CONFIRMED
    assert verdict(PLACE, Location(PLACE.path, 20, 5, 20, 12)) is Proof.CONFIRMED
    assert verdict(PLACE, Location(PLACE.path, 2, 8, 2, 13)) is not Proof.CONFIRMED


def test_a_key_that_is_spent_in_every_round_is_told_of_where_it_is_handed_on() -> None:
    """JAX403 stands at what the body of a scan returns, and names the draw; the trace sees the draw."""
    draw, other = Span(PLACE.path, 2, 8, 2, 13), Span(PLACE.path, 30, 8, 30, 13)

    def verdict(at: Span, detail: str, code: str = "JAX403") -> Proof:
        seen = Observation(Kind.KEY_REUSE, at, f"a key is drawn from that is drawn from before{detail}")
        traced = Traced("lib", "main", Origin.RECORDED, "main()", observations=[seen])
        told = (Related(Location(PLACE.path, 2, 8, 2, 13), "key consumed by `normal`"),)
        judge = Judge([Result("lib", "main", Outcome.DONE, traced=[traced])], "0.10.2")
        return judge.verdict(Finding(code, "", "", PLACE, related=told), [("lib", "main")]).state

    assert verdict(draw, ", in every round of a loop") is Proof.CONFIRMED
    assert verdict(draw, "") is not Proof.CONFIRMED
    assert verdict(other, ", in every round of a loop") is not Proof.CONFIRMED
    assert verdict(draw, ", in every round of a loop", "JAX401") is not Proof.CONFIRMED


def test_a_spent_budget_is_no_failed_import() -> None:
    result = Result("lib", "", Outcome.TIMED_OUT, "the budget of 5 s was spent")
    verdict = Judge([result], "0.10.2").verdict(Finding("JAX201", "", "", PLACE), [("lib", "step")])
    assert verdict.state is Proof.TIMED_OUT


def test_a_verdict_says_what_was_recorded_in_vain() -> None:
    void = ("recorded with another text of helper, which it ran",)

    def evidence(*traced: Traced) -> tuple[str, ...]:
        result = Result("lib", "step", Outcome.DONE, traced=[*traced], void=void)
        finding = Finding("condition", "", "", PLACE)
        return Judge([result], "0.10.2").verdict(finding, [("lib", "step")], QUESTIONS).evidence

    assert (
        evidence(run(Origin.SYNTHESISED, "x is float32[3]", concrete=2))[-1] == f"what was recorded is void: {void[0]}"
    )
    assert evidence()[-1] == f"what was recorded is void: {void[0]}"
    assert void[0] not in " ".join(evidence(run(Origin.RECORDED, concrete=2)))


def raising(line: int, error: str = "") -> Traced:
    """A recorded run that gets through the place and raises at a line."""
    traced = run(Origin.RECORDED, concrete=1)
    seen = Observation(Kind.ERROR, Span(PLACE.path, line), "TypeError: a pair", "TypeError")
    return replace(traced, observations=[seen] if line else [], error=error)


@pytest.mark.parametrize(
    "traced",
    [
        raising(9),  # the call that is given the function around the place
        raising(0, "TypeError: a pair"),  # that call is no line of the project
        run(Origin.RECORDED, concrete=1, functions=1),  # nothing has called what was made
        run(Origin.IMPORT, eager=1, functions=1),  # a decorator
        run(Origin.RECORDED, eager=1),  # it would be raised outside of traces, too
    ],
)
def test_what_may_be_raised_elsewhere_refutes_nothing(traced: Traced) -> None:
    judge = Judge([Result("lib", "step", Outcome.DONE, traced=[traced])], "0.10.2")
    raises = Expected(frozenset(), frozenset({"TypeError"}))
    verdict = judge.verdict(Finding("a claim", "", "", PLACE), [("lib", "step")], raises)
    assert verdict.state is Proof.NO_CHECK
    asks = judge.verdict(Finding("another", "", "", PLACE), [("lib", "step")], QUESTIONS)
    assert asks.state in (Proof.REFUTED_FOR, Proof.HOST_ONLY)


def test_another_exception_elsewhere_is_no_matter() -> None:
    judge = Judge([Result("lib", "step", Outcome.DONE, traced=[raising(9)])], "0.10.2")
    raises = Expected(frozenset(), frozenset({"ValueError"}))
    verdict = judge.verdict(Finding("a claim", "", "", PLACE), [("lib", "step")], raises)
    assert verdict.state is Proof.REFUTED_FOR


def test_an_import_that_stopped_before_the_place_says_so() -> None:
    imported = Traced("lib", "", Origin.IMPORT, "import lib", error="ModuleNotFoundError: jax.config")
    result = Result("lib", "", Outcome.DONE, "ModuleNotFoundError: jax.config", traced=[imported])
    verdict = Judge([result], "0.10.2").verdict(Finding("JAX402", "", "", PLACE), [("lib", "")])
    assert verdict.state is Proof.NOT_IMPORTABLE
    assert verdict.evidence == ("lib: ModuleNotFoundError: jax.config",)
