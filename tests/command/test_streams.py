"""Standard streams that are closed, full or gone, and modules of the current folder that nobody asked for."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE
from tests.processes import jaxlint, shell

Write = Callable[[dict[str, str]], None]

pytestmark = pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="needs bash")

CLOSED = "jaxlint: standard output: it is closed\n"
FULL = "jaxlint: standard output: No space left on device\n"

LINES = {  # a line of the shell: exit code, standard output, standard error
    "jaxlint a.py >&-": (2, "", CLOSED),
    "jaxlint a.py --output-format json >&-": (2, "", CLOSED),
    "jaxlint rule JAX101 >&-": (2, "", CLOSED),
    "jaxlint why a.py:6 >&-": (2, "", CLOSED),
    "jaxlint report -o - --format json >&-": (2, "", CLOSED),
    "jaxlint generate-shell-completion bash >&-": (2, "", CLOSED),
    "jaxlint --help >&-": (2, "", CLOSED),
    "jaxlint server >&- </dev/null": (2, "", CLOSED),
    "jaxlint clean >&-": (0, "", ""),
    "jaxlint a.py -q -o report.txt >&-": (1, "", ""),
    "jaxlint - <&-": (2, "", "jaxlint: standard input: it is closed\n"),
    "jaxlint server <&-": (2, "", "jaxlint: standard input: it is closed\n"),
    "jaxlint clean.py <&-": (0, "All checks passed!\n", ""),
    "jaxlint clean.py 2>&-": (0, "All checks passed!\n", ""),
    "jaxlint gone.py 2>&-": (2, "", ""),
    "jaxlint empty 2>&-": (0, "All checks passed!\n", ""),
    "jaxlint a.py <&- >&- 2>&-": (2, "", ""),
    "jaxlint gone.py 2>/dev/full": (2, "", ""),
    "jaxlint clean.py >/dev/full": (2, "", FULL),
    "jaxlint rule --all >/dev/full": (2, "", FULL),
    "jaxlint --help >/dev/full": (2, "", FULL),
    "jaxlint rule --all | head -n 1": (0, "# JAX001 syntax-error\n", ""),
    "jaxlint --version | true": (0, "", ""),
}


@pytest.mark.parametrize("line", LINES)
def test_streams(project: Path, write: Write, line: str) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("this system has no such device")
    write({"a.py": IMPURE, "clean.py": ""})
    (project / "empty").mkdir()
    run = shell(project, line)
    assert (run.returncode, run.stdout, run.stderr) == LINES[line]


def test_a_report_does_not_get_into_a_file_that_was_opened_meanwhile(project: Path, write: Write) -> None:
    write({"a.py": IMPURE})
    run = shell(project, "jaxlint a.py -q --output-format concise -o report.txt <&- >&- 2>&-")
    assert run.returncode == 1
    assert (project / "report.txt").read_text().count("\n") == 1
    assert (project / "a.py").read_text() == IMPURE


def test_what_is_told_last_is_read_last_where_both_streams_are_one(project: Path, write: Write) -> None:
    write({"a.py": IMPURE})
    assert shell(project, "jaxlint --diff a.py 2>&1").stdout.endswith("\nWould fix 1 error.\n")
    shell(project, "jaxlint baseline")
    told = "All checks passed!\n1 finding in the baseline is not shown\n"
    assert shell(project, "jaxlint --no-cache a.py 2>&1").stdout == told


HIDING = """\
argparse ast bisect copy dataclasses difflib enum fnmatch gc gettext glob heapq jax json numpy libcst pathspec platform
re secrets shutil signal string tempfile textwrap tokenize tomllib typing unicodedata uuid
""".split()


def test_modules_of_the_current_folder_are_not_imported(project: Path, write: Write) -> None:
    write({f"{name}.py": "raise SystemExit('imported')\n" for name in HIDING})
    write({"program/a.py": IMPURE, "program/pyproject.toml": "[tool.jaxlint]\n", "program/.gitignore": "build\n"})
    run = jaxlint(project, "program", "--diff")
    assert run.stderr == "Would fix 1 error.\n"
    assert "+    jax.debug.print(" in run.stdout
