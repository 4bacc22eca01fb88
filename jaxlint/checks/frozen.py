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
_LEFT = [0]
"""Objects that analyses have left since garbage was last looked for, as far as that is known."""
_MOST_LEFT = 500_000
"""So many take some 60 MB."""


def keep() -> None:
    """Freezes what there is for good, after a look for garbage."""
    _frozen_by_others()
    _SESSIONS[:] = [True]
    gc.collect()
    gc.freeze()


@contextmanager
def meanwhile() -> Iterator[None]:
    """Freezes what there is until the block ends.

    What is thawed counts as old, of which Python never thinks that there is much more than before.  So what earlier
    blocks have left is looked through here, now and then; what the last one leaves goes with the process.
    """
    if _SESSIONS or _frozen_by_others():
        yield
        return
    if _LEFT[0] > _MOST_LEFT:
        _LEFT[0] = 0
        gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        young, middle, _ = gc.get_count()
        _LEFT[0] += young + middle * gc.get_threshold()[0]
        gc.unfreeze()


@functools.cache
def _frozen_by_others() -> bool:
    """As it was when jaxlint first asked: the objects are counted, which takes longer than many an analysis."""
    return gc.get_freeze_count() > 0
