"""How fast jaxlint is: its cold time over the bare libcst parse of the same files, memory, and where the time goes.

    python benchmarks/speed.py --cache DIR [PACKAGE ...]

Every measurement is a fresh process, one after the other.  Times are processor seconds of that process (it has
one job, so on an idle machine they are wall seconds; on a busy one they do not move).  The libcst time is
`libcst.parse_module` alone, its import and the reading of files left out; jaxlint's includes everything from
process start to exit.  The shares of the stages come from a second, in-process run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from packages import DEFAULT_CACHE, Package, obtain

COMMAND = ["-m", "jaxlint", "check", "--isolated", "--no-cache", "-j", "1", "--exit-zero", "--output-format", "json"]
STAGES = ("read", "modules", "analysis", "versions", "report")


@dataclass
class Measured:
    name: str
    files: int
    lines: int
    libcst_s: float
    jaxlint_s: float
    peak_mib: float
    stages: dict[str, float] = field(default_factory=dict)

    def row(self) -> str:
        whole = sum(self.stages.values()) or 1.0
        shares = "".join(f"{100 * self.stages.get(stage, 0.0) / whole:9.0f}%" for stage in STAGES)
        return (
            f"{self.name:20s}{self.files:6d}{self.lines:9d}{self.libcst_s:9.2f}{self.jaxlint_s:9.2f}"
            f"{self.jaxlint_s / self.libcst_s:7.2f}{self.lines / self.jaxlint_s:10,.0f}{self.peak_mib:9.0f}{shares}"
        )


def header() -> str:
    stages = "".join(f"{stage:>10s}" for stage in STAGES)
    return (
        f"{'package':20s}{'files':>6s}{'lines':>9s}{'libcst s':>9s}{'jaxlint s':>10s}{'ratio':>6s}"
        f"{'lines/s':>10s}{'peak MiB':>9s}{stages}"
    )


def processor_time(command: list[str]) -> tuple[float, float]:
    """Runs a command to its end: (processor seconds, peak resident MiB).  Raises SystemExit when it fails."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def in_fresh_process(mode: str, root: Path) -> dict[str, float]:
    """What this script prints in another of its modes."""
    output = subprocess.run([sys.executable, __file__, mode, str(root)], check=True, capture_output=True, text=True)
    return dict(json.loads(output.stdout))


def measure(package: Package) -> Measured:
    sources = package.sources()
    seconds, peak = processor_time([*COMMAND, str(package.root)])
    return Measured(
        name=f"{package.name} {package.version}",
        files=len(sources),
        lines=sum(path.read_bytes().count(b"\n") for path in sources),
        libcst_s=in_fresh_process("--libcst-of", package.root)["parse"],
        jaxlint_s=seconds,
        peak_mib=peak,
        stages=in_fresh_process("--stages-of", package.root),
    )


def total(rows: list[Measured]) -> Measured:
    return Measured(
        name="total",
        files=sum(row.files for row in rows),
        lines=sum(row.lines for row in rows),
        libcst_s=sum(row.libcst_s for row in rows),
        jaxlint_s=sum(row.jaxlint_s for row in rows),
        peak_mib=max(row.peak_mib for row in rows),
        stages={stage: sum(row.stages.get(stage, 0.0) for row in rows) for stage in STAGES},
    )


def libcst_time(root: Path) -> dict[str, float]:
    """Processor seconds of parsing every file under ``root`` with libcst, and nothing else."""
    import libcst

    texts = [path.read_bytes() for path in sorted(root.rglob("*.py"))]
    start = time.process_time()
    for text in texts:
        libcst.parse_module(text)
    return {"parse": time.process_time() - start}


def stage_times(root: Path) -> dict[str, float]:
    """Processor seconds of each stage of linting ``root`` in this process."""
    from jaxlint.api import Settings
    from jaxlint.checks.run import analyse
    from jaxlint.report import data
    from jaxlint.running.once import Run
    from jaxlint.settings.configuration import Configuration
    from jaxlint.vocabulary.work import FUNCTIONS, MODULES, NAMES, Clock

    start = time.process_time()
    programs = list(Run.over([str(root)], Configuration(str(root), fixed=Settings())).programs())
    for module in (module for program in programs for module in program.modules.values()):
        _ = module.document.tree
    clock = {"read": time.process_time() - start}
    findings = []
    for program in programs:
        spent = Clock()
        findings += analyse(program, program.settings, work=spent)
        spent.end()
        for stage, name in (("modules", MODULES), ("analysis", FUNCTIONS), ("versions", NAMES)):
            clock[stage] = clock.get(stage, 0.0) + spent.seconds[name]
    start = time.process_time()
    data.as_json(findings)
    clock["report"] = time.process_time() - start
    return clock


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names from packages.toml; all of them when none is given")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where the sources are kept")
    parser.add_argument("--libcst-of", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--stages-of", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.libcst_of:
        print(json.dumps(libcst_time(options.libcst_of)))
        return 0
    if options.stages_of:
        print(json.dumps(stage_times(options.stages_of)))
        return 0
    rows = []
    print(header())
    for package in obtain(options.cache, options.packages):
        rows.append(measure(package))
        print(rows[-1].row(), flush=True)
    print(total(rows).row())
    return 0


if __name__ == "__main__":
    sys.exit(main())
