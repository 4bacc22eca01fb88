"""The kernel's end of the process that checks: started when it is needed, asked in turn, started anew when it ended."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from typing import IO, Any

PATIENCE = 10.0
"""Seconds that a cell may have to wait for an answer: more than it takes once the program has been read."""

_STARTED_FROM = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_CODE = f"""import sys
sys.path = [*filter(None, sys.path), {_STARTED_FROM!r}]
from jaxlint.notebook.checker import main
main()"""
"""Without the current folder, whose `json.py` would be taken for Python's."""


class NoAnswer(Exception):
    """There is none, now; the message is the line to print."""


class Client:
    """One process, for the cells that have a path together."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._asked = 0
        self._overdue = False

    def tell(self, request: dict[str, Any]) -> int:
        """Asks without waiting: the answer is of no interest, or waited for later.  Raises NoAnswer."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        self._asked += 1
        try:
            self._process.stdin.write(json.dumps({**request, "id": self._asked}) + "\n")
            self._process.stdin.flush()
        except OSError:
            self.stop()
            raise NoAnswer("the process that checks has ended; it starts anew with the next cell") from None
        return self._asked

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer.  Raises NoAnswer; a request whose answer is not there in time is not asked again."""
        try:
            return self._answer_to(self.tell(request))
        except KeyboardInterrupt:
            self.stop()
            raise NoAnswer("") from None

    def _answer_to(self, number: int) -> dict[str, Any]:
        until = time.monotonic() + (PATIENCE if not self._overdue else PATIENCE / 20)
        while True:
            try:
                answer = self._answers.get(timeout=max(until - time.monotonic(), 0))
            except queue.Empty:
                first, self._overdue = not self._overdue, True
                raise NoAnswer(_OVERDUE if first else "") from None
            if answer is None:
                self.stop()
                raise NoAnswer("the process that checks has ended; it starts anew with the next cell")
            if answer["id"] == number:
                self._overdue = False
                return answer

    def stop(self) -> None:
        """Ends the process; the next request starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def _start(self) -> None:
        self.stop()
        self._answers = queue.SimpleQueue()
        self._overdue = False
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CODE, self.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
                cwd=os.path.dirname(self.path),
                start_new_session=True,  # an interrupt of the kernel is none of the check
            )
        except OSError as error:
            raise NoAnswer(f"cannot start the process that checks: {error}") from None
        threading.Thread(
            target=_listen, args=(self._process.stdout, self._answers), name="jaxlint-answers", daemon=True
        ).start()


_OVERDUE = f"no answer in {PATIENCE:.0f} s: the program is large; what is found will be shown below a later cell"


def _listen(stream: IO[str], answers: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Puts each answer into the queue, and None after the last."""
    with stream:
        for line in stream:
            answers.put(json.loads(line))
    answers.put(None)
