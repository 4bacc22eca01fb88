"""Which names a piece of code binds and reads: by the rules of Python, and rather one too many than one too few."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator

from tests.robustness.edited import Function

BUILTINS = frozenset(vars(builtins))
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)
LOOKS_AT_NAMES = frozenset({"locals", "vars", "eval", "exec", "dir", "globals", "super", "__class__"})
"""What makes a difference of the name of a variable, or of the function or module it is in."""


def parameters(function: Function) -> list[str]:
    """The names of all parameters, in order."""
    args = function.args
    every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [one.arg for one in every if one is not None]


def is_plain(function: Function) -> bool:
    """Whether nothing runs where the function is defined: no decorator, default or annotation."""
    args = function.args
    annotated = any(isinstance(node, ast.arg) and node.annotation is not None for node in ast.walk(args))
    runs = function.decorator_list or args.defaults or any(args.kw_defaults) or annotated or function.returns
    return isinstance(function, ast.FunctionDef) and not runs


def is_stub(function: Function) -> bool:
    """Whether the body says that it is no body: a docstring, `...`, `pass` or one `raise`, and nothing else."""
    return all(
        isinstance(one, ast.Pass | ast.Raise) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in function.body
    )


def own_nodes(*roots: ast.AST) -> Iterator[ast.AST]:
    """The nodes below some, but for what has a scope of its own; that is given, and not entered."""
    for root in roots:
        yield root
        if not isinstance(root, NESTED):
            yield from own_nodes(*ast.iter_child_nodes(root))


def names_bound(*nodes: ast.AST) -> Counter[str]:
    """How often each name is bound by some nodes, or declared to be another scope's."""
    found: Counter[str] = Counter()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found[name] += 1
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] += 1
            case ast.alias(name=name, asname=asname):
                found[asname or name.split(".")[0]] += 1
            case ast.arg(arg=name):
                found[name] += 1
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found[name] += 1
            case ast.MatchMapping(rest=str(name)):
                found[name] += 1
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
    return found


def bound_within(node: ast.AST) -> Counter[str]:
    """How often each name is bound in a node, in whichever scope."""
    return names_bound(*ast.walk(node))


def locals_of(function: Function) -> Counter[str]:
    """How often each name is bound in a function's own scope, its parameters included."""
    return names_bound(*own_nodes(*function.body)) + Counter(parameters(function))


def top_level_names(tree: ast.Module) -> Counter[str]:
    """How often each global is bound, by functions that declare it, too."""
    declared = [node for node in ast.walk(tree) if isinstance(node, ast.Global)]
    return names_bound(*own_nodes(*tree.body), *declared)


def names_in(*nodes: ast.AST) -> set[str]:
    """All names that are read, bound or deleted in some nodes, in whichever scope."""
    return {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def looks_at_names(node: ast.AST) -> bool:
    """Whether a name in it may mean something else where the code is moved or its variables are renamed."""
    found = names_in(node) | {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    return bool(found & LOOKS_AT_NAMES) or any(_is_private(name) for name in found)


def _is_private(name: str) -> bool:
    """Whether classes give the name another meaning, or modules a value."""
    return name.startswith("__") and (not name.endswith("__") or name in ("__name__", "__file__", "__doc__"))


def is_test(function: Function) -> bool:
    """Whether pytest runs the function for its name."""
    return function.name.startswith("test")
