"""Limits of the analysis set to other values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from jaxlint.flow.limits import Limit


@contextmanager
def limited(limits: Iterable[Limit], value: int) -> Iterator[None]:
    """All these limits at ``value``.  Nothing else may change them, least of all the program."""
    saved = [(limit, limit.value) for limit in limits]
    try:
        for limit, _ in saved:
            object.__setattr__(limit, "value", value)
        yield
    finally:
        for limit, before in saved:
            object.__setattr__(limit, "value", before)
