"""What is known of time: work that JAX has only begun, and looks at the clock."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.flow.source.modules import ModuleText


@dataclass(frozen=True, slots=True)
class Work:
    """A call, at ``node`` of ``scope``, that returns before what it computes is there: nobody has waited since.

    ``order`` counts up with time, as it does for looks at the clock; ``what`` is the function or operation, ``light``
    says that it may be too small to matter, ``in_loop`` that a pass of a loop begins it.
    """

    order: int
    scope: ModuleText
    node: ast.AST
    what: str
    light: bool = False
    in_loop: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the clock, the ``work`` that was going on then, if any, and when somebody has last ``waited``: at
    ``node``, in the activation ``by``."""

    order: int
    work: Work | None
    waited: int
    by: object
    node: ast.AST


UNTOUCHED = Work(-1, None, ast.Pass(), "")  # type: ignore[arg-type]
"""Stands for what was going on before: a function that leaves it has neither begun anything nor waited."""
