"""Whether any file that was asked for can have to do with JAX: by the imports in the texts, nothing is parsed.

A function need not mention JAX to run under a trace: another file may import and jit it.  What no chain of imports,
in whichever direction, connects with an import of JAX or of a library around it can neither get nor make a tracer
or a key, and need not be analysed.  The answer errs on the side of yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.project.import_lines import Import, imports_in
from jaxlint.project.installed import JAX_PACKAGES
from jaxlint.project.program import Module, Program
from jaxlint.project.shipped import shipped_files


def concerns_jax(program: Program) -> bool:
    """Whether analysing the program can find anything in its requested files, beyond what their text alone shows."""
    packages = _packages_of(program)
    imports = {name: list(imports_in(module.document.text)) for name, module in program.modules.items()}
    sources = [name for name, found in imports.items() if any(_leads_to(packages, one) for one in found)]
    if not sources:
        return False
    groups = _connected(program, imports)
    concerned = {groups[name] for name in sources}
    return any(groups[program.by_path[real].name] in concerned for real in program.requested)


def imports_jax(program: Program, text: str) -> bool:
    """Whether one of the program's modules, of this text, imports JAX or a library around it itself."""
    packages = _packages_of(program)
    return any(_leads_to(packages, one) for one in imports_in(text))


def _packages_of(program: Program) -> frozenset[str]:
    settings = program.settings
    told = [*(name for name, _ in settings.transforms), *(row.name for row in settings.libraries)]
    return JAX_PACKAGES.union((name.partition(".")[0] for name in told), (package for package, _ in shipped_files()))


def _leads_to(packages: frozenset[str], found: Import) -> bool:
    heads = [found.module] if found.module else found.names
    return any("jax" in name or name.partition(".")[0] in packages for name in heads)


def _connected(program: Program, imports: dict[str, list[Import]]) -> dict[str, str]:
    """Each module's group: modules that imports connect, and packages with what lies in them, share one."""
    leader = {name: name for name in program.modules}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = name = leader[leader[name]]
        return name

    for name, module in program.modules.items():
        for dotted in targets(program, module, imports[name]):
            for other in _prefixes(dotted):
                if other in leader:
                    leader[find(other)] = find(name)
    return {name: find(name) for name in leader}


def targets(program: Program, module: Module, imports: Iterable[Import]) -> Iterator[str]:
    """The dotted names that a module can reach: its own packages, and all that its imports mean."""
    yield module.name
    for level, origin, names in imports:
        if origin is None and not level:
            yield from (program.resolve_import(module, 0, name) for name in names)
        else:
            source = program.resolve_import(module, level, origin)
            yield source
            yield from (f"{source}.{name}" for name in names)


def _prefixes(dotted: str) -> Iterator[str]:
    while dotted:
        yield dotted
        dotted = dotted.rpartition(".")[0]
