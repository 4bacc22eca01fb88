"""What a release needs to be true, as far as it costs no build: `.ci/release.py check` does the rest."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML

from jaxlint import __version__
from jaxlint.vocabulary.addresses import SITE
from jaxlint.vocabulary.rules import all_rules

REPOSITORY = Path(__file__).parents[2]
RELEASE = REPOSITORY / ".ci" / "release.py"
ADDRESS = "https://docs.example/jaxlint/"


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def test_the_version_is_the_same_everywhere() -> None:
    assert set(runpy.run_path(str(RELEASE))["versions"]().values()) == {__version__}


def test_no_rule_is_newer_than_its_release() -> None:
    changes = (REPOSITORY / "docs" / "changelog.md").read_text(encoding="utf-8")
    known = re.findall(r"^## (\S+)", changes, re.MULTILINE)
    assert known == sorted(known, key=version, reverse=True)
    assert {rule.since for rule in all_rules().values()} <= set(known)


def test_a_checkout_has_no_address() -> None:
    assert SITE == ""


def test_the_address_is_filled_in_once_for_all(tmp_path: Path) -> None:
    """In a copy: the installed package, the README and the site take it from there."""
    for name in (".ci/release.py", "jaxlint/vocabulary/addresses.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    fill = [sys.executable, str(tmp_path / ".ci" / "release.py"), "fill"]
    for address in (ADDRESS, ADDRESS):
        subprocess.run([*fill, address], check=True)
        filled = runpy.run_path(str(tmp_path / "jaxlint" / "vocabulary" / "addresses.py"))
        assert filled["rule_page"]("JAX101") == f"{ADDRESS}rules/JAX101/"
    for wrong in ("docs.example/", "https://docs.example", 'https://docs.example/"+x+"/'):
        done = subprocess.run([*fill, wrong], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr == f"release: {wrong}: an address starts with https:// and ends in a slash\n"


def test_the_readme_of_a_release_leads_to_the_site() -> None:
    absolute = runpy.run_path(str(REPOSITORY / "docs" / "site" / "readme.py"))["absolute"]
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert absolute(readme, "") == readme
    links = re.findall(r"\]\(([^)]*)\)", absolute(readme, ADDRESS))
    assert f"{ADDRESS}configuration/" in links
    assert f"{ADDRESS}rules/" in links
    assert all(link.startswith(ADDRESS) for link in links)


def test_the_workflow_runs_what_there_is() -> None:
    page = (REPOSITORY / "docs" / "release.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    jobs = YAML(typ="safe").load(text)["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert any("release.py check" in command for command in commands)
    named = {word for command in commands for word in command.split() if word.endswith((".py", ".yml"))}
    assert {word for word in named if not (REPOSITORY / word).is_file()} == set()
    assert all(job.get("needs") in (None, *jobs) for job in jobs.values())
