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
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jaxlint.dynamic.inputs.usage import functions, line_range
from jaxlint.dynamic.observations import Traced, from_json, to_json

DEFAULT_FILE = ".jaxlint-recorded.jsonl"


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded call, or what was seen of one while it ran (``seen``)."""

    path: str  # real path of the file that defines the function
    qualname: str
    eager: bool = False
    call: Any = None  # `signatures` JSON
    seen: Traced | None = None


def line(path: str, qualname: str, base: str, content: dict[str, Any]) -> str:
    """The line for a record of a function whose file is ``path``; ``base`` is the folder of the recordings."""
    name = os.path.relpath(path, base).replace(os.sep, "/")
    record = {"function": f"{name}:{qualname}", "source": source_hash(path, qualname), **content}
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


@functools.lru_cache(maxsize=8)
def read(recordings: str) -> tuple[Record, ...]:
    """The records of a file that still hold; none of a file that is not there, and no line that is cut off."""
    try:
        with open(recordings, encoding="utf-8") as file:
            lines = file.readlines()
    except OSError:
        return ()
    base = os.path.dirname(os.path.realpath(recordings))
    records = [_record(text, base) for text in dict.fromkeys(lines)]
    return tuple(record for record in records if record is not None)


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
        return Record(path, qualname, bool(data["eager"]), {"args": data["args"], "kwargs": data["kwargs"]})
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
    lines = _lines(path)[line_range(node).start - 1 : line_range(node).stop - 1]
    text = textwrap.dedent("\n".join(text.rstrip() for text in lines))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=64)
def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []
