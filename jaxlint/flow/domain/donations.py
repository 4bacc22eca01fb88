"""What calls of compiled functions took the memory of, as the state keeps it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import ModuleScope, Opaque, Value

DONATED = Opaque("what was donated")
"""The owner, in the state, of the donations: each is kept under the value that was donated."""


class Donation(Value):
    """An array was donated to ``callee`` by the call ``node`` of ``scope``, where these ``guards`` hold.  ``function``
    is the one around, None in a module's body.

    ``unsure``: it may be one of NumPy, which stays as it is."""

    __slots__ = ("callee", "function", "guards", "node", "scope", "unsure")

    def __init__(
        self, callee: str, node: ast.AST, scope: ModuleScope, guards: frozenset[Guard], function: ast.AST | None
    ) -> None:
        self.callee = callee
        self.function = function
        self.node = node
        self.scope = scope
        self.guards = guards
        self.unsure = False

    def of_what_may_be_kept(self) -> Donation:
        donation = Donation(self.callee, self.node, self.scope, self.guards, self.function)
        donation.unsure = True
        return donation
