"""What has started JAX's backend, as the state keeps it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import Opaque, Value
from jaxlint.flow.source.modules import ModuleText

STARTED = Opaque("what has started JAX")
"""The owner, in the state, of the first uses on the paths that led here: each is kept under itself."""


class Start(Value):
    """The use ``what`` of JAX, at ``node`` of ``scope``, where these ``guards`` hold."""

    __slots__ = ("guards", "node", "scope", "what")

    def __init__(self, what: str, node: ast.AST, scope: ModuleText, guards: frozenset[Guard]) -> None:
        self.what = what
        self.node = node
        self.scope = scope
        self.guards = guards
