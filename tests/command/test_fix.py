"""`jaxlint --fix` and `--diff` as a user meets them: what is written, what is printed, what is left alone."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BAD = """\
import jax.numpy as jnp


def table(n):
    x = jnp.zeros(n)
    x[0] = 1.0
    return x
"""
GOOD = BAD.replace("x[0] = 1.0", "x = x.at[0].set(1.0)")

UNSAFE = """\
import jax


def two(key):
    return jax.random.normal(key), jax.random.uniform(key)
"""
SPLIT = UNSAFE.replace(
    "    return jax.random.normal(key)",
    "    key, subkey = jax.random.split(key)\n    return jax.random.normal(subkey)",
)

Jaxlint = Callable[..., Any]
Write = Callable[[dict[str, str]], None]


def test_fix_writes_the_file_and_reports_what_is_left(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD, "b.py": UNSAFE})
    outcome = jaxlint("--fix", "--output-format", "concise")
    assert (project / "a.py").read_text() == GOOD
    assert (project / "b.py").read_text() == UNSAFE
    assert outcome.found == ["b.py:5 JAX401"]
    assert outcome.code == 1
    assert outcome.out.splitlines()[-2:] == [
        "Found 2 errors (1 fixed, 1 remaining).",
        "No fixes available (1 hidden fix can be enabled with the `--unsafe-fixes` option).",
    ]


def test_unsafe_fixes_are_made_when_asked_for(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"b.py": UNSAFE})
    assert jaxlint("--fix", "--unsafe-fixes").out == "Found 1 error (1 fixed, 0 remaining).\n"
    assert (project / "b.py").read_text() == SPLIT
    assert jaxlint("--fix", "--unsafe-fixes").out == "All checks passed!\n"


def test_report_says_what_could_be_fixed(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD})
    outcome = jaxlint("--output-format", "concise")
    assert "a.py:6:5: JAX301 [*] jax arrays are immutable" in outcome.out
    assert outcome.out.splitlines()[-1] == "[*] 1 fixable with the `--fix` option."


def test_json_has_the_edits(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD})
    (row,) = jaxlint("--output-format", "json").rows
    assert row["fix"] == {
        "applicability": "safe",
        "message": "Write `x = x.at[…].set(…)`",
        "edits": [
            {
                "content": " = x.at[0].set(1.0)",
                "location": {"row": 6, "column": 6},
                "end_location": {"row": 6, "column": 15},
            }
        ],
    }


def test_diff_changes_nothing_and_can_be_applied(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"sub/a.py": BAD})
    outcome = jaxlint("--diff")
    assert outcome.code == 1
    assert outcome.err == "Would fix 1 error.\n"
    assert (project / "sub/a.py").read_text() == BAD
    subprocess.run(["git", "apply", "-p0", "-"], input=outcome.out, text=True, check=True, cwd=project)
    assert (project / "sub/a.py").read_text() == GOOD
    clean = jaxlint("--diff")
    assert (clean.code, clean.out, clean.err) == (0, "", "No errors would be fixed.\n")


def test_standard_input_comes_out_fixed(jaxlint: Jaxlint) -> None:
    outcome = jaxlint("--fix", "-", stdin=BAD.encode())
    assert outcome.out == GOOD
    assert outcome.err == "Found 1 error (1 fixed, 0 remaining).\n"


@pytest.mark.parametrize(
    ("encoding", "newline"), [("utf-8-sig", "\r\n"), ("latin-1", "\n"), ("utf-8", "\r"), ("utf-16", "\n")]
)
def test_encoding_and_newlines_stay(project: Path, jaxlint: Jaxlint, encoding: str, newline: str) -> None:
    header = f"# -*- coding: {encoding.removesuffix('-sig')} -*-\n\n# é\n"
    path = project / "a.py"
    before = (header + BAD + "# no break at the end").replace("\n", newline).encode(encoding)
    path.write_bytes(before)
    jaxlint("--fix")
    after = (header + GOOD + "# no break at the end").replace("\n", newline).encode(encoding)
    assert path.read_bytes() == (before if encoding == "utf-16" else after)  # Python itself cannot read UTF-16


def test_mode_and_links_stay(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"real/a.py": BAD})
    (project / "real/a.py").chmod(0o755)
    (project / "link.py").symlink_to("real/a.py")
    jaxlint("--fix", "link.py")
    assert (project / "link.py").is_symlink()
    assert (project / "real/a.py").read_text() == GOOD
    assert stat.S_IMODE(os.stat(project / "real/a.py").st_mode) == 0o755
    assert sorted(os.listdir(project / "real")) == ["a.py"]


def test_file_that_changes_meanwhile_is_left_alone(
    project: Path, jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jaxlint.fixes import fixing

    write({"a.py": BAD, "b.py": BAD})
    original = fixing.write

    def edited_first(result: fixing.Fixed) -> Any:  # the editor saves while the linter is at work
        write({"a.py": "# mine\n"})
        return original(result)

    monkeypatch.setattr(fixing, "write", edited_first)
    outcome = jaxlint("--fix")
    assert (project / "a.py").read_text() == "# mine\n"
    assert (project / "b.py").read_text() == GOOD
    assert outcome.code == 2
    assert "a.py: not fixed: it was changed while it was linted" in outcome.err


def test_only_the_chosen_rules_are_fixed(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD, "jaxlint.toml": 'unfixable = ["JAX301"]\n'})
    outcome = jaxlint("--fix", "--output-format", "concise")
    assert outcome.found == ["a.py:6 JAX301"]
    assert "[*]" not in outcome.out
    jaxlint("--fix", "--fixable", "JAX3", "--unfixable", "JAX4")
    assert (project / "a.py").read_text() == GOOD


def test_configuration_can_turn_fixing_on(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD, "jaxlint.toml": "fix = true\n"})
    assert jaxlint("--no-fix").code == 1
    assert (project / "a.py").read_text() == BAD
    assert jaxlint().code == 0
    assert (project / "a.py").read_text() == GOOD


def test_listing_quiet_and_exit_codes(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD, "b.py": UNSAFE})
    outcome = jaxlint("--fix-only", "--show-fixes", "--exit-non-zero-on-fix")
    assert outcome.code == 1
    assert outcome.out.splitlines()[:3] == ["Fixed 1 error:", "- a.py:", "    1 x JAX301 (item-assignment)"]
    assert jaxlint("--fix-only").code == 0


def test_fixes_in_files_with_errors_wait(project: Path, jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": BAD + "def (\n", "b.py": BAD})
    outcome = jaxlint("--fix", "--output-format", "concise")
    assert outcome.found == ["a.py:8 JAX001"]
    assert (project / "a.py").read_text() == BAD + "def (\n"
    assert (project / "b.py").read_text() == GOOD


def test_what_is_left_is_not_called_fixable_again(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    walrus = "import jax\n\n\ndef f(key):\n    return jax.random.normal(k := key) + jax.random.normal(k)\n"
    write({"a.py": BAD + UNSAFE.partition("\n")[2], "b.py": walrus, "c.py": UNSAFE})
    for flags in (["--fix"], ["--fix", "--unsafe-fixes"]):
        jaxlint(*flags)
        once = {path.name: path.read_text() for path in project.glob("*.py")}
        again = jaxlint(*flags)
        assert "fixed" not in again.out
        assert "fixable with" not in again.out
        assert "[*]" not in again.out
        assert {path.name: path.read_text() for path in project.glob("*.py")} == once


def test_reports_that_show_no_fixes_make_none(jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.py": BAD})
    monkeypatch.setattr("jaxlint.fixes.fix_for", lambda *_: pytest.fail("made a fix"))
    assert "JAX301" in jaxlint("--output-format", "pylint").out
