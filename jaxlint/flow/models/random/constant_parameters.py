"""Whether `init` of a flax module leaves its key alone, told from the text of its class: what makes each parameter does
not look at the key that it is given, and no other module is in sight."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import ClassValue, External, Function
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants

_ALONE = frozenset(("flax.linen.Module",))
_OF_ARRAYS = ("jax.numpy.", "jax.lax.", "numpy.", "math.", "builtins.")
_CONSTANT = frozenset(
    f"{module}.initializers.{name}" for module in ("flax.linen", "jax.nn") for name in ("zeros", "ones")
)


def makes_constants(it: Interpreter, cls: ClassValue) -> bool:
    """Whether all parameters of a module are the same for every key."""
    if classes.external_bases(cls) != _ALONE:
        return False
    for part in classes.linearized(cls):
        it.note_class(part)
        calls = [node for node in descendants(part.node) if isinstance(node, ast.Call)]
        if not all(_leaves_key_alone(it, cls, call) for call in calls):
            return False
    return True


def _leaves_key_alone(it: Interpreter, cls: ClassValue, call: ast.Call) -> bool:
    """Whether a call makes a parameter of that kind, runs a method of the class, or computes with arrays."""
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self":
        if function.attr != "param":
            return isinstance(classes.find_member(it, cls, function.attr), Function)
        named = [keyword.value for keyword in call.keywords if keyword.arg == "init_fn"]
        made_by = [*call.args[1:2], *named]
        return len(made_by) == 1 and _ignores_key(it, cls, made_by[0])
    name = _name_of(it, cls, function)
    return name.startswith(_OF_ARRAYS)


def _ignores_key(it: Interpreter, cls: ClassValue, made_by: ast.expr) -> bool:
    if not isinstance(made_by, ast.Lambda):
        return _name_of(it, cls, made_by) in _CONSTANT
    first = [*made_by.args.posonlyargs, *made_by.args.args][:1]
    return bool(first) and not any(isinstance(n, ast.Name) and n.id == first[0].arg for n in descendants(made_by.body))


def _name_of(it: Interpreter, cls: ClassValue, node: ast.expr) -> str:
    found = it.eval_annotation(node, cls) if isinstance(node, (ast.Name, ast.Attribute)) else None
    return found.name if isinstance(found, External) else ""
