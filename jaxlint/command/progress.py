"""What is shown on a terminal of a run that takes long: what it is doing, and how far it is."""

from __future__ import annotations

import os
import threading
from time import monotonic
from typing import TextIO

from jaxlint.report.source import printable
from jaxlint.report.status_line import StatusLine, bar
from jaxlint.vocabulary.work import TRACING, Work

_FIRST, _NEXT = 1.0, 0.1
"""Seconds until something is shown, and from then on until it is shown anew."""


class Progress(Work):
    """Shows each stage with a bar once a run takes longer than a second.

    A thread of its own draws, since what is being done may take long without a word.  Paths are shown as seen from
    ``cwd``.
    """

    def __init__(self, stream: TextIO, cwd: str) -> None:
        self._here = cwd.rstrip(os.sep) + os.sep
        self._line = StatusLine(stream)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._drawing: threading.Thread | None = None
        self._stage, self._now, self._done, self._total = "", "", 0, 0

    def stage(self, what: str, total: int = 0) -> None:
        with self._lock:
            self._stage, self._now, self._done, self._total = what, "", 0, total
            if what == TRACING:  # which shows how far it is itself
                self._line.clear()
            if self._drawing is None:
                self._over = threading.Event()
                self._drawing = threading.Thread(target=self._draw, args=(self._over,), daemon=True)
                self._drawing.start()

    def at(self, done: int, total: int, what: str = "") -> None:
        self._done, self._total, self._now = done, total, what  # many a time: shown when it is due

    def end(self) -> None:
        with self._lock:
            self._over.set()
            self._drawing = None
            self._line.clear()

    @property
    def doing(self) -> str:
        so_far = f" ({self._done} of {self._total})" if self._total else ""
        return f"{self._stage}{so_far}"

    def _draw(self, over: threading.Event) -> None:
        start = monotonic()
        wait = _FIRST
        while not over.wait(wait):
            wait = _NEXT
            with self._lock:
                if self._stage != TRACING and not over.is_set():
                    self._line.show(self._text(int(monotonic() - start)))

    def _text(self, seconds: int) -> str:
        counted = f"{bar(self._done, self._total)} {self._done}/{self._total}" if self._total else ""
        return " ".join(
            filter(None, [f"{seconds} s", self._stage, counted, printable(self._now.removeprefix(self._here))])
        )
