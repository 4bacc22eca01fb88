"""Objects of the project's classes: which fields are static, how members are bound, what attributes start with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from jaxlint.flow.domain.asked import LentCell, known_of
from jaxlint.flow.domain.contexts import EAGER
from jaxlint.flow.domain.state import State
from jaxlint.flow.domain.values import (
    SET_BY_NAME,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    HostArray,
    Instance,
    Key,
    Method,
    Opaque,
    Partial,
    Transformed,
    Tree,
    Tuple,
    Value,
    innermost,
)
from jaxlint.flow.limits import KNOWN_ITEMS, STATIC_FIELD_DEPTH
from jaxlint.flow.models.objects.beginnings import (
    ITSELF,
    MAKERS,
    attributes_set_elsewhere,
    bring_back,
    closures,
    initial_of,
    remembered,
)
from jaxlint.flow.models.objects.binding import bind_member
from jaxlint.flow.models.objects.classes import (
    external_bases,
    field_node,
    fields_in_order,
    find_member,
    flattens_by_hand,
    foreign_bases,
    is_module,
    is_pytree,
    is_record,
    linearized,
    registered_by_call,
)
from jaxlint.flow.models.objects.declared import (
    declared_field,
    object_of,
    traced_field,
    unknown_field,
)
from jaxlint.flow.models.objects.derived_containers import has_method
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.objects.remade import as_kept, as_member, may_be_another
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.flattened import Part, flattened
from jaxlint.flow.source.text import source
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries


class Place(Enum):
    """Where an attribute of a pytree is when the object is taken apart: among the children, in the structure, or
    nobody can say."""

    CHILD = "child"
    STRUCTURE = "structure"
    UNTOLD = "untold"


def is_static_field(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether an attribute of a pytree class is certainly part of the structure."""
    return place_of(it, cls, name) is Place.STRUCTURE


def passes_as_is(it: Interpreter, cls: ClassValue, name: str, value: Value) -> bool:
    """Whether a copy of an object, rebuilt from its leaves, has the same in an attribute.  An array whose place nobody
    can tell is a leaf: JAX wants structures that can be compared."""
    place = place_of(it, cls, name)
    return place is Place.STRUCTURE or (place is Place.UNTOLD and not isinstance(value, (Array, HostArray, Key)))


def traced_object(it: Interpreter, value: Tree, cls: ClassValue) -> Value:
    """A tree of tracers that is an object of a registered class: what the class keeps in the structure is not traced.
    Where it keeps nothing there, and has no methods, the tree tells as much."""
    names = fields_in_order(cls) if is_pytree(it, cls) else None
    children = [name for name in names or () if not is_static_field(it, cls, name)]
    if names is None or (len(children) == len(names) and not _has_methods(it, cls)):
        return value
    made = Instance(cls, it.ctx, symbolic=True)
    made.level, made.provenance, made.parameter = value.level, value.provenance, value.parameter
    for name in children:
        is_told = place_of(it, cls, name) is Place.CHILD
        it.state.write(made)[name] = (
            traced_field(it, value, cls, name) if is_told else value.part(("attr", name), sure=False)
        )
    return made


def _has_methods(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a class has methods of its own, but those that Python or JAX calls."""
    return any(
        isinstance(member, Function) and not name.startswith("__") and not name.startswith("tree_")
        for part in linearized(cls)
        for name, member in it.state.read(part.frame).items()
    )


def place_of(it: Interpreter, cls: ClassValue, name: str) -> Place:
    """As a class says of an attribute: by field(pytree_node=False), field(static=True), or a call of what makes such
    fields, or by its own `tree_flatten`.  What is no field stays in the class."""
    if any(isinstance(i, Const) and i.value == name for listed in _meta_fields(it, cls) for i in _items(it, listed)):
        return Place.STRUCTURE
    found = field_node(cls, name)
    default = found[1].value if found is not None else None
    if found is None and any(name in libraries.STRUCTURE_FIELDS.get(base, ()) for base in external_bases(cls)):
        return Place.STRUCTURE
    if found is not None and default is not None:
        if _has_mark(default):
            return Place.STRUCTURE
        if isinstance(default, ast.Call):
            maker = _maker(it, found[0].frame, default.func)
            if _makes_static(it, maker):
                return Place.STRUCTURE
            if _may_make_static(maker):
                return Place.UNTOLD
    place = _place_by_hand(it, cls, name)
    if place is None:
        place = Place.STRUCTURE if default is None and _is_of_class_alone(it, cls, name) else Place.CHILD
    return place


def _meta_fields(it: Interpreter, cls: ClassValue) -> Iterator[Value]:
    """What `register_dataclass` is given as the names of the fields of the structure, as a decorator or by a call."""
    for part in linearized(cls):
        for decorator in part.decorators:
            if isinstance(decorator, Partial) and "meta_fields" in decorator.kwargs:
                yield decorator.kwargs["meta_fields"]
    given = registered_by_call(it, cls)
    if isinstance(given, (Tuple, Container)):
        yield given


def _is_of_class_alone(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether an attribute that a record class is written with has no annotation, and is no field."""
    fields = fields_in_order(cls)
    if fields is None or name in fields or find_member(it, cls, name) is None:
        return False
    return name not in initial_of(it, cls)


_STATIC_MARKS = frozenset((("pytree_node", False), ("static", True)))
"""What a field's metadata, or an argument of what makes the field, says of one that is part of the structure."""


def _has_mark(node: ast.AST) -> bool:
    """Whether something in a field's default, or in a function that makes such ones, says that the field is static."""
    said: list[tuple[object, ast.AST | None]] = []
    for part in descendants(node):
        if isinstance(part, ast.keyword):
            said.append((part.arg, part.value))
        elif isinstance(part, ast.Dict):
            said += [(key.value, value) for key, value in zip(part.keys, part.values) if isinstance(key, ast.Constant)]
    return any(isinstance(value, ast.Constant) and (name, value.value) in _STATIC_MARKS for name, value in said)


def _maker(it: Interpreter, frame: Frame, called: ast.expr) -> Value:
    """What a class body calls for a field's default."""
    saved, it.frame = it.frame, frame
    try:
        with it.scratch(), it.quiet():
            return it.eval(called)
    finally:
        it.frame = saved


_PLAIN_MAKERS = ("builtins.", "dataclasses.", "jax.numpy.", "jax.random.", "jax.nn.", "jax.lax.", "numpy.", "math.")
"""What is no maker of fields, or makes static ones only where it is told so."""


def _may_make_static(maker: Value) -> bool:
    """Whether it is a function from outside that nobody knows: fields of a library may be static."""
    if isinstance(maker, External):
        return maker.name not in libraries.STATIC_FIELDS and not maker.name.startswith(_PLAIN_MAKERS)
    return isinstance(maker, Opaque)


def _makes_static(it: Interpreter, maker: Value, depth: int = 0) -> bool:
    """Whether what makes a field's default makes static fields: a function of the library, or one of the project that
    hands its arguments on to such a one."""
    while isinstance(maker, Partial):
        if any(_is_const(maker.kwargs.get(word), value) for word, value in (("pytree_node", False), ("static", True))):
            return True
        maker = maker.function
    if isinstance(maker, External):
        return libraries.STATIC_FIELDS.get(maker.name) == ""
    if not isinstance(maker, Function):
        return False
    it.note_function(maker)
    if _has_mark(maker.node):
        return True
    body = maker.node.body if isinstance(maker.node, ast.Lambda) else maker.node.body[-1]
    handed = body.value if isinstance(body, ast.Return) else body
    return (
        depth < STATIC_FIELD_DEPTH.value
        and isinstance(handed, ast.Call)
        and _makes_static(it, _maker(it, maker.frame or maker.scope.frame, handed.func), depth + 1)
    )


def _is_const(value: Value | None, expected: bool) -> bool:
    return isinstance(value, Const) and value.value is expected


def knows_children(it: Interpreter, tree: Instance, node: ast.AST) -> bool:
    """Whether the class of a traced object, of which nothing else is known, tells all its children; they are known
    then."""
    names = (fields_in_order(tree.cls) if tree.level else None) or ()
    places = {name: place_of(it, tree.cls, name) for name in names}
    children = [name for name, place in places.items() if place is Place.CHILD]
    for name in children:
        if name not in it.state.read(tree):
            instance_attribute(it, tree, name, node)
    known = it.state.read(tree).keys()
    return bool(children) and Place.UNTOLD not in places.values() and known >= set(children)


def _place_by_hand(it: Interpreter, cls: ClassValue, name: str) -> Place | None:
    """Where what takes objects of the class apart puts an attribute; None if there is none to be asked."""
    given = registered_by_call(it, cls)
    if isinstance(given, (Tuple, Container)):
        return None
    member = given or find_member(it, cls, "tree_flatten") or find_member(it, cls, "tree_flatten_with_keys")
    if member is None and not flattens_by_hand(cls):
        return None
    if not isinstance(member, Function):
        return Place.UNTOLD
    it.note_function(member)
    facts = it.facts_of(member.node)
    if facts.flattened is None:
        facts.flattened = (flattened(member.node),)
    (found,) = facts.flattened
    if found is None:
        return Place.UNTOLD
    children, structure = _Named(it, cls, found.children), _Named(it, cls, found.structure)
    if name in children.items or (children.part.whole and _is_of_object(it, cls, name)):
        return Place.CHILD
    if name in children.part.used:
        return Place.UNTOLD
    put_aside = name in structure.items
    if children.is_all:
        put_aside |= name in structure.part.used or structure.part.rest
    return Place.STRUCTURE if put_aside else Place.UNTOLD


def _is_of_object(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether an attribute is a field of the class, or nothing that the class has."""
    return field_node(cls, name) is not None or find_member(it, cls, name) is None


class _Named:
    """One part of what a `tree_flatten` gives: the attributes in it by name, and whether these ``is_all``."""

    def __init__(self, it: Interpreter, cls: ClassValue, part: Part) -> None:
        self.part = part
        self.items = set(part.items)
        self.is_all = part.readable and not part.rest
        for listed in part.listed:
            names = _items(it, find_member(it, cls, listed) or Opaque(listed))
            self.is_all &= bool(names) and all(isinstance(name, Const) for name in names)
            self.items.update(name.value for name in names if isinstance(name, Const))
        # A property reads who knows what.
        self.is_all &= not any(isinstance(find_member(it, cls, item), Function) for item in self.items)


def _items(it: Interpreter, value: Value) -> list[Value]:
    return known_items(it, value, KNOWN_ITEMS.value) or []


def _is_declared(value: Instance) -> bool:
    """Whether nothing is known of an object but its class."""
    return value.symbolic and value.birth is None


def instance_attribute(it: Interpreter, owner: Instance, name: str, node: ast.AST) -> Value | None:
    """An attribute that this path has not set: from the class, else as __init__ leaves it; None for what is another
    one at each access, made by code that the class does not show."""
    member = find_member(it, owner.cls, name)
    if member is None and library_knows(it, owner.cls, name):
        return Method(owner, name)
    if isinstance(member, Function) and member.kind == "property" and member.cached:
        return _kept_property(it, member, owner, name, node)
    if member is not None and _is_method(owner.cls, name, member):
        return bind_member(it, member, owner, owner.cls, node)
    is_open = SET_BY_NAME in known_of(it.state.read(owner))
    value = Opaque(f"self.{name}") if is_open else _from_start(it, owner, member, name)
    if value is not None:
        it.state.write(owner)[name] = value
    return value


def asked_for(it: Interpreter, owner: Instance, name: str) -> Function | None:
    """The class's own `__getattr__`, if Python asks it for an attribute that nothing sets.

    It is asked for no method of Python's protocols: those are looked up in the class alone.
    """
    if find_member(it, owner.cls, name) is not None or _is_of_protocol(name):
        return None
    if find_member(it, owner.cls, "__getattribute__") is not None:
        return None
    asked = find_member(it, owner.cls, "__getattr__")
    return asked if isinstance(asked, Function) and not _may_have(it, owner, name) else None


def _is_of_protocol(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _may_have(it: Interpreter, owner: Instance, name: str) -> bool:
    """Whether an object may have an attribute that this path has not set: another method sets it, a class from
    outside may, or a class derived from this one has it."""
    if name in attributes_set_elsewhere(it, owner.cls) or foreign_bases(owner.cls):
        return True
    return owner.symbolic and any(
        derived is not owner.cls and owner.cls in linearized(derived) and find_member(it, derived, name) is not None
        for derived in it.all_classes(owner.cls)
    )


def _is_method(cls: ClassValue, name: str, member: Value) -> bool:
    """Whether a function in a class is a method: it is no default of a field, which each object of a record has for
    itself."""
    if not isinstance(member, (Function, Transformed, Partial, ClassValue)):
        return False
    inside = innermost(member)[0] if isinstance(member, (Function, Transformed)) else None
    is_defined = inside is not None and inside.owner is not None and not isinstance(inside.node, ast.Lambda)
    return is_defined or name not in (fields_in_order(cls) or ())


def attribute_from_start(it: Interpreter, state: State, owner: Instance, name: str) -> Value | None:
    """The same of an object of another state, which keeps it; None for what is made at each access."""
    cell = state.read(owner)
    value = cell.attribute(name) if isinstance(cell, LentCell) else cell.get(name)
    if value is not None:
        return value
    member = find_member(it, owner.cls, name)
    if member is not None and _is_method(owner.cls, name, member):
        return None
    if member is None and library_knows(it, owner.cls, name):
        return None
    is_open = SET_BY_NAME in known_of(cell)
    value = Opaque(f"self.{name}") if is_open else _from_start(it, owner, member, name)
    if value is not None:
        state.write(owner)[name] = value
    return value


def _from_start(it: Interpreter, owner: Instance, member: Value | None, name: str) -> Value | None:
    """An attribute as the class gives it, else as __init__ leaves it; None if code that is not followed makes it."""
    place = place_of(it, owner.cls, name) if owner.level and owner.provenance is not None else Place.STRUCTURE
    if place is Place.UNTOLD:
        return Opaque(name)
    if place is Place.CHILD:
        value: Value = _traced_field(it, owner, name)
    else:
        initial = initial_of(it, owner.cls)
        found = initial.get(name)
        if found is None and SET_BY_NAME in initial:
            return Opaque(f"self.{name}")
        if found is None:
            if _is_computed(it, owner.cls, member, name):
                return None
            is_one = isinstance(member, (Tuple, Container))
            found = _of_class(it, owner, member, name) if is_one and member is not None else member
        found = found if found is None else as_kept(it, owner, name, found)
        if (isinstance(found, Container) or closures(found)) and owner.symbolic and may_be_another(it, owner, name):
            return Opaque(f"self.{name}")
        is_open = found is None or (isinstance(found, Const) and found.value is None)
        declared = _declared(it, owner.cls, name) if is_open else None
        if found is None and declared is None:
            declared = unknown_field(it, owner.cls, name)
        value = declared if declared is not None else remembered(found, name)
        bring_back(it, value)
    if isinstance(value, Instance) and owner.birth is not None and (_is_declared(value) or foreign_bases(value.cls)):
        # A part of what a traced function is given: declared to be one, or of a class from outside that may register
        # its subclasses.
        value = Instance(value.cls, owner.birth, symbolic=True)
    if isinstance(value, ExternalInstance) and owner.birth is not None and value.made_by in libraries.VARIABLES:
        value = value.made_in(owner.birth)
    return _of_owner(it, owner, value)


def _of_owner(it: Interpreter, owner: Instance, value: Value) -> Value:
    """A method that __init__ has bound to its object, compiled it may be, is bound to this one."""
    if isinstance(value, Transformed):
        function = _of_owner(it, owner, value.function)
        return value if function is value.function else value.of(function)
    if isinstance(value, Function) and value.receiver is not None:
        return value.bind(owner) if value.receiver is initial_of(it, owner.cls).get(ITSELF) else value
    return value


def _kept_property(it: Interpreter, member: Function, owner: Instance, name: str, node: ast.AST) -> Value:
    """What a cached property gave where it was read first: when the object was made, before any trace, or here."""
    is_of_trace = owner.level > 0 or (owner.birth is not None and owner.birth.tracing)
    if it.ctx.tracing and not is_of_trace and _is_read_when_made(it, owner.cls, name):
        with it.quiet(), it.context(EAGER):
            return bind_member(it, member, owner, owner.cls, node)
    value = bind_member(it, member, owner, owner.cls, node)
    if not it.ctx.tracing or owner.birth is it.ctx:
        it.state.write(owner)[name] = value
    return value


def _is_read_when_made(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether what makes an object of the class reads an attribute of it, but in what it compiles."""
    return any(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Load)
        for owner in linearized(cls)
        for member in owner.node.body
        if getattr(member, "name", "") in MAKERS
        for compiled in [_compiled_in(it, owner, member)]
        for part in descendants(member)
        if part not in compiled
    )


def _compiled_in(it: Interpreter, cls: ClassValue, method: ast.AST) -> set[ast.AST]:
    """What is written in the functions that a method hands to `jax.jit` and to nothing else."""
    parts = list(descendants(method))
    handed = [
        part.args[0]
        for part in parts
        if isinstance(part, ast.Call) and part.args and isinstance(part.func, (ast.Name, ast.Attribute))
        if isinstance(part.args[0], (ast.Lambda, ast.Name)) and _is_jit(it, cls, part.func)
    ]
    uses = [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    names = [part.id for part in handed if isinstance(part, ast.Name)]
    alone = {name for name in names if names.count(name) == uses.count(name)}
    functions: list[ast.AST] = [part for part in handed if isinstance(part, ast.Lambda)]
    functions += [part for part in parts if isinstance(part, ast.FunctionDef) and part.name in alone]
    return {part for function in functions for part in descendants(function)}


def _is_jit(it: Interpreter, cls: ClassValue, called: ast.expr) -> bool:
    function = it.eval_annotation(called, cls)
    return isinstance(function, External) and function.name == "jax.jit"


def _is_computed(it: Interpreter, cls: ClassValue, member: Value | None, name: str) -> bool:
    """Whether code that is not followed makes an attribute at each access: a descriptor, `__getattr__`, or a property
    that a class derived from this one has, of its own or from another base."""
    if member is not None:
        return isinstance(member, Instance) and find_member(it, member.cls, "__get__") is not None
    if find_member(it, cls, "__getattr__") is not None or find_member(it, cls, "__getattribute__") is not None:
        return True
    return any(
        isinstance(found, Function) and found.kind == "property"
        for derived in it.all_classes(cls)
        if derived is not cls and cls in linearized(derived)
        for found in [find_member(it, derived, name)]
    )


def _declared(it: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """What a field is declared to hold, if that is an object whose methods may use keys, or the class of one."""
    field = field_node(cls, name)
    if field is None:
        return None
    owner, node = field[0], field[1].annotation
    generic = it.eval_annotation(node.value, owner) if isinstance(node, ast.Subscript) else None
    if not isinstance(node, ast.Subscript) or not isinstance(generic, External) or generic.name not in _CLASSES_OF:
        return object_of(it, node, owner)
    named = it.eval_annotation(node.slice, owner) if isinstance(node.slice, (ast.Name, ast.Attribute)) else None
    return named if isinstance(named, External) and it.has_methods(named.name) else None


_CLASSES_OF = frozenset(("typing.Type", "builtins.type"))


def library_knows(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether a library's table has this method for one of the outside bases."""
    if name in ("replace", "_replace"):
        return is_record(cls)
    for base in external_bases(cls):
        qualified = f"{base}.{name}"
        if (
            it.rows.method(qualified) is not None
            or qualified in libraries.KEY_METHODS
            or qualified in libraries.FRESH_KEYS
            or qualified in libraries.IMPLICIT_RNG
            or qualified in libraries.MADE_IF
            or qualified in libraries.RECORD_STEPS
        ):
            return True
    return (name in ("param", "variable") and is_module(cls)) or has_method(cls, name)


def _traced_field(it: Interpreter, owner: Instance, name: str) -> Value:
    assert owner.provenance is not None
    found = field_node(owner.cls, name)
    if found is None:
        return Opaque(name)
    annotation = source(found[0].scope.lines, found[1].annotation)
    if is_module(owner.cls) or "Module" in annotation or "Callable" in annotation:
        return Opaque(name)
    is_sure = is_pytree(it, owner.cls) and annotation not in ("Any", "typing.Any")
    return declared_field(it, Tree(owner.level, owner.provenance, sure=is_sure), *found)


def _of_class(it: Interpreter, owner: Instance, member: Value, name: str) -> Value | None:
    """A tuple, list or dict in the body of a class, unless an object may have something else by that name."""
    is_declared = isinstance(member, Tuple) and field_node(owner.cls, name) is not None
    if is_declared or name in attributes_set_elsewhere(it, owner.cls):
        return None
    if owner.symbolic and any(
        derived is not owner.cls and owner.cls in linearized(derived) and find_member(it, derived, name) is not member
        for derived in it.all_classes(owner.cls)
    ):
        return None
    return as_member(it, owner.cls, name, member)
