"""The language server: the editor's messages on one side, projects and their findings on the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from jaxlint import __version__
from jaxlint.project.documents import Document
from jaxlint.server.buffers import Buffers
from jaxlint.server.checking import Checking
from jaxlint.server.client import Client
from jaxlint.server.projects import Buffer, Checked, Outcome, Part, Projects
from jaxlint.server.worker import Token, Worker

_converter = get_converter()


class Server(LanguageServer):
    """One editor's server.  Everything here runs in the protocol's loop; the worker analyses."""

    client: Client
    checking: Checking

    def __init__(self) -> None:
        super().__init__("jaxlint", __version__)
        self.worker = Worker()
        self.projects = Projects()
        self.was_shut_down = False
        self._given: dict[str, tuple[int | None, str]] = {}  # by URI: version and result that the editor has
        self._edited: set[str] = set()  # URIs, since the last check

    def begin(self, options: object) -> None:
        self.protocol._workspace = Buffers.instead_of(self.workspace)
        self.client = Client(self, options)
        self.checking = Checking(self.worker, self.projects, self._show, self._failed, self._starting)

    async def configure(self, told: object = None) -> None:
        """Takes the editor's folders and settings as they are now."""
        options = await self.client.options(told)
        encoding = self.workspace.position_encoding
        name = encoding.value if isinstance(encoding, types.PositionEncodingKind) else str(encoding)
        self.checking.note(lambda: self.projects.configure(options, name))

    def edited(self, document: TextDocument) -> None:
        """A text was opened or has changed."""
        path = path_of(document.uri)
        if path is not None and is_python(document):
            buffer = Buffer(Document(path, document.source), {0: Part(document.uri, document.version)})
            self._edited.add(document.uri)
            self.checking.note(lambda: self.projects.write(buffer))

    def closed(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self.checking.note(lambda: self.projects.close(path))

    def changed_on_disk(self, uris: Iterable[str]) -> None:
        paths = [path for uri in uris if (path := path_of(uri)) is not None]
        self.checking.note(lambda: self.projects.changed_on_disk(paths))

    async def checked(self, uri: str) -> Checked | None:
        """What is found in a text as it is now; None for one that is not looked at."""
        return (await self.checking.current()).texts.get(uri)

    # -- what a check calls --

    async def _starting(self, token: Token) -> Callable[[], None]:
        return await self.client.progress("jaxlint reads the project", token)

    def _failed(self, error: Exception) -> None:
        self.client.say_once([f"internal error, please report it: {type(error).__name__}: {error}"])

    def _show(self, outcome: Outcome) -> None:
        """Lets the editor have what is new in an outcome."""
        problems = list(outcome.problems)
        self.client.solved(problems)
        self.client.say_once(problems)
        edited, self._edited = self._edited, set()
        if self.client.pulls_diagnostics:
            others = (checked for checked in outcome.texts.values() if checked.uri not in edited)
            if self.client.can("workspace.diagnostics.refresh_support") and any(map(self._is_news, others)):
                self.workspace_diagnostic_refresh(None)
            return
        for checked in outcome.texts.values():
            if self._given.get(checked.uri) != (checked.version, checked.result_id):
                self._publish(checked)
        for uri in self._given.keys() - {checked.uri for checked in outcome.texts.values()}:
            del self._given[uri]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _publish(self, checked: Checked) -> None:
        self.remember(checked)
        params = types.PublishDiagnosticsParams(checked.uri, diagnostics_of(checked), checked.version)
        self.text_document_publish_diagnostics(params)

    def remember(self, checked: Checked) -> None:
        """The editor has been given this."""
        self._given[checked.uri] = (checked.version, checked.result_id)

    def _is_news(self, checked: Checked) -> bool:
        given = self._given.get(checked.uri)
        return given is None or given[1] != checked.result_id


def path_of(uri: str) -> str | None:
    """The path of a text: of a new one that has no file yet, the name that the editor gave it, in no folder."""
    path = to_fs_path(uri)
    if path is not None:
        return os.path.normpath(path)
    scheme, _, name = uri.partition(":")
    return os.path.join(os.path.sep, f"{scheme}:", name.strip("/").replace("/", "_")) if scheme == "untitled" else None


def is_python(document: TextDocument) -> bool:
    return document.language_id == "python" or document.uri.endswith(".py")


def diagnostics_of(checked: Checked) -> list[types.Diagnostic]:
    return [_converter.structure(told, types.Diagnostic) for told in checked.diagnostics]


# -- the editor's messages, one function each -----------------------------------------------------------


def initialize(ls: Server, params: types.InitializeParams) -> None:
    ls.begin(params.initialization_options)


async def initialized(ls: Server, params: types.InitializedParams) -> None:
    await ls.client.watch_files()
    await ls.configure()
    ls.checking.start()


def shutdown(ls: Server, params: None) -> None:
    ls.was_shut_down = True
    ls.checking.stop()


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    ls.edited(ls.workspace.get_text_document(params.text_document.uri))


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    ls.edited(ls.workspace.get_text_document(params.text_document.uri))


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.closed(params.text_document.uri)


def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Not every editor watches files; what it writes itself it tells in any case."""
    ls.changed_on_disk([params.text_document.uri])


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    ls.changed_on_disk([change.uri for change in params.changes])


async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    await ls.configure(params.settings)


async def did_change_workspace_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    await ls.configure()


async def diagnostic(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    checked = await ls.checked(params.text_document.uri)
    if checked is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    ls.remember(checked)
    if checked.result_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(checked.result_id)
    return types.RelatedFullDocumentDiagnosticReport(diagnostics_of(checked), result_id=checked.result_id)


async def workspace_diagnostic(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """All files that are looked at; those of folders whose options do not want all of theirs only while open."""
    outcome = await ls.checking.current()
    previous = {known.uri: known.value for known in params.previous_result_ids}
    items: list[Any] = []
    for checked in outcome.texts.values():
        ls.remember(checked)
        uri, version, result = checked.uri, checked.version, checked.result_id
        if previous.pop(uri, None) == result:
            items.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result, version))
        else:
            full = diagnostics_of(checked)
            items.append(types.WorkspaceFullDocumentDiagnosticReport(uri, full, version, result_id=result))
    items += [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in previous]
    return types.WorkspaceDiagnosticReport(items)


_FEATURES: dict[str, tuple[Callable[..., Any], Any]] = {
    types.INITIALIZE: (initialize, None),
    types.INITIALIZED: (initialized, None),
    types.SHUTDOWN: (shutdown, None),
    types.TEXT_DOCUMENT_DID_OPEN: (did_open, None),
    types.TEXT_DOCUMENT_DID_CHANGE: (did_change, None),
    types.TEXT_DOCUMENT_DID_CLOSE: (did_close, None),
    types.TEXT_DOCUMENT_DID_SAVE: (did_save, None),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (did_change_watched_files, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (did_change_configuration, None),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (did_change_workspace_folders, None),
    types.TEXT_DOCUMENT_DIAGNOSTIC: (
        diagnostic,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="jaxlint"),
    ),
    types.WORKSPACE_DIAGNOSTIC: (workspace_diagnostic, None),
}


def make_server() -> Server:
    """A server that waits for its editor."""
    server = Server()
    for name, (handler, options) in _FEATURES.items():
        server.feature(name, options)(handler)
    return server
