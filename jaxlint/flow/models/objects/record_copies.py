"""Copies of records with some fields changed, as `replace` makes them: what is not named stays the same object."""

from __future__ import annotations

from typing import Any

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Instance, Opaque, Tree, Tuple, Value
from jaxlint.flow.models.keys import keys
from jaxlint.flow.port import Interpreter


def replaced(it: Interpreter, value: Value, args: Arguments) -> Value:
    """A copy of a record with those fields changed that ``args`` name; the others stay the same objects.

    Where more is passed than can be seen, any field may be another one.
    """
    changes, unknown = args.named, args.open_ended
    if isinstance(value, Instance):
        made = Instance(value.cls, it.ctx, value.symbolic)
        made.level, made.provenance = value.level, value.provenance
        kept = {field: Opaque(field) for field in it.state.read(value)} if unknown else it.state.read(value)
        it.state.write(made).update({**kept, **changes})
        return made
    if isinstance(value, Tuple) and value.fields:
        items = tuple(
            changes.get(field, Opaque(field) if unknown else item) for field, item in zip(value.fields, value.items)
        )
        return value.with_other(items)
    if isinstance(value, (Opaque, Tree)):
        copy: Opaque | Tree
        if isinstance(value, Opaque):
            copy = Opaque(value.text)
        else:
            copy = Tree(value.level, value.provenance, value.parameter, value.sure)
            copy.copied = True
        if not unknown:
            _keep_parts(it, value, copy, changes)
        it.state.write(copy).update({("attr", field): part for field, part in changes.items()})
        return copy
    return Opaque("a record")


def _keep_parts(it: Interpreter, value: Opaque | Tree, copy: Opaque | Tree, changes: dict[str, Value]) -> None:
    """A record of unknown fields keeps its parts in a copy.  Which of its items a changed field is nobody knows: if
    that may be a key now, none of them is known to be what it was."""
    may_be_key = any(keys.key_of(part) is not None and not _is_number(part) for part in changes.values())
    held, cell = it.state.read(value), it.state.write(copy)
    for selector, part in value.parts.items():
        if selector[0] == "attr":
            cell[selector] = part  # in the state, so that whoever gets the copy has it
        elif not may_be_key:
            copy.parts[selector] = part
    cell.update({name: part for name, part in held.items() if not may_be_key or _is_attribute(name)})


def _is_attribute(name: Any) -> bool:
    return not isinstance(name, tuple) or name[0] == "attr"


def _is_number(value: Value) -> bool:
    """Whether a value is an array that is no key: one that was computed."""
    return isinstance(value, Array) and (not value.has_key or value.kind != "" or value.ndim == 0)
