"""The patterns of ``match``.  Parentheses around one pattern only group it and belong to no node."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst

from jaxlint.syntax.lowering import Lowering, brackets_place, end_of, lowers, place_of


@lowers(cst.MatchValue)
def value(low: Lowering, node: cst.MatchValue) -> ast.MatchValue:
    constant = low(node.value)
    return low.make(ast.MatchValue, node, place_of(constant), end_of(constant), value=constant)


@lowers(cst.MatchSingleton)
def singleton(low: Lowering, node: cst.MatchSingleton) -> ast.MatchSingleton:
    constant = low(node.value)
    return low.make(ast.MatchSingleton, node, place_of(constant), end_of(constant), value=constant.value)


@lowers(cst.MatchList)
def in_brackets(low: Lowering, node: cst.MatchList) -> ast.MatchSequence:
    if node.lbracket is not None:
        return low.make(ast.MatchSequence, node, patterns=low.each(node.patterns))
    start, end = brackets_place(low, node, node.patterns)
    return low.make(ast.MatchSequence, node, start, end, patterns=low.each(node.patterns))


@lowers(cst.MatchTuple)
def in_parentheses(low: Lowering, node: cst.MatchTuple) -> ast.MatchSequence:
    start, end = brackets_place(low, node, node.patterns)
    return low.make(ast.MatchSequence, node, start, end, patterns=low.each(node.patterns))


@lowers(cst.MatchSequenceElement)
def element(low: Lowering, node: cst.MatchSequenceElement) -> Any:
    return low(node.value)


@lowers(cst.MatchStar)
def star(low: Lowering, node: cst.MatchStar) -> ast.MatchStar:
    if node.name is not None:
        return low.make(ast.MatchStar, node, end=low.end(node.name), name=node.name.value)
    # libcst keeps no node for the `_` of `*_`.
    line, column = low.end(node.whitespace_before_name)
    return low.make(ast.MatchStar, node, end=(line, column + 1), name=None)


@lowers(cst.MatchMapping)
def mapping(low: Lowering, node: cst.MatchMapping) -> ast.MatchMapping:
    items = low.each(node.elements)
    return low.make(
        ast.MatchMapping,
        node,
        keys=[key for key, _ in items],
        patterns=[pattern for _, pattern in items],
        rest=None if node.rest is None else node.rest.value,
    )


@lowers(cst.MatchMappingElement)
def item(low: Lowering, node: cst.MatchMappingElement) -> tuple[ast.expr, ast.pattern]:
    return low(node.key), low(node.pattern)


@lowers(cst.MatchClass)
def class_(low: Lowering, node: cst.MatchClass) -> ast.MatchClass:
    attributes = low.each(node.kwds)
    return low.make(
        ast.MatchClass,
        node,
        cls=low(node.cls),
        patterns=low.each(node.patterns),
        kwd_attrs=[attribute for attribute, _ in attributes],
        kwd_patterns=[pattern for _, pattern in attributes],
    )


@lowers(cst.MatchKeywordElement)
def attribute(low: Lowering, node: cst.MatchKeywordElement) -> tuple[str, ast.pattern]:
    return node.key.value, low(node.pattern)


@lowers(cst.MatchAs)
def capture(low: Lowering, node: cst.MatchAs) -> ast.MatchAs:
    name = None if node.name is None else node.name.value
    return low.make(ast.MatchAs, node, pattern=low.maybe(node.pattern), name=name)


@lowers(cst.MatchOr)
def alternatives(low: Lowering, node: cst.MatchOr) -> ast.MatchOr:
    return low.make(ast.MatchOr, node, patterns=low.each(node.patterns))


@lowers(cst.MatchOrElement)
def alternative(low: Lowering, node: cst.MatchOrElement) -> Any:
    return low(node.pattern)
