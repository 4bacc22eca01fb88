"""Methods of the values that the interpreter models itself: arrays, containers, keys, library objects."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments, callee_text
from jaxlint.flow.domain.asked import names_of
from jaxlint.flow.domain.avals import UNKNOWN
from jaxlint.flow.domain.slots import slot_of_call
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
    NONE,
    Array,
    At,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    Method,
    Opaque,
    Partial,
    Ref,
    Static,
    Stream,
    Super,
    Transformed,
    Tree,
    Tuple,
    Value,
    held,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import (
    arrays,
    dtypes,
    formatted,
    handed_back,
    permuted,
    repeated,
    results,
    slopes,
    unset,
    widths,
    wrapped,
)
from jaxlint.flow.models.jax import (
    derivative_calls,
    lifted_rngs,
    module_asks,
    module_names,
    optimiser_calls,
    unbound_modules,
)
from jaxlint.flow.models.jax.applied_modules import OF_APPLY, drawn_from, run_applied, run_pure
from jaxlint.flow.models.jax.derivative_rules import note_rules
from jaxlint.flow.models.jax.module_calls import has_parameters, note_module_call
from jaxlint.flow.models.jax.schedules import is_optimiser, only_computes, run_schedules
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import buffers, clocks, foreign
from jaxlint.flow.models.objects import classes, containers
from jaxlint.flow.models.objects.derived_containers import contents_of
from jaxlint.flow.models.objects.iteration import is_callable, iterate, join_all, join_all_exact, known_items
from jaxlint.flow.models.objects.library_records import names_in
from jaxlint.flow.models.objects.record_copies import replaced
from jaxlint.flow.models.objects.unknown_copies import is_written_by_program
from jaxlint.flow.models.objects.unnamed_attributes import set_attribute
from jaxlint.flow.models.outside import externals, needed
from jaxlint.flow.models.outside.row_calls import call_row
from jaxlint.flow.models.python.attributes import is_of_jax
from jaxlint.flow.models.python.items import get_item, store_item
from jaxlint.flow.models.random import keyless_dropout, random_calls, streams
from jaxlint.flow.models.random.ambient_draws import may_draw
from jaxlint.flow.models.random.constant_parameters import makes_constants
from jaxlint.flow.models.random.module_draws import asks_for_no_key
from jaxlint.flow.models.random.unseen import call_unseen, note_handed, note_handed_outside
from jaxlint.flow.models.traces import kept_traces, variables
from jaxlint.flow.models.traces.outer_writes import argument_mutated, outlives
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted
from jaxlint.semantics import libraries
from jaxlint.semantics.array_members import (
    ARRAY_METHODS,
    AT_METHODS,
    AT_UPDATES,
    BOOL_METHODS,
    CONCRETIZING_METHODS,
    INT_METHODS,
    NON_FLOAT_METHODS,
    UNAVAILABLE_ATTRIBUTES,
)
from jaxlint.semantics.clocks import WAITING_FOR_OTHERS, computes_with_jax
from jaxlint.semantics.host import METHOD_EFFECTS, NUMPY_GENERATORS, NUMPY_RANDOM_METHODS
from jaxlint.semantics.inplace import INPLACE_METHODS
from jaxlint.semantics.model import KeyEffect
from jaxlint.semantics.random import INITIALIZERS, KEY_FUNCTIONS
from jaxlint.semantics.sending import WRITING
from jaxlint.semantics.static_arguments import STATIC_METHOD_ARGUMENTS
from jaxlint.semantics.value_dependence import DATA_DEPENDENT_METHODS


def call_method(it: Interpreter, method: Method, args: Arguments, node: ast.AST) -> Value:
    if method.name == "block_until_ready":
        clocks.wait(it)  # what has no such method raises
    handler = _RECEIVERS.get(type(method.receiver))
    if handler is None:
        return Opaque("the result of a method")
    return handler(it, method.receiver, method.name, args, node)


# -- arrays -----------------------------------------------------------------------------------------------------


def _on_array(it: Interpreter, owner: Array, name: str, args: Arguments, node: ast.AST) -> Value:
    if name in CONCRETIZING_METHODS:
        return arrays.convert(it, owner, node, f".{name}({'…' if args.values() else ''})")
    if name in INPLACE_METHODS and name != "sort":
        it.emit(events.InplaceMethod(node, owner, name, INPLACE_METHODS[name]))
        return NONE
    if name in UNAVAILABLE_ATTRIBUTES:
        return owner if name == "block_until_ready" else Opaque(name)
    rule = DATA_DEPENDENT_METHODS.get(name)
    if rule is not None:
        value: Value | None = args.get(*rule.values) if name == "repeat" else owner
        externals.check_sized_by_values(it, rule, f"x.{name}", value, args, node)
    for static in STATIC_METHOD_ARGUMENTS.get(name, ()):
        externals.check_static(it, static, f"x.{name}", args, node)
    if name not in ARRAY_METHODS:
        return Opaque(name)
    dtypes.check_method(it, name, args, node, owner.declared)
    if owner.aval.kind and not owner.declared:
        foreign.check_keywords(it, f"x.{name}", args, node)
    if name == "transpose":
        permuted.check_method(it, owner, args, node)
    elif name == "clip":
        wrapped.check_clip(it, owner, args, node)
    elif name == "view" and not owner.declared and isinstance(node, ast.Call) and is_of_jax(it, owner, node.func):
        foreign.check_view(it, args, node)
    it.last_pure_call = (node, f".{name}()")
    kind = "bool" if name in BOOL_METHODS else "int" if name in INT_METHODS else owner.kind
    if kind == "bool":
        kind = _OF_BOOLEANS.get(name, kind)
    if name == "astype":
        kind = externals.dtype_kind(args.positional[0] if args.positional else args.named.get("dtype"))
    reduces = name in ("sum", "mean", "max", "min", "prod", "all", "any", "std", "var", "argmax", "argmin")
    ndim = 0 if reduces and not args.positional and not args.named.keys() & {"axis", "keepdims"} else None
    aval = results.of_call(it, f"jax.numpy.{name}", replace(args, positional=[owner, *args.positional]))
    stops = name in NON_FLOAT_METHODS
    result = arrays.combine(it, [owner, *args.values()], kind, grad_stops=stops, ndim=ndim, aval=aval)
    if isinstance(result, Array):
        result.declared = owner.declared
        slopes.note_call(it, result, name, [owner, *slopes.parts_of(name, args)], node)
    return result


# What these methods make of booleans, where others keep them.
_OF_BOOLEANS = {
    **dict.fromkeys(("sum", "prod", "cumsum", "cumprod", "trace"), "int"),
    **dict.fromkeys(("mean", "std", "var"), "float"),
    "dot": "",
}


def _on_tree(it: Interpreter, owner: Tree, name: str, args: Arguments, node: ast.AST) -> Value:
    """A method that dicts, lists and records have; the argument is one of them."""
    if name in ("items", "keys", "values"):
        return _tree_view(owner, name, it)
    if name in ("replace", "_replace"):
        is_own = name == "replace" and it.ask_program(is_written_by_program, name)
        if args.named and not args.positional and not is_own:
            it.last_pure_call = (node, f".{name}()")
        return replaced(it, owner, args)
    if name == "update" and not (isinstance(it.statement, ast.Expr) and it.statement.value is node):
        return Opaque("an updated record")
    if name in ("append", "extend", "insert", "update", "setdefault", "pop"):
        stored = args.positional[-1] if args.positional else None
        removed = args.positional[0] if name == "pop" and args.positional else None
        change = events.Change("called", name=name)
        if isinstance(removed, Const) and isinstance(removed.value, str):
            change = events.Change("removed", "item", repr(removed.value))
        argument_mutated(it, owner, change, stored, node)
        return _like_default(owner.part(("pop", node), sure=False), args) if name in ("pop", "setdefault") else NONE
    if name == "get" and args.positional:
        return _like_default(get_item(it, owner, args.positional[0], node, quiet=True), args)
    if name == "copy":
        return owner.renamed("", owner.key)
    return Static("int")


def _like_default(found: Value, args: Arguments) -> Value:
    """What ``batch.get("extra", {})`` finds is a dict, as the default is."""
    holds = containers.held_by_default(args)
    if not isinstance(found, Tree) or found.holds or found.array_like:
        return found
    return found.declared_to_hold(holds)


def _tree_view(owner: Tree, name: str, it: Interpreter) -> Value:
    leaf = owner.element()
    if name == "keys":
        return Iterator(Static("str"), "view", it.ctx)
    if name == "values":
        return Iterator(leaf, "view", it.ctx)
    return Iterator(Tuple((Static("str"), leaf)), "view", it.ctx)


def _on_at(it: Interpreter, owner: At, name: str, args: Arguments, node: ast.AST) -> Value:
    if isinstance(owner.array, Ref):
        return Opaque("a reference")
    if owner.index is None or name not in AT_METHODS:
        if owner.index is not None:
            it.emit(events.InplaceMethod(node, owner.array, f"at[…].{name}", "AttributeError"))
        return Opaque("a result")
    if name in AT_UPDATES:
        it.last_pure_call = (node, f".at[…].{name}()")
        widths.check_update(it, owner.array, name, args, node)
        unset.check_update(it, owner.array, name, node)
    if name == "apply" and slopes.differentiated_in(it, owner.array):
        it.emit(events.CallbackDifferentiated(node, "x.at[…].apply"))
    if name == "set":
        repeated.check_set(it, owner, args, node)
    if "mode" not in args.named:
        arrays.check_bounds(it, owner.array, owner.index, node, update=name in AT_UPDATES)
    kind = owner.array.kind if isinstance(owner.array, Array) else ""
    aval = results.aval_of(owner.array) if name in AT_UPDATES else UNKNOWN
    return arrays.combine(it, [owner.array, *args.values()], kind, computed=True, aval=aval)


def _on_key(it: Interpreter, owner: Key, name: str, args: Arguments, node: ast.AST) -> Value:
    if name in ("reshape", "squeeze", "ravel", "flatten"):
        return externals.reshaped_key(owner, name)
    if name in ("astype", "block_until_ready", "copy"):
        return owner
    return Opaque(name)


def _on_host_array(it: Interpreter, owner: HostArray, name: str, args: Arguments, node: ast.AST) -> Value:
    if owner.readonly and name in ("sort", "fill", "resize", "put", "partition", "itemset"):
        it.emit(events.ReadonlyWrite(node, owner.text))
    if name in WRITING:
        buffers.check_written(it, owner, node)
    if name == "copy":
        return HostArray(kind=owner.kind, birth=it.ctx, narrow=owner.narrow, shape=owner.shape)
    if name == "astype":
        dtype = args.get(0, "dtype")
        kind, narrow = externals.kind_of_dtype(dtype), externals.is_narrow(dtype)
        return HostArray(kind=kind, birth=it.ctx, narrow=narrow, shape=owner.shape)
    if name in ("item", "sum", "mean", "max", "min", "any", "all", "prod", "argmax", "argmin", "std"):
        return Static("") if owner.is_static else Opaque(name)
    if name not in ("reshape", "transpose", "ravel", "flatten"):
        return Opaque(name)
    found = results.of_call(it, f"jax.numpy.{name}", replace(args, positional=[owner, *args.positional]))
    return HostArray(birth=it.ctx, shape=found.shape)


# -- containers ---------------------------------------------------------------------------------------------------

_CHANGES = frozenset(
    "append extend insert add update setdefault pop popitem remove discard clear sort reverse appendleft extendleft "
    "popleft rotate put put_nowait".split()
)


def _on_container(it: Interpreter, owner: Container, name: str, args: Arguments, node: ast.AST) -> Value:
    if name in _CHANGES and not (name == "setdefault" and _is_empty(it, args.get(1, "default"))):
        stored = next((value for value in args.values() if arrays.tracer_in(it, value) is not None), None)
        stored = stored or (args.positional[-1] if args.positional else None)
        is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        what = dotted(node.func.value) if is_method else owner.text or f"a {owner.kind}"  # type: ignore[attr-defined]
        outlives(it, owner, stored, "method", what, node, slot_of_call(owner, name, args.positional))
    if args.positional and owner.kind in _SEARCHED.get(name, ()):
        arrays.membership(it, args.positional[0], owner, node, f".{name}()")
    if args.positional and owner.kind in _HASHED.get(name, ()):
        arrays.check_hashed(it, args.positional[0], node, "key" if owner.kind == "dict" else "member")
    handler = _CONTAINER_METHODS.get(name)
    return handler(it, owner, args, node) if handler is not None else Opaque(name)


def _is_empty(it: Interpreter, value: Value | None) -> bool:
    """Whether a container holds nothing, so that it makes no difference when it is put somewhere, or for how often."""
    return isinstance(value, Container) and known_items(it, value, KNOWN_ITEMS.value) == []


_SEARCHED = dict.fromkeys(("count", "index", "remove"), ("list",))
_HASHED = {
    **dict.fromkeys(("get", "pop", "setdefault"), ("dict",)),
    **dict.fromkeys(("add", "discard", "remove"), ("set",)),
}
"""Methods that compare what they are given with each item, and those that take its hash: of which kinds."""


def _append(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    if args.positional:
        containers.append(it, owner, args.positional[-1])
    return NONE


def _extend(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    for value in args.positional:
        containers.extend(it, owner, value, node)
    for name, value in args.named.items():
        containers.put(it, owner, Const(name), value)
    return NONE


def _get(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    if owner.kind == "dict" and args.positional and isinstance(args.positional[0], Const):
        held = it.state.read(owner).get(("k", args.positional[0].value))
        if held is not None:
            return held
    if owner.kind == "dict" and args.positional and not isinstance(args.positional[0], Const):
        return _any_callable(it, owner, args.positional[1] if len(args.positional) > 1 else NONE)
    return Opaque("an entry", holds=containers.held_by_default(args))


def _any_callable(it: Interpreter, owner: Container, default: Value) -> Value:
    """One of the functions that a dict holds or the ``default``, if it is known to hold nothing else."""
    entries = list(it.state.read(owner).values())
    is_none = isinstance(default, Const) and default.value is None
    if not entries or not all(map(is_callable, entries)) or not (is_none or is_callable(default)):
        return Opaque("an entry", holds=held(default))
    return join_all_exact(it, [join_all(it, entries), default]) if is_none else join_all(it, [*entries, default])


def _pop(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    cell = it.state.read(owner)
    known = cell.get(ITEMS)
    if owner.kind == "list" and isinstance(known, Tuple) and known.items and not args.positional and ANY not in cell:
        it.state.write(owner)[ITEMS] = Tuple(known.items[:-1])
        return known.items[-1]
    if owner.kind == "dict" and args.positional and isinstance(args.positional[0], Const):
        held = it.state.write(owner).pop(("k", args.positional[0].value), None)
        if held is not None:
            return held
    element = iterate(it, owner, node) if owner.kind != "dict" else Opaque("an entry")
    containers.forget(it, owner)
    return element


def _setdefault(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    """The entry there is, else the default, which is one now."""
    if owner.kind != "dict" or not args.positional:
        return Opaque("an entry")
    name, default = args.positional[0], args.positional[1] if len(args.positional) > 1 else NONE
    cell = it.state.read(owner)
    held = cell.get(("k", name.value)) if isinstance(name, Const) else None
    if held is not None:
        return held
    if isinstance(default, Container) and not it.ctx.encloses(owner.birth):
        default = _as_old(it, default, owner)
    if ANY in cell or not isinstance(name, Const):
        containers.forget(it, owner)
        return default if isinstance(default, Container) else Opaque("an entry")
    containers.put(it, owner, name, default)
    return default


def _as_old(it: Interpreter, made: Container, owner: Container) -> Container:
    """What a container from outside a trace holds from now on, and may have held before: it outlives the trace, too."""
    entry = Container(made.kind, owner.birth, made.text)
    entry.older_if = owner.older_if
    it.state.write(entry)[ANY] = Opaque("an element")
    return entry


def _change(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    containers.forget(it, owner)
    return NONE


def _views(kind: str) -> Callable[[Any, Any, Any, ast.AST], Value]:
    def view(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
        cell = it.state.read(owner)
        names = names_of(cell)

        def row(key: Value, name: Any) -> Value:
            if kind == "keys":
                return key
            return Tuple((key, cell[name])) if kind == "items" else cell[name]

        if ANY in names:
            return Iterator(row(Opaque("a key"), ANY), "view", it.ctx)
        rows = [row(Const(name[1]), name) for name in names if isinstance(name, tuple)]
        return Iterator(Opaque("an entry"), "view", it.ctx, Tuple((Tuple(tuple(rows)),)))

    return view


def _copy(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    made = Container(owner.kind, it.ctx)
    it.state.write(made).update(it.state.read(owner))
    return made


def _sort(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    """xs.sort(key=f): compares like `sorted`, and leaves the same items in another order."""
    it.call(External("builtins.sorted"), Arguments([owner], args.named), node)
    items = known_items(it, owner, KNOWN_ITEMS.value) or []
    known = [item.value for item in items if isinstance(item, Const) and type(item.value) in (int, float, str)]
    if len(known) == len(items) and len({type(one) is str for one in known}) == 1 and not args.named:
        it.state.write(owner)[ITEMS] = Tuple(tuple(map(Const, sorted(known))))
    elif len(items) > 1:
        containers.loosen(it, owner)
    return NONE


def _set_item(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    if len(args.positional) == 2:
        index, value = args.positional
        store_item(it, owner, index, value, node)
    return NONE


_CONTAINER_METHODS: dict[str, Callable[[Any, Any, Any, ast.AST], Value]] = {
    "append": _append,
    "add": _append,
    "insert": _change,
    "appendleft": _append,
    "extend": _extend,
    "extendleft": _change,
    "rotate": _change,
    "update": _extend,
    "get": _get,
    "pop": _pop,
    "popitem": _pop,
    "popleft": _pop,
    "setdefault": _setdefault,
    "remove": _change,
    "discard": _change,
    "clear": _change,
    "reverse": _change,
    "sort": _sort,
    "items": _views("items"),
    "keys": _views("keys"),
    "values": _views("values"),
    "copy": _copy,
    "index": lambda it, owner, args, node: Static("int"),
    "count": lambda it, owner, args, node: Static("int"),
    "__setitem__": _set_item,
}


def _on_tuple(it: Interpreter, owner: Tuple, name: str, args: Arguments, node: ast.AST) -> Value:
    if name in ("_replace", "replace"):
        it.last_pure_call = (node, f".{name}()")
        return replaced(it, owner, args)
    if name == "_asdict" and owner.fields:
        made = containers.make(it, "dict", [])
        for field, item in zip(owner.fields, owner.items):
            containers.put(it, made, Const(field), item)
        return made
    if name in _SEARCHED and args.positional:
        arrays.membership(it, args.positional[0], owner, node, f".{name}()")
    return Opaque(name)


def _on_text(it: Interpreter, owner: Value, name: str, args: Arguments, node: ast.AST) -> Value:
    """Methods of strings, of other constants, and of what is static; format() may meet a tracer."""
    kind = type(owner.value).__name__ if isinstance(owner, Const) else getattr(owner, "kind", "")
    if kind in ("str", "") and name == "format":
        clocks.wait_for(it, args.values())
        if isinstance(owner, Const) and isinstance(owner.value, str):
            formatted.check_method(it, owner.value, args, node)
        tracers = (arrays.tracer_in(it, value) for value in args.values())
        return Static("str", tainted=next(filter(None, tracers), None))
    if isinstance(owner, Static) and kind in ("shape", "tuple"):
        return Static("int", owner.of_shape)
    if kind in ("str", ""):
        return Static(_OF_TEXT[name]) if name in _OF_TEXT else Opaque(name)
    return Static() if kind in ("int", "float", "bool", "complex") else Opaque(name)


_OF_TEXT = {
    **dict.fromkeys("count find index rfind rindex".split(), "int"),
    **{name: "bool" for name in dir(str) if name.startswith(("is", "starts", "ends"))},
    **dict.fromkeys(
        "capitalize casefold center expandtabs format_map join ljust lower lstrip removeprefix removesuffix replace"
        " rjust rstrip strip swapcase title translate upper zfill".split(),
        "str",
    ),
}
"""What methods of strings give, if that is a string or a number."""


# -- library objects -----------------------------------------------------------------------------------------------


def call_on_external(it: Interpreter, owner: ExternalInstance, name: str, args: Arguments, node: ast.AST) -> Value:
    made_by = owner.made_by
    if made_by == derivative_calls.PULLBACK and name == "__call__":
        return derivative_calls.call_pullback(it, owner, args, node)
    if is_optimiser(owner):
        return _on_optimiser(it, owner, name, args, node)
    if made_by in (_LOWERED, _COMPILED):
        return _on_stage(it, owner, name, args, node)
    needed.check(it, f"{made_by}.{name}", args, node)
    variables.note_called(it, owner, name, node)
    if not computes_with_jax(made_by):
        clocks.wait_for(it, args.values())
    if WAITING_FOR_OTHERS.get(made_by) == name:
        clocks.wait(it)
    if name == "__call__":
        unbound_modules.check_called(it, owner, node)
        note_module_call(it, owner, node)
        module_asks.note_layer(it, owner, args)
        keyless_dropout.check_call(it, owner, args, node)
    if made_by.startswith("jax.nn.initializers.") and name == "__call__":
        return _initializer(it, made_by, args, node)
    if made_by in NUMPY_GENERATORS:
        externals.check_written(it, f"numpy.random.{name}", args, node)
        if name in NUMPY_RANDOM_METHODS and not it.ctx.encloses(owner.birth):
            arrays.host_effect(it, "numpy.random.normal", args.values(), node)
        return HostArray(birth=it.ctx, shape=results.of_draw(it, name, args))
    if made_by == "collections.namedtuple":
        return _build_named_tuple(it, owner, args)
    effect = METHOD_EFFECTS.get(made_by)
    if effect is not None and (name in effect[0] or "*" in effect[0]):
        if it.ctx.staging and not it.ctx.host:
            tracer = next((t for v in args.values() if (t := arrays.tracer_in(it, v)) is not None), None)
            # What is read off the arguments at trace time may be meant for a file; one and the same text is not.
            says_the_same = effect[1].category == "file" and all(isinstance(one, Const) for one in args.values())
            of_statics = tracer is None and effect[1].certainty_needs_traced and not says_the_same
            what = f"{made_by}().{name}"
            it.emit(events.HostEffectUnderTrace(node, what, effect[1].category, tracer, of_statics=of_statics))
        return NONE
    known = library_method(it, (made_by,), name, args, node)
    if known is not None:
        if name == "apply":
            _hand_on(it, owner, args, node)
            return _applied_layer(it, owner, args) or known
        return _result_of(it, owner, name) or known
    pure = run_pure(it, owner, args, node) if name == "apply" else None
    if name in ("lower", "trace", "eval_shape", "replace") or (name == "apply" and _draws_nothing(it, owner)):
        return pure or Opaque(name)
    if made_by == "inspect.signature":
        return Opaque(name)  # arguments are bound to parameters, and nothing is called
    drawn = drawn_from(it, owner, args, node) if name == "apply" else None
    if drawn is not None:
        random_calls.draw_from(it, drawn, node, callee_text(owner, node), keys.DRAW, args)
        args = args.replacing(drawn, NONE)
    note_handed_outside(it, args, node, callee_text(owner, node), (made_by,))
    return pure or _result_of(it, owner, name) or Opaque("the result of a method")


def _on_optimiser(it: Interpreter, owner: ExternalInstance, name: str, args: Arguments, node: ast.AST) -> Value:
    if name == "gradient_transformation":
        return owner
    if name == "init":
        optimiser_calls.check_init(it, owner, args, node)
    if name != "update":
        return call_unseen(it, Opaque(name), args, node)
    run_schedules(it, owner, node)
    optimiser_calls.check_update(it, owner, args, node)
    result = call_unseen(it, Opaque(name), args, node)
    if only_computes(it, owner):
        it.last_pure_call = (node, f"{owner.made_by}(…).update")
    return optimiser_calls.updated(it, args, result, node)


def _result_of(it: Interpreter, owner: ExternalInstance, method: str) -> Value | None:
    """What a method of a library's object gives, if that is known to be an array."""
    if f"{owner.made_by}.{method}" not in libraries.ARRAY_RESULTS:
        return None
    result = arrays.combine(it, [Array()])
    return slopes.of_parameters(result) if it.ctx.trains and has_parameters(owner) else result


def _applied_layer(it: Interpreter, layer: ExternalInstance, args: Arguments) -> Value | None:
    """What ``layer.apply(variables, x)`` gives, if that is known to be an array and nothing else."""
    given = args.get(0, "variables")
    if args.open_ended or not OF_APPLY.isdisjoint(args.named.keys() - {"variables", "rngs"}):
        return None
    computed = _result_of(it, layer, "__call__")
    if computed is None or given is None:
        return computed
    tracer = arrays.tracer_in(it, given)
    array = arrays.combine(it, [Array(), tracer]) if tracer is not None else computed
    is_trained = has_parameters(layer) and slopes.are_trained(it, given)
    return slopes.of_parameters(array) if is_trained else array


def _hand_on(it: Interpreter, module: Instance | ExternalInstance, args: Arguments, node: ast.AST) -> None:
    """What ``module.apply`` is given besides what it takes itself goes to the module's own code."""
    passed = [NONE, *args.positional[1:]] if "variables" not in args.named else args.positional
    named = {k: v for k, v in args.named.items() if k == "method" or k not in OF_APPLY}
    handed = replace(args, positional=passed, named=named)
    note_handed(it, handed, node, callee_text(module, node), function=Method(module, "apply"))


def _draws_nothing(it: Interpreter, owner: ExternalInstance) -> bool:
    """Whether the function that was made pure, as by haiku's `transform`, has nothing random in it."""
    function = owner.args[0] if owner.args else None
    if f"{owner.made_by}.init" not in libraries.KEY_METHODS or not isinstance(function, Function):
        return False
    return not may_draw(it, function)


def library_method(it: Interpreter, bases: Any, name: str, args: Arguments, node: ast.AST) -> Value | None:
    """A method that a library's table knows, for an object of one of ``bases``; None if none does."""
    for base in bases:
        qualified = f"{base}.{name}"
        row = it.rows.method(qualified)
        if row is not None:
            return call_row(it, row, args, node)
        use = libraries.KEY_METHODS.get(qualified)
        if use is not None:
            for position, keyword in use.arguments:
                value = args.get(position, keyword)
                if value is not None and use.effect is not KeyEffect.INSPECT:
                    random_calls.draw_from(it, value, node, qualified, keys.of_library(use), args)
                    if use.noise or name == "apply":
                        random_calls.check_constants(it, value, node, args, qualified)
            return Opaque("the result of a method")
        if qualified in libraries.FRESH_KEYS:
            lifted_rngs.note_asked(it, args.get(0, "name"), node)
            return externals.fresh_key(it, qualified, node)
        if qualified in libraries.NEVER_KEYS:
            return Opaque("the result of a method")
    return None


def _initializer(it: Interpreter, made_by: str, args: Arguments, node: ast.AST) -> Value:
    value = args.get(0, "key")
    if value is not None and made_by.rpartition(".")[2] in INITIALIZERS:
        ident = keys.key_of(value)
        if ident is not None:
            keys.consume(it, ident, keys.DRAW, node, made_by)
    return arrays.combine(it, args.values())


def _build_named_tuple(it: Interpreter, owner: ExternalInstance, args: Arguments) -> Value:
    """An instance of collections.namedtuple("Name", fields)."""
    names = names_in(it, owner)
    if not names:
        return Opaque("a record")
    given = {**dict(zip(names, args.positional)), **args.named}
    return Tuple(tuple(given.get(name) or Opaque(name) for name in names), tuple(names))


def _on_instance(it: Interpreter, owner: Instance, name: str, args: Arguments, node: ast.AST) -> Value:
    """A method that the project's class inherits from a library."""
    if name == "apply_gradients" and _fields_of(libraries.RECORD_STEPS, owner.cls, name) is not None:
        held = it.state.read(owner)
        handed_back.check_alike(it, args.named.get("grads"), held.get("params"), node)
        optimiser = held.get("tx")
        if isinstance(optimiser, ExternalInstance):
            run_schedules(it, optimiser, node)
    changed = () if name in ("replace", "_replace") else _fields_of(libraries.RECORD_STEPS, owner.cls, name)
    if changed is not None:
        if classes.is_record(owner.cls) or changed:
            it.last_pure_call = (node, f".{name}()")
        fields = {field: _stepped(it.state.read(owner).get(field), field) for field in changed}
        return replaced(it, owner, replace(args, positional=[], named={**args.named, **fields}) if changed else args)
    if name == "__setattr__" and len(args.positional) == 2:
        set_attribute(it, owner, *args.positional)
        return NONE
    contents = contents_of(it, owner)
    if contents is not None and name in _OF_ITEMS:
        return _OF_ITEMS[name](it, contents, args, node)
    if contents is not None and name in _CONTAINER_METHODS:
        return _on_container(it, contents, name, args, node)
    bases = classes.external_bases(owner.cls)
    if name == "init" and makes_constants(it, owner.cls):
        return Opaque("the parameters of a module")
    if name == "apply" and "rngs" in args.named and classes.is_module(owner.cls) and asks_for_no_key(it, owner, args):
        args = replace(args, named={key: value for key, value in args.named.items() if key != "rngs"})
    known = library_method(it, bases, name, args, node)
    if known is not None:
        if name == "apply":
            _hand_on(it, owner, args, node)
            applied = run_applied(it, owner, args, node) or known
            clocks.begin(it, callee_text(owner, node), node)
            return applied
        return known
    answer = next((libraries.MADE_IF.get(f"{base}.{name}") for base in bases), None)
    if answer is not None:
        return Static("bool", made_if=answer)
    if name in ("param", "variable", "get_parameter") and classes.is_module(owner.cls):
        if name != "param":
            return Opaque(name)
        module_names.check_made(it, node)
        parameter = arrays.combine(it, [Array()])
        return slopes.of_parameters(parameter) if it.ctx.trains else parameter
    note_handed_outside(it, args, node, callee_text(owner, node), bases)
    return Opaque("the result of a method")


def _get_item(it: Interpreter, owner: Container, args: Arguments, node: ast.AST) -> Value:
    return get_item(it, owner, args.positional[0], node) if args.positional else Opaque("an item")


_OF_ITEMS = {"__getitem__": _get_item, "__setitem__": _set_item, "__init__": _extend}
"""What a class that derives from a container hands to it: `super().__setitem__(name, value)`."""


def _on_super(it: Interpreter, owner: Super, name: str, args: Arguments, node: ast.AST) -> Value:
    if isinstance(owner.receiver, Instance):
        return _on_instance(it, owner.receiver, name, args, node)
    if isinstance(owner.receiver, ClassValue):
        return _on_class(it, owner.receiver, name, args, node)
    return Opaque("the result of a method")


_OF_STREAMS = frozenset({"broadcast", "fork", "items"})


def _on_stream(it: Interpreter, owner: Stream, name: str, args: Arguments, node: ast.AST) -> Value:
    streams.note_draw(it, owner, name, node)
    if name in KEY_FUNCTIONS or name in INITIALIZERS or name in _OF_STREAMS:  # `rngs.normal(shape)` draws itself
        return Opaque(f"what `{name}` of a stream returns")
    return keys.fresh(it, f"a key of `{owner.name}`", node)


def _on_function(
    it: Interpreter, owner: Function | Transformed | Partial, name: str, args: Arguments, node: ast.AST
) -> Value:
    """f.lower(…), f.trace(…) and f.eval_shape(…) compute nothing; f.defvjp(fwd, bwd) registers rules."""
    note_rules(it, owner, name, args.positional, node)
    for value in args.values():
        if isinstance(value, (Function, Transformed, Partial)):
            it.note_escape(value)
    if name == "__get__":
        return Opaque("a method")  # bound to an object, or not, as the descriptor says
    if name == "clear_cache":
        kept_traces.forget(it)
    if name == "lower" and isinstance(owner, Transformed):
        return ExternalInstance(_LOWERED, birth=it.ctx)
    return Opaque(name)


_LOWERED, _COMPILED = "jax.stages.Lowered", "jax.stages.Compiled"


def _on_stage(it: Interpreter, owner: ExternalInstance, name: str, args: Arguments, node: ast.AST) -> Value:
    """f.lower(x).compile()(x): nobody looks into what is compiled, but it is known to run."""
    if owner.made_by == _LOWERED and name == "compile":
        return ExternalInstance(_COMPILED, birth=it.ctx)
    result = call_unseen(it, Opaque(name), args, node)
    if owner.made_by == _COMPILED and name == "__call__":
        clocks.begin(it, callee_text(owner, node), node)
    return result


def _on_iterator(it: Interpreter, owner: Iterator, name: str, args: Arguments, node: ast.AST) -> Value:
    return owner.element if name in ("__next__", "send") else Opaque(name)


def _on_class(it: Interpreter, owner: ClassValue, name: str, args: Arguments, node: ast.AST) -> Value:
    """A class method that the project's class inherits from a library."""
    filled = _fields_of(libraries.RECORD_MAKERS, owner, name)
    return Opaque(name) if filled is None else it.call(owner, _with_fields(args, filled), node)


def _fields_of(table: Mapping[str, tuple[str, ...]], cls: ClassValue, name: str) -> tuple[str, ...] | None:
    """What a table says of a method that a class inherits."""
    return next((fields for base in classes.external_bases(cls) if (fields := table.get(f"{base}.{name}"))), None)


def _stepped(held: Value | None, name: str) -> Value:
    """What a library sets a field of a record to that it makes a step of: something new of the kind that was there."""
    if isinstance(held, Array):
        return Array(held.level, held.provenance, held.kind, held.ndim, aval=held.aval)
    if isinstance(held, Tree):
        return Tree(held.level, held.provenance, held.parameter, held.sure)
    if isinstance(held, Const) and type(held.value) is int:
        return Static("int")
    return Opaque(name)


def _with_fields(args: Arguments, filled: tuple[str, ...]) -> Arguments:
    """Arguments for the fields of a record, and something new for those that a library fills itself."""
    return replace(args, positional=[], named={**args.named, **{name: Opaque(name) for name in filled}})


_RECEIVERS: dict[type, Callable[[Any, Any, str, Any, ast.AST], Value]] = {
    Array: _on_array,
    Tree: _on_tree,
    At: _on_at,
    Key: _on_key,
    HostArray: _on_host_array,
    Container: _on_container,
    Tuple: _on_tuple,
    Const: _on_text,
    Static: _on_text,
    ExternalInstance: call_on_external,
    Instance: _on_instance,
    Super: _on_super,
    Stream: _on_stream,
    Function: _on_function,
    Transformed: _on_function,
    Partial: _on_function,
    Iterator: _on_iterator,
    ClassValue: _on_class,
}
