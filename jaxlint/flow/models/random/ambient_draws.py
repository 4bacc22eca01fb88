"""Whether a function may ask for a key that nobody hands to it, as haiku's `next_rng_key`, told from its text.

What it refers to is looked up, and the functions and classes of the project among that are read in turn.  What it
calls was made there, is handed to it or is a variable around it: one of which nothing is known may ask for a key.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import (
    ClassValue,
    Container,
    External,
    Function,
    Instance,
    ModuleValue,
    Opaque,
    Partial,
    Transformed,
    Union,
    Value,
)
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import children, descendants
from jaxlint.semantics import libraries


def may_draw(it: Interpreter, function: Function) -> bool:
    """Whether the function, or one that it may call, asks for a key."""
    pending: list[Value] = [function]
    seen = set[ast.AST]()
    while pending:
        value = _inside(pending.pop())
        if isinstance(value, External):
            if value.name in libraries.FRESH_KEYS:
                return True
        elif isinstance(value, (Opaque, Container, Union)):
            return True
        elif isinstance(value, (Function, ClassValue)) and value.node not in seen:
            seen.add(value.node)
            pending += _referred_to(it, value)
    return False


def _inside(value: Value) -> Value:
    """The function that is wrapped, or the class of an object: what may run when it is used."""
    while isinstance(value, (Transformed, Partial)):
        value = value.function
    return value.cls if isinstance(value, Instance) else value


def _referred_to(it: Interpreter, one: Function | ClassValue) -> Iterator[Value]:
    """What comes from outside of a function or class and is used in it; of what is unknown only what is called."""
    if isinstance(one, Function):
        it.note_function(one)
    else:
        it.note_class(one)
        yield from (base for base in classes.linearized(one) if base is not one)
    bound = bound_in(one.node)
    called = {root_of(part.func) for part in descendants(one.node) if isinstance(part, ast.Call)}
    for chain in chains(one.node):
        root = root_of(chain)
        if isinstance(root, ast.Name) and root.id not in bound:
            value = resolve(it, it.eval_annotation(root, one))
            if isinstance(value, (External, ModuleValue)):
                value = resolve(it, it.eval_annotation(chain, one))
            if root in called or not isinstance(value, (Opaque, Container, Union)):
                yield value


def bound_in(node: ast.AST) -> set[str]:
    """What a function, or one inside it, gives a name to."""
    found = set[str]()
    for part in descendants(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(part.name)
        elif isinstance(part, ast.arg):
            found.add(part.arg)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.add(part.id)
    return found


def chains(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """The names in it, each with the attributes that are read of it at once."""
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(root_of(node), ast.Name):
        yield node
    else:
        for part in children(node):
            yield from chains(part)


def root_of(node: ast.AST) -> ast.AST:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node
