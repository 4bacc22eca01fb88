"""What `--verbose` tells beside the report, and what a terminal shows of a run that takes long."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.command import progress
from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

RECURSIVE = "import jax\n\n\n@jax.jit\ndef g(x):\n    return g(x) + g(x)\n"
PATIENCE = 60
"""Seconds after which a process that does not answer is ended, so that its test fails and does not hang."""


def told(err: str) -> list[str]:
    return [re.sub(r"^\[ *[\d.]+\] ", "", line) for line in err.splitlines()]


@pytest.mark.parametrize("command", ["check", "report", "baseline"])
def test_what_is_done_and_found_out(jaxlint: Jaxlint, write: Write, project: Path, command: str) -> None:
    write({"a.py": RECURSIVE, "b.py": "x = 1\n"})
    lines = told(jaxlint(command, "--verbose", "a.py").err)
    assert lines[0].startswith("jaxlint ")
    assert lines[1:3] == ["1 file asked for", f"  {project / 'a.py'}"]
    assert f"program {project}: 2 files, 1 asked for; version of jax: any" in lines
    assert f"settings from {project / 'jaxlint.toml'}" in lines
    assert "1 root of traces, 1 function" in lines
    assert "a.py:6:12: gave up: passes through a function that calls itself (at most 1 pass)" in lines
    assert any(re.fullmatch(r"\d+\.\d\d s analysing functions", line) for line in lines)


def test_the_report_is_the_same_and_the_cache_is_told_of(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    first = jaxlint("-v")
    second = jaxlint("-v")
    assert first.out == second.out == jaxlint().out
    assert "there are no findings of an earlier run, or something has changed since" in told(first.err)
    assert "the findings are those of an earlier run: nothing has changed since" in told(second.err)
    assert jaxlint().err == ""


def test_what_has_nothing_to_do_with_jax_is_told(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "x = 1\n"})
    assert "no import connects the files with JAX: they are not analysed" in told(jaxlint("-v").err)


def test_a_pipe_sees_nothing_of_the_progress(jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_FIRST", 0.0)
    write({"a.py": IMPURE})
    assert jaxlint("--no-cache").err == ""


def left_on(terminal: int) -> str:
    """What is still written to a terminal, until it is silent."""
    text = b""
    while select.select([terminal], [], [], 0.3)[0]:
        try:
            text += os.read(terminal, 4096)
        except OSError:  # nobody can write any more
            break
    return text.decode()


def test_a_terminal_is_left_as_it_was() -> None:
    read, write_end = pty.openpty()
    shown = progress.Progress(os.fdopen(write_end, "w"), "/project")
    shown.stage("evaluating modules", 4)
    shown.at(1, 4, "/project/pkg/a.py")
    assert select.select([read], [], [], 10)[0], "nothing is shown after a second"
    shown.end()
    text = left_on(read)
    assert re.match(r"\r\x1b\[K1 s evaluating modules \[######\.+\] 1/4 pkg/a\.py", text)
    assert text.endswith("\r\x1b[K")


LOOPS = "".join(
    f"    for i in range(n):\n        x = jnp.where(x > {k}, x + i, x)\n        if n > {k}:\n            x = x * 2\n"
    for k in range(12)
)
SLOW = "import jax\nimport jax.numpy as jnp\n\n\n" + "".join(
    f"@jax.jit\ndef f{number}(x, n=3):\n{LOOPS}    return x\n\n\n" for number in range(900)
)
"""Takes half a minute."""


KEPT = "; what was found in 1 program( and 1 module)? is kept"  # whether the second's module was done, too


@pytest.mark.parametrize(("options", "kept"), [([], KEPT), (["--fix"], "")])
def test_an_interrupted_run_says_how_far_it_was(
    options: list[str], kept: str, jaxlint: Jaxlint, write: Write, project: Path
) -> None:
    """What `--fix` finds is kept for its next pass only."""
    write({"a/jaxlint.toml": "", "a/a.py": IMPURE, "b/jaxlint.toml": "", "b/slow.py": SLOW})
    terminal, end = pty.openpty()
    command = [sys.executable, "-m", "jaxlint", *options, "a", "b"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", "NO_COLOR": "1"}
    process = subprocess.Popen(
        command, cwd=project, env=environment, stdin=end, stdout=subprocess.PIPE, stderr=end, start_new_session=True
    )
    os.close(end)
    guard = threading.Timer(PATIENCE, process.kill)
    guard.start()
    screen = b""
    while re.search(rb" s (evaluating modules|analysing functions) \[[^\r]*slow", screen) is None:
        screen += os.read(terminal, 4096)  # of the second program: on a busy machine the first one is shown, too
    os.killpg(process.pid, 2)
    assert process.wait() == 130
    guard.cancel()
    last = (screen.decode() + left_on(terminal)).rpartition("\x1b[K")[2]
    assert re.fullmatch(
        rf"jaxlint: interrupted while (evaluating modules|analysing functions) \(\d+ of \d+\){kept}\r\n", last
    )
    is_known = "the findings are those of an earlier run: nothing has changed since" in told(jaxlint("-v", "a").err)
    assert is_known == bool(kept)
