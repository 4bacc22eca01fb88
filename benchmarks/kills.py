"""Dynamic mode that is killed: `python -m benchmarks.kills [--kills 200] [--seed 0]`.

A project with findings is traced again and again, and each time the command or one of its processes gets a signal
(SIGINT, SIGTERM or SIGKILL) at a random moment.  Afterwards no process of the run may be left, nothing may lie in its
folder for temporary files, and what it says of a finding has to be what a run that was left alone says, or that the
finding was not decided.  Prints what did not hold; exits with 1 if there was anything.  Linux only, for it reads /proc.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
UNDECIDED = frozenset(("timed-out", "not-reached", "crashed", "no-inputs", "not-importable"))
MODULE = """\
import jax
import jax.numpy as jnp


@jax.jit
def converted(x):
    return float(x)


@jax.jit
def branched(x):
    if x > {number}:
        return x
    return -x


@jax.jit
def reused(key):
    return jax.random.normal(key, (3,)) + jax.random.uniform(key, (3,))


def train(key):
    return converted(jnp.float32({number})), branched(jnp.float32(1.0)), reused(key)
"""
ENDS_WITHIN = 60.0
"""Seconds that a run may take once it has its signal."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--modules", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        project.mkdir()
        for number in range(options.modules):
            (project / f"module{number}.py").write_text(MODULE.format(number=number), encoding="utf-8")
        (project / "pyproject.toml").write_text("[tool.jaxlint]\n", encoding="utf-8")
        began = time.monotonic()
        alone = Attempt(project, Path(folder, "alone"))
        expected = alone.verdicts(*alone.end())
        lasts = time.monotonic() - began
        print(f"left alone: {lasts:.1f} s, {len(expected)} findings", flush=True)
        kinds: collections.Counter[str] = collections.Counter()
        failures = 0
        for number in range(options.kills):
            attempt = Attempt(project, Path(folder, f"run{number}"))
            time.sleep(chance.uniform(0.0, lasts))
            kind = attempt.kill(chance)
            kinds[kind] += 1
            problems = attempt.problems(kind, expected)
            failures += bool(problems)
            for problem in problems:
                print(f"{number}: {kind}: {problem}", flush=True)
    for kind, count in sorted(kinds.items()):
        print(f"{kind}: {count}")
    print(f"{options.kills} kills, {failures} with a problem")
    return 1 if failures else 0


class Attempt:
    """One run, whose temporary folder tells its processes from all others."""

    def __init__(self, project: Path, temporary: Path) -> None:
        temporary.mkdir()
        self.temporary = temporary
        environment = {**os.environ, "TMPDIR": str(temporary), "JAX_PLATFORMS": "cpu"}
        command = [sys.executable, "-m", "jaxlint", "--dynamic", "--no-cache", "--output-format", "json", "."]
        self.process = subprocess.Popen(
            command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def kill(self, chance: random.Random) -> str:
        """Sends a signal to the command or one of its processes, and returns what was done."""
        others = [number for number in self._processes() if number != self.process.pid]
        number = chance.choice(SIGNALS)
        victim = chance.choice(others) if others and chance.random() < 0.5 else self.process.pid
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, number)
        return f"{number.name} to {'the command' if victim == self.process.pid else 'another process'}"

    def end(self) -> tuple[str, str]:
        return self.process.communicate(timeout=ENDS_WITHIN)

    def problems(self, kind: str, expected: dict[str, str]) -> Iterator[str] | list[str]:
        """What is not as it has to be, once the run has ended."""
        try:
            out, said = self.end()
        except subprocess.TimeoutExpired:
            self.process.kill()
            return ["it does not end"]
        found = []
        if "Traceback" in said:
            found.append(f"a traceback: {said.splitlines()[-1]}")
        if out or kind != "SIGKILL to the command":
            found += self._unlike(out, expected)
        deadline = time.monotonic() + 10
        while (left := self._processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        for process in left:
            found.append(f"a process is left: {_command(process)}")
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        if files := [str(path.relative_to(self.temporary)) for path in self.temporary.rglob("*")]:
            found.append(f"files are left: {', '.join(files[:4])}")
        return found

    def verdicts(self, out: str, said: str) -> dict[str, str]:
        """The state of each finding, by its place."""
        return {
            f"{row['filename']}:{row['location']['row']}:{row['code']}": row["verdict"]["state"]
            for row in json.loads(out)
            if row.get("verdict") is not None
        }

    def _unlike(self, out: str, expected: dict[str, str]) -> Iterator[str]:
        try:
            found = self.verdicts(out, "")
        except ValueError:
            if out or self.process.returncode not in (130, 143, -signal.SIGINT, -signal.SIGTERM):
                yield f"no report: {out[:80]!r}, exit code {self.process.returncode}"
            return
        for place, state in found.items():
            if state != expected.get(place) and state not in UNDECIDED:
                yield f"{place} is {state}, and {expected.get(place)} if nobody disturbs"

    def _processes(self) -> list[int]:
        """The processes of the run that are alive."""
        mark = f"TMPDIR={self.temporary}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120]
    except OSError:
        return "?"


if __name__ == "__main__":
    sys.exit(main())
