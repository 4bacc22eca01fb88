"""What ends the tracing of a run before everything was traced: Ctrl-C, SIGTERM and the budget."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Stop:
    """How one run of the command stands: whether it was told to stop, what tracing took, and what was left out.

    Tracing takes turns with analysis where a run has several programs, so the budget is counted in what was spent.
    """

    def __init__(self) -> None:
        self.signal = 0  # the number of the one that arrived
        self.spent = 0.0  # seconds of tracing
        self.reason = ""  # why something was left out
        self.left = 0  # how many functions were

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While the block runs, the first signal is noted here and nothing more; the second acts as it always does.

        Signals are the main thread's: elsewhere, and where somebody ignores them, they are left alone.
        """
        before: dict[int, Any] = {}

        def note(number: int, frame: FrameType | None) -> None:
            self.signal = number
            restore()

        def restore() -> None:
            while before:
                signal.signal(*before.popitem())

        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    before[number] = signal.signal(number, note)
        try:
            yield
        finally:
            restore()

    def leave_out(self, reason: str, functions: int) -> None:
        """So many functions are not traced, and why."""
        self.reason = reason
        self.left += functions

    @property
    def exit_code(self) -> int:
        """What the command ends with after a signal, as shells have it; 0 where there was none."""
        return 128 + self.signal if self.signal else 0

    def told(self) -> str:
        """One line for people; empty where everything was traced."""
        if not self.left:
            return ""
        functions = "function was" if self.left == 1 else "functions were"
        return f"{self.reason}: {self.left} {functions} not traced"
