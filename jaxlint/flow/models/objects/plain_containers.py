"""Lists, dicts and tuples of Python that an attribute of a module of flax nnx is bound to: flax takes them for part of
the structure, and refuses them there once they hold arrays or modules."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import (
    Array,
    ClassValue,
    Container,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import LEAF_DEPTH
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import mentions
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries

_MODULE = frozenset(("flax.nnx.Module",))
_NNX = "flax.nnx."


def is_structure(it: Interpreter) -> bool:
    """Whether flax may be 0.12 or newer.  Before that it carried plain arrays out as well, whenever they were set."""
    versions = it.program.jax_of(it.frame.scope.module)
    if versions.flax is not None:
        return versions.flax > libraries.PLAIN_UNTIL_FLAX
    return versions.maximum is None or versions.maximum >= libraries.FIRST_JAX_OF_FLAX_0_12


def may_be_data(cls: ClassValue, name: str) -> bool:
    """Whether the class says that flax shall carry the attribute: by an annotation, or by being no pytree."""
    if any(part.node.keywords for part in classes.linearized(cls)):
        return True  # class Net(nnx.Module, pytree=False)
    field = classes.field_node(cls, name)
    written = [] if field is None else [field[1].annotation, *([field[1].value] if field[1].value else [])]
    return any(mentions(part, word) for part in written for word in ("Data", "data"))


def check_set(it: Interpreter, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """self.layers = [nnx.Linear(…)]: of an attribute that there was before, flax may have been told."""
    if name not in it.state.read(owner) and _is_told(it, owner, name, value):
        it.emit(events.PlainContainer(node, f"self.{name}", _kind(value)))


def check_made(it: Interpreter, made: Instance) -> None:
    """What the constructor has put into an empty list is found when it is done."""
    for name, value in it.state.read(made).items():
        if isinstance(name, str) and _is_told(it, made, name, value):
            for cls in classes.linearized(made.cls):
                init = it.state.read(cls.frame).get("__init__")
                node = _binds(init, name) if isinstance(init, Function) else None
                if node is not None:
                    it.emit(events.PlainContainer(node, f"self.{name}", _kind(value)), cls.scope)
                    break


def _is_told(it: Interpreter, owner: Instance, name: str, value: Value) -> bool:
    return (
        isinstance(value, (Container, Tuple))
        and _kind(value) in ("list", "dict", "tuple")
        and classes.external_bases(owner.cls) == _MODULE
        and not may_be_data(owner.cls, name)
        and is_structure(it)
        and _holds_data(it, value)
    )


def _kind(value: Value) -> str:
    return value.kind if isinstance(value, Container) else "tuple"


def _binds(init: Function, name: str) -> ast.AST | None:
    """The statement of a constructor that binds an attribute of the object to something, if there is one."""
    spec = init.node.args
    first = next(iter((*spec.posonlyargs, *spec.args)), None)
    found = [
        part
        for part in descendants(init.node)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Attribute) and target.attr == name
        if first is not None and isinstance(target.value, ast.Name) and target.value.id == first.arg
    ]
    return found[0] if len(found) == 1 else None


def _holds_data(it: Interpreter, value: Value, depth: int = 0) -> bool:
    """Whether it certainly is, or holds, an array or an object of flax that has some."""
    if depth > LEAF_DEPTH.value:
        return False
    if isinstance(value, Union):
        return all(_holds_data(it, option, depth + 1) for option in value.options)
    if isinstance(value, Tuple):
        return any(_holds_data(it, item, depth + 1) for item in value.items)
    if isinstance(value, Container):
        return any(_holds_data(it, item, depth + 1) for item in it.state.read(value).values())
    if isinstance(value, ExternalInstance):
        return value.made_by.startswith(_NNX) and value.made_by.removeprefix(_NNX)[:1].isupper()
    if isinstance(value, Instance):
        is_plain = not any(part.node.keywords for part in classes.linearized(value.cls))
        return is_plain and not value.symbolic and classes.external_bases(value.cls) == _MODULE
    return (isinstance(value, Array) and not value.declared) or (isinstance(value, HostArray) and value.no_scalar)
