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


FEW_EVALUATIONS = 50_000
"""Of one entry, before its loops run once: five times what the longest entry of any known program takes."""

PASS_COST = 20
"""What running a loop once more counts for beside the evaluations in it: states are forked and joined."""

MAX_LAYERS = 16
"""Transforms and partials around one function."""

MAX_READERS = 12
"""Statements that a drawn value is followed through to see whether only its shape counts; what has more is no dummy."""

MAX_CONDITIONS = 32
"""Conditions of a function that two results are held against, to see whether only one of them counts."""


class TooMuchWork(Exception):
    """An entry needs more evaluations than it may have."""


@dataclass(slots=True)
class Failure:
    """An entry whose analysis broke off: what is known of the rest of the program stays."""

    scope: ModuleScope
    node: ast.AST
    what: str
    error: Exception
