"""Whether a module's own code, from top to bottom, can get to a function once more below one of its lines.

Scripts and notebooks give a global another value for their next example.  That is seen by what is defined and traced
from then on, and stale only in a function that was traced before and is called again.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants
from jaxlint.project.lifted import decorators


def runs_after(scope: ModuleText, function: ast.AST, write: ast.Name) -> bool:
    """Whether anything below ``write``, or in a loop around it, mentions what can lead to ``function``."""
    known = scope.runs_again.get((function, write))
    if known is None:
        known = scope.runs_again[function, write] = _runs_after(scope, function, write)
    return known


def _runs_after(scope: ModuleText, function: ast.AST, write: ast.Name) -> bool:
    whole = scope.lifted
    body = list(_one_by_one(whole))
    names = callers(scope, body, function)
    around = next((statement for statement in body if _contains(statement, write)), None)
    if around is None or _sets_it_to_the_same(body, around, write.id):
        return False
    start = around.lineno if isinstance(around, (ast.For, ast.While)) else write.lineno + 1
    end = _defined_again(whole, function)
    made_by_a_call = _is_made_by_a_call(body, function)
    if made_by_a_call and is_only_returned(body, function):
        names = holders(scope, body, function, start)  # who makes it does not run it
    imported = of_jax(body)
    if not any(_may_run(scope, statement, names, imported) for statement in body if statement.lineno <= write.lineno):
        return False  # nothing has traced the function by then
    if made_by_a_call:
        names = holders(scope, body, function, start)  # only a function that is kept is the one that was traced before
    for statement in body:
        if (statement.end_lineno or 0) < start or statement.lineno >= end:
            continue
        if not names.isdisjoint(_mentions(statement)):
            return True
        names.difference_update(_bound(statement))  # from here on the name is something else
    return False


def may_run_before(scope: ModuleText, function: ast.AST, line: int) -> bool:
    """Whether anything above a line of the module, or in a loop around it, may lead to ``function``."""
    body = scope.lifted
    names, imported = callers(scope, body, function), of_jax(body)
    above = [statement for statement in body if statement.lineno < line]
    decorators = (one for statement in above for one in getattr(statement, "decorator_list", ()))
    if not names or any(not names.isdisjoint(_mentions(one)) for one in decorators):
        return True
    return any(_may_run(scope, statement, names, imported) for statement in _one_by_one(above))


def _one_by_one(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module in the order in which they run: of `if __name__ == "__main__":`, as of any condition,
    those inside."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield ast.copy_location(ast.Expr(statement.test), statement.test)
            yield from _one_by_one(statement.body)
            yield from _one_by_one(statement.orelse)
        else:
            yield statement


def runs_below(scope: ModuleText, node: ast.AST, write: ast.AST) -> bool:
    """Whether a node runs only after a write in the module's body: it is below, and no loop leads back up."""
    body = scope.tree.body if scope.tree is not None else []
    around = [statement for statement in body if _contains(statement, write) and _contains(statement, node)]
    loops = [part for one in around for part in (one, *descendants(one)) if isinstance(part, _LOOPS)]
    return _line(node) > _line(write) and not any(_covers(loop, node) and _covers(loop, write) for loop in loops)


def sets_up(scope: ModuleText, function: ast.AST, writer: ast.AST, name: str) -> bool:
    """Whether a function gives a global its value first and then runs what leads to ``function``, once: as a program
    does that reads its options."""
    names = callers(scope, scope.lifted, function)
    stores, runs = [], []
    for node in descendants(writer):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            runs.append(node)
        elif _stores(node, name):
            stores.append(node)
    loops = [node for node in descendants(writer) if isinstance(node, (ast.For, ast.While))]
    if not stores or not runs or any(_covers(loop, one) for loop in loops for one in stores):
        return False
    if max(_line(one) for one in stores) >= min(_line(one) for one in runs):
        return False
    is_repeated = getattr(writer, "name", "") in scope.once(_called_in_loops)
    return not is_repeated or all(_is_written_out(writer, one) for one in stores)


def _called_in_loops(scope: ModuleText) -> frozenset[str]:
    """The functions that loops of a module call by their names: for each setting, say."""
    loops = (part for one in scope.lifted for part in descendants(one) if isinstance(part, _REPEATING))
    calls = (part for loop in loops for part in descendants(loop) if isinstance(part, ast.Call))
    return frozenset(call.func.id for call in calls if isinstance(call.func, ast.Name))


def _is_written_out(function: ast.AST, store: ast.AST) -> bool:
    """Whether what is stored there is a constant, the same at each call."""
    assigned = (part for part in descendants(function) if isinstance(part, ast.Assign) and store in part.targets)
    return any(isinstance(one.value, ast.Constant) for one in assigned)


def only_sets(scope: ModuleText, function: ast.AST, write: ast.AST, name: str) -> bool:
    """Whether the write of ``name`` is in a plain function that its own module never mentions and that does not get to
    ``function`` either: a setting, which users of the module make, most likely before anything is traced.  What is
    computed from the old value is made time and again."""
    if scope.tree is None or isinstance(write, ast.Name):
        return False
    body = scope.lifted
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    home = next((node for node in body if isinstance(node, definitions) and _contains(node, write)), None)
    if home is None or any(isinstance(node, _LOOPS) for node in descendants(home)):
        return False
    if decorators(home) or not callers(scope, body, function).isdisjoint(_mentions(home)) or updates(home, name):
        return False
    takers = [statement for statement in body if _takes_it(statement, {home.name})]
    names = {home.name, *(name for taker in takers for name in _bound(taker))}
    others = [statement for statement in body if statement is not home and statement not in takers]
    return all(names.isdisjoint(_mentions(statement)) for statement in others)


def updates(writer: ast.AST, name: str) -> bool:
    """Whether a function computes with the old value of what it binds, or sets an item of."""
    for node in descendants(writer):
        if isinstance(node, ast.AugAssign) and _stores(node.target, name):
            return True
        if isinstance(node, ast.Assign) and any(_stores(target, name) for target in node.targets):
            parts = (node.value, *descendants(node.value))
            if any(isinstance(part, ast.BinOp) and name in _mentions(part) for part in parts):
                return True
    return False


_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_REPEATING = (*_LOOPS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _stores(node: ast.AST, name: str) -> bool:
    target = node.value if isinstance(node, ast.Subscript) else node
    is_stored = isinstance(node, (ast.Name, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
    return is_stored and isinstance(target, ast.Name) and target.id == name


def _covers(outer: ast.AST, node: ast.AST) -> bool:
    return _line(outer) <= _line(node) <= (getattr(outer, "end_lineno", 0) or 0)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _sets_it_to_the_same(body: list[ast.stmt], write: ast.stmt, name: str) -> bool:
    """Whether every assignment of the name up to this one gives it one and the same constant."""
    values = {
        ast.dump(statement.value) if isinstance(statement.value, ast.Constant) else ""
        for statement in body
        if isinstance(statement, ast.Assign) and statement.lineno <= write.lineno and name in _bound(statement)
    }
    return isinstance(write, ast.Assign) and len(values) == 1 and "" not in values


def _defined_again(body: list[ast.stmt], function: ast.AST) -> float:
    """The line of the next function of the same name: from there on it is the one that is called."""
    name, line = getattr(function, "name", ""), getattr(function, "lineno", 0)
    later = (node.lineno for node in body if isinstance(node, ast.FunctionDef) and node.name == name)
    return min((number for number in later if number > line), default=float("inf"))


def callers(scope: ModuleText, body: list[ast.stmt], function: ast.AST) -> set[str]:
    """Module-level names of the function and of whatever mentions it, directly or not."""
    home = next((statement for statement in body if _contains(statement, function)), None)
    if home is None or isinstance(_called(home), ast.Call):  # what `jax.jit(lambda: …)()` returns is no function
        return set()
    makes_functions = home is not function and not isinstance(home, ast.Assign)
    names = set(_bound(home))
    gives_it = makes_functions and function in getattr(home, "body", ())  # of before an edit it may be in none
    return _leading_to(scope, body, names, names if makes_functions else (), names if gives_it else ())


def _leading_to(
    scope: ModuleText,
    body: list[ast.stmt],
    names: Iterable[str],
    makers: Iterable[str] = (),
    givers: Collection[str] = (),
) -> set[str]:
    """These names of functions, and those of whatever mentions them, directly or not.

    What a call of a function returns is a result, unless it is one of the ``makers``: they, and who mentions them,
    may return the function.  Of the ``givers`` it is known that what they give is the function itself.
    """
    found, makers, imported = set(names), set(makers), of_jax(body)
    before = (-1, -1)
    while before != (len(found), len(makers)):
        before = (len(found), len(makers))
        for statement in body:
            mentioned = scope.mentions(statement)
            if found.isdisjoint(mentioned) or _is_result(statement, found - makers) or _is_run(statement, imported):
                continue
            found.update(_bound(statement))
            makes = not makers.isdisjoint(mentioned) and not _takes_it(statement, givers)
            if makes or not found.isdisjoint(_mentioned_by_nested(statement)):
                makers.update(_bound(statement))
    return found


def _mentioned_by_nested(statement: ast.stmt) -> set[str]:
    """The names in the functions that a function makes: what it returns may be one of these."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return set()
    nested = (node for node in descendants(statement) if isinstance(node, _FUNCTIONS) and node is not statement)
    return {name for node in nested for name in _mentions(node)}


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _is_result(statement: ast.stmt, functions: set[str]) -> bool:
    """Whether a statement assigns what one of these functions returns, or what a call of what a call returns does."""
    called = _called(statement)
    return isinstance(called, ast.Call) or (isinstance(called, ast.Name) and called.id in functions)


def of_jax(body: Iterable[ast.stmt]) -> dict[str, str]:
    """The names of JAX that a module imports, each with what it is there."""
    imports = [statement for statement in body if isinstance(statement, (ast.Import, ast.ImportFrom))]
    return {
        alias.asname or alias.name.partition(".")[0]: alias.name.rpartition(".")[2]
        for one in imports
        for alias in one.names
        if (alias.name if isinstance(one, ast.Import) else one.module or "").partition(".")[0] == "jax"
    }


def _is_run(statement: ast.stmt, imported: Mapping[str, str]) -> bool:
    """Whether a statement assigns what a loop or a branch of JAX gives, which runs functions and returns arrays."""
    called = _called(statement)
    if isinstance(called, ast.Name):
        return imported.get(called.id) in _RUNS
    return isinstance(called, ast.Attribute) and called.attr in _RUNS and _root(called) in imported


_RUNS = frozenset(("scan", "fori_loop", "while_loop", "map", "cond", "switch", "associative_scan"))


def _takes_it(statement: ast.stmt, givers: Collection[str]) -> bool:
    """Whether a statement gives a name to a function as it is in a class, or as a call makes it."""
    if not isinstance(statement, ast.Assign):
        return False
    value = statement.value
    source = value.func if isinstance(value, ast.Call) else value.value if isinstance(value, ast.Attribute) else None
    return isinstance(source, ast.Name) and source.id in givers


def _is_made_by_a_call(body: list[ast.stmt], function: ast.AST) -> bool:
    """Whether the function is defined in another one, so that each call of that makes it anew."""
    home = next((statement for statement in body if _contains(statement, function)), None)
    return isinstance(home, (ast.FunctionDef, ast.AsyncFunctionDef)) and home is not function


def is_only_returned(body: list[ast.stmt], function: ast.AST) -> bool:
    """Whether a global function does nothing with one that it defines but return it."""
    home = next(statement for statement in body if _contains(statement, function))
    if function not in home.body:  # type: ignore[attr-defined]
        return False
    name = getattr(function, "name", "")
    returned = sum(isinstance(part, ast.Return) and _is_name(part.value, name) for part in home.body)  # type: ignore[attr-defined]
    return returned == list(_mentions(home)).count(name)


def _is_name(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def holders(scope: ModuleText, body: list[ast.stmt], function: ast.AST, end: int) -> set[str]:
    """The names that a module gives, above a line, to a function that a call has made, and whatever mentions these."""
    makers = _makers(body, function)
    found: set[str] = set()
    for statement in body:
        if statement.lineno < end and isinstance(statement, ast.Assign) and _hands_out(statement.value, makers):
            found.update(_bound(statement))
    others = [statement for statement in body if not _contains(statement, function)]
    return _leading_to(scope, others, found, () if is_only_returned(body, function) else found)


def _makers(body: list[ast.stmt], function: ast.AST) -> set[str]:
    """The functions of a module that may return the one that is defined in one of them."""
    functions = [node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = {node.name for node in functions if _contains(node, function)}
    count = -1
    while count != len(found):
        count = len(found)
        found.update(node.name for node in functions if any(_hands_out(part, found) for part in _kept(node)))
    return found


def _kept(function: ast.AST) -> Iterator[ast.expr]:
    """What a function returns, or gives a name to."""
    for node in descendants(function):
        kept = isinstance(node, ast.Return) or (isinstance(node, ast.Assign) and _is_returned(function, node))
        if kept and node.value is not None:  # type: ignore[attr-defined]
            yield node.value  # type: ignore[attr-defined]


def _is_returned(function: ast.AST, statement: ast.Assign) -> bool:
    """Whether a name that gets the value is returned as it is, or among others."""
    returned = [node.value for node in descendants(function) if isinstance(node, ast.Return)]
    parts = [part for value in returned for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
    return not {part.id for part in parts if isinstance(part, ast.Name)}.isdisjoint(_bound(statement))


def _hands_out(value: ast.expr, makers: set[str]) -> bool:
    """Whether a maker is called in there, and what it returns is not called at once."""
    calls = [node for node in (value, *descendants(value)) if isinstance(node, ast.Call)]
    run = {id(node.func) for node in calls}
    return any(isinstance(node.func, ast.Name) and node.func.id in makers and id(node) not in run for node in calls)


def _may_run(scope: ModuleText, statement: ast.stmt, names: set[str], imported: Mapping[str, str]) -> bool:
    """Whether a statement of a module calls one of these functions, or gives one to something that may.

    Definitions run nothing, and an assignment that only mentions a function gives it another name: who calls that
    is asked for that name.
    """
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or _is_run(statement, imported):
        return not names.isdisjoint(scope.mentions(statement))
    return not names.isdisjoint(scope.part(_roots_of_calls, statement))


def _roots_of_calls(statement: ast.stmt) -> frozenset[str]:
    """The names that what a statement calls is of."""
    return frozenset(_root(node.func) for node in descendants(statement) if isinstance(node, ast.Call))


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _called(statement: ast.stmt) -> ast.expr | None:
    """What is called where a statement assigns the result of a call."""
    is_call = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
    return statement.value.func if is_call else None  # type: ignore[attr-defined]


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        yield from (
            node.id for target in statement.targets for node in descendants(target) if isinstance(node, ast.Name)
        )


def _mentions(statement: ast.AST) -> Iterator[str]:
    return (node.id for node in descendants(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def _contains(outer: ast.stmt, node: ast.AST) -> bool:
    return outer.lineno <= getattr(node, "lineno", 0) <= (outer.end_lineno or 0)
