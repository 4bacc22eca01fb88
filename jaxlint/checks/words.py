"""Words for what several checks tell of: kinds of things, and the parameters of functions."""

from __future__ import annotations

from jaxlint.flow.domain.taken import Taken
from jaxlint.flow.models.objects.leaves import UNORDERED

_KINDS = {
    "array": "an array",
    "view": "a view of a dict",
    "items": "a view of a dict",
    "zip": "a `zip`",
    "enumerate": "an `enumerate`",
    "reversed": "a `reversed`",
    "range": "a `range`",
    "str": "a string",
    "int": "an int",
}


def one_of_kind(kind: str) -> str:
    """Something of a kind: `a list`."""
    return _KINDS.get(kind, f"a {kind}")


def parameters(taken: Taken | None) -> str:
    """What a function takes: `1 or more arguments`."""
    if taken is None:
        return "others"
    if taken.asked:
        return f"a keyword `{taken.asked[0]}`"
    if taken.most is None:
        return f"{taken.least} or more arguments"
    most = f"{taken.most} argument{'' if taken.most == 1 else 's'}"
    return most if taken.least == taken.most else f"{taken.least} to {most}"


def raised(what: str) -> str:
    """What JAX raises where it is given something that is no tree of arrays."""
    return "ValueError, JAX sorts the keys" if UNORDERED in what else "TypeError, it is no array"
