"""`jaxlint record -- COMMAND`: runs the project's tests or script and records what its functions are called with.

The command runs in a process of its own, under the Python that it names; no jax is imported here.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from jaxlint.dynamic.inputs.outcome import STATUS, told, too_early, why_nothing
from jaxlint.dynamic.inputs.recordings import DEFAULT_FILE, compact
from jaxlint.dynamic.launch import command

USAGE = "jaxlint record [OPTIONS] -- COMMAND"
_COMMANDS = "COMMAND is `pytest tests/`, `python train.py ...`, `python -m package ...` or the like"

_SIGNALLED = 128  # exit codes from here on say which signal ended the command


class BadCommand(Exception):
    """What is to be recorded is no Python command; the message says what would be."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadCommand(message)


def main(argv: Sequence[str]) -> int:
    """Run the command that follows ``--`` and return its exit code; 2 if it could not be run or recorded nothing."""
    parser = _Parser("jaxlint record", USAGE, __doc__, _COMMANDS, allow_abbrev=False)
    parser.add_argument("--out", metavar="FILE", default=DEFAULT_FILE, help="where to record, default %(default)s")
    parser.add_argument(
        "--source", metavar="DIR", action="append", default=[], help="record functions below this folder, default ."
    )
    parser.add_argument(
        "--tests", action="store_true", help="record what is defined in test files, too, not only what they call"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    try:
        options = parser.parse_args(list(argv))
    except BadCommand as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    words = options.command[1:] if options.command[:1] == ["--"] else options.command
    out = os.path.abspath(options.out)
    with tempfile.TemporaryDirectory(prefix="jaxlint-") as folder:
        status = os.path.join(folder, "status")
        try:
            (python, *how), arguments = _python_command(words)
            what = [out, os.pathsep.join(options.source), *(["--tests"] if options.tests else [])]
            _, *run = command(python, "jaxlint.dynamic.inputs.run_recorded", *what, *arguments)
            process = subprocess.Popen([python, *how, *run], env={**os.environ, STATUS: status})
        except (BadCommand, OSError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        code = _wait(process)
        outcomes = told(status)
        reason = why_nothing(outcomes, code)
    functions, calls, dropped = compact(out)
    for dropped_one in dropped:
        print(f"dropped: {dropped_one}", file=sys.stderr)
    if reason:
        print(f"error: nothing was recorded: {reason}", file=sys.stderr)
        return code if code >= _SIGNALLED else 2
    if early := too_early(outcomes):
        print(f"warning: {early}: nothing in them was recorded", file=sys.stderr)
    print(f"recorded {calls} calls of {functions} functions in {options.out}", file=sys.stderr)
    return code


def _python_command(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The Python that a command runs under, with its options, and the arguments: ``-m MODULE ...`` or ``FILE ...``."""
    if not words:
        raise BadCommand(f"nothing to run: {USAGE}; {_COMMANDS}")
    name = os.path.basename(words[0])
    if re.fullmatch(r"python[\d.]*(\.exe)?", name):
        start = _end_of_options(words)
        if start >= len(words) or (words[start].startswith("-") and words[start] != "-m"):
            raise BadCommand(f"{name} must be given a script or -m MODULE")
        return [words[0], *words[1:start]], list(words[start:])
    if words[0].endswith(".py"):
        return [sys.executable], list(words)
    found = shutil.which(words[0])
    if found is None:
        raise BadCommand(f"{words[0]} is not found")
    if re.fullmatch(r"py\.?test(\.exe)?", name):
        return [_python_beside(found)], ["-m", "pytest", *words[1:]]
    if not _is_python_program(found):
        raise BadCommand(
            f"{words[0]} is no Python program: give `jaxlint record --` to it with the command that it starts, "
            f"as in `{words[0]} ... jaxlint record -- pytest tests/`"
        )
    return [_python_beside(found)], [found, *words[1:]]


def _end_of_options(words: Sequence[str]) -> int:
    """Where Python's own options end: at `-m`, a script, or an option that is none of a recorded program."""
    at = 1
    while at < len(words) and (option := _OPTIONS.fullmatch(words[at])):
        at += 1 + (option["apart"] is not None)
    return at


_OPTIONS = re.compile(r"-([bBdEIOPqRsSuvx]*[WX].+|[bBdEIOPqRsSuvx]*(?P<apart>[WX])|[bBdEIOPqRsSuvx]+)")
"""Options of Python that say how, and not what it runs; the value of `-W` and `-X` may stand apart."""


def _is_python_program(path: str) -> bool:
    """Whether a command is a script for Python, as those are that installing a package makes."""
    if sys.platform == "win32":
        return True  # a program that starts the script beside it
    with suppress(OSError), open(path, "rb") as file:
        start = file.read(_LONGEST_START)
        return start.startswith(b"#!") and b"python" in start.lower()
    return False


_LONGEST_START = 512  # a long path to Python stands on the second line


def _python_beside(script: str) -> str:
    """The Python of the environment that a console script belongs to."""
    folder = os.path.dirname(os.path.abspath(script))
    names = ("python", "python3", "python.exe")
    return next((path for name in names if os.path.exists(path := os.path.join(folder, name))), sys.executable)


def _wait(process: subprocess.Popen[bytes]) -> int:
    """The exit code of the command.  It gets Ctrl-C from the terminal itself, and SIGTERM from here."""
    before = signal.signal(signal.SIGTERM, lambda number, frame: process.send_signal(number))
    try:
        while True:
            with suppress(KeyboardInterrupt):
                code = process.wait()
                return code if code >= 0 else 128 - code
    finally:
        signal.signal(signal.SIGTERM, before)
