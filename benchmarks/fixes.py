"""Fixes every package, and looks what came of it: `python benchmarks/fixes.py --cache DIR [package ...]`.

Each package is copied, fixed with `--fix --unsafe-fixes --certainty possible`, parsed, and fixed again, which must
change nothing.  Nothing is imported.  Exits with 1 when a file does not parse or the second run changes one.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from packages import DEFAULT_CACHE, obtain

FIX = ["--isolated", "--fix", "--unsafe-fixes", "--certainty", "possible", "--exit-zero", "--output-format", "concise"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    parser.add_argument("packages", nargs="*")
    options = parser.parse_args()
    failures = 0
    print(f"{'package':<12}{'fixed':>7}{'left':>7}{'files':>7}")
    for package in obtain(options.cache, options.packages):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / package.root.name
            shutil.copytree(package.root, copy)
            before = texts(copy)
            summary = fix(copy)
            after = texts(copy)
            changed = [path for path in after if after[path] != before[path]]
            problems = [f"{path}: does not parse" for path in changed if not parses(after[path])]
            fix(copy)
            problems += [f"{path}: changed again" for path, text in texts(copy).items() if text != after[path]]
        fixed, left = counts(summary)
        print(f"{package.name:<12}{fixed:>7}{left:>7}{len(changed):>7}", flush=True)
        for problem in problems:
            print(f"  {problem}")
        failures += len(problems)
    return 1 if failures else 0


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.py") if path.is_file()}


def fix(folder: Path) -> str:
    """What the command says in the end; raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "jaxlint", *FIX, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def parses(text: bytes) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def counts(report: str) -> tuple[int, int]:
    """How many findings were fixed and how many are left."""
    if found := re.search(r"\((\d+) fixed, (\d+) remaining\)", report):
        return int(found[1]), int(found[2])
    found = re.search(r"Found (\d+) error", report)
    return 0, int(found[1]) if found else 0


if __name__ == "__main__":
    sys.exit(main())
