"""Which values a condition leaves to what it compares with constants, so that others of them exclude it.

if n == 0:
    return sample(key)
if n > 0: ...
"""

from __future__ import annotations

import ast
import math

from jaxlint.flow.domain.among import Among
from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import ClassValue, Const, External, Opaque, Tuple, Value
from jaxlint.flow.models.arrays.subjects import canonical
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter

_Found = tuple[ast.expr, str, Among]
"""What is asked, what of it, and what that may be."""


def guard(it: Interpreter, test: ast.expr, holds: bool) -> Guard | None:
    """What ``test`` being ``holds`` leaves to its subject; None if that is not known."""
    found = _left(it, test, holds)
    if found is None:
        return None
    return _told(it, *found)


def guard_of_case(it: Interpreter, match: ast.Match, case: ast.match_case) -> Guard | None:
    """What a case leaves to the subject of its ``match``, if it is one of some constants."""
    pattern = case.pattern
    patterns = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    written = [one.value for one in patterns if isinstance(one, ast.MatchValue)]
    values = _constants(it, written) if len(written) == len(patterns) else None
    return _told(it, match.subject, "value of", Among(values)) if values else None


def _told(it: Interpreter, subject: ast.expr, word: str, among: Among) -> Guard | None:
    asked = canonical(it, subject)
    return Guard(f"{word} {asked[0]}", asked[1], True, among) if asked is not None else None


def _left(it: Interpreter, test: ast.expr, holds: bool) -> _Found | None:
    if isinstance(test, (ast.Name, ast.Attribute)):
        return test, "length of", Among(None, 0, is_open=True) if holds else _EMPTY
    if isinstance(test, ast.Call):
        return _of_type(it, test) if holds else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    found = _of_comparison(it, test.left, test.ops[0], test.comparators[0], holds)
    if found is not None and _is_length(found[0]):
        return found[0].args[0], "length of", found[2]  # type: ignore[attr-defined]
    return found


_EMPTY = Among(frozenset((0,)))


def _is_length(node: ast.expr) -> bool:
    is_call = isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Name)
    return is_call and node.func.id == "len"  # type: ignore[attr-defined]


def _of_comparison(it: Interpreter, left: ast.expr, operator: ast.cmpop, right: ast.expr, holds: bool) -> _Found | None:
    if isinstance(operator, (ast.NotEq, ast.IsNot, ast.NotIn)):
        operator, holds = _POSITIVE[type(operator)], not holds
    if isinstance(operator, (ast.Eq, ast.Is, ast.In)):
        values = _constants(it, _compared(operator, right)) if holds else None
        if not values and holds and not isinstance(operator, ast.In):
            left, values = right, _constants(it, [left])
        return (left, "value of", Among(values)) if values else None
    word, bound = _WORDS[type(operator)], _number(it, right)
    if bound is None:
        left, bound, word = right, _number(it, left), _FLIPPED[word]
    if bound is None:
        return None
    word = word if holds else _OPPOSITE[word]
    low, high = (bound, math.inf) if word.startswith(">") else (-math.inf, bound)
    return left, "value of", Among(None, low, high, "=" not in word, not holds)


def _compared(operator: ast.cmpop, right: ast.expr) -> list[ast.expr]:
    """What the left side equals one of.  What is in a string is a part of it, of any length."""
    if not isinstance(operator, ast.In):
        return [right]
    return right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else []


_POSITIVE = {ast.NotEq: ast.Eq(), ast.IsNot: ast.Is(), ast.NotIn: ast.In()}
_WORDS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _constants(it: Interpreter, nodes: list[ast.expr]) -> frozenset[object] | None:
    """What these are, if all of them are constants: written out, or by a name."""
    values = [_constant(it, node) for node in nodes]
    return frozenset(value.value for value in values if value is not None) if None not in values else None


def _constant(it: Interpreter, node: ast.expr) -> Const | None:
    """A constant that is written out, or what a variable or an attribute is known to be; for a member of an enumeration
    that `auto()` gives its value, the member itself."""
    if isinstance(node, ast.Constant):
        return Const(node.value)
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    with it.quiet():
        if isinstance(node, ast.Attribute):
            owner = it.eval(node.value)
            if isinstance(owner, ClassValue) and classes.is_enum(owner):
                return _member(it, owner, node.attr)
        value = it.eval(node)
    return value if isinstance(value, Const) else None


def _member(it: Interpreter, cls: ClassValue, name: str) -> Const | None:
    """What tells a member from the others: its value, or itself where `auto()` gives each of them another one."""
    found = classes.find_member(it, cls, name)
    if isinstance(found, Tuple) and all(isinstance(item, Const) for item in found.items):
        return Const(tuple(item.value for item in found.items if isinstance(item, Const)))
    if isinstance(found, Opaque) and _is_numbered(it, cls, name):
        return Const((cls.node, name))
    return found if isinstance(found, Const) else None


def _is_numbered(it: Interpreter, cls: ClassValue, name: str) -> bool:
    written = [one.value for one in cls.node.body if isinstance(one, ast.Assign) and _binds(one, name)]
    value = written[0] if len(written) == 1 else None
    made = it.eval_annotation(value.func, cls) if isinstance(value, ast.Call) and not value.args else None
    return isinstance(made, External) and made.name == "enum.auto"


def _binds(statement: ast.Assign, name: str) -> bool:
    return len(statement.targets) == 1 and isinstance(target := statement.targets[0], ast.Name) and target.id == name


def _number(it: Interpreter, node: ast.expr) -> float | None:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    known = _constant(it, node)
    value = known.value if known is not None else None
    return sign * value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _of_type(it: Interpreter, test: ast.Call) -> _Found | None:
    """isinstance(x, str): of these types nothing is of two, but a bool, which is an int."""
    if not isinstance(test.func, ast.Name) or len(test.args) != 2 or test.keywords:
        return None
    with it.quiet():
        function = it.eval(test.func)
        if not isinstance(function, External) or function.name != "builtins.isinstance":
            return None
        names = _names(it.eval(test.args[1]))
    return (test.args[0], "type of", Among(names)) if names and names <= _APART else None


def _names(against: Value) -> frozenset[str]:
    if isinstance(against, Tuple):
        return frozenset(name for item in against.items for name in _names(item))
    name = against.name.removeprefix("builtins.") if isinstance(against, External) else "?"
    return frozenset(("int" if name == "bool" else name,))


_APART = frozenset("int float complex str bytes list tuple dict set frozenset slice".split())
