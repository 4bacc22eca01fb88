"""From a node and what is to stand in its place to the smallest edit of the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import libcst as cst

from jaxlint.project.documents import Document
from jaxlint.project.layout import LINE_BREAK
from jaxlint.visitors.rule import Replacement
from jaxlint.vocabulary.findings import Edit, Location


@dataclass
class Replacer:
    """Makes edits of a document, of which ``module`` is the tree."""

    document: Document
    module: cst.Module

    @cached_property
    def _texts(self) -> list[str]:
        """The text of each statement of the module."""
        return [self.module.code_for_node(statement) for statement in self.module.body]

    def edit(self, node: cst.CSTNode, replacement: Replacement) -> Edit | None:
        """What is to be done to the text; None where that cannot be said, or changes nothing.

        Only the statement of the module that the node is in is written anew.
        """
        index = next((number for number, one in enumerate(self.module.body) if _holds(one, node)), None)
        if index is None:
            return None
        old, new = self._texts[index], self._with(self.module.body[index], node, replacement)
        start = len("".join(map(self.module.code_for_node, self.module.header))) + sum(map(len, self._texts[:index]))
        if new == old or not (self.document.text + "\n").startswith(old, start):
            return None
        first = _common(old, new)
        last = _common(old[first:][::-1], new[first:][::-1])
        content = new[first : len(new) - last]
        return Edit(self._location(start + first, start + len(old) - last), content)

    def _with(self, statement: cst.BaseStatement, node: cst.CSTNode, replacement: Replacement) -> str:
        made: object = replacement
        if statement is not node:
            made = statement.deep_replace(node, cast("cst.CSTNode", replacement))  # it takes sentinels, too
        if isinstance(made, cst.RemovalSentinel):
            return ""
        nodes = made if isinstance(made, cst.FlattenSentinel) else [made]
        return "".join(self.module.code_for_node(one) for one in nodes if isinstance(one, cst.CSTNode))

    def _location(self, start: int, end: int) -> Location:
        text = self.document.text
        first, last = LINE_BREAK.split(text[:start]), LINE_BREAK.split(text[:end])
        return Location(self.document.path, len(first), len(first[-1]) + 1, len(last), len(last[-1]) + 1)


def _holds(outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
    waiting = [outer]
    while waiting:
        node = waiting.pop()
        if node is inner:
            return True
        waiting += node.children
    return False


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    return next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
