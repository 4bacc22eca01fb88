"""Where one message ends and the next begins, in what an editor sends, whatever it sends."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_BODY = 256 * 1024 * 1024
"""Bytes of a message: the longest notebook, and then some.  A header that says more is wrong."""

_MAX_HEADER = 8 * 1024
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
_FIELD = re.compile(rb"[A-Za-z-]+[ \t]*:[^\r\n]*\Z")
_NAME = b"content-length"


class BadFrame(Exception):
    """There are bytes that belong to no message; the message says what is wrong with them."""


class Frames:
    """Takes bytes as they come and gives the messages in them.

    What is no message is passed over up to the next header, and said once, however long it is.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._length: int | None = None  # of the message whose header was read
        self._is_lost = False

    def feed(self, data: bytes) -> Iterator[bytes | BadFrame]:
        """The messages that are complete by now, and what is wrong between them."""
        self._bytes += data
        while True:
            if self._length is None:
                wrong = self._read_header()
                if wrong is not None:
                    if not self._is_lost:
                        self._is_lost = True
                        yield BadFrame(wrong)
                    continue
            if self._length is None or len(self._bytes) < self._length:
                return
            body = bytes(self._bytes[: self._length])
            del self._bytes[: self._length]
            self._length, self._is_lost = None, False
            yield body

    def reject(self, body: bytes) -> None:
        """A message was none: what stands in it of the next one, for its length was wrong, is read again."""
        self._bytes[:0] = body[_next_header(body) :]
        self._is_lost = True

    def _read_header(self) -> str | None:
        """Reads a header if there is one; what is wrong with what stands there, which is passed over."""
        end = _HEADER_END.search(self._bytes)
        if end is None:
            if len(self._bytes) <= 2 * _MAX_HEADER:
                return None
            del self._bytes[:-_MAX_HEADER]
            return "no header"
        header = bytes(self._bytes[: end.start()])
        del self._bytes[: end.end()]
        fields = list(_LENGTH.finditer(header))
        if not fields:
            return "a header without Content-Length"
        digits = fields[-1][1].strip()
        if not re.fullmatch(rb"[0-9]{1,12}", digits) or int(digits) > MAX_BODY:
            return f"a Content-Length that is none: {digits[:40].decode('ascii', 'backslashreplace')}"
        self._length = int(digits)
        return None if all(map(_FIELD.match, header.splitlines())) else "something before a header"


def _next_header(body: bytes) -> int:
    """Where in a message that is none the header of another begins, or what there is of it at the end."""
    lower = body.lower()
    inside = lower.find(_NAME, 1)
    if inside > 0:
        return inside
    shared = next((size for size in range(len(_NAME), 0, -1) if lower.endswith(_NAME[:size])), 0)
    return max(len(body) - shared, 1)
