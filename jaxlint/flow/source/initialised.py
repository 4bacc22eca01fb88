"""Which methods of flax modules ``init`` runs: parameters are made there and nowhere else.

It is told from the text of all modules of a program: classes and methods are the same ones where they have the same
name.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.flow.source.trees import descendants
from jaxlint.project.edits import TreeEdit, lines_of

if TYPE_CHECKING:
    from jaxlint.project.program import Module, Program


@dataclass(slots=True)
class _Method:
    """What a function mentions, ``own`` being attributes of its first argument; ``owner`` is the class it is in."""

    owner: str
    name: str
    own: frozenset[str]
    words: frozenset[str]


@dataclass(slots=True)
class _Mentions:
    """The methods that a module says ``init`` runs: ``called`` by another name than `__call__`, ``named`` as its
    ``method``."""

    called: frozenset[str]
    named: frozenset[str]
    functions: tuple[_Method, ...]


@dataclass(slots=True)
class _Together(_Mentions):
    """What all modules of the program say; ``reached`` are the names that ``init`` may get to in any class."""

    reached: set[str]


class Inits:
    """Which methods ``init`` of a module runs, over all modules of a program.  It is found out when asked for.

    It runs `__call__`, or else what it is told as its ``method``; `setup`; and what these mention in turn.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modules: dict[str, _Mentions] = {}
        self._statements: dict[str, dict[ast.stmt, _Mentions]] = {}
        self._together: _Together | None = None
        self._answers: dict[tuple[tuple[str, ...], str], bool | None] = {}

    def runs(self, classes: tuple[str, ...], name: str) -> bool | None:
        """Whether ``init`` of a module runs the method of that name: ``classes`` are the names of its class and of the
        classes that this derives from.  None if it may."""
        asked = (classes, name)
        if asked not in self._answers:
            self._answers[asked] = self._find(classes, name)
        return self._answers[asked]

    def update(self, module: Module, edit: TreeEdit) -> frozenset[str]:
        """The module has another text: returns the names whose answer is another now, of those that were asked for."""
        said = self._statements.get(module.name, {})
        for body in edit.bodies:
            for statement in [statement for statement in said if _overlap(lines_of(statement), body.new_lines)]:
                del said[statement]
        known = self._modules.pop(module.name, None)
        if known is None or self._said(module) == known:
            return frozenset()
        self._together = None
        old, self._answers = self._answers, {}
        return frozenset(asked[1] for asked, answer in old.items() if self.runs(*asked) is not answer)

    def _find(self, classes: tuple[str, ...], name: str) -> bool | None:
        if self._together is None:
            self._together = self._all_said()
        every = self._together
        methods = [method for method in every.functions if method.owner in classes]
        own = [(method.name, method.own) for method in methods]
        told = every.named & {method.name for method in methods}
        if told and name in _reached({"setup", *told}, own):
            return True
        if name in _reached({"setup", *every.called}, own):
            return None if told else True
        if name not in every.reached:
            return False
        owners = {method.owner for method in every.functions if method.name == name and method.owner}
        return True if owners <= set(classes) and not told else None

    def _all_said(self) -> _Together:
        modules = self._program.modules.items()
        said = _together([self._said(module) for key, module in modules if key not in self._program.foreign])
        called = said.called | {"__call__"}
        words = [(method.name, method.words) for method in said.functions]
        return _Together(called, said.named, said.functions, _reached({"setup", *called, *said.named}, words))

    def _said(self, module: Module) -> _Mentions:
        known = self._modules.get(module.name)
        if known is None:
            tree = module.document.tree
            said = self._statements.get(module.name, {})
            parts = {part: said.get(part) or _mentions_in(part) for part in tree.body} if tree is not None else {}
            self._statements[module.name] = parts
            known = self._modules[module.name] = _together(parts.values())
        return known


def _reached(roots: Iterable[str], mentions: list[tuple[str, frozenset[str]]]) -> set[str]:
    """The names that functions of some names mention, and functions of these names in turn."""
    by_name: dict[str, set[str]] = {}
    for name, words in mentions:
        by_name.setdefault(name, set()).update(words)
    found, pending = set[str](), list(roots)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(by_name.get(name, ()))
    return found


def _overlap(some: tuple[int, int], others: tuple[int, int]) -> bool:
    return some[0] <= others[1] and others[0] <= some[1]


def _together(parts: Collection[_Mentions]) -> _Mentions:
    called = frozenset[str]().union(*(part.called for part in parts))
    named = frozenset[str]().union(*(part.named for part in parts))
    return _Mentions(called, named, tuple(method for part in parts for method in part.functions))


def _mentions_in(statement: ast.stmt) -> _Mentions:
    """What a statement of a module says."""
    called, named = set[str](), set[str]()
    functions = tuple(_method(owner, function) for owner, function in _owned_functions([statement], "", called))
    for node in descendants(statement):
        if isinstance(node, ast.Call) and _runs_init(node):
            named.update(_named_in([*node.args[:1], *(k.value for k in node.keywords if k.arg == "method")]))
    return _Mentions(frozenset(called), frozenset(named), functions)


def _owned_functions(
    body: list[ast.stmt], owner: str, called: set[str]
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every def below a list of statements with the class it is a method of; ``called`` takes what a class calls
    `__call__`."""
    for statement in body:
        inside = owner
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield owner, statement
            inside = ""
        elif isinstance(statement, ast.ClassDef):
            inside = statement.name
        elif isinstance(statement, ast.Assign) and owner:
            if any(isinstance(target, ast.Name) and target.id == "__call__" for target in statement.targets):
                called.update(_named_in([statement.value]))
        for part in ("body", "orelse", "finalbody"):
            yield from _owned_functions(getattr(statement, part, []), inside, called)
        for handler in getattr(statement, "handlers", ()):
            yield from _owned_functions(handler.body, inside, called)


def _method(owner: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> _Method:
    first = next((parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)), "")
    own, words = set[str](), set[str]()
    for node in descendants(function):
        if isinstance(node, ast.Attribute):
            words.add(node.attr)
            if (isinstance(node.value, ast.Name) and node.value.id == first) or _is_super(node.value):
                own.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            words.add(node.func.id)
            if node.func.id == first:
                own.add("__call__")
    return _Method(owner, function.name, frozenset(own), frozenset(words))


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


_INITS = frozenset(("init", "init_with_output", "lazy_init"))


def _runs_init(call: ast.Call) -> bool:
    """`model.init(…)`, `partial(model.init, …)` and `jit(model.init)(…)`."""
    told = [*call.args[:1], *descendants(call.func)]
    return any(isinstance(node, ast.Attribute) and node.attr in _INITS for node in told)


def _named_in(expressions: list[ast.expr]) -> Iterator[str]:
    """Attributes, names and strings: a method is given in any of these ways."""
    for expression in expressions:
        for node in descendants(expression):
            if isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
