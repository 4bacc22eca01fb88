"""What a call passes, and how it is written."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from jaxlint.flow.domain.values import Tree, Value
from jaxlint.flow.source.text import dotted


@dataclass(slots=True)
class Arguments:
    """What a call passes.  ``open_ended``: a starred argument of unknown length is among them; if that is only a
    traced argument after ``**``, it is ``mapping``.  ``rest`` and ``others`` stand for what a caller nobody knows may
    pass beyond the parameters, by position and by name.  ``unsure``: so many of the last positional arguments are there
    only if a starred argument is not empty.  ``written`` are the expressions of the positional arguments where another
    call stands for this one.  ``assumed``: nobody is seen to make such a call."""

    positional: list[Value]
    named: dict[str, Value] = field(default_factory=dict)
    open_ended: bool = False
    mapping: Tree | None = None
    rest: Value | None = None
    others: Value | None = None
    unsure: int = 0
    written: tuple[ast.expr | None, ...] | None = None
    assumed: bool = False

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

    def values(self) -> list[Value]:
        return [*self.positional, *self.named.values()]

    def without(self, position: int, name: str) -> Arguments:
        """The same call without one argument (the callable of a transform)."""
        if name in self.named:
            named = {k: v for k, v in self.named.items() if k != name}
            return Arguments(self.positional, named, self.open_ended, unsure=self.unsure)
        positional = self.positional[:position] + self.positional[position + 1 :]
        return Arguments(positional, self.named, self.open_ended, unsure=min(self.unsure, len(positional)))

    def may_lack(self, position: int | None, name: str) -> bool:
        """Whether the argument at a position or of a name is one that the call may not pass."""
        return position is not None and name not in self.named and position >= len(self.positional) - self.unsure


def callee_text(function: Value, node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        return dotted(node.func)
    return getattr(function, "name", "") or "a callee"
