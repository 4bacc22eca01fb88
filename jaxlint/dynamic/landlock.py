"""Landlock: a process of Linux gives up rights, for good, for itself and for all that it will ever start.

Nobody has to be root for it, and the kernel asks, not Python: C code and programs are bound as well.  A ruleset names
the actions that it *handles*; of these only those are left that a rule allows, below a folder.  Reading is never
handled here.  Which actions there are depends on the version of the interface that the kernel has:

    1 (Linux 5.13)   files are made, removed and opened for writing, programs are started
    2 (Linux 5.19)   files move between folders; before, that is refused wherever there are rules
    3 (Linux 6.2)    files are cut off
    4 (Linux 6.7)    TCP: binding and connecting
    5 (Linux 6.10)   devices are controlled (`ioctl`)
    6 (Linux 6.12)   abstract sockets and signals of processes outside
    7 (Linux 6.15)   what is refused can be kept out of the audit log

No library is needed: these are three system calls, whose numbers are the same on all machines.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_FOR_VERSION = 1
_PATH_BENEATH = 1
_KEEP_OUT_OF_LOG = 1  # of `restrict`: what this very program does and is refused
_PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class Right:
    """One action: its bit, the version that has it, and whether it is done to a file, not to what is in a folder."""

    bit: int
    since: int = 1
    of_files: bool = False


EXECUTE = Right(1 << 0, of_files=True)
WRITE_FILE = Right(1 << 1, of_files=True)
REMOVE_DIR = Right(1 << 4)
REMOVE_FILE = Right(1 << 5)
MAKE_CHAR = Right(1 << 6)
MAKE_DIR = Right(1 << 7)
MAKE_REG = Right(1 << 8)
MAKE_SOCK = Right(1 << 9)
MAKE_FIFO = Right(1 << 10)
MAKE_BLOCK = Right(1 << 11)
MAKE_SYM = Right(1 << 12)
REFER = Right(1 << 13, since=2)
TRUNCATE = Right(1 << 14, since=3, of_files=True)
IOCTL_DEV = Right(1 << 15, since=5, of_files=True)

DEVICES = frozenset((WRITE_FILE, TRUNCATE, IOCTL_DEV))
"""What is done to a device."""

FOLDERS = frozenset((REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_SYM, REFER))
"""What is done in a folder of one's own: all but making devices."""

WRITING = DEVICES | FOLDERS | {MAKE_CHAR, MAKE_BLOCK}

TCP = Right(0b11, since=4)
"""Binding and connecting."""

ABSTRACT_SOCKETS = Right(1 << 0, since=6)
SIGNALS = Right(1 << 1, since=6)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of the interface; 0 where there is none, or where nobody may use it."""
    if _libc is None:
        return 0
    found = _libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_FOR_VERSION))
    return max(int(found), 0)


def restrict(
    files: Iterable[Right], allowed: Mapping[str, Iterable[Right]], network: Iterable[Right], scoped: Iterable[Right]
) -> None:
    """Gives up for good what is handled and not allowed: of this thread, and of all that it starts from now on.

    ``allowed`` are paths with what may be done there; one that is not there is left out.  What the kernel does not know
    is not handled.  Raises OSError where there is no Landlock, and then nothing has changed.
    """
    there = version()
    handled = _bits(files, there)
    asked = _Ruleset(handled, _bits(network, there), _bits(scoped, there))
    ruleset = _call(_CREATE, ctypes.byref(asked), ctypes.c_size_t(ctypes.sizeof(asked)), ctypes.c_uint32(0))
    try:
        for path, rights in allowed.items():
            _allow(ruleset, path, rights, handled, there)
        assert _libc is not None
        if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):  # or a program with more rights than ours could be had
            raise _failed()
        _call(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(_KEEP_OUT_OF_LOG if there >= 7 else 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: Iterable[Right], handled: int, there: int) -> None:
    with _opened(path) as descriptor:
        if descriptor is None:
            return
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights = [right for right in rights if right.of_files]
        rule = _PathBeneath(_bits(rights, there) & handled, descriptor)
        if rule.allowed:
            _call(_ADD, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0))


@contextmanager
def _opened(path: str) -> Iterator[int | None]:
    try:
        descriptor = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except FileNotFoundError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _bits(rights: Iterable[Right], there: int) -> int:
    return sum(right.bit for right in {*rights} if right.since <= there)


def _call(number: int, *arguments: object) -> int:
    if _libc is None:
        raise OSError("no Landlock here")
    done = int(_libc.syscall(number, *arguments))
    if done < 0:
        raise _failed()
    return done


def _failed() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
