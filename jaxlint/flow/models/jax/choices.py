"""What decides which way a program goes: predicates, numbers of branches, conditions and bounds of loops."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.values import (
    Const,
    External,
    Function,
    Key,
    Opaque,
    Partial,
    Transformed,
    Tree,
    Value,
    innermost,
)
from jaxlint.flow.models.jax import contracts
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.bound_late import bound_around
from jaxlint.flow.source.modules import free_names, parameters
from jaxlint.flow.source.trees import descendants
from jaxlint.flow.source.unflattened import does_something, returned
from jaxlint.semantics.there import THERE

_BOOL, _WHOLE = avals.of_number(True), avals.of_number(0)


def check_predicate(it: Interpreter, operation: str, pred: Value, node: ast.AST) -> bool:
    """Whether a branch can be chosen by ``pred``: a scalar of any kind but complex."""
    return _is_scalar(it, operation, "pred", pred, contracts.exact(pred).kind == "complex", node)


def check_index(it: Interpreter, operation: str, index: Value, node: ast.AST, written: ast.expr | None = None) -> bool:
    """Whether a branch can be chosen by ``index``, as it is ``written``: a scalar of whole numbers."""
    if isinstance(index, Opaque) and is_ordered(written):
        return not it.emit(events.ChoiceRefused(node, operation, "index", "bool[...]"))
    return _is_scalar(it, operation, "index", index, avals.other_dtype(contracts.exact(index), _WHOLE), node)


def is_ordered(written: ast.expr | None) -> bool:
    """Whether something is written that compares with a number which is greater: a boolean comes of it, or several."""
    if not isinstance(written, ast.Compare) or len(written.ops) != 1:
        return False
    sides = (written.left, written.comparators[0])
    has_number = any(isinstance(side, ast.Constant) and isinstance(side.value, (int, float)) for side in sides)
    return has_number and isinstance(written.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))


def _is_scalar(it: Interpreter, operation: str, role: str, value: Value, is_of_other_kind: bool, node: ast.AST) -> bool:
    kind = contracts.kind_of_node(value)
    what = contracts.in_words(it, value) if kind else ""
    if kind == "array" and (isinstance(value, Key) or not (contracts.exact(value).ends or is_of_other_kind)):
        what = ""
    elif isinstance(value, Const) and isinstance(value.value, str):
        what = "a string"
    if what:
        it.emit(events.ChoiceRefused(node, operation, role, what))
    return not what


def check_condition(it: Interpreter, operation: str, condition: Value, result: Value, node: ast.AST) -> bool:
    """Whether a loop can go on by what its condition gives: one boolean."""
    kind = contracts.kind_of_node(result)
    aval = contracts.exact(result)
    if not kind or isinstance(result, Key) or _gives_what_another_gives(it, condition):
        return True
    if kind == "array" and not aval.ends and not avals.other_dtype(aval, _BOOL):
        return True
    it.emit(events.ChoiceRefused(node, operation, "cond_fun", contracts.in_words(it, result)))
    return False


def _gives_what_another_gives(it: Interpreter, condition: Value) -> bool:
    """Whether it calls a function that the one around it was handed, whose fault it is what comes of that."""
    function = innermost(condition)[0]
    returned = contracts.where_returned(condition, function.node)[0] if function is not None else None
    if function is None or function.frame is None or not isinstance(returned, ast.Return | ast.Call):
        return False
    call = returned.value if isinstance(returned, ast.Return) else returned
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return False
    around = function.frame.function
    return around is not None and call.func.id in {parameter.arg for parameter in parameters(around.node)}


def check_bounds(it: Interpreter, operation: str, lower: Value, upper: Value, node: ast.AST) -> bool:
    """Whether a loop can count from ``lower`` to ``upper``: scalars of one dtype, where a Python number is of any."""
    bounds = [(contracts.exact(value), contracts.in_words(it, value)) for value in (lower, upper)]
    for aval, what in bounds:
        if aval.ends:
            it.emit(events.BoundsDiffer(node, operation, what, ""))
            return False
    a, b = (aval for aval, _ in bounds)
    if not a.kind or not b.kind or not avals.other_dtype(a, b):
        return True
    if a.kind == b.kind and not (a.is_strong and b.is_strong):
        return True
    it.emit(events.BoundsDiffer(node, operation, bounds[0][1], bounds[1][1]))
    return False


def check_written(
    it: Interpreter, operation: str, role: str, value: Value, written: ast.expr | None, node: ast.AST
) -> bool:
    """Whether what is written for a function may be one, and is not computed with a number."""
    if not isinstance(value, (Opaque, Tree)) or not _is_computed(written):
        return True
    return not it.emit(events.NoFunction(node, operation, role, "what is computed here"))


def _is_computed(written: ast.expr | None) -> bool:
    """x + 1, 2.0 * x"""
    if not isinstance(written, ast.BinOp):
        return False
    sides = (written.left, written.right)
    return any(isinstance(side, ast.Constant) and isinstance(side.value, (int, float)) for side in sides)


def check_sequence(it: Interpreter, operation: str, branches: Value, node: ast.AST) -> bool:
    """Whether ``branches`` can be the functions to choose among, and is not one of them, or something else."""
    what = contracts.in_words(it, branches) if contracts.kind_of_node(branches) in ("array", "None") else ""
    if isinstance(branches, (Function, Partial, Transformed)) or _is_of_jax(branches):
        what = "a function"
    if what:
        it.emit(events.NoFunction(node, operation, "branches", what))
    return not what


def _is_of_jax(value: Value) -> bool:
    return isinstance(value, External) and value.name in THERE


def check_branch_index(it: Interpreter, operation: str, index: Value, count: int, node: ast.AST) -> None:
    """A number that is no branch's is made that of the last one, or the first."""
    if isinstance(index, Const) and type(index.value) is int and not 0 <= index.value < count:
        it.emit(events.BranchBeyond(node, operation, index.value, count))


def check_bound_late(it: Interpreter, operation: str, branches: Sequence[Value], stands_for_many: bool) -> None:
    """Branches that one loop makes, and that read its variable when they run: it is the last one by then.

    A branch that ``stands_for_many`` is one that it makes again and again."""
    made = [innermost(branch)[0] for branch in branches]
    for number, branch in enumerate(made):
        again = stands_for_many or any(_is_made_again(branch, other) for other in made[:number])
        variable = _read_late(it, branch) if branch is not None and again else ""
        if branch is not None and variable:
            it.emit(events.BranchesAlike(branch.node, operation, variable), branch.scope)
            return


def _is_made_again(function: Function | None, earlier: Function | None) -> bool:
    if function is None or earlier is None or function is earlier:
        return False
    return function.node is earlier.node and function.frame is earlier.frame


def _read_late(it: Interpreter, function: Function) -> str:
    """A variable of the loop, or comprehension, next around a function that the function looks up."""
    if function.frame is None or it.class_of(function.frame) is not None:
        return ""
    bound = it.ask_text(function.scope, bound_around, function.node)
    return min(free_names(function.node, it.facts_of(function.node)) & bound, default="")


def check_carried(it: Interpreter, operation: str, body: Value, init: Value | None, node: ast.AST) -> None:
    """Whether the body of a loop that counts gives something of the index and never reads what is carried, so that
    nothing but its last pass is left.  A loop that carries nothing is there for what its body does."""
    function, bound, named = innermost(body)
    carries_none = isinstance(init, Const) and init.value is None
    if function is None or bound or named or carries_none or getattr(function.node, "decorator_list", []):
        return
    names = [parameter.arg for parameter in (*function.node.args.posonlyargs, *function.node.args.args)]
    values = returned(function.node) or []
    given = values[0] if len(values) == 1 else None
    if len(names) != 2 or given is None or isinstance(given, ast.Constant) or does_something(function.node):
        return
    nodes = list(descendants(function.node))
    read = {part.id for part in nodes if isinstance(part, ast.Name)}
    unpacked = {ast.unparse(part.value) for part in nodes if isinstance(part, ast.Assign) and _is_many(part.targets)}
    if names[0] in read - unpacked and names[1] not in read and read.isdisjoint(("locals", "eval", "exec")):
        it.emit(events.CarryUnread(given, operation, names[0], names[1]), function.scope)


def _is_many(targets: Sequence[ast.expr]) -> bool:
    return any(isinstance(target, (ast.Tuple, ast.List)) for target in targets)
