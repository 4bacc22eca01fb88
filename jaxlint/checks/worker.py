"""A worker that has not begun as a copy of the first process: it is given the program as data, and reads it once."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from jaxlint.checks.run import UnitRunner, on_deep_stack
from jaxlint.checks.units import Found
from jaxlint.project.carried import digest, program_in


class _Worker:
    def __init__(self, packs: Sequence[bytes], is_noting: bool) -> None:
        self._runner = UnitRunner(program_in(packs), is_noting)
        self._is_read = False

    def run(self, names: list[str]) -> Found:
        found: list[Found] = []

        def work() -> None:
            if not self._is_read:
                self._runner.read()  # what that finds, the first process has found, too
                self._is_read = True
            found.append(self._runner.run(names))

        on_deep_stack(work)
        return found[0]


_known: dict[tuple[str, bool], _Worker] = {}
"""The worker of the program that this process has read last."""

_one_at_a_time = threading.Lock()
"""Units share what is known of calls; and threads of one process would be no quicker."""


def run_part(names: list[str], name: str, is_noting: bool, *packs: bytes) -> str:
    """What the units of some names find in the program of a digest.  Raises CannotCarryError."""
    with _one_at_a_time:
        worker = _known.get((name, is_noting))
        if worker is None:
            _known.clear()
            worker = _known[name, is_noting] = _Worker(packs, is_noting)
        return worker.run(names).as_text()


_given: tuple[str, bool, Sequence[bytes]] | None = None


def begin(is_noting: bool, packs: Sequence[bytes]) -> None:
    """In a new process of this machine: keeps the program for when it is asked for."""
    global _given
    _given = digest(packs), is_noting, packs


def run_given(names: list[str]) -> str:
    """What the units of some names find in the program that the process has begun with."""
    assert _given is not None
    name, is_noting, packs = _given
    return run_part(names, name, is_noting, *packs)
