"""Numbers in the structure of a pytree that a loop hands to a compiled function, others in every pass.

What is a field of the structure (``meta_fields``, ``pytree_node=False``, ``static=True``, or what `tree_flatten` gives
as the second) is no leaf: compiled code is found by it, and by its being equal.  A counter among them is another one
at each call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, Instance, Transformed
from jaxlint.flow.models.jax.transforms import static_given
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.instances import is_static_field
from jaxlint.flow.observers.changing_shapes import passed
from jaxlint.flow.observers.changing_statics import passes_are_few
from jaxlint.flow.observers.recompilation import in_every_pass
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.compiling import BY_STATIC_ARGUMENTS

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def note_call(it: Interpreter, made: Transformed, args: Arguments, node: ast.Call) -> None:
    """A compiled function is called: whether the structure of an argument is another one than in the pass before."""
    own = [loop for loop, _ in it.loops[it.activation.around :] if isinstance(loop, _LOOPS)]
    if not own or made.name not in BY_STATIC_ARGUMENTS or it.ctx.tracing or it.muted or args.open_ended:
        return
    loop = own[-1]
    if passes_are_few(loop) or not in_every_pass(node, loop):
        return
    static = {given.written for given in static_given(it, made, args, node)}
    for written, value in passed(args, node):
        if written in static or not isinstance(value, Instance) or not classes.is_pytree(it, value.cls):
            continue
        numbers = dict(_numbers(it, value))
        if not numbers:
            continue
        before = it.passed.get(written)
        it.passed[written] = value
        it.repeating.add(loop)
        earlier = dict(_numbers(it, before)) if isinstance(before, Instance) and before.cls is value.cls else {}
        for name, number in numbers.items():
            if earlier.get(name, number) != number:
                event = events.StaticAnew(node, made.name, name, it.definition(), loop, it.frame.scope)
                event.parameter, event.in_structure = ast.unparse(written), True
                it.emit(event)
                return


def _numbers(it: Interpreter, value: Instance) -> Iterator[tuple[str, int | float]]:
    """The fields of an object's structure that are known numbers."""
    for name, held in it.state.read(value).items():
        if isinstance(held, Const) and type(held.value) in (int, float) and is_static_field(it, value.cls, name):
            yield name, held.value
