"""What the source of a function says about its parameters: how they are used, and what it asserts of them."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from jaxlint.files.reading import read_file

MOST_FILES = 1024  # whose trees are kept

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(slots=True)
class Use:
    """One parameter.  ``asserted`` says that a rank, shape or type stands in an assertion rather than in a guess."""

    annotation: str = ""
    rank: int | None = None
    shape: tuple[int | None, ...] | None = None
    dtype: str = ""
    asserted: bool = False
    called: bool = False
    returns: int = 0  # `a, b = fn(x)`
    size: bool = False  # range(n), a shape, an axis, the bound of a slice
    unpacked: int = 0
    items: list[str] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    methods: dict[str, int] = field(default_factory=dict)  # called attribute -> how many values are unpacked from it
    strings: list[str] = field(default_factory=list)
    rebuilt: bool = False  # p.replace(...), p._replace(...)


def uses(function: Any) -> dict[str, Use]:
    """By parameter; empty where there is no source to read."""
    node = definition(function)
    if node is None:
        return {}
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    found = {one.arg: Use(annotation=ast.unparse(one.annotation) if one.annotation else "") for one in arguments}
    for part in node.body if isinstance(node.body, list) else [node.body]:
        for inner in ast.walk(part):
            reader = _READERS.get(type(inner))
            if reader is not None:
                reader(inner, found)
    return found


def definition(function: Any) -> Function | None:
    """The tree of a Python function (decorators that say what they wrap are seen through)."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if not isinstance(code, types.CodeType):
        return None
    return _definitions(code.co_filename).get((code.co_firstlineno, code.co_name))


@functools.lru_cache(maxsize=MOST_FILES)
def _definitions(path: str) -> dict[tuple[int, str], Function]:
    tree = parsed(path)
    found: dict[tuple[int, str], Function] = {}
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[first, node.name] = node
        elif isinstance(node, ast.Lambda):
            found.setdefault((node.lineno, "<lambda>"), node)
    return found


@functools.lru_cache(maxsize=MOST_FILES)
def functions(path: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file by its qualified name; of several with one name the last, as after an import."""
    return {qualname: nodes[-1] for qualname, nodes in definitions(path).items()}


@functools.lru_cache(maxsize=MOST_FILES)
def definitions(path: str) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every definition of a file by its qualified name."""
    found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}

    def collect(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.setdefault(prefix + child.name, []).append(child)
                collect(child, f"{prefix}{child.name}.<locals>.")
            else:
                collect(child, f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix)

    tree = parsed(path)
    if tree is not None:
        collect(tree, "")
    return found


def line_range(node: ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    """The lines of a definition, its decorators among them."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return range(first, (node.end_lineno or node.lineno) + 1)


@functools.lru_cache(maxsize=MOST_FILES)
def parsed(path: str) -> ast.Module | None:
    """The tree of a file, None where there is none."""
    try:
        return ast.parse(read_file(path))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None


@functools.lru_cache(maxsize=MOST_FILES)
def text_of(path: str) -> str:
    """The text of a file as far as it can be read."""
    try:
        return read_file(path).decode("utf-8", "replace")
    except OSError:
        return ""


# ------------------------------------------------------------------------------------------------ readers


def _call(node: ast.Call, found: dict[str, Use]) -> None:
    if isinstance(node.func, ast.Name) and node.func.id in found:
        found[node.func.id].called = True
    if (method := _method(node, found)) is not None:
        method[0].methods.setdefault(method[1], 0)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in _ASSERTIONS and len(node.args) == 2:
        _ASSERTIONS[name](node, found)
    if name == "range":
        _sizes(node.args, found)
    elif name in _SHAPE_AT:
        _sizes(node.args[_SHAPE_AT[name] :], found)
    elif name in _FUNCTION_FIRST and node.args and isinstance(node.args[0], ast.Name) and node.args[0].id in found:
        found[node.args[0].id].called = True
    for keyword in node.keywords:
        if keyword.arg in _STATIC_KEYWORDS:
            _sizes([keyword.value], found)


def _method(node: ast.expr, found: dict[str, Use]) -> tuple[Use, str] | None:
    """The parameter and the name of the method that an expression calls."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        use = found.get(node.func.value.id)
        return None if use is None else (use, node.func.attr)
    return None


_SHAPE_AT = {"zeros": 0, "ones": 0, "full": 0, "empty": 0, "arange": 0, "eye": 0, "one_hot": 1, "reshape": 1}
_FUNCTION_FIRST = frozenset("grad value_and_grad vmap jit scan while_loop jacfwd jacrev hessian checkpoint".split())
_STATIC_KEYWORDS = frozenset("shape axis num_classes length num_segments total_repeat_length".split())


def _sizes(nodes: list[ast.expr], found: dict[str, Use]) -> None:
    for name in _names(nodes):
        found_use = found.get(name)
        if found_use is not None:
            found_use.size = True


def _names(nodes: list[ast.expr]) -> Iterator[str]:
    """Names used as they are, also in tuples and arithmetic: `range(n)`, `(n, 2 * k)`."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, (ast.Tuple, ast.List)):
            yield from _names(node.elts)
        elif isinstance(node, ast.BinOp):
            yield from _names([node.left, node.right])


def _assign(node: ast.Assign, found: dict[str, Use]) -> None:
    target = node.targets[0]
    if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(one, ast.Starred) for one in target.elts):
        return
    count, value = len(target.elts), node.value
    if isinstance(value, ast.Name) and value.id in found:
        found[value.id].unpacked = count
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in found:
        found[value.func.id].returns = count
    elif (method := _method(value, found)) is not None:
        method[0].methods[method[1]] = count
    elif isinstance(value, ast.Attribute) and value.attr == "shape" and isinstance(value.value, ast.Name):
        if value.value.id in found:  # b, t, d = x.shape
            found[value.value.id].rank = count


def _subscript(node: ast.Subscript, found: dict[str, Use]) -> None:
    if isinstance(node.value, ast.Name) and node.value.id in found and isinstance(node.slice, ast.Constant):
        if isinstance(node.slice.value, str):
            found[node.value.id].items.append(node.slice.value)
    axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for axis in axes:
        if isinstance(axis, ast.Slice):
            _sizes([bound for bound in (axis.lower, axis.upper, axis.step) if bound is not None], found)


def _attribute(node: ast.Attribute, found: dict[str, Use]) -> None:
    if isinstance(node.value, ast.Name) and node.value.id in found:
        use = found[node.value.id]
        if node.attr in ("replace", "_replace"):
            use.rebuilt = True
        else:
            use.attributes.add(node.attr)


def _compare(node: ast.Compare, found: dict[str, Use]) -> None:
    if isinstance(node.left, ast.Name) and node.left.id in found:
        for constant in (inner for other in node.comparators for inner in ast.walk(other)):
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                found[node.left.id].strings.append(constant.value)


def _assert_ranks(node: ast.Call, found: dict[str, Use]) -> None:
    for name, rank in _pairs(node, found):
        if isinstance(rank, (set, frozenset)):
            rank = min(rank, default=None)
        if isinstance(rank, int):
            found[name].rank, found[name].asserted = rank, True


def _assert_shapes(node: ast.Call, found: dict[str, Use]) -> None:
    for name, shape in _pairs(node, found):
        if isinstance(shape, tuple) and all(size is None or isinstance(size, int) for size in shape):
            found[name].shape, found[name].asserted = shape, True


def _assert_types(node: ast.Call, found: dict[str, Use]) -> None:
    for name, kind in _pairs(node, found, text=True):
        word = str(kind).rpartition(".")[2]
        found[name].dtype = next((dtype for part, dtype in _TYPE_WORDS.items() if part in word), "")


_TYPE_WORDS = {"bool": "bool", "int": "int32", "float": "float32"}
_ASSERTIONS: dict[str, Callable[[ast.Call, dict[str, Use]], None]] = {
    "assert_rank": _assert_ranks,
    "assert_shape": _assert_shapes,
    "assert_type": _assert_types,
}


def _pairs(node: ast.Call, found: dict[str, Use], text: bool = False) -> Iterator[tuple[str, Any]]:
    """`assert_rank([a, b], [1, 0])`, `assert_rank([a, b], 1)` and `assert_rank(a, 1)` as (name, expected) pairs."""
    subjects, expected = node.args
    several = isinstance(subjects, (ast.List, ast.Tuple))
    names = subjects.elts if isinstance(subjects, (ast.List, ast.Tuple)) else [subjects]
    each = isinstance(expected, ast.List) and several
    wanted = expected.elts if isinstance(expected, ast.List) and each else [expected] * len(names)
    for name, one in zip(names, wanted):
        if isinstance(name, ast.Name) and name.id in found:
            yield name.id, ast.unparse(one) if text else _literal(one)


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return None


_READERS: dict[type[ast.AST], Callable[[Any, dict[str, Use]], None]] = {
    ast.Call: _call,
    ast.Assign: _assign,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.Compare: _compare,
}
