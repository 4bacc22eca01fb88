"""`x.at(i)` becomes `x.at[i]`."""

from __future__ import annotations

import ast

from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe: calling `at` raises.  Raises CannotFix for keyword arguments."""
    call = source.node(repair.location, ast.Call)
    if call.keywords or not call.args:
        raise CannotFix
    start, end = source.offsets(call)[0], source.offsets(call)[1]
    opening = source.document.text.index("(", source.offsets(call.func)[1])
    inside = source.document.text[opening + 1 : end - 1]
    return Fix(
        "Index `at` with brackets",
        Applicability.SAFE,
        (source.replace_range(start, end, f"{source.document.text[start:opening]}[{inside}]"),),
    )
