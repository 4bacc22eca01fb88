"""What a function asks of the objects that it is given or finds around it: that, and no more, tells its calls apart.

A function is evaluated on stand-ins (``describing``).  The contents of a stand-in are lent to it one by one, when they
are asked for.  What was asked for and what came back is remembered as a tree: a call that gives the same answers does
the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from jaxlint.flow.domain.contexts import Context, OfTrace
from jaxlint.flow.domain.sought import Sought
from jaxlint.flow.domain.values import NOTHING, SET_BY_NAME, KeyId, Opaque, Value

# No variable or attribute can have one of these names: they are no identifiers.
ALL = "all of it"
"""In a question: whatever the object holds."""

NAMES = "its names"
"""In a question: under which names the object holds something."""

JOINED = "any of it"
"""In a question: what joins all that the object holds, of which the caller knows more."""

TOUCHED = "what is touched"
"""In a question: which object is the first that is not as a module has left it."""

STEP = "its step"
"""In a question: which pass of a loop has it as its element or index."""


LATE = "what is asked late"
"""The text of what nobody can be asked for any more."""


class Attribute(NamedTuple):
    """In a question: an attribute that an object has from the start, though no path that is known has set it."""

    name: str


class Item(NamedTuple):
    """In a question: an item of a tuple, by its position."""

    number: int


Question = tuple[Any, Any]
"""The number of a stand-in, and the name of what is asked of it, an Attribute, an Item, STEP, NAMES, JOINED, or ALL; a
list of objects that modules have left, and TOUCHED; or None, and which conditions are Sought, or what it asks OfTrace.
"""

Answer = Any
"""A description of what is there, see `describing`; a position in the list of objects, or None for no one."""


class NeedsCaller(Exception):
    """What a function does here depends on those that are running around it: it has no summary."""


class Asking:
    """A point in the evaluation of a function: all that has been asked for so far, with the answers.

    Where the same was asked and the answers were the same, so is the next ``question``; what follows depends on the
    answer to it.  ``family`` is what the calls have in common that differ in constants only; ``of_trace``: it is not a
    call but the trace of a closure.  Most questions have one
    answer, and there are hundreds of thousands of them: ``others`` are made with the second.  Objects of modules are
    most often untouched: what is asked of those that are read in a row is one question.
    """

    __slots__ = ("answer", "family", "of_trace", "others", "question", "then")

    def __init__(self, family: Any, of_trace: bool = False) -> None:
        self.family = family
        self.of_trace = of_trace
        self.question: Question | None = None
        self.answer: Answer = None
        self.then: Asking | None = None
        self.others: dict[Answer, Asking] | None = None

    @property
    def owners(self) -> list[Value]:
        """The objects that the question is about, which is TOUCHED."""
        assert self.question is not None
        assert self.question[1] == TOUCHED
        return self.question[0]  # type: ignore[no-any-return]

    def after(self, question: Question, answer: Answer) -> Asking:
        """The point after a question: a new one, the one that is asked here, or another, which only a function asks
        that has called itself in between."""
        if self.question is None:
            self.question = question
        elif self.question != question:
            return self._other(("instead", question, answer))
        if self.then is None:
            self.answer, self.then = answer, Asking(self.family, self.of_trace)
        return self.then if self.answer == answer else self._other(answer)

    def run_until(self, owner: Value, run: Asking | None) -> Asking:
        """The point where it is asked whether ``owner`` is touched, last of its question.  That of ``run`` goes on
        where nothing else has been asked after it."""
        if self.question is None and run is not None and run.untouched is self:
            if run.owners[-1] is not owner:  # a function that has called itself asks for both
                run.owners.append(owner)
            return run
        if self.question is None:
            self.question = ([owner], TOUCHED)
        elif self.question[1] != TOUCHED or self.owners[-1] is not owner:
            return self._other(("instead", owner)).run_until(owner, None)
        return self

    @property
    def untouched(self) -> Asking | None:
        """The point after the question, where all objects are untouched."""
        if self.answer is None:
            return self.then
        return self.others.get(None) if self.others is not None else None

    def _other(self, answer: Answer) -> Asking:
        if self.others is None:
            self.others = {}
        found = self.others.get(answer)
        if found is None:
            found = self.others[answer] = Asking(self.family, self.of_trace)
        return found


class AskerOfTrace:
    """Something that is found out once for all traces of which it asks the same: ``asking`` is how far that has come,
    in the context ``ctx``."""

    def __init__(self, ctx: Context, asking: Asking) -> None:
        self.ctx = ctx
        self.asking = asking
        self._parts = set[OfTrace]()

    def note_part(self, part: OfTrace) -> bool:
        """Notes that it is asked for; False if it was before."""
        if part in self._parts:
            return False
        self._parts.add(part)
        self.asking = self.asking.after((None, part), self.ctx.part(part))
        return True


class Lender(Protocol):
    """Who knows the contents of the objects behind the stand-ins.  ``taken_back`` are keys that were read off the
    object that keeps them (`keys.take_back`), by both."""

    taken_back: dict[tuple[Value, KeyId], Value]
    is_evaluated: bool

    def is_touched(self, owner: Value) -> bool: ...

    def is_being_made(self, owner: Value) -> bool: ...

    def lend(self, number: int, name: Any) -> Value | None: ...

    def lend_item(self, number: int, position: int) -> Value: ...

    def lent_items(self, number: int) -> tuple[Value, ...]: ...

    def lend_attribute(self, number: int, name: str) -> Value | None: ...

    def lend_all(self, number: int) -> dict[Any, Value]: ...

    def lend_names(self, number: int) -> tuple[Any, ...]: ...

    def lend_joined(self, number: int) -> Value: ...

    def has_lent(self, number: int, name: Any, value: Value) -> bool: ...

    def step_of(self, symbol: Value) -> Any: ...

    def lend_conditions(self, sought: Sought) -> tuple[Any, ...]: ...


class Lent(dict[Value, "LentCell | None"]):
    """What a function that is summarised finds in the objects that it is given, and in those of finished modules that
    are not as the modules have left them.  None for one that is: whether it is so is asked when it is first read.

    ``any_touched``: there is such an object at all; it tells calls apart, so that most are asked nothing.
    ``conditioned``: callers know of some condition; it does the same.
    """

    __slots__ = ("any_touched", "base", "conditioned", "lender")

    def __init__(self, lender: Lender | None, base: Mapping[Value, Any], any_touched: bool, conditioned: bool) -> None:
        super().__init__()
        self.lender = lender
        self.base = base
        self.any_touched = any_touched
        self.conditioned = conditioned

    def __missing__(self, owner: Value) -> LentCell | None:
        if owner in self.base:
            if not self.is_touched(owner):
                self[owner] = None
            return self.get(owner)
        if self.lender is not None and self.lender.is_evaluated and self.lender.is_being_made(owner):
            raise NeedsCaller
        return None

    def is_touched(self, owner: Value) -> bool:
        """Whether a caller has changed an object of a finished module; its contents are lent from then on.  When the
        function has ended nothing more is asked."""
        if not self.any_touched or self.lender is None:
            return False
        return self.lender.is_touched(owner) if self.lender.is_evaluated else self.get(owner) is not None

    def conditions(self, sought: Sought) -> tuple[Any, ...]:
        """What callers know of the values that the function is given."""
        if not self.conditioned or self.lender is None or not self.lender.is_evaluated:
            return ()
        return self.lender.lend_conditions(sought)


class LentTuple:
    """The items of a tuple that a caller has; ``lender`` is None once nothing more can be asked."""

    __slots__ = ("count", "lender", "number")

    def __init__(self, lender: Lender, number: int, count: int) -> None:
        self.lender: Lender | None = lender
        self.number = number
        self.count = count

    def item(self, number: int) -> Value:
        return Opaque(LATE) if self.lender is None else self.lender.lend_item(self.number, number)

    def all(self) -> tuple[Value, ...]:
        return tuple(map(self.item, range(self.count)))

    def known(self) -> tuple[Value, ...]:
        return () if self.lender is None else self.lender.lent_items(self.number)


class LentCell(dict[Any, Value]):
    """The contents of a stand-in: what was lent of them, and what was written since.

    ``number`` is that of the stand-in, ``gone`` are names that were deleted, ``whole`` tells that there is nothing
    left to ask for.
    """

    __slots__ = ("gone", "lender", "number", "whole")

    def __init__(self, lender: Lender, number: int) -> None:
        super().__init__()
        self.lender = lender
        self.number = number
        self.gone = NOTHING
        self.whole = False

    def get(self, name: Any, default: Any = None) -> Any:
        value = dict.get(self, name)
        if value is None and not self.whole and name not in self.gone:
            value = self.lender.lend(self.number, name)
            if value is not None:
                dict.__setitem__(self, name, value)
        return default if value is None else value

    def attribute(self, name: str) -> Value | None:
        """What an object has as its attribute, also if nobody has set it yet."""
        value: Value | None = self.get(name)
        if value is None and name not in self.gone and not dict.__contains__(self, SET_BY_NAME):
            value = self.lender.lend_attribute(self.number, name)
            if value is not None:
                dict.__setitem__(self, name, value)
        return value

    def __getitem__(self, name: Any) -> Value:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value  # type: ignore[no-any-return]

    def __contains__(self, name: Any) -> bool:
        return self.get(name) is not None

    def setdefault(self, name: Any, default: Any = None) -> Any:
        value = self.get(name)
        if value is None:
            value = self[name] = default
        return value

    def pop(self, name: Any, *default: Any) -> Any:
        value = self.get(name)
        self.gone |= {name}
        dict.pop(self, name, None)
        if value is None and not default:
            raise KeyError(name)
        return default[0] if value is None else value

    def __delitem__(self, name: Any) -> None:
        self.pop(name)

    def clear(self) -> None:
        self.whole = True
        dict.clear(self)

    def copy(self) -> LentCell:
        made = LentCell(self.lender, self.number)
        dict.update(made, dict(dict.items(self)))
        made.gone, made.whole = self.gone, self.whole
        return made

    def names(self) -> list[Any]:
        """The names under which something is held."""
        if self.whole:
            return [*dict.keys(self)]
        lent = self.lender.lend_names(self.number)
        own = [name for name in dict.keys(self) if name not in lent]
        return [*(name for name in lent if name not in self.gone), *own]

    def joined(self) -> Value | None:
        """What joins all that is held, where nothing is as it was not lent; else None."""
        is_as_lent = not (self.whole or self.gone) and all(
            self.lender.has_lent(self.number, name, value) for name, value in dict.items(self)
        )
        return self.lender.lend_joined(self.number) if is_as_lent else None

    def present(self) -> dict[Any, Value]:
        """What is here without asking for more."""
        return dict(dict.items(self))

    def _take_all(self) -> None:
        if not self.whole:
            own = dict(dict.items(self))
            self.whole = True
            dict.clear(self)
            dict.update(self, {n: v for n, v in self.lender.lend_all(self.number).items() if n not in self.gone})
            dict.update(self, own)

    def __iter__(self) -> Iterator[Any]:
        self._take_all()
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._take_all()
        return dict.__len__(self)

    def keys(self) -> Any:
        self._take_all()
        return dict.keys(self)

    def values(self) -> Any:
        self._take_all()
        return dict.values(self)

    def items(self) -> Any:
        self._take_all()
        return dict.items(self)


def known_of(cell: dict[Any, Value]) -> dict[Any, Value]:
    """What is known of the contents of an object, without asking for more."""
    return cell.present() if isinstance(cell, LentCell) else cell


def names_of(cell: dict[Any, Value]) -> list[Any]:
    """The names under which an object holds something, without asking what that is."""
    return cell.names() if isinstance(cell, LentCell) else [*cell]


def known_alike(a: dict[Any, Value], b: dict[Any, Value]) -> tuple[dict[Any, Value], dict[Any, Value]]:
    """The same of two cells, each with what is known of the other: of the rest of a stand-in both have what was there
    before."""
    if not (isinstance(a, LentCell) or isinstance(b, LentCell)):
        return a, b
    names = sorted(known_of(a).keys() | known_of(b).keys(), key=str)
    return tuple({name: value for name in names if (value := cell.get(name)) is not None} for cell in (a, b))  # type: ignore[return-value]
