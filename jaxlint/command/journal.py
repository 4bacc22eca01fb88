"""What `--verbose` tells: each thing that a run does and finds out about itself, and where its time went."""

from __future__ import annotations

import platform
from time import perf_counter
from typing import TextIO

from jaxlint import __version__
from jaxlint.report.source import Sources, printable
from jaxlint.vocabulary.findings import Location
from jaxlint.vocabulary.work import Clock


class Journal(Clock):
    """Writes to ``stream`` as a run goes on.  Paths are shown as seen from ``cwd``."""

    hears_all = True

    def __init__(self, stream: TextIO, cwd: str) -> None:
        super().__init__()
        self._stream = stream
        self._shown = Sources({}, cwd)
        self._start = perf_counter()
        self.told(f"jaxlint {__version__}, Python {platform.python_version()}")

    def told(self, what: str, place: Location | None = None) -> None:
        where = "" if place is None else f"{self._shown.shown_place(place)}: "
        print(f"[{perf_counter() - self._start:6.2f}] {printable(where + what)}", file=self._stream, flush=True)

    def end(self) -> None:
        """Where the time went until now, the longest stage first."""
        super().end()
        for stage, seconds in sorted(self.seconds.items(), key=lambda spent: -spent[1]):
            self.told(f"{seconds:.2f} s {stage}")
        self.seconds.clear()
