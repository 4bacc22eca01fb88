"""What a recording came to, and why one came to nothing: what its processes say to the command that started them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

STATUS = "JAXLINT_RECORD_STATUS"
"""The variable that names the file in which each process says what it has recorded."""

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one process has recorded.  Functions are counted, files are real paths."""

    files: int  # of the project, that could have been watched
    imported: int = 0  # of those
    called: int = 0
    noted: int = 0
    early: tuple[str, ...] = ()  # files that were imported before they could be watched
    elsewhere: tuple[str, ...] = ()  # files that were imported in the place of the project's
    tests: int | None = None  # how many ran; None where it was no test runner
    uncollected: tuple[str, ...] = ()  # files and folders that no tests could be taken from

    def tell(self) -> None:
        """Says it to the command that waits for it, if there is one."""
        if path := os.environ.get(STATUS):
            with suppress(OSError), open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(self)) + "\n")


def told(path: str) -> list[Outcome]:
    """What the processes have said."""
    with suppress(OSError, ValueError, TypeError), open(path, encoding="utf-8") as file:
        return [Outcome(**json.loads(line)) for line in file]
    return []


def why_nothing(outcomes: Sequence[Outcome], code: int = 0) -> str:
    """Why nothing was recorded, in one line; empty where something was.  ``code`` is how the command ended."""
    if any(outcome.noted for outcome in outcomes):
        return ""
    if not outcomes:
        how = f", with exit code {code}," if code else ""
        return f"the command ended{how} before the recorder could say anything"
    if not any(outcome.files for outcome in outcomes):
        return "there are no Python files to record, tests left out, below the current folder (or --source DIR)"
    tests = [outcome.tests for outcome in outcomes if outcome.tests is not None]
    if tests and not any(tests):
        failed = sorted({file for outcome in outcomes for file in outcome.uncollected})
        return "no test ran" + (f": pytest found none in {_listed(failed)}, because of errors there" if failed else "")
    if early := too_early(outcomes):
        return early
    if not any(outcome.imported for outcome in outcomes):
        if elsewhere := sorted({file for outcome in outcomes for file in outcome.elsewhere}):
            return f"{_listed(elsewhere)} was imported, and not the project's own file of this name"
        return "no file of the project was imported (what the command runs in other processes is not seen)"
    called = sum(outcome.called for outcome in outcomes)
    if not called:
        return "no function of the project was called"
    were, them = ("functions were", "them") if called > 1 else ("function was", "it")
    return f"{called} {were} called, with nothing in {them} to trace or to watch"


def too_early(outcomes: Sequence[Outcome]) -> str:
    """Which files of the project could not be watched; empty where there are none."""
    early = sorted({file for outcome in outcomes for file in outcome.early})
    return f"{_listed(early)} had been imported before the recorder was there" if early else ""


def _listed(files: Sequence[str]) -> str:
    shown = ", ".join(os.path.relpath(file) for file in files[:_SHOWN])
    return f"{shown} and {len(files) - _SHOWN} more" if len(files) > _SHOWN else shown


def imported(files: Collection[str], probed: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the project's files those that this process has imported without probes; and the files that it has instead.

    Instead of a project's `pkg/mod.py` that is another `pkg/mod.py`, which the name `pkg.mod` leads to.
    """
    early, elsewhere = [], []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not file.endswith(".py"):
            continue
        real = os.path.realpath(file)
        tail = name.replace(".", os.sep) + (f"{os.sep}__init__.py" if real.endswith("__init__.py") else ".py")
        if real in files:
            early += [real] if real not in probed else []
        elif "." in name and any(each.endswith(os.sep + tail) for each in files):
            elsewhere.append(real)
    return tuple(sorted(early)), tuple(sorted(elsewhere))
