"""Rule cards on the page: their Markdown as HTML, their examples highlighted."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from typing import Any

from markdown_it import MarkdownIt

from jaxlint.report.escaping import plain
from jaxlint.report.page.code import highlighted_block
from jaxlint.vocabulary.rules import Rule

_LINK = re.compile(r'<a href="(?!https?:)([^"]*)">((?:(?!</?a\b).)*)</a>', re.DOTALL)
_CARD = re.compile(r"JAX\d{3}(?=\.md)")


def card(rule: Rule, on_page: Collection[str]) -> str:
    """A rule's page without its title; ``on_page`` are the codes of the cards that links can lead to."""
    _, _, body = rule.body.partition("\n")

    def linked(match: re.Match[str]) -> str:
        code = _CARD.search(match[1])
        return f'<a href="#rule-{code[0]}">{match[2]}</a>' if code and code[0] in on_page else match[2]

    return _LINK.sub(linked, _markdown().render(body))


@functools.cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables; HTML in a card is text, and its headings are below those of the page."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("heading_open", lambda *_: "<h4>")
    made.add_render_rule("heading_close", lambda *_: "</h4>\n")
    made.add_render_rule("fence", _fence)
    return made


def _fence(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    """A block of code.  What a card says behind the language tells good from bad."""
    language, _, kind = tokens[index].info.partition(" ")
    content = tokens[index].content
    code = highlighted_block(content) if language == "python" else plain(content)
    return f'<pre class="code example {kind if kind in ("bad", "good") else ""}"><code>{code}</code></pre>\n'
