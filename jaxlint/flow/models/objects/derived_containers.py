"""Objects of the project's classes that derive from lists, dicts or sets: each has what such a container holds."""

from __future__ import annotations

import builtins
import collections

from jaxlint.flow.domain.values import ANY, ClassValue, Container, Instance, Opaque, Value
from jaxlint.flow.models.objects.classes import external_bases
from jaxlint.flow.port import Interpreter

_KINDS = {
    "builtins.list": "list",
    "builtins.dict": "dict",
    "builtins.set": "set",
    "collections.deque": "list",
    "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict",
    "collections.Counter": "dict",
}
_CONTENTS = "what it holds as a container"
"""No attribute can have this name."""


def contents_of(it: Interpreter, owner: Value) -> Container | None:
    """The container that an object of a derived class is; nobody knows at first what is in it."""
    base = _base_of(owner.cls) if isinstance(owner, Instance) else None
    if base is None or not isinstance(owner, Instance):
        return None
    held = it.state.read(owner).get(_CONTENTS)
    if isinstance(held, Container):
        return held
    made = Container(_KINDS[base], owner.birth, owner.cls.node.name)
    made.older_if = owner.older_if
    it.state.write(made)[ANY] = Opaque("an element")
    it.state.write(owner)[_CONTENTS] = made
    return made


def has_method(cls: ClassValue, name: str) -> bool:
    """Whether objects have a method that they inherit from the container they derive from."""
    base = _base_of(cls)
    if base is None:
        return False
    module, _, short = base.partition(".")
    return hasattr(getattr({"builtins": builtins, "collections": collections}[module], short), name)


def _base_of(cls: ClassValue) -> str | None:
    return next((base for base in sorted(external_bases(cls)) if base in _KINDS), None)
