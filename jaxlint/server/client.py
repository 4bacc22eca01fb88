"""The editor on the other side: what it can do, what its user has set, and how it is told things."""

from __future__ import annotations

import asyncio
import contextlib
import os
import uuid
from collections.abc import Callable, Coroutine, Sequence
from functools import reduce
from typing import Any, TypeVar

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from jaxlint.server.options import SECTION, Options, OptionsError, parse_options
from jaxlint.server.worker import Token

WATCHED = ("**/*.{py,ipynb}", "**/*.toml", "**/.gitignore", "**/.jaxlint-recorded.jsonl")
"""Files whose change on disk changes what is found."""

PATIENCE_SECONDS = 5.0
"""How long the editor may take to answer before the server goes on without."""

Answer = TypeVar("Answer")

_converter = get_converter()


class Client:
    def __init__(self, server: LanguageServer, initialization_options: object) -> None:
        self._server = server
        self._told: object = _section(initialization_options)
        self._said: set[str] = set()

    # -- what it can do --

    def can(self, capability: str) -> bool:
        """Whether the editor has said so; ``capability`` is a path such as `workspace.configuration`."""
        found: object = self._server.client_capabilities
        return bool(reduce(lambda part, name: getattr(part, name, None), capability.split("."), found))

    @property
    def pulls_diagnostics(self) -> bool:
        """Whether it asks for diagnostics; then they are not pushed too, or it would show them twice."""
        return self._server.client_capabilities.text_document is not None and (
            self._server.client_capabilities.text_document.diagnostic is not None
        )

    @property
    def resolves_of_actions(self) -> Sequence[str]:
        """The parts of a code action that the editor asks for when the user has chosen it."""
        document = self._server.client_capabilities.text_document
        support = document.code_action.resolve_support if document and document.code_action else None
        return support.properties if support is not None else ()

    def action(self, data: dict[str, Any]) -> types.CodeAction:
        """A code action for this editor, which may not know edits of versions."""
        action = _converter.structure(data, types.CodeAction)
        if action.edit is not None and not self.can("workspace.workspace_edit.document_changes"):
            changes = {
                change["textDocument"]["uri"]: [_converter.structure(edit, types.TextEdit) for edit in change["edits"]]
                for change in data["edit"]["documentChanges"]
            }
            action.edit = types.WorkspaceEdit(changes=changes)
        return action

    # -- what its user has set --

    def folders(self) -> dict[str, str]:
        """The paths of the workspace's folders with their URIs; the one root of an editor that knows no folders."""
        workspace = self._server.workspace
        uris = [folder.uri for folder in workspace.folders.values()] or [workspace.root_uri or ""]
        return {os.path.normpath(path): uri for uri in uris if (path := to_fs_path(uri))}

    async def options(self, told: object = None) -> dict[str, Options]:
        """The options by folder, those for files outside all folders under "".

        The editor is asked where it answers; else what it has ``told`` counts, now or before.
        """
        if told is not None:
            self._told = _section(told)
        folders = {"": None, **self.folders()}
        values = [self._told] * len(folders)
        if self.can("workspace.configuration"):
            items = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for uri in folders.values()]
            asked = self._server.workspace_configuration_async(types.ConfigurationParams(items=items))
            answers = await self._patiently(asked) or []
            values = [value if answer is None else answer for value, answer in zip(values, [*answers, *values])]
        return {folder: self._parsed(value) for folder, value in zip(folders, values)}

    def _parsed(self, value: object) -> Options:
        try:
            return parse_options(value)
        except OptionsError as error:
            self.say_once([str(error)])
            return Options()

    # -- telling it things --

    async def watch_files(self) -> None:
        """Asks for word of files that change on disk, where the editor can be asked."""
        registrations: list[tuple[str, object]] = []
        if self.can("workspace.did_change_watched_files.dynamic_registration"):
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
            files = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            registrations.append((types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files))
        if self.can("workspace.did_change_configuration.dynamic_registration"):
            section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            registrations.append((types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
        if registrations:
            asked = [
                types.Registration(id=method, method=method, register_options=options)
                for method, options in registrations
            ]
            await self._patiently(self._server.client_register_capability_async(types.RegistrationParams(asked)))

    def say(self, text: str) -> None:
        """Shows one line."""
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"jaxlint: {text}"))

    def say_once(self, problems: list[str]) -> None:
        """Shows each line unless it was shown already."""
        for problem in problems:
            if problem not in self._said:
                self._said.add(problem)
                self.say(problem)

    def solved(self, problems: list[str]) -> None:
        """All but these problems are over: should they come back, they are said again."""
        self._said.intersection_update(problems)

    async def progress(self, title: str, token: Token) -> Callable[[], None]:
        """Shows that something takes a while, which the user may call off; the result ends it."""
        if not self.can("window.work_done_progress"):
            return lambda: None
        shown = self._server.work_done_progress
        name = str(uuid.uuid4())
        if not await self._patiently(_done(shown.create_async(name))):
            return lambda: None
        shown.begin(name, types.WorkDoneProgressBegin(title=title, cancellable=True))
        shown.tokens[name].add_done_callback(lambda future: token.call_off())

        def end() -> None:
            shown.tokens.pop(name, None)
            shown.end(name, types.WorkDoneProgressEnd())

        return end

    async def _patiently(self, asked: Coroutine[Any, Any, Answer]) -> Answer | None:
        """The editor's answer, or None from one that has none."""
        with contextlib.suppress(asyncio.TimeoutError, JsonRpcException):
            return await asyncio.wait_for(asked, PATIENCE_SECONDS)
        return None


async def _done(asked: Coroutine[Any, Any, object]) -> bool:
    await asked
    return True


def _section(settings: object) -> object:
    """What is jaxlint's in settings that may also hold other sections."""
    return settings[SECTION] if isinstance(settings, dict) and SECTION in settings else settings
