"""Places in cells as IPython writes them in its tracebacks: `Cell In[3], line 2`."""

from __future__ import annotations

import re

from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Location

_IN_LINES = re.compile(r"(?<![^\s:])[^\s:]*\.ipynb:cell (\d+):(\d+)")


class CellSources(Sources):
    """The cells that were run, and the files of the program around them."""

    def shown_place(self, place: Location) -> str:
        return f"Cell In[{place.cell}], line {place.line}" if place.cell else super().shown_place(place)


def with_cells(line: str) -> str:
    """A line of `jaxlint why` with the places in it as they are written here."""
    return _IN_LINES.sub(r"Cell In[\1], line \2", line)
