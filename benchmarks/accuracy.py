"""How often jaxlint is right: its default findings on the fixed packages against tests/ecosystem/triage.toml.

    python benchmarks/accuracy.py --cache DIR [PACKAGE ...]

Prints how many findings each rule has in each package and the precision of each rule, lists the findings that
nobody has judged yet and the rows that no finding matches any more.  Exits 1 when a finding is unjudged, when
the precision over all of them is below 97 %, or when that of one rule is below 90 %.
"""

from __future__ import annotations

import argparse
import collections
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from packages import DEFAULT_CACHE, Package, obtain

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TRIAGE = Path(__file__).parent.parent / "tests" / "ecosystem" / "triage.toml"
WANTED_OVERALL = 0.97
WANTED_PER_RULE = 0.90


@dataclass(frozen=True, order=True)
class Place:
    """What identifies a finding across runs: messages and columns may change, this may not."""

    package: str
    version: str
    file: str
    line: int
    rule: str


@dataclass(frozen=True)
class Judgement:
    true: bool
    why: str


def judgements(path: Path = TRIAGE) -> dict[Place, Judgement]:
    """The rows of triage.toml.  Raises SystemExit for two rows about one place or a row without a reason."""
    judged: dict[Place, Judgement] = {}
    for row in tomllib.loads(path.read_text(encoding="utf-8")).get("finding", []):
        place = Place(row["package"], row["version"], row["file"], row["line"], row["rule"])
        if place in judged or not row["why"]:
            raise SystemExit(f"{path}: {place} is there twice or has no reason")
        judged[place] = Judgement(bool(row["verdict"]), row["why"])
    return judged


def findings_of(package: Package) -> dict[Place, str]:
    """Every default finding of a package, with its message."""
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "--output-format", "json"]
    result = subprocess.run([*command, str(package.root)], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        raise SystemExit(f"{package.name}: exit code {result.returncode}\n{result.stderr[-2000:]}")
    found = {}
    for row in json.loads(result.stdout):
        file, line = package.relative(row["filename"]), row["location"]["row"]
        found[Place(package.name, package.version, file, line, row["code"])] = row["message"]
    return found


def print_counts(found: dict[Place, str], packages: list[Package]) -> None:
    counts = collections.Counter((place.rule, place.package) for place in found)
    rules = sorted({place.rule for place in found})
    names = [package.name for package in packages if any(counts[rule, package.name] for rule in rules)]
    print("rule    " + "".join(f"{name:>{len(name) + 2}s}" for name in names))
    for rule in rules:
        print(f"{rule:8s}" + "".join(f"{counts[rule, name] or '.':>{len(name) + 2}}" for name in names))


def precision_by_rule(found: dict[Place, str], judged: dict[Place, Judgement]) -> dict[str, tuple[int, int]]:
    """Rule to (true findings, judged findings)."""
    scores: dict[str, tuple[int, int]] = {}
    for place in sorted(found):
        if judgement := judged.get(place):
            right, whole = scores.get(place.rule, (0, 0))
            scores[place.rule] = (right + judgement.true, whole + 1)
    return scores


def verdict(scores: dict[str, tuple[int, int]]) -> list[str]:
    """Prints the precision of each rule and of all; returns what falls short."""
    short = []
    for rule, (right, whole) in scores.items():
        print(f"{rule}  {right:4d}/{whole:<4d} {right / whole:7.1%}")
        if right < WANTED_PER_RULE * whole:
            short.append(f"{rule} is right in {right / whole:.1%} of its findings, below {WANTED_PER_RULE:.0%}")
    right, whole = sum(right for right, _ in scores.values()), sum(whole for _, whole in scores.values())
    if whole:
        print(f"all     {right:4d}/{whole:<4d} {right / whole:7.1%}")
    if right < WANTED_OVERALL * whole:
        short.append(f"right in {right / whole:.1%} of all findings, below {WANTED_OVERALL:.0%}")
    return short


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names from packages.toml; all of them when none is given")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where the sources are kept")
    options = parser.parse_args()
    packages = obtain(options.cache, options.packages)
    found: dict[Place, str] = {}
    for package in packages:
        found.update(findings_of(package))
    judged = judgements()
    print_counts(found, packages)
    print()
    short = verdict(precision_by_rule(found, judged))

    unjudged = sorted(place for place in found if place not in judged)
    read = {package.name for package in packages}
    gone = sorted(place for place in judged if place.package in read and place not in found)
    for title, places in (("not judged yet", unjudged), ("judged, but not found any more", gone)):
        if places:
            print(f"\n{title}: {len(places)}")
        for place in places:
            print(f"  {place.package} {place.file}:{place.line} {place.rule} {found.get(place, '')}")
    for line in short:
        print(line)
    return 1 if unjudged or short else 0


if __name__ == "__main__":
    sys.exit(main())
