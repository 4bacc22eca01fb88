"""What a module's body comes to where functions stand alone in what only gives them their names.

class Steps:                    def make_step():
    @staticmethod                   @jax.jit
    def step(x):                    def step(x):
        return 2 * x                    return 2 * x
                                    return step
step = Steps.step               step = make_step()

Either is a global function like any other.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable

_Home = ast.ClassDef | ast.FunctionDef
_STATIC = "staticmethod"


def counted_names(statement: ast.stmt) -> Counter[str]:
    """How often each name stands in a statement."""
    return Counter(part.id for part in ast.walk(statement) if isinstance(part, ast.Name))


def lifted(body: list[ast.stmt], counted: Callable[[ast.stmt], Counter[str]] = counted_names) -> list[ast.stmt]:
    """The statements of a module, where such a function stands in place of what gives it its name, and not in the class
    or the function that has nothing else and is mentioned nowhere else.  ``counted`` may remember `counted_names`."""
    once = _lifted_once(body, counted)
    return body if once is body else lifted(once, counted)


def _lifted_once(body: list[ast.stmt], counted: Callable[[ast.stmt], Counter[str]]) -> list[ast.stmt]:
    homes = {one.name: one for one in body if isinstance(one, _Home) and _only(one) is not None}
    if not homes:
        return body
    counts = [counted(one) for one in body]
    read = {name: sum(one[name] for one in counts) for name in homes}
    taken: dict[ast.stmt, str] = {}
    for statement in body:
        home = homes.get(_home_named(statement))
        if home is not None and read[home.name] == 1 and _takes(statement, home):
            taken[statement] = home.name
    if not taken:
        return body
    gone = {id(homes[name]) for name in taken.values()}
    found = [one if one not in taken else _only(homes[taken[one]]) for one in body if id(one) not in gone]
    return [one for one in found if one is not None]


def decorators(function: ast.AST) -> list[ast.expr]:
    """The decorators of a function, but for what makes it one that a class has."""
    return [one for one in getattr(function, "decorator_list", ()) if not _names([one], _STATIC)]


def _only(home: _Home) -> ast.FunctionDef | None:
    """The function that is all that a class, or a function without parameters, has to give: what else is there does
    nothing."""
    if decorators(home):
        return None
    inner = [one for one in home.body if not _is_empty(one)]
    first = next((one for one in inner if isinstance(one, ast.FunctionDef)), None)
    if first is None:
        return None
    read = {part.id for part in ast.walk(first) if isinstance(part, ast.Name)}
    inner = [one for one in inner if not _is_unread(one, read)]
    if isinstance(home, ast.ClassDef):
        is_static = any(_names([one], _STATIC) for one in first.decorator_list)
        return first if inner == [first] and is_static and not home.bases and not home.keywords else None
    is_given = any(isinstance(part, ast.arg) for part in ast.walk(home.args))
    last = inner[-1]
    is_returned = inner[:-1] == [first] and isinstance(last, ast.Return) and _names([last.value], first.name)
    return first if is_returned and not is_given else None


def _is_empty(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.If) and isinstance(statement.test, ast.Constant):
        return not statement.test.value and not statement.orelse
    return is_text or isinstance(statement, ast.Pass)


def _is_unread(statement: ast.stmt, read: set[str]) -> bool:
    """Whether a statement gives constants to variables that the function does not read."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
        return False
    return all(isinstance(one, ast.Name) and one.id not in read for one in statement.targets)


def _home_named(statement: ast.stmt) -> str:
    """The name of what a statement takes an attribute of, or calls, for another name."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    home = value.value if isinstance(value, ast.Attribute) else None
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        home = value.func
    return home.id if isinstance(home, ast.Name) else ""


def _takes(statement: ast.stmt, home: _Home) -> bool:
    """Whether a statement gives a function its own name: as the class has it, or as the other function returns it."""
    inner = _only(home)
    if inner is None or not isinstance(statement, ast.Assign) or not _names(statement.targets, inner.name):
        return False
    value = statement.value
    if isinstance(home, ast.ClassDef):
        return isinstance(value, ast.Attribute) and value.attr == inner.name
    return isinstance(value, ast.Call)


def _names(nodes: Iterable[ast.expr | None], name: str) -> bool:
    """Whether some expressions are that name alone."""
    return [getattr(one, "id", "") for one in nodes] == [name]
