"""What `tree_flatten` and `tree_unflatten` are, as far as their text says so: what is returned, and which parameters of
the constructor get the children."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.source.straight import taken
from jaxlint.flow.source.trees import FunctionNode, children, descendants

_LITERALS: dict[type, str] = {
    ast.List: "a list",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.Constant: "a constant",
    ast.ListComp: "a list",
    ast.DictComp: "a dict",
}
_NO_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def own_nodes(function: FunctionNode | ast.ClassDef) -> Iterator[ast.AST]:
    """The nodes in the body of a function or a class, without those of functions in it, in the order of the text."""
    stack: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(reversed(function.body))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _NO_FUNCTIONS):
            stack += reversed(children(node))


def does_something(function: FunctionNode) -> bool:
    """Whether a function has statements for their effect, or binds what is not its own."""
    for node in own_nodes(function):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, (ast.Expr, ast.AugAssign, ast.Global, ast.Nonlocal, ast.Delete)) and not is_text:
            return True
        targets = node.targets if isinstance(node, ast.Assign) else ()
        if any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets):
            return True
    return False


def returned(function: FunctionNode) -> list[ast.expr | None] | None:
    """What a function returns, by expression; None where it may end in another way, as a generator does."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    nodes = list(own_nodes(function))
    if any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Raise)) for node in nodes):
        return None
    return [node.value for node in nodes if isinstance(node, ast.Return)]


def is_stub(function: FunctionNode) -> bool:
    """Whether there is nothing in it."""
    if isinstance(function, ast.Lambda):
        return False
    return all(
        isinstance(part, ast.Pass) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in function.body
    )


def may_be_set(module: ast.AST, cls: str, member: str) -> bool:
    """Whether a module may give a class a member outside of the statement that makes it: by an assignment to it, by its
    name in a string, or by handing on the class."""
    for node in descendants(module):
        if isinstance(node, ast.Attribute) and node.attr == member and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Constant) and node.value == member:
            return True
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _ONLY_ASKING):
            if any(_is_name(part, cls) for part in (*node.args, *(one.value for one in node.keywords))):
                return True
    return False


_ONLY_ASKING = frozenset(("isinstance", "issubclass", "super"))


def no_pairs(function: FunctionNode) -> Iterator[tuple[ast.AST, str]]:
    """What a `tree_flatten` returns that is no pair of children and structure: where, and what it is in words."""
    values = returned(function)
    if values is None or is_stub(function):
        return
    if not values:
        yield function, "nothing"
    for value in values:
        if value is None:
            yield function, "nothing"
        elif type(value) in _LITERALS:
            yield value, _word(value)
        elif isinstance(value, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in value.elts):
            if len(value.elts) != 2:
                yield value, f"a tuple of {len(value.elts)}"
            elif isinstance(value.elts[0], ast.Constant) and not isinstance(value.elts[0].value, str):
                yield value, f"{value.elts[0].value!r} for the children"


def _word(value: ast.expr) -> str:
    return "None" if isinstance(value, ast.Constant) and value.value is None else _LITERALS[type(value)]


def unpacked(function: FunctionNode, name: str) -> ast.AST | None:
    """Where each run takes a parameter apart, in whichever way, as it came."""
    body = [ast.Expr(function.body)] if isinstance(function, ast.Lambda) else function.body
    names = {name}
    for node, _ in always_run(body, names):
        if not names:
            break
        if isinstance(node, (ast.Starred, ast.Subscript)) and _is_name(node.value, name):
            return node
        if isinstance(node, ast.Assign) and _is_name(node.value, name) and isinstance(node.targets[0], ast.Tuple):
            return node
    return None


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def given_children(function: FunctionNode, constructor: frozenset[str], leaves: str, count: int) -> set[int | str]:
    """The parameters, by position or name, for which a `tree_unflatten` hands parts of ``leaves`` to one of the names
    of the ``constructor``; ``count`` is how many there are, as far as that is known."""
    parts = _named_parts(function, leaves)
    found: set[int | str] = set()
    for node in own_nodes(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in constructor:
            continue
        for position, value in enumerate(node.args):
            if isinstance(value, ast.Starred):
                found.update(range(position, position + count) if _is_name(value.value, leaves) else ())
                break
            if _is_part(value, leaves, parts):
                found.add(position)
        found.update(one.arg for one in node.keywords if one.arg and _is_part(one.value, leaves, parts))
    return found


def _named_parts(function: FunctionNode, leaves: str) -> set[str]:
    return {
        part.id
        for node in own_nodes(function)
        if isinstance(node, ast.Assign) and _is_name(node.value, leaves) and isinstance(node.targets[0], ast.Tuple)
        for part in node.targets[0].elts
        if isinstance(part, ast.Name)
    }


def _is_part(value: ast.expr, leaves: str, parts: set[str]) -> bool:
    if isinstance(value, ast.Subscript):
        return _is_name(value.value, leaves) and isinstance(value.slice, ast.Constant)
    return isinstance(value, ast.Name) and value.id in parts


def always_run(statements: Iterable[ast.stmt], names: set[str]) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes that each run of a function comes by, while these ``names`` are what they were at the start, and
    whether the node is in an assertion."""
    for statement in taken(statements):
        if not isinstance(statement, _ONE_AFTER_ANOTHER):
            return
        for node in _unconditional(statement):
            yield node, isinstance(statement, ast.Assert)
        for node in descendants(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.discard(node.id)


_ONE_AFTER_ANOTHER = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert, ast.Pass, ast.Return)


def _unconditional(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, (*_NO_FUNCTIONS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return
    inside = [node.test] if isinstance(node, (ast.IfExp, ast.Assert)) else children(node)
    if isinstance(node, ast.BoolOp):
        inside = node.values[:1]
    for part in inside:
        yield from _unconditional(part)
