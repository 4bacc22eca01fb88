"""Of what kind the values are that a function finds around it: where these are the same, so is what its trace tells.

A closure is traced where a transform is applied to it, with arguments that nobody knows.  In loops, in functions that
are called again and inside of other traces that is one application over and over, and each trace of it traces those
inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from jaxlint.flow.domain.contexts import GivenSeed, Provenance
from jaxlint.flow.domain.retold import reason_of
from jaxlint.flow.domain.sought import AMONG, Sought
from jaxlint.flow.domain.values import (
    NOTHING,
    SEQUENCES,
    Array,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Key,
    Method,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import COMPARED_DEPTH
from jaxlint.flow.models.arrays.conditions import STANDING
from jaxlint.flow.models.keys import keys
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import attributes_read, free_names


def kinds_around(it: Interpreter, function: Value) -> tuple[Hashable, list[Provenance | None]]:
    """Under which transforms a function value is traced here, and the kind of all that is bound to it or that it reads
    from the functions around it; and for what reasons these are tracers, in an order that the kinds decide."""
    kinds, around = _Kinds(it), it.ctx.decisive()
    contexts = tuple([(ctx.signature, ctx.abstracts) for ctx in around])
    signature = contexts, it.expected, it.supposed > 0, kinds.of(function, 0), kinds.conditions()
    return signature, [*(ctx.provenance for ctx in around), *kinds.reasons]


class _Kinds:
    def __init__(self, it: Interpreter) -> None:
        self.it = it
        self.met: set[Value] = set()
        self.reasons: list[Provenance | None] = []
        self.numbers: dict[Value, int] = {}  # of what conditions may be about, in the order in which it was met

    def of(self, value: Value | None, depth: int) -> Hashable:
        kind = type(value)
        if kind in _FOR_A_REASON:
            self.reasons.append(reason_of(value))
        if value is not None and kind in (Container, Opaque, Static):
            self.numbers.setdefault(value, len(self.numbers))
        tell = _KINDS.get(kind)
        if tell is not None:
            return (kind.__name__, *tell(value))
        tell_parts = _WITH_PARTS.get(kind)
        if tell_parts is None or depth > COMPARED_DEPTH.value or value in self.met:
            return kind.__name__
        if kind in (Function, Instance, Container):
            assert value is not None
            self.met.add(value)  # they may lead back to themselves
        return (kind.__name__, *tell_parts(self, value, depth + 1))

    def all_of(self, values: Any, depth: int) -> Hashable:
        return tuple(self.of(value, depth) for value in values)

    def named(self, values: dict[Any, Value], depth: int) -> Hashable:
        ordered: Iterable[tuple[Any, Value]] = values.items()
        if len(values) > 1:
            ordered = sorted(ordered, key=lambda item: str(item[0]))
        return tuple((str(name), self.of(value, depth)) for name, value in ordered)

    def conditions(self) -> Hashable:
        """What is known here of all that."""
        about = self.it.state.conditions(Sought(AMONG, about=tuple(self.numbers)))
        return frozenset(
            (guard.text, tuple([self.numbers[value] for value in guard.objects]), guard.holds, guard.constant)
            for guard in (*about, *(self.it.state.guards & STANDING))
        )

    def function(self, value: Function, depth: int) -> tuple[Hashable, ...]:
        names = sorted(free_names(value.node, self.it.facts_of(value.node)))
        found: dict[Any, Value] = {}
        frame = value.frame
        while frame is not None and frame is not frame.scope.frame:
            cell = self.it.state.read(frame)
            found |= {name: cell[name] for name in names if name not in found and name in cell}
            frame = frame.parent
        read = attributes_read(value.node, self.it.facts_of(value.node))
        for name, one in found.items():
            if isinstance(one, Tuple) and read.get(name, _ALL) <= frozenset(one.fields):
                found[name] = one.of_fields(read[name])
        defaults = self.all_of((*value.defaults, *value.kw_defaults), depth)
        return value.node, self.of(value.receiver, depth), defaults, self.named(found, depth)

    def key(self, value: Key | Tree | Opaque | Array) -> tuple[Hashable, ...]:
        """Whether a key is one that was drawn from or split, and where."""
        if not keys.is_known_key(value):
            return value.level, getattr(value, "sure", None), getattr(value, "kind", "")
        uses = self.it.state.uses
        spent = frozenset(
            use.node
            for ident in keys.relatives(value.key.origin)
            for use in uses.get(ident, ())
            if use.how in keys.STRONG
        )
        seed = value.key.seed
        made = seed.known if isinstance(seed, GivenSeed) else seed
        return value.level, made, keys.lane_of(value.key), spent

    def looks(self, parameter: str) -> frozenset[str]:
        """What callers of the trace read afterwards of what it was given."""
        return self.it.ctx.looked_at(parameter) if parameter else NOTHING

    def held(self, owner: Instance | Container, depth: int) -> Hashable:
        return self.it.ctx.encloses(owner.birth), owner.level, self.named(self.it.state.read(owner), depth)


_ALL = frozenset(("",))

_FOR_A_REASON = frozenset((Array, Container, Instance, Key, Opaque, Static, Tree))

_KINDS: dict[type | None, Callable[[Any], tuple[Hashable, ...]]] = {
    Const: lambda value: (type(value.value).__name__, repr(value.value)),
    Static: lambda value: (value.kind, value.of_shape, value.tainted is not None, value.sure),
    HostArray: lambda value: (value.kind, value.readonly, value.narrow, value.no_scalar, value.shape),
    External: lambda value: (value.name,),
    ExternalInstance: lambda value: (value.made_by,),
}

_WITH_PARTS: dict[type | None, Callable[[_Kinds, Any, int], tuple[Hashable, ...]]] = {
    Function: _Kinds.function,
    Array: lambda kinds, value, depth: kinds.key(value),
    Tree: lambda kinds, value, depth: (kinds.looks(value.parameter), *kinds.key(value)),
    Opaque: lambda kinds, value, depth: (
        value.leaf and value.leaf.or_number,
        value.text if value.text in SEQUENCES.values() else "",
        *kinds.key(value),
    ),
    Key: lambda kinds, value, depth: (value.batch, *kinds.key(value)),
    Instance: lambda kinds, value, depth: (value.cls.node, kinds.looks(value.parameter), kinds.held(value, depth)),
    Container: lambda kinds, value, depth: (
        value.kind,
        value.parameter,
        kinds.looks(value.parameter),
        kinds.held(value, depth),
    ),
    Tuple: lambda kinds, value, depth: (value.fields, kinds.all_of(value.items, depth)),
    Union: lambda kinds, value, depth: (kinds.all_of(value.options, depth),),
    Partial: lambda kinds, value, depth: (
        kinds.of(value.function, depth - 1),
        kinds.all_of(value.args, depth),
        kinds.named(value.kwargs, depth),
    ),
    Transformed: lambda kinds, value, depth: (
        value.node,
        value.offered,
        kinds.of(value.function, depth - 1),
        kinds.of(value.receiver, depth),
        kinds.named(value.options, depth),
    ),
    Method: lambda kinds, value, depth: (value.name, kinds.of(value.receiver, depth)),
}
