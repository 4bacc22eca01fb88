"""Whether anybody ever looks at what an expression gives: where its value goes within the text of one function.

A value is followed through the names that get it, and whatever is computed of it by calls that do nothing else, on
every path.  It is dead if each of these names gets another value, or comes to its end, before it is read.  What is
stored anywhere else, captured, printed, decided on or given to code that may do more with it counts as looked at.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from jaxlint.flow.limits import MOST_LINES, MOST_STEPS, SETTLING_PASSES
from jaxlint.flow.source.modules import function_facts, parameters
from jaxlint.flow.source.trees import children, descendants

Held: TypeAlias = "bool | tuple[Held, ...]"
"""How much of a value is the one that is followed: nothing, all of it, or parts of a tuple."""
Names: TypeAlias = "dict[str, Held]"
"""The names that hold some of it."""
FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Looked(Exception):
    """The value is looked at, or nobody can tell."""


class Forgotten(Looked):
    """Nobody looks at the value, and a name for it is read nowhere: what has been forgotten tells nothing about what
    was meant."""


class Left(Looked):
    """Nobody looks at the value in the module that makes it, but ``names`` of it hold it in the end."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)


class Does(enum.Enum):
    """What a call does with a value that it is given."""

    COMPUTE = "compute"  # a result, and nothing else
    SEED = "seed"  # a generator whose numbers have nothing to do with it
    LOOK = "look"  # anything else


def fate(root: ast.AST, source: ast.expr, held: Held, does: Callable[[ast.Call], Does]) -> Held:
    """How much of what the function or module ``root`` returns is the value of ``source`` in it, or computed of it.

    ``held`` is how much of the value of ``source`` is followed; ``does`` tells what a call does.
    Raises ``Looked`` if something else becomes of it, ``Forgotten`` where a name for it is read nowhere, and ``Left``
    where only other modules may read it.
    """
    statements = getattr(root, "body", None)
    if isinstance(statements, list) and _lines(statements) > MOST_LINES.value:
        raise Looked
    return _Flow(root, source, held, does).run()


def _lines(statements: list[ast.stmt]) -> int:
    """How many lines are run where these are: those of functions and classes among them are not."""
    own = (one for one in statements if not isinstance(one, _KEPT))
    return sum((one.end_lineno or one.lineno) - one.lineno + 1 for one in own)


def around(tree: ast.AST, node: ast.AST) -> ast.AST | None:
    """The innermost function, class or module that ``node``, which has a place, stands in."""
    found, current = None, tree
    place = (node.lineno, node.col_offset)  # type: ignore[attr-defined]
    while current is not node:
        if isinstance(current, (ast.Module, ast.ClassDef, *FunctionNode)):
            found = current
        inside = (part for part in _placed(current) if part is node or _covers(part, place))
        below = next(inside, None)
        if below is None:
            return None
        current = below
    return found


def kept_around(tree: ast.Module, node: ast.AST) -> list[ast.AST]:
    """The functions that ``node`` stands in which stay the nodes they are when their bodies are edited (`edits`): those
    at the top of a module, and of the classes there."""
    place = (node.lineno, node.col_offset)  # type: ignore[attr-defined]
    body: list[ast.stmt] = tree.body
    while True:
        outer = next((one for one in body if isinstance(one, _KEPT) and _covers(one, place)), None)
        if not isinstance(outer, ast.ClassDef):
            return [] if outer is None else [outer]
        body = outer.body


_KEPT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _placed(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that have a place in the text."""
    for part in children(node):
        if hasattr(part, "lineno"):
            yield part
        else:
            yield from _placed(part)


def _covers(node: ast.AST, place: tuple[int, int]) -> bool:
    end = (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    return (node.lineno, node.col_offset) <= place < end  # type: ignore[attr-defined]


def _join(first: Held, second: Held) -> Held:
    if not (is_held(first) and is_held(second)):
        return first if is_held(first) else second
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        return tuple(_join(a, b) for a, b in zip(first, second))
    return first if first == second else True


def is_held(held: Held) -> bool:
    """Whether any of it is the value that is followed."""
    return any(is_held(part) for part in held) if isinstance(held, tuple) else held


def _merged(states: Iterable[Names | None]) -> Names | None:
    """What holds where paths meet; None stands for a path that does not get there."""
    found: Names | None = None
    for state in states:
        if state is not None:
            known = found or {}
            found = {name: _join(known.get(name, False), state.get(name, False)) for name in {*known, *state}}
    return found


def _captured(root: ast.AST) -> set[str]:
    """The names that functions and classes inside ``root`` may take from it, or that it shares with those around it."""
    facts = None if isinstance(root, ast.Module) else function_facts(root)  # type: ignore[arg-type]
    names = set(facts.globals | facts.nonlocals) if facts is not None else set()
    for inner in descendants(root):
        if inner is root or not isinstance(inner, (ast.ClassDef, *FunctionNode)):
            continue
        loaded = {node.id for node in descendants(inner) if isinstance(node, ast.Name) and node.id}
        if not isinstance(inner, ast.ClassDef):
            own = function_facts(inner)
            bound = own.stored.keys() | {parameter.arg for parameter in parameters(inner)}
            loaded -= bound - own.globals - own.nonlocals
        names |= loaded
    return names


_SEES_ALL = frozenset("eval exec dir".split())
_KEEPS_ALL = frozenset("locals vars globals".split())
_SHAPES = frozenset("shape dtype ndim size".split())
_METHODS = frozenset(
    "reshape ravel flatten transpose squeeze astype swapaxes sum mean std var min max prod cumsum clip round".split()
)


class _Flow:
    """One walk through a function's statements, with the names that hold the value."""

    def __init__(self, root: ast.AST, source: ast.expr, held: Held, does: Callable[[ast.Call], Does]) -> None:
        self.root = root
        self.source = source
        self.held = held
        self.does = does
        self.bound: set[str] = set()
        self.is_met = False
        self.returned: list[Held] = []
        self.breaks: list[list[Names]] = []
        self.continues: list[list[Names]] = []
        self.tries: list[list[Names]] = []
        self.steps = 0
        self.below: dict[ast.AST, set[str]] = {}

    def run(self) -> Held:
        left: list[str] = []
        if isinstance(self.root, ast.Lambda):
            self.returned.append(self.read(self.root.body, {}))
        else:
            end = self.block(self.root.body, {})  # type: ignore[attr-defined]
            left = [name for name, held in (end or {}).items() if is_held(held) and name.strip("_")]
        if not self.is_met or (self.bound and not self.bound.isdisjoint(_captured(self.root))):
            raise Looked
        if isinstance(self.root, ast.Module) and left:
            raise Left(left)
        found = self.returned[0] if self.returned else False
        for held in self.returned[1:]:
            found = _join(found, held)
        if not {name for name in self.bound if name.strip("_")} <= self.loads(self.root):
            raise Looked if is_held(found) else Forgotten
        return found

    # -- statements ----------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.stmt], names: Names | None) -> Names | None:
        for statement in statements:
            self.steps += 1
            if names is None:
                return None
            for seen in self.tries:
                seen.append(names)
            if isinstance(statement, (ast.Return, ast.Raise)):
                self.leave(statement, names)
                return None
            if names or self.concerns(statement, names):
                names = self.statement(statement, names)
        return names

    def concerns(self, node: ast.AST, names: Names) -> bool:
        """Whether the value is made or looked at in there."""
        loaded = self.below.get(node)
        if loaded is None:
            loaded = self.below[node] = self.loads(node)
        if not loaded.isdisjoint(_KEEPS_ALL) or (not loaded.isdisjoint(_SEES_ALL) and (names or "" in loaded)):
            raise Looked
        return "" in loaded or not loaded.isdisjoint(names)

    def loads(self, node: ast.AST) -> set[str]:
        """The names that are read in there, and an empty one if the value is made there."""
        found: set[str] = set()
        for part in descendants(node):
            self.steps += 1
            if part is self.source:
                found.add("")
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                found.add(part.id)
        if self.steps > MOST_STEPS.value:
            raise Looked
        return found

    def statement(self, node: ast.stmt, names: Names) -> Names | None:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return self.assign(node, names)
        if isinstance(node, ast.Expr):
            self.read(node.value, names)
            return names
        if isinstance(node, ast.If):
            self.clean(names, node.test)
            return _merged((self.block(node.body, names), self.block(node.orelse, names)))
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self.loop(node, names)
        if isinstance(node, (ast.Try, ast.With, ast.AsyncWith)):
            return self.try_(node, names) if isinstance(node, ast.Try) else self.with_(node, names)
        if isinstance(node, ast.Break):
            self.breaks[-1].append(names)
            return None
        if isinstance(node, ast.Continue):
            self.continues[-1].append(names)
            return None
        if isinstance(node, ast.Match):
            self.clean(
                names, node.subject, *(part for case in node.cases for part in (case.pattern, case.guard) if part)
            )
            return _merged((names, *(self.block(case.body, names) for case in node.cases)))
        if isinstance(node, ast.Delete):
            gone = {target.id for target in node.targets if isinstance(target, ast.Name)}
            self.clean(names, *(target for target in node.targets if not isinstance(target, ast.Name)))
            return {name: held for name, held in names.items() if name not in gone}
        if hasattr(node, "handlers"):  # `except*`
            raise Looked
        self.clean(names, node)  # it may bind names, which is no matter: they go on holding the value
        return names

    def leave(self, node: ast.Return | ast.Raise, names: Names) -> None:
        if isinstance(node, ast.Raise):
            self.clean(names, node)
        else:
            self.returned.append(self.read(node.value, names) if node.value is not None else False)

    def assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, names: Names) -> Names:
        held = self.read(node.value, names) if node.value is not None else False
        if isinstance(node, ast.AugAssign):
            before = names.get(node.target.id, False) if isinstance(node.target, ast.Name) else False
            if held and not before:
                raise Looked  # a list, or an array of NumPy, which others hold too
            return self.bind(node.target, bool(before), names)
        if isinstance(node, ast.AnnAssign):
            return names if node.value is None else self.bind(node.target, held, names)
        for target in node.targets:
            if target.col_offset == node.value.col_offset and target.lineno == node.value.lineno and is_held(held):
                raise Looked  # an expression whose value is displayed
            names = self.bind(target, held, names)
        return names

    def bind(self, target: ast.expr, held: Held, names: Names) -> Names:
        if isinstance(target, ast.Name):
            if is_held(held):
                self.bound.add(target.id)
            names = {name: value for name, value in names.items() if name != target.id}
            return {**names, target.id: held} if is_held(held) else names
        if isinstance(target, ast.Starred):
            return self.bind(target.value, is_held(held), names)
        if isinstance(target, (ast.Tuple, ast.List)):
            fits = isinstance(held, tuple) and len(held) == len(target.elts)
            starred = any(isinstance(part, ast.Starred) for part in target.elts)
            parts = held if isinstance(held, tuple) and fits and not starred else [is_held(held)] * len(target.elts)
            for part, value in zip(target.elts, parts):
                names = self.bind(part, value, names)
            return names
        self.clean(names, target)
        if is_held(held):
            raise Looked
        return names

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, names: Names) -> Names | None:
        entry: Names | None = names
        for _ in range(SETTLING_PASSES.value):
            self.breaks.append([])
            self.continues.append([])
            if isinstance(node, ast.While):
                self.clean(entry or {}, node.test)
                end = self.block(node.body, entry)
            else:
                end = self.block(node.body, self.bind(node.target, is_held(self.read(node.iter, names)), entry or {}))
            breaks, continues = self.breaks.pop(), self.continues.pop()
            again = _merged((entry, end, *continues))
            if again == entry:
                if isinstance(node, ast.While):
                    self.clean(entry or {}, node.test)
                return _merged((self.block(node.orelse, entry), *breaks))
            entry = again
        raise Looked

    def with_(self, node: ast.With | ast.AsyncWith, names: Names) -> Names | None:
        for item in node.items:
            self.clean(names, item.context_expr)
            if item.optional_vars is not None:
                names = self.bind(item.optional_vars, False, names)
        seen: list[Names] = []  # the context may swallow an exception of any statement
        self.tries.append(seen)
        done = self.block(node.body, names)
        self.tries.pop()
        return _merged((*seen, done))

    def try_(self, node: ast.Try, names: Names) -> Names | None:
        """An exception may leave the body before or after any of its statements."""
        seen: list[Names] = [names]
        self.tries.append(seen)
        done = self.block(node.body, names)
        self.tries.pop()
        ends = [self.block(node.orelse, done)]
        raised = _merged((*seen, done))
        for handler in node.handlers:
            if handler.type is not None:
                self.clean(raised or {}, handler.type)
            ends.append(self.block(handler.body, raised))
        if not node.finalbody:
            return _merged(ends)
        self.block(node.finalbody, _merged((raised, *ends)))
        return self.block(node.finalbody, _merged(ends))

    # -- expressions ---------------------------------------------------------------------------------------

    def clean(self, names: Names, *nodes: ast.AST) -> None:
        if any(self.concerns(node, names) for node in nodes):
            raise Looked

    def read(self, node: ast.expr, names: Names) -> Held:
        """How much of what the expression gives is the value or computed of it."""
        if node is self.source:
            self.is_met = True
            self.clean(names, *children(node))
            return self.held
        if not self.concerns(node, names):
            return False
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = tuple(self.read(part, names) for part in node.elts)
            starred = any(isinstance(part, ast.Starred) for part in node.elts)
            return is_held(parts) if starred or isinstance(node, ast.List) else parts
        if isinstance(node, ast.Subscript):
            return self.item(node, names)
        if isinstance(node, ast.Attribute):
            return is_held(self.read(node.value, names)) and node.attr not in _SHAPES
        if isinstance(node, (ast.Starred, ast.UnaryOp)):
            return is_held(self.read(node.value if isinstance(node, ast.Starred) else node.operand, names))
        if isinstance(node, ast.BinOp):
            sides = [is_held(self.read(side, names)) for side in (node.left, node.right)]
            return any(sides) and not (isinstance(node.op, ast.Mult) and (_is_zero(node.left) or _is_zero(node.right)))
        if isinstance(node, (ast.ListComp, ast.SetComp)):
            self.clean(names, *node.generators)
            return is_held(self.read(node.elt, names))
        if isinstance(node, ast.IfExp):
            self.clean(names, node.test)
            return _join(self.read(node.body, names), self.read(node.orelse, names))
        if isinstance(node, ast.Call):
            return self.call(node, names)
        raise Looked

    def item(self, node: ast.Subscript, names: Names) -> Held:
        held = self.read(node.value, names)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        of_index = self.read(node.slice, names) if isinstance(node.slice, ast.expr) and index is None else False
        if isinstance(held, tuple) and isinstance(index, int) and -len(held) <= index < len(held):
            return held[index]
        return is_held(held) or is_held(of_index)

    def call(self, node: ast.Call, names: Names) -> Held:
        method = isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS
        if method and isinstance(node.func, ast.Attribute):
            self.read(node.func.value, names)
        else:
            done = self.does(node)
            if done is Does.LOOK:
                raise Looked
            self.clean(names, node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if method and any(self.concerns(argument, names) for argument in arguments):
            raise Looked
        for argument in arguments:
            self.read(argument, names)
        return method or done is Does.COMPUTE


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value == 0
