"""Runs of statements made helpers of their own: what they read goes in, what they bind comes out."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tests.robustness.edited import Function, Trees
from tests.robustness.scopes import (
    COMPREHENSIONS,
    bound_within,
    is_test,
    locals_of,
    looks_at_names,
    names_bound,
    names_in,
    own_nodes,
    parameters,
)

RUN = 2
"""Statements of one helper."""

KINDS = (ast.Assign, ast.AugAssign, ast.Expr)
NOT_MOVED = ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Lambda | ast.GeneratorExp
"""What leans on the function that it is in, or is evaluated later."""


def extracted_helpers(trees: Trees) -> None:
    """Neighbouring assignments and calls in a function become a global function that is called in their place."""
    for tree in trees.files.values():
        body = []
        for statement in tree.body:
            helpers: list[ast.stmt] = []
            for function, outer in _functions(statement, []):
                if not any(is_test(one) for one in (function, *outer)):
                    _Extraction(trees, function, outer, helpers).block(function.body, set(parameters(function)))
            body += [*helpers, statement]
        tree.body = body


def _functions(node: ast.AST, outer: list[Function]) -> Iterator[tuple[Function, list[Function]]]:
    """The functions in a node that may be taken apart, each with those around it."""
    for child in ast.iter_child_nodes(node) if not isinstance(node, Function) else [node]:
        if isinstance(child, Function):
            if not looks_at_names(child) and not any(isinstance(one, ast.Nonlocal) for one in ast.walk(child)):
                yield child, outer
                for statement in child.body:
                    yield from _functions(statement, [*outer, child])
        else:
            yield from _functions(child, outer)


def _mentioned_beside(run: list[ast.stmt], function: Function) -> set[str]:
    """The variables that the rest of a function mentions."""
    within = {node for one in run for node in ast.walk(one)}
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and node not in within}


class _Extraction:
    """One function that is taken apart; ``helpers`` gets what becomes of it."""

    def __init__(self, trees: Trees, function: Function, outer: list[Function], helpers: list[ast.stmt]) -> None:
        self.trees = trees
        self.helpers = helpers
        self.function = function
        self.locals = set(locals_of(function))
        around = bound_within(outer[0]) if outer else Counter[str]()
        self.given = {name for one in outer for name in parameters(one) if around[name] == 1}
        self.unsure = set(around) - self.given - self.locals
        nested = [node for node in own_nodes(*function.body) if isinstance(node, Function | ast.Lambda | ast.ClassDef)]
        self.captured = names_in(*nested)
        self.declared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}

    def block(self, statements: list[ast.stmt], known: set[str]) -> None:
        """Takes the statements of a block apart; ``known`` are the variables that are bound before it, and after it."""
        result: list[ast.stmt] = []
        run: list[ast.stmt] = []
        before = set(known)
        for statement in statements:
            if self._may_move(statement, known):
                run.append(statement)
            else:
                result += run
                result.append(statement)
                run = []
                self._inside(statement, known)
            known |= self._bound(statement)
            if len(run) == RUN:
                result.append(self._helper(run, before))
                run = []
            if not run:
                before = set(known)
        statements[:] = result + run

    def _bound(self, statement: ast.stmt) -> set[str]:
        """What is bound for sure after a statement."""
        simple = (*KINDS, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        return set(locals_bound(statement)) if isinstance(statement, simple) else set()

    def _inside(self, statement: ast.stmt, known: set[str]) -> None:
        match statement:
            case ast.For(target=target):
                self.block(statement.body, known | set(bound_within(target)))
            case ast.If() | ast.While():
                self.block(statement.body, set(known))
                if statement.orelse:
                    self.block(statement.orelse, set(known))
            case ast.With():
                self.block(statement.body, set(known))
            case ast.Delete():
                known -= names_in(statement)

    def _may_move(self, statement: ast.stmt, known: set[str]) -> bool:
        if not isinstance(statement, KINDS) or any(isinstance(node, NOT_MOVED) for node in ast.walk(statement)):
            return False
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return False
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        plain = all(
            isinstance(node, ast.Name | ast.Tuple | ast.expr_context) for one in targets for node in ast.walk(one)
        )
        bound = set(locals_bound(statement))
        inner = {
            name for node in ast.walk(statement) if isinstance(node, COMPREHENSIONS) for name in bound_within(node)
        }
        reads = names_in(statement) - bound - inner
        if isinstance(statement, ast.AugAssign):
            plain = isinstance(statement.target, ast.Name)
            reads |= bound
        return (
            plain
            and not inner & (self.locals | self.given | self.unsure)
            and not bound & (self.captured | self.declared)
            and not reads & self.unsure
            and reads & self.locals <= known
        )

    def _helper(self, run: list[ast.stmt], before: set[str]) -> ast.stmt:
        """The call of a new helper that does what a run of statements does."""
        order = [node.id for one in run for node in ast.walk(one) if isinstance(node, ast.Name)]
        asked = {name for one in run for name in names_in(one)} & (before & self.locals | self.given)
        reads = [name for name in dict.fromkeys(order) if name in asked]
        wanted = _mentioned_beside(run, self.function) | asked
        bound = [name for name in dict.fromkeys(order) if any(name in locals_bound(one) for one in run)]
        bound = [name for name in bound if name in wanted]
        name = self.trees.fresh("extracted")
        source = f"def {name}({', '.join(reads)}):\n    return {', '.join(bound)}"
        call = f"{', '.join(bound)} = {name}({', '.join(reads)})" if bound else f"{name}({', '.join(reads)})"
        (helper,) = ast.parse(source if bound else f"def {name}({', '.join(reads)}):\n    pass").body
        assert isinstance(helper, ast.FunctionDef)
        helper.body = [*run, *(helper.body if bound else [])]
        self.helpers.append(self.trees.place(helper, *run))
        (statement,) = ast.parse(call).body
        return self.trees.place(statement, *run)


def locals_bound(statement: ast.stmt) -> dict[str, int]:
    """What a statement binds in the scope that it is in."""
    return names_bound(*own_nodes(statement))
