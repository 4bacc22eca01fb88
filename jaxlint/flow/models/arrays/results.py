"""What is known of the array that an operation makes: its abstract value from those of the operands.

A function that stands in none of the tables makes an array of which nothing is known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from math import ceil
from operator import mul

from jaxlint.flow.domain import avals
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import UNKNOWN, Aval, Shape
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
    Array,
    Const,
    Container,
    External,
    HostArray,
    Key,
    Opaque,
    Slice,
    Static,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter


def aval_of(value: Value | None) -> Aval:
    """What is known of an operand."""
    if isinstance(value, Array):
        if value.aval == UNKNOWN and (value.kind in ("bool", "int") or value.ndim is not None):
            dtype = value.kind if value.kind in ("bool", "int") else ""
            return Aval(dtype, None, None if value.ndim is None else (None,) * value.ndim)
        return value.aval
    if isinstance(value, Const) and isinstance(value.value, (bool, int, float, complex)):
        return avals.of_number(value.value)
    if isinstance(value, Static) and value.kind in avals.KINDS:
        return Aval(value.kind, None, ())
    if isinstance(value, HostArray):
        dtype = value.kind if value.kind in avals.KINDS else avals.dtype_named(value.kind)
        return Aval(dtype, False if value.kind else None, value.shape)
    return UNKNOWN


def size_of(aval: Aval, name: str) -> Value | None:
    """The ``shape``, ``ndim`` or ``size`` of an array of which that is known."""
    shape = aval.shape
    if shape is None:
        return None
    if name == "ndim":
        return Const(len(shape))
    count = _size(shape)
    if count is None or name not in ("shape", "size"):
        return None
    return Const(count) if name == "size" else Tuple(tuple([Const(size) for size in shape]))


# -- operators ------------------------------------------------------------------------------------------------


def of_operator(op: ast.operator, left: Value, right: Value) -> Aval:
    a, b = aval_of(left), aval_of(right)
    dtype = avals.promoted((a, b))
    if isinstance(op, ast.MatMult):
        return _multiplied(dtype, a, b)
    if isinstance(op, ast.Div):
        dtype = dtype.as_float()
    elif isinstance(op, ast.Pow) and isinstance(right, Const):
        dtype = _summed(a) if isinstance(right.value, int) else dtype
    return avals.spread(dtype, (a, b))


def of_comparison(left: Value, right: Value) -> Aval:
    a, b = aval_of(left), aval_of(right)
    return _truth(avals.spread(avals.promoted((a, b)), (a, b)))


def _truth(compared: Aval) -> Aval:
    """Of booleans, which are weakly typed where numbers of Python had the say."""
    return compared.of_dtype("bool", False if compared.weak is False else None)


def _multiplied(dtype: Aval, a: Aval, b: Aval) -> Aval:
    """``a @ b``; where a rank is not known, it may be a vector, which has no axis of the result."""
    if a.shape is not None and b.shape is not None:
        return dtype.of_shape(_matmul(a.shape, b.shape))
    options = [_matmul(one, other, of_ends=True) for one in _of_some_rank(a) for other in _of_some_rank(b)]
    ends = [Aval(tail=shape) for shape in options if shape is not None]
    return dtype.of_shape(None, reduce(avals.joined, ends).tail if ends else ())


def _of_some_rank(aval: Aval) -> list[Shape]:
    """The shapes of an operand of a product as far as they make a difference: a vector's, a matrix's, or more."""
    if aval.shape is not None or len(aval.tail) > 1:
        return [aval.ends]
    return [aval.tail or (None,), (None, *(aval.tail or (None,)))]


def _matmul(a: Shape, b: Shape, of_ends: bool = False) -> Shape | None:
    """``of_ends``: there may be other axes before those of a matrix."""
    if not a or not b:
        return None
    if len(b) == 1:
        return a[:-1]
    if len(a) == 1:
        return (*b[:-2], b[-1])
    if of_ends:
        batch: Shape | None = avals.spread(UNKNOWN, (Aval(tail=a[:-2]), Aval(tail=b[:-2]))).tail
    else:
        batch = avals.broadcast((a[:-2], b[:-2]))
    return None if batch is None else (*batch, a[-2], b[-1])


# -- items ----------------------------------------------------------------------------------------------------


def of_item(array: Aval, index: Sequence[Value]) -> Aval:
    """Of ``x[index]``; the shape is known where the parts of the index are numbers, slices, None and ``...``."""
    if array.shape is None:
        return array.of_shape(None, _ends_indexed(array.tail, index) or _picked(index))
    return array.of_shape(_indexed(array.shape, index), _picked(index))


def _indexed(shape: Shape, index: Sequence[Value]) -> Shape | None:
    taken = sum(not _is_constant(part, None, ...) for part in index)
    if taken > len(shape):
        return None
    left, found = list(shape), list[int | None]()
    for part in index:
        if _is_constant(part, ...):
            kept = len(left) - sum(not _is_constant(later, None) for later in index[index.index(part) + 1 :])
            found += left[:kept]
            del left[:kept]
        elif _is_constant(part, None):
            found.append(1)
        elif isinstance(part, Slice):
            found.append(_sliced(left.pop(0), part))
        elif aval_of(part).shape == () and aval_of(part).kind == "int":
            left.pop(0)
        else:
            return None
    return (*found, *left)


def _ends_indexed(ends: Shape, index: Sequence[Value]) -> Shape:
    """What `x[index]` certainly has as its last axes: with ``...`` the parts behind it count from the last axis on."""
    places = [place for place, part in enumerate(index) if _is_constant(part, ...)]
    front, back = (index[: places[0]], index[places[0] + 1 :]) if places else (index, ())
    after = _axes_of(back, ends)
    before = _axes_of(front, ())
    if before is None or after is None or len(places) > 1:
        return ()
    taken = sum(not _is_constant(part, None) for part in back)
    left = ends[: max(0, len(ends) - taken)] if taken else ends
    taken = sum(not _is_constant(part, None) for part in front)
    return (*(None for _ in before), *left[taken:], *after)  # how far before the end they are is not known


def _axes_of(index: Sequence[Value], ends: Shape) -> Shape | None:
    """The axes that these parts of an index give, of arrays that end in these axes; None where one is no such part."""
    found, place = list[int | None](), len(ends) - sum(not _is_constant(part, None) for part in index)
    for part in index:
        if _is_constant(part, None):
            found.append(1)
            continue
        if isinstance(part, Slice):
            found.append(_sliced(ends[place] if 0 <= place < len(ends) else None, part))
        elif aval_of(part).shape != () or aval_of(part).kind != "int":
            return None
        place += 1
    return tuple(found)


def _picked(index: Sequence[Value]) -> Shape:
    """The axes that there are at least by whatever index: those of the largest array in it, of which a mask has one,
    and one for each slice."""
    count, largest = 0, 0
    for part in index:
        if isinstance(part, Slice) or _is_constant(part, None):
            count += 1
        elif isinstance(part, Array) and not part.declared:
            aval = aval_of(part)
            largest = max(largest, len(aval.ends) if aval.kind == "int" else min(1, len(aval.ends)))
    return (None,) * (count + largest)


def _is_constant(value: Value, *options: object) -> bool:
    return isinstance(value, Const) and any(value.value is option for option in options)


def _sliced(size: int | None, part: Slice) -> int | None:
    bounds = [one.value if isinstance(one, Const) else "?" for one in (part.lower, part.upper, part.step)]
    if all(bound is None for bound in bounds):
        return size
    if size is None or not all(bound is None or type(bound) is int for bound in bounds) or bounds[2] == 0:
        return None
    return avals.length(range(*slice(*bounds).indices(size)))


def beyond(array: Aval, index: Sequence[Value]) -> tuple[int, int] | None:
    """A number in an index that is certainly out of bounds, and the size of its axis."""
    shape = array.shape
    if shape is None:
        return None
    axis = 0
    for place, part in enumerate(index):
        if _is_constant(part, ...):
            later = sum(not _is_constant(one, None) for one in index[place + 1 :])
            axis = len(shape) - later
            continue
        if _is_constant(part, None):
            continue
        if not 0 <= axis < len(shape) or (isinstance(part, Array) and part.ndim != 0):
            return None
        size = shape[axis]
        if isinstance(part, Const) and type(part.value) is int and size is not None:
            if not -size <= part.value < size:
                return part.value, size
        axis += 1
    return None


# -- calls ----------------------------------------------------------------------------------------------------


class Call:
    """A call of a function of `jax.numpy` or of an array's method, whose first argument then is the array."""

    def __init__(self, it: Interpreter, args: Arguments) -> None:
        self.it = it
        self.args = args

    def aval(self, position: int = 0, keyword: str = "") -> Aval:
        return aval_of(self.args.get(position, keyword))

    def items(self, value: Value | None) -> list[Value] | None:
        """The items of a tuple or list."""
        if isinstance(value, (Tuple, Container)):
            return known_items(self.it, value, KNOWN_ITEMS.value)
        return None

    def each(self, value: Value | None) -> Aval:
        """What each item of a list is like of which nobody knows how many there are."""
        cell = self.it.state.read(value) if isinstance(value, Container) and value.kind == "list" else {}
        known = cell.get(ITEMS)  # none, where it may also be empty still
        is_one = ANY in cell and cell.keys() <= {ANY, ITEMS} and not (isinstance(known, Tuple) and known.items)
        return aval_of(cell[ANY]) if is_one else UNKNOWN

    def dtype(self, position: int | None, default: Aval) -> Aval:
        """The dtype that is asked for, or that of ``default``."""
        given = self.args.get(position, "dtype")
        if given is None or _is_constant(given, None):
            return default
        name = ""
        if isinstance(given, External):
            module, _, short = given.name.rpartition(".")
            name = short if module in ("jax.numpy", "numpy", "builtins", "jax.dtypes", "ml_dtypes") else ""
        elif isinstance(given, Const) and isinstance(given.value, str):
            name = given.value
        return default.of_dtype(avals.dtype_named(name))

    def shape(self, value: Value | None) -> Shape | None:
        """The shape that an argument says."""
        if isinstance(value, Const):
            return (value.value,) if type(value.value) is int else None
        if isinstance(value, Static) and value.kind == "int":
            return (None,)
        items = self.items(value)
        return None if items is None else tuple([_number(item) for item in items])

    def axes(self, position: int | None) -> tuple[int, ...] | None:
        """The axes that are asked for; none if all are meant.  Raises ValueError where they are not known."""
        given = self.args.get(position, "axis")
        if given is None or _is_constant(given, None):
            return None
        if isinstance(given, Const) and type(given.value) is int:
            return (given.value,)
        found = [_number(item) for item in self.items(given) or ()]
        if not found or None in found:
            raise ValueError("axes")
        return tuple([number for number in found if number is not None])


def _number(value: Value | None) -> int | None:
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def of_call(it: Interpreter, name: str, args: Arguments) -> Aval:
    """Of what a function of jax.numpy gives, without "jax.numpy."."""
    rule = _RULES.get(name)
    if rule is None or args.open_ended:
        return UNKNOWN
    call = Call(it, args)
    try:
        found = rule(call)
        return call.dtype(None, found) if "dtype" in args.named else found  # it is that of the result in each of them
    except (ValueError, IndexError):
        return UNKNOWN  # what JAX refuses, or an axis that nobody knows


def of_draw(it: Interpreter, name: str, args: Arguments) -> Shape | None:
    """The shape of what NumPy draws: that of a single number is ()."""
    if args.open_ended:
        return None
    call = Call(it, args)
    if name in ("rand", "randn"):
        return tuple([_number(value) for value in args.positional])
    if name not in _SIZES:
        return None
    size = args.get(_SIZES[name], "size")
    scalars = all(aval_of(value).shape == () for value in args.positional[: _SIZES[name]])
    if size is None or _is_constant(size, None):
        return () if scalars else None
    return call.shape(size)


_SIZES = {
    **dict.fromkeys("normal uniform laplace logistic gumbel lognormal beta gamma randint integers binomial".split(), 2),
    **dict.fromkeys("exponential poisson".split(), 1),
    **dict.fromkeys("random standard_normal random_sample".split(), 0),
}
"""At which position what NumPy draws is told its shape; before that stand numbers, or arrays that it goes by."""


def held_by(it: Interpreter, name: str, args: Arguments) -> tuple[Array | Tree | Opaque, ...]:
    """The arrays that the result holds with something beside them: it is longer, or has an axis more."""
    if args.open_ended:
        return ()
    parts: list[Value] | None = None
    if name in _JOINING:
        parts = Call(it, args).items(args.get(0, "arrays"))
    elif name == "jax.numpy.append":
        parts = args.values()[:2]
    if parts is None:
        return ()
    full = [place for place, part in enumerate(parts) if 0 not in (aval_of(part).shape or ())]
    longer = [part for place, part in enumerate(parts) if full not in ([], [place])]
    others = tuple([part for part in longer if isinstance(part, (Array, Tree, Opaque))])
    return others if len(parts) > 1 or name == "jax.numpy.stack" else ()


_JOINING = frozenset(
    "jax.lax.concatenate jax.numpy.concatenate jax.numpy.concat jax.numpy.hstack jax.numpy.vstack jax.numpy.dstack "
    "jax.numpy.column_stack jax.numpy.stack".split()
)
"""What puts several arrays into one."""

_FLOAT = Aval(avals.FULL_FLOAT, False)
_INT = Aval("int", False)


def _made(call: Call) -> Aval:
    """zeros(shape, dtype)"""
    return call.dtype(1, _FLOAT).of_shape(call.shape(call.args.get(0, "shape")))


def _full(call: Call) -> Aval:
    filled = call.aval(1, "fill_value")
    return call.dtype(2, filled._replace(shape=None)).of_shape(call.shape(call.args.get(0, "shape")))


def _like(call: Call) -> Aval:
    given = call.aval(0, "a")
    return call.dtype(1, given) if "shape" not in call.args.named else UNKNOWN


def _of_bound(value: Value) -> Aval:
    """What numbers end with: the size of an axis, also of something unknown, is a whole number."""
    whole = value.parent if isinstance(value, Opaque) else None
    is_size = whole is not None and whole.selector == ("attr", "shape") and value.selector[0] in ("item", "at")  # type: ignore[attr-defined]
    return Aval("int", None, ()) if is_size else aval_of(value)


def _arange(call: Call) -> Aval:
    values = [call.args.get(place, name) for place, name in enumerate(("start", "stop", "step"))]
    given = [value for value in values if value is not None]
    dtype = call.dtype(3, avals.promoted(map(_of_bound, given)) if given else UNKNOWN)
    bounds = [value.value for value in given if isinstance(value, Const) and type(value.value) in (int, float)]
    size = None
    if bounds and len(bounds) == len(given) and "stop" not in call.args.named:
        start, stop, step = (*bounds, 1) if len(bounds) == 2 else bounds if len(bounds) == 3 else (0, bounds[0], 1)
        size = max(0, ceil((stop - start) / step)) if step else None
    return dtype.as_strong().of_shape((size,))


def _geomspace(call: Call) -> Aval:
    return _spaced(call, 4)


def _spaced(call: Call, position: int = 5) -> Aval:
    """`linspace` and its kin, which take their dtype at this ``position``."""
    count = call.args.get(2, "num")
    scalars = all(call.aval(place, name).shape == () for place, name in enumerate(("start", "stop")))
    size = 50 if count is None else _number(count)
    return call.dtype(position, _FLOAT).of_shape((size,) if scalars and "retstep" not in call.args.named else None)


def _eye(call: Call) -> Aval:
    rows = _number(call.args.get(0, "N"))
    columns = call.args.get(1, "M")
    width = rows if columns is None or _is_constant(columns, None) else _number(columns)
    position = 3 if "k" not in call.args.named else None
    return call.dtype(position, _FLOAT).of_shape((rows, width))


def _array(call: Call) -> Aval:
    """array(object, dtype)"""
    value = call.args.get(0, "object") or call.args.get(0, "a")
    found = _nested(call, value)
    return call.dtype(1, found)


def _nested(call: Call, value: Value | None) -> Aval:
    """The array of nested lists of numbers and arrays."""
    items = call.items(value)
    if items is None:
        if not isinstance(value, Container) or value.kind != "list":
            return aval_of(value)
        one = call.each(value).as_strong()
        return one.of_shape((None, *one.shape)) if one.shape is not None else one.of_shape(None, (None, *one.ends))
    if not items:
        return Aval(avals.FULL_FLOAT, False, (0,))
    parts = [_nested(call, item) for item in items]
    shapes = [part.shape for part in parts]
    inner = shapes[0] if all(shape == shapes[0] for shape in shapes) else None
    if inner is None:  # all are of one shape, whichever that is
        return avals.promoted(parts).as_strong().of_shape(None, (None, *max([part.ends for part in parts], key=len)))
    return avals.promoted(parts).as_strong().of_shape((len(items), *inner))


def _same(call: Call) -> Aval:
    return call.aval()


def _real(call: Call) -> Aval:
    aval = call.aval()
    return aval.of_dtype("float", None) if aval.kind == "complex" else aval


def _transformed(call: Call) -> Aval:
    """fft.fft(a, n, axis): a complex number for each; the axes that are asked for may be cut or filled up."""
    aval = call.aval().of_dtype("complex", False)
    return (
        aval if len(call.args.positional) == 1 and not {"n", "s"} & set(call.args.named) else _of_its_rank(aval, True)
    )


def _half_transformed(call: Call) -> Aval:
    """fft.rfft(a): of real numbers one half is told."""
    return _of_its_rank(call.aval().of_dtype("complex", False), True)


def _transformed_back(call: Call) -> Aval:
    """fft.irfft(a): real numbers"""
    return _of_its_rank(call.aval().of_dtype("float", False), True)


def _of_parts(call: Call) -> Aval:
    """lax.complex(x, y)"""
    return _elementwise(call).of_dtype("complex", False)


def _of_numbers(call: Call) -> Aval:
    """square(x): booleans are taken for numbers."""
    return _summed(call.aval())


def _remainder(call: Call) -> Aval:
    return _summed(_elementwise(call))


def _floating(call: Call) -> Aval:
    return call.aval().as_float()


def _activated(call: Call) -> Aval:
    """A function of jax.nn, or rint: of what is no float of some width, the weak type is not known."""
    aval = call.aval()
    return aval if aval.is_strong and aval.kind == "float" else aval.as_float()._replace(weak=None)


def _rectified(call: Call) -> Aval:
    """relu(x) keeps floats, and takes booleans for numbers."""
    aval = call.aval()
    return aval if aval.kind == "float" else UNKNOWN.shaped_as(aval)


def _without_nan(call: Call) -> Aval:
    """nan_to_num(x): what can be no nan comes back as it is, another number of Python as an array."""
    aval = call.aval()
    return aval.as_strong() if aval.kind in ("float", "complex") else aval if aval.kind else aval._replace(weak=None)


def _asked(call: Call) -> Aval:
    return _truth(call.aval())


def _elementwise(call: Call) -> Aval:
    operands = [aval_of(value) for value in call.args.positional[:2]]
    if len(operands) < 2:
        return UNKNOWN
    return avals.spread(avals.promoted(operands), operands)


def _divided(call: Call) -> Aval:
    """divide(x, y), arctan2(y, x)"""
    return _elementwise(call).as_float()


def _of_two(call: Call) -> Aval:
    """power(x, y): of the dtype nothing is said."""
    return UNKNOWN.shaped_as(_elementwise(call))


def _compared(call: Call) -> Aval:
    return _truth(_elementwise(call))


def _clip(call: Call) -> Aval:
    operands = [call.aval(), *map(aval_of, call.args.values()[1:])]
    return avals.spread(avals.promoted(operands), operands)


def _where(call: Call) -> Aval:
    if len(call.args.positional) != 3:
        return UNKNOWN
    operands = [aval_of(value) for value in call.args.positional]
    return avals.spread(avals.promoted(operands[1:]), operands)


def _astype(call: Call) -> Aval:
    return call.dtype(1, call.aval().of_dtype("", None))


def _reduced(call: Call, axis: int = 1) -> Aval:
    """What a reduction leaves of the shape."""
    given, axes = call.aval(0, "a"), call.axes(axis)
    keepdims = call.args.named.get("keepdims")
    if keepdims is not None and not isinstance(keepdims, Const):
        return UNKNOWN
    keeps = keepdims is not None and bool(keepdims.value)
    if axes is None and not keeps and len(call.args.positional) <= axis:
        return UNKNOWN.of_shape(())
    if len(call.args.positional) > axis + 1:
        return UNKNOWN
    return _without(given, axes, keeps)


def _without(aval: Aval, axes: Sequence[int] | None, keeps: bool = False) -> Aval:
    """Of an array that loses ``axes``, or all, or for which they become 1."""
    shape = aval.shape
    if shape is not None:
        gone = set(range(len(shape))) if axes is None else {range(len(shape))[number] for number in axes}
        left = [1 if place in gone else size for place, size in enumerate(shape) if keeps or place not in gone]
        return aval.of_shape(tuple(left))
    if axes is None:
        return aval.of_shape(None, (1,) * len(aval.tail) if keeps else ())
    left = _at_least(aval.tail, axes)
    counted = [number for number in axes if number >= 0]
    for place in range(max(counted) + 1 if counted else 0):
        left[place] = None  # which of them it is depends on the rank
    gone = {range(len(left))[number] for number in axes}
    sizes = [(None if counted else 1) if place in gone else size for place, size in enumerate(left)]
    return aval.of_shape(None, tuple([size for place, size in enumerate(sizes) if keeps or place not in gone]))


def _at_least(ends: Shape, axes: Iterable[int]) -> list[int | None]:
    """The last axes of an array that has each of ``axes``."""
    count = max([number + 1 if number >= 0 else -number for number in axes], default=0)
    return [*[None] * (count - len(ends)), *ends]


def _reduction(dtype: Callable[[Aval], Aval]) -> Callable[[Call], Aval]:
    def rule(call: Call) -> Aval:
        found = dtype(call.aval(0, "a"))
        return call.dtype(None, found).shaped_as(_reduced(call))

    return rule


def _summed(aval: Aval) -> Aval:
    return aval.of_dtype("int", False) if aval.kind == "bool" else aval


def _spread_out(call: Call) -> Aval:
    """std(a, axis): of complex numbers it is real."""
    return _reduction(Aval.as_float)(call) if call.aval(0, "a").kind != "complex" else UNKNOWN.shaped_as(_reduced(call))


def _numbered(call: Call) -> Aval:
    """argmax(a, axis)"""
    return _INT.shaped_as(_reduced(call))


def _ordered(call: Call) -> Aval:
    """argsort(a, axis): of all of it in one row where there is no axis."""
    said = call.args.get(1, "axis")
    in_a_row = said is not None and _is_constant(said, None)
    return _INT.of_shape((_size(call.aval().shape),)) if in_a_row else _INT.shaped_as(call.aval())


def _differences(call: Call) -> Aval:
    """diff(a, n, axis): one less, or a few, along an axis; what is put before or behind may be of another dtype."""
    has_ends = len(call.args.positional) > 3 or not call.args.named.keys() <= {"n", "axis"}
    return UNKNOWN if has_ends else call.aval().of_any_size()


def _norm(call: Call) -> Aval:
    axes, made = call.axes(2), _real(call).as_float()
    if "keepdims" in call.args.named:
        return made.of_shape(None)
    return made.of_shape(()) if axes is None else _without(made, axes)


def _solved(call: Call) -> Aval:
    """solve(a, b): a vector ``b`` gives a vector for each matrix."""
    a, b = call.aval(), aval_of(call.args.get(1, "b"))
    dtype = avals.promoted((a, b)).as_float()
    if a.shape is None or b.shape is None or len(a.shape) < 2 or not b.shape:
        return dtype.of_shape(None)
    if len(b.shape) == 1:
        return dtype.of_shape((*a.shape[:-2], a.shape[-1]))
    return dtype.of_shape(b.shape if len(a.shape) == len(b.shape) == 2 else (None,) * max(len(a.shape), len(b.shape)))


def _of_each_matrix(call: Call) -> Aval:
    """det(a)"""
    aval = call.aval().as_float()
    return aval.of_shape(None if aval.shape is None or len(aval.shape) < 2 else aval.shape[:-2])


def _cumulated(call: Call) -> Aval:
    aval = _summed(call.aval())
    aval = aval.as_strong()
    if call.axes(1) is not None:
        return aval
    return aval.of_shape((_size(aval.shape),))


def _size(shape: Shape | None) -> int | None:
    if shape is None:
        return None
    sizes = [size for size in shape if size is not None]
    return reduce(mul, sizes, 1) if len(sizes) == len(shape) else None


def _reshape(call: Call) -> Aval:
    given = call.args.positional[1:] or [value for value in (call.args.named.get("shape"),) if value is not None]
    shape = call.shape(given[0]) if len(given) == 1 else tuple([_number(value) for value in given])
    aval = call.aval()
    if shape is None or not given:
        return aval.of_shape(None)
    size, known = _size(aval.shape), [one for one in shape if one is not None and one >= 0]
    if -1 in shape:
        count = reduce(mul, known, 1)
        rest = size // count if size is not None and len(known) == len(shape) - 1 and count else None
        shape = tuple([rest if one == -1 else one for one in shape])
    return aval.of_shape(shape)


def _ravel(call: Call) -> Aval:
    return call.aval().of_shape((_size(call.aval().shape),))


def _transpose(call: Call) -> Aval:
    aval = call.aval()
    if len(call.args.values()) > 1:
        return _with_axes(call, aval)
    if aval.shape is None:
        return aval.of_shape(None, (None,) * len(aval.tail))
    return aval.of_shape(aval.shape[::-1])


def _with_axes(call: Call, aval: Aval) -> Aval:
    """Of as many axes as are listed: transpose(x, (0, 2, 1)), x.transpose(0, 2, 1)"""
    listed = call.args.values()[1:]
    axes = call.items(listed[0]) if len(listed) == 1 and not isinstance(listed[0], Const) else listed
    if aval.shape is not None:
        return aval.of_shape((None,) * len(aval.shape))
    return aval.of_shape(None) if axes is None or len(listed) == 1 else aval.of_shape((None,) * len(axes))


def _expand_dims(call: Call) -> Aval:
    aval, axes = call.aval(), call.axes(1)
    return aval.of_shape(None) if axes is None or len(axes) != 1 else _with_axis(aval, axes[0], 1)


def _with_axis(aval: Aval, axis: int, size: int | None) -> Aval:
    """Of an array that gets another axis."""
    if aval.shape is not None:
        place = range(len(aval.shape) + 1)[axis]
        return aval.of_shape((*aval.shape[:place], size, *aval.shape[place:]))
    if axis >= 0:
        ends = _at_least(aval.tail, (axis - 1,) if axis else ())
        return aval.of_shape(None, (*[None] * (axis + 1), *ends[axis:]))
    ends = _at_least(aval.tail, (axis + 1,) if axis < -1 else ())
    place = len(ends) + axis + 1
    return aval.of_shape(None, (*ends[:place], size, *ends[place:]))


def _squeeze(call: Call) -> Aval:
    aval, axes = call.aval(), call.axes(1)
    if axes is not None:
        return _without(aval, axes)
    if aval.shape is None or None in aval.shape:
        return aval.of_shape(None, _without_ones(aval.ends))
    return aval.of_shape(tuple([size for size in aval.shape if size != 1]))


def _without_ones(ends: Shape) -> Shape:
    """What is certainly left of them where each axis of size 1 goes: where one may go, those before it may move on."""
    found, moves = list[int | None](), False
    for size in reversed(ends):
        if size not in (None, 1):
            found.append(None if moves else size)
        moves = moves or size is None
    return tuple(found[::-1])


def _parts(call: Call) -> list[Aval] | None:
    """What is known of the arrays of a list; None where nobody knows which those are."""
    items = call.items(call.args.get(0, "arrays"))
    return None if items is None else [aval_of(item) for item in items]


def _one_of_all(parts: Sequence[Aval]) -> Aval:
    """What all of them are like in their shape, as far as they have to be of one rank."""
    ranked = [part for part in parts if part.shape is not None]
    return ranked[0] if ranked else max(parts, key=lambda part: len(part.tail))


def _concatenate(call: Call) -> Aval:
    parts, axes = _parts(call), call.axes(1)
    dtype = avals.promoted(parts or [call.each(call.args.get(0, "arrays"))])
    if axes is None and call.args.get(1, "axis") is not None:
        return dtype.of_shape((None,))
    axis = axes[0] if axes is not None else 0
    one = _one_of_all(parts) if parts else UNKNOWN
    if not parts or one.shape is None:
        ends = _at_least(one.tail, (axis,))
        known = ends[axis + 1 :] if axis >= 0 else []
        return dtype.of_shape(None, (*[None] * (len(ends) - len(known)), *known))
    known_shapes = [part.shape for part in parts if part.shape is not None]
    if not one.shape or any(len(shape) != len(one.shape) for shape in known_shapes):
        return dtype
    place = range(len(one.shape))[axis]
    sizes = [shape[place] for shape in known_shapes]
    total = None if None in sizes or len(sizes) < len(parts) else sum(size or 0 for size in sizes)
    rest = [next((shape[n] for shape in known_shapes if shape[n] is not None), None) for n in range(len(one.shape))]
    rest[place] = total
    return dtype.of_shape(tuple(rest))


def _joined(rank: int) -> Callable[[Call], Aval]:
    """vstack(arrays): of so many axes or more."""

    def rule(call: Call) -> Aval:
        parts = _parts(call)
        return (avals.promoted(parts) if parts else UNKNOWN).of_shape(None, (None,) * rank)

    return rule


def _stack(call: Call) -> Aval:
    parts, axes = _parts(call), call.axes(1)
    axis = axes[0] if axes is not None else 0
    if parts is None:
        one = call.each(call.args.get(0, "arrays"))
        return avals.promoted([one]).shaped_as(_with_axis(one, axis, None))
    if not parts:
        return _with_axis(UNKNOWN, axis, None)
    shape = avals.broadcast(part.shape for part in parts)
    one = _one_of_all(parts) if shape is None else UNKNOWN.of_shape(shape)
    return avals.promoted(parts).shaped_as(_with_axis(one, axis, len(parts)))


def _matrix_product(call: Call) -> Aval:
    a, b = call.aval(), aval_of(call.args.get(1, "b"))
    return _multiplied(avals.promoted((a, b)), a, b)


def _dot(call: Call) -> Aval:
    """dot(a, b): beside a scalar, all axes of the other; else each has lost one."""
    a, b = call.aval(), aval_of(call.args.get(1, "b"))
    dtype = avals.promoted((a, b))
    if a.shape is not None and b.shape is not None:
        if not a.shape or not b.shape:
            return dtype.of_shape(avals.broadcast((a.shape, b.shape)))
        is_matrix = max(len(a.shape), len(b.shape)) <= 2
        return dtype.of_shape(_matmul(a.shape, b.shape) if is_matrix else (None,) * (len(a.shape) + len(b.shape) - 2))
    most, ranks = max(len(a.ends), len(b.ends)), max(len(a.ends), 1) + max(len(b.ends), 1) - 2
    return dtype.of_shape(None, (None,) * min(most, ranks))


def _einsum(call: Call) -> Aval:
    """einsum("ij,jk->ik", x, y): an axis for each letter behind the arrow, or for each that is there once."""
    said = call.args.positional[0] if call.args.positional else None
    text = said.value.replace(" ", "") if isinstance(said, Const) and isinstance(said.value, str) else "."
    operands = [aval_of(value) for value in call.args.positional[1:]]
    names, arrow, made = text.partition("->")
    terms = names.split(",")
    if "." in text or len(terms) != len(operands):
        return UNKNOWN
    made = made if arrow else "".join(sorted(letter for letter in set(names) - {","} if names.count(letter) == 1))
    sizes: dict[str, int | None] = {}
    for term, operand in zip(terms, operands):
        if operand.shape is not None and len(operand.shape) == len(term):
            sizes.update((letter, size) for letter, size in zip(term, operand.shape) if size is not None)
    dtype = avals.promoted(operands) if "preferred_element_type" not in call.args.named else UNKNOWN
    return dtype.of_shape(tuple([sizes.get(letter) for letter in made]))


def _convolved(call: Call) -> Aval:
    """lax.conv(lhs, rhs, window_strides, padding): two axes more than there are strides."""
    strides = call.items(call.args.get(2, "window_strides"))
    if strides is not None:
        return UNKNOWN.of_shape((None,) * (len(strides) + 2))
    operands = [call.aval(0, "lhs"), call.aval(1, "rhs")]
    return _of_its_rank(_one_of_all(operands))


def _of_its_rank(aval: Aval, keeps_dtype: bool = False) -> Aval:
    """Of arrays that have its axes, each of any size."""
    return (aval if keeps_dtype else UNKNOWN).shaped_as(aval.of_any_size())


def _along_axis(call: Call) -> Aval:
    """take_along_axis(arr, indices, axis)"""
    return UNKNOWN if call.args.get(2, "axis") is None else _of_its_rank(_one_of_all([call.aval(), call.aval(1)]))


def _taken(call: Call) -> Aval:
    """take(a, indices, axis): an axis for each that the indices have, and those of the array that are left."""
    return UNKNOWN.of_shape(None, (None,) * len(aval_of(call.args.get(1, "indices")).ends))


def _padded(call: Call) -> Aval:
    """pad(array, pad_width), repeat(a, repeats, axis)"""
    return _of_its_rank(call.aval())


def _one_hot(call: Call) -> Aval:
    """one_hot(x, num_classes)"""
    if "axis" in call.args.named or len(call.args.positional) > 2:
        return UNKNOWN
    return UNKNOWN.shaped_as(_with_axis(call.aval(), -1, _number(call.args.get(1, "num_classes"))))


def _of_rank(rank: int) -> Callable[[Call], Aval]:
    """outer(a, b)"""
    return lambda call: UNKNOWN.of_shape((None,) * rank)


def _of_rank_or_more(rank: int) -> Callable[[Call], Aval]:
    """atleast_2d(x)"""

    def rule(call: Call) -> Aval:
        aval = call.aval()
        if len(call.args.positional) != 1 or len(aval.ends) >= rank:
            return aval if len(call.args.positional) == 1 else UNKNOWN
        return aval.of_shape(None, (None,) * rank)

    return rule


def _broadcast_to(call: Call) -> Aval:
    return call.aval().of_shape(call.shape(call.args.get(1, "shape")))


def _scalar(kind: str) -> Callable[[Call], Aval]:
    """jnp.float32(x)"""
    return lambda call: Aval(avals.dtype_named(kind), False).shaped_as(call.aval())


def _drawn(shape: int, dtype: int | None, default: Aval) -> Callable[[Call], Aval]:
    """jax.random.normal(key, shape, dtype): the shape of one of nothing said is ()."""

    def rule(call: Call) -> Aval:
        said = call.args.get(shape, "shape")
        key = call.args.get(0, "key")
        if isinstance(key, Key) and key.batch:
            return call.dtype(dtype, default)
        return call.dtype(dtype, default).of_shape(() if said is None else call.shape(said))

    return rule


def _chosen(call: Call) -> Aval:
    """jax.random.choice(key, a, shape): rows of an array, or numbers below one."""
    key, said, choices = call.args.get(0, "key"), call.args.get(2, "shape"), call.aval(1, "a")
    front = () if said is None else call.shape(said)
    if (isinstance(key, Key) and key.batch) or "axis" in call.args.named or len(call.args.positional) > 5:
        return UNKNOWN
    if front is None or choices.shape is None:
        return choices.of_shape(None).as_strong()
    return choices.of_shape((*front, *choices.shape[1:])).as_strong()


def _by_segment(call: Call) -> Aval:
    """segment_sum(data, segment_ids, num_segments): each segment has what a row is of."""
    data, count = call.aval(0, "data"), _number(call.args.get(2, "num_segments"))
    front = len(call.aval(1, "segment_ids").shape or (None, None))
    return UNKNOWN.of_shape(None) if not data.shape or front != 1 else data.of_shape((count, *data.shape[1:]))


def _uniform(call: Call) -> Aval:
    """jax.random.uniform(key, shape, dtype, minval, maxval): arrays as bounds may make it larger than ``shape``."""
    bounds = [call.args.get(position, name) for position, name in ((3, "minval"), (4, "maxval"))]
    found = _drawn(1, 2, _FLOAT)(call)
    return found if all(one is None or aval_of(one).shape == () for one in bounds) else found.of_shape(None)


def _truncated(call: Call) -> Aval:
    """jax.random.truncated_normal(key, lower, upper, shape, dtype): the bounds say what ``shape`` does not."""
    found = _drawn(3, 4, _FLOAT)(call)
    return found.of_shape(None) if call.args.get(3, "shape") is None else found


def _categorical(call: Call) -> Aval:
    """jax.random.categorical(key, logits, axis, shape): a place along the axis for each of the others."""
    axes = call.axes(2)
    if "shape" in call.args.named or len(call.args.positional) > 3:
        return _INT
    return _INT.shaped_as(_without(call.aval(1, "logits"), (-1,) if axes is None else axes))


def _bernoulli(call: Call) -> Aval:
    """jax.random.bernoulli(key, p, shape): one for each probability if no shape is asked for."""
    said, flags = call.args.get(2, "shape"), Aval("bool", False)
    if said is not None and not _is_constant(said, None):
        return flags.of_shape(call.shape(said))
    given = call.args.get(1, "p")
    return flags.of_shape(()) if given is None else flags.shaped_as(aval_of(given))


def _loss(call: Call) -> Aval:
    """optax.huber_loss(predictions, targets, delta=1.0): one for each element."""
    return avals.spread(UNKNOWN, list(map(aval_of, call.args.values())))


def _cross_entropy(call: Call) -> Aval:
    """optax.softmax_cross_entropy(logits, labels): one for each row."""
    operands = list(map(aval_of, call.args.values()))
    return UNKNOWN if len(operands) != 2 else _without(avals.spread(UNKNOWN, operands), (-1,))


def _numbered_cross_entropy(call: Call) -> Aval:
    """The same, where ``labels`` are numbers of classes."""
    if len(call.args.values()) != 2:
        return UNKNOWN
    logits = call.aval(0, "logits")
    rows = logits.of_shape(None) if logits.shape == () else _without(logits, (-1,))
    return avals.spread(UNKNOWN, [rows, call.aval(1, "labels")])


def _table(rule: Callable[[Call], Aval], words: str, module: str = "jax.numpy.") -> dict[str, Callable[[Call], Aval]]:
    return {module + word: rule for word in words.split()}


_RULES: dict[str, Callable[[Call], Aval]] = {
    **_table(_made, "zeros ones empty"),
    **_table(_full, "full"),
    **_table(_like, "zeros_like ones_like empty_like"),
    **_table(_arange, "arange"),
    **_table(_spaced, "linspace logspace"),
    **_table(_geomspace, "geomspace"),
    **_table(_eye, "eye identity"),
    **_table(_array, "array asarray"),
    **_table(_same, "negative positive conj conjugate copy flip sort tril triu roll"),
    **_table(_same, "floor ceil trunc round sign"),
    **_table(_without_nan, "nan_to_num"),
    **_table(_differences, "diff"),
    **_table(_real, "abs absolute real imag"),
    **_table(_same, "fftshift ifftshift", "jax.numpy.fft."),
    **_table(_transformed, "fft ifft fft2 ifft2 fftn ifftn", "jax.numpy.fft."),
    **_table(_half_transformed, "rfft rfft2 rfftn", "jax.numpy.fft."),
    **_table(_transformed_back, "irfft irfft2 irfftn", "jax.numpy.fft."),
    **_table(_of_parts, "complex", "jax.lax."),
    **_table(_of_numbers, "square"),
    **_table(_remainder, "mod remainder floor_divide"),
    **_table(
        _floating,
        "sin cos tan arcsin arccos arctan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt sinc",
    ),
    **_table(_activated, "rint"),
    **_table(_floating, "deg2rad rad2deg degrees radians arcsinh arccosh arctanh"),
    **_table(_activated, "sigmoid softplus tanh log_sigmoid gelu silu swish softmax log_softmax elu", "jax.nn."),
    **_table(_rectified, "relu", "jax.nn."),
    **_table(_asked, "isnan isinf isfinite logical_not"),
    **_table(_elementwise, "add subtract multiply maximum minimum fmax fmin"),
    **_table(_divided, "divide true_divide arctan2"),
    **_table(_of_two, "power float_power logaddexp hypot"),
    **_table(_compared, "equal not_equal greater greater_equal less less_equal logical_and logical_or logical_xor"),
    **_table(_compared, "isclose"),
    **_table(lambda call: Aval("bool", False, ()), "allclose array_equal"),
    **_table(_clip, "clip"),
    **_table(_where, "where"),
    **_table(_astype, "astype"),
    **_table(_reduction(_summed), "sum prod nansum"),
    **_table(_reduction(Aval.as_float), "mean nanmean median average"),
    **_table(_spread_out, "std var"),
    **_table(_reduction(lambda aval: aval), "max min amax amin nanmax nanmin"),
    **_table(_reduction(lambda aval: Aval("bool", False)), "all any"),
    **_table(_numbered, "argmax argmin"),
    **_table(_reduction(lambda aval: _INT), "count_nonzero"),
    **_table(_ordered, "argsort"),
    **_table(lambda call: _INT.shaped_as(call.aval(1, "v")), "searchsorted"),
    **_table(lambda call: _INT.shaped_as(call.aval()), "digitize"),
    **_table(_norm, "norm", "jax.numpy.linalg."),
    **_table(_solved, "solve", "jax.numpy.linalg."),
    **_table(_floating, "inv cholesky", "jax.numpy.linalg."),
    **_table(_loss, "huber_loss l2_loss squared_error log_cosh hinge_loss sigmoid_binary_cross_entropy", "optax."),
    **_table(_cross_entropy, "softmax_cross_entropy", "optax."),
    **_table(_numbered_cross_entropy, "softmax_cross_entropy_with_integer_labels", "optax."),
    **_table(_of_each_matrix, "det", "jax.numpy.linalg."),
    **_table(_cumulated, "cumsum cumprod"),
    **_table(_reshape, "reshape"),
    **_table(_ravel, "ravel flatten"),
    **_table(_transpose, "transpose"),
    **_table(_expand_dims, "expand_dims"),
    **_table(_squeeze, "squeeze"),
    **_table(_concatenate, "concatenate"),
    **_table(_stack, "stack"),
    **_table(_joined(1), "hstack"),
    **_table(_joined(2), "vstack column_stack"),
    **_table(_joined(3), "dstack"),
    **_table(_matrix_product, "matmul"),
    **_table(_dot, "dot"),
    **_table(_of_rank(0), "vdot"),
    **_table(_of_rank(2), "outer"),
    **_table(_of_rank_or_more(1), "atleast_1d"),
    **_table(_of_rank_or_more(2), "atleast_2d"),
    **_table(_of_rank_or_more(3), "atleast_3d"),
    **_table(_einsum, "einsum"),
    **_table(_padded, "pad"),
    **_table(_along_axis, "take_along_axis"),
    **_table(_taken, "take"),
    **_table(_reduction(lambda aval: UNKNOWN), "logsumexp", "jax.nn."),
    **_table(_reduction(lambda aval: UNKNOWN), "logsumexp", "jax.scipy.special."),
    **_table(_one_hot, "one_hot", "jax.nn."),
    **_table(_convolved, "conv conv_with_general_padding conv_general_dilated", "jax.lax."),
    **_table(_same, "stop_gradient", "jax.lax."),
    **_table(_broadcast_to, "broadcast_to"),
    **{f"jax.numpy.{kind}": _scalar(kind) for kind in (
        "float32 float16 bfloat16 float64 int8 int16 int32 int64 uint8 uint16 uint32 complex64 bool_".split()
    )},
    **_table(_drawn(1, 2, _FLOAT), "normal exponential gumbel laplace logistic cauchy", "jax.random."),
    **_table(_uniform, "uniform", "jax.random."),
    **_table(_chosen, "choice", "jax.random."),
    **_table(_by_segment, "segment_sum segment_max segment_min segment_prod", "jax.ops."),
    **_table(_truncated, "truncated_normal", "jax.random."),
    **_table(_drawn(1, 4, _INT), "randint", "jax.random."),
    **_table(_drawn(1, 2, _INT), "rademacher", "jax.random."),
    **_table(_categorical, "categorical", "jax.random."),
    **_table(_bernoulli, "bernoulli", "jax.random."),
}  # fmt: skip
"""Functions by name; a method has the rule of the function of `jax.numpy`."""
