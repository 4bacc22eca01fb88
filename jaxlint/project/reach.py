"""Which modules of a program can run the code of some others: by the imports in the texts, nothing is parsed but what
may be a script.

The answer errs on the side of yes: who imports a package can get at all that lies in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from weakref import WeakKeyDictionary

from jaxlint.project.concern import targets
from jaxlint.project.documents import Document
from jaxlint.project.gives_to_others import gives_to_others
from jaxlint.project.import_lines import imports_in
from jaxlint.project.program import Module, Program

_NAMED: WeakKeyDictionary[Program, dict[str, tuple[Document, list[tuple[str, bool]]]]] = WeakKeyDictionary()
"""What the imports of each module name, as long as its text is the same: with whether that is all that they bind."""

_CLASS = re.compile(r"^[ \t]*class\b", re.MULTILINE)


class Importers:
    """Who imports whom in a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._of: dict[str, set[str]] = {name: set() for name in program.modules}
        self._named: set[str] = set()  # what imports name
        self._imported: dict[str, set[str]] = {}  # what each imports, once somebody asks
        self._below: dict[str, list[str]] = {}  # the modules of each package, with itself
        for name in program.modules:
            package = name
            while package:
                self._below.setdefault(package, []).append(name)
                package = package.rpartition(".")[0]
        for name, module in program.modules.items():
            for dotted, is_whole in self._named_by(module):
                self._named.add(dotted)
                bound = dotted if is_whole else dotted.partition(".")[0]
                for reached in self._below.get(bound, ()):
                    self._of[reached].add(name)

    def _named_by(self, module: Module) -> list[tuple[str, bool]]:
        """The modules that the imports of one name, and whether an import binds what it names: `import a.b` binds a."""
        known = _NAMED.setdefault(self._program, {})
        found = known.get(module.name)
        if found is None or found[0] is not module.document:
            named = [
                (dotted, one.module is not None or one.level > 0)
                for one in imports_in(module.document.text)
                for dotted in targets(self._program, module, [one])
                if dotted != module.name
            ]
            found = known[module.name] = module.document, named
        return found[1]

    def scripts(self) -> frozenset[str]:
        """The modules that are run by themselves alone and give others nothing: notebooks and prose, and files beside
        no `__init__.py` that no other one imports, if they define no class, which others might look for among those
        derived from theirs."""
        return frozenset(name for name, module in self._program.modules.items() if self._is_script(module))

    def _is_script(self, module: Module) -> bool:
        return self._is_alone(module) and not gives_to_others(self._program, module)

    def _is_alone(self, module: Module) -> bool:
        if not module.is_imported:
            return True
        packages = self._program.around.packages
        if os.path.dirname(module.path) in packages or module.name in self._program.foreign:
            return False
        return module.name not in self._named and _CLASS.search(module.document.text) is None

    def is_imported(self, name: str) -> bool:
        """Whether another module imports this one."""
        return not self._of.get(name, set()) <= {name}

    def run_by(self, name: str) -> set[str]:
        """This module, and all that it imports, over however many others, with the packages that these lie in."""
        if not self._imported:
            for one, importing in self._of.items():
                for other in importing:
                    self._imported.setdefault(other, set()).add(one)
        found, pending = {name}, [name]
        while pending:
            one = pending.pop()
            package = one.rpartition(".")[0]
            for other in (*self._imported.get(one, ()), *((package,) if package in self._of else ())):
                if other not in found:
                    found.add(other)
                    pending.append(other)
        return found

    def behind(self, names: Collection[str]) -> set[str]:
        """These modules, and all that import them, over however many others."""
        found, pending = set(names), list(names)
        while pending:
            for name in self._of.get(pending.pop(), ()):
                if name not in found:
                    found.add(name)
                    pending.append(name)
        return found
