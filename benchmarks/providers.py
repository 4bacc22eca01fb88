"""What jaxlint's metadata providers cost beside linting a file.

    python -m benchmarks.providers FILE ...

For each file, alone as a program: the processor time of linting its text, and how much more it takes to note what
expressions are and to find the nodes of a libcst module again, which a rule in a run of the command pays for.  Then
`wrap(module)` of a libcst user, who has no text: beside that, the module's text has
to be written and read.  The smallest of several runs counts.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import libcst as cst

from jaxlint.checks.run import analyse
from jaxlint.checks.seen import Seen
from jaxlint.cst import TracingProvider
from jaxlint.project.concern import concerns_jax
from jaxlint.project.documents import document_of_python
from jaxlint.project.program import Program
from jaxlint.running.once import findings_of, told_of
from jaxlint.settings.resolved import Settings
from jaxlint.visitors.knowledge import Knowledge, of_text
from jaxlint.visitors.providers import PROVIDERS, AboutProvider, Wrapper

RUNS = 5


def main(paths: list[str]) -> None:
    print(f"{'file':<40} {'lines':>6} {'lint ms':>8} {'provider':>9} {'alone':>7}")
    costs = []
    for path in paths:
        text = Path(path).read_text(encoding="utf-8")
        module = cst.parse_module(text)
        ways = (linted, provided, resolved)
        runs = [[seconds(way, text, module) for way in ways] for _ in range(RUNS)]  # others disturb all ways alike
        costs.append(tuple(map(min, zip(*runs))))
        print(row("/".join(path.split(os.sep)[-2:]), text.count("\n"), *costs[-1]))
    print(row("all", 0, *map(sum, zip(*costs))))


def row(name: str, lines: int, linted: float, noted: float, alone: float) -> str:
    return f"{name:<40} {lines:>6} {linted * 1000:>8.0f} {noted / linted - 1:>+9.0%} {alone / linted - 1:>+7.0%}"


def program_of(text: str) -> Program:
    document = document_of_python(os.path.join(os.getcwd(), "<string>"), text)
    return Program(os.getcwd(), Settings(), [document], [document.path])


def linted(text: str, module: cst.Module) -> object:
    return findings_of(program_of(text), fixes=False)


def provided(text: str, module: cst.Module) -> object:
    """Lints a text as a run with a rule does that asks for metadata, up to the walk of the rule."""
    program = program_of(text)
    (one,) = program.modules.values()
    seen = Seen([one.path])
    found = analyse(program, program.settings, watch=seen.watch) if concerns_jax(program) else []
    return told_of(program, found, fixes=False), Knowledge(program, one.document, seen).about(module)


def resolved(text: str, module: cst.Module) -> object:
    return Wrapper(module, of_text(module.code), PROVIDERS).resolve(TracingProvider)


def seconds(way: Callable[[str, cst.Module], object], text: str, module: cst.Module) -> float:
    AboutProvider._latest = (None, None, None)  # the provider remembers the module that it was asked for last
    gc.collect()
    start = time.process_time()
    kept = way(text, module)  # to take it apart is not part of it
    spent = time.process_time() - start
    del kept
    return spent


if __name__ == "__main__":
    gc.disable()
    main(sys.argv[1:])
