"""A value of an annotated type: what a type hint says an argument is."""

from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
import enum
import inspect
import itertools
import types
import typing
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from jaxlint.dynamic.inputs.names import by_name, is_of_keys
from jaxlint.dynamic.inputs.values import AnyFunction, Choice, Unknown, array, free_array, key

DEEPEST = 5

_KEY_NAMES = ("PRNGKey", "KeyArray", "PRNGKeyArray", "RNGKey", "PRNGKeyArrayLike")
_ARRAY_NAMES = (
    *("Array", "ArrayLike", "ndarray", "Tracer", "Numeric", "Scalar", "ArrayTree", "ArrayDevice", "ArrayNumpy"),
    *("ArrayImpl", "TensorLike", "JaxArray", "Tensor", "ArrayLikeTree", "PyTree", "Params", "Updates"),
)
_PLAIN: dict[Any, Any] = {bool: False, int: 2, float: 0.5, complex: 1j, str: "a", bytes: b"a", type(None): None}
_SEQUENCES = (
    *(list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection),
    collections.abc.MutableSequence,
)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def build(hint: Any, choice: Choice, depth: int = 0) -> Any:
    """A value for the hint, `jax.ShapeDtypeStruct` where it is an array.  Raises `Unknown`."""
    if depth > DEEPEST:
        raise Unknown("nested too deep")
    if hint is None or (isinstance(hint, typing.Hashable) and hint in _PLAIN):
        return _PLAIN[type(None) if hint is None else hint]
    if isinstance(hint, str):
        return _of_name(hint, choice)
    if isinstance(hint, typing.ForwardRef):
        return _of_name(hint.__forward_arg__, choice)
    for matches, maker in _MAKERS:
        if matches(hint):
            return maker(hint, choice, depth)
    if isinstance(hint, type):
        return _of_class(hint, choice, depth)
    raise Unknown(str(hint))


def is_key_hint(text: str) -> bool:
    """Whether an annotation, as written, names a PRNG key: most aliases are evaluated to plain arrays."""
    return text.strip("\"'").split("[")[0].rpartition(".")[2] in _KEY_NAMES


def hints(function: Any) -> dict[str, Any]:
    """The evaluated annotations of a function or a constructor, those that cannot be evaluated as they are written."""
    function = inspect.unwrap(function)
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # evaluating annotations is user code
        return dict(getattr(function, "__annotations__", {}))


def _of_name(text: str, choice: Choice) -> Any:
    """An annotation that could not be evaluated, by its last name."""
    name = text.split("[")[0].rpartition(".")[2]
    if name in _KEY_NAMES:
        return key(choice)
    if name in _ARRAY_NAMES:
        return free_array(choice)
    for plain, value in _PLAIN.items():
        if plain.__name__ == name:
            return value
    if name == "Callable":
        return AnyFunction("fn")
    raise Unknown(text)


# --------------------------------------------------------------------------------------------- jaxtyping


def _jaxtyping(hint: Any, choice: Choice, depth: int) -> Any:
    dtypes = hint.dtypes if isinstance(hint.dtypes, (tuple, list)) else ()
    if "prng_key" in dtypes:
        return jax.eval_shape(lambda: jax.random.key(0))
    wanted = next((name for name in (choice.dtype, "float32", "int32", "bool") if name in dtypes), None)
    dtype = wanted or (dtypes[0] if dtypes else choice.dtype)
    shape = [size for dim in hint.dim_str.split() for size in _dimension(dim, choice)]
    return array(tuple(shape), dtype)


def _dimension(dim: str, choice: Choice) -> tuple[int, ...]:
    """The sizes that one dimension of a jaxtyping annotation stands for."""
    name = dim.rpartition("=")[2].lstrip("#?")
    if name.startswith("*") or name == "...":
        return ()
    if name.isdigit():
        return (int(name),)
    if name.startswith("_"):
        return (3,)
    if name.isidentifier():
        return (choice.size(name),)
    try:
        code = compile(name, "<dimension>", "eval")
        size = eval(code, {"__builtins__": {}}, {part: choice.size(part) for part in code.co_names})
        return (max(int(size), 0),)
    except Exception:  # an expression over what we do not have
        return (3,)


# ----------------------------------------------------------------------------------------------- typing


def _literal(hint: Any, choice: Choice, depth: int) -> Any:
    return typing.get_args(hint)[0]


def _union(hint: Any, choice: Choice, depth: int) -> Any:
    options = [option for option in typing.get_args(hint) if option is not type(None)]
    arrays = [option for option in options if _is_array_type(option)]
    for option in [*arrays, *options]:
        try:
            return build(option, choice, depth + 1)
        except Unknown:
            continue
    raise Unknown(str(hint))


def _tuple(hint: Any, choice: Choice, depth: int) -> Any:
    arguments = typing.get_args(hint)
    if not arguments:
        return (free_array(choice), free_array(choice))
    if len(arguments) == 2 and arguments[1] is ...:
        arguments = (arguments[0], arguments[0])
    return tuple(build(argument, choice, depth + 1) for argument in arguments)


def _sequence(hint: Any, choice: Choice, depth: int) -> Any:
    (argument,) = typing.get_args(hint)[:1] or (jax.Array,)
    return [build(argument, choice, depth + 1) for _ in range(2)]


def _mapping(hint: Any, choice: Choice, depth: int) -> Any:
    arguments = typing.get_args(hint) or (str, jax.Array)
    return {"a": build(arguments[-1], choice, depth + 1)}


def _callable(hint: Any, choice: Choice, depth: int) -> Any:
    arguments = typing.get_args(hint)
    return _function_to(arguments[-1] if arguments else None)


def _callable_like(function: Any) -> AnyFunction:
    """A function with the annotated result of this one."""
    return _function_to(hints(function).get("return"))


def _function_to(returns: Any) -> AnyFunction:
    if typing.get_origin(returns) is tuple and ... not in typing.get_args(returns):
        return AnyFunction("fn", count=len(typing.get_args(returns)))
    scalar = returns is float or _has_no_dims(returns)
    return AnyFunction("fn", "scalar" if scalar else "same")


def _has_no_dims(hint: Any) -> bool:
    return (_is_jaxtyping(hint) and not hint.dim_str.strip()) or _name(hint) == "Scalar"


def _type_variable(hint: Any, choice: Choice, depth: int) -> Any:
    bound = hint.__bound__ or next(iter(hint.__constraints__), None)
    return build(bound, choice, depth + 1) if bound is not None else free_array(choice)


def _numpy_array(hint: Any, choice: Choice, depth: int) -> Any:
    """A NumPy array is the caller's host data: nobody traces it."""
    return np.ones(choice.shape, choice.dtype)


def _is_jaxtyping(hint: Any) -> bool:
    return isinstance(getattr(hint, "dim_str", None), str) and hasattr(hint, "dtypes")


def _name(hint: Any) -> str:
    """The last name of a hint; that of `jax.Array` is "jaxlib._jax.Array"."""
    return str(getattr(hint, "__name__", "")).rpartition(".")[2]


def _is_array_type(hint: Any) -> bool:
    if hint is np.ndarray or _is_jaxtyping(hint):
        return _is_jaxtyping(hint)
    return _name(hint) in _ARRAY_NAMES and not dataclasses.is_dataclass(hint)


_MAKERS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Choice, int], Any]], ...] = (
    (_is_jaxtyping, _jaxtyping),
    (lambda hint: _name(hint) in _KEY_NAMES, lambda hint, choice, depth: key(choice)),
    (lambda hint: hint is np.ndarray, _numpy_array),
    (_is_array_type, lambda hint, choice, depth: free_array(choice)),
    (lambda hint: hint in (Any, object, typing.Hashable), lambda hint, choice, depth: free_array(choice)),
    (lambda hint: typing.get_origin(hint) is typing.Literal, _literal),
    (lambda hint: typing.get_origin(hint) in (typing.Union, types.UnionType), _union),
    (
        lambda hint: typing.get_origin(hint) is typing.Annotated,
        lambda hint, choice, depth: build(typing.get_args(hint)[0], choice, depth + 1),
    ),
    (lambda hint: hint is tuple or typing.get_origin(hint) is tuple, _tuple),
    (lambda hint: hint in _SEQUENCES or typing.get_origin(hint) in _SEQUENCES, _sequence),
    (lambda hint: hint in _MAPPINGS or typing.get_origin(hint) in _MAPPINGS, _mapping),
    (
        lambda hint: collections.abc.Callable in (hint, typing.get_origin(hint)) or hint is Callable,
        _callable,
    ),
    (lambda hint: typing.get_origin(hint) is type, lambda hint, choice, depth: typing.get_args(hint)[0]),
    (lambda hint: isinstance(hint, typing.TypeVar), _type_variable),
    (
        lambda hint: hasattr(hint, "__supertype__"),
        lambda hint, choice, depth: build(hint.__supertype__, choice, depth + 1),
    ),
    (
        lambda hint: isinstance(hint, type) and issubclass(hint, enum.Enum),
        lambda hint, choice, depth: next(iter(hint)),
    ),
    (
        lambda hint: isinstance(typing.get_origin(hint), type) and not isinstance(hint, type),
        lambda hint, choice, depth: build(typing.get_origin(hint), choice, depth + 1),
    ),
)


# ---------------------------------------------------------------------------------------------- classes


def _of_class(hint: type, choice: Choice, depth: int) -> Any:
    """A NamedTuple or a dataclass field by field, another class by what its constructor asks for."""
    if _is_protocol(hint) and "__call__" in vars(hint):
        return _callable_like(vars(hint)["__call__"])
    if hint.__module__.partition(".")[0] in _NOT_BUILT or _is_protocol(hint):
        raise Unknown(hint.__name__)
    if inspect.isabstract(hint) or _leaves_open(hint):
        return _of_subclass(hint)
    if issubclass(hint, np.dtype):
        return np.dtype("float32")
    if issubclass(hint, np.generic):
        return array((), choice.dtype)
    try:
        return hint(**_constructor_arguments(hint, choice, depth))
    except Unknown:
        raise
    except Exception as error:  # constructors are user code
        raise Unknown(f"{hint.__name__}: {type(error).__name__}: {error}") from error


def _of_subclass(hint: type) -> Any:
    """An object of a class that fills in what this one leaves open."""
    below: list[type] = type.__subclasses__(hint)
    for each in below[:_MOST_SUBCLASSES]:
        further: list[type] = type.__subclasses__(each)
        below += [other for other in further if other not in below]
    whole = (each for each in below if not (inspect.isabstract(each) or _leaves_open(each)))
    for each, make in itertools.product(itertools.islice(whole, _MOST_SUBCLASSES), makers):
        with contextlib.suppress(Unknown):
            return make(each)
    raise Unknown(hint.__name__)


makers: list[Callable[[type], Any]] = []
"""What makes objects as the project makes them, or raises `Unknown`; whoever can adds itself."""


def _leaves_open(hint: type) -> bool:
    """Whether a method does nothing but raise NotImplementedError, which is abstract by another name."""
    methods = (getattr(hint, name, None) for name in dir(hint))
    codes = (getattr(inspect.unwrap(each), "__code__", None) for each in methods if inspect.isfunction(each))
    return any(code is not None and {*code.co_names} - _OF_PROBES == {"NotImplementedError"} for code in codes)


_OF_PROBES = {"@jaxlint", "leaving"}
_MOST_SUBCLASSES = 6
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_NOT_BUILT = frozenset("builtins pathlib os io socket subprocess threading multiprocessing asyncio tempfile".split())


def _is_protocol(hint: type) -> bool:
    return bool(getattr(hint, "_is_protocol", False))


def _says_array_alone(hint: Any) -> bool:
    return _is_array_type(hint) and not _is_jaxtyping(hint)


def _constructor_arguments(hint: type, choice: Choice, depth: int) -> dict[str, Any]:
    arguments = {}
    known = {**hints(hint), **hints(vars(hint).get("__init__", hint))}
    for name, parameter in inspect.signature(hint).parameters.items():
        if parameter.default is not parameter.empty or parameter.kind in _VARIADIC:
            continue
        if name in known and not (_says_array_alone(known[name]) and is_of_keys(name)):
            arguments[name] = build(known[name], choice, depth + 1)
        else:
            arguments[name] = by_name(name, choice)
    return arguments
