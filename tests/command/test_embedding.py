"""jaxlint from Python, as docs/embedding.md describes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.api import Certainty, ConfigurationError, MissingPathError, Settings, lint_paths, lint_source
from tests.command.conftest import IMPURE

PAGE = Path(__file__).parents[2] / "docs" / "embedding.md"
Write = Callable[[dict[str, str]], None]


def test_the_script_of_the_page_runs(write: Write, capsys: pytest.CaptureFixture[str], project: Path) -> None:
    write({"src/a.py": IMPURE})
    (script,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(script, str(PAGE), "exec"), {})
    out = capsys.readouterr().out
    assert out.startswith(f"{project / 'src/a.py'}:6:5 JAX101 ")
    assert out.endswith("['print-in-traced-function']\n")


def test_paths_follow_the_configuration_or_the_settings_given(write: Write) -> None:
    write({"a.py": IMPURE, "jaxlint.toml": 'ignore = ["JAX101"]'})
    assert lint_paths(["a.py"]) == []
    assert [finding.code for finding in lint_paths(["a.py"], Settings())] == ["JAX101"]
    assert lint_paths(["a.py"], Settings(select=("JAX4",))) == []


def test_mistakes_raise(write: Write) -> None:
    with pytest.raises(MissingPathError, match=r"gone\.py"):
        lint_paths(["gone.py"])
    write({"jaxlint.toml": "selct = []", "a.py": ""})
    with pytest.raises(ConfigurationError, match="selct"):
        lint_paths(["a.py"])


def test_a_text_is_a_program_of_its_own(write: Write) -> None:
    write({"helper.py": "def show(x):\n    print(x)\n"})
    (finding,) = lint_source(IMPURE)
    assert (finding.location.path, finding.location.line) == ("<string>", 6)
    assert finding.certainty is Certainty.CERTAIN
    assert [finding.code for finding in lint_source("x = (")] == ["JAX001"]
    assert lint_source("") == []


def test_a_text_is_linted_below_a_project_too(write: Write, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"pyproject.toml": '[project]\nname = "mine"', "notebooks/notes.txt": ""})
    monkeypatch.chdir(project / "notebooks")
    assert [finding.code for finding in lint_source(IMPURE)] == ["JAX101"]


def test_a_text_with_a_file_name_stands_for_that_file(write: Write, project: Path) -> None:
    write({"a.py": "x = 1\n", "pkg/helper.py": "import jax\n\njit = jax.jit\n"})
    text = "from pkg.helper import jit\n\n@jit\ndef f(x):\n    print(x)\n    return x\n"
    (finding,) = lint_source(text, "a.py")
    assert (finding.location.path, finding.location.line) == (str(project / "a.py"), 5)
    (new,) = lint_source(text, "not_saved_yet.py")
    assert new.location.path == str(project / "not_saved_yet.py")
