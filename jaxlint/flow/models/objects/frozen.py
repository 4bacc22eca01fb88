"""Objects that refuse to have attributes set: frozen records, named tuples, and modules but while they are made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.flow.domain.values import (
    ClassValue,
    Const,
    External,
    ExternalInstance,
    Function,
    Instance,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.models.objects import classes, making
from jaxlint.flow.models.objects.library_records import names_in
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries

_DECORATORS = {"dataclasses.dataclass": False, **libraries.FROZEN_DECORATORS}
"""What makes records of classes, and whether they are frozen where nothing says."""
_HARMLESS = classes.REGISTERING | frozenset(
    "functools.total_ordering typing.final typing_extensions.final typing.runtime_checkable "
    "jaxtyping.jaxtyped beartype.beartype".split()
)
"""Decorators that give the class back, with its `__setattr__`."""
_NAMED_TUPLES = frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple"))
_HOOKS = ("__setattr__", "__delattr__", "__getattribute__")


class Refusal(NamedTuple):
    """Why: ``kind`` is what the object is ("dataclass", "record" with a method `replace`, "named tuple", "equinox",
    "linen"), or what the attribute is ("no field" of an equinox module, "field" of a flax module in its `setup`).
    ``made``: its own constructor runs."""

    kind: str
    cls: str
    made: bool = False


def refusal(it: Interpreter, owner: Value, name: str, deleted: bool = False) -> Refusal | None:
    """Why an object certainly refuses that an attribute is set, or ``deleted``; None if it may be that it does not."""
    if isinstance(owner, Union):
        options = [option for option in owner.options if not (isinstance(option, Const) and option.value is None)]
        found = [refusal(it, option, name, deleted) for option in options]
        return found[0] if found and all(found) else None
    if isinstance(owner, Tuple):
        return _of_tuple(it, owner, name)
    if isinstance(owner, ExternalInstance):
        kind = libraries.FROZEN_BASES.get(owner.made_by, "")
        is_refused = kind == "record" or (kind == "equinox" and not deleted and not _is_special(name))
        return Refusal(kind, owner.made_by.rpartition(".")[2]) if is_refused else None
    return _of_object(it, owner, name, deleted) if isinstance(owner, Instance) else None


def refusal_of_declared(it: Interpreter, named: Value, name: str, deleted: bool = False) -> Refusal | None:
    """The same of what is only declared to be an object of a class."""
    if isinstance(named, External) and named.name in libraries.FROZEN_BASES:
        return refusal(it, ExternalInstance(named.name), name, deleted)
    return refusal(it, Instance(named, None, symbolic=True), name, deleted) if isinstance(named, ClassValue) else None


def _of_tuple(it: Interpreter, owner: Tuple, name: str) -> Refusal | None:
    if owner.cls is not None:
        return _of_named_tuple(it, owner.cls, name)
    return Refusal("named tuple", "a named tuple") if name in owner.fields else None


def _of_object(it: Interpreter, owner: Instance, name: str, deleted: bool) -> Refusal | None:
    cls = owner.cls
    if not any(map(_has_kind, classes.linearized(cls))):
        return None
    family = (cls, *_derived(it, cls)) if owner.symbolic else (cls,)
    if any(classes.find_member(it, one, hook) is not None for one in family for hook in _HOOKS):
        return None
    if any(not is_known(it, part) for part in classes.linearized(cls)):
        return None
    if any(_named_tuple_base(part) for part in classes.linearized(cls)):
        return _of_named_tuple(it, cls, name)
    kinds = {libraries.FROZEN_BASES.get(base, "") for base in classes.foreign_bases(cls)}
    if kinds == {"equinox"} and not deleted and not _is_special(name):
        return _of_equinox(it, owner, name, family)
    if kinds == {"linen"} and not deleted and not _is_special(name):
        return _of_linen(it, owner, name, family)
    return _of_record(it, owner, name, family) if kinds <= {"record"} else None


def _has_kind(cls: ClassValue) -> bool:
    """Whether a class is one of those that may be frozen: most are not, and nothing more is looked up of them."""
    bases = {base.name for base in cls.bases if isinstance(base, External)}
    made = classes.decorator_names(cls) if cls.decorators else set()
    return _named_tuple_base(cls) or not (bases | made).isdisjoint(_DECORATORS.keys() | libraries.FROZEN_BASES.keys())


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _derived(it: Interpreter, cls: ClassValue) -> Iterator[ClassValue]:
    return (other for other in it.all_classes(cls) if other is not cls and cls in classes.linearized(other))


def is_known(it: Interpreter, cls: ClassValue) -> bool:
    """Whether nothing unknown has a say in what the objects of a class are: a base, a metaclass, a decorator."""
    if cls.scope.name in it.scopes:  # a record of a library's own stands in no module of the program
        it.note_class(cls)
    outside = [base for base in cls.bases if not isinstance(base, ClassValue)]
    for base in outside:
        is_known = isinstance(base, External) and (
            base.name in classes.WITHOUT_MEMBERS or base.name in libraries.FROZEN_BASES or base.name in _NAMED_TUPLES
        )
        if not is_known and not (isinstance(base, ExternalInstance) and base.made_by == "collections.namedtuple"):
            return False
    if any(keyword.arg in (None, "metaclass") for keyword in cls.node.keywords):
        return False
    known = classes.decorator_names(cls)
    return len(known) == len(cls.node.decorator_list) and known <= _DECORATORS.keys() | _HARMLESS


# -- records ------------------------------------------------------------------------------------------


def _of_record(it: Interpreter, owner: Instance, name: str, family: tuple[ClassValue, ...]) -> Refusal | None:
    """The fields of a frozen record, also in what derives from it; anything in an object of that very class."""
    line = classes.linearized(owner.cls)
    frozen = [part for part in line if _freezes(it, part)]
    if not frozen:
        return None
    is_field = any(name in _annotated(part) for part in line[line.index(frozen[0]) :])
    if not is_field and not all(_freezes(it, one) for one in family):
        return None
    kind = "record" if _has_replace(owner.cls) else "dataclass"
    return Refusal(kind, owner.cls.name, made=making.runs_constructor(it, owner))


def _freezes(it: Interpreter, cls: ClassValue) -> bool:
    """Whether what decorates a class, or what it derives from, makes a frozen record of that very class."""
    told = {keyword.arg: keyword.value for keyword in cls.node.keywords}
    if any(libraries.FROZEN_BASES.get(base) == "record" for base in classes.external_bases(cls)):
        written = told.get("frozen")
        return written is None or (isinstance(written, ast.Constant) and written.value is True)
    for node in cls.node.decorator_list:
        called = node.func if isinstance(node, ast.Call) else node
        options = node.keywords if isinstance(node, ast.Call) else []
        applied = it.eval_annotation(called, cls)
        if isinstance(applied, External) and applied.name == "functools.partial" and isinstance(node, ast.Call):
            applied = it.eval_annotation(node.args[0], cls) if node.args else applied
        if isinstance(applied, External) and applied.name in _DECORATORS:
            written = next((one.value for one in options if one.arg in ("frozen", None)), None)
            if written is None:
                return _DECORATORS[applied.name]
            return isinstance(written, ast.Constant) and written.value is True
    return False


def _has_replace(cls: ClassValue) -> bool:
    """Whether objects have the method `replace`, by which a record of flax or chex is copied."""
    made = {name for part in classes.linearized(cls) for name in classes.decorator_names(part)}
    return bool(made & libraries.FROZEN_DECORATORS.keys() or classes.foreign_bases(cls))


def _annotated(cls: ClassValue) -> set[str]:
    """What a class body declares, fields among them."""
    return {
        statement.target.id
        for statement in cls.node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


# -- named tuples -------------------------------------------------------------------------------------


def _named_tuple_base(cls: ClassValue) -> bool:
    return any(
        (isinstance(base, External) and base.name in _NAMED_TUPLES)
        or (isinstance(base, ExternalInstance) and base.made_by == "collections.namedtuple")
        for base in cls.bases
    )


def _of_named_tuple(it: Interpreter, cls: ClassValue, name: str) -> Refusal | None:
    """The fields of a named tuple.  The class itself has no place for anything else, one that derives from it has."""
    if not all(is_known(it, part) for part in classes.linearized(cls)):
        return None
    member = classes.find_member(it, cls, name)
    if isinstance(member, Function) and member.kind == "property":
        return None
    fields = {field for part in classes.linearized(cls) if _named_tuple_base(part) for field in _fields_of(it, part)}
    is_plain = len(cls.bases) == 1 and isinstance(cls.bases[0], External) and not any(_derived(it, cls))
    return Refusal("named tuple", cls.name) if name in fields or is_plain else None


def _fields_of(it: Interpreter, cls: ClassValue) -> set[str]:
    made = [base for base in cls.bases if isinstance(base, ExternalInstance)]
    return {name for base in made for name in names_in(it, base)} if made else _annotated(cls)


# -- modules ------------------------------------------------------------------------------------------


def _of_equinox(it: Interpreter, owner: Instance, name: str, family: tuple[ClassValue, ...]) -> Refusal | None:
    """A module takes its fields, and nothing else, while its constructor runs."""
    if not making.may_be_making(it, owner, family, making.CONSTRUCTORS):
        return Refusal("equinox", owner.cls.name)
    if classes.foreign_bases(owner.cls) != {"equinox.Module"}:
        return None
    declared = {field for one in family for part in classes.linearized(one) for field in _annotated(part)}
    return None if name in declared else Refusal("no field", owner.cls.name)


def _of_linen(it: Interpreter, owner: Instance, name: str, family: tuple[ClassValue, ...]) -> Refusal | None:
    """A module that is bound takes attributes in `setup`, but for its fields; one that is not takes them always, and
    runs no method that wants a scope."""
    running = it.activation.function
    if running is None or not making.is_receiver(it, owner):
        return None
    if running.name == "setup":
        return Refusal("field", owner.cls.name) if _is_given(owner.cls, name) else None
    if making.may_be_making(it, owner, family, ("setup", *making.CONSTRUCTORS)):
        return None
    has_setup = classes.find_member(it, owner.cls, "setup") is not None
    is_bound = making.is_compact(it, running) or (running.name == "__call__" and has_setup)
    return Refusal("linen", owner.cls.name) if is_bound else None


def _is_given(cls: ClassValue, name: str) -> bool:
    """Whether an attribute is a field of a flax module that its constructor takes."""
    found = classes.field_node(cls, name)
    if found is None or name not in (classes.fields_in_order(cls) or ()):
        return False
    default = found[1].value
    return not isinstance(default, ast.Call)
