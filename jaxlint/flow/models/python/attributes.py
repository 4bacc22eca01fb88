"""Attributes of a value: reading and storing `owner.name`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.asked import LentCell
from jaxlint.flow.domain.avals import UNKNOWN
from jaxlint.flow.domain.slots import Slot
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    NONE,
    Array,
    At,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    KeyId,
    Method,
    ModuleValue,
    Opaque,
    Partial,
    Ref,
    Static,
    Stream,
    Super,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    without_none,
)
from jaxlint.flow.limits import ANY_RANK
from jaxlint.flow.models.arrays import arrays, conditions, handed_back, results, slopes
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import settings
from jaxlint.flow.models.objects import classes, instances, plain_containers
from jaxlint.flow.models.objects.binding import bind_member, kind_inside
from jaxlint.flow.models.objects.hashing import unhashable
from jaxlint.flow.models.objects.iteration import join_options
from jaxlint.flow.models.objects.remade import as_kept, as_member
from jaxlint.flow.models.python.frozen_stores import check_store
from jaxlint.flow.models.traces import gone_on, kept_traces, raw_attributes, variables
from jaxlint.flow.models.traces.outer_writes import argument_mutated, outer_write, outlives
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.handed_on import wrapped_attribute
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries, removed
from jaxlint.semantics.array_members import (
    ARRAY_ATTRIBUTES,
    ARRAY_METHODS,
    AT_UPDATES,
    FIELDS,
    MEMBERS,
    NO_METHODS,
    OTHER_MEMBERS,
    STATIC_ATTRIBUTES,
    UNAVAILABLE_ATTRIBUTES,
)
from jaxlint.semantics.foreign import NUMPY_ONLY, OF_OTHERS
from jaxlint.semantics.inplace import INPLACE_METHODS


def get_attribute(it: Interpreter, owner: Value, name: str, node: ast.AST) -> Value:
    """owner.name."""
    getter = _ATTRIBUTE_GETTERS.get(type(owner))
    return Opaque(name) if getter is None else getter(it, owner, name, node)


def _metadata(owner: Value | KeyId, name: str) -> Static:
    """What an array tells of itself and JAX knows under a trace: the same at each reading."""
    return Static(_METADATA_KINDS.get(name, "int"), of_shape=True, read_off=(owner, name))


_METADATA_KINDS = {"shape": "shape", "dtype": "dtype", "aval": "", "weak_type": "bool"}


_RULES = {"T": "jax.numpy.transpose", "real": "jax.numpy.real", "imag": "jax.numpy.imag"}
"""The functions that give what an attribute of an array is."""


def _attribute_of_array(it: Interpreter, owner: Array, name: str, node: ast.AST) -> Value:
    if name in STATIC_ATTRIBUTES:
        known = results.size_of(owner.aval, name)
        return known if known is not None else _metadata(owner, name)
    if name == "at":
        return At(owner)
    if name in ARRAY_ATTRIBUTES:
        rule = _RULES.get(name)
        aval = UNKNOWN if rule is None else results.of_call(it, rule, Arguments([owner]))
        part = Array(owner.level, owner.provenance, owner.kind, owner.ndim, aval=aval)
        slopes.pass_on(owner, part)
        return slopes.note(it, part, name, (owner,), node)
    if name in UNAVAILABLE_ATTRIBUTES:
        arrays.check_device_query(it, owner, name, node)
    if name == "device" and not owner.level and not owner.declared:
        return Static("device")
    if name in ("sharding", "device"):
        return Static("")
    if name in removed.ARRAY_ATTRIBUTES:
        note_removed(it, name, node, owner.declared)
    elif _is_foreign(it, owner, name, node):
        it.emit(events.ForeignName(node, "an array of JAX", name))
    return Method(owner, name)


_KNOWN = (
    MEMBERS
    | OTHER_MEMBERS
    | FIELDS
    | INPLACE_METHODS.keys()
    | {one.removesuffix("()") for one in removed.ARRAY_ATTRIBUTES}
)


def _is_foreign(it: Interpreter, owner: Array, name: str, node: ast.AST) -> bool:
    """Whether no array of jax has it.  What operators make may be an object of a class that has its own, and what the
    code has asked for may be another array."""
    if owner.declared or name in _KNOWN or name[:1] == "_" or conditions.asks_for(it, (name,)):
        return False
    return is_of_jax(it, owner, node)


def is_of_jax(it: Interpreter, owner: Array, node: ast.AST) -> bool:
    """Whether it is an array in any case, where an attribute is read of it."""
    return (bool(owner.aval.kind) or _is_call_of_jax(it, node)) and not _is_behind_type_check(it, node)


def check_called(it: Interpreter, function: Value, node: ast.AST) -> None:
    """x.size(), x.shape(): what such an attribute gives is called."""
    written = node.func if isinstance(node, ast.Call) else None
    if not isinstance(written, ast.Attribute) or written.attr not in NO_METHODS:
        return
    if isinstance(function, (Array, Const, Static, Tuple)):
        with it.scratch(), it.quiet():
            owner = it.eval(written.value)
        if isinstance(owner, Array) and not owner.declared and is_of_jax(it, owner, written):
            it.emit(events.AttributeCalled(node, written.attr))


def _is_behind_type_check(it: Interpreter, node: ast.AST) -> bool:
    """Whether a condition around it asks for the type of something: `x.keys()` and `y.keys()`, where x is a dict."""
    function = it.activation.function
    body = it.frame.scope.tree if function is None else function.node
    branches = [part for part in descendants(body) if isinstance(part, (ast.If, ast.IfExp))] if body is not None else []
    return any(
        isinstance(part, ast.Name) and part.id in ("isinstance", "hasattr", "type")
        for branch in branches
        if node in set(descendants(branch))
        for part in descendants(branch.test)
    )


def _is_call_of_jax(it: Interpreter, node: ast.AST) -> bool:
    """Whether it is read of what a function of `jax.numpy` or the like gives: `jnp.sin(x).numpy()`."""
    made = node.value if isinstance(node, ast.Attribute) else None
    if not isinstance(made, ast.Call):
        return False
    with it.scratch(), it.quiet():
        function = it.eval(made.func)
    return isinstance(function, External) and function.name.startswith(("jax.numpy.", "jax.nn.", "jax.lax."))


def note_removed(it: Interpreter, member: str, node: ast.AST, declared: bool = False) -> None:
    """An array is asked for what arrays had once, unless the code has asked for that, or for the version of jax."""
    if not conditions.asks_for(it, (member.removesuffix("()"), "__version__")):
        it.emit(events.RemovedMember(node, member, it.program.jax_of(it.frame.scope.module), declared))


def _attribute_of_tree(it: Interpreter, owner: Tree, name: str, node: ast.AST) -> Value:
    held = it.state.read(owner).get(("attr", name))
    if held is not None:
        return held
    if name in STATIC_ATTRIBUTES:
        return _metadata(owner, name)
    if name == "at":
        return At(owner)
    if name in _DEVICE_QUERIES and owner.sure and owner.parameter:
        arrays.check_device_query(it, owner, name, node)
    if name in ARRAY_ONLY:
        array = Array(owner.level, owner.provenance, declared=not owner.sure)
        slopes.pass_on(owner, array)
        return Method(slopes.note(it, array, "same", (owner,), node), name)
    if name in _TREE_METHODS:
        return Method(owner, name)
    if name in ("T", "mT"):
        return Array(owner.level, owner.provenance)
    return owner.part(("attr", name), sure=False)


_DEVICE_QUERIES = frozenset(
    "device sharding devices addressable_shards block_until_ready is_deleted addressable_data".split()
)
ARRAY_ONLY = (ARRAY_METHODS | frozenset(("item", "tolist", "block_until_ready"))) - frozenset(("copy", "get"))
_TREE_METHODS = frozenset(
    "items keys values get pop update append extend copy setdefault index count _replace replace".split()
)


def _attribute_of_key(it: Interpreter, owner: Key, name: str, node: ast.AST) -> Value:
    if name == "ndim" and owner.ranked and owner.typed is not None and owner.dims < ANY_RANK.value:
        return Const(owner.dims + (not owner.typed))  # a legacy key is a row of two words
    if name in STATIC_ATTRIBUTES:
        known = name == "shape" and owner.size and owner.batch and owner.typed
        return Tuple((Const(owner.size),)) if known else _metadata(owner.ident, name)
    if name == "at":
        return At(Array(owner.level, owner.provenance))
    return Method(owner, name)


def _attribute_of_opaque(it: Interpreter, owner: Opaque, name: str, node: ast.AST) -> Value:
    held = it.state.read(owner).get(("attr", name))
    if held is not None:
        return held
    if owner.leaf is not None and name in ARRAY_ONLY:
        return Method(arrays.as_array(owner, owner.leaf), name)
    if name in AT_UPDATES and _is_item_of_at(owner):
        return Method(At(Array(CONCRETE), Opaque("an index")), name)
    return owner.part(("attr", name), f"{owner.text}.{name}" if owner.text else name)


def _is_item_of_at(owner: Opaque) -> bool:
    """Whether it is `x.at[…]`: what has that, and `set` or `add` of it, is an array of JAX."""
    helper = owner.parent
    is_item = owner.selector is not None and owner.selector[0] in ("item", "at", "part")
    return is_item and helper is not None and helper.selector == ("attr", "at")


def _attribute_of_external(it: Interpreter, owner: External, name: str, node: ast.AST) -> Value:
    if (owner.name, name) == ("jax.config", "jax_disable_jit"):
        return Static("bool", concrete_if=True)  # then nothing is traced
    is_foreign = owner.name == "jax.numpy" and (name in NUMPY_ONLY or name in OF_OTHERS)
    if is_foreign and not conditions.asks_for(it, (name,)):
        it.emit(events.ForeignName(node, owner.name, name))
    return it.external(f"{owner.name}.{name}")


def _attribute_of_module(it: Interpreter, owner: ModuleValue, name: str, node: ast.AST) -> Value:
    return it.module_attribute(owner.scope, name)


def _attribute_of_tuple(it: Interpreter, owner: Tuple, name: str, node: ast.AST) -> Value:
    if name in owner.fields:
        return owner.item(owner.fields.index(name))
    if owner.cls is not None:
        found = classes.find_member(it, owner.cls, name)
        if found is not None:
            return bind_member(it, found, owner, owner.cls, node)
    if not conditions.asks_for(it, (name,)):
        handed_back.check_attribute(it, owner, name, node)
        if owner.cls is None and not owner.declared:
            _end_where_lacking(it, name)
    return Method(owner, name)


def _end_where_lacking(it: Interpreter, name: str) -> None:
    """Tuples, lists and dicts have none of what arrays tell of themselves: AttributeError, and the path ends here."""
    if name in STATIC_ATTRIBUTES:
        it.breaks()


def _attribute_of_container(it: Interpreter, owner: Container, name: str, node: ast.AST) -> Value:
    if not conditions.asks_for(it, (name,)):
        _end_where_lacking(it, name)
    return _attribute_of_method_owner(it, owner, name, node)


def _attribute_of_method_owner(it: Interpreter, owner: Value, name: str, node: ast.AST) -> Value:
    if name == "__hash__" and isinstance(owner, Container) and unhashable(it, owner):
        return NONE
    return Method(owner, name)


def _attribute_of_static(it: Interpreter, owner: Static, name: str, node: ast.AST) -> Value:
    if owner.kind in ("str", "shape", "tuple"):
        return Method(owner, name)
    return Static("", owner.of_shape)


def _attribute_of_host_array(it: Interpreter, owner: HostArray, name: str, node: ast.AST) -> Value:
    if name in ("shape", "dtype", "ndim", "size", "itemsize", "nbytes"):
        return Static(_METADATA_KINDS.get(name, "int"))
    if name in ("T", "flat", "real", "imag"):
        return HostArray(owner.readonly, owner.kind)
    return Method(owner, name)


def _attribute_of_instance(it: Interpreter, owner: Instance, name: str, node: ast.AST) -> Value:
    cell = it.state.read(owner)
    held = cell.attribute(name) if isinstance(cell, LentCell) else cell.get(name)
    if held is not None:
        keys.take_back(it, owner, held)
        _note_read(it, owner, name, held, node)
        return held
    found = instances.instance_attribute(it, owner, name, node)
    if found is not None:
        _note_read(it, owner, name, found, node)
    return _asked_for(it, owner, name, node) if found is None else found


def _note_read(it: Interpreter, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    if it.traces_read:
        kept_traces.note_read(it, owner, name, value, node)
    if it.ctx.staging:
        gone_on.check(it, owner, name, value, node)


def _asked_for(it: Interpreter, owner: Instance, name: str, node: ast.AST) -> Value:
    """What the class's own `__getattr__` gives: mostly what the object has that is wrapped, often a wrapper as well."""
    asked, unknown = instances.asked_for(it, owner, name), Opaque(f"self.{name}")
    if asked is None or (owner, name) in it.asked_for:
        return unknown  # wrappers of which one holds the other ask each other without end
    it.note_function(asked)
    wrapped = wrapped_attribute(asked.node)
    if wrapped is None:
        return it.call(asked.bind(owner), Arguments([Const(name)], {}), node)
    it.asked_for.add((owner, name))
    try:
        inner = unknown if wrapped == name else get_attribute(it, owner, wrapped, node)
        return get_attribute(it, inner, name, node)
    finally:
        it.asked_for.discard((owner, name))


def _attribute_of_class(it: Interpreter, owner: ClassValue, name: str, node: ast.AST) -> Value:
    found = classes.find_member(it, owner, name)
    if found is None:
        if any(f"{base}.{name}" in libraries.RECORD_MAKERS for base in classes.external_bases(owner)):
            return Method(owner, name)
        return Const(owner.name) if name == "__name__" else Opaque(name)
    if isinstance(found, (Function, Transformed)) and kind_inside(found) == "class":
        return bind_member(it, found, owner, owner, node)
    if isinstance(found, (Tuple, Container, Array, HostArray, Instance)) and classes.is_enum(owner):
        return classes.member_of_enum(owner)
    return as_member(it, owner, name, found)


def _attribute_of_super(it: Interpreter, owner: Super, name: str, node: ast.AST) -> Value:
    for base in owner.cls.bases:
        if isinstance(base, ClassValue):
            found = classes.find_member(it, base, name)
            if found is not None:
                return bind_member(it, found, owner.receiver, base, node)
    return Method(owner, name)


def _attribute_of_union(it: Interpreter, owner: Union, name: str, node: ast.AST) -> Value:
    left = without_none(owner)
    if not isinstance(left, Union):
        left = Union((left,))
    with it.quiet():
        return join_options(it, left, [get_attribute(it, option, name, node) for option in left.options])


def _attribute_of_at(it: Interpreter, owner: At, name: str, node: ast.AST) -> Value:
    return Method(owner, name)


def _attribute_of_external_instance(it: Interpreter, owner: ExternalInstance, name: str, node: ast.AST) -> Value:
    if owner.made_by == "functools.partial":
        return Opaque(name)
    held = it.state.read(owner).get(name)
    return held if held is not None else Method(owner, name)


def _attribute_of_function(it: Interpreter, owner: Value, name: str, node: ast.AST) -> Value:
    if name == "__wrapped__" and isinstance(owner, Transformed) and owner.receiver is None:
        if owner.name.startswith("jax.") and not owner.is_one_of_several:
            return owner.function
    held = it.state.read(owner).get(name) if isinstance(owner, Function) else None
    return held if held is not None else Method(owner, name)


def _attribute_of_ref(it: Interpreter, owner: Ref, name: str, node: ast.AST) -> Value:
    if name in STATIC_ATTRIBUTES:
        return Static(_METADATA_KINDS.get(name, "int"), of_shape=True)
    return At(owner) if name == "at" else Opaque(name)


_ATTRIBUTE_GETTERS: dict[type, Callable[[Any, Any, str, ast.AST], Value]] = {
    Array: _attribute_of_array,
    Tree: _attribute_of_tree,
    Key: _attribute_of_key,
    Opaque: _attribute_of_opaque,
    External: _attribute_of_external,
    ModuleValue: _attribute_of_module,
    Tuple: _attribute_of_tuple,
    Container: _attribute_of_container,
    Iterator: _attribute_of_method_owner,
    Stream: _attribute_of_method_owner,
    Const: _attribute_of_method_owner,
    Static: _attribute_of_static,
    HostArray: _attribute_of_host_array,
    Instance: _attribute_of_instance,
    ClassValue: _attribute_of_class,
    Super: _attribute_of_super,
    Union: _attribute_of_union,
    At: _attribute_of_at,
    ExternalInstance: _attribute_of_external_instance,
    Function: _attribute_of_function,
    Transformed: _attribute_of_function,
    Partial: _attribute_of_function,
    Method: _attribute_of_function,
    Ref: _attribute_of_ref,
}


_NAMESPACES = frozenset(("types.SimpleNamespace", "argparse.Namespace"))
"""Classes of Python whose objects hold what is set on them, and do nothing else."""


def store_attribute(
    it: Interpreter, owner: Value, name: str, value: Value, target: ast.Attribute, node: ast.AST
) -> None:
    """owner.name = value, or owner.name op= value where ``node`` is the whole statement."""
    if check_store(it, owner, target.value, name, node):
        return
    what = dotted(target)
    if isinstance(owner, Instance):
        if classes.is_mutable_module(owner.cls):
            plain_containers.check_set(it, owner, name, value, node)
            raw_attributes.note_set(it, owner, name, value, what, node)
        elif owner.parameter and (owner.level or owner.provenance is not None):
            argument_mutated(it, owner, events.Change("set", "attribute", repr(name)), value, node)
        elif not _in_constructor(it, owner):
            step = node if isinstance(node, ast.AugAssign) else None
            slot = Slot(owner, ("attribute", name), it.state.read(owner).get(name), step)
            outlives(it, owner, value, "attribute", what, node, slot)
        it.state.write(owner)[name] = as_kept(it, owner, name, value)
    elif isinstance(owner, (Array, Tree)) and isinstance(owner, Array):
        if name in ("shape", "dtype"):
            it.emit(events.InplaceMethod(node, owner, name, "AttributeError"))
    elif isinstance(owner, Tree) and owner.parameter and name in ("shape", "dtype"):
        it.emit(events.InplaceMethod(node, owner, name, "AttributeError"))
    elif isinstance(owner, Tree):
        argument_mutated(it, owner, events.Change("set", "attribute", repr(name)), value, node)
        it.state.write(owner)[("attr", name)] = value
    elif isinstance(owner, Opaque):
        if isinstance(value, Array) and value.level == ABSTRACT and it.transform.startswith("flax.nnx."):
            is_own = owner.parent is None and what.count(".") == 1
            if is_own and not _may_exist(it, name, node) and plain_containers.is_structure(it):
                it.emit(events.RawAttribute(node, "attribute", what, value))
        it.state.write(owner)[("attr", name)] = value
    elif isinstance(owner, External) and owner.name == "jax.config":
        settings.check_option(it, name, node, assigned=True)
    elif isinstance(owner, Function):
        outlives(it, owner, value, "attribute", what, node, Slot(owner, ("attribute", name)))
        it.state.write(owner)[name] = value
    elif isinstance(owner, (ClassValue, ModuleValue)):
        step = node if isinstance(node, ast.AugAssign) else None
        outer_write(it, "class", what, value, node, Slot(owner, ("attribute", name), None, step))
    elif isinstance(owner, ExternalInstance):
        variables.note_set(it, owner, name, value, what, target, node)
        if owner.made_by in _NAMESPACES:
            step = node if isinstance(node, ast.AugAssign) else None
            slot = Slot(owner, ("attribute", name), it.state.read(owner).get(name), step)
            outlives(it, owner, value, "attribute", what, node, slot)
        it.state.write(owner)[name] = value


def _may_exist(it: Interpreter, name: str, node: ast.AST) -> bool:
    """Whether an object of which nothing is known may have had the attribute before."""
    scope = it.frame.scope
    it.note_global(scope, f"self.{name}")
    return isinstance(node, ast.AugAssign) or name in scope.set_on_self


def _in_constructor(it: Interpreter, owner: Instance) -> bool:
    function = it.activation.function
    return (
        function is not None and function.receiver is owner and function.name in ("__init__", "setup", "__post_init__")
    )
