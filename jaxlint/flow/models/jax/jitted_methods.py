"""Methods that a transform is put around, and that get their object as an argument like any other."""

from __future__ import annotations

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Const, Function, Transformed
from jaxlint.flow.models.jax.transforms import static_parameters
from jaxlint.flow.models.objects.receivers import takes_objects
from jaxlint.flow.models.objects.registered import may_be_pytree
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.model import Abstracts

_TRACING = frozenset((Abstracts.ALL, Abstracts.MAPPED, Abstracts.DIFFERENTIATED, Abstracts.NODES))


def check_receiver(it: Interpreter, made: Transformed, function: Function) -> None:
    """A transformed function of which nobody knows the callers: whether it is a method that cannot be called."""
    cls = function.owner
    decorators = getattr(function.node, "decorator_list", ())
    spec = function.node.args
    first = next(iter((*spec.posonlyargs, *spec.args)), None)
    if cls is None or first is None or function.receiver is not None or made.node not in decorators:
        return
    if function.kind not in ("", "class") or _is_left_alone(it, made, first.arg):
        return
    if not function.kind and (not takes_objects(it, cls, first.arg, function) or may_be_pytree(it, cls)):
        return
    given = "" if function.kind else cls.name
    it.emit(events.TracedReceiver(function.node, function.qualified, first.arg, made.name, given), function.scope)


def takes_an_object(it: Interpreter, made: Transformed, function: Function, name: str) -> bool:
    """Whether callers may give a transformed function of a class an object of it.  One that reads nothing of an object
    and would fail for each is there to be called through the class, with something else."""
    cls, applied = function.owner, [made]
    while isinstance(applied[-1].function, Transformed):
        applied.append(applied[-1].function)
    return (
        cls is None
        or may_be_pytree(it, cls)
        or all(_is_left_alone(it, one, name) for one in applied)
        or takes_objects(it, cls, name, function)
    )


def _is_left_alone(it: Interpreter, made: Transformed, name: str) -> bool:
    """Whether the transform leaves the first argument as it is."""
    kind = made.wrapper.abstracts
    if kind not in _TRACING or not made.name.startswith(("jax.", "flax.nnx.")):
        return True
    if kind is Abstracts.MAPPED and made.wrapper.in_axes in made.options:
        return True
    if kind is Abstracts.DIFFERENTIATED and made.wrapper.argnums in made.options:
        numbers = made.options[made.wrapper.argnums]
        return not (isinstance(numbers, Const) and numbers.value == 0)
    return name in static_parameters(it, made)
