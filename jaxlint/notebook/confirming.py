"""`%jaxlint confirm`: a function is traced with the values that the kernel has under its parameters' names.

The trace is the one that the notebook asks for, where a jitted form of the function is there; else `jax.make_jaxpr`
with every argument traced that is an array or made of arrays.  It runs the function's Python once, as a first call
under `jax.jit` would.  What is said of a finding is no more than what that shows: an exception of JAX's own, of a kind
that the rule speaks of, on the finding's line confirms it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jaxlint.notebook.run_places import RunPlaces

Claim = Mapping[str, Any]
"""A finding, as the checker writes it: `code`, `message`, `cell`, `lines`, what it `raises`, if it `only raises`."""


def confirm(name: str, claims: Sequence[Claim], values: Mapping[str, Any], places: RunPlaces) -> Iterator[str]:
    """The lines to print of a function and what is found in it."""
    function = _function(name, values)
    if function is None:
        yield f"{name or 'confirm'}: no such function is defined: %jaxlint confirm NAME"
        return
    if not claims:
        yield f"{name}: nothing is found in it"
        return
    arguments = _arguments(function, values)
    if isinstance(arguments, str):
        yield f"{name} cannot be traced: there is no value named `{arguments}` to give it"
        return
    jitted = _jitted(function, values)
    error = _traced(jitted, arguments) if jitted is not None else _traced_arrays(function, arguments)
    yield f"{'jax.jit' if jitted is not None else 'jax.make_jaxpr'}: {name}({_described(arguments)})"
    lines = places.lines_of(error)
    for claim in claims:
        yield f"Cell In[{claim['cell']}], line {claim['lines'][0]}: {claim['code']} {claim['message']}"
        yield f"  {_verdict(claim, error, lines[-1] if lines else None)}"


def _verdict(claim: Claim, error: BaseException | None, stopped: tuple[int, int] | None) -> str:
    if not claim["raises"] or (error is None and not claim["only raises"]):
        return "a trace does not tell: what the rule is about need be no exception"
    if error is None:
        return "not reproduced: with these arguments the trace goes through"
    told = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    if stopped is None:
        return f"not reproduced: the trace stopped outside the cells, {told}"
    first, last = claim["lines"]
    if claim["cell"] != stopped[0] or not first <= stopped[1] <= last:
        return f"not reproduced: the trace stopped at Cell In[{stopped[0]}], line {stopped[1]}, {told}"
    if type(error).__module__.partition(".")[0] == "jax" and type(error).__name__ in claim["raises"]:
        return f"confirmed: {told}"
    return f"the trace stopped on this line, perhaps for another reason: {told}"


def _function(name: str, values: Mapping[str, Any]) -> Callable[..., Any] | None:
    first, *rest = name.split(".")
    found = values.get(first)
    for attribute in rest:
        found = inspect.getattr_static(found, attribute, None)
    return found if callable(found) and not inspect.isclass(found) else None


def _arguments(function: Callable[..., Any], values: Mapping[str, Any]) -> inspect.BoundArguments | str:
    """The kernel's values for the parameters; or the name of one that there is none for."""
    signature = inspect.signature(function)
    bound = inspect.BoundArguments(signature, {})
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in values:
            bound.arguments[name] = values[name]
        elif parameter.default is not parameter.empty:
            bound.arguments[name] = parameter.default
        else:
            return name
    return bound


def _jitted(function: Callable[..., Any], values: Mapping[str, Any]) -> Callable[..., Any] | None:
    """The function as the notebook has jitted it, with its static arguments."""
    for value in (function, *values.values()):
        is_jitted = hasattr(type(value), "trace") and hasattr(type(value), "lower")
        if is_jitted and (value is function or inspect.getattr_static(value, "__wrapped__", None) is function):
            return value  # type: ignore[no-any-return]
    return None


def _traced(jitted: Any, arguments: inspect.BoundArguments) -> Exception | None:
    try:
        jitted.trace(*arguments.args, **arguments.kwargs)
    except Exception as error:
        return error
    return None


def _traced_arrays(function: Callable[..., Any], arguments: inspect.BoundArguments) -> Exception | None:
    import jax

    traced = {name: value for name, value in arguments.arguments.items() if _is_of_arrays(value)}

    def call(values: dict[str, Any]) -> Any:
        given = inspect.BoundArguments(arguments.signature, {**arguments.arguments, **values})
        return function(*given.args, **given.kwargs)

    try:
        jax.make_jaxpr(call)(traced)
    except Exception as error:
        return error
    return None


def _is_of_arrays(value: Any) -> bool:
    import jax
    import numpy as np

    leaves = jax.tree_util.tree_leaves(value)
    return bool(leaves) and all(isinstance(leaf, jax.Array | np.ndarray | np.generic) for leaf in leaves)


def _described(arguments: inspect.BoundArguments) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in arguments.arguments.items())


def _short(value: Any) -> str:
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and isinstance(shape, tuple):
        return f"{dtype}[{','.join(map(str, shape))}]"
    return (
        repr(value)
        if isinstance(value, bool | int | float | str | None) and len(repr(value)) < 40
        else type(value).__name__
    )
