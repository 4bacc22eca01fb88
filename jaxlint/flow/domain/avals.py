"""Abstract values of arrays, as far as they are known: dtype, weak type and shape, and how JAX combines them.

What is not known claims nothing: a dtype may be known by its kind alone, a shape by its rank, by its last axes, or not
at all.  The rules are those of JAX's type promotion and of NumPy's broadcasting; ``tests/test_avals.py`` asks
`jax.eval_shape`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from jaxlint.semantics.low_precision import HALVES

Shape = tuple[int | None, ...]
"""Sizes of the axes; None where a size is not known."""

KINDS = ("bool", "int", "float", "complex")
"""In the order in which the later wins over the earlier."""

FULL_FLOAT = "full float"
"""The dtype that JAX takes where nothing else is asked for, or makes of whole numbers: float32, or float64 where
`jax_enable_x64` is set."""

_NAMES = {
    **dict.fromkeys("int4 int8 int16 int32 uint4 uint8 uint16 uint32 uint".split(), "int"),
    **dict.fromkeys((*HALVES, "float32", FULL_FLOAT), "float"),
    "complex64": "complex",
    "bool": "bool",
    **{kind: kind for kind in KINDS},
}
_BY_SETTING = {
    **dict.fromkeys("int64 int_".split(), "int"), **dict.fromkeys("float float64 float_ double".split(), FULL_FLOAT),
    **dict.fromkeys("complex128 complex_ cdouble".split(), "complex"),
    "bool_": "bool", "single": "float32", "csingle": "complex64", "uint64": "int",
}  # fmt: skip
"""What `jax_enable_x64` decides, and other names of the same."""


def length(numbers: range) -> int:
    """How many numbers these are; `len` refuses more than fit in a machine word."""
    return (numbers[-1] - numbers[0]) // numbers.step + 1 if numbers else 0


INEXACT = "inexact"
"""The dtype of what is a float or complex: of a quotient, of a sine."""


WIDE = "float32 or wider"
"""The dtype of what a float of that width, which keeps it, was combined with: a float or complex, and none of half a
float's width, whatever the other operand is."""


class Aval(NamedTuple):
    """What is known of an array.

    ``dtype`` is its name, FULL_FLOAT, a kind where the width is not known, INEXACT, WIDE, or empty.
    ``weak``: whether it is weakly typed, as Python's numbers are; None where that is not known.  ``shape`` is None
    where not even the rank is known; then ``tail`` are the last axes that are certainly there.
    """

    dtype: str = ""
    weak: bool | None = None
    shape: Shape | None = None
    tail: Shape = ()

    @property
    def kind(self) -> str:
        return _NAMES.get(self.dtype, "")

    @property
    def ndim(self) -> int | None:
        return None if self.shape is None else len(self.shape)

    @property
    def is_strong(self) -> bool:
        """Whether the dtype is known, and stays what it is beside a Python number."""
        return bool(self.dtype) and self.weak is False

    @property
    def ends(self) -> Shape:
        """The last axes that are known to be there: all of them where the rank is known."""
        return self.tail if self.shape is None else self.shape

    def of_shape(self, shape: Shape | None, tail: Shape = ()) -> Aval:
        """The same of another shape; JAX makes no array of fewer than no elements."""
        if shape is not None and any(size is not None and size < 0 for size in shape):
            shape = None
        return Aval(self.dtype, self.weak, shape, tail if shape is None else ())

    def shaped_as(self, other: Aval) -> Aval:
        """The same of another's shape."""
        return Aval(self.dtype, self.weak, other.shape, other.tail)

    def of_row(self) -> Aval:
        """What the first axis goes through; a scalar has none."""
        return self.of_shape(self.shape[1:] if self.shape else None, self.tail[1:])

    def of_rows(self, front: Shape) -> Aval:
        """Of many of it, with these axes before its own."""
        if self.shape is not None:
            return self.of_shape((*front, *self.shape))
        return self.of_shape(None, (*[None] * len(front), *self.tail))

    def of_any_size(self) -> Aval:
        """Of as many axes."""
        count = len(self.ends)
        return self.of_shape(None if self.shape is None else (None,) * count, (None,) * count)

    def as_strong(self) -> Aval:
        """What an array of it is that JAX makes for it: numbers of Python get the dtypes that it takes by default."""
        dtype = FULL_FLOAT if self.dtype == "float" and self.weak else self.dtype
        return Aval(dtype, False if dtype else None, self.shape, self.tail)

    def of_dtype(self, dtype: str, weak: bool | None = False) -> Aval:
        return Aval(dtype, weak, self.shape, self.tail)

    def as_float(self) -> Aval:
        """What a function makes of it whose results are floats: whole numbers become floats of the default width."""
        if self.kind in ("bool", "int"):
            return self.of_dtype(FULL_FLOAT, self.weak)
        return self if self.kind or self.dtype == WIDE else self.of_dtype(INEXACT, None)

    @property
    def rank(self) -> int:
        """The place of its kind among KINDS, that of floats for what may be complex."""
        return KINDS.index(self.kind or "float")

    def __str__(self) -> str:
        """As JAX writes it: `float32[3,?]`, and `float32[...,3]` where there may be other axes before these."""
        sizes = ",".join("?" if size is None else str(size) for size in self.ends)
        if self.shape is None:
            sizes = f"...,{sizes}" if sizes else "..."
        name = self.kind if self.dtype in (FULL_FLOAT, INEXACT, WIDE) else self.dtype
        return f"{name or 'array'}[{sizes}]"


UNKNOWN = Aval()
_WIDE = ("float32", FULL_FLOAT, "complex64", "complex", WIDE)


def of_number(value: bool | int | float | complex) -> Aval:
    """A Python number: weakly typed, but for a bool."""
    kind = type(value).__name__
    return Aval(kind, kind != "bool", ())


def dtype_named(name: str) -> str:
    """The dtype of that name; empty where it is none, or none that is known."""
    name = _BY_SETTING.get(name, name)
    return name if name in _NAMES else ""


def promoted(avals: Iterable[Aval]) -> Aval:
    """The dtype and weak type of an operation on all, without a shape."""
    found = reduce(_promoted, avals)
    return Aval(found.dtype, found.weak)


def _promoted(a: Aval, b: Aval) -> Aval:
    if not a.kind or not b.kind:
        if "complex" in (a.kind, b.kind):
            return Aval("complex")  # which no kind wins over
        is_wide = any(one.dtype in _WIDE and one.weak is False for one in (a, b))
        is_inexact = INEXACT in (a.dtype, b.dtype) or "float" in (a.kind, b.kind)
        return Aval(WIDE, False) if is_wide else Aval(INEXACT) if is_inexact else UNKNOWN
    if a.kind != b.kind:
        higher, lower = (a, b) if KINDS.index(a.kind) > KINDS.index(b.kind) else (b, a)
        if lower.kind == "float" and higher.weak is not False and lower.weak is not True:
            return Aval(higher.kind)  # the width is that of the strong one
        if lower.dtype == FULL_FLOAT and lower.weak is not True and higher.dtype == "complex64":
            return Aval(higher.kind, higher.weak)
        return higher
    if a.weak is None or b.weak is None:
        return Aval(a.kind, None)
    if a.weak != b.weak:
        return b if a.weak else a
    if a.dtype == b.dtype:
        return a
    if FULL_FLOAT in (a.dtype, b.dtype) and "float" not in (a.dtype, b.dtype):
        return Aval(FULL_FLOAT, a.weak)
    return Aval(_wider(a.dtype, b.dtype) or a.kind, a.weak)


def _wider(a: str, b: str) -> str:
    """The dtype of what is of two others of a kind; empty where that is one of neither, or not known."""
    if {a, b} <= {*HALVES, "float32"}:
        return "float32"  # a half is no wider than the other one
    one, other = (next((name for name in _WIDTHS if dtype in name), ()) for dtype in (a, b))
    return one[max(one.index(a), one.index(b))] if one and one is other else ""


_WIDTHS = (("int8", "int16", "int32"), ("uint8", "uint16", "uint32"))
"""Whole numbers with a sign, and without, from the narrowest on."""


def broadcast(shapes: Iterable[Shape | None]) -> Shape | None:
    """The shape that all are broadcast to; None where a rank is not known, or where they do not fit."""
    found: Shape = ()
    for shape in shapes:
        if shape is None:
            return None
        longer, shorter = (found, shape) if len(found) >= len(shape) else (shape, found)
        sizes = [*longer[: len(longer) - len(shorter)]]
        for a, b in zip(longer[len(sizes) :], shorter):
            if a == 1 or b == 1:
                sizes.append(b if a == 1 else a)
            elif a is None or b is None:
                sizes.append(b if a is None else a)
            elif a != b:
                return None
            else:
                sizes.append(a)
        found = tuple(sizes)
    return found


def spread(made: Aval, operands: Sequence[Aval]) -> Aval:
    """The same ``made`` of what is broadcast: no axis of an operand is lost, whatever the others are."""
    shape = broadcast([one.shape for one in operands])
    if shape is None:
        for one in operands:
            if one.shape or one.tail:
                return made.of_shape(None, _spread_ends(operands))
    return made.of_shape(shape)


def _spread_ends(operands: Sequence[Aval]) -> Shape:
    """The last axes of what operands are broadcast to, some of which may have any; none where they do not fit."""
    found: list[int | None] = []
    for place in range(1, max(len(one.ends) for one in operands) + 1):
        sizes = [one.ends[-place] if place <= len(one.ends) else None if one.shape is None else 1 for one in operands]
        large = {size for size in sizes if size not in (None, 1)}
        if len(large) > 1:
            return ()
        found.append(large.pop() if large else None if None in sizes else 1)
    return tuple(found[::-1])


def joined(a: Aval, b: Aval) -> Aval:
    """What holds of both."""
    if a == b:
        return a
    dtype = a.dtype if a.dtype == b.dtype else a.kind if a.kind == b.kind else ""
    ends = tuple([x if x == y else None for x, y in zip(a.ends[::-1], b.ends[::-1])][::-1])
    weak = a.weak if a.weak == b.weak else None
    if a.shape is not None and b.shape is not None and len(a.shape) == len(b.shape):
        return Aval(dtype, weak, ends)
    return Aval(dtype, weak, None, ends)


def is_covered(a: Aval, b: Aval) -> bool:
    """Whether all that ``a`` may be, ``b`` may be as well."""
    return a == b or joined(a, b) == b


def other_dtype(a: Aval, b: Aval) -> bool:
    """Whether the dtypes are certainly not the same; a kind alone stands for each dtype of its kind."""
    told = {a.dtype, b.dtype}
    if told & {INEXACT, WIDE}:
        return not {a.kind, b.kind}.isdisjoint(("bool", "int")) or (WIDE in told and bool(told & HALVES))
    if not a.kind or not b.kind:
        return False
    if told == {FULL_FLOAT, "float32"}:
        return False
    return a.kind != b.kind or (a.dtype != b.dtype and a.kind not in (a.dtype, b.dtype))


def other_shape(a: Aval, b: Aval) -> bool:
    """Whether the shapes are certainly not the same."""
    for one, other in ((a, b), (b, a)):
        if one.shape is not None and len(one.shape) < len(other.ends):
            return True
    return any(x is not None and y is not None and x != y for x, y in zip(a.ends[::-1], b.ends[::-1]))
