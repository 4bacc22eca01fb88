"""Parameters that linen and haiku modules make when they are first called, and where that must not be."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import NeedsCaller
from jaxlint.flow.domain.values import NONE, ExternalInstance, Frame, Function, Instance, Opaque, Value
from jaxlint.flow.limits import LIBRARY_LAYERS
from jaxlint.flow.models.arrays.conditions import PARAMETERS_MADE
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.vocabulary.findings import Certainty

CALLED = Opaque("the modules that were called")
"""The owner, in the state, of what is kept of modules that were called where their parameters may be made: it only
keeps findings back."""

_RAW_LOOPS = frozenset(
    "jax.lax.scan jax.lax.cond jax.lax.switch jax.lax.while_loop jax.lax.fori_loop jax.lax.map "
    "jax.checkpoint jax.remat".split()
)
_WITHOUT = frozenset("flax.linen.Dropout haiku.Flatten haiku.Reshape haiku.AvgPool haiku.MaxPool".split())
_OF_LAYERS = frozenset("flax.linen.Sequential haiku.Sequential".split())


def note_module_call(it: Interpreter, module: Value, node: ast.AST) -> None:
    """A module is called.  A library's own makes its parameters then: inside a raw loop of jax as tracers, unless they
    are there or no ``init`` comes here."""
    if it.transform not in _RAW_LOOPS and not _is_compiled_inside(it):
        if _is_of_library(module) or (isinstance(module, Instance) and classes.is_module(module.cls)):
            it.state.write(CALLED)[module] = NONE
        return
    if (
        not isinstance(module, ExternalInstance)
        or not _makes_parameters(it, module)
        or PARAMETERS_MADE in it.state.guards
    ):
        return
    if it.state.is_summarised:
        raise NeedsCaller
    methods = list(methods_around(it))
    before = it.state.read(CALLED)
    if module in before or any(receiver in before for _, receiver in methods):
        return
    package = module.made_by.rpartition(".")[0]
    event = events.ModuleInRawTransform(node, module.made_by, package)
    if methods and package == "flax.linen":
        function, receiver = methods[0]
        runs = it.run_by_init(_names_of(function, receiver), function.name)
        if runs is False:
            return
        if runs is None:
            event.certainty = Certainty.POSSIBLE
    it.emit(event)


def _is_compiled_inside(it: Interpreter) -> bool:
    """Whether a method of a module has compiled what runs; where all of a model is compiled, its parameters come out
    with the rest."""
    return it.transform == "jax.jit" and any(frame.ctx is not it.ctx for frame in _frames_around(it))


def _is_of_library(module: Value) -> bool:
    if not isinstance(module, ExternalInstance):
        return False
    package, _, short = module.made_by.rpartition(".")
    return package in ("flax.linen", "haiku") and short[:1].isupper()


def _makes_parameters(it: Interpreter, module: ExternalInstance) -> bool:
    """Whether a library's module has parameters, as far as it or its layers are known."""
    if not _is_of_library(module) or module.made_by in _WITHOUT:
        return False
    if module.made_by not in _OF_LAYERS:
        return True
    layers = [layer for value in module.args for layer in (known_items(it, value, LIBRARY_LAYERS.value) or [])]
    return any(isinstance(layer, ExternalInstance) and _makes_parameters(it, layer) for layer in layers)


def methods_around(it: Interpreter) -> Iterator[tuple[Function, Value]]:
    """The methods of modules that are running, outermost first, each with its object."""
    for frame in _frames_around(it):
        function = frame.function
        assert function is not None
        parameters = function.node.args
        first = next(iter((*parameters.posonlyargs, *parameters.args)), None)
        yield function, it.state.read(frame).get(first.arg, NONE) if first is not None else NONE


def _frames_around(it: Interpreter) -> Iterator[Frame]:
    for frame in (*(call[0] for call in it.calls), it.frame):
        around: Frame | None = frame
        while around is not None:
            function = around.function
            if function is not None and function.owner is not None and classes.is_module(function.owner):
                yield around
            around = around.parent


def _names_of(function: Function, receiver: Value) -> tuple[str, ...]:
    cls = receiver.cls if isinstance(receiver, Instance) else function.owner
    assert cls is not None
    return tuple(part.name for part in classes.linearized(cls))


def has_parameters(layer: ExternalInstance) -> bool:
    """Whether what a layer of flax linen gives depends on parameters of its own, whatever its options are."""
    return layer.made_by in _WITH_PARAMETERS


_WITH_PARAMETERS = frozenset(
    f"flax.linen.{layer}" for layer in "Conv ConvLocal ConvTranspose Dense DenseGeneral Einsum Embed".split()
)
