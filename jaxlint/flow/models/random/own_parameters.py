"""Whether a function makes parameters of a flax module, told from its text: one that calls nothing but functions of JAX
and methods of arrays, and mentions no module, makes none.  Where anything else is called nobody can say."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import ClassValue, External, Function, Instance, ModuleValue, Value
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.models.random.ambient_draws import bound_in, chains, root_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.array_members import ARRAY_METHODS, STATIC_ATTRIBUTES


def makes_none(it: Interpreter, function: Value) -> bool:
    """Whether neither the function nor one of the project that it calls makes a parameter."""
    pending, seen = [function], set[ast.AST]()
    while pending:
        one = pending.pop()
        if not isinstance(one, Function) or one.receiver is not None:
            return False
        if one.node not in seen:
            seen.add(one.node)
            it.note_function(one)
            called = {part.func for part in descendants(one.node) if isinstance(part, ast.Call)}
            for chain in chains(one.node):
                used = _used(it, one, chain, chain in called)
                if used is None:
                    return False
                called.discard(chain)
                pending += [used] if isinstance(used, Function) else []
            if not all(map(_is_of_computed, called)):
                return False
    return True


def _is_of_computed(called: ast.expr) -> bool:
    """Whether it is a method of an array that is asked of what was just computed: `jnp.tanh(x).sum()`."""
    return isinstance(called, ast.Attribute) and called.attr in ARRAY_METHODS


def _used(it: Interpreter, function: Function, chain: ast.Name | ast.Attribute, is_called: bool) -> Value | None:
    """What a function mentions, if it is a number, an array or a method of one, a function of the project or of JAX;
    None where it may be a module."""
    root, attribute = root_of(chain), chain.attr if isinstance(chain, ast.Attribute) else ""
    assert isinstance(root, ast.Name)
    is_of_array = attribute in ARRAY_METHODS or (attribute in STATIC_ATTRIBUTES and not is_called)
    if root.id in bound_in(function.node):
        first = next((parameter.arg for parameter in parameters(function.node)), "")  # flax hands a module over there
        is_alone = isinstance(chain, ast.Name) and not is_called
        return _NUMBERS if is_alone or (is_of_array and (root.id != first or attribute in STATIC_ATTRIBUTES)) else None
    value = resolve(it, it.eval_annotation(root, function))
    if isinstance(value, (External, ModuleValue)):
        value = resolve(it, it.eval_annotation(chain, function))
        if isinstance(value, External):
            return value if value.name.startswith("jax.") or not is_called else None
    if isinstance(value, (ClassValue, Instance)):
        return None
    return value if isinstance(value, Function) or is_of_array or not is_called else None


_NUMBERS = External("jax.Array")
"""What stands for arrays and what they have."""
