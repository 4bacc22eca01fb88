"""Messages that make no sense, or too much of it: each is answered, and the next good one is, too."""

from __future__ import annotations

import asyncio
import json
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from jaxlint.server import app
from jaxlint.server.framing import BadFrame, Frames
from tests.server.editor import PATIENCE
from tests.server.test_process import ENVIRONMENT, message

BAD = "import jax\n\nx = jax.numpy.ones(3)\nx[0] = 1\n"
"""A program with one finding: JAX301 on line 4."""

INITIALIZE = {"capabilities": {"textDocument": {"diagnostic": {}}}, "processId": None, "rootUri": None}


class Raw:
    """A server as a process, and an editor that sends it bytes."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "jaxlint", "server"]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=ENVIRONMENT, **streams)  # type: ignore[call-overload]
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        frames = Frames()
        while data := self.process.stdout.read1(1 << 16):
            for frame in frames.feed(data):
                assert isinstance(frame, bytes)
                self._answers.put(json.loads(frame))

    def send(self, *data: bytes) -> None:
        for each in data:
            self.process.stdin.write(each)
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """The next answer; what the server says of its own accord is passed over."""
        while True:
            told = self._answers.get(timeout=PATIENCE)
            if "method" not in told:
                return told

    def asked(self, number: int, method: str, params: object = None) -> dict[str, Any]:
        self.send(message(id=number, method=method, params=params))
        return self.answer()

    def begin(self) -> None:
        assert "result" in self.asked(0, "initialize", INITIALIZE)
        self.send(message(method="initialized", params={}))


@pytest.fixture(scope="module")
def shared() -> Iterator[Raw]:
    raw = Raw()
    raw.begin()
    yield raw
    assert raw.asked(1_000, "shutdown")["result"] is None
    raw.send(message(method="exit"))
    assert raw.process.wait(PATIENCE) == 0


@pytest.fixture
def fresh() -> Iterator[Raw]:
    raw = Raw()
    yield raw
    raw.process.kill()
    raw.process.wait()


def is_well(raw: Raw, folder: Path) -> None:
    """A program that is opened is checked."""
    uri = (folder / "a.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": BAD}
    raw.send(message(method="textDocument/didOpen", params={"textDocument": document}))
    report = raw.asked(99, "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert [found["code"] for found in report["result"]["items"]] == ["JAX301"]
    raw.send(message(method="textDocument/didClose", params={"textDocument": {"uri": uri}}))


BODY = b'{"jsonrpc": "2.0", "method": "$/nothing"}'


def framed(header: bytes, body: bytes = BODY) -> bytes:
    return header + b"\r\n\r\n" + body


HEADERS = {  # bytes before a good message, and a piece of the one answer to them
    "no length": (framed(b"Content-Type: x"), "Content-Length"),
    "a length that is a word": (framed(b"Content-Length: many"), "Content-Length that is none: many"),
    "an empty length": (framed(b"Content-Length:"), "Content-Length that is none"),
    "a negative length": (framed(b"Content-Length: -5"), "Content-Length that is none: -5"),
    "a length beyond reason": (framed(b"Content-Length: 99999999999"), "Content-Length that is none"),
    "a length of 5,000 digits": (framed(b"Content-Length: " + b"9" * 5_000), "Content-Length that is none: 999"),
    "a length in other digits": (framed("Content-Length: ٣٤".encode()), "Content-Length that is none: \\xd9"),
    "bytes that are no text": (framed(b"\xff\xfe\xfd: 3"), "without Content-Length"),
    "no header at all": (BODY, "before a header"),
    "lines of something else": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "without Content-Length"),
    "a line without end": (b"x" * 300_000, "no header"),
    "a length that is too small": (framed(b"Content-Length: 10"), "not JSON"),
    "a length that is too large": (framed(b"Content-Length: 60"), "not JSON"),
    "a length that is one too large": (framed(b"Content-Length: %d" % (len(BODY) + 1)), "not JSON"),
    "a length that is much too large": (framed(b"Content-Length: 85"), "not JSON"),
    "a length of nothing": (framed(b"Content-Length: 0", b""), "not JSON"),
}


@pytest.mark.parametrize(("data", "reason"), HEADERS.values(), ids=HEADERS)
def test_a_malformed_header_is_answered_and_passed_over(shared: Raw, tmp_path: Path, data: bytes, reason: str) -> None:
    shared.send(data, message(id=1, method="jaxlint/nothing"), message(id=2, method="jaxlint/nothing"))
    refused = shared.answer()
    assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    assert reason in refused["error"]["message"]
    answers = [shared.answer()]
    while answers[-1]["id"] != 2:
        answers.append(shared.answer())
    assert [each["id"] for each in answers if each["id"] is not None] == [1, 2]
    assert len(answers) <= 3
    is_well(shared, tmp_path)


HEADERS_THAT_WILL_DO = {
    "small letters": b"content-length: %d\r\n\r\n%s",
    "no space": b"Content-Length:%d\r\n\r\n%s",
    "line feeds": b"Content-Length: %d\n\n%s",
    "a type": b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s",
    "a type behind": b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n%s",
}


@pytest.mark.parametrize("header", HEADERS_THAT_WILL_DO.values(), ids=HEADERS_THAT_WILL_DO)
def test_a_header_may_be_written_in_several_ways(shared: Raw, header: bytes) -> None:
    body = b'{"jsonrpc": "2.0", "id": 7, "method": "jaxlint/nothing"}'
    shared.send(header % (len(body), body))
    assert (answer := shared.answer())["id"] == 7
    assert answer["error"]["code"] == -32601


def test_messages_may_come_byte_by_byte(shared: Raw) -> None:
    for byte in message(id=8, method="jaxlint/nothing"):
        shared.send(bytes([byte]))
    assert shared.answer()["id"] == 8


def request(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


BODIES = {  # the answer's id and code
    "nothing": (b" ", None, -32700),
    "half a message": (b'{"jsonrpc": "2.0", "id": 1', None, -32700),
    "no JSON": (b"{'jsonrpc': '2.0'}", None, -32700),
    "no text": (b'{"jsonrpc": "\xff"}', None, -32700),
    "nested too deeply": (b'{"a": ' + b"[" * 200_000, None, -32700),
    "a number without end": (b'{"id": ' + b"9" * 5_000 + b"}", None, -32700),
    "a list": (b"[]", None, -32600),
    "several at once": (b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]', None, -32600),
    "a word": (b'"shutdown"', None, -32600),
    "no version": (b'{"id": 1, "method": "shutdown"}', None, -32600),
    "another version": (b'{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}', None, -32600),
    "neither question nor answer": (b'{"jsonrpc": "2.0", "id": 1}', None, -32600),
    "nothing but a version": (b'{"jsonrpc": "2.0"}', None, -32600),
    "a number for an object": (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', None, -32600),
    "a truth for a number": (b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', None, -32600),
    "no method": (b'{"jsonrpc": "2.0", "id": 1, "method": 3}', None, -32600),
    "an unknown method": (b'{"jsonrpc": "2.0", "id": 1, "method": "nothing"}', 1, -32601),
    "an empty method": (b'{"jsonrpc": "2.0", "id": "x", "method": ""}', "x", -32601),
    "a method of the protocol that is not ours": (
        request("textDocument/rename"),
        1,
        -32601,
    ),
    "a second beginning": (request("initialize", **INITIALIZE), 1, -32600),
    "no parameters": (b'{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}', 1, -32602),
    "parameters of another kind": (
        b'{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": [1]}',
        1,
        -32602,
    ),
    "no document": (request("textDocument/diagnostic"), 1, -32602),
    "a document that is a number": (
        request("textDocument/diagnostic", textDocument=7),
        1,
        -32602,
    ),
    "a negative line": (
        request("textDocument/hover", textDocument={"uri": "file:///a.py"}, position={"line": -1, "character": 0}),
        1,
        -32602,
    ),
    "a command without a name": (
        request("workspace/executeCommand"),
        1,
        -32602,
    ),
}


@pytest.mark.parametrize(("body", "number", "code"), BODIES.values(), ids=BODIES)
def test_a_malformed_message_is_answered(shared: Raw, body: bytes, number: object, code: int) -> None:
    shared.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    answer = shared.answer()
    assert (answer["id"], answer["error"]["code"]) == (number, code)
    assert "Traceback" not in answer["error"]["message"]


NOTIFICATIONS = {
    "unknown": {"method": "nothing"},
    "unknown, of the protocol": {"method": "$/setTrace", "params": {"value": "loud"}},
    "wrong parameters": {"method": "textDocument/didOpen", "params": {"textDocument": 7}},
    "no parameters": {"method": "textDocument/didChange"},
    "a document that is not open": {
        "method": "textDocument/didClose",
        "params": {"textDocument": {"uri": "file:///b"}},
    },
    "a cancellation of nothing": {"method": "$/cancelRequest", "params": {"id": 12345}},
    "a cancellation without a number": {"method": "$/cancelRequest", "params": {}},
    "an answer to nothing": {"id": 12345, "result": None},
    "an error to nothing": {"id": 12345, "error": {"code": 1, "message": "no"}},
    "half an error": {"id": 12345, "error": 3},
    "settings of another kind": {"method": "workspace/didChangeConfiguration", "params": {"settings": [1]}},
    "a path with a null byte": {
        "method": "textDocument/didOpen",
        "params": {"textDocument": {"uri": "file:///a%00b.py", "languageId": "python", "version": 1, "text": BAD}},
    },
    "a path without end": {
        "method": "textDocument/didOpen",
        "params": {
            "textDocument": {
                "uri": "file:///" + "a" * 70_000 + ".py",
                "languageId": "python",
                "version": 1,
                "text": "x",
            }
        },
    },
    "a path that is none": {
        "method": "textDocument/didOpen",
        "params": {"textDocument": {"uri": "%%%", "languageId": "python", "version": 1, "text": BAD}},
    },
    "half a character": {
        "method": "textDocument/didOpen",
        "params": {
            "textDocument": {"uri": "file:///h.py", "languageId": "python", "version": 1, "text": "x = '\ud800'"}
        },
    },
    "a change that is nowhere": {
        "method": "textDocument/didChange",
        "params": {
            "textDocument": {"uri": "file:///h.py", "version": 2},
            "contentChanges": [
                {
                    "range": {"start": {"line": 9, "character": 9}, "end": {"line": 3, "character": 3}},
                    "text": "import jax",
                }
            ],
        },
    },
}


@pytest.mark.parametrize("content", NOTIFICATIONS.values(), ids=NOTIFICATIONS)
def test_what_wants_no_answer_gets_none_and_does_no_harm(shared: Raw, tmp_path: Path, content: dict[str, Any]) -> None:
    shared.send(message(**content))
    is_well(shared, tmp_path)


def test_nothing_is_answered_before_the_beginning_and_after_the_end(fresh: Raw, tmp_path: Path) -> None:
    fresh.send(message(method="textDocument/didOpen", params={"textDocument": 3}))
    for method in ("textDocument/hover", "shutdown", "nothing"):
        assert fresh.asked(1, method)["error"]["code"] == -32002
    fresh.begin()
    is_well(fresh, tmp_path)
    assert fresh.asked(2, "shutdown")["result"] is None
    fresh.send(message(method="textDocument/didOpen", params={"textDocument": 3}))
    for method in ("textDocument/hover", "shutdown", "initialize", "nothing"):
        assert fresh.asked(3, method)["error"]["code"] == -32600
    fresh.send(message(method="exit"))
    assert fresh.process.wait(PATIENCE) == 0


def test_an_editor_that_never_says_that_it_is_ready_is_served(fresh: Raw, tmp_path: Path) -> None:
    assert "result" in fresh.asked(0, "initialize", INITIALIZE)
    is_well(fresh, tmp_path)


def test_a_beginning_that_is_wrong_can_be_made_again(fresh: Raw, tmp_path: Path) -> None:
    assert fresh.asked(0, "initialize", {"capabilities": 3})["error"]["code"] == -32602
    fresh.begin()
    is_well(fresh, tmp_path)


def test_a_text_of_fifteen_megabytes_is_refused_at_once(shared: Raw, tmp_path: Path) -> None:
    uri = (tmp_path / "large.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": "x = 1\n" * 2_500_000}
    shared.send(message(method="textDocument/didOpen", params={"textDocument": document}))
    change = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "text": "y"}
    version = {"uri": uri, "version": 2}
    shared.send(message(method="textDocument/didChange", params={"textDocument": version, "contentChanges": [change]}))
    report = shared.asked(5, "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    (found,) = report["result"]["items"]
    assert (found["code"], found["range"]["start"]) == ("JAX004", {"line": 0, "character": 0})
    assert "the text has 15,000,000 characters" in found["message"]
    at = {"textDocument": {"uri": uri}, "position": {"line": 100, "character": 0}}
    assert "error" not in shared.asked(6, "textDocument/hover", at)
    is_well(shared, tmp_path)
    shared.send(message(method="textDocument/didClose", params={"textDocument": {"uri": uri}}))


@pytest.mark.asyncio
async def test_who_asks_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "ANSWER_SECONDS", 0.05)
    server = app.Server()
    release = threading.Event()
    with pytest.raises(JsonRpcException, match="still busy") as refused:
        await server.ask(lambda token: release.wait(PATIENCE))
    release.set()
    assert refused.value.code == -32803
    assert await server.ask(lambda token: 3) == 3
    await asyncio.sleep(0)


def test_any_split_of_the_bytes_gives_the_same_messages() -> None:
    chance = random.Random(0)
    good = [json.dumps({"n": number, "text": "\r\n\r\n" * number}).encode() for number in range(20)]
    data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in good)
    for _ in range(50):
        frames, found, rest = Frames(), [], data
        while rest:
            size = chance.randint(1, 60)
            found += frames.feed(rest[:size])
            rest = rest[size:]
        assert found == good


def test_garbage_between_messages_costs_none_of_them() -> None:
    chance = random.Random(1)
    body = BODY
    for _ in range(300):
        garbage = bytes(chance.choice(b'ab{}[]:"\r\n \xff\x00C-') for _ in range(chance.randint(1, 80)))
        frames = Frames()
        found = list(frames.feed(garbage + b"\n\n" + framed(b"Content-Length: %d" % len(body))))
        assert [each for each in found if isinstance(each, bytes)] == [body], garbage
        assert sum(isinstance(each, BadFrame) for each in found) == 1
