"""The command as a process, under conditions that a test's own process is not in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_UNPRIVILEGED = """\
import ctypes, os, sys
if os.getuid() == 0:
    system = ctypes.CDLL(None)
    for capability in (1, 2):  # to read, and to enter, whatever permissions say
        if system.prctl(24, capability, 0, 0, 0):
            sys.exit(77)
os.execv(sys.executable, [sys.executable, "-m", "jaxlint", *sys.argv[1:]])
"""


def jaxlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder."""
    return _run([sys.executable, "-m", "jaxlint", *arguments], folder)


def unprivileged(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder as somebody whom permissions stop, which root is not."""
    run = _run([sys.executable, "-c", _UNPRIVILEGED, *arguments], folder)
    if run.returncode == 77:
        pytest.skip("root may not give up its rights here")
    return run


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of the shell in a folder, in which `jaxlint` is the command."""
    return _run(["bash", "-c", line.replace("jaxlint", f"{sys.executable} -m jaxlint", 1)], folder)


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
