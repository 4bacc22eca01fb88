"""What remains of a cell whose work has been done again since: its imports, and that its names were something else."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from jaxlint.project.cells import Cell, join_cells

_UNKNOWN = "get_ipython()"
"""A value that nothing is known of."""


@dataclass
class Work:
    """What the top level of a cell does: the names that it imports, binds, and whose objects it may change."""

    imports: dict[int, list[str]] = field(default_factory=dict)  # by their lines in the cell
    imported: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)

    def take(self, statement: ast.stmt, line: int) -> None:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self.imports.setdefault(line, []).append(ast.unparse(statement))
            self.imported |= {(name.asname or name.name).partition(".")[0] for name in statement.names}
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.bound.add(statement.name)
        else:
            names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            self.bound |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
            self.changed |= {name.id for name in names if isinstance(name.ctx, ast.Load)}


@lru_cache(maxsize=1024)
def work_in(source: str) -> Work:
    """The work of a cell that is Python."""
    work = Work()
    text, lines = join_cells([Cell(1, source)])
    for statement in ast.parse(text).body:
        work.take(statement, lines[statement.lineno - 1].line)
    return work


def done_again(cells: Sequence[Cell]) -> list[int]:
    """The indices of cells, the oldest first, whose text is run again later, or all of whose names are bound again."""
    sources: set[str] = set()
    names: set[str] = set()
    found: list[int] = []
    for index in reversed(range(len(cells))):
        work = work_in(cells[index].source)
        own = work.bound | work.imported
        if cells[index].source in sources or (own and own <= names):
            found.append(index)
        sources.add(cells[index].source)
        names |= own
    return found[::-1]


def forgotten(cell: Cell, imported: set[str]) -> Cell:
    """What is put in place of a cell: objects that it may have changed are not known either, modules are.

    Imports stay where they are, so that what is found there is what was told.
    """
    work = work_in(cell.source)
    names = sorted((work.bound | work.changed) - imported)
    last = max(work.imports, default=0)
    lines = ["; ".join(work.imports.get(line, ())) for line in range(1, last + 1)]
    if names:
        lines.append(" = ".join([*names, _UNKNOWN]))
    return cell._replace(source="\n".join(lines))
