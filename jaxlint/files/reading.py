"""Files are read here: only those that are files, and never more of them than is bearable."""

from __future__ import annotations

import errno
import os
import stat

MAX_BYTES = 16 * 1024 * 1024
"""What a larger file holds is data: no program, configuration or list of packages is as long."""


def read_file(path: str, limit: int = MAX_BYTES) -> bytes:
    """The content of a regular file of at most ``limit`` bytes.

    A pipe or a device could block or never end, so it is not read, whichever links lead to it.  Raises OSError, whose
    ``strerror`` is the reason in a few words; of a file that is too long `FileTooLargeError`.
    """
    try:
        _require_regular(os.stat(path).st_mode)  # before it is opened: that alone can block, or wake a device
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a null byte or half a surrogate pair in the name
        raise OSError(errno.EINVAL, f"no path ({error})") from None
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        _require_regular(status.st_mode)  # another file may have the name by now
        data = b"" if status.st_size > limit else file.read(limit + 1)
    if max(status.st_size, len(data)) > limit:  # it may grow, and what the system makes up has no size
        raise FileTooLargeError(max(status.st_size, len(data)), limit)
    return data


def read_text(path: str, limit: int = MAX_BYTES) -> str:
    """The text of a regular UTF-8 file, its lines ended by line feeds.

    Raises OSError as `read_file` does, and UnicodeDecodeError.
    """
    return read_file(path, limit).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


class FileTooLargeError(OSError):
    """A file is longer than whoever reads it can use."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(errno.EFBIG, f"the file has {size:,} bytes (the limit is {limit:,})")


def reason_of(error: OSError | ValueError) -> str:
    """Why something cannot be read or written, without the path."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file")
