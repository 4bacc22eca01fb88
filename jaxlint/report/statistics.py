"""How many findings of each rule there are, most first, and how often each limit of the analysis was met."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxlint.vocabulary.findings import Finding

if TYPE_CHECKING:
    from jaxlint.flow.domain.met import Met


def table(findings: Iterable[Finding], met: Met | None = None) -> Iterator[str]:
    """A line for each rule: count, code and name, in columns; then one for each limit that was met, with its value."""
    counted = _counted(findings)
    limits = [] if met is None else met.by_limit()
    rows = [(count, code, name) for code, name, count in counted]
    rows += [(count, "limit ", f"{limit.name} ({limit.most})") for limit, count in limits]
    margin = max((len(str(count)) for count, _, _ in rows), default=0)
    for count, code, name in rows:
        yield f"{count:>{margin}}  {code}  {name}"


def as_json(findings: Iterable[Finding], met: Met | None = None) -> str:
    """The same counts as a JSON list; a limit has no code."""
    rows: list[dict[str, object]] = [
        {"code": code, "name": name, "count": count} for code, name, count in _counted(findings)
    ]
    for limit, count in [] if met is None else met.by_limit():
        rows.append({"code": None, "name": limit.name, "count": count, "limit": limit.value})
    return json.dumps(rows, indent=2)


def _counted(findings: Iterable[Finding]) -> list[tuple[str, str, int]]:
    counts = Counter((finding.code, finding.name) for finding in findings)
    return sorted(((code, name, count) for (code, name), count in counts.items()), key=lambda item: (-item[2], item[0]))
