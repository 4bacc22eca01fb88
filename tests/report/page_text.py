"""A page as text, without a browser: what it says, where its links lead, and how its pictures are laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_NEVER_CLOSED = frozenset({"meta", "link", "input", "rect", "circle", "path"})
_BLOCKS = frozenset("h1 h2 h3 h4 p li div dt dd pre summary article section".split())


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.children)

    @property
    def lines(self) -> list[str]:
        """What it says, as the lines that a reader sees; of a text in columns every column is one."""
        return [line for line in map(str.rstrip, self._laid_out().split("\n")) if line.strip()]

    def _laid_out(self) -> str:
        inner = "".join(each if isinstance(each, str) else each._laid_out() for each in self.children)
        if self.tag in ("script", "style", "title"):
            return ""
        return f"\n{inner}\n" if self.tag in _BLOCKS else inner

    def all(self, selector: str) -> list[Element]:
        """The elements below it of a tag, a class (`.name`) or both (`tag.name`), in their order."""
        tag, _, name = selector.partition(".")
        found = []
        for each in self.children:
            if isinstance(each, Element):
                if tag in ("", each.tag) and (not name or name in each.attributes.get("class", "").split()):
                    found.append(each)
                found += each.all(selector)
        return found

    def one(self, selector: str) -> Element:
        (found,) = self.all(selector)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("page", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _NEVER_CLOSED:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _NEVER_CLOSED:
            assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(html: str) -> Element:
    """The page; AssertionError where its tags do not pair."""
    reader = _Reader()
    reader.feed(html)
    (page,) = reader.open
    return page


def place(box: Element) -> tuple[int, int, int, int]:
    """Where a box of a picture is: left, top, width, height."""
    left, top = re.findall(r"-?\d+", box.attributes["transform"])
    (rectangle,) = box.all("rect")
    return int(left), int(top), int(rectangle.attributes["width"]), int(rectangle.attributes["height"])
