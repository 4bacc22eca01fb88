"""How many findings of each rule there are, most first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from jaxlint.findings import Finding


def table(findings: Iterable[Finding]) -> Iterator[str]:
    """A line for each rule: count, code and name, in columns."""
    counted = _counted(findings)
    margin = max((len(str(count)) for _, _, count in counted), default=0)
    for code, name, count in counted:
        yield f"{count:>{margin}}  {code}  {name}"


def as_json(findings: Iterable[Finding]) -> str:
    """The same counts as a JSON list."""
    return json.dumps(
        [{"code": code, "name": name, "count": count} for code, name, count in _counted(findings)], indent=2
    )


def _counted(findings: Iterable[Finding]) -> list[tuple[str, str, int]]:
    counts = Counter((finding.code, finding.name) for finding in findings)
    return sorted(((code, name, count) for (code, name), count in counts.items()), key=lambda item: (-item[2], item[0]))
