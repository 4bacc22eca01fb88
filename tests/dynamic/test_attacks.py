"""What user code may do: each attack of the table in docs/dynamic.md, behind all that the kernel has and behind the
audit hook alone."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from jaxlint.dynamic import boundary
from jaxlint.dynamic.broker import Options, run_jobs
from jaxlint.dynamic.observations import Job, Outcome, Result
from tests.dynamic.attacks import ATTACKS, CONTAINED, HELPERS, POSSIBLE, REFUSED, Attack

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "dynamic.md"
WHOLE = boundary.offered("cpu").is_whole

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is tried is Linux's")


@dataclass
class Field:
    """What became of all attacks."""

    results: dict[str, Result]
    changed: set[str]
    harmed: bool
    left: list[str]


@pytest.fixture(scope="module", params=[True, False], ids=["behind the kernel's boundary", "behind the hook alone"])
def mode(request: pytest.FixtureRequest) -> bool:
    if request.param and not WHOLE:
        pytest.skip("this kernel has not all of it")
    return bool(request.param)


@pytest.fixture(scope="module")
def field(mode: bool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    folder = tmp_path_factory.mktemp("field")
    (folder / "scratch").mkdir()
    with pytest.MonkeyPatch.context() as patch, socket.socket() as server, socket.socket(socket.AF_UNIX) as service:
        patch.setattr(tempfile, "tempdir", str(folder / "scratch"))
        patch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)
        server.bind(("127.0.0.1", 0))
        server.listen()
        service.bind(str(folder / "service"))
        service.listen()
        with subprocess.Popen(["sleep", "600"]) as victim:
            try:
                yield fought(folder, mode, victim, server.getsockname()[1])
            finally:
                victim.kill()
                Path(f"/dev/shm/jaxlint{victim.pid}").unlink(missing_ok=True)


def fought(folder: Path, mode: bool, victim: subprocess.Popen[bytes], port: int) -> Field:
    head = f"VICTIM, PORT, SERVICE = {victim.pid}, {port}, {str(folder / 'service')!r}\n"
    texts = []
    for each in ATTACKS:
        outside = folder / each.name
        outside.mkdir()
        (outside / "kept").write_text("kept")
        os.utime(outside / "kept", (1, 1))
        texts.append(each.text(str(outside)))
    before = {each.name: seen(folder / each.name) for each in ATTACKS}
    (folder / "attacks_of_all_kinds.py").write_text(HELPERS + head + "\n".join(texts))
    names = tuple(f"run_{each.name}" for each in ATTACKS)
    path = str(folder / "attacks_of_all_kinds.py")
    job = Job("attacks_of_all_kinds", path, (str(folder),), names, (), (path,))
    options = Options(timeout=20.0, memory=1 << 30, workers=1, target="isolation_target", boundary=mode)
    results = {result.qualname: result for result in run_jobs([job], options)}
    return Field(
        results,
        {name for name, state in before.items() if seen(folder / name) != state},
        victim.poll() is not None,
        [*processes_of(folder), *map(str, (folder / "scratch").iterdir())],
    )


def seen(folder: Path) -> list[tuple[str, int, int, float]]:
    entries = [(path, path.stat()) for path in sorted(folder.rglob("*"))]
    return [(str(path), state.st_mode, state.st_size, state.st_mtime) for path, state in entries]


def processes_of(folder: Path) -> list[str]:
    """The processes of the run that are left."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(folder) in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
def test_the_outcome_of_an_attack_is_what_the_page_says(field: Field, mode: bool, attack: Attack) -> None:
    result = field.results[f"run_{attack.name}"]
    is_refused = result.outcome is Outcome.DONE and result.detail.startswith("refused: ")
    is_refused |= result.outcome is Outcome.CRASHED and "of memory" in result.detail
    outcome = REFUSED if is_refused else CONTAINED
    expected = attack.bounded if mode else attack.hooked
    assert outcome == (REFUSED if expected == REFUSED else CONTAINED), result.detail
    if expected != POSSIBLE:
        assert attack.name not in field.changed


def test_nothing_is_left_of_them_and_nobody_was_harmed(field: Field) -> None:
    assert field.results[""].outcome is Outcome.DONE
    assert not field.left
    assert not field.harmed


def test_the_page_has_the_table() -> None:
    head = "| what is tried | with the kernel | the hook alone |\n|---|---|---|\n"
    table = head + "".join(f"{each.row()}\n" for each in ATTACKS)
    assert table in PAGE.read_text(encoding="utf-8"), table
