"""Programs written to a file, imported with probes, and traced by the oracle."""

from __future__ import annotations

import importlib
import linecache
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import pytest

from jaxlint.dynamic import effects, oracle, probes
from jaxlint.dynamic.observations import Origin, Span, Traced

LIMITS = oracle.Limits()


class Program:
    """One module under the oracle.  ``at`` turns a text that occurs once in it into the span of that text."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = str(path), text
        self.module: ModuleType | None = None

    def at(self, text: str) -> Span:
        before = self.text[: self.text.index(text)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        last = line + text.count("\n")
        return Span(
            self.path, line, column, last, column + len(text) if last == line else len(text.split("\n")[-1]) + 1
        )

    def within(self, text: str, part: str) -> Span:
        """The span of ``part`` where it stands in ``text``, on one line."""
        whole = self.at(text)
        column = whole.column + text.index(part)
        return Span(self.path, whole.line, column, whole.line, column + len(part))

    def load(self, *watched: Span) -> Any:
        probes.install([self.path], watched)
        self.module = importlib.import_module(Path(self.path).stem)
        return self.module

    def trace(self, name: str, *args: Any, limits: oracle.Limits = LIMITS, **kwargs: Any) -> Traced:
        function = getattr(self.module or self.load(), name)
        return oracle.observe(
            function, args, kwargs, module="", qualname=name, origin=Origin.RECORDED, inputs="", sources=[self.path],
            limits=limits,
        )  # fmt: skip


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Program]]:
    """Writes the text of a program; imports it on demand."""
    effects.install()
    monkeypatch.syspath_prepend(str(tmp_path))
    names: list[str] = []

    def write(text: str) -> Program:
        names.append(f"traced_program_{len(names)}")
        text = textwrap.dedent(text).lstrip("\n")
        path = tmp_path / f"{names[-1]}.py"
        path.write_text(text, encoding="utf-8")
        linecache.checkcache()
        return Program(path.resolve(), text)

    yield write
    effects.uninstall()
    probes.uninstall()
    for name in names:
        sys.modules.pop(name, None)
    jax.clear_caches()
