"""Calls that only report what they are given: printing and logging."""

from __future__ import annotations

from jaxlint.flow.domain.values import External, ExternalInstance, Method, Value
from jaxlint.semantics.host import METHOD_EFFECTS, effect_of

_REPORTS = frozenset(("print", "log", "warn", "experiment-logger"))


def only_reports(function: Value) -> bool:
    """Whether calling ``function`` has no result that matters."""
    if isinstance(function, External):
        effect = effect_of(function.name)
        return effect is not None and effect.category in _REPORTS
    if isinstance(function, Method) and isinstance(function.receiver, ExternalInstance):
        methods = METHOD_EFFECTS.get(function.receiver.made_by)
        return methods is not None and function.name in methods[0] and methods[1].category in _REPORTS
    return False
