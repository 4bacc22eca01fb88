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

    imports: list[str] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)

    def take(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self.imports.append(ast.unparse(statement))
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
    for statement in ast.parse(join_cells([Cell(1, source)])[0]).body:
        work.take(statement)
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
    """What is put in place of a cell: objects that it may have changed are not known either, modules are."""
    work = work_in(cell.source)
    names = sorted((work.bound | work.changed) - imported)
    unknown = [" = ".join([*names, _UNKNOWN])] if names else []
    return cell._replace(source="\n".join([*work.imports, *unknown]))
