"""A filter of system calls: a process of Linux gives up a few calls for itself and for all that it will ever start.

It closes what Landlock leaves open and what needs no look at memory: new sockets of any kind, so that there is no
network and nobody outside to talk to, limits and priorities that are set to other processes, and leaving the group of
processes that one is ended with.  Whoever asks gets an error as from any system that refuses.  Pairs of sockets, which
event loops need, are another call.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Sequence

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2

# Instructions: load a word of the call's data, go on if it equals, return.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where they are in the data
_ALLOW, _FAIL_WITH = 0x7FFF0000, 0x00050000

_OTHER_CALLS = 0x40000000
"""Numbers from here on are those of another way to call the same kernel (x32)."""

_MACHINES = {
    "x86_64": (
        0xC000003E,
        {"socket": 41, "setpgid": 109, "setsid": 112, "setpriority": 141, "prlimit64": 302, "io_uring_setup": 425},
    ),
    "aarch64": (
        0xC00000B7,
        {"socket": 198, "setpgid": 154, "setsid": 157, "setpriority": 140, "prlimit64": 261, "io_uring_setup": 425},
    ),
}
"""The name of a machine in the filter's data, and its calls; both have the lower half of an argument first."""

SOCKETS = ("socket",)
LEAVING = ("setpgid", "setsid")
"""Whoever cannot leave its group of processes ends with it."""

_OF_WHOM = {"prlimit64": 0, "setpriority": 1}
"""Which argument says whose limits or whose priority: 0 is the caller itself."""

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def is_there() -> bool:
    """Whether the kernel takes filters, and this machine's calls are known."""
    if _libc is None or sys.maxsize < 1 << 32 or os.uname().machine not in _MACHINES:
        return False
    _libc.prctl(_PR_SET_SECCOMP, _FILTER, None)  # no filter at all: a kernel that has them looks for it in vain
    return ctypes.get_errno() == errno.EFAULT


def restrict(refused: Sequence[str]) -> None:
    """Puts up a filter, for good, which refuses these calls too.  Raises OSError where that cannot be done."""
    if _libc is None or not is_there():
        raise OSError("no filter of system calls here")
    program = _program(refused)
    instructions = ctypes.create_string_buffer(program, len(program))
    asked = _Program(len(program) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(asked)):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _program(refused: Sequence[str]) -> bytes:
    machine, calls = _MACHINES[os.uname().machine]
    asks: list[_Step] = [
        (_LOAD, _MACHINE, "next", "next"),
        (_IF_EQUAL, machine, "next", "refuse"),
        (_LOAD, _NUMBER, "next", "next"),
        (_IF_AT_LEAST, _OTHER_CALLS, "refuse", "next"),
        (_IF_EQUAL, calls["io_uring_setup"], "unknown", "next"),  # it makes sockets, too; nobody needs it
        *((_IF_EQUAL, calls[name], "refuse", "next") for name in refused),
    ]
    for name, argument in _OF_WHOM.items():
        asks += [
            (_IF_EQUAL, calls[name], "next", "after the next two"),
            (_LOAD, _ARGUMENTS + 8 * argument, "next", "next"),
            (_IF_EQUAL, 0, "allow", "refuse"),
        ]
    ends = {"allow": _ALLOW, "refuse": _FAIL_WITH | errno.EACCES, "unknown": _FAIL_WITH | errno.ENOSYS}
    left = {name: len(asks) + place for place, name in enumerate(ends)}
    steps = asks + [(_RETURN, value, "next", "next") for value in ends.values()]
    program = b""
    for place, (code, value, then, otherwise) in enumerate(steps):
        ways = (_NEAR[way] if way in _NEAR else left[way] - place - 1 for way in (then, otherwise))
        program += struct.pack("=HBBI", code, *ways, value)
    return program


_Step = tuple[int, int, str, str]
"""An instruction, its value, and where to go on if that is so, and if it is not."""

_NEAR = {"next": 0, "after the next two": 2}
"""How many instructions are passed over."""
