"""What a compiled method reads of its object while JAX traces it: a later call finds the compiled function, and with it
the numbers of then.

That is so where the object is no argument that is traced: it is static and known by its identity, or the function is a
method that was bound to it.  What was read is in the state, as a cell of the trace, so that it is known on the paths
on which the method was called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import Array, Const, HostArray, Instance, KeptTrace, Transformed, Value
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter

_COMPILING = frozenset(("jax.jit", "jax.pmap"))


def owner_of(it: Interpreter, made: Transformed, first: Value | None) -> Instance | None:
    """The object whose attributes are constants of what ``made`` compiles, if it is found again by its identity;
    ``first`` is the first argument, if that is static."""
    function = made.function
    owner = first if made.receiver is not None else getattr(function, "receiver", None)
    if made.name not in _COMPILING or it.ctx.tracing or not isinstance(owner, Instance):
        return None
    of_identity = classes.external_bases(owner.cls) <= classes.OF_IDENTITY
    special = any(classes.find_member(it, owner.cls, name) is not None for name in ("__eq__", "__hash__"))
    is_record = classes.fields_in_order(owner.cls) is not None
    return owner if of_identity and not special and not is_record and not classes.is_pytree(owner.cls) else None


@contextmanager
def reading(it: Interpreter, made: Transformed, owner: Instance | None, node: ast.AST) -> Iterator[None]:
    """Runs the trace of a call; what it reads of ``owner`` and leaves as it is, the next one is held against."""
    if owner is None:
        yield
        return
    marker = (owner, made.node if made.receiver is not None else made.function)
    trace = it.kept_traces.setdefault(marker, KeptTrace(owner, it.frame.scope, node))
    trace.scope, trace.node = it.frame.scope, node
    before = dict(it.state.read(owner))
    it.traces_read.append(trace)
    try:
        yield
    finally:
        it.traces_read.pop()
    after, cell = it.state.read(owner), it.state.write(trace)
    for name in [name for name in cell if after.get(name) is not before.get(name)]:
        del cell[name]


def forget(it: Interpreter) -> None:
    """What has been compiled is thrown away: the next calls trace anew, and read what there is then."""
    for trace in it.kept_traces.values():
        it.state.write(trace).clear()


def note_read(it: Interpreter, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """A trace reads an attribute: of the object of a compiled method it may be another number than at the last call."""
    trace = it.traces_read[-1]
    if trace.owner is not owner or it.muted or not it.ctx.staging:
        return
    then = it.state.read(trace).get(name)
    it.state.write(trace)[name] = value
    if then is not None and _are_other_data(then, value):
        changed = Provenance(Why.ANOTHER, (name,), trace.scope, trace.node)
        it.emit(events.StaleRead(node, ast.unparse(node), changed))


def _are_other_data(then: Value, now: Value) -> bool:
    if isinstance(then, Const) and isinstance(now, Const):
        is_number = all(isinstance(part.value, (int, float)) for part in (then, now))
        return is_number and then.value != now.value
    data = (Const, Array, HostArray)
    return isinstance(then, data) and isinstance(now, data) and then is not now and type(then) is type(now)
