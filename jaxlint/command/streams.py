"""The process's standard streams, where they may be closed, full or gone: what goes wrong with one says its name."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import Any


class _Stream(io.FileIO):
    """A standard stream.  ``error`` is the last that there was: not everybody who prints looks at errors."""

    def __init__(self, number: int, mode: str, title: str, is_closed: bool) -> None:
        super().__init__(number, mode, closefd=False)
        self.error: OSError | None = None
        self._title = title
        self._is_closed = is_closed

    def write(self, data: Any) -> int:
        with self._named():
            return super().write(data)

    def readinto(self, buffer: Any) -> int:
        with self._named():
            return super().readinto(buffer)

    def readall(self) -> bytes:
        with self._named():
            return super().readall()

    def fileno(self) -> int:
        with self._named():
            return super().fileno()

    @contextlib.contextmanager
    def _named(self) -> Any:
        try:
            if self._is_closed:
                raise OSError(errno.EBADF, "it is closed")
            yield
        except OSError as error:
            self.error = OSError(error.errno, error.strerror, self._title)
            raise self.error from None


def open_streams() -> None:
    """Puts streams in place whose errors have their names, also for those that the process was started without.

    A number that is free would be that of the next file opened.  Nobody misses what is said on a standard error that
    is closed; the others raise OSError when they are used.
    """
    is_closed = [_is_closed(number) for number in range(3)]
    for _ in range(sum(is_closed)):
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    source = _Stream(0, "rb", "standard input", is_closed[0])
    sys.stdin = io.TextIOWrapper(io.BufferedReader(source), encoding=_encoding(sys.stdin))
    sink = _Stream(1, "wb", "standard output", is_closed[1])
    by_line = sys.stdout is not None and bool(sys.stdout.line_buffering)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(sink), encoding=_encoding(sys.stdout), line_buffering=by_line)
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "wb", closefd=False), encoding="utf-8", write_through=True)


def flush() -> None:
    """Has standard output take all there is.  Raises OSError for what it did not take, now or before."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Stream) and raw.error is not None:
        error, raw.error = raw.error, None
        raise error


def _is_closed(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return True
    return False


def _encoding(stream: io.TextIOBase | Any) -> str:
    return getattr(stream, "encoding", None) or "utf-8"
