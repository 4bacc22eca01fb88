"""How a function or a method is entered: on which object, inside which framework.

A framework is known by the module that is loaded; what is not loaded cannot have made the user's classes.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

from jaxlint.dynamic.inputs.annotations import build, makers
from jaxlint.dynamic.inputs.call_sites import calls_that_make
from jaxlint.dynamic.inputs.calls import shown
from jaxlint.dynamic.inputs.signatures import abstract, is_array
from jaxlint.dynamic.inputs.values import FIRST, KEPT, Choice, Unknown, key
from jaxlint.dynamic.inputs.without_constructor import bare
from jaxlint.dynamic.recording import RECORDER

MOST_CLASSES = 6  # subclasses that stand in for a class that cannot be made


@dataclass(slots=True)
class Entry:
    """``call(*lead, *args, **kwargs)`` runs the target, with arguments made up for the parameters of ``plan``."""

    plan: Callable[..., Any]
    call: Callable[..., Any]
    lead: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()  # of the lead, for people
    assumptions: tuple[str, ...] = ()
    known: dict[str, Any] = field(default_factory=dict)


class NoEntry(Exception):
    """The target cannot be entered; the message says why."""


def resolve(module: Any, qualname: str) -> tuple[Any, Any]:
    """The object of a qualified name and what holds it.  Raises `NoEntry` where the module has none."""
    holder, value = None, module
    for name in qualname.split("."):
        try:
            holder, value = value, getattr(value, name)
        except Exception as error:  # descriptors are user code
            raise NoEntry(f"{qualname} is not there after the import") from error
    return holder, value


def entries(module: Any, qualname: str) -> Iterator[Entry]:
    """The ways into a module-level function, a method or a class.  Raises `NoEntry`."""
    holder, value = resolve(module, qualname)
    if isinstance(value, type):
        yield from _methods(value, "__call__" if "__call__" in vars(value) else "__init__")
    elif isinstance(holder, type):
        yield from _methods(holder, qualname.rpartition(".")[2])
    elif callable(value):
        yield Entry(value, value)
        if _haiku() is not None:
            yield _transformed(value, value)
    else:
        raise NoEntry(f"{qualname} is a {type(value).__name__}")


def _methods(owner: type, name: str) -> Iterator[Entry]:
    static = inspect.getattr_static(owner, name, None)
    if isinstance(static, (staticmethod, classmethod)):
        function = getattr(owner, name)
        yield Entry(function, function)
        return
    for matches, enter in _FRAMEWORKS:
        if matches(owner):
            yield from enter(owner, name)
            return
    yield from _plain(owner, name)


def objects(module: Any, qualname: str) -> Iterator[Any]:
    """For a method that no framework enters, objects of its class or of subclasses."""
    holder, value = resolve(module, qualname)
    name = qualname.rpartition(".")[2]
    if not isinstance(holder, type) or not callable(value) or name.startswith("__"):
        return
    if any(matches(holder) for matches, _ in _FRAMEWORKS):
        return
    for each in _inheriting(holder, name):
        with suppress(NoEntry):
            yield instance(each)


def instance(owner: type) -> Any:
    """An object of the class: made as the project makes one where that can be read off its text, or else of concrete
    arrays as its constructor's annotations say.  Raises `NoEntry`."""
    for make, known in calls_that_make(owner, RECORDER.sources.paths):
        with suppress(Exception):  # it is user code
            made = make(**concrete(known))
            if type(made) is owner:
                return made
    try:
        return concrete(build(owner, Choice()))
    except Unknown:
        pass
    # A constructor that computes wants arrays, and some want one of several that may be None.
    problem: Exception | None = None
    for defaults in (KEPT, FIRST):
        try:
            return owner(**{name: concrete(value) for name, value in _constructor(owner, defaults).items()})
        except NoEntry:
            raise
        except Exception as error:  # constructors are user code
            problem = problem or error
    raise NoEntry(f"{owner.__name__} could not be made: {type(problem).__name__}: {problem}".split("\n")[0])


def _made(owner: type) -> Any:
    try:
        return instance(owner)
    except NoEntry as error:
        raise Unknown(str(error)) from error


makers.append(_made)


def _constructor(owner: Any, defaults: str = KEPT) -> dict[str, Any]:
    from jaxlint.dynamic.inputs.synthesis import plan  # builds classes through here in turn

    if owner.__init__ is object.__init__:
        return {}
    constructor = inspect.unwrap(owner.__init__).__get__(object())  # a metaclass may hide its parameters
    try:
        return {one.name: one.make(Choice()) for one in plan(constructor, {}, defaults) if one.kind not in (2, 4)}
    except (Unknown, ValueError, TypeError) as error:
        raise NoEntry(f"{owner.__name__}: {error}") from error


def concrete(value: Any) -> Any:
    """The value with ones in place of its `jax.ShapeDtypeStruct` leaves."""
    return jax.tree_util.tree_map(_one, value)


def _one(leaf: Any) -> Any:
    if not isinstance(leaf, jax.ShapeDtypeStruct):
        return leaf
    if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return jnp.broadcast_to(jax.random.key(0), leaf.shape)
    if leaf.dtype == jnp.uint32 and leaf.shape[-1:] == (2,):
        return jnp.broadcast_to(jax.random.PRNGKey(0), leaf.shape)
    return jnp.ones(leaf.shape, leaf.dtype)


def abstracted(value: Any) -> Any:
    """The value with its arrays as `jax.ShapeDtypeStruct`."""
    return jax.tree_util.tree_map(lambda leaf: abstract(leaf) if is_array(leaf) else leaf, value)


def _plain(owner: type, name: str) -> Iterator[Entry]:
    """A pytree's arrays are traced with the arguments; any other object is the method's static surroundings."""
    if name == "__init__":
        for each in _inheriting(owner, name):
            yield Entry(each, each, assumptions=() if each is owner else (f"what is made is a {each.__name__}",))
        return
    problem: NoEntry | None = None
    count = 0
    for each in _inheriting(owner, name):
        try:
            made = instance(each)
        except NoEntry as error:
            problem = problem or error
            continue
        yield _on(made, name)
        count += 1
        if count == 2:
            return
    if count == 0:
        if problem is None:
            raise NoEntry(f"{owner.__name__} is abstract, and nothing imported is made of it")
        yield _without_constructor(owner, name, problem)


def _without_constructor(owner: type, name: str, problem: NoEntry) -> Entry:
    """The way into a method of a class of which no object can be made.  Raises ``problem`` where there is none."""
    try:
        made, attributes = bare(owner, concrete)
        method = getattr(made, name)
    except Exception as error:  # properties and metaclasses are user code
        raise problem from error
    if not callable(method):
        raise problem
    words = f"a {owner.__name__} is there, whose constructor failed ({problem})"
    return Entry(method, method, (), (), (words, *(f"its {one} is {shown(vars(made)[one])}" for one in attributes)))


def _on(made: Any, name: str) -> Entry:
    owner = type(made)
    words = (f"{owner.__name__} is made as {shown(made)}",)
    method = getattr(made, name)
    if not callable(method):  # a property
        return Entry(lambda: None, lambda self: getattr(self, name), (abstracted(made),), ("self",), words)
    if _is_pytree(made):
        return Entry(method, getattr(owner, name), (abstracted(made),), ("self",), words)
    return Entry(method, method, (), (), words)


def _inheriting(owner: type, name: str) -> Iterator[type]:
    """The class and its subclasses that are not abstract, those first that have no such method of their own."""
    classes = [owner]
    for each in classes:
        subclasses: list[type] = type.__subclasses__(each)
        classes += [below for below in subclasses if below not in classes]
    able = [each for each in classes if not inspect.isabstract(each)]
    return iter(sorted(able, key=lambda each: each is not owner and name in vars(each))[:MOST_CLASSES])


def _is_pytree(value: Any) -> bool:
    leaves = jax.tree_util.tree_leaves(value)
    return not (len(leaves) == 1 and leaves[0] is value)


# ------------------------------------------------------------------------------------------------- haiku


def _haiku() -> Any:
    return sys.modules.get("haiku")


def _transformed(plan: Callable[..., Any], run: Callable[..., Any]) -> Entry:
    """`init` and `apply` of the function under `hk.transform_with_state`, in one trace."""

    def call(rng: Any, *args: Any, **kwargs: Any) -> Any:
        pair = _haiku().transform_with_state(run)
        params, state = pair.init(rng, *args, **kwargs)
        return pair.apply(params, state, rng, *args, **kwargs)

    return Entry(plan, call, (key(Choice()),), ("rng",), ("it runs inside hk.transform",))


def needs_haiku(error: str) -> bool:
    """Whether a call failed because it was made outside of `hk.transform`."""
    return "hk.transform" in error


def _is_haiku(owner: type) -> bool:
    return _haiku() is not None and issubclass(owner, _haiku().Module)


def _enter_haiku(owner: type, name: str) -> Iterator[Entry]:
    arguments = _constructor(owner)

    def run(*args: Any, **kwargs: Any) -> Any:
        return getattr(owner(**arguments), name)(*args, **kwargs)

    words = f"{owner.__name__}({', '.join(f'{one}={shown(value)}' for one, value in arguments.items())})"
    entry = _transformed(_without_self(owner, name), run)
    entry.assumptions = (f"the module is {words}", *entry.assumptions)
    yield entry


def _without_self(owner: type, name: str) -> Callable[..., Any]:
    """The method as its caller sees it: something with its signature, source and name."""
    return inspect.unwrap(getattr(owner, name)).__get__(object())  # type: ignore[no-any-return]


# -------------------------------------------------------------------------------------------------- flax


def _is_linen(owner: type) -> bool:
    linen = sys.modules.get("flax.linen")
    return linen is not None and issubclass(owner, linen.Module)


def _enter_linen(owner: type, name: str) -> Iterator[Entry]:
    """`init` and `apply` of the module, through the method asked for, or through `__call__` for its `setup`."""
    try:
        module = build(owner, Choice())
    except Unknown as error:
        raise NoEntry(f"{owner.__name__} could not be made: {error}") from error
    method = "__call__" if name == "setup" else name

    def call(rng: Any, *args: Any, **kwargs: Any) -> Any:
        rngs = dict.fromkeys(("params", "dropout", "default"), rng)
        out, variables = module.init_with_output(rngs, *args, method=method, **kwargs)
        return out, module.apply(variables, *args, method=method, rngs=rngs, mutable=True, **kwargs)

    words = (f"the module is {type(module).__name__} with {shown(_fields(module))}",)
    yield Entry(_without_self(owner, method), call, (key(Choice()),), ("rng",), words)


def _fields(module: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("_") and name != "parent"}


def _is_nnx(owner: type) -> bool:
    nnx = sys.modules.get("flax.nnx")
    return nnx is not None and issubclass(owner, nnx.Module)


def _enter_nnx(owner: type, name: str) -> Iterator[Entry]:
    """The module is built, taken apart, and put together again from traced state."""
    nnx = sys.modules["flax.nnx"]
    arguments = {one: _nnx_argument(nnx, one, value) for one, value in _constructor(owner).items()}
    try:
        graph, state = nnx.split(owner(**arguments))
    except Exception as error:  # constructors are user code
        raise NoEntry(f"{owner.__name__} could not be made: {type(error).__name__}: {error}".split("\n")[0]) from error

    def call(state: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(nnx.merge(graph, state), name)(*args, **kwargs)

    words = (f"the module is {owner.__name__}({', '.join(f'{k}={shown(v)}' for k, v in arguments.items())})",)
    yield Entry(_without_self(owner, name), call, (abstracted(state),), ("state",), words)


def _nnx_argument(nnx: Any, name: str, value: Any) -> Any:
    return nnx.Rngs(0) if name == "rngs" else concrete(value)


_FRAMEWORKS: tuple[tuple[Callable[[type], bool], Callable[[type, str], Iterator[Entry]]], ...] = (
    (_is_haiku, _enter_haiku),
    (_is_linen, _enter_linen),
    (_is_nnx, _enter_nnx),
)
