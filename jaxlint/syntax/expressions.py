"""Expressions, their arguments and their parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import libcst as cst

from jaxlint.syntax.lowering import Lowering, Place, as_target, brackets_place, end_of, lowers

CONSTANT_NAMES = {"True": True, "False": False, "None": None}


@lowers(cst.Name)
def name(low: Lowering, node: cst.Name) -> ast.expr:
    if node.value in CONSTANT_NAMES:
        return low.make(ast.Constant, node, value=CONSTANT_NAMES[node.value])
    return low.make(ast.Name, node, id=node.value, ctx=ast.Load())


@lowers(cst.Integer, cst.Float, cst.Imaginary)
def number(low: Lowering, node: cst.Integer | cst.Float | cst.Imaginary) -> ast.Constant:
    return low.make(ast.Constant, node, value=ast.literal_eval(node.value))


@lowers(cst.Ellipsis)
def ellipsis(low: Lowering, node: cst.Ellipsis) -> ast.Constant:
    return low.make(ast.Constant, node, value=...)


@lowers(cst.Attribute)
def attribute(low: Lowering, node: cst.Attribute) -> ast.Attribute:
    return low.make(ast.Attribute, node, value=low(node.value), attr=node.attr.value, ctx=ast.Load())


# --- Operations


@lowers(cst.UnaryOperation)
def unary(low: Lowering, node: cst.UnaryOperation) -> ast.UnaryOp:
    return low.make(ast.UnaryOp, node, op=low(node.operator), operand=low(node.expression))


@lowers(cst.BinaryOperation)
def binary(low: Lowering, node: cst.BinaryOperation) -> ast.BinOp:
    return low.make(ast.BinOp, node, left=low(node.left), op=low(node.operator), right=low(node.right))


@lowers(cst.BooleanOperation)
def boolean(low: Lowering, node: cst.BooleanOperation) -> ast.BoolOp:
    """`a and b and c` is one operation in ``ast``, and one inside another in libcst."""
    operator, operands, left = type(node.operator), [node.right], node.left
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is operator and not left.lpar:
        operands.append(left.right)
        left = left.left
    return low.make(ast.BoolOp, node, op=low(node.operator), values=low.each([left, *reversed(operands)]))


@lowers(cst.Comparison)
def comparison(low: Lowering, node: cst.Comparison) -> ast.Compare:
    return low.make(
        ast.Compare,
        node,
        left=low(node.left),
        ops=[low(target.operator) for target in node.comparisons],
        comparators=[low(target.comparator) for target in node.comparisons],
    )


@lowers(cst.IfExp)
def conditional(low: Lowering, node: cst.IfExp) -> ast.IfExp:
    return low.make(ast.IfExp, node, test=low(node.test), body=low(node.body), orelse=low(node.orelse))


@lowers(cst.NamedExpr)
def walrus(low: Lowering, node: cst.NamedExpr) -> ast.NamedExpr:
    return low.make(ast.NamedExpr, node, target=as_target(low(node.target)), value=low(node.value))


@lowers(cst.Await)
def await_(low: Lowering, node: cst.Await) -> ast.Await:
    return low.make(ast.Await, node, value=low(node.expression))


@lowers(cst.Yield)
def yield_(low: Lowering, node: cst.Yield) -> ast.Yield | ast.YieldFrom:
    if isinstance(node.value, cst.From):
        return low.make(ast.YieldFrom, node, value=low(node.value.item))
    return low.make(ast.Yield, node, value=low.maybe(node.value))


# --- Calls


@lowers(cst.Call)
def call(low: Lowering, node: cst.Call) -> ast.Call:
    args, keywords = arguments(low, node.args)
    lowered = low.make(ast.Call, node, func=low(node.func), args=args, keywords=keywords)
    if len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp) and not node.args[0].value.lpar:
        # The parentheses of `f(x for x in y)` are the generator's as well; it begins where the arguments do.
        line, column = low.start(node.whitespace_before_args)
        sole: Any = lowered.args[0]
        sole.lineno, sole.col_offset = line, column - 1
        sole.end_lineno, sole.end_col_offset = end_of(lowered)
    return lowered


def arguments(low: Lowering, args: Sequence[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The ``args`` and ``keywords`` of a call, each in their order."""
    lowered = low.each(args)
    return (
        [argument for argument in lowered if not isinstance(argument, ast.keyword)],
        [argument for argument in lowered if isinstance(argument, ast.keyword)],
    )


@lowers(cst.Arg)
def argument(low: Lowering, node: cst.Arg) -> ast.expr | ast.keyword:
    if node.keyword is not None or node.star == "**":
        return low.make(ast.keyword, node, arg=node.keyword and node.keyword.value, value=low(node.value))
    value: ast.expr = low(node.value)
    return low.make(ast.Starred, node, value=value, ctx=ast.Load()) if node.star else value


# --- Containers and their elements


@lowers(cst.Tuple)
def tuple_(low: Lowering, node: cst.Tuple) -> ast.Tuple:
    start, end = brackets_place(low, node, node.elements)
    return low.make(ast.Tuple, node, start, end, elts=low.each(node.elements), ctx=ast.Load())


@lowers(cst.List)
def list_(low: Lowering, node: cst.List) -> ast.List:
    return low.make(ast.List, node, elts=low.each(node.elements), ctx=ast.Load())


@lowers(cst.Set)
def set_(low: Lowering, node: cst.Set) -> ast.Set:
    return low.make(ast.Set, node, elts=low.each(node.elements))


@lowers(cst.Element)
def element(low: Lowering, node: cst.Element) -> Any:
    return low(node.value)


@lowers(cst.StarredElement)
def starred(low: Lowering, node: cst.StarredElement) -> ast.Starred:
    value = low(node.value)
    return low.make(ast.Starred, node, end=low.outer_end(node.value), value=value, ctx=ast.Load())


@lowers(cst.Dict)
def dict_(low: Lowering, node: cst.Dict) -> ast.Dict:
    items = low.each(node.elements)
    return low.make(ast.Dict, node, keys=[key for key, _ in items], values=[value for _, value in items])


@lowers(cst.DictElement)
def item(low: Lowering, node: cst.DictElement) -> tuple[ast.expr, ast.expr]:
    return low(node.key), low(node.value)


@lowers(cst.StarredDictElement)
def starred_item(low: Lowering, node: cst.StarredDictElement) -> tuple[None, ast.expr]:
    return None, low(node.value)


# --- Comprehensions

COMPREHENSIONS: dict[type[cst.CSTNode], type[ast.ListComp | ast.SetComp | ast.GeneratorExp]] = {
    cst.ListComp: ast.ListComp,
    cst.SetComp: ast.SetComp,
    cst.GeneratorExp: ast.GeneratorExp,
}

# No name in a file is spelt with a dot, so these hide none.
EACH, KEY, VALUE = ".each", ".key", ".value"


@lowers(cst.ListComp, cst.SetComp, cst.GeneratorExp)
def comprehension(low: Lowering, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> ast.expr:
    """`[*part for part in parts]` (3.15) is `[each for part in parts for each in part]`."""
    kind, generators = COMPREHENSIONS[type(node)], low(node.for_in)
    value = low(node.elt)
    if isinstance(value, ast.Starred):
        generators.append(unpacking(value.value, beside(value, EACH)))
        value = beside(value, EACH)
    start = end = None
    if isinstance(node, cst.GeneratorExp) and node.lpar:
        start, end = low.start(node.lpar[-1]), low.end(node.rpar[0])
    return low.make(kind, node, start, end, elt=value, generators=generators)


@lowers(cst.DictComp)
def dict_comprehension(low: Lowering, node: cst.DictComp) -> ast.DictComp:
    return low.make(ast.DictComp, node, key=low(node.key), value=low(node.value), generators=low(node.for_in))


@lowers(cst.StarredDictComp)
def starred_dict_comprehension(low: Lowering, node: cst.StarredDictComp) -> ast.DictComp:
    """`{**part for part in parts}` (3.15) is `{key: value for part in parts for key, value in part.items()}`."""
    part = low(node.value)
    items = ast.copy_location(ast.Attribute(value=part, attr="items", ctx=ast.Load()), part)
    pair = ast.Tuple(elts=[beside(part, KEY), beside(part, VALUE)], ctx=ast.Load())
    called = ast.copy_location(ast.Call(func=items, args=[], keywords=[]), part)
    generators = [*low(node.for_in), unpacking(called, ast.copy_location(pair, part))]
    return low.make(ast.DictComp, node, key=beside(part, KEY), value=beside(part, VALUE), generators=generators)


def beside(node: ast.AST, identifier: str) -> ast.Name:
    return ast.copy_location(ast.Name(id=identifier, ctx=ast.Load()), node)


def unpacking(iterable: ast.expr, target: ast.expr) -> ast.comprehension:
    return ast.comprehension(target=as_target(target), iter=iterable, ifs=[], is_async=0)


@lowers(cst.CompFor)
def generators(low: Lowering, node: cst.CompFor) -> list[ast.comprehension]:
    """All `for` clauses of a comprehension, the outermost first."""
    clause = ast.comprehension(
        target=as_target(low(node.target)),
        iter=low(node.iter),
        ifs=[low(condition.test) for condition in node.ifs],
        is_async=int(node.asynchronous is not None),
    )
    return [clause, *(low.maybe(node.inner_for_in) or ())]


# --- Subscripts


@lowers(cst.Subscript)
def subscript(low: Lowering, node: cst.Subscript) -> ast.Subscript:
    indices, first, last = low.each(node.slice), node.slice[0], node.slice[-1]
    index = indices[0]
    if len(indices) > 1 or isinstance(last.comma, cst.Comma) or isinstance(index, ast.Starred):
        end = low.end(last.comma) if isinstance(last.comma, cst.Comma) else index_end(low, last.slice)
        index = low.make(ast.Tuple, node, index_start(low, first.slice), end, elts=indices, ctx=ast.Load())
    return low.make(ast.Subscript, node, value=low(node.value), slice=index, ctx=ast.Load())


@lowers(cst.SubscriptElement)
def subscript_element(low: Lowering, node: cst.SubscriptElement) -> Any:
    return low(node.slice)


@lowers(cst.Index)
def index(low: Lowering, node: cst.Index) -> ast.expr:
    value: ast.expr = low(node.value)
    if node.star:
        return low.make(ast.Starred, node, value=value, ctx=ast.Load())
    return value


@lowers(cst.Slice)
def slice_(low: Lowering, node: cst.Slice) -> ast.Slice:
    return low.make(
        ast.Slice,
        node,
        index_start(low, node),
        index_end(low, node),
        lower=low.maybe(node.lower),
        upper=low.maybe(node.upper),
        step=low.maybe(node.step),
    )


def index_start(low: Lowering, node: cst.BaseSlice) -> Place:
    """Where an index begins, its parentheses included; libcst counts space around the colons in."""
    if isinstance(node, cst.Slice):
        return low.start(node.first_colon) if node.lower is None else low.outer_start(node.lower)
    index = cst.ensure_type(node, cst.Index)
    return low.start(index) if index.star else low.outer_start(index.value)


def index_end(low: Lowering, node: cst.BaseSlice) -> Place:
    if isinstance(node, cst.Index):
        return low.outer_end(node.value)
    bounds = cst.ensure_type(node, cst.Slice)
    if bounds.step is not None:
        return low.outer_end(bounds.step)
    if isinstance(bounds.second_colon, cst.Colon):
        return low.end(bounds.second_colon)
    return low.end(bounds.first_colon) if bounds.upper is None else low.outer_end(bounds.upper)


# --- Parameters


@lowers(cst.Lambda)
def lambda_(low: Lowering, node: cst.Lambda) -> ast.Lambda:
    return low.make(ast.Lambda, node, args=low(node.params), body=low(node.body))


@lowers(cst.Parameters)
def parameters(low: Lowering, node: cst.Parameters) -> ast.arguments:
    positional = [*node.posonly_params, *node.params]
    return ast.arguments(
        posonlyargs=low.each(node.posonly_params),
        args=low.each(node.params),
        vararg=low(node.star_arg) if isinstance(node.star_arg, cst.Param) else None,
        kwonlyargs=low.each(node.kwonly_params),
        kw_defaults=[low.maybe(param.default) for param in node.kwonly_params],
        kwarg=low.maybe(node.star_kwarg),
        defaults=[low(param.default) for param in positional if param.default is not None],
    )


@lowers(cst.Param)
def parameter(low: Lowering, node: cst.Param) -> ast.arg:
    """The name and its annotation: neither the star before them nor the default behind."""
    end = None if node.annotation is None else low.outer_end(node.annotation.annotation)
    return low.make(
        ast.arg, node.name, end=end, arg=node.name.value, annotation=low.maybe(node.annotation), type_comment=None
    )


@lowers(cst.Annotation)
def annotation(low: Lowering, node: cst.Annotation) -> Any:
    return low(node.annotation)
