"""Notebooks that are kept as text, too: by Jupytext, or by an export that stayed beside them.

The two halves hold the same code.  Whoever asks for both wants to hear of it once, in the text.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from jaxlint.project.documents import Document
from jaxlint.project.jupytext import header
from jaxlint.project.program import Module, Program

NOTEBOOK = ".ipynb"

_DECLARED, _TOGETHER, _NEVER = 0.5, 0.9, 2.0
"""How much of the code has to be the same: where the text says that Jupytext keeps it, where it only lies beside the
notebook, and where neither is so."""

_EXPORTED = "get_ipython()"
"""How an exported notebook calls what was a magic."""


def texts_of(program: Program, asked: Iterable[str]) -> dict[str, Module]:
    """Of the files with these real paths, the notebooks whose text is among them, each with that text."""
    by_stem: dict[str, list[str]] = {}
    for real in asked:
        by_stem.setdefault(os.path.splitext(os.path.basename(real))[0], []).append(real)
    found: dict[str, Module] = {}
    for files in by_stem.values():
        texts = [program.by_path[real] for real in files if not real.endswith(NOTEBOOK)]
        for real in files:
            if real.endswith(NOTEBOOK) and (text := _text_of(program.by_path[real], texts)) is not None:
                found[real] = text
    return found


def _text_of(notebook: Module, texts: Sequence[Module]) -> Module | None:
    """The text that has most of its code in common with a notebook, if that is enough."""
    shares = {text.name: _share(notebook.document, text.document) for text in texts}
    enough = [text for text in texts if shares[text.name] >= _needed(notebook.document, text.document)]
    return max(enough, key=lambda text: shares[text.name], default=None)


def _needed(notebook: Document, text: Document) -> float:
    if header(text.source_lines()) is not None:
        return _DECLARED
    beside = os.path.dirname(notebook.path) == os.path.dirname(text.path)
    return _TOGETHER if beside else _NEVER


def _share(notebook: Document, text: Document) -> float:
    """How much of their code two documents have in common, from 0 to 1."""
    one, other = Counter(_code(notebook)), Counter(_code(text))
    return (one & other).total() / max(one.total(), other.total(), 1)


def _code(document: Document) -> Iterator[str]:
    """The lines of code without comments, and without what stands in for magics."""
    for number, line in enumerate(document.lines, 1):
        code = line.partition("  #")[0].strip()
        if code and not code.startswith(("#", _EXPORTED)) and document.is_verbatim(number):
            yield code
