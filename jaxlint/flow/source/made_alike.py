"""Whether a loop that only counts makes a key in each of its passes, of a seed that no pass changes, for what is done
in all of them alike: it is the same key each time.  A loop over settings may well mean that."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.source.modules import ModuleText, parameters
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, children, descendants

_NOT_ALWAYS = (
    ast.If, ast.Try, ast.Match, ast.IfExp, ast.BoolOp, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_COUNTING = frozenset(("range", "trange", "count"))
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
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
    return made is not None and _is_unchanged(loop, _given(call)) and not _is_of_pass(loop, made, call)


def seeded_by(_: ModuleText, function: FunctionNode, call: ast.Call) -> frozenset[str] | None:
    """The parameters that a function computes the seed of, of which ``call`` makes a key; None where it computes that
    of something else that it binds."""
    if not _is_unchanged(function, _given(call)) or any(isinstance(part, _LOOPS) for part in descendants(function)):
        return None
    read = {_named(part) for one in _given(call) for part in descendants(one)}
    return frozenset(parameter.arg for parameter in parameters(function) if parameter.arg in read)


def is_made_alike_by(_: ModuleText, loop: ast.AST, call: ast.Call, seeds: tuple[ast.expr, ...], changes: bool) -> bool:
    """Whether the loop's passes call what makes a key of these ``seeds``, of the same ones, and for something else each
    time: it is given what passes bind, or ``changes`` what it is given."""
    if not isinstance(loop, (ast.For, ast.While)) or not _counts(loop) or not _is_unchanged(loop, seeds):
        return False
    made = next((one for one in loop.body if _leads_to(one, call)), None)
    if made is None or _is_of_pass(loop, made, call) or any(isinstance(part, _LEAVING) for part in descendants(loop)):
        return False
    return changes or not _is_unchanged(loop, [one for one in _given(call) if one not in seeds])


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_of_no_number(scope: ModuleText, loop: ast.comprehension, call: ast.Call) -> bool:
    """Whether a comprehension, of this loop alone, computes each of its elements in one way."""
    comprehensions = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
    parts = descendants(scope.tree) if scope.tree is not None else ()
    around = next((one for one in parts if isinstance(one, comprehensions) and one.generators == [loop]), None)
    if around is None or loop.ifs or not _leads_to(around.elt, call) or not _is_unchanged(loop, _given(call)):
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


def _is_unchanged(loop: ast.AST, given: Iterable[ast.expr]) -> bool:
    """Whether what is given is computed of what no pass binds or sets."""
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
    """Whether what is done with the key depends on which pass it is: it is of another size, or folds the number in.
    Where a result is put or shown for each number is not that."""
    target = loop.target if isinstance(loop, ast.For) else None
    numbers = {part.id for part in (target, *descendants(target)) if isinstance(part, ast.Name)} if target else set()
    is_bound = isinstance(made, (ast.Assign, ast.AnnAssign)) and made.value is call
    key = {_named(part) for part in descendants(made) if is_bound and not isinstance(_ctx(part), ast.Load)}
    if isinstance(loop, ast.While) or not numbers:
        return False
    for statement in loop.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement is not made:
            if dotted(statement.value.func) == "print":
                continue
        placed = _places(statement)
        read = {part.id for part in descendants(statement) if isinstance(part, ast.Name) and _is_read(part, placed)}
        if (statement is made or not read.isdisjoint(key)) and not read.isdisjoint(numbers):
            return True
    return False


def _places(statement: ast.stmt) -> set[ast.AST]:
    """What an assignment says of where its value is put."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {part for target in targets if isinstance(target, ast.Subscript) for part in descendants(target.slice)}


def _is_read(node: ast.Name, placed: set[ast.AST]) -> bool:
    return isinstance(node.ctx, ast.Load) and node not in placed
