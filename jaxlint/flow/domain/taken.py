"""How many arguments a function takes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Taken(NamedTuple):
    """What a function of this ``name`` takes: how many arguments by position, at least and at most (None: any number),
    and which names a call may pass (None: any) and has to.

    ``filled`` is the first parameter that is filled in by name already, where that is what limits their number.
    """

    name: str
    least: int
    most: int | None
    names: frozenset[str] | None
    asked: tuple[str, ...]
    filled: str = ""

    def refuses(self, count: int, names: Collection[str] = ()) -> bool:
        """Whether Python raises TypeError at a call with ``count`` arguments by position and these by name."""
        if self.names is not None and not self.names.issuperset(names):
            return True
        if self.most is not None and count > self.most:
            return True
        return any(name not in names for name in self.asked) or (count < self.least and not names)
