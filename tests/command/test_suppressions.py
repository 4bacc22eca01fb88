"""Comments that silence findings, and the finding for a comment that silences nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

PROGRAM = """\
import jax
{above}
@jax.jit
def f(x):
    {before}
    print(x){trailing}
    {after}
    return x
"""


def found(jaxlint: Jaxlint, write: Write, text: str) -> list[str]:
    write({"a.py": text})
    return [finding.removeprefix("a.py:") for finding in jaxlint("a.py", "--output-format", "concise").found]


def program(above: str = "", before: str = "", trailing: str = "", after: str = "") -> str:
    return PROGRAM.format(above=above, before=before, trailing=trailing and "  " + trailing, after=after)


SILENT = {
    "by code": {"trailing": "# jaxlint: ignore[JAX101]"},
    "by name": {"trailing": "# jaxlint: ignore[print-in-traced-function]"},
    "by prefix": {"trailing": "# jaxlint: ignore[JAX1]"},
    "by any case": {"trailing": "# jaxlint: ignore[jax101]"},
    "by several": {"trailing": "# jaxlint: ignore[JAX101]  # jaxlint: ignore[print-in-traced-function]"},
    "everything": {"trailing": "# jaxlint: ignore"},
    "with a reason": {"trailing": "# jaxlint: ignore[JAX101] shows each compilation"},
    "after another comment": {"trailing": "# type: ignore  # jaxlint: ignore[JAX101]"},
    "without spaces": {"trailing": "#jaxlint:ignore[JAX101]"},
    "on a line of its own": {"before": "# jaxlint: ignore[JAX101]"},
    "the whole file": {"above": "# jaxlint: file-ignore[JAX101]"},
    "the whole file, from its end": {"after": "# jaxlint: file-ignore[JAX101]"},
    "a range": {"above": "# jaxlint: disable[JAX101]", "after": "# jaxlint: enable[JAX101]"},
    "a range of everything": {"above": "# jaxlint: disable", "after": "# jaxlint: enable"},
    "a range without an end": {"above": "# jaxlint: disable[JAX101]"},
    "noqa": {"trailing": "# noqa"},
    "noqa with our code": {"trailing": "# noqa: JAX101"},
    "noqa with several codes": {"trailing": "# NOQA:T201, JAX101"},
}


@pytest.mark.parametrize("comments", SILENT.values(), ids=SILENT)
def test_silences(jaxlint: Jaxlint, write: Write, comments: dict[str, str]) -> None:
    assert found(jaxlint, write, program(**comments)) == []


USELESS = {
    "another rule": ({"trailing": "# jaxlint: ignore[JAX401]"}, ["6 JAX101", "6 JAX003"]),
    "a rule that does not exist": ({"trailing": "# jaxlint: ignore[JAX999]"}, ["6 JAX101", "6 JAX003"]),
    "one of two": ({"trailing": "# jaxlint: ignore[JAX101, JAX401]"}, ["6 JAX003"]),
    "no closing bracket": ({"trailing": "# jaxlint: ignore[JAX101"}, ["6 JAX101", "6 JAX003"]),
    "a misspelt directive": ({"trailing": "# jaxlint: ingore[JAX101]"}, ["6 JAX101", "6 JAX003"]),
    "the wrong statement": ({"after": "# jaxlint: ignore[JAX101]"}, ["6 JAX101", "7 JAX003"]),
    "a range that ends before": (
        {"above": "# jaxlint: disable[JAX101]", "before": "# jaxlint: enable[JAX101]"},
        ["2 JAX003", "6 JAX101"],
    ),
    "an end without a beginning": ({"before": "# jaxlint: enable[JAX101]"}, ["5 JAX003", "6 JAX101"]),
    "noqa for someone else": ({"trailing": "# noqa: T201"}, ["6 JAX101"]),
    "a word that only begins like noqa": ({"trailing": "# noqaa"}, ["6 JAX101"]),
    "noqa that silences nothing is not ours to judge": ({"after": "# noqa: JAX401", "trailing": "# noqa"}, []),
}


WRONG = {  # what is written behind print(x), and what it should be
    "an equals sign": ("# jaxlint: disable=JAX101", "# jaxlint: ignore[JAX101]"),
    "an equals sign and spaces": ("# jaxlint: ignore = JAX101", "# jaxlint: ignore[JAX101]"),
    "no brackets": ("# jaxlint: ignore JAX101", "# jaxlint: ignore[JAX101]"),
    "no brackets, with a reason": ("# jaxlint: ignore JAX101 on purpose", "# jaxlint: ignore[JAX101] on purpose"),
    "no brackets, several": ("# jaxlint: ignore JAX101, JAX101", "# jaxlint: ignore[JAX101, JAX101]"),
    "a colon": ("# jaxlint: ignore: JAX101", "# jaxlint: ignore[JAX101]"),
    "round brackets": ("# jaxlint: ignore(JAX101)", "# jaxlint: ignore[JAX101]"),
    "quotes": ('# jaxlint: ignore["JAX101"]', "# jaxlint: ignore[JAX101]"),
    "no closing bracket": ("# jaxlint: ignore[JAX101", "# jaxlint: ignore[JAX101]"),
    "no opening bracket": ("# jaxlint: ignore JAX101]", "# jaxlint: ignore[JAX101]"),
    "no comma": ("# jaxlint: ignore[JAX101 JAX101]", "# jaxlint: ignore[JAX101, JAX101]"),
    "a semicolon": ("# jaxlint: ignore[JAX101;JAX101]", "# jaxlint: ignore[JAX101, JAX101]"),
    "noqa": ("# jaxlint:noqa: JAX101", "# jaxlint: ignore[JAX101]"),
    "noqa in brackets": ("# jaxlint: noqa[JAX101]", "# jaxlint: ignore[JAX101]"),
    "a name": ("# jaxlint: disable=print-in-traced-function", "# jaxlint: ignore[print-in-traced-function]"),
    "a beginning": ("# jaxlint: ignore JAX1", "# jaxlint: ignore[JAX1]"),
    "a number": ("# jaxlint: ignore=101", "# jaxlint: ignore[JAX101]"),
    "lower case": ("# jaxlint: ignore jax101", "# jaxlint: ignore[JAX101]"),
    "another case": ("# JAXLINT: Ignore[jax101]", "# jaxlint: ignore[JAX101]"),
    "no colon": ("# jaxlint ignore[JAX101] on purpose", "# jaxlint: ignore[JAX101] on purpose"),
    "a dash": ("# jaxlint-ignore: JAX101", "# jaxlint: ignore[JAX101]"),
    "a misspelt verb": ("# jaxlint: ingore[JAX101] why", "# jaxlint: ignore[JAX101] why"),
    "the next line": ("# jaxlint: disable-next-line=JAX101", "# jaxlint: ignore[JAX101]"),
    "the file": ("# jaxlint: skip-file=JAX101", "# jaxlint: file-ignore[JAX101]"),
    "the file, with an underscore": ("# jaxlint: file_ignore[JAX101]", "# jaxlint: file-ignore[JAX101]"),
    "a range": ("# jaxlint: off[JAX101]", "# jaxlint: disable[JAX101]"),
    "behind another comment": (
        "# type: ignore  # jaxlint: ignore JAX101  # shown",
        "# type: ignore  # jaxlint: ignore[JAX101]  # shown",
    ),
}


@pytest.mark.parametrize(("wrong", "right"), WRONG.values(), ids=WRONG)
def test_what_is_written_wrong_silences_nothing_and_is_written_right_by_fix(
    jaxlint: Jaxlint, write: Write, project: Path, wrong: str, right: str
) -> None:
    other = "    y = x[0] if x.sum() > 0 else x\n"  # another finding on the line
    write({"a.py": program(trailing=wrong).replace("    print(x)", f"{other}    print(x)")})
    rows = jaxlint("a.py", "--output-format", "json").rows
    mistake, printed = sorted((row for row in rows if row["location"]["row"] == 7), key=lambda row: str(row["code"]))
    assert (mistake["code"], printed["code"]) == ("JAX003", "JAX101")
    shown = next(part for part in right.split("  ") if "jaxlint" in part)
    assert mistake["help"] == f"write `{shown}`"
    assert (mistake["fix"]["applicability"], printed["fix"]) == ("safe", None)
    fixed = jaxlint("a.py", "--fix", "--output-format", "concise")
    assert (fixed.found, "1 fixed" in fixed.out) == (["a.py:6 JAX201"], True)
    assert f"    print(x)  {right}\n" in (project / "a.py").read_text()
    assert jaxlint("a.py", "--fix", "--output-format", "concise").found == ["a.py:6 JAX201"]


MALFORMED = {  # what is written behind print(x), and a piece of the help
    "a reason without brackets": ("# jaxlint: ignore on purpose", "write `# jaxlint: ignore[RULE] on purpose`"),
    "an empty list": ("# jaxlint: ignore[]", "write `# jaxlint: ignore[RULE]`"),
    "only a comma": ("# jaxlint: ignore[ , ]", "write `# jaxlint: ignore[RULE]`"),
    "an unknown rule without brackets": ("# jaxlint: ignore key-reuse", "write `# jaxlint: ignore[RULE] key-reuse`"),
    "another tool's code": ("# jaxlint: ignore E501", "write `# jaxlint: ignore[RULE] E501`"),
    "another tool's comment": ("# jaxlint: ignore, type: ignore", "write `# jaxlint: ignore[RULE]"),
    "all, with an equals sign": ("# jaxlint: disable=all", "write `# jaxlint: ignore[RULE]"),
    "jax, with an equals sign": ("# jaxlint: disable=jax", "write `# jaxlint: ignore[RULE]"),
    "noqa alone": ("# jaxlint: noqa", "write `# jaxlint: ignore[RULE]`"),
    "a verb that is none": ("# jaxlint: please", "write `# jaxlint: ignore[RULE]`"),
    "no verb": ("# jaxlint:", "write `# jaxlint: ignore[RULE]`"),
    "another case": ("# Jaxlint: ignore", "write `# jaxlint: ignore[RULE]`"),
    "an unknown name": ("# jaxlint: ignore[key-reuse]", "did you mean `key-reused`?"),
    "an unknown code": ("# jaxlint: ignore[JAX9999]", "name a rule"),
}


@pytest.mark.parametrize(("comment", "advice"), MALFORMED.values(), ids=MALFORMED)
def test_what_names_no_rule_silences_nothing_and_is_left_to_its_author(
    jaxlint: Jaxlint, write: Write, comment: str, advice: str
) -> None:
    write({"a.py": program(trailing=comment)})
    rows = jaxlint("a.py", "--output-format", "json").rows
    assert [row["code"] for row in rows] == ["JAX101", "JAX003"]
    assert advice in rows[1]["help"]
    assert rows[1]["fix"] is None


NO_DIRECTIVES = {
    "words about jaxlint": "# jaxlint ignores this line",
    "more words about jaxlint": "# see jaxlint: ignore comments",
    "words with a verb": "# jaxlint disable comments are explained there",
    "a quoted comment": "# write `# jaxlint: ignore` here",
    "another tool's": "# pylint: disable=JAX101",
}


@pytest.mark.parametrize("comment", NO_DIRECTIVES.values(), ids=NO_DIRECTIVES)
def test_words_are_no_directive(jaxlint: Jaxlint, write: Write, comment: str) -> None:
    assert found(jaxlint, write, program(trailing=comment)) == ["6 JAX101"]


NOQA = {
    "# noqa: print-in-traced-function": [],
    "# noqa: E501, print-in-traced-function": [],
    "# noqa JAX101": [],
    "# noqa:JAX1": [],
    "# noqa: jax": [],
    "# noqa: JAX401": ["6 JAX101"],
    "# noqa JAX401": ["6 JAX101"],
    "# noqa: key-reused": ["6 JAX101"],
    "# noqa: E501, key-reused": ["6 JAX101"],
    "# noqa: JAX999": ["6 JAX101"],
}


@pytest.mark.parametrize("comment", NOQA)
def test_noqa_with_a_rule_means_that_rule(jaxlint: Jaxlint, write: Write, comment: str) -> None:
    assert found(jaxlint, write, program(trailing=comment)) == NOQA[comment]


UNUSED = {  # lines, and what --fix makes of them
    "alone behind code": ("x = 1  # jaxlint: ignore[JAX401]\n", "x = 1\n"),
    "everything": ("x = 1  # jaxlint: ignore\n", "x = 1\n"),
    "a line of its own": ("a = 1\n# jaxlint: ignore[JAX401]\nx = 1\n", "a = 1\nx = 1\n"),
    "the first line": ("# jaxlint: file-ignore[JAX401]\nx = 1\n", "x = 1\n"),
    "the last line": ("x = 1\n    # jaxlint: ignore[JAX401]", "x = 1"),
    "the only line": ("# jaxlint: ignore[JAX401]", ""),
    "windows": ("x = 1  # jaxlint: ignore[JAX401]\r\n# jaxlint: ignore[JAX4]\r\ny = 1\r\n", "x = 1\r\ny = 1\r\n"),
    "a reason stays": ("x = 1  # jaxlint: ignore[JAX401] same draw\n", "x = 1  # same draw\n"),
    "a reason behind a dash": ("x = 1  # jaxlint: ignore[JAX401] -- same draw\n", "x = 1  # same draw\n"),
    "a reason with a number": ("x = 1  # jaxlint: ignore[JAX401] see #12\n", "x = 1  # see #12\n"),
    "behind another comment": ("x = 1  # type: ignore  # jaxlint: ignore[JAX401]\n", "x = 1  # type: ignore\n"),
    "before another comment": ("x = 1  # jaxlint: ignore[JAX401]  # type: ignore\n", "x = 1  # type: ignore\n"),
    "two at once": ("x = 1  # jaxlint: ignore[JAX401]  # jaxlint: ignore[JAX402]\n", "x = 1\n"),
    "several": ("x = 1  # jaxlint: ignore[JAX401, JAX402, key-reused-in-loop]\n", "x = 1\n"),
    "written wrong": ("x = 1  # jaxlint: disable=JAX401\n", "x = 1\n"),
    "written wrong, with a reason": ("x = 1  # jaxlint: ignore JAX401 same draw\n", "x = 1  # same draw\n"),
    "a range": ("# jaxlint: disable[JAX401]\nx = 1\n# jaxlint: enable[JAX401]\ny = 1\n", "x = 1\ny = 1\n"),
    "a range of everything": ("# jaxlint: disable\nx = 1\n# jaxlint: enable\ny = 1\n", "x = 1\ny = 1\n"),
    "an end alone": ("x = 1\n# jaxlint: enable[JAX401]\n", "x = 1\n"),
    "one of two": (
        program(trailing="# jaxlint: ignore[JAX401, JAX101] shown"),
        program(trailing="# jaxlint: ignore[JAX101] shown"),
    ),
    "one of two, written wrong": (
        program(trailing="# jaxlint: ignore=JAX401,JAX101"),
        program(trailing="# jaxlint: ignore[JAX101]"),
    ),
    "a range of one too many": (
        program(above="# jaxlint: disable[JAX401, JAX101]", after="# jaxlint: enable[JAX401, JAX101]"),
        program(above="# jaxlint: disable[JAX101]", after="# jaxlint: enable[JAX101]"),
    ),
    "a range, written wrong": (
        program(above="# jaxlint: disable=JAX101", after="# jaxlint: enable=JAX101"),
        program(above="# jaxlint: disable[JAX101]", after="# jaxlint: enable[JAX101]"),
    ),
}


@pytest.mark.parametrize(("before", "after"), UNUSED.values(), ids=UNUSED)
def test_what_silences_nothing_is_removed(jaxlint: Jaxlint, project: Path, before: str, after: str) -> None:
    path = project / "a.py"
    path.write_bytes(before.encode())
    assert jaxlint("a.py").code == 1
    assert (jaxlint("a.py", "--fix").code, path.read_bytes().decode()) == (0, after)
    assert (jaxlint("a.py", "--fix").code, path.read_bytes().decode()) == (0, after)


def test_an_unknown_rule_is_not_removed_with_a_known_one(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": "x = 1  # jaxlint: ignore[JAX401, key-reuse]\n"})
    assert jaxlint("a.py", "--fix", "--output-format", "concise").found == ["a.py:1 JAX003"]
    assert (project / "a.py").read_text() == "x = 1  # jaxlint: ignore[key-reuse]\n"


def test_unused_comments_are_removed_from_cells(jaxlint: Jaxlint, project: Path) -> None:
    cells = ["# jaxlint: ignore[JAX401]\n", "y = 1"], ["y = 2\n", "# jaxlint: ignore[JAX401]"], ["z = 1"]
    notebook = {
        "cells": [
            {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": list(lines)}
            for lines in cells
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (project / "a.ipynb").write_text(json.dumps(notebook))
    assert jaxlint("a.ipynb", "--fix").code == 0
    left = json.loads((project / "a.ipynb").read_text())["cells"]
    assert ["".join(cell["source"]) for cell in left] == ["y = 1", "y = 2", "z = 1"]


def test_fixes_of_comments_can_be_switched_off(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": "x = 1  # jaxlint: ignore[JAX401]\n"})
    assert jaxlint("a.py", "--fix", "--unfixable", "JAX003").code == 1
    assert (project / "a.py").read_text() == "x = 1  # jaxlint: ignore[JAX401]\n"


@pytest.mark.parametrize(("comments", "expected"), USELESS.values(), ids=USELESS)
def test_does_not_silence(jaxlint: Jaxlint, write: Write, comments: dict[str, str], expected: list[str]) -> None:
    assert found(jaxlint, write, program(**comments)) == expected


def test_a_comment_counts_for_the_whole_statement_it_ends_or_is_inside(jaxlint: Jaxlint, write: Write) -> None:
    text = "import jax\n\n@jax.jit\ndef f(x):\n    print(\n        x,{inside}\n    ){end}\n    return x\n"
    assert found(jaxlint, write, text.format(inside="", end="")) == ["5 JAX101"]
    assert found(jaxlint, write, text.format(inside="", end="  # jaxlint: ignore[JAX101]")) == []
    assert found(jaxlint, write, text.format(inside="  # jaxlint: ignore[JAX101]", end="")) == []
    assert found(jaxlint, write, text.format(inside="\n        # jaxlint: ignore[JAX101]", end="")) == []


def test_above_a_compound_statement_it_counts_for_the_header_only(jaxlint: Jaxlint, write: Write) -> None:
    text = "import jax\n\n@jax.jit\ndef f(x):\n    # jaxlint: ignore\n    if x > 0:\n        print(x)\n    return x\n"
    assert found(jaxlint, write, text) == ["7 JAX101"]


def test_above_a_decorated_function_it_counts_for_decorators_and_header(jaxlint: Jaxlint, write: Write) -> None:
    text = "import jax\n\n# jaxlint: ignore[JAX101]\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n"
    assert found(jaxlint, write, text) == ["3 JAX003", "6 JAX101"]


def test_text_that_only_looks_like_a_comment(jaxlint: Jaxlint, write: Write) -> None:
    assert found(jaxlint, write, program(before='s = "# jaxlint: ignore[JAX101]"')) == ["6 JAX101"]
    assert found(jaxlint, write, program(above='"""# jaxlint: file-ignore"""')) == ["6 JAX101"]


def test_unused_suppressions_of_rules_that_are_off_are_not_reported(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "x = 1  # jaxlint: ignore[JAX401]\n"})
    assert jaxlint("--output-format", "concise").found == ["a.py:1 JAX003"]
    assert jaxlint("--ignore", "JAX4").code == 0
    assert jaxlint("--ignore", "JAX003").code == 0


def test_a_file_that_is_left_out_may_have_no_findings(jaxlint: Jaxlint, write: Write) -> None:
    assert found(jaxlint, write, "# jaxlint: file-ignore\nx = 1\n") == []
    assert found(jaxlint, write, "# jaxlint: file-ignore[ALL]\nx = 1\n") == ["1 JAX003"]


def test_unused_suppressions_can_be_ignored_in_the_file(jaxlint: Jaxlint, write: Write) -> None:
    assert found(jaxlint, write, "# jaxlint: file-ignore[JAX003]\nx = 1  # jaxlint: ignore[JAX401]\n") == []


def test_a_file_with_a_syntax_error_has_no_unused_suppressions(jaxlint: Jaxlint, write: Write) -> None:
    assert found(jaxlint, write, "x = (  # jaxlint: ignore[JAX401]\n") == ["1 JAX001"]


def test_windows_line_ends_and_form_feeds_do_not_move_comments(jaxlint: Jaxlint, write: Write) -> None:
    text = program(trailing="# jaxlint: ignore[JAX101]").replace("\n", "\r\n").replace("import jax", "\x0cimport jax")
    assert found(jaxlint, write, text) == []
