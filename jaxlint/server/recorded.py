"""What `jaxlint record` has seen a parameter to be: shapes and dtypes for a hover."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.dynamic.inputs.recordings import lines

_MOST = 3
"""More different values than these tell nobody anything."""


def recorded_values(file: str, path: str, around: Sequence[ast.AST], name: str) -> list[str]:
    """What a parameter of the innermost function of ``around`` was in the recorded calls, different values only.

    ``around`` are the definitions from the outside in; ``file`` is the recording, which need not exist.
    """
    function = around[-1]
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    wanted = f"{os.path.relpath(os.path.realpath(path), os.path.dirname(os.path.realpath(file)))}:{_qualname(around)}"
    parameters = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    found: dict[str, None] = {}
    for call in _calls(file, wanted.replace(os.sep, "/")):
        arguments = {**dict(zip(parameters, call.get("args", ()))), **call.get("kwargs", {})}
        if name in arguments:
            found[_shown(arguments[name])] = None
    return list(found)[:_MOST]


def _qualname(around: Sequence[ast.AST]) -> str:
    parts: list[str] = []
    for node in around:
        if parts and isinstance(around[len(parts) - 1], (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts[-1] += ".<locals>"
        parts.append(getattr(node, "name", ""))
    return ".".join(parts)


def _calls(file: str, function: str) -> Iterator[dict[str, Any]]:
    for line in lines(file):
        if function not in line:
            continue
        try:
            call = json.loads(line)
        except ValueError:  # a line that is being written
            continue
        if isinstance(call, dict) and call.get("function") == function and "args" in call:
            yield call


def _shown(value: Any) -> str:
    """A recorded value for people: arrays are their types, containers are shown by what is in them."""
    if isinstance(value, str):
        return value.removeprefix("numpy ").removesuffix(" weak")
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if not isinstance(value, dict):
        return repr(value)
    if "tuple" in value:
        return f"({', '.join(map(_shown, value['tuple']))})"
    if "dict" in value:
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value["dict"].items()) + "}"
    if "fields" in value:
        name = str(value.get("namedtuple") or value.get("dataclass") or "").rpartition(":")[2]
        return f"{name}({', '.join(f'{key}={_shown(item)}' for key, item in value['fields'].items())})"
    if "leaves" in value:
        return f"a pytree of {', '.join(map(_shown, value['leaves']))}"
    return str(next(iter(value.values()), ""))
