"""Reads rule cards and runs their examples: the format is described in docs/contributing.md."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RULES = Path(__file__).parent.parent / "rules"
SECTIONS = ("What it does", "Why it is bad", "Examples", "When it stays silent", "I need to …", "References")
FIELDS = ("code", "name", "family", "certainty", "severity", "fix", "dynamic", "since", "stability")

_FENCE = re.compile(r"^```(.*)$")
_EXCUSE = re.compile(r"^<!-- (not run|not linted|not traced|not fixed): (.+) -->$")
_FILE = re.compile(r"^# file: (\S+)$")
_MARK = re.compile(r"# (JAX\d{3}(?:, JAX\d{3})*)(, not fixed)?$")


@dataclass
class Block:
    """One example: its program, the lines a finding is expected on, and the check that follows it.

    ``line`` is where the block opens in its card; ``check`` is empty when the card says ``not run``.
    """

    card: str
    kind: str  # bad | good
    line: int
    source: str
    check: str = ""
    check_line: int = 0
    fixed: str = ""  # the check of the program that `--fix` makes of a bad example
    fixed_line: int = 0
    excuses: dict[str, str] = field(default_factory=dict)  # "not run" or "not linted" -> the reason

    def __str__(self) -> str:
        return f"{self.card}-{self.kind}-{self.line}"

    @property
    def files(self) -> dict[str, str]:
        """The program's files by relative path; the last one is the one that runs."""
        files: dict[str, list[str]] = {}
        current = "program.py"
        for line in self.source.splitlines():
            if header := _FILE.match(line):
                current = header[1]
            else:
                files.setdefault(current, []).append(line)
        return {path: "\n".join(lines) + "\n" for path, lines in files.items()}

    @property
    def unfixed(self) -> set[tuple[str, str]]:
        """(path, line's text) of every marked line that no fix mends."""
        return {
            (path, line.strip())
            for path, text in self.files.items()
            for line in text.splitlines()
            if (mark := _MARK.search(line)) and mark[2]
        }

    @property
    def expected(self) -> set[tuple[str, int, str]]:
        """(path, line, code) of every finding the marks at the ends of lines ask for."""
        return {
            (path, number, code)
            for path, text in self.files.items()
            for number, line in enumerate(text.splitlines(), 1)
            if (mark := _MARK.search(line))
            for code in mark[1].split(", ")
        }

    def write(self, folder: Path) -> Path:
        """Writes the files below ``folder``; returns the path of the one that runs."""
        for path, text in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return target


@dataclass
class Card:
    """One file of rules/: front matter, title, sections in order, and examples."""

    path: Path
    meta: dict[str, str]
    title: str
    sections: dict[str, str]
    blocks: list[Block]

    def __str__(self) -> str:
        return self.path.stem


def read_card(path: Path) -> Card:
    """The card at ``path``; raises ``ValueError`` where the text does not follow the format."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    meta = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in front.splitlines())}
    title = re.search(r"^# (.+)$", body, re.MULTILINE)
    parts = re.split(r"^## (.+)$", body, flags=re.MULTILINE)
    sections = {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return Card(path, meta, title[1] if title else "", sections, _blocks(path))


def _blocks(path: Path) -> list[Block]:
    blocks: list[Block] = []
    for line, info, text in _fences(path):
        match info.split():
            case ["python", "bad" | "good" as kind]:
                blocks.append(Block(path.stem, kind, line, text))
            case ["python", "check"] if blocks and not blocks[-1].check:
                blocks[-1].check, blocks[-1].check_line = text, line
            case ["python", "fixed"] if blocks and blocks[-1].kind == "bad" and not blocks[-1].fixed:
                blocks[-1].fixed, blocks[-1].fixed_line = text, line
            case ["excuse", *what] if blocks:
                blocks[-1].excuses[" ".join(what)] = text
            case ["python", *_] | ["excuse", *_]:
                raise ValueError(f"{path.name}:{line}: '{info}' belongs to no example")
    return blocks


def _fences(path: Path) -> Iterator[tuple[int, str, str]]:
    """(line, info string, text) of each fenced block, and of each excuse as info ``excuse not run``."""
    opened, info, lines = 0, "", [""]
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if fence := _FENCE.match(line):
            if opened:
                yield opened, info, "\n".join(lines) + "\n"
                opened = 0
            else:
                opened, info, lines = number, fence[1], []
        elif opened:
            lines.append(line)
        elif excuse := _EXCUSE.match(line):
            yield number, f"excuse {excuse[1]}", excuse[2]


def cards() -> list[Card]:
    return [read_card(path) for path in sorted(RULES.glob("JAX*.md"))]


def run_block(block: Block, folder: Path) -> list[str]:
    """Imports the example as a program of its own, then runs its check in the same namespace.

    Gives what JAX said meanwhile.
    """
    return run_program(block, block.write(folder), folder, block.check, block.check_line)


def run_program(block: Block, main: Path, folder: Path, check: str, check_line: int) -> list[str]:
    """Imports a file of the program in a folder, then runs a check of the block's card in the same namespace.

    Gives what JAX said meanwhile: the errors that the check expected, warnings about the program, and what was printed.
    """
    name = ".".join(main.relative_to(folder).with_suffix("").parts)
    before = set(sys.modules)
    said: list[str] = []
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            namespace = vars(importlib.import_module(name))
            marked = {(str(folder / path), line) for path, line, _ in block.expected}
            namespace.update(helpers(marked, str(folder), said))
            code = "\n" * check_line + check
            exec(compile(code, RULES / f"{block.card}.md", "exec"), namespace)
    finally:
        sys.path.remove(str(folder))
        for module in set(sys.modules) - before:
            if str(getattr(sys.modules[module], "__file__", None)).startswith(str(folder)):
                del sys.modules[module]
    about_program = [told for told in warned if told.filename.startswith((str(folder), str(RULES)))]
    said += [f"{told.category.__name__}: {told.message}" for told in about_program]
    return [line.replace(f"{folder}/", "") for line in said]


def helpers(marked: Collection[tuple[str, int]], folder: str, said: list[str] | None = None) -> dict[str, Any]:
    """What a check may use without importing it; ``marked`` are the lines of a program in ``folder`` that misbehave.

    What JAX says to that is put into ``said``.
    """
    import jax
    import jax.numpy as jnp
    import numpy as np
    import pytest

    heard = [] if said is None else said

    @contextlib.contextmanager
    def raises(exception: type[BaseException], match: str | None = None) -> Iterator[Any]:
        with pytest.raises(exception, match=match) as caught:
            yield caught
        heard.append(f"{_name(caught.type)}: {caught.value}")

    @contextlib.contextmanager
    def warns(category: type[Warning], match: str | None = None) -> Iterator[Any]:
        with pytest.warns(category, match=match) as caught:
            yield caught
        heard.extend(
            f"{told.category.__name__}: {told.message}" for told in caught if issubclass(told.category, category)
        )

    @contextlib.contextmanager
    def raises_here(exception: type[BaseException], match: str | None = None) -> Iterator[Any]:
        """``raises``, and the innermost line of the program that is on the stack carries a mark."""
        with raises(exception, match=match) as caught:
            yield caught
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(caught.value.__traceback__)]
        inside = [frame for frame in frames if frame[0].startswith(folder)]
        assert inside[-1] in marked, f"raised at {inside[-1]}, marked {sorted(marked)}"

    def printed(function: Callable[..., Any], *args: Any, **options: Any) -> str:
        out = stdout_of(function, *args, **options)
        heard.append(out)
        return out

    return {
        "jax": jax,
        "jnp": jnp,
        "np": np,
        "raises": raises,
        "raises_here": raises_here,
        "stdout_of": printed,
        "trace_count": trace_count,
        "warns": warns,
    }


def _name(exception: type[BaseException]) -> str:
    """How a user writes the exception: JAX's own are those of `jax.errors`."""
    import jax

    name = exception.__name__
    return f"jax.errors.{name}" if getattr(jax.errors, name, None) is exception else name


def stdout_of(function: Callable[..., Any], *args: Any, **options: Any) -> str:
    """What one call prints, the output of ``jax.debug.print`` included."""
    import jax

    with contextlib.redirect_stdout(io.StringIO()) as out:
        jax.block_until_ready(function(*args, **options))
        jax.effects_barrier()
    return out.getvalue()


def trace_count(function: Callable[..., Any], *calls: tuple[Any, ...]) -> int:
    """How often JAX runs the Python of ``function`` when it is jitted and called with each of ``calls``."""
    import jax

    runs = 0

    def counted(*args: Any) -> Any:
        nonlocal runs
        runs += 1
        return function(*args)

    jitted = jax.jit(counted)
    for args in calls:
        jitted(*args)
    return runs
