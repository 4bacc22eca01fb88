"""Documents together with their doctest examples.

The examples of a docstring see what its module defines, and nothing of them is seen outside.  So they become the body
of a function at the end of the module's text.  Those of a file of prose run one after the other, with its code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.project.displayed import EXAMPLES
from jaxlint.project.documents import PROSE, Document, document_of_prose
from jaxlint.project.ipython import Piece, in_block
from jaxlint.project.layout import Layout, Line, Splices, spliced
from jaxlint.project.prompts import examples_in, pieces_of


def with_examples(document: Document) -> Document:
    """The document with its doctest examples; itself where it has none."""
    if ">>> " not in document.parts.get(0, ""):
        return document
    if document.path.endswith(PROSE):
        return document_of_prose(document.path, document.data(), doctest=True)
    return _with_docstrings(document) if document.layout is None else document


def _with_docstrings(document: Document) -> Document:
    added: list[Piece] = []
    for first, stop in _docstrings(document.tree) if document.tree is not None else ():
        added += in_block(f"def {EXAMPLES}():", pieces_of(examples_in(document.lines, first, stop)))
    if not added:
        return document
    own = document.text if document.lines[-1] == "" else document.text + "\n"
    count = len(document.lines) - (document.lines[-1] == "")
    lines = [Line(0, number) for number in range(1, count + 1)]
    lines += (piece.at(0) for piece in added)

    def write(changes: Splices) -> bytes:
        return spliced(document.text, changes.get(0, ())).encode(document.encoding)

    layout = Layout(document.path, lines, {0: document.text}, write, shows="none")
    return Document(document.path, own + "".join(piece.text + "\n" for piece in added), layout=layout)


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The first line of each docstring and the one after its last."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            value = first.value if isinstance(first, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield first.lineno, (first.end_lineno or first.lineno) + 1
