"""Calls that only report what they are given: printing and logging, and collecting it for somebody outside."""

from __future__ import annotations

from jaxlint.flow.domain.values import Container, External, ExternalInstance, Method, Value
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.host import METHOD_EFFECTS, effect_of

_REPORTS = frozenset(("print", "log", "warn", "experiment-logger"))


def only_reports(it: Interpreter, function: Value) -> bool:
    """Whether calling ``function`` has no result that matters to what is computed here."""
    if isinstance(function, External):
        effect = effect_of(function.name)
        return effect is not None and effect.category in _REPORTS
    if isinstance(function, Method) and isinstance(function.receiver, Container):
        return function.name == "append" and not it.ctx.encloses(function.receiver.birth)
    if isinstance(function, Method) and isinstance(function.receiver, ExternalInstance):
        methods = METHOD_EFFECTS.get(function.receiver.made_by)
        return methods is not None and function.name in methods[0] and methods[1].category in _REPORTS
    return False
