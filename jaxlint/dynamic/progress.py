"""How far a long run is: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TextIO

from jaxlint.report.status_line import StatusLine, bar

_BAR, _LINES = 0.1, 5.0  # seconds between two signs of life


class Progress:
    """Counts up to a total on ``stream``. Silent when ``quiet``, and in a run that ends before a line is due."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._quiet = quiet
        self._terminal = self._stream.isatty()
        self._done = self._total = 0
        self._now = ""
        self._shown = monotonic()
        self._line = StatusLine(self._stream)

    def begin(self, total: int) -> None:
        self._done, self._total, self._now, self._shown = 0, total, "", monotonic()

    def advance(self, what: str) -> None:
        """One more of the total is done: ``what``."""
        self._done += 1
        self._now = what
        self.tick()

    def tick(self) -> None:
        """Called now and then, also when nothing was done."""
        if self._quiet or monotonic() - self._shown < (_BAR if self._terminal else _LINES):
            return
        self._shown = monotonic()
        if self._terminal:
            self._draw()
        else:
            last = f", {self._now} was the last" if self._now else ""
            self._line.write(f"traced {self._done} of {self._total}{last}\n")

    def end(self) -> None:
        """Leave the terminal as it was found."""
        self._line.clear()

    def _draw(self) -> None:
        self._line.show(f"{bar(self._done, self._total)} {self._done}/{self._total} {self._now}")
