"""Filters of system calls: a process of Linux gives up a few calls for itself and for all that it will ever start.

They close what Landlock leaves open and what needs no look at memory: sockets, so that there is no network and nobody
outside to talk to, limits and priorities of other processes, and, where no more processes are needed, these.  Whoever
asks gets an error as from any system that refuses.  Pairs of sockets, which event loops need, and threads are let be.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator, Sequence

OTHERS = ("socket", "io_uring_setup", "prlimit64", "setpriority")
"""What has to do with others: other processes, and whoever is at the other end. `io_uring` makes sockets, too."""

PROCESSES = ("fork", "vfork", "clone", "clone3")
"""What starts processes."""

_X86 = {"socket": 41, "clone": 56, "fork": 57, "vfork": 58, "setpriority": 141, "prlimit64": 302}
_ARM = {"setpriority": 140, "socket": 198, "clone": 220, "prlimit64": 261}
_BOTH = {"io_uring_setup": 425, "clone3": 435}

_MACHINES = {"x86_64": (0xC000003E, _X86 | _BOTH), "aarch64": (0xC00000B7, _ARM | _BOTH)}
"""The name of a machine in what a filter is given, and its calls; both have the lower half of an argument first."""

_OWN = {"prlimit64": 0, "setpriority": 1}
"""Which argument says whose: 0 is the caller itself."""

_THREAD = 0x10000  # among the flags of `clone`, its first argument

_UNKNOWN = ("io_uring_setup", "clone3")
"""The answer is that the kernel has no such call: everybody knows another way."""

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2


def is_there() -> bool:
    """Whether the kernel takes filters, and this machine's calls are known."""
    if _libc is None or sys.maxsize < 1 << 32 or os.uname().machine not in _MACHINES:
        return False
    _libc.prctl(_PR_SET_SECCOMP, _FILTER, None)  # no filter at all: a kernel that has them looks for it in vain
    return ctypes.get_errno() == errno.EFAULT


def restrict(refused: Sequence[str]) -> None:
    """Puts up a filter, for good.  Raises OSError where that cannot be done."""
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


# -- the program that the kernel runs at each call ------------------------------------------------------------------

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where they are in what it is given
_ALLOW, _FAIL_WITH = 0x7FFF0000, 0x00050000

_OTHER_CALLS = 0x40000000
"""Numbers from here on are those of another way to call the same kernel (x32)."""

_Step = tuple[int, int, str, str]
"""An instruction, its value, and where to go on if that is so, and if it is not."""

_NEAR = {"next": 0, "after the next two": 2}
"""How many instructions are passed over."""


def _program(refused: Sequence[str]) -> bytes:
    machine, calls = _MACHINES[os.uname().machine]
    asks: list[_Step] = [
        (_LOAD, _MACHINE, "next", "next"),
        (_IF_EQUAL, machine, "next", "refuse"),
        (_LOAD, _NUMBER, "next", "next"),
        (_IF_AT_LEAST, _OTHER_CALLS, "refuse", "next"),
    ]
    for name in refused:
        if name in calls:
            asks += _asks(name, calls[name])
    ends = {"allow": _ALLOW, "refuse": _FAIL_WITH | errno.EACCES, "unknown": _FAIL_WITH | errno.ENOSYS}
    left = {name: len(asks) + place for place, name in enumerate(ends)}
    steps = asks + [(_RETURN, value, "next", "next") for value in ends.values()]
    program = b""
    for place, (code, value, then, otherwise) in enumerate(steps):
        ways = (_NEAR[way] if way in _NEAR else left[way] - place - 1 for way in (then, otherwise))
        program += struct.pack("=HBBI", code, *ways, value)
    return program


def _asks(name: str, number: int) -> Iterator[_Step]:
    """What is asked of one call, whose number has been loaded."""
    if name in _UNKNOWN:
        yield (_IF_EQUAL, number, "unknown", "next")
    elif name in _OWN:
        yield (_IF_EQUAL, number, "next", "after the next two")
        yield (_LOAD, _ARGUMENTS + 8 * _OWN[name], "next", "next")
        yield (_IF_EQUAL, 0, "allow", "refuse")
    elif name == "clone":
        yield (_IF_EQUAL, number, "next", "after the next two")
        yield (_LOAD, _ARGUMENTS, "next", "next")
        yield (_IF_ANY_BIT, _THREAD, "allow", "refuse")
    else:
        yield (_IF_EQUAL, number, "refuse", "next")
