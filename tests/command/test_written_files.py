"""Files that are written: whole or not at all, with the names, links and permissions that they have."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.files import writing
from tests.command.conftest import IMPURE, Jaxlint
from tests.processes import unprivileged

Write = Callable[[dict[str, str]], None]

OLD = b"the old report\n"
LONG = IMPURE + "\n" + "    # a comment\n" * 1_000


def on_a_full_disk(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command where no file may have more than a hundred bytes."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    command = [sys.executable, "-B", "-m", "jaxlint", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, preexec_fn=limit)


@pytest.mark.parametrize("command", [["--no-cache", "-o", "report"], ["report", "--format", "json", "-o", "report"]])
@pytest.mark.parametrize("kind", ["a file", "a file with two names", "a link"])
def test_a_report_that_has_no_room_leaves_the_old_one(
    project: Path, write: Write, command: list[str], kind: str
) -> None:
    write({"a.py": IMPURE})
    real = project / ("real" if kind == "a link" else "report")
    real.write_bytes(OLD)
    if kind == "a link":
        (project / "report").symlink_to("real")
    if kind == "a file with two names":
        os.link(real, project / "other")
    before = sorted(os.listdir(project))
    run = on_a_full_disk(project, *command)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "jaxlint: report: cannot be written: File too large\n"
    assert (real.read_bytes(), sorted(os.listdir(project))) == (OLD, before)


def test_fixes_and_baselines_that_have_no_room_change_nothing(project: Path, write: Write) -> None:
    write({"a.py": LONG, "b.py": LONG})
    os.link(project / "b.py", project / "c.txt")
    before = sorted(os.listdir(project))
    run = on_a_full_disk(project, "--fix", "-q")
    assert run.returncode == 2
    assert [line.split(": ", 2)[2] for line in run.stderr.splitlines()] == ["not fixed: File too large"] * 2
    assert on_a_full_disk(project, "baseline").returncode == 2
    assert [path.read_text() for path in sorted(project.glob("[abc].*"))] == [LONG] * 3
    assert sorted(os.listdir(project)) == before


def test_a_report_in_a_folder_that_takes_no_other_file_is_written_in_place(project: Path, write: Write) -> None:
    write({"a.py": IMPURE, "out/report": OLD.decode() * 100})
    (project / "out").chmod(0o555)
    try:
        run = unprivileged(project, "-q", "-o", "out/report")
        new = unprivileged(project, "-q", "-o", "out/new")
    finally:
        (project / "out").chmod(0o755)
    assert (run.returncode, run.stderr) == (1, "")
    assert (project / "out/report").read_text().startswith("JAX101")
    assert OLD not in (project / "out/report").read_bytes()
    assert (new.returncode, new.stderr) == (2, "jaxlint: out/new: cannot be written: Permission denied\n")
    assert os.listdir(project / "out") == ["report"]


def test_a_report_into_a_folder_or_a_full_device_is_one_line(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "out/x": ""})
    outcome = jaxlint("-o", "out")
    assert (outcome.code, outcome.err) == (2, "jaxlint: out: cannot be written: Is a directory\n")
    outcome = jaxlint("-o", "gone/report")
    assert (outcome.code, outcome.err) == (2, "jaxlint: gone/report: cannot be written: No such file or directory\n")
    if Path("/dev/full").exists():
        outcome = jaxlint("-o", "/dev/full")
        assert (outcome.code, outcome.err) == (2, "jaxlint: /dev/full: cannot be written: No space left on device\n")


def test_fix_keeps_all_names_and_permissions_of_a_file(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "sub/b.py": IMPURE})
    os.link(project / "a.py", project / "other.txt")
    (project / "a.py").chmod(0o750)
    (project / "sub/b.py").chmod(0o640)
    (project / "link.py").symlink_to("sub/b.py")
    assert jaxlint("--fix").code == 0
    assert "jax.debug.print" in (project / "a.py").read_text()
    assert (project / "a.py").samefile(project / "other.txt")
    assert stat.S_IMODE((project / "a.py").stat().st_mode) == 0o750
    assert stat.S_IMODE((project / "sub/b.py").stat().st_mode) == 0o640
    assert (project / "link.py").is_symlink()
    assert sorted(os.listdir(project / "sub")) == ["b.py"]


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root has files of others")
def test_a_file_stays_its_owners(project: Path) -> None:
    (project / "a").write_bytes(OLD)
    os.chown(project / "a", 1234, 5678)
    writing.replace_file(str(project / "a"), b"new")
    status = (project / "a").stat()
    assert (status.st_uid, status.st_gid, (project / "a").read_bytes()) == (1234, 5678, b"new")


@pytest.fixture(params=["as here", "without nameless files", "without /proc"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What writes files has several ways to do so."""
    if request.param == "without nameless files":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    if request.param == "without /proc":

        def refuse(*paths: object, **options: object) -> None:
            raise FileNotFoundError(2, "No such file or directory")

        monkeypatch.setattr(os, "link", refuse)
        monkeypatch.setattr(os, "supports_dir_fd", {*os.supports_dir_fd, refuse})


@pytest.mark.usefixtures("system")
def test_new_and_old_files_have_the_modes_they_should(project: Path) -> None:
    mask = os.umask(0o027)
    try:
        writing.replace_file(str(project / "new"), b"1")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((project / "new").stat().st_mode) == 0o640
    (project / "new").chmod(0o604)
    writing.replace_file(str(project / "new"), b"22")
    assert stat.S_IMODE((project / "new").stat().st_mode) == 0o604
    writing.replace_file(str(project / "new"), b"")
    assert (project / "new").read_bytes() == b""
    assert sorted(os.listdir(project)) == ["jaxlint.toml", "new"]


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_waits_until_the_file_is_written(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    received: list[int] = []
    before = signal.signal(number, lambda number, frame: received.append(number))
    write = os.write

    def disturbed(descriptor: int, data: bytes) -> int:
        signal.pthread_kill(threading.get_ident(), number)  # other tests' threads would take one for the process
        assert received == []
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", disturbed)
    try:
        writing.replace_file(str(project / "a"), b"new")
        assert received == [number]
    finally:
        signal.signal(number, before)
    assert sorted(os.listdir(project)) == ["a", "jaxlint.toml"]


KILLED = """\
import os, signal, sys
from jaxlint.files import writing
write = os.write
def killed(descriptor, data):
    write(descriptor, data[:10])
    os.kill(os.getpid(), signal.SIGKILL)
os.write = killed
writing.replace_file(sys.argv[1], b"new" * 100)
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
@pytest.mark.parametrize("old", [None, OLD])
def test_a_process_that_is_killed_leaves_nothing(project: Path, old: bytes | None) -> None:
    if old is not None:
        (project / "a").write_bytes(old)
    run = subprocess.run([sys.executable, "-c", KILLED, str(project / "a")], timeout=60)
    assert run.returncode == -signal.SIGKILL
    assert sorted(os.listdir(project)) == ["jaxlint.toml"] if old is None else ["a", "jaxlint.toml"]
    assert old is None or (project / "a").read_bytes() == old
