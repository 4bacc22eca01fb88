"""One cause, one finding: a key that is used four times is one mistake, told once with all its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from jaxlint.checks.ways import kept_at
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Related, Repair

REUSE = ("JAX401", "JAX403", "JAX402")
"""The rules that tell of one key used twice, those first that know that both uses draw."""

CONSTANT = "JAX406"

OPTION = "JAX521"
"""The rule for what no call can pass: where one does pass it, another rule tells of that place."""

READ_ONCE, TIMED = "JAX103", "JAX509"
"""The rules for a clock that is read while JAX traces, and for one that is read before the work is done: of the first
nobody who waits gets another answer."""

_Place = tuple[str, int, int]
_OfKey = tuple[_Place, _Place | None]


def one_for_each_cause(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of which those of one function that tell of uses of the same key are one: the most certain, at the
    place that comes first, with the places of the others among its related ones.  Where a constant key is used again,
    that it is a constant is not told as well; nor is of a clock that a trace reads that it is read too early.  What is
    only possible, since it may be meant, stays for itself."""
    reuses: list[Finding] = []
    constants: list[Finding] = []
    options: list[Finding] = []
    clocks: dict[str, list[Finding]] = {READ_ONCE: [], TIMED: []}
    told: set[_Place] = set()
    for finding in findings:
        if finding.code == OPTION:
            options.append(finding)
            continue
        told.add(_place(finding.location))
        if finding.code in REUSE and finding.certainty > Certainty.POSSIBLE:
            reuses.append(finding)
        elif finding.code == CONSTANT:
            constants.append(finding)
        elif finding.code in clocks:
            clocks[finding.code].append(finding)
        else:
            yield finding
    yield from _of_clocks(clocks[READ_ONCE], clocks[TIMED])
    yield from (one for one in options if _place(one.location) not in told)
    again = [one.location for one in reuses if one.repair is not None and one.repair.fact("constant")]
    yield from (one for one in constants if not any(_lies_in(one.location, place) for place in again))
    yield from _where_kept(_told_once(group) for group in _groups(reuses))


def _of_clocks(read_once: list[Finding], timed: list[Finding]) -> Iterator[Finding]:
    yield from read_once
    traced = [one.location for one in read_once if one.certainty > Certainty.POSSIBLE]
    yield from (one for one in timed if not any(_lies_in(place, one.location) for place in traced))


def _where_kept(reuses: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of which those in several functions that call one method, whose object keeps the key, are one: in
    that method."""
    callers: dict[_Place, list[Finding]] = {}
    for finding in reuses:
        place = kept_at(finding)
        if place is None:
            yield finding
        else:
            callers.setdefault(_place(place), []).append(finding)
    for group in callers.values():
        if len({(finding.path, finding.definition) for finding in group}) == 1:
            yield from group
        else:
            yield _told_of_method(sorted(group, key=Finding.sort_key))


def _told_of_method(group: list[Finding]) -> Finding:
    head = min(group, key=lambda finding: (-finding.certainty, finding.code, finding.sort_key()))
    assert head.repair is not None
    method, places = head.repair.fact("keeper") or "", dict(head.repair.places)
    calls = tuple(Related(finding.location, "key used again in this call") for finding in group)
    message = f"each call of `{method}` uses the same key, which the object keeps: the numbers repeat"
    if places["kept before"] != places["kept"]:
        message = f"each call of `{method}` uses the key that the one before used and left in the object"
        calls = (Related(places["kept before"], "key used in the call before"), *calls)
    return replace(
        head,
        location=places["kept"],
        definition=method,
        message=message,
        help="split the key that the object keeps at each call and keep a part for the next one, "
        "or take a key as an argument",
        related=calls,
        repair=None,
    )


def _groups(reuses: list[Finding]) -> Iterable[list[Finding]]:
    """Findings of which one stands where another one tells of an earlier use, and those that tell of the same one.
    A key that an object keeps is another one than that which the same call is given."""
    roots: dict[_OfKey, _OfKey] = {}

    def root(place: _OfKey) -> _OfKey:
        while roots.setdefault(place, place) != place:
            place = roots[place]
        return place

    at = {(_of_key(finding, finding.location), finding.definition) for finding in reuses}
    for finding in reuses:
        here, partner = _of_key(finding, finding.location), _of_key(finding, _partner(finding))
        if (partner, finding.definition) in at:
            roots[root(partner)] = root(here)
        argument = dict(finding.repair.places).get("earlier") if finding.repair is not None else None
        if argument is not None:
            roots[root(_of_key(finding, argument))] = root(here)
    groups: dict[_OfKey, list[Finding]] = {}
    for finding in reuses:
        groups.setdefault(root(_of_key(finding, finding.location)), []).append(finding)
    return groups.values()


def _of_key(finding: Finding, place: Location) -> _OfKey:
    """A place where the key of a finding is used, with where an object keeps that."""
    kept = kept_at(finding)
    return _place(place), None if kept is None else _place(kept)


def _partner(finding: Finding) -> Location:
    return finding.related[0].location if finding.related else finding.location


def _place(location: Location) -> _Place:
    return location.path, location.line, location.column


def _lies_in(inner: Location, outer: Location) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return inner.path == outer.path and begins and ends


def _told_once(group: list[Finding]) -> Finding:
    group = sorted(group, key=Finding.sort_key)  # not in the order of the analysis, which edits change
    head = min(group, key=lambda finding: (-finding.certainty, finding.code == "JAX402"))
    told = {_place(head.location), *(_place(step.location) for step in head.related)}
    others: dict[_Place, Related] = {}
    for finding in group:
        if _place(finding.location) not in told:
            also = Related(finding.location, f"also, {finding.message.partition(': ')[0]}")
            others.setdefault(_place(finding.location), also)
    if len(group) == 1:
        return head
    return replace(head, related=(*head.related, *others.values()), repair=_repair([head, *group]))


def _repair(group: list[Finding]) -> Repair | None:
    """One repair that knows all the uses, from the first that says which argument is the key; those that are less sure
    than that one are ``weak``."""
    repairs = [finding.repair for finding in group if finding.repair is not None]
    kept = next((repair for repair in repairs if "key" in dict(repair.places)), repairs[0] if repairs else None)
    if kept is None:
        return None
    alike = [repair for repair in repairs if repair.fact("seen") == kept.fact("seen")]
    used, sure = dict.fromkeys(_used(repairs)), dict.fromkeys(_used(alike))
    others = [("use", place) for place in used if place != kept.location]
    others += [("weak", place) for place in used if place not in sure]
    facts = {**dict(kept.facts), "traced": max(repair.fact("traced") or "" for repair in repairs)}
    named = [(name, place) for name, place in kept.places if name not in ("use", "weak")]
    return replace(kept, facts=tuple(sorted(facts.items())), places=(*others, *named))


def _used(repairs: list[Repair]) -> Iterator[Location]:
    for repair in repairs:
        yield from (place for name, place in (("use", repair.location), *repair.places) if name == "use")
