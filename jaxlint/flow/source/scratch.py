"""Attributes that only pass values on within one trace: set by one function, read by the next ones that it runs."""

from __future__ import annotations

import ast
from collections.abc import Collection

from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode, descendants


def only_passes_on(
    scope: ModuleText, write: ast.Attribute, running: Collection[FunctionNode], later: Collection[FunctionNode]
) -> bool:
    """Whether all that a module reads of the attribute is read after ``write`` in the same trace, by other functions.

    ``running`` are the functions that were running when it was set, innermost last, and ``later`` those that the trace
    ran afterwards.  Whoever reads it there, and is named anywhere else, may run without the write before.
    """
    tree = scope.tree
    if tree is None or not running:
        return False
    reads = [
        node
        for node in descendants(tree)
        if isinstance(node, ast.Attribute) and node.attr == write.attr and isinstance(node.ctx, ast.Load)
    ]
    writer, readers = list(running)[-1], set[ast.AST]()
    for read in reads:
        reader = around(tree, read)
        if reader is writer and read.lineno > (write.end_lineno or write.lineno):
            continue
        if reader not in later:
            return False
        assert reader is not None
        readers.add(reader)
    names = {getattr(reader, "name", "") for reader in readers} - {""}
    known = {*running, *later}
    return bool(readers) and all(around(tree, node) in known for node in descendants(tree) if _names(node) in names)


def _names(node: ast.AST) -> str:
    """What a call calls by name."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "id", getattr(function, "attr", ""))
