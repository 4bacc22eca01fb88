"""The code frame: whatever line and range a finding names, what is shown is aligned and fits a terminal."""

from __future__ import annotations

import pytest

from jaxlint.api import lint_source
from jaxlint.project.documents import Document
from jaxlint.report.source import MAX_WIDTH, Sources
from jaxlint.report.text import Paint, concise, full
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Related, Severity

PATH = "/home/me/train.py"


def frame(text: str, *place: int, related: tuple[Related, ...] = (), certainty: Certainty = Certainty.CERTAIN) -> str:
    """The report of one finding at (line, column, end line, end column)."""
    finding = Finding("JAX401", "key-reused", "twice", Location(PATH, *place), Severity.ERROR, certainty, None, related)
    return "\n".join(full([finding], Sources({PATH: Document(PATH, text)}, "/home/me"), Paint(False)))


def test_two_lines_around_without_blank_edges() -> None:
    text = "zero = 0\n\none = 1\ntwo = 2\n\n\nthree = 3\n"
    assert frame(text, 4, 7, 4, 8).splitlines() == [
        "JAX401 [key-reused] twice",
        " --> train.py:4:7",
        "  |",
        "3 | one = 1",
        "4 | two = 2",
        "  |       ^",
        "  |",
    ]


def test_a_place_on_a_blank_line_is_shown_all_the_same() -> None:
    assert frame("if x:\n\n", 2, 1, 2, 2).splitlines()[3:] == ["1 | if x:", "2 |", "  | ^", "  |"]
    assert frame("a = 1 + \\\n\n\nb = 2\n", 2, 1, 2, 2).splitlines()[3:6] == ["1 | a = 1 + \\", "2 |", "  | ^"]
    assert frame("if x:\n\n\n\n", 4, 1, 4, 2).splitlines()[3:] == ["4 |", "  | ^", "  |"]
    assert frame("try:\n    x = 1\n\n\n", 4, 1, 4, 2).splitlines()[3:] == [
        "2 |     x = 1",
        "3 |",
        "4 |",
        "  | ^",
        "  |",
    ]


def test_line_numbers_are_aligned() -> None:
    shown = frame("".join(f"x{n}\n" for n in range(1, 20)), 9, 1, 9, 3)
    assert " 9 | x9\n   | ^^\n10 | x10\n11 | x11" in shown


def test_a_range_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert "1 | f(a,\n  | ^^^^\n2 |   b)" in frame("f(a,\n  b)\n", 1, 1, 2, 5)


def test_related_places_are_notes_with_a_line_each() -> None:
    step = Related(Location(PATH, 1, 1, 1, 2), "first consumed here")
    shown = frame("a\nb\nc\n", 3, 1, 3, 2, related=(step,))
    assert "note: first consumed here\n --> train.py:1:1\n  |\n1 | a\n  | ^\n  |" in shown


def test_what_is_not_certain_says_so() -> None:
    assert frame("x\n", 1, certainty=Certainty.LIKELY).startswith("JAX401 [key-reused] (likely) twice\n")


@pytest.mark.parametrize("column", [1, 80, 5000, 9990])
def test_long_lines_are_cut_around_the_place(column: int) -> None:
    line = "".join(chr(ord("a") + n % 26) for n in range(10_000))
    code, marks = frame(line, 1, column, 1, column + 3).splitlines()[3:5]
    assert len(code) <= MAX_WIDTH + 6
    start = marks.index("^")
    assert code[start : start + 3] == line[column - 1 : column + 2]


@pytest.mark.parametrize("place", [(9, 1, 9, 2), (1, 99, 1, 120), (1, 2, 0, 0), (2, 1, 2, 1)])
def test_a_place_that_is_not_in_the_text_is_still_reported(place: tuple[int, ...]) -> None:
    assert f"train.py:{place[0]}:{place[1]}" in frame("x = 1\n", *place)


def test_concise_is_one_line_whatever_the_message_holds() -> None:
    finding = Finding("JAX401", "key-reused", "two\nlines", Location("/elsewhere/a.py", 3, 5))
    assert list(concise([finding], Sources({}, "/home/me"), Paint(False))) == ["/elsewhere/a.py:3:5: JAX401 two␊lines"]


def test_a_place_in_a_notebook_names_its_cell() -> None:
    finding = Finding("JAX401", "key-reused", "twice", Location("/home/me/a.ipynb", 3, 5, cell=12))
    sources = Sources({}, "/home/me")
    assert list(concise([finding], sources, Paint(False))) == ["a.ipynb:cell 12:3:5: JAX401 twice"]
    assert " --> a.ipynb:cell 12:3:5" in list(full([finding], sources, Paint(False)))


REUSED_IN = {  # where two calls of one function use a key again, and how often each note is there
    "one call after the other": "    return noise(key) + noise(key)\n",
    "every pass of a loop": "    total = 0.0\n    for _ in range(3):\n        total += noise(key)\n    return total\n",
}


@pytest.mark.parametrize("body", REUSED_IN.values(), ids=REUSED_IN)
def test_what_both_calls_lead_to_is_shown_once(body: str) -> None:
    function = "import jax\n\n\ndef noise(key):\n    return jax.random.normal(key)\n\n\ndef twice(key):\n"
    (finding,) = lint_source(function + body)
    assert [step.location.line for step in finding.related].count(5) == 1
    assert len(set(finding.related)) == len(finding.related) == 2
