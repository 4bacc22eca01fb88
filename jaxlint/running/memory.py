"""What was found in a program, kept between runs for as long as all that the answer depends on is the same.

That is the text of every file of the program, how the files are called and laid out, the settings, what stands beside
the sources, the rules that users have written, and the versions of jaxlint and of Python.  Everything is compared by
content; nothing is unpickled.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterator

from jaxlint import __version__
from jaxlint.files.reading import read_file
from jaxlint.files.records import decoded, to_json
from jaxlint.files.store import FOLDER, Store
from jaxlint.project.precision import texts_beside
from jaxlint.project.program import Program
from jaxlint.project.shipped import shipped_files
from jaxlint.settings.own_rules import installed_rules
from jaxlint.vocabulary.findings import Finding
from jaxlint.vocabulary.rules import cards_folder

_FORM = "1"
"""Of what is written: another one is not read."""


class Memory:
    """Findings by the programs that they are about, below ``folder`` or, without one, beside each program."""

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

    def _store(self, program: Program) -> Store:
        return Store(self._folder or os.path.join(program.root, FOLDER), "static")


def _key(program: Program, fixes: bool) -> str:
    key = hashlib.sha256()
    for part in _parts(program, fixes):
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        key.update(b"%d:" % len(data))
        key.update(data)
    return key.hexdigest()


def _parts(program: Program, fixes: bool) -> Iterator[str | bytes]:
    """All that a program's findings depend on."""
    yield _FORM
    yield _own_files()
    yield repr((sys.implementation.name, sys.version_info, fixes))
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
    yield from texts_beside(program)
    for name, module in program.modules.items():
        yield repr((name, module.path, module.is_package, module.is_test))
        yield module.document.fingerprint()
    yield repr(list(program.requested.items()))


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
