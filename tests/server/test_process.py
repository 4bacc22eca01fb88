"""The server as a process: how it starts, ends, is called off, and what it says when it cannot run."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled
from pytest_lsp import LanguageClient
from pytest_lsp.client import make_test_lsp_client

from tests.server.editor import PATIENCE, Editor, Start, capabilities, codes

Write = Callable[[dict[str, str]], None]

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def serve(*messages: bytes, options: tuple[str, ...] = (), **variables: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "jaxlint", "server", *options]
    environment = {**ENVIRONMENT, **variables}
    return subprocess.run(command, input=b"".join(messages), capture_output=True, env=environment, timeout=PATIENCE)


def test_without_pygls_one_line_says_what_to_install(tmp_path: Path) -> None:
    # A finder that hides pygls stands for an environment without it.
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['pygls'] = None\n")
    run = serve(PYTHONPATH=os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]]))
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr == b"jaxlint: the server needs pygls: pip install 'jaxlint-sharp-bits[lsp]'\n"


def test_a_wrong_address_is_one_line() -> None:
    run = serve(options=("--tcp", "2087"))
    assert (run.returncode, run.stderr.count(b"\n")) == (2, 1)
    assert b"expected HOST:PORT, such as 127.0.0.1:2087, found 2087" in run.stderr


def test_the_exit_code_tells_whether_there_was_a_shutdown() -> None:
    begin = message(id=1, method="initialize", params={"capabilities": {}, "processId": None, "rootUri": None})
    leave = message(method="exit")
    assert serve(begin, message(id=2, method="shutdown"), leave).returncode == 0
    assert serve(begin, leave).returncode == 1


def test_the_command_starts_without_pygls_and_asyncio() -> None:
    parts = "jaxlint.command.cli, jaxlint.report.lsp"
    program = f"import sys, {parts}; print({{'pygls', 'asyncio', 'lsprotocol'}} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT)
    assert run.stdout == "set()\n"


@pytest.mark.asyncio(loop_scope="session")
async def test_what_makes_no_sense_is_survived(editor: Editor, write: Write) -> None:
    write({"a.py": "import jax\n\nx = jax.numpy.ones(3)\nx[0] = 1\n"})
    send = editor.client.protocol._send_data
    send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 7}})
    send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///no"}}})
    send({"jsonrpc": "2.0", "method": "$/nothing", "params": None})
    send({"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {"settings": [1]}})
    editor.open("a.py")
    assert codes((await editor.published("a.py")).diagnostics) == ["4 JAX301"]
    reset = types.DidChangeConfigurationParams({"jaxlint": {}})
    editor.client.workspace_did_change_configuration(reset)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_request_can_be_cancelled(start: Start, write: Write) -> None:
    write({"a.py": "import jax\n\nx = jax.numpy.ones(3)\nx[0] = 1\n"})
    editor = await start()
    editor.open("a.py")
    at = types.HoverParams(types.TextDocumentIdentifier(editor.uri("a.py")), types.Position(3, 0))
    cancelled = False
    for number in range(50):  # a busy machine may let the answer be quicker than the cancellation, but not each time
        editor.replace("a.py", "= 1", "= 11")  # so that the file is checked once more, and the request waits for it
        request = f"hover {number}"
        asked = editor.client.protocol.send_request_async(types.TEXT_DOCUMENT_HOVER, at, msg_id=request)
        waiting = asyncio.ensure_future(asked)
        await asyncio.sleep(0)
        editor.client.cancel_request(types.CancelParams(request))
        try:
            await waiting
        except JsonRpcRequestCancelled:
            cancelled = True
            break
    assert cancelled
    assert codes((await editor.published("a.py")).diagnostics) == ["4 JAX301"]


async def connected(client: LanguageClient, host: str, port: str) -> None:
    """Connects as soon as the server listens."""
    while True:
        try:
            return await client.start_tcp(host, int(port))
        except ConnectionRefusedError:
            await asyncio.sleep(0.05)


@pytest.mark.asyncio(loop_scope="session")
async def test_tcp(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "jaxlint", "server", "--tcp", address]
    server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE, env=ENVIRONMENT)
    assert server.stderr is not None
    line = await asyncio.wait_for(server.stderr.readline(), PATIENCE)
    assert line.decode() == f"jaxlint: waiting for an editor on {address}\n"
    client: LanguageClient = make_test_lsp_client()
    await asyncio.wait_for(connected(client, *address.split(":")), PATIENCE)
    begun = await client.initialize_session(
        types.InitializeParams(capabilities("neovim@0.9.1"), root_uri=tmp_path.as_uri())
    )
    assert begun.server_info is not None
    assert begun.server_info.name == "jaxlint"
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.wait_for(server.wait(), PATIENCE) == 0
    with contextlib.suppress(ConnectionResetError):  # a socket that is gone may have had the last word unread
        await client.stop()
