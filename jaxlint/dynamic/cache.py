"""Results of traced jobs, kept between runs for as long as nothing they depend on has changed.

A job depends on every file of its program, on the recorded calls, on the versions of jax, Python and jaxlint, and on
the options.  What lies outside the program (installed packages, data files) is not seen: `--no-cache` traces again.
Results of attempts that ran out of time or crashed are not kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from jaxlint import __version__
from jaxlint.dynamic.inputs import recordings
from jaxlint.dynamic.launch import Options
from jaxlint.dynamic.observations import Job, Outcome, Result, from_json, to_json
from jaxlint.files.reading import read_file
from jaxlint.files.store import Store

_MAX_BYTES = 256 * 1024 * 1024
_NOT_KEPT = (Outcome.TIMED_OUT, Outcome.CRASHED)


@dataclass
class Cache:
    """The results below one folder, valid for ``versions`` (of jax and Python)."""

    folder: str
    versions: str
    _hashes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._store = Store(self.folder, "dynamic")

    def read(self, job: Job, options: Options) -> list[Result] | None:
        """What was found before, or None: then, too, when the file is not as it was written."""
        lines = self._store.read(self._key(job, options))
        try:
            results = [from_json(line) for line in lines or ()]
        except ValueError:  # another jaxlint of the same version wrote it
            return None
        said = {result.qualname for result in results if isinstance(result, Result)}
        return results if said >= {"", *job.targets} else None

    def write(self, job: Job, options: Options, results: list[Result]) -> None:
        if len(results) <= len(job.targets) or any(result.outcome in _NOT_KEPT for result in results):
            return
        self._store.keep(self._key(job, options), [to_json(result) for result in results])

    def missing(self, options: Options, ask: Callable[[Options], tuple[str, ...]]) -> tuple[str, ...]:
        """What the installed jax lacks, asked for once for these versions."""
        return tuple(self._once("lacks", options.platform, lambda: ask(options)))

    def looked_up(
        self, questions: list[tuple[str, str, str]], ask: Callable[[list[tuple[str, str, str]]], list[tuple[str, str]]]
    ) -> list[tuple[str, str]]:
        """What the installed jax answers to these questions about its names, asked once for these versions."""
        lines = self._once("names", json.dumps(questions), lambda: [json.dumps(each) for each in ask(questions)])
        return [(state, text) for state, text in map(json.loads, lines)]

    def rehearsed(self, sources: Iterable[str], about: str, run: Callable[[], tuple[list[str], bool]]) -> Sequence[str]:
        """The lines that running these files gave, or ``run`` gives; with False it was cut off and is not kept."""
        key = hashlib.sha256()
        for part in (__version__, self.versions, about, *map(self._hash, sources)):
            key.update(f"{part}\n".encode())
        name = f"rehearsed-{key.hexdigest()}"
        lines = self._store.read(name)
        if lines is None:
            lines, is_whole = run()
            if is_whole:
                self._store.keep(name, lines)
        return lines

    def _once(self, what: str, about: str, ask: Callable[[], Sequence[str]]) -> Sequence[str]:
        """Lines that depend on the versions and on what they are ``about`` alone."""
        name = hashlib.sha256(f"{__version__} {self.versions} {about}".encode()).hexdigest()
        key = f"{what}-{name[:16]}"
        lines = self._store.read(key)
        if lines is None:
            lines = [*ask()]
            self._store.keep(key, lines)
        return lines

    def _key(self, job: Job, options: Options) -> str:
        key = hashlib.sha256()
        for part in (
            __version__,
            self.versions,
            options.platform,
            str(options.timeout),
            to_json(replace(job, recordings="")),
        ):
            key.update(part.encode("utf-8", "surrogatepass"))
        for path in (*job.sources, *recordings.named(job.recordings)):
            key.update(self._hash(path).encode())
        return key.hexdigest()

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            try:
                self._hashes[path] = hashlib.sha256(read_file(path, _MAX_BYTES)).hexdigest()
            except OSError:
                self._hashes[path] = ""
        return self._hashes[path]
