"""What is known of time: work that JAX has only begun, and looks at the clock."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.flow.source.modules import ModuleText


Moment = tuple[int, ...]
"""When something happens, as numbers that count up with time: what happens in a call that a summary stands for is
at the moment of the call, and there when it was for the summary."""

BEFORE: Moment = ()
"""Before all else: in a summary, whenever it was before the call."""


@dataclass(frozen=True, slots=True)
class Work:
    """A call, at ``node`` of ``scope``, that returns before what it computes is there: nobody has waited since.

    ``what`` is the function or operation, ``light`` says that it may be too small to matter, ``in_loop`` that a pass of
    a loop begins it.
    """

    order: Moment
    scope: ModuleText
    node: ast.AST
    what: str
    light: bool = False
    in_loop: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the clock, the ``work`` that was going on then, if any, and when somebody has last ``waited``: at
    ``node``, where ``by`` are the variables."""

    order: Moment
    work: Work | None
    waited: Moment
    by: object
    node: ast.AST


UNTOUCHED = Work(BEFORE, None, ast.Pass(), "")  # type: ignore[arg-type]
"""Stands for what was going on before: a function that leaves it has neither begun anything nor waited."""

EARLIER = Look(BEFORE, None, BEFORE, None, ast.Pass())
"""Stands for a look that a function is given."""
