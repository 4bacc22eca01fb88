"""`--show-settings` says which settings hold, and where each was set."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.command.conftest import IMPURE, Jaxlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Write = Callable[[dict[str, str]], None]


def set_where(page: str) -> dict[str, str]:
    """The comment behind each key."""
    lines = [line for line in page.splitlines() if " = " in line and not line.startswith("#")]
    return {line.partition(" = ")[0]: line.rpartition("  # ")[2] for line in lines}


def test_each_setting_has_its_origin(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write(
        {
            "base.toml": 'ignore = ["JAX112"]\nextend-exclude = ["old"]\ndoctest = true\n',
            "jaxlint.toml": 'extend = "base.toml"\ncertainty = "possible"\n[per-file-ignores]\n"tests/*" = ["JAX1"]\n',
            "a.py": IMPURE,
        }
    )
    outcome = jaxlint("--show-settings", "a.py", "--extend-exclude", "gen", "--preview")
    assert (outcome.code, outcome.err) == (0, "")
    table = tomllib.loads(outcome.out)  # what is printed is a configuration
    origins = set_where(outcome.out)
    assert table["ignore"] == ["JAX112"]
    assert table["extend-exclude"] == ["old", "gen"]
    assert table["certainty"] == "possible"
    assert table["per-file-ignores"] == {str(project / "tests/*"): ["JAX1"]}
    assert {key: origin for key, origin in origins.items() if origin != "default"} == {
        "ignore": "base.toml",
        "extend-exclude": "base.toml, command line",
        "doctest": "base.toml",
        "certainty": "jaxlint.toml",
        "per-file-ignores": "jaxlint.toml",
        "preview": "command line",
    }
    assert outcome.out.startswith(f"# program: {project}\n# configuration file: {project / 'jaxlint.toml'}\n")
    assert " rules are on in a.py; off:\n#   JAX112\n" in outcome.out


def test_a_selection_starts_afresh(jaxlint: Jaxlint, write: Write) -> None:
    write({"jaxlint.toml": 'ignore = ["JAX112"]\n', "a.py": IMPURE})
    page = jaxlint("--show-settings", "--select", "JAX1").out
    assert tomllib.loads(page)["ignore"] == []
    assert set_where(page)["ignore"] == "command line"


def test_each_program_has_its_own(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": "", "inner/jaxlint.toml": 'jax-version = "0.4.30"\n', "inner/b.py": ""})
    pages = jaxlint("--show-settings").out.split("\n\n")
    assert [page.splitlines()[0] for page in pages] == [f"# program: {project}", f"# program: {project / 'inner'}"]
    assert pages[0].splitlines()[2] == "# version of jax: any, as the packaging files say"
    assert pages[1].splitlines()[2] == "# version of jax: 0.4.30, inner/jaxlint.toml"


def test_a_mistake_in_the_configuration_is_told(jaxlint: Jaxlint, write: Write) -> None:
    write({"jaxlint.toml": "prevew = true\n", "a.py": ""})
    outcome = jaxlint("--show-settings")
    assert outcome.code == 2
    assert outcome.err == "jaxlint: jaxlint.toml: unknown key `prevew`, did you mean `preview`?\n"
