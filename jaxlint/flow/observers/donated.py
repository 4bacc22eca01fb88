"""Arrays that a compiled function was given for good: their memory is used again, and who reads them gets an error.

`jax.jit(f, donate_argnums=0)` may take the memory of an argument for what it gives; the array is deleted then.  What
was donated is known by its value, so that it is the same under each of its names, and another one where a name is bound
anew.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.donations import DONATED, Donation
from jaxlint.flow.domain.state import excluded
from jaxlint.flow.domain.values import (
    CONCRETE,
    Array,
    Const,
    Container,
    External,
    Frame,
    Function,
    Instance,
    Key,
    Method,
    Opaque,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KNOWN_ITEMS, LEAF_DEPTH
from jaxlint.flow.models.jax.transforms import donated_given
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.instances import passes_as_is
from jaxlint.flow.models.objects.iteration import known_fields, known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.kept import kept_of
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children, descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.array_members import ARRAY_METHODS
from jaxlint.semantics.donating import DONATING, KEPT, MAPPING, NOT_READING, READERS, READING, SAME, SAME_METHODS

_METHODS = ARRAY_METHODS - KEPT - set(dir(dict)) - set(dir(list))
"""What an array computes of its numbers when it is asked, and no tree of Python's has."""

_RUNNING = ("jax.vmap", "jax.grad", "jax.value_and_grad", "equinox.filter_jit", "flax.nnx.jit", *DONATING)
"""Transforms that run the function at once, on what it is given."""


# -- donating -------------------------------------------------------------------------------------------


def note_call(it: Interpreter, made: Transformed, args: Arguments, result: Value, node: ast.Call) -> None:
    """A compiled function was called: which arrays are gone.  Under a trace it leaves all as they are."""
    if made.name not in DONATING or it.ctx.tracing or it.unstaged or args.open_ended:
        return
    given = [leaf for value in donated_given(it, made, args, node) for leaf in _leaves(it, value)]
    sizes = [_size(leaf) for leaf in _leaves(it, result)]
    taken = [leaf for leaf in given if _is_kept(leaf) and _fits(_size(leaf), sizes)]
    if taken:
        donation = Donation(dotted(node.func), node, it.frame.scope, it.state.guards, it.frame)
        it.donates = True
        it.state.cells[DONATED] = {**it.state.cells.get(DONATED, {}), **dict.fromkeys(taken, donation)}
        surely = [leaf for leaf in taken if _size(leaf) is not None and _size(leaf) in sizes]
        _check_given_twice(it, args, taken, surely, node)
        _check_kept(it, args, taken, node)


def _check_given_twice(
    it: Interpreter, args: Arguments, taken: list[Value], surely: list[Value], node: ast.Call
) -> None:
    """The call itself is given what it takes as another argument, too, or once more in the same one: there what it
    ``surely`` takes, since JAX leaves alone what no result has the size of."""
    seen: set[Value] = set()
    for written, value in _passed(args, node):
        leaves = Counter(_leaves(it, value))
        elsewhere = [leaf for leaf in taken if leaf in leaves and leaf in seen]
        twice = elsewhere or [leaf for leaf in surely if leaves[leaf] > 1]
        if twice and written is not None:
            event = events.ReadAfterDonation(written, dotted(written), dotted(node.func), node, it.frame.scope)
            event.at_once, event.in_itself = True, not elsewhere
            event.unsure = any(isinstance(one, Opaque) and _is_element(it, one) for one in twice)
            it.emit(event)
            return
        seen |= leaves.keys()


def _check_kept(it: Interpreter, args: Arguments, taken: list[Value], node: ast.Call) -> None:
    """A pass of the loop around keeps what the call takes under another name: the next one takes it away."""
    own = it.loops[it.activation.around :]
    function = it.activation.function
    for written, value in _passed(args, node) if own else ():
        if isinstance(written, ast.Name) and any(leaf in taken for leaf in _leaves(it, value)):
            around = function.node if function is not None else None
            kept = it.ask_text(it.frame.scope, kept_of, around, own[-1][0], node, written.id)
            if kept is not None:
                event = events.ReadAfterDonation(kept, written.id, dotted(node.func), node, it.frame.scope)
                event.kept_as = dotted(kept)
                it.emit(event)


def _passed(args: Arguments, node: ast.Call) -> Iterator[tuple[ast.expr | None, Value]]:
    """What a call passes, as it is written, and the values."""
    yield from ((args.expression(node, index), value) for index, value in enumerate(args.positional))
    keywords = {one.arg: one.value for one in node.keywords}
    yield from ((keywords.get(name), value) for name, value in args.named.items())


def _is_kept(leaf: Value) -> bool:
    """Whether it may be an array of JAX; one of NumPy stays as it is."""
    return isinstance(leaf, (Opaque, Key)) or (isinstance(leaf, Array) and leaf.level == CONCRETE)


def _leaves(it: Interpreter, value: Value, depth: int = 0) -> Iterator[Value]:
    """The leaves of a tree; what is not known is one."""
    parts: list[Value] | None = None
    if isinstance(value, Tuple) or (isinstance(value, Container) and value.kind in ("list", "tuple")):
        parts = known_items(it, value, KNOWN_ITEMS.value)
    elif isinstance(value, Container):
        fields = known_fields(it, value)
        parts = None if fields is None else list(fields.values())
    elif isinstance(value, Instance) and classes.is_pytree(it, value.cls):
        cell = it.state.read(value)
        parts = [part for name, part in cell.items() if not passes_as_is(it, value.cls, name, part)]
    if isinstance(value, Const):
        return
    if parts is None:
        yield value
    elif depth <= LEAF_DEPTH.value:
        for part in parts:
            yield from _leaves(it, part, depth + 1)


def _size(leaf: Value) -> int | None:
    """How many numbers an array holds; None if that is not known."""
    if isinstance(leaf, Array) and leaf.ndim == 0:
        return 1
    shape = leaf.aval.shape if isinstance(leaf, Array) else None
    return None if shape is None or None in shape else prod(size for size in shape if size is not None)


def _fits(size: int | None, sizes: list[int | None]) -> bool:
    """Whether one of the results may be put where the array is.  One number is not what memory is taken for."""
    return any(one is None or one == (size or one) for one in sizes) and (size == 1 or sizes != [1] * len(sizes))


def note_same(it: Interpreter, function: Value, args: Arguments, result: Value) -> None:
    """A call that may give back the array that it was given: of one that was donated it gives none, either."""
    if it.muted or it.ctx.tracing or DONATED not in it.state.cells:
        return
    owner: Value | None = None
    if isinstance(function, External) and function.name in SAME:
        owner = next(iter(args.positional), None)
    elif isinstance(function, Method) and function.name in SAME_METHODS:
        owner = function.receiver
    elif isinstance(function, Opaque) and function.selector in [("attr", name) for name in SAME_METHODS]:
        owner = function.parent
    found = _donated(it, owner) if owner is not None else None
    if found is not None and isinstance(result, (Array, Opaque)):
        leaf, donation = found
        if isinstance(leaf, Opaque) and _is_element(it, leaf):
            donation = donation.of_what_may_be_kept()
        it.state.cells[DONATED] = {**it.state.cells[DONATED], result: donation}


# -- reading --------------------------------------------------------------------------------------------


def note_value(it: Interpreter, node: ast.expr, value: Value) -> None:
    """An expression gives a value: whether that was donated, and is read here."""
    if it.muted or it.ctx.tracing or not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        return
    if DONATED in it.state.cells and _donated(it, value) is not None and _is_read(it, node, value):
        _report(it, node, value, None)


def check_call(it: Interpreter, function: Value, args: Arguments, node: ast.Call) -> None:
    """A call that reads what it is given: whether that was donated."""
    if it.muted or it.ctx.tracing or DONATED not in it.state.cells:
        return
    if isinstance(function, External) and function.name in MAPPING:
        read: Iterable[int] = _mapped_and_read(args)
    elif not _reads(function):
        return
    else:
        read = range(len(args.positional))
    keywords = {one.arg: one.value for one in node.keywords}
    written = [(args.positional[index], args.expression(node, index)) for index in read]
    written += [(value, keywords.get(name)) for name, value in args.named.items()]
    for value, expression in written:
        if expression is not None:
            _report(it, expression, value, node)


def _mapped_and_read(args: Arguments) -> list[int]:
    """The trees of whose leaves the function that is mapped over them reads the numbers."""
    function = args.positional[0] if args.positional else None
    trees = range(1, len(args.positional))
    if function is None or _reads(function):
        return list(trees)
    if not isinstance(function, Function):
        return []
    calculated = {
        operand.id
        for part in descendants(function.node)
        if isinstance(part, (ast.BinOp, ast.UnaryOp)) and not isinstance(getattr(part, "op", None), ast.Not)
        for operand in children(part)
        if isinstance(operand, ast.Name)
    }
    names = [parameter.arg for parameter in parameters(function.node)]
    return [index for index in trees if index <= len(names) and names[index - 1] in calculated]


def _reads(function: Value) -> bool:
    if isinstance(function, Transformed):
        return function.name in _RUNNING
    if not isinstance(function, External) or function.name in NOT_READING:
        return False
    return function.name in READERS or function.name.startswith(READING) or function.name in libraries.ARRAY_RESULTS


def _is_read(it: Interpreter, node: ast.expr, value: Value) -> bool:
    """Whether the expression around reads the buffer; what calls do with their arguments they tell themselves."""
    around = _around(it, node)
    if isinstance(around, ast.Tuple):
        around = _around(it, around)
    if isinstance(around, ast.Return):
        return True
    if isinstance(value, (Tuple, Container, Instance)):
        return False
    if isinstance(around, ast.Attribute):
        if isinstance(value, Array):
            return around.attr not in KEPT
        return around.attr in _METHODS and getattr(_around(it, around), "func", None) is around
    if isinstance(around, ast.Subscript):
        return isinstance(value, Array) and around.value is node
    if isinstance(around, ast.UnaryOp):
        return not isinstance(around.op, ast.Not)
    if isinstance(around, ast.Compare):
        return not any(isinstance(one, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for one in around.ops)
    return isinstance(around, (ast.BinOp, ast.AugAssign, ast.FormattedValue))


def _around(it: Interpreter, node: ast.expr) -> ast.AST | None:
    function = it.frame.function
    root = function.node if function is not None else it.frame.scope.tree
    nodes = descendants(root) if root is not None else ()
    return next((one for one in nodes if any(below is node for below in children(one))), None)


def _report(it: Interpreter, node: ast.expr, value: Value, call: ast.Call | None) -> None:
    """Tells of what was donated, once: where it is read first JAX raises."""
    found = _donated(it, value)
    if found is None:
        return
    leaf, donation = found
    passed = _passed_on(it, donation)
    frame, node = (it.frame, node) if passed is None else passed
    event = events.ReadAfterDonation(node, dotted(node), donation.callee, donation.node, donation.scope)
    event.again = call is donation.node
    event.unsure = donation.unsure or (isinstance(leaf, Opaque) and _is_element(it, leaf))
    it.emit(event, frame.scope, frame=frame)
    left = it.state.cells[DONATED]
    it.state.cells[DONATED] = {one: told for one, told in left.items() if told is not donation}


def are_given(it: Interpreter, values: Iterable[Value]) -> bool:
    """Whether a function is given what was donated: what it reads of that is told when it runs where it is called."""
    if DONATED not in it.state.cells or it.ctx.tracing:
        return False
    return any(_donated(it, value) is not None for value in values)


def _passed_on(it: Interpreter, donation: Donation) -> tuple[Frame, ast.expr] | None:
    """What leads to where an array is read: the argument of a call that is made once it is donated, by the function
    that has donated it, or else by one that has called that."""
    if donation.frame is it.frame:
        return None
    frames = [frame for frame, _, _, _ in it.calls]
    since = frames.index(donation.frame) if donation.frame in frames else 0
    for frame, call, _, _ in it.calls[since:]:
        if isinstance(call, ast.Call):
            for written in (*call.args, *(one.value for one in call.keywords)):
                known = _known_as(it, frame, written)
                if known is not None and (found := _donated(it, known)) is not None and found[1] is donation:
                    return frame, written
    return None


def _known_as(it: Interpreter, frame: Frame, written: ast.expr) -> Value | None:
    """What a variable holds, or an attribute of one."""
    if isinstance(written, ast.Name):
        value = it.state.read(frame).get(written.id)
        return _known_as(it, frame.parent, written) if value is None and frame.parent is not None else value
    owner = _known_as(it, frame, written.value) if isinstance(written, ast.Attribute) else None
    if not isinstance(written, ast.Attribute) or not isinstance(owner, Instance):
        return None
    return it.state.read(owner).get(written.attr)


def _donated(it: Interpreter, value: Value) -> tuple[Value, Donation] | None:
    """What of a value was donated, and how."""
    known = it.state.cells.get(DONATED, {})
    for leaf in _leaves(it, value):
        part: Value | None = leaf
        while part is not None:
            donation = known.get(part)
            if isinstance(donation, Donation) and not excluded(donation.guards, it.state.guards):
                return part, donation
            part = part.parent if isinstance(part, Opaque) and _is_item(part) else None
    return None


def _is_item(part: Opaque) -> bool:
    """Whether it is a leaf of the whole, or a tree of them; an attribute may be neither."""
    return isinstance(part.selector, tuple) and part.selector[0] in ("item", "at")


def _is_element(it: Interpreter, leaf: Opaque) -> bool:
    """Whether it comes of a loop over something unknown, as batches do: most often these are arrays of NumPy."""
    return leaf in it.steps_of_loops or leaf.parent is not None
