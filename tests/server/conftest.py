"""A real client that talks to a real server over standard input and output, about files in an empty folder."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from tests.server.editor import PATIENCE, Editor, Inbox, Start, capabilities

RECEIVED = (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.WINDOW_SHOW_MESSAGE, types.PROGRESS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty program root."""
    (tmp_path / "jaxlint.toml").write_text("")
    return tmp_path


@pytest.fixture
def write(folder: Path) -> Callable[[dict[str, str]], None]:
    """Writes files of the folder."""

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return write


@pytest_asyncio.fixture(loop_scope="session")
async def start(folder: Path) -> AsyncIterator[Start]:
    """Starts a server for an editor; by default one that is told diagnostics, as Neovim 0.9."""
    started: list[Editor] = []

    async def start(
        can: types.ClientCapabilities | None = None,
        settings: Any = None,
        options: Any = None,
        folders: list[Path] | None = None,
    ) -> Editor:
        editor = await launched(folder, can or capabilities("neovim@0.9.1"), settings, options, folders or [folder])
        started.append(editor)
        return editor

    yield start
    for editor in started:
        await editor.leave()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    editor = await launched(tmp_path_factory.mktemp("nothing"), capabilities("neovim@0.9.1"), None, None, [])
    yield editor
    await editor.leave()


@pytest_asyncio.fixture(loop_scope="session")
async def editor(shared: Editor, folder: Path) -> AsyncIterator[Editor]:
    """An editor that is told diagnostics, in an empty folder; the server is one that has served other folders."""
    shared.move_to(folder)
    yield shared
    shared.close_all()


async def launched(
    folder: Path, can: types.ClientCapabilities, settings: Any, options: Any, folders: list[Path]
) -> Editor:
    client = LanguageClient(converter_factory=default_converter)
    inbox: Inbox = defaultdict(asyncio.Queue)
    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **{method: into(inbox, method) for method in RECEIVED}})
    if settings is not None:
        client.set_configuration({"jaxlint": settings})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    await client.start_io(sys.executable, "-m", "jaxlint", "server", env=environment)
    roots = [types.WorkspaceFolder(each.as_uri(), each.name) for each in folders]
    params = types.InitializeParams(
        can,
        root_uri=roots[0].uri if roots else None,
        workspace_folders=roots,
        initialization_options=options,
    )
    begun = await asyncio.wait_for(client.initialize_session(params), PATIENCE)
    return Editor(client, folder, begun, inbox)


def into(inbox: Inbox, method: str) -> Callable[[LanguageClient, Any], None]:
    """A handler that keeps a notification until the test asks for it, after what pytest-lsp does with it."""

    def receive(client: LanguageClient, params: Any) -> None:
        DEFAULT_CLIENT_FEATURES[method](client, params)
        inbox[method].put_nowait(params)

    return receive
