"""A program: all Python files below one root, their module names, and how they import each other.

The analysis always sees the whole program, whichever of its files were asked for, so that a file has the same
findings when it is linted alone.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from jaxlint.project.discovery import Excludes, by_real_path, walk
from jaxlint.project.documents import NOT_IMPORTED, Document, read_document
from jaxlint.project.import_lines import imports_in
from jaxlint.project.installed import hidden_folders, is_library
from jaxlint.project.roots import is_a_program, is_marked, is_package, is_test, program_root
from jaxlint.project.shipped import shipped_files
from jaxlint.settings.jax_version import JaxVersions, declared_jax, installed_by
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Finding, Location, Reason, Related
from jaxlint.vocabulary.work import READING, SILENT, Work


@dataclass(eq=False)
class Module:
    """One file of a program under the dotted name by which the program's other files know it.

    ``is_test``: a test runner collects the file, or it stands among those that it collects.
    """

    name: str
    path: str
    is_package: bool
    document: Document
    is_test: bool = False

    @property
    def package(self) -> str:
        """The dotted name that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def is_imported(self) -> bool:
        """Whether an `import` may find the file: no notebook is found, and no prose."""
        return not self.path.endswith(NOT_IMPORTED)


@dataclass(frozen=True)
class Surroundings:
    """What a program's disk says beside the texts: the versions of jax that it declares, the folders that absolute
    imports start from, innermost first, those that no import finds (``hidden``), those of modules that are packages,
    the paths of modules that are tests, and that belong to programs inside this one (``foreign``), and what installed
    packages ship."""

    jax: JaxVersions
    source_roots: tuple[str, ...]
    hidden: frozenset[str]
    packages: frozenset[str]
    tests: frozenset[str]
    foreign: frozenset[str]
    shipped: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, root: str, settings: Settings, paths: list[str], problems: list[str]) -> Surroundings:
        """Those of the files at these paths; ``problems`` gains lines about files that cannot be read."""
        return cls(
            declared_jax(root, settings.jax_version, problems),
            tuple(_source_roots(root, settings)),
            hidden_folders(root, paths),
            frozenset(folder for folder in {os.path.dirname(path) for path in paths} if is_package(folder)),
            frozenset(path for path in paths if is_test(path, root)),
            frozenset(path for path in paths if _is_below(program_root(path, [root]), root)),
            shipped_files(),
        )


def _is_below(folder: str, root: str) -> bool:
    """A text that is linted by itself belongs to no program around the current folder, wherever that is."""
    return folder != root and folder.startswith(os.path.join(root, ""))


class Program:
    """The modules below one root.

    ``modules`` has them by dotted name, in the order of their paths; ``by_path`` by real path; ``requested`` maps
    the real paths of the files whose findings were asked for to the paths they were asked for by.  ``problems`` are
    lines about files beside the sources that cannot be read; ``seen_beside`` says of places without sources that were
    looked at whether anything is there.
    """

    def __init__(
        self,
        root: str,
        settings: Settings,
        documents: Iterable[Document],
        requested: Iterable[str],
        around: Surroundings | None = None,
    ) -> None:
        self.root = root
        self.settings = settings
        self.requested = {os.path.realpath(path): path for path in requested}
        self.problems: list[str] = []
        self.seen_beside: dict[str, bool] = {}
        documents = sorted(documents, key=lambda document: document.path)
        paths = [document.path for document in documents]
        self.around = around = around or Surroundings.of(root, settings, paths, self.problems)
        self.declared_jax: JaxVersions = around.jax
        self.modules: dict[str, Module] = {}
        self.by_path: dict[str, Module] = {}
        self._places: dict[str, str] = {}
        self._laid_out: dict[str, Module] = {}  # those that are not plain Python
        for document in documents:
            self._add(self.prepared(document))
        self.foreign = frozenset(name for name, module in self.modules.items() if module.path in around.foreign)

    @property
    def source_roots(self) -> tuple[str, ...]:
        """The folders that absolute imports start from, innermost first."""
        return self.around.source_roots

    def prepared(self, document: Document) -> Document:
        """The document as this program reads it: with its doctest examples, if they are asked for."""
        if not self.settings.doctest:
            return document
        from jaxlint.project.doctests import with_examples

        return with_examples(document)

    def placed(self, finding: Finding) -> Finding:
        """A finding in the texts of this program, with all its places as they are in the files."""
        if not self._laid_out:
            return finding
        module = self._laid_out.get(finding.path)
        fix = module.document.place_fix(finding.fix) if module is not None and finding.fix is not None else finding.fix
        related, *others = map(self._placed_steps, finding.reasons)
        place = self.place(finding.location)
        return replace(finding, location=place, related=related, others=tuple(others), fix=fix)

    def _placed_steps(self, reason: Reason) -> Reason:
        return tuple(Related(self.place(step.location), step.message) for step in reason)

    def lay_out(self, module: Module) -> None:
        """A module has another document: from now on places in its text are shown where they are in that one's file."""
        if module.document.layout is not None or module.path.endswith(NOT_IMPORTED):
            self._laid_out[module.path] = module
        else:
            self._laid_out.pop(module.path, None)

    def place(self, location: Location) -> Location:
        """Where in its file a place in a document's text is."""
        module = self._laid_out.get(location.path)
        return location if module is None else module.document.place(location)

    def find(self, dotted: str) -> Module | None:
        """The module of this dotted name, or None when no file of the program has it."""
        return self.modules.get(dotted)

    def at(self, path: str) -> Module | None:
        """The module in this file, by whatever path leads to it."""
        return self.by_path.get(os.path.realpath(path))

    def resolve_import(self, module: Module, level: int, name: str | None) -> str:
        """The absolute dotted name that `from <level dots><name> import …` or `import <name>` means in a module.

        A name that leads into the program comes back in the spelling of ``modules`` (with what is left of it
        behind); any other comes back as it was written, so that `jax.numpy` stays `jax.numpy`.
        """
        if level:
            parts = module.package.split(".") if module.package else []
            kept = parts[: len(parts) - (level - 1)]
            return ".".join([*kept, *(name.split(".") if name else [])])
        if not name:
            return ""
        first, _, rest = name.partition(".")
        for folder in self._search_path(module, first):
            place = os.path.join(folder, first)
            if place in self._places and place not in self.around.hidden:
                return self._descend(place, rest)
        return name

    def missing(self, module: Module, name: str) -> str:
        """The end of an imported dotted name for which there is neither file nor folder, though the program has what it
        starts with; empty if nothing is missing or the name is not the program's."""
        first, _, rest = name.partition(".")
        for folder in self._search_path(module, first):
            place = os.path.join(folder, first)
            if place in self._places and place not in self.around.hidden:
                while rest:
                    first, _, after = rest.partition(".")
                    inner = os.path.join(place, first)
                    if inner not in self._places:
                        if inner not in self.seen_beside:
                            self.seen_beside[inner] = self.lies_there(inner)
                        return "" if self.seen_beside[inner] else rest
                    place, rest = inner, after
                break
        return ""

    @staticmethod
    def lies_there(place: str) -> bool:
        """Whether there is a file or a folder of this name, whatever its suffix."""
        return os.path.exists(place) or bool(glob.glob(f"{glob.escape(place)}.*"))

    def _descend(self, place: str, rest: str) -> str:
        """Follow a dotted name from a known place as far as there are files; the rest are attributes."""
        while rest:
            first, _, after = rest.partition(".")
            inner = os.path.join(place, first)
            if inner not in self._places:
                break
            place, rest = inner, after
        return ".".join(filter(None, [self._places[place], rest]))

    def _search_path(self, module: Module, first: str) -> Iterator[str]:
        """Where an absolute import looks, in order.

        A script sees its own folder first, as Python does, then the folders around it, since many programs are
        started from the top.  A package's module sees the source roots first; the folders around it come last, for
        packages whose files are run as scripts, and never for names that belong to something installed.
        """
        folder = os.path.dirname(module.path)
        around = list(self._around(folder))
        if folder not in self.around.packages:
            yield from around
        yield from self.source_roots
        if is_library(first):
            return
        if folder in self.around.packages:
            yield from around

    def _around(self, folder: str) -> Iterator[str]:
        """The folder and those around it up to the root (and, for a package alone, to where the package lies)."""
        top = self.source_roots[-1]
        while True:
            yield folder
            parent = os.path.dirname(folder)
            if folder == top or parent == folder or not folder.startswith(top):
                return
            folder = parent

    def jax_of(self, module: Module) -> JaxVersions:
        """The versions of jax that a module may run with: a notebook's own commands go before what is declared."""
        layout = module.document.layout
        told = layout is not None and self.settings.jax_version is None
        return (installed_by(layout.parts.values()) if layout is not None and told else None) or self.declared_jax

    def _add(self, document: Document) -> None:
        stem, suffix = os.path.splitext(document.path)
        is_importable = not document.path.endswith(NOT_IMPORTED)
        package = os.path.basename(stem) == "__init__" and is_importable
        place = os.path.dirname(stem) if package else stem
        name = self._unique(self._dotted(place) if is_importable else self._label(stem, suffix), document.path)
        module = Module(name, document.path, package, document, document.path in self.around.tests)
        self.modules[name] = module
        self.by_path[os.path.realpath(document.path)] = module
        self.lay_out(module)
        if not is_importable:
            return
        if package or place not in self._places:
            self._places[place] = name
        self._add_folders(os.path.dirname(place))

    def _add_folders(self, folder: str) -> None:
        """Folders without __init__.py are packages too (namespace packages), as soon as a module lies below."""
        while folder not in self._places and any(folder.startswith(base + os.sep) for base in self.source_roots):
            self._places[folder] = self._dotted(folder)
            folder = os.path.dirname(folder)

    def _dotted(self, place: str) -> str:
        """The dotted name of a file (without suffix) or folder.

        It starts at the innermost source root; folders that no import could name (`my-scripts`) start anew below, and
        a folder that an installed package hides has a name that no import has.
        """
        for base in self.source_roots:
            if place.startswith(base + os.sep):
                parts = os.path.relpath(place, base).split(os.sep)
                break
        else:
            parts = [os.path.basename(place)]
        for index in range(len(parts) - 1, -1, -1):
            if not parts[index].isidentifier():
                name = ".".join(parts[index + 1 :]) or parts[-1].replace(".", "_")
                if is_library(name.partition(".")[0]):  # `vendor-1.2/jax` is not what `import jax` means
                    name = "/".join(parts[: index + 1]).replace(".", "_") + f"@{name}"
                return name
        return ("@" if os.path.join(base, parts[0]) in self.around.hidden else "") + ".".join(parts)

    def _label(self, stem: str, suffix: str) -> str:
        """What stands for the dotted name of a file that cannot be imported."""
        return f"{os.path.relpath(stem, self.root)}@{suffix[1:]}".replace(".", "_").replace(os.sep, "/")

    def _unique(self, name: str, path: str) -> str:
        """The name, or for the second file of that name one that says which file it is."""
        if name not in self.modules:
            return name
        folder = os.path.relpath(os.path.dirname(path), self.root).replace(".", "_").replace(os.sep, "/")
        name = f"{name}@{folder}"
        while name in self.modules:
            name += "'"
        return name


def load_program(
    root: str,
    settings: Settings,
    requested: Iterable[str],
    cache: dict[str, Document],
    work: Work = SILENT,
    folders: Sequence[str] = (),
) -> Program:
    """Read the program in a folder, the requested files in any case and whatever else belongs to it.

    ``cache`` holds documents by real path: those in it are not read again (an editor's buffer stands for its file
    this way), those read are added.  ``work`` hears how far it is.  ``folders`` are those that were asked for: where a
    root is no program (`is_a_program`), what belongs to the requested files is what lies beside them and what is
    imported from below.
    """
    excludes = Excludes.of(settings)
    work.stage(READING)
    wanted = list(requested)
    is_program = is_a_program(root, folders)
    enter = _belongs_with_those_around if is_program else _is_not_entered
    paths = by_real_path(walk(root, excludes, enter=enter))
    for path in wanted:
        paths.setdefault(os.path.realpath(path), path)
    _read(paths, cache, work)
    if not is_program:
        _add_imported(root, excludes, paths, cache)
    program = Program(root, settings, [cache[real] for real in paths], wanted)
    program.problems += excludes.problems
    return program


def _read(paths: dict[str, str], cache: dict[str, Document], work: Work) -> None:
    """Adds the documents of files, by real path, to those that are read already."""
    for done, (real, path) in enumerate(paths.items()):
        work.at(done, len(paths), path)
        if real not in cache:
            cache[real] = read_document(path)


def _is_not_entered(folder: str) -> bool:
    """No folder below one that nobody calls a program is looked into, unless it is imported."""
    return False


def _add_imported(root: str, excludes: Excludes, paths: dict[str, str], cache: dict[str, Document]) -> None:
    """Adds the files below the folders in ``root`` that files of ``paths`` import by name, and those that these do."""
    imported, waiting = set[str](), paths
    while waiting:
        names = {name for real in waiting for name in first_names(cache[real].text)} - imported
        imported |= names
        below = [folder for name in sorted(names) if os.path.isdir(folder := os.path.join(root, name))]
        found = by_real_path(
            path
            for folder in below
            if _belongs_with_those_around(folder)
            for path in walk(folder, excludes, enter=_belongs_with_those_around)
        )
        waiting = {real: path for real, path in found.items() if real not in paths}
        _read(waiting, cache, SILENT)
        paths.update(waiting)


def first_names(text: str) -> set[str]:
    """The first names of all modules that the imports of a text may mean."""
    found = (names if not module else (module,) for _, module, names in imports_in(text))
    return {name.partition(".")[0] for names in found for name in names} - {""}  # of a text that is broken


def _belongs_with_those_around(folder: str) -> bool:
    """Whether a folder is part of the program around it; in the topmost folder, where systems are, packages are."""
    around = os.path.dirname(folder)
    return not is_marked(folder) and (os.path.dirname(around) != around or is_package(folder))


def group_by_root(files: Iterable[str], folders: Iterable[str]) -> dict[str, list[str]]:
    """The files, sorted, under the roots of the programs they belong to, sorted too."""
    asked = tuple(folders)
    roots: dict[str, str] = {}  # all files of a folder have one root
    groups: dict[str, list[str]] = {}
    for path in sorted(files):
        folder = os.path.dirname(path)
        if folder not in roots:
            roots[folder] = program_root(path, asked)
        groups.setdefault(roots[folder], []).append(path)
    return dict(sorted(groups.items()))


def _source_roots(root: str, settings: Settings) -> list[str]:
    """The folders that absolute imports start from, innermost first.

    A root that is itself a package is known by its own name, from the folder around it; a `src` that is a package
    is no source root.
    """
    if is_package(root):
        return [os.path.dirname(root)]
    base = settings.root or root
    roots = {os.path.normpath(os.path.join(base, folder)) for folder in settings.src} | {root}
    inside = (folder for folder in roots if folder == root or not is_package(folder))
    return sorted(inside, key=lambda folder: (-len(folder), folder))
