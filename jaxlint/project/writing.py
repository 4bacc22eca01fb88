"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile


def replace_file(path: str, data: bytes) -> None:
    """Give a file another content in one step, keeping its mode; a link stays a link, its file is written.

    Whoever reads meanwhile sees the old content or the new.  Raises OSError and then leaves everything as it was.
    """
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    handle, temporary = tempfile.mkstemp(prefix=".jaxlint-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if os.path.exists(path):
            shutil.copymode(path, temporary)
        else:
            os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    """The process's mask for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
