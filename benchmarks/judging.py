"""What readers said of findings, and what that comes to: the files of judgements and the table of three columns.

A finding is judged by two readers who do not see each other's verdict, nor who wrote the rule:

* ``would fix``: JAX does what the message says, and whoever maintains this code would change it once told;
* ``right``: JAX does what the message says, but here it is on purpose or does not matter;
* ``false``: JAX does not do it here, or the place, the reason or the advice is wrong.

Where the two differ the code was run, or read by a third; ``verdict`` is what came of it.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

WOULD_FIX, RIGHT, FALSE = VERDICTS = ("would fix", "right", "false")

MOST_FALSE = 0.01
LEAST_FIXED = 0.80
LEAST_FIXED_OF_A_RULE = 0.60
"""What is wanted of the default findings, as shares: of all, and of each rule that has at least ``ENOUGH`` findings."""

ENOUGH = 5


@dataclass(frozen=True, order=True)
class Place:
    """What identifies a finding across runs: messages and columns may change, this may not.

    ``source`` is a package with its version or a repository with its commit; ``cell`` is a notebook's (from 1, or 0).
    """

    source: str
    version: str
    file: str
    cell: int
    line: int
    rule: str


@dataclass(frozen=True)
class Judgement:
    verdict: str
    readings: tuple[str, ...]
    why: str


def judgements(path: Path) -> dict[Place, Judgement]:
    """The rows of a file of judgements.  Raises SystemExit for a row that is there twice, without a reason, or
    with another word than the three of ``VERDICTS``.
    """
    judged: dict[Place, Judgement] = {}
    for row in tomllib.loads(path.read_text(encoding="utf-8")).get("finding", []):
        place = Place(row["source"], row["version"], row["file"], row.get("cell", 0), row["line"], row["rule"])
        judgement = Judgement(row["verdict"], tuple(row["readings"]), row["why"])
        if place in judged or not judgement.why or {judgement.verdict, *judgement.readings} - set(VERDICTS):
            raise SystemExit(f"{path}: {place} is there twice, has no reason or another word than {VERDICTS}")
        judged[place] = judgement
    return judged


def by_rule(found: Iterable[Place], judged: Mapping[Place, Judgement]) -> dict[str, Counter[str]]:
    """Rule to how often each verdict was given, of the places found today that were judged."""
    counts: dict[str, Counter[str]] = {}
    for place in sorted(found):
        if judgement := judged.get(place):
            counts.setdefault(place.rule, Counter())[judgement.verdict] += 1
    return counts


def print_table(counts: Mapping[str, Counter[str]]) -> None:
    """One line a rule: how many would be fixed, how many are right and would not, how many are false."""
    print("| rule | would fix | right, would not | false |\n|---|--:|--:|--:|")
    for rule, count in [*sorted(counts.items()), ("all", _sum(counts))]:
        print(f"| {rule} | {count[WOULD_FIX]} | {count[RIGHT]} | {count[FALSE]} |")


def shortcomings(counts: Mapping[str, Counter[str]]) -> list[str]:
    """Where the counts miss what is wanted, a sentence each: of all findings, and of each rule that has enough."""
    whole, short = _sum(counts), []
    if whole[FALSE] > MOST_FALSE * whole.total():
        short.append(f"{whole[FALSE]} of {whole.total()} are false, more than {MOST_FALSE:.0%}")
    if whole[WOULD_FIX] < LEAST_FIXED * whole.total():
        short.append(f"{whole[WOULD_FIX]} of {whole.total()} would be fixed, fewer than {LEAST_FIXED:.0%}")
    for rule, count in sorted(counts.items()):
        if count.total() >= ENOUGH and count[WOULD_FIX] < LEAST_FIXED_OF_A_RULE * count.total():
            fixed = f"{count[WOULD_FIX]} of {count.total()}"
            short.append(f"{rule}: {fixed} would be fixed, fewer than {LEAST_FIXED_OF_A_RULE:.0%}")
    return short


def print_differences(found: Mapping[Place, str], judged: Mapping[Place, Judgement], read: set[str]) -> list[Place]:
    """Lists findings nobody judged, which it returns, and judgements of what was ``read`` that no finding matches."""
    unjudged = sorted(place for place in found if place not in judged)
    gone = sorted(place for place in judged if place.source in read and place not in found)
    for title, places in (("not judged yet", unjudged), ("judged, but not found any more", gone)):
        if places:
            print(f"\n{title}: {len(places)}")
        for place in places:
            where = f"{place.file}:{place.line}" + (f" (cell {place.cell})" if place.cell else "")
            print(f"  {place.source} {where} {place.rule} {found.get(place, '')}")
    return unjudged


def _sum(counts: Mapping[str, Counter[str]]) -> Counter[str]:
    return sum(counts.values(), Counter())
