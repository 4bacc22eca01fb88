"""A tree that follows its text: only what was edited is parsed again, and all other nodes stay the objects they are.

The analysis knows functions by their nodes.  So a function whose body was edited keeps its node and gets another
body; a statement that did not change keeps its nodes, on other lines if need be.  Positions are always those that
parsing the whole text would give.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from jaxlint.project.documents import Document, parse_newer_syntax, parse_python

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class BodyEdit:
    """A function that has another body: the one it had, and the lines of the whole function before and after."""

    function: FunctionDef
    old_body: list[ast.stmt]
    old_lines: tuple[int, int]
    new_lines: tuple[int, int]


@dataclass(slots=True)
class TreeEdit:
    """What another text did to a module's tree.

    ``bodies`` are the functions (of the module and its classes) with another body.
    ``removed`` and ``added`` are statements of the module; ``kept`` those statements that are still there and whose
    lines, or lines before them, changed.  Lines of the old text from ``end`` on have moved by ``delta``; those from
    ``start`` to before ``end`` are the ones that changed.
    """

    document: Document
    start: int
    end: int
    delta: int
    bodies: list[BodyEdit] = field(default_factory=list)
    removed: list[ast.stmt] = field(default_factory=list)
    added: list[ast.stmt] = field(default_factory=list)
    kept: list[ast.stmt] = field(default_factory=list)


def edited(old: Document, new: Document) -> TreeEdit | None:
    """Turns the tree of ``old`` into that of ``new``; None, and nothing is changed, where the new text has none.

    Afterwards ``new`` has the tree, and ``old`` must not be used any more.  The old document has a tree.
    """
    assert old.tree is not None
    start, end, delta = changed_lines(old.lines, new.lines)
    edit = TreeEdit(new, start, end, delta)
    if new.layout is not None or old.has_cells or new.has_cells:
        # Cells can be cut elsewhere without another text, which changes what is shown: every statement is compared.
        if new.tree is None:
            return None
        old.tree.body = _merged(old.tree.body, new.tree.body, delta, edit)
        new.with_tree(old.tree)
        return edit
    if start == end and not delta:
        new.with_tree(old.tree)
        return edit
    first, last = _around(old.tree.body, start, end)
    part = _part(new, old.tree.body, first, last, delta)
    middle = _parsed_part(part)
    if middle is None:
        new.parse(newer_syntax=parse_newer_syntax(part) is not None)
        if new.tree is None:
            return None
        first, last, middle = _unlike_part(old.tree.body, new.tree.body, first, end, delta)
    body = old.tree.body
    kept_before, kept_after = body[:first], body[last:]
    now = _merged(body[first:last], middle, delta, edit)
    for statement in kept_after:
        _shift(statement, delta)
    edit.kept += kept_after[:1]
    old.tree.body = [*kept_before, *now, *kept_after]
    new.with_tree(old.tree)
    return edit


def changed_lines(old: list[str], new: list[str]) -> tuple[int, int, int]:
    """The old lines that changed, from the first (counted from 1) to before the second; how far the rest moved."""
    shorter = min(len(old), len(new))
    same = next((number for number in range(shorter) if old[number] != new[number]), shorter)
    tail = 0
    while tail < shorter - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return same + 1, len(old) - tail + 1, len(new) - len(old)


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", None)
    return min([statement.lineno, *(node.lineno for node in decorators)]) if decorators else statement.lineno


def _last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _around(body: list[ast.stmt], start: int, end: int) -> tuple[int, int]:
    """The statements, as a slice, that changed lines can be part of: the one before them may have become longer."""
    first = 0
    while first + 1 < len(body) and _first_line(body[first + 1]) <= start:
        first += 1
    last = first
    while last < len(body) and (_first_line(body[last]) < end or last == first):
        last += 1
    while 0 < first < len(body) and _last_line(body[first - 1]) >= _first_line(body[first]):
        first -= 1
    while 0 < last < len(body) and _last_line(body[last - 1]) >= _first_line(body[last]):
        last += 1
    return first, last


# -- parsing a part -------------------------------------------------------------------------------


def _part(new: Document, body: list[ast.stmt], first: int, last: int, delta: int) -> str:
    """The text that stands in place of a slice of a module's body; empty lines before it put it on its own lines.

    Before and after the slice lie whole statements whose lines did not change, so what is between can be read
    by itself.
    """
    begin = _first_line(body[first]) if 0 < first < len(body) else 1
    stop = _first_line(body[last]) + delta if last < len(body) else len(new.lines) + 1
    return "\n" * (begin - 1) + "\n".join(new.lines[begin - 1 : stop - 1]) + "\n"


def _parsed_part(text: str) -> list[ast.stmt] | None:
    """The statements of a part; None if it does not parse by itself."""
    if "\f" in text or "\0" in text:
        return None
    try:
        return parse_python(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _unlike_part(
    old: list[ast.stmt], new: list[ast.stmt], first: int, end: int, delta: int
) -> tuple[int, int, list[ast.stmt]]:
    """The slice of the old body that is not found in the new one, and what is there in its place.

    A statement that begins and ends on the same unchanged lines in both texts is the same statement.
    """
    first = min(first, len(new))
    while first and not _stands_at(old[first - 1], new[first - 1], 0):
        first -= 1  # the change goes on where this one ended
    tail = 0
    while tail < min(len(old) - first, len(new) - first):
        one = old[-1 - tail]
        if _first_line(one) < end or not _stands_at(one, new[-1 - tail], delta):
            break
        tail += 1
    return first, len(old) - tail, new[first : len(new) - tail]


def _stands_at(one: ast.stmt, other: ast.stmt, delta: int) -> bool:
    """Whether both are of one kind and begin and end at the same place, so many lines further down."""
    return (
        type(one) is type(other)
        and _first_line(one) + delta == _first_line(other)
        and (one.lineno + delta, one.col_offset) == (other.lineno, other.col_offset)
        and (_last_line(one) + delta, one.end_col_offset) == (_last_line(other), other.end_col_offset)
    )


# -- putting old and new together -----------------------------------------------------------------


def _merged(old: list[ast.stmt], new: list[ast.stmt], delta: int, edit: TreeEdit) -> list[ast.stmt]:
    """The new statements of a module, old nodes in place of new ones wherever they say the same."""
    head = 0
    while head < min(len(old), len(new)) and _same(old[head], new[head], 0):
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and _same(old[-1 - tail], new[-1 - tail], delta):
        tail += 1
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    middle: list[ast.stmt] = []
    for number, (one, other) in enumerate(zip(left, right)):
        if len(left) != len(right) or not _patched(one, other, edit):
            edit.removed += left[number:]
            edit.added += right[number:]
            middle += right[number:]
            break
        edit.kept.append(one)
        middle.append(one)
    else:
        edit.removed += left[len(right) :]
        edit.added += right[len(left) :]
        middle += right[len(left) :]
    after = old[len(old) - tail :]
    for statement in after:
        _shift(statement, delta)
    edit.kept += [*old[:head], *after]
    return [*old[:head], *middle, *after]


def _patched(old: ast.stmt, new: ast.stmt, edit: TreeEdit) -> bool:
    """Gives ``old`` the body of ``new`` if nothing but the bodies of functions in it differs."""
    if not _stays(old, new, edit):
        return False
    if isinstance(old, (ast.FunctionDef, ast.AsyncFunctionDef)) and type(old) is type(new):
        moved = new.lineno - old.lineno
        if not _same_but(old, new, moved, "body"):
            return False
        assert isinstance(new, (ast.FunctionDef, ast.AsyncFunctionDef))
        _take(old, new, moved, edit)
        return True
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        moved = new.lineno - old.lineno
        if len(old.body) != len(new.body) or not _same_but(old, new, moved, "body"):
            return False
        return _patched_class(old, new, moved, edit)
    return False


def _stays(old: ast.stmt, new: ast.stmt, edit: TreeEdit) -> bool:
    """Whether a statement is where the edit says that its lines are now: between two places that changed it is not."""
    moved = new.lineno - old.lineno
    return not moved or (moved == edit.delta and _first_line(old) >= edit.end)


def _patched_class(old: ast.ClassDef, new: ast.ClassDef, moved: int, edit: TreeEdit) -> bool:
    """The same for a class: each statement of its body is the same, or a function with another body."""
    changed = []
    for one, other in zip(old.body, new.body):
        if not _stays(one, other, edit):
            return False
        if not _same(one, other, other.lineno - one.lineno):
            if type(one) is not type(other) or not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return False
            if not _same_but(one, other, other.lineno - one.lineno, "body"):
                return False
            changed.append(one)
    body = old.body
    for one, other in zip(body, new.body):
        if one in changed:
            assert isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
            assert isinstance(other, (ast.FunctionDef, ast.AsyncFunctionDef))
            _take(one, other, other.lineno - one.lineno, edit)
        else:
            _shift(one, other.lineno - one.lineno)
    old.body = []
    _take_place(old, new, moved)
    old.body = body
    return True


def _take(old: FunctionDef, new: FunctionDef, moved: int, edit: TreeEdit) -> None:
    """The body of the new function, and its place."""
    edit.bodies.append(BodyEdit(old, old.body, lines_of(old), lines_of(new)))
    old.body = []
    _take_place(old, new, moved)
    old.body = new.body


def lines_of(statement: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement, its decorators included."""
    return _first_line(statement), _last_line(statement)


def _take_place(old: ast.stmt, new: ast.stmt, moved: int) -> None:
    _shift(old, moved)
    old.end_lineno, old.end_col_offset = new.end_lineno, new.end_col_offset


def _shift(statement: ast.AST, delta: int) -> None:
    if delta:
        for node in _nodes(statement):
            node.lineno += delta  # type: ignore[attr-defined]
            node.end_lineno += delta  # type: ignore[attr-defined]


def _nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The node and everything below it that has a place.

    Only fields are followed: other libraries in this process hang trees of their own on the nodes that Python shares
    among all trees, such as ``ast.Load()``.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        if hasattr(node, "lineno"):
            yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                stack += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                stack.append(value)


def _same(old: ast.AST, new: ast.AST, moved: int) -> bool:
    """Whether two trees say the same in the same columns, on lines that differ by ``moved``."""
    return _same_but(old, new, moved, "")


def _same_but(old: ast.AST, new: ast.AST, moved: int, left_out: str) -> bool:
    """The same, one field of the roots (and with it where they end) left out."""
    if type(old) is not type(new):
        return False
    stack: list[tuple[ast.AST, ast.AST]] = [(old, new)]
    root = True
    while stack:
        one, other = stack.pop()
        if type(one) is not type(other) or getattr(one, "lineno", 0) + moved != getattr(other, "lineno", moved):
            return False
        if getattr(one, "col_offset", 0) != getattr(other, "col_offset", 0):
            return False
        if not (root and left_out):
            if getattr(one, "end_col_offset", 0) != getattr(other, "end_col_offset", 0):
                return False
            if getattr(one, "end_lineno", 0) + moved != getattr(other, "end_lineno", moved):
                return False
        for name in one._fields:
            if root and name == left_out:
                continue
            if not _same_field(getattr(one, name, None), getattr(other, name, None), stack):
                return False
        root = False
    return True


def _same_field(one: object, other: object, stack: list[tuple[ast.AST, ast.AST]]) -> bool:
    if one.__class__ is not other.__class__:
        return False
    if isinstance(one, ast.AST):
        assert isinstance(other, ast.AST)
        stack.append((one, other))
        return True
    if isinstance(one, list):
        assert isinstance(other, list)
        return len(one) == len(other) and all(_same_field(a, b, stack) for a, b in zip(one, other))
    return one is other or (one == other and repr(one) == repr(other))
