"""Records of a library that a project makes as they are, such as flax's `TrainState`.

One is an object of a class of the project that adds nothing to the library's: what such a class's objects are known to
do, these do too.
"""

from __future__ import annotations

import ast
import functools

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import (
    ClassValue,
    Const,
    External,
    ExternalInstance,
    Frame,
    Instance,
    ModuleScope,
    Opaque,
    Tuple,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.objects.iteration import is_callable, known_items
from jaxlint.flow.port import Interpreter
from jaxlint.project.documents import Document
from jaxlint.project.program import Module
from jaxlint.semantics.libraries import NAMED_TUPLES, RECORD_MAKERS


def make_record(it: Interpreter, maker: str, args: Arguments) -> Instance:
    """What the class method ``maker`` of a library gives: what it is given by name, and something new in the fields
    that it fills itself (`RECORD_MAKERS`)."""
    cls = _class_of(maker.rpartition(".")[0])
    it.base.setdefault(cls.frame, {})  # its body binds nothing
    made = Instance(cls, it.ctx)
    it.state.write(made).update({**args.named, **{name: Opaque(name) for name in RECORD_MAKERS[maker]}})
    return made


def make_named_tuple(it: Interpreter, name: str, args: Arguments) -> Tuple:
    """What a named tuple of a library is made of, field by field.  Whoever has it may call the functions in it."""
    for value in filter(is_callable, args.values()):
        it.note_escape(value)
    fields = NAMED_TUPLES[name]
    given = [args.get(position, field) for position, field in enumerate(fields)]
    items = (Opaque(field) if value is None else value for field, value in zip(fields, given))
    return Tuple(tuple(items), fields)


@functools.cache
def _class_of(name: str) -> ClassValue:
    """The class that adds nothing to the one of that name; it stands in a module that no file is."""
    module, _, short = name.rpartition(".")
    document = Document(f"<{module}>", f"class {short}({short}):\n    pass\n")
    scope = ModuleScope(Module(module, document.path, False, document))
    assert scope.tree is not None
    node = scope.tree.body[0]
    assert isinstance(node, ast.ClassDef)
    return ClassValue(node, scope, Frame(scope, scope.frame), (External(name),), None)


def names_in(it: Interpreter, made: ExternalInstance) -> list[str]:
    """The fields of a class that `collections.namedtuple` has made; empty if they are not known."""
    spec = made.args[1] if len(made.args) > 1 else None
    if isinstance(spec, Const) and isinstance(spec.value, str):
        return spec.value.replace(",", " ").split()
    items = (known_items(it, spec, KNOWN_ITEMS.value) or []) if spec is not None else []
    return [item.value for item in items if isinstance(item, Const)]
