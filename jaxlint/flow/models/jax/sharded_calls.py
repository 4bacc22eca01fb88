"""What `shard_map` and shardings are told about where arrays are, held against their mesh and the function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, Container, ExternalInstance, Transformed, Tuple, Value
from jaxlint.flow.limits import KNOWN_ITEMS, LEAF_DEPTH
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.models.jax.contracts import described, is_of_lane, kind_of_node, leaves
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.collectives import MAPPING_SHARDS

_SPECS = frozenset(("jax.sharding.PartitionSpec", "jax.P"))
_UNCHECKED = frozenset("check_vma check_rep axis_names auto".split())
"""What is not looked at any more, or is looked at for some axes only, where one of these options is set."""
_MESHES = {"jax.sharding.Mesh": "axis_names", "jax.make_mesh": "axis_names"}
_SHARDINGS = frozenset(("jax.sharding.NamedSharding", "jax.NamedSharding"))


def is_refused(it: Interpreter, made: Transformed, args: Arguments, node: ast.AST) -> bool:
    """Whether JAX raises for the arguments of the call, or for what it is told of the axes."""
    if made.name not in MAPPING_SHARDS or args.open_ended:
        return False
    name, specs = made.name.rpartition(".")[2], made.options.get("in_specs")
    axes = axes_of(it, made.options.get("mesh"))
    for option in ("in_specs", "out_specs"):
        for spec in _specs(it, made.options.get(option)):
            misfit = _names_another(made.node, name, option, spec, axes)
            if misfit is not None:
                return it.emit(misfit, made.scope)
    if args.assumed:
        return _are_of_another_count(it, made, name, specs)
    if args.named:
        return it.emit(events.SpecsMisfit(node, name, "named", "in_specs", f"`{next(iter(args.named))}`"))
    if not args.unsure and isinstance(specs, Tuple) and len(specs.items) != len(args.positional):
        told = str(len(specs.items))
        return it.emit(events.SpecsMisfit(node, name, "arguments", "in_specs", told, str(len(args.positional))))
    given = list(specs.items) if isinstance(specs, Tuple) else [specs] * len(args.positional)
    return any(_is_too_long(it, name, "in_specs", spec, value, node) for spec, value in zip(given, args.positional))


def _are_of_another_count(it: Interpreter, made: Transformed, name: str, specs: Value | None) -> bool:
    """Whether there are specs for more arguments than the function takes, or for fewer than it needs: whatever it is
    called with, one of the two fails."""
    taken = taken_by(it, made.function)
    if taken is None or not isinstance(specs, Tuple) or specs.fields or taken.filled:
        return False
    count = len(specs.items)
    needed = taken.least if count < taken.least else taken.most
    if needed is None or taken.least <= count <= needed:
        return False
    return it.emit(events.SpecsMisfit(made.node, name, "parameters", "in_specs", str(count), str(needed)), made.scope)


def check_sharding(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """A sharding is made of a mesh and a spec."""
    spec = args.get(1, "spec")
    if name in _SHARDINGS and isinstance(spec, ExternalInstance) and spec.made_by in _SPECS and not args.open_ended:
        axes = axes_of(it, args.get(0, "mesh"))
        misfit = _names_another(node, name.rpartition(".")[2], "spec", spec, axes)
        if misfit is not None:
            it.emit(misfit)


def _names_another(
    node: ast.AST, name: str, option: str, spec: ExternalInstance, axes: list[str] | None
) -> events.SpecsMisfit | None:
    """An axis that a spec names and the mesh has not, if it is known which axes that has."""
    unknown = [axis for axis in _named(spec) if axes is not None and axis not in axes]
    known = ", ".join(map(repr, axes or ()))
    return events.SpecsMisfit(node, name, "axis", option, repr(unknown[0]), known) if unknown else None


def check_result(it: Interpreter, made: Transformed, args: Arguments, result: Value, node: ast.AST) -> None:
    """What the function gives, by what is told of it."""
    specs = made.options.get("out_specs")
    if made.name not in MAPPING_SHARDS or args.assumed or specs is None or not it.alive:
        return
    name = made.name.rpartition(".")[2]
    kind = kind_of_node(result)
    if not isinstance(specs, Tuple):
        parts = result.items if isinstance(result, Tuple) and isinstance(specs, ExternalInstance) else (result,)
        pairs: list[tuple[Value, Value]] = [(specs, part) for part in parts]
    elif kind in ("array", "list", "dict") or (isinstance(result, Tuple) and len(result.items) != len(specs.items)):
        it.emit(events.SpecsMisfit(node, name, "outputs", "out_specs", str(len(specs.items)), described(it, result)))
        return
    else:
        pairs = list(zip(specs.items, result.items)) if isinstance(result, Tuple) else []
    if not any(_is_too_long(it, name, "out_specs", spec, part, node) for spec, part in pairs):
        any(_is_each_its_own(it, made, spec, part, node) for spec, part in pairs)


def _is_each_its_own(it: Interpreter, made: Transformed, spec: Value, part: Value, node: ast.AST) -> bool:
    """Whether devices along an axis have computed their own of what ``spec`` says to be the same for all of them."""
    if not isinstance(spec, ExternalInstance) or not _UNCHECKED.isdisjoint(made.options):
        return False
    if not all(map(_is_said, spec.args)):
        return False
    apart = _taken_apart(made) - set(_named(spec))
    own = (leaf for leaf, _ in leaves(it, part) if isinstance(leaf, Array) and is_of_lane(leaf, made.node))
    if not apart or next(own, None) is None:
        return False
    name = made.name.rpartition(".")[2]
    return it.emit(events.SpecsMisfit(node, name, "own", "out_specs", repr(min(apart))))


def _taken_apart(made: Transformed) -> set[str]:
    """The axes of the mesh along which every argument is cut: what is computed of any of them differs along those."""
    told = made.options.get("in_specs")
    named = [
        set(_named(spec)) if isinstance(spec, ExternalInstance) and spec.made_by in _SPECS else set[str]()
        for spec in (told.items if isinstance(told, Tuple) else (told,))
    ]
    return set[str].intersection(*named) if named else set()


def axes_of(it: Interpreter, mesh: Value | None) -> list[str] | None:
    """The names of the axes of a mesh, if it is seen how that was made."""
    if not isinstance(mesh, ExternalInstance) or mesh.made_by not in _MESHES:
        return None
    names = mesh.kwargs.get("axis_names") or (mesh.args[1] if len(mesh.args) > 1 else None)
    if isinstance(names, Const) and isinstance(names.value, str):
        return [names.value]
    items = known_items(it, names, KNOWN_ITEMS.value) if isinstance(names, (Tuple, Container)) else None
    found = [item.value for item in items or () if isinstance(item, Const) and isinstance(item.value, str)]
    return found if items is not None and len(found) == len(items) else None


def _specs(it: Interpreter, value: Value | None, depth: int = 0) -> Iterator[ExternalInstance]:
    if isinstance(value, ExternalInstance) and value.made_by in _SPECS:
        yield value
    elif isinstance(value, (Tuple, Container)) and depth <= LEAF_DEPTH.value:
        for item in known_items(it, value, KNOWN_ITEMS.value) or ():
            yield from _specs(it, item, depth + 1)


def _named(spec: ExternalInstance) -> Iterator[str]:
    """The axes of the mesh that a spec names."""
    for part in spec.args:
        for item in part.items if isinstance(part, Tuple) else (part,):
            if isinstance(item, Const) and isinstance(item.value, str):
                yield item.value


def _is_too_long(it: Interpreter, name: str, option: str, spec: Value | None, value: Value, node: ast.AST) -> bool:
    """Whether a spec is of more axes than an array has."""
    if not isinstance(spec, ExternalInstance) or spec.made_by not in _SPECS or not isinstance(value, Array):
        return False
    ndim = None if value.declared else value.ndim
    last = max((at + 1 for at, part in enumerate(spec.args) if _is_name(part)), default=0)
    if ndim is None or last <= ndim:
        return False
    return it.emit(events.SpecsMisfit(node, name, "long", option, str(last), described(it, value)))


def _is_said(part: Value) -> bool:
    """Whether the axes that a part of a spec names are known."""
    if isinstance(part, Tuple):
        return all(map(_is_said, part.items))
    return isinstance(part, Const)


def _is_name(part: Value) -> bool:
    return isinstance(part, Tuple) or (isinstance(part, Const) and isinstance(part.value, str))
