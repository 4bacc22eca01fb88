"""How often jaxlint is right: its default findings on the fixed packages against tests/ecosystem/triage.toml.

    python benchmarks/accuracy.py --cache DIR [PACKAGE ...]

Prints how many findings each rule has in each package, and how many of each rule's an author would fix, are right
without mattering, or are false (benchmarks/judging.py says what the words mean); lists the findings that nobody has
judged yet and the rows that no finding matches any more.  Exits 1 when a finding is unjudged or when the shares
miss what is wanted.
"""

from __future__ import annotations

import argparse
import collections
import json
import subprocess
import sys
from pathlib import Path

from judging import Place, by_rule, judgements, print_differences, print_table, shortcomings
from packages import DEFAULT_CACHE, Package, obtain

TRIAGE = Path(__file__).parent.parent / "tests" / "ecosystem" / "triage.toml"


def findings_of(package: Package) -> dict[Place, str]:
    """Every default finding of a package, with its message."""
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "--output-format", "json"]
    result = subprocess.run([*command, str(package.root)], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        raise SystemExit(f"{package.name}: exit code {result.returncode}\n{result.stderr[-2000:]}")
    found = {}
    for row in json.loads(result.stdout):
        file, cell, line = package.relative(row["filename"]), row["cell"] or 0, row["location"]["row"]
        found[Place(package.name, package.version, file, cell, line, row["code"])] = row["message"]
    return found


def print_counts(found: dict[Place, str], packages: list[Package]) -> None:
    counts = collections.Counter((place.rule, place.source) for place in found)
    rules = sorted({place.rule for place in found})
    names = [package.name for package in packages if any(counts[rule, package.name] for rule in rules)]
    print("rule    " + "".join(f"{name:>{len(name) + 2}s}" for name in names))
    for rule in rules:
        print(f"{rule:8s}" + "".join(f"{counts[rule, name] or '.':>{len(name) + 2}}" for name in names))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names from packages.toml; all of them when none is given")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where the sources are kept")
    options = parser.parse_args()
    packages = obtain(options.cache, options.packages)
    found: dict[Place, str] = {}
    for package in packages:
        found.update(findings_of(package))
    judged = judgements(TRIAGE)
    print_counts(found, packages)
    print()
    counts = by_rule(found, judged)
    print_table(counts)
    short = shortcomings(counts)
    unjudged = print_differences(found, judged, {package.name for package in packages})
    for line in short:
        print(line)
    return 1 if unjudged or short else 0


if __name__ == "__main__":
    sys.exit(main())
