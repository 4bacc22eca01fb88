"""What a compiled function reads of an object while JAX traces it: a later call finds the compiled function, and with
it the numbers, arrays and trees of then.

That is so where the object is no argument that is traced: it is static and known by its identity, the function is a
method that was bound to it or closes over it, or such an object holds it.  What was read is in the state, as a cell of
the trace, so that it is known on the paths on which the function was called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import LentCell, NeedsCaller, known_of
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import (
    COMPILED,
    COMPUTED,
    CONCRETE,
    DIFFERENCE,
    SQUARE,
    Array,
    Const,
    Container,
    Frame,
    Function,
    HostArray,
    Instance,
    KeptTrace,
    Key,
    Opaque,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    innermost,
)
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import free_names
from jaxlint.flow.source.set_anew import is_set_later, makes_argument, only_form

_COMPILING = frozenset(("jax.jit", "jax.pmap"))
_ARRAYS = (Const, Array, HostArray, Key)
_MAY_BE_ARRAYS = (Array, HostArray, Key, Tree, Opaque)
_DATA = (Const, Static, *_MAY_BE_ARRAYS, Container, Tuple, Union)
_NUMBERS = ("int", "float")


def owners_of(it: Interpreter, made: Transformed, static: list[Value]) -> dict[Instance, Instance]:
    """The objects whose attributes are constants of what ``made`` compiles, if they are found again by their identity,
    each with the one that it is reached from; ``static`` are the arguments that are static."""
    if made.name not in _COMPILING or it.ctx.tracing:
        return {}
    function = innermost(made.function)[0]  # jit(value_and_grad(self.loss)) finds `self` by identity as well
    bound = getattr(function, "receiver", None)
    roots = [value for value in static if isinstance(value, Instance) and _is_found_by_identity(it, value)]
    if isinstance(bound, Instance) and _has_no_library_base(bound):  # methods compare their objects with `is`
        roots.append(bound)
    owners: dict[Instance, Instance] = {}
    for root in (*roots, *_closed_over(it, function)):
        reached = [root]
        for owner in reached:
            if owner not in owners:
                owners[owner] = root
                reached += _held_by(it, owner)
    return owners


def _closed_over(it: Interpreter, function: Value | None) -> Iterator[Instance]:
    """The objects that are variables of the functions around the one that is compiled, and that it names."""
    if not isinstance(function, Function) or function.frame is None:
        return
    names = set(free_names(function.node, it.facts_of(function.node)))
    frame: Frame | None = function.frame
    while frame is not None and frame.function is not None:
        held = known_of(it.state.read(frame))
        for name in sorted(names & held.keys()):
            names.discard(name)
            if isinstance(value := held[name], Instance) and _has_no_library_base(value):
                yield value
        frame = frame.parent


def _held_by(it: Interpreter, owner: Instance) -> list[Instance]:
    held = known_of(it.state.read(owner)).values()
    return [value for value in held if isinstance(value, Instance) and _has_no_library_base(value)]


def _has_no_library_base(owner: Instance) -> bool:
    return classes.external_bases(owner.cls) <= classes.OF_IDENTITY


def _is_found_by_identity(it: Interpreter, owner: Instance) -> bool:
    special = any(classes.find_member(it, owner.cls, name) is not None for name in ("__eq__", "__hash__"))
    is_record = classes.fields_in_order(owner.cls) is not None
    return _has_no_library_base(owner) and not special and not is_record and not classes.is_pytree(it, owner.cls)


@contextmanager
def reading(
    it: Interpreter, made: Transformed, owners: dict[Instance, Instance], static: list[Value], node: ast.AST
) -> Iterator[None]:
    """Runs the trace of a call; what it reads of ``owners`` and leaves as it is, the next one with the same ``static``
    arguments is held against."""
    if not owners:
        yield
        return
    others = tuple(_told_apart(value) for value in static if value not in owners)
    traces = []
    for owner, root in owners.items():  # what is found by its arguments is found again if it is compiled again
        compiled = made.node if root in static else made.function
        traces.append(_trace(it, (owner, root, compiled, others), owner, node))
    before = [dict(known_of(it.state.read(owner))) for owner in owners]
    for trace, held in zip(traces, before):
        trace.begun_with = held
    it.traces_read.append(traces)
    try:
        yield
    finally:
        it.traces_read.pop()
    for trace, then in zip(traces, before):
        after = known_of(it.state.read(trace.owner))
        read = it.state.read(trace).items()
        changed = [name for name, value in read if after.get(name, value) is not then.get(name, value)]
        for name in changed:
            del it.state.write(trace)[name]


def _told_apart(value: Value) -> Any:
    """What one static argument is told from another by: of one that is not known, that it is that one."""
    return (type(value.value), value.value) if isinstance(value, Const) and _is_hashable(value.value) else value


def _is_hashable(value: object) -> bool:
    return isinstance(value, (bool, int, float, complex, str, bytes, type(None)))


def _trace(it: Interpreter, marker: tuple[Any, ...], owner: Instance, node: ast.AST) -> KeptTrace:
    trace = it.kept_traces.setdefault(marker, KeptTrace(owner, it.frame.scope, node))
    trace.scope, trace.node = it.frame.scope, node
    return trace


def forget(it: Interpreter) -> None:
    """What has been compiled is thrown away: the next calls trace anew, and read what there is then."""
    for trace in it.kept_traces.values():
        it.state.write(trace).clear()


def is_found_again(it: Interpreter, owner: Instance, value: Value) -> bool:
    """Whether a trace finds an object by its identity, and data in it."""
    is_data = isinstance(value, _DATA) and getattr(value, "level", CONCRETE) == CONCRETE
    return is_data and owner.level == CONCRETE and not it.muted and _is_found_by_identity(it, owner)


def note_read(it: Interpreter, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """A trace reads an attribute: of an object that is static for it it may be another one than at the last call."""
    trace = next((trace for trace in it.traces_read[-1] if trace.owner is owner), None)
    is_lent = isinstance(it.state.read(owner), LentCell)
    if (trace is None and not is_lent) or it.muted or not it.ctx.staging or not isinstance(value, _DATA):
        return
    if getattr(value, "level", CONCRETE) != CONCRETE:
        return  # a tracer, which this trace has stored there: no constant of it
    if not it.ask_program(is_set_again, name):
        return
    if is_lent:
        raise NeedsCaller  # which object it is, and what has been compiled of it, the caller knows
    if trace is None or _is_stored_by(it, trace, owner, name):
        return
    others = _others(it, trace, {name: value, **_items(it, name, value)})
    if others and not asks_for_form(it, node):
        changed = Provenance(Why.ANOTHER, (name,), trace.scope, trace.node)
        known = [pair for pair in others if _is_known_other(it, *pair)]
        is_known = any(_is_float(now) for _, now in known)  # no size of anything is made of that
        is_known = is_known or (bool(known) and not it.ask_text(trace.scope, makes_argument, trace.node, name))
        it.emit(events.StaleRead(node, ast.unparse(node), changed, unsure=not is_known))


def _is_stored_by(it: Interpreter, trace: KeptTrace, owner: Instance, name: str) -> bool:
    """Whether the trace itself has stored an attribute; what an object has of its class is as old as that."""
    if name not in trace.begun_with and classes.find_member(it, owner.cls, name) is not None:
        return False
    return known_of(it.state.read(owner)).get(name) is not trace.begun_with.get(name)


def _items(it: Interpreter, name: str, value: Value) -> dict[Any, Value]:
    """What a list or dict holds that an attribute is."""
    if not isinstance(value, Container):
        return {}
    return {(name, item): held for item, held in known_of(it.state.read(value)).items() if isinstance(held, _DATA)}


def _others(it: Interpreter, trace: KeptTrace, read: dict[Any, Value]) -> list[tuple[Value, Value]]:
    """What was read by an earlier trace and is something else for this one, which is kept for the next."""
    before = it.state.read(trace)
    if all(before.get(name) is value for name, value in read.items()):
        return []
    found = [(then, value) for name, value in read.items() if (then := before.get(name)) is not None]
    it.state.write(trace).update(read)
    if trace not in it.state.read(COMPILED):
        it.state.write(COMPILED)[trace] = trace
    pairs = ((old, new) for then, now in found for old in _options(then) for new in _options(now))
    kept = {id(option) for then, _ in found for option in _options(then)}
    return [(then, now) for then, now in pairs if id(now) not in kept and _are_other_data(it, then, now)]


def _is_known_other(it: Interpreter, then: Value, now: Value) -> bool:
    """Whether both are numbers or arrays for certain; of two numbers that are not known one may be a join with the
    other."""
    if isinstance(then, Static) and isinstance(now, Static):
        return False
    return _is_number(now) or (_hold(it, then, _ARRAYS) and _hold(it, now, _ARRAYS))


def _options(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, Union) else (value,)


def _is_number(value: Value) -> bool:
    """Whether it is a number, or has been computed with operators, so that it is one or an array."""
    if isinstance(value, Const):
        return type(value.value) in (int, float)
    if isinstance(value, Static):
        return value.kind in _NUMBERS
    return isinstance(value, Opaque) and value.text in (COMPUTED, DIFFERENCE, SQUARE)


def _is_float(value: Value) -> bool:
    if isinstance(value, Const):
        return type(value.value) is float
    return isinstance(value, Static) and value.kind == "float"


def _are_other_data(it: Interpreter, then: Value, now: Value) -> bool:
    """Whether both are numbers or arrays, or may hold some, and one has taken the place of the other."""
    if isinstance(then, Const) and isinstance(now, Const):
        is_number = all(isinstance(part.value, (int, float)) for part in (then, now))
        return is_number and then.value != now.value
    if isinstance(then, Key) and isinstance(now, Key):
        return then.ident is not now.ident
    if _is_number(now) and (_is_number(then) or isinstance(then, Opaque)):
        return True
    return _hold(it, then, _MAY_BE_ARRAYS) and _hold(it, now, _MAY_BE_ARRAYS)


def _hold(it: Interpreter, value: Value, kinds: tuple[type, ...], depth: int = 2) -> bool:
    """Whether a value is of one of these kinds, or a list, dict or tuple with such a one in it."""
    if isinstance(value, (Container, Tuple)):
        parts = value.items if isinstance(value, Tuple) else known_of(it.state.read(value)).values()
        return depth > 0 and any(_hold(it, part, kinds, depth - 1) for part in parts)
    return isinstance(value, kinds)


def is_set_again(it: Interpreter, name: str) -> bool:
    """Whether some code of the program sets the attribute other than where an object is made."""
    return any(it.ask_text(scope, is_set_later, name) for scope in it.scopes.values())


def asks_for_form(it: Interpreter, node: ast.AST) -> bool:
    """Whether what is read is only asked for its shape or dtype, which the next one has as well."""
    function = it.activation.function
    return function is not None and only_form(function.node, node)
