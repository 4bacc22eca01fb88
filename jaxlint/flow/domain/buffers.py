"""Arrays of NumPy that JAX may still be reading, as the state keeps them."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.clocks import Moment
from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import Opaque, Value
from jaxlint.flow.source.modules import ModuleText

SENT = Opaque("what JAX was given")
"""The owner, in the state, of what is known of it: each is kept under the array."""


class Sent(Value):
    """An array was given to ``callee`` by the call ``node`` of ``scope``, where these ``guards`` hold, at the
    moment ``order``; ``shared``: what the call gives is in the memory of the array."""

    __slots__ = ("callee", "guards", "node", "order", "scope", "shared")

    def __init__(
        self, order: Moment, callee: str, node: ast.AST, scope: ModuleText, guards: frozenset[Guard], shared: bool
    ) -> None:
        self.order = order
        self.callee = callee
        self.node = node
        self.scope = scope
        self.guards = guards
        self.shared = shared
