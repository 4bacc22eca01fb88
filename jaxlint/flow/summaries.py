"""Function summaries: what a call does in terms of its arguments, computed once and applied at each call.

A function is summarised when its arguments can be described without their identity; keys and unknown
values become symbols.  Everything else (closures over live frames, mutable arguments) is run in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from collections.abc import Iterator as PyIterator
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.flow import keys
from jaxlint.flow.contexts import Provenance
from jaxlint.flow.guards import NOT_TRACED
from jaxlint.flow.limits import MAX_VARIANTS, RESULT_DEPTH, SUMMARY_DEPTH, SUMMARY_ITEMS
from jaxlint.flow.retold import Reasons, Told, reason_of, with_own_reason
from jaxlint.flow.state import CallSite, State, Use
from jaxlint.flow.values import (
    Array,
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
    ModuleValue,
    Opaque,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.flow.interpreter import Interpreter


class Summary:
    """The result of one evaluation with symbolic arguments, the consumptions that leave it, and what was ``told``.

    ``general``: constants among the arguments were taken for any of their type.  What happens on a condition may
    then never happen in any of the calls: it is no consumption.
    """

    __slots__ = ("born", "general", "keys", "reason", "result", "state", "steps", "symbols", "told", "uses")

    def __init__(
        self,
        result: Value,
        symbols: list[Value],
        state: State,
        steps: int,
        born: int,
        reason: Provenance | None,
        general: bool,
        told: Told,
    ) -> None:
        self.result = result
        self.symbols = symbols
        self.state = state
        self.steps = steps
        self.born = born
        self.reason = reason
        self.general = general
        self.told = told
        self.keys = frozenset(
            ident
            for symbol in symbols
            if (not isinstance(symbol, Array) or symbol.has_key) and (ident := keys.key_of(symbol)) is not None
        )
        self.uses = list(self._lasting_uses())

    def is_older(self, ident: KeyId) -> bool:
        """A key of a module global: the call uses that very key, not one of its own."""
        return ident.serial < self.born and ident.root not in self.keys

    def _lasting_uses(self) -> PyIterator[tuple[KeyId, Use, tuple[Use, ...]]]:
        """The consumptions that the caller can notice, each key with the use that stands for all of its uses.

        A key that was made inside matters only where a part of it, or what it is part of, is returned.
        """
        returned = _related_keys(self.result, self.state)
        for ident, uses in self.state.uses.items():
            if self.general and any(use.guards for use in uses):
                continue
            if ident.root in self.keys or self.is_older(ident) or ident in returned:
                use = next((use for use in uses if use.how in keys.STRONG), None)
                use = use or next((use for use in uses if use.how == keys.HANDED), None)
                if use is not None:
                    yield ident, use, uses


def apply(it: Interpreter, function: Function, bound: dict[str, Value], node: ast.AST) -> Value:
    """Calls ``function``: from its summary if it has one, else by running it here."""
    if function.frame is not None or it.muted or it.expected or it.watch is not None or NOT_TRACED in it.state.guards:
        return _in_place(it, function, bound, node)
    describer = _Describer(it, general=False)
    signature = _signature(it, function, bound, describer)
    if signature is None:
        return _in_place(it, function, bound, node)
    summary = it.known_summary(signature)
    if summary is None and it.variants.get(family_of(signature), 0) >= MAX_VARIANTS.value:
        it.meets(MAX_VARIANTS, node)
        describer = _Describer(it, general=True)
        signature = _signature(it, function, bound, describer)
        assert signature is not None
        summary = it.known_summary(signature)
    if summary is None:
        summary = it.summarised(signature, lambda: _summarise(it, function, list(bound), describer))
    if isinstance(summary, Summary):
        return _Application(it, summary, describer.actual, node, function).run()
    return _in_place(it, function, bound, node)


def _signature(
    it: Interpreter, function: Function, bound: dict[str, Value], describer: _Describer
) -> tuple[Any, ...] | None:
    """What a summary of this call is kept under; None if an argument cannot be described."""
    parts = []
    for name, value in bound.items():
        described = describer.describe(value)
        if described is None:
            return None
        parts.append((name, described))
    return (function.node, it.ctx.signature, tuple(parts))


def family_of(signature: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the signatures have in common that differ in constants only."""
    if len(signature) < 3:
        return signature
    node, context, parts = signature
    return (node, context, tuple((name, _generalised(described)) for name, described in parts))


def _generalised(described: Any) -> Any:
    """The description with constants as any of their type."""
    if described[0] == "const" and described[2] is not None and described[1] is not bool:
        return ("static", described[1].__name__)
    if described[0] == "tuple":
        return ("tuple", described[1], tuple(map(_generalised, described[2])))
    return described


def _in_place(it: Interpreter, function: Function, bound: dict[str, Value], node: ast.AST) -> Value:
    """Runs the function here and now.  The call counts as a place where a key can be seen to be used twice."""
    saved = it.calls
    it.calls = _calls_to(it, node)
    try:
        return it.run_function(function, bound)
    finally:
        it.calls = saved


def _calls_to(it: Interpreter, node: ast.AST) -> tuple[CallSite, ...]:
    """The calls that lead into a function that is called at ``node``."""
    loops = tuple(entry for entry in it.loops if entry[0] is not node)
    return (*it.calls, (it.frame, node, it.frame.scope, loops))


class _Describer:
    """Turns argument values into a hashable description and a symbolic copy."""

    def __init__(self, it: Interpreter, general: bool) -> None:
        self.it = it
        self.general = general
        self.actual: list[Value] = []
        self.symbols: list[Value] = []
        self.copies: list[Value] = []
        self.seen: dict[int, int] = {}

    def describe(self, value: Value) -> Any:
        described = self._describe(value, 0)
        if described is not None:
            self.copies.append(self._copy(value))
        return described

    def _describe(self, value: Value, depth: int) -> Any:
        kind = type(value)
        if kind is Const:
            if self._generalises(value):
                return ("static", type(value.value).__name__, self._number(value))  # type: ignore[attr-defined]
            return ("const", type(value.value), value.value)  # type: ignore[attr-defined]
        describe = _DESCRIPTIONS.get(kind)
        if describe is not None:
            return describe(value)
        if (
            isinstance(value, Tuple)
            and depth < SUMMARY_DEPTH.value
            and len(value.items) <= SUMMARY_ITEMS.value
            and value.cls is None
        ):
            items = tuple(self._describe(item, depth + 1) for item in value.items)
            return None if None in items else ("tuple", value.fields, items)
        if isinstance(value, (Opaque, Key, Tree, Array, Static)):
            if isinstance(value, (Opaque, Tree)) and value in self.it.state.cells:
                return None
            return (*_symbol_description(value), self._number(value))
        if isinstance(value, Function) and value.frame is None and value.receiver is None:
            return ("function", value.node)
        return None

    def _generalises(self, value: Value) -> bool:
        """Whether a constant is described by its type alone."""
        return (
            self.general and isinstance(value, Const) and value.value is not None and not isinstance(value.value, bool)
        )

    def _number(self, value: Value) -> int:
        ident = keys.key_of(value) if not isinstance(value, Array) or value.has_key else None
        marker = id(ident) if ident is not None else id(value)
        number = self.seen.get(marker)
        if number is None:
            number = self.seen[marker] = len(self.actual)
            self.actual.append(value)
            self.symbols.append(with_own_reason(_symbol(value)))
        return number

    def _copy(self, value: Value) -> Value:
        if isinstance(value, Tuple):
            return Tuple(tuple(self._copy(item) for item in value.items), value.fields, value.cls)
        if isinstance(value, (Opaque, Key, Tree, Array, Static)) or self._generalises(value):
            return self.symbols[self._number(value)]
        return value


def _symbol_description(value: Value) -> tuple[Any, ...]:
    if isinstance(value, Opaque):
        return ("opaque", value.holds, value.of_host, value.derived is not None, value.leaf is not None)
    if isinstance(value, Static):
        return ("static", value.kind, value.of_shape, value.tainted is not None, value.concrete_if)
    if isinstance(value, Key):
        return (
            "key",
            value.dims,
            value.ranked,
            value.size,
            value.typed,
            value.level,
            value.ident.seed,
            keys.lane_of(value.ident),
        )
    if isinstance(value, Array):
        return ("array", value.level, value.kind, value.ndim, value.of_statics, value.declared)
    assert isinstance(value, Tree)
    lane = keys.lane_of(value.key) if value.has_key else 0
    return ("tree", value.level, value.sure, value.array_like, value.maybe_name, value.parameter, value.holds, lane)


def _symbol(value: Value) -> Value:
    """A stand-in of the same description with an identity of its own."""
    if isinstance(value, Const):
        return Static(type(value.value).__name__)
    if isinstance(value, Static):
        return Static(value.kind, value.of_shape, value.tainted, value.concrete_if)
    if isinstance(value, Opaque):
        symbol = Opaque(value.text, derived=value.derived, holds=value.holds, leaf=value.leaf)
        symbol.of_host = value.of_host
        return symbol
    if isinstance(value, Key):
        ident = KeyId(value.ident.text, value.ident.site, known=True, seed=value.ident.seed)
        ident.lane = keys.lane_of(value.ident)
        return Key(ident, value.batch, value.size, value.level, value.provenance, value.typed, value.dims, value.ranked)
    if isinstance(value, Array):
        key = KeyId("", None)
        key.lane = keys.lane_of(value.key) if value.has_key else 0
        return Array(
            value.level, value.provenance, value.kind, value.ndim, value.of_statics, value.sized, key, value.declared
        )
    assert isinstance(value, Tree)
    key = KeyId(value.parameter)
    key.lane = keys.lane_of(value.key) if value.has_key else 0
    return value.renamed(value.parameter, key)


_DESCRIPTIONS: dict[type, Any] = {
    HostArray: lambda value: ("host", value.readonly, value.kind),
    External: lambda value: ("external", value.name),
    ClassValue: lambda value: ("class", value.node),
    ModuleValue: lambda value: ("module", value.scope),
}

IN_PLACE = object()


def _summarise(it: Interpreter, function: Function, names: list[str], describer: _Describer) -> Any:
    """Evaluates the function on symbols; ``IN_PLACE`` if the result cannot leave its state.

    Nothing is reported of what happens to constants that stand for others.
    """
    symbols = describer.symbols
    born = KeyId("").serial
    created, held, mutated = len(it.activation.created), it.held, len(it.activation.mutated)
    it.ctx.uncopied |= {symbol for symbol, value in zip(symbols, describer.actual) if value in it.ctx.uncopied}
    supposed = it.supposing() if describer.general else nullcontext()
    with it.isolated(State(it.base), it.ctx, None), it.keeping() as told, supposed:
        result = it.run_function(function, dict(zip(names, describer.copies)))
        state, steps = it.state, it.steps
    del it.activation.created[created:]  # what it hands out is of a state that is gone
    changes = len(it.activation.mutated) > mutated
    del it.activation.mutated[mutated:]
    released = it.held is not held
    it.held = held
    if released or changes or not _portable(result, state, 0) or _writes_outside(it, state):
        told.tell(it, Reasons())
        return IN_PLACE
    return Summary(result, symbols, state, steps, born, it.ctx.provenance, describer.general, told)


def _writes_outside(it: Interpreter, state: State) -> bool:
    """Whether the function, or what it calls, has changed something that is still there after the call: a global, an
    object that is older, an argument.  Each call does so, and the next one finds what it has left."""
    older = it.state.cells
    return any(owner in it.base or owner in older or isinstance(owner, (Opaque, Tree)) for owner in state.cells)


def _portable(value: Value, state: State, depth: int) -> bool:
    if isinstance(value, (Const, Static, Array, HostArray, External, ClassValue, ModuleValue, Opaque, Key, Tree)):
        return True
    if depth > RESULT_DEPTH.value:
        return False
    if isinstance(value, Tuple):
        return all(_portable(item, state, depth + 1) for item in value.items)
    if isinstance(value, Union):
        return all(_portable(item, state, depth + 1) for item in value.options)
    if isinstance(value, (Container, Instance)):
        return all(_portable(item, state, depth + 1) for item in state.read(value).values())
    if isinstance(value, Function):
        return value.frame is None and value.receiver is None
    if isinstance(value, Iterator):
        return value.source is None and _portable(value.element, state, depth + 1)
    return isinstance(value, ExternalInstance) and not value.args and not value.kwargs


def _related_keys(result: Value, state: State) -> set[KeyId]:
    """The keys in a result, with the wholes they are of, the parts of those, and what was joined into them."""
    pending = list(_keys_in(result, state, 0))
    found: set[KeyId] = set()
    while pending:
        ident = pending.pop()
        ident = ident.origin
        if ident not in found:
            found.add(ident)
            pending += ident.parts.values()
            pending += ident.alternatives
            if ident.parent is not None:
                pending.append(ident.parent)
    return found


def _keys_in(value: Value, state: State, depth: int) -> PyIterator[KeyId]:
    if isinstance(value, Opaque):
        owner: Opaque | None = value
        while owner is not None:
            if owner.has_key:
                yield owner.key
            owner = owner.parent
    elif isinstance(value, (Key, Tree)) or (isinstance(value, Array) and value.has_key):
        ident = keys.key_of(value)
        if ident is not None:
            yield ident
    elif depth <= RESULT_DEPTH.value:
        for part in _parts_of(value, state):
            yield from _keys_in(part, state, depth + 1)


def _parts_of(value: Value, state: State) -> Iterable[Value]:
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Union):
        return value.options
    if isinstance(value, (Container, Instance)):
        return state.read(value).values()
    return (value.element,) if isinstance(value, Iterator) else ()


class _Application:
    """Replays a summary on actual arguments."""

    def __init__(
        self, it: Interpreter, summary: Summary, actual: list[Value], node: ast.AST, function: Function
    ) -> None:
        self.it = it
        self.summary = summary
        self.node = node
        self.function = function
        self.values: dict[int, Value] = {id(s): a for s, a in zip(summary.symbols, actual)}
        self.idents: dict[KeyId, KeyId] = {}
        self.reason = Reasons()
        self.reason.note(summary.reason, it.ctx.provenance)
        for symbol, value in zip(summary.symbols, actual):
            self.reason.note(reason_of(symbol), reason_of(value))
            if isinstance(symbol, Array) and not symbol.has_key:
                continue
            mine, theirs = keys.key_of(symbol), keys.key_of(value)
            if mine is not None and theirs is not None:
                self.idents[mine] = theirs
        self.symbolic = frozenset(self.idents)

    def run(self) -> Value:
        self.it.steps += min(self.summary.steps, 40)
        self._replay_uses()
        self.summary.told.tell(self.it, self.reason)
        return self.value(self.summary.result)

    def _replay_uses(self) -> None:
        for ident, use, uses in self.summary.uses:
            target = self.ident(ident)
            if ident.root in self.symbolic or self.summary.is_older(ident):
                if not ident.alternatives:
                    count = self.value(use.data) if use.how == keys.SPLIT and use.data is not None else None
                    name = self.function.name
                    keys.consume(self.it, target, use.how, self.node, name, via=use, count=count, beside=uses)
            else:
                self.it.state.uses[target.origin] = tuple(
                    map(self._from_here, uses)
                )  # made inside, spent there and returned

    def _from_here(self, use: Use) -> Use:
        """A use of the summary as one that this call has led to."""
        return replace(use, calls=(*_calls_to(self.it, self.node), *use.calls))

    def ident(self, ident: KeyId) -> KeyId:
        found = self.idents.get(ident)
        if found is not None:
            return found
        if ident.handed_back is not None:
            key = self.ident(ident.handed_back.key)
            made = self.idents[ident] = key.origin.returned(replace(ident.handed_back, key=key.origin))
            return made
        if self.summary.is_older(ident):
            return ident
        if ident.parent is not None and ident.root in self.symbolic:
            parent, selector = self.ident(ident.parent), self.selector(ident.selector)
            made = parent.part(selector, ident.text, ident.site, ident.known)
        else:
            options = tuple(self.ident(option) for option in ident.alternatives)
            made = KeyId(ident.text, ident.site, alternatives=options, known=ident.known, seed=ident.seed)
            if ident.parent is not None:
                made.parent, made.selector = self.ident(ident.parent), self.selector(ident.selector)
                made.parent.parts.setdefault(made.selector, made)
        self.idents[ident] = made
        made.known = made.known or ident.known
        return made

    def selector(self, selector: Any) -> Any:
        """Which part of a key is meant in this call, where an argument says which."""
        if isinstance(selector, tuple):
            return tuple(self.selector(part) for part in selector)
        if isinstance(selector, KeyId):
            return self.ident(selector)
        return self.value(selector).identity if isinstance(selector, Value) else selector

    def value(self, value: Value) -> Value:
        """The caller's counterpart of a value the summary ends with."""
        if isinstance(value, (Const, External, ClassValue, ModuleValue, Function)):
            return value
        found = self.values.get(id(value))
        if found is None:
            found = self.values[id(value)] = self._translated(value)
        return found

    def _translated(self, value: Value) -> Value:
        it = self.it
        if isinstance(value, Static):
            return Static(value.kind, value.of_shape, value.tainted, value.concrete_if)
        if isinstance(value, Array):
            key = self.ident(value.key) if value.has_key else None
            reason = self.reason(value.provenance)
            return Array(value.level, reason, value.kind, value.ndim, value.of_statics, value.sized, key)
        if isinstance(value, HostArray):
            return HostArray(value.readonly, value.kind, it.ctx, value.text)
        if isinstance(value, Tuple):
            return Tuple(tuple(self.value(item) for item in value.items), value.fields, value.cls)
        if isinstance(value, Union):
            return Union(tuple(self.value(item) for item in value.options))
        if isinstance(value, Key):
            ident = self.ident(value.ident)
            reason = self.reason(value.provenance)
            return Key(ident, value.batch, value.size, value.level, reason, value.typed, value.dims, value.ranked)
        if isinstance(value, Opaque):
            return self._opaque(value)
        if isinstance(value, Tree):
            made = value.renamed(value.parameter, self.ident(value.key))
            made.provenance = self.reason(value.provenance) or value.provenance
            return made
        if isinstance(value, Iterator):
            return Iterator(self.value(value.element), value.kind, it.ctx)
        if isinstance(value, (Container, Instance)):
            return self._object(value)
        return value

    def _opaque(self, value: Opaque) -> Value:
        if value.parent is not None:
            parent = self.value(value.parent)
            if isinstance(parent, (Opaque, Tree)) and id(value.parent) in self.values and _from_symbol(self, value):
                return parent.part(self.selector(value.selector))
        return Opaque(value.text, key=self.ident(value.key) if value.has_key else None)

    def _object(self, value: Container | Instance) -> Value:
        made: Container | Instance
        if isinstance(value, Container):
            made = Container(value.kind, self.it.ctx, value.text, self.reason(value.provenance))
        else:
            made = Instance(value.cls, self.it.ctx)
            made.level, made.provenance = value.level, self.reason(value.provenance)
        self.values[id(value)] = made
        cell = {name: self.value(item) for name, item in self.summary.state.read(value).items()}
        self.it.state.write(made).update(cell)
        return made


def _from_symbol(application: _Application, value: Opaque) -> bool:
    root = value
    while root.parent is not None:
        root = root.parent
    return any(root is symbol for symbol in application.summary.symbols)
