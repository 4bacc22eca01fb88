"""Does a file alone get the findings it gets in its whole project?  Checked for every file of the fixed packages.

    python benchmarks/single_file.py --cache DIR [--sample N] [PACKAGE ...]

A file alone is read as the program that its place implies, and of that only what can lead to the file is analysed.
Where the program has the same modules as the whole package's, that is compared for `--sample N` files of each package
(0: all); where it has others, for every file.  Prints every difference and exits 1 when there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from packages import DEFAULT_CACHE, obtain

from jaxlint.api import Finding, Settings
from jaxlint.project.program import Program
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration


def differences(root: Path, files: Sequence[Path], sample: int = 0) -> Iterator[str]:
    """One line for each file of ``files`` whose findings alone are not those of the run over ``root``.

    With ``sample``, only that many of the files whose program is the whole one are analysed alone.
    """
    configuration = Configuration(str(root), fixed=Settings())
    whole = Run.over([str(root)], configuration)
    expected: dict[str, list[Finding]] = {}
    for finding in whole.findings():
        expected.setdefault(finding.path, []).append(finding)
    known = [_modules(program) for program in whole.programs()]
    step = max(1, len(files) // sample) if sample else 1
    for number, file in enumerate(files):
        alone = Run.over([str(file)], configuration)
        alone.documents = whole.documents
        same_program = all(_modules(program) in known for program in alone.programs())
        if same_program and number % step:
            continue
        found = alone.findings()
        if found != expected.get(str(file), []):
            yield f"{file}: {_summary(found)} alone, {_summary(expected.get(str(file), []))} in the whole project"


def _modules(program: Program) -> dict[str, str]:
    return {name: module.path for name, module in program.modules.items()}


def _summary(findings: list[Finding]) -> str:
    return " ".join(f"{finding.code}:{finding.location.line}" for finding in findings) or "nothing"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names from packages.toml; all of them when none is given")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where the sources are kept")
    parser.add_argument("--sample", type=int, default=5, metavar="N")
    options = parser.parse_args()
    wrong = 0
    for package in obtain(options.cache, options.packages):
        files = package.sources()
        found = list(differences(package.root, files, options.sample))
        wrong += len(found)
        print(f"{package.name}: {len(files)} files, {len(found)} differ", *found, sep="\n  ", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
