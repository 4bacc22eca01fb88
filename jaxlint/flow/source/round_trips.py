"""Whether what `tree_unflatten` puts together is what `tree_flatten` has taken apart, as far as the text says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from jaxlint.flow.source.trees import FunctionNode
from jaxlint.flow.source.unflattened import own_nodes, returned

Source = str | tuple[str | None, ...] | Mapping[str, str | None] | None
"""What a value comes from: an attribute of the object, several of them in order or by a key, or something else."""


def taken_apart(function: FunctionNode) -> tuple[Source, Source]:
    """The attributes that a function gives as children, and as structure."""
    values, parameters = returned(function) or [], _parameters(function)
    pair = values[0] if len(values) == 1 else None
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2 or not parameters:
        return None, None
    return _source(pair.elts[0], parameters[0]), _source(pair.elts[1], parameters[0])


def _parameters(function: FunctionNode) -> list[str]:
    return [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]


def _source(value: ast.expr, own: str) -> Source:
    if isinstance(value, (ast.Tuple, ast.List)):
        return tuple(_attribute(part, own) for part in value.elts)
    if isinstance(value, ast.Dict):
        keys = [
            key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None for key in value.keys
        ]
        return {key: _attribute(part, own) for key, part in zip(keys, value.values) if key is not None}
    return _attribute(value, own)


def _attribute(value: ast.expr, own: str) -> str | None:
    is_own = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == own
    return value.attr if is_own else None  # type: ignore[attr-defined]


def stored(constructor: FunctionNode) -> dict[str, str]:
    """The attributes that a constructor stores its parameters in as they are, by these parameters; each once."""
    parameters = _parameters(constructor)
    if not parameters or isinstance(constructor, ast.Lambda):
        return {}
    found: dict[str, list[str]] = {}
    for node in own_nodes(constructor):
        for target, value in _bindings(node) if isinstance(node, ast.Assign) else ():
            attribute = _attribute(target, parameters[0])
            if attribute is not None:
                found.setdefault(attribute, []).append(value.id if isinstance(value, ast.Name) else "")
    kept = {attribute: names[0] for attribute, names in found.items() if len(names) == 1}
    return {name: attribute for attribute, name in kept.items() if name in parameters[1:]}


def _bindings(assign: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """What an assignment binds, and to what, part by part: `self.a, self.b = a, b`."""
    for target in assign.targets:
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield target, assign.value
            continue
        parts = assign.value.elts if isinstance(assign.value, (ast.Tuple, ast.List)) else []
        is_known = len(parts) == len(target.elts) and not any(isinstance(part, ast.Starred) for part in target.elts)
        for number, one in enumerate(target.elts):
            yield one, parts[number] if is_known else None


def exchanged(
    unflatten: FunctionNode,
    own: frozenset[str],
    names: Sequence[str],
    apart: tuple[Source, Source],
    parameters: Sequence[str],
    attributes: Mapping[str, str],
) -> tuple[ast.AST, str, str] | None:
    """Where the constructor, one of the names ``own``, is given for one of its ``parameters`` what was the attribute of
    another one, with the names of both attributes.  ``names`` are those of structure and children."""
    bound: dict[str, Source] = {names[0]: apart[1], names[1]: apart[0]}
    for node in own_nodes(unflatten):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            _bind(bound, node.targets[0], node.value)
    for node in own_nodes(unflatten):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in own:
            for name, source in _given(node, bound, parameters):
                attribute = attributes.get(name)
                if attribute and isinstance(source, str) and source != attribute and source in attributes.values():
                    return node, attribute, source
    return None


def _bind(bound: dict[str, Source], target: ast.expr, value: ast.expr) -> None:
    """What an assignment makes of the names that it binds."""
    source = _value_of(value, bound)
    if isinstance(target, ast.Name):
        bound[target.id] = source
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts: Sequence[str | None] = source if isinstance(source, tuple) else ()
        known = len(parts) == len(target.elts)
        for number, part in enumerate(target.elts):
            if isinstance(part, ast.Name):
                bound[part.id] = parts[number] if known else None


def _value_of(value: ast.expr, bound: Mapping[str, Source]) -> Source:
    if isinstance(value, ast.Name):
        return bound.get(value.id)
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and isinstance(value.slice, ast.Constant):
        source, index = bound.get(value.value.id), value.slice.value
        if isinstance(source, tuple) and isinstance(index, int) and -len(source) <= index < len(source):
            return source[index]
        if isinstance(source, Mapping) and isinstance(index, str):
            return source.get(index)
    return None


def _given(call: ast.Call, bound: Mapping[str, Source], parameters: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """What the parameters of a constructor are given, as far as a call tells."""
    sources: list[Source] = []
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            several = _value_of(argument.value, bound)
            if not isinstance(several, tuple):
                break
            sources += several
        else:
            sources.append(_value_of(argument, bound))
    named = [(keyword.arg, _value_of(keyword.value, bound)) for keyword in call.keywords if keyword.arg]
    for name, source in (*zip(parameters, sources), *named):
        if isinstance(source, str):
            yield name, source
