"""Running the command in an empty folder."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jaxlint.command.cli import main

IMPURE = """\
import jax


@jax.jit
def f(x):
    print(x)
    return x
"""
"""A program with one finding: JAX101 on line 6."""


@dataclass
class Outcome:
    """What a run of the command leaves: exit code and output."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.out)
        return rows

    @property
    def found(self) -> list[str]:
        """`name:line code` of every finding of a concise report."""
        lines = [line.split(" ") for line in self.out.splitlines() if ": JAX" in line]
        return [f"{place.split(':')[0]}:{place.split(':')[1]} {code}" for place, code, *_ in lines]


Jaxlint = Callable[..., Outcome]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one, and a program root."""
    (tmp_path / "jaxlint.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def jaxlint(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Jaxlint:
    """Runs the command in the project, in this process."""

    def run(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main(arguments)
        output = capsys.readouterr()
        return Outcome(code, output.out, output.err)

    return run


@pytest.fixture
def write(project: Path) -> Callable[..., None]:
    """Writes files of the project: `write(name=text)` or `write({"folder/name.py": text})`."""

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return write
