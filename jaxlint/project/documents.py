"""One source file: its text, its tree, and the one finding that says why either is missing.

Nothing here raises on account of a file's content: whatever cannot be read, decoded or parsed becomes the
document's ``problem``.
"""

from __future__ import annotations

import ast
import bisect
import codecs
import hashlib
import io
import os
import re
import sys
import tokenize
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.files.reading import MAX_BYTES, FileTooLargeError, read_file, reason_of
from jaxlint.project.depth import nesting_depth
from jaxlint.project.layout import LINE_BREAK, CannotEditError, Layout, spliced, splices
from jaxlint.project.script_cells import cells_in, with_magics
from jaxlint.vocabulary.findings import Edit, Finding, Fix, Location

if TYPE_CHECKING:
    from jaxlint.project.blocks import Block
    from jaxlint.project.cells import Cell

MAX_NOTEBOOK_BYTES = 128 * 1024 * 1024
"""Most of a large notebook is pictures, which are only skipped over."""

PROSE = (".md", ".markdown", ".qmd", ".rst")
"""Files of text with code in it."""

NOT_IMPORTED = (".ipynb", *PROSE)
"""Files that hold Python, but that no `import` finds."""

MAX_LIBCST_DEPTH = 1000
"""libcst overflows the C stack, and so ends the process, on expressions a few thousand levels deep."""

NEWEST_SYNTAX = (3, 14)
"""From this Python on, `ast` knows everything that libcst knows."""

_TOO_DEEP = re.compile(r"too many nested parentheses|too many levels of indentation|recursion|too complex|too deeply")


class Document:
    """A file as it was when it was read.

    ``path`` is the absolute path, spelled as the file was found; ``text`` is empty where ``problem`` says that the
    file could not be read.  The tree is parsed when first asked for.

    ``text`` is what is analysed, and the places of nodes are places in it.  In a file that is not plain Python
    ``layout`` says where it stands there: `place` leads to the file, `virtual` back.
    """

    __slots__ = (
        "__weakref__",
        "_cells",
        "_lines",
        "_parsed",
        "_problem",
        "_tree",
        "encoding",
        "layout",
        "path",
        "text",
    )

    def __init__(
        self,
        path: str,
        text: str,
        problem: Finding | None = None,
        encoding: str = "utf-8",
        layout: Layout | None = None,
    ) -> None:
        self.path = path
        self.text = text
        self.encoding = encoding
        self.layout = layout
        self._problem = problem
        self._tree: ast.Module | None = None
        self._parsed = problem is not None
        self._lines: list[str] | None = None
        self._cells: Sequence[Block] | None = None

    def with_text(self, text: str) -> Document:
        """The same file of plain Python with another text."""
        return Document(self.path, text, encoding=self.encoding)

    def with_tree(self, tree: ast.Module) -> Document:
        """The same file, whose tree is known from elsewhere."""
        self._tree, self._parsed = tree, True
        return self

    def with_edits(self, edits: Iterable[Edit]) -> Document:
        """The same file with edits made, whose locations are places in the file.

        Raises CannotEditError for edits that overlap.
        """
        if self.layout is None:
            return self.with_text(spliced(self.text, splices(self.text, edits)))
        by_part: dict[int, list[Edit]] = {}
        for edit in edits:
            by_part.setdefault(edit.location.cell, []).append(edit)
        parts = self.layout.parts
        changes = {cell: splices(parts.get(cell, ""), some) for cell, some in by_part.items()}
        return document_from_bytes(self.path, self.layout.write(changes))

    def data(self) -> bytes:
        """The bytes of the file.  Raises UnicodeEncodeError for what its encoding cannot say."""
        return self.text.encode(self.encoding) if self.layout is None else self.layout.write({})

    def fingerprint(self) -> bytes:
        """A digest of all that can be known of the file, but for its path."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass"))
        unread = "" if self.text or self._problem is None else self._problem.message
        digest.update(f"\0{self.encoding}\0{unread}".encode("utf-8", "surrogatepass"))
        if self.layout is not None:
            digest.update(self.layout.shows.encode())
            digest.update(self.layout.write({}))
        return digest.digest()

    @property
    def tree(self) -> ast.Module | None:
        """The module's syntax tree, or None when there is a ``problem``."""
        self.parse()
        return self._tree

    @property
    def problem(self) -> Finding | None:
        """Why there is no tree: a finding JAX001, JAX002 or JAX004."""
        self.parse()
        return self._problem

    @property
    def lines(self) -> list[str]:
        """The lines without their breaks, split only where Python ends a line (a form feed does not)."""
        if self._lines is None:
            self._lines = LINE_BREAK.split(self.text)
        return self._lines

    @property
    def parts(self) -> Mapping[int, str]:
        """The texts that the file consists of: a notebook's code cells by their number, else one under 0."""
        return {0: self.text} if self.layout is None else self.layout.parts

    def source_lines(self, cell: int = 0) -> list[str]:
        """The lines of the file, or of a notebook's cell, as people see them."""
        return self.lines if self.layout is None else self.layout.source_lines(cell)

    def place(self, location: Location) -> Location:
        """Where in the file a place in ``text`` is."""
        return location if self.layout is None else self.layout.place(location)

    def virtual(self, location: Location) -> Location | None:
        """Where in ``text`` a place in the file is; None where it holds no Python."""
        return location if self.layout is None else self.layout.virtual(location)

    @property
    def is_in_cells(self) -> bool:
        """Whether this is a notebook, or Python that comments cut into cells: it is run and read piece by piece."""
        return self.has_cells if self.layout is None else self.layout.shows in ("last", "each")

    def in_one_cell(self, line: int, other: int) -> bool:
        """Whether lines of ``text`` are of one cell."""
        if self.layout is not None:
            return self.layout.in_one_cell(line, other)
        firsts = [cell.first for cell in self.cells]
        return bisect.bisect_right(firsts, line) == bisect.bisect_right(firsts, other)

    def is_verbatim(self, line: int) -> bool:
        """Whether a line of ``text`` is Python of the file, and stands in for nothing else."""
        return self.layout is None or self.layout.is_verbatim(line)

    def place_fix(self, fix: Fix) -> Fix | None:
        """A fix of ``text`` as one of the file; None where the file does not have that text as it is."""
        if self.layout is None:
            return fix
        try:
            return replace(fix, edits=tuple(map(self.layout.place_edit, fix.edits)))
        except CannotEditError:
            return None

    def location(self, node: ast.AST) -> Location:
        """Where a node is, in 1-based lines and character columns (`ast` counts UTF-8 bytes).

        A node without a position, such as the module itself, is at the beginning.
        """
        line = getattr(node, "lineno", 1)
        offset = getattr(node, "col_offset", 0)
        end_line = getattr(node, "end_lineno", None) or line
        end_offset = getattr(node, "end_col_offset", None)
        if end_offset is None:
            end_offset = offset
        return Location(self.path, line, self._column(line, offset), end_line, self._column(end_line, end_offset))

    def _column(self, line: int, byte_offset: int) -> int:
        if not 1 <= line <= len(self.lines):
            return byte_offset + 1
        text = self.lines[line - 1]
        if text.isascii():
            return byte_offset + 1
        return len(text.encode("utf-8", "surrogatepass")[:byte_offset].decode("utf-8", "replace")) + 1

    @property
    def has_cells(self) -> bool:
        """Whether this is Python whose comments cut it into cells, as in `# %%`."""
        return bool(self.cells)

    @property
    def cells(self) -> Sequence[Block]:
        """The cells into which comments cut plain Python."""
        if self._cells is None:
            self._cells = cells_in(self.text) if self.layout is None else []
        return self._cells

    def parse(self, newer_syntax: bool = True) -> None:
        """Finds the tree or the problem; without ``newer_syntax`` what the running Python rejects has none."""
        if self._parsed:
            return
        self._parsed = True
        try:
            self._tree = parse_python(self.text)
        except SyntaxError as error:
            self._tree = None if _gave_up(error) or not newer_syntax else parse_newer_syntax(self.text)
            if self._tree is None:
                self._problem = self._syntax_problem(error)
        except (RecursionError, MemoryError):
            self._problem = too_complex(self.path, "the code is nested too deeply for Python's own parser")
        except ValueError as error:  # a null byte (before 3.12) or a lone surrogate
            self._problem = _finding("JAX001", "syntax-error", f"SyntaxError: {error}", Location(self.path, 1))
        if self._tree is not None and (self.layout is not None or self.has_cells):
            from jaxlint.project import displayed

            if self.layout is not None:
                self._tree = displayed.keep_displayed(self._tree, self.layout)
            else:
                self._tree = displayed.keep_last_of_cells(self._tree, self.cells)

    def _syntax_problem(self, error: SyntaxError) -> Finding:
        line = min(max(error.lineno or 1, 1), len(self.lines))
        column = min(max(error.offset or 1, 1), len(self.lines[line - 1]) + 1)
        place = Location(self.path, line, column, line, column)
        if _gave_up(error):
            return too_complex(self.path, error.msg, place)
        return _finding("JAX001", "syntax-error", f"{type(error).__name__}: {error.msg}", place)


def read_document(path: str) -> Document:
    """Read one file; a file that cannot be read or decoded gives a document whose ``problem`` says why."""
    path = os.path.abspath(path)
    try:
        return document_from_bytes(path, read_file(path, _limit(path)))
    except FileTooLargeError as error:
        return Document(path, "", too_complex(path, reason_of(error)))
    except OSError as error:
        return Document(path, "", unreadable(path, reason_of(error)))


def document_from_bytes(path: str, data: bytes) -> Document:
    """The document that a file with this content would give (standard input, an editor's buffer)."""
    limit = _limit(path)
    if len(data) > limit:
        return Document(path, "", too_complex(path, f"the file has {len(data):,} bytes (the limit is {limit:,})"))
    if path.endswith(".ipynb"):
        return _document_of_notebook(path, data)
    if path.endswith(PROSE):
        return document_of_prose(path, data, doctest=False)
    try:
        text, encoding = _decode(data)
        return document_of_python(path, text, encoding)
    except (SyntaxError, LookupError, ValueError) as error:
        return Document(path, "", unreadable(path, f"not text in its encoding ({_first_line(error)})"))


def document_of_python(path: str, text: str, encoding: str = "utf-8") -> Document:
    """The document of a text that stands for a file of Python; its cells may have IPython's magics."""
    found = with_magics(path, text, encoding)
    return Document(path, text, encoding=encoding) if found is None else Document(path, found[0], layout=found[1])


def document_of_cells(path: str, cells: Sequence[Cell]) -> Document:
    """The document of a notebook that an editor holds as a list of code cells, or of those that a kernel has run.

    It goes on: what nobody reads yet may be read in the next cell.
    """
    from jaxlint.project.notebook import layout_of_cells

    text, layout = layout_of_cells(path, cells)
    layout.goes_on = True
    return Document(path, text, layout=layout)


def document_of_prose(path: str, data: bytes, doctest: bool) -> Document:
    """The document of a file of prose with code in it, and of the examples behind prompts where they are asked for."""
    from jaxlint.project import blocks, markdown, restructured

    find = restructured.find_blocks if path.endswith(".rst") else markdown.find_blocks
    try:
        text, layout = blocks.read_blocks(path, data, find, doctest)
    except UnicodeDecodeError as error:
        return Document(path, "", unreadable(path, f"not text in its encoding ({_first_line(error)})"))
    return Document(path, text, layout=layout)


def _document_of_notebook(path: str, data: bytes) -> Document:
    from jaxlint.project.notebook import NotANotebookError, read_notebook

    try:
        text, layout = read_notebook(path, data)
    except NotANotebookError as error:
        return Document(path, "", unreadable(path, str(error)))
    return Document(path, text, layout=layout)


def unreadable(path: str, reason: str, what: str = "file") -> Finding:
    """JAX002: the file's bytes cannot be had or make no text, or the folder cannot be listed."""
    return _finding("JAX002", "unreadable-file", f"cannot read this {what}: {reason}", Location(path, 1))


def too_complex(path: str, reason: str, place: Location | None = None) -> Finding:
    """JAX004: the file is Python as far as one can tell, but too large or too deep to be analysed."""
    return _finding("JAX004", "too-complex", f"not analysed: {reason}", place or Location(path, 1))


def _finding(code: str, name: str, message: str, place: Location) -> Finding:
    return Finding(code, name, message, place)


def _limit(path: str) -> int:
    return MAX_NOTEBOOK_BYTES if path.endswith(".ipynb") else MAX_BYTES


def _decode(data: bytes) -> tuple[str, str]:
    """Bytes to text as Python does it: by a byte order mark, or a PEP 263 comment, or as UTF-8.  Says which it was."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    if data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return data.decode(encoding), encoding


def parse_python(text: str) -> ast.Module:
    """The tree of a text.  Raises what `ast.parse` raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes and the like are other linters' business
        return ast.parse(text)


def parse_newer_syntax(text: str) -> ast.Module | None:
    """The tree of text in syntax that is newer than the running Python, or None when it is simply wrong."""
    if sys.version_info >= NEWEST_SYNTAX or nesting_depth(text) > MAX_LIBCST_DEPTH:
        return None
    try:
        from jaxlint.syntax import lower

        return lower.parse(text)
    except Exception:  # whatever libcst or the lowering stumbles over, `ast`'s own error is the one to show
        return None


def _gave_up(error: SyntaxError) -> bool:
    """Whether Python's parser hit one of its own limits instead of finding something wrong."""
    return bool(_TOO_DEEP.search(error.msg or ""))


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]
