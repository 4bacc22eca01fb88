"""The one thread that analyses: jobs run one after the other, while the protocol's loop stays free."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from jaxlint.running.session import Cancelled

Result = TypeVar("Result")


class Token:
    """Calls a job off; the job looks now and then."""

    def __init__(self) -> None:
        self._called_off = threading.Event()

    def call_off(self) -> None:
        self._called_off.set()

    def is_called_off(self) -> bool:
        return self._called_off.is_set()

    def check(self) -> None:
        """Raises Cancelled once the job is called off."""
        if self._called_off.is_set():
            raise Cancelled


class Worker:
    """Runs jobs in the order in which they were asked for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="jaxlint-server")

    def post(self, work: Callable[[], None]) -> None:
        """Has something short done that nobody waits for, such as taking note of an edit."""
        self._thread.submit(work)

    async def run(self, work: Callable[[Token], Result], token: Token | None = None) -> Result:
        """What the job returns, or its exception, which is Cancelled when the token has called it off.

        Cancelling the caller calls the job off.
        """
        token = token or Token()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, _start, work, token)
        except asyncio.CancelledError:
            token.call_off()
            raise


def _start(work: Callable[[Token], Result], token: Token) -> Result:
    token.check()
    return work(token)
