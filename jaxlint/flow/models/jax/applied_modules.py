"""`module.apply(variables, x)` of a flax module of the project runs the module's own method, here and now; and
`hk.transform(f).apply(params, rng, x)` runs the function."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from dataclasses import replace

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import (
    NONE,
    Array,
    Const,
    ExternalInstance,
    Function,
    Instance,
    Method,
    Opaque,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import slopes
from jaxlint.flow.models.arrays.conditions import PARAMETERS_MADE, truth_of
from jaxlint.flow.models.jax import module_asks
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.binding import bind_member
from jaxlint.flow.models.objects.declared import unknown_arguments
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries

OF_APPLY = frozenset("variables rngs method mutable capture_intermediates".split())
"""The arguments that ``apply`` takes for itself, by name."""

_WITH_VARIABLES = ("mutable", "capture_intermediates")


def is_run(function: Value) -> bool:
    """Whether a function is the `apply` of what has code of the project: a flax module, or what haiku made pure."""
    if not isinstance(function, Method) or function.name != "apply":
        return False
    receiver = function.receiver
    if isinstance(receiver, Instance):
        return classes.is_module(receiver.cls)
    return isinstance(receiver, ExternalInstance) and _made_pure(receiver)[0] is not None


def run_applied(it: Interpreter, module: Instance, args: Arguments, node: ast.AST) -> Value | None:
    """What ``module.apply(*args)`` gives under a trace; None where that is not looked into.

    What becomes of the keys is judged where they are handed over; the state is that of a copy of the module.
    """
    if it.ctx.host or it.muted or args.open_ended:
        return None
    method = _method(it, module, args.named.get("method", NONE))
    if method is None:
        return None
    passed = {name: value for name, value in args.named.items() if name not in OF_APPLY}
    given = replace(args, positional=args.positional[0 if "variables" in args.named else 1 :], named=passed)
    variables = args.get(0, "variables")
    trains = variables is not None and slopes.are_trained(it, variables)
    place = (node, module.cls, method, it.whole_context(), trains, *map(_kind, given.values()))
    found = it.applied.get(place)
    if found is None:  # each pass of the loops around would show the same again
        # Outside of traces the methods of a module tell nothing here that they do not tell on their own.
        with module_asks.noted(it) as asks, nullcontext() if it.ctx.tracing else it.quiet():
            found = it.applied[place] = _run(it, module, method, given, node, trains), asks
    result, asks = found
    module_asks.check(it, asks, args, node)
    if not it.ctx.tracing:
        return None
    answers = {_is_true(it, args.named.get(name, NONE)) for name in _WITH_VARIABLES}
    if answers == {False}:
        return result
    return Tuple((result, Opaque("variables"))) if True in answers else None


def _run(it: Interpreter, module: Instance, method: Value, args: Arguments, node: ast.AST, trains: bool) -> Value:
    """What the method gives, beside what the entry may cost: it is looked into as one of its own."""
    ctx = it.ctx
    if ctx.provenance is not None:
        ctx = ctx.enter("flax.linen.Module.apply", ctx.provenance, False)
        ctx.trains = trains
    with it.counted_apart(), it.scratch(), it.context(ctx):
        it.state.uses = {}
        it.state.guards |= {PARAMETERS_MADE}
        copy = Instance(module.cls, ctx, module.symbolic)
        it.state.write(copy).update(it.state.read(module))
        return _kept(it.call(bind_member(it, method, copy, module.cls, node), args, node))


def run_pure(it: Interpreter, made: ExternalInstance, args: Arguments, node: ast.AST) -> Value | None:
    """What ``made.apply(*args)`` gives under a trace, where ``made`` is a function of the project that was made pure;
    None where that is not looked into."""
    function, own = _made_pure(made)
    if function is None or it.ctx.host or it.muted or args.open_ended:
        return None
    given = _given_on(args, own)
    if _is_refused(it, function, args, given, node):
        return None
    key = args.expression(node, own.index("rng")) if "rng" in own else None
    if isinstance(key, ast.Constant) and key.value is None:
        _check_without_key(it, function, node, given)
    if not it.ctx.tracing:
        return Tuple((Opaque("a result"), Opaque("state"))) if "state" in own else None
    place = (node, function.node, function.frame, it.whole_context(), *map(_kind, given.values()))
    found = it.applied.get(place)
    if found is None:
        ctx = it.ctx
        if ctx.provenance is not None:
            ctx = ctx.enter("haiku.transform", ctx.provenance, False)
            ctx.axes = it.ctx.axes
        with it.counted_apart(), it.scratch(), it.context(ctx):
            it.state.uses = {}
            it.state.guards |= {PARAMETERS_MADE}
            found = it.applied[place] = _kept(it.call(function, given, node)), []
    result, _ = found
    return Tuple((result, Opaque("state"))) if "state" in own else result


def _is_refused(it: Interpreter, function: Function, args: Arguments, given: Arguments, node: ast.AST) -> bool:
    """Whether the function takes another number of arguments than `apply` hands on to it."""
    taken = taken_by(it, function) if not (args.unsure or given.named or given.others or given.mapping) else None
    count = len(given.positional)
    if taken is None or not taken.refuses(count):
        return False
    lacks = taken.asked[0] if taken.asked else ""
    told = events.ParametersDiffer(node, "apply", "f", taken.name, count, taken.least, taken.most, lacks=lacks)
    return it.emit(told)


def drawn_from(it: Interpreter, made: ExternalInstance, args: Arguments, node: ast.AST) -> Value | None:
    """The key that ``made.apply(*args)`` is given, where the function that was made pure asks for some in any case."""
    function, own = _made_pure(made)
    if function is None or "rng" not in own or it.ctx.host or args.open_ended or it.is_running(function.node):
        return None
    key = args.get(own.index("rng"), "rng")
    if key is None or isinstance(key, Const):
        return None
    given = _given_on(args, own)
    place = (node, function.node, function.frame, _KEY_ASKED, *map(_kind, given.values()))
    if place not in it.applied:
        it.applied[place] = NONE, _asked(it, function, node, given)
    return key if any(what == module_asks.KEY for what, _ in it.applied[place][1]) else None


_KEY_ASKED = "asked for"
"""Tells what a function asks for from what it gives, among what is kept of calls."""


def _made_pure(made: ExternalInstance) -> tuple[Function | None, tuple[str, ...]]:
    """The function, and what `apply` takes for itself; nothing where either is not known."""
    inner = made.args[0] if made.args else None
    if made.made_by in libraries.MADE_PURE and "apply_rng" not in made.kwargs:
        return (inner, libraries.MADE_PURE[made.made_by]) if isinstance(inner, Function) else (None, ())
    if made.made_by == WITHOUT_RNG and isinstance(inner, ExternalInstance):
        function, own = _made_pure(inner)
        return function, tuple(name for name in own if name != "rng")
    return None, ()


def _given_on(args: Arguments, own: tuple[str, ...]) -> Arguments:
    """What `apply` gives the function, after what it takes for its ``own``."""
    by_name = [name for name in own if name in args.named]
    passed = {name: value for name, value in args.named.items() if name not in by_name}
    return replace(args, positional=args.positional[len(own) - len(by_name) :], named=passed)


def check_without_key(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """hk.without_apply_rng(hk.transform(f)), where f asks for a key at each call."""
    pure = args.get(0, "f")
    if name == WITHOUT_RNG and isinstance(pure, ExternalInstance):
        function, own = _made_pure(pure)
        if function is not None and "rng" in own:
            _check_without_key(it, function, node)


def check_without_state(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """hk.transform(f), where f keeps something between its calls in any case."""
    function = args.get(0, "f")
    if name != _STATELESS or not isinstance(function, Function):
        return
    if it.muted or it.ctx.host or it.is_running(function.node):
        return
    for what, by in _asked(it, function, node):
        if what == module_asks.STATE:
            it.emit(events.StateNotKept(node, by))
            return


_STATELESS = "haiku.transform"


def _check_without_key(it: Interpreter, function: Function, node: ast.AST, given: Arguments | None = None) -> None:
    """A function that was made pure is applied without a key, to what is ``given`` or whatever else."""
    if it.muted or it.ctx.host or it.is_running(function.node):
        return
    for what, by in _asked(it, function, node, given)[:1]:
        if what == module_asks.KEY:
            it.emit(events.ApplyLacks(node, "", by))


def _asked(it: Interpreter, function: Function, node: ast.AST, given: Arguments | None = None) -> list[tuple[str, str]]:
    """What the function asks for when it is run at once, by what is ``given`` or by whatever else."""
    step = Provenance(Why.RUN, ("haiku.transform",), it.frame.scope, node, it.ctx.provenance)
    inside = it.ctx.enter("haiku.transform", step, True)
    with module_asks.noted(it) as asks, it.quiet(), it.counted_apart(), it.scratch(), it.context(inside):
        it.state.uses = {}
        it.state.guards |= {PARAMETERS_MADE}
        if given is not None:
            it.call(function, given, node)
        else:
            it.run_function(function, unknown_arguments(it, function))
    return asks


WITHOUT_RNG = "haiku.without_apply_rng"
"""What makes `apply` take no key."""


def _kind(value: Value) -> tuple[object, ...]:
    """What of an argument decides how the method goes, as far as that is worth another look."""
    return type(value), value.level, value.value if isinstance(value, Const) else None


def _is_true(it: Interpreter, value: Value) -> bool | None:
    """The truth of an option: a list of names, or a flag."""
    items = known_items(it, value, KNOWN_ITEMS.value)
    return truth_of(it, value) if items is None else bool(items)


def _method(it: Interpreter, module: Instance, named: Value) -> Value | None:
    """The member of the module's class that is run, if that is known."""
    if isinstance(named, Function):
        return named if named.owner in classes.linearized(module.cls) and named.receiver is None else None
    if isinstance(named, Const) and (named.value is None or isinstance(named.value, str)):
        return classes.find_member(it, module.cls, named.value or "__call__")
    return None


def _kept(value: Value) -> Value:
    """What of a result does not need the state that it was made in."""
    if isinstance(value, Tuple):
        return value.with_other(tuple(map(_kept, value.items)))
    return value if isinstance(value, (Array, Tree)) else Opaque("the result of a method")
