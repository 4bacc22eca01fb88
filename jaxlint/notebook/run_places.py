"""Which cell a line of a traceback is of: IPython compiles each cell under a file name of its own."""

from __future__ import annotations

import traceback
from typing import Any


class RunPlaces:
    """The cells of a shell by the names that their code has."""

    def __init__(self, shell: Any) -> None:
        self._name_of = shell.compile.get_code_name
        self._numbers: dict[str, int] = {}

    def add(self, number: int, info: Any) -> None:
        """A cell has run under this number; of equal cells, whose code may have one name, the last one counts."""
        self._numbers[self._name_of(info.raw_cell, info.transformed_cell, number)] = number

    def lines_of(self, error: BaseException | None) -> list[tuple[int, int]]:
        """The lines of cells that an exception went through, cell and line, the outermost first."""
        if error is None:
            return []
        frames = traceback.walk_tb(error.__traceback__)
        named = ((frame.f_code.co_filename, line) for frame, line in frames)
        return [(self._numbers[name], line) for name, line in named if name in self._numbers]
