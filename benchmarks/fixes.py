"""Fixes every package, and looks what came of it: `python benchmarks/fixes.py --cache DIR [package ...]`.

With `--folder FOLDER ...` the same for folders of code.  Each is copied, fixed with `--fix`, and then with
`--fix --unsafe-fixes --certainty possible`.  After either run every file must parse that did before (magics are no
Python), no name may be undefined that was not (ruff's F821), and the same command again must change nothing and call
nothing fixable.  Nothing is imported.
`--diffs DIR` keeps what was changed, for reading.  Exits with 1 when something is wrong.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from packages import DEFAULT_CACHE, obtain

COMMAND = ["--isolated", "--fix", "--exit-zero", "--output-format", "concise"]
SAFE: list[str] = []
UNSAFE = ["--unsafe-fixes", "--certainty", "possible"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    parser.add_argument("--folder", type=Path, nargs="+", default=[], help="folders of code, instead of packages")
    parser.add_argument("--diffs", type=Path, help="a folder for what was changed")
    parser.add_argument("packages", nargs="*")
    options = parser.parse_args()
    named = [(folder.name, folder) for folder in options.folder]
    named = named or [(package.name, package.root) for package in obtain(options.cache, options.packages)]
    failures = 0
    print(f"{'code':<44}{'safe':>6}{'unsafe':>8}{'left':>7}{'files':>7}")
    for name, root in named:
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / root.name
            shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".git"))
            before = texts(copy)
            undefined = undefined_names(copy)
            problems: list[str] = []
            fixed = []
            for flags in (SAFE, UNSAFE):
                fixed.append(counts(fix(copy, flags)))
                problems += wrong(copy, before, undefined, flags)
            after = texts(copy)
        changed = [path for path in after if after[path] != before[path]]
        print(f"{name:<44}{fixed[0][0]:>6}{fixed[1][0]:>8}{fixed[1][1]:>7}{len(changed):>7}", flush=True)
        for problem in problems:
            print(f"  {problem}")
        failures += len(problems)
        if options.diffs is not None:
            options.diffs.mkdir(parents=True, exist_ok=True)
            (options.diffs / f"{name}.diff").write_text("".join(diff(before, after)), encoding="utf-8")
    return 1 if failures else 0


def wrong(
    folder: Path, before: dict[str, bytes], undefined: Counter[tuple[str, str]], flags: list[str]
) -> Iterator[str]:
    """What is wrong with a folder after it was fixed with these flags."""
    after = texts(folder)
    what = " ".join(flags[:1]) or "--fix"
    for path, text in after.items():
        if text != before[path] and parses(before[path], path) and not parses(text, path):
            yield f"{what}: {path}: does not parse"
    for (path, name), count in (undefined_names(folder) - undefined).items():
        yield f"{what}: {path}: `{name}` is undefined, {count} times more"
    again = fix(folder, flags)
    yield from (f"{what}: {path}: changed again" for path, text in texts(folder).items() if text != after[path])
    if found := re.search(r"\[\*\] (\d+) fixable", again):
        yield f"{what}: {found[1]} are called fixable again"


def undefined_names(folder: Path) -> Counter[tuple[str, str]]:
    """The names that ruff calls undefined, by file."""
    flags = ["--isolated", "--select", "F821", "--output-format", "json", "--no-cache", "--exit-zero", "--quiet"]
    command = [sys.executable, "-m", "ruff", "check", *flags, str(folder)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout or "[]")
    return Counter(
        (str(Path(each["filename"]).resolve().relative_to(folder.resolve())), each["message"].split("`")[1])
        for each in found
        if each["code"] == "F821"
    )


def texts(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.suffix in (".py", ".ipynb") and path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if not path.is_symlink()}


def diff(before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    for path in after:
        if after[path] != before[path]:
            old, new = (side[path].decode("utf-8", "replace").splitlines(keepends=True) for side in (before, after))
            yield from difflib.unified_diff(old, new, path, path)


def fix(folder: Path, flags: list[str] = UNSAFE) -> str:
    """What the command says in the end; raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "jaxlint", *COMMAND, *flags, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def parses(text: bytes, path: str = "") -> bool:
    try:
        json.loads(text) if path.endswith(".ipynb") else ast.parse(text)
    except (SyntaxError, ValueError):
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
