"""What several processes save: seconds with one job and with several, over the bare libcst parse of the same files.

    python benchmarks/jobs.py [--jobs N] FOLDER ...

Each run is the command in a fresh process, all findings and rules in preview included, one after the other; times are
seconds of the clock, so the machine should have nothing else to do.  Exits with 1 if two runs find different things.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from speed import in_fresh_process

LINT = ["-m", "jaxlint", "check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json"]
ALL = ["--certainty", "possible", "--preview"]


def lint(folder: Path, jobs: int) -> tuple[float, bytes]:
    """Seconds of one run, and what it prints."""
    began = time.perf_counter()
    command = [sys.executable, *LINT, *ALL, "-j", str(jobs), str(folder)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return time.perf_counter() - began, printed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many (default: a job for each core)")
    options = parser.parse_args()
    differs = False
    print(f"{'':24s}{'libcst s':>10s}{'1 job s':>10s}{f'{options.jobs} jobs s':>10s}{'saved':>8s}{'ratio':>8s}")
    for folder in options.folders:
        parse = in_fresh_process("--libcst-of", folder)["parse"]
        alone, expected = lint(folder, 1)
        together, found = lint(folder, options.jobs)
        saved = f"{1 - together / alone:.0%}"
        print(f"{folder.name[-23:]:24s}{parse:10.2f}{alone:10.2f}{together:10.2f}{saved:>8s}{together / parse:8.1f}")
        if found != expected:
            differs = True
            print(f"{folder}: other findings with {options.jobs} jobs")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"the largest process took {peak:.0f} MiB")
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
