"""Transforms at work: making a transformed function, calling it, and what crosses the border of a trace.

``lift`` turns a value outside into what the traced function sees; ``lower`` turns what it returns back.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from collections.abc import Iterator as Iterator_
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments, callee_text
from jaxlint.flow.domain.avals import Shape, of_number
from jaxlint.flow.domain.contexts import Context, Looks, OfTrace, Provenance, Why
from jaxlint.flow.domain.state import ORDER
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    GRAD,
    NONE,
    NUMPY_FLOAT,
    Array,
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
    KeyId,
    Leaf,
    Method,
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
    innermost,
    layers,
)
from jaxlint.flow.limits import KNOWN_ITEMS, LIFTED_DEPTH, MAX_COPIES, MAX_LAYERS
from jaxlint.flow.models.arrays import arrays, handed_back, results, slopes
from jaxlint.flow.models.arrays.arrays import like
from jaxlint.flow.models.arrays.pytrees import map_leaves
from jaxlint.flow.models.jax import (
    applied_modules,
    axis_trees,
    contracts,
    derivative_calls,
    derivative_rules,
    jacobians,
    jitted_calls,
    lifted_rngs,
    named_axes,
    optimiser_calls,
    registered_classes,
    sharded_calls,
)
from jaxlint.flow.models.jax.jit_options import check_options
from jaxlint.flow.models.jax.misused import is_misused
from jaxlint.flow.models.jax.replaced import may_be_replaced
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import clocks, started
from jaxlint.flow.models.objects import classes, instances, registered
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.random import random_calls
from jaxlint.flow.models.random.unseen import note_handed
from jaxlint.flow.models.traces import kept_traces
from jaxlint.flow.models.traces.looks import is_called_again, looked_at_again
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText, parameters
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, parameter_names
from jaxlint.semantics import libraries
from jaxlint.semantics.collectives import NAMING
from jaxlint.semantics.compiling import TRACED_OUTPUTS
from jaxlint.semantics.model import Abstracts, Wrapper
from jaxlint.semantics.sending import AWAITED


def make(it: Interpreter, name: str, wrapper: Wrapper, args: Arguments, node: ast.AST) -> Value:
    """jax.jit(f, …): a transformed function, analysed at once as its callers will run it."""
    position, keyword = wrapper.function
    function = args.get(position, keyword)
    if is_misused(it, name, args, function, node):
        return Opaque("a transform that JAX refuses to make or to call")
    options = options_of(wrapper, args)
    if function is None:
        return WrapperFactory(wrapper, name, options)
    if isinstance(function, Union):
        useful = [option for option in function.options if not isinstance(option, Const)]
        function = useful[0] if len(useful) == 1 else function
    if layers(function) >= MAX_LAYERS.value:
        it.meets(MAX_LAYERS, node)
        return Opaque("a transform of many")
    made = Transformed(wrapper, name, function, options, it.frame.scope, node)
    if not check_options(it, made) or _is_refused(it, made):
        return Opaque("a transform that JAX refuses to make or to call")
    if isinstance(function, (Opaque, Const, Static, Array, Tree)):
        return made if isinstance(function, Opaque) else Opaque("a transform of no function")
    made.called_at_once = node is it.called_at_once
    lifted_rngs.check_made(it, made, node)
    if not wrapper.is_transparent or it.ctx.tracing:
        it.note_transform(made)
    return made


def options_of(wrapper: Wrapper, args: Arguments) -> dict[str, Value]:
    """The options that a call sets, by name; those that it may set, where nobody can say so, are unknown."""
    position, keyword = wrapper.function
    listed = {name: args.option(position + number, name) for number, name in enumerate(wrapper.options, 1)}
    options = {name: value for name, value in listed.items() if value is not None}
    if len(args.positional) > position + 1 + len(wrapper.options):  # older versions take others by position
        others = (wrapper.static_nums, wrapper.static_names)
        options |= {name: Opaque("an option by position") for name in others if name and name not in options}
    return options | {name: value for name, value in args.named.items() if name != keyword}


def _is_refused(it: Interpreter, made: Transformed) -> bool:
    """Whether arguments are said to be static that the function does not take: ValueError, nothing is traced."""
    wrapper = made.wrapper
    function, bound, _ = innermost(made.function)
    if function is None or wrapper.counts_self:
        return False
    spec = function.node.args
    count = len(spec.posonlyargs) + len(spec.args) - bound
    numbers = _integers(it, made.options.get(wrapper.static_nums or "")) or []
    if spec.vararg is None and not all(-count <= number < count for number in numbers):
        return True
    names = {parameter.arg for parameter in parameters(function.node)}
    called = _strings(it, made.options.get(wrapper.static_names or "")) or []
    return spec.kwarg is None and not names.issuperset(called)


class StaticGiven(NamedTuple):
    """What a call passes for a static parameter of this ``name``: its ``value``, and how that is ``written``, if it is
    in the call."""

    name: str
    value: Value
    written: ast.expr | None


def static_given(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> list[StaticGiven]:
    """What a call passes for static parameters, where it is known which these are."""
    lifter = _Lifter(it, made, Provenance(Why.APPLIED, (made.name,), made.scope, made.node), it.ctx)
    before = 0 if made.receiver is None else 1  # the object of a method is an argument that the call does not write
    positional = args.positional if made.receiver is None else [made.receiver, *args.positional]
    positions, names = lifter.surely_static(replace(args, positional=positional))
    keywords = {one.arg: one.value for one in node.keywords}
    found = [
        StaticGiven(lifter.name_at(index), value, args.expression(node, index - before))
        for index, value in enumerate(positional)
        if index in positions and index >= before
    ]
    return found + [StaticGiven(name, value, keywords.get(name)) for name, value in args.named.items() if name in names]


def all_given(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> list[StaticGiven]:
    """The same of all that the call writes, whatever is static."""
    lifter = _Lifter(it, made, Provenance(Why.APPLIED, (made.name,), made.scope, made.node), it.ctx)
    before = 0 if made.receiver is None else 1
    keywords = {one.arg: one.value for one in node.keywords}
    found = [
        StaticGiven(lifter.name_at(index + before), value, args.expression(node, index))
        for index, value in enumerate(args.positional)
    ]
    return found + [StaticGiven(name, value, keywords.get(name)) for name, value in args.named.items()]


def donated_given(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> list[Value]:
    """What a call passes for parameters that are donated, where it is known which these are."""
    numbers, names = made.options.get("donate_argnums"), made.options.get("donate_argnames")
    if numbers is None and names is None:
        return []
    told = {made.wrapper.static_nums: numbers, made.wrapper.static_names: names}
    options = {option: value for option, value in told.items() if option is not None and value is not None}
    as_static = Transformed(made.wrapper, made.name, made.function, options, made.scope, made.node, made.receiver)
    return [given.value for given in static_given(it, as_static, args, node)]


def with_traced(it: Interpreter, made: Transformed, given: StaticGiven) -> Transformed:
    """The same transformed function, but that an argument is traced that is static for this one."""
    wrapper = made.wrapper
    others = sorted(static_parameters(it, made) - {given.name})
    options = {name: value for name, value in made.options.items() if name != wrapper.static_nums}
    if wrapper.static_names is not None:
        options[wrapper.static_names] = Tuple(tuple(Const(name) for name in others))
    return Transformed(wrapper, made.name, made.function, options, made.scope, made.node, made.receiver)


def static_parameters(it: Interpreter, made: Transformed) -> set[str]:
    """The names of the parameters that a transformed function gets as they are, whoever calls it."""
    return _Lifter(it, made, Provenance(Why.APPLIED, (made.name,), made.scope, made.node), it.ctx).static(
        Arguments([])
    )[1]


def has_axis(it: Interpreter, made: Transformed, position: int) -> bool:
    """Whether an argument may be passed at that position: there may be an axis for each that is."""
    given = made.options.get(made.wrapper.in_axes) if made.wrapper.in_axes is not None else None
    items = known_items(it, given, KNOWN_ITEMS.value) if isinstance(given, (Tuple, Container)) else None
    return items is None or position < len(items)


# -- calling --------------------------------------------------------------------------------------------


def call_transformed(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> Value:
    wrapper = made.wrapper
    if wrapper.own:
        args = replace(args, named={name: value for name, value in args.named.items() if name not in wrapper.own})
    if made.receiver is not None:
        args = replace(args, positional=[made.receiver, *args.positional])
    if wrapper.result == "pallas":
        return _enter_pallas(it, made, args, node)
    if made.name in _OF_FLOATS and not _passes_differentiated(it, made, args, node):
        return _unknown_result(it, wrapper, made.name)
    if isinstance(made.function, Union):
        return it.call(Union(tuple(made.of_one(option) for option in made.function.options)), args, node)
    if made.name.startswith(_LIFTING) and _makes_modules(made.function):
        # A lifted class of modules: what it makes is called with traced arguments, it itself gets plain fields.
        return made.of(it.call(made.function, args, node))
    if isinstance(made.function, (Opaque, ExternalInstance, Method)) and not applied_modules.is_run(made.function):
        return _call_unseen(it, made, args, node)
    return _call_seen(it, made, args, node)


def _call_unseen(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> Value:
    """Calls a transform of code that cannot be seen: what it does with keys is not known."""
    callee = dotted(node.func) if isinstance(node, ast.Call) else made.name
    note_handed(it, args, node, callee, function=made.function)
    optimiser_calls.check_one_of(it, [made.function], args, node)
    _note_begun(it, made, callee, node)
    if made.wrapper.result not in ("grad", "value_and_grad"):
        return _unknown_result(it, made.wrapper, made.name)
    operands, gradients = _operands(it, made, args, node), Opaque("gradients")
    in_tuple = isinstance(made.options.get(made.wrapper.argnums or "", NONE), (Tuple, Container))
    found = Tuple((gradients,) * len(operands)) if in_tuple and operands else gradients
    return _shaped(it, made, Opaque("a value"), found, operands, node)


def _note_begun(it: Interpreter, made: Transformed, callee: str, node: ast.AST) -> None:
    """Something may run on a device from here on, and JAX has started."""
    if made.wrapper.result != "jaxpr" and not made.wrapper.is_transparent:
        if made.name in AWAITED:
            clocks.wait(it)
        else:
            clocks.begin(it, callee, node)
        started.note(it, callee, node)


def _call_seen(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> Value:
    wrapper = made.wrapper
    provenance = Provenance(Why.APPLIED, (made.name,), made.scope, made.node, it.ctx.provenance)
    differentiates = wrapper.abstracts is Abstracts.DIFFERENTIATED
    ctx = it.ctx.enter(made.name, provenance, wrapper.stages, mapped=_maps(wrapper), differentiates=differentiates)
    ctx.has_arguments = bool(args.positional or args.named)
    if made.name in NAMING:
        ctx.axes = named_axes.bound_by(it, made, it.axes)
    ctx.shared |= lifted_rngs.shared_by(it, made)
    lifter = _Lifter(it, made, provenance, ctx)
    if wrapper.is_transparent:
        lifted = _primals(it, args) if made.name in CUSTOM_RULES else args
        ctx = it.ctx.with_own_keys(made.name) if made.name in libraries.KEY_SCOPES else it.ctx
    else:
        ctx.root = lifter.function.node if lifter.function is not None else None
        ctx.looks = lifter.looks_inside(ctx.looks) | lifter.looks(args, node)
        ctx.assumed = args.assumed
        with it.context(ctx):
            lifted = lifter.arguments(args)
    _check_arguments(lifter, args, node)
    if lifter.function is not None and not args.assumed:
        given = [lifter.name_at(number) for number in range(len(args.positional))]
        random_calls.note_renewed(it, lifter.function, (*given, *args.named))
    if lifter.is_refused(args, node) or sharded_calls.is_refused(it, made, args, node):
        return _unknown_result(it, wrapper, made.name)
    if made.name == "jax.jit":
        registered_classes.check_structure(it, made.name, args.values(), node)
    fits = not args.assumed and lifter.check(args, node)
    static = lifter.static_values(args)
    owners = kept_traces.owners_of(it, made, static)
    with kept_traces.reading(it, made, owners, static, node), it.context(ctx), _without_effect(it, wrapper):
        result = _run(it, lifter, args, lifted, fits, node)
    if result is None:
        return _unknown_result(it, wrapper, made.name)
    it.last_pure_call = None
    _note_begun(it, made, callee_text(made, node), node)
    lowered = _lowered(it, made, result, lifter.outer_level, provenance, lifter.count_lanes(args))
    if made.name == handed_back.LOSS and isinstance(lowered, (Opaque, Union)):
        lowered = _loss_of_unknown(made, lowered, lifter.outer_level, provenance)
    if it.ctx.is_differentiated and not differentiates and wrapper.abstracts is not Abstracts.NOTHING:
        slopes.carry(it, result, lowered)
        slopes.link(it, [*args.positional, *args.named.values()], lowered, node)
    return _shaped(it, made, lowered, lifter.derivatives(args, lowered), _operands(it, made, args, node), node)


def _run(
    it: Interpreter, lifter: _Lifter, args: Arguments, lifted: Arguments, fits: bool, node: ast.AST
) -> Value | None:
    """What the function of a transform returns for lifted arguments; None where JAX refuses it, which is reported.

    ``fits``: as far as is known, the transform takes the arguments.
    """
    made = lifter.made
    begun = next(ORDER)
    if made.name in CUSTOM_RULES and lifter.function is not None:
        it.custom_rules.add(lifter.function.node)
        apart = _integers(it, made.options.get("nondiff_argnums")) or []
        if not args.assumed and derivative_rules.is_refused(it, made, args, apart, node):
            return None
        derivative_rules.run_rules(it, made, args if not it.ctx.staging else lifted, apart, node)
    has_rules = made.wrapper.abstracts is Abstracts.NOTHING and it.ctx.is_differentiated
    it.assumed += args.assumed
    with it.context(it.with_own_rules() if has_rules else it.ctx):
        result = it.call(made.function, lifted, node)
    it.assumed -= args.assumed
    if made.name in _MAPS and "out_axes" in made.options:
        mapped = [value for value, given in zip(lifted.positional, args.positional) if value is not given]
        is_told = not args.assumed and "axis_name" not in made.options  # what is reduced along it is one for all
        applied = made.node if is_told else None
        contracts.check_one_for_all(it, made.name, result, made.options["out_axes"], mapped, node, applied)
        if not args.assumed and not may_be_replaced(it, made.function):
            axis_trees.check_result(it, made.name, made.options["out_axes"], result, node)
    # What gives a function may be a decorator that is not yet given one; then it is another that is transformed here.
    given = result.options if isinstance(result, Union) else (result,)
    may_be_another = made.is_one_of_several and all(isinstance(one, Function) for one in given)
    is_wrong = made.name in TRACED_OUTPUTS and not (may_be_another or may_be_replaced(it, made.function))
    if is_wrong and contracts.is_no_output(it, made.name, made.function, result, node):
        return None
    sharded_calls.check_result(it, made, args, result, node)
    if made.name in (*_OF_FLOATS, *_LIKE_GRADIENTS) and (fits or args.assumed):
        _check_gradient(it, made, result, args.assumed, node)
    if fits and made.name in _OF_FLOATS:
        names = [lifter.name_at(number) for number in _differentiated(it, made)]
        derivative_calls.check_read(it, made, names, result, node)
        if "allow_int" not in made.options:
            contracts.check_turned_out(it, made.name, lifter.differentiated(args), node)
    if made.wrapper.stages and made.name in TRACED_OUTPUTS:
        arrays.check_counted(it, result)
    if lifter.function is not None:
        random_calls.check_returned(it, lifter.function, result, lifted.values(), begun)
    return result


def _differentiated(it: Interpreter, made: Transformed) -> Sequence[int]:
    """The positions of the arguments that a function is differentiated for, as far as they are known."""
    return [0] if "argnums" not in made.options else _integers(it, made.options["argnums"]) or ()


def _passes_differentiated(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> bool:
    """Whether a call passes what is differentiated for, as far as is known."""
    numbers = _differentiated(it, made)
    function, bound, _ = innermost(made.function)
    spec = None if function is None else function.node.args
    names = [] if spec is None else [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)][bound:]
    return derivative_calls.check_argnums(it, made.name, numbers, names, args, node)


def _lowered(
    it: Interpreter, made: Transformed, result: Value, level: int, inside: Provenance, lanes: int | None
) -> Value:
    """What the function returns as the caller gets it; what is mapped comes back with another axis, of so many
    ``lanes``."""
    if made.wrapper.shards:
        return _of_any_size(lower(it, result, level, inside=inside))
    if made.wrapper.scans:
        return _of_all_steps(lower(it, result, level, inside=inside), made)
    if made.wrapper.abstracts is not Abstracts.MAPPED:
        return handed_back.remembering(result, lower(it, result, level, inside=inside))
    axes = made.options.get("out_axes", Const(0))
    if isinstance(axes, (Tuple, Container)):
        items = known_items(it, axes, KNOWN_ITEMS.value)
        if items is not None and isinstance(result, Tuple) and len(items) == len(result.items):
            parts = [lower(it, part, level, _axis(axis, lanes), inside) for part, axis in zip(result.items, items)]
            return result.with_other(tuple(parts))
    lowered = lower(it, result, level, _axis(axes, lanes), inside)
    return _of_some_more_axes(lowered) if made.wrapper.in_axes is None else lowered


def _tell_alike(values: Sequence[Value]) -> None:
    """The tracers that stand for one array in two places are known to be the same by the identity that they share."""
    arrays_ = [value for value in values if isinstance(value, Array)]
    for place, value in enumerate(arrays_):
        if any(value is other for other in arrays_[:place]):
            value.key  # noqa: B018 - one that has been asked for is passed on


def _of_any_size(value: Value) -> Value:
    """Arrays of as many axes as these."""
    if isinstance(value, Tuple):
        return value.with_other(tuple(map(_of_any_size, value.items)))
    if isinstance(value, Array):
        value.aval = value.aval.of_any_size()
    return value


def _of_all_steps(value: Value, made: Transformed) -> Value:
    """What a lifted scan gives: a carry, and beside that what all steps have given in one."""
    says_nothing = not made.wrapper.carry or made.options.keys().isdisjoint(("in_axes", "out_axes"))
    if says_nothing and isinstance(value, Tuple) and len(value.items) == 2:
        return value.with_other((value.items[0], _of_unknown_shape(value.items[1])))
    return _of_unknown_shape(value)


def _of_unknown_shape(value: Value) -> Value:
    """The same, where nobody knows over how many of its axes it is mapped."""
    if isinstance(value, Tuple):
        return value.with_other(tuple(map(_of_unknown_shape, value.items)))
    if not isinstance(value, Array) or (value.ndim is None and not value.aval.ends):
        return value
    other = copy(value)
    other.aval, other.ndim = value.aval.of_shape(None), None
    return other


def _of_some_more_axes(value: Value) -> Value:
    """What comes of lanes, where there may be any number of axes in front of those of one."""
    if isinstance(value, Tuple):
        return value.with_other(tuple(map(_of_some_more_axes, value.items)))
    if isinstance(value, Array):
        value.aval, value.ndim = value.aval.of_shape(None, value.aval.ends[1:]), None
    return value


def _is_axis(value: Value) -> bool:
    """Whether something in ``out_axes`` is not None."""
    return not (isinstance(value, Const) and value.value is None)


def _axis(value: Value, lanes: int | None) -> bool | Shape:
    """Whether something in ``out_axes`` is an axis, or what is in front of those of a lane if it is the first."""
    is_first = isinstance(value, Const) and value.value is not None and value.value == 0
    return (lanes,) if is_first else _is_axis(value)


def _check_gradient(it: Interpreter, made: Transformed, result: Value, is_assumed: bool, node: ast.AST) -> None:
    """What a function that is differentiated gives; where nobody calls its gradient, of whatever it is given."""
    for event in _wrong_gradient(it, made, result, made.node if is_assumed else node):
        event.assumed = is_assumed
        scope: ModuleText | None = made.scope if is_assumed else None
        if is_assumed and _is_given_by_others(made):
            event.node, where = contracts.where_wrong(event, made.function, made.node)
            scope = where or scope
        it.emit(event, scope)
    if not is_assumed and not made.called_at_once:
        it.emit(events.GradientCalled(made.node), made.scope)


def _is_given_by_others(made: Transformed) -> bool:
    """Whether the transform stands in what puts it around any function, and is not written for this one."""
    given = made.node.args[0] if isinstance(made.node, ast.Call) and made.node.args else None
    function = innermost(made.function)[0]
    return isinstance(given, ast.Name) and function is not None and given.id != function.name


def _wrong_gradient(it: Interpreter, made: Transformed, result: Value, node: ast.AST) -> Iterator_[events.OfGradient]:
    has_aux = made.options.get("has_aux", Const(False))
    if not isinstance(has_aux, Const) or "holomorphic" in made.options or may_be_replaced(it, made.function):
        return
    if made.name in (*_GRADIENTS, *_LIKE_GRADIENTS):
        refused = contracts.refused_loss(it, made.name, result, bool(has_aux.value), node)
        if refused is not None:
            yield refused
    if has_aux.value:
        result = result.items[0] if isinstance(result, Tuple) and len(result.items) == 2 else Opaque()
    root = slopes.root_of_zero(result, slopes.goes_back(made.name))
    if root is not None:
        it.emit(events.SingularSlope(node, root.name, "zero"))
    if it.differentiations == 1:
        lost = contracts.lost_slope(made.name, result, node)
        if lost is not None:
            yield lost


_GRADIENTS = ("jax.grad", "jax.value_and_grad")
_LIKE_GRADIENTS = (
    *(module + name for module in ("flax.nnx.", "haiku.", "equinox.filter_") for name in ("grad", "value_and_grad")),
    "optax.value_and_grad_from_state",
)
"""What libraries make of these, for trees of their own: they ask the same of what a function gives."""

_OF_FLOATS = (*_GRADIENTS, "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian")


_LIFTING = "flax.linen."
"""What makes another class of a class of modules: all others run it, and what it makes is what they return."""


def _makes_modules(function: Value) -> bool:
    """Whether it is a class of modules; one that is lifted already, or has some fields filled in, is one as well."""
    while isinstance(function, (Partial, Transformed)):
        function = function.function
    if isinstance(function, Union):
        return any(_makes_modules(option) for option in function.options)
    return isinstance(function, ClassValue) and classes.is_module(function)


def _maps(wrapper: Wrapper) -> bool:
    return wrapper.abstracts is Abstracts.MAPPED and not wrapper.stages


_MAPS = ("jax.vmap",)
CUSTOM_RULES = frozenset(("jax.custom_jvp", "jax.custom_vjp"))


def _primals(it: Interpreter, args: Arguments) -> Arguments:
    """What a function with its own rule for derivatives is run on under plain grad: the values themselves."""
    positional = [_primal(it, value) for value in args.positional]
    return replace(args, positional=positional, named={name: _primal(it, value) for name, value in args.named.items()})


def _primal(it: Interpreter, value: Value) -> Value:
    if arrays.tracer_in(it, value, GRAD) is None or arrays.tracer_in(it, value) is not None:
        return _put_together(it, value) if isinstance(value, Container) else value
    return lower(it, value, CONCRETE)


def _put_together(it: Interpreter, value: Container) -> Container:
    """Another list or dict of the same leaves: JAX takes arguments apart and puts them together again."""
    made = Container(value.kind, it.ctx, value.text)
    it.state.write(made).update(it.state.read(value))
    return made


@contextmanager
def _without_effect(it: Interpreter, wrapper: Wrapper) -> Iterator_[None]:
    """make_jaxpr runs nothing: no key is spent."""
    if wrapper.result == "jaxpr":
        with it.scratch():
            yield
    else:
        yield


def _check_arguments(lifter: _Lifter, args: Arguments, node: ast.AST) -> None:
    """Iterators are no pytrees of arrays; a tracer cannot be a non-differentiable static argument."""
    it, made = lifter.it, lifter.made
    if made.wrapper.abstracts is Abstracts.ALL:
        static = lifter.static_values(args)
        for value in args.values():
            if (
                value not in static
                and isinstance(value, Iterator)
                and value.kind in ("generator", "iterator", "zip", "map", "range")
            ):
                it.emit(events.OuterIterator(node, value.kind, "handed", made.name))
    if made.name in CUSTOM_RULES:
        positions = _integers(it, made.options.get("nondiff_argnums")) or []
        count = len(args.positional)
        for position in positions:
            passed = args.positional[position] if -count <= position < count else None
            if isinstance(passed, (Array, Tree)) and passed.level and getattr(passed, "sure", True):
                it.emit(events.ClosedOverTracer(node, "", made.name, passed))


def _unknown_result(it: Interpreter, wrapper: Wrapper, name: str) -> Value:
    if wrapper.result == "value_and_grad":
        return handed_back.by(name, Opaque("a value"), Opaque("gradients"))
    return Opaque("the result of a transformed function")


def _loss_of_unknown(made: Transformed, value: Value, level: int, provenance: Provenance) -> Value:
    """What a function that is differentiated gives, where that is not known: JAX refuses all but one number of floating
    point, or a pair of that and anything else (``has_aux``)."""
    has_aux = made.options.get("has_aux", Const(False))
    if not isinstance(has_aux, Const):
        return value
    loss = Array(level, provenance if level else None, "float", 0)
    return Tuple((loss, Opaque("aux"))) if has_aux.value else loss


def _operands(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> list[Value]:
    """The arguments that a call differentiates for, if they are known."""
    given = made.options.get(made.wrapper.argnums) if made.wrapper.argnums is not None else None
    numbers = [0] if given is None else _integers(it, given) or []
    count = _count_before_stars(args, node) if args.open_ended else len(args.positional)
    least = 0 if args.open_ended else -count
    known = all(least <= number < count for number in numbers)
    return [args.positional[number] for number in numbers] if known else []


def _count_before_stars(args: Arguments, node: ast.AST) -> int:
    """How many arguments stand before the first one with a star."""
    written = args.written if args.written is not None else getattr(node, "args", ())
    return next((number for number, one in enumerate(written) if isinstance(one, ast.Starred | None)), 0)


def _shaped(
    it: Interpreter, made: Transformed, value: Value, gradients: Value, operands: Sequence[Value], node: ast.AST
) -> Value:
    """What a caller gets of the ``value`` of a function, and of ``gradients``, which are like the ``operands``."""
    wrapper = made.wrapper
    has_aux = made.options.get("has_aux", Const(False))
    is_tuple = isinstance(made.options.get(wrapper.argnums or "", NONE), (Tuple, Container))
    if is_tuple and wrapper.result != "jacobian" and isinstance(gradients, Tuple):
        gradients.given_by = handed_back.GRADIENTS + made.name
        handed_back.around(gradients, made.name, "argnums", operands)
    if wrapper.result == "first":
        return value.items[0] if isinstance(value, Tuple) and value.items else Opaque(f"the result of {made.name}")
    if wrapper.result == "value_and_grad":
        is_refused = isinstance(has_aux, Const) and has_aux.value and isinstance(value, Array)  # it is no pair
        told = made.name == handed_back.LOSS and isinstance(has_aux, Const)
        loss = Opaque("a pair") if is_refused else handed_back.loss(it, value, operands, node) if told else value
        return handed_back.around(handed_back.by(made.name, loss, gradients), made.name, "", operands)
    if wrapper.result in ("grad", "jacobian"):
        if not isinstance(has_aux, Const):
            return Opaque("gradients, or a pair of them and what is given beside")
        if has_aux.value:
            aux = value.items[1] if isinstance(value, Tuple) and len(value.items) == 2 else Opaque("aux")
            pair = handed_back.by(made.name, gradients, aux)
            return handed_back.around(pair, made.name, "has_aux", operands) if wrapper.result == "grad" else pair
        return gradients
    if wrapper.result in ("opaque", "jaxpr"):
        return Opaque(f"the result of {made.name}")
    return value


def _enter_pallas(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> Value:
    """A Pallas kernel gets references, which are there to be written."""
    function, bound, named = innermost(made)
    if function is not None:
        provenance = Provenance(Why.APPLIED, ("pallas_call",), made.scope, made.node, it.ctx.provenance)
        required = function.node.args.args[bound : len(function.node.args.args) - len(function.defaults)]
        refs: list[Value] = [Ref(provenance, ABSTRACT) for parameter in required if parameter.arg not in named]
        with it.context(it.ctx.enter(made.name, provenance, True)), it.scratch():
            result = it.call(made.function, Arguments(refs, {}), node)
            contracts.check_kernel(it, function, result, node)
            if not (args.open_ended or args.unsure or args.rest is not None):
                outputs = [one.arg for one in required if one.arg not in named][len(args.positional) :]
                contracts.check_written(it, function, outputs)
    return Opaque("what the kernel wrote")


class _Lifter:
    """Turns the arguments of one call into what the traced function receives."""

    def __init__(self, it: Interpreter, made: Transformed, provenance: Provenance, ctx: Context) -> None:
        self.it = it
        self.made = made
        self.wrapper = made.wrapper
        self.provenance = provenance
        self.ctx = ctx
        self.outer_level = ABSTRACT if it.ctx.staging and not it.ctx.concrete else CONCRETE
        self.function, self.bound, _ = innermost(made.function)

    def arguments(self, args: Arguments) -> Arguments:
        static_positions, static_names = self.static(args)
        _tell_alike(args.positional)
        positional = [
            value if index in static_positions else self._one(index, value, self.name_at(index))
            for index, value in enumerate(args.positional)
        ]
        named = {
            name: value if name in static_names else self._one(None, value, name) for name, value in args.named.items()
        }
        rest, others = self._beyond(args.rest), self._beyond(args.others)
        return replace(args, positional=positional, named=named, mapping=None, rest=rest, others=others, written=None)

    @property
    def static_is_unknown(self) -> bool:
        return self._given_static() is None

    def is_refused(self, args: Arguments, node: ast.AST) -> bool:
        """Whether the call fails before anything is traced, for what it passes."""
        positions, names = self.surely_static(args)
        passed = [self.name_at(index) for index in range(len(args.positional))]
        static: list[int | str] = [*sorted(positions.intersection(range(len(passed))))]
        static += sorted(names.intersection(args.named))
        if jitted_calls.is_refused(self.it, self.made, args, passed, static, node):
            return True
        if self.static_is_unknown or len(self.static(args)[0]) > len(positions):
            return False
        return jitted_calls.is_no_array(self.it, self.made, args, passed, [*static, *self._as_they_are(args)], node)

    def _as_they_are(self, args: Arguments) -> Iterator_[int | str]:
        """The positions and names of arguments that need be no arrays: each lane gets what is not mapped, and what
        nobody differentiates stays what it is."""
        positions = range(len(args.positional))
        if self.wrapper.abstracts is Abstracts.MAPPED:
            yield from (index for index in positions if self._axis(index) not in ("mapped", "first"))
        elif self.wrapper.abstracts is Abstracts.DIFFERENTIATED:
            differentiated = self._differentiated()
            yield from (index for index in positions if differentiated is None or index not in differentiated)
            yield from args.named

    def static_values(self, args: Arguments) -> list[Value]:
        """The arguments that are static."""
        positions, names = self.static(args)
        found = [value for index, value in enumerate(args.positional) if index in positions]
        return found + [value for name, value in args.named.items() if name in names]

    def _beyond(self, value: Value | None) -> Value | None:
        """What stands for arguments beyond the parameters, as the traced function sees it: not known where options
        say of some that they are special."""
        if not isinstance(value, Opaque) or not self._are_special_in_front():
            return value
        return self._one(None, value, value.text)

    def _are_special_in_front(self) -> bool:
        """Whether all arguments that options tell of are parameters, if they tell of any."""
        special = {self.wrapper.static_nums, self.wrapper.static_names, self.wrapper.in_axes} - {None}
        if special.isdisjoint(self.made.options):
            return True
        given, known = self._given_static(), self._positional_names()
        if given is None or self.bound or self.wrapper.in_axes in self.made.options:
            return False
        return all(0 <= number < len(known) for number in given[0]) and set(given[1]) <= set(known)

    def looks_inside(self, around: Looks) -> Looks:
        """What of ``around`` is of parameters that functions around the traced one have."""
        own = frozenset() if self.function is None else parameter_names(self.function.node)
        return frozenset([look for look in around if look[0] not in own])

    def looks(self, args: Arguments, node: ast.AST) -> Looks:
        """What the caller reads afterwards of the arguments that the function uses as containers, or that count."""
        if self.function is None:
            return frozenset()
        names = [self.name_at(index) for index in range(len(args.positional))]
        counting = {name for name, value in zip(names, args.positional) if _may_count(value)}
        containers = self.it.facts_of(self.function.node).container_names | counting
        if containers.isdisjoint(names):
            return frozenset()
        names = [name if name in containers else "" for name in names]
        return looked_at_again(self.it, node, args.positional, names) | self._counts_again(counting, node)

    def _counts_again(self, counting: set[str], node: ast.AST) -> Looks:
        """Those that a loop hands to the function in each of its passes."""
        written = node.args if isinstance(node, ast.Call) else []
        return frozenset(
            (self.name_at(index), "")
            for index, argument in enumerate(written)
            if isinstance(argument, ast.Name) and self.name_at(index) in counting
            if is_called_again(self.it, node, argument.id)
        )

    def check(self, args: Arguments, node: ast.AST) -> bool:
        """Whether the transform takes such arguments, as far as is known."""
        name = self.made.name
        if name in _OF_FLOATS and "allow_int" not in self.made.options:
            return contracts.check_differentiated(self.it, name, self.differentiated(args), node)
        if name in _MAPS and self._maps_nothing(args):
            self.it.emit(events.NothingMapped(node, name))
            return False
        if name in _MAPS and not args.open_ended and not args.unsure:
            if self._has_axes_of_another_tree(args, node):
                return False
            contracts.check_lanes(self.it, name, list(self._lanes(args, node)), node)
        return True

    def _maps_nothing(self, args: Arguments) -> bool:
        """Whether ``in_axes`` says of all that is passed that each lane gets all of it, and nothing says how many lanes
        there are.  What is passed by name is mapped."""
        given, size = self.made.options.get("in_axes"), self.made.options.get("axis_size", Const(None))
        if given is None or _is_axis(size) or args.named or args.others is not None or args.mapping is not None:
            return False
        if not isinstance(given, (Tuple, Container)):
            return not _is_axis(given) and not args.open_ended
        items = known_items(self.it, given, KNOWN_ITEMS.value)
        return bool(items) and len(items or ()) == len(args.positional) and not any(map(_is_axis, items or ()))

    def _has_axes_of_another_tree(self, args: Arguments, node: ast.AST) -> bool:
        """Whether ``in_axes`` says something of parts that an argument has not."""
        given = self.made.options.get("in_axes")
        axes = known_items(self.it, given, KNOWN_ITEMS.value) if isinstance(given, (Tuple, Container)) else None
        if axes is None or len(axes) != len(args.positional):
            return False
        arguments = [(self.name_at(at) or f"argument {at}", value) for at, value in enumerate(args.positional)]
        return axis_trees.is_refused(self.it, self.made.name, axes, arguments, node)

    def count_lanes(self, args: Arguments) -> int | None:
        """How many lanes a map has, if that is known."""
        if self.made.name not in _MAPS or args.open_ended or args.unsure:
            return None
        return contracts.count_lanes(self.it, self._lanes(args, None))

    def _lanes(self, args: Arguments, node: ast.AST | None) -> Iterator_[tuple[str, Value, int]]:
        """The arguments that are mapped over an axis that is known; tells at a ``node`` if there are other ones."""
        given = self.made.options.get("in_axes", Const(0))
        items = known_items(self.it, given, KNOWN_ITEMS.value) if isinstance(given, (Tuple, Container)) else None
        if items is None and not isinstance(given, Const):
            return
        if items is not None and len(items) != len(args.positional):
            if node is not None:
                self.it.emit(events.AxesForOthers(node, self.made.name, len(items), len(args.positional)))
            return
        for index, value in enumerate(args.positional):
            axis = items[index] if items is not None else given
            if isinstance(axis, Const) and type(axis.value) is int:
                yield self.name_at(index) or f"argument {index}", value, axis.value
        if "static_broadcasted_argnums" not in self.made.options:
            for name, value in args.named.items():
                yield name, value, 0

    def derivatives(self, args: Arguments, result: Value) -> Value:
        """What a caller gets beside, or in place of, the ``result`` of a function that is differentiated."""
        if self.wrapper.result in ("grad", "value_and_grad"):
            return self._by_differentiated(args, self._gradient)
        if self.wrapper.result != "jacobian":
            return Opaque()
        inputs = self._by_differentiated(args, lambda leaf: leaf)
        outputs = result.items[0] if self._has_aux and isinstance(result, Tuple) and result.items else result
        return jacobians.of(self.it, self.made.name, outputs, inputs, self.outer_level, self.provenance)

    @property
    def _has_aux(self) -> bool:
        given = self.made.options.get("has_aux")
        return isinstance(given, Const) and bool(given.value)

    def _by_differentiated(self, args: Arguments, change: Callable[[Value], Value]) -> Value:
        """What ``change`` makes of the argument that is differentiated, or a tuple of that for each of them."""
        spec = self.wrapper.argnums
        given = self.made.options.get(spec) if spec is not None else None
        numbers = [0] if given is None else _integers(self.it, given)
        if not numbers or not all(0 <= number < len(args.positional) for number in numbers):
            return Opaque("gradients")
        operands = [args.positional[number] for number in numbers]
        found = [map_leaves(self.it, operand, change) for operand in operands]
        return found[0] if given is None or isinstance(given, Const) else Tuple(tuple(found))

    def _gradient(self, leaf: Value) -> Value:
        return like(leaf, self.outer_level, self.provenance, "gradients")

    def name_at(self, index: int) -> str:
        if self.function is None:
            return ""
        spec = self.function.node.args
        names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        return names[index + self.bound] if 0 <= index + self.bound < len(names) else ""

    def static(self, args: Arguments) -> tuple[set[int], set[str]]:
        """Static positions (of this call) and names, each also resolved to the other (rule 1.2.2).

        Where the names of a wrapper's `*args` are, or those of a function that cannot be seen, `inspect.signature` may
        know (`functools.wraps`): no claim is made.
        """
        count = len(args.positional)
        positions, names = self.surely_static(args)
        if self.static_is_unknown:
            return set(range(count)), {*self._all_names(), *args.named}
        if self.function is None or self.function.node.args.vararg is not None:
            if not names.issubset(self._positional_names()):
                positions.update(range(len(self._positional_names()), count))
        return positions, names

    def surely_static(self, args: Arguments) -> tuple[set[int], set[str]]:
        """The same as far as it is known."""
        count = len(args.positional)
        given, called = self._given_static() or ([], [])
        total = len(self._positional_names()) or count
        positions = {number + total if number < 0 else number for number in given}
        if self.wrapper.counts_self and self.made.receiver is None and self.bound:
            positions = {number - self.bound for number in positions}
        static_names = set(called)
        for position in positions:
            if 0 <= position < len(self._positional_names()):
                static_names.add(self._positional_names()[position])
        for name in called:
            if name in self._positional_names():
                positions.add(self._positional_names().index(name))
        return positions, static_names

    def _given_static(self) -> tuple[list[int], list[str]] | None:
        """The numbers and names that are said to be static; None where that is not known."""
        nums, names = self.wrapper.static_nums, self.wrapper.static_names
        given = _integers(self.it, self.made.options.get(nums)) if nums else []
        called = _strings(self.it, self.made.options.get(names)) if names else []
        return None if given is None or called is None else (given, called)

    def _positional_names(self) -> list[str]:
        if self.function is None:
            return []
        spec = self.function.node.args
        return [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)][self.bound :]

    def _all_names(self) -> list[str]:
        if self.function is None:
            return []
        return [*self._positional_names(), *(parameter.arg for parameter in self.function.node.args.kwonlyargs)]

    def _one(self, index: int | None, value: Value, name: str) -> Value:
        where: ast.AST = self.made.node
        scope = self.made.scope
        if self.function is not None and name:
            parameter = _parameter_node(self.function, name)
            if parameter is not None:
                where, scope = parameter, self.function.scope
        short = self.made.name.rpartition(".")[2]
        why, names = (Why.PARAMETER, (name, short)) if name else (Why.ARGUMENT, (short,))
        step = Provenance(why, names, scope, where, self.provenance)
        kind = self.wrapper.abstracts
        if kind is Abstracts.NOTHING or (kind in (Abstracts.ALL, Abstracts.NODES) and self._is_passed_on(index)):
            return value
        if self.wrapper.scans:
            value = self._of_one_step(index, value)
        if kind is Abstracts.ALL:
            lifted = lift(self.it, value, ABSTRACT, step, name)
            if isinstance(lifted, Tree) and isinstance(where, ast.arg) and self.function is not None:
                lifted.required_by = (self.function.node, name) if _is_required(self.function.node, where) else None
            return _of_any_size(lifted) if self.wrapper.shards else lifted
        if kind is Abstracts.ARRAYS:
            return lift_arrays(self.it, value, step, name)
        if kind is Abstracts.NODES:
            return lift_nodes(self.it, value, step, name)
        if kind is Abstracts.MAPPED:
            return self._mapped(index, value, step, name)
        differentiated = self._differentiated()
        if index is not None and differentiated is not None and index in differentiated:
            filters = self.wrapper.filters
            lifted = lift_floats(self.it, value, step, name) if filters else lift(self.it, value, GRAD, step, name)
            if slopes.is_differentiated(self.made.name):
                return slopes.mark(self.it, lifted)
            slopes.forget(lifted)
            return lifted
        self.ctx.uncopied.add(value)
        self.it.ask_of_trace(OfTrace.DERIVATIVES)
        if self.ctx.differentiations == 1:
            slopes.leave(value)
        return value

    def differentiated(self, args: Arguments) -> list[Value]:
        """The arguments by position that the function is differentiated for."""
        numbers = self._differentiated() or ()
        return [args.positional[number] for number in numbers if 0 <= number < len(args.positional)]

    def _differentiated(self) -> set[int] | None:
        spec = self.wrapper.argnums
        given = self.made.options.get(spec) if spec is not None else None
        if given is None:
            return {0}
        found = _integers(self.it, given)
        if found is None:
            return None
        total = len(self._positional_names())
        return {number + total if number < 0 else number for number in found}

    def _mapped(self, index: int | None, value: Value, step: Provenance, name: str) -> Value:
        axis = self._axis(index)
        if axis in ("none", "unknown"):
            given = self._unmapped(value, step, name)
            return given if axis == "none" else _of_unknown_shape(given)
        is_first = self.wrapper.in_axes not in self.made.options or axis == "first"
        row = one_lane(self.it, value, self.made.node, lane=self.ctx.mapped, is_first=is_first)
        lane = lift(self.it, row, ABSTRACT, step, name)
        return _of_unknown_shape(lane) if self.wrapper.in_axes is None else lane

    def _of_one_step(self, index: int | None, value: Value) -> Value:
        """What a step of a lifted scan is given."""
        axis = self._axis(index)
        if index is None or axis == "none" or self._is_carry(index):
            return value
        is_first = self.wrapper.in_axes not in self.made.options or axis == "first"
        row = one_lane(self.it, value, self.made.node, is_first=is_first)
        return _of_unknown_shape(row) if axis == "unknown" else row

    def _is_carry(self, index: int) -> bool:
        given = self.made.options.get(self.wrapper.in_axes or "")
        if not self.wrapper.carry:
            return index + (self.bound - 1 if self.wrapper.counts_self else 0) < self.wrapper.carried
        items = known_items(self.it, given, KNOWN_ITEMS.value) if isinstance(given, (Tuple, Container)) else None
        found = given if items is None else items[index] if index < len(items) else None
        is_first = given is None and index == 0
        return is_first or (isinstance(found, External) and found.name == self.wrapper.carry)

    def _unmapped(self, value: Value, step: Provenance, name: str) -> Value:
        """An argument of which each lane gets all; a container, and an object, is rebuilt for them all the same."""
        if self.wrapper.stages:
            return lift(self.it, value, ABSTRACT, step, name)
        if isinstance(value, Instance) and classes.is_pytree(self.it, value.cls):
            made = map_leaves(self.it, value, lambda leaf: leaf)
            if isinstance(made, Instance):
                made.provenance, made.parameter = step, name
            return made
        if not isinstance(value, Container):
            return value
        rebuilt = Container(value.kind, None if name else self.it.ctx, name, step, parameter=name)
        self.it.state.write(rebuilt).update(self.it.state.read(value))
        return rebuilt

    def _is_passed_on(self, index: int | None) -> bool:
        """Whether the function gets this argument just as it is: no spec says how to shard or to scan it."""
        spec = self.wrapper.in_axes
        given = self.made.options.get(spec) if spec is not None else None
        return isinstance(given, (Tuple, Container, External)) and self._axis(index) == "none"

    def _axis(self, index: int | None) -> str:
        spec = self.wrapper.in_axes
        given = self.made.options.get(spec) if spec is not None else None
        if given is None or index is None:
            return "unknown" if spec is None and "excluded" in self.made.options else "mapped"
        if self.wrapper.counts_self:
            index += self.bound - 1  # the module is no argument that axes are given for
        index -= self.wrapper.carried
        if index < 0:
            return "mapped"
        if isinstance(given, Container):
            items = known_items(self.it, given, KNOWN_ITEMS.value)
            given = Tuple(tuple(items)) if items is not None else given
        if isinstance(given, Tuple):
            if index >= len(given.items):
                return "unknown"
            given = given.items[index]
        if isinstance(given, Const):
            return "none" if given.value is None else "first" if given.value == 0 else "mapped"
        if isinstance(given, External) and given.name == self.wrapper.broadcast:
            return "none"
        return "unknown"


def _parameter_node(function: Function, name: str) -> ast.arg | None:
    named = (*parameters(function.node), function.node.args.vararg, function.node.args.kwarg)
    return next((parameter for parameter in named if parameter is not None and parameter.arg == name), None)


def _is_required(node: FunctionNode, parameter: ast.arg) -> bool:
    """Whether each call gives this argument, and its annotation does not say that it may be None."""
    spec = node.args
    ordered = [*spec.posonlyargs, *spec.args]
    without = {*ordered[: len(ordered) - len(spec.defaults)]}
    without.update(only for only, default in zip(spec.kwonlyargs, spec.kw_defaults) if default is None)
    declared = "" if parameter.annotation is None else ast.unparse(parameter.annotation)
    return parameter in without and "None" not in declared and "Optional" not in declared


def _integers(it: Interpreter, value: Value | None) -> list[int] | None:
    """The numbers in an int, tuple or list option; None when they are not known."""
    return _constants(it, value, int)  # type: ignore[return-value]


def _strings(it: Interpreter, value: Value | None) -> list[str] | None:
    return _constants(it, value, str)  # type: ignore[return-value]


def _constants(it: Interpreter, value: Value | None, kind: type) -> list[object] | None:
    if value is None:
        return []
    if isinstance(value, Const):
        return [value.value] if isinstance(value.value, kind) else []
    items = known_items(it, value, KNOWN_ITEMS.value)
    if items is None:
        return None
    found = [item.value for item in items if isinstance(item, Const) and isinstance(item.value, kind)]
    return found if len(found) == len(items) else None


def one_lane(
    it: Interpreter,
    value: Value,
    node: ast.AST,
    repeat: int = 0,
    lane: int = 0,
    depth: int = 0,
    copies: _Copies | None = None,
    is_first: bool = True,
) -> Value:
    """What one lane of a mapped argument is: a key of a key array, a row of an array, a tree of those of its leaves.

    ``lane`` is the depth of the map; for the rounds of a loop, which are no lanes, it is 0.  ``is_first``: it is mapped
    over its first axis.
    """
    if isinstance(value, Key):
        ident = keys.child(it, value.ident, ("lane", repeat), "key of one lane", node)
        ident.lane = lane
        dims = value.dims - 1
        return Key(ident, dims > 0, None, value.level, value.provenance, value.typed, dims, value.ranked)
    if isinstance(value, (Opaque, Tree)):
        ident = _of_lane(value.key, repeat, lane, is_first)
        text = value.text if isinstance(value, Opaque) else value.parameter
        part = Opaque(text, key=ident, holds=value.holds)
        part.slope = value.slope
        return part
    if isinstance(value, HostArray):
        whole = results.aval_of(value)
        return value.of_shape((whole if is_first else whole.of_any_size()).of_row().shape)
    if isinstance(value, Array):
        ndim = value.ndim - 1 if value.ndim else None
        aval = value.aval.of_row() if is_first else value.aval.of_any_size().of_row()
        may_be_keys = value.declared or value.has_key
        may_be_told_apart = may_be_keys or (lane > 0 and value.kind in ("", "float"))
        key = _of_lane(value.key, repeat, lane, is_first) if may_be_told_apart else None
        reason = None if lane else value.provenance  # a lane is a tracer of the map's own
        row = Array(value.level, reason, value.kind, ndim, key=key, declared=value.declared, aval=aval)
        slopes.pass_on(value, row)
        return row
    copies = copies or _Copies()
    if depth > LIFTED_DEPTH.value or copies.are_enough():
        return Opaque("a part")
    if isinstance(value, Tuple):
        items = tuple(one_lane(it, item, node, repeat, lane, depth + 1, copies, is_first) for item in value.items)
        return value.with_other(items)
    if isinstance(value, Union):
        return Union(
            tuple(one_lane(it, option, node, repeat, lane, depth, copies, is_first) for option in value.options)
        )
    if isinstance(value, Instance) and value.symbolic and classes.is_pytree(it, value.cls):
        for field in classes.fields_in_order(value.cls) or ():  # what nobody has asked for yet is mapped as well
            if not instances.is_static_field(it, value.cls, field) and it.state.read(value).get(field) is None:
                instances.instance_attribute(it, value, field, node)
    cell = it.state.read(value)
    copy: Container | Instance
    if isinstance(value, Container):
        copy, static = Container(value.kind, it.ctx, value.text), set[str]()
    elif isinstance(value, Instance) and classes.is_pytree(it, value.cls):
        copy = Instance(value.cls, it.ctx, value.symbolic)
        static = {field for field, item in cell.items() if instances.passes_as_is(it, value.cls, field, item)}
    else:
        return value
    parts = {
        name: item if name in static else one_lane(it, item, node, repeat, lane, depth + 1, copies, is_first)
        for name, item in cell.items()
    }
    it.state.write(copy).update(parts)
    return copy


def _of_lane(key: KeyId, repeat: int, lane: int, is_first: bool) -> KeyId:
    """The part of what may be keys that one lane gets: that of its first axis is a row."""
    ident = key.part(("lane", repeat), key.text, key.site, key.known)
    ident.lane = lane
    ident.row_of = key.actual if lane and is_first else None
    return ident


# -- lifting ----------------------------------------------------------------------------------------------


class _Copies:
    """Counts the objects that are copied with one value; ``filters``: of what is in it arrays of floats alone are
    traced."""

    __slots__ = ("count", "filters")

    def __init__(self, filters: bool = False) -> None:
        self.count = 0
        self.filters = filters

    def are_enough(self) -> bool:
        self.count += 1
        return self.count > MAX_COPIES.value


def lift(
    it: Interpreter,
    value: Value,
    level: int,
    step: Provenance,
    name: str = "",
    depth: int = 0,
    copies: _Copies | None = None,
) -> Value:
    """The tracer (or tree of tracers) that stands for ``value`` inside a trace of this level."""
    filters = copies is not None and copies.filters
    if filters and _is_never_of_floats(value):
        return value
    if isinstance(value, Array):
        provenance = step if value.level < level or value.provenance is None else value.provenance
        key = value.key if value.has_key else None
        if value.level == CONCRETE and value.kind == "" and value.ndim is None and depth == 0 and name:
            # An annotated or unknown array parameter may still turn out to be a key.
            key = value.key
        lifted_level = max(value.level, level)
        lifted = Array(
            lifted_level, provenance, value.kind, value.ndim, sized=value.sized, key=key, declared=value.declared,
            aval=value.aval,
        )  # fmt: skip
        lifted.slope, lifted.flat, lifted.barriers = value.slope, value.flat, value.barriers
        lifted.zero = value.zero
        return lifted
    if isinstance(value, Tree):
        if value.level >= level:
            return value
        name = name or value.parameter
        tree = Tree(level, step, name, value.sure, value.array_like, value.key, holds=value.holds)
        tree.slope, tree.free = value.slope, value.free
        return _lift_stored(it, value, tree, depth, copies)
    if isinstance(value, Opaque):
        # What is filtered and holds no array of floats is not differentiated; a part of it may be anything.
        sure = depth == 0 or not filters
        unknown = Tree(level, step, name if depth == 0 else "", sure=sure, key=value.key, holds=value.holds)
        unknown.slope, unknown.free = value.slope, value.free
        return _lift_stored(it, value, unknown, depth, copies)
    if isinstance(value, Key):
        return _lifted_key(value, level, step)
    if isinstance(value, Const):
        if isinstance(value.value, (bool, int, float, complex)) and level == ABSTRACT:
            return Array(level, step, key=_number_of(it, value), aval=of_number(value.value))
        if isinstance(value.value, float):
            return Array(level, step, aval=of_number(value.value))
        return value
    if isinstance(value, Static):
        if level == ABSTRACT and value.kind in ("int", "float", "bool"):
            return Array(level, step, value.kind, 0, key=_number_of(it, value))
        if level == ABSTRACT and value.kind == NUMPY_FLOAT:
            return Array(level, step, "float", 0)
        if level == ABSTRACT and not value.kind:
            return Opaque("what becomes of a host value")  # of a number a tracer, of None nothing, of a dict a tree
        return value
    if isinstance(value, HostArray):
        return Array(level, step, value.kind, aval=results.aval_of(value))
    copies = copies or _Copies()
    if depth > LIFTED_DEPTH.value or copies.are_enough():
        return Opaque("a part")
    if isinstance(value, Tuple):
        items = tuple(lift(it, item, level, step, "", depth + 1, copies) for item in value.items)
        return value.with_other(items)
    if isinstance(value, Container):
        return _lift_container(it, value, level, step, name, depth, copies)
    if isinstance(value, Instance):
        return value if classes.is_static(value.cls) else _lift_instance(it, value, level, step, name, depth, copies)
    if isinstance(value, Union):
        return Union(
            tuple(lift(it, option, level, step, name, depth, copies) for option in value.options), value.guards
        )
    if isinstance(value, ExternalInstance) and value.made_by in libraries.CHANGED_BY_METHODS:
        return value.made_in(it.ctx, name if depth == 0 else "")
    if isinstance(value, ExternalInstance):
        return value if value.made_by in libraries.TAKEN_APART else Opaque(value.made_by)
    if isinstance(value, Stream) and level == ABSTRACT and name and depth == 0:
        return _copied_stream(it, value, name)
    return value


def _may_count(value: Value) -> bool:
    """Whether what calls do may be kept in it: in a generator of keys, or in a module of flax nnx that has one."""
    return isinstance(value, Stream) or (isinstance(value, Instance) and classes.is_mutable_module(value.cls))


def _copied_stream(it: Interpreter, value: Stream, name: str) -> Value:
    """What a parameter of a function that JAX traces gets of an `nnx.Rngs`; flax's own transforms carry it out."""
    return Stream(value.name, (name, it.ctx)) if it.transform.startswith("jax.") else value


def lift_floats(it: Interpreter, value: Value, step: Provenance, name: str = "") -> Value:
    """eqx.filter_grad: arrays of floats are differentiated, every other leaf stays what it is."""
    return lift(it, value, GRAD, step, name, copies=_Copies(filters=True))


def _is_never_of_floats(value: Value) -> bool:
    """Whether it is no array of floats; such a number as JAX would differentiate is none either."""
    if isinstance(value, (Array, HostArray)):
        return value.kind in ("int", "bool")
    return isinstance(value, (Const, Static, Key))


def _lift_stored(it: Interpreter, value: Opaque | Tree, tree: Tree, depth: int, copies: _Copies | None) -> Tree:
    """The tree of tracers with what has been put into the object that it stands for."""
    stored = it.state.read(value) if it.state.holds(value) else None
    if stored and depth <= LIFTED_DEPTH.value:
        copies = copies or _Copies()
        lifted = {
            part: lift(it, item, tree.level, tree.provenance, "", depth + 1, copies) for part, item in stored.items()
        }
        it.state.write(tree).update(lifted)
    return tree


def _number_of(it: Interpreter, value: Const | Static) -> KeyId:
    """The identity of the tracer of a number: two calls with the same number are given the same one."""
    what = (type(value.value), value.value) if isinstance(value, Const) else value
    return it.numbers.setdefault(what, KeyId("a number"))


def _lift_container(
    it: Interpreter, value: Container, level: int, step: Provenance, name: str, depth: int, copies: _Copies
) -> Container:
    # What is handed to a function whose parameters are not known is new in the trace, and nothing more is known of it.
    parameter = name if depth == 0 else ""
    lifted = Container(value.kind, None if parameter else it.ctx, name, step, parameter=parameter)
    cell = {part: lift(it, item, level, step, "", depth + 1, copies) for part, item in it.state.read(value).items()}
    it.state.write(lifted).update(cell)
    return lifted


def _lift_instance(
    it: Interpreter, value: Instance, level: int, step: Provenance, name: str, depth: int, copies: _Copies
) -> Value:
    """A registered pytree is rebuilt with traced fields; any other object passes as it is."""
    if not classes.is_pytree(it, value.cls):
        # JAX accepts registered classes only, so this is one that cannot be seen to be: a fresh object as well.
        rebuilt = Instance(value.cls, it.ctx, value.symbolic)
        if depth == 0 and classes.is_mutable_module(value.cls):
            rebuilt.parameter = name
        elif depth == 0 and registered.may_be_pytree(it, value.cls):
            rebuilt.parameter, rebuilt.provenance = name, step
        cell = {field: _rebuilt(it, item, level, step, copies) for field, item in it.state.read(value).items()}
        for field, item in cell.items() if rebuilt.parameter else ():
            cell[field] = _copied_stream(it, item, name) if isinstance(item, Stream) else item
        it.state.write(rebuilt).update(cell)
        return rebuilt
    lifted = Instance(value.cls, it.ctx, value.symbolic)
    lifted.level, lifted.provenance, lifted.parameter = level, step, name if depth == 0 else ""
    cell = {
        field: item
        if instances.passes_as_is(it, value.cls, field, item)
        else lift(it, item, level, step, "", depth + 1, copies)
        for field, item in it.state.read(value).items()
    }
    it.state.write(lifted).update(cell)
    return lifted


def _rebuilt(it: Interpreter, value: Value, level: int, step: Provenance, copies: _Copies) -> Value:
    """A field of a class that cannot be seen to be registered: its arrays are traced, the rest may be static."""
    if isinstance(value, (Array, HostArray, Key)):
        return lift(it, value, level, step, "", 1)
    if isinstance(value, Container):
        if copies.are_enough():
            return Opaque("a part")
        copy = Container(value.kind, it.ctx, value.text)
        cell = {name: _rebuilt(it, item, level, step, copies) for name, item in it.state.read(value).items()}
        it.state.write(copy).update(cell)
        return copy
    if isinstance(value, Tuple):
        return value.with_other(tuple(_rebuilt(it, item, level, step, copies) for item in value.items))
    if isinstance(value, Instance) and (classes.foreign_bases(value.cls) or registered.may_be_pytree(it, value.cls)):
        # Of a class that something outside registers, as a base or a decorator may: part of the tree as well.
        return Opaque("a part") if copies.are_enough() else _lift_instance(it, value, level, step, "", 1, copies)
    if isinstance(value, ExternalInstance) and value.made_by in libraries.VARIABLES:
        return value.made_in(it.ctx)
    return value


def _lifted_key(value: Key, level: int, step: Provenance) -> Key:
    reason = value.provenance or step
    return Key(value.ident, value.batch, value.size, level, reason, value.typed, value.dims, value.ranked)


def _lift_items(
    it: Interpreter,
    value: Tuple | Container,
    lifted: Callable[[Value], Value],
    step: Provenance,
    name: str,
    depth: int,
    copies: _Copies,
) -> Value:
    """A tuple, list or dict as the trace of a library gets it: made anew, with what its items are there."""
    if depth > LIFTED_DEPTH.value or copies.are_enough():
        return Opaque("a part")
    if isinstance(value, Tuple):
        return value.with_other(tuple(map(lifted, value.items)))
    made = Container(value.kind, None if name else it.ctx, name, step, parameter=name)
    cell = {part: lifted(item) for part, item in it.state.read(value).items()}
    it.state.write(made).update(cell)
    return made


def lift_arrays(
    it: Interpreter, value: Value, step: Provenance, name: str = "", depth: int = 0, copies: _Copies | None = None
) -> Value:
    """eqx.filter_jit: arrays are traced, every other leaf stays what it is."""
    if isinstance(value, Array):
        key = value.key if value.has_key else None
        return Array(
            ABSTRACT,
            value.provenance or step,
            value.kind,
            value.ndim,
            key=key,
            declared=value.declared,
            aval=value.aval,
        )
    if isinstance(value, HostArray):
        return Array(ABSTRACT, step, value.kind, aval=results.aval_of(value))
    if isinstance(value, Key):
        return _lifted_key(value, ABSTRACT, step)
    if isinstance(value, (Tuple, Container)):
        copies = copies or _Copies()
        of_item = partial(lift_arrays, it, step=step, depth=depth + 1, copies=copies)
        return _lift_items(it, value, of_item, step, name, depth, copies)
    if isinstance(value, Opaque) and value.leaf is None and not it.state.read(value):
        leaf = Leaf(step, or_number=True)
        lifted = Opaque(value.text, value.parent, value.selector, value.key, value.derived, value.holds, leaf)
        lifted.free = value.free
        return lifted
    return value


def lift_nodes(
    it: Interpreter, value: Value, step: Provenance, name: str = "", depth: int = 0, copies: _Copies | None = None
) -> Value:
    """nnx.jit: numbers are traced as well; of an object only what keeps its state is."""
    if isinstance(value, Opaque):
        return Opaque(value.text, key=value.key, derived=value.derived, holds=value.holds, leaf=Leaf(step))
    if isinstance(value, (Tuple, Container)):
        copies = copies or _Copies()
        of_item = partial(lift_nodes, it, step=step, depth=depth + 1, copies=copies)
        return _lift_items(it, value, of_item, step, name, depth, copies)
    if isinstance(value, (Array, HostArray, Key, Tree, Const, Static)):
        return lift(it, value, ABSTRACT, step, name)
    if isinstance(value, Instance) and _is_rebuilt(it, value.cls) and depth <= LIFTED_DEPTH.value:
        return _lift_record(it, value, step, name, depth, copies or _Copies())
    return value


def _is_rebuilt(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a trace of nnx gets another object: of a pytree, not of what nnx itself keeps by reference."""
    return classes.is_pytree(it, cls) and not any(base.startswith("flax.nnx.") for base in classes.external_bases(cls))


def _lift_record(
    it: Interpreter, value: Instance, step: Provenance, name: str, depth: int, copies: _Copies
) -> Instance:
    made = Instance(value.cls, it.ctx, value.symbolic)
    made.level, made.provenance, made.parameter = ABSTRACT, step, name if depth == 0 else ""
    for field, item in it.state.read(value).items():
        is_same = instances.passes_as_is(it, value.cls, field, item) or copies.are_enough()
        it.state.write(made)[field] = item if is_same else lift_nodes(it, item, step, "", depth + 1, copies)
    return made


def _holds_tracers(it: Interpreter, value: Instance) -> bool:
    """Whether an object was filled in the trace; of one that merely passes through, the caller has the same."""
    cell = it.state.read(value)
    return any(part.level for part in cell.values()) if value.symbolic else bool(cell)


def lower(
    it: Interpreter,
    value: Value,
    level: int,
    batched: bool | Shape = False,
    inside: Provenance | None = None,
    depth: int = 0,
    copies: _Copies | None = None,
) -> Value:
    """What the caller of a transformed function gets: arrays of the level that is valid outside.  ``inside``: what made
    the trace that ends here; a tracer that comes of none of its own is one outside, too, as those of a `vmap` are.
    ``batched``: there is another axis, this one in front of the others if that is known."""
    if isinstance(value, (Array, Key, Tree)) and inside is not None and _is_of_outside(it, value, inside):
        level = max(level, value.level)
    if isinstance(value, Array):
        ndim = None if value.ndim is None else value.ndim + (1 if batched else 0)
        provenance = value.provenance if level else None
        key = value.key if value.has_key else None
        aval = value.aval
        if batched:
            front = batched if isinstance(batched, tuple) else (None,)
            aval = (aval if isinstance(batched, tuple) else aval.of_any_size()).of_rows(front)
        return Array(level, provenance, value.kind, ndim, key=key, declared=value.declared, aval=aval)
    if isinstance(value, Tree):
        if level:
            return value
        result = Opaque("a result", key=value.key if value.has_key else None, holds=value.holds)
        held = it.state.read(value)  # what the function has put into it, or what a changed copy is known to have
        if held and not batched and depth < LIFTED_DEPTH.value:
            fields = {name: lower(it, item, level, batched, inside, depth + 1, copies) for name, item in held.items()}
            it.state.write(result).update(fields)
        return result
    if isinstance(value, Key):
        size, dims = (None, value.dims + 1) if batched else (value.size, value.dims)
        return Key(value.ident, value.batch or bool(batched), size, level, None, value.typed, dims, value.ranked)
    copies = copies or _Copies()
    if depth > LIFTED_DEPTH.value or copies.are_enough():
        return Opaque("a part")

    def part(item: Value) -> Value:
        return lower(it, item, level, batched, inside, depth + 1, copies)

    if isinstance(value, Tuple):
        return value.with_items(tuple(part(item) for item in value.items))
    if isinstance(value, Container):
        lowered = Container(value.kind, it.ctx)
        cell = {name: part(item) for name, item in it.state.read(value).items()}
        it.state.write(lowered).update(cell)
        return lowered
    if isinstance(value, Opaque) and it.state.read(value):
        made = Opaque(value.text, key=value.key if value.has_key else None)
        cell = {name: part(item) for name, item in it.state.read(value).items()}
        it.state.write(made).update(cell)
        return made
    if isinstance(value, Instance) and (value.level or _holds_tracers(it, value)):
        lowered_instance = Instance(value.cls, it.ctx, value.symbolic)
        lowered_instance.level = level if value.level else 0
        lowered_instance.provenance = value.provenance if level else None
        cell = {
            name: item if _comes_back(it, value.cls, name, item) else part(item)
            for name, item in it.state.read(value).items()
        }
        it.state.write(lowered_instance).update(cell)
        return lowered_instance
    if isinstance(value, Union):
        return Union(
            tuple(lower(it, option, level, batched, inside, depth, copies) for option in value.options), value.guards
        )
    if isinstance(value, Iterator):
        return Opaque("an iterator")
    if batched and (number := _kind_of_number(value)):
        return Array(level, inside if level else None, number, 1)  # each lane gives the same: there is one for each
    if (
        isinstance(value, (Const, Static))
        and level == CONCRETE
        and isinstance(getattr(value, "value", None), (int, float))
    ):
        return Array(CONCRETE)
    return value


def _comes_back(it: Interpreter, cls: ClassValue, name: str, item: Value) -> bool:
    """Whether the object that the caller of a transformed function gets has the same in an attribute.  A class that
    cannot be seen to be registered is one of a library that keeps what is no array, as modules of flax nnx do."""
    if classes.is_pytree(it, cls):
        return instances.passes_as_is(it, cls, name, item)
    return isinstance(item, (Const, Static))


def _kind_of_number(value: Value) -> str:
    """The type of a Python number; nothing for what is none."""
    if isinstance(value, Const):
        kind = type(value.value).__name__
    else:
        kind = value.kind if isinstance(value, Static) else ""
    return kind if kind in ("bool", "int", "float") else ""


def _is_of_outside(it: Interpreter, value: Array | Key | Tree, inside: Provenance) -> bool:
    """Whether a tracer comes of the trace that the code here runs under, and not of the one that ``inside`` made, nor
    of another run of that."""
    if value.level != ABSTRACT or value.provenance is None or it.ctx.provenance is None:
        return False
    steps = value.provenance.chain()
    is_inside = any(step.node is inside.node and step.why is inside.why for step in steps)
    return not is_inside and not set(steps).isdisjoint(it.ctx.provenance.chain())
