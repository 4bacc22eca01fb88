"""A program as data, of which a process on a machine without its files makes the same program.

The texts of the files stand by their content hash in *packs*: what two programs, or two runs, have in common has the
same bytes.  The first pack says how the program is made of them.
"""

from __future__ import annotations

import base64
import glob
import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jaxlint import __version__
from jaxlint.files.reading import read_file
from jaxlint.files.records import decoded, to_json
from jaxlint.project.documents import Document, document_from_bytes
from jaxlint.project.program import Program, Surroundings
from jaxlint.semantics.rows import Row, rows_as_text, rows_in_text
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Finding, Location
from jaxlint.vocabulary.rules import cards_folder

_PACK = 4 * 1024 * 1024  # characters of text


class CannotCarryError(Exception):
    """Another process would not make the same program; the message is one line."""


@dataclass(frozen=True)
class _Head:
    """How a program is made of the texts: the path and the content hash of each file."""

    made_by: str
    root: str
    around: Surroundings
    rows: str
    transforms: tuple[tuple[str, str], ...]
    jax_version: str | None
    doctest: bool
    files: tuple[tuple[str, str], ...]


def carried(program: Program, rows: tuple[Row, ...]) -> list[bytes]:
    """The packs of a program, for which these rows hold."""
    documents = [module.document for module in program.modules.values()]
    hashes = [document.fingerprint().hex() for document in documents]
    settings = program.settings
    head = _Head(
        JAXLINT,
        program.root,
        program.around,
        rows_as_text(rows),
        settings.transforms,
        settings.jax_version,
        settings.doctest,
        tuple((document.path, name) for document, name in zip(documents, hashes)),
    )
    contents = {name: _content(document) for document, name in zip(documents, hashes)}
    return [_packed(to_json(head)), *map(_packed, _packs(contents))]


def digest(packs: Sequence[bytes]) -> str:
    """What tells a program from others."""
    return hashlib.sha256(b"".join(hashlib.sha256(pack).digest() for pack in packs)).hexdigest()


def program_in(packs: Sequence[bytes]) -> Program:
    """The program that was carried.  Raises CannotCarryError where it is not the very same."""
    head: dict[str, Any] = json.loads(zlib.decompress(packs[0]))
    if head["made_by"] != JAXLINT:
        raise CannotCarryError(f"{JAXLINT} there, {head['made_by']} here")
    found: _Head = decoded(_Head, head)
    contents: dict[str, Any] = {}
    for pack in packs[1:]:
        contents.update(json.loads(zlib.decompress(pack)))
    documents = [_document(path, contents[name]) for path, name in found.files]
    around = replace(found.around, shipped=())  # their rows are among those that came along
    settings = Settings(
        transforms=found.transforms,
        libraries=rows_in_text(found.rows),
        jax_version=found.jax_version,
        doctest=found.doctest,
    )
    program = Program(found.root, settings, documents, (), around)
    for module, (path, name) in zip(program.modules.values(), found.files, strict=True):
        if module.document.fingerprint().hex() != name:
            raise CannotCarryError(f"{path} is read as another text there")
    return program


def _packs(contents: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    pack: dict[str, dict[str, Any]] = {}
    size = 0
    for name, content in contents.items():
        pack[name] = content
        size += sum(map(len, content.values()))
        if size > _PACK:
            yield json.dumps(pack)
            pack, size = {}, 0
    if pack:
        yield json.dumps(pack)


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(), 1)


def _content(document: Document) -> dict[str, str]:
    if document.layout is not None:
        return {"file": base64.b64encode(document.data()).decode()}
    if not document.text and document.problem is not None:
        problem = document.problem
        return {"code": problem.code, "name": problem.name, "message": problem.message}
    return {"text": document.text, "encoding": document.encoding}


def _document(path: str, content: Mapping[str, str]) -> Document:
    if "file" in content:
        return document_from_bytes(path, base64.b64decode(content["file"]))
    if "code" in content:
        problem = Finding(content["code"], content["name"], content["message"], Location(path, 1))
        return Document(path, "", problem)
    return Document(path, content["text"], encoding=content["encoding"])


def _this_jaxlint() -> str:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = hashlib.sha256()
    for top, pattern in ((package, "**/*.py"), (cards_folder(), "*.md")):
        for name in sorted(glob.glob(pattern, root_dir=top, recursive=True)):
            found.update(f"{name}\0".encode() + read_file(os.path.join(top, name)))
    python = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"
    return f"jaxlint {__version__} ({found.hexdigest()[:8]}) on {python}"


JAXLINT = _this_jaxlint()
"""What tells this jaxlint from one that may find something else."""
