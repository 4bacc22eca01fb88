"""`jaxlint PATH…`: what is printed, in which format, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.command.cli import main
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]


def test_nothing_to_report(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "x = 1\n"})
    outcome = jaxlint("a.py")
    assert (outcome.code, outcome.out, outcome.err) == (0, "All checks passed!\n", "")


def test_full_report_shows_the_place_and_the_way_out(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("a.py")
    assert outcome.code == 1
    first, *rest = outcome.out.splitlines()
    assert first.startswith("JAX101 [print-in-traced-function] ")
    assert rest[:6] == [" --> a.py:6:5", "  |", "4 | @jax.jit", "5 | def f(x):", "6 |     print(x)", "  |     ^^^^^^^^"]
    assert any(line.startswith("note: ") for line in rest)
    assert any(line.startswith("help: ") for line in rest)
    assert rest[-2:] == ["Found 1 error.", "[*] 1 fixable with the `--fix` option."]


def test_check_is_the_default_command_and_here_the_default_path(jaxlint: Jaxlint, write: Write) -> None:
    write({"src/a.py": IMPURE})
    reports = {jaxlint(*arguments).out for arguments in ([], ["check"], ["."], ["src"], ["check", "src/a.py"])}
    assert len(reports) == 1
    assert "src/a.py:6:5" in reports.pop()


def test_concise(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "b.py": "x = (\n"})
    outcome = jaxlint("--output-format", "concise")
    assert outcome.found == ["a.py:6 JAX101", "b.py:1 JAX001"]
    assert outcome.out.splitlines()[-2] == "Found 2 errors."


def test_json_has_the_keys_of_ruff_and_our_own(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    (row,) = jaxlint("a.py", "--output-format", "json").rows
    assert row["code"] == "JAX101"
    assert row["name"] == "print-in-traced-function"
    assert row["filename"] == str(project / "a.py")
    assert row["location"] == {"row": 6, "column": 5}
    assert row["end_location"] == {"row": 6, "column": 13}
    assert row["noqa_row"] == 6
    assert (row["cell"], row["url"], row["verdict"]) == (None, None, None)
    assert row["fix"]["applicability"] == "safe"
    assert row["severity"] in ("error", "warning", "info")
    assert row["certainty"] in ("certain", "likely", "possible")
    for related in row["related"]:
        assert set(related) == {"cell", "message", "filename", "location", "end_location"}


def test_json_lines(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "b.py": IMPURE})
    outcome = jaxlint("--output-format", "json-lines")
    assert [json.loads(line)["code"] for line in outcome.out.splitlines()] == ["JAX101", "JAX101"]


def test_json_without_findings_is_an_empty_list(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": ""})
    assert jaxlint("--output-format", "json").rows == []


def test_statistics(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "b.py": IMPURE, "c.py": "x = (\n"})
    outcome = jaxlint("--statistics")
    assert outcome.out.splitlines() == [
        "2  JAX101  print-in-traced-function",
        "1  JAX001  syntax-error",
        "Found 3 errors.",
        "[*] 2 fixable with the `--fix` option.",
    ]
    assert jaxlint("--statistics", "--output-format", "json").rows[0]["count"] == 2


def test_output_file_and_quiet(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("--output-format", "concise", "-q", "-o", "report.txt")
    assert (outcome.code, outcome.out) == (1, "")
    (line,) = (project / "report.txt").read_text().splitlines()
    assert line.startswith("a.py:6:5: JAX101 ")


def test_show_files(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "sub/b.py": "", "build/c.py": "", "d.txt": ""})
    assert jaxlint("--show-files").out.splitlines() == [str(project / "a.py"), str(project / "sub/b.py")]


EXIT_CODES = [
    (["clean.py"], 0),
    (["impure.py"], 1),
    (["impure.py", "--exit-zero"], 0),
    (["broken.py"], 1),
    (["latin.py"], 2),
    (["latin.py", "--exit-zero"], 2),
    (["gone.py"], 2),
    (["--no-such-flag"], 2),
    (["--output-format", "xml"], 2),
    (["--select", "XYZ"], 2),
    (["--config", "gone.toml"], 2),
    (["empty-folder"], 0),
]


@pytest.mark.parametrize(("arguments", "code"), EXIT_CODES, ids=[" ".join(arguments) for arguments, _ in EXIT_CODES])
def test_exit_code(jaxlint: Jaxlint, write: Write, project: Path, arguments: list[str], code: int) -> None:
    write({"clean.py": "", "impure.py": IMPURE, "broken.py": "x = (\n"})
    (project / "latin.py").write_bytes(b"x = '\xe9'\n")
    (project / "empty-folder").mkdir()
    assert jaxlint(*arguments).code == code


FAILURES = {
    "jaxlint: gone.py: no such file or folder": ["gone.py"],
    "jaxlint: no such option: --selct, did you mean `--select`?": ["--selct"],
    "jaxlint: command line: select: unknown rule `JAX80X`, did you mean `JAX804`?": ["--select", "JAX80X"],
    "jaxlint: command line: ignore: unknown rule `key-reuse`, did you mean `key-reused`?": ["--ignore", "key-reuse"],
    "jaxlint: command line: certainty: expected possible, likely or certain, found 'sure'": ["--certainty", "sure"],
    "jaxlint: a.py: expected FILE:LINE, such as train.py:12": ["why", "a.py"],
    "jaxlint: unknown rule `JAX999`": ["rule", "JAX999"],
}


@pytest.mark.parametrize(("line", "arguments"), FAILURES.items(), ids=FAILURES)
def test_a_failure_is_one_line(jaxlint: Jaxlint, line: str, arguments: list[str]) -> None:
    outcome = jaxlint(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(line)
    assert outcome.err.count("\n") == 1


def test_a_file_that_cannot_be_read_does_not_hide_the_others(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "z.py": "x = 1\0\n"})
    (project / "m.py").write_bytes(b"\xff\xfe\x00")
    outcome = jaxlint("--output-format", "concise")
    assert (outcome.code, outcome.found) == (2, ["a.py:6 JAX101", "m.py:1 JAX002", "z.py:1 JAX001"])


def test_a_file_that_disappears_meanwhile_is_a_finding(write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "b.py": IMPURE})
    run = Run.over(["."], Configuration(str(project)))
    (project / "b.py").unlink()
    found = [(os.path.basename(finding.path), finding.code) for finding in run.findings()]
    assert found == [("a.py", "JAX101"), ("b.py", "JAX002")]


def test_a_problem_is_reported_whatever_is_selected_unless_it_is_ignored(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "x = (\n"})
    assert jaxlint("--select", "JAX4", "--output-format", "concise").found == ["a.py:1 JAX001"]
    assert jaxlint("--ignore", "JAX001").code == 0


def test_selection(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    assert jaxlint("--select", "JAX4").code == 0
    assert jaxlint("--select", "JAX1").code == 1
    assert jaxlint("--select", "jax101").code == 1
    assert jaxlint("--select", "print-in-traced-function,JAX4").code == 1
    assert jaxlint("--select", "JAX4", "--extend-select", "JAX101").code == 1
    assert jaxlint("--ignore", "JAX1").code == 0
    assert jaxlint("--ignore", "JAX1", "--extend-select", "JAX101").code == 1
    assert jaxlint("--per-file-ignores", "a.py:JAX101").code == 0
    assert jaxlint("--per-file-ignores", "b.py:JAX101").code == 1


def test_force_exclude_leaves_out_named_files(jaxlint: Jaxlint, write: Write) -> None:
    write({"build/a.py": IMPURE, "sub/b.py": IMPURE})
    assert jaxlint("build/a.py").code == 1
    assert jaxlint("build/a.py", "--force-exclude").code == 0
    assert jaxlint("sub/b.py", "--force-exclude", "--exclude", "sub").code == 0


def test_a_file_reached_through_a_link_is_reported_under_the_link(
    jaxlint: Jaxlint, write: Write, project: Path
) -> None:
    write({"a.py": IMPURE})
    (project / "link.py").symlink_to(project / "a.py")
    assert jaxlint("link.py", "--output-format", "concise").found == ["link.py:6 JAX101"]
    assert jaxlint("--output-format", "concise").found == ["a.py:6 JAX101"]


def test_standard_input(jaxlint: Jaxlint) -> None:
    assert jaxlint("-", "--output-format", "concise", stdin=IMPURE.encode()).found == ["-:6 JAX101"]
    assert jaxlint("-", stdin=b"x = 1\n").code == 0
    assert jaxlint("-", stdin=b"\xff").code == 2


def test_standard_input_stands_for_a_file_of_the_project(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "x = 1\n", "helper.py": "def show(x):\n    print(x)\n"})
    buffer = b"import jax\nfrom helper import show\n\n@jax.jit\ndef f(x):\n    show(x)\n    return x\n"
    run = jaxlint("-", "--stdin-filename", "a.py", "helper.py", "--output-format", "concise", stdin=buffer)
    assert run.found == ["helper.py:2 JAX101"]
    assert jaxlint("a.py", "helper.py").code == 0


def test_the_findings_of_a_file_do_not_depend_on_who_is_asked_with_it(jaxlint: Jaxlint, write: Write) -> None:
    write(
        {
            "a.py": "import jax\nfrom helper import show\n\n@jax.jit\ndef f(x):\n    show(x)\n    return x\n",
            "helper.py": "def show(x):\n    print(x)\n",
        }
    )
    assert jaxlint("helper.py", "--output-format", "concise").found == ["helper.py:2 JAX101"]
    assert jaxlint(".", "--output-format", "concise").found == ["helper.py:2 JAX101"]


def test_characters_that_a_terminal_would_obey_are_made_visible(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "import jax\n\n@jax.jit\ndef f(x):\n    print(x, '\x1b[31m\x07')\n"})
    out = jaxlint("a.py").out
    assert "\x1b" not in out
    assert "␛[31m␇" in out


def test_marks_stand_below_wide_characters_and_tabs(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "import jax\n\n@jax.jit\ndef f(x):\n\t'日本'; print(x)\n"})
    code, marks = [line for line in jaxlint("a.py").out.splitlines() if "print(x)" in line or "^" in line][:2]
    assert code == "5 |     '日本'; print(x)"
    assert marks == "  |             ^^^^^^^^"


def command(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, in a process of its own."""
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "jaxlint", *arguments],
        cwd=cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_colours_follow_the_environment(project: Path, write: Write) -> None:
    write({"a.py": IMPURE})
    assert "\033[" not in command("a.py", cwd=project).stdout
    assert "\033[" in command("a.py", cwd=project, FORCE_COLOR="1").stdout
    assert "\033[" not in command("a.py", cwd=project, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_terminal_without_unicode_gets_escapes(project: Path, write: Write) -> None:
    write({"a.py": "import jax\n\n@jax.jit\ndef f(é):\n    print(é)\n"})
    run = command("a.py", cwd=project, PYTHONIOENCODING="ascii")
    assert run.returncode == 1
    assert "\\xe9" in run.stdout


def test_a_closed_pipe_is_not_an_error(project: Path, write: Write) -> None:
    write({f"{number}.py": IMPURE for number in range(200)})
    run = subprocess.run(
        f"{sys.executable} -m jaxlint . | head -n 1",
        cwd=project,
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.startswith("JAX101 ")
    assert run.stderr == ""


def test_interrupting_is_one_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Keyboard(io.BytesIO):
        """Standard input at which Ctrl-C is pressed; a real signal would have to be timed."""

        def read(self, size: int | None = -1) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Keyboard()))
    assert main(["-"]) == 130
    assert capsys.readouterr() == ("", "jaxlint: interrupted\n")
