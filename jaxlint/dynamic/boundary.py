"""The kernel's part of what stands between user code and the machine: what is there of it, and putting it up.

Unlike the audit hook (`fences.py`) it binds C code and programs too.  Each part is put up where the kernel has it; a
run goes on without those that it has not, and the command says which there are.
"""

from __future__ import annotations

import ctypes
import glob
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from jaxlint.dynamic import landlock, seccomp

_SINKS = ("/dev/null", "/dev/zero")

_ALL = landlock.FOLDERS | landlock.DEVICES

_NEEDED: dict[str, dict[str, frozenset[landlock.Right]]] = {
    "cpu": {},
    "cuda": {
        "/dev/nvidia*": landlock.DEVICES,
        "/dev/shm": _ALL,
        "/proc": landlock.DEVICES,  # the driver does not start where it cannot name its threads
    },
}
"""What else a platform's driver writes to. Others have not been tried behind this: they run without."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """What of it there is for code that is traced for ``platform``: the version of Landlock's interface (0: none), and
    whether system calls are filtered."""

    landlock: int = 0
    seccomp: bool = False
    platform: str = "cpu"

    @property
    def is_whole(self) -> bool:
        """Whether all that docs/dynamic.md says of it holds."""
        return self.platform == "cpu" and self.landlock >= _WHOLE and self.seccomp

    def told(self) -> str:
        """One line for people: what the kernel refuses to user code."""
        return f"user code runs behind an audit hook and {'; '.join(self._parts())}"

    def _parts(self) -> Iterator[str]:
        if self.landlock:
            refused = ["writing outside its folder" + (" (files can be cut off)" if self.landlock < 3 else "")]
            if self.platform == "cpu":
                refused += ["starting programs", *(["TCP"] if self.landlock >= 4 else [])]
            refused += ["signals to others"] if self.landlock >= _WHOLE else []
            yield f"Landlock {self.landlock}, which refuses {_listed(refused)}"
        if self.seccomp:
            yield "seccomp, which refuses sockets and processes"
        if self.platform not in _NEEDED:
            yield f"nothing else: what {self.platform} needs of the system is not known"
        elif not self.landlock and not self.seccomp:
            yield "nothing else: this system has no Landlock"


_WHOLE = 6
"""The version of Landlock that has all that is used here."""


def offered(platform: str) -> Boundary:
    """What the kernel has for code that is traced for ``platform``."""
    if platform not in _NEEDED:
        return Boundary(platform=platform)
    return Boundary(landlock.version(), platform == "cpu" and seccomp.is_there(), platform)


def first(folder: str, platform: str) -> None:
    """Puts up all that there is: from here on this process writes below ``folder`` only."""
    if platform == "cpu":
        _give_up_capabilities()
        with suppress(OSError):
            seccomp.restrict(seccomp.OTHERS)
    within(folder, platform)


def within(folder: str, platform: str) -> None:
    """Narrows what the process, which is behind a boundary, may write to ``folder``.

    Its signals reach only processes that it starts from now on, and itself.
    """
    if platform not in _NEEDED:
        return
    allowed = {folder: _ALL, **dict.fromkeys(_SINKS, landlock.DEVICES)}
    for pattern, rights in _NEEDED[platform].items():
        allowed |= dict.fromkeys(glob.glob(pattern), rights)
    files, network, scoped = set(landlock.WRITING), [], [landlock.SIGNALS]
    if platform == "cpu":  # a GPU's compiler is a program, and what connects GPUs are sockets
        files.add(landlock.EXECUTE)
        network.append(landlock.TCP)
        scoped.append(landlock.ABSTRACT_SOCKETS)
    with suppress(OSError):  # there is none, or there are as many layers of it as there can be
        landlock.restrict(files, allowed, network, scoped)


def settle(platform: str) -> None:
    """From here on this process starts no other: what it leaves to be ended is itself."""
    if platform == "cpu":
        with suppress(OSError):
            seccomp.restrict(seccomp.PROCESSES)


# -- what root may --------------------------------------------------------------------------------------------------

_READ_ALL = 1 << 2  # CAP_DAC_READ_SEARCH
_CAPABILITIES_3 = 0x20080522


def _give_up_capabilities() -> None:
    """What root may and others may not, but for reading all files, is given up: there are no accidents with a disk."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return
    # The header, and three words each for the lower and the upper half: effective, permitted, inheritable.
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    held = (ctypes.c_uint32 * 6)()
    if libc.capget(header, held) == 0:
        kept = held[1] & _READ_ALL
        libc.capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
