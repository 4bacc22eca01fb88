"""Any text as HTML."""

from __future__ import annotations

from html import escape

UNSEEN = {code: chr(0x2400 + code) for code in range(0x20) if code not in (9, 10)} | {
    0x7F: "\u2421",
    # What turns the direction of text round makes code look like other code.
    **dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"),
}
"""Characters that nobody sees, and those that stand for them."""


def plain(text: str) -> str:
    """Any text as HTML, fit to stand in an attribute too, characters nobody can see made visible."""
    return escape(text.translate(UNSEEN))
