"""Calls of functions outside the project, by qualified name: JAX, NumPy, the standard library, libraries."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Callable
from copy import copy

from jaxlint.flow.domain import events, values
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.state import has_to_be_static, is_tracer
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    FALSE,
    FROZEN_DICT,
    NONE,
    NUMPY_FLOAT,
    TOLD_SHAPE,
    TRUE,
    Array,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    Opaque,
    Partial,
    Ref,
    Static,
    Stream,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    WrapperFactory,
)
from jaxlint.flow.limits import ANY_RANK, KNOWN_ITEMS, MAX_LAYERS, STACKED_DEPTH
from jaxlint.flow.models.arrays import (
    arrays,
    bounds,
    dtypes,
    flattening,
    listed,
    low_precision,
    permuted,
    pytrees,
    results,
    slopes,
    strict,
    unset,
    whole,
    widths,
    wrapped,
)
from jaxlint.flow.models.arrays.conditions import truth_of
from jaxlint.flow.models.arrays.logits import check_logits
from jaxlint.flow.models.jax import (
    higher_order,
    mapped_trees,
    module_asks,
    module_names,
    named_axes,
    registered_classes,
    sharded_calls,
    transforms,
    unbound_modules,
)
from jaxlint.flow.models.jax.applied_modules import check_without_key, check_without_state
from jaxlint.flow.models.jax.debug_print import check_debug_print
from jaxlint.flow.models.jax.schedules import make_optimiser
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import buffers, clocks, evidence, foreign, settings, started, waits
from jaxlint.flow.models.objects import classes, containers
from jaxlint.flow.models.objects.iteration import iterate, known_fields, known_items
from jaxlint.flow.models.objects.library_records import make_named_tuple, make_record
from jaxlint.flow.models.objects.python_copies import call_copy
from jaxlint.flow.models.objects.record_copies import replaced
from jaxlint.flow.models.objects.unnamed_attributes import set_attribute
from jaxlint.flow.models.outside import collected, json_writes, needed, optimisers
from jaxlint.flow.models.python import builtin_calls, operators
from jaxlint.flow.models.random import random_calls
from jaxlint.flow.models.random.unseen import note_handed_outside
from jaxlint.flow.models.traces import kept_traces
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries
from jaxlint.semantics.arrays import (
    ARRAY_FUNCTIONS,
    ARRAY_NAMESPACES,
    AS_MANY_AS_ARGUMENTS,
    BOOL_RESULTS,
    COMPUTED_TREES,
    EFFECT_FUNCTIONS,
    FORWARDED_TREES,
    INT_RESULTS,
    NON_FLOAT_RESULTS,
    OF_SHAPE_ALONE,
    OF_THE_PLACE,
    PUT_ON_DEVICES,
    SEQUENCE_RESULTS,
    STATIC_ON_STATIC,
    STATIC_RESULTS,
)
from jaxlint.semantics.clocks import CLOCKS, COMPUTING, COMPUTING_LIGHTLY, WAITING, computes_with_jax
from jaxlint.semantics.collectives import AXIS_ARGUMENTS
from jaxlint.semantics.foreign import NUMPY_ONLY
from jaxlint.semantics.host import PICKED, STORED, effect_of
from jaxlint.semantics.host_libraries import (
    HOST_LIBRARIES,
    HOST_LIBRARY_EXCEPTIONS,
    NUMPY_ACCEPTS,
    NUMPY_SILENT_FALSE,
    NUMPY_STATIC,
)
from jaxlint.semantics.inplace import HOST_INPLACE, INPLACE_KEYWORD, OUT_ARGUMENT, WITHOUT_OUT
from jaxlint.semantics.libraries.flax import FREEZING
from jaxlint.semantics.libraries.haiku import OF_STATE
from jaxlint.semantics.low_precision import NUMPY_FLOATS
from jaxlint.semantics.model import Abstracts, Callback, HigherOrder, KeyEffect, Wrapper
from jaxlint.semantics.random import KEY_FUNCTIONS
from jaxlint.semantics.sending import NARROW, SHARING, WRITING_FIRST
from jaxlint.semantics.starting import FORKING, FORKING_BY_DEFAULT
from jaxlint.semantics.static_arguments import PYTHON_ARGUMENTS, STATIC_ARGUMENTS, StaticArgument
from jaxlint.semantics.there import THERE
from jaxlint.semantics.transforms import CALLBACKS, HIGHER_ORDER, WRAPPERS
from jaxlint.semantics.value_dependence import DATA_DEPENDENT, TAKING_NUMBERS, DataDependent

TRANSFORM_TABLE: dict[str, Wrapper] = {**libraries.WRAPPERS, **WRAPPERS}
HIGHER_ORDER_TABLE: dict[str, HigherOrder] = {**libraries.HIGHER_ORDER, **HIGHER_ORDER}
CALLBACK_TABLE: dict[str, Callback] = {**libraries.CALLBACKS, **CALLBACKS}
TREE_FUNCTIONS = FORWARDED_TREES | COMPUTED_TREES | PUT_ON_DEVICES


def call_known(it: Interpreter, function: External, args: Arguments, node: ast.AST) -> Value:
    """Dispatch on the qualified name, the most specific knowledge first."""
    name = function.name
    _note_time(it, name, args, node)
    started.note_function(it, name, node)
    for rule in STATIC_ARGUMENTS.get(name) or PYTHON_ARGUMENTS.get(name, ()):
        check_static(it, rule, name, args, node)
    check_logits(it, name, args, node)
    wrapper = TRANSFORM_TABLE.get(name)
    if wrapper is not None:
        return transforms.make(it, name, wrapper, args, node)
    operation = HIGHER_ORDER_TABLE.get(name)
    if operation is not None:
        _use_keys(it, name, args, node)
        return higher_order.call_higher_order(it, name, operation, args, node)
    callback = CALLBACK_TABLE.get(name)
    if callback is not None:
        return higher_order.call_callback(it, name, callback, args, node)
    package, _, short = name.rpartition(".")
    if package in ARRAY_NAMESPACES and name not in STATIC_RESULTS:
        dtypes.check_function(it, name, args, node)
    if package == "jax.random" or (package in ARRAY_NAMESPACES and name not in STATIC_RESULTS):
        for value in args.values():
            arrays.check_counted(it, value)
    if package == "jax.random" and short in KEY_FUNCTIONS:
        return random_calls.call_random(it, short, KEY_FUNCTIONS[short], args, node)
    if package == "builtins":
        return builtin_calls.call_builtin(it, short, args, node)
    if name in SHARING:
        buffers.note_sent(it, name, args.positional[:1], node, shared=True)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(it, name, args, node)
    root = name.partition(".")[0]
    if root == "jax":
        return _call_jax(it, name, package, args, node)
    check_written(it, name, args, node)
    if root == "numpy":
        return _call_numpy(it, name, args, node)
    return _call_library(it, name, root, args, node)


_CONVERTING = frozenset("builtins.float builtins.int builtins.bool numpy.asarray numpy.array".split())


def _note_time(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """What the call means for work that is going on."""
    if name in _CONVERTING and args.positional:
        waits.check(it, args.positional[0], it.work_begun, node, name.removeprefix("builtins."))
    if name in WAITING or (name.startswith("jax.tree") and any(map(_asks_for_values, args.positional))):
        clocks.wait(it)
    elif _needs_values(name):
        clocks.wait_for(it, args.values())
    elif name in COMPUTING:
        clocks.begin(it, name, node)
    elif name in COMPUTING_LIGHTLY:
        values = [part for value in args.positional for part in _flattened(it, value)]
        if any(isinstance(value, Array) and not value.declared for value in values):
            clocks.begin(it, name, node, light=True)


def _asks_for_values(function: Value) -> bool:
    return isinstance(function, External) and _needs_values(function.name)


def _needs_values(name: str) -> bool:
    """Whether a function that is no builtin computes on the host."""
    return name in WAITING or not (computes_with_jax(name) or name.startswith(("builtins.", "functools.", "operator.")))


# -- jax ------------------------------------------------------------------------------------------------------

_COPYING = frozenset(("jax.numpy.array", "jax.numpy.asarray", "jax.numpy.copy"))
_KEY_STACKING = frozenset(
    (
        "jax.lax.concatenate",
        "jax.numpy.stack",
        "jax.numpy.concatenate",
        "jax.numpy.array",
        "jax.numpy.asarray",
        "jax.numpy.vstack",
    )
)
_OTHER_OBJECTS = frozenset(("jax.ensure_compile_time_eval", "jax.disable_jit", "jax.P"))
_EXTERNAL_OBJECTS = ("jax.nn.initializers.", "jax.sharding.", "jax.experimental.", "jax.profiler.", "jax.debug.")


def _call_jax(it: Interpreter, name: str, package: str, args: Arguments, node: ast.AST) -> Value:
    first = args.positional[0] if args.positional else None
    if name in AXIS_ARGUMENTS:
        named_axes.check_axis(it, name, args, node)
    mapped_trees.check_one_leaf(it, name, args, node)
    sharded_calls.check_sharding(it, name, args, node)
    if name in _COPYING and isinstance(first, (Key, Opaque, Tree)) and keys.is_known_key(first):
        return first
    if name in _RESHAPING and first is not None and keys.is_known_key(first):
        return reshaped_key(first, name)
    if package.startswith("jax.numpy") and name.split(".")[2] in NUMPY_ONLY:
        return Static("")  # there is no such function, and what NumPy's gives is no key
    if name == "jax.make_mesh":
        return ExternalInstance(name, tuple(args.positional), args.named, it.ctx)
    if name == "jax.ShapeDtypeStruct":
        told = Static("")
        it.state.write(told)[TOLD_SHAPE] = args.get(0, "shape") or NONE
        return told
    if name in STATIC_RESULTS:
        known = results.size_of(results.aval_of(first), name.rpartition(".")[2]) if package == "jax.numpy" else None
        if known is not None and len(args.values()) == 1:
            return known
        return Static(
            "shape" if name.endswith("shape") else "int" if name.endswith((".ndim", ".size", "count")) else ""
        )
    if name in STATIC_ON_STATIC and isinstance(first, (Const, Static)):
        return Static("int")
    if first is not None and name in TREE_FUNCTIONS:
        return pytrees.of_each_leaf(it, name, first, node)
    if package in ARRAY_NAMESPACES or name in ARRAY_FUNCTIONS:
        return _call_array_function(it, name, args, node)
    if name.startswith(("jax.tree.", "jax.tree_util.")) or name in ("jax.tree_leaves", "jax.tree_flatten"):
        return _call_tree(it, name, args, node)
    if name.startswith(_EXTERNAL_OBJECTS) or name in _OTHER_OBJECTS:
        return ExternalInstance(name, tuple(args.positional), args.named, it.ctx)
    if name == "jax.device_get":
        return _device_get(it, args)
    return Opaque("a result")


_RESHAPING = frozenset(
    f"jax.{module}.{name}"
    for module in ("lax", "numpy")
    for name in "squeeze reshape expand_dims broadcast broadcast_in_dim broadcast_to ravel transpose rev flip "
    "tile repeat atleast_1d atleast_2d".split()
) | {"jax.device_put_replicated"}


_RETURNING_ARGUMENTS = _RESHAPING | frozenset(
    "jax.lax.convert_element_type jax.lax.stop_gradient jax.lax.with_sharding_constraint jax.numpy.astype "
    "jax.numpy.moveaxis jax.numpy.permute_dims jax.numpy.real jax.numpy.swapaxes jax.numpy.trim_zeros".split()
)
"""What may give back the very object that it is given."""


def reshaped_key(value: Value, name: str) -> Value:
    """The same key (or keys) in another shape; of an array of one key `squeeze` and `reshape` can make a single key."""
    if isinstance(value, Key):
        ranked = name.rpartition(".")[2] not in ("squeeze", "reshape")
        return Key(value.ident, True, None, value.level, value.provenance, value.typed, ANY_RANK.value, ranked)
    ident = keys.key_of(value)
    return Opaque("a reshaped key", key=ident)


def _device_get(it: Interpreter, args: Arguments) -> Value:
    value = args.positional[0] if args.positional else Opaque()
    if isinstance(value, Array) and value.level == CONCRETE:
        return HostArray(readonly=True, birth=it.ctx, text="the result of `jax.device_get`")
    return value if value.level else Opaque("host data")


def _call_tree(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    tree = args.positional[0] if args.positional else Opaque()
    registered_classes.check_call(it, name, args, node)
    if name in classes.REGISTERING:
        return tree
    if name.endswith(("leaves", "tree_leaves")):
        leaves = flattening.leaves(it, tree)
        if leaves is not None:
            return leaves
        if len(args.positional) + len(args.named) == 1 and _has_no_leaves(it, tree):
            return Tuple(())  # a list that stays empty, so that asking for its truth is answered
    if name.endswith(("structure", "all")):
        return Static("", of_shape=True)
    if name.endswith("unflatten"):
        return flattening.put_together(it, args.get(0, "treedef") or tree, args.get(1, "leaves") or Opaque())
    if name.endswith("flatten"):
        return flattening.flattened(it, tree, node, is_partly=len(args.values()) > 1)
    return Opaque("a tree")


def _computed_with(name: str, args: Arguments) -> list[Value]:
    """The arguments that the result comes of: not one of which only the shape is asked for."""
    shaped = args.get(0, OF_SHAPE_ALONE[name]) if name in OF_SHAPE_ALONE else None
    values = list(args.values())
    if shaped is not None:
        values[values.index(shaped)] = Opaque("a shape")
    return values


def _has_no_leaves(it: Interpreter, tree: Value) -> bool:
    """Whether a tree is known to hold nothing: None, an empty container, or tuples of as much."""
    if isinstance(tree, Const):
        return tree.value is None
    if isinstance(tree, Tuple):
        return all(_has_no_leaves(it, item) for item in tree.items)
    return isinstance(tree, Container) and known_items(it, tree, KNOWN_ITEMS.value) == []


def _call_array_function(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """A function of jax.numpy, jax.lax, jax.nn or jax.scipy."""
    if listed.check_call(it, name, args, node):
        return Opaque("a call that fails")
    foreign.check_keywords(it, name, args, node)
    bounds.check_call(it, name, args, node)
    strict.check_call(it, name, args, node)
    permuted.check_call(it, name, args, node)
    widths.check_call(it, name, args, node)
    wrapped.check_call(it, name, args, node)
    low_precision.check_call(it, name, args, node)
    _check_data_dependent(it, name, args, node)
    _check_out(it, name, args, node)
    stacked = _stacked_keys(it, name, args, node)
    if stacked is not None:
        return stacked
    values = [part for value in _computed_with(name, args) for part in _flattened(it, value)]
    is_copy = name not in INPLACE_KEYWORD or truth_of(it, args.named.get("inplace", TRUE)) is False
    if name in THERE and is_copy:
        it.last_pure_call = (node, name)
    is_int = name in INT_RESULTS or name in OF_THE_PLACE
    kind = "bool" if name in BOOL_RESULTS else "int" if is_int else _dtype_kind(args)
    if name in EFFECT_FUNCTIONS:
        it.last_pure_call = None
        return NONE
    if name in _COPYING and args.positional and isinstance(args.positional[0], (Opaque, Tree)):
        # An unknown value may turn out to be a key: then the copy is that key.
        copied = arrays.combine(it, values, kind, aval=results.of_call(it, name, args))
        if isinstance(copied, Array):
            copied._key = args.positional[0].key
        return copied
    stops, computed = name in NON_FLOAT_RESULTS, name not in _RETURNING_ARGUMENTS
    result = arrays.combine(it, values, kind, stops, _ndim(it, name, args), computed, results.of_call(it, name, args))
    slopes.note_call(it, result, name, slopes.parts_of(name, args), node)
    if isinstance(result, Array):
        if name in OF_THE_PLACE:
            result.of_statics = False
            if it.ctx.mapped and not it.ctx.concrete:  # it is another number in each lane
                result.level, result.provenance = ABSTRACT, it.ctx.provenance
        result.beyond = results.held_by(it, name, args)
    unset.note_made(it, result, name)
    slopes.note_zeros(result, name)
    many = _gives_many(it, name, args)
    if many is None:
        tracer = result if isinstance(result, Array) and is_tracer(result) else None
        return Opaque("a result", derived=tracer.provenance if tracer is not None else None)
    if many:
        return containers.make(it, "list", None, [result])
    if name == "jax.numpy.where" and len(args.positional) == 3 and not kind and isinstance(result, Array):
        kinds = {v.kind if isinstance(v, Array) else "" for v in args.positional[1:]}
        result.kind = kinds.pop() if len(kinds) == 1 else ""
    return result


def _gives_many(it: Interpreter, name: str, args: Arguments) -> bool | None:
    """Whether a function gives a list of arrays, and not one; None if that depends on what is not known."""
    if name in AS_MANY_AS_ARGUMENTS:
        return len(args.positional) != 1 or args.open_ended or args.rest is not None
    if name != "jax.numpy.gradient":
        return name in SEQUENCE_RESULTS
    axis = args.named.get("axis")  # an array for each axis, and the array alone for one
    axes = known_items(it, axis, KNOWN_ITEMS.value) if isinstance(axis, (Tuple, Container)) else None
    if axes is not None:
        return len(axes) != 1
    if isinstance(axis, Const) and axis.value is not None:
        return False
    given = args.positional[0] if args.positional and not args.open_ended else None
    if axis is not None or not isinstance(given, Array) or given.ndim is None:
        return None
    return given.ndim != 1


def _flattened(it: Interpreter, value: Value, depth: int = 0) -> list[Value]:
    """The arrays among an argument's parts: jnp.stack([x, y])."""
    if depth > STACKED_DEPTH.value:
        return [value]
    if isinstance(value, Tuple):
        return [part for item in value.items for part in _flattened(it, item, depth + 1)] or [value]
    if isinstance(value, Container):
        parts = [part for item in it.state.read(value).values() for part in _flattened(it, item, depth + 1)]
        return parts or [Const(0)]
    if isinstance(value, Union):
        levels = {option.level for option in value.options}
        return list(value.options) if len(levels) == 1 else [Opaque()]
    return [value]


def _stacked_keys(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value | None:
    if name not in _KEY_STACKING or not args.positional:
        return None
    items = known_items(it, args.positional[0], KNOWN_ITEMS.value)
    if not items or not all(isinstance(item, Key) for item in items):
        return None
    for item in items:
        if isinstance(item, Key):
            keys.consume(it, item.ident, keys.DRAW, node, name)
    return keys.fresh(it, "stacked keys", node, batch=True, size=len(items))


_BOOL_DTYPES = frozenset(("builtins.bool", "jax.numpy.bool_", "jax.numpy.bool", "numpy.bool_", "numpy.bool"))
_INT_DTYPES = frozenset(
    ("builtins.int", *(f"{m}.{k}{b}" for m in ("jax.numpy", "numpy") for k in ("int", "uint") for b in (8, 16, 32, 64)))
)


def dtype_kind(value: Value | None) -> str:
    if isinstance(value, External):
        return "bool" if value.name in _BOOL_DTYPES else "int" if value.name in _INT_DTYPES else "float"
    if isinstance(value, Const) and isinstance(value.value, str):
        return "bool" if value.value == "bool" else "int" if value.value.startswith(("int", "uint")) else "float"
    return ""


def _dtype_kind(args: Arguments) -> str:
    return dtype_kind(args.named.get("dtype"))


_SHAPED = frozenset(f"jax.numpy.{name}" for name in ("zeros", "ones", "empty", "full"))
_REDUCTIONS = frozenset(
    f"jax.numpy.{name}" for name in "sum mean max min prod any all std var median argmax argmin".split()
)


def _ndim(it: Interpreter, name: str, args: Arguments) -> int | None:
    first = args.positional[0] if args.positional else args.named.get("shape")
    if name in _SHAPED:
        if isinstance(first, Const) and isinstance(first.value, int):
            return 1
        return len(first.items) if isinstance(first, Tuple) else None
    if name in _REDUCTIONS and len(args.positional) == 1 and not args.named.keys() & {"axis", "keepdims"}:
        return 0
    if name in ("jax.numpy.arange", "jax.numpy.linspace"):
        return 1
    if name in ("jax.numpy.array", "jax.numpy.asarray") and first is not None:
        items = known_items(it, first, KNOWN_ITEMS.value)
        if items and all(isinstance(item, Const) and isinstance(item.value, (int, float)) for item in items):
            return 1
        if isinstance(first, Const):
            return 0
    return None


def _check_data_dependent(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    rule = DATA_DEPENDENT.get(name)
    if rule is None or args.open_ended:
        return
    value = args.get(*rule.values)
    check_sized_by_values(it, rule, name, value, args, node)


def check_sized_by_values(
    it: Interpreter, rule: DataDependent, name: str, value: Value | None, args: Arguments, node: ast.AST
) -> None:
    """jnp.nonzero(x) and the like: the result's shape depends on a tracer's values."""
    if rule.only_with_args is not None and len(args.positional) + len(args.named) != rule.only_with_args:
        return
    if any(args.get(position, keyword) is not None for keyword, position in rule.sized_by):
        return
    if rule.unless is not None:
        unless = args.named.get(rule.unless[0])
        if unless is not None and not (isinstance(unless, Const) and unless.value != rule.unless[1]):
            return
    is_sure = (
        getattr(value, "sure", True) or name not in TAKING_NUMBERS
    )  # no static field holds an array: it has no hash
    if isinstance(value, (Array, Tree)) and value.level == ABSTRACT and is_sure:
        needs = rule.sized_by[0][0] if rule.sized_by else (rule.unless[0] if rule.unless else "")
        it.emit(events.DataDependentShape(node, value, name, needs))


def check_static(it: Interpreter, rule: StaticArgument, name: str, args: Arguments, node: ast.AST) -> None:
    """An argument that JAX needs to know while it traces."""
    if rule.starts_varargs and rule.position is not None:
        values = args.positional[rule.position :] + ([args.named[rule.keyword]] if rule.keyword in args.named else [])
    else:
        value = args.get(rule.position, rule.keyword)
        if args.may_lack(rule.position, rule.keyword):
            return
        values = [] if value is None else [value]
    for value in values:
        if rule.is_size:
            whole.check_size(it, name, rule.keyword, value, node)
            whole.check_in_parts(it, name, args, node)
        for part in _flattened(it, value):
            if isinstance(part, (Array, Tree)) and part.level == ABSTRACT and getattr(part, "sure", True):
                if rule.scalar_only and not (isinstance(part, Array) and part.ndim == 0):
                    continue
                emitted = it.emit(events.TracedStaticArgument(node, part, name, rule.keyword, rule.error))
                if emitted and part.provenance is not None and not getattr(part, "of_statics", False):
                    it.state.guards |= {has_to_be_static(part.provenance)}
                return


def _check_out(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    outcome = OUT_ARGUMENT.get(name) or ("TypeError" if name in WITHOUT_OUT else None)
    out = args.named.get("out")
    buffers.check_written(it, out, node)
    if name in WRITING_FIRST and args.positional:
        buffers.check_written(it, args.positional[0], node)
    if outcome is not None and out is not None and not (isinstance(out, Const) and out.value is None):
        it.emit(events.OutArgument(node, name, outcome))
    outcome = INPLACE_KEYWORD.get(name)
    if outcome is not None:
        inplace = args.named.get("inplace")
        if inplace is None or (isinstance(inplace, Const) and inplace.value is True):
            it.emit(events.OutArgument(node, name, outcome))


# -- numpy ----------------------------------------------------------------------------------------------------

_VIEWS = frozenset(("numpy.asarray", "numpy.asanyarray"))


def _size_told(name: str, args: Arguments) -> Value:
    """np.shape(x), np.ndim(x), np.size(x): what an array of JAX tells of itself, too."""
    first, what = args.positional[0] if args.positional else None, name.rpartition(".")[2]
    is_alone = isinstance(first, Array) and len(args.values()) == 1
    known = results.size_of(results.aval_of(first), what) if is_alone else None
    if known is not None:
        return known
    read_off = (first, what) if isinstance(first, Array) and is_alone else None
    return Static("shape" if what.endswith("shape") else "int", of_shape=True, read_off=read_off)


def _call_numpy(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    if name.startswith("numpy.random."):
        return _call_numpy_random(it, name, args, node)
    values = [part for value in args.values() if not _is_dict(it, value) for part in _flattened(it, value)]
    tracer = next((v for v in values if isinstance(v, (Array, Tree)) and v.level and getattr(v, "sure", True)), None)
    if name in NUMPY_STATIC:
        return _size_told(name, args)
    if isinstance(args.named.get("out"), Array):
        it.emit(events.OutArgument(node, name, "TypeError"))
    if tracer is not None:
        if any(isinstance(value, Opaque) and value.of_host for value in values):
            return HostArray(birth=it.ctx)  # a check chooses NumPy for what is on the host: the tracer is elsewhere
        return _numpy_on_tracer(it, name, tracer, values, node)
    first = args.positional[0] if args.positional else None
    if name in _VIEWS and isinstance(first, Array) and len(args.positional) == 1 and "dtype" not in args.named:
        text = f"the result of `np.{name.rpartition('.')[2]}`"
        return HostArray(readonly=True, birth=it.ctx, text=text, no_scalar=True)
    if values and all(isinstance(value, (Const, Static)) for value in values) and name not in _ARRAY_MAKERS:
        of_shape = any(isinstance(value, Static) and value.of_shape for value in values)
        is_number = name in NUMPY_FLOATS and len(values) == 1 and low_precision.is_number_of_python(values[0])
        return Static(NUMPY_FLOAT if is_number else "", of_shape)
    dtype = args.get(_DTYPE_POSITIONS.get(name), "dtype")
    kind = kind_of_dtype(dtype)
    if kind == "object":
        return HostArray(kind="object", birth=it.ctx)
    if name.rpartition(".")[2].startswith(("is", "logical")):
        kind = "bool"
    elif name not in _OF_DTYPE:
        kind = ""
    shape = results.of_call(it, f"jax.{name}", args).shape
    return HostArray(kind=kind, birth=it.ctx, no_scalar=name in _ARRAY_MAKERS, narrow=is_narrow(dtype), shape=shape)


_DTYPE_POSITIONS = {
    **{f"numpy.{name}": 1 for name in "zeros ones empty array asarray zeros_like ones_like empty_like".split()},
    "numpy.full": 2,
    "numpy.full_like": 2,
}
_OF_DTYPE = frozenset(_DTYPE_POSITIONS)
"""What makes an array of the dtype that it is told."""


def is_narrow(dtype: Value | None) -> bool:
    """Whether it is a dtype that JAX takes as it is."""
    name = dtype.name if isinstance(dtype, External) else dtype.value if isinstance(dtype, Const) else None
    return isinstance(name, str) and name.rpartition(".")[2] in NARROW


def kind_of_dtype(dtype: Value | None) -> str:
    """What arrays of ``dtype`` hold: truth values, Python objects (tracers as well as any other), or what is not told
    apart."""
    name = dtype.name if isinstance(dtype, External) else dtype.value if isinstance(dtype, Const) else None
    return _KINDS.get(name, "") if isinstance(name, str) else ""


_KINDS = {
    **dict.fromkeys(("object", "O", "builtins.object", "numpy.object_"), "object"),
    **dict.fromkeys(("bool", "?", "builtins.bool", "numpy.bool", "numpy.bool_"), "bool"),
}


def _is_dict(it: Interpreter, value: Value) -> bool:
    """NumPy makes an array of one object of a dict, whatever is in it."""
    if isinstance(value, Tree):
        return evidence.used_as_mapping(it, value)
    return isinstance(value, Container) and value.kind == "dict"


_ARRAY_MAKERS = frozenset(
    f"numpy.{n}"
    for n in (
        "zeros ones empty full arange linspace logspace geomspace eye array asarray identity tri indices bartlett "
        "blackman hamming hanning kaiser"
    ).split()
)


def _numpy_on_tracer(it: Interpreter, name: str, tracer: Value, values: list[Value], node: ast.AST) -> Value:
    if name in NUMPY_ACCEPTS or (name.startswith("numpy.testing") and it.expected):
        return arrays.combine(it, values)
    it.emit(events.HostLibraryCall(node, tracer, name, silent=name in NUMPY_SILENT_FALSE))
    return Opaque("what NumPy would return")


def check_written(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """A function that writes into its first argument."""
    error = HOST_INPLACE.get(name, "TypeError" if name.startswith("numpy.") and name.endswith(".at") else "")
    if error and args.positional and isinstance(args.positional[0], Array):
        it.emit(events.OutArgument(node, name, error))


def _call_numpy_random(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    arrays.host_effect(it, name, args.values(), node)
    if name.rpartition(".")[2] in ("RandomState", "default_rng", "Generator"):
        return ExternalInstance(name, tuple(args.positional), args.named, it.ctx)
    return HostArray(birth=it.ctx, shape=results.of_draw(it, name.rpartition(".")[2], args))


# -- everything else ----------------------------------------------------------------------------------------------


def _call_library(it: Interpreter, name: str, root: str, args: Arguments, node: ast.AST) -> Value:
    if root == "operator":
        return operators.call_operator(it, name.removeprefix("operator."), args, node)
    _use_keys(it, name, args, node)
    needed.check(it, name, args, node)
    if root in ("flax", "haiku"):
        dtypes.check_function(it, name, args, node)
    if name in libraries.SAME_FUNCTIONS:
        return _same_function(it, name, args, node)
    given = args.get(*libraries.GIVEN_RESULTS[name]) if name in libraries.GIVEN_RESULTS else None
    if given is not None and not (isinstance(given, Const) and given.value is None):
        return given
    if name in libraries.TAKEN_APART:
        return _parts_of(it, name, args)
    whole = _whole_of(it, args) if name in libraries.MADE_WHOLE else None
    if whole is not None:
        return whole
    if name in libraries.STREAMS:
        return Stream(name)
    if name in libraries.RECORD_MAKERS:
        return make_record(it, name, args)
    if name in libraries.NAMED_TUPLES:
        return make_named_tuple(it, name, args)
    if root == "flax" and any(truth_of(it, args.named.get(kind, NONE)) for kind in ("hijax", "ref")):
        return Ref()  # a Variable that traced functions get as it is, and change for everyone
    if name in OF_STATE:
        module_asks.note(it, module_asks.STATE, name.rpartition(".")[2])
    if name in libraries.FRESH_KEYS:
        return fresh_key(it, name, node)
    if name in libraries.IMPLICIT_RNG:
        _check_implicit(it, name, node)
        return arrays.combine(it, [Array()])
    if name in libraries.STATIC_RESULTS:
        return Static("", made_if=libraries.MADE_IF.get(name))
    if name in libraries.ARRAY_RESULTS or f"{name.rpartition('.')[0]}.*" in libraries.ARRAY_RESULTS:
        return arrays.combine(it, args.values(), aval=results.of_call(it, name, args))
    if name in libraries.PURE_RESULTS:
        it.last_pure_call = (node, name)
        optimisers.check_applied(it, name, args, node)
        applied = optimisers.applied(it, name, args)
        if applied is not None:
            return applied
    if root in HOST_LIBRARIES and name not in HOST_LIBRARY_EXCEPTIONS:
        return call_on_host(it, name, args, node)
    if effect_of(name) is not None:
        arrays.host_effect(it, name, args.values(), node)
        if _gives_any_object(it, name, args):
            return Opaque("a result")
        return ExternalInstance(name, (), {}, it.ctx) if _makes_object(name) else Static("")
    if name in libraries.NEVER_KEYS:
        first = args.positional[0] if args.positional else None
        is_copy = isinstance(first, (Key, Opaque)) and name.endswith("replicate")
        return reshaped_key(first, name) if is_copy and first is not None else Opaque("a result")
    if name not in libraries.KEY_USES:
        note_handed_outside(it, args, node, name, (name,))
    for value in args.values():
        if isinstance(value, (Function, Transformed, Partial)):
            it.note_escape(value)
    optimiser = make_optimiser(it, name, args, node)
    if optimiser is not None:
        return optimiser
    if not (_makes_object(name) or it.has_methods(name)):
        return Opaque(FROZEN_DICT if name in FREEZING else "a result")
    check_without_key(it, name, args, node)
    check_without_state(it, name, args, node)
    unbound_modules.check_layer(it, name, node)
    if name.startswith("flax.linen."):
        module_names.check_made(it, node)
    named = args.named if name in module_asks.LAYERS and not args.open_ended else {}
    return ExternalInstance(name, tuple(args.positional[:4]), named, it.ctx)


def _gives_any_object(it: Interpreter, name: str, args: Arguments) -> bool:
    """Whether a function of the host may give an array of JAX: one that was stored, or that it is to choose from."""
    if name in PICKED:
        first = args.positional[0] if args.positional else Opaque()
        return not all(part.is_static for part in _flattened(it, first))
    return name in STORED


def _parts_of(it: Interpreter, name: str, args: Arguments) -> Value:
    """The parts of an object, two or one for each filter: one tells its class, nothing is known of the others."""
    if args.open_ended:
        return Opaque("parts")
    parts: list[Value] = [Opaque("a part") for _ in range(max(2, len(args.values())))]
    owner = args.positional[0] if args.positional else None
    if isinstance(owner, Instance):
        parts[libraries.TAKEN_APART[name]] = ExternalInstance(name, (owner,), {}, it.ctx)
    return Tuple(tuple(parts))


def _whole_of(it: Interpreter, args: Arguments) -> Value | None:
    """An object like the one whose parts these are: of the same class, what it holds is not known."""
    for part in args.values():
        if isinstance(part, ExternalInstance) and part.made_by in libraries.TAKEN_APART:
            (owner,) = part.args
            return Instance(owner.cls, it.ctx, symbolic=True) if isinstance(owner, Instance) else None
    return None


def _same_function(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """A function that is called with the arguments of its caller, and with keys of its own if it is given some."""
    function = args.positional[0] if args.positional else next(iter(args.named.values()), None)
    if function is None or not isinstance(function, (Function, Partial, Transformed, External)):
        return Opaque("a function")
    if name in libraries.KEY_SCOPES:
        return Transformed(_SAME, name, function, {}, it.frame.scope, node)
    return Partial(function, (), {})


_SAME = Wrapper(Abstracts.NOTHING, stages=False)


def _use_keys(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """What a library's function does with the keys among its arguments."""
    use = libraries.KEY_USES.get(name)
    if use is None:
        return
    for position, keyword in use.arguments:
        value = args.get(position, keyword)
        if value is not None and use.effect is not KeyEffect.INSPECT:
            how = keys.of_library(use)
            if name not in libraries.STREAMS or keys.is_known_key(value):
                random_calls.draw_from(it, value, node, name, how, args)
            if use.noise:
                random_calls.check_constants(it, value, node, args)


def _makes_object(name: str) -> bool:
    """A class, or a factory whose product has methods worth knowing."""
    short = name.rpartition(".")[2]
    return name in libraries.KEY_OWNERS or short[:1].isupper() or short in _FACTORIES


_FACTORIES = frozenset(
    "getLogger open signature transform transform_with_state multi_transform without_apply_rng init writer".split()
)


def fresh_key(it: Interpreter, name: str, node: ast.AST) -> Value:
    if not name.endswith("maybe_next_rng_key"):
        module_asks.note(it, module_asks.KEY, name.rpartition(".")[2])
    if name in libraries.IMPLICIT_RNG:
        _check_implicit(it, name, node)
    return keys.fresh(it, f"a key of `{name}`", node, batch=name.endswith("keys"))


def _check_implicit(it: Interpreter, name: str, node: ast.AST) -> None:
    """An ambient stream of keys inside a raw jax loop or vmap: the same key at each step."""
    if it.transform in ("jax.lax.scan", "jax.vmap", "jax.lax.map", "jax.lax.fori_loop", "jax.lax.while_loop"):
        it.emit(events.ImplicitRng(node, name))


def call_on_host(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """A function that computes on the host: it needs the values of its arguments."""
    for value in args.values():
        for part in _flattened(it, value):
            if isinstance(part, (Array, Tree)) and part.level and getattr(part, "sure", True):
                it.emit(events.HostLibraryCall(node, part, name))
                return Opaque("a number")
    if name.startswith("math."):
        is_whole = name.rpartition(".")[2] in ("ceil", "floor", "gcd", "prod", "isqrt", "lcm")
        return Static("int" if is_whole else "float", sure=True)
    return Opaque("a result")


# -- functions with a meaning of their own ---------------------------------------------------------------------------


def _partial(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """functools.partial; of a transform it is a transform with its options set."""
    if not args.positional:
        return Opaque("a partial")
    function, rest = args.positional[0], args.positional[1:]
    if isinstance(function, External):
        wrapper = TRANSFORM_TABLE.get(function.name)
        if wrapper is not None and not rest:
            return WrapperFactory(wrapper, function.name, transforms.options_of(wrapper, args))
    if isinstance(function, WrapperFactory):
        options = function.options | transforms.options_of(function.wrapper, args)
        return WrapperFactory(function.wrapper, function.name, options)
    if isinstance(function, (Opaque, Tree)):
        return Opaque("a partial")
    if values.layers(function) >= MAX_LAYERS.value:
        it.meets(MAX_LAYERS, node)
        return Opaque("a partial of many")
    return Partial(function, tuple(rest), dict(args.named), args.more_names)


def _replace(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    it.last_pure_call = (node, name)
    if not args.positional:
        return Opaque("a record")
    return replaced(it, args.positional[0], args)


def _debug_print(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    check_debug_print(it, args, node)
    return NONE


def _wraps(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return External("functools.wraps")


def _cache(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """lru_cache(maxsize=…) is a decorator; lru_cache(f) is f with a cache."""
    function = args.positional[0] if args.positional else Const(None)
    if isinstance(function, Function):
        cached = copy(function)
        cached.cached = True
        return cached
    return External(name) if isinstance(function, (Const, Static)) else function


def _clock(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    arrays.host_effect(it, name, args.values(), node)
    return clocks.look(it, node)


def _timeit(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """timeit.timeit(f): nothing waits for what the last call has begun."""
    function = args.get(0, "stmt")
    if isinstance(function, (Function, Partial, Transformed)):
        clocks.time_calls(it, function, node)
    return _call_library(it, name, "timeit", args, node)


def _counter(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """itertools.count()"""
    return Iterator(Static(""), "counter", it.ctx)


def _cycle(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """itertools.cycle(xs)"""
    source = args.positional[0] if args.positional else Opaque()
    return Iterator(Opaque("an element"), "iterator", it.ctx, Tuple((source,)))


def _repeat(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """itertools.repeat(x) and itertools.repeat(x, times): the very same object each time."""
    value, times = args.get(0, "object"), args.get(1, "times")
    if value is None:
        return _call_library(it, name, "itertools", args, node)
    return Iterator(value, "repeat", it.ctx, None if times is None else Tuple((times,)))


def _islice(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """itertools.islice(xs, n): those of xs that are known, or any that a generator gives."""
    source, *bounds = args.positional or (Opaque(),)
    if isinstance(source, Stream):
        return source
    if isinstance(source, Iterator) and source.kind == "generator":
        return Iterator(source.element, "generator", source.birth)
    items = known_items(it, source, KNOWN_ITEMS.value)
    if items is not None and bounds and all(isinstance(bound, Const) for bound in bounds):
        with contextlib.suppress(TypeError, ValueError):  # no numbers, or negative ones
            taken = tuple(itertools.islice(items, *(bound.value for bound in bounds if isinstance(bound, Const))))
            return Iterator(Opaque("an element"), "view", it.ctx, Tuple((Tuple(taken),)))
    return _call_library(it, name, "itertools", args, node)


def _filtered(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return builtin_calls.filtered(it, name.rpartition(".")[2], args, node)


def _from_host(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """A jax array of what the host has, whatever that is."""
    return arrays.combine(it, [Array()])


def _loaded(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """jnp.load(file): an array of an `.npy`; of an `.npz` NumPy's file of several, as it is."""
    file = args.get(0, "file")
    is_one = isinstance(file, Const) and isinstance(file.value, str) and file.value.endswith(".npy")
    return _from_host(it, name, args, node) if is_one else Opaque("what a file holds")


def _new_ref(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return Ref()


def _is_concrete(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    value = args.positional[0] if args.positional else Opaque()
    return FALSE if is_tracer(value) else Static("bool", concrete_if=True)


def _is_outside_traces(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return FALSE if it.ctx.staging and not it.ctx.concrete else Static("bool", concrete_if=True)


def _dtype(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return dtypes.made_dtype(args)


def _named_tuple(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    return ExternalInstance(name, tuple(args.positional), args.named, it.ctx)


def _reduce(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """functools.reduce(f, xs): one step of the fold."""
    if len(args.positional) < 2:
        return Opaque("a result")
    element = iterate(it, args.positional[1], node)
    start = args.positional[2] if len(args.positional) > 2 else element
    return it.call(args.positional[0], Arguments([start, element]), node)


def _set_variable(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """os.environ.setdefault(name, value), os.putenv(name, value)"""
    settings.check_variables(it, [getattr(value, "value", None) for value in args.positional[:1]], node)
    return _call_library(it, name, "os", args, node)


def _set_variables(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """os.environ.update({name: value}, name=value)"""
    fields = known_fields(it, args.positional[0]) if args.positional else None
    settings.check_variables(it, [*(fields or ()), *args.named], node)
    return _call_library(it, name, "os", args, node)


def _update_setting(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    settings.check_option(it, getattr(args.get(0, "name"), "value", None), node)
    settings.check_update(it, args.get(0, "name"), args.get(1, "val"), node)
    started.check_setting(it, getattr(args.get(0, "name"), "value", None), node)
    return _call_jax(it, name, "jax.config", args, node)


def _write_json(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    json_writes.check_written(it, name, args, node)
    return _call_library(it, name, "json", args, node)


def _join_processes(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """jax.distributed.initialize()"""
    started.check_setting(it, name, node)
    return _call_jax(it, name, "jax.distributed", args, node)


def _fork(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """os.fork(), multiprocessing.Pool()"""
    started.check_fork(it, External(name), args.named, node)
    return _call_library(it, name, name.partition(".")[0], args, node)


def _context_of_processes(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """multiprocessing.get_context("fork")"""
    method = args.get(0, "method")
    if isinstance(method, Const) and method.value == "fork":
        return External("multiprocessing.context.ForkContext")
    return _call_library(it, name, "multiprocessing", args, node)


def _clear_caches(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """jax.clear_caches()"""
    kept_traces.forget(it)
    return NONE


def _set_anyway(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """object.__setattr__(state, "step", value), which no class refuses"""
    if len(args.positional) == 3:
        set_attribute(it, *args.positional)
    return NONE


_Special = Callable[["Interpreter", str, "Arguments", ast.AST], Value]
_SPECIAL: dict[str, _Special] = {
    "builtins.object.__setattr__": _set_anyway,
    "functools.partial": _partial,
    "jax.tree_util.Partial": _partial,
    "jax.util.partial": _partial,
    "functools.wraps": _wraps,
    "functools.lru_cache": _cache,
    "functools.cache": _cache,
    "functools.reduce": _reduce,
    **dict.fromkeys(CLOCKS, _clock),
    "timeit.timeit": _timeit,
    "timeit.repeat": _timeit,
    "timeit.Timer": _timeit,
    "itertools.count": _counter,
    "itertools.cycle": _cycle,
    "itertools.islice": _islice,
    "itertools.repeat": _repeat,
    **dict.fromkeys(("itertools.dropwhile", "itertools.filterfalse", "itertools.takewhile"), _filtered),
    "dataclasses.replace": _replace,
    "copy.replace": _replace,
    "copy.copy": call_copy,
    "copy.deepcopy": call_copy,
    "jax.debug.print": _debug_print,
    "jax.make_array_from_process_local_data": _from_host,
    "jax.numpy.load": _loaded,
    "jax.new_ref": _new_ref,
    "jax.experimental.mutable_array": _new_ref,
    "jax.array_ref": _new_ref,
    "jax.core.is_concrete": _is_concrete,
    "jax.core.trace_state_clean": _is_outside_traces,
    "os.environ.setdefault": _set_variable,
    "os.putenv": _set_variable,
    "os.environ.update": _set_variables,
    "jax.config.update": _update_setting,
    "jax.clear_caches": _clear_caches,
    "jax.distributed.initialize": _join_processes,
    **dict.fromkeys(FORKING | FORKING_BY_DEFAULT, _fork),
    "multiprocessing.get_context": _context_of_processes,
    "numpy.dtype": _dtype,
    "jax.numpy.dtype": _dtype,
    "collections.namedtuple": _named_tuple,
    **collected.BY_NAME,
    "json.dump": _write_json,
    "json.dumps": _write_json,
}
