"""The arguments of one call as JSON that a person can review, and back.

An array that the call traces is its type: ``"float32[3,4]"``, ``"int32[] weak"``, ``"key<fry>[]"``; one that came as a
NumPy array is ``"numpy float32[3]"``.  Numbers, booleans and None are themselves, everything else is an object with
one key that says what it is: ``{"str": "relu"}``, ``{"tuple": [...]}``, ``{"object": "pkg.mod:Class.method"}``.
What is not a traced array is static: it is decoded to the value itself.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import functools
import importlib
import math
import pickle
import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jaxlint.dynamic import private

Json = Any
Each = Callable[[Any], Json]
LARGEST_STATIC_ARRAY = 64
LARGEST_PICKLE = 20_000
LARGEST_STRING = 1_000

_TRACED = re.compile(r"(numpy )?([a-z0-9_<>]+)\[([\d,]*)\]( weak)?")


class Unencodable(Exception):
    """The value has no place in a recording; the message says what it is."""


def encode(args: Sequence[Any], kwargs: Mapping[str, Any], *, lift: bool = True) -> Json:
    """The arguments as JSON.  Tracers become their types, and so do arrays if ``lift``; else these keep their values.

    Raises `Unencodable`.
    """
    is_traced = is_array if lift else _is_tracer

    def each(value: Any) -> Json:
        if private.is_reference(value):
            raise Unencodable("a mutable array")
        return _array_text(value) if is_traced(value) else _encode_static(value, each)

    return _encode_call(args, kwargs, each)


def decode(data: Json) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """``(args, kwargs)`` with `jax.ShapeDtypeStruct` leaves for what is traced.

    Raises `Unencodable` where the JSON is not of `encode` or names what cannot be imported any more.
    """
    try:
        kwargs = {name: _decode(value) for name, value in data["kwargs"].items()}
        return tuple(_decode(value) for value in data["args"]), kwargs
    except Unencodable:
        raise
    except Exception as error:  # importing and rebuilding run user code
        raise Unencodable(f"{type(error).__name__}: {error}") from error


def abstract(value: Any) -> jax.ShapeDtypeStruct:
    """The shape and type of an array, a tracer or a `ShapeDtypeStruct`."""
    return _struct(tuple(value.shape), value.dtype, _is_weak(value))


def is_array(value: Any) -> bool:
    """Whether the value is traced when a transform gets it: an array of a type that JAX has, or its description."""
    if isinstance(value, (jax.Array, jax.ShapeDtypeStruct)):
        return True
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc"


def has_traced(data: Json) -> bool:
    """Whether any argument of an encoded call is traced."""
    return any(True for _ in _traced_texts(data))


def is_numpy_only(data: Json) -> bool:
    """Whether every array of an encoded call came as a NumPy array: nobody has seen JAX arrays go in."""
    texts = list(_traced_texts(data))
    return bool(texts) and all(text.startswith("numpy ") for text in texts)


def _traced_texts(data: Json) -> Any:
    if isinstance(data, str) and _TRACED.fullmatch(data):
        yield data
    elif isinstance(data, list):
        for item in data:
            yield from _traced_texts(item)
    elif isinstance(data, dict) and not data.keys() & {"str", "object", "pickle", "array"}:
        yield from _traced_texts(list(data.values()))


# ---------------------------------------------------------------------------------------------- encoding


def _is_tracer(value: Any) -> bool:
    return isinstance(value, (jax.core.Tracer, jax.ShapeDtypeStruct))


def _array_text(value: Any) -> str:
    dims = ",".join(str(size) for size in value.shape)
    prefix = "numpy " if isinstance(value, (np.ndarray, np.generic)) else ""
    return f"{prefix}{value.dtype}[{dims}]{' weak' if _is_weak(value) else ''}"


def _encode_call(args: Sequence[Any], kwargs: Mapping[str, Any], each: Each) -> Json:
    return {"args": [each(value) for value in args], "kwargs": {name: each(value) for name, value in kwargs.items()}}


def _encode_static(value: Any, each: Each) -> Json:
    if value is None or type(value) in (bool, int):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    for matches, encoder in _ENCODERS:
        if matches(value):
            return encoder(value, each)
    return _encode_object(value, each)


def _encode_string(value: str, each: Each) -> Json:
    if len(value) > LARGEST_STRING:
        raise Unencodable(f"a string of {len(value)} characters")
    return {"str": value}


def _encode_dict(value: dict[Any, Any], each: Each) -> Json:
    if all(isinstance(key, str) for key in value):
        return {"dict": {key: each(item) for key, item in value.items()}}
    return {"items": [[each(key), each(item)] for key, item in value.items()]}


def _encode_static_array(value: Any, each: Each) -> Json:
    if value.size > LARGEST_STATIC_ARRAY or jax.numpy.issubdtype(value.dtype, jax.dtypes.extended):
        raise Unencodable(f"a constant {_array_text(value)}")
    module = "numpy" if isinstance(value, (np.ndarray, np.generic)) else "jax"
    return {"array": str(value.dtype), "of": module, "value": np.asarray(value).tolist()}


def _encode_named(value: Any, each: Each) -> Json:
    fields = {name: each(getattr(value, name)) for name in value._fields}
    return {"namedtuple": _reference(type(value)), "fields": fields}


def _encode_fields(value: Any, each: Each) -> Json:
    names = [field.name for field in dataclasses.fields(value) if field.init and hasattr(value, field.name)]
    return {"dataclass": _reference(type(value)), "fields": {name: each(getattr(value, name)) for name in names}}


def _encode_partial(value: functools.partial[Any], each: Each) -> Json:
    return {"partial": each(value.func), **_encode_call(value.args, value.keywords, each)}


def _encode_object(value: Any, each: Each) -> Json:
    """What has an importable name by it, a dataclass by its fields, any other pytree by its structure and leaves."""
    try:
        return {"object": _reference(value)}
    except Unencodable:
        if isinstance(value, (type, types.FunctionType)):
            raise
    if private.is_endless(value):
        raise Unencodable(f"a {type(value).__name__} that contains itself")
    leaves, structure = jax.tree_util.tree_flatten(value)
    if dataclasses.is_dataclass(value) and _rebuilds(value):
        fields = _encode_fields(value, each)
        if leaves == [value] and has_traced(list(fields.values())):
            raise Unencodable(f"a {type(value).__name__} with arrays that no transform sees")
        return fields
    if len(leaves) == 1 and leaves[0] is value:
        return {"pickle": _pickled(value)}
    return {"pytree": _pickled(structure), "leaves": [each(leaf) for leaf in leaves]}


_ENCODERS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Each], Json]], ...] = (
    (lambda value: type(value) is str, _encode_string),
    (lambda value: type(value) is list, lambda value, each: [each(item) for item in value]),
    (lambda value: type(value) is tuple, lambda value, each: {"tuple": [each(item) for item in value]}),
    (lambda value: type(value) is dict, _encode_dict),
    (
        lambda value: type(value) in (set, frozenset),
        lambda value, each: {type(value).__name__: [each(item) for item in value]},
    ),
    (lambda value: type(value) is complex, lambda value, each: {"complex": [value.real, value.imag]}),
    (lambda value: type(value) is range, lambda value, each: {"range": [value.start, value.stop, value.step]}),
    (
        lambda value: type(value) is slice,
        lambda value, each: {"slice": [each(value.start), each(value.stop), each(value.step)]},
    ),
    (lambda value: value is Ellipsis, lambda value, each: {"ellipsis": True}),
    (
        lambda value: isinstance(value, enum.Enum),
        lambda value, each: {"enum": _reference(type(value)), "name": value.name},
    ),
    (lambda value: isinstance(value, np.dtype), lambda value, each: {"dtype": str(value)}),
    (lambda value: isinstance(value, types.ModuleType), lambda value, each: {"module": value.__name__}),
    (is_array, _encode_static_array),
    (lambda value: isinstance(value, functools.partial), _encode_partial),
    (lambda value: isinstance(value, tuple) and hasattr(value, "_fields"), _encode_named),
)


def _rebuilds(value: Any) -> bool:
    """Whether the generated constructor takes the fields: a hand-written one may take anything."""
    return "__dataclass_fields__" in type(value).__dict__ and all(
        field.init for field in dataclasses.fields(value) if hasattr(value, field.name)
    )


def _reference(value: Any) -> str:
    """``module:qualname`` of what can be imported by it."""
    module, qualname = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    qualname = qualname or getattr(value, "__name__", None)
    if isinstance(module, str) and isinstance(qualname, str) and module != "__main__":
        try:
            if _resolve(f"{module}:{qualname}") is value:
                return f"{module}:{qualname}"
        except Exception:  # a module's __getattr__ is user code
            pass
    raise Unencodable(f"{type(value).__name__} {qualname or ''} has no importable name".replace("  ", " "))


def _pickled(value: Any) -> str:
    try:
        data = pickle.dumps(value)
    except Exception as error:  # __reduce__ is user code
        raise Unencodable(f"{type(value).__name__}: {error}") from error
    if len(data) > LARGEST_PICKLE:
        raise Unencodable(f"{type(value).__name__} of {len(data)} bytes")
    return base64.b64encode(data).decode()


def _is_weak(value: Any) -> bool:
    return bool(getattr(value, "weak_type", False) or getattr(getattr(value, "aval", None), "weak_type", False))


# ---------------------------------------------------------------------------------------------- decoding


def _decode(data: Json) -> Any:
    if isinstance(data, str):
        return _traced(data)
    if isinstance(data, list):
        return [_decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    for tag, decoder in _DECODERS.items():
        if tag in data:
            return decoder(data)
    raise Unencodable(f"unknown form {next(iter(data), '')!r}")


def _traced(text: str) -> jax.ShapeDtypeStruct:
    match = _TRACED.fullmatch(text)
    if match is None:
        raise Unencodable(f"not an array type: {text!r}")
    shape = tuple(int(size) for size in match[3].split(",") if size)
    return _struct(shape, dtype_named(match[2]), bool(match[4]))


def dtype_named(name: str) -> Any:
    """The dtype of a name as arrays print it: "float32", "bfloat16", "key<fry>"."""
    if name.startswith("key<"):
        implementations = {"fry": "threefry2x32", "rbg": "rbg", "urbg": "unsafe_rbg"}
        return jax.eval_shape(lambda: jax.random.key(0, impl=implementations[name[4:-1]])).dtype
    return jax.dtypes.canonicalize_dtype(jax.numpy.dtype(name))


_STRUCT: Callable[..., jax.ShapeDtypeStruct] = jax.ShapeDtypeStruct


def _struct(shape: tuple[int, ...], dtype: Any, weak: bool) -> jax.ShapeDtypeStruct:
    try:
        return _STRUCT(shape, dtype, weak_type=weak)
    except TypeError:  # jax 0.4.30 has no weak types here
        return _STRUCT(shape, dtype)


def _resolve(reference: str) -> Any:
    module, _, qualname = reference.partition(":")
    value: Any = importlib.import_module(module)
    for name in qualname.split("."):
        value = getattr(value, name)
    return value


def _decode_fields(reference: str, fields: dict[str, Json]) -> Any:
    return _resolve(reference)(**{name: _decode(value) for name, value in fields.items()})


def _decode_partial(data: Json) -> Any:
    args, kwargs = decode(data)
    return functools.partial(_decode(data["partial"]), *args, **kwargs)


def _decode_pytree(data: Json) -> Any:
    return jax.tree_util.tree_unflatten(_unpickled(data["pytree"]), [_decode(leaf) for leaf in data["leaves"]])


def _unpickled(text: str) -> Any:
    return pickle.loads(base64.b64decode(text))


def _decode_array(data: Json) -> Any:
    make = np.asarray if data["of"] == "numpy" else jax.numpy.asarray
    return make(data["value"], dtype_named(data["array"]))


_DECODERS: dict[str, Callable[[Json], Any]] = {
    "partial": _decode_partial,
    "str": lambda data: data["str"],
    "float": lambda data: float(data["float"]),
    "complex": lambda data: complex(*data["complex"]),
    "tuple": lambda data: tuple(_decode(item) for item in data["tuple"]),
    "dict": lambda data: {key: _decode(item) for key, item in data["dict"].items()},
    "items": lambda data: {_decode(key): _decode(item) for key, item in data["items"]},
    "set": lambda data: {_decode(item) for item in data["set"]},
    "frozenset": lambda data: frozenset(_decode(item) for item in data["frozenset"]),
    "range": lambda data: range(*data["range"]),
    "slice": lambda data: slice(*(_decode(item) for item in data["slice"])),
    "ellipsis": lambda data: ...,
    "enum": lambda data: _resolve(data["enum"])[data["name"]],
    "dtype": lambda data: np.dtype(dtype_named(data["dtype"])),
    "module": lambda data: importlib.import_module(data["module"]),
    "object": lambda data: _resolve(data["object"]),
    "namedtuple": lambda data: _decode_fields(data["namedtuple"], data["fields"]),
    "dataclass": lambda data: _decode_fields(data["dataclass"], data["fields"]),
    "pytree": _decode_pytree,
    "pickle": lambda data: _unpickled(data["pickle"]),
    "array": _decode_array,
}
