"""Units of work on several cores of this machine.

Where that is safe processes are forked once all modules are read: nothing is read or evaluated twice and the trees cost
no memory.  Elsewhere each is begun anew and given the program.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import connection, get_context, parent_process

from jaxlint.checks.spread import Pool
from jaxlint.checks.units import Runner, size_of

_PARTS = 8
"""Parts of the work for each process, so that none is left waiting for long."""

WORTH_FORKING = 400_000
WORTH_SPAWNING = 1_500_000
"""Characters of Python that are left to analyse before processes are begun: below, one core is done as soon."""


def processes(runner: Runner, jobs: int) -> AbstractContextManager[Pool] | None:
    """At most so many processes, if they make it quicker to run the units."""
    # A process with threads of libraries such as JAX is not safe to fork.
    forks = sys.platform.startswith("linux") and "jax" not in sys.modules
    count = min(jobs, len(runner.names))
    if count < 2 or size_of(runner.names, runner.program) < (WORTH_FORKING if forks else WORTH_SPAWNING):
        return None
    return forked(runner, count) if forks else spawned(runner, count)


@contextmanager
def forked(runner: Runner, jobs: int) -> Iterator[Pool]:
    """Processes that begin as copies of this one."""
    global _inherited
    _inherited = runner
    try:
        with ProcessPoolExecutor(jobs, get_context("fork"), initializer=_begin) as executor:
            # The other threads of this process draw a line and wait: they hold nothing that the copies need.
            warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
            try:
                yield Pool(executor, _run_inherited, jobs * _PARTS)
            finally:
                executor.shutdown(cancel_futures=True)
    finally:
        _inherited = None


@contextmanager
def spawned(runner: Runner, jobs: int) -> Iterator[Pool]:
    """Processes that begin with nothing but the program as data."""
    from jaxlint.checks.worker import run_given
    from jaxlint.flow.domain.rows import rows_for
    from jaxlint.project.carried import carried

    packs = carried(runner.program, rows_for(runner.program))
    given = runner.is_noting, packs
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin_with, initargs=given) as executor:
        try:
            yield Pool(executor, run_given, jobs * _PARTS)
        finally:
            executor.shutdown(cancel_futures=True)


_inherited: Runner | None = None
"""What forked processes find in their memory."""


def _run_inherited(names: list[str]) -> str:
    assert _inherited is not None
    return _inherited.run(names).as_text()


def _begin() -> None:
    """In a new process: Ctrl-C is for the first one, and this one ends when that does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    first = parent_process()

    def wait() -> None:
        if first is not None:
            connection.wait([first.sentinel])
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _begin_with(is_noting: bool, packs: list[bytes]) -> None:
    from jaxlint.checks.worker import begin

    _begin()
    begin(is_noting, packs)
