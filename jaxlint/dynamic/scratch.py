"""The folders that user code runs in, writes to and leaves things in."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from contextlib import suppress

_NAMES_OF_FILES = frozenset(("SSLKEYLOGFILE", "SQLITE_TMPDIR"))
"""Variables that say where C code writes."""


def furnish(scratch: str) -> None:
    """Make ``scratch`` (again) the working directory, home and place for temporary files of this process."""
    home, temporary, work = (os.path.join(scratch, name) for name in ("home", "tmp", "work"))
    for folder in (home, temporary, work):
        os.makedirs(folder, exist_ok=True)
    os.chdir(work)
    for name in [name for name in os.environ if name.startswith("XDG_") or name in _NAMES_OF_FILES]:
        del os.environ[name]
    os.environ.update(HOME=home, USERPROFILE=home, TMPDIR=temporary, TEMP=temporary, TMP=temporary)
    tempfile.tempdir = None  # asked again for, and then found in TMPDIR


def discard(folder: str) -> None:
    """Removes a folder and all that user code has made in it: deeper than any path is long, or closed to its owner."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        with suppress(OSError):
            _flatten(folder)


def _flatten(folder: str) -> None:
    """Removes files, and brings what is in folders up to ``folder`` until there is nothing in any of them."""
    os.chmod(folder, 0o700)
    waiting = [folder]
    while waiting:
        each = waiting.pop()
        for entry in list(os.scandir(each)):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)  # it cannot be moved otherwise
                    waiting.append(os.path.join(folder, secrets.token_hex(8)))
                    os.rename(entry.path, waiting[-1])
                else:
                    os.unlink(entry.path)
        if each != folder:
            with suppress(OSError):
                os.rmdir(each)
    os.rmdir(folder)
