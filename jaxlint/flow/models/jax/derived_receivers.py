"""The classes whose objects a traced method may be given: its own, and those derived from that which replace what the
method comes to, as `step_env` of an environment whose base class compiles `step`."""

from __future__ import annotations

from jaxlint.flow.domain.values import ClassValue, Function, Transformed, innermost
from jaxlint.flow.models.jax.jitted_methods import takes_an_object
from jaxlint.flow.models.objects.replacing import replacing
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import is_abstract, parameters


def receivers(it: Interpreter, made: Transformed, function: Function) -> list[ClassValue | None]:
    """The classes to enter a traced function with, one by one; None for what is no method.  A class that leaves a
    method to others has no objects."""
    owner, (_, bound, _) = function.owner, innermost(made)
    first = next(iter(parameters(function.node)), None)
    if owner is None or bound or function.kind or first is None or not takes_an_object(it, made, function, first.arg):
        return [owner]
    derived, hooks = replacing(it, function, owner, frozenset((function.name,)), made.node)
    is_left_open = bool(derived) and any(isinstance(hook, Function) and is_abstract(hook.node) for hook in hooks)
    return [*derived] if is_left_open else [owner, *derived]
