"""The kernel's part of what holds user code back, as it is on this kernel, on older ones and on other machines."""

from __future__ import annotations

import errno
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from jaxlint.dynamic import boundary, landlock, scratch, seccomp
from jaxlint.dynamic.boundary import Boundary

LINUX = pytest.mark.skipif(not landlock.version(), reason="has no Landlock")

# -- what people are told

FILES = "writing outside its folder"
WRITING = f"{FILES} (files can be cut off)"
SOCKETS = "seccomp, which refuses sockets and processes"


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (Boundary(), "nothing else: this system has no Landlock"),
        (Boundary(0, True), SOCKETS),
        (Boundary(1), f"Landlock 1, which refuses {WRITING} and starting programs"),
        (Boundary(4), f"Landlock 4, which refuses {FILES}, starting programs and TCP"),
        (Boundary(7), f"Landlock 7, which refuses {FILES}, starting programs, TCP and signals to others"),
        (Boundary(7, False, "cuda"), f"Landlock 7, which refuses {FILES} and signals to others"),
        (
            Boundary(2, True),
            f"Landlock 2, which refuses {WRITING} and starting programs; {SOCKETS}",
        ),
    ],
)
def test_what_is_active_is_said_in_a_line(there: Boundary, told: str) -> None:
    assert there.told() == f"user code runs behind an audit hook and {told}"


def test_a_platform_whose_driver_was_not_tried_has_the_audit_hook_alone(tmp_path: Path) -> None:
    assert boundary.offered("tpu").told().endswith("nothing else: what tpu needs of the system is not known")
    boundary.within(str(tmp_path), "tpu")
    (tmp_path.parent / "new").touch()


def test_without_landlock_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "_libc", None)
    monkeypatch.setattr(seccomp, "_libc", None)
    assert boundary.offered("cpu") == Boundary()
    boundary.within(str(tmp_path), "cpu")
    with pytest.raises(OSError, match="no Landlock"):
        landlock.restrict(landlock.WRITING, {}, [], [])
    with pytest.raises(OSError, match="no filter"):
        seccomp.restrict(seccomp.OTHERS)


# -- older kernels: what this one does when it is asked for no more than they know

OLDER = """
import os, socket, sys
from jaxlint.dynamic import boundary, landlock, seccomp
own, outside = sys.argv[2:]
there = landlock.version()
landlock.version = lambda: min(int(sys.argv[1]), there)
boundary.within(own, "cpu")

def refused(act):
    try: act()
    except OSError: return True
    return False

os.makedirs(own + "/folder")
open(own + "/kept", "w").close()
tried = {
    "writing": lambda: open(outside + "/kept", "w"),
    "removing": lambda: os.remove(outside + "/removed"),
    "moving between folders": lambda: os.rename(own + "/kept", own + "/folder/kept"),
    "cutting off": lambda: os.truncate(outside + "/kept", 0),
    "tcp": lambda: socket.socket().bind(("127.0.0.1", 0)),
    "signals": lambda: os.kill(os.getppid(), 0),
}
print(*sorted(name for name, act in tried.items() if refused(act)), sep=", ")
"""


@LINUX
@pytest.mark.parametrize(
    ("version", "refused"),
    [
        (0, ""),
        (1, "moving between folders, removing, writing"),
        (2, "removing, writing"),
        (3, "cutting off, removing, writing"),
        (4, "cutting off, removing, tcp, writing"),
        (6, "cutting off, removing, signals, tcp, writing"),
        (99, "cutting off, removing, signals, tcp, writing"),
    ],
)
def test_each_version_refuses_what_it_knows(tmp_path: Path, version: int, refused: str) -> None:
    if landlock.version() < min(version, 6):
        pytest.skip("this kernel is older")
    for name in ("own", "outside"):
        (tmp_path / name).mkdir()
    for name in ("kept", "removed"):
        (tmp_path / "outside" / name).touch()
    command = [sys.executable, "-c", OLDER, str(version), str(tmp_path / "own"), str(tmp_path / "outside")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert ran.stdout.strip() == refused, ran.stderr


NEEDED = """
import os, socket, sys
from jaxlint.dynamic import boundary
platform, own, outside = sys.argv[1:]
boundary.first(own, platform)

def refused(act):
    try: act()
    except OSError: return True
    return False

tried = {
    "writing": lambda: open(outside + "/kept", "w"),
    "names of threads": lambda: open("/proc/self/comm", "w"),
    "programs": lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "exit"], {}),
    "sockets": lambda: socket.socket(),
}
print(*sorted(name for name, act in tried.items() if refused(act)), sep=", ")
"""


@pytest.mark.skipif(not boundary.offered("cpu").is_whole, reason="this kernel has not all of it")
@pytest.mark.parametrize(
    ("platform", "refused"),
    [("cpu", "names of threads, programs, sockets, writing"), ("cuda", "writing"), ("tpu", "")],
)
def test_each_platform_is_left_what_its_driver_needs(tmp_path: Path, platform: str, refused: str) -> None:
    """CUDA's does not start where it cannot name its threads; XLA's compiler for GPUs is a program."""
    for name in ("own", "outside"):
        (tmp_path / name).mkdir()
    command = [sys.executable, "-c", NEEDED, platform, str(tmp_path / "own"), str(tmp_path / "outside")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert ran.stdout.strip() == refused, ran.stderr


# -- the filter of system calls, on machines that are not here


@pytest.mark.parametrize("machine", seccomp._MACHINES)
def test_the_filter_refuses_some_calls_and_no_other(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=machine))
    name, calls = seccomp._MACHINES[machine]
    allow, refuse, unknown = seccomp._ALLOW, *(seccomp._FAIL_WITH | error for error in (errno.EACCES, errno.ENOSYS))
    answers = {
        (name, calls["socket"], 2): refuse,
        (name, calls["socket"], 1): refuse,
        (name, calls["clone"], 0x11): refuse,  # a process
        (name, calls["clone"], 0x3D0F00): allow,  # a thread
        (name, calls["clone3"], 8): unknown,
        (name, calls.get("fork", calls["clone"])): refuse,
        (name, calls["io_uring_setup"], 8): unknown,
        (name, calls["prlimit64"], 0, 4): allow,
        (name, calls["prlimit64"], 77, 0): refuse,
        (name, calls["setpriority"], 0, 0): allow,
        (name, calls["setpriority"], 0, 77): refuse,
        (name, 0, 3): allow,
        (name, calls["socket"] + 1, 2): allow,
        (name, 0x40000000 + calls["socket"], 2): refuse,
        (name ^ 1, 0, 3): refuse,
    }
    program = seccomp._program([*seccomp.OTHERS, *seccomp.PROCESSES])
    assert {asked: answer(program, *asked) for asked in answers} == answers


def answer(program: bytes, machine: int, number: int, *arguments: int) -> int:
    """What a filter returns for a call, as the kernel reads it."""
    data = struct.pack("=II8x6Q", number, machine, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    steps = list(struct.iter_unpack("=HBBI", program))
    word = place = 0
    while True:
        code, then, otherwise, value = steps[place]
        place += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (word,) = struct.unpack_from("=I", data, value)
        else:
            place += then if {0x15: word == value, 0x35: word >= value, 0x45: word & value}[code] else otherwise


# -- the throwaway folder


def closed(folder: Path) -> None:
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "a" / "b" / "file").touch()
    (folder / "link").symlink_to(folder.parent)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)


def too_deep(folder: Path, levels: int = 300) -> None:
    here = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(levels):
            os.mkdir("deeper")
            os.chdir("deeper")
        Path("file").touch()
    finally:
        os.chdir(here)


@pytest.mark.parametrize("fill", [closed, too_deep])
def test_a_throwaway_folder_is_thrown_away_whatever_is_in_it(
    tmp_path: Path, fill: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    fill(folder)
    if fill is closed:  # root could remove it all the same
        monkeypatch.setattr(shutil, "rmtree", refuse)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        scratch.discard(str(folder))
    finally:
        sys.setrecursionlimit(limit)
    assert list(tmp_path.iterdir()) == []


def refuse(folder: str) -> None:
    raise PermissionError(folder)
