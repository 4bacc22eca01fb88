"""Who does the work of a run: processes of this machine, or the workers of a cluster.  Nothing is begun, nor loaded,
before there is something to do."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.checks.spread import Pool
    from jaxlint.checks.units import Runner


@dataclass(frozen=True)
class Processes:
    """So many ``jobs`` at a time, on the cores of this machine."""

    jobs: int

    def pool(self, runner: Runner) -> AbstractContextManager[Pool] | None:
        if self.jobs == 1:
            return None
        from jaxlint.checks.processes import processes

        return processes(runner, self.jobs)


@dataclass(frozen=True)
class Cluster:
    """The workers of a Dask scheduler at an address."""

    scheduler: str

    def pool(self, runner: Runner) -> AbstractContextManager[Pool] | None:
        if not runner.names:
            return None
        from jaxlint.running.dask import workers

        return workers(runner, self.scheduler)
