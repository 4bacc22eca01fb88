"""Calls: binding arguments, following project functions, summaries, classes, and code that cannot be seen."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments, callee_text
from jaxlint.flow.domain.avals import UNKNOWN
from jaxlint.flow.domain.values import (
    ANY,
    Array,
    At,
    ClassValue,
    Const,
    External,
    ExternalInstance,
    Frame,
    Function,
    Instance,
    Key,
    KeyId,
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
)
from jaxlint.flow.engine.calling import summaries
from jaxlint.flow.engine.calling.unknown_objects import call_unknown
from jaxlint.flow.limits import (
    MAX_DEPTH,
    NESTED_FUNCTIONS,
    RECURSION,
    SHARED_DEPTH,
    WORK_LIMIT,
    Limit,
)
from jaxlint.flow.models.arrays import arrays, slopes
from jaxlint.flow.models.jax import module_names, registered_classes, run_by_base, transforms, unbound_modules
from jaxlint.flow.models.jax.derivative_rules import note_rules
from jaxlint.flow.models.jax.module_calls import note_module_call
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.objects import classes, containers, instances, plain_containers, uncallable
from jaxlint.flow.models.objects.applied import applied_to
from jaxlint.flow.models.objects.binding import bind_member
from jaxlint.flow.models.objects.declared import as_declared, declared_items, parsed, traced_record
from jaxlint.flow.models.objects.iteration import join_all_exact
from jaxlint.flow.models.objects.receivers import takes_objects
from jaxlint.flow.models.objects.taken import taken_for
from jaxlint.flow.models.outside import methods, row_calls
from jaxlint.flow.models.outside.one_of import call_one_of
from jaxlint.flow.models.python.attributes import check_called, note_removed
from jaxlint.flow.models.python.items import get_item
from jaxlint.flow.models.random import random_calls
from jaxlint.flow.models.random.unseen import _reexported_sampler, call_unseen, note_handed
from jaxlint.flow.observers import recreated
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import is_abstract
from jaxlint.flow.source.text import mentions
from jaxlint.flow.source.trees import FunctionNode
from jaxlint.semantics import libraries
from jaxlint.semantics.random import KEY_FUNCTIONS
from jaxlint.semantics.transforms import HIGHER_ORDER


def call(it: Interpreter, function: Value, args: Arguments, node: ast.AST) -> Value:
    """What calling ``function`` with ``args`` gives, with all it does to the state."""
    caller = _CALLERS.get(type(function), call_unseen)
    return caller(it, function, args, node)


# -- project functions ----------------------------------------------------------------------------------


def call_function(it: Interpreter, function: Function, args: Arguments, node: ast.AST) -> Value:
    it.note_function(function)
    written, it.callee = it.callee is function, None
    told = told_of(it, function) if it.rows else None
    if told is not None:
        return row_calls.call_external(it, told, args, node)
    if isinstance(function.receiver, Instance):
        short = _reexported_sampler(function, callee_text(function, node))
        if short is not None and args.positional and keys.is_known_key(args.positional[0]):
            return random_calls.call_random(it, short, KEY_FUNCTIONS[short], args, node)
    if function.node in it.wrapped:
        args = _as_some_wrapper_gives(args)
    if function.receiver is not None:
        args = replace(args, positional=[function.receiver, *args.positional])
    if function.cached:
        for value in args.values():
            arrays.check_hashed(it, value, node, "cached")
    if is_abstract(function.node):
        return call_unseen(it, function, args, node)
    limit = _limit_of(it, function)
    if it.called is not None:
        it.called(it, function, node, limit is None or function.node in it.stack)
    if written and _does_not_fit(function, args):
        return _fails(it)
    if limit is not None:
        it.meets(limit, node)
        it.beyond.add(function)
        return call_unseen(it, function, args, node, keys.AGAIN)
    bound = bind(it, function, args, node)
    if bound is None:
        return Opaque("a call with the wrong arguments")
    _trust_annotations(it, function, bound)
    _doubt_receiver(it, function, bound)
    result = as_declared(it, function, summaries.apply(it, function, bound, node))
    if written and it.only_raises and not _may_be_another(it, function):
        it.alive = False
    if function.node in it.wrapped and it.ctx.is_differentiated:
        slopes.forget(result)
    if function.cached and arrays.tracer_in(it, result) is not None and it.ctx.staging:
        if not any(isinstance(value, (Array, Tree)) or _goes_with_the_trace(it, value) for value in args.values()):
            it.emit(events.CachedTracer(function.node, function.name, function.scope))
    return result


def _may_be_another(it: Interpreter, function: Function) -> bool:
    """Whether something else may run in its place: what wraps it, or what a derived class has for it."""
    if function.node in it.wrapped:
        return True
    if function.owner is None or function.kind == "static":
        return False
    if not isinstance(function.receiver, Instance):
        return True
    given = function.receiver.cls
    derived = it.all_classes(given) if function.receiver.symbolic else ()
    return any(
        given in classes.linearized(cls) and it.state.read(cls.frame).get(function.name)
        for cls in derived
        if cls is not given
    )


def _doubt_receiver(it: Interpreter, function: Function, bound: dict[str, Value]) -> None:
    """`Model.energy(x)`: what a method wants of its object, an array has not; the call is wrong, or what is before."""
    if function.owner is None or function.kind or function.receiver is not None:
        return
    first = next(iter(bound), "")
    if isinstance(bound.get(first), Array) and takes_objects(it, function.owner, first, function):
        bound[first] = Opaque(first)


def told_of(it: Interpreter, function: Function) -> External | None:
    """The outside function that stands for one of the project of which a row, or the settings, tell."""
    if function.owner is not None or function.frame is not None:
        return None
    name = f"{function.scope.name}.{function.name}"
    like = it.rows.like.get(name)
    if like is not None:
        return External(like)
    return External(name) if it.rows.function(name) is not None else None


def _goes_with_the_trace(it: Interpreter, value: Value) -> bool:
    """Whether what is cached by, or in, an object is gone with the trace: it was made there, as each pytree that a
    traced function is given is."""
    return isinstance(value, Instance) and (it.ctx.encloses(value.birth) or classes.is_pytree(it, value.cls))


_ARRAY_PACKAGES = frozenset(
    "jax jaxlib jaxtyping typing typing_extensions collections chex flax optax haiku equinox numpy builtins".split()
)


def _trust_annotations(it: Interpreter, function: Function, bound: dict[str, Value]) -> None:
    """A parameter annotated with a class of some other library holds no tracer, whatever reaches it; one annotated with
    a NamedTuple of the project, or with a pytree of which a part is static, has its fields, and one annotated with a
    container of arrays is that."""
    for name, value in bound.items():
        if isinstance(value, (Tree, Union)):
            parameter = next((p for p in function.node.args.args if p.arg == name), None)
            node = parsed(parameter.annotation) if parameter is not None else None
            if node is not None:
                bound[name] = _as_annotated(it, function, name, value, node)
            elif parameter is not None and isinstance(value, Tree):
                bound[name] = taken_for(it, function, parameter, value)


def _as_annotated(it: Interpreter, function: Function, name: str, value: Value, node: ast.expr) -> Value:
    """What a parameter is by its annotation, where a caller tells no more."""
    if isinstance(value, Union):
        options = tuple(_as_annotated(it, function, name, option, node) for option in value.options)
        return value if options == value.options else Union(options, value.guards)
    if not isinstance(value, Tree):
        return value
    if isinstance(node, (ast.Name, ast.Attribute)):
        found = it.eval_annotation(node, function)
        if isinstance(found, External) and found.name.partition(".")[0] not in _ARRAY_PACKAGES:
            return Opaque(name)
        if isinstance(found, ClassValue) and classes.is_named_tuple(found):
            return traced_record(it, value, found)
        return instances.traced_object(it, value, found) if isinstance(found, ClassValue) else value
    if isinstance(node, ast.Subscript) and not (value.holds or value.array_like):
        return value.declared_to_hold(declared_items(it, node, function))
    return value


def _limit_of(it: Interpreter, function: Function) -> Limit | None:
    """What keeps the body from being looked at: recursive, too deep, too late in what runs it."""
    if it.is_running(function.node):
        return RECURSION
    if function.frame is not None and function.frame.depth >= NESTED_FUNCTIONS.value:
        return NESTED_FUNCTIONS
    if it.supposed and it.supposed_depth >= SHARED_DEPTH.value:
        return SHARED_DEPTH
    if it.depth >= MAX_DEPTH.value:
        return MAX_DEPTH
    return WORK_LIMIT if it.work > WORK_LIMIT.value else None


def bind(it: Interpreter, function: Function, args: Arguments, node: ast.AST) -> dict[str, Value] | None:
    """Parameters to values, as Python binds them; None when the call does not fit."""
    spec = function.node.args
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
    bound: dict[str, Value] = dict(zip(names, args.positional))
    extra = args.positional[len(names) :]
    keyword_only = {parameter.arg for parameter in spec.kwonlyargs}
    rest: dict[str, Value] = {}
    for name, value in args.named.items():
        if name in keyword_only or (name in names and name not in bound):
            bound[name] = value
        elif spec.kwarg is not None:
            rest[name] = value
    if extra and spec.vararg is None and not args.open_ended:
        return None
    defaults = dict(zip(names[len(names) - len(function.defaults) :], function.defaults))
    if args.after and not defaults and spec.vararg is None and len(args.after) < len(names):
        bound.update(zip(names[-len(args.after) :], args.after))  # there is no other way to pass all of them
    for name in names:
        if name not in bound:
            bound[name] = _default(args, defaults.get(name)) or _left_over(it, args, name, node)
        elif name in defaults and args.may_lack(names.index(name), name):
            bound[name] = join_all_exact(it, [defaults[name], bound[name]])
    for parameter, default in zip(spec.kwonlyargs, function.kw_defaults):
        if parameter.arg not in bound:
            bound[parameter.arg] = _default(args, default) or _left_over(it, args, parameter.arg, node)
    if spec.vararg is not None and args.rest is not None:
        bound[spec.vararg.arg] = containers.make(it, "tuple", None, [*extra, args.rest])
    elif spec.vararg is not None:
        bound[spec.vararg.arg] = Opaque(spec.vararg.arg) if args.open_ended else Tuple(tuple(extra))
    if spec.kwarg is not None:
        bundle = containers.make(it, "dict", [])
        for name, value in rest.items():
            containers.put(it, bundle, Const(name), value)
        if args.open_ended or args.others is not None:
            it.state.write(bundle)[ANY] = args.others or Opaque("a keyword")
        bound[spec.kwarg.arg] = bundle
    return bound


def _as_some_wrapper_gives(args: Arguments) -> Arguments:
    """The arguments of a function that is called by way of an unknown decorator: arrays may have another shape and
    dtype there."""
    named = {name: _of_any_shape(value) for name, value in args.named.items()}
    return replace(args, positional=[_of_any_shape(value) for value in args.positional], named=named)


def _of_any_shape(value: Value) -> Value:
    if isinstance(value, Tuple):
        return value.with_other(tuple(map(_of_any_shape, value.items)))
    if not isinstance(value, Array) or (value.aval == UNKNOWN and value.ndim is None and not value.sized):
        return value
    other = Array(value.level, value.provenance, value.kind, key=value._key, declared=value.declared)
    other.slope, other.origin, other.barriers = value.slope, value.origin, value.barriers
    return other


def _does_not_fit(function: Function, args: Arguments) -> bool:
    """Whether Python raises TypeError for want of an argument, or for one that the function does not take.  What a
    decorator passes on is not known."""
    decorators = getattr(function.node, "decorator_list", ())
    return len(decorators) <= (function.kind == "static") and _lacks_or_exceeds(function, args)


def _lacks_or_exceeds(function: Function, args: Arguments) -> bool:
    """Whether an argument is missing, or one is there that the function does not take."""
    if args.open_ended:
        return False
    spec = function.node.args
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
    required = names[: len(names) - len(function.defaults)]
    required += [p.arg for p, default in zip(spec.kwonlyargs, function.kw_defaults) if default is None]
    if any(name not in args.named for name in required[len(args.positional) :]):
        return True
    if len(args.positional) > len(names) and spec.vararg is None:
        return True
    known = {*names[len(args.positional) :], *(parameter.arg for parameter in spec.kwonlyargs)}
    return spec.kwarg is None and not args.named.keys() <= known


def _compiles_what_does_not_fit(made: Transformed, args: Arguments) -> bool:
    """Whether a compiled function, which takes what the function itself takes, is called with other arguments."""
    function = made.function
    if made.name != "jax.jit" or made.receiver is not None or not isinstance(function, Function) or function.receiver:
        return False
    is_all = len(getattr(function.node, "decorator_list", ())) <= 1 + (function.kind == "static")
    return is_all and _lacks_or_exceeds(function, args)


def _fails(it: Interpreter) -> Value:
    """The call raises: the path ends here, and nothing is claimed of what would follow."""
    it.breaks()
    return Opaque("a call that fails")


def _default(args: Arguments, default: Value | None) -> Value | None:
    """The default that a parameter has in a call that does not name it.  Of a key nothing is said if ``**`` may bring
    another one: it is used up only by who is given none."""
    return None if args.open_ended and isinstance(default, Key) else default


def _left_over(it: Interpreter, args: Arguments, name: str, node: ast.AST) -> Value:
    """A parameter that is not named in the call: it is in what ``**`` unpacks."""
    mapping = args.mapping
    if isinstance(mapping, Tree):
        return mapping.part(("item", name), mapping.sure)
    return Opaque(name) if mapping is None else get_item(it, mapping, Const(name), node, quiet=True)


# -- other callables --------------------------------------------------------------------------------------


def _call_partial(it: Interpreter, function: Partial, args: Arguments, node: ast.AST) -> Value:
    merged = replace(args, positional=[*function.args, *args.positional], named={**function.kwargs, **args.named})
    if function.more:
        merged = replace(merged, open_ended=True, more_names=True, others=args.others or Opaque("a keyword"))
    return call(it, function.function, merged, node)


def _call_instance(it: Interpreter, function: Instance, args: Arguments, node: ast.AST) -> Value:
    method = classes.find_member(it, function.cls, "__call__")
    if method is None:
        uncallable.check_called(it, function, node)
        return call_unseen(it, function, args, node)
    unbound_modules.check_called(it, function, node)
    result = call(it, bind_member(it, method, function, function.cls, node), args, node)
    note_module_call(it, function, node)
    return result


def _call_class(it: Interpreter, function: ClassValue, args: Arguments, node: ast.AST) -> Value:
    fields = classes.fields_in_order(function)
    if fields is not None:
        return _build_record(it, function, fields, args, node)
    member = classes.member_by_value(it, function, args)
    if member is not None:
        return member
    init = classes.find_member(it, function, "__init__")
    made = Instance(function, it.ctx)
    it.state.write(made)
    unbound_modules.check_made(it, function, node)
    if isinstance(init, Function):
        before = {ident: len(it.state.uses.get(ident.origin, ())) for ident in _key_idents(args)}
        bound = init.bind(made)
        if it.callee is function and classes.gives_all_to_init(it, function):
            it.callee = bound
        call_function(it, bound, args, node)
        _note_kept(it, made, before, function.name, node)
        _convert_fields(it, made, node)
        plain_containers.check_made(it, made)
    elif args.positional or args.named:
        note_handed(it, args, node, function.name)
    _check_made(it, made, node)
    return made


def _check_made(it: Interpreter, made: Instance, node: ast.AST) -> None:
    """A library may look at each object once it is made, with a method that each class has for itself."""
    for base in classes.external_bases(made.cls) & libraries.INSTANCE_CHECKS.keys():
        for cls in classes.linearized(made.cls):
            check = it.state.read(cls.frame).get(libraries.INSTANCE_CHECKS[base])
            if isinstance(check, Function):
                call_function(it, check.bind(made), Arguments([]), node)


def _key_idents(args: Arguments) -> list[KeyId]:
    return [value.key for value in args.values() if isinstance(value, (Key, Opaque)) and keys.is_known_key(value)]


def _note_kept(it: Interpreter, made: Instance, before: dict[KeyId, int], name: str, node: ast.AST) -> None:
    """An object that keeps a key it was given will draw from it: the key is handed over.  One whose class never reads
    it only holds it for others, as a record does."""
    if not before:
        return
    attributes = it.state.read(made).items()
    kept = {value.key: attribute for attribute, value in attributes if isinstance(value, (Key, Opaque))}
    for ident, count in before.items():
        if ident in kept and len(it.state.uses.get(ident.origin, ())) == count:
            if classes.may_read(made.cls, kept[ident]):
                keys.consume(it, ident, keys.HANDED, node, name, count=made)


def _build_record(it: Interpreter, cls: ClassValue, names: tuple[str, ...], args: Arguments, node: ast.AST) -> Value:
    """A dataclass or NamedTuple keeps what it is given; keys stay what they are."""
    given: dict[str, Value] = dict(zip(names, args.positional))
    given.update(args.named)
    if classes.is_named_tuple(cls):
        missing = [name for name in names if name not in given and classes.find_member(it, cls, name) is None]
        if missing and not args.open_ended and classes.find_member(it, cls, "__new__") is None:
            return _fails(it)
        fields = [given.get(name) or _field_default(it, cls, name, args, node) for name in names]
        return Tuple(tuple(fields), tuple(names), cls)
    made = Instance(cls, it.ctx)
    cell = it.state.write(made)
    for name in names:
        cell[name] = _converted(it, cls, name, given.get(name) or _field_default(it, cls, name, args, node), node)
    cell.update({name: value for name, value in args.named.items() if name not in names})  # of a base from outside
    post = classes.find_member(it, cls, "__post_init__")
    if isinstance(post, Function):
        bound = post.bind(made)
        it.callee = bound if it.callee is cls else it.callee
        call_function(it, bound, Arguments([]), node)
    module_names.check_made(it, node)
    _check_made(it, made, node)
    return made


def _converted(it: Interpreter, cls: ClassValue, name: str, value: Value, node: ast.AST) -> Value:
    """What a field keeps of what it is given: `field(converter=jnp.asarray)` makes something else of it."""
    converter = _said_of_field(it, cls, name, "converter")
    return value if converter is None else it.call(converter, Arguments([value]), node)


def _field_default(it: Interpreter, cls: ClassValue, name: str, args: Arguments, node: ast.AST) -> Value:
    member = classes.find_member(it, cls, name)
    if isinstance(member, Const):
        return member
    if member is None:
        return _left_over(it, args, name, node)
    if args.open_ended:
        return Opaque(name)
    factory = _said_of_field(it, cls, name, "default_factory")
    if factory is not None:
        return it.call(factory, Arguments([]), node)
    default = _said_of_field(it, cls, name, "default")
    return default if isinstance(default, Const) else Opaque(name)


def _convert_fields(it: Interpreter, made: Instance, node: ast.AST) -> None:
    """equinox has the converters of fields see what a constructor of the class itself has set, when that is done; attrs
    does so at once."""
    for name, value in list(it.state.read(made).items()):
        if isinstance(name, str) and classes.field_node(made.cls, name) is not None:
            converted = _converted(it, made.cls, name, value, node)
            if converted is not value:
                it.state.write(made)[name] = converted


def _said_of_field(it: Interpreter, cls: ClassValue, name: str, option: str) -> Value | None:
    """An option of `field(...)`, in the class that has the field."""
    owner, statement = classes.field_node(cls, name) or (cls, None)
    declared = statement.value if statement is not None else None
    for keyword in declared.keywords if isinstance(declared, ast.Call) else ():
        if keyword.arg == option:
            return it.eval_annotation(keyword.value, owner)
    return None


def _call_external_instance(it: Interpreter, function: ExternalInstance, args: Arguments, node: ast.AST) -> Value:
    return methods.call_on_external(it, function, "__call__", args, node)


def _call_at(it: Interpreter, function: At, args: Arguments, node: ast.AST) -> Value:
    """x.at(i): the helper is indexed, not called."""
    if not isinstance(function.array, Ref):
        it.emit(events.ItemAssignment(node, function.array, "at()"))
    return Opaque("a result")


def _call_transformed(it: Interpreter, function: Transformed, args: Arguments, node: ast.AST) -> Value:
    if it.callee is function and _compiles_what_does_not_fit(function, args):
        return _fails(it)
    return transforms.call_transformed(it, function, args, node)


def _call_factory(it: Interpreter, function: WrapperFactory, args: Arguments, node: ast.AST) -> Value:
    merged = replace(args, named={**function.options, **args.named}, mapping=None)
    return transforms.make(it, function.name, function.wrapper, merged, node)


def _call_method(it: Interpreter, function: Method, args: Arguments, node: ast.AST) -> Value:
    return methods.call_method(it, function, args, node)


def _call_external(it: Interpreter, function: External, args: Arguments, node: ast.AST) -> Value:
    return row_calls.call_external(it, function, args, node)


def _call_stream(it: Interpreter, function: Stream, args: Arguments, node: ast.AST) -> Value:
    return methods.call_method(it, Method(function, "__call__"), args, node)


def _call_tuple(it: Interpreter, function: Tuple, args: Arguments, node: ast.AST) -> Value:
    """What a NamedTuple does when it is called; one of plain Python cannot be."""
    method = classes.find_member(it, function.cls, "__call__") if function.cls is not None else None
    if function.cls is None or method is None:
        return _call_no_function(it, function, args, node)
    return call(it, bind_member(it, method, function, function.cls, node), args, node)


def _call_no_function(it: Interpreter, function: Value, args: Arguments, node: ast.AST) -> Value:
    """x.size(): what is called is a number, or an array.  `x.device()` was a method once."""
    if isinstance(function, Static) and function.kind == "device":
        note_removed(it, "device()", node)
    else:
        check_called(it, function, node)
    return call_unseen(it, function, args, node)


_CALLERS: dict[type, Callable[[Any, Any, Arguments, ast.AST], Value]] = {
    Function: call_function,
    Partial: _call_partial,
    Union: call_one_of,
    Instance: _call_instance,
    ClassValue: _call_class,
    ExternalInstance: _call_external_instance,
    At: _call_at,
    Transformed: _call_transformed,
    WrapperFactory: _call_factory,
    Method: _call_method,
    External: _call_external,
    Stream: _call_stream,
    Tuple: _call_tuple,
    **dict.fromkeys((Array, Const, Static), _call_no_function),
    Opaque: call_unknown,
}


# -- definitions ------------------------------------------------------------------------------------------


def make_function(it: Interpreter, node: FunctionNode) -> Value:
    """A def or lambda as a value, decorators applied."""
    owner = it.class_of(it.frame)
    frame = it.frame if owner is None else owner.outer
    if frame is it.frame.scope.frame:
        frame = None
    defaults = tuple(it.eval(default) for default in node.args.defaults)
    kw_defaults = tuple(it.eval(default) if default is not None else None for default in node.args.kw_defaults)
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    function = Function(node, it.frame.scope, frame, name, defaults, kw_defaults, owner, birth=it.ctx)
    it.functions.append(function)
    it.activation.created.append(function)
    if it.state.guards:
        it.activation.made_where[function] = frozenset(guard for guard in it.state.guards if guard.objects)
    value: Value = function
    for decorator in reversed(getattr(node, "decorator_list", [])):
        value = _decorated(it, decorator, value, function)
    return value


_CACHES = frozenset(("functools.lru_cache", "functools.cache", "functools.cached_property"))
_PROPERTIES = frozenset(("builtins.property", "functools.cached_property"))


def _decorated(it: Interpreter, decorator: ast.expr, value: Value, function: Function) -> Value:
    applied = it.eval(decorator)
    name = (
        applied.name
        if isinstance(applied, External)
        else applied.made_by
        if isinstance(applied, ExternalInstance)
        else ""
    )
    if name == "builtins.staticmethod" or name == "builtins.classmethod":
        function.kind = "static" if name.endswith("staticmethod") else "class"  # also inside of what a transform made
        return value
    if name in _CACHES:
        function.cached = True
    if name in _DISPATCHING:
        it.note_escape(value)
        return Opaque("one of several functions")
    if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter"):
        getter = it.lookup(function.name)
        return getter if getter is not None else value
    if name in _PROPERTIES or (
        isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter", "getter")
    ):
        inner = innermost(value)[0] if isinstance(value, (Function, Transformed)) else None
        if inner is not None:
            inner.kind = "property"  # also inside of what a transform made
        return value
    if name in _CACHES or name in _TRANSPARENT_DECORATORS:
        return value
    if isinstance(applied, Method) and isinstance(applied.receiver, (Function, Transformed)):
        note_rules(it, applied.receiver, applied.name, [value], decorator)
        return value  # @f.defjvp, @f.register: the name is the rule itself
    makes_object = isinstance(applied, External) and it.has_methods(name)  # @hk.transform
    if isinstance(applied, (Opaque, ExternalInstance)) or (
        isinstance(applied, External) and not makes_object and not it.is_transform(name)
    ):
        it.note_escape(value)
        # An unknown decorator usually wraps: the function's own behaviour is the best guess for analysis.
        it.wrapped.add(function.node)
        return value
    result = call(it, applied, Arguments([value]), decorator)
    if isinstance(result, Transformed):
        recreated.note_made(it, result, decorator)
    if isinstance(result, Opaque) and isinstance(applied, Transformed):
        it.wrapped.add(function.node)  # something else is transformed, `shard_map(mesh, ...)`, and called with it
    gives_function = not (isinstance(applied, External) and applied.name in HIGHER_ORDER)
    return value if isinstance(result, Opaque) and gives_function else result


_DISPATCHING = frozenset(("functools.singledispatch", "functools.singledispatchmethod"))
"""Which function runs is told by the class of an argument; it may be registered anywhere."""
_TRANSPARENT_DECORATORS = frozenset(
    "abc.abstractmethod typing.override typing.overload typing.no_type_check functools.wraps contextlib.contextmanager "
    "flax.linen.compact flax.linen.nowrap haiku.transparent".split()
)


def make_class(it: Interpreter, node: ast.ClassDef) -> Value:
    """A class statement: its body runs in a frame of its own."""
    bases = tuple(_base(it, base) for base in node.bases)
    options = {keyword.arg: it.eval(keyword.value) for keyword in node.keywords}
    frame = Frame(it.frame.scope, it.frame)
    outer = it.frame if it.frame is not it.frame.scope.frame else None
    cls = ClassValue(node, it.frame.scope, frame, bases, outer)
    saved, it.frame = it.frame, frame
    it.add_class(cls)
    it.state.write(frame)
    it.exec_block(node.body)
    it.alive = True
    it.frame = saved
    if outer is None and it.activation.function is None:
        it.base[frame] = it.state.read(frame)  # functions that the module calls find the class as they find its globals
    _tell_base(it, cls, options)
    cls.decorators = tuple(_class_decorator(it, decorator) for decorator in node.decorator_list)
    cls.applied = frozenset(name for decorator in cls.decorators for name in applied_to(it, decorator))
    _check_defaults(it, cls)
    if cls.decorators:
        registered_classes.check_class(it, cls)
    run_by_base.place(it, cls)
    return _decorated_class(it, cls)


def _tell_base(it: Interpreter, cls: ClassValue, options: dict[str | None, Value]) -> None:
    """What a base of the project does with each class that is derived from it: it may keep it in a table."""
    bases = classes.linearized(cls)[1:]
    found = (it.state.read(base.frame).get("__init_subclass__") for base in bases)
    hook = next((one for one in found if isinstance(one, Function)), None)
    if hook is None or None in options:
        return
    given = {name: value for name, value in options.items() if name is not None and name != "metaclass"}
    call(it, hook, Arguments([cls], given), cls.node)
    it.alive = True


def _decorated_class(it: Interpreter, cls: ClassValue) -> ClassValue:
    """What the project's own decorators make of a class: they may keep it in a table, or give another one for it."""
    result = cls
    for decorator, node in zip(reversed(cls.decorators), reversed(cls.node.decorator_list)):
        if isinstance(decorator, (Function, Partial)) and innermost(decorator)[0] is not None:
            made = call(it, decorator, Arguments([result]), node)
            result = made if isinstance(made, ClassValue) else result
    return result


def _class_decorator(it: Interpreter, node: ast.expr) -> Value:
    """What decorates a class; of what a library's function gives, such as ``dataclass(frozen=True)``, it is known that
    this made it."""
    value = it.eval(node)
    if isinstance(value, Opaque) and isinstance(node, ast.Call):
        with it.quiet():
            function = it.eval(node.func)
        if isinstance(function, External):
            return ExternalInstance(function.name, (), {}, it.ctx)
    return value


def _base(it: Interpreter, node: ast.expr) -> Value:
    if isinstance(node, ast.Starred):
        return it.eval(node.value)
    return it.eval(node)


def _check_defaults(it: Interpreter, cls: ClassValue) -> None:
    """A jax array as a dataclass default: arrays are unhashable, so dataclasses refuse them."""
    if not any("dataclass" in name for name in classes.decorator_names(cls)):
        if not classes.external_bases(cls) & classes.DATACLASS_BASES:
            return
    for statement in cls.node.body:
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.value is not None
            and not mentions(statement.annotation, "ClassVar")
        ):
            value = it.state.read(cls.frame).get(statement.target.id)
            if isinstance(value, (Array, Key)):
                versions = it.program.jax_of(cls.scope.module)
                it.emit(events.ArrayDefault(statement, statement.target.id, cls.name, versions))


# -- entry points ------------------------------------------------------------------------------------------
