"""What an evaluation looked at, so that its result can be kept while other modules change, and used by other units.

A *note* is made for each module that is read, each unit of work and each summary.  It has the modules that were looked
at and the questions that were asked about the whole program, and what the evaluation left behind for those who come
after it in its unit: functions that count as analysed, transforms that were placed.  Sets of these are numbers, a bit
for each element: whatever uses a summary takes over its note, which is done hundreds of thousands of times.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Protocol

from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import Function, ModuleScope, Transformed

Look = tuple[str, "str | int"]
"""A module, and a part of its text: by its name, or by the line that a function begins in."""

Placed = tuple[Transformed, Context, Function]

EVERYTHING = -1
"""In place of the bits of modules and questions: all there are."""


class Bits:
    """A number with one bit for each thing that was met, in the order in which they were."""

    def __init__(self) -> None:
        self.things: list[Hashable] = []
        self._known: dict[Hashable, int] = {}

    def of(self, thing: Hashable) -> int:
        bit = self._known.get(thing)
        if bit is None:
            bit = self._known[thing] = 1 << len(self.things)
            self.things.append(thing)
        return bit

    def among(self, number: int) -> Iterator[Any]:
        """The things whose bits are in a number."""
        if number == EVERYTHING:
            yield from self.things
            return
        while number:
            lowest = number & -number
            yield self.things[lowest.bit_length() - 1]
            number ^= lowest


class Note:
    """What one evaluation looked at and left behind.

    ``added`` are the facts that it has left, ``absent`` and ``present`` those that it has asked for and not left
    itself.  ``is_local``: what came out depends on the unit, or on who is running around it.  ``makes``: functions
    were made in it.  ``parts`` of modules are those that it looks at itself, and ``seen`` the same when it is done;
    those of its ``inner`` notes are theirs, since there are too many to hand them on.
    """

    __slots__ = (
        "absent", "added", "depth", "inner", "is_local", "looked", "makes", "parts", "placed", "present", "seen",
        "signature",
    )  # fmt: skip

    def __init__(self, depth: int) -> None:
        self.depth = depth  # so many functions were running
        self.looked = 0
        self.added = 0
        self.absent = 0
        self.present = 0
        self.is_local = False
        self.makes = False
        self.placed: dict[Hashable, Placed] = {}
        self.inner: dict[Note, None] = {}
        self.parts: set[Look] = set()
        self.seen: tuple[Look, ...] = ()
        self.signature: Any = None

    def close(self) -> None:
        """The evaluation is done."""
        if self.parts:
            self.seen = tuple(self.parts)
            self.parts = set()

    def all_seen(self) -> Iterator[Look]:
        """What it has looked at itself, and what those have that it goes on from."""
        pending, known = [self], {self}
        while pending:
            note = pending.pop()
            yield from note.seen
            yield from note.parts
            pending += [one for one in note.inner if one not in known]
            known.update(note.inner)

    def take(self, inner: Note) -> None:
        """The evaluation goes on from what another one has come to."""
        self.looked |= inner.looked
        self.absent |= inner.absent & ~self.added
        self.present |= inner.present & ~self.added
        self.added |= inner.added
        self.is_local = self.is_local or inner.is_local
        self.makes = self.makes or inner.makes
        if inner.placed:
            self.placed.update(inner.placed)


class Noting(Protocol):
    """Who notes which facts are asked for and left."""

    facts_met: Bits
    place: Place

    def add_fact(self, bit: int, lasts: bool) -> None: ...

    def is_fact(self, bit: int) -> bool: ...


class Facts:
    """Nodes of which something was found out, as a set; who asks and who adds is noted.

    ``lasts``: what is found out while modules are read holds for all units.
    """

    def __init__(self, it: Noting, what: str, lasts: bool = True) -> None:
        self._it = it
        self._what = what
        self._lasts = lasts
        self._bits: dict[Hashable, int] = {}
        self._all = 0

    def _bit(self, node: Hashable) -> int:
        bit = self._bits.get(node)
        if bit is None:
            bit = self._bits[node] = self._it.facts_met.of((self._what, node))
            self._all |= bit
        return bit

    def add(self, node: Hashable) -> None:
        self._it.add_fact(self._bit(node), self._lasts)

    def __contains__(self, node: Hashable) -> bool:
        return self._it.is_fact(self._bit(node))

    def clear(self) -> None:
        self._it.place.facts &= ~self._all


class Place:
    """Where the work is: a module that is read, or the unit of one, or a module that is ``loaded`` anew in the
    unit ``around`` it.

    ``private`` are modules of which it knows another state than others, ``own_classes`` questions to which it has other
    answers, because of classes that it has made: what looked at them is not shared.
    """

    __slots__ = (
        "around", "begun", "counted", "facts", "known", "left", "loaded", "notes", "own_classes", "placed", "private",
        "scope", "variants",
    )  # fmt: skip

    def __init__(self, scope: ModuleScope | None, around: Place | None = None) -> None:
        self.scope = scope
        self.around = around.unit if around is not None else None
        self.notes = [Note(0)]  # its own, and those of the summaries that are being made, one inside the other
        self.facts = 0
        self.known: set[Note] = set()  # of the summaries that were made or used here
        self.counted: set[Any] = set()  # their signatures
        self.variants: dict[Any, int] = {}
        self.placed: set[Hashable] = set()
        self.private = 0
        self.own_classes = 0
        self.left: dict[Any, Any] | None = None  # what modules have left, where the unit may change that
        self.loaded: list[ModuleScope] = []
        self.begun = 0  # so many functions had been made

    @property
    def unit(self) -> Place:
        """The unit that a module is loaded in, or the place itself."""
        return self.around or self
