"""Whether a second use of a key may well be meant, by what the code around both uses does with their results.

A key that is used twice is a slip where numbers that should be independent are not.  It is none where one result is
compared with the other, where the second is to be a copy of the first, where nobody looks at the numbers, or where a
notebook shows one thing after the other.  The facts are those of one function's text; none is the name of anything in
the program.
"""

from __future__ import annotations

import ast
import bisect
import functools
import itertools
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from jaxlint.flow.domain.events import Purpose
from jaxlint.flow.domain.values import KeyId
from jaxlint.flow.limits import MAX_CONDITIONS, MAX_READERS
from jaxlint.flow.source.choices import Condition, Masks
from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics import libraries


@dataclass(slots=True)
class Pair:
    """Two uses of a key as the function of the text ``root`` sees them: the calls, and the qualified names of what is
    called there, empty for a function of the project that uses the key further inside.  ``repeats``: it is one call,
    which a loop makes in every pass.
    """

    scope: ModuleText
    root: ast.AST
    earlier: ast.AST
    later: ast.AST
    earlier_callee: str
    later_callee: str
    repeats: bool = False

    @property
    def is_toplevel(self) -> bool:
        return isinstance(self.root, ast.Module)

    @property
    def is_same_callee(self) -> bool:
        """Whether one function, which is no sampler, is called twice."""
        first, second = self.earlier, self.later
        if not (isinstance(first, ast.Call) and isinstance(second, ast.Call)) or first is second:
            return False
        samples = self.later_callee.startswith("jax.random.") and self.later_callee == self.earlier_callee
        return _called(first.func) == _called(second.func) and not samples


def _called(function: ast.expr) -> str:
    """What is called, whatever a lambda on the way there passes on besides."""
    if isinstance(function, ast.Lambda) and isinstance(function.body, ast.Call):
        return f"lambda: {_called(function.body.func)}"
    if isinstance(function, ast.Call):
        options = [f"{keyword.arg}={ast.dump(keyword.value)}" for keyword in function.keywords]
        return f"{_called(function.func)}({', '.join([*map(_called, function.args), *options])})"
    return ast.dump(function)


def body_of(scope: ModuleText, root: ast.AST) -> Body:
    body = scope.bodies.get(root)
    if body is None:
        body = scope.bodies[root] = Body(root)
    return body


def purpose(pair: Pair, key: KeyId) -> Purpose | None:
    """What the pair is there for; None if it looks like a slip."""
    document = pair.scope.module.document
    if pair.is_toplevel and document.is_in_cells and not pair.repeats:
        if not document.in_one_cell(_line(pair.earlier), _line(pair.later)):
            return None if leaves_a_child(pair, key) else Purpose.OTHER_CELL
        if pair.is_same_callee and not _is_repeated(pair):
            return Purpose.ARMS
    body = body_of(pair.scope, pair.root)
    asked = (pair.earlier, pair.later, pair.earlier_callee, pair.later_callee, pair.repeats)
    if asked not in body.purposes:  # a function is run for every call of it, and its text stays the same
        body.purposes[asked] = _purpose_in(body, pair)
    return body.purposes[asked]


def _purpose_in(body: Body, pair: Pair) -> Purpose | None:
    document = pair.scope.module.document
    if _is_copy(pair):
        return Purpose.COPIED
    if _are_compared(body, pair):
        return Purpose.COMPARED
    if any(_is_dummy(body, pair, node) for node in _dummies(pair)):
        return Purpose.DUMMY
    if not pair.repeats and _are_alternatives(body, pair):
        return Purpose.CHOSEN
    if any(clock in document.text for clock in _CLOCKS) and _is_timed(body, pair.later):
        return Purpose.TIMED
    if body.waits and any(_is_only_waited_for(body, pair.scope, node) for node in (pair.earlier, pair.later)):
        return Purpose.TIMED
    if not pair.repeats and _is_set_back(body, pair):
        return Purpose.SET_BACK
    if not pair.repeats and _is_done_again(body, pair):
        return Purpose.DEAD
    is_once = not pair.repeats and not _is_repeated(pair)  # equal inputs are a weak check
    if is_once and _is_only_checked(body, pair.earlier) and _is_only_checked(body, pair.later):
        return Purpose.CHECKED
    if _are_two_settings(pair):
        return Purpose.ARMS
    if pair.repeats or "print" not in document.text:
        return None
    by_name = document.is_in_cells  # a program that gives them names has two things to show
    goes_on = pair.later_callee == "jax.random.split" or _is_printed(body, pair.later, by_name)
    return Purpose.SHOWN if goes_on and _is_printed(body, pair.earlier, by_name) else None


def _line(node: ast.AST) -> int:
    return _span(node)[0][0]


def _is_repeated(pair: Pair) -> bool:
    """Whether both calls pass the same: then their results are equal, and one would have been enough."""
    return ast.dump(pair.earlier) == ast.dump(pair.later)


def is_init(callee: str) -> bool:
    """Whether a library makes parameters there, of which the data only decides the shapes."""
    return callee in libraries.KEY_METHODS and callee.rpartition(".")[2] in _INITS


_INITS = frozenset(("init", "init_with_output", "lazy_init"))


def _is_copy(pair: Pair) -> bool:
    """Whether one module gets its initial parameters twice."""
    if pair.repeats or not (is_init(pair.earlier_callee) and is_init(pair.later_callee)):
        return False
    callee = getattr(pair.later, "func", pair.later)  # one that makes its module in the call makes two of them
    return pair.is_same_callee and not any(isinstance(part, ast.Call) for part in descendants(callee))


class Body:
    """The statements of a function or module, those inside others too, in the order of the text; found when they are
    asked for, and once for all pairs: a function may draw hundreds of times from one key."""

    def __init__(self, root: ast.AST) -> None:
        self.root = root
        self.purposes: dict[tuple[ast.AST, ast.AST, str, str, bool], Purpose | None] = {}
        self.dummies: dict[tuple[ast.AST, ast.AST | None], bool] = {}
        self.counted: dict[tuple[ast.AST, Condition], bool] = {}
        self.steps: dict[ast.stmt, list[Step]] = {}
        self.evaluated: dict[tuple[ast.stmt, ast.stmt], bool] = {}
        self.values: dict[tuple[ast.AST, ast.AST], bool] = {}
        self._childless: dict[ast.AST, set[str]] = {}
        self._read: dict[ast.stmt, frozenset[str]] = {}
        self._derived: dict[ast.stmt, list[tuple[set[str], set[str]]]] = {}
        self._opposed: dict[ast.stmt, list[tuple[Operand, Operand, bool]]] = {}

    def opposed_in(self, statement: ast.stmt) -> list[tuple[Operand, Operand, bool]]:
        """The operands that a statement sets against each other, and whether that is to see if they are equal."""
        if statement not in self._opposed:
            found = (operands for part in descendants(statement) for operands in _opposed(part))
            self._opposed[statement] = [(_operand(left), _operand(right), equal) for left, right, equal in found]
        return self._opposed[statement]

    def derived_in(self, statement: ast.stmt) -> list[tuple[set[str], set[str]]]:
        """The names that a statement binds, each with the names that are read for it."""
        if statement not in self._derived:
            self._derived[statement] = [
                (names, names_loaded(descendants(value))) for names, value in _assigned(statement)
            ]
        return self._derived[statement]

    def read_by(self, statement: ast.stmt) -> frozenset[str]:
        """The names of this function that a statement itself reads."""
        if statement not in self._read:
            self._read[statement] = frozenset(names_loaded(own_parts(statement)) - self.hidden_in(statement))
        return self._read[statement]

    def hidden_in(self, statement: ast.stmt) -> set[str]:
        """The names that mean something else in a statement: those of a function inside."""
        return self._hidden.get(statement, set())

    def leaves_a_child(self, made: ast.AST, but: Collection[str] = ()) -> bool:
        """Whether a statement names the keys that a call makes, one of which nobody looks at, ``but`` for some."""
        if made not in self._childless:
            named = [one for one in self.statements if isinstance(one, ast.Assign) and one.value is made]
            self._childless[made] = {
                name for one in named for name in _names_of_tuple(one.targets[0]) if _is_dropped(name, one, self)
            }
        return not self._childless[made] <= set(but)

    @functools.cached_property
    def masks(self) -> Masks:
        return Masks(self.root)

    @functools.cached_property
    def conditions(self) -> dict[str, set[object]]:
        """What something is chosen by: what decides, and what it comes to."""
        found: dict[str, set[object]] = {}
        for statement in self.statements:
            for part in own_parts(statement):
                for (subject, outcome), _ in self.masks.conditions(part):
                    found.setdefault(subject, set()).add(outcome)
        return {subject: outcomes for subject, outcomes in found.items() if len(outcomes) > 1}

    @functools.cached_property
    def names(self) -> list[ast.Name]:
        return sorted((node for node in descendants(self.root) if isinstance(node, ast.Name)), key=_span)

    @functools.cached_property
    def clocked(self) -> set[ast.stmt]:
        """The statements that look at the clock."""
        return set(filter(_reads_clock, self.leaves()))

    @functools.cached_property
    def waits(self) -> set[ast.AST]:
        """The calls that wait for a result which is dropped: they are made to be done (compiled, timed)."""
        return {one.value for one in self.statements if isinstance(one, ast.Expr) and _waits(one.value)}

    @functools.cached_property
    def asserted(self) -> set[ast.AST]:
        """What is asserted, by a statement or by a function that returns nothing to look at."""
        return {
            statement.test if isinstance(statement, ast.Assert) else statement.value
            for statement in self.statements
            if isinstance(statement, ast.Assert) or (isinstance(statement, ast.Expr) and _asserts(statement.value))
        }

    @functools.cached_property
    def blocks(self) -> list[list[ast.stmt]]:
        return list(_blocks(self.root))

    @functools.cached_property
    def statements(self) -> list[ast.stmt]:
        return sorted((statement for block in self.blocks for statement in block), key=_span)

    @functools.cached_property
    def _spans(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        return [_span(statement) for statement in self.statements]

    @functools.cached_property
    def _loops(self) -> list[ast.stmt]:
        return [one for one in self.statements if isinstance(one, (ast.For, ast.While))]

    @functools.cached_property
    def _functions(self) -> list[ast.stmt]:
        return [one for one in self.statements if isinstance(one, _FUNCTIONS)]

    @functools.cached_property
    def _in_functions(self) -> set[ast.stmt]:
        """The functions inside with all their statements."""
        return {statement for function in self._functions for statement in self._inside(function)}

    def _inside(self, outer: ast.stmt) -> list[ast.stmt]:
        """A statement and those in it, which follow it."""
        end = bisect.bisect_right(self._spans, (_span(outer)[1], _END))
        return self.statements[bisect.bisect_left(self._spans, _span(outer)) : end]

    @functools.cached_property
    def _hidden(self) -> dict[ast.stmt, set[str]]:
        """The names that the functions inside bind for themselves, by the statements in them."""
        found: dict[ast.stmt, set[str]] = {}
        for function in self._functions:
            names = _local_names(function)
            for statement in self._inside(function):
                found.setdefault(statement, set()).update(names)
        return found

    def around(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that a node is in."""
        before = self.statements[: bisect.bisect_right(self._spans, (_span(node)[0], _END))]
        return next((statement for statement in reversed(before) if contains(statement, node)), None)

    def reached_from(self, start: ast.stmt) -> Iterator[ast.stmt]:
        """The statements that may run after one: those below, those of functions, and those of a loop around both."""
        below = bisect.bisect_right(self._spans, _span(start))
        loop = next((one for one in self._loops if contains(one, start)), None)  # the others around it are inside
        first = below if loop is None else bisect.bisect_left(self._spans, _span(loop))
        for number in range(below):
            statement = self.statements[number]
            if statement is not start and (number >= first or statement in self._in_functions):
                yield statement
        yield from self.statements[below:]

    def returned(self) -> list[ast.expr]:
        """What the function itself returns, none of those inside."""
        own = (statement for statement in self.statements if statement not in self._in_functions)
        return [one.value for one in own if isinstance(one, ast.Return) and one.value is not None]

    def leaves(self, start: ast.stmt | None = None) -> Iterator[ast.stmt]:
        """The statements that hold no others, from one on where one is given."""
        first = 0 if start is None else bisect.bisect_left(self._spans, _span(start))
        return (statement for statement in self.statements[first:] if not hasattr(statement, "body"))


_END = (sys.maxsize, 0)
"""Behind every place of a text."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _local_names(function: ast.stmt) -> set[str]:
    found: set[str] = set()
    shared: set[str] = set()
    for part in descendants(function):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.add(part.id)
        elif isinstance(part, ast.arg):
            found.add(part.arg)
        elif isinstance(part, (ast.Nonlocal, ast.Global)):
            shared.update(part.names)
    return found - shared


def _asserts(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _last(node.func).startswith("assert")


def _blocks(root: ast.AST) -> Iterator[list[ast.stmt]]:
    stack = [root]
    while stack:
        node = stack.pop()
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block
                stack += block
        stack += [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]


def contains(outer: ast.AST, node: ast.AST) -> bool:
    (start, end), (first, last) = _span(outer), _span(node)
    return start <= first and last <= end


def _span(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    return (line, column), (end_line or line, column if end_column is None else end_column)


def names_bound(statement: ast.stmt | None) -> set[str]:
    """The names that a statement gives values to; nothing if it stores somewhere else."""
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    else:
        return set()
    parts = [part for target in targets for part in descendants(target)]
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in parts):
        return set()
    return {part.id for part in parts if isinstance(part, ast.Name)}


def names_loaded(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _is_after(node: ast.AST, other: ast.AST) -> bool:
    return _span(node) > _span(other)


# -- what is compared ---------------------------------------------------------------------------------------


def _are_compared(body: Body, pair: Pair) -> bool:
    """Whether the two results, or what is computed of each, meet in a test for equality, or, if one function is called
    twice, in a difference, a ratio or another comparison."""
    ours, theirs = body.around(pair.earlier), body.around(pair.later)
    if pair.repeats:
        both = itertools.combinations(_unpacked(ours, pair.later), 2)
        return any(_are_opposed(body, pair, {first}, {second}, True) for first, second in both)
    first, second = _names_for(ours, pair.earlier), _names_for(theirs, pair.later)
    if not first.isdisjoint(second):
        first, second = set(), set()
    return _are_opposed(body, pair, first, second, pair.is_same_callee)


def _unpacked(statement: ast.stmt | None, call: ast.AST) -> list[str]:
    """The names of what a comprehension gives, `up, down = (price(key, s) for s in (1.0, -1.0))`: each is a result of
    the call."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, (ast.GeneratorExp, ast.ListComp)):
        return []
    value = statement.value
    if len(value.generators) > 1 or not any(part is call for part in (value.elt, *descendants(value.elt))):
        return []
    return _names_of_tuple(statement.targets[0])


def _are_opposed(body: Body, pair: Pair, first: set[str], second: set[str], is_same: bool) -> bool:
    """Whether what has the names of one result is set against what has those of the other."""
    ours, theirs = body.around(pair.earlier), body.around(pair.later)
    for statement in body.leaves(ours) if ours is not None else ():
        opposed = body.opposed_in(statement)
        if any((equal or is_same) and _meet(left, right, pair, first, second) for left, right, equal in opposed):
            return True
        if statement not in (ours, theirs):
            _derive(body.derived_in(statement), first, second)
    return False


@dataclass(frozen=True)
class Operand:
    """One side of an expression that sets two values against each other."""

    names: frozenset[str]
    parts: frozenset[ast.AST]

    def has(self, call: ast.AST, names: set[str]) -> bool:
        """Whether the call is in it, or what is computed of its result."""
        return call in self.parts or not names.isdisjoint(self.names)


def _operand(node: ast.AST) -> Operand:
    parts = frozenset(descendants(node))
    return Operand(frozenset(names_loaded(parts)), parts)


def _meet(left: Operand, right: Operand, pair: Pair, first: set[str], second: set[str]) -> bool:
    if left.has(pair.earlier, first) and right.has(pair.later, second):
        return True
    return left.has(pair.later, second) and right.has(pair.earlier, first)


def _opposed(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, bool]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Div)):
        yield node.left, node.right, False
    elif isinstance(node, ast.Compare):
        yield node.left, node.comparators[0], isinstance(node.ops[0], (ast.Eq, ast.NotEq))
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        function = dotted(node.func).rpartition(".")[2]
        if function in _EQUATING or function in _OPPOSING:
            yield node.args[0], node.args[1], function in _EQUATING


_EQUATING = frozenset(
    "allclose isclose array_equal array_equiv assert_allclose assert_array_equal assert_almost_equal "
    "assert_array_almost_equal assert_trees_all_close assert_trees_all_equal".split()
)
_OPPOSING = frozenset("subtract equal maximum minimum greater less".split())


def _derive(assigned: list[tuple[set[str], set[str]]], first: set[str], second: set[str]) -> None:
    """What is computed of one of the results stands for it; what is computed of both stands for neither."""
    for bound, loaded in assigned:
        of_first, of_second = not first.isdisjoint(loaded), not second.isdisjoint(loaded)
        for names, belongs in ((first, of_first and not of_second), (second, of_second and not of_first)):
            names -= bound
            names |= bound if belongs else set()


def _names_for(statement: ast.stmt | None, node: ast.AST) -> set[str]:
    """The names that a statement gives what a call in it returns, or what it computes of that."""
    if statement is None:
        return set()
    return next((set(names) for names, value in _assigned(statement) if contains(value, node)), set())


def _assigned(statement: ast.stmt) -> Iterator[tuple[set[str], ast.AST]]:
    """The names that a statement binds, each with what it is given as far as the statement's form tells."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    value = getattr(statement, "value", None)
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, item in zip(target.elts, value.elts):
            yield ({part.id} if isinstance(part, ast.Name) else set()), item
    elif bound := names_bound(statement):
        yield bound, statement


def _are_two_settings(pair: Pair) -> bool:
    """Whether one function is called twice with nothing changed but what is switched on or off."""
    first, second = pair.earlier, pair.later
    if not (pair.is_same_callee and isinstance(first, ast.Call) and isinstance(second, ast.Call)):
        return False
    if [keyword.arg for keyword in first.keywords] != [keyword.arg for keyword in second.keywords]:
        return False
    if len(first.args) != len(second.args):
        return False
    mine, theirs = ([*call.args, *(keyword.value for keyword in call.keywords)] for call in (first, second))
    changed = [(a, b) for a, b in zip(mine, theirs) if ast.dump(a) != ast.dump(b)]
    return bool(changed) and all(_is_switch(side) for sides in changed for side in sides)


def _is_switch(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


# -- what nobody looks at ---------------------------------------------------------------------------------------


Sinks = Callable[[ast.AST], Iterable[ast.AST]]
"""The parts of an expression in which a value may stand and yet go nowhere else."""


def _goes_only_into(body: Body, node: ast.AST, sinks: Sinks) -> bool:
    """Whether what a call returns, or what is computed of it, is used in such parts and nowhere else."""
    start = body.around(node)
    if start is None or hasattr(start, "body"):
        return False
    if node in _covered(start, sinks):
        return True
    names = {name for bound, value in _assigned(start) if contains(value, node) for name in bound}
    if not names:
        return False
    is_used = False
    readers = (statement for statement in body.reached_from(start) if not names.isdisjoint(body.read_by(statement)))
    for number, statement in enumerate(readers):
        if number == MAX_READERS.value:
            return False
        covered = _covered(statement, sinks)
        ours = names - body.hidden_in(statement)
        is_used = is_used or not ours.isdisjoint(names_loaded(covered))
        if not ours.isdisjoint(names_loaded(part for part in own_parts(statement) if part not in covered)):
            bound = names_bound(statement)
            if not bound:
                return False
            names |= bound
    return is_used


def _covered(statement: ast.stmt, sinks: Sinks) -> set[ast.AST]:
    return {inner for part in own_parts(statement) for sink in sinks(part) for inner in (sink, *descendants(sink))}


def own_parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are in no statement inside."""
    for name, field in ast.iter_fields(statement):
        if name not in ("body", "orelse", "finalbody", "handlers"):
            for part in field if isinstance(field, list) else (field,):
                if isinstance(part, ast.AST):
                    yield part
                    yield from descendants(part)


def _dummies(pair: Pair) -> list[ast.AST]:
    """Those of the two uses that may be there for a shape only.  A split makes keys; and a key that is split after it
    was drawn from right here lives on: all that comes of it would have been as easily independent."""
    splits = [callee == "jax.random.split" for callee in (pair.earlier_callee, pair.later_callee)]
    if splits[1]:
        return [] if pair.earlier_callee.startswith("jax.random.") else [pair.earlier]
    return [pair.later] if splits[0] else [pair.earlier, pair.later]


def gives_only_a_shape(scope: ModuleText, root: ast.AST, node: ast.AST) -> bool:
    """Whether of all that the function ``root`` makes of the value of ``node`` only shapes matter."""
    return _is_only_looked_at(body_of(scope, root), scope, node, None)


def _is_dummy(body: Body, pair: Pair, node: ast.AST) -> bool:
    """Whether nothing but the shape of what a call returns matters."""
    parameters = pair.later if is_init(pair.later_callee) and node is not pair.later else None
    return _is_only_looked_at(body, pair.scope, node, parameters)


def _is_only_looked_at(body: Body, scope: ModuleText, node: ast.AST, parameters: ast.AST | None) -> bool:
    """Whether a value goes only where its shape counts, and into what makes the ``parameters``."""
    examples = functools.partial(_is_of_examples, body, scope)

    def sinks(part: ast.AST) -> Iterable[ast.AST]:
        if part is parameters or _is_about_shape(part):
            return (part,)
        return _unread(part, examples) if isinstance(part, (ast.Call, ast.BinOp)) else ()

    asked = (node, parameters)
    if asked not in body.dummies:
        body.dummies[asked] = _goes_only_into(body, node, sinks)
    return body.dummies[asked]


def _unread(node: ast.Call | ast.BinOp, is_of_examples: Callable[[ast.expr], bool]) -> list[ast.expr]:
    """The operands of which only the shape counts: those of `zeros_like`, the data of `init(key, data)`, a factor of
    nothing."""
    if isinstance(node, ast.BinOp):
        is_nothing = isinstance(node.op, ast.Mult) and (_is_zero(node.left) or _is_zero(node.right))
        return [node.left, node.right] if is_nothing else []
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    if _last(node.func) in _SHAPES_ONLY:
        return values
    if _last(node.func) in ("map", "tree_map") and values and _last(values[0]) in _SHAPES_ONLY:
        return values[1:]
    if isinstance(node.func, ast.Attribute) and node.func.attr in _INITS:
        return values if is_of_examples(node.func.value) else values[1:]
    return []


def _last(node: ast.AST) -> str:
    return dotted(node).rpartition(".")[2] if isinstance(node, (ast.Name, ast.Attribute)) else ""


_SHAPES_ONLY = frozenset(
    "eval_shape zeros_like ones_like empty_like full_like tree_structure result_type ShapeDtypeStruct "
    "tree_deserialise_leaves from_bytes from_state_dict".split()  # these read all numbers from elsewhere
)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_about_shape(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("shape", "ndim", "dtype", "size")


def _is_of_examples(body: Body, scope: ModuleText, owner: ast.expr) -> bool:
    """Whether an object is a buffer of a library that takes an example of what it will hold."""
    if not isinstance(owner, ast.Name) or scope.tree is None:
        return False
    made = [
        statement.value.func
        for statement in body.leaves()
        if isinstance(statement, ast.Assign)
        and owner.id in names_bound(statement)
        and isinstance(statement.value, ast.Call)
    ]
    made = [function for function in made if dotted(function) != f"{owner.id}.replace"]  # it stays what it was
    if not made:
        return False
    modules = {
        alias.asname or alias.name
        for node in descendants(scope.tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in libraries.BUFFERS
    }
    return all(dotted(function).partition(".")[0] in modules for function in made)


def _is_only_checked(body: Body, node: ast.AST) -> bool:
    """Whether what a call returns, and what is computed of it, ends in assertions."""
    return bool(body.asserted) and _goes_only_into(body, node, lambda part: (part,) if part in body.asserted else ())


# -- what is chosen from, and what is folded in -----------------------------------------------------------------


def _are_alternatives(body: Body, pair: Pair) -> bool:
    """Whether one result is used only where a condition holds and the other only where another one does, which it
    excludes."""
    for subject, outcomes in islice(body.conditions.items(), MAX_CONDITIONS.value):
        first = {outcome for outcome in outcomes if _counts_where(body, pair.earlier, (subject, outcome))}
        second = first and {outcome for outcome in outcomes if _counts_where(body, pair.later, (subject, outcome))}
        if first and second and (first != second or len(first) > 1):
            return True
    return False


def _counts_where(body: Body, node: ast.AST, condition: Condition) -> bool:
    """Whether what a call returns is used only where a condition holds."""
    asked = (node, condition)
    if asked not in body.counted:
        body.counted[asked] = _goes_only_into(
            body, node, lambda part: [operand for where, operand in body.masks.conditions(part) if where == condition]
        )
    return body.counted[asked]


# -- what is timed and printed -----------------------------------------------------------------------------------


_CLOCKS = frozenset(
    "time perf_counter monotonic process_time perf_counter_ns time_ns monotonic_ns default_timer".split()
)


def _is_timed(body: Body, node: ast.AST) -> bool:
    """Whether the call stands between two looks at the clock, and what is computed there is used nowhere else."""
    for block in body.blocks:
        if body.clocked.isdisjoint(block):
            continue
        index = next((number for number, statement in enumerate(block) if contains(statement, node)), None)
        if index is None:
            continue
        before = next((number for number in range(index - 1, -1, -1) if block[number] in body.clocked), None)
        after = next((number for number in range(index + 1, len(block)) if block[number] in body.clocked), None)
        if before is not None and after is not None:
            if _is_left_alone(body, block[before + 1 : after]):
                return True
    return False


def _is_only_waited_for(body: Body, scope: ModuleText, node: ast.AST) -> bool:
    """Whether what a call returns, and what is computed of it, ends in results that are waited for and dropped: what a
    benchmark runs on, or what is compiled before it is needed."""
    examples = functools.partial(_is_of_examples, body, scope)

    def sinks(part: ast.AST) -> Iterable[ast.AST]:
        if part in body.waits or _is_about_shape(part):
            return (part,)
        return _unread(part, examples) if isinstance(part, (ast.Call, ast.BinOp)) else ()

    return _goes_only_into(body, node, sinks)


def _reads_clock(statement: ast.stmt) -> bool:
    return any(
        isinstance(node, ast.Call) and not node.args and dotted(node.func).rpartition(".")[2] in _CLOCKS
        for node in descendants(statement)
    )


def _is_set_back(body: Body, pair: Pair) -> bool:
    """Whether one statement stands there twice, what it sets had gone on to other values in between, and the second
    ends all that came of the first: it sets things back to their start."""
    first, second = body.around(pair.earlier), body.around(pair.later)
    if not (pair.is_same_callee and isinstance(first, ast.Assign) and isinstance(second, ast.Assign)):
        return False
    if first.value is not pair.earlier or second.value is not pair.later or ast.dump(first) != ast.dump(second):
        return False
    names = names_bound(first)
    made, has_gone_on = set(names), False
    for statement in body.leaves():
        if (
            _is_after(statement, first)
            and _is_after(second, statement)
            and not made.isdisjoint(body.read_by(statement))
        ):
            bound = names_bound(statement)
            if not bound:
                return False
            has_gone_on = has_gone_on or not bound.isdisjoint(names)
            made |= bound
    return has_gone_on and all(_is_dropped(name, second, body) for name in made - names)


def _is_done_again(body: Body, pair: Pair) -> bool:
    """Whether one statement stands there twice, and nobody reads what the first sets before the second sets it: a call
    that is timed, or that is to be compiled first."""
    first, second = body.around(pair.earlier), body.around(pair.later)
    if first is second or not (isinstance(first, ast.Assign) and isinstance(second, ast.Assign)):
        return False
    if ast.dump(first) != ast.dump(second):
        return False
    block = next((block for block in body.blocks if first in block and second in block), None)
    names = names_bound(first)
    are_names = all(isinstance(target, (ast.Name, ast.Tuple)) for target in first.targets)
    if block is None or not names - {"_"} or not are_names:
        return False
    between = block[block.index(first) + 1 : block.index(second) + 1]
    reads = (name for statement in between for name in names_loaded((statement, *descendants(statement))))
    return names.isdisjoint(reads)


def _is_left_alone(body: Body, region: list[ast.stmt]) -> bool:
    """Whether nothing below uses what the statements compute, and they do nothing else."""
    inside = {node for statement in region for node in (statement, *descendants(statement))}
    bound: set[str] = set()
    for node in inside:
        if isinstance(node, ast.Expr) and not _waits(node.value):
            return False
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            return False
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            names = names_bound(node)
            if not names:
                return False
            bound |= names
    outside = (node for statement in body.leaves() if statement not in inside for node in descendants(statement))
    return bound.isdisjoint(names_loaded(outside))


def _waits(node: ast.expr) -> bool:
    """A call of a compiled function that is only made to be done: `f(x).block_until_ready()`, also leaf by leaf:
    `jax.tree.map(lambda leaf: leaf.block_until_ready(), f(x))`."""
    if not isinstance(node, ast.Call):
        return False
    called = dotted(node.func)
    if called.rpartition(".")[2].lstrip("…") == _WAITING:
        return True
    if not called.endswith(_OF_LEAVES) or not node.args:
        return False
    each = node.args[0]
    if not isinstance(each, ast.Lambda):
        return dotted(each).rpartition(".")[2] == _WAITING
    return any(map(_waits, (each.body.body, each.body.orelse) if isinstance(each.body, ast.IfExp) else (each.body,)))


_WAITING = "block_until_ready"
_OF_LEAVES = ("tree_map", "tree.map")


def _is_printed(body: Body, node: ast.AST, by_name: bool) -> bool:
    """Whether a call is made for its result to be printed as it is, there or ``by_name``, by the name that gets it."""
    statement = body.around(node)
    value = getattr(statement, "value", None)
    if value is not node and isinstance(value, ast.expr) and _is_print(value):
        return True
    names = names_bound(statement)
    if not by_name or statement is None or not names or value is not node:
        return False
    reading = [one for one in body.reached_from(statement) if not names.isdisjoint(body.read_by(one))]
    return 0 < len(reading) <= MAX_READERS.value and not any(names & _unprinted(body, one) for one in reading)


def _unprinted(body: Body, statement: ast.stmt) -> set[str]:
    """The names that a statement does anything else with than to print what they are, or whether they are equal."""
    covered = _covered(statement, _printed)
    return names_loaded(part for part in own_parts(statement) if part not in covered) - body.hidden_in(statement)


def _printed(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, ast.Call) or not _is_print(node):
        return []
    texts = [part for part in node.args if isinstance(part, ast.JoinedStr)]
    parts = [*node.args, *(one.value for text in texts for one in text.values if isinstance(one, ast.FormattedValue))]
    return [part for part in parts if isinstance(part, (ast.Name, ast.Compare))]


def _is_print(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


# -- what was meant ----------------------------------------------------------------------------------------------


def leaves_a_child(pair: Pair, key: KeyId) -> bool:
    """Whether a key that was made for this use is used by nobody: `key, sub = split(key)`, and then `draw(key)`."""
    made = [pair.earlier] if pair.earlier_callee == "jax.random.split" else []
    if key.parent is not None and key.parent.site is not None and key.parent.site[0] is pair.scope:
        made.append(key.parent.site[1])
    body = body_of(pair.scope, pair.root)
    return any(body.leaves_a_child(node) for node in made) or _is_left_by_maker(pair, key)


def _is_left_by_maker(pair: Pair, key: KeyId) -> bool:
    """The same of a key that another function has made and handed out: it names one beside it, and not by the name of
    what it split, that nobody looks at."""
    scope, made = (key.parent.site if key.parent is not None else None) or (None, None)
    if scope is None or scope.tree is None or not isinstance(made, ast.Call) or contains(pair.root, made):
        return False
    maker = around(scope.tree, made)
    split = {part.id for one in made.args for part in descendants(one) if isinstance(part, ast.Name)}
    return isinstance(maker, FunctionNode) and body_of(scope, maker).leaves_a_child(made, split)


def _names_of_tuple(target: ast.expr) -> list[str]:
    if not isinstance(target, ast.Tuple):
        return []
    return [part.id for part in target.elts if isinstance(part, ast.Name) and part.id.strip("_")]


def _is_dropped(name: str, statement: ast.stmt, body: Body) -> bool:
    """Whether the name is given another value, or none, before anybody looks at this one."""
    named = (node for node in body.names if node.id == name and _is_after(node, statement))
    later = next((node for node in named if not contains(statement, node)), None)
    if later is None or isinstance(later.ctx, ast.Load):
        return later is None
    setting = body.around(later)  # what it is set to is read before
    return setting is None or name not in body.read_by(setting)


@dataclass(frozen=True)
class Step:
    """What a statement of a loop reads, what names it gives values to, and which objects it may write to."""

    statement: ast.stmt
    read: frozenset[str]
    bound: frozenset[str]
    changed: frozenset[str]
    renewed: frozenset[str]
