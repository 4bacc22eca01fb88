"""Comments that silence findings, and the finding for a comment that silences nothing."""

from __future__ import annotations

from collections.abc import Callable

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


def test_unused_suppressions_can_be_ignored_in_the_file(jaxlint: Jaxlint, write: Write) -> None:
    assert found(jaxlint, write, "# jaxlint: file-ignore[JAX003]\nx = 1  # jaxlint: ignore[JAX401]\n") == []


def test_a_file_with_a_syntax_error_has_no_unused_suppressions(jaxlint: Jaxlint, write: Write) -> None:
    assert found(jaxlint, write, "x = (  # jaxlint: ignore[JAX401]\n") == ["1 JAX001"]


def test_windows_line_ends_and_form_feeds_do_not_move_comments(jaxlint: Jaxlint, write: Write) -> None:
    text = program(trailing="# jaxlint: ignore[JAX101]").replace("\n", "\r\n").replace("import jax", "\x0cimport jax")
    assert found(jaxlint, write, text) == []
