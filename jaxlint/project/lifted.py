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
from collections.abc import Iterable

_Home = ast.ClassDef | ast.FunctionDef
_STATIC = "staticmethod"


def lifted(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a module, where such a function stands in place of what gives it its name, and not in the class
    or the function that has nothing else and is mentioned nowhere else."""
    once = _lifted_once(body)
    return body if once is body else lifted(once)


def _lifted_once(body: list[ast.stmt]) -> list[ast.stmt]:
    homes = {one.name: one for one in body if isinstance(one, _Home) and _only(one) is not None}
    if not homes:
        return body
    read = Counter(part.id for one in body for part in ast.walk(one) if isinstance(part, ast.Name))
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
    """The function that is all that a class, or a function without parameters, has to give."""
    if decorators(home):
        return None
    inner = [one for one in home.body if not _is_empty(one)]
    first = inner[0] if inner else None
    if not isinstance(first, ast.FunctionDef):
        return None
    if isinstance(home, ast.ClassDef):
        is_static = any(_names([one], _STATIC) for one in first.decorator_list)
        return first if len(inner) == 1 and is_static and not home.bases and not home.keywords else None
    is_given = any(isinstance(part, ast.arg) for part in ast.walk(home.args))
    is_returned = len(inner) == 2 and isinstance(inner[1], ast.Return) and _names([inner[1].value], first.name)
    return first if is_returned and not is_given else None


def _is_empty(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass)


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
