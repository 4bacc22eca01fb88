"""The comments and the logical lines of a text: what Python's tokenizer says without a syntax tree.

A logical line is a simple statement whole, of a compound statement what stands up to its colon.
"""

from __future__ import annotations

import io
import tokenize
from bisect import bisect_right
from dataclasses import dataclass

_LAYOUT = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


@dataclass(frozen=True, slots=True)
class Comment:
    text: str
    line: int
    column: int  # 0-based
    alone: bool  # nothing but white space before it on its line


class Statements:
    """The extents of logical lines."""

    def __init__(self, spans: list[tuple[int, int, bool]]) -> None:
        self._spans = spans  # (first line, last line, is a decorator)

    def around(self, line: int) -> tuple[int, int] | None:
        """The logical line that a physical line is part of."""
        index = bisect_right(self._spans, line, key=lambda span: span[0]) - 1
        if index < 0 or self._spans[index][1] < line:
            return None
        return self._spans[index][:2]

    def after(self, line: int) -> tuple[int, int] | None:
        """The next logical line; the decorators of a definition and its header count as one."""
        index = bisect_right(self._spans, line, key=lambda span: span[0])
        for _, last, is_decorator in self._spans[index:]:
            if not is_decorator:
                return self._spans[index][0], last
        return None


def scan(text: str) -> tuple[list[Comment], Statements]:
    """Comments and logical lines.  Tokens up to the first that Python's tokenizer cannot read are used."""
    comments: list[Comment] = []
    spans: list[tuple[int, int, bool]] = []
    start: tokenize.TokenInfo | None = None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                line, column = token.start
                comments.append(Comment(token.string, line, column, not token.line[:column].strip()))
            elif token.type == tokenize.NEWLINE and start is not None:
                spans.append((start.start[0], token.end[0], start.string == "@"))
                start = None
            elif start is None and token.type not in _LAYOUT and token.type != tokenize.NEWLINE:
                start = token
    except (tokenize.TokenError, SyntaxError):
        pass  # newer syntax than the running Python's, or a broken file, which has its own finding
    return comments, Statements(spans)
