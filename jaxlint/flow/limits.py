"""What one entry of the analysis may cost, and what is known of an entry that cost more or met a defect."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.flow.modules import ModuleScope

MAX_EVALUATIONS = 1_000_000
"""Expressions evaluated for one entry point, or one statement of a module's body, before it is given up.

Other limits make code that people write end long before; this one ends what none of them foresees.
"""

MAX_PASSES = 256
"""How often the innermost of nested loops and comprehensions is run: the passes of all of them multiply.  A loop that
would exceed it runs once or twice, as one over unknown items."""


class TooMuchWork(Exception):
    """An entry needs more evaluations than it may have."""


@dataclass(slots=True)
class Failure:
    """An entry whose analysis broke off: what is known of the rest of the program stays."""

    scope: ModuleScope
    node: ast.AST
    what: str
    error: Exception
