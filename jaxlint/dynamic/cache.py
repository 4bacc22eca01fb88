"""Results of traced jobs, kept between runs for as long as nothing they depend on has changed.

A job depends on every file of its program, on the recorded calls, on the versions of jax, Python and jaxlint, and on
the options.  What lies outside the program (installed packages, data files) is not seen: `--no-cache` traces again.
Results of attempts that ran out of time or crashed are not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field

from jaxlint import __version__
from jaxlint.dynamic.launch import Options
from jaxlint.dynamic.observations import Job, Outcome, Result, from_json, to_json
from jaxlint.files.reading import read_file, read_text
from jaxlint.files.writing import replace_file

FOLDER = ".jaxlint_cache"
_MAX_BYTES = 256 * 1024 * 1024
_NOT_KEPT = (Outcome.TIMED_OUT, Outcome.CRASHED)


@dataclass
class Cache:
    """The results below one folder, valid for ``versions`` (of jax and Python).

    A folder that cannot be written to is as good as none.
    """

    folder: str
    versions: str
    _hashes: dict[str, str] = field(default_factory=dict)

    def read(self, job: Job, options: Options) -> list[Result] | None:
        """What was found before, or None: then, too, when the file is not as it was written."""
        lines = _sealed(self._path(job, options))
        try:
            results = [from_json(line) for line in lines or ()]
        except ValueError:  # another jaxlint of the same version wrote it
            return None
        said = {result.qualname for result in results if isinstance(result, Result)}
        return results if said >= {"", *job.targets} else None

    def write(self, job: Job, options: Options, results: list[Result]) -> None:
        if len(results) <= len(job.targets) or any(result.outcome in _NOT_KEPT for result in results):
            return
        self._keep(self._path(job, options), [to_json(result) for result in results])

    def missing(self, options: Options, ask: Callable[[Options], tuple[str, ...]]) -> tuple[str, ...]:
        """What the installed jax lacks, asked for once for these versions."""
        name = hashlib.sha256(f"{__version__} {self.versions} {options.platform}".encode()).hexdigest()
        path = os.path.join(self.folder, "dynamic", f"lacks-{name[:16]}.json")
        lines = _sealed(path)
        if lines is None:
            lacks = ask(options)
            self._keep(path, list(lacks))
            return lacks
        return tuple(lines)

    def _keep(self, path: str, lines: list[str]) -> None:
        """Another run may read the file meanwhile: it sees the old one or the new one."""
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _ignored_by_git(self.folder)
            text = "".join(f"{line}\n" for line in (_seal(lines), *lines))
            replace_file(path, text.encode("utf-8", "surrogatepass"))

    def _path(self, job: Job, options: Options) -> str:
        key = hashlib.sha256()
        for part in (__version__, self.versions, options.platform, str(options.timeout), to_json(job)):
            key.update(part.encode("utf-8", "surrogatepass"))
        for path in (*job.sources, job.recordings):
            key.update(self._hash(path).encode())
        return os.path.join(self.folder, "dynamic", f"{key.hexdigest()}.jsonl")

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            try:
                self._hashes[path] = hashlib.sha256(read_file(path, _MAX_BYTES)).hexdigest()
            except OSError:
                self._hashes[path] = ""
        return self._hashes[path]


def _seal(lines: list[str]) -> str:
    """The first line of a file with these lines after it."""
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _sealed(path: str) -> list[str] | None:
    """The lines below a file's seal; None where the seal is not theirs: the file is cut off, empty or changed."""
    try:
        seal, *lines = read_text(path, _MAX_BYTES).split("\n")[:-1]
    except (OSError, ValueError):
        return None
    return lines if seal == _seal(lines) else None


def _ignored_by_git(folder: str) -> None:
    """The folder ignores itself, so that nobody commits it by accident."""
    marker = os.path.join(folder, ".gitignore")
    if not os.path.exists(marker):
        with open(marker, "w", encoding="utf-8") as file:
            file.write("*\n")
