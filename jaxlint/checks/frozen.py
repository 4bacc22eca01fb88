"""What the garbage collector does not look through, in a process that others may share.

What is frozen can only be thawed all at once.  So nothing is thawed where a session or the program that jaxlint is
part of has frozen what it keeps.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SESSIONS: list[bool] = []


def keep() -> None:
    """Freezes what there is for good, after a look for garbage."""
    _frozen_by_others()
    _SESSIONS[:] = [True]
    gc.collect()
    gc.freeze()


@contextmanager
def meanwhile() -> Iterator[None]:
    """Freezes what there is until the block ends."""
    if _SESSIONS or _frozen_by_others():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@functools.cache
def _frozen_by_others() -> bool:
    """As it was when jaxlint first asked: the objects are counted, which takes longer than many an analysis."""
    return gc.get_freeze_count() > 0
