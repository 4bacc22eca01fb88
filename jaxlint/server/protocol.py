"""pygls's protocol, with what a server that runs for days needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """Forgets notifications that are dealt with: pygls keeps a future for each of them, as if they were requests."""

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            loop = asyncio.get_running_loop()
            # Later, for pygls may be going through them.
            future.add_done_callback(lambda _: loop.call_soon(self._request_futures.pop, msg_id, None))
