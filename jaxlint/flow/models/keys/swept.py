"""Whether a loop asks one question for each of several settings with the same random numbers, and keeps the answers.

    for gamma in (0.1, 0.5, 0.9):
        survival[gamma] = float(simulate(keys, gamma))

With common random numbers the answers differ by the setting alone, and each is a number of its own, for a table or a
curve.  A loop that only counts how often it repeats has no settings; and where the answers are averaged or added up,
where a pass goes on with what one before has made, or where arrays are kept, the numbers should have been independent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.domain.state import Use, loop_between
from jaxlint.flow.models.keys.meant import Body, Pair, body_of, contains, names_bound, names_loaded, own_parts
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

Loop = ast.For | ast.comprehension


def is_swept(pair: Pair, earlier: Use, later: Use) -> bool:
    """Whether a call that each pass makes, for a setting of its own, is only looked at as a number of that setting."""
    loop, call = loop_between(earlier, later), pair.later
    is_split = pair.later_callee == "jax.random.split"
    if not pair.repeats or not isinstance(call, ast.Call) or (pair.later_callee.startswith("jax.") and not is_split):
        return False
    body = body_of(pair.scope, pair.root)
    start = body.around(call)
    if not isinstance(loop, (ast.For, ast.comprehension)) or start is None or start is loop:
        return False
    inside = [start]
    if isinstance(loop, ast.For):
        inside = [one for one in body.statements if one is not loop and contains(loop, one)]
    asked: list[ast.AST] = [call]
    if is_split:  # what is asked with the children
        children, parts = names_bound(start), (part for one in inside for part in own_parts(one))
        asked += [part for part in parts if _is_question(part) and not children.isdisjoint(_names_in(part))]
    varied = _made_of(inside, _settings(loop))
    is_of_setting = any(not varied.isdisjoint(_names_in(one)) for one in asked)
    return (
        is_of_setting
        and start in inside
        and _Answers(call, start, pair.scope.once(_numpy)).are_apart(body, loop, inside)
    )


def _is_question(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) not in _SHOWN


def _numpy(scope: ModuleText) -> frozenset[str]:
    """The names under which a module knows NumPy."""
    imports = (one for one in descendants(scope.tree) if isinstance(one, ast.Import)) if scope.tree else ()
    return frozenset(alias.asname or alias.name for one in imports for alias in one.names if alias.name == "numpy")


def _settings(loop: Loop) -> set[str]:
    """The names that each pass gives another value of what the loop goes through; none of what only counts."""
    items, target = loop.iter, loop.target
    called = dotted(items.func) if isinstance(items, ast.Call) else ""
    if called == "range":
        return set()
    if called == "enumerate" and isinstance(target, ast.Tuple):
        target = target.elts[-1]
    return {part.id for part in descendants(target) if isinstance(part, ast.Name)}


def _made_of(statements: Iterable[ast.stmt], names: set[str]) -> set[str]:
    """The names with those of what a pass computes of them."""
    found = set(names)
    for one in statements:
        if not found.isdisjoint(names_loaded(own_parts(one))):
            found |= names_bound(one)
    return found


class _Answers:
    """What comes of a call: ``made`` are the names of arrays, ``told`` those of numbers, or of what keeps numbers."""

    def __init__(self, call: ast.Call, start: ast.stmt, numpy: frozenset[str]) -> None:
        self.call = call
        self.start = start
        self.numpy = numpy
        self.made: set[str] = set()
        self.told: set[str] = set()
        self.is_told = False

    def are_apart(self, body: Body, loop: Loop, inside: list[ast.stmt]) -> bool:
        """Whether each pass tells a number, and nothing is computed of the numbers of several."""
        if not all(self._goes_on(one) for one in inside if one.lineno >= self.start.lineno) or not self.is_told:
            return False
        if isinstance(loop, ast.For) and self._is_carried(inside):
            return False
        below = [one for one in body.statements if one.lineno > (inside[-1].end_lineno or 0)]
        return not any(_has(self.made, one) for one in below) and not self._are_averaged(loop, below)

    def _goes_on(self, statement: ast.stmt) -> bool:
        """Follows what a statement does with the results; no, if they get where nobody follows them."""
        parts = list(own_parts(statement))
        ours = [part for part in parts if part is self.call or self._is_ours(part)]
        if not ours and not _has(self.told, statement):
            return True
        if isinstance(statement, ast.AugAssign):
            return False
        seen = {inner for part in parts for inner in _shown_in(part, self.numpy)}
        if isinstance(statement, ast.If):
            seen |= set(descendants(statement.test))
        if all(part in seen for part in ours):
            self.is_told = self.is_told or bool(ours)
            self.told |= _kept_in(statement)
            return True
        self.made |= names_bound(statement)
        return bool(names_bound(statement))

    def _is_ours(self, part: ast.AST) -> bool:
        return isinstance(part, ast.Name) and part.id in self.made and isinstance(part.ctx, ast.Load)

    def _is_carried(self, inside: list[ast.stmt]) -> bool:
        """Whether a pass reads what the one before has made or told."""
        bound = {name: one.lineno for one in inside for name in names_bound(one) & (self.made | self.told)}
        return any(bound.get(name, -1) >= one.lineno for one in inside for name in names_loaded(own_parts(one)))

    def _are_averaged(self, loop: Loop, below: list[ast.stmt]) -> bool:
        if any(_averages(part) and contains(part, loop.iter) for part in own_parts(self.start)):
            return True
        reached = set(self.told)
        for one in below:
            if any(_averages(part) and not reached.isdisjoint(_names_in(part)) for part in own_parts(one)):
                return True
            if _has(reached, one):
                reached |= names_bound(one)
        return False


def _averages(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _AVERAGES


def _names_in(node: ast.AST) -> set[str]:
    return names_loaded(descendants(node))


_AVERAGES = frozenset("sum mean average median std var nanmean nansum nanstd fmean stdev pstdev variance".split())
_SHOWN = frozenset("float int bool str repr round format print".split())


def _shown_in(node: ast.AST, numpy: frozenset[str]) -> Iterable[ast.AST]:
    """What an expression makes a number, a text or an array of NumPy of."""
    if isinstance(node, ast.FormattedValue):
        return list(descendants(node))
    if not isinstance(node, ast.Call):
        return ()
    module, _, function = dotted(node.func).rpartition(".")
    if dotted(node.func) in _SHOWN or (module in numpy and function in ("array", "asarray")):
        return [inner for part in (*node.args, *node.keywords) for inner in descendants(part)]
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("item", "tolist"):
        return list(descendants(node.func.value))
    return ()


def _kept_in(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or of whose objects it sets or adds a part."""
    targets: list[ast.AST] = list(statement.targets) if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        targets = [function.value] if isinstance(function, ast.Attribute) else []
    return {part.id for one in targets for part in descendants(one) if isinstance(part, ast.Name)}


def _has(names: set[str], statement: ast.stmt) -> bool:
    return not names.isdisjoint(names_loaded(own_parts(statement)))
