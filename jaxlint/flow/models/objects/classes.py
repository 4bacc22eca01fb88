"""Classes of the project: what derives from what, which members and fields they have, and what their bases mean."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import (
    REGISTERED,
    Array,
    ClassValue,
    Const,
    External,
    ExternalInstance,
    Function,
    Instance,
    Partial,
    Static,
    Tuple,
    Value,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.flattened import flattened
from jaxlint.flow.source.text import dotted, mentions
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries


def linearized(cls: ClassValue) -> tuple[ClassValue, ...]:
    """The class and its project bases, nearest first."""
    if cls.line is None:
        found = {cls: None}
        for base in cls.bases:
            if isinstance(base, ClassValue):
                found.update(dict.fromkeys(linearized(base)))
        cls.line = tuple(found)
    return cls.line


def external_bases(cls: ClassValue) -> frozenset[str]:
    """Qualified names of the outside classes that ``cls`` derives from."""
    if cls.outside is None:
        parts = (base for part in linearized(cls) for base in part.bases)
        cls.outside = frozenset(base.name for base in parts if isinstance(base, External))
    return cls.outside


def foreign_bases(cls: ClassValue) -> frozenset[str]:
    """Those of the outside classes that may change what its objects are."""
    return external_bases(cls) - WITHOUT_MEMBERS


def gives_all_to_init(it: Interpreter, cls: ClassValue) -> bool:
    """Whether making an object hands just what was written to `__init__`: no decorator, metaclass, `__new__` or class
    of which nothing is known stands between."""
    known = OF_IDENTITY | libraries.MODULE_BASES | libraries.PYTREE_BASES
    return (
        external_bases(cls) <= known
        and find_member(it, cls, "__new__") is None
        and not any(part.decorators or part.node.keywords for part in linearized(cls))
        and all(isinstance(base, (ClassValue, External)) for part in linearized(cls) for base in part.bases)
    )


WITHOUT_MEMBERS = frozenset(("builtins.object", "object", "abc.ABC", "abc.ABCMeta")) | {
    f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("Generic", "Protocol")
}
"""Outside classes that give no attribute or method to the objects of what derives from them."""

OF_IDENTITY = WITHOUT_MEMBERS | {"gym.Env", "gymnasium.Env", "haiku.Module", "torch.nn.Module"}
"""Outside classes whose objects are the same only as themselves, and no pytrees; nor do they register what derives from
them."""


def is_protocol(cls: ClassValue) -> bool:
    """Whether a class only says what objects of other classes have: there are none of it, and of those nothing else is
    known."""
    return any(isinstance(base, External) and base.name in _PROTOCOLS for base in cls.bases)


_PROTOCOLS = frozenset(("typing.Protocol", "typing_extensions.Protocol"))


def is_test(function: Function | None) -> bool:
    """Whether a function outside the files of tests is one all the same: a method of a test case, or a function named
    as test runners want it that asserts something.  (`test_step` of a training script evaluates.)
    """
    if function is None or not function.name.startswith("test"):
        return False
    if function.owner is not None:
        return any(base.endswith("TestCase") for base in external_bases(function.owner))
    return function.name.startswith("test_") and any(map(_asserts, descendants(function.node)))


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func).rpartition(".")[2].startswith("assert")
    return isinstance(node, ast.Assert)


def decorator_names(cls: ClassValue) -> set[str]:
    names = set()
    for decorator in cls.decorators:
        if isinstance(decorator, External):
            names.add(decorator.name)
        elif isinstance(decorator, ExternalInstance):
            names.add(decorator.made_by)
        elif isinstance(decorator, Partial) and isinstance(decorator.function, External):
            names.add(decorator.function.name)
    return names


def made_by(cls: ClassValue) -> set[str]:
    """The functions of libraries that a class is handed to where it is made, by itself or by decorators of the
    project."""
    return decorator_names(cls) | cls.applied


def is_pytree(it: Interpreter, cls: ClassValue) -> bool:
    if external_bases(cls) & libraries.PYTREE_BASES:
        return True
    return (
        any(made_by(part) & _PYTREE_DECORATORS for part in linearized(cls)) or registered_by_call(it, cls) is not None
    )


def registered_by_call(it: Interpreter, cls: ClassValue) -> Value | None:
    """What a call in the module that makes a class has registered it with: the function that takes its objects apart,
    or the names of the fields that are part of the structure."""
    return it.state.read(cls.frame).get(REGISTERED)


def flattens_by_hand(cls: ClassValue) -> bool:
    """Whether the class itself says what its leaves are: by a `tree_flatten`, wherever it gets that from."""
    return any(made_by(part) & BY_HAND for part in linearized(cls))


BY_HAND = frozenset(
    ("jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class"),
)
REGISTERING = BY_HAND | {"jax.tree_util.register_dataclass", "jax.tree_util.register_static"}
"""Functions that make a class one of pytrees, and give it back."""
_PYTREE_DECORATORS = libraries.PYTREE_DECORATORS | REGISTERING


def is_static(cls: ClassValue) -> bool:
    """Whether objects of the class are registered as pytrees without any leaf: each is part of the structure."""
    return "jax.tree_util.register_static" in made_by(cls)


def is_record(cls: ClassValue) -> bool:
    """A dataclass or NamedTuple: building one stores its arguments and nothing else."""
    if fields_in_order(cls) is not None:
        return True
    return any("dataclass" in name for part in linearized(cls) for name in made_by(part))


def is_named_tuple(cls: ClassValue) -> bool:
    return any(name in ("typing.NamedTuple", "typing_extensions.NamedTuple") for name in external_bases(cls))


def is_mutable_module(cls: ClassValue) -> bool:
    """A module whose attributes its own transforms carry out of a trace (flax nnx)."""
    return bool(external_bases(cls) & libraries.MUTABLE_MODULES)


def is_module(cls: ClassValue) -> bool:
    return bool(external_bases(cls) & libraries.MODULE_BASES)


def fields_in_order(cls: ClassValue) -> tuple[str, ...] | None:
    """The annotated fields of a record class, base classes first; None if it writes its own __init__."""
    if cls.fields is None or cls.fields[0] is not cls.decorators:
        cls.fields = cls.decorators, _fields(cls) if _is_of_fields(cls) else None
    return cls.fields[1]


def _is_of_fields(cls: ClassValue) -> bool:
    if is_named_tuple(cls) or external_bases(cls) & _RECORD_BASES:
        return True
    named = any("dataclass" in name for part in linearized(cls) for name in made_by(part))
    return named or (not foreign_bases(cls) and any(map(_is_decorated_here, linearized(cls))))


def _is_decorated_here(cls: ClassValue) -> bool:
    """Whether a function of the project decorates a class that writes no `__init__`: objects that are given something
    have one of the decorator's, as those of dataclasses have one by their fields."""
    applied = (decorator.function if isinstance(decorator, Partial) else decorator for decorator in cls.decorators)
    return any(isinstance(one, Function) for one in applied) and bool(_annotated(cls.node))


def _annotated(node: ast.ClassDef) -> list[ast.AnnAssign]:
    return [part for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]


def _fields(cls: ClassValue) -> tuple[str, ...] | None:
    if _has_own_constructor(cls):
        return None
    names: list[str] = []
    for part in reversed(linearized(cls)):
        for statement in part.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                if not mentions(statement.annotation, "ClassVar") and statement.target.id not in names:
                    names.append(statement.target.id)
    return tuple(names)


def _has_own_constructor(cls: ClassValue) -> bool:
    """Whether a written `__init__` makes the objects: one that a decorator makes stands before that of a base."""
    for part in linearized(cls):
        if any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in part.node.body):
            return True
        is_decorated = any("dataclass" in name for name in made_by(part))
        if is_decorated and not any(map(_leaves_out_constructor, part.node.decorator_list)):
            return False
    return False


def _leaves_out_constructor(decorator: ast.expr) -> bool:
    """@dataclass(init=False)"""
    options = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(one.arg == "init" and isinstance(one.value, ast.Constant) and not one.value.value for one in options)


_RECORD_BASES = libraries.PYTREE_BASES | frozenset(
    ("flax.linen.Module", "equinox.Module", "flax.struct.PyTreeNode", "flax.training.train_state.TrainState")
)


DATACLASS_BASES = frozenset(("flax.linen.Module", "equinox.Module", "flax.struct.PyTreeNode"))


def field_node(cls: ClassValue, name: str) -> tuple[ClassValue, ast.AnnAssign] | None:
    for part in linearized(cls):
        for statement in part.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                if statement.target.id == name:
                    return part, statement
    return None


def find_member(it: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """The class attribute ``name``, looked up through the project's bases."""
    for part in linearized(cls):
        value = it.state.read(part.frame).get(name)
        if value is not None:
            return value
    return None


def is_of_class(it: Interpreter, value: Value, cls: ClassValue) -> bool | None:
    """Whether a value is an object of a class of the project; None if it may be, or who is of it is found out in other
    ways than by deriving from it."""
    if (isinstance(value, Array) and not value.declared) or (isinstance(value, Const) and value.value is None):
        return None if _has_own_check(cls) else False
    if isinstance(value, Tuple) and value.cls is not None:
        return cls in linearized(value.cls) or (None if _has_own_check(cls) else False)
    if not isinstance(value, Instance):
        return None
    if cls in linearized(value.cls):
        return True
    if _has_own_check(cls) or any(part.node is cls.node for part in linearized(value.cls)):
        return None
    versions = (
        (other for other in it.all_classes(value.cls) if value.cls in linearized(other)) if value.symbolic else ()
    )
    return None if any(cls in linearized(other) for other in versions) else False


def _has_own_check(cls: ClassValue) -> bool:
    """Whether values may be of the class that are not made by it, or by one derived from it."""
    if any(part.node.keywords for part in linearized(cls)):
        return True
    return is_enum(cls) or not external_bases(cls).isdisjoint(_WITH_OWN_CHECKS)


_WITH_OWN_CHECKS = frozenset(("abc.ABC", "typing.Protocol", "typing_extensions.Protocol"))


def is_enum(cls: ClassValue) -> bool:
    """Whether a class is an enumeration: what its body binds to a name is no attribute, but makes the member."""
    return any(base.startswith("enum.") for base in external_bases(cls))


def member_of_enum(cls: ClassValue) -> Static:
    """What the several values that an enumeration writes behind a name are handed to make, `WALL = 2, "#"`; or one of
    its members that is not told."""
    return Static("int" if not external_bases(cls).isdisjoint(_WHOLE_ENUMS) else "")


_WHOLE_ENUMS = frozenset(("enum.IntEnum", "enum.IntFlag"))


def member_by_value(it: Interpreter, cls: ClassValue, args: Arguments) -> Const | None:
    """The member of an enumeration that a call finds by its value, which is what is known of it by its name as well."""
    given = args.positional[0] if len(args.positional) == 1 and not args.named and not args.open_ended else None
    if not isinstance(given, Const) or not is_enum(cls):
        return None
    if any(find_member(it, cls, name) is not None for name in ("__new__", "_missing_")):
        return None
    members = [one.value for one in it.state.read(cls.frame).values() if isinstance(one, Const)]
    is_one = any(type(value) is type(given.value) and value == given.value for value in members)
    return given if is_one else None


def _takes_apart(member: ast.stmt, name: str) -> bool:
    """Whether a method returns children and structure of its object, and the attribute as it is among them."""
    parts = flattened(member) if isinstance(member, ast.FunctionDef) else None
    if parts is None or name in parts.children.used | parts.structure.used:
        return False
    return name in parts.children.items | parts.structure.items


def may_read(cls: ClassValue, name: str) -> bool:
    """Whether code of a class, or of a base that cannot be seen, may read an attribute of its objects by name, and not
    only to print it, or to return it as a `tree_flatten` does."""
    owners = linearized(cls)
    outside = [base for owner in owners for base in owner.bases if not isinstance(base, ClassValue)]
    if not all(isinstance(base, External) and base.name in WITHOUT_MEMBERS for base in outside):
        return True
    return any(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Load)
        for owner in owners
        for member in owner.node.body
        if getattr(member, "name", "") not in ("__repr__", "__str__") and not _takes_apart(member, name)
        for part in descendants(member)
    )
