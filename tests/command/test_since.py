"""`--since REV`: only findings that have to do with changed lines, as real git repositories tell them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE, Jaxlint, Outcome

Write = Callable[[dict[str, str]], None]

TWO = IMPURE + '\n\n@jax.jit\ndef g(x):\n    print("g", x)\n    return x\n'
"""Findings on lines 6 and 12."""

PLAIN = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"


def git(*arguments: str, folder: Path | str = ".") -> str:
    options = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", "-C", str(folder), *options, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(message: str = "more") -> None:
    git("add", "-A")
    git("commit", "-m", message)


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, whose git reads no configuration of whoever runs the tests."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git("init")
    (project / "a.py").write_text(TWO)
    (project / "b.py").write_text(IMPURE)
    commit("begin")
    return project


@pytest.fixture
def since(jaxlint: Jaxlint, repository: Path) -> Callable[..., Outcome]:
    def run(revision: str, *arguments: str) -> Outcome:
        return jaxlint("--since", revision, "--output-format", "concise", *arguments)

    return run


Since = Callable[..., Outcome]


def test_nothing_changed(since: Since) -> None:
    outcome = since("HEAD")
    assert (outcome.code, outcome.out, outcome.err) == (0, "All checks passed!\n", "")


def test_a_changed_line_of_the_working_tree(since: Since, write: Write) -> None:
    write({"a.py": TWO.replace('print("g", x)', 'print("changed", x)')})
    outcome = since("HEAD")
    assert (outcome.code, outcome.found) == (1, ["a.py:12 JAX101"])


def test_staged_changes_count(since: Since, write: Write) -> None:
    write({"a.py": TWO.replace('print("g", x)', 'print("changed", x)')})
    git("add", "-A")
    assert since("HEAD").found == ["a.py:12 JAX101"]


def test_lines_that_only_moved_are_old(since: Since, write: Write) -> None:
    write({"a.py": "# new\n\n" + TWO})
    assert since("HEAD").found == []


def test_lines_that_only_went_leave_nothing(since: Since, write: Write) -> None:
    write({"a.py": TWO.replace("    return x\n", "", 1)})
    assert since("HEAD").found == []


def test_a_branch_is_compared_with_where_it_began(since: Since, write: Write) -> None:
    git("switch", "-c", "topic")
    write({"a.py": TWO.replace("print(x)", "print(x, x)")})
    commit()
    git("switch", "main")
    write({"a.py": TWO.replace('print("g", x)', 'print("main", x)')})
    commit()
    git("switch", "topic")
    assert since("main").found == ["a.py:6 JAX101"]
    assert since("HEAD~1").found == ["a.py:6 JAX101"]
    git("tag", "-a", "v1", "-m", "v1", "main")
    assert since("v1").found == ["a.py:6 JAX101"]


def test_what_was_wrong_before_is_not_new_when_another_way_leads_there(since: Since, write: Write) -> None:
    old = "import jax\n\n\ndef show(x):\n    print(x)\n\n\n@jax.jit\ndef f(old):\n    show(old)\n"
    new = "\n\n@jax.jit\ndef g(new):\n    show(new)\n"
    write({"a.py": old})
    commit()
    write({"a.py": old + new})
    assert since("HEAD").found == []
    write({"a.py": old.replace("@jax.jit\n", "") + new})
    assert since("HEAD").found == ["a.py:5 JAX101"]


def test_new_files_are_new_whole(since: Since, write: Write) -> None:
    write({"untracked.py": IMPURE, "added.py": IMPURE, ".gitignore": "ignored.py\n", "ignored.py": IMPURE})
    git("add", "added.py")
    assert since("HEAD").found == ["added.py:6 JAX101", "untracked.py:6 JAX101"]
    assert since("HEAD", "ignored.py").found == ["ignored.py:6 JAX101"]


def test_a_renamed_file_is_as_old_as_its_lines(since: Since, write: Write, repository: Path) -> None:
    git("mv", "a.py", "renamed.py")
    assert since("HEAD").found == []
    write({"renamed.py": TWO.replace('print("g", x)', 'print("changed", x)')})
    assert since("HEAD").found == ["renamed.py:12 JAX101"]


def test_a_new_transform_shows_what_it_makes_wrong(since: Since, write: Write) -> None:
    write({"c.py": PLAIN})
    commit()
    write({"c.py": "import jax\n\n\n@jax.jit\n" + PLAIN})
    assert since("HEAD").found == ["c.py:6 JAX201"]


def test_a_new_transform_in_another_file(since: Since, write: Write) -> None:
    write({"c.py": PLAIN})
    commit()
    write({"d.py": "import jax\nfrom c import f\n\ng = jax.jit(f)\n"})
    assert since("HEAD", ".").found == ["c.py:2 JAX201"]


def test_any_line_of_a_long_place(since: Since, write: Write) -> None:
    long = IMPURE.replace("print(x)", 'print(\n        "x is",\n        x,\n    )')
    write({"c.py": long})
    commit()
    write({"c.py": long.replace("        x,\n", "        x + 1,\n")})
    assert since("HEAD").found == ["c.py:6 JAX101"]


NAMES = ["with space.py", "ä.py", 'quote".py', "tab\t.py", "new\nline.py", "back\\slash.py", "b/b.py"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_git_quotes(jaxlint: Jaxlint, repository: Path, write: Write, name: str) -> None:
    write({name: TWO})
    commit()
    write({name: TWO.replace('print("g", x)', 'print("changed", x)')})
    rows = jaxlint("--since", "HEAD", "--output-format", "json").rows
    assert [(row["filename"], row["location"]["row"]) for row in rows] == [(str(repository / name), 12)]


def test_lines_that_look_like_a_diff(since: Since, write: Write) -> None:
    text = '"""\n++ b/other.py\n@@ -1 +1,99 @@\n-- a/x\n"""\n' + IMPURE
    write({"c.py": "x = 1\n" + IMPURE})
    commit()
    write({"c.py": text})
    assert since("HEAD").found == []


def test_a_script_without_suffix(
    jaxlint: Jaxlint, repository: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"[run] it": TWO, "data.bin": "x" * 1000})
    commit()
    write({"[run] it": TWO.replace('print("g", x)', 'print("changed", x)'), "data.bin": "y" * 1000})
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    rows = jaxlint("--since", "HEAD", "[run] it", "--output-format", "json").rows
    assert [row["location"]["row"] for row in rows] == [12]


CONFIGURATIONS = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.external": "false",
    "diff.context": "99",
    "diff.interHunkContext": "99",
    "diff.relative": "true",
    "diff.renames": "false",
    "color.ui": "always",
    "core.quotePath": "false",
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_nobodys_configuration_matters(since: Since, write: Write, name: str) -> None:
    git("config", name, CONFIGURATIONS[name])
    write({"a.py": TWO.replace('print("g", x)', 'print("changed", x)')})
    git("mv", "b.py", "ä.py")
    assert since("HEAD").found == ["a.py:12 JAX101"]


def test_from_a_folder_below(since: Since, write: Write, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"sub/c.py": IMPURE})
    commit()
    write({"sub/c.py": IMPURE.replace("print(x)", "print(x, x)"), "a.py": TWO.replace("print(x)", "print(x, x)")})
    monkeypatch.chdir(repository / "sub")
    assert since("HEAD").found == ["c.py:6 JAX101"]
    assert since("HEAD", "..").found == [f"{repository}/a.py:6 JAX101", "c.py:6 JAX101"]


def test_inside_a_hook_of_another_repository(
    since: Since, write: Write, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    git("init", folder=other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    write({"a.py": TWO.replace("print(x)", "print(x, x)")})
    assert since("HEAD").found == ["a.py:6 JAX101"]


def test_a_worktree_is_a_repository(
    jaxlint: Jaxlint, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tree = tmp_path_factory.mktemp("trees") / "tree"
    git("worktree", "add", str(tree))
    (tree / "a.py").write_text(TWO.replace("print(x)", "print(x, x)"))
    rows = jaxlint("--since", "main", str(tree), "--output-format", "json").rows
    assert [row["location"]["row"] for row in rows] == [6]


def test_unrelated_histories_are_compared_as_they_are(since: Since, write: Write) -> None:
    git("switch", "--orphan", "other")
    write({"a.py": TWO.replace("print(x)", "print(x, x)")})
    commit()
    assert since("main").found == ["a.py:6 JAX101"]


def test_a_notebook_is_new_whole(jaxlint: Jaxlint, repository: Path, write: Write) -> None:
    def notebook(text: str) -> str:
        cells = [{"cell_type": "code", "source": part, "metadata": {}, "outputs": []} for part in (IMPURE, text)]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1)

    write({"n.ipynb": notebook("1")})
    commit()
    assert jaxlint("--since", "HEAD", "n.ipynb").code == 0
    write({"n.ipynb": notebook("2")})
    assert [row["cell"] for row in jaxlint("--since", "HEAD", "n.ipynb", "--output-format", "json").rows] == [1]


def test_a_file_that_cannot_be_analysed_is_said_where_it_changed(since: Since, write: Write) -> None:
    write({"c.py": "x = (\n"})
    commit()
    assert since("HEAD").found == []
    write({"c.py": "x = (\n\n# more\n"})
    assert since("HEAD").found == ["c.py:1 JAX001"]


# -- together with other options


def test_with_a_baseline(since: Since, jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    jaxlint("baseline")
    write({"a.py": "import os\n" + TWO.replace('print("g", x)', 'print("changed", x)\n    print(x)')})
    assert since("HEAD").found == ["a.py:13 JAX101", "a.py:14 JAX101"]
    assert since("HEAD", "--exit-zero").code == 0
    assert since("HEAD", "--no-baseline", "b.py").code == 0


# -- when it cannot be told

REFUSED = {
    "jaxlint: --since: {here} has no revision `nowhere`": ["--since", "nowhere"],
    "jaxlint: --since: {here} has no revision `--output=x`": ["--since=--output=x"],
    "jaxlint: --since: {here} has no revision ``": ["--since", ""],
    "jaxlint: --since compares files as they lie there, not what is being fixed": ["--since", "HEAD", "--fix"],
    "jaxlint: --since compares files as they lie there, not standard input": ["--since", "HEAD", "-"],
}


@pytest.mark.parametrize(("line", "arguments"), REFUSED.items(), ids=REFUSED)
def test_a_refusal_is_one_line(jaxlint: Jaxlint, repository: Path, line: str, arguments: list[str]) -> None:
    outcome = jaxlint(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == line.format(here=repository) + "\n"
    assert not (repository / "x").exists()


def test_a_revision_that_is_no_commit(jaxlint: Jaxlint, repository: Path) -> None:
    outcome = jaxlint("--since", "HEAD:a.py")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)  # the words are git's


def test_outside_of_git(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("--since", "main")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"jaxlint: --since: {project / 'a.py'} is in no git repository\n"


def test_before_the_first_commit(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    git("init")
    write({"a.py": IMPURE})
    outcome = jaxlint("--since", "HEAD")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def test_without_git(jaxlint: Jaxlint, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    outcome = jaxlint("--since", "HEAD")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "jaxlint: --since: git cannot be run: No such file or directory\n"


def test_a_shallow_clone_is_told(jaxlint: Jaxlint, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    clone = tmp_path_factory.mktemp("clones") / "clone"
    git("clone", "--depth", "1", f"file://{repository}", str(clone))
    outcome = jaxlint("--since", "v1.0", str(clone))
    assert outcome.code == 2
    assert outcome.err.endswith("has no revision `v1.0` (the clone is shallow: fetch more of its history)\n")
