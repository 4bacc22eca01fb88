"""An editor for measurements: speaks the protocol with a `jaxlint server` of its own, as plainly as possible."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any


class Editor:
    """Tells the server of edits, one at a time, and waits for its diagnostics."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "jaxlint", "server"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.texts: dict[Path, str] = {}
        self.versions: dict[Path, int] = {}
        self._send(
            id=0, method="initialize", params={"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
        )
        while self._receive().get("id") != 0:
            pass
        self._send(method="initialized", params={})

    def open(self, path: Path) -> list[Any]:
        """Opens a file and returns its diagnostics."""
        self.texts[path], self.versions[path] = path.read_text(), 1
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": self.texts[path]}
        self._send(method="textDocument/didOpen", params={"textDocument": document})
        return self._diagnostics(path)

    def change(self, path: Path, text: str) -> list[Any]:
        """Sends what differs, as a change of a range, and returns the diagnostics of the new version."""
        if path not in self.texts:
            self.open(path)
        old = self.texts[path]
        start = _common(old, text)
        end = _common(old[start:][::-1], text[start:][::-1])
        span = {"start": _position(old, start), "end": _position(old, len(old) - end)}
        self.texts[path] = text
        self.versions[path] += 1
        document = {"uri": path.as_uri(), "version": self.versions[path]}
        change = {"range": span, "text": text[start : len(text) - end]}
        self._send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [change]})
        return self._diagnostics(path)

    def leave(self) -> None:
        self._send(id=1, method="shutdown")
        while self._receive().get("id") != 1:
            pass
        self._send(method="exit")
        self.process.wait()

    def processor_seconds(self) -> float:
        """What the server has used of the processor until now."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mib(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024

    def _diagnostics(self, path: Path) -> list[Any]:
        while True:
            params = self._receive().get("params") or {}
            if params.get("uri") == path.as_uri() and params.get("version") == self.versions[path]:
                return list(params["diagnostics"])

    def _send(self, **content: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **content}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        received: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return received


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    differing = (index for index, (ours, theirs) in enumerate(zip(one, other)) if ours != theirs)
    return next(differing, min(len(one), len(other)))


def _position(text: str, offset: int) -> dict[str, int]:
    before = text[:offset].rpartition("\n")[2]
    return {"line": text.count("\n", 0, offset), "character": len(before.encode("utf-16-le")) // 2}
