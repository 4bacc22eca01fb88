"""`jaxlint check --watch`, as a process of its own that follows what happens to files."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE, Jaxlint

PURE = IMPURE.replace("    print(x)\n", "")
DONE = "watching for changes"
PATIENCE = 60
"""Seconds after which a process that does not answer is ended, so that its test fails and does not hang."""

pytest.importorskip("watchfiles")


class Watch:
    """A running `jaxlint check --watch`."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "jaxlint", "check", "--watch", "--output-format", "concise", *arguments]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=_environment(),
            preexec_fn=_heed_interrupts,
        )
        self.guard = threading.Timer(PATIENCE, self.process.kill)
        self.guard.start()

    def report(self) -> list[str]:
        """The lines up to the end of the next report, without times."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line.rstrip().rpartition("] ")[2] if line.startswith("[") else line.rstrip())
            if DONE in line:
                return lines
        raise AssertionError(f"it ended: {lines}")

    def comes_to(self, expected: list[str]) -> None:
        """Waits for a report with these findings (`name:line code`): a file may be seen half-written before."""
        found = None
        while found != expected:
            lines = [line for line in self.report() if ": JAX" in line]
            found = [f"{line.split(':')[0]}:{line.split(':')[1]} {line.split(' ')[1]}" for line in lines]

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait()
        self.guard.cancel()
        return code


def _heed_interrupts() -> None:
    """Where the tests themselves run in the background, Ctrl-C is ignored, and what they start would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _environment() -> dict[str, str]:
    here = str(Path(__file__).parents[2])
    return {**os.environ, "PYTHONPATH": here, "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "jaxlint.toml").write_text("")
    return tmp_path


def test_the_report_follows_the_files(folder: Path) -> None:
    (folder / "a.py").write_text(PURE)
    watch = Watch(folder)
    watch.comes_to([])

    (folder / "a.py").write_text(IMPURE)
    assert watch.report()[0] == "a.py changed"

    (folder / "new.py").write_text(IMPURE)
    watch.comes_to(["a.py:6 JAX101", "new.py:6 JAX101"])

    os.replace(folder / "a.py", folder / "b.py")
    watch.comes_to(["b.py:6 JAX101", "new.py:6 JAX101"])

    (folder / "new.py").unlink()
    watch.comes_to(["b.py:6 JAX101"])

    (folder / "notes.txt").write_text("nothing that matters")
    (folder / "b.py").write_text("def f(:\n")
    watch.comes_to(["b.py:1 JAX001"])
    assert watch.end() == 130


def test_a_change_in_one_file_shows_in_another(folder: Path) -> None:
    (folder / "helper.py").write_text("def show(x):\n    return x\n")
    (folder / "main.py").write_text("import jax\nfrom helper import show\nshown = jax.jit(show)\n")
    watch = Watch(folder, "helper.py")
    watch.comes_to([])
    (folder / "helper.py").write_text("def show(x):\n    print(x)\n    return x\n")
    watch.comes_to(["helper.py:2 JAX101"])
    (folder / "main.py").write_text("import jax\n")
    watch.comes_to([])
    watch.end()


def test_a_folder_comes_and_goes(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (folder / "a.py").write_text(PURE)
    made = tmp_path_factory.mktemp("made") / "package"
    made.mkdir()
    (made / "inner.py").write_text(IMPURE)
    watch = Watch(folder)
    watch.comes_to([])
    shutil.move(made, folder / "package")
    watch.comes_to(["package/inner.py:6 JAX101"])
    shutil.move(folder / "package", made)
    watch.comes_to([])
    watch.end()


def test_a_broken_configuration_is_one_line_and_can_be_mended(folder: Path) -> None:
    (folder / "a.py").write_text(IMPURE)
    watch = Watch(folder)
    watch.comes_to(["a.py:6 JAX101"])
    (folder / "jaxlint.toml").write_text("ignore = 7\n")
    while not (told := watch.report())[1].startswith("jaxlint: jaxlint.toml: ignore: "):
        pass
    assert len(told) == 3
    (folder / "jaxlint.toml").write_text('ignore = ["JAX101"]\n')
    watch.comes_to([])
    watch.end()


def test_a_terminal_is_cleared_before_each_report(folder: Path) -> None:
    (folder / "a.py").write_text(PURE)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "jaxlint", "check", "--watch"]
    process = subprocess.Popen(
        command, cwd=folder, stdout=theirs, stderr=theirs, env=_environment(), preexec_fn=_heed_interrupts
    )
    os.close(theirs)
    guard = threading.Timer(PATIENCE, process.kill)
    guard.start()
    shown = b""
    while DONE.encode() not in shown:
        shown += os.read(ours, 1024)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    guard.cancel()
    os.close(ours)
    assert shown.startswith(b"\x1b[2J\x1b[3J\x1b[H")
    assert b"All checks passed!" in shown


@pytest.mark.parametrize("flag", ["--fix", "--diff", "--dynamic", "--show-files", "--add-ignore", "-"])
def test_watching_only_reports(jaxlint: Jaxlint, flag: str) -> None:
    outcome = jaxlint("check", "--watch", flag)
    assert outcome.code == 2
    assert outcome.err.startswith("jaxlint: --watch")
