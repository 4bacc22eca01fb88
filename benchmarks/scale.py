"""What a run costs as a program grows: the same packages copied under other names, into one program, 1, 4 and 16 times.

    python benchmarks/scale.py [--times 1 4 16] [--workers 1 2] PACKAGE ...

Every copy of a package has the same code under a name of its own, by which its modules import each other; the copies
know nothing of each other.  Each size is linted by one process, by two (`-j 2`), and by the workers of a Dask cluster
of this machine, nothing being kept.  Processor time is that of all processes; memory the largest sum over the processes
of their proportional share; bytes are those of the packs that each worker is sent.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from peers import machine, measured

LINT = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "-e", "-q", "--output-format", "concise"]


def copy_of(package: Path, into: Path, number: int) -> None:
    """A package under another name, which stands in its imports."""
    name = package.name
    other = f"{name}_{number}"
    imported = re.compile(rf"^(\s*(?:from|import)\s+){name}\b", re.MULTILINE)
    used = re.compile(rf"(?<![\w.]){name}(?=\.\w)")
    for path in package.rglob("*.py"):
        target = into / other / path.relative_to(package)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        target.write_text(used.sub(other, imported.sub(rf"\g<1>{other}", text)), encoding="utf-8")


def lines_in(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))


def bytes_sent(folder: Path) -> int:
    """How many bytes a worker is sent of the program in a folder."""
    from jaxlint.project.carried import carried
    from jaxlint.running.once import Run
    from jaxlint.settings.configuration import Configuration
    from jaxlint.settings.resolved import Settings

    run = Run.over([str(folder)], Configuration(str(folder), fixed=Settings()))
    return sum(len(pack) for program in run.programs() for pack in carried(program, ()))


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[int]]]:
    """A cluster's address, and its worker processes."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0", memory_limit=0) as begun:
        yield begun.scheduler_address, [nanny.process.pid for nanny in begun.workers.values()]


def measure(folder: Path, how: str, arguments: list[str], expected: list[str], beside: Collection[int]) -> list[str]:
    """Prints a row; returns the findings.  Raises SystemExit where they are not the expected."""
    lines = lines_in(folder)
    cost = measured([*LINT, *arguments, "."], folder, beside)
    found = cost.lines
    per_line = 1e6 * cost.processor / lines
    costs = f"{cost.processor:.1f} | {cost.wall:.1f} | {per_line:.0f} | {cost.mib:.0f} | {1024 * cost.mib / lines:.1f}"
    print(f"| {lines:,} | {how} | {costs} | {len(found)} |", flush=True)
    if cost.code or expected not in ([], found):
        raise SystemExit(f"other findings with {how}: exit code {cost.code}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", type=Path, metavar="PACKAGE", help="folders of packages")
    parser.add_argument("--times", nargs="+", type=int, default=[1, 4, 16])
    parser.add_argument("--workers", nargs="*", type=int, default=[1, 2])
    options = parser.parse_args()
    print(machine())
    print("\n| lines | | processor s | wall s | µs a line | MiB | KiB a line | findings |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|")
    for times in options.times:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "corpus")
            for package in options.packages:
                for number in range(times):
                    copy_of(package, folder, number)
            (folder / "pyproject.toml").write_text("")  # the root of one program
            alone = measure(folder, "`-j 1`", ["-j", "1"], [], ())
            measure(folder, "`-j 2`", ["-j", "2"], alone, ())
            for workers in options.workers:
                with cluster(workers) as (address, processes):
                    arguments = ["--executor", "dask", "--scheduler", address]
                    measure(folder, f"Dask, workers: {workers}", arguments, alone, processes)
            print(f"{times} times: {bytes_sent(folder):,} bytes to each worker", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
