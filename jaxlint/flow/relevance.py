"""Which functions can have to do with PRNG keys, directly or through what they call: by name, over all modules.

Outside traces a call is followed for the keys it may spend.  Following every method of every object would
cost far more than it finds, so a function is followed there only if its text, or that of a function of a
name it calls, mentions something random.  Likewise a function is analysed as an entry point of its own only
if its text has anything that can go wrong outside a trace.  Both answers err on the side of looking.
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

_MENTIONS = re.compile(
    r"rng|prng|random|fold_in|(?<![.\w])keys?\b(?!\s*(?:in\b|,\s*\w+\s+in\b))|_keys?\b", re.IGNORECASE
)
_HAZARDS = re.compile(
    r"""
    key\b | keys\b | rng | prng | random | seed                                     # keys
    | jit\b | vmap | pmap | grad | scan | cond\b | while_loop | fori | checkpoint | remat | shard_map | switch
    | callback | transform | \bmap\b | eval_shape | linearize | [jv]vp\b | jac | hessian | vectorize | pallas
    | \]\s*(?:[-+*/%@&|^]|//|\*\*|>>|<<)?=(?!=) | \bdel\b                          # item assignment
    | \.at\b | \bout= | fill_diagonal | \.(?:sort|fill|resize|put|partition|itemset|setflags)\(
    | \.(?:shape|dtype)\s*=(?!=) | \bdtype\s+(?:is|in|not)\b | \btype\( | \bhash\( | argm(?:ax|in) | cache
    | debug\. | LinAlgError | ZeroDivisionError | stream | Ref\b
    | ^\s*(?:jnp|lax|jax|optax|np|numpy)\.[\w.]+\(                                # a call for its effect
    | ^\s*(?!print\b|super\b|assert\b|if\b|return\b|raise\b)[a-z_]\w*\(          # a call for its effect
    | [-+*/]= | \bput\( | place\( | \bclass\b | jaxpr
    """,
    re.VERBOSE | re.MULTILINE,
)
_CALLS = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


class Relevance:
    """Names of functions that may touch keys, found once for a program."""

    def __init__(self, program: Program) -> None:
        self.names = _closure(program)
        self.traced = _transformed_names(program)
        self.makers: dict[ast.AST, bool] = {}

    def may_touch_keys(self, scope: ModuleScope, node: FunctionNode) -> bool:
        name = getattr(node, "name", None)
        return name is None or name in self.names or name in ("__init__", "__call__", "__post_init__")

    def makes_function(self, node: FunctionNode) -> bool:
        """Whether the function returns one it defines, or calls an entry of a table: a trace may run the result."""
        found = self.makers.get(node)
        if found is None:
            found = self.makers[node] = not isinstance(node, ast.Lambda) and _makes_function(node.body)
        return found

    def worth_entering(self, scope: ModuleScope, node: FunctionNode) -> bool:
        """Whether running the function eagerly could show anything: it makes a trace, touches keys or changes
        something.  What it computes for others is seen when they call it."""
        if getattr(node, "name", None) in self.names:
            return True
        text = "\n".join(scope.lines[node.lineno - 1 : node.end_lineno])
        return _HAZARDS.search(text) is not None or not self.traced.isdisjoint(_CALLS.findall(text))


def _makes_function(body: list[ast.stmt]) -> bool:
    defined = {statement.name for statement in body if isinstance(statement, ast.FunctionDef)}
    returned = body[-1].value if isinstance(body[-1], ast.Return) else None
    if isinstance(returned, ast.Call):
        return isinstance(returned.func, ast.Subscript)
    return isinstance(returned, ast.Lambda) or (isinstance(returned, ast.Name) and returned.id in defined)


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


_TRANSFORM = r"(?:jit|vmap|pmap|grad|checkpoint|remat|shard_map|jac\w+|hessian|vectorize|jit_\w+|\w+_jit)"
_TRANSFORMED = re.compile(
    rf"@[^\n]*\b{_TRANSFORM}\b[^\n]*\n(?:\s*@[^\n]*\n)*\s*def (\w+)|^[^\n=]*?\b(\w+)\s*=[^\n]*\b{_TRANSFORM}\b",
    re.MULTILINE,
)


def _transformed_names(program: Program) -> frozenset[str]:
    """Names that a module gives to a transformed function: who calls one passes arguments into a trace."""
    found: set[str] = set()
    for name, module in program.modules.items():
        if name not in program.foreign:
            for decorated, assigned in _TRANSFORMED.findall(module.document.text):
                found.add(decorated or assigned)
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
