"""Which of the conditions that are known somewhere are looked for: a function asks its callers for these alone."""

from __future__ import annotations

from operator import is_
from typing import Any, NamedTuple

from jaxlint.flow.domain.values import Value

SAME, AMONG, MENTIONING, HOLDING = "the same", "among", "mentioning", "holding"


class Sought(NamedTuple):
    """The conditions of one ``texts`` over exactly the values ``about`` (SAME), those over nothing but these (AMONG),
    those that mention one of the ``texts`` (MENTIONING), or those over one of the values or with one of the texts
    (HOLDING).  In a question to callers values are told by their numbers."""

    how: str
    texts: tuple[str, ...] = ()
    about: tuple[Any, ...] = ()

    def finds(self, text: str, objects: tuple[Value, ...], constant: Any) -> bool:
        """Whether a condition is one of them."""
        if self.how == SAME:
            return text == self.texts[0] and len(objects) == len(self.about) and all(map(is_, objects, self.about))
        if self.how == AMONG:
            return bool(objects) and all(any(value is one for one in self.about) for value in objects)
        if self.how == HOLDING and any(value is one for value in objects for one in self.about):
            return True
        told = text if self.how == HOLDING else f"{text} {constant}"
        return any(word in told for word in self.texts)
