"""The baseline: findings that a project has decided to live with for now, in a file beside its code.

An entry is a finding's identity (`jaxlint.silencing.identity`) with how often it occurs, so lines may move.  One entry
is one line and the lines are sorted: in git, what two branches remove or add meets only where it is neighbouring.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

from jaxlint.files.reading import read_file, reason_of
from jaxlint.files.writing import replace_file
from jaxlint.settings.configuration import ConfigurationError
from jaxlint.settings.resolved import ALWAYS_ON
from jaxlint.silencing.identity import Identity, Lines, beyond, identities
from jaxlint.vocabulary.findings import Finding

_VERSION = 1

_MAX_BYTES = 256 * 1024 * 1024
"""Enough for a million findings."""


class BaselineError(ConfigurationError):
    """A baseline file cannot be used; the message is the one line to print."""


@dataclass(frozen=True)
class Baseline:
    """The entries of one file, whose folder their paths start from."""

    path: str
    counts: Counter[Identity]

    @classmethod
    def read(cls, path: str) -> Baseline:
        """The baseline in a file.  Raises BaselineError for a file that is none or cannot be read."""
        try:
            text = read_file(path, _MAX_BYTES).decode("utf-8")
        except FileNotFoundError:
            raise BaselineError(f"{path}: no such baseline; `jaxlint baseline` writes one") from None
        except OSError as error:
            raise BaselineError(f"{path}: cannot be read: {reason_of(error)}") from None
        except ValueError:
            raise BaselineError(f"{path}: not a baseline: not UTF-8") from None
        try:
            return cls(path, _entries(json.loads(text)))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            reason = "it has merge conflicts" if "<<<<<<<" in text else str(error).split("\n", 1)[0]
            raise BaselineError(f"{path}: not a baseline: {reason}") from None

    @property
    def size(self) -> int:
        """How many findings it stands for."""
        return self.counts.total()

    def beyond(self, findings: Iterable[Finding], lines: Lines) -> list[Finding]:
        """The findings that are not in the baseline; of equal ones the last, when there are more than it has."""
        findings = list(findings)
        return beyond(findings, self._identities(findings, lines), self.counts)

    def reduced(self, findings: Sequence[Finding], lines: Lines, is_covered: Callable[[str], bool]) -> Baseline:
        """The baseline without what is gone from the files that ``is_covered`` names: they have these findings only."""
        found = Counter(self._identities(findings, lines))
        folder = os.path.dirname(self.path)
        kept = {
            identity: min(count, found[identity]) if is_covered(os.path.join(folder, identity.path)) else count
            for identity, count in self.counts.items()
        }
        return Baseline(self.path, +Counter(kept))

    def grown(self, findings: Iterable[Finding], lines: Lines) -> Baseline:
        """The baseline with these findings in it, too; files that could not be analysed stay out."""
        known = [finding for finding in findings if finding.code not in ALWAYS_ON]
        return Baseline(self.path, self.counts | Counter(self._identities(known, lines)))

    def write(self) -> None:
        """Write the file, whole or not at all.  Raises OSError."""
        rows = [asdict(identity) | {"count": count} for identity, count in sorted(self.counts.items())]
        entries = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        listed = f"[\n{entries}\n  ]" if rows else "[]"
        replace_file(self.path, f'{{\n  "version": {_VERSION},\n  "findings": {listed}\n}}\n'.encode())

    def _identities(self, findings: Iterable[Finding], lines: Lines) -> list[Identity]:
        return identities(findings, lines, os.path.dirname(self.path))


def _entries(data: dict[str, object]) -> Counter[Identity]:
    """What a file's JSON says.  Raises ValueError, TypeError, KeyError or AttributeError for anything else."""
    if data["version"] != _VERSION:
        raise ValueError(f"version {data['version']!r}, this jaxlint knows {_VERSION}")
    counts: Counter[Identity] = Counter()
    rows = data["findings"]
    if not isinstance(rows, list):
        raise ValueError("`findings` is no list")
    for row in rows:
        words = [row[name] for name in ("path", "rule", "definition", "statement")]
        if not all(isinstance(word, str) for word in words) or type(row["count"]) is not int or row["count"] < 1:
            raise ValueError(f"not an entry: {json.dumps(row)[:80]}")
        identity = Identity(*words)
        # Two branches that have added the same entry, merged line by line, leave it twice.
        counts[identity] = max(counts[identity], row["count"])
    return counts
