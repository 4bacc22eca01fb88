"""`jaxlint server`: starts the language server on standard input and output, or on a port."""

from __future__ import annotations

import contextlib
import gc
import os
import sys


class ServerUnavailable(Exception):
    """The server cannot be started; the message is the line to print."""


def serve(tcp: str | None) -> int:
    """Serves one editor until it says `exit`, and returns the exit code that the protocol asks for.

    ``tcp`` is `HOST:PORT` to listen on, for debugging.  Raises ServerUnavailable without pygls, and for an address
    that is none.
    """
    try:
        from jaxlint.server.app import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ServerUnavailable("the server needs pygls: pip install 'jaxlint-sharp-bits[lsp]'") from None
    address = None if tcp is None else _address(tcp)
    gc.enable()  # unlike a run of the command, a server lives long enough to need it
    sys.setswitchinterval(0.001)  # seconds; an edit must get through to call off a check, in several steps
    server = make_server()
    if address is None:
        # What anything prints must not end up between the messages; pygls closes the stream in the end.
        messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        with contextlib.redirect_stdout(sys.stderr):
            server.start_io(stdout=messages)
    else:
        print(f"jaxlint: waiting for an editor on {address[0]}:{address[1]}", file=sys.stderr, flush=True)
        server.start_tcp(*address)
    return 0 if server.was_shut_down else 1


def _address(text: str) -> tuple[str, int]:
    host, separator, port = text.rpartition(":")
    if not separator or not port.isdigit() or int(port) > 65535:
        raise ServerUnavailable(f"--tcp: expected HOST:PORT, such as 127.0.0.1:2087, found {text}")
    return host or "127.0.0.1", int(port)
