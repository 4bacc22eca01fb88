"""`np.exp(x)` becomes `jnp.exp(x)`, `math.sqrt(x)` becomes `jnp.sqrt(x)`, and likewise for SciPy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.fixes.arrays import STATIC_ATTRIBUTES, is_always_traced
from jaxlint.fixes.imports import dotted_name, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.semantics.host_libraries import (
    MATH_TO_JNP,
    NUMPY_TO_JNP,
    SCIPY_TO_JAX,
    SHARED_DTYPE,
    SHARED_KEYWORDS,
    SHARED_POSITIONS,
)
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair

_TWINS = {**NUMPY_TO_JNP, **MATH_TO_JNP, **SCIPY_TO_JAX}


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where the twin has not the same arguments.

    Safe in a function that is only ever traced: for the static values that others may be given it makes arrays.
    """
    call = source.node(repair.location, ast.Call)
    if dotted_name(source, call.func) != dict(repair.facts)["function"]:
        raise CannotFix
    name, edits = _edits(source, call)
    for around in _calls_around(source, call):
        edits |= _edits(source, around)[1]
    applicability = Applicability.SAFE if is_always_traced(repair) else Applicability.UNSAFE
    return Fix(f"Use `{name}`", applicability, tuple(edits))


def _edits(source: Source, call: ast.Call) -> tuple[str, dict[Edit, None]]:
    """The twin's name, and the edits that put it into a call, without repetition."""
    function = dotted_name(source, call.func)
    if not _means_the_same(function, call):
        raise CannotFix
    module, _, name = _TWINS[function].rpartition(".")
    local, imports = name_for(source, module, call)
    return f"{local}.{name}", dict.fromkeys((*imports, source.replace(call.func, f"{local}.{name}")))


def _calls_around(source: Source, call: ast.Call) -> Iterator[ast.Call]:
    """The calls around one in its expression, which are given an array of JAX once the inner one makes it."""
    for node in source.parents(call):
        if not isinstance(node, (ast.expr, ast.keyword)) or isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Attribute) and node.attr in STATIC_ATTRIBUTES:
            return
        if isinstance(node, ast.Call):
            function = dotted_name(source, node.func)
            if function not in _TWINS or not _means_the_same(function, node):
                return
            yield node


def _means_the_same(function: str, call: ast.Call) -> bool:
    keywords = {keyword.arg for keyword in call.keywords}
    allowed = SHARED_KEYWORDS | ({"dtype"} if function in SHARED_DTYPE else frozenset())
    if not keywords <= allowed or any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    return len(call.args) <= SHARED_POSITIONS.get(function, 2)
