"""What jaxlint costs beside other tools, on the same files and in the same run: processor time, wall time and memory.

    python benchmarks/peers.py [--into DIR] [--only NAME ...] [--runs N] FOLDER

Each tool gets an environment of its own below ``--into``, made once from PyPI or npm; one that cannot be installed is
named with the reason.  Every measurement is a command in fresh processes over a copy of the folder, one after the
other, the quickest of ``--runs``:

cold   nothing is kept of earlier runs; the files themselves have been read before
warm   once more, for a tool that keeps something: nothing has changed
edit   once more, after a line was added to one file that no other imports

Processor time is that of all processes of the command, and does not move much where others use the machine, so the
last column, the ratio to the bare libcst parse, is what to compare.  Memory is the largest sum over the processes of
the command of their proportional share (PSS), looked at twenty times a second.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]

PARSE = """\
import pathlib, sys, libcst
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py")):
    libcst.parse_module(path.read_bytes())
"""

TORCHFIX = """\
import sys, libcst.codemod as codemod
from torchfix.torchfix import DISABLED_BY_DEFAULT, GET_ALL_ERROR_CODES, TorchCodemod, TorchCodemodConfig
config = TorchCodemodConfig()
config.select = sorted(set(GET_ALL_ERROR_CODES()) - set(DISABLED_BY_DEFAULT))
codemod.parallel_exec_transform_with_prettyprint(
    TorchCodemod(codemod.CodemodContext(), config), codemod.gather_files(sys.argv[1:]), jobs=1, unified_diff=5,
    hide_progress=True, format_code=False, repo_root=None,
)
"""
"""The command passes over files without the word `torch`; this asks its engine for all."""


@dataclass(frozen=True)
class Peer:
    """A tool: what its environment is made of, and its command with {env}, {folder} and {cache}."""

    name: str
    needs: str
    command: tuple[str, ...]
    keeps: bool = False

    def make(self, env: Path) -> str:
        """Makes the environment where there is none; the version of the tool.  Raises CalledProcessError."""
        if self.needs.startswith("npm:"):
            package = self.needs.removeprefix("npm:")
            if not env.exists():
                _run("npm", "install", "--silent", "--prefix", str(env), package)
                _run(sys.executable, "-m", "venv", str(env / "python"))
            told = _run("npm", "ls", "--prefix", str(env), package)
            return re.findall(r"@(\d[\w.]*)", told)[-1]
        if not env.exists():
            _run(sys.executable, "-m", "venv", str(env))
        _run(str(env / "bin" / "pip"), "install", "--quiet", *self.needs.split())
        if self.needs == str(HERE):
            return "this tree"
        shown = _run(str(env / "bin" / "pip"), "show", self.needs.split()[0])
        return re.findall(r"^Version: (.+)$", shown, re.MULTILINE)[0]

    def filled(self, env: Path, folder: Path, cache: Path) -> list[str]:
        return [part.format(env=env, folder=folder, cache=cache) for part in self.command]


def _ours(*arguments: str) -> tuple[str, ...]:
    return ("{env}/bin/jaxlint", "check", "--isolated", "-e", "-q", *arguments, "{folder}")


PEERS = (
    Peer("libcst.parse_module", "libcst", ("{env}/bin/python", "-c", PARSE, "{folder}")),
    Peer("jaxlint-sharp-bits, 1 job, --no-cache", str(HERE), _ours("-j", "1", "--no-cache")),
    Peer("jaxlint-sharp-bits, 1 job", str(HERE), _ours("-j", "1", "--cache-dir", "{cache}"), keeps=True),
    Peer("jaxlint-sharp-bits, 2 jobs", str(HERE), _ours("-j", "2", "--cache-dir", "{cache}"), keeps=True),
    Peer(
        "ruff",
        "ruff",
        ("{env}/bin/ruff", "check", "--isolated", "-e", "-q", "--cache-dir", "{cache}", "{folder}"),
        keeps=True,
    ),
    Peer("flake8", "flake8", ("{env}/bin/flake8", "--isolated", "-j", "1", "--exit-zero", "{folder}")),
    Peer(
        "pylint",
        "pylint",
        ("{env}/bin/pylint", "--rcfile=/dev/null", "-j", "1", "--recursive=y", "--exit-zero", "{folder}"),
    ),
    Peer("Fixit", "fixit", ("{env}/bin/fixit", "--quiet", "lint", "{folder}")),
    Peer("TorchFix's engine", "torchfix setuptools", ("{env}/bin/python", "-c", TORCHFIX, "{folder}")),
    Peer(
        "mypy",
        "mypy",
        (
            "{env}/bin/mypy", "--config-file=", "--ignore-missing-imports", "--check-untyped-defs",
            "--explicit-package-bases", "--namespace-packages", "--cache-dir", "{cache}", "{folder}",
        ),
        keeps=True,
    ),
    Peer(
        "pyright",
        "npm:pyright",
        ("{env}/node_modules/.bin/pyright", "--pythonpath", "{env}/python/bin/python", "{folder}"),
    ),
    Peer("jaxlint (PyPI, another one)", "jaxlint", ("{env}/bin/jaxlint", "check", "{folder}")),
)  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What one run of a command has taken, and what it has written."""

    processor: float
    wall: float
    mib: float
    lines: list[str]
    code: int


def measured(command: list[str], folder: Path, beside: Collection[int] = ()) -> Cost:
    """What a command takes, together with processes that work for it beside it."""
    before = sum(map(_processor, beside))
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
        peak = 0.0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            peak = max(peak, sum(map(_pss, (*beside, *_family(process.pid)))))
            time.sleep(0.05)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.read().decode(errors="replace").splitlines()
    processor = usage.ru_utime + usage.ru_stime + sum(map(_processor, beside)) - before
    return Cost(processor, wall, peak / 1024, lines, process.returncode)


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split():
                yield from _family(int(child))
    except OSError:
        pass  # it has ended


def _processor(pid: int) -> float:
    """The processor seconds that a process has taken."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _pss(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)
    return float(found[1]) if found else 0


def compared(peer: Peer, into: Path, folder: Path, runs: int) -> Iterator[tuple[str, Cost]]:
    """The costs of a tool's runs over a copy of the folder, by the kind of run."""
    env = into / re.sub(r"\W+", "-", peer.needs)
    with tempfile.TemporaryDirectory() as scratch:
        copy, cache = Path(scratch, "project"), Path(scratch, "cache")
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", ".*_cache"))
        command = peer.filled(env, copy, cache)
        leaf = leaf_of(copy)
        kinds: dict[str, list[Cost]] = {}
        for number in range(runs):
            shutil.rmtree(cache, ignore_errors=True)
            kinds.setdefault("cold", []).append(measured(command, copy))
            if peer.keeps:
                kinds.setdefault("warm", []).append(measured(command, copy))
                with leaf.open("a") as file:
                    file.write(f"\n\ndef added_{number}():\n    return {number}\n")
                kinds.setdefault("edit", []).append(measured(command, copy))
    for kind, costs in kinds.items():
        yield kind, min(costs, key=lambda cost: cost.processor)


def leaf_of(folder: Path) -> Path:
    """The largest file that uses jax and whose name stands in no other."""
    texts = {path: path.read_text(errors="replace") for path in sorted(folder.rglob("*.py"))}
    leaves = [
        path
        for path, text in texts.items()
        if "jax" in text and not any(path.stem in other for one, other in texts.items() if one != path)
    ]
    return max(leaves or list(texts), key=lambda path: len(texts[path]))


def machine() -> str:
    """The machine in words."""
    information = Path("/proc/cpuinfo").read_text()
    model = re.findall(r"^model name\s*: (.+)$", information, re.MULTILINE)
    total = int(re.findall(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())[0]) / 2**20
    cores = f"{len(os.sched_getaffinity(0))} cores ({model[0] if model else 'unknown'})"
    python = f"Python {platform.python_version()}"
    told = [time.strftime("%Y-%m-%d"), cores, f"{total:.0f} GiB", f"{platform.system()} {platform.release()}", python]
    return ", ".join([*told, f"load average {os.getloadavg()[0]:.1f}"])


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--into", type=Path, default=Path.home() / ".cache" / "jaxlint-peers", help="environments")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="tools whose names have one of these in them")
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    print(f"{machine()}\n{options.folder.name}: {len(files)} files, {lines:,} lines\n")
    print("| tool | run | processor s | wall s | MiB | ÷ parse |\n|---|---|--:|--:|--:|--:|")
    missing, parse = [], 0.0
    for peer in PEERS:
        if peer is not PEERS[0] and options.only and not any(word in peer.name for word in options.only):
            continue
        try:
            version = peer.make(options.into / re.sub(r"\W+", "-", peer.needs))
        except (subprocess.CalledProcessError, OSError) as error:
            missing.append(f"{peer.name}: {str(getattr(error, 'stderr', '') or error).strip().splitlines()[-1]}")
            continue
        for kind, cost in compared(peer, options.into, options.folder, options.runs):
            parse = parse or cost.processor
            costs = f"{cost.processor:.2f} | {cost.wall:.2f} | {cost.mib:.0f} | {cost.processor / parse:.2f}"
            print(f"| {peer.name} ({version}) | {kind} | {costs} |", flush=True)
            last = cost.lines[-1] if cost.lines else ""
            print(f"{peer.name}, {kind}: exit code {cost.code}, {len(cost.lines)} lines: {last}", file=sys.stderr)
    for line in missing:
        print(f"\nNot installed: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
