"""The judgements in triage.toml are about the fixed packages, one a place, each with a reason."""

from __future__ import annotations

from accuracy import TRIAGE, judgements
from packages import fixed_versions

from jaxlint.rules import all_rules


def test_every_judgement_names_a_fixed_package_and_a_rule() -> None:
    versions, rules = fixed_versions(), all_rules()
    for place in judgements(TRIAGE):
        assert versions.get(place.package) == place.version, place
        assert place.rule in rules, place
