"""What a run is doing and how far it is, told to whoever shows it."""

from __future__ import annotations

import time

from jaxlint.vocabulary.findings import Location

FINDING_FILES = "finding files"
READING = "reading files"
REMEMBERING = "looking for results of other runs"
FOLLOWING = "following imports"
LOADING = "loading the analysis"
MODULES = "evaluating modules"
FUNCTIONS = "analysing functions"
NAMES = "looking for removed names"
OWN_RULES = "rules of one's own"
TRACING = "tracing"
SETTLING = "applying comments, settings and fixes"


class Work:
    """Hears what a run does, and shows none of it.

    ``hears_all``: whether `told` is worth finding something out; ``doing``: what is being done, in words.
    """

    hears_all = False

    @property
    def doing(self) -> str:
        return ""

    def stage(self, what: str, total: int = 0) -> None:
        """Something else begins, which has so many steps, if that is known."""

    def at(self, done: int, total: int, what: str = "") -> None:
        """So many steps of the stage are done; ``what`` is next."""

    def told(self, what: str, place: Location | None = None) -> None:
        """Something that only those who look closely want to know."""

    def end(self) -> None:
        """Nothing is being done any more, for now."""


SILENT = Work()


class Clock(Work):
    """How many seconds each stage took, of all together that have its name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage = ""
        self._since = 0.0

    @property
    def doing(self) -> str:
        return self._stage

    def stage(self, what: str, total: int = 0) -> None:
        self._stop()
        self._stage, self._since = what, time.perf_counter()

    def end(self) -> None:
        self._stop()

    def _stop(self) -> None:
        if self.doing:
            spent = time.perf_counter() - self._since
            self.seconds[self.doing] = self.seconds.get(self.doing, 0.0) + spent
            self._stage = ""
