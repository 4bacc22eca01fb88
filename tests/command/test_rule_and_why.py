"""`jaxlint rule` and `jaxlint why`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from jaxlint.vocabulary.rules import all_rules
from tests.command.conftest import IMPURE, Jaxlint


def test_a_rule_by_code_or_name(jaxlint: Jaxlint) -> None:
    page = jaxlint("rule", "JAX101").out
    assert page.startswith("# JAX101 print-in-traced-function\n")
    assert "## Why it is bad" in page
    assert jaxlint("rule", "jax101").out == page
    assert jaxlint("rule", "print-in-traced-function").out == page


def test_all_rules_as_a_list(jaxlint: Jaxlint) -> None:
    lines = jaxlint("rule").out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(all_rules())
    assert lines[0].split() == ["JAX001", "syntax-error", "certain", "error"]


def test_all_pages(jaxlint: Jaxlint) -> None:
    pages = jaxlint("rule", "--all").out
    assert all(f"# {rule.code} {rule.name}\n" in pages for rule in all_rules().values())


def test_pages_have_nothing_of_the_tests_in_them(jaxlint: Jaxlint) -> None:
    """Checks, excuses and what no fix mends are read by `tests/cards_support.py` alone."""
    pages = jaxlint("rule", "--all").out
    assert pages.count("```python bad") > 100
    assert pages.count("```python good") > 100
    for told in ("```python check", "```python fixed", "<!--", ", not fixed", "raises_here", "\n\n\n\n"):
        assert told not in pages
    assert set(re.findall(r"^```(.*)$", pages, re.MULTILINE)) == {"", "python bad", "python good", "text"}


def test_rules_as_json(jaxlint: Jaxlint) -> None:
    one = json.loads(jaxlint("rule", "JAX101", "--output-format", "json").out)
    assert (one["code"], one["family"], one["severity"]) == ("JAX101", "purity", "warning")
    assert one["summary"].startswith("Reports `print`")
    assert len(json.loads(jaxlint("rule", "--output-format", "json").out)) == len(all_rules())


def test_why_tells_what_is_known_about_a_line(jaxlint: Jaxlint, write: Callable[[dict[str, str]], None]) -> None:
    write({"a.py": IMPURE})
    outcome = jaxlint("why", "a.py:6")
    assert outcome.code == 0
    assert "a.py" in outcome.out
