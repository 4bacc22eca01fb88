"""The last line of a terminal, which says what is being done and is gone afterwards."""

from __future__ import annotations

import shutil
from typing import TextIO

_WIDTH = 24
_CLEAR = "\r\x1b[K"


def bar(done: int, total: int) -> str:
    """How much of the total is done, as a picture."""
    filled = _WIDTH * min(done, total) // max(total, 1)
    return f"[{'#' * filled}{'.' * (_WIDTH - filled)}]"


class StatusLine:
    """One line of ``stream``, which is a terminal.  Nothing happens where nobody looks any more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_shown = False

    def show(self, text: str) -> None:
        """Puts this in place of what was there, cut where the terminal ends."""
        self._is_shown = True
        self.write(_CLEAR + text[: shutil.get_terminal_size().columns - 1])

    def clear(self) -> None:
        """Leaves the terminal as it was found."""
        if self._is_shown:
            self._is_shown = False
            self.write(_CLEAR)

    def write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._is_shown = False
