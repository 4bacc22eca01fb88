"""The cells that a kernel has run, in the order in which it ran them: the program that its state comes from.

A cell that is run again is there twice, as Python has run it twice; each run has its number from IPython, `In [3]`.
"""

from __future__ import annotations

from jaxlint.notebook.forgetting import done_again, forgotten, work_in
from jaxlint.project.cells import Cell
from jaxlint.project.ipython import parses, plain_python

MOST_LINES = 600
"""Of more, cells whose work has been done again since are forgotten, the oldest first: every cell waits for all."""

_LEFT = 400
"""How many lines are left then, if they can be: a change far above has everything below it judged anew."""


class History:
    """All that was run since the kernel started, or forgot everything."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []

    def add(self, number: int, source: str, raised: bool) -> None:
        """A cell has run; where it ``raised``, not to its end."""
        last = self.cells[-1].number if self.cells else 0
        if number < last:
            self.cells.clear()  # the numbers start again after `%reset`, and so does what is defined
        elif number == last:
            self.cells.pop()  # the cell that `%load_ext` is in is told of twice: it has run now
        if is_python(source):
            self.cells.append(Cell(number, source, raised))
            self._shorten()

    def seen_from(self, number: int) -> list[Cell]:
        """The program as it is judged when the cells from ``number`` on have run.

        Where an earlier cell raised, the program went on all the same, with what had been done until then.  An
        exception in one of the new cells is what there is to explain.
        """
        return [cell if cell.number < number else cell._replace(may_raise=False) for cell in self.cells]

    def _shorten(self) -> None:
        """Of what lies between a cell and the one that does its work again, less is claimed then."""
        lines = sum(map(_length, self.cells))
        if lines <= MOST_LINES:
            return
        imported = set().union(*(work_in(cell.source).imported for cell in self.cells))
        for index in done_again(self.cells):
            short = forgotten(self.cells[index], imported)
            if _length(short) < _length(self.cells[index]):
                lines -= _length(self.cells[index]) - _length(short)
                self.cells[index] = short
            if lines <= _LEFT:
                return


def _length(cell: Cell) -> int:
    return sum(bool(line.strip()) for line in cell.source.split("\n"))


def is_python(source: str) -> bool:
    """Whether a cell is Python, but for what only IPython understands; what is not has not been run."""
    return parses("\n".join(piece.text for piece in plain_python(source)))
