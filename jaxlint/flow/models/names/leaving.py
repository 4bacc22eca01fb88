"""Calls from which nothing comes back."""

from __future__ import annotations

from jaxlint.flow.domain.values import External, ExternalInstance, Method, Value
from jaxlint.semantics.leaving import METHODS_NEVER_RETURN, NEVER_RETURN


def never_returns(function: Value) -> bool:
    """Whether a call of ``function`` ends the process, or raises, for certain."""
    if isinstance(function, External):
        return function.name in NEVER_RETURN
    if isinstance(function, Method) and isinstance(function.receiver, ExternalInstance):
        return function.name in METHODS_NEVER_RETURN.get(function.receiver.made_by, ())
    return False
