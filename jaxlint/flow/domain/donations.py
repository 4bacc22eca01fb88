"""What calls of compiled functions took the memory of, as the state keeps it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import Frame, ModuleScope, Opaque, Value

DONATED = Opaque("what was donated")
"""The owner, in the state, of the donations: each is kept under the value that was donated."""


class Donation(Value):
    """An array was donated to ``callee`` by the call ``node`` of ``scope``, where these ``guards`` hold, in ``frame``.
    ``unsure``: it may be one of NumPy, which stays as it is."""

    __slots__ = ("callee", "frame", "guards", "node", "scope", "unsure")

    def __init__(self, callee: str, node: ast.AST, scope: ModuleScope, guards: frozenset[Guard], frame: Frame) -> None:
        self.callee = callee
        self.frame = frame
        self.node = node
        self.scope = scope
        self.guards = guards
        self.unsure = False

    def where(self, guards: frozenset[Guard]) -> Donation:
        """The same donation, on these conditions."""
        donation = Donation(self.callee, self.node, self.scope, guards, self.frame)
        donation.unsure = self.unsure
        return donation

    def of_what_may_be_kept(self) -> Donation:
        donation = Donation(self.callee, self.node, self.scope, self.guards, self.frame)
        donation.unsure = True
        return donation
