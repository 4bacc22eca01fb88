"""The judgements of findings: about the fixed sources, by two readers, each with a reason; and what is made of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from accuracy import TRIAGE
from applications import JUDGED, applications
from judging import FALSE, RIGHT, WOULD_FIX, Place, by_rule, judgements, shortcomings
from packages import fixed_versions

from jaxlint.vocabulary.rules import all_rules

SOURCES = {
    TRIAGE: fixed_versions().items(),
    JUDGED: [(application.repository, application.commit) for application in applications([])],
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_judgement_is_about_a_fixed_source_and_a_rule_and_has_two_readings(path: Path) -> None:
    fixed, rules = set(SOURCES[path]), all_rules()
    for place, judgement in judgements(path).items():
        assert (place.source, place.version) in fixed, place
        assert place.rule in rules, place
        assert len(judgement.readings) == 2, place


def test_what_is_wanted_is_asked_of_all_findings_and_of_each_rule_that_has_enough() -> None:
    few = {"JAX401": Counter({WOULD_FIX: 8, RIGHT: 1}), "JAX402": Counter({RIGHT: 4})}
    assert shortcomings({"JAX401": Counter({WOULD_FIX: 9, RIGHT: 1})}) == []
    assert shortcomings(few) == ["8 of 13 would be fixed, fewer than 80%"]
    enough = {"JAX401": Counter({WOULD_FIX: 95}), "JAX402": Counter({RIGHT: 3, WOULD_FIX: 1, FALSE: 1})}
    assert shortcomings(enough) == ["JAX402: 1 of 5 would be fixed, fewer than 60%"]
    false = {"JAX401": Counter({WOULD_FIX: 95, FALSE: 2})}
    assert shortcomings(false) == ["2 of 97 are false, more than 1%"]


def test_only_what_is_found_today_counts(tmp_path: Path) -> None:
    rows = "".join(
        f'[[finding]]\nsource = "p"\nversion = "1"\nfile = "a.py"\nline = {line}\nrule = "JAX401"\n'
        f'verdict = "{verdict}"\nreadings = ["{verdict}", "right"]\nwhy = "so it is"\n'
        for line, verdict in ((1, WOULD_FIX), (2, FALSE))
    )
    (tmp_path / "judged.toml").write_text(rows)
    judged = judgements(tmp_path / "judged.toml")
    assert by_rule([Place("p", "1", "a.py", 0, 1, "JAX401")], judged) == {"JAX401": Counter({WOULD_FIX: 1})}


@pytest.mark.parametrize("row", ['verdict = "maybe"\nwhy = "x"', 'verdict = "right"\nwhy = ""'])
def test_a_verdict_is_one_of_three_and_has_a_reason(tmp_path: Path, row: str) -> None:
    place = '[[finding]]\nsource = "p"\nversion = "1"\nfile = "a.py"\nline = 1\nrule = "JAX401"\nreadings = []\n'
    (tmp_path / "judged.toml").write_text(place + row)
    with pytest.raises(SystemExit, match=r"judged\.toml"):
        judgements(tmp_path / "judged.toml")
