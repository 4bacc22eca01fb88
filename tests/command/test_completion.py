"""Completion in real shells: a line is typed with tabs in it, and the shell says which words it got."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from jaxlint.command.cli import main
from jaxlint.command.completion import SHELLS
from tests.command.conftest import Jaxlint

PATIENCE = 30
"""Seconds after which a shell that does not answer is ended, so that its test fails and does not hang."""

# Each shell starts bare, learns the completions, and has a function in place of the command that prints its arguments.
START = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "PS1='ready> '; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source ./script",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='ready> '; unsetopt beep; autoload -U compinit; compinit -D -u; source ./script",
    ),
}
PRINTING = "jaxlint() { printf 'got '; printf '<%s>' \"$@\"; echo; }"

LINES = {
    "jaxlint che\t --output-fo\tconc\t": "<check><--output-format><concise>",
    "jaxlint --stat\t": "<--statistics>",
    "jaxlint check --select JAX40\t1": "<check><--select><JAX401>",
    "jaxlint check --select JAX101,JAX40\t1": "<check><--select><JAX101,JAX401>",
    "jaxlint rule JAX22\t": "<rule><JAX22>",
    "jaxlint rule JAX407\t": "<rule><JAX407>",
    "jaxlint report --form\tht\t": "<report><--format><html>",
    "jaxlint generate-\tzs\t": "<generate-shell-completion><zsh>",
    "jaxlint check trai\t": "<check><training.py>",
    "jaxlint check --certainty pos\t trai\t": "<check><--certainty><possible><training.py>",
}


class Terminal:
    """A shell that believes a person is typing."""

    def __init__(self, shell: str, folder: Path) -> None:
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="", HISTFILE="")
            os.execvp(START[shell][0][0], START[shell][0])
        self.unread = ""
        self.guard = threading.Timer(PATIENCE, os.kill, (self.pid, signal.SIGKILL))
        self.guard.start()
        self.send(f"{START[shell][1]}; {PRINTING}; echo started\n")
        self.read_to("\nstarted")
        self.read_to("ready> ")

    def send(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def read_to(self, end: str) -> str:
        """What is on the screen up to here; what comes after it stays to be read."""
        while end not in self.unread:
            try:
                self.unread += os.read(self.screen, 4096).decode("utf-8", "replace").replace("\r", "")
            except OSError:
                raise AssertionError(f"the shell is gone: {self.unread[-500:]}") from None
        shown, _, self.unread = self.unread.partition(end)
        return shown

    def arguments(self, line: str) -> str:
        """What the command gets when the line is typed, as `<first><second>`."""
        self.send(line + "\n")
        self.read_to("\ngot ")
        return self.read_to("\n")

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.screen)
        self.guard.cancel()


@pytest.mark.parametrize("shell", START)
def test_typed_with_tabs(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    assert main(["generate-shell-completion", shell]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    (tmp_path / "training.py").touch()
    terminal = Terminal(shell, tmp_path)
    try:
        # zsh joins an option and its value, which means the same.
        got = {line: terminal.arguments(line).replace("=", "><") for line in LINES}
    finally:
        terminal.close()
    assert got == LINES


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
def test_fish_proposes(tmp_path: Path, jaxlint: Jaxlint, project: Path) -> None:
    (project / "script").write_text(jaxlint("generate-shell-completion", "fish").out)
    (project / "training.py").touch()

    def proposed(line: str) -> list[str]:
        command = ["fish", "--no-config", "-c", "source script; complete -C $argv[1]", line]
        run = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
        return [row.partition("\t")[0] for row in run.stdout.splitlines()]

    assert proposed("jaxlint che") == ["check"]
    assert proposed("jaxlint --stati") == ["--statistics"]
    assert proposed("jaxlint check --select JAX101,JAX40")[0] == "JAX101,JAX401"
    assert proposed("jaxlint rule JAX407") == ["JAX407"]
    assert proposed("jaxlint report --format h") == ["html"]
    assert proposed("jaxlint check trai") == ["training.py"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_knows_every_option(shell: str, jaxlint: Jaxlint, capsys: pytest.CaptureFixture[str]) -> None:
    script = jaxlint("generate-shell-completion", shell).out
    for command in ("check", "report", "baseline", "rule", "why"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        for option in set(re.findall(r"--[a-z-]+[a-z]", capsys.readouterr().out)):
            assert (f"-l {option[2:]} " if shell == "fish" else option) in script, (command, option)


def test_zsh_says_what_an_option_takes(jaxlint: Jaxlint) -> None:
    script = jaxlint("generate-shell-completion", "zsh").out
    for option in (
        "--output-format='[how findings are written]:value:(full concise ",
        "--exclude='[names or paths that are not linted]:files:_files'",
        "--select='[codes, prefixes, names or ALL, by commas]:rules: _sequence -s , _jaxlint_rules'",
        "--jax-version='[the version of jax that the code runs with]:value: '",
        "'*'--statistics'[",
    ):
        assert option in script


def test_an_unknown_shell_is_one_line(jaxlint: Jaxlint) -> None:
    outcome = jaxlint("generate-shell-completion", "tcsh")
    assert (outcome.code, outcome.out) == (2, "")
    assert "bash" in outcome.err
