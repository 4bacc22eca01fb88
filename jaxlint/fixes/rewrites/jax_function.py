"""`np.exp(x)` becomes `jnp.exp(x)`, `math.sqrt(x)` becomes `jnp.sqrt(x)`, and likewise for SciPy."""

from __future__ import annotations

import ast

from jaxlint.findings import Applicability, Fix, Repair
from jaxlint.fixes.arrays import is_always_traced
from jaxlint.fixes.imports import dotted_name, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.semantics.host_libraries import SHARED_DTYPE, SHARED_KEYWORDS, SHARED_POSITIONS


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where the twin has not the same arguments.

    Safe in a function that is only ever traced: for the static values that others may be given it makes arrays.
    """
    facts = dict(repair.facts)
    function, twin = facts["function"], facts["twin"]
    call = source.node(repair.location, ast.Call)
    if dotted_name(source, call.func) != function or not _means_the_same(function, call):
        raise CannotFix
    module, _, name = twin.rpartition(".")
    local, imports = name_for(source, module, call)
    applicability = Applicability.SAFE if is_always_traced(repair) else Applicability.UNSAFE
    edit = source.replace(call.func, f"{local}.{name}")
    return Fix(f"Use `{local}.{name}`", applicability, (*imports, edit))


def _means_the_same(function: str, call: ast.Call) -> bool:
    keywords = {keyword.arg for keyword in call.keywords}
    allowed = SHARED_KEYWORDS | ({"dtype"} if function in SHARED_DTYPE else frozenset())
    if not keywords <= allowed or any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    return len(call.args) <= SHARED_POSITIONS.get(function, 2)
