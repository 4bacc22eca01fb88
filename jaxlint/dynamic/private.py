"""Every name of JAX that dynamic mode uses and that JAX does not promise to keep.

Each has one function here that says what it stands for, with the names it had in the versions from 0.4.30 on.  What the
installed JAX lacks is `absent` by its capability's name; `selftest` says the same of what exists and does not work.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import jax
import numpy as np
from jax import dtypes
from jax._src import core

from jaxlint.dynamic.observations import Kind

TRACER: type[Any] = jax.core.Tracer

COMPILED: type[Any] = type(jax.jit(len))
"""What `jax.jit` makes."""

MAPPED = "_fun"
"""What JAX calls the function that it traces for `jax.pmap`, whatever it was given."""

_NUMBER = (TypeError, ValueError)  # the second for more than one element
_TYPE = (TypeError,)

CONVERSIONS: dict[str, tuple[Kind, tuple[type[Exception], ...]]] = {
    "__bool__": (Kind.BOOL, _NUMBER),
    "__int__": (Kind.INT, _NUMBER),
    "__float__": (Kind.FLOAT, _NUMBER),
    "__complex__": (Kind.COMPLEX, _NUMBER),
    "__index__": (Kind.INDEX, _NUMBER),
    "__array__": (Kind.ARRAY, _NUMBER),
    "tolist": (Kind.ARRAY, _NUMBER),
    "__setitem__": (Kind.ITEM_STORE, _TYPE),
    "__delitem__": (Kind.ITEM_STORE, (TypeError, AttributeError)),
    "__getitem__": (Kind.ERROR, (jax.errors.NonConcreteBooleanIndexError,)),
    "__format__": (Kind.FORMAT, _TYPE),
    "__repr__": (Kind.FORMAT, ()),
}
"""The methods that want a tracer's value, what it is when they do not get it, and how they refuse."""


def conversion_sites() -> Iterator[tuple[type[Any], str]]:
    """Every class of tracer that defines one of the methods of `CONVERSIONS` itself; the base class has all."""
    for name in CONVERSIONS:
        yield TRACER, name
        yield from ((child, name) for child in _family(TRACER)[1:] if name in vars(child))


def _family(tracer: type[Any]) -> list[type[Any]]:
    known = [tracer]
    for each in known:
        known += [child for child in each.__subclasses__() if child not in known]
    return known


def is_tracer(value: Any) -> bool:
    return isinstance(value, TRACER)


def is_abstract(value: Any) -> bool:
    """Whether ``value`` is a tracer that Python cannot ask for its value; one of plain `grad` can be asked."""
    if not isinstance(value, TRACER):
        return False
    concrete: Callable[[Any], bool] | None = getattr(core, "is_concrete", None)
    if concrete is not None:
        return not concrete(value)
    return not isinstance(value.aval, _core("ConcreteArray"))


def trace_of(tracer: Any) -> Any:
    """What all tracers of one trace have in common."""
    trace = getattr(tracer, "_trace", None)
    return getattr(trace, "main", trace)  # before jax 0.4.36 each use of a trace had an object of its own


def is_reference(value: Any) -> bool:
    """Whether ``value`` is a mutable array, or a tracer of one."""
    return type(getattr(value, "aval", None)).__name__ == "AbstractRef"


def is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic, jax.Array))


def is_numpy(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic))


def is_endless(tree: Any, above: tuple[Any, ...] = ()) -> bool:
    """Whether a pytree contains itself.

    Flattening it fails, and jaxlib then leaves Python's count of nested calls at its limit: whatever runs later fails.
    """
    if any(tree is each for each in above) or len(above) > _DEEPEST:
        return True
    level = jax.tree_util.default_registry.flatten_one_level(tree)
    return level is not None and any(is_endless(child, (*above, tree)) for child in level[0])


_DEEPEST = 100


def aval_text(value: Any) -> str:
    """``float32[3]`` for an array or a tracer."""
    try:
        aval = value.aval if hasattr(value, "aval") else value
        text = f"{aval.dtype}[{','.join(map(str, aval.shape))}]"
        return f"{text} (weak)" if getattr(aval, "weak_type", False) else text
    except Exception:  # a tracer of something else than an array
        return str(getattr(value, "aval", type(value).__name__))


def clear_caches() -> None:
    """Makes JAX forget every trace; without this a second trace is the first."""
    jax.clear_caches()  # type: ignore[no-untyped-call]


def tracing() -> bool:
    """Whether the calling thread is inside a trace."""
    return not core.trace_state_clean()


def runner() -> tuple[Any, str] | None:
    """The module and the name of the function that `jax.jit` runs a jaxpr with, given by that name, where nothing is
    compiled for its arguments yet; None if this JAX has none."""
    from jax._src import pjit

    name = "_pjit_call_impl_python"
    return (pjit, name) if hasattr(pjit, name) else None


def concrete_or_error() -> tuple[Any, str]:
    """The module and the name of the function that JAX's own code asks for a concrete value."""
    return core, "concrete_or_error"


def leak_search() -> tuple[Any, str] | None:
    """The module and the name of the function that `jax.checking_leaks` looks with for what keeps a trace alive."""
    name = "maybe_find_leaked_tracers"
    return (core, name) if hasattr(core, name) else None


@contextmanager
def checking_leaks() -> Iterator[None]:
    """`jax.checking_leaks` that says which tracers are left, not who keeps them.

    To say that, JAX goes through all objects there are, and raises an IndexError where one of them is gone meanwhile.
    """
    name = "leaked_tracer_error"
    original = getattr(core, name, None)

    def error(what: str, trace: Any, tracers: list[Any]) -> Exception:
        left = "".join(f"\n\n{tracer}{tracer._origin_msg()}" for tracer in tracers)
        return Exception(f"Leaked {what} {trace}. Leaked tracer(s):{left}")

    with jax.checking_leaks():
        try:
            if original is not None:
                setattr(core, name, error)
            yield
        finally:
            if original is not None:
                setattr(core, name, original)


def let_go_of_effects(trace: Any) -> None:
    """Empties the list of effects (`jax.debug.print`) that a finished trace of a derivative keeps.

    Their operands are its tracers, which keeps it alive though nobody else has them.
    """
    handles = getattr(trace, "effect_handles", None)
    if isinstance(handles, list):
        handles.clear()


def let_go_of_failed_traces() -> None:
    """Takes back that a trace is told when one of its constants dies.

    What is to be told keeps the trace, and so the constants themselves, until the process ends; JAX empties a trace
    when it ends well, but not where an exception ends it, and then counts the tracers that it closed over as leaked.
    """
    for finalizer, info in list(getattr(weakref.finalize, "_registry", {}).items()):
        if getattr(info.func, "__name__", "") == "finalize_const":
            finalizer.detach()


def frames_of(equation: Any) -> list[tuple[CodeType, int, int]]:
    """The code, the instruction and the line of each frame that traced an equation, outermost first."""
    traceback = equation.source_info.traceback
    if traceback is None:
        return []
    codes, instructions = traceback.raw_frames()
    return [
        (code, instruction, traceback.code_addr2line(code, instruction))
        for code, instruction in zip(reversed(codes), reversed(instructions))
    ]


def is_made_by(equation: Any, file: str) -> bool:
    """Whether code of a file of JAX, by the end of its path, is on the stack that traced an equation."""
    return any(code.co_filename.endswith(file) for code, _, _ in frames_of(equation))


def is_a_draw_of_jax(jaxpr: Any) -> bool:
    """Whether a jaxpr is of a function of `jax.random`, as far as this JAX tells where a function was written."""
    source = getattr(getattr(opened(jaxpr), "debug_info", None), "func_src_info", None)
    return "jax/_src/random" in str(source).replace("\\", "/")


def key_dtype(aval: Any) -> bool:
    """Whether an abstract value is an array of typed keys."""
    dtype = getattr(aval, "dtype", None)
    return dtype is not None and bool(jax.numpy.issubdtype(dtype, dtypes.prng_key))


def is_literal(atom: Any) -> bool:
    return isinstance(atom, _core("Literal"))


def inner_jaxprs(equation: Any) -> Iterator[tuple[str, Any]]:
    """The (closed) jaxprs among an equation's parameters, by name, tuples of branches flattened."""
    for name, value in equation.params.items():
        for item in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(item, _JAXPRS):
                yield name, item


_JAXPRS = tuple(getattr(core, name) for name in ("Jaxpr", "ClosedJaxpr") if hasattr(core, name))
"""Since jax 0.12 there is one class for both, and a jaxpr has the values of its constants itself."""


def parts_of_scan(equation: Any) -> tuple[int, int]:
    """How many of the values that an equation of `lax.scan` is given are constants, and how many are the carry."""
    parameters = equation.params
    if "ft_in" in parameters:  # since jax 0.11
        constants, carry, _ = parameters["ft_in"].unpack()
        return len(constants), len(carry)
    return parameters["num_consts"], parameters["num_carry"]


def called(equation: Any) -> Any:
    """The closed jaxpr that an equation of `jax.jit` runs; None for any other."""
    return equation.params.get("jaxpr") if equation.primitive.name in ("jit", "pjit") else None


def bound(equation: Any, values: list[Any]) -> list[Any]:
    """What an equation makes of values."""
    found = equation.primitive.get_bind_params(equation.params)
    functions, parameters = found if isinstance(found, tuple) else ((), found)  # newer versions have one dict
    made = equation.primitive.bind(*functions, *values, **parameters)
    return list(made) if equation.primitive.multiple_results else [made]


def opened(jaxpr: Any) -> Any:
    """The plain jaxpr of a closed or a plain one."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def constants(jaxpr: Any) -> list[Any]:
    """The values of a closed jaxpr's constants; a plain jaxpr has none."""
    return list(getattr(jaxpr, "consts", ()))


def shaped(aval: Any) -> Any:
    """An abstract argument like ``aval``."""
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype)  # type: ignore[no-untyped-call]


def as_function(closed: Any) -> Callable[..., Any]:
    """A function that runs a closed jaxpr."""
    function: Callable[..., Any] = _core("jaxpr_as_fun")(closed)
    return function


def wants_a_bound(error: str) -> bool:
    """Whether what was raised ("IndexError: ...") says that a bound of a slice is a tracer of a whole number."""
    bounds = _NO_BOUND.match(error)
    tracers = _ARRAY.findall(bounds[1]) if bounds else []
    return bool(tracers) and all("int" in dtype and not shape for dtype, shape in tracers)


_NO_BOUND = re.compile(
    r"IndexError: (?:Array slice indices must have static start/stop/step|Slice entries must be static integers)"
    r".*?(?:Got|Found) slice\((.*)"
)
"""It is no exception of its own.  The first words are those of most versions, the second of 0.10 and 0.11.0."""

_ARRAY = re.compile(r"\b(\w+)\[([\d,]*)\]")


def is_leak(error: BaseException) -> bool:
    """Whether `jax.checking_leaks` raised it: a plain Exception that JAX's core made."""
    return type(error) is Exception and "leak" in str(error).lower()


def _core(name: str) -> Any:
    return getattr(core, name)


def platforms() -> dict[str, str]:
    """What can be asked for, by every name that people have for it: devices say "gpu" whatever their backend's name.

    A backend that fails to start is not there.
    """
    from jax._src import xla_bridge

    there: dict[str, str] = {}
    for name, backend in xla_bridge.backends().items():
        there[name] = name
        there.setdefault(backend.platform, name)
    return there


def has_backend() -> bool:
    """Whether a backend runs in this process: JAX starts it when it first has an array to make."""
    from jax._src import xla_bridge

    return bool(xla_bridge._backends)


def absent() -> tuple[str, ...]:
    """The capabilities that the installed JAX has no name for."""
    return tuple(name for name, has in _CAPABILITIES.items() if not has())


_CAPABILITIES: dict[str, Callable[[], bool]] = {
    "conversions": lambda: {"__bool__", "__int__", "__float__", "__index__", "__array__"} <= vars(TRACER).keys(),
    "concrete values": lambda: hasattr(core, "concrete_or_error"),
    "active traces": lambda: hasattr(core, "trace_state_clean"),
    "concrete tracers": lambda: hasattr(core, "is_concrete") or hasattr(core, "ConcreteArray"),
    "jaxprs": lambda: all(hasattr(core, name) for name in ("Literal", "Jaxpr", "jaxpr_as_fun")),
    "leaks": lambda: hasattr(jax, "checking_leaks"),
}
