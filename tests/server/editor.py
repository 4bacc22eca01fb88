"""What a user's editor does, in short words, through a real client."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities

PATIENCE = 60.0
"""A safety net against a server that never answers, far above what anything takes."""


Inbox = defaultdict[str, "asyncio.Queue[Any]"]
"""What the server has sent, by method."""


class Editor:
    """What a user's editor does, in short words."""

    def __init__(self, client: LanguageClient, folder: Path, begun: types.InitializeResult, inbox: Inbox) -> None:
        self.client = client
        self.folder = folder
        self.can = begun.capabilities
        self.inbox = inbox
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}

    def move_to(self, folder: Path) -> None:
        """Leaves one workspace folder for another."""
        added = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
        removed = [types.WorkspaceFolder(self.folder.as_uri(), self.folder.name)]
        self.folder = folder
        event = types.WorkspaceFoldersChangeEvent(added, removed)
        self.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    async def leave(self) -> None:
        await asyncio.wait_for(self.client.shutdown_session(), PATIENCE)
        await self.client.stop()

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> str:
        """Opens a file as it is on disk, or with another text, and returns its URI."""
        uri = self.uri(name)
        self.texts[uri] = (self.folder / name).read_text() if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "python", 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def replace(self, name: str, old: str, new: str) -> None:
        """Replaces one piece of text by another, as one incremental change in UTF-16 positions."""
        uri = self.uri(name)
        text = self.texts[uri]
        start = text.index(old)
        self.texts[uri] = text[:start] + new + text[start + len(old) :]
        span = types.Range(position(text, start), position(text, start + len(old)))
        self.change(name, types.TextDocumentContentChangePartial(span, new))

    def rewrite(self, name: str, text: str) -> None:
        """Gives a file another text, as one incremental change of what differs."""
        old = self.texts[self.uri(name)]
        start = _common(old, text)
        end = _common(old[start:][::-1], text[start:][::-1])
        self.texts[self.uri(name)] = text
        span = types.Range(position(old, start), position(old, len(old) - end))
        self.change(name, types.TextDocumentContentChangePartial(span, text[start : len(text) - end]))

    def change(self, name: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        self._change(self.uri(name), *changes)

    def _change(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        self.versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, list(changes)))

    def close(self, name: str) -> None:
        self._close(self.uri(name))

    def close_all(self) -> None:
        for uri in list(self.texts):
            self._close(uri)

    def _close(self, uri: str) -> None:
        del self.texts[uri]
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def wrote(self, *names: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Tells that files have changed on disk."""
        changes = [types.FileEvent(self.uri(name), kind) for name in names]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))

    def do(self, action: types.CodeAction) -> None:
        """Makes the edits of a code action in the text, and tells that."""
        changes = {each.text_document.uri: each.edits for each in action.edit.document_changes or []}
        for uri, edits in (changes or action.edit.changes).items():
            text = self.texts[uri]
            for edit in sorted(
                edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True
            ):
                text = text[: offset(text, edit.range.start)] + edit.new_text + text[offset(text, edit.range.end) :]
            self.texts[uri] = text
            self._change(uri, types.TextDocumentContentChangeWholeDocument(text))

    async def published(self, name: str) -> types.PublishDiagnosticsParams:
        """The next diagnostics for the file's latest version that the server sends of its own accord."""
        uri = self.uri(name)
        while True:
            params = await self.notified(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            if params.uri == uri and params.version in (None, self.versions.get(uri)):
                found: types.PublishDiagnosticsParams = params
                return found

    async def notified(self, method: str) -> Any:
        """The next notification of this kind that nobody has asked for yet."""
        return await asyncio.wait_for(self.inbox[method].get(), PATIENCE)

    async def refreshed(self) -> None:
        """Returns once the server has told the editor to ask for diagnostics again."""

        async def told() -> None:
            while not self.client.diagnostic_refresh_count:
                await asyncio.sleep(0.01)

        await asyncio.wait_for(told(), PATIENCE)

    async def pulled(self, name: str, previous: str | None = None) -> Any:
        """The diagnostics of a file, asked for."""
        document = types.TextDocumentIdentifier(self.uri(name))
        params = types.DocumentDiagnosticParams(document, previous_result_id=previous)
        return await self.client.text_document_diagnostic_async(params)


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    differing = (index for index, (ours, theirs) in enumerate(zip(one, other)) if ours != theirs)
    return next(differing, min(len(one), len(other)))


def position(text: str, offset: int) -> types.Position:
    before = text[:offset].split("\n")
    return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)


def offset(text: str, at: types.Position) -> int:
    """The character of the text at a position in UTF-16 units."""
    lines = text.split("\n")
    inside = lines[at.line].encode("utf-16-le")[: 2 * at.character].decode("utf-16-le")
    return sum(len(line) + 1 for line in lines[: at.line]) + len(inside)


def codes(diagnostics: Any) -> list[str]:
    """`line code` of each, lines as people count them."""
    return [f"{each.range.start.line + 1} {each.code}" for each in diagnostics]


def capabilities(editor: str, **changes: Any) -> types.ClientCapabilities:
    """What an editor of this name says it can do, with parts (`window__work_done_progress`) changed."""
    known = client_capabilities(editor)
    for path, value in changes.items():
        *parents, name = path.split("__")
        part: Any = known
        for parent in parents:
            part = getattr(part, parent)
        setattr(part, name, value)
    return known


Start = Callable[..., Awaitable[Editor]]
"""Starts a server for an editor."""
