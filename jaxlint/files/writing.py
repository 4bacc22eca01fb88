"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import signal
import stat
import tempfile
from collections.abc import Iterator

_CANNOT = {errno.EISDIR, errno.EINVAL, errno.ENOENT, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
"""What systems say that have no files without a name, or do not give them one later."""


def replace_file(path: str, data: bytes) -> None:
    """Give a file another content in one step; its mode and owner stay, and a link stays a link to it.

    Whoever reads meanwhile sees the old content or the new, unless the file has several names, which it keeps: then it
    is written in place.  Raises OSError and then leaves everything as it was; so does, where the system can do
    that, the end of the process at any time.
    """
    path = os.path.realpath(path)
    status = _status(path)
    if status is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if status is not None and status.st_nlink > 1:
        overwrite_file(path, data)
        return
    with _undisturbed():
        try:
            if not _replace_by_nameless(path, data, status):
                _replace_by_named(path, data, status)
        except _OwnerError:
            overwrite_file(path, data)


def overwrite_file(path: str, data: bytes) -> None:
    """Give a file another content in place.  Raises OSError and then leaves, or puts back, what it had."""
    with open(path, "r+b") as file:
        old = file.read()
        try:
            if len(data) > len(old) and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, len(data))  # whether there is room shows before anything is lost
            _write_over(file.fileno(), data)
        except OSError:
            with contextlib.suppress(OSError):
                _write_over(file.fileno(), old)
            raise


class _OwnerError(Exception):
    """A new file cannot be given to the owner of the old one."""


def _status(path: str) -> os.stat_result | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return status


def _replace_by_nameless(path: str, data: bytes, status: os.stat_result | None) -> bool:
    """Replace a file by one that has no name before it is complete; False where the system has no such files."""
    if not hasattr(os, "O_TMPFILE") or os.link not in os.supports_dir_fd:
        return False
    folder = os.path.dirname(path)
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError as error:
        if error.errno in _CANNOT and os.path.isdir(folder):
            return False
        raise
    try:
        _write_over(descriptor, data)
        _take_over(descriptor, status)
        return _link(descriptor, path, is_new=status is None)
    finally:
        os.close(descriptor)


def _link(descriptor: int, path: str, is_new: bool) -> bool:
    """Give a file without a name that of another, which it replaces; False where the system cannot."""
    nameless = f"/proc/self/fd/{descriptor}"
    beside = os.path.join(os.path.dirname(path), f".jaxlint-{secrets.token_hex(8)}")
    try:
        # The folder's descriptor means nothing beside an absolute path, but makes the system follow the link.
        if is_new:
            with contextlib.suppress(FileExistsError):
                os.link(nameless, path, src_dir_fd=descriptor, follow_symlinks=True)
                return True
        os.link(nameless, beside, src_dir_fd=descriptor, follow_symlinks=True)
    except OSError as error:
        if error.errno in _CANNOT:
            return False
        raise
    _rename(beside, path)
    return True


def _replace_by_named(path: str, data: bytes, status: os.stat_result | None) -> None:
    descriptor, beside = tempfile.mkstemp(prefix=".jaxlint-", dir=os.path.dirname(path))
    try:
        try:
            _write_over(descriptor, data)
            _take_over(descriptor, status)
            if status is None:
                os.chmod(beside, 0o666 & ~_umask())
        finally:
            os.close(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    _rename(beside, path)


def _rename(beside: str, path: str) -> None:
    try:
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def _take_over(descriptor: int, status: os.stat_result | None) -> None:
    """Make a new file's owner and mode those of the old.  Raises _OwnerError."""
    if status is None or not hasattr(os, "fchown"):
        return
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.fchown(descriptor, status.st_uid, status.st_gid)
        except OSError:
            raise _OwnerError from None
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _write_over(descriptor: int, data: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(data))


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """What would end the process waits, so that nothing is left lying about."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _umask() -> int:
    """The process's mask for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
