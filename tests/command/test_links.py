"""Where findings lead to: the address of a rule's page, in every format that has room for one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxlint.vocabulary import addresses
from tests.command.conftest import IMPURE, Jaxlint

SITE = "https://docs.example/jaxlint/"
PAGE = f"{SITE}rules/JAX101/"


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting as a release fills it in: a checkout has no address."""
    monkeypatch.setattr(addresses, "SITE", SITE)


def sarif_links(log: Any) -> list[str | None]:
    driver = log["runs"][0]["tool"]["driver"]
    return [driver.get("informationUri"), *(rule.get("helpUri") for rule in driver["rules"])]


LINKS: dict[str, Callable[[Any], list[str | None]]] = {
    "json": lambda rows: [row["url"] for row in rows],
    "json-lines": lambda row: [row["url"]],
    "sarif": sarif_links,
    "rdjson": lambda told: [diagnostic["code"].get("url") for diagnostic in told["diagnostics"]],
    "lsp": lambda files: [each["codeDescription"]["href"] for file in files for each in file["diagnostics"]],
}


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("name", LINKS)
def test_a_released_jaxlint_links_to_the_pages_of_its_rules(
    jaxlint: Jaxlint, write: Callable[[dict[str, str]], None], name: str
) -> None:
    write({"a.py": IMPURE})
    told = json.loads(jaxlint("--output-format", name).out)
    assert LINKS[name](told) == ([SITE, PAGE] if name == "sarif" else [PAGE])


@pytest.mark.parametrize("name", LINKS)
def test_a_checkout_leads_nowhere_on_the_web(
    jaxlint: Jaxlint, write: Callable[[dict[str, str]], None], name: str
) -> None:
    write({"a.py": IMPURE})
    (*_, link) = LINKS[name](json.loads(jaxlint("--output-format", name).out))
    assert link is None or Path(link.removeprefix("file://")).name == "JAX101.md"


@pytest.mark.usefixtures("released")
def test_the_page_and_the_list_of_rules_link_there(
    jaxlint: Jaxlint, write: Callable[[dict[str, str]], None], project: Path
) -> None:
    write({"a.py": IMPURE})
    jaxlint("report", "-q")
    assert f'<a href="{PAGE}">' in (project / "jaxlint-report.html").read_text(encoding="utf-8")
    assert json.loads(jaxlint("rule", "JAX101", "--output-format", "json").out)["url"] == PAGE
