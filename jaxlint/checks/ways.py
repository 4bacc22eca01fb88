"""One place, one finding: what several ways lead to is told once, with the shortest of them and the others beside it.

Nothing here depends on which way was found first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from jaxlint.flow.limits import MOST_REASONS
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Reason, Repair


class Reports:
    """What checks report, by the rule and the place; a key that an object keeps is told apart from that which the same
    call is given."""

    def __init__(self) -> None:
        self._at: dict[tuple[str, str, int, int, Location | None], tuple[Finding] | dict[Finding, None]] = {}

    def add(self, report: Finding) -> None:
        place = report.location
        where = (report.code, place.path, place.line, place.column, kept_at(report))
        known = self._at.setdefault(where, (report,))
        if isinstance(known, dict):
            known[report] = None
        elif known[0] is not report:  # to hash a finding takes long, and most places have one
            self._at[where] = dict.fromkeys((*known, report))

    def all(self) -> Iterator[Finding]:
        """As they were reported."""
        for reports in self._at.values():
            yield from reports

    def findings(self) -> Iterator[Finding]:
        """One for each rule and place."""
        for reports in self._at.values():
            claims = _not_withdrawn(reports)
            if claims:
                yield _told_once(claims)


def kept_at(report: Finding) -> Location | None:
    """Where a method uses the key that its object keeps, of a finding about such a key."""
    return dict(report.repair.places).get("kept") if report.repair is not None else None


def _not_withdrawn(reports: Collection[Finding]) -> Collection[Finding]:
    """The claims among them; of those only what is certain, or what another call does, where a call of the program is
    right at the place."""
    if not any(report.withdraws for report in reports):
        return reports
    claims = [report for report in reports if not report.withdraws]
    return [report for report in claims if report.stands or report.certainty is Certainty.CERTAIN]


def _told_once(reports: Collection[Finding]) -> Finding:
    """Of the most certain reports of one rule at one place the one with the shortest reason, with those of the others.

    Its fix is one for all: what runs many times in one of the traces must not be taken for what runs once.
    """
    if len(reports) == 1:
        (report,) = reports
        return report
    certainty = max(report.certainty for report in reports)
    sure = [report for report in reports if report.certainty == certainty]
    shown = min(sure, key=_rank)
    reasons = sorted({report.related for report in sure if report.related}, key=_length, reverse=True)
    ways = {_places(reason): reason for reason in reasons}  # of several texts for one way the first
    others = sorted((way for places, way in ways.items() if places != _places(shown.related)), key=_length)
    kept = others[: MOST_REASONS.value]
    repair = _repeated(shown.repair) if any(map(_runs_often, reports)) else shown.repair
    return replace(shown, others=tuple(kept), more=len(others) - len(kept), repair=repair)


def _rank(report: Finding) -> tuple[Any, ...]:
    return (_length(report.related), report.message, report.help or "", report.definition, repr(report.repair))


def _length(reason: Reason) -> tuple[Any, ...]:
    """Sorts short reasons before long ones, and one that says nothing behind all."""
    return (not reason, len(reason), [(step.location, step.message) for step in reason])


def _places(reason: Reason) -> tuple[Location, ...]:
    return tuple(step.location for step in reason)


def _runs_often(report: Finding) -> bool:
    return report.repair is not None and report.repair.fact("runs") == "many"


def _repeated(repair: Repair | None) -> Repair | None:
    """The repair of what one call runs many times."""
    if repair is None or repair.fact("runs") is None:
        return repair
    return replace(repair, facts=tuple(sorted({**dict(repair.facts), "runs": "many"}.items())))
