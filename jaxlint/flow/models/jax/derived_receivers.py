"""The classes whose objects a traced method may be given: its own, and those derived from that which replace what the
method comes to, as `step_env` of an environment whose base class compiles `step`."""

from __future__ import annotations

from jaxlint.flow.domain.values import ClassValue, Function, Transformed, innermost
from jaxlint.flow.limits import DERIVED_CLASSES
from jaxlint.flow.models.jax.jitted_methods import takes_an_object
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.reaching import reached_from
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import is_abstract, parameters


def receivers(it: Interpreter, made: Transformed, function: Function) -> list[ClassValue | None]:
    """The classes to enter a traced function with, one by one; None for what is no method.  A class that leaves a
    method to others has no objects."""
    owner, (_, bound, _) = function.owner, innermost(made)
    first = next(iter(parameters(function.node)), None)
    if owner is None or bound or function.kind or first is None or not takes_an_object(it, made, function, first.arg):
        return [owner]
    line = classes.linearized(owner)
    words = reached_from(it, line, {function.name})
    hooks = {word: found for word in words if isinstance(found := classes.find_member(it, owner, word), Function)}
    derived = [one for one in _derived(it, function, owner) if _replaces(it, one, hooks)]
    is_left_open = bool(derived) and any(is_abstract(hook.node) for hook in hooks.values())
    if len(derived) > DERIVED_CLASSES.value:
        it.meets(DERIVED_CLASSES, made.node)
        derived = derived[: DERIVED_CLASSES.value]
    return [*derived] if is_left_open else [owner, *derived]


def _derived(it: Interpreter, function: Function, owner: ClassValue) -> list[ClassValue]:
    """The classes derived from the method's own that have the very same method."""
    found = []
    for other in it.all_classes(owner):
        line = classes.linearized(other)
        if other is not owner and owner in line:
            before = line[: line.index(owner)]
            if not any(function.name in it.state.read(part.frame) for part in before):
                found.append(other)
    return sorted(found, key=lambda cls: (cls.scope.name, cls.name))


def _replaces(it: Interpreter, cls: ClassValue, hooks: dict[str, Function]) -> bool:
    return any(classes.find_member(it, cls, name) is not hook for name, hook in hooks.items())
