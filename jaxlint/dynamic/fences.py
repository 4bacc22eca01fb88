"""What stands in Python between user code and the machine it is traced on.

Writes outside the scratch folder, new processes, signals to others and the network are refused by an audit hook;
memory, file sizes and time are limited. This is a fence against accidents: Python code can reach C, and C asks nobody
here.  It asks the kernel (`boundary.py`), where that is one that can refuse.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from types import FrameType
from typing import Any
from urllib.parse import unquote

resource: Any = importlib.import_module("resource") if os.name == "posix" else None


# -- the audit hook ----------------------------------------------------------------------------------------------

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# Which arguments of an event are paths whose content or mode changes, each with the folder it is relative to.
_CHANGED = {
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
    "os.chflags": ((0, None),),
    "os.lchflags": ((0, None),),
}

# The same where it is the entry in its folder that comes or goes: a link is not followed.
_ENTRIES: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.mkdir": ((0, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((0, 2), (1, 3)),
    "os.symlink": ((1, 2),),
}

_REFUSED = {
    "starting a process": "os.system os.exec os.posix_spawn os.spawn os.startfile os.startfile/2 os.fork os.forkpty "
    "subprocess.Popen pty.spawn webbrowser.open _winapi.CreateProcess os.killpg",
    "the network": "socket.connect socket.bind socket.getaddrinfo socket.gethostbyname socket.gethostbyaddr "
    "socket.sendto socket.sendmsg",
    "the system's log": "syslog.openlog syslog.syslog",
    "the registry": "winreg.SetValue winreg.CreateKey winreg.DeleteKey winreg.DeleteValue",
}

# Functions that tell no hook what they do: they are replaced, where there are any. Those that make a file may do so
# in the scratch folder.
_SILENT = {
    "starting a process": "_posixsubprocess.fork_exec",
    "a signal to another process": "signal.pidfd_send_signal",
    "shared memory": "_posixshmem.shm_open _posixshmem.shm_unlink",
}
_MAKES_FILES = ("mkfifo", "mknod")


class Refused(PermissionError):
    """What a fence raises in user code: it says something of jaxlint's workers and nothing of the program."""


class Fence:
    """The audit hook of this process. It cannot be taken down again, and a forked process has it too."""

    def __init__(self, scratch: str) -> None:
        self._root = os.path.realpath(scratch)
        self._forks = False
        self._checks: dict[str, Callable[[str, Any], None]] = {
            "open": self._open,
            "os.kill": self._kill,
            "resource.prlimit": self._limit,
            "sqlite3.connect": self._database,
        }
        self._checks |= dict.fromkeys(_CHANGED, self._change)
        self._checks |= dict.fromkeys(_ENTRIES, self._entry)
        self._refusals = {event: what for what, events in _REFUSED.items() for event in events.split()}
        self._checks |= dict.fromkeys(self._refusals, self._refuse)

    def install(self) -> None:
        checks = self._checks.get

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            check = checks(event)
            if check is not None:
                check(event, arguments)

        self._replace_silent()
        sys.addaudithook(hook)

    def confine(self, scratch: str) -> None:
        """From now on this is the scratch folder: for a process forked from the one that put the fence up."""
        self._root = os.path.realpath(scratch)

    @contextmanager
    def forking(self) -> Iterator[None]:
        """Lets the worker itself fork."""
        self._forks = True
        try:
            yield
        finally:
            self._forks = False

    # -- what each event says

    def _open(self, event: str, arguments: Any) -> None:
        path, _, flags = arguments
        if isinstance(path, int) or not (isinstance(flags, int) and flags & _WRITING):
            return  # a descriptor was opened before, and asked about then
        if not self._inside(path) and not _is_sink(path):
            raise Refused(f"jaxlint: writing to {path!r} is refused while tracing")

    def _change(self, event: str, arguments: Any) -> None:
        for path, folder in _CHANGED[event]:
            if not self._inside(arguments[path], -1 if folder is None else arguments[folder]):
                raise Refused(f"jaxlint: {event} on {arguments[path]!r} is refused while tracing")

    def _entry(self, event: str, arguments: Any) -> None:
        for path, folder in _ENTRIES[event]:
            if not self._enters(arguments[path], -1 if folder is None else arguments[folder]):
                raise Refused(f"jaxlint: {event} on {arguments[path]!r} is refused while tracing")

    def _kill(self, event: str, arguments: Any) -> None:
        if arguments[0] != os.getpid() and arguments[1] != 0:
            raise Refused("jaxlint: a signal to another process is refused while tracing")

    def _limit(self, event: str, arguments: Any) -> None:
        if arguments[0] not in (0, os.getpid()):
            raise Refused("jaxlint: a limit for another process is refused while tracing")

    def _refuse(self, event: str, arguments: Any) -> None:
        if not (event == "os.fork" and self._forks):
            raise Refused(f"jaxlint: {self._refusals[event]} is refused while tracing ({event})")

    def _database(self, event: str, arguments: Any) -> None:
        if not self._holds(os.fsdecode(arguments[0])):
            raise Refused(f"jaxlint: the database {arguments[0]!r} is refused while tracing")

    def _holds(self, name: str) -> bool:
        """Whether a database of this name is in memory or in the scratch folder."""
        if name.startswith("file:"):  # an address: its path ends where the question begins
            name = unquote(name[5:].partition("?")[0].partition("#")[0])
            name = name[name.find("/", 2) :] if name.startswith("//") else name
        return name in ("", ":memory:") or self._inside(name)

    # -- functions that raise no event

    def _replace_silent(self) -> None:
        for what, functions in _SILENT.items():
            for function in functions.split():
                module, _, name = function.partition(".")
                for owner in _modules(module):
                    if hasattr(owner, name):
                        setattr(owner, name, _refusing(what, function))
        for name in _MAKES_FILES:
            for owner in _modules("os", "posix"):
                if hasattr(owner, name):
                    setattr(owner, name, self._asking(getattr(owner, name)))

    def _asking(self, make: Callable[..., None]) -> Callable[..., None]:
        @wraps(make)
        def asking(path: Any, *arguments: Any, dir_fd: int | None = None, **others: Any) -> None:
            if not self._enters(path, -1 if dir_fd is None else dir_fd):
                raise Refused(f"jaxlint: {make.__name__} of {path!r} is refused while tracing")
            make(path, *arguments, dir_fd=dir_fd, **others)

        return asking

    def _inside(self, path: Any, folder: int = -1) -> bool:
        """Whether ``path``, or what a descriptor has open, is in the scratch folder; what cannot be told is not."""
        try:
            if isinstance(path, int):
                opened = _place_of(path)  # where nobody tells, it was asked about when it was opened
                return not os.path.isabs(opened) or self._is_below(opened)
            return self._is_below(os.path.realpath(_joined(path, folder)))
        except (OSError, TypeError, ValueError):
            return False

    def _enters(self, path: Any, folder: int) -> bool:
        """The same of an entry in a folder, which may be a link, and may not be the scratch folder itself."""
        try:
            name = _joined(path, folder)
            parent, _ = os.path.split(name.rstrip(os.sep) or name)
            return self._is_below(os.path.realpath(parent))
        except (OSError, TypeError, ValueError):
            return False

    def _is_below(self, real: str) -> bool:
        return real == self._root or real.startswith(self._root + os.sep)


def _joined(path: Any, folder: int) -> str:
    name = os.fsdecode(path)
    return name if folder == -1 or os.path.isabs(name) else os.path.join(_place_of(folder) or os.devnull, name)


def _is_sink(path: Any) -> bool:
    try:
        return os.fsdecode(path) in ("", os.devnull)
    except (TypeError, ValueError):
        return False


def _place_of(descriptor: int) -> str:
    """The path of what a descriptor has open, of a pipe another word; empty where nobody tells."""
    if sys.platform == "linux":
        return os.readlink(f"/proc/self/fd/{descriptor}")
    elif sys.platform == "darwin":
        import fcntl

        return os.fsdecode(fcntl.fcntl(descriptor, 50, bytes(1024)).rstrip(b"\0"))  # F_GETPATH
    else:
        return ""


def _modules(*names: str) -> Iterator[Any]:
    for name in names:
        with suppress(ImportError):
            yield importlib.import_module(name)


def _refusing(what: str, function: str) -> Callable[..., None]:
    def refusing(*arguments: Any, **others: Any) -> None:
        raise Refused(f"jaxlint: {what} is refused while tracing ({function})")

    return refusing


# -- limits ------------------------------------------------------------------------------------------------------

_FILE_SIZE = 1 << 28
_PAGE: int = resource.getpagesize() if resource is not None else 4096
_THREAD_SPACE = 1 << 27  # a stack and a malloc arena: address space, not memory


def limit_resources(memory: int | None) -> None:
    """No core dumps, no huge files, address space for ``memory`` bytes beyond what is mapped now (None: no limit)."""
    if resource is None:
        return
    wanted = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: _FILE_SIZE}
    if memory is not None and sys.platform == "linux":
        # XLA maps far more than it uses, in proportion to its threads.
        wanted[resource.RLIMIT_AS] = _mapped() + memory + (os.cpu_count() or 1) * _THREAD_SPACE
    for limit, value in wanted.items():
        _, hard = resource.getrlimit(limit)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))


def _mapped() -> int:
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[0]) * _PAGE


def resident(process: int) -> int:
    """The bytes of memory a process holds; 0 when that cannot be told."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as stream:
            return int(stream.read().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


def parent_of(process: int) -> int:
    """The process that has started it, or inherited it; 0 when that cannot be told."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stream:
            return int(stream.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0


class OutOfTime(BaseException):
    """Raised in user code when its time is up. Not an Exception: `except Exception` is no way out."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raises `OutOfTime` in the main thread after ``seconds`` and each second from then on, for those who swallow it.

    While this process waits for a processor that others use, its time stands still.  Code that gets past this, in C or
    with a handler of its own, meets the hard limit of the process that watches.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    armed = True
    end, waited = time.monotonic() + seconds, starved(os.getpid())

    def ring(number: int, frame: FrameType | None) -> None:
        left = end - time.monotonic() + min(starved(os.getpid()) - waited, MOST_STARVED * seconds)
        if armed and left > _SOON:
            signal.setitimer(signal.ITIMER_REAL, left, 1.0)
        elif armed:
            raise OutOfTime

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)


MOST_STARVED = 1.0
"""How many times its limit a process may wait for a processor: the whole run has a budget that others share."""

_SOON = 0.05


def starved(process: int) -> float:
    """Seconds that a process has been ready to run and had no processor; 0 where nobody tells."""
    try:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as stream:
            return int(stream.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


# -- what only Linux has -----------------------------------------------------------------------------------------

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _CLONE_NEWNET = 1, 36, 0x40000000

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with(parent: int) -> None:
    """End this process when ``parent``, which has just started it, ends, however that happens."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it was faster
            os._exit(1)


def adopt_orphans() -> bool:
    """Become the parent of processes whose own parent ends, so that none is out of reach; whether that is possible."""
    return _libc is not None and _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def leave_network() -> None:
    """Move to an empty network namespace, where the system lets us; the audit hook refuses connections anyhow."""
    if _libc is not None:
        _libc.unshare(_CLONE_NEWNET)
