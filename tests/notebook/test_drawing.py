"""What is drawn of findings, as text and as HTML that can stand in any notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jaxlint.notebook.checker import Checker
from jaxlint.project.cells import Cell

IMPORTS = Cell(1, "import jax\nimport jax.numpy as jnp")
NASTY = Cell(3, "a = jnp.zeros(3)\na[0] = 1 if '<script>alert(1)</script>&amp;\u202e' else 2")
BRANCH = Cell(7, "%time 1\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x")


class Page(HTMLParser):
    """The elements of a page, as they are opened and closed, its text and its styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.styles: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.elements.add(tag)
        self.styles += [value or "" for name, value in attributes if name == "style"]
        assert {name for name, _ in attributes} <= {"style", "class"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def checker(tmp_path: Path) -> Iterator[Checker]:
    return Checker(str(tmp_path / "notebook.ipynb"))


def test_nothing_is_shown_of_nothing(checker: Checker) -> None:
    assert checker.check([IMPORTS, Cell(2, "x = jnp.zeros(3)")], 1, [], False) == {}


def test_what_a_cell_says_is_text(checker: Checker) -> None:
    page = Page(checker.check([IMPORTS, NASTY], 3, [], False)["html"])
    assert page.open == []
    assert page.elements <= {"div", "b", "span", "pre", "code", "details", "summary"}
    assert "'<script>alert(1)</script>&amp;\ufffd'" in page.text
    assert "\u202e" not in page.text


def test_a_finding_has_its_why_its_help_and_its_fix(checker: Checker) -> None:
    shown = checker.check([IMPORTS, BRANCH], 7, [], False)
    for text in (shown["plain"], Page(shown["html"]).text):
        assert "JAX201" in text
        assert "Cell In[7], line 4" in text
        assert "parameter `x` is traced by `jit`" in text
        assert "help: use `jnp.where`" in text
        assert "fix: Use `jnp.where`" in text
        assert (
            "--- In[7]\n+++ In[7]\n@@ -1,6 +1,4 @@\n %time 1\n @jax.jit\n def f(x):\n-    if x > 0:\n"
            "-        return x\n-    return -x\n+    return jnp.where(x > 0, x, -x)\n" in text + "\n"
        )


def test_styles_hold_on_white_and_on_black(checker: Checker) -> None:
    styles = Page(checker.check([IMPORTS, NASTY, BRANCH], 1, [], False)["html"]).styles
    assert styles
    for style in styles:
        assert not re.search(r"(?<!-)color:(?!#d64550|#c77700|#3b82c4)", style)
        assert all("rgba(" in ground for ground in re.findall(r"background:[^;]*", style))


def test_colours_are_for_terminals(checker: Checker) -> None:
    assert "\033" not in checker.check([IMPORTS, NASTY], 3, [], False)["plain"]
    assert "\033[" in checker.check([IMPORTS, NASTY], 3, [], True)["plain"]
