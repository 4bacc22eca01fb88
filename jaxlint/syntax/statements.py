"""Statements.  A compound statement ends where the last statement inside it does, or the semicolon after that.

Syntax that the running interpreter has no node for becomes the nearest one that does the same: type
parameters are left out, ``type X = ...`` is an assignment, ``except*`` is ``except``,
and a lazy import (3.15) is an import.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from jaxlint.syntax.expressions import arguments
from jaxlint.syntax.lowering import Lowering, Node, Place, as_target, end_of, lowers

# `except*` came with 3.11; its handlers run as those of `except` do.
TryStar: type[ast.Try] = getattr(ast, "TryStar", ast.Try)

TYPE_PARAMETERS = "type_params" in ast.FunctionDef._fields  # 3.12


def compound(low: Lowering, kind: Callable[..., Node], node: cst.CSTNode, blocks: Sequence[str], **fields: Any) -> Node:
    """Build a compound statement; ``blocks`` names the fields that hold statements, in their order."""
    last = [fields[block] for block in blocks if fields[block]][-1][-1]
    return low.make(kind, node, end=block_end(low, last), **fields)


def block_end(low: Lowering, last: ast.stmt) -> Place:
    return low.semicolons.get(last) or end_of(last)


# --- Lines and blocks: lists of statements


@lowers(cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.IndentedBlock, cst.Module)
def block(low: Lowering, node: Any) -> list[ast.stmt]:
    statements: list[ast.stmt] = []
    for child in node.body:
        lowered = low(child)
        statements.extend(lowered if isinstance(lowered, list) else [lowered])
    semicolon = getattr(node.body[-1], "semicolon", None) if node.body else None
    if isinstance(semicolon, cst.Semicolon):
        low.semicolons[statements[-1]] = low.end(semicolon)
    return statements


@lowers(cst.Else, cst.Finally)
def branch(low: Lowering, node: cst.Else | cst.Finally) -> Any:
    return low(node.body)


def optional_block(low: Lowering, node: cst.CSTNode | None) -> Any:
    return [] if node is None else low(node)


# --- Small statements


@lowers(cst.Expr)
def expression(low: Lowering, node: cst.Expr) -> ast.Expr:
    return low.make(ast.Expr, node, value=low(node.value))


@lowers(cst.Assign)
def assign(low: Lowering, node: cst.Assign) -> ast.Assign:
    return low.make(ast.Assign, node, targets=low.each(node.targets), value=low(node.value), type_comment=None)


@lowers(cst.AssignTarget)
def assign_target(low: Lowering, node: cst.AssignTarget) -> ast.expr:
    return as_target(low(node.target))


@lowers(cst.AnnAssign)
def annotated(low: Lowering, node: cst.AnnAssign) -> ast.AnnAssign:
    return low.make(
        ast.AnnAssign,
        node,
        target=as_target(low(node.target)),
        annotation=low(node.annotation),
        value=low.maybe(node.value),
        simple=int(isinstance(node.target, cst.Name) and not node.target.lpar),
    )


@lowers(cst.AugAssign)
def augmented(low: Lowering, node: cst.AugAssign) -> ast.AugAssign:
    return low.make(
        ast.AugAssign, node, target=as_target(low(node.target)), op=low(node.operator), value=low(node.value)
    )


@lowers(cst.Del)
def delete(low: Lowering, node: cst.Del) -> ast.Delete:
    target = as_target(low(node.target), ast.Del)
    if isinstance(target, ast.Tuple) and not node.target.lpar:
        return low.make(ast.Delete, node, end=end_of(target), targets=target.elts)
    return low.make(ast.Delete, node, targets=[target])


@lowers(cst.Pass)
def pass_(low: Lowering, node: cst.Pass) -> ast.Pass:
    return low.make(ast.Pass, node)


@lowers(cst.Break)
def break_(low: Lowering, node: cst.Break) -> ast.Break:
    return low.make(ast.Break, node)


@lowers(cst.Continue)
def continue_(low: Lowering, node: cst.Continue) -> ast.Continue:
    return low.make(ast.Continue, node)


@lowers(cst.Return)
def return_(low: Lowering, node: cst.Return) -> ast.Return:
    return low.make(ast.Return, node, value=low.maybe(node.value))


@lowers(cst.Raise)
def raise_(low: Lowering, node: cst.Raise) -> ast.Raise:
    cause = None if node.cause is None else low(node.cause.item)
    return low.make(ast.Raise, node, exc=low.maybe(node.exc), cause=cause)


@lowers(cst.Assert)
def assert_(low: Lowering, node: cst.Assert) -> ast.Assert:
    return low.make(ast.Assert, node, test=low(node.test), msg=low.maybe(node.msg))


@lowers(cst.Global)
def global_(low: Lowering, node: cst.Global) -> ast.Global:
    return low.make(ast.Global, node, names=[item.name.value for item in node.names])


@lowers(cst.Nonlocal)
def nonlocal_(low: Lowering, node: cst.Nonlocal) -> ast.Nonlocal:
    return low.make(ast.Nonlocal, node, names=[item.name.value for item in node.names])


@lowers(cst.TypeAlias)
def type_alias(low: Lowering, node: cst.TypeAlias) -> ast.stmt:
    name, value = as_target(low(node.name)), low(node.value)
    if sys.version_info >= (3, 12):
        return low.make(ast.TypeAlias, node, name=name, value=value, **type_parameters(low, node))
    return low.make(ast.Assign, node, targets=[name], value=value, type_comment=None)


# --- Imports


@lowers(cst.Import, cst.LazyImport)
def import_(low: Lowering, node: cst.Import | cst.LazyImport) -> ast.Import:
    return low.make(ast.Import, node, names=low.each(node.names))


@lowers(cst.ImportFrom, cst.LazyImportFrom)
def import_from(low: Lowering, node: cst.ImportFrom | cst.LazyImportFrom) -> ast.ImportFrom:
    names = [low(node.names)] if isinstance(node.names, cst.ImportStar) else low.each(node.names)
    module = None if node.module is None else dotted(node.module)
    return low.make(ast.ImportFrom, node, module=module, names=names, level=len(node.relative))


@lowers(cst.ImportStar)
def import_star(low: Lowering, node: cst.ImportStar) -> ast.alias:
    return low.make(ast.alias, node, name="*", asname=None)


@lowers(cst.ImportAlias)
def import_alias(low: Lowering, node: cst.ImportAlias) -> ast.alias:
    bound = None if node.asname is None else dotted(node.asname.name)
    return low.make(ast.alias, node, name=dotted(node.name), asname=bound)


def dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return cst.ensure_type(node, cst.Name).value


# --- Compound statements


@lowers(cst.If)
def if_(low: Lowering, node: cst.If) -> ast.If:
    """An ``elif`` is an ``if`` alone in the ``else`` of the one before."""
    orelse = [low(node.orelse)] if isinstance(node.orelse, cst.If) else optional_block(low, node.orelse)
    return compound(low, ast.If, node, ("body", "orelse"), test=low(node.test), body=low(node.body), orelse=orelse)


@lowers(cst.While)
def while_(low: Lowering, node: cst.While) -> ast.While:
    return compound(
        low,
        ast.While,
        node,
        ("body", "orelse"),
        test=low(node.test),
        body=low(node.body),
        orelse=optional_block(low, node.orelse),
    )


@lowers(cst.For)
def for_(low: Lowering, node: cst.For) -> ast.stmt:
    kind = ast.For if node.asynchronous is None else ast.AsyncFor
    return compound(
        low,
        kind,
        node,
        ("body", "orelse"),
        target=as_target(low(node.target)),
        iter=low(node.iter),
        body=low(node.body),
        orelse=optional_block(low, node.orelse),
        type_comment=None,
    )


@lowers(cst.With)
def with_(low: Lowering, node: cst.With) -> ast.stmt:
    kind = ast.With if node.asynchronous is None else ast.AsyncWith
    return compound(low, kind, node, ("body",), items=low.each(node.items), body=low(node.body), type_comment=None)


@lowers(cst.WithItem)
def with_item(low: Lowering, node: cst.WithItem) -> ast.withitem:
    target = None if node.asname is None else as_target(low(node.asname.name))
    return ast.withitem(context_expr=low(node.item), optional_vars=target)


@lowers(cst.Try)
def try_(low: Lowering, node: cst.Try) -> ast.Try:
    return compound(low, ast.Try, node, TRY_BLOCKS, **try_fields(low, node))


@lowers(cst.TryStar)
def try_star(low: Lowering, node: cst.TryStar) -> ast.stmt:
    return compound(low, TryStar, node, TRY_BLOCKS, **try_fields(low, node))


TRY_BLOCKS = ("body", "handlers", "orelse", "finalbody")


def try_fields(low: Lowering, node: cst.Try | cst.TryStar) -> dict[str, Any]:
    return {
        "body": low(node.body),
        "handlers": low.each(node.handlers),
        "orelse": optional_block(low, node.orelse),
        "finalbody": optional_block(low, node.finalbody),
    }


@lowers(cst.ExceptHandler, cst.ExceptStarHandler)
def handler(low: Lowering, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ast.ExceptHandler:
    """Since 3.14 several types need no parentheses; they are a tuple all the same."""
    name = None if node.name is None else dotted(cst.ensure_type(node.name.name, cst.Name))
    return compound(low, ast.ExceptHandler, node, ("body",), type=low.maybe(node.type), name=name, body=low(node.body))


@lowers(cst.Match)
def match(low: Lowering, node: cst.Match) -> ast.Match:
    cases = low.each(node.cases)
    return low.make(ast.Match, node, end=block_end(low, cases[-1].body[-1]), subject=low(node.subject), cases=cases)


@lowers(cst.MatchCase)
def case(low: Lowering, node: cst.MatchCase) -> ast.match_case:
    return ast.match_case(pattern=low(node.pattern), guard=low.maybe(node.guard), body=low(node.body))


# --- Definitions


@lowers(cst.Decorator)
def decorator(low: Lowering, node: cst.Decorator) -> Any:
    return low(node.decorator)


@lowers(cst.FunctionDef)
def function(low: Lowering, node: cst.FunctionDef) -> ast.stmt:
    kind = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
    return compound(
        low,
        kind,
        node,
        ("body",),
        name=node.name.value,
        args=low(node.params),
        body=low(node.body),
        decorator_list=low.each(node.decorators),
        returns=low.maybe(node.returns),
        type_comment=None,
        **type_parameters(low, node),
    )


@lowers(cst.ClassDef)
def class_(low: Lowering, node: cst.ClassDef) -> ast.ClassDef:
    bases, keywords = arguments(low, [*node.bases, *node.keywords])
    return compound(
        low,
        ast.ClassDef,
        node,
        ("body",),
        name=node.name.value,
        bases=bases,
        keywords=keywords,
        body=low(node.body),
        decorator_list=low.each(node.decorators),
        **type_parameters(low, node),
    )


def type_parameters(low: Lowering, node: cst.FunctionDef | cst.ClassDef | cst.TypeAlias) -> dict[str, list[Any]]:
    """The field ``type_params``, where the running interpreter's nodes have one."""
    if not TYPE_PARAMETERS:
        return {}
    return {"type_params": [] if node.type_parameters is None else low.each(node.type_parameters.params)}


@lowers(cst.TypeParam)
def type_parameter(low: Lowering, node: cst.TypeParam) -> ast.AST:
    lowered: ast.AST = low(node.param)
    if node.default is not None and "default_value" in lowered._fields:  # 3.13
        lowered.default_value = low(node.default)  # type: ignore[attr-defined]
    return lowered


if sys.version_info >= (3, 12):

    @lowers(cst.TypeVar)
    def type_variable(low: Lowering, node: cst.TypeVar) -> ast.TypeVar:
        return low.make(ast.TypeVar, node, name=node.name.value, bound=low.maybe(node.bound))

    @lowers(cst.TypeVarTuple)
    def type_variable_tuple(low: Lowering, node: cst.TypeVarTuple) -> ast.TypeVarTuple:
        return low.make(ast.TypeVarTuple, node, name=node.name.value)

    @lowers(cst.ParamSpec)
    def parameter_specification(low: Lowering, node: cst.ParamSpec) -> ast.ParamSpec:
        return low.make(ast.ParamSpec, node, name=node.name.value)
