"""The editor's texts.

pygls keeps them up to date, but splits them where `str.splitlines` does; the protocol, like Python, ends a line at
a line feed or a carriage return only, so that after a form feed all positions would be off.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Buffer(TextDocument):
    """A text as it stands in the editor."""

    @property
    def lines(self) -> Sequence[str]:
        return _LINE.findall(self.source)


class Buffers(Workspace):
    """All texts of the editor, by URI."""

    @classmethod
    def instead_of(cls, workspace: Workspace) -> Buffers:
        """The same empty workspace, as pygls made it from the editor's first message."""
        folders = list(workspace.folders.values())
        sync = types.TextDocumentSyncKind.Incremental
        return cls(workspace.root_uri, sync, folders, workspace.position_encoding)

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        codec: PositionCodec = self.position_codec
        return Buffer(doc_uri, source, version, language_id, position_codec=codec)
