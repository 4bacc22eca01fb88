"""Python's builtins, one function for each that matters to tracing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import (
    ABSTRACT,
    ANY,
    CONCRETE,
    DIFFERENCE,
    FALSE,
    NONE,
    SEQUENCES,
    TRUE,
    Array,
    ClassValue,
    Const,
    Container,
    Counts,
    External,
    ExternalInstance,
    Instance,
    Iterator,
    Key,
    Method,
    Opaque,
    Slice,
    Static,
    Stream,
    Super,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KNOWN_ARGUMENTS, KNOWN_ITEMS, UNROLL_LIMIT
from jaxlint.flow.models.arrays import arrays, conditions, formatted, handed_back, slopes
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import clocks, evidence
from jaxlint.flow.models.names.imports import external_name
from jaxlint.flow.models.objects import classes, containers
from jaxlint.flow.models.objects.binding import OF_BUILTINS, ask, ask_first
from jaxlint.flow.models.objects.iteration import (
    check_used_up,
    elements_of_row,
    generated,
    is_callable,
    iterate,
    iterator_of,
    known_items,
    length_of,
    start_of,
)
from jaxlint.flow.models.objects.unnamed_attributes import set_attribute
from jaxlint.flow.models.python.attributes import ARRAY_ONLY, get_attribute, store_attribute
from jaxlint.flow.models.python.frozen_stores import call_delattr
from jaxlint.flow.models.random import streams
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.type_checks import rejects_tracers
from jaxlint.semantics import libraries
from jaxlint.semantics.known import knows


def call_builtin(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    if name not in _WITHOUT_WAITING:
        clocks.wait_for(it, args.values())
    if name in _USING_UP and args.positional:
        check_used_up(it, args.positional[0], node)
    if name in OF_BUILTINS and args.positional:
        of_object = ask_first(it, args.positional[0], OF_BUILTINS[name], args.positional[1:], node)
        if of_object is not None:
            return of_object
    handler = _BUILTINS.get(name)
    if handler is not None:
        return handler(it, args, node)
    arrays.host_effect(it, f"builtins.{name}", args.values(), node)
    return Opaque(f"the result of {name}")


_WITHOUT_WAITING = frozenset(
    "len isinstance issubclass type id enumerate zip iter next map filter list tuple dict set reversed getattr "
    "setattr hasattr callable super vars slice object".split()
)
"""Builtins that look at no number of an array."""

_USING_UP = frozenset("list tuple set frozenset dict sum max min sorted any all".split())
"""Builtins that go through what they are given to its end, or may."""


def _first(args: Arguments) -> Value:
    return args.positional[0] if args.positional else Opaque()


def _conversion(name: str) -> Callable[[Any, Any, ast.AST], Value]:
    def convert(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
        return arrays.convert(it, args.positional[0], node, name) if args.positional else Static(name)

    return convert


def _text_of(name: str) -> Callable[[Any, Any, ast.AST], Value]:
    def write(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
        if args.positional:
            arrays.convert(it, args.positional[0], node, name)
        return Static("str")

    return write


def _print(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    texts = [(value, ask_first(it, value, OF_BUILTINS["str"], [], node)) for value in args.values()]
    arrays.host_effect(it, "builtins.print", [value if text is None else text for value, text in texts], node)
    return NONE


def _input(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    arrays.host_effect(it, "builtins.input", args.values(), node)
    return Static("str")


def _open(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    arrays.host_effect(it, "builtins.open", args.values(), node)
    return ExternalInstance("builtins.open", (), {}, it.ctx)


def _len(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    told = ask(it, value, "__len__", [], node)
    if told is not None:
        return told if told.is_static else Static("int")
    items = known_items(it, value, KNOWN_ITEMS.value)
    if items is not None:
        return Const(len(items))
    if isinstance(value, Key) and value.size is not None and value.batch:
        return Const(value.size)
    if isinstance(value, Array) and value.aval.shape and value.aval.shape[0] is not None:
        return Const(value.aval.shape[0])
    is_array = isinstance(value, (Array, Tree))
    return Static("int", of_shape=is_array, read_off=length_of(value), length_of=value.identity, sure=True)


def _range(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    for value in map(arrays.as_operand, args.positional):
        if isinstance(value, (Array, Tree)) and value.level == ABSTRACT and getattr(value, "sure", True):
            it.emit(events.ScalarConversion(node, value, "range"))
            return Iterator(Static("int"), "range", it.ctx)
    source = args.positional[0] if len(args.positional) == 1 else None
    known = source if isinstance(source, Const) and isinstance(source.value, int) else None
    starts = args.positional if len(args.positional) == 2 else ()
    counts_up = len(args.positional) in (1, 2) and not args.open_ended
    least = start_of(starts) if counts_up else None
    counts = Counts(args.positional[-1].identity) if least == 0 else None
    return Iterator(Static("int", least=least, counts=counts), "range", it.ctx, known)


def _isinstance(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    if len(args.positional) == 2:
        value, against = args.positional
        check_type(it, value, against, node)
        if isinstance(value, Const) and isinstance(against, External):
            return _constant_isinstance(value, against)
        options = against.items if isinstance(against, Tuple) else (against,)
        verdicts = [classes.is_of_class(it, value, o) if isinstance(o, ClassValue) else None for o in options]
        if True in verdicts:
            return TRUE
        open_to = tuple(option for option, verdict in zip(options, verdicts) if verdict is None)
        if not open_to:
            return FALSE
        if isinstance(value, (Array, Tree)):
            return _array_isinstance(value, Tuple(open_to))
        if isinstance(value, Tuple) and not value.declared and "builtins.tuple" in _class_names(against):
            return TRUE
        if not value.is_static and any(name.endswith("Tracer") for name in _class_names(against)):
            return Static("bool", concrete_if=False)
    return Static("bool")


def _class_names(against: Value) -> list[str]:
    options = against.items if isinstance(against, Tuple) else (against,)
    return [option.name if isinstance(option, External) else "" for option in options]


def _array_isinstance(value: Array | Tree, against: Value) -> Value:
    """Arrays are jax.Array, tracers are Tracer too, and neither is any host type."""
    names = _class_names(against)
    asks_for_tracer = any(name.endswith("Tracer") for name in names)
    if asks_for_tracer and value.level and getattr(value, "sure", True):
        return TRUE
    if isinstance(value, Tree) and not value.array_like:
        if value.level == ABSTRACT and names and all(_is_never_traced(name, value) for name in names):
            return Static("bool", concrete_if=True)
        return Static("bool", concrete_if=False if asks_for_tracer else None)
    if any(name in ("jax.Array", "jax.numpy.ndarray", "chex.Array") for name in names):
        return TRUE
    if names and all(name in _NEVER_OF_ARRAYS or name in _PYTHON_TYPES or _is_numpy_scalar(name) for name in names):
        return FALSE
    if names and isinstance(value, Array) and not value.declared and all(map(_is_of_others, names)):
        return Static("bool", concrete_if=True)
    return Static("bool", concrete_if=False if asks_for_tracer else None)


def _is_of_others(name: str) -> bool:
    """Whether a class is of a library that, as far as is known, has nothing to do with JAX: no array is of it."""
    return name.partition(".")[0] not in _MAY_NAME_ARRAYS


_MAY_NAME_ARRAYS = {library.name.partition(".")[0] for library in libraries.LIBRARIES}
_MAY_NAME_ARRAYS |= {"", "builtins", "collections", "jax", "jaxlib", "jaxtyping", "numbers", "numpy", "typing"}


def _is_never_traced(name: str, value: Tree) -> bool:
    """Whether what is of this type is neither a tracer nor a container of them.  A part that may be static, such as
    an attribute of a dataclass, may be a number; it is no array of NumPy, which has no hash."""
    return name == "numpy.ndarray" or (value.sure and name in _NEVER_OF_ARRAYS)


def _hasattr(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    if len(args.positional) == 2 and isinstance(args.positional[1], Const):
        found = conditions.has_attribute(args.positional[0], args.positional[1].value)
        if found is not None:
            return TRUE if found else FALSE
    return Static("bool")


_CONSTANT_TYPES: dict[str, type] = {
    f"builtins.{kind.__name__}": kind for kind in (int, float, bool, str, tuple, list, dict)
}


def _constant_isinstance(value: Const, against: External) -> Value:
    kind = _CONSTANT_TYPES.get(against.name)
    if kind is None:
        return Static("bool")
    return TRUE if isinstance(value.value, kind) else FALSE


_NEVER_OF_ARRAYS = {
    "builtins.float": "float",
    "builtins.int": "int",
    "builtins.bool": "bool",
    "builtins.complex": "complex",
    "numpy.ndarray": "np.ndarray",
    "numpy.floating": "np.floating",
    "numpy.integer": "np.integer",
    "numbers.Number": "numbers.Number",
    "numbers.Real": "numbers.Real",
}


_PYTHON_TYPES = frozenset(f"builtins.{kind}" for kind in "list tuple dict set frozenset str bytes slice range".split())
_PYTHON_TYPES |= {f"typing.{kind}" for kind in "Dict FrozenSet List Mapping Sequence Set Tuple".split()}
_PYTHON_TYPES |= {f"collections.abc.{kind}" for kind in "Mapping MutableMapping MutableSequence Sequence Set".split()}


def _is_numpy_scalar(name: str) -> bool:
    """Whether a class is one of NumPy's scalars, some of which `jax.numpy` has, too."""
    module, _, kind = name.rpartition(".")
    return module in ("numpy", "jax.numpy") and kind in _SCALARS


_SCALARS = frozenset(
    "generic number inexact floating integer signedinteger unsignedinteger complexfloating character flexible "
    "bool bool_ str_ bytes_ float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "complex64 complex128 single double datetime64 timedelta64".split()
)


def check_type(it: Interpreter, value: Value, against: Value, node: ast.AST) -> None:
    """isinstance(x, float) is always False for an array or a tracer."""
    options = against.items if isinstance(against, Tuple) else (against,)
    names = [option.name if isinstance(option, External) else "" for option in options]
    if not names or any(name not in _NEVER_OF_ARRAYS for name in names):
        return
    function = it.activation.function
    if function is None or function.node is not it.ctx.root:
        return  # a helper may be called with Python numbers elsewhere, and asks on purpose
    if (isinstance(value, Array) and value.level == ABSTRACT) or (
        isinstance(value, Tree) and value.level == ABSTRACT and value.sure and value.parameter
    ):
        event = events.TypeCheck(node, value, " or ".join(_NEVER_OF_ARRAYS[name] for name in names))
        of_numbers = not any(name.startswith("numpy.") for name in names)
        event.meant = not rejects_tracers(function.node, node, of_numbers)
        it.emit(event)


def _extreme(name: str) -> Callable[[Any, Any, ast.AST], Value]:
    """max, min and sorted compare with <, and ask for the truth of it."""

    def reduce(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
        values = args.positional
        if len(values) == 1:
            values = known_items(it, values[0], KNOWN_ARGUMENTS.value) or [iterate(it, values[0], node)]
            if len(values) == 1 and not isinstance(args.positional[0], (Array, Tree, Iterator, Container)):
                return values[0]
        if "key" in args.named:
            return _extreme_by(it, name, args, values, node)
        only = args.positional[0] if len(args.positional) == 1 else None
        if isinstance(only, Tree) and _gives_names(it, only, name):
            return _result(it, name, [Static("str")])
        tracer = _compared_tracer(it, args.positional, values)
        if tracer is not None and not (isinstance(only, Tuple) and len(values) == 1 and name != "sorted"):
            it.emit(events.TruthTest(node, tracer, name))
            return _result(it, name, [arrays.combine(it, [tracer])])
        if any(isinstance(value, (Array, Tree)) for value in values):
            return _result(it, name, [arrays.combine(it, values)])
        if values and all(value.is_static for value in values):
            of_shape = any(isinstance(value, Static) and value.of_shape for value in values)
            return Static("int", of_shape) if name != "sorted" else Opaque("a sorted list")
        return Opaque("an extreme")

    return reduce


def _extreme_by(it: Interpreter, name: str, args: Arguments, values: list[Value], node: ast.AST) -> Value:
    """max(xs, key=f): what f gives for the elements is compared, if there are two."""
    if not values:
        return Opaque()
    key, only = args.named["key"], args.positional[0] if len(args.positional) == 1 else None
    if is_callable(key) or isinstance(key, Method):
        compared = [it.call(key, Arguments([value]), node) for value in values]
        tracer = next((value for value in compared if isinstance(value, Array) and value.level == ABSTRACT), None)
        is_one = only is not None and len(known_items(it, only, KNOWN_ARGUMENTS.value) or ()) == 1
        if tracer is not None and not is_one:
            it.emit(events.TruthTest(node, tracer, name))
    return _result(it, name, values)


def _gives_names(it: Interpreter, value: Tree, name: str) -> bool:
    """Whether what is compared are the names of a dict: people sort these, and arrays hardly ever."""
    if evidence.used_as_container(it, value):
        return not value.array_like and value.container != "sequence"
    return name == "sorted" and not evidence.used_as_array(it, value)


def _compared_tracer(it: Interpreter, arguments: list[Value], values: list[Value]) -> Value | None:
    """The tracer that is compared with another value, if one is."""
    tracer = next((v for v in values if isinstance(v, Array) and v.level == ABSTRACT), None)
    if tracer is not None:
        return tracer
    tree = next((v for v in values if isinstance(v, Tree) and v.level == ABSTRACT), None)
    numbers = any(isinstance(v, (Const, Static)) for v in values)
    if isinstance(tree, Tree) and tree.sure and (numbers or len(arguments) == 2 or tree.array_like):
        return Array(ABSTRACT, tree.provenance)
    only = arguments[0] if len(arguments) == 1 else None
    if isinstance(only, Tree) and only.sure and only.parameter and only.level == ABSTRACT:
        return Array(ABSTRACT, only.provenance)
    return None


def _result(it: Interpreter, name: str, items: list[Value]) -> Value:
    return containers.make(it, "list", None, items) if name == "sorted" else items[0]


def _any_all(name: str) -> Callable[[Any, Any, ast.AST], Value]:
    def reduce(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
        value = _first(args)
        element = iterate(it, value, node) if not isinstance(value, Opaque) else value
        items = known_items(it, value, KNOWN_ARGUMENTS.value)
        candidates = items if items is not None else [element]
        tracer = next((v for v in candidates if isinstance(v, Array) and v.level == ABSTRACT), None)
        if tracer is not None:
            it.emit(events.TruthTest(node, tracer, name))
        decided = TRUE if name == "any" else FALSE
        if any(isinstance(value, Const) and bool(value.value) is decided.value for value in candidates):
            return decided
        undecided = not decided.value  # then it holds of all the candidates
        if items and all(isinstance(one, Const) for one in items):
            return Const(undecided)
        tells = any(isinstance(value, Static) and value.concrete_if is undecided for value in candidates)
        return Static("bool", concrete_if=undecided if tells else None)

    return reduce


def _sum(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    items = known_items(it, value, KNOWN_ITEMS.value)
    parts = items if items is not None else [iterate(it, value, node)]
    if any(isinstance(part, (Array, Tree)) for part in parts):
        return arrays.combine(it, parts)
    if parts and all(part.is_static for part in parts):
        of_shape = any(isinstance(part, Static) and part.of_shape for part in parts)
        return Static("", of_shape)
    return Opaque("a sum")


def _elementwise(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    """abs, round, pow and divmod go to the array's own methods."""
    if any(isinstance(value, (Array, Tree)) for value in args.positional):
        return arrays.combine(it, args.positional)
    if args.positional and all(value.is_static for value in args.positional):
        first = args.positional[0]
        return Static("", isinstance(first, Static) and first.of_shape)
    return Opaque("a number")


def _abs(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    """abs(x): how small it is on one side is known, as of what something has been taken off."""
    for value in args.positional[:1]:
        handed_back.check_number(it, value, node)
    result = _elementwise(it, args, node)
    if isinstance(result, Array):
        return slopes.note(it, result, "abs", args.positional, node)
    return Opaque(DIFFERENCE) if isinstance(result, Opaque) else result


def _round(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    if isinstance(value, (Array, Tree)) and value.level == 1 and len(args.positional) == 1:
        it.emit(events.ScalarConversion(node, value, "round"))
    return _elementwise(it, args, node)


def _iterator(kind: str) -> Callable[[Any, Any, ast.AST], Value]:
    def make(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
        sources = args.positional
        if kind != "zip":
            first = args.get(0, "iterable")
            if first is None:
                return Opaque("an iterator")
            start = args.get(1, "start") if kind == "enumerate" else None
            sources = [first] if start is None else [first, start]
        sources = [iterator_of(it, source, node) for source in sources]
        return Iterator(Opaque("an element"), kind, it.ctx, Tuple(tuple(sources)))

    return make


def _map(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    """map(f, xs): f runs for each element, so it is run twice here, if they are not known."""
    if len(args.positional) < 2:
        return Opaque("a map")
    sources = Tuple(tuple(iterator_of(it, source, node) for source in args.positional[1:]))
    rows = known_items(it, Iterator(Opaque("an element"), "zip", it.ctx, sources), UNROLL_LIMIT.value)
    saved, results = it.loops, list[Value]()
    for number, row in enumerate(rows or (None, None)):
        it.loops = (*saved, (node, number))
        elements = row.items if isinstance(row, Tuple) else elements_of_row(it, sources.items, node)
        results.append(it.call(args.positional[0], Arguments(list(elements)), node))
    it.loops = saved
    result = generated(it, results) if rows else results[-1]
    if isinstance(result, Key) and result.ident.site == (it.frame.scope, node) and result.ident.seed is None:
        return Stream("map")  # map(jax.random.key, seeds): each key is another one
    return Iterator(result, "generator", it.ctx)


def _filter(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    return filtered(it, "filter", args, node)


def filtered(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """filter(f, xs), itertools.takewhile(f, xs): what f says of each element is asked for its truth."""
    if len(args.positional) < 2:
        return Opaque("a filter")
    function, source = args.positional[:2]
    saved = it.loops
    for number in range(2):
        it.loops = (*saved, (node, number))
        element = iterate(it, source, node)
        is_given = not isinstance(function, Const)
        arrays.truth(it, it.call(function, Arguments([element]), node) if is_given else element, node, f"{name}()")
    it.loops = saved
    return Iterator(element, "generator", it.ctx)


def _sequence(kind: str) -> Callable[[Any, Any, ast.AST], Value]:
    def make(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
        if not args.positional:
            return Tuple(()) if kind == "tuple" else containers.make(it, kind, [])
        value = iterator_of(it, args.positional[0], node)
        if isinstance(value, (Opaque, Stream)):
            return Opaque(SEQUENCES[kind])
        items = known_items(it, value, KNOWN_ITEMS.value)
        if kind == "tuple":
            if items is not None:
                return Tuple(tuple(items))
            return containers.make(it, "tuple", None, [iterate(it, value, node)])
        return containers.make(it, kind, items, [iterate(it, value, node)] if items is None else None)

    return make


def _dict(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    made = containers.make(it, "dict", [])
    if args.positional:
        containers.extend(it, made, args.positional[0], node)
    for name, value in args.named.items():
        containers.put(it, made, Const(name), value)
    if args.open_ended:
        it.state.write(made)[ANY] = Opaque("a value")
    return made


def _setattr(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    """setattr(state, "step", value), which is `state.step = value` where the name is known."""
    if len(args.positional) == 3:
        owner, name, value = args.positional
        written = isinstance(node, ast.Call) and node.args
        if written and isinstance(name, Const) and isinstance(name.value, str):
            target = ast.copy_location(ast.Attribute(written[0], name.value, ast.Store()), node)
            store_attribute(it, owner, name.value, value, target, target)
        else:
            set_attribute(it, owner, name, value)
    return NONE


def _iter(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = iterator_of(it, _first(args), node)
    if isinstance(value, (Iterator, Stream, Instance)):
        return value
    source = None if isinstance(value, (Opaque, ExternalInstance)) else Tuple((value,))
    return Iterator(Opaque("an element"), "iterator", it.ctx, source)


def _next(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    if isinstance(value, Instance):
        return iterate(it, value, node)
    if isinstance(value, Stream):
        streams.note_next(it, value, node)
        return keys.fresh(it, "the next key of a stream", node)
    if isinstance(value, Iterator):
        if it.ctx.staging and not it.ctx.host and not it.ctx.encloses(value.birth):
            if value.kind == "counter":  # names are made of its numbers; what is computed with them is wrong
                return Static("int", drawn=(it.frame.scope, node))
            it.emit(events.OuterIterator(node, value.kind, "advanced"))
        loops, it.loops = it.loops, ()  # each call goes on to the next element, also within one pass of a loop
        try:
            return iterate(it, value, node)
        finally:
            it.loops = loops
    if isinstance(value, Opaque):
        streams.note_next_of_unknown(it, node)
    return Opaque("an element")


def _getattr(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    if (
        len(args.positional) >= 2
        and isinstance(args.positional[1], Const)
        and isinstance(args.positional[1].value, str)
    ):
        owner, name = args.positional[0], args.positional[1].value
        if len(args.positional) == 2 or (_is_concrete(owner) and name in ARRAY_ONLY):
            return get_attribute(it, owner, name, node)
        if isinstance(owner, Opaque) and isinstance(args.positional[2], Const):
            return Opaque(name, owner, ("attr", name))
    return Opaque("an attribute")


def _is_concrete(value: Value) -> bool:
    """Whether it is an array that has all methods of arrays, as a tracer has not."""
    return isinstance(value, Array) and value.level == CONCRETE


def _hash(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    arrays.check_hashed(it, value, node, "hash")
    return Static("int") if isinstance(value, Static) and value.kind == "int" else Static("")


def _slice(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    """slice(stop), slice(start, stop, step): what `x[start:stop:step]` is indexed by."""
    given = args.positional
    if args.open_ended or not 1 <= len(given) <= 3:
        return Opaque("a slice")
    start, stop, *step = (NONE, *given) if len(given) == 1 else given
    return Slice(start, stop, step[0] if step else NONE)


def _ord(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) == 1:
        return Const(ord(value.value))
    return Static("int", least=ord(" "))  # what is printed comes after the characters that control


def _string(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    return Static("str", tainted=arrays.tracer_in(it, _first(args)))


def _format(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    spec = args.positional[1] if len(args.positional) > 1 else None
    if isinstance(spec, Const) and spec.value:
        formatted.check_format(it, args.positional[0], True, node, "format()")
    return Static("str", tainted=arrays.tracer_in(it, _first(args)))


def _super(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    if len(args.positional) == 2 and isinstance(args.positional[0], ClassValue):
        return Super(args.positional[0], args.positional[1])  # in a function inside of a method, too
    function = it.activation.function
    if function is None or function.owner is None or not function.node.args.args:
        return Opaque("super()")
    receiver = it.lookup(function.node.args.args[0].arg)
    return Super(function.owner, receiver) if receiver is not None else Opaque("super()")


def _type(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    if isinstance(value, Instance):
        return value.cls
    return Static("type of array" if isinstance(value, Array) else "type")


def _callable(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    value = _first(args)
    if isinstance(value, External):
        return Const(True) if knows(external_name(value.name)) else Static("bool")
    return Const(True) if is_callable(value) else Static("bool")


def _static_bool(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    return Static("bool")


def _static(kind: str) -> Callable[[Any, Any, ast.AST], Value]:
    return lambda it, args, node: Static(kind)


_BUILTINS: dict[str, Callable[[Any, Any, ast.AST], Value]] = {
    "print": _print,
    "input": _input,
    "open": _open,
    "float": _conversion("float"),
    "int": _conversion("int"),
    "bool": _conversion("bool"),
    "complex": _conversion("complex"),
    "len": _len,
    "range": _range,
    "isinstance": _isinstance,
    "issubclass": _static_bool,
    "callable": _callable,
    "hasattr": _hasattr,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sorted": _extreme("sorted"),
    "any": _any_all("any"),
    "all": _any_all("all"),
    "sum": _sum,
    "abs": _abs,
    "pow": _elementwise,
    "divmod": _elementwise,
    "round": _round,
    "enumerate": _iterator("enumerate"),
    "zip": _iterator("zip"),
    "reversed": _iterator("reversed"),
    "map": _map,
    "filter": _filter,
    "list": _sequence("list"),
    "tuple": _sequence("tuple"),
    "set": _sequence("set"),
    "frozenset": _sequence("frozenset"),
    "dict": _dict,
    "iter": _iter,
    "next": _next,
    "getattr": _getattr,
    "setattr": _setattr,
    "delattr": call_delattr,
    "hash": _hash,
    "str": _string,
    "repr": _string,
    "format": _format,
    "super": _super,
    "type": _type,
    "id": _static("int"),
    "ord": _ord,
    **{name: _text_of(name) for name in ("bin", "chr", "hex", "oct")},
    "slice": _slice,
}
