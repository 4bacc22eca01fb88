"""Whether a loop that only counts makes a key in each of its passes, of a seed that no pass changes, for what is done
in all of them alike: it is the same key each time.  A loop over settings may well mean that."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children, descendants

_NOT_ALWAYS = (
    ast.If, ast.Try, ast.Match, ast.IfExp, ast.BoolOp, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_COUNTING = frozenset(("range", "trange", "count"))
_LEAVING = (ast.Break, ast.Return, ast.Raise)


def is_made_alike(scope: ModuleText, loop: ast.AST, call: ast.AST) -> bool:
    """``call`` makes the key in the loop."""
    if not isinstance(loop, (ast.For, ast.While, ast.comprehension)) or not isinstance(call, ast.Call):
        return False
    if not _counts(loop):
        return False
    if isinstance(loop, ast.comprehension):
        return _is_of_no_number(scope, loop, call)
    if any(isinstance(part, _LEAVING) for part in descendants(loop)):
        return False  # there may be one pass alone
    made = next((one for one in loop.body if _leads_to(one, call)), None)
    return made is not None and _is_unchanged(loop, call) and not _is_of_pass(loop, made, call)


def _is_of_no_number(scope: ModuleText, loop: ast.comprehension, call: ast.Call) -> bool:
    """Whether a comprehension, of this loop alone, computes each of its elements in one way."""
    comprehensions = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
    parts = descendants(scope.tree) if scope.tree is not None else ()
    around = next((one for one in parts if isinstance(one, comprehensions) and one.generators == [loop]), None)
    if around is None or loop.ifs or not _leads_to(around.elt, call) or not _is_unchanged(loop, call):
        return False
    numbers = {_named(part) for part in (loop.target, *descendants(loop.target))}
    return numbers.isdisjoint(_named(part) for part in descendants(around.elt))


def _counts(loop: ast.For | ast.While | ast.comprehension) -> bool:
    over = None if isinstance(loop, ast.While) else loop.iter
    return over is None or (isinstance(over, ast.Call) and dotted(over.func).rpartition(".")[2] in _COUNTING)


def _leads_to(node: ast.AST, call: ast.AST) -> bool:
    """Whether the call stands in a statement, where no condition or function is between them."""
    if node is call:
        return True
    return not isinstance(node, _NOT_ALWAYS) and any(_leads_to(below, call) for below in children(node))


def _is_unchanged(loop: ast.AST, call: ast.Call) -> bool:
    """Whether the seed is computed of what no pass binds or sets."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    parts = [part for one in given for part in (one, *descendants(one))]
    if any(isinstance(part, (ast.Call, ast.Subscript, ast.Starred, ast.Await)) for part in parts):
        return False
    read = {_named(part) for part in parts} - {""}
    return read.isdisjoint(_named(part) for part in descendants(loop) if not isinstance(_ctx(part), ast.Load))


def _named(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _ctx(node: ast.AST) -> ast.expr_context:
    return getattr(node, "ctx", ast.Load())


def _is_of_pass(loop: ast.For | ast.While, made: ast.stmt, call: ast.Call) -> bool:
    """Whether what is done with the key depends on which pass it is: it is of another size, or folds the number in."""
    target = loop.target if isinstance(loop, ast.For) else None
    numbers = {part.id for part in (target, *descendants(target)) if isinstance(part, ast.Name)} if target else set()
    is_bound = isinstance(made, (ast.Assign, ast.AnnAssign)) and made.value is call
    key = {_named(part) for part in descendants(made) if is_bound and not isinstance(_ctx(part), ast.Load)}
    if isinstance(loop, ast.While) or not numbers:
        return False
    for statement in loop.body:
        read = {part.id for part in descendants(statement) if isinstance(part, ast.Name) and _is_read(part)}
        if (statement is made or not read.isdisjoint(key)) and not read.isdisjoint(numbers):
            return True
    return False


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)
