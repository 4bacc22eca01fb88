"""`--add-ignore`: every finding gets its comment, and nothing else in the file changes."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.project.documents import read_document
from jaxlint.silencing.ignoring import silenced, with_comments
from jaxlint.vocabulary.findings import Finding, Location
from tests.cards_support import cards
from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

MARK = "# jaxlint: ignore[print-in-traced-function]"


def traced(*lines: str) -> str:
    """A program whose traced function has these lines as its body."""
    return "import jax\n\n\n@jax.jit\ndef f(x, y):\n" + "".join(f"    {line}\n" for line in lines) + "    return x\n"


def body(path: str = "a.py") -> list[str]:
    """The lines of the function's body, without indentation."""
    return [line.removeprefix("    ") for line in Path(path).read_text().splitlines()[5:-1]]


PLACES = {
    "plain": (["print(x)"], [f"print(x)  {MARK}"]),
    "trailing space": (["print(x)   "], [f"print(x)  {MARK}"]),
    "another comment": (["print(x)  # why"], [f"print(x)  # why  {MARK}"]),
    "a comment for mypy": (["print(x)  # type: ignore"], [f"print(x)  # type: ignore  {MARK}"]),
    "a list of others": (
        ["print(x)  # jaxlint: ignore[key-reused] on purpose"],
        ["print(x)  # jaxlint: ignore[key-reused, print-in-traced-function] on purpose"],
    ),
    "an empty list": (["print(x)  # jaxlint: ignore[]"], [f"print(x)  {MARK}"]),
    "a list without an end": (["print(x)  # jaxlint: ignore[JAX4"], [f"print(x)  {MARK}  # jaxlint: ignore[JAX4"]),
    "two statements": (["print(x); print(y)"], [f"print(x); print(y)  {MARK}"]),
    "a header": (["if print(x): pass"], [f"if print(x): pass  {MARK}"]),
    "brackets": (["print(", "    x,", ")"], [f"print(  {MARK}", "    x,", ")"]),
    "a string of two lines": (['print("""', '# no comment""", x)'], ['print("""', f'# no comment""", x)  {MARK}']),
    "a formatted string": (['print(f"""', '{x}""")'], ['print(f"""', f'{{x}}""")  {MARK}']),
    "a backslash": (["print(x, \\", "      y)"], ["print(x, \\", f"      y)  {MARK}"]),
    "a backslash in between": (["y = x \\", "    + (print(x) or y)"], ["y = x \\", f"    + (print(x) or y)  {MARK}"]),
    "a comment inside brackets": (["print(x,  # x", "      y)"], [f"print(x,  # x  {MARK}", "      y)"]),
    "tabs": (["print(x,\t\ty)\t"], [f"print(x,\t\ty)  {MARK}"]),
    "wide letters": (['print("é𐐀", x)'], [f'print("é𐐀", x)  {MARK}']),
}


@pytest.mark.parametrize(("before", "after"), PLACES.values(), ids=PLACES)
def test_where_the_comment_goes(jaxlint: Jaxlint, write: Write, before: list[str], after: list[str]) -> None:
    write({"a.py": traced(*before)})
    # A comment that is wrong already is not this option's business.
    arguments = ("--ignore", "JAX003")
    outcome = jaxlint("--add-ignore", *arguments)
    assert (outcome.code, outcome.out) == (0, "")
    assert body() == after
    assert jaxlint(*arguments).code == 0
    assert jaxlint("--add-ignore", *arguments).err == "Added comments in 0 files for 0 findings.\n"
    assert body() == after


def test_it_says_what_it_did(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "b.py": traced("print(x)", "print(y)")})
    outcome = jaxlint("--add-ignore")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "Added comments in 2 files for 3 findings.\n"
    write({"a.py": IMPURE})
    assert jaxlint("--add-ignore", "-q", "a.py").err == ""


def test_several_rules_share_a_comment(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": traced("print(x); float(x)")})
    names = sorted(row["name"] for row in jaxlint("--output-format", "json").rows)
    assert len(names) == 2
    jaxlint("--add-ignore")
    assert body() == [f"print(x); float(x)  # jaxlint: ignore[{', '.join(names)}]"]


def test_a_reason(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": traced("print(x)")})
    assert jaxlint("--add-ignore=until the rewrite", "a.py").code == 0
    assert body() == [f"print(x)  {MARK} until the rewrite"]
    refused = jaxlint("--add-ignore=two\nlines")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


ENCODINGS = [("utf-8", "\n"), ("utf-8", "\r\n"), ("utf-8", "\r"), ("utf-8-sig", "\r\n"), ("latin-1", "\r\n")]


@pytest.mark.parametrize(("encoding", "newline"), ENCODINGS)
def test_bytes_stay_as_they_are(jaxlint: Jaxlint, project: Path, newline: str, encoding: str) -> None:
    cookie = "# coding: latin-1\n" if encoding == "latin-1" else ""
    text = cookie + traced('y = "é\u00a0"', "print(x)", "\f").removesuffix("\n")
    (project / "a.py").write_bytes(text.replace("\n", newline).encode(encoding))
    (project / "a.py").chmod(0o755)
    assert jaxlint("--add-ignore").code == 0
    expected = text.replace("print(x)", f"print(x)  {MARK}").replace("\n", newline).encode(encoding)
    assert (project / "a.py").read_bytes() == expected
    assert (project / "a.py").stat().st_mode & 0o777 == 0o755


def test_a_reason_that_the_encoding_lacks_changes_nothing(jaxlint: Jaxlint, project: Path) -> None:
    data = ("# coding: latin-1\n" + traced("print(x)")).encode("latin-1")
    (project / "a.py").write_bytes(data)
    outcome = jaxlint("--add-ignore=später → nie", "--output-format", "concise")
    assert (outcome.code, outcome.found) == (1, ["a.py:7 JAX101"])
    assert (project / "a.py").read_bytes() == data


def test_what_no_comment_can_silence_is_reported(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": "x = (\n", "b.py": IMPURE + "# jaxlint: file-ignore[JAX4]\n"})
    outcome = jaxlint("--add-ignore", "--output-format", "concise")
    assert (outcome.code, outcome.found) == (1, ["a.py:1 JAX001", "b.py:8 JAX003"])
    assert outcome.err == "Added comments in 1 file for 1 finding.\n"
    (project / "a.py").write_bytes(b"x = '\xe9'\n")
    unread = jaxlint("--add-ignore", "--exit-zero", "--output-format", "concise")
    assert (unread.code, unread.found) == (2, ["a.py:1 JAX002", "b.py:8 JAX003"])


def test_only_what_is_shown_is_silenced(jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    write({"a.py": traced("print(x)")})
    jaxlint("baseline")
    write({"a.py": traced("print(x)", "print(y)")})
    jaxlint("--add-ignore")
    assert body() == ["print(x)", f"print(y)  {MARK}"]
    write({"a.py": traced("print(x)", "print(y)")})
    jaxlint("--add-ignore", "--no-baseline", "--select", "JAX4")
    assert body() == ["print(x)", "print(y)"]


def test_a_link_stays_a_link(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"real/a.txt": traced("print(x)")})
    (project / "a.py").symlink_to("real/a.txt")
    assert jaxlint("--add-ignore", "a.py").code == 0
    assert (project / "a.py").is_symlink()
    assert MARK in (project / "real/a.txt").read_text()


def test_a_file_that_cannot_be_written_is_told(
    jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    write({"a.py": IMPURE})

    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)  # tests may run as root, who is refused nothing
    outcome = jaxlint("--add-ignore", "--output-format", "concise")
    assert (outcome.code, outcome.found) == (2, ["a.py:6 JAX101"])
    assert outcome.err.splitlines() == [
        f"jaxlint: {project / 'a.py'}: no comments added: Permission denied",
        "Added comments in 0 files for 0 findings.",
    ]


def test_in_a_notebook(jaxlint: Jaxlint, project: Path) -> None:
    cells = [["%time 1\n", *IMPURE.splitlines(keepends=True)], ["f(1)"]]
    written = [{"cell_type": "code", "metadata": {}, "source": source, "outputs": []} for source in cells]
    data = {"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (project / "n.ipynb").write_text(json.dumps(data, indent=1))
    assert jaxlint("n.ipynb").code == 1
    assert jaxlint("--add-ignore", "n.ipynb").code == 0
    cells[0][6] = f"    print(x)  {MARK}\n"
    assert json.loads((project / "n.ipynb").read_text()) == data
    assert jaxlint("n.ipynb").code == 0


@pytest.mark.parametrize("arguments", [["--fix"], ["--diff"], ["-"]])
def test_not_together(jaxlint: Jaxlint, write: Write, arguments: list[str]) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("--add-ignore", *arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert Path("a.py").read_text() == IMPURE


def test_every_example_of_the_cards(jaxlint: Jaxlint, project: Path) -> None:
    before: dict[Path, str] = {}
    for card in cards():
        for block in card.blocks:
            if block.kind == "bad" and card.meta["family"] != "linter":
                block.write(project / f"{card.meta['code']}_{block.line}")
    for path in project.rglob("*.py"):
        before[path] = path.read_text()
    all_rules = ("--certainty", "possible")
    assert len(jaxlint(*all_rules, "--output-format", "json").rows) > 250
    outcome = jaxlint(*all_rules, "--add-ignore")
    assert (outcome.code, outcome.out) == (0, "")
    assert jaxlint(*all_rules).out == "All checks passed!\n"
    for path, text in before.items():
        after = path.read_text()
        assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
        assert len(after.splitlines()) == len(text.splitlines())


def test_every_line_of_real_code() -> None:
    """A comment for every line that an expression begins on, in some of jaxlint's own files."""
    package = Path(__file__).parents[2] / "jaxlint"
    for path in sorted(package.glob("flow/**/[ce]*.py")):
        document = read_document(str(path))
        tree = ast.parse(document.text)
        lines = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.expr)}
        findings = [
            Finding("JAX101", "print-in-traced-function", "", Location(document.path, line)) for line in sorted(lines)
        ]
        made = with_comments(document, findings)
        assert silenced(made, findings) == findings
        assert silenced(document, findings) == []
        assert ast.dump(ast.parse(made.text)) == ast.dump(tree)
