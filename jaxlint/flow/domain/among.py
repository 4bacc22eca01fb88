"""What a condition leaves of the values that something may have: some constants, or the numbers between two bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Among:
    """``values``, if they are known; else the numbers from ``low`` to ``high``, without these if it ``is_open``, and
    what is no number if it is ``or_none``."""

    values: frozenset[Any] | None = None
    low: float = -math.inf
    high: float = math.inf
    is_open: bool = False
    or_none: bool = False

    def is_apart(self, other: Among) -> bool:
        """Whether nothing is among both."""
        if self.values is not None and other.values is not None:
            return self.values.isdisjoint(other.values)
        if self.values is not None:
            return all(isinstance(value, (int, float)) and not other.holds(value) for value in self.values)
        if other.values is not None:
            return other.is_apart(self)
        if self.or_none and other.or_none:
            return False
        low, high = max(self.low, other.low), min(self.high, other.high)
        return low > high or (low == high and not (self.holds(low) and other.holds(low)))

    def holds(self, number: float) -> bool:
        """Whether a number is between the bounds."""
        if self.is_open and number in (self.low, self.high):
            return False
        return self.low <= number <= self.high
