"""A parameter that Python needs the value of becomes a static argument of the `jax.jit` that traces it."""

from __future__ import annotations

import ast
import re

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Location, Repair

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_HOST_TYPES = re.compile(r"\b(?:bool|int|str|Literal|Callable|Enum)\b")
_ARRAY_TYPES = re.compile(r"Array|ndarray|Float|Int\b|Tensor|PyTree")
_SILENT_CALLS = frozenset(("int", "len", "max", "min", "abs", "tuple"))


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for a parameter that is used as an array, and for a jit that is not of a form known here.

    Never safe: each value of a static argument is compiled once more, and callers must pass something hashable.
    """
    function, parameter = parameter_of(source, repair)
    place = source.node(repair.location, ast.AST)
    if source.function(place) is function:
        if not uses_plainly(place, parameter.arg):
            raise CannotFix
    elif not looks_static(source, repair):
        raise CannotFix
    return made_static(source, repair)


def looks_static(source: Source, repair: Repair, used: ast.expr | None = None) -> bool:
    """Whether a parameter is declared as a flag, a count or a name, by its annotation or its default.

    With an expression ``used``, also whether that is the parameter, or compares it.
    """
    try:
        function, parameter = parameter_of(source, repair)
    except CannotFix:
        return False
    if used is not None and not uses_plainly(used, parameter.arg):
        return False
    return _is_declared(source, function, parameter)


def is_declared_static(source: Source, used: ast.expr) -> bool:
    """Whether an expression reads a parameter of the function around it that is declared as no array."""
    function = source.function(used)
    if function is None:
        return False
    every = function.args
    names = {node.id for node in ast.walk(used) if isinstance(node, ast.Name)}
    parameters = (*every.posonlyargs, *every.args, *every.kwonlyargs)
    return any(_is_declared(source, function, parameter) for parameter in parameters if parameter.arg in names)


def _is_declared(source: Source, function: Function, parameter: ast.arg) -> bool:
    if parameter.annotation is not None:
        text = source.text(parameter.annotation)
        return bool(_HOST_TYPES.search(text)) and not _ARRAY_TYPES.search(text)
    default = _default(function, parameter)
    return isinstance(default, ast.Constant) and isinstance(default.value, (bool, str, int))


def made_static(source: Source, repair: Repair) -> Fix:
    """`static_argnames` for the parameter that a repair names, whatever it is used for at the finding's place."""
    function, parameter = parameter_of(source, repair)
    if not _may_be_static(source, function, parameter):
        raise CannotFix
    jit = source.node(_place(repair, "jit"), ast.expr)
    is_decorator = not isinstance(function, ast.Lambda) and jit in function.decorator_list
    if isinstance(jit, ast.Call):
        if not is_decorator and not _is_jit_of(jit, function):
            raise CannotFix
        edits: tuple[Edit, ...] = (_with_static(source, jit, function, parameter.arg),)
    elif is_decorator:
        partial, imports = name_for(source, "functools.partial", function)
        edits = (*imports, source.replace(jit, f'{partial}({source.text(jit)}, static_argnames="{parameter.arg}")'))
    else:
        raise CannotFix
    return Fix(f"Make `{parameter.arg}` a static argument", Applicability.UNSAFE, edits)


def parameter_of(source: Source, repair: Repair) -> tuple[Function, ast.arg]:
    """The parameter that the repair is about, and its function.  Raises CannotFix when there is none."""
    parameter = source.node(_place(repair, "parameter"), ast.arg)
    function = next((node for node in source.parents(parameter) if isinstance(node, Function)), None)
    if function is None:
        raise CannotFix
    return function, parameter


def _place(repair: Repair, name: str) -> Location:
    place = dict(repair.places).get(name)
    if place is None:
        raise CannotFix
    return place


def _may_be_static(source: Source, function: Function, parameter: ast.arg) -> bool:
    """Whether nothing says that the parameter is an array: no annotation, no attribute or item of it, no new value."""
    annotation, default = parameter.annotation, _default(function, parameter)
    if annotation is not None and _ARRAY_TYPES.search(source.text(annotation)):
        return False
    if isinstance(default, (ast.List, ast.Dict, ast.Set)):
        return False
    return parameter.arg not in source.once(_used_as_arrays, function)


def _used_as_arrays(function: Function) -> set[str]:
    """The names of which a function's body reads attributes or items, which it goes through, or binds anew."""
    body = function.body if isinstance(function.body, list) else [function.body]
    names: set[str] = set()
    for node in (node for statement in body for node in ast.walk(statement)):
        value = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None
        value = node.iter if isinstance(node, (ast.For, ast.comprehension)) else value
        if isinstance(value, ast.Name):
            names.add(value.id)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
    return names


def uses_plainly(place: ast.AST, name: str) -> bool:
    """Whether a parameter goes into an expression as it is, or by arithmetic: what a function makes of it is traced."""
    if isinstance(place, ast.Call):
        parts: list[ast.AST] = [*place.args, *(keyword.value for keyword in place.keywords)]
    else:
        parts = [place]
    return any(_is_plain(part, name) for part in parts)


def _is_plain(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name
    if isinstance(node, (ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)):
        return any(_is_plain(child, name) for child in ast.iter_child_nodes(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SILENT_CALLS:
        return any(_is_plain(argument, name) for argument in node.args)
    return False


def _default(function: Function, parameter: ast.arg) -> ast.expr | None:
    every = function.args
    names = [*every.posonlyargs, *every.args]
    defaults: list[ast.expr | None] = [*[None] * (len(names) - len(every.defaults)), *every.defaults]
    pairs = [*zip(names, defaults), *zip(every.kwonlyargs, every.kw_defaults)]
    return next((default for name, default in pairs if name is parameter), None)


def _is_jit_of(jit: ast.Call, function: Function) -> bool:
    """Whether it is `jax.jit(function)`, and not a jit of what something else made of it."""
    if not jit.args:
        return False
    if isinstance(function, ast.Lambda):
        return jit.args[0] is function
    return isinstance(jit.args[0], ast.Name) and jit.args[0].id == function.name


def _with_static(source: Source, jit: ast.Call, function: Function, name: str) -> Edit:
    """The call with one more static argument."""
    keywords = {keyword.arg: keyword.value for keyword in jit.keywords}
    if not keywords.keys() <= {"static_argnames", "static_argnums", "donate_argnums", "donate_argnames", "inline"}:
        raise CannotFix  # shardings are counted without static arguments, and `**options` may have them
    if "static_argnames" in keywords:
        return _extended(source, keywords["static_argnames"], f'"{name}"', str)
    if "static_argnums" in keywords:
        positions = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
        if name not in positions:
            raise CannotFix
        return _extended(source, keywords["static_argnums"], str(positions.index(name)), int)
    return _with_keyword(source, jit, f'static_argnames="{name}"')


def _extended(source: Source, given: ast.expr, item: str, kind: type) -> Edit:
    """One item more in a constant, or in a tuple or list of constants."""
    if isinstance(given, ast.Constant) and isinstance(given.value, kind):
        return source.replace(given, f"({source.text(given)}, {item})")
    if isinstance(given, (ast.Tuple, ast.List)) and given.elts:
        if source.text(given)[0] not in "([":
            raise CannotFix
        at = source.offsets(given.elts[-1])[1]
        return source.insert(at, f", {item}")
    raise CannotFix


def _with_keyword(source: Source, call: ast.Call, keyword: str) -> Edit:
    last: ast.AST | None = max((*call.args, *call.keywords), key=lambda node: source.offsets(node), default=None)
    if last is None:
        return source.insert(source.offsets(call)[1] - 1, keyword)
    start, end = source.offsets(last)[1], source.offsets(call)[1] - 1
    after = source.document.text[start:end].strip()
    if after and after != ",":
        raise CannotFix  # a parenthesis that belongs to the last argument, or a comment
    return source.insert(start, f", {keyword}")
