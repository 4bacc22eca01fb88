"""The language server: the editor's messages on one side, projects and their findings on the other."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO, TypeVar

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from jaxlint import __version__
from jaxlint.project.documents import Document, document_of_python, too_complex
from jaxlint.running.session import Cancelled
from jaxlint.server import notebooks
from jaxlint.server.actions import FIX_ALL, FIX_ALL_IN_NOTEBOOK, QUICK_FIX, SHOW, fix_all, quick_fixes
from jaxlint.server.buffers import Buffers
from jaxlint.server.checking import Checking
from jaxlint.server.client import Client
from jaxlint.server.hover import findings_at, hover, parameter_hints, traced_lenses, transforms_of
from jaxlint.server.projects import Buffer, Checked, Outcome, Part, Projects
from jaxlint.server.protocol import Protocol
from jaxlint.server.worker import Token, Worker
from jaxlint.settings.configuration import ConfigurationError
from jaxlint.vocabulary.findings import Location

Answer = TypeVar("Answer")

ANSWER_SECONDS = 30.0
"""How long a question may wait: whoever asks learns by then that there is no answer yet."""

MAX_TEXT = 2 * 1024 * 1024
"""Characters of a text that are looked at: Python's parser, which nothing interrupts, takes a second for as many."""

_converter = get_converter()


class Server(LanguageServer):
    """One editor's server.  Everything here runs in the protocol's loop; the worker analyses."""

    protocol: Protocol
    client: Client
    checking: Checking

    def __init__(self) -> None:
        super().__init__("jaxlint", __version__, notebook_document_sync=notebooks.SYNC, protocol_cls=Protocol)
        self.worker = Worker()
        self.projects = Projects()
        self.was_shut_down = False
        self.is_begun = False  # the editor has said that it is ready, or acts as if
        self._given: dict[str, tuple[int | None, str]] = {}  # by URI: version and result that the editor has
        self._edited: set[str] = set()  # URIs, since the last check
        self._configuring = asyncio.Lock()
        self._questions: set[Token] = set()  # that are being answered

    def begin(self, options: object) -> None:
        self.protocol._workspace = Buffers.instead_of(self.workspace)
        self.client = Client(self, options)
        self.checking = Checking(self.worker, self.projects, self._show, self._failed, self._starting)

    async def configure(self, told: object = None) -> None:
        """Takes the editor's folders and settings as they are now."""
        async with self._configuring:
            options = await self.client.options(told)
            encoding = self.workspace.position_encoding
            name = encoding.value if isinstance(encoding, types.PositionEncodingKind) else str(encoding)
            self.checking.note(lambda: self.projects.configure(options, name))
        if self.client.can("workspace.inlay_hint.refresh_support"):
            self.workspace_inlay_hint_refresh(None)
        if self.client.can("workspace.code_lens.refresh_support"):
            self.workspace_code_lens_refresh(None)

    def edited(self, document: TextDocument) -> None:
        """A text was opened or has changed."""
        path = path_of(document.uri)
        if path is not None and is_python(document):
            text = document.source
            made = document_of_python(path, text) if len(text) <= MAX_TEXT else Document(path, text)
            self._edit(Buffer(made, {0: Part(document.uri, document.version)}))

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serves the editor on the other side of two streams until it goes."""
        source: Any = stdin or sys.stdin.buffer
        self._stop_event = threading.Event()
        self.protocol.set_writer(StdoutWriter(stdout or sys.stdout.buffer))

        async def read(size: int) -> bytes:
            data: bytes = await asyncio.get_running_loop().run_in_executor(self.thread_pool, source.read1, size)
            return data

        try:
            asyncio.run(self.protocol.listen(read))
        except (BrokenPipeError, KeyboardInterrupt, SystemExit):
            pass
        finally:
            self.shutdown()  # type: ignore[no-untyped-call]

    def start_tcp(self, host: str, port: int) -> None:
        """Serves the first editor that connects to a port until it goes."""
        self._stop_event = threading.Event()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.protocol.set_writer(writer)
            await self.protocol.listen(reader.read)
            self.shutdown()  # type: ignore[no-untyped-call]

        async def serve() -> None:
            self._server = await asyncio.start_server(connected, host, port)
            async with self._server:
                await self._server.serve_forever()

        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(serve())

    def edited_notebook(self, uri: str) -> None:
        """A notebook was opened or has changed, in its cells or in what is in them."""
        path, notebook = path_of(uri), self.workspace.get_notebook_document(notebook_uri=uri)
        if path is not None and notebook is not None:
            self._edit(notebooks.buffer_of(self.workspace, notebook, path))

    def _edit(self, buffer: Buffer) -> None:
        size = len(buffer.document.text)
        if size > MAX_TEXT:
            reason = f"the text has {size:,} characters (the limit in an editor is {MAX_TEXT:,})"
            buffer = replace(buffer, document=Document(buffer.path, "", too_complex(buffer.path, reason)))
        self._edited.update(part.uri for part in buffer.parts.values())
        for question in self._questions:
            question.call_off()  # the check must not wait for the answer, which would be about another text
        self.checking.note(lambda: self.projects.write(buffer))

    def closed(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self.checking.note(lambda: self.projects.close(path))

    def changed_on_disk(self, uris: Iterable[str]) -> None:
        paths = [path for uri in uris if (path := path_of(uri)) is not None]
        self.checking.note(lambda: self.projects.changed_on_disk(paths))

    async def checked(self, uri: str, prompt: bool = False) -> Checked | None:
        """What is found in a text as it is now; None for one that is not looked at."""
        return (await self.outcome(prompt)).texts.get(uri)

    async def outcome(self, prompt: bool = False) -> Outcome:
        """What is found, with all edits and settings taken into account that the editor has sent until now.

        With ``prompt`` other files' part in it may follow; the editor will be told.
        """
        if not self.is_begun:
            self.is_begun = True
            await self.configure()
            self.checking.start()
        async with self._configuring:
            pass
        return await _in_time(self.checking.current(prompt))

    async def ask(self, question: Callable[[Token], Answer]) -> Answer | None:
        """What the worker answers, or None when an edit makes the question moot, or the configuration is broken."""
        token = Token()
        self._questions.add(token)
        try:
            return await _in_time(self.worker.run(question, token))
        except (Cancelled, ConfigurationError):
            return None
        finally:
            self._questions.discard(token)

    def place_of(self, checked: Checked, position: types.Position) -> Location:
        """The place in a file that the editor means."""
        document = self.workspace.get_text_document(checked.uri)
        inside = document.position_from_client_units(types.Position(position.line, position.character))
        return Location(checked.path, inside.line + 1, inside.character + 1, cell=checked.cell)

    # -- what a check calls --

    async def _starting(self, token: Token) -> Callable[[], None]:
        return await self.client.progress("jaxlint reads the project", token)

    def _failed(self, error: Exception) -> None:
        self.client.say_once([f"internal error, please report it: {type(error).__name__}: {error}"])

    def _show(self, outcome: Outcome, complete: bool) -> None:
        """Lets the editor have what is new in an outcome."""
        if complete:
            problems = list(outcome.problems)
            self.client.solved(problems)
            self.client.say_once(problems)
        if self.client.pulls_diagnostics:
            if complete and self.refreshes and any(map(self._is_news, outcome.texts.values())):
                self.workspace_diagnostic_refresh(None)
        else:
            self._publish_news(outcome)
        if complete:
            self._edited.clear()

    def _publish_news(self, outcome: Outcome) -> None:
        for checked in outcome.texts.values():
            if self._given.get(checked.uri) != (checked.version, checked.result_id):
                self._publish(checked)
        for uri in sorted(self._given.keys() - {checked.uri for checked in outcome.texts.values()}):
            del self._given[uri]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _publish(self, checked: Checked) -> None:
        self.remember(checked)
        params = types.PublishDiagnosticsParams(checked.uri, diagnostics_of(checked), checked.version)
        self.text_document_publish_diagnostics(params)

    def remember(self, checked: Checked) -> None:
        """The editor has been given this."""
        self._given[checked.uri] = (checked.version, checked.result_id)

    @property
    def refreshes(self) -> bool:
        """Whether the editor asks again when it is told to."""
        return self.client.can("workspace.diagnostics.refresh_support")

    def _is_news(self, checked: Checked) -> bool:
        """Whether the editor, which asks by itself for a text that was edited, would miss something."""
        version, result = self._given.get(checked.uri, (None, None))
        will_ask = checked.uri in self._edited and version != checked.version
        return result != checked.result_id and not will_ask


async def _in_time(asked: Awaitable[Answer]) -> Answer:
    """An answer.  Raises JsonRpcException where it takes too long."""
    try:
        return await asyncio.wait_for(asked, ANSWER_SECONDS)
    except asyncio.TimeoutError:
        raise JsonRpcException("jaxlint is still busy", types.LSPErrorCodes.RequestFailed) from None


def path_of(uri: str) -> str | None:
    """The path of a text: of a new one that has no file yet, the name that the editor gave it, in no folder.

    None for what no file can be called.
    """
    path = to_fs_path(uri)
    if path is not None:
        return os.path.normpath(path) if os.path.isabs(path) and "\0" not in path else None
    scheme, _, name = uri.partition(":")
    return os.path.join(os.path.sep, f"{scheme}:", name.strip("/").replace("/", "_")) if scheme == "untitled" else None


def is_python(document: TextDocument) -> bool:
    return document.language_id == "python" or document.uri.endswith(".py")


def diagnostics_of(checked: Checked) -> list[types.Diagnostic]:
    return [_converter.structure(told, types.Diagnostic) for told in checked.diagnostics]


def overlap(one: types.Range, other: types.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line


# -- the editor's messages, one function each -----------------------------------------------------------


def initialize(ls: Server, params: types.InitializeParams) -> None:
    ls.begin(params.initialization_options)


async def initialized(ls: Server, params: types.InitializedParams) -> None:
    ls.is_begun = True
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
    checked = await ls.checked(params.text_document.uri, prompt=ls.refreshes)
    if checked is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    ls.remember(checked)
    if checked.result_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(checked.result_id)
    return types.RelatedFullDocumentDiagnosticReport(diagnostics_of(checked), result_id=checked.result_id)


async def workspace_diagnostic(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """All files that are looked at; those of folders whose options do not want all of theirs only while open."""
    outcome = await ls.outcome()
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


def did_open_notebook(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    ls.edited_notebook(params.notebook_document.uri)


def did_change_notebook(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    ls.edited_notebook(params.notebook_document.uri)


def did_close_notebook(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    ls.closed(params.notebook_document.uri)


async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    checked = await ls.checked(params.text_document.uri)
    if checked is None:
        return []
    only = params.context.only
    actions: list[types.CodeAction] = []
    if wants(only, QUICK_FIX):
        for finding, told in zip(checked.findings, diagnostics_of(checked)):
            if overlap(told.range, params.range):
                for each in await ls.ask(partial(quick_fixes, ls.projects, checked, finding)) or []:
                    action = ls.client.action(each)
                    action.diagnostics = [told]
                    actions.append(action)
    kind = FIX_ALL_IN_NOTEBOOK if checked.cell else FIX_ALL
    if wants(only, kind) and checked.parses and any(finding.repair is not None for finding in checked.findings):
        action = types.CodeAction("Fix all that jaxlint can fix", kind, data={"uri": checked.uri})
        if only or "edit" not in ls.client.resolves_of_actions:
            action = await resolve_code_action(ls, action)
        if action.edit is not None or not only:
            actions.append(action)
    return actions


async def resolve_code_action(ls: Server, action: types.CodeAction) -> types.CodeAction:
    data = action.data if isinstance(action.data, dict) else {}
    checked = await ls.checked(str(data.get("uri", "")))
    if checked is not None:
        edit = await ls.ask(lambda token: fix_all(ls.projects, checked.path, token))
        action.edit = None if edit is None else ls.client.action({"title": "", "edit": edit}).edit
    return action


def wants(only: Iterable[str] | None, kind: str) -> bool:
    """Whether the editor asks for actions of a kind; `source` means `source.fixAll` too."""
    return not only or any(kind == asked or kind.startswith(f"{asked}.") for asked in only)


async def show(ls: Server, uri: str, span: types.Range) -> None:
    """The command that goes to a place."""
    if ls.client.can("window.show_document.support"):
        shown = types.ShowDocumentParams(uri, take_focus=True, selection=span)
        await ls.window_show_document_async(shown)


async def hovered(ls: Server, params: types.HoverParams) -> types.Hover | None:
    checked = await ls.checked(params.text_document.uri)
    if checked is None:
        return None
    place = ls.place_of(checked, params.position)
    text = await ls.ask(lambda token: hover(ls.projects, checked, place, token))
    return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


async def implementation(ls: Server, params: types.ImplementationParams) -> list[types.Location]:
    """From a finding to the transforms that trace the code."""
    checked = await ls.checked(params.text_document.uri)
    if checked is None:
        return []
    place = ls.place_of(checked, params.position)
    found = dict.fromkeys(where for finding in findings_at(checked, place) for where in transforms_of(finding))
    told = await ls.ask(lambda token: [ls.projects.places(checked.path).location(where) for where in found])
    return [_converter.structure(each, types.Location) for each in told or []]


async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    checked = await ls.checked(params.text_document.uri)
    if checked is None or not ls.projects.options[ls.projects.home(checked.path)].inlay_hints:
        return []

    def question(token: Token) -> list[tuple[dict[str, Any], str]]:
        places = ls.projects.places(checked.path)
        hints = parameter_hints(ls.projects, checked.path, token)
        return [(places.location(place), why) for place, why in hints]

    hints: list[types.InlayHint] = []
    for where, why in await ls.ask(question) or []:
        at = types.Position(**where["range"]["start"])
        if where["uri"] == checked.uri and params.range.start.line <= at.line <= params.range.end.line:
            hints.append(types.InlayHint(at, "traced", tooltip=why, padding_left=True))
    return hints


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Above each traced function by what it is traced; it leads to the transform."""
    checked = await ls.checked(params.text_document.uri)
    if checked is None or not ls.projects.options[ls.projects.home(checked.path)].code_lens:
        return []

    def question(token: Token) -> list[tuple[dict[str, Any], str, dict[str, Any]]]:
        where = ls.projects.places(checked.path).location
        lenses = traced_lenses(ls.projects, checked.path, token)
        return [(where(place), told, where(root)) for place, told, root in lenses]

    lenses: list[types.CodeLens] = []
    for place, told, root in await ls.ask(question) or []:
        if place["uri"] == checked.uri:
            at = types.Position(**place["range"]["start"])
            lenses.append(
                types.CodeLens(types.Range(at, at), types.Command(told, SHOW, arguments=[root["uri"], root["range"]]))
            )
    return sorted(lenses, key=lambda lens: lens.range.start.line)


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
    types.NOTEBOOK_DOCUMENT_DID_OPEN: (did_open_notebook, None),
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: (did_change_notebook, None),
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: (did_close_notebook, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        code_action,
        types.CodeActionOptions([QUICK_FIX, FIX_ALL, FIX_ALL_IN_NOTEBOOK], resolve_provider=True),
    ),
    types.CODE_ACTION_RESOLVE: (resolve_code_action, None),
    types.TEXT_DOCUMENT_HOVER: (hovered, None),
    types.TEXT_DOCUMENT_IMPLEMENTATION: (implementation, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (inlay_hint, None),
    types.TEXT_DOCUMENT_CODE_LENS: (code_lens, None),
}


def make_server() -> Server:
    """A server that waits for its editor."""
    server = Server()
    for name, (handler, options) in _FEATURES.items():
        server.feature(name, options)(handler)
    server.command(SHOW)(show)
    return server
