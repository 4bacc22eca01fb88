"""Places and edits of a text that lies in its file in pieces: indented, numbered by cells, with lines in between."""

from __future__ import annotations

import pytest

from jaxlint.project.documents import Document, document_from_bytes
from jaxlint.project.layout import CannotEditError, Layout, Line, Splices, spliced, splices
from jaxlint.vocabulary.findings import Edit, Location

FILE = "words\n    a = 1\n    b = 2\nwords\n  !ls\n  c = 3\n"
LINES = [Line(0, 2, 4), Line(0, 3, 4), Line(0, 5, 2, verbatim=False), Line(0, 6, 2)]
TEXT = "a = 1\nb = 2\npass\nc = 3\n"


def write(changes: Splices) -> bytes:
    return spliced(FILE, changes.get(0, ())).encode()


LAYOUT = Layout("/f.md", LINES, {0: FILE}, write)


def at(*place: int) -> Location:
    return Location("/f.md", *place)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (at(1, 1, 1, 2), at(2, 5, 2, 6)),
        (at(1, 5, 2, 6), at(2, 9, 3, 10)),
        (at(4, 5), at(6, 7)),
    ],
)
def test_places_lead_to_the_file_and_back(text: Location, file: Location) -> None:
    assert LAYOUT.place(text) == file
    assert LAYOUT.virtual(file) == text


def test_a_place_ends_with_its_block() -> None:
    assert LAYOUT.place(at(1, 1, 4, 2)) == at(2, 5, 4, 1)


def test_what_is_not_python_has_no_place_in_the_text() -> None:
    assert LAYOUT.virtual(at(4, 1)) is None
    assert LAYOUT.virtual(at(99, 1)) is None


EDITS = {
    "a part of a line": (Edit(at(1, 5, 1, 6), "9"), "    a = 9\n    b = 2\n"),
    "a whole line": (Edit(at(1, 1, 2, 1), ""), "    b = 2\n"),
    "more lines": (
        Edit(at(2, 1, 2, 6), "if a:\n    b = 2\n\nd = 4"),
        "    a = 1\n    if a:\n        b = 2\n\n    d = 4\n",
    ),
    "a new line": (Edit(at(2, 1, 2, 1), "z = 0\n"), "    a = 1\n    z = 0\n    b = 2\n"),
    "over two lines": (Edit(at(1, 5, 2, 5), ""), "    a = 2\n"),
}


@pytest.mark.parametrize(("edit", "block"), EDITS.values(), ids=EDITS)
def test_edits_keep_the_indentation(edit: Edit, block: str) -> None:
    placed = LAYOUT.place_edit(edit)
    assert spliced(FILE, splices(FILE, [placed])) == FILE.replace("    a = 1\n    b = 2\n", block)


@pytest.mark.parametrize("place", [at(3, 1, 3, 5), at(2, 1, 4, 1), at(9, 1, 9, 1)])
def test_what_is_not_python_is_not_edited(place: Location) -> None:
    with pytest.raises(CannotEditError):
        LAYOUT.place_edit(Edit(place, "x"))


def test_edits_have_the_line_breaks_of_the_file() -> None:
    layout = Layout("/f.md", LINES, {0: FILE.replace("\n", "\r\n")}, write)
    assert layout.place_edit(Edit(at(1, 1, 1, 1), "z\n")).content == "z\r\n    "


def test_an_indented_stand_in_is_undone_in_edits() -> None:
    file = "%%timeit\na = 1\nb = 2\n"
    layout = Layout("/n.ipynb", [Line(3, 1, 0, False), Line(3, 2, -1), Line(3, 3, -1)], {3: file}, lambda _: b"")
    assert layout.place(at(2, 2, 2, 3)) == Location("/n.ipynb", 2, 1, 2, 2, 3)
    placed = layout.place_edit(Edit(at(2, 2, 2, 7), "if c:\n     a = 1"))
    assert spliced(file, splices(file, [placed])) == "%%timeit\nif c:\n    a = 1\nb = 2\n"


def test_edits_of_plain_python_keep_its_newlines_and_encoding() -> None:
    data = "# coding: latin-1\r\nx = 'é'\r\ny\r\n".encode("latin-1")
    document = document_from_bytes("/m.py", data)
    assert document.data() == data
    place = Location("/m.py", 3, 1, 3, 2)
    edited = document.with_edits([Edit(place, "y\r\nz")])
    assert edited.data() == data.replace(b"y\r\n", b"y\r\nz\r\n")


def test_a_byte_order_mark_stays() -> None:
    data = b"\xef\xbb\xbfx = 1\n"
    assert document_from_bytes("/m.py", data).data() == data


def test_edits_that_overlap_are_refused() -> None:
    edits = [Edit(Location("/m.py", 1, 1, 1, 4), "a"), Edit(Location("/m.py", 1, 3, 1, 5), "b")]
    with pytest.raises(CannotEditError):
        Document("/m.py", "x = 1\n").with_edits(edits)
