"""What the source of installed Python functions does with their arguments: draws from them, splits, calls, keeps them.

    effects = Reading("distrax").of(distrax.Normal.sample)

A small abstract interpreter over the source of *imported* functions: a global name is the very object that it is in
the running process, so an import, a re-export or a decorated method needs no guessing.  Every parameter is a
tainted unknown at once; what reaches the key of a function of ``jax.random`` is a key by that, whatever it is called.
Branches are all taken, loops run twice, and code that is not written in Python is not followed: the answer says what a
function *may* do with a parameter, and which callees it hands the parameter to that could not be looked up.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import jax

from jaxlint.semantics import random as random_table
from jaxlint.semantics import transforms
from jaxlint.semantics.model import KeyEffect

MAX_DEPTH = 14
MAX_STEPS = 12_000
MAX_OPTIONS = 6

KEY_SLOTS = {
    id(getattr(jax.random, name)): (function.effect.value, function.key)
    for name, function in random_table.KEY_FUNCTIONS.items()
    if hasattr(jax.random, name)
}
DERIVING = frozenset((KeyEffect.FOLD.value, KeyEffect.CLONE.value, KeyEffect.CREATE.value, KeyEffect.INSPECT.value))
# Functions of JAX and of Python that hand their argument back, as it is or in another shape.
PASSING = frozenset(
    """
    array asarray atleast_1d broadcast_to concatenate device_get device_put expand_dims flatten getattr
    iter leaves list map next optimization_barrier pvary ravel replicate reshape reversed sorted squeeze stack
    stop_gradient tree_flatten tree_leaves tree_map tree_unflatten tuple unflatten with_sharding_constraint zip dict
    """.split()
)
LOOKERS = frozenset(
    map(
        id,
        (
            isinstance,
            len,
            type,
            id,
            repr,
            str,
            print,
            hasattr,
            callable,
            issubclass,
            bool,
            int,
            float,
            hash,
            jax.numpy.issubdtype,
            jax.numpy.shape,
            jax.numpy.ndim,
        ),
    )
)


def _resolved(name: str) -> Any:
    found: Any = jax
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def _by_identity(*tables: dict[str, Any]) -> dict[int, tuple[str, Any]]:
    rows = ((name, row) for table in tables for name, row in table.items())
    return {id(found): (name, row) for name, row in rows if (found := _resolved(name)) is not None}


WRAPPERS = _by_identity(transforms.WRAPPERS)
HIGHER_ORDER = _by_identity(transforms.HIGHER_ORDER)
CALLBACKS = _by_identity(transforms.CALLBACKS)


@dataclass(frozen=True)
class Taint:
    """That a value is a parameter of the function that is asked about (``part``: an element or an attribute of it,
    or what was derived from it)."""

    parameter: str
    part: str = ""


@dataclass(frozen=True)
class Effect:
    """One thing that happens to a parameter: what, by which callee, under which transforms, and only on a condition?"""

    kind: str
    callee: str = ""
    under: tuple[str, ...] = ()
    conditional: bool = False
    part: str = ""


@dataclass(eq=False)
class Closure:
    """A function defined in the code that is read, or a Python function with its own source."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    names: dict[str, Value]
    world: World
    first: tuple[Value, ...] = ()
    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass(eq=False)
class Applied:
    """What a transform, or ``functools.partial``, makes of a function."""

    name: str
    function: Value
    first: tuple[Value, ...] = ()
    named: dict[str, Value] = field(default_factory=dict)


@dataclass(eq=False)
class Instance:
    """An object of a class that was made in the code that is read."""

    cls: type
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(eq=False)
class Sequence:
    """A tuple, list or dict of values that are known one by one."""

    items: list[Value]
    names: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Object:
    """A Python object of the running process."""

    value: Any = field(hash=False, compare=False)
    ident: int = 0


@dataclass(eq=False)
class Value:
    """Which parameters a value may be, and which functions, instances or objects."""

    taints: frozenset[Taint] = frozenset()
    options: tuple[Any, ...] = ()

    def joined(self, other: Value) -> Value:
        if other is self or not (other.taints or other.options):
            return self
        known = {_same(option) for option in self.options}
        more = tuple(option for option in other.options if _same(option) not in known)
        return Value(self.taints | other.taints, (self.options + more)[:MAX_OPTIONS])


def _same(option: Any) -> Any:
    return option.ident if isinstance(option, Object) else id(option)


NOTHING = Value()


def known(value: Any) -> Value:
    """The value that a Python object of this process is."""
    return Value(options=(Object(value, id(value)),))


@dataclass(eq=False)
class World:
    """Where a function's free names are looked up: the cells and the globals of the Python function around it."""

    globals: dict[str, Any]
    cells: dict[str, Any]
    owner: type | None = None

    def find(self, name: str) -> Value:
        for names in (self.cells, self.globals, vars(builtins)):
            if name in names:
                return known(names[name])
        return NOTHING


@functools.cache
def _functions_of(path: str) -> dict[int, list[ast.AST]]:
    """The functions of a file by the line that their code objects begin on."""
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[int, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            found.setdefault(min([node.lineno, *(d.lineno for d in decorators)]), []).append(node)
    return found


def node_of(function: types.FunctionType) -> Any:
    """The tree of a Python function, or None where its source cannot be found."""
    code = function.__code__
    nodes = _functions_of(code.co_filename).get(code.co_firstlineno, [])
    named = [node for node in nodes if getattr(node, "name", "<lambda>") == code.co_name]
    return named[0] if len(named) == 1 else None


def bare(found: Any) -> Any:
    """The Python function behind jit, decorators that keep ``__wrapped__``, and methods; the object itself if none."""
    for _ in range(10):
        if isinstance(found, (types.MethodType, staticmethod, classmethod)):
            found = found.__func__
        elif not inspect.isclass(found) and hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        elif type(found).__name__ == "_wrap_method" and hasattr(found, "method"):  # equinox
            found = found.method
        elif (kept := _handed_to(found)) is not None:
            found = kept
        else:
            break
    return found


def _handed_to(found: Any) -> types.FunctionType | None:
    """The function that an object keeps and hands all arguments of a call to, as blackjax's samplers do."""
    method = inspect.getattr_static(type(found), "__call__", None)
    if not isinstance(method, types.FunctionType) or (node := node_of(method)) is None:
        return None
    match node.body:
        case [ast.Return(ast.Call(ast.Attribute(ast.Name("self"), name), [ast.Starred()], [ast.keyword(None)]))]:
            kept = getattr(found, name, None)
            return kept if isinstance(kept, types.FunctionType) else None
    return None


class Reading:
    """Reads functions; ``packages`` are those whose functions are looked into even when no parameter reaches them."""

    def __init__(self, *packages: str) -> None:
        self.packages = packages
        self.effects: dict[str, set[Effect]] = {}
        self.stack: list[ast.AST] = []
        self.under: tuple[str, ...] = ()
        self.conditions = 0
        self.steps = 0
        self.depth = 0
        self.cut = False
        self.instances: dict[type, dict[str, Value]] = {}
        self.closed_over: dict[int, Value] = {}
        self.entered: set[int] = set()

    def of(self, found: Any, owner: type | None = None) -> dict[str, set[Effect]]:
        """What ``found`` (of the class ``owner``, for a method) may do with each of its parameters."""
        return self._run(lambda: self._entry(found, owner))[0]

    def product(self, found: Any) -> dict[str, Value]:
        """The functions that the object which a factory returns has, by attribute."""
        parameters = dict.fromkeys(_parameters(found), NOTHING)
        made = self._run(lambda: self.call(known(found), [], parameters, ""))[1]
        functions: dict[str, Value] = {}
        for option in made.options:
            if isinstance(option, Instance):
                for name, value in option.attributes.items():
                    if any(isinstance(one, (Closure, Applied)) for one in value.options):
                        functions[name] = value
        return functions

    def of_value(self, function: Value) -> dict[str, set[Effect]]:
        """What a function, found by ``product``, may do with each of its parameters."""
        return self._run(lambda: self.call(function, [], _tainted(value_parameters(function)), ""))[0]

    def _run(self, action: Callable[[], Value]) -> tuple[dict[str, set[Effect]], Value]:
        self.effects, self.stack, self.under = {}, [], ()
        self.closed_over, self.entered = {}, set()
        self.conditions = self.steps = self.depth = 0
        self.cut = False
        try:
            result = action()
            for taint in result.taints:
                self._note(Value(frozenset((taint,))), "returns")
            self._escapes(result)
            for node, held in self.closed_over.items():
                if node not in self.entered:
                    self._note(held, "lost", "a function that is made")
        except RecursionError:
            self.cut, result = True, NOTHING
        return self.effects, result

    def _entry(self, found: Any, owner: type | None) -> Value:
        arguments = _tainted(_parameters(found, method=owner is not None))
        if owner is None:
            return self.call(known(found), [], arguments, "")
        receiver = Value(options=(self._symbolic(owner),))
        return self.call(known(found), [receiver], arguments, "")

    def _symbolic(self, cls: type) -> Instance:
        """An instance whose constructor ran with the required arguments, of which nothing is known."""
        if cls not in self.instances:
            required = [one.name for one in _signature(cls) if one.default is one.empty]
            made = self._construct(cls, [], dict.fromkeys(required, NOTHING)).options[0]
            self.instances[cls] = made.attributes
            self.effects, self.steps, self.cut = {}, 0, False  # limits are for the method
        return Instance(cls, dict(self.instances[cls]))

    # -- effects -------------------------------------------------------------------------------------------------

    def _note(self, value: Value, kind: str, callee: str = "") -> None:
        for taint in value.taints:
            if kind in ("returns", "stores") and taint.part:
                continue
            effect = Effect(kind, callee, self.under, self.conditions > 0, taint.part)
            self.effects.setdefault(taint.parameter, set()).add(effect)

    def _escapes(self, value: Value, seen: set[int] | None = None) -> None:
        """Functions that leave are called by others, later, with anything."""
        seen = set() if seen is None else seen
        for option in value.options:
            if id(option) in seen or len(seen) > 40 or self.steps > MAX_STEPS:
                continue
            seen.add(id(option))
            if isinstance(option, Closure):
                saved, self.under = self.under, (*self.under, "later")
                names = list(value_parameters(Value(options=(option,))))
                self._escapes(self.call(Value(options=(option,)), [], dict.fromkeys(names, NOTHING), ""), seen)
                self.under = saved
            elif isinstance(option, Applied):
                self._escapes_applied(option, seen)
            elif isinstance(option, Instance):
                for kept in option.attributes.values():
                    self._note(kept, "stores", option.cls.__name__)
                    self._escapes(kept, seen)
            elif isinstance(option, Sequence):
                for kept in option.items:
                    self._note(kept, "returns")
                    self._escapes(kept, seen)

    def _escapes_applied(self, option: Applied, seen: set[int]) -> None:
        saved = self.under
        is_transform = option.name not in ("functools.partial", "method")
        self.under = (*saved, "later", option.name) if is_transform else (*saved, "later")
        self._note(option.function, "called", option.name)
        self._escapes(option.function, seen)
        for one in option.function.options:
            if isinstance(one, Instance):  # an object with a `__call__` is what the transform gets
                method = self._attribute_of(one, "__call__")
                self.call(method, [], dict.fromkeys(value_parameters(method), NOTHING), "")
        self.under = saved
        for kept in (*option.first, *option.named.values()):
            self._note(kept, "stores", option.name)

    # -- calls ---------------------------------------------------------------------------------------------------

    def call(self, function: Value, positional: list[Value], named: dict[str, Value], text: str) -> Value:
        """Call each function that a value may be; what is nobody knows takes what it is given."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            self.cut = True
            return NOTHING
        self._note(function, "called", text)
        result = NOTHING
        for option in function.options:
            result = result.joined(self._call_option(option, positional, named, text))
        if not function.options:
            for value in (*positional, *named.values()):
                self._note(value, "hands", text or "an unknown callee")
                self._escapes(value)
        return result

    def _call_option(self, option: Any, positional: list[Value], named: dict[str, Value], text: str) -> Value:
        if isinstance(option, Closure):
            return self._enter(option, [*option.first, *positional], named)
        if isinstance(option, Applied):
            saved = self.under
            if option.name not in ("functools.partial", "method"):
                self.under = (*self.under, option.name)
            result = self.call(option.function, [*option.first, *positional], {**option.named, **named}, text)
            self.under = saved
            return result
        if isinstance(option, Instance):
            method = self._attribute_of(option, "__call__")
            return self.call(method, positional, named, text)
        if isinstance(option, Object):
            return self._call_object(option.value, positional, named, text)
        for value in (*positional, *named.values()):  # a tuple or a dict of functions, of which one is meant
            self._note(value, "lost", text)
        return NOTHING

    def _call_object(self, found: Any, positional: list[Value], named: dict[str, Value], text: str) -> Value:
        if id(found) in KEY_SLOTS:
            return self._call_random(found, positional, named)
        if id(found) in WRAPPERS:
            name, row = WRAPPERS[id(found)]
            function = _argument(positional, named, *row.function)
            if function is None:  # jax.jit(static_argnames=...): a decorator
                return Value(options=(Applied("partial", known(found), (), dict(named)),))
            return Value(options=(Applied(name, function),))
        if id(found) in HIGHER_ORDER:
            return self._call_higher_order(*HIGHER_ORDER[id(found)], positional, named)
        if id(found) in CALLBACKS:
            name, row = CALLBACKS[id(found)]
            function = _argument(positional, named, *row.function)
            self._note(function or NOTHING, "called", name)
            return NOTHING
        if found is functools.partial and positional:
            return Value(options=(Applied("functools.partial", positional[0], tuple(positional[1:]), named),))
        if isinstance(found, functools.partial):
            inner = [known(value) for value in found.args]
            extra = {key: known(value) for key, value in found.keywords.items()}
            return self.call(known(found.func), [*inner, *positional], {**extra, **named}, text)
        if id(found) in LOOKERS:
            return NOTHING
        if inspect.isclass(found):
            return self._call_class(found, positional, named)
        return self._call_function(found, positional, named, text)

    def _call_random(self, found: Any, positional: list[Value], named: dict[str, Value]) -> Value:
        effect, (position, keyword) = KEY_SLOTS[id(found)]
        key = _argument(positional, named, position, keyword) or NOTHING
        self._note(key, effect, f"jax.random.{found.__name__}")
        if effect in DERIVING and effect != "inspect":
            return Value(frozenset(Taint(taint.parameter, taint.part or effect) for taint in key.taints))
        return NOTHING

    def _call_higher_order(self, name: str, row: Any, positional: list[Value], named: dict[str, Value]) -> Value:
        functions = [_argument(positional, named, *place) for place in row.callables]
        operands = [value for value in (*positional, *named.values()) if not any(value is one for one in functions)]
        saved, self.under = self.under, (*self.under, name)
        result = NOTHING
        for function in functions:
            for one in _each(function) if function is not None else ():
                result = result.joined(self._loop(row.binding, one, operands))
        self.under = saved
        return result

    def _loop(self, binding: str, function: Value, operands: list[Value]) -> Value:
        """Call a callable as ``binding`` says; the carry of a loop meets it twice."""
        if binding in ("scan", "while", "fori"):
            carry = operands[-1] if binding == "fori" and operands else operands[0] if operands else NOTHING
            result = NOTHING
            for _ in range(2):
                given = {"scan": [carry, *operands[1:2]], "while": [carry], "fori": [NOTHING, carry]}[binding]
                given = [given[0], part_of(given[1], "item")] if binding == "scan" and len(given) > 1 else given
                result = self.call(function, given, {}, "")
                left = _items(result)
                new = left[0] if binding == "scan" and left else result
                carry = carry.joined(new)
            return result if binding == "scan" else carry.joined(result)
        if binding == "map":
            return self.call(function, [part_of(value, "item") for value in operands], {}, "")
        return self.call(function, operands, {}, "")

    def _call_class(self, cls: type, positional: list[Value], named: dict[str, Value]) -> Value:
        if cls in (tuple, list, dict, iter, reversed, enumerate, zip, map) or cls.__module__ == "builtins":
            return _union((*positional, *named.values()))
        return self._construct(cls, positional, named)

    def _construct(self, cls: type, positional: list[Value], named: dict[str, Value]) -> Value:
        made = Instance(cls)
        found = inspect.getattr_static(cls, "__init__", None)
        function = bare(found)
        if isinstance(function, types.FunctionType) and node_of(function) is not None and not _is_generated(function):
            self._enter_function(function, [Value(options=(made,)), *positional], named, cls)
            return Value(options=(made,))
        names = list(_parameters(cls))
        for name, value in [*zip(names, positional), *named.items()]:
            made.attributes[name] = value
        after = inspect.getattr_static(cls, "__post_init__", None)
        if isinstance(after, types.FunctionType):
            self._enter_function(after, [Value(options=(made,))], {}, cls)
        return Value(options=(made,))

    def _call_function(self, found: Any, positional: list[Value], named: dict[str, Value], text: str) -> Value:
        bound = [known(found.__self__)] if isinstance(found, types.MethodType) else []
        function = bare(found)
        if isinstance(function, types.FunctionType):
            root = (function.__module__ or "").partition(".")[0]
            if root in ("jax", "numpy") or root in sys.stdlib_module_names:
                return self._call_foreign(function, positional, named)
            interesting = any(_carries(value) for value in (*positional, *named.values()))
            if not interesting and root not in self.packages:
                return NOTHING
            if node_of(function) is not None:
                return self._enter_function(function, [*bound, *positional], named, None)
        elif callable(function) and not isinstance(function, types.BuiltinFunctionType):
            method = inspect.getattr_static(type(function), "__call__", None)
            plain = bare(method)
            if isinstance(plain, types.FunctionType) and node_of(plain) and _root(type(function)) in self.packages:
                return self._enter_function(plain, [known(function), *positional], named, type(function))
            return self._call_foreign(function, positional, named)
        else:
            return self._call_foreign(function, positional, named)
        for value in (*positional, *named.values()):
            self._note(value, "hands", text or getattr(found, "__qualname__", "?"))
        return NOTHING

    def _call_foreign(self, function: Any, positional: list[Value], named: dict[str, Value]) -> Value:
        """JAX, NumPy and the builtins: a key goes through them as it is; a function is called."""
        name = getattr(function, "__qualname__", getattr(function, "__name__", "?"))
        values = [*positional, *named.values()]
        saved = self.under
        if _root(function) == "jax":
            self.under = (*saved, f"jax: {name}")
        for value in values:
            if any(isinstance(option, (Closure, Applied)) for option in value.options):
                self.call(value, [part_of(one, "item") for one in values if one is not value], {}, "")
        self.under = saved
        if name.rpartition(".")[2] in PASSING:
            return _union(values)
        for value in values:
            self._note(value, "lost", name)
        return NOTHING

    def _enter_function(
        self, function: types.FunctionType, positional: list[Value], named: dict[str, Value], owner: type | None
    ) -> Value:
        node = node_of(function)
        cells = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                cells[name] = cell.cell_contents
            except ValueError:
                continue
        world = World(function.__globals__, cells, cells.get("__class__", owner))
        defaults = _defaults(function)
        return self._enter(Closure(node, {}, world, (), defaults), positional, named)

    def _enter(self, closure: Closure, positional: list[Value], named: dict[str, Value]) -> Value:
        if self.stack.count(closure.node) > 3 or self.depth >= MAX_DEPTH or self.steps > MAX_STEPS:
            self.cut = self.cut or self.depth >= MAX_DEPTH or self.steps > MAX_STEPS
            for value in (*positional, *named.values()):
                self._note(value, "hands", getattr(closure.node, "name", "<lambda>"))
            return NOTHING
        if _is_abstract(closure.node):
            for value in (*positional, *named.values()):
                self._note(value, "hands", f"{getattr(closure.node, 'name', '')} of a subclass")
            return NOTHING
        saved = self.conditions, self.depth
        self.depth += 1
        self.stack.append(closure.node)
        self.entered.add(id(closure.node))
        body = Body(self, closure, positional, named)
        try:
            return body.run()
        finally:
            self.stack.pop()
            self.conditions, self.depth = saved

    # -- attributes ----------------------------------------------------------------------------------------------

    def attribute(self, value: Value, name: str) -> Value:
        """What ``value.name`` may be."""
        result = NOTHING  # what an object of the caller's holds is not the parameter itself
        for option in value.options:
            result = result.joined(self._attribute_of(option, name))
        return result

    def _attribute_of(self, option: Any, name: str) -> Value:
        if isinstance(option, _Super):
            return _super_attribute(self, option, name)
        if isinstance(option, Instance):
            if name in option.attributes:
                return option.attributes[name]
            return self._class_attribute(option.cls, name, Value(options=(option,)))
        if isinstance(option, Sequence) and option.names is not None and name in option.names:
            return option.items[option.names.index(name)]
        if isinstance(option, Object):
            try:
                return known(getattr(option.value, name))
            except Exception:  # a property of a library may raise anything
                return NOTHING
        return NOTHING

    def _class_attribute(self, cls: type, name: str, receiver: Value) -> Value:
        found = inspect.getattr_static(cls, name, None)
        if found is None:
            return NOTHING
        if isinstance(found, property):
            getter = bare(found.fget)
            is_function = isinstance(getter, types.FunctionType) and node_of(getter) is not None
            return self._enter_function(getter, [receiver], {}, cls) if is_function else NOTHING
        if isinstance(found, staticmethod):
            return known(found.__func__)
        if isinstance(found, classmethod):
            return Value(options=(Applied("method", known(found.__func__), (known(cls),)),))
        if isinstance(bare(found), types.FunctionType):
            return Value(options=(Applied("method", known(found), (receiver,)),))
        return known(found)


class Body:
    """One run of a function's body."""

    def __init__(self, reading: Reading, closure: Closure, positional: list[Value], named: dict[str, Value]) -> None:
        self.reading = reading
        self.closure = closure
        self.names: dict[str, Value] = {}
        self.result = NOTHING
        self._bind(positional, named)

    def _bind(self, positional: list[Value], named: dict[str, Value]) -> None:
        arguments = self.closure.node.args
        places = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        for name, value in zip(places, positional):
            self.names[name] = value
        rest = dict(named)
        for name in [*places, *(one.arg for one in arguments.kwonlyargs)]:
            if name in rest:
                value = rest.pop(name)
                self.names[name] = self.names[name].joined(value) if name in self.names else value
        star = _union(value for key, value in rest.items() if key.startswith("*"))
        for name in [*places, *(one.arg for one in arguments.kwonlyargs)]:
            if name not in self.names:
                self.names[name] = self.closure.defaults.get(name, NOTHING).joined(star)
        if arguments.vararg:
            given = rest.pop(arguments.vararg.arg, None)  # of a caller who passes all parameters by name: nobody knows
            known_ones = Value(star.taints, (Sequence(positional[len(places) :]),))
            self.names[arguments.vararg.arg] = known_ones if given is None else given
        if arguments.kwarg:
            keys = tuple(rest)
            self.names[arguments.kwarg.arg] = Value(star.taints, (Sequence(list(rest.values()), keys),))

    def run(self) -> Value:
        node = self.closure.node
        if isinstance(node, ast.Lambda):
            return self.eval(node.body)
        self.block(node.body)
        return self.result

    # -- statements ----------------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.reading.steps += 1
            if self.reading.steps > MAX_STEPS:
                self.reading.cut = True
                return
            handler = getattr(self, "_" + type(statement).__name__, None)
            if handler is not None:
                handler(statement)
            if isinstance(statement, ast.If) and _may_leave(statement) and not _asks_what_it_is(statement.test):
                self.reading.conditions += 1  # what follows does not always happen

    def _Expr(self, node: ast.Expr) -> None:
        self.eval(node.value)

    def _Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.result = self.result.joined(self.eval(node.value))

    def _Assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.eval(node.value))

    def _AugAssign(self, node: ast.AugAssign) -> None:
        self.assign(node.target, self.eval(node.target).joined(self.eval(node.value)))

    def _If(self, node: ast.If) -> None:
        self.eval(node.test)
        decided = self._decided(node.test)
        paths = [part for part, taken in ((node.body, True), (node.orelse, False)) if decided in (None, taken)]
        self.branches(paths, conditional=decided is None and not _asks_what_it_is(node.test))

    def _decided(self, test: ast.expr) -> bool | None:
        """The outcome of a test of one variable that is known to be True or False."""
        value = self.look(test.id) if isinstance(test, ast.Name) else NOTHING
        if value.taints or len(value.options) != 1 or not isinstance(value.options[0], Object):
            return None
        found = value.options[0].value
        return found if isinstance(found, bool) else None

    def branches(self, paths: list[list[ast.stmt]], conditional: bool) -> None:
        before, after = dict(self.names), {}
        self.reading.conditions += conditional
        for path in paths:
            self.names, held = dict(before), self.reading.conditions
            self.block(path)
            self.reading.conditions = held
            if path and isinstance(path[-1], ast.Raise):
                continue
            for name, value in self.names.items():
                after[name] = after[name].joined(value) if name in after else value
        self.reading.conditions -= conditional
        self.names = after or before

    def _For(self, node: ast.For) -> None:
        item = self.iterated(self.eval(node.iter))
        for _ in range(2):
            self.assign(node.target, item)
            before = dict(self.names)
            self.block(node.body)
            for name, value in before.items():
                self.names[name] = self.names.get(name, NOTHING).joined(value)
        self.block(node.orelse)

    def _While(self, node: ast.While) -> None:
        for _ in range(2):
            self.eval(node.test)
            self.branches([node.body, []], conditional=True)

    def _With(self, node: ast.With) -> None:
        for item in node.items:
            value = self.eval(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value)
        self.block(node.body)

    def _Try(self, node: ast.Try) -> None:
        self.branches([[*node.body, *node.orelse], *(handler.body for handler in node.handlers)], conditional=False)
        self.block(node.finalbody)

    def _Match(self, node: ast.Match) -> None:
        self.eval(node.subject)
        self.branches([case.body for case in node.cases], conditional=True)

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        value = Value(options=(self.make(node),))
        for decorator in reversed(node.decorator_list):
            applied = self.eval(decorator)
            made = self.reading.call(applied, [value], {}, ast.unparse(decorator))
            value = made if made.options else value
        self.names[node.name] = value

    _AsyncFunctionDef = _FunctionDef

    def _Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.names.pop(target.id, None)

    def _Import(self, node: ast.Import) -> None:
        return

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        try:
            package = self.closure.world.globals.get("__package__")
            module = importlib.import_module("." * node.level + (node.module or ""), package)
        except Exception:  # an optional dependency
            return
        for alias in node.names:
            self.names[alias.asname or alias.name] = known(getattr(module, alias.name, None))

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            for option in owner.options:
                if isinstance(option, Instance):
                    held = option.attributes.get(target.attr, NOTHING)
                    option.attributes[target.attr] = held.joined(value)
            if not owner.options:
                self.reading._note(value, "stores", ast.unparse(target))
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            if isinstance(target.value, ast.Name):
                self.names[target.value.id] = owner.joined(Value(options=(Sequence([value]),)))

    def _unpack(self, target: ast.Tuple | ast.List, value: Value) -> None:
        tuples = [option for option in value.options if isinstance(option, Sequence)]
        starred = any(isinstance(one, ast.Starred) for one in target.elts)
        exact = [option for option in tuples if len(option.items) == len(target.elts) and not starred]
        for index, one in enumerate(target.elts):
            item = part_of(Value(value.taints), f"[{index}]")
            for option in exact:
                item = item.joined(option.items[index])
            if not exact:
                item = item.joined(_union(kept for option in tuples for kept in option.items))
            for option in value.options:
                if isinstance(option, Instance) and index < len(option.attributes):
                    item = item.joined(list(option.attributes.values())[index])
            self.assign(one, item)

    def iterated(self, value: Value) -> Value:
        item = part_of(Value(value.taints), "item")
        for option in value.options:
            if isinstance(option, Sequence):
                item = item.joined(_union(option.items))
        return item

    # -- expressions ---------------------------------------------------------------------------------------------

    def make(self, node: Any) -> Closure:
        arguments = node.args
        places = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        defaults = dict(zip(reversed(places), (self.eval(one) for one in reversed(arguments.defaults))))
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            if default is not None:
                defaults[one.arg] = self.eval(default)
        made = Closure(node, _Chain(self), self.closure.world, (), defaults)
        used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        held = _union(Value(value.taints) for name, value in self.names.items() if name in used)
        if held.taints:
            self.reading.closed_over[id(node)] = held
        return made

    def eval(self, node: ast.expr) -> Value:
        self.reading.steps += 1
        handler = getattr(self, "_eval_" + type(node).__name__, None)
        if handler is not None:
            return handler(node)
        result = NOTHING
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                result = result.joined(Value(self.eval(child).taints))
        return NOTHING if isinstance(node, (ast.Compare, ast.JoinedStr)) else result

    def _eval_Constant(self, node: ast.Constant) -> Value:
        return known(node.value) if node.value is not None else NOTHING

    def _eval_Name(self, node: ast.Name) -> Value:
        return self.look(node.id)

    def look(self, name: str) -> Value:
        if name in self.names:
            return self.names[name]
        outer = self.closure.names
        if isinstance(outer, _Chain):
            return outer.body.look(name)
        return self.closure.world.find(name)

    def _eval_Attribute(self, node: ast.Attribute) -> Value:
        return self.reading.attribute(self.eval(node.value), node.attr)

    def _eval_Subscript(self, node: ast.Subscript) -> Value:
        value = self.eval(node.value)
        self.eval(node.slice)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        result = part_of(Value(value.taints), "item")
        for option in value.options:
            if isinstance(option, Sequence):
                if isinstance(index, int) and option.names is None and -len(option.items) <= index < len(option.items):
                    result = result.joined(option.items[index])
                elif isinstance(index, str) and option.names is not None and index in option.names:
                    result = result.joined(option.items[option.names.index(index)])
                else:
                    result = result.joined(_union(option.items))
            elif isinstance(option, Object) and isinstance(option.value, dict):
                for held in list(option.value.values())[:8]:
                    result = result.joined(known(held))
        return result

    def _eval_Slice(self, node: ast.Slice) -> Value:
        return NOTHING

    def _eval_IfExp(self, node: ast.IfExp) -> Value:
        self.eval(node.test)
        conditional = not _asks_what_it_is(node.test)
        self.reading.conditions += conditional
        result = self.eval(node.body).joined(self.eval(node.orelse))
        self.reading.conditions -= conditional
        return result

    def _eval_BoolOp(self, node: ast.BoolOp) -> Value:
        return _union([self.eval(value) for value in node.values])

    def _eval_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self.assign(node.target, value)
        return value

    def _eval_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Value:
        items = []
        for one in node.elts:
            if isinstance(one, ast.Starred):
                spread = self.eval(one.value)
                known_items = _items(spread)
                items.extend(known_items if known_items else [spread])
            else:
                items.append(self.eval(one))
        return Value(options=(Sequence(items),))

    _eval_List = _eval_Set = _eval_Tuple

    def _eval_Dict(self, node: ast.Dict) -> Value:
        names = tuple(str(key.value) if isinstance(key, ast.Constant) else "*" for key in node.keys)
        return Value(options=(Sequence([self.eval(value) for value in node.values], names),))

    def _eval_Lambda(self, node: ast.Lambda) -> Value:
        return Value(options=(self.make(node),))

    def _eval_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        saved = dict(self.names)
        for generator in node.generators:
            self.assign(generator.target, self.iterated(self.eval(generator.iter)))
            for test in generator.ifs:
                self.eval(test)
        item = self.eval(node.value if isinstance(node, ast.DictComp) else node.elt)
        self.names = saved
        return Value(options=(Sequence([item]),))

    _eval_SetComp = _eval_GeneratorExp = _eval_DictComp = _eval_ListComp

    def _eval_Starred(self, node: ast.Starred) -> Value:
        return self.eval(node.value)

    def _eval_Await(self, node: ast.Await) -> Value:
        return self.eval(node.value)

    def _eval_Yield(self, node: ast.Yield) -> Value:
        if node.value is not None:
            self.result = self.result.joined(Value(options=(Sequence([self.eval(node.value)]),)))
        return NOTHING

    def _eval_Call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and "super" not in self.names:
            return self._super()
        function = self.eval(node.func)
        positional, named = self._arguments(node)
        text = ast.unparse(node.func)
        if isinstance(node.func, ast.Attribute) and not function.options:
            return self._call_method(node.func, function, positional, named, text)
        return self.reading.call(function, positional, named, text)

    def _call_method(
        self, node: ast.Attribute, function: Value, positional: list[Value], named: dict[str, Value], text: str
    ) -> Value:
        """A method of what is not known: of a container, or of a parameter that may be a key array."""
        owner = self.eval(node.value)
        if any(isinstance(option, Sequence) for option in owner.options):
            if node.attr == "items":
                return Value(options=(Sequence([Value(options=(Sequence(pair),)) for pair in _pairs(owner)]),))
            for value in (*positional, *named.values()):
                self._append_to(node.value, value)
            return self.iterated(owner)
        if node.attr in ("reshape", "squeeze", "ravel", "astype", "copy", "get", "items", "values", "pop"):
            return part_of(Value(owner.taints), "item") if node.attr not in ("copy", "astype") else owner
        return self.reading.call(function, positional, named, text)

    def _append_to(self, node: ast.expr, value: Value) -> None:
        if isinstance(node, ast.Name) and node.id in self.names:
            for option in self.names[node.id].options:
                if isinstance(option, Sequence) and option.names is None and len(option.items) < 20:
                    option.items.append(value)

    def _super(self) -> Value:
        owner = self.closure.world.owner
        arguments = self.closure.node.args
        places = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        receiver = self.look(places[0]) if places else NOTHING
        for option in receiver.options:
            if isinstance(option, Instance) and owner in option.cls.__mro__:
                return Value(options=(_Super(option, owner),))
        return NOTHING

    def _arguments(self, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
        positional: list[Value] = []
        named: dict[str, Value] = {}
        uncertain = False
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                spread = self.eval(argument.value)
                known_items = _items(spread)
                uncertain = uncertain or known_items is None
                positional.extend(known_items if known_items is not None else [spread])
            else:
                positional.append(self.eval(argument))
                if uncertain:  # at which position it arrives nobody knows
                    self.reading._note(positional[-1], "hands", ast.unparse(node.func))
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
                continue
            for option in value.options:
                if isinstance(option, Sequence) and option.names is not None:
                    named.update(zip(option.names, option.items))
            if value.taints:
                named["**"] = part_of(Value(value.taints), "item")
        return positional, named


def _is_abstract(node: ast.AST) -> bool:
    """Whether a function has no body of its own: it raises, or does nothing, until somebody overrides it."""
    if isinstance(node, ast.Lambda):
        return False
    statements: list[ast.stmt] = getattr(node, "body", [])
    body = [one for one in statements if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return all(isinstance(one, (ast.Raise, ast.Pass)) for one in body)


class _Chain(dict):  # type: ignore[type-arg]
    """The names of the body around a nested function, as they are when it is called."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body


class _Super(Instance):
    """``super()``: the same object, looked up behind a class."""

    def __init__(self, instance: Instance, owner: type) -> None:
        order = instance.cls.__mro__
        after = order[order.index(owner) + 1 :]
        super().__init__(after[0] if after else object, {})
        self.instance = instance
        self.after = after


def _super_attribute(reading: Reading, option: _Super, name: str) -> Value:
    for cls in option.after:
        if name in vars(cls):
            found = vars(cls)[name]
            if isinstance(bare(found), types.FunctionType):
                return Value(options=(Applied("method", known(found), (Value(options=(option.instance,)),)),))
    return NOTHING


def _is_generated(function: types.FunctionType) -> bool:
    return function.__code__.co_filename.startswith("<")


def _root(found: Any) -> str:
    return (getattr(found, "__module__", "") or "").partition(".")[0]


def _carries(value: Value, depth: int = 0) -> bool:
    if value.taints:
        return True
    if depth > 2:
        return False
    for option in value.options:
        if isinstance(option, (Closure, Applied)):
            return True
        kept = (
            option.items
            if isinstance(option, Sequence)
            else option.attributes.values()
            if isinstance(option, Instance)
            else ()
        )
        if any(_carries(one, depth + 1) for one in kept):
            return True
    return False


def _may_leave(statement: ast.If) -> bool:
    return any(path and isinstance(path[-1], ast.Return) for path in (statement.body, statement.orelse))


def _asks_what_it_is(test: ast.expr) -> bool:
    """Whether a condition asks for None or for a type: which kind of argument was given, not whether to draw."""
    text = ast.unparse(test)
    return "is None" in text or "is not None" in text or "isinstance(" in text


def part_of(value: Value, step: str) -> Value:
    """An element of a value; of a known sequence, any of its items."""
    taints = frozenset(Taint(t.parameter, t.part or "item") for t in value.taints)
    items = _items(value)
    result = Value(taints, tuple(option for option in value.options if not isinstance(option, Sequence)))
    return result.joined(_union(items)) if items else result


def _items(value: Value) -> list[Value] | None:
    if len(value.options) == 1 and isinstance(value.options[0], Object) and not value.taints:
        held = value.options[0].value
        return [known(one) for one in held] if isinstance(held, (tuple, list)) and len(held) < 20 else None
    found = [option for option in value.options if isinstance(option, Sequence)]
    return found[0].items if len(found) == 1 and not value.taints and len(value.options) == 1 else None


def _pairs(value: Value) -> list[list[Value]]:
    """What iterating over the ``items()`` of a dict gives."""
    kept = [option for option in value.options if isinstance(option, Sequence)]
    named = [(known(name), item) for one in kept if one.names for name, item in zip(one.names, one.items)]
    return [list(pair) for pair in named] + [[NOTHING, item] for one in kept if not one.names for item in one.items]


def _each(value: Value) -> list[Value]:
    """The functions of a list of branches, or the function itself."""
    items = _items(value)
    return items if items is not None else [value]


def _union(values: Iterable[Value]) -> Value:
    result = NOTHING
    for value in values:
        result = result.joined(value)
    return result


def _argument(positional: list[Value], named: dict[str, Value], position: int, keyword: str) -> Value | None:
    return positional[position] if position < len(positional) else named.get(keyword)


def _tainted(names: Iterable[str]) -> dict[str, Value]:
    return {name: Value(frozenset((Taint(name),))) for name in names}


def _signature(found: Any) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(found).parameters.values())
    except (TypeError, ValueError):
        return []


def _parameters(found: Any, method: bool = False) -> list[str]:
    function = bare(found)
    own = _signature(function if isinstance(function, types.FunctionType) else found)
    return [parameter.name for parameter in own[method:]]


def value_parameters(function: Value) -> list[str]:
    """The parameters of a function that was made in the code that is read, without those that are bound."""
    for option in function.options:
        if isinstance(option, Closure):
            arguments = option.node.args
            places = [one.arg for one in (*arguments.posonlyargs, *arguments.args)][len(option.first) :]
            return [*places, *(one.arg for one in arguments.kwonlyargs)]
        if isinstance(option, Applied):
            names = value_parameters(option.function)[len(option.first) :]
            return [name for name in names if name not in option.named]
        if isinstance(option, Object):
            return _parameters(option.value)
    return []


def places_of(function: Value) -> dict[str, int | None]:
    """The parameters of such a function with the positions that a caller passes them at."""
    keyword_only = {
        one.arg for option in function.options if isinstance(option, Closure) for one in option.node.args.kwonlyargs
    }
    names = enumerate(value_parameters(function))
    return {name: None if name in keyword_only else index for index, name in names}


def _defaults(function: types.FunctionType) -> dict[str, Value]:
    found = {}
    for parameter in _signature(function):
        if parameter.default is not parameter.empty and parameter.default is not None:
            found[parameter.name] = known(parameter.default)
    return found
