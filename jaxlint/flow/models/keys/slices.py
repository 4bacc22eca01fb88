"""Which elements two selections of one array of keys share, whatever the number of keys.

A place is counted from the first key (0, 1, …) or from the last (-1, -2, …), as Python does.  Where the number of keys
is unknown, `keys[1]` and `keys[:-1]` share one only if there are more than two; `keys[0]` and `keys[:-1]` always do.
A selection that is empty is no use of a key, so each is taken to have an element.
"""

from __future__ import annotations

from typing import Any

from jaxlint.flow.domain.values import KeyId

_ANY_ELEMENT = frozenset(("lane", "pass"))
"""Which element of an array of keys a lane of a map gets, or a pass of a loop, is not known: each is met once."""

Bounds = tuple[int, int | None]
"""The first place of a slice, and the one after its last; None: to the end."""


SOMEWHERE = "somewhere"
"""The end of a slice that begins with the first key, of which no other is certain: what is gone through side by side
with something else may end there."""


COUNTED = "counted"
"""What the passes of a loop get by their number: the first gets the first key, and which are left is not known."""


def is_any_element(key: KeyId) -> bool:
    """Whether a key is what a lane or a pass gets of an array of keys."""
    return key.is_item and key.selector[0] in _ANY_ELEMENT


def share(part: KeyId, other: KeyId) -> bool:
    """Whether two selections of one array have a key in common."""
    if not part.is_item or not other.is_item:
        return False
    if is_any_element(part) or is_any_element(other):
        return bool(part.selector[0] != other.selector[0])  # two lanes, or two passes, get different ones
    mine, others = _bounds(part), _bounds(other)
    if mine is not None and others is not None:
        return mine[0] == others[0] or mine[1] == others[1]
    if mine is None:
        mine, part, other = others, other, part
    place = _place(other)
    if mine is None and (_is_counted(part) or _is_counted(other)):
        return 0 in (_place(part), place)
    return mine is not None and place is not None and _is_within(place, *mine)


def covers(inner: KeyId, whole: KeyId) -> bool:
    """Whether the use of ``inner``, a part of ``whole``, is one of each of its keys."""
    while inner is not whole:
        if inner.parent is None or not is_any_element(inner):
            return False
        inner = inner.parent
    return True


def place_in_whole(key: KeyId, index: Any) -> int | None:
    """The place, in the array of which ``key`` is a slice, of what stands at ``index`` there; None if it is not known
    or ``key`` is no slice."""
    bounds = _bounds(key)
    if bounds is None or type(index) is not int:
        return None
    first, end = bounds
    if index >= 0:
        return first + index if first >= 0 or first + index < 0 else None
    return index if end is None else index + end if end < 0 else None


def _bounds(key: KeyId) -> Bounds | None:
    if not key.is_item or key.selector[0] != "slice":
        return None
    first, end = key.selector[1]
    first, end = 0 if first is None else first, 1 if end == SOMEWHERE else end
    return (first, end) if type(first) is int and (end is None or type(end) is int) else None


def _is_counted(key: KeyId) -> bool:
    return isinstance(key.selector[1], tuple) and key.selector[1][0] == COUNTED


def _place(key: KeyId) -> int | None:
    """The place of an element, if it is a number that is known."""
    selector = key.selector[1]
    if key.selector[0] != "item" or not isinstance(selector, tuple) or selector[0] != "const":
        return None
    return selector[1] if type(selector[1]) is int else None


def _is_within(place: int, first: int, end: int | None) -> bool:
    """Whether a slice has the key at a place, however many keys there are."""
    if (place < 0) == (first < 0):
        begins = place >= first
    else:
        begins = first == 0 or (place == -1 and end is None)
    if end is None:
        return begins
    ends = place < end if (place < 0) == (end < 0) else place == first
    last = place == end - 1 if place < 0 and end < 0 else False
    return (begins and ends) or last
