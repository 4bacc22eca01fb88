"""Dtypes that arrays are asked for, and those of 64 bits that they do not get."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.sought import MENTIONING, Sought
from jaxlint.flow.domain.values import Const, External, Opaque, Static, Value, Wide
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.dtypes import DTYPE_POSITIONS, WIDE, wide_text

_KEYWORDS = ("dtype", "new_dtype", "param_dtype", "preferred_element_type")


def is_asked_for(it: Interpreter) -> bool:
    """Whether a condition of the function that runs asks for a dtype: nobody knows which arrays it leaves where."""
    function = it.activation.function
    body = it.frame.scope.tree if function is None else function.node
    tests = (part.test for part in descendants(body) if isinstance(part, _ASKING)) if body is not None else ()
    return any(
        isinstance(part, ast.Attribute) and part.attr == "dtype"
        for test in tests
        for part in (test, *descendants(test))
    )


_ASKING = (ast.If, ast.IfExp, ast.Assert, ast.While)


def wide(value: Value | None) -> str | None:
    """The dtype of 64 bits that ``value`` is for certain."""
    if isinstance(value, External):
        return WIDE.get(value.name)
    if isinstance(value, Const) and isinstance(value.value, str):
        return wide_text(value.value)
    return None


def made_dtype(args: Arguments) -> Value:
    """np.dtype(…)"""
    dtype = wide(args.positional[0]) if args.positional else None
    return Static("dtype") if dtype is None else External(f"numpy.{dtype}")


def check_function(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """A function of jax is called with a dtype of 64 bits, or is one."""
    dtype = WIDE.get(name)
    for keyword in _KEYWORDS:
        dtype = dtype or wide(args.get(DTYPE_POSITIONS.get(name), keyword))
    if dtype is None:
        return
    _tell(it, events.NarrowedDtype(node, dtype, name))


def check_method(it: Interpreter, name: str, args: Arguments, node: ast.AST, declared: bool) -> None:
    """A method of an array is called with one."""
    position = 0 if name in ("astype", "view") else None
    dtype = wide(args.get(position, "dtype"))
    if dtype is not None:
        _tell(it, events.NarrowedDtype(node, dtype, f"x.{name}", declared=declared))


def conversion(it: Interpreter, args: Arguments, node: ast.AST) -> Wide | None:
    """x.astype(dtype), where nobody knows whose array x is: beside an array of jax the result has 32 bits in any case.
    Who writes `jnp.float64` thinks of an array of jax."""
    asked = args.get(0, "dtype")
    dtype = wide(asked)
    if dtype is None:
        return None
    if isinstance(asked, External) and asked.name.startswith("jax."):
        _tell(it, events.NarrowedDtype(node, dtype, "x.astype", declared=True))
        return None
    return it.frame.scope, node, dtype


def check_operand(it: Interpreter, value: Value) -> None:
    """Something unknown, converted to a dtype of 64 bits, meets an array of jax."""
    if isinstance(value, Opaque) and value.wide is not None:
        scope, node, dtype = value.wide
        _tell(it, events.NarrowedDtype(node, dtype, "x.astype", declared=True), scope)


def _tell(it: Interpreter, event: events.NarrowedDtype, scope: ModuleText | None = None) -> None:
    """Where a condition has asked for such a dtype, the code knows whether there is any."""
    known = it.state.conditions(Sought(MENTIONING, tuple(WIDE.values())))
    if not any(guard.holds for guard in known):
        it.emit(event, scope)
