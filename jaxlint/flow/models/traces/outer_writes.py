"""Writes to what was made outside the trace: objects that outlive it, names of outer scopes, arguments.

Such a write happens once, at trace time, and may leave a tracer behind.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from copy import copy

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.slots import PUSH, Slot, Write, method_of
from jaxlint.flow.domain.sought import HOLDING, MENTIONING, Sought
from jaxlint.flow.domain.state import Guard, excluded
from jaxlint.flow.domain.values import (
    ABSTRACT,
    ATTRIBUTE,
    Array,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    Instance,
    Key,
    Opaque,
    Partial,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.models.arrays import arrays, changeable
from jaxlint.flow.models.traces.held_writes import hold, undoes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText, free_names, may_restore
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.vocabulary.findings import Certainty


def outlives(
    it: Interpreter, owner: Value, value: Value | None, target: str, what: str, node: ast.AST, slot: Slot
) -> None:
    """Reports a write into ``owner`` if it was made outside the trace that is running."""
    if not it.ctx.tracing or it.ctx.host:
        return
    if isinstance(owner, Container) and owner.parameter:
        argument_mutated(it, owner, _change(target, node, slot), value, node)
        return
    birth: Context | None = getattr(owner, "birth", None)
    if it.ctx.encloses(birth) or _may_be_new(it, owner) or _has_been_rebuilt(it, birth) or _is_spared(it, owner, value):
        return
    outer_write(it, target, what, value, node, slot, birth)


def _is_spared(it: Interpreter, owner: Value, value: Value | None) -> bool:
    """Whether nothing comes of a write for the conditions that it happens on."""
    return _is_newer(it, owner) or (not _is_traced(value) and _fills_a_cache(it, owner))


def _change(target: str, node: ast.AST, slot: Slot) -> events.Change:
    """What is done to a container."""
    if isinstance(slot.place, tuple) and slot.place[0] in _OF_ITEMS and not isinstance(slot.place[1], Value):
        return events.Change(_OF_ITEMS[slot.place[0]], "item", repr(slot.place[1]))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return events.Change("called", name=node.func.attr)
    return events.Change("set", target) if target in ("item", "attribute") else events.Change("changed", name=target)


_OF_ITEMS = {"item": "set", "deleted": "removed"}


def _is_newer(it: Interpreter, owner: Value) -> bool:
    """Whether one of two paths has left an object that is as old as that, and this one goes on from the other."""
    return isinstance(owner, (Container, Instance)) and excluded(owner.older_if, it.state.guards)


def _has_been_rebuilt(it: Interpreter, birth: Context | None) -> bool:
    """Whether an object was made in a trace that has ended: what a trace gives and the next one is given is taken apart
    at its border, so that this is a part of a tree of which the structure is not known."""
    return birth is not None and not birth.encloses(it.ctx)


def _may_be_new(it: Interpreter, owner: Value) -> bool:
    """An attribute of some object, met in a helper: the object may have been made inside the trace."""
    if not isinstance(owner, Container) or owner.birth is not None or owner.text != ATTRIBUTE:
        return False
    function = it.activation.function
    return function is None or function.node is not it.ctx.root


def _fills_a_cache(it: Interpreter, owner: Value) -> bool:
    """if name not in CACHE: CACHE[name] = …, and what else is done only where a name is not in an outer container."""
    return any(
        not guard.holds and any(part is owner or _is_register(it, guard, part) for part in guard.objects)
        for guard in it.state.conditions(Sought(HOLDING, (" in ",), (owner,)))
    )


def _is_register(it: Interpreter, guard: Guard, part: Value) -> bool:
    """Whether a condition asks if something is in a set or dict that traces leave to the next."""
    if " in " not in guard.text or not isinstance(part, Container) or part.kind not in ("set", "frozenset", "dict"):
        return False
    return part.birth is None or not it.ctx.encloses(part.birth)


def outer_write(
    it: Interpreter,
    target: str,
    what: str,
    value: Value | None,
    node: ast.AST,
    slot: Slot | None = None,
    birth: Context | None = None,
) -> None:
    """A write to something that lives longer than the trace."""
    if not it.ctx.tracing or it.ctx.host:
        return
    if target == "nonlocal" and _bound_inside(it, what):
        return
    if slot is not None and undoes(it, slot, value, tuple(it.stack)):
        return
    if isinstance(value, Union) and _is_traced(value):
        value = min(value.options, key=lambda option: option.level)
    elif value is not None:
        value = _kept_by(it, value) or value
    if isinstance(value, Key) and not value.level:
        value = _as_tracer(it, value)
    level = value.level if isinstance(value, (Array, Tree, Key)) else 0
    if level:
        if not it.ctx.leaks(birth, level, getattr(value, "provenance", None)):
            return
    elif (
        not it.ctx.staging
        or it.ctx.is_of_trace(birth)
        or _is_restored(it, target, what)
        or _is_idempotent(it, target, what, value, node)
    ):
        return  # under plain grad and vmap the write happens at every call
    if target == "item" and _is_scratch_list(it, what, node):
        return
    how = method_of(slot) if slot is not None and target == "method" else ""
    event = events.OuterWrite(node, target, what, value, how)
    if not level and slot is not None and (_may_be_meant(target, slot, value) or _counts_traces(it, what, slot)):
        event.certainty = Certainty.POSSIBLE
    if slot is None:
        it.emit(event)
    elif it.emit(event, deliver=False):
        hold(it, slot, event, tuple(it.stack))


def _as_tracer(it: Interpreter, key: Key) -> Key:
    """A key as the tracer that it is where the trace makes it; what comes of a constant is known by that elsewhere."""
    if not it.ctx.staging or it.ctx.concrete or not _is_made_here(it, key):
        return key
    made = copy(key)
    made.level, made.provenance = ABSTRACT, it.ctx.provenance
    return made


def _is_made_here(it: Interpreter, key: Key) -> bool:
    """Whether what is running under the trace has made a key, or the keys that it is one of."""
    idents = (key.ident, key.ident.parent)
    made = [ident.site for ident in idents if ident is not None and ident.site is not None]
    inside = itertools.chain(
        itertools.takewhile(lambda one: one is not it.ctx.root, it.running(len(it.stack))), [it.ctx.root]
    )
    spans = [(node.lineno, node.end_lineno or node.lineno) for node in inside if isinstance(node, FunctionNode)]
    return any(
        scope is it.frame.scope and first <= getattr(node, "lineno", 0) <= last
        for scope, node in made
        for first, last in spans
    )


def write_again(it: Interpreter, write: Write) -> None:
    """A write of a summary, told as what it is in a call of it, on the conditions of that."""
    slot, event, running = write.slot, write.event, (*it.stack, *write.running)
    if isinstance(slot.owner, Frame):
        if _is_filled_once(it, slot.place[1]):
            return
    elif _is_spared(it, slot.owner, write.value):
        return
    if not undoes(it, slot, write.value, running) and event is not None and it.counts(event):
        hold(it, slot, event, running)


def _kept_by(it: Interpreter, value: Value) -> Value | None:
    """A tracer that what is stored keeps: one in a container, or one that a function closes over."""
    if isinstance(value, (Container, Tuple)):
        return arrays.tracer_in(it, value)
    if isinstance(value, Partial):
        kept = (_kept_by(it, part) or arrays.tracer_in(it, part) for part in (value.function, *value.args))
        return next((tracer for tracer in kept if tracer is not None), None)
    if isinstance(value, ExternalInstance) and value.made_by in _OF_OPERANDS:
        return next(filter(None, (arrays.tracer_in(it, part) for part in value.args)), None)
    if not isinstance(value, Function):
        return None
    names, frame = free_names(value.node, it.facts_of(value.node)), value.frame
    while frame is not None and names:
        variables = it.state.read(frame)
        for name in sorted(names & variables.keys()):
            if (tracer := arrays.tracer_in(it, variables[name])) is not None:
                return tracer
        names, frame = names - variables.keys(), frame.parent
    return None


_OF_OPERANDS = ("jax.vjp", "jax.linearize")
"""What gives functions that keep what they were made of: the slopes at these operands."""


def _may_be_meant(target: str, slot: Slot, value: Value | None) -> bool:
    """Whether a trace may well have been made for what it writes: for a shape, or for something nobody knows."""
    if target in ("global", "nonlocal"):
        return slot.step is None and isinstance(value, Opaque) and value.derived is None
    if target == "item" and slot.step is not None and isinstance(slot.step.target, ast.Subscript):
        return not isinstance(slot.step.target.slice, ast.Constant)  # a number for each name that a trace comes by
    return (slot.place == PUSH or target == "class") and _is_learnt(value)


def _counts_traces(it: Interpreter, what: str, slot: Slot) -> bool:
    """Whether a count that is raised by a constant, or a list that grows, is asserted somewhere in the module: of how
    often JAX traces, and for what."""
    scope = it.frame.scope
    is_count = slot.step is not None and isinstance(slot.step.value, ast.Constant)
    if not (is_count or slot.place == PUSH) or scope.tree is None:
        return False
    return it.ask_text(scope, _is_asserted, what.partition("[")[0].rpartition(".")[2])


def _is_asserted(scope: ModuleText, name: str) -> bool:
    """Whether an `assert` of the module looks at a name or attribute."""
    return name in scope.walked().asserted


def _is_learnt(value: Value | None) -> bool:
    """A shape, a tree's structure, a function: what one traces for to find out, so that once is enough."""
    if isinstance(value, Static):
        return value.of_shape
    if isinstance(value, Tuple):
        return all(map(_is_learnt, value.items))
    return isinstance(value, (Function, Partial))


def _is_traced(value: Value | None) -> bool:
    if isinstance(value, Union):
        return all(map(_is_traced, value.options))
    return isinstance(value, (Array, Tree, Key)) and value.level > 0 and getattr(value, "sure", True)


def _is_idempotent(it: Interpreter, target: str, what: str, value: Value | None, node: ast.AST) -> bool:
    """self.size = x.shape[0], table[0] = graphdef, a global that is filled when it is None: doing it once is as
    good as doing it at every call.  A count or a value made from the old one is not."""
    if it.transform.rpartition(".")[2] in ("eval_shape", "make_jaxpr", "closure_convert"):
        return True  # traced once, to look at what comes out
    if target in ("global", "nonlocal"):
        if _is_filled_once(it, what):
            return True
        if isinstance(value, Opaque) or it.assigned is None or not _is_only_writer(it, what):
            return False
        return _settles(it, it.assigned, what)
    if target == "attribute":
        return isinstance(node, ast.Attribute) and not _is_made_of(it.assigned, what)
    if target != "item" or not isinstance(node, ast.Subscript) or it.assigned is None:
        return False
    root = what.partition(".")[0].partition("[")[0]
    return not any(isinstance(part, ast.Name) and part.id == root for part in descendants(it.assigned))


def _is_made_of(node: ast.expr | None, what: str) -> bool:
    """Whether an attribute is computed from what it was before, and not only kept where it is something."""
    if node is None or isinstance(node, (ast.BoolOp, ast.IfExp)):
        return False
    return any(isinstance(part, ast.Attribute) and dotted(part) == what for part in descendants(node))


def _is_filled_once(it: Interpreter, name: str) -> bool:
    """Whether code runs only while a variable is None."""
    known = it.state.conditions(Sought(MENTIONING, (f"'{name}'",)))
    return any(guard.holds and guard.constant == ("==", None) for guard in known)


def _settles(it: Interpreter, node: ast.expr, name: str) -> bool:
    """Whether ``name = node`` does nothing more the second time: the old value is not in it, or only converted."""
    if isinstance(node, ast.Name) and node.id == name:
        return True
    if isinstance(node, ast.BoolOp):
        return all(_settles(it, part, name) for part in node.values)
    if isinstance(node, ast.IfExp):
        return _settles(it, node.body, name) and _settles(it, node.orelse, name)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        with it.quiet():
            function = it.eval(node.func)
        if isinstance(function, External) and function.name in _CONVERSIONS:
            return _settles(it, node.args[0], name)
    return not any(isinstance(part, ast.Name) and part.id == name for part in descendants(node))


_CONVERSIONS = frozenset(
    "builtins.int builtins.float builtins.bool builtins.complex builtins.str builtins.tuple builtins.list "
    "builtins.dict builtins.set builtins.frozenset builtins.sorted builtins.abs numpy.asarray numpy.array numpy.ravel "
    "numpy.float32 numpy.float64 numpy.int32 numpy.int64 numpy.dtype jax.numpy.asarray jax.numpy.array "
    "jax.numpy.ravel".split()
)
"""Functions that give what they are given back when it is what they gave before."""


def _is_only_writer(it: Interpreter, name: str) -> bool:
    """Whether nothing but this function and a first assignment binds a global or a variable around: then what the
    trace has left is what every call would leave."""
    function = it.activation.function
    frame = it.frame_of(name)
    if function is None:
        return False
    if frame is it.frame.scope.frame:
        it.look_at(frame.scope)
        around: ast.AST | None = frame.scope.tree
        rebound = frame.scope.rebound.get(name, [])
        others = sum(not isinstance(node, ast.Global) for node in rebound)
        first = 0
    else:
        around = frame.function.node if frame.function is not None else None
        bindings = it.facts_of(frame.function.node).stored.get(name, ()) if frame.function is not None else ()
        others, first = _in_loops(around, bindings, function.node), len(bindings)
    if around is None or others or first > 1:
        return False
    declares = (ast.Global, ast.Nonlocal)
    writers = {
        outer
        for outer in descendants(around)
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef))
        and any(isinstance(part, declares) and name in part.names for part in outer.body)
    }
    return writers <= {function.node}


def _in_loops(around: ast.AST | None, bindings: Iterable[ast.AST], function: ast.AST) -> int:
    """How many bindings are made again in every pass of a loop that the function is not defined in."""
    loops = [part for part in descendants(around) if isinstance(part, (ast.For, ast.While))] if around else []
    outside = [loop for loop in loops if not _contains(loop, function)]
    return sum(any(_contains(loop, binding) for loop in outside) for binding in bindings)


def _contains(outer: ast.AST, node: ast.AST) -> bool:
    start, end = getattr(outer, "lineno", 0), getattr(outer, "end_lineno", 0)
    return bool(start <= getattr(node, "lineno", -1) <= end)


def _is_scratch_list(it: Interpreter, what: str, node: ast.AST) -> bool:
    """A list of the enclosing function that only the running one looks at, and only after it has written to it:
    neither what comes after the trace nor the next one reads what this one leaves."""
    if isinstance(node, ast.AugAssign):
        return False
    root = what.partition(".")[0].partition("[")[0]
    function = it.activation.function
    frame = it.frame.parent
    while frame is not None and root not in it.state.read(frame):
        frame = frame.parent
    if frame is None or frame.function is None or function is None:
        return False
    stores = {
        part.value
        for part in descendants(frame.function.node)
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load)
    }
    reads = [
        part
        for part in descendants(frame.function.node)
        if isinstance(part, ast.Name)
        and part.id == root
        and isinstance(part.ctx, ast.Load)
        and part not in stores
        and not getattr(node, "lineno", 0) <= part.lineno <= (function.node.end_lineno or 0)
    ]
    return all(_writes_first(frame.function.node, part, node) for part in reads)


def _writes_first(outer: ast.AST, read: ast.Name, node: ast.AST) -> bool:
    """Whether the function inside ``outer`` that reads a list sets the item that ``node`` sets before it does so."""
    inside = around(outer, read)
    if inside is None or inside is outer or not isinstance(node, ast.Subscript):
        return False
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.ctx, ast.Store)
        and ast.dump(part.slice) == ast.dump(node.slice)
        and isinstance(part.value, ast.Name)
        and part.value.id == read.id
        and part.lineno < read.lineno
        for part in descendants(inside)
    )


def _is_restored(it: Interpreter, target: str, what: str) -> bool:
    """Whether the function undoes the write: in a ``finally``, or as a context manager after its yield."""
    function = it.activation.function
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    facts = it.facts_of(function.node)
    owner = what.rpartition(".")[0] if target in ("attribute", "class") else ""
    return may_restore(function.node, facts) or owner in facts.restored or what in facts.restored


def _bound_inside(it: Interpreter, name: str) -> bool:
    """Whether a nonlocal belongs to a function that itself runs inside the current trace."""
    frame = it.frame.parent
    while frame is not None:
        if name in it.state.read(frame):
            function = frame.function
            return function is not None and frame.ctx is it.ctx
        frame = frame.parent
    return False


def argument_mutated(it: Interpreter, owner: Value, change: events.Change, value: Value | None, node: ast.AST) -> None:
    """Notes a change of a container argument; it is reported when the traced function does not return the container."""
    parameter = getattr(owner, "parameter", "")
    if not it.ctx.tracing or not parameter:
        return
    if isinstance(owner, Tree) and (owner.copied or changeable.may_be_given(it)):
        return
    looks = it.ctx.looked_at(parameter)
    is_seen = change.name in looks if change.of == "item" and change.name else bool(looks)
    event = events.ArgumentMutated(node, parameter, change, value, is_seen or "" in looks)
    if it.emit(event, deliver=False):
        it.activation.mutated.append((owner, event))
