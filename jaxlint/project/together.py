"""Which modules may run in one process with some others.

Files of one folder are often programs of their own: what `run_a.py` sets is so for all that it imports, and `run_b.py`
never hears of it.  The answer errs on the side of yes: which modules tests, or users of a package, run together nobody
can say.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Collection
from weakref import WeakKeyDictionary

from jaxlint.project.demos import main_block
from jaxlint.project.documents import Document
from jaxlint.project.program import Module, Program
from jaxlint.project.reach import Importers

_LOADS = re.compile(
    r"\b(?:import_module|__import__|spec_from_file_location|SourceFileLoader|run_path|run_module|walk_packages"
    r"|iter_modules|instantiate|locate|exec)\s*\(|^[ \t]*%(?:run|load)\b",
    re.MULTILINE,
)
"""How code runs files in its own process that no import of its names."""

_STARTS = re.compile(
    r"\bsubprocess\b|\bos\s*\.\s*(?:system|popen|exec\w+|spawn\w+|posix_spawn\w*)\b|^[ \t]*!", re.MULTILINE
)
"""How code starts other programs, which get its environment."""

_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PLAIN = (*_DEFINITION, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign)


def may_run_with(program: Program, names: Collection[str], is_setting: Callable[[ast.stmt], bool]) -> set[str] | None:
    """The modules that may run in one process with one of these; None for all of the program's.

    ``is_setting`` tells the statements that do what these modules are asked for: a file of definitions that runs
    nothing else is there to be imported.
    """
    if any(_loads(module.document) for module in program.modules.values()):
        return None
    importers = Importers(program)
    found: set[str] = set()
    reached: set[str] = set()  # of those that lead to these, what is run by a program that is seen
    behind = importers.behind(names)
    for name in behind:
        module = program.modules[name]
        if not importers.is_imported(name) and _is_run(program, module, is_setting):
            run = importers.run_by(name)
            found |= run
            reached |= run & behind
        elif module.is_test or not importers.is_imported(name) or _is_in_package(program, module):
            return None
    starts = (_STARTS.search(_written(program.modules[name].document)) for name in found)
    return None if behind - reached or any(starts) else found


def _loads(document: Document) -> bool:
    """Whether code runs files in its own process that no import of its names; found out once for each text."""
    if document not in _LOADING:
        _LOADING[document] = _LOADS.search(_written(document)) is not None
    return _LOADING[document]


_LOADING: WeakKeyDictionary[Document, bool] = WeakKeyDictionary()


def _written(document: Document) -> str:
    """The text with what is no Python in the cells of a notebook."""
    return document.text if document.layout is None else "\n".join(document.layout.parts.values())


def _is_in_package(program: Program, module: Module) -> bool:
    return module.is_imported and os.path.dirname(module.path) in program.around.packages


def _is_run(program: Program, module: Module, is_setting: Callable[[ast.stmt], bool]) -> bool:
    """Whether a file that no other one imports is a program: it has nothing to import, or runs something itself.  What
    does nothing but import hands on what others define."""
    tree = module.document.tree
    if module.is_test or tree is None or module.name in program.foreign:
        return False
    if not module.is_imported or main_block(tree) is not None:
        return True
    defines = any(isinstance(one, _DEFINITION) for one in tree.body)
    defines = defines or all(isinstance(one, (ast.Import, ast.ImportFrom)) or _is_text(one) for one in tree.body)
    runs = any(not isinstance(one, _PLAIN) and not _is_text(one) and not is_setting(one) for one in tree.body)
    return (runs or not defines) and not _is_in_package(program, module)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
