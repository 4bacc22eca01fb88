"""Python that comments cut into cells, as editors and Jupytext take them.

`# %%` begins a cell, and so does `# In[1]:` in an exported notebook.  In Jupytext's light format a paragraph is a cell,
and so is what stands between `# +` and `# -`.  Whoever runs such cells may have IPython's magics in them.  So may a
script that is run there as a whole, or a selection at a time, where nothing else keeps it from being Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jaxlint.project.blocks import Block, pieces_in
from jaxlint.project.ipython import MAY_BE_SPECIAL, Nesting, Piece, parses
from jaxlint.project.jupytext import header
from jaxlint.project.layout import LINE_BREAK, Layout, Shows, Splices, spliced

_MARK = re.compile(r"^#[ \t]?(?:%%|In\[[\d ]*\]:)", re.MULTILINE)
_START = re.compile(r"#[ \t]*\+")
_PLAIN_START = re.compile(r"# \+(?: (?:[{\[].*|\w+=.*))?\s*$", re.MULTILINE)
_END = re.compile(r"#[ \t]*-[ \t]*$")
_NAMELESS = re.compile(r"[ \t]*%%?[ \t]*$")
"""A mark without its `#`: no magic lacks a name."""
_SIGN = re.compile(r"^(?:[^=#\n\"'()]*=)?[ \t]*(?:%%?[A-Za-z]|!)", re.MULTILINE)
"""A magic or a shell line that nobody takes for Python, or what a name gets from one."""
_COLAB = re.compile(r"^Original file is located at\s+https://colab\.", re.MULTILINE)
_COLAB_WITHIN = 2000
"""How many characters of a file the note stands in that Colab begins it with."""


def cells_in(text: str) -> list[Block]:
    """The cells of a script, in order, without the lines that cut them; none where it is not cut."""
    is_marked = _MARK.search(text) is not None
    if not (is_marked or "# +" in text or "jupytext:" in text):
        return []
    lines = LINE_BREAK.split(text)
    if header(lines) == "light":
        return _filled(_light(lines, by_paragraph=True), lines)
    if is_marked:
        return _filled(_marked(lines), lines)
    return _filled(_light(lines, by_paragraph=False), lines) if _has_light_cells(lines) else []


def with_magics(path: str, text: str, encoding: str) -> tuple[str, Layout] | None:
    """The Python in a script whose cells have magics that stand for themselves, and how it lies there.

    None for a script that is Python, or that is wrong for other reasons and that nothing says to be run in cells.
    """
    cells = cells_in(text)
    is_told = bool(cells) or _COLAB.search(text[:_COLAB_WITHIN]) is not None
    if not (MAY_BE_SPECIAL if is_told else _SIGN).search(text) or parses(text):
        return None
    lines = LINE_BREAK.split(text)
    shows: Shows = "last" if cells else "none" if is_told else "each"
    by_paragraph = _filled(_light(lines, by_paragraph=True), lines) if shows == "each" else []
    blocks = cells or by_paragraph or [Block(1, len(lines) + 1, is_cell=True)]
    pieces = [piece for block in blocks for piece in pieces_in(block, lines)]
    own = [line for block in blocks for line in lines[block.first - 1 : block.stop - 1]]
    if any(map(_NAMELESS.match, own)):
        return None
    if [line for line in own if line.strip()] == [piece.text for piece in pieces if piece.text.strip()]:
        return None  # no magic is to blame for what is wrong
    if not is_told and not _are_magics(lines, pieces):
        return None

    def write(changes: Splices) -> bytes:
        return spliced(text, changes.get(0, ())).encode(encoding)

    layout = Layout(path, [piece.at(0) for piece in pieces], {0: text}, write, shows)
    return "".join(piece.text + "\n" for piece in pieces), layout


def _are_magics(lines: Sequence[str], pieces: Sequence[Piece]) -> bool:
    """Whether magics and shell lines, each with its sign, are all that keeps a script from being Python."""
    changed = (piece for piece in pieces if piece.text != lines[piece.line - 1])
    begun = (lines[piece.line - 1] for piece in changed if not lines[piece.line - 2].endswith("\\"))
    return all(map(_SIGN.match, begun)) and parses("\n".join(piece.text for piece in pieces))


def _filled(cells: Iterator[Block], lines: Sequence[str]) -> list[Block]:
    return [cell for cell in cells if any(line.strip() for line in lines[cell.first - 1 : cell.stop - 1])]


def _marked(lines: Sequence[str]) -> Iterator[Block]:
    first = 1
    for number, line in enumerate(lines, 1):
        if _MARK.match(line):
            yield Block(first, number, is_cell=True)
            first = number + 1
    yield Block(first, len(lines) + 1, is_cell=True)


def _light(lines: Sequence[str], by_paragraph: bool) -> Iterator[Block]:
    """The cells between marks of the light format and, ``by_paragraph``, the paragraphs outside them."""
    first, is_open = 1, False
    nesting = Nesting()
    for number, line in enumerate(lines, 1):
        starts, ends = bool(_START.match(line)), is_open and bool(_END.match(line))
        if nesting.is_closed and (starts or ends or (by_paragraph and not is_open and _ends_paragraph(lines, number))):
            yield Block(first, number, is_cell=True)
            first = number + 1
            is_open = starts or (is_open and not ends)
        nesting.read(line)
    yield Block(first, len(lines) + 1, is_cell=True)


def _ends_paragraph(lines: Sequence[str], number: int) -> bool:
    """Whether a line is blank and what follows it begins at the margin."""
    following = lines[number] if number < len(lines) else ""
    return not lines[number - 1].strip() and bool(following.strip()) and not following[0].isspace()


def _has_light_cells(lines: Sequence[str]) -> bool:
    """Whether `# +` and `# -` stand around code as marks do, each pair with blank lines around it.

    In a comment that goes on, or without the other one, they are signs of the comment's.
    """
    is_open, count = False, 0
    for index, line in enumerate(lines):
        before = lines[index - 1].strip() if index else ""
        after = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if _PLAIN_START.match(line):
            if before or not after:
                return False
            is_open = True
        elif _END.match(line):
            if not is_open or after or not before or before.startswith("#"):
                return False
            is_open, count = False, count + 1
    return count > 0
