"""Notebooks: cells are checked together, each is told its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.editor import Start, capabilities, codes
from tests.server.test_actions import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")

CELLS = [
    "%matplotlib inline\nimport jax\nimport jax.numpy as jnp",
    "x = jnp.zeros(3)\nx[0] = 1",
    "f = jax.jit(lambda x: x)",
]


async def test_a_notebook(start: Start, folder: Path) -> None:
    editor = await start(
        capabilities(
            "visual-studio-code",
            text_document__diagnostic=None,
            notebook_document=types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities()),
        )
    )
    assert editor.can.notebook_document_sync is not None
    uris = [f"vscode-notebook-cell:/a.ipynb#{number}" for number in range(len(CELLS))]
    cells = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in uris]
    cells.insert(1, types.NotebookCell(types.NotebookCellKind.Markup, "vscode-notebook-cell:/a.ipynb#text"))
    notebook = types.NotebookDocument(editor.uri("a.ipynb"), "jupyter-notebook", 1, cells)
    texts = [types.TextDocumentItem(uri, "python", 1, text) for uri, text in zip(uris, CELLS)]
    editor.texts |= dict(zip(uris, CELLS))
    editor.versions |= dict.fromkeys(uris, 1)
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, texts))
    assert [codes((await editor.published(uri)).diagnostics) for uri in uris] == [[], ["2 JAX301"], []]

    fix = (await actions(editor, uris[1], 2))["Write `x = x.at[…].set(…)`"]
    (change,) = fix.edit.document_changes
    assert change.text_document.uri == uris[1]
    assert change.edits[0].range.start.line == 1

    span = types.Range(types.Position(1, 0), types.Position(1, 8))
    edited = types.NotebookDocumentCellContentChanges(
        types.VersionedTextDocumentIdentifier(2, uris[1]), [types.TextDocumentContentChangePartial(span, "y = x + 1")]
    )
    editor.versions[uris[1]] = 2
    editor.client.notebook_document_did_change(
        types.DidChangeNotebookDocumentParams(
            types.VersionedNotebookDocumentIdentifier(2, notebook.uri),
            types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[edited])),
        )
    )
    assert codes((await editor.published(uris[1])).diagnostics) == []
    closing = types.DidCloseNotebookDocumentParams(
        types.NotebookDocumentIdentifier(notebook.uri), [types.TextDocumentIdentifier(uri) for uri in uris]
    )
    editor.client.notebook_document_did_close(closing)
    for uri in uris:
        assert codes((await editor.published(uri)).diagnostics) == []
