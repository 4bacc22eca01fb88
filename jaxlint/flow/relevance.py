"""Which functions can have to do with PRNG keys, directly or through what they call: by name, over all modules.

Outside traces a call is followed for the keys it may spend.  Following every method of every object would
cost far more than it finds, so a function is followed there only if its text, or that of a function of a
name it calls, mentions something random.  The answer errs on the side of following.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.flow.modules import ModuleScope
    from jaxlint.flow.values import FunctionNode
    from jaxlint.project.program import Program

_MENTIONS = re.compile(r"key\b|keys\b|rng|prng|random|seed|split|fold_in|_key", re.IGNORECASE)
_CALLS = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


class Relevance:
    """Names of functions that may touch keys, found once for a program."""

    def __init__(self, program: Program) -> None:
        self.names = _closure(program)

    def may_touch_keys(self, scope: ModuleScope, node: FunctionNode) -> bool:
        name = getattr(node, "name", None)
        return name is None or name in self.names or name in ("__init__", "__call__", "__post_init__")


def _closure(program: Program) -> frozenset[str]:
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for module in program.modules.values():
        tree = None if module.name in program.foreign else module.document.tree
        if tree is None:
            continue
        lines = module.document.text.splitlines()
        for function in _functions(tree.body):
            text = "\n".join(lines[function.lineno - 1 : function.end_lineno])
            if _MENTIONS.search(text):
                found.add(function.name)
            else:
                calls.setdefault(function.name, set()).update(_CALLS.findall(text))
    callers: dict[str, set[str]] = {}
    for name, called in calls.items():
        for callee in called:
            callers.setdefault(callee, set()).add(name)
    pending = list(found)
    while pending:
        for name in callers.get(pending.pop(), ()):
            if name not in found:
                found.add(name)
                pending.append(name)
    return frozenset(found)


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every def below a list of statements, without looking into expressions."""
    stack = list(body)
    while stack:
        statement = stack.pop()
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement
        for part in ("body", "orelse", "finalbody"):
            stack.extend(getattr(statement, part, ()))
        for handler in getattr(statement, "handlers", ()):
            stack.extend(handler.body)
