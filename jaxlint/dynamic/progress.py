"""How far a long run is, and what it has found: a bar on a terminal, now and then a line elsewhere."""

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
        self.is_quiet = quiet
        self._terminal = self._stream.isatty()
        self._done = self._total = 0
        self._now = ""
        self._began = self._shown = monotonic()
        self._line = StatusLine(self._stream)
        self._news: list[str] = []

    def begin(self, total: int) -> None:
        self._done, self._total, self._now = 0, total, ""
        self._began = self._shown = monotonic()

    def tell(self, news: str) -> None:
        """A line that stays. In a run that is soon over it is not shown: what it says is said at the end anyway."""
        if not self.is_quiet:
            self._news.append(news)

    def advance(self, what: str) -> None:
        """One more of the total is done: ``what``."""
        self._done += 1
        self._now = what
        self.tick()

    def tick(self) -> None:
        """Called now and then, also when nothing was done."""
        if self.is_quiet or monotonic() - self._shown < (_BAR if self._terminal else _LINES):
            return
        self._shown = monotonic()
        if self._news and self._shown - self._began >= _LINES:
            self._line.clear()
            self._line.write("".join(f"{line}\n" for line in self._news))
            self._news.clear()
        if self._terminal:
            self._draw()
        else:
            last = f", {self._now} was the last" if self._now else ""
            self._line.write(f"traced {self._done} of {self._total}{last}\n")

    def end(self) -> None:
        """Leaves the terminal as it was found, but for what was told."""
        self._news.clear()
        self._line.clear()

    def _draw(self) -> None:
        self._line.show(f"{bar(self._done, self._total)} {self._done}/{self._total} {self._now}")
