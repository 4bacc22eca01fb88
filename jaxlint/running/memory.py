"""What was found in a program, kept between runs for as long as all that the answer depends on is the same.

That is the text of every file of the program, how the files are called and laid out, the settings, what stands beside
the sources, the rules that users have written, and the versions of jaxlint and of Python.  Everything is compared by
content; nothing is unpickled.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint import __version__
from jaxlint.files.reading import read_file
from jaxlint.files.records import decoded, to_json
from jaxlint.files.store import FOLDER, Store, Unwritten
from jaxlint.project.precision import texts_beside
from jaxlint.project.program import Module, Program
from jaxlint.project.shipped import shipped_files
from jaxlint.settings.own_rules import installed_rules
from jaxlint.vocabulary.findings import Finding
from jaxlint.vocabulary.rules import cards_folder

if TYPE_CHECKING:
    from jaxlint.checks.units import Unit
    from jaxlint.flow.source.parts import Change, Parts

_FORM = "4"
"""Of what is written: another one is not read."""


class Memory:
    """Findings by the programs that they are about, below ``folder`` or, without one, beside each program.

    It ``lasts``: the next run will know them.
    """

    lasts = True

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder

    def recall(self, program: Program, fixes: bool) -> list[Finding] | None:
        """What a run over this very program found, with or without ``fixes``; None if there was none."""
        lines = self._store(program).read(_key(program, fixes))
        try:
            seen, *rows = map(json.loads, lines or ("",))
            if any(program.lies_there(place) is not answer for place, answer in seen.items()):
                return None
            return [decoded(Finding, row) for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError):  # another jaxlint of the same version wrote it
            return None

    def keep(self, program: Program, fixes: bool, findings: list[Finding]) -> None:
        """Keeps what a run found."""
        lines = [json.dumps(program.seen_beside), *map(to_json, findings)]
        self._store(program).keep(_key(program, fixes), lines)

    def units(self, program: Program) -> KeptUnits | None:
        """What is known of the units of a program; None where it is several that may look into each other."""
        return None if program.foreign else KeptUnits(self._store(program, "units"), program)

    def _store(self, program: Program, kind: str = "static") -> Store:
        return Store(self._folder or os.path.join(program.root, FOLDER), kind)


class OwnMemory(Memory):
    """What this process has found itself: nothing that anybody else may have written gets from it into a file."""

    lasts = False

    def __init__(self) -> None:
        super().__init__()
        self._stores: dict[tuple[str, str], Unwritten] = {}

    def _store(self, program: Program, kind: str = "static") -> Store:
        return self._stores.setdefault((program.root, kind), Unwritten())


class KeptUnits:
    """What was found by the units of a program, for as long as all that they have looked at is the same.

    They are in one file, each on a line, below the parts of all modules as they were then.
    """

    def __init__(self, store: Store, program: Program) -> None:
        from jaxlint.flow.source.parts import Parts

        self._store = store
        self._program = program
        self._name = _digest(_of_units(program))
        self._at = {name: number for number, name in enumerate(program.modules)}
        self.parts: dict[str, Parts] = {}
        self._lines: dict[str, str] = {}
        self._has_news = False
        self.count = 0  # of the modules that this run has kept something of
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):  # else it is of another form
            self._take(self._store.read(self._name) or ["[]"])
        for name, module in program.modules.items():
            if name not in self.parts:
                self.parts[name] = Parts.of(module.document)

    def _take(self, kept: list[str]) -> None:
        """Goes on with what depends on nothing that has changed since; its places are those of now."""
        head, *lines = kept
        changes = [
            self._change(name, module, digests, spans)
            for (name, module), (digests, spans) in zip(self._program.modules.items(), json.loads(head), strict=True)
        ]
        changed = [(number, change.changed) for number, change in enumerate(changes) if change.changed]
        paths = [module.document.path for module in self._program.modules.values()]
        moved = {path: change for path, change in zip(paths, changes) if change.changed}
        for line in lines:
            name, looked, found = line.split("\t", 2)
            if changed:
                parts = json.loads(looked)
                if any(not keys.isdisjoint(parts.get(str(number), ())) for number, keys in changed):
                    continue
                if any(json.dumps(path) in found for path in moved):
                    try:
                        line = f"{name}\t{looked}\t{json.dumps(_moved(json.loads(found), moved), separators=_TIGHT)}"
                    except KeyError:  # a place in what is not as it was
                        continue
            self._lines[name] = line

    def _change(self, name: str, module: Module, digests: dict[str, str], spans: list[Any]) -> Change:
        """What has become of a module; the parts of one that is as it was are those that were kept."""
        from jaxlint.flow.source.parts import TEXT, Change, Parts, Span, text_of

        before = Parts(digests, [Span(*span) for span in spans])
        is_same = digests[TEXT] == text_of(module.document)
        now = self.parts[name] = before if is_same else Parts.of(module.document)
        return Change(before, now)

    def recall(self, name: str) -> tuple[Unit, list[str]] | None:
        from jaxlint.checks.units import Unit

        line = self._lines.get(name)
        if line is None:
            return None
        try:
            questions, answers, reports, failures = json.loads(line.split("\t", 2)[2])
            found, failed = ([decoded(Finding, row) for row in rows] for rows in (reports, failures))
            return Unit(name, found, failed, questions=decoded(list[tuple[Any, ...]], questions)), answers
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep(self, unit: Unit, answers: list[str]) -> None:
        looked: dict[int, list[str]] = {}
        for module, part in sorted(unit.parts):
            looked.setdefault(self._at[module], []).append(part)
        questions = json.dumps([unit.questions, answers])
        found = (f"[{','.join(map(to_json, some))}]" for some in (unit.reports, unit.failures))
        parts = json.dumps(looked, separators=_TIGHT)
        self._lines[unit.name] = f"{unit.name}\t{parts}\t{questions[:-1]},{','.join(found)}]"
        self._has_news = True
        self.count += unit.name in self._at

    def write(self) -> None:
        """Keeps what is known for the next run."""
        if self._has_news:
            head = [(parts.digests, parts.spans) for parts in map(self.parts.__getitem__, self._at)]
            self._store.keep(self._name, [json.dumps(head, separators=_TIGHT), *self._lines.values()])


_TIGHT = (",", ":")


def _moved(data: Any, changes: Mapping[str, Change]) -> Any:
    """What JSON has of findings, with their places where they are now.  Raises KeyError for places that are gone."""
    if isinstance(data, list):
        return [_moved(one, changes) for one in data]
    if not isinstance(data, dict):
        return data
    change = changes.get(data["path"]) if "end_line" in data else None
    if change is None:
        return {name: _moved(one, changes) for name, one in data.items()}
    line, end = data["line"], data["end_line"]
    return {**data, "line": change.line(line), "end_line": change.line(end) if end else end}


def _key(program: Program, fixes: bool) -> str:
    return _digest(_parts(program, fixes))


def _digest(parts: Iterable[str | bytes]) -> str:
    key = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        key.update(b"%d:" % len(data))
        key.update(data)
    return key.hexdigest()


def _parts(program: Program, fixes: bool) -> Iterator[str | bytes]:
    """All that a program's findings depend on."""
    yield from _around(program)
    yield repr(fixes)
    yield from texts_beside(program)
    for module in program.modules.values():
        yield module.document.fingerprint()
    yield repr(list(program.requested.items()))


def _of_units(program: Program) -> Iterator[str | bytes]:
    """All that tells what is kept of a program's units from that of others, but for the contents of its modules."""
    yield "units"
    yield from _around(program)


def _around(program: Program) -> Iterator[str | bytes]:
    """What findings depend on beside the texts."""
    yield _FORM
    yield _own_files()
    yield repr((sys.implementation.name, sys.version_info))
    yield repr((program.root, program.settings, program.declared_jax, program.source_roots))
    yield repr(sorted(program.foreign))
    for _, path in shipped_files():
        yield path
        yield _content(path)
    for rule in (*installed_rules(), *program.settings.rules):
        yield repr((rule.code, rule.name, rule.module, rule.package))
        for path, content in rule.sources():
            yield path
            yield content
    for name, module in program.modules.items():
        yield repr((name, module.path, module.is_package, module.is_test))


def _content(path: str) -> bytes:
    try:
        return read_file(path)
    except OSError:
        return b""


@functools.cache
def _own_files() -> str:
    """What tells this jaxlint from others, those of the same version between two releases too."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = [__version__]
    for top in (package, cards_folder()):
        for folder, _, names in os.walk(top):
            for name in names:
                if name.endswith((".py", ".md")):
                    status = os.stat(os.path.join(folder, name))
                    found.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(sorted(found))
