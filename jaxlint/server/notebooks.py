"""A notebook in the editor as one document: its Python cells, numbered over cells of all kinds."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.workspace import Workspace

from jaxlint.project.cells import Cell
from jaxlint.project.documents import document_of_cells
from jaxlint.server.projects import Buffer, Part

SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(
            cells=[types.NotebookCellLanguage("python")],
            notebook=types.NotebookDocumentFilterNotebookType("jupyter-notebook"),
        )
    ]
)


def buffer_of(workspace: Workspace, notebook: types.NotebookDocument, path: str) -> Buffer:
    """The notebook as it stands in the editor."""
    cells: list[Cell] = []
    parts: dict[int, Part] = {}
    for number, cell in enumerate(notebook.cells, 1):
        document = workspace.text_documents.get(cell.document)
        if cell.kind == types.NotebookCellKind.Code and document is not None and document.language_id == "python":
            cells.append(Cell(number, document.source, "raises-exception" in _tags(cell)))
            parts[number] = Part(document.uri, document.version)
    return Buffer(document_of_cells(path, cells), parts)


def _tags(cell: types.NotebookCell) -> list[object]:
    """The cell's tags; editors keep Jupyter's metadata one level down or not."""
    metadata: dict[str, Any] = cell.metadata if isinstance(cell.metadata, dict) else {}
    inner = metadata.get("metadata", metadata)
    tags = inner.get("tags") if isinstance(inner, dict) else None
    return tags if isinstance(tags, list) else []
