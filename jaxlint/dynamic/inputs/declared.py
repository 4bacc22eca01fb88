"""Inputs that a person wrote down, in the notation that reports print them in: ``(x: float32[3,4], n=2)``."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import jax

from jaxlint.dynamic.inputs.calls import Call
from jaxlint.dynamic.inputs.signatures import dtype_named
from jaxlint.dynamic.inputs.values import array
from jaxlint.dynamic.observations import Origin

_DTYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
).split()
_SCALAR = re.compile(r"\b(\w+)\[\]")
_NAME = re.compile(r"^\s*(?:[\w.<>]+\s*)?(?=\()")


class BadDeclaration(Exception):
    """The text is not in the notation, or does not fit the function; the message says where."""


class _Dtype:
    """``float32[3,4]`` as an expression."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, shape: Any) -> jax.ShapeDtypeStruct:
        return array(shape if isinstance(shape, tuple) else (shape,), dtype_named(self.name.rstrip("_")))


def call_of(text: str, function: Callable[..., Any], names: Mapping[str, Any]) -> Call:
    """The call that ``text`` describes: ``name: type`` is traced, ``name=value`` is passed as it is.

    Types and values are expressions over the names of the module.  Raises `BadDeclaration`.
    """
    parameters = _SCALAR.sub(r"\1[()]", _NAME.sub("", text).strip().removeprefix("(").removesuffix(")"))
    try:
        tree = ast.parse(f"def call(*, {parameters}): ..." if parameters.strip() else "def call(): ...").body[0]
        assert isinstance(tree, ast.FunctionDef)
        values = _values(tree.args, {**names, **{name: _Dtype(name) for name in _DTYPES}, "bool": _Bool()})
        bound = inspect.signature(function).bind_partial()
        bound.arguments = {name: values[name] for name in inspect.signature(function).parameters if name in values}
        if unknown := values.keys() - bound.arguments.keys():
            raise BadDeclaration(f"no parameter {', '.join(sorted(unknown))} in {text!r}")
        return Call(bound.args, bound.kwargs, Origin.DECLARED)
    except BadDeclaration:
        raise
    except Exception as error:  # the expressions are user code
        raise BadDeclaration(f"{text!r}: {type(error).__name__}: {error}") from error


class _Bool(_Dtype):
    """``bool[3]`` is a type of arrays, ``bool(x)`` what it always is."""

    def __init__(self) -> None:
        super().__init__("bool")

    def __call__(self, value: Any) -> bool:
        return bool(value)


def _values(arguments: ast.arguments, names: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        expression = one.annotation or default
        if expression is None:
            raise BadDeclaration(f"{one.arg} has neither a type nor a value")
        found[one.arg] = eval(compile(ast.Expression(expression), "<declared>", "eval"), names)
    return found
