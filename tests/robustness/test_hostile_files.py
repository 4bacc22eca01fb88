"""Files that are none, or too long, or full of nonsense: each is one line that names it, and none is waited for."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from jaxlint.command.cli import main
from jaxlint.files.reading import MAX_BYTES
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.jax_version import declared_jax, load_toml, parse_version
from tests.processes import unprivileged

IMPURE = "import jax\n\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n"
"""A program with one finding: JAX101 on line 6."""

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)  # the whole path may be longer than the name of a socket can be


def _folder(path: Path) -> None:
    path.mkdir()


def _endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 * 1024 * MAX_BYTES)  # a hole


NO_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a pipe": (_pipe, "not a regular file"),
    "a link to a device": (_zeros, "not a regular file"),
    "a socket": (_socket, "not a regular file"),
    "a folder": (_folder, "Is a directory"),
    "a file without end": (_endless, "(the limit is "),
}


@pytest.fixture(params=NO_FILES.values(), ids=NO_FILES)
def no_file(request: pytest.FixtureRequest) -> tuple[Callable[[Path], None], str]:
    kind: tuple[Callable[[Path], None], str] = request.param
    return kind


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder that is the current one; whatever waits for a pipe is ended."""

    def give_up(number: int, frame: object) -> NoReturn:
        pytest.fail("it hangs")

    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(30)
    yield tmp_path
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ["jaxlint.toml", "pyproject.toml", "base.toml", ".jaxlint-baseline.json"])
def test_a_configuration_that_is_no_file_is_one_line(
    name: str,
    no_file: tuple[Callable[[Path], None], str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make, reason = no_file
    (folder / "a.py").write_text(IMPURE)
    if name == "base.toml":
        (folder / "jaxlint.toml").write_text('extend = "base.toml"\n')
    make(folder / name)
    assert main(["."]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert name in err
    assert reason in err


@pytest.mark.parametrize("name", ["requirements.txt", "requirements/dev.txt", "setup.cfg", "uv.lock", ".gitignore"])
def test_a_list_that_is_no_file_is_told_and_the_rest_is_linted(
    name: str,
    no_file: tuple[Callable[[Path], None], str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make, reason = no_file
    (folder / "a.py").write_text(IMPURE)
    (folder / "jaxlint.toml").write_text("")
    (folder / name).parent.mkdir(exist_ok=True)
    monkeypatch.chdir((folder / name).parent)
    make(folder / name)
    assert main(["--output-format", "concise", "--quiet", str(folder)]) == 1
    out, err = capsys.readouterr()
    assert (out.count("JAX101"), out.count("\n")) == (1, 1)
    assert err == f"warning: {folder / name}: cannot be read: {err.partition('cannot be read: ')[2]}"
    assert reason in err


def test_a_source_that_is_no_file_is_a_finding(
    no_file: tuple[Callable[[Path], None], str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, reason = no_file
    make(folder / "b.py")
    (folder / "a.py").write_text(IMPURE)
    code = main(["--output-format", "concise", "--quiet"])
    out, err = capsys.readouterr()
    found = [line.split()[1] for line in out.splitlines()]
    expected = {"Is a directory": (1, ["JAX101"]), "(the limit is ": (1, ["JAX101", "JAX004"])}  # a folder is walked
    assert (code, found) == expected.get(reason, (2, ["JAX101", "JAX002"]))
    assert err == ""


def test_what_lies_in_the_way_of_dynamic_mode_is_passed_over(folder: Path) -> None:
    from jaxlint.dynamic.cache import Cache
    from jaxlint.dynamic.inputs import recordings
    from jaxlint.dynamic.launch import Options
    from jaxlint.dynamic.observations import Job

    _pipe(folder / ".jaxlint-recorded.jsonl")
    _pipe(folder / "b.py")
    assert recordings.read(str(folder / ".jaxlint-recorded.jsonl")) == ()
    pipe = str(folder / "b.py")
    job = Job("a", str(folder / "a.py"), (), (), (), sources=(pipe,), recordings=pipe)
    assert Cache(str(folder / "cache"), "").read(job, Options()) is None


ONE_LINE = {
    "a table nested deeply": ("[" + "a." * 100_000 + "a]\n", "jaxlint.toml: not TOML: a key has more than 200 parts"),
    "a key nested deeply": ("a." * 100_000 + "a = 1\n", "jaxlint.toml: not TOML: a key has more than 200 parts"),
    "a quoted key nested deeply": ('"a".' * 100_000 + "a = 1\n", "not TOML: a key has more than 200 parts"),
    "a list nested deeply": ("a = " + "[" * 100_000, "jaxlint.toml: not TOML: it is nested too deeply"),
    "an inline table nested deeply": ("a = " + "{a = " * 100_000, "jaxlint.toml: not TOML: it is nested too deeply"),
    "a value nested deeply": ("select = " + "[" * 150 + "]" * 150, "jaxlint.toml: select: expected a list of strings"),
    "a number without end": ("select = " + "9" * 5_000, "jaxlint.toml: not TOML: "),
    "a word without end": ("x" * 1_000_000 + " = 1", "jaxlint.toml: unknown key `xxxxx"),
    "a rule without end": (f'select = ["{"x" * 1_000_000}"]', "jaxlint.toml: select: unknown rule `xxxxx"),
    "a version without end": (f'jax-version = "{"9" * 5_000}"', "jaxlint.toml: jax-version: expected a version"),
    "a version of many parts": (f'jax-version = "0.{"9" * 5_000}.1"', "jaxlint.toml: jax-version: expected a version"),
    "no path": ('extend = "a\\u0000b.toml"', "jaxlint.toml: extend: expected a path, found 'a"),
    "an empty path": ('extend = ""', "jaxlint.toml: extend: expected a path, found ''"),
    "a path without end": (f'extend = "{"a" * 5_000}"', "cannot be read: File name too long"),
    "a path of two lines": ('extend = "a\\nb.toml"', "b.toml: cannot be read: No such file or directory"),
    "a baseline with no path": ('baseline = "a\\u0000b"', "jaxlint.toml: baseline: expected a path, found 'a"),
    "a folder with no path": ('src = ["a\\u0000b"]', "jaxlint.toml: src: expected a path, found 'a"),
}


@pytest.mark.parametrize(("text", "line"), ONE_LINE.values(), ids=ONE_LINE)
def test_a_hostile_configuration_is_one_short_line(
    text: str, line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "jaxlint.toml").write_text(text)
    (folder / "a.py").write_text(IMPURE)
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert line in err
    assert len(err) < 6_000


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a\0b", "a = 1".encode("utf-16")], ids=["bytes", "null", "UTF-16"])
def test_a_configuration_that_is_no_text_is_one_line(
    data: bytes, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "jaxlint.toml").write_bytes(data)
    (folder / "a.py").write_text(IMPURE)
    assert main([]) == 2
    assert capsys.readouterr().err.startswith(f"jaxlint: {folder / 'jaxlint.toml'}: not TOML: ")


def test_files_that_extend_each_other_are_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.py").write_text(IMPURE)
    (folder / "jaxlint.toml").write_text('extend = "two.toml"\n')
    (folder / "two.toml").write_text('extend = "three.toml"\n')
    (folder / "three.toml").symlink_to("jaxlint.toml")
    assert main([]) == 2
    assert capsys.readouterr().err == "jaxlint: three.toml: extend: the file extends itself, by way of two.toml\n"


def test_a_chain_of_files_that_extend_each_other_may_be_long(folder: Path) -> None:
    for number in range(1_500):
        (folder / f"{number}.toml").write_text(f'extend = "{number + 1}.toml"\n')
    (folder / "1500.toml").write_text('ignore = ["JAX101"]\n')
    configuration = Configuration(str(folder), file="0.toml")
    assert configuration.settings_for(str(folder)).ignore == ("JAX101",)


VERSIONS = {
    "9" * 5_000: None,
    "0." + "9" * 5_000: None,
    "0.4." * 50_000 + "1": (0, 4) * 50_000 + (1,),
    "20250101.1": (20250101, 1),
    "v": None,
    "\u0660.\u0664": (0, 4),
}


@pytest.mark.parametrize("text", VERSIONS, ids=lambda text: f"{text[:6]}… of {len(text)}")
def test_versions_of_any_length(text: str) -> None:
    assert parse_version(text) == VERSIONS[text]


HOSTILE_LISTS = {
    "requirements.txt": [f"jax>={'9' * 5_000}", "jax" + " " * 200_000 + "x", "jax[" * 50_000, "jax==" + "1." * 100_000],
    "pyproject.toml": [
        f'[project]\ndependencies = ["jax=={"9" * 5_000}"]',
        f'[tool.poetry.dependencies]\njax = "{"9" * 5_000}"',
        "[project]\ndependencies = 7",
        "project = [1]\ntool = 3",
    ],
    "uv.lock": [
        f'[[package]]\nname = "jax"\nversion = "{"9" * 5_000}"',
        'package = "jax"',
        "package = [1, [2]]",
        'package = [{name = "jax", version = 3}]',
    ],
    "setup.cfg": [f"[options]\ninstall_requires =\n  jax>={'9' * 5_000}\n", "[options\n", "[a]\n[a]\n"],
    "setup.py": [f"setup(install_requires=['jax>={'9' * 5_000}'])", "(" * 100_000, "x = " + "9" * 5_000, "a\0b"],
}


@pytest.mark.parametrize("name", HOSTILE_LISTS)
def test_versions_that_are_none_declare_nothing(name: str, folder: Path) -> None:
    for text in HOSTILE_LISTS[name]:
        (folder / name).write_text(text)
        problems: list[str] = []
        declared = declared_jax(str(folder), problems=problems)
        assert (declared.minimum, problems) == ((1,) * 100_000 if "1.1." in text else None, []), text[:60]


def test_deep_keys_that_people_write_are_read() -> None:
    assert load_toml("[a.b]\nc.d = 'x." + "y." * 150 + "'") == {"a": {"b": {"c": {"d": "x." + "y." * 150}}}}
    many = ", ".join(f'"a{number}.py"' for number in range(1_000))
    assert len(load_toml(f"select = [{many}]")["select"]) == 1_000


def test_a_file_that_becomes_a_folder_meanwhile_is_a_finding(folder: Path) -> None:
    (folder / "a.py").write_text(IMPURE)
    (folder / "b.py").write_text(IMPURE)
    run = Run.over(["."], Configuration(str(folder)))
    (folder / "b.py").unlink()
    (folder / "b.py").mkdir()
    printed, unread = run.findings()
    assert (printed.code, unread.code) == ("JAX101", "JAX002")
    assert unread.message == "cannot read this file: Is a directory"


def test_a_folder_that_cannot_be_entered_is_named_and_the_rest_is_linted(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text("")
    (tmp_path / "a.py").write_text(IMPURE)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "b.py").write_text(IMPURE)
    (tmp_path / "secret").chmod(0o000)
    try:
        run = unprivileged(tmp_path, "--output-format", "concise")
        fixed = unprivileged(tmp_path, "--diff", "--output-format", "concise")
        ignored = unprivileged(tmp_path, "--ignore", "JAX002", "--output-format", "concise")
        excluded = unprivileged(tmp_path, "--exclude", "secret", "--output-format", "concise")
    finally:
        (tmp_path / "secret").chmod(0o755)
    assert (run.returncode, run.stderr) == (2, "")
    assert [line.split(" ", 2)[:2] for line in run.stdout.splitlines()[:2]] == [
        ["a.py:6:5:", "JAX101"],
        ["secret:1:1:", "JAX002"],
    ]
    assert "cannot read this folder: Permission denied" in run.stdout
    assert fixed.returncode == 1
    assert (ignored.returncode, "JAX002" in ignored.stdout) == (1, False)
    assert (excluded.returncode, "JAX002" in excluded.stdout) == (1, False)


def test_folders_deeper_than_a_path_can_say_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.py").write_text(IMPURE)
    here = os.getcwd()
    for length in (300 - len(str(folder)), *[250] * 20):  # the same lengths wherever the tests' folder lies
        os.mkdir("d" * length)
        os.chdir("d" * length)
    Path("b.py").write_text(IMPURE)
    os.chdir(here)
    assert main(["--output-format", "concise"]) == 2
    out, err = capsys.readouterr()
    assert [line.split(" ")[1] for line in out.splitlines() if ": JAX" in line] == ["JAX101", "JAX002"]
    assert "cannot read this folder: File name too long" in out
    assert err == ""


def test_the_topmost_folder_is_no_trap() -> None:
    """What lies in it is a program of its own: neither is the whole system read, nor does the way up never end."""
    buffers = {"/jaxlint-test-of-the-topmost-folder.py": IMPURE.encode()}
    run = Run.over([], Configuration("/"), buffers, force_exclude=True)
    assert [finding.code for finding in run.findings()] == ["JAX101"]
