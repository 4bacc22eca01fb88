"""The file that `jaxlint record` writes: one JSON object a line, for people to review and for `--dynamic` to replay.

A call: ``{"function": "src/pkg/mod.py:Policy.score", "source": "1f2e…", "eager": false, "args": […], "kwargs": {…}}``.
What was seen of a function that nobody can import by name: the same with ``"seen": {…}`` in place of the arguments.
``source`` is a hash of the function's text: a record of another text is stale and is left out.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from jaxlint.dynamic.inputs.usage import functions, line_range
from jaxlint.dynamic.observations import Traced, from_json, to_json
from jaxlint.project.reading import read_file
from jaxlint.project.writing import replace_file

_SIZES = re.compile(r"(?<=[\w>]\[)[\d,]*(?=\])")  # of the arrays in a call
DEFAULT_FILE = ".jaxlint-recorded.jsonl"
_MAX_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded call, or what was seen of one while it ran (``seen``)."""

    path: str  # real path of the file that defines the function
    qualname: str
    eager: bool = False
    by: tuple[str, ...] = ()  # the transforms around it, outermost first
    call: Any = None  # `signatures` JSON
    seen: Traced | None = None
    handled: tuple[str, ...] = ()  # exceptions of a question to a tracer that a caller catches

    @property
    def case(self) -> tuple[str, ...]:
        """What all calls have in common that take the same way as far as sizes have no say in it."""
        text = _SIZES.sub(lambda sizes: "," * sizes[0].count(",") + "." * bool(sizes[0]), json.dumps(self.call))
        return (self.qualname, text, *self.handled)


def line(path: str, qualname: str, base: str, content: dict[str, Any]) -> str:
    """The line for a record of a function whose file is ``path``; ``base`` is the folder of the recordings."""
    name = os.path.relpath(path, base).replace(os.sep, "/")
    record = {"function": f"{name}:{qualname}", "source": source_hash(path, qualname), **content}
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


@functools.lru_cache(maxsize=8)
def read(file: str) -> tuple[Record, ...]:
    """The records of a file that still hold; none of a file that is not there, and no line that is cut off."""
    base = os.path.dirname(os.path.realpath(file))
    return tuple(_together(record for record in (_record(text, base) for text in lines(file)) if record is not None))


def lines(file: str) -> list[str]:
    """The lines of a recording, each once, in their order; none where there is no file."""
    try:
        return list(dict.fromkeys(read_file(file, _MAX_BYTES).decode("utf-8", "replace").splitlines()))
    except OSError:
        return []


def compact(file: str) -> tuple[int, int]:
    """Drops what is stale, and joins what was seen of a function.  Returns how many functions and calls are left."""
    base = os.path.dirname(os.path.realpath(file))
    calls: list[str] = []
    seen: list[Record] = []
    names = set()
    for text in lines(file):
        record = _record(text, base)
        if record is not None:
            names.add((record.path, record.qualname))
            if record.seen is None:
                calls.append(text)
            else:
                seen.append(record)
    kept = calls + [seen_line(one.path, one.qualname, base, one.seen) for one in _together(seen) if one.seen]
    if names:
        replace_file(file, "".join(f"{text}\n" for text in sorted(kept)).encode("utf-8", "surrogatepass"))
    return len(names), len(kept)


def _together(records: Iterable[Record]) -> Iterator[Record]:
    """The records; what was seen of a function, which each run writes as often as there is more, is one of them."""
    seen: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.seen is None:
            yield record
            continue
        key = (record.path, record.qualname)
        before = seen.get(key)
        seen[key] = record if before is None else replace(before, seen=_both(before.seen, record.seen))
    yield from seen.values()


def _both(one: Traced | None, other: Traced) -> Traced:
    """What two lines say of one function; where the second is a later one of the same run, it is the second."""
    if one is None:
        return other
    visits = {visit.at: visit for visit in one.visits}
    for visit in other.visits:
        before = visits.get(visit.at, visit)
        values = tuple(dict.fromkeys(before.values + visit.values))[:3]
        visits[visit.at] = most = replace(visit, values=values)
        for count in ("traced", "concrete", "eager", "callback", "assumed"):
            setattr(most, count, max(getattr(before, count), getattr(visit, count)))
    observations = {(seen.kind, seen.at, seen.exception): seen for seen in (*other.observations, *one.observations)}
    said = one if _was_traced(one) and not _was_traced(other) else other
    return replace(said, visits=list(visits.values()), observations=list(observations.values()))


def _was_traced(seen: Traced) -> bool:
    return any(visit.traced or visit.concrete for visit in seen.visits)


def _record(text: str, base: str) -> Record | None:
    try:
        data = json.loads(text)
        name, _, qualname = data["function"].rpartition(":")
        path = os.path.realpath(os.path.join(base, name))
        if data["source"] != source_hash(path, qualname):
            return None
        if "seen" in data:
            seen = from_json(json.dumps(_with_paths(data["seen"], lambda name: os.path.join(base, name))))
            return Record(path, qualname, seen=seen)
        call = {"args": data["args"], "kwargs": data["kwargs"]}
        by, handled = tuple(data.get("by", ())), tuple(data.get("handled", ()))
        return Record(path, qualname, bool(data["eager"]), by, call, handled=handled)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def seen_line(path: str, qualname: str, base: str, seen: Traced) -> str:
    """The line for what was seen of a function whose file is ``path``, its places relative to ``base``."""
    data = _with_paths(json.loads(to_json(seen)), lambda name: os.path.relpath(name, base).replace(os.sep, "/"))
    return line(path, qualname, base, {"seen": data})


def _with_paths(data: Any, change: Callable[[str], str]) -> Any:
    """The JSON with the path of every span changed."""
    if isinstance(data, list):
        return [_with_paths(item, change) for item in data]
    if isinstance(data, dict):
        is_span = data.keys() >= {"path", "line", "end_column"}
        return {
            name: change(item) if is_span and name == "path" else _with_paths(item, change)
            for name, item in data.items()
        }
    return data


def source_hash(path: str, qualname: str) -> str:
    """A hash of a function's text as it is on disk, "" where it is not found.  Where it stands does not matter."""
    node = functions(path).get(qualname)
    if node is None:
        return ""
    own = _source_lines(path)[line_range(node).start - 1 : line_range(node).stop - 1]
    text = textwrap.dedent("\n".join(text.rstrip() for text in own))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=64)
def _source_lines(path: str) -> list[str]:
    try:
        return read_file(path).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
