"""Keeps the findings up to date while the user types: every change calls the running check off and asks for another.

A check has two steps.  The first looks at the text that was edited, so that what is said of it follows the keys; the
second at everything that depends on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from jaxlint.running.session import Cancelled
from jaxlint.server.projects import Outcome, Projects
from jaxlint.server.worker import Token, Worker

DEBOUNCE_SECONDS = 0.005
"""How long a check waits for more edits, of which some editors send several at once."""


class Checking:
    """A loop over checks.

    ``show`` is called with what each check has found, and before that, told that it is not all, with what its first
    step has; ``failed`` with the error of one that broke off, and ``starting`` before a check that has to read a
    program for the first time.
    """

    def __init__(
        self,
        worker: Worker,
        projects: Projects,
        show: Callable[[Outcome, bool], None],
        failed: Callable[[Exception], None],
        starting: Callable[[Token], Awaitable[Callable[[], None]]],
    ) -> None:
        self.outcome = Outcome()
        self._worker = worker
        self._projects = projects
        self._show = show
        self._failed = failed
        self._starting = starting
        self._wanted = asyncio.Event()
        self._finished = asyncio.Condition()
        self._changes = 1  # that there were: what is there at first is one
        self._covered = 0  # that the outcome takes into account
        self._glanced = 0  # that it does as far as a check's first step goes
        self._token = Token()
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to check; what was noted until now waits for this."""
        if self._loop is None:
            self._wanted.set()
            self._loop = asyncio.get_running_loop().create_task(self._check_forever())

    def note(self, change: Callable[[], None]) -> None:
        """Applies a change to the projects and has them checked again."""
        self._changes += 1
        self._worker.post(change)
        self._token.call_off()
        self._wanted.set()

    async def current(self, prompt: bool = False) -> Outcome:
        """The findings, as soon as they take all changes so far into account.

        With ``prompt``, as soon as a check's first step has: ``show`` is called once there is more to it.
        """
        wanted = self._changes
        async with self._finished:
            await self._finished.wait_for(lambda: max(self._covered, self._glanced * prompt) >= wanted)
        return self.outcome

    def stop(self) -> None:
        if self._loop is not None:
            self._loop.cancel()
        self._token.call_off()

    async def _check_forever(self) -> None:
        while True:
            await self._wanted.wait()
            await asyncio.sleep(DEBOUNCE_SECONDS)
            self._wanted.clear()
            changes, self._token = self._changes, Token()
            try:
                await self._glance(self._token, changes)
                self.outcome = await self._check(self._token)
                self._show(self.outcome, True)
            except Cancelled:
                if self._changes == changes:  # the user has called it off: what is known stays
                    await self._cover(changes)
                continue
            except Exception as error:
                self._failed(error)
            await self._cover(changes)

    async def _glance(self, token: Token, changes: int) -> None:
        """A check's first step, where a text was edited."""
        texts = await self._worker.run(self._projects.check_edited, token)
        if texts:
            self.outcome = replace(self.outcome, texts={**self.outcome.texts, **texts})
            self._show(self.outcome, False)
            async with self._finished:
                self._glanced = changes
                self._finished.notify_all()

    async def _check(self, token: Token) -> Outcome:
        if not await self._worker.run(lambda _: self._projects.is_new()):
            return await self._worker.run(self._projects.check, token)
        finished = await self._starting(token)
        try:
            return await self._worker.run(self._projects.check, token)
        finally:
            finished()

    async def _cover(self, changes: int) -> None:
        async with self._finished:
            self._covered = changes
            self._finished.notify_all()
