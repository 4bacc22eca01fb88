"""Which node of an `ast` tree each node of a libcst tree of the same text is.

Neither tree is asked for positions: those of a libcst module take three times as long as its analysis.  The libcst tree
is lowered without any, and what comes out has the structure of the other one.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable
from typing import Any

import libcst as cst
from libcst.metadata import CodePosition, CodeRange

from jaxlint.syntax import lower
from jaxlint.syntax.expressions import CONSTANT_NAMES
from jaxlint.syntax.lowering import REGISTRY, Lowering, Node, Place

Pairs = dict[cst.CSTNode, ast.AST]

__all__ = ["DifferentText", "Pairs", "lower", "pairs"]

_EMPTY = re.compile(r"[a-zA-Z]*(?:''(?:'{4})?|\"\"(?:\"{4})?)\Z")
_SAME = "same"
"""Where a lowered node keeps the one that it is: a dictionary of all would take as long as making them."""

_LOAD = ast.Load()
_NOWHERE: Place = (1, 0)
_NO_RANGE = CodeRange(CodePosition(1, 0), CodePosition(1, 0))


class DifferentText(Exception):
    """The trees are not of one text."""


def pairs(module: cst.Module, tree: ast.Module) -> Pairs:
    """The `ast` node of each libcst node that has one, the inner of two that stand for the same node first.

    A name that belongs to a larger node, as that of a parameter or behind a dot, has the node of that.  Raises
    DifferentText.
    """
    lowering = _WithoutPlaces()
    lowered = ast.Module(body=lowering(module), type_ignores=[])
    _compare(lowered, tree)
    found: Pairs = {module: tree}
    for node, made in lowering.made:
        real = getattr(made, _SAME, None)  # a list of statements has none, nor what is merged with something else
        if real is not None:
            found[node] = real
            if isinstance(node, cst.Param):
                found[node.name] = real
            elif isinstance(node, cst.Attribute):
                found[node.attr] = real
    return found


def _string(low: Lowering, node: cst.SimpleString) -> ast.Constant:
    """Empty or not is all that tells strings apart here."""
    return ast.Constant(value="" if _EMPTY.match(node.value) else "=")


def _name(low: Lowering, node: cst.Name) -> ast.expr:
    return ast.Constant(value=None) if node.value in CONSTANT_NAMES else ast.Name(node.value, _LOAD)


def _value(low: Lowering, node: cst.MatchValue) -> ast.MatchValue:
    return ast.MatchValue(value=low(node.value))


def _singleton(low: Lowering, node: cst.MatchSingleton) -> ast.MatchSingleton:
    return ast.MatchSingleton(value=None)


def _number(low: Lowering, node: cst.CSTNode) -> ast.Constant:
    return ast.Constant(value=0)


_REGISTRY: dict[type[cst.CSTNode], Callable[[Lowering, Any], Any]] = {
    **REGISTRY,
    cst.SimpleString: _string,
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.Name: _name,
    cst.MatchValue: _value,
    cst.MatchSingleton: _singleton,
}
"""Without the values of literals, which would have to be worked out, and the places of patterns; names are many."""


class _WithoutPlaces(Lowering):
    """Notes what becomes of each node."""

    def __init__(self) -> None:
        super().__init__("", _NoRanges())
        self.made: list[tuple[cst.CSTNode, object]] = []

    def __call__(self, node: cst.CSTNode) -> Any:
        made = _REGISTRY[node.__class__](self, node)
        self.made.append((node, made))
        return made

    def make(
        self,
        kind: Callable[..., Node],
        node: cst.CSTNode,
        /,
        start: Place | None = None,
        end: Place | None = None,
        **fields: Any,
    ) -> Node:
        return kind(**fields)

    def start(self, node: cst.CSTNode) -> Place:
        return _NOWHERE

    def end(self, node: cst.CSTNode) -> Place:
        return _NOWHERE

    def outer_start(self, node: Any) -> Place:
        return _NOWHERE

    def outer_end(self, node: Any) -> Place:
        return _NOWHERE

    def source(self, start: CodePosition, end: CodePosition) -> str:
        return "="  # of `{x=}`: no text that is dropped for being empty


class _NoRanges(dict[cst.CSTNode, CodeRange]):
    def __missing__(self, node: cst.CSTNode) -> CodeRange:
        return _NO_RANGE


def _compare(lowered: ast.AST, real: ast.AST) -> None:
    """Has each node of the lowered tree keep the one that it is in the real one.  Raises DifferentText."""
    waiting: list[tuple[Any, Any]] = [(lowered, real)]
    while waiting:
        one, other = waiting.pop()
        kind = one.__class__
        if kind is not other.__class__:
            if kind is ast.Expr and isinstance(other, ast.Assign):  # what a notebook's cell shows
                waiting.append((one.value, other.value))
                continue
            raise DifferentText
        if kind is str or one is None:
            continue
        one.same = other
        if kind is ast.Constant:
            continue
        if kind is ast.Name:  # most nodes are one or the other
            if one.id != other.id:
                raise DifferentText
            continue
        for name in _fields(kind):
            part, counterpart = getattr(one, name, None), getattr(other, name, None)
            if part.__class__ is list:
                if counterpart is not None and kind is ast.JoinedStr:
                    counterpart = _without_empty(counterpart)
                if counterpart is None or len(part) != len(counterpart):
                    raise DifferentText
                waiting += zip(part, counterpart)
            elif isinstance(part, ast.AST):
                waiting.append((part, counterpart))
            elif part.__class__ is str and part != counterpart:
                raise DifferentText


def _without_empty(values: list[ast.expr]) -> list[ast.expr]:
    """The parts of a formatted string but for the empty text that Python 3.12.1 ends the format `{width}` with."""
    return [value for value in values if not (isinstance(value, ast.Constant) and value.value == "")]


@functools.cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields in which nodes of a class may differ."""
    return tuple(name for name in kind._fields if name not in _SHARED)


_SHARED = ("ctx", "op", "ops", "kind", "type_comment", "type_ignores")
"""Fields with nodes that many places share, or that lowering leaves empty."""
