"""Runs the tests of the tracing oracle under several versions of jax, each in an environment of its own.

    python tests/dynamic/matrix.py [--cache DIR] [VERSION ...]

The environments are made once, in the --cache folder, with this Python: 3.12 is one that all of them know.  Prints a
line for each version and exits 1 when tests fail under one.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERSIONS = ("0.4.30", "0.5.3", "0.6.2", "0.7.2", "0.8.1", "0.9.0", "0.10.2", "0.11.2", "0.12.0.1")
TESTS = ("test_oracle.py", "test_probes.py", "test_effects.py", "test_traced_keys.py", "test_twice.py")
NEEDED = ("libcst>=1.9", "pathspec>=0.12", "pytest", "numpy<2.3", "scipy<1.16")
"""What the tests need beside jax; newer NumPy and SciPy have dropped what the oldest of these versions uses."""


def environment(version: str, cache: Path) -> Path:
    """The Python of the environment with this version of jax, made if there is none."""
    folder = cache / f"jax-{version}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"jax=={version}", f"jaxlib=={version}", *NEEDED], check=True)
        (folder / "complete").touch()
    return python


def outcome(python: Path) -> tuple[bool, str]:
    """Whether the tests pass under a Python, and pytest's own summary."""
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "--tb=line",
        "--override-ini=addopts=--import-mode=importlib",  # the project's own are those of plugins, too
        "-p",
        "no:cacheprovider",
        *(str(HERE / t) for t in TESTS),
    ]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    failed = re.findall(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
    letters = _letters(done.stdout)
    summary = f"{letters.count('.')} passed, {letters.count('F')} failed, {letters.count('s')} skipped"
    if done.returncode > 1:
        summary = (done.stdout + done.stderr).strip().splitlines()[-1]
    return done.returncode == 0, "\n  ".join([summary, *failed])


def _letters(output: str) -> str:
    """The letters of pytest's progress lines."""
    return "".join(re.findall(r"^([.FsxE]+) *\[ *\d+%\]$", output, re.MULTILINE))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", metavar="VERSION", default=VERSIONS)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "jaxlint-matrix")
    options = parser.parse_args()
    failed = False
    for version in options.versions:
        passed, summary = outcome(environment(version, options.cache))
        print(f"jax {version}: {summary}", flush=True)
        failed |= not passed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
