"""pygls's protocol, with what a server that runs for days needs, whatever its editor sends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from jaxlint.server.framing import BadFrame, Frames

_CHUNK = 1 << 16


class Protocol(LanguageServerProtocol):
    """Answers whatever comes: what cannot be done with an error, as the protocol wants it.

    Forgets notifications that are dealt with: pygls keeps a future for each of them, as if they were requests.
    """

    async def listen(self, read: Callable[[int], Awaitable[bytes]]) -> None:
        """Takes messages until there are no more; ``read`` gives at most so many bytes as soon as there are any."""
        frames = Frames()
        while data := await read(_CHUNK):
            for frame in frames.feed(data):
                if isinstance(frame, BadFrame):
                    self._refuse(None, JsonRpcParseError(str(frame)))
                elif not self._receive(frame):
                    frames.reject(frame)
                await asyncio.sleep(0)  # what was asked before may be answered before

    def _receive(self, body: bytes) -> bool:
        """Deals with one message; whether it was JSON."""
        try:
            data = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            self._refuse(None, JsonRpcParseError(f"not JSON: {error}"))
            return False
        problem = _problem(data)
        if problem is not None:
            self._refuse(None, JsonRpcInvalidRequest(problem))
            return True
        try:
            self._dispatch(data)
        except JsonRpcException as error:
            self._refuse(data.get("id"), error, is_asked="method" in data and "id" in data)
        except Exception as error:
            internal = JsonRpcInternalError(f"{type(error).__name__}: {error}")
            self._refuse(data.get("id"), internal, is_asked="method" in data and "id" in data)
        return True

    def _dispatch(self, data: dict[str, Any]) -> None:
        """Raises JsonRpcException for what cannot be done now, or at all."""
        method = data.get("method")
        if method is not None and method != types.EXIT:
            if self._shutdown:
                raise JsonRpcInvalidRequest("the server was shut down")
            if self._workspace is None and method != types.INITIALIZE:
                raise JsonRpcServerNotInitialized("the first request is `initialize`")
            if self._workspace is not None and method == types.INITIALIZE:
                raise JsonRpcInvalidRequest("the server is initialized")
            if "id" in data:
                self._get_handler(method)
        self.handle_message(self._structured(data))

    def _structured(self, data: dict[str, Any]) -> Any:
        try:
            return self.structure_message(data)
        except JsonRpcException:
            waiting = self._request_futures.pop(data["id"], None) if "id" in data and "method" not in data else None
            if waiting is not None and not waiting.done():
                waiting.set_exception(JsonRpcInternalError("an answer that is none"))
            raise JsonRpcInvalidParams(f"wrong parameters of `{data.get('method', 'an answer')}`") from None

    def _refuse(self, number: str | int | None, error: JsonRpcException, is_asked: bool = True) -> None:
        """Answers with an error; nobody waits for word of what was not asked."""
        if is_asked:
            answer = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": number, "error": answer})

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


def _problem(data: object) -> str | None:
    """Why JSON is no message."""
    if not isinstance(data, dict):
        return "a message is an object"
    if data.get("jsonrpc") != "2.0":
        return '`jsonrpc` must be "2.0"'
    if "id" in data and (not isinstance(data["id"], (str, int)) or isinstance(data["id"], bool)):
        return None if data["id"] is None and "error" in data else "`id` must be a string or a number"
    if not isinstance(data.get("method", ""), str):
        return "`method` must be a string"
    if "method" not in data and not ("id" in data and ("result" in data or "error" in data)):
        return "neither a request nor an answer"
    return None
