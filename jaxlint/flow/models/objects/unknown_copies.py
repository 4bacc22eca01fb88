"""Methods of objects of which little or nothing is known that give a changed copy, whatever the object is."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import Array, External, Opaque, Tree, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.array_members import AT_UPDATES


def copy_of_unknown(it: Interpreter, node: ast.Call, value: Value) -> str:
    """The call of a method that nothing but a jax array, or a named tuple, has in this form, where nothing is known of
    the object: `x.at[i].set(v)`, `x.astype(jnp.int32)`, `state._replace(step=1)`."""
    method = node.func
    if not isinstance(method, ast.Attribute) or not isinstance(value, Opaque):
        return ""
    if method.attr == "_replace" and node.keywords and not node.args:
        owner, how = method.value, "._replace()"
    elif method.attr in AT_UPDATES and isinstance(method.value, ast.Subscript):
        at = method.value.value
        if not isinstance(at, ast.Attribute) or at.attr != "at":
            return ""
        owner, how = at.value, f".at[…].{method.attr}()"
    elif method.attr == "astype" and len(node.args) == 1 and _is_dtype_of_jax(it, node.args[0]):
        owner, how = method.value, ".astype()"
    else:
        return ""
    return how if isinstance(owner, ast.Name) and isinstance(it.lookup(owner.id), Opaque) else ""


def _is_dtype_of_jax(it: Interpreter, written: ast.expr) -> bool:
    if not isinstance(written, (ast.Name, ast.Attribute)):
        return False
    named = it.eval(written)
    return isinstance(named, External) and named.name.startswith("jax.numpy.")


def copy_of_record(it: Interpreter, node: ast.Call, value: Value) -> str:
    """The same of a record, most likely: nothing else takes an array, or what it has itself in a field of that name, by
    the name of a field, `state.replace(x=jnp.sin(y), step=state.step + 1)`, or gradients by theirs."""
    method = node.func
    if it.muted or not isinstance(method, ast.Attribute) or not isinstance(value, (Opaque, Tree)) or node.args:
        return ""
    names = {keyword.arg for keyword in node.keywords}
    if not names or not names.isdisjoint(_OF_OTHERS) or not isinstance(method.value, (ast.Name, ast.Attribute)):
        return ""
    if method.attr == "replace":
        fits = any(_is_of_field(it, method.value, keyword) for keyword in node.keywords)
    else:
        fits = method.attr == "apply_gradients" and "grads" in names
    if not fits or it.ask_program(is_written_by_program, method.attr):
        return ""
    with it.scratch(), it.quiet():
        owner = it.eval(method.value)
    return f".{method.attr}()" if isinstance(owner, (Opaque, Tree)) else ""


_OF_OTHERS = (None, "inplace", "target")
"""Arguments by which a frame of pandas is changed in place, and a file is moved; None is what nobody can see."""


def _is_of_field(it: Interpreter, owner: ast.expr, given: ast.keyword) -> bool:
    """Whether an array is given, or what is computed of the object's own field of that name."""
    written = ast.dump(owner)
    for part in descendants(given.value):
        if isinstance(part, ast.Attribute) and part.attr == given.arg and ast.dump(part.value) == written:
            return True
    with it.scratch(), it.quiet():
        return isinstance(it.eval(given.value), Array)


def is_written_by_program(it: Interpreter, name: str) -> bool:
    """Whether a function or method of that name is written in the program: it may do anything."""
    return any(f"def {name}(" in scope.module.document.text for scope in it.scopes.values())
