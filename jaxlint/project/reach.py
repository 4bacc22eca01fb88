"""Which modules of a program can run the code of some others: by the imports in the texts, nothing is parsed.

The answer errs on the side of yes: who imports a package can get at all that lies in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jaxlint.project.concern import targets
from jaxlint.project.import_lines import Import, imports_in
from jaxlint.project.program import Module, Program


class Importers:
    """Who imports whom in a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._of: dict[str, set[str]] = {name: set() for name in program.modules}
        self._below: dict[str, list[str]] = {}  # the modules of each package, with itself
        for name in program.modules:
            package = name
            while package:
                self._below.setdefault(package, []).append(name)
                package = package.rpartition(".")[0]
        for name, module in program.modules.items():
            for one in imports_in(module.document.text):
                for reached in self._reached(module, one):
                    self._of[reached].add(name)

    def _reached(self, module: Module, one: Import) -> Iterator[str]:
        program = self._program
        named = [dotted for dotted in targets(program, module, [one]) if dotted != module.name]
        if one.module is None and not one.level:  # `import a.b` binds a
            named = [dotted.partition(".")[0] for dotted in named]
        for dotted in named:
            yield from self._below.get(dotted, ())

    def behind(self, names: Collection[str]) -> set[str]:
        """These modules, and all that import them, over however many others."""
        found, pending = set(names), list(names)
        while pending:
            for name in self._of.get(pending.pop(), ()):
                if name not in found:
                    found.add(name)
                    pending.append(name)
        return found
