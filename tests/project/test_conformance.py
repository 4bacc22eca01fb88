"""`docs/conformance.md` tells what becomes of each sharp bit, and its programs bear it out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from jaxlint.api import Certainty, Settings, lint_paths

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
PROGRAMS = Path(__file__).with_name("sharp_bits.txt")
SPECIFICATION = ROOT.parent / "shared" / "sharp-bits.md"
"""Not part of the repository; it may lie beside the checkout."""

ENTRIES = "P10 T8 C7 I11 R13 S11 D4 L5 N10 A12 X15 B8 E3 G2 V3"
"""The last entry of each section; each counts up from 1."""

TRACED = {"JAX501", "JAX803"}
"""Rules that say nothing without `--dynamic`."""

HEADER = """\
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

"""


class Row(NamedTuple):
    entry: str
    name: str
    codes: list[str]
    left: str


def _row(line: str) -> Row:
    entry, name, codes, left = (cell.strip() for cell in line.strip("|").split(" |"))
    return Row(entry, name, codes.split(", ") if codes else [], left)


ROWS = [_row(line) for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| [A-Z]\d", line)]


def programs_of(row: Row) -> list[str]:
    """The programs below the title of an entry."""
    parts = re.split(r"^# --- (.+)\n", PROGRAMS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [body for title, body in zip(parts[1::2], parts[2::2]) if title == f"{row.entry} {row.name}"]


def test_every_entry_stands_once() -> None:
    known = [f"{last[0]}{number}" for last in ENTRIES.split() for number in range(1, int(last[1:]) + 1)]
    assert [row.entry for row in ROWS] == known


def test_the_entries_are_those_of_the_specification() -> None:
    if not SPECIFICATION.is_file():
        pytest.skip("the specification is not here")
    headings = re.findall(r"^#### (\w+) `([^`]+)`", SPECIFICATION.read_text(encoding="utf-8"), re.MULTILINE)
    assert [(row.entry, row.name) for row in ROWS] == headings


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.entry)
def test_what_is_not_found_has_a_word(row: Row) -> None:
    assert row.codes or row.left.startswith(("not yet", "on purpose: "))
    assert all((ROOT / "rules" / f"{code}.md").is_file() for code in row.codes)
    assert TRACED.isdisjoint(row.codes) or row.left.startswith("with `--dynamic")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.entry)
def test_the_rules_of_a_row_are_those_that_find_something(row: Row, tmp_path: Path) -> None:
    found = set[str]()
    for number, program in enumerate(programs_of(row)):
        folder = tmp_path / str(number)
        folder.mkdir()
        asked = re.match(r"# requires: (.+)\n", program)
        if asked is not None:
            (folder / "requirements.txt").write_text(asked[1], encoding="utf-8")
        (folder / "program.py").write_text(HEADER + program, encoding="utf-8")
        findings = lint_paths([folder], settings=Settings(preview=True, certainty=Certainty.POSSIBLE))
        found |= {finding.code for finding in findings}
    assert programs_of(row)
    assert found == set(row.codes) - TRACED
