"""Which limits were met, and which entries broke off: what the analysis does not know, and where."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass

from jaxlint.flow.limits import Limit
from jaxlint.flow.source.modules import ModuleText


class Met:
    """Which limits were met, at which nodes of which modules, and how often."""

    def __init__(self) -> None:
        self.places: Counter[tuple[Limit, ModuleText, ast.AST]] = Counter()

    def note(self, limit: Limit, scope: ModuleText, node: ast.AST) -> None:
        self.places[limit, scope, node] += 1

    def add(self, other: Met, paths: Container[str]) -> None:
        """Takes over what another has noted in the files of these paths."""
        for place, count in other.places.items():
            if place[1].module.path in paths:
                self.places[place] += count

    def at(self, path: str, line: int) -> Counter[Limit]:
        """How often each limit was met by what begins on that line."""
        found: Counter[Limit] = Counter()
        for (limit, scope, node), count in self.places.items():
            if scope.module.path == path and getattr(node, "lineno", None) == line:
                found[limit] += count
        return found

    def by_limit(self) -> list[tuple[Limit, int]]:
        """How often each limit was met, the most often first."""
        total: Counter[Limit] = Counter()
        for (limit, _, _), count in self.places.items():
            total[limit] += count
        return sorted(total.items(), key=lambda item: (-item[1], item[0].name))


@dataclass(slots=True)
class Failure:
    """An entry whose analysis broke off: what is known of the rest of the program stays."""

    scope: ModuleText
    node: ast.AST
    what: str
    error: Exception
