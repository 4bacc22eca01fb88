"""What `copy.copy` and `copy.deepcopy` give: another object, so that what is set on it is not set on the first."""

from __future__ import annotations

import ast
from copy import copy

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Container, Function, Instance, Opaque, Tree, Tuple, Union, Value
from jaxlint.flow.limits import LIFTED_DEPTH
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.record_copies import replaced
from jaxlint.flow.port import Interpreter


def call_copy(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """copy.copy(x), copy.deepcopy(x)"""
    value = args.positional[0] if args.positional else Opaque()
    return _Copier(it, name == "copy.deepcopy", node).copied(value)


class _Copier:
    """One call: whatever is in several places, or in itself, is copied once."""

    def __init__(self, it: Interpreter, is_deep: bool, node: ast.AST) -> None:
        self.it = it
        self.is_deep = is_deep
        self.node = node
        self.made: dict[Value, Value] = {}

    def copied(self, value: Value, depth: int = 0) -> Value:
        """The copy, or the value itself where nobody can tell the two apart."""
        if depth > LIFTED_DEPTH.value:
            return Opaque("a part")
        if isinstance(value, Union):
            return Union(tuple(self.copied(option, depth) for option in value.options))
        if isinstance(value, Tuple):
            return value.with_other(tuple(self._part(item, depth) for item in value.items))
        if isinstance(value, Array):
            return _of_array(value)
        if not isinstance(value, (Container, Instance, Opaque, Tree)):
            return value
        if value not in self.made:
            self._copy_object(value, depth)
        return self.made[value]

    def _part(self, value: Value, depth: int) -> Value:
        return self.copied(value, depth + 1) if self.is_deep else value

    def _copy_object(self, value: Container | Instance | Opaque | Tree, depth: int) -> None:
        it = self.it
        own = isinstance(value, Instance) and classes.find_member(
            it, value.cls, "__deepcopy__" if self.is_deep else "__copy__"
        )
        if isinstance(own, Function):
            given: list[Value] = [Opaque("what was copied before")] if self.is_deep else []
            self.made[value] = it.call(own.bind(value), Arguments(given), self.node)
            return
        if isinstance(value, Container):
            made: Value = Container(value.kind, it.ctx, value.text)
            it.state.write(made).update(it.state.read(value))
        else:
            made = replaced(it, value, Arguments([]))
        self.made[value] = made
        if isinstance(value, (Container, Instance)):
            parts = {name: self._part(part, depth) for name, part in it.state.read(made).items()}
            it.state.write(made).update(parts)


def _of_array(value: Array) -> Array:
    """Another array with the same numbers: the same key, if it is one."""
    made = copy(value)
    made.share_key(value)
    return made
