"""Units of work on the workers of a Dask cluster, which share no files with this machine.

The program goes there in packs, each a task of its own: a worker that needs one gets it once, from whoever has it, and
what a worker takes along when it dies the scheduler has made again.
"""

from __future__ import annotations

import logging
import pkgutil
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from time import monotonic

from distributed import Client, KilledWorker
from distributed.versions import VersionMismatchWarning

from jaxlint.checks.spread import CrewError, Pool
from jaxlint.checks.units import Runner, size_of
from jaxlint.checks.worker import run_part
from jaxlint.flow.domain.rows import rows_for
from jaxlint.project.carried import JAXLINT, carried, digest

_LOST = (CancelledError, KilledWorker)
"""How a future says that nobody has come to its end: the scheduler has gone, or too many workers have died of it."""

_PATIENCE = 10
"""Seconds that a scheduler may take to answer, and to have a worker."""

_PARTS = 8
"""Parts of the work for each worker, so that none is left waiting for long."""

_LARGEST_PART = 200_000
"""Characters of Python, two seconds of work: workers may come and go."""


@contextmanager
def workers(runner: Runner, address: str) -> Iterator[Pool]:
    """The workers of the scheduler at an address, for the units of a runner.  Raises CrewError."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what becomes of connections is told here
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # of libraries that are not used
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise CrewError(f"--scheduler {address}: {_first_line(error)}") from None
    with client:
        count = _count(client, address)
        packs = carried(runner.program, rows_for(runner.program))
        texts = [client.submit(bytes, pack, key=f"jaxlint-{digest([pack])}") for pack in packs]
        given = digest(packs), runner.is_noting, *texts
        parts = max(count * _PARTS, size_of(runner.names, runner.program) // _LARGEST_PART)
        executor = client.get_executor()  # type: ignore[no-untyped-call]
        over = threading.Event()
        give_up = partial(executor.shutdown, wait=False)
        threading.Thread(target=_watch, args=(client, over, give_up), daemon=True).start()
        try:
            yield Pool(executor, run_part, parts, given, _LOST)
        finally:
            over.set()
            give_up()  # what is left, nobody wants any more


def _count(client: Client, address: str) -> int:
    """How many workers there are, all of which have this jaxlint.  Raises CrewError."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
        # A worker that cannot load what a task is made of would end: it is asked in terms of Python alone.
        found = client.run(pkgutil.resolve_name, "jaxlint.project.carried:JAXLINT", on_error="return")
    except TimeoutError:
        raise CrewError(f"--scheduler {address}: it has no workers") from None
    for worker, there in found.items():
        if there != JAXLINT:
            other = _first_line(there) if isinstance(there, Exception) else there
            raise CrewError(f"--scheduler {address}: {JAXLINT} here, on the worker {worker} {other}")
    return len(found)


def _watch(client: Client, over: threading.Event, give_up: Callable[[], None]) -> None:
    """Gives up once there has been no scheduler, or no worker, for so long that none is to be expected."""
    last = monotonic()
    while not over.wait(1):
        if client.status == "running" and client.scheduler_info(n_workers=1)["workers"]:
            last = monotonic()
        elif monotonic() - last > _PATIENCE:
            give_up()
            return


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
