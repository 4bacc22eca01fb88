"""Options of a function that all calls in the program leave out, and what stands where only another value leads."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import children, descendants

Option = tuple[str, int]
"""A parameter with a constant as its default: its name, and its position or -1."""


def options_of(function: ast.AST, node: ast.AST) -> list[Option]:
    """The options of a function without another value of which a node in it is not come to."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    stored = {part.id for part in descendants(function) if isinstance(part, ast.Name) and not _is_load(part)}
    found = []
    for name, position, default in _defaults(function):
        if name not in stored and any(_turns_away(branch, node, name, default) for branch in _branches(function)):
            found.append((name, position))
    return found


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, int, object]]:
    args = [*function.args.posonlyargs, *function.args.args]
    given = function.args.defaults
    for position, default in enumerate(given, len(args) - len(given)):
        if isinstance(default, ast.Constant):
            yield args[position].arg, position, default.value
    for parameter, own in zip(function.args.kwonlyargs, function.args.kw_defaults):
        if isinstance(own, ast.Constant):
            yield parameter.arg, -1, own.value


def _branches(function: ast.AST) -> Iterator[ast.If | ast.IfExp]:
    return (part for part in descendants(function) if isinstance(part, (ast.If, ast.IfExp)))


def _turns_away(branch: ast.If | ast.IfExp, node: ast.AST, name: str, default: object) -> bool:
    """Whether a condition leads elsewhere than to a node as long as an option has its default."""
    truth = _truth(branch.test, name, default)
    if truth is None:
        return False
    left = branch.orelse if truth else branch.body
    return any(node is part for one in (left if isinstance(left, list) else [left]) for part in descendants(one))


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _truth(test: ast.expr, name: str, value: object) -> bool | None:
    """Whether a condition holds where a variable has a value; None where that does not decide."""
    if isinstance(test, ast.Name):
        return bool(value) if test.id == name else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(test.operand, name, value)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        decided = isinstance(test.op, ast.Or)
        return decided if any(_truth(part, name, value) is decided for part in test.values) else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
        compare = _COMPARED.get(type(test.ops[0]))
        if compare is not None and isinstance(test.left, ast.Name) and test.left.id == name:
            try:
                return bool(compare(value, test.comparators[0].value))
            except TypeError:
                return None
    return None


# -- who gives it ---------------------------------------------------------------------------------------------------


def is_given(scope: ModuleText, function: str, parameter: str, position: int) -> bool | None:
    """Whether a module gives an option to a function of that name, or may; None if it does not mention the function."""
    if scope.tree is None or function not in scope.module.document.text:
        return None
    imported = {
        alias.asname or alias.name.partition(".")[0]
        for node in descendants(scope.tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    names, answer = _names_for(scope.tree, function), None
    above = {child: node for node in descendants(scope.tree) for child in children(node)}
    for node in list(above):
        call = above[node]
        if _refers(node, names, function, imported) and not isinstance(call, ast.Attribute):  # a module of that name
            if not isinstance(call, ast.Call) or _is_given_in(call, node, parameter, position):
                return True
            answer = False
    return answer


def _names_for(tree: ast.AST, function: str) -> set[str]:
    """The names under which a module has a function: its own, those that it is imported by, and of partials of it."""
    names = {function}
    for node in descendants(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.name == function and alias.asname}
    for node in descendants(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and node.value.args:
            held = node.value.args[0]
            if getattr(held, "attr", getattr(held, "id", "")) in names:
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _refers(node: ast.AST, names: set[str], function: str, imported: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names and _is_load(node)
    if not isinstance(node, ast.Attribute) or node.attr != function:
        return False
    root: ast.AST = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in imported


def _is_given_in(call: ast.Call, reference: ast.AST, parameter: str, position: int) -> bool:
    """Whether a call of the function, or of what makes a partial of it, gives the option, or may."""
    if any(isinstance(part, ast.Starred) for part in call.args):
        return True
    if any(keyword.arg in (None, parameter) for keyword in call.keywords):
        return True
    if call.func is reference:
        return 0 <= position < len(call.args)
    is_first = bool(call.args) and call.args[0] is reference
    return not is_first or 0 <= position < len(call.args) - 1
