"""Units of work spread over the workers of an executor, whichever processes, on whichever machines, these are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from jaxlint.checks.units import Found, Runner, in_parts
from jaxlint.vocabulary.work import FUNCTIONS, Work

LOST = (BrokenExecutor, CancelledError, OSError, ImportError)
"""How a future says that its worker has died, or that none can be begun: the system has no more processes, or no locks
to share."""


@dataclass
class Pool:
    """An executor whose workers know a program, or are ``given`` it with what ``run`` is asked for: what the units of
    some names find, as text.  The work is to be cut into so many ``parts``."""

    executor: Executor
    run: Callable[..., str]
    parts: int
    given: tuple[Any, ...] = ()
    lost: tuple[type[BaseException], ...] = LOST

    def submit(self, names: list[str]) -> Future[str]:
        return self.executor.submit(self.run, names, *self.given)


class CrewError(Exception):
    """There are no workers where some were asked for, or they are of no use; the message is one line."""


class Crew(Protocol):
    """Who has workers for a run."""

    def pool(self, runner: Runner) -> AbstractContextManager[Pool] | None:
        """Those for the units of a runner; None where one process is done as soon.  Entering raises CrewError."""
        ...


def run_units(runner: Runner, begun: AbstractContextManager[Pool], work: Work, add: Callable[[Found], None]) -> None:
    """Has all units run by a pool, and adds what they find; what workers that die, or cannot be begun, have left is run
    here."""
    left, done = dict(enumerate([name] for name in runner.names)), 0
    work.stage(FUNCTIONS, len(runner.names))
    try:
        with begun as pool:
            left = dict(enumerate(in_parts(runner.names, runner.program, pool.parts)))
            running = {pool.submit(part): at for at, part in left.items()}
            for future in as_completed(running):
                try:
                    found = future.result()
                except pool.lost:
                    continue
                part = left.pop(running[future])
                add(Found.in_text(found))
                done += len(part)
                work.at(done, len(runner.names), part[-1])
    except LOST:
        pass
    for part in left.values():
        work.at(done, len(runner.names), part[0])
        add(runner.run(part))
        done += len(part)
