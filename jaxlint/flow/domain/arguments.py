"""What a call passes, and how it is written."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from jaxlint.flow.domain.values import Container, Opaque, Tree, Value
from jaxlint.flow.source.text import dotted


@dataclass(slots=True)
class Arguments:
    """What a call passes.  ``open_ended``: a starred argument of unknown length is among them; if that is only a
    traced argument or a dict after ``**``, it is ``mapping``.  ``rest`` and ``others`` stand for what a caller nobody
    knows may pass beyond the parameters, by position and by name.  ``unsure``: so many of the last positional arguments
    are there only if a starred argument is not empty.  ``after`` come behind such a one of unknown length: nobody knows
    at which positions, but that they are the last.  ``written`` are the expressions of the positional arguments where
    another call stands for this one.  ``assumed``: nobody is seen to make such a call.  ``more_names``: something may
    be passed by a name that is not known."""

    positional: list[Value]
    named: dict[str, Value] = field(default_factory=dict)
    open_ended: bool = False
    mapping: Tree | Container | None = None
    rest: Value | None = None
    others: Value | None = None
    unsure: int = 0
    after: tuple[Value, ...] = ()
    written: tuple[ast.expr | None, ...] | None = None
    assumed: bool = False
    more_names: bool = False

    def expression(self, node: ast.AST, position: int) -> ast.expr | None:
        """What is written for a positional argument of the call ``node``, if it is a call."""
        written = self.written
        if written is None:
            written = tuple(node.args) if isinstance(node, ast.Call) else ()
        return written[position] if position < len(written) else None

    def get(self, position: int | None, name: str) -> Value | None:
        """The argument at a position or of a name, if it is passed."""
        if name in self.named:
            return self.named[name]
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return None

    def option(self, position: int | None, name: str) -> Value | None:
        """The same of an option; something unknown where it may be passed, and nobody can say so."""
        may_be_passed = self.more_names or self.others is not None or (position is not None and self.open_ended)
        found = self.get(position, name)
        if found is None or self.may_lack(position, name):
            return Opaque("an option") if may_be_passed else None
        return found

    def values(self) -> list[Value]:
        return [*self.positional, *self.after, *self.named.values()]

    def replacing(self, value: Value, other: Value) -> Arguments:
        """The same with another value in the place of one that is passed."""
        positional = [other if one is value else one for one in self.positional]
        named = {name: other if one is value else one for name, one in self.named.items()}
        return replace(self, positional=positional, named=named)

    def may_lack(self, position: int | None, name: str) -> bool:
        """Whether the argument at a position or of a name is one that the call may not pass."""
        return position is not None and name not in self.named and position >= len(self.positional) - self.unsure


def callee_text(function: Value, node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        return dotted(node.func)
    return getattr(function, "name", "") or "a callee"
