"""Units of work on several cores, each in a process that shares what was read before it began.

The processes are forked once all modules are read, so that nothing is read or evaluated twice and the trees cost no
memory.
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from jaxlint.checks.units import Found, Runner, in_parts
from jaxlint.project.program import Program
from jaxlint.vocabulary.work import FUNCTIONS, Work

_PARTS = 8
"""Parts of the work for each process, so that none is left waiting for long."""


def run_units(runner: Runner, jobs: int, program: Program, work: Work, add: Callable[[Found], None]) -> None:
    """Runs all units in ``jobs`` processes, and adds what they find; what one that dies, or cannot be begun, has left
    is run here."""
    parts = list(in_parts(runner.names, program, jobs * _PARTS))
    left, done = list(parts), 0
    work.stage(FUNCTIONS, len(runner.names))
    try:
        with _Forked(runner, jobs) as executor:
            running: dict[Future[Found], list[str]] = {executor.submit(_run_part, part): part for part in parts}
            for future in as_completed(running):
                add(future.result())
                left.remove(running[future])
                done += len(running[future])
                work.at(done, len(runner.names), running[future][-1])
    except (BrokenProcessPool, OSError, ImportError):
        pass  # one was killed, perhaps for its memory, or the system has no more processes, or no locks to share
    for part in left:
        add(runner.run(part))


class _Forked:
    """Processes that begin as copies of this one, as an executor.  They end with it, however it ends."""

    def __init__(self, runner: Runner, jobs: int) -> None:
        global _inherited
        _inherited = runner
        self._lifeline = os.pipe()
        self._pool = ProcessPoolExecutor(jobs, get_context("fork"), initializer=_begin, initargs=(self._lifeline,))

    def __enter__(self) -> Executor:
        # The other threads of this process draw a line and wait: they hold nothing that the copies need.
        warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
        return self._pool

    def __exit__(self, *_: object) -> None:
        global _inherited
        self._pool.shutdown(cancel_futures=True)
        for end in self._lifeline:
            os.close(end)
        _inherited = None


_inherited: Runner | None = None
"""What forked processes find in their memory."""


def _begin(lifeline: tuple[int, int]) -> None:
    """In a new process: Ctrl-C is for the first one, and this one ends when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reading, writing = lifeline
    os.close(writing)

    def wait() -> None:
        os.read(reading, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _run_part(names: list[str]) -> Found:
    assert _inherited is not None
    return _inherited.run(names)
