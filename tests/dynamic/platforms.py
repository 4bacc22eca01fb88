"""Runs all examples of the cards in dynamic mode on several platforms, and compares the verdicts.

    python -m tests.dynamic.platforms cpu cuda [--workers N] [--budget SECONDS] [--out FILE]

Prints for each platform how many verdicts of each kind there are and how long it took, then each finding whose verdict
is another one than on the first platform.  Exits 1 where there is one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from time import monotonic

from jaxlint.dynamic.broker import Options, jax_versions, platform_there
from tests.dynamic import card_runs

Verdicts = dict[str, list[str]]
"""What was found where ("card example: code path:line"), and the states and evidence of its verdicts."""


def verdicts(options: Options) -> Verdicts:
    """The verdicts of all examples on the platform of the options."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root).resolve()
        print(card_runs.record(folder, options.platform, options.workers), end="", flush=True)
        found: Verdicts = {}
        for name, example in card_runs.tried(folder, options).items():
            for finding, verdict in example.verdicts():
                at = finding.location
                place = f"{name}: {finding.code} {Path(at.path).name}:{at.line}:{at.column}"
                found.setdefault(place, []).append(" | ".join([verdict.state.value, *verdict.evidence]))
    return found


def state(said: str) -> str:
    return said.partition(" | ")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platforms", nargs="+", metavar="PLATFORM")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--spawn", action="store_true", help="a process of its own for each target, also on a CPU")
    parser.add_argument("--out", type=Path, help="where to write all verdicts, as JSON")
    parser.add_argument("--budget", type=float, help="seconds for the workers of each platform")
    asked = parser.parse_args()
    chosen = Options(workers=asked.workers, timeout=60, budget=asked.budget, fork=Options().fork and not asked.spawn)
    ways: dict[str, Verdicts] = {}
    for platform in asked.platforms:
        began = monotonic()
        options = replace(chosen, platform=platform_there(platform, chosen))
        ways[platform] = verdicts(options)
        counts = Counter(state(said) for each in ways[platform].values() for said in each)
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        jax = jax_versions(chosen)["jax"]
        print(f"{platform} ({options.platform}, jax {jax}): {monotonic() - began:.0f} s: {kinds}", flush=True)
        if asked.out:
            asked.out.write_text(json.dumps(ways, indent=1))
    return 1 if differences(ways) else 0


def differences(ways: dict[str, Verdicts]) -> int:
    """Prints what another platform than the first judges otherwise, and says in how many places."""
    first, *others = ways
    differ = 0
    for other in others:
        for place in sorted(ways[first].keys() | ways[other].keys()):
            one, two = ways[first].get(place, []), ways[other].get(place, [])
            if list(map(state, one)) != list(map(state, two)):
                differ += 1
                print(f"{place}\n  {first}: {one}\n  {other}: {two}")
        print(f"{other}: of {len(ways[first])} places {differ} are judged otherwise than on {first}")
    return differ


if __name__ == "__main__":
    sys.exit(main())
