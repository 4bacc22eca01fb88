"""The file that `jaxlint record` writes: one JSON object a line, for people to review and for `--dynamic` to replay.

A call: ``{"function": "src/pkg/mod.py:Policy.score", "source": "1f2e…", "eager": false, "args": […], "kwargs": {…}}``.
``source`` is a hash of the function's text: what it is called with holds for this text only.

What was seen of a function while it ran: the same with ``"seen": {…}`` in place of the arguments, with the version of
``jax``, and in ``ran`` hashes of the text of everything it ran.  Places are counted from where their functions begin.
A record that no longer fits is void.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from jaxlint.dynamic.inputs import texts
from jaxlint.dynamic.observations import Span, Traced, from_json, to_json, with_places
from jaxlint.files.reading import read_file
from jaxlint.files.writing import replace_file

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
    jax: str = ""  # the version that it was seen with
    ran: tuple[tuple[str, str], ...] = ()  # path and qualified name of what ran meanwhile
    void: str = ""  # why it does not hold any more, in a few words

    @property
    def case(self) -> tuple[str, ...]:
        """What all calls have in common that take the same way as far as sizes have no say in it."""
        text = _SIZES.sub(lambda sizes: "," * sizes[0].count(",") + "." * bool(sizes[0]), json.dumps(self.call))
        return (self.qualname, text, *self.handled)


def line(path: str, qualname: str, base: str, content: dict[str, Any]) -> str:
    """The line for a record of a function whose file is ``path``; ``base`` is the folder of the recordings."""
    record = {"function": _name(path, qualname, base), "source": texts.own_hash(path, qualname), **content}
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


@functools.lru_cache(maxsize=8)
def read(file: str, jax: str = "") -> tuple[Record, ...]:
    """The records of a file, or of several that `joined` has made one, that still hold, with this version of ``jax`` if
    there is one; no line that is cut off."""
    return tuple(_together(record for record in _records_of(file, jax) if not record.void))


@functools.lru_cache(maxsize=8)
def void(file: str, jax: str = "") -> dict[tuple[str, str], str]:
    """By path and qualified name, why records of a function do not hold any more, in a few words."""
    return {(record.path, record.qualname): record.void for record in _records_of(file, jax) if record.void}


def joined(*names: str) -> str:
    """What names several files of recordings as if they were one."""
    return _BETWEEN.join(filter(None, names))


def named(files: str) -> list[str]:
    """The files that `joined` has joined."""
    return files.split(_BETWEEN)


_BETWEEN = "\n"


def _records_of(files: str, jax: str) -> Iterator[Record]:
    for file in named(files):
        yield from _records(file, os.path.dirname(os.path.realpath(file)), jax)


def _records(file: str, base: str, jax: str) -> Iterator[Record]:
    records = (_record(text, base, jax) for text in lines(file))
    return (record for record in records if record is not None)


def lines(file: str) -> list[str]:
    """The lines of a recording, each once, in their order; none where there is no file."""
    try:
        return list(dict.fromkeys(read_file(file, _MAX_BYTES).decode("utf-8", "replace").splitlines()))
    except OSError:
        return []


def called(file: str) -> set[tuple[str, str]]:
    """By real path and qualified name, the functions that there are records of which hold."""
    return {(record.path, record.qualname) for record in _records_of(file, "") if not record.void}


def compact(file: str) -> tuple[int, int, list[str]]:
    """Drops what another text has made void, and joins what was seen of a function.

    Returns how many functions and calls are left, and why others are not.
    """
    base = os.path.dirname(os.path.realpath(file))
    calls: list[str] = []
    seen: list[Record] = []
    names, dropped = set(), {}
    for text in lines(file):
        record = _record(text, base)
        if record is None:
            continue
        if record.void:
            dropped[record.qualname] = record.void
            continue
        names.add((record.path, record.qualname))
        if record.seen is None:
            calls.append(text)
        else:
            seen.append(record)
    kept = calls + [
        seen_line(one.path, one.qualname, base, one.seen, one.jax, one.ran) for one in _together(seen) if one.seen
    ]
    if names:
        replace_file(file, "".join(f"{text}\n" for text in sorted(kept)).encode("utf-8", "surrogatepass"))
    return len(names), len(kept), [f"{name} was {why}" for name, why in sorted(dropped.items())]


def _together(records: Iterable[Record]) -> Iterator[Record]:
    """The records; what was seen of a function, which each run writes as often as there is more, is one of them."""
    seen: dict[tuple[str, str, str], Record] = {}
    for record in records:
        if record.seen is None:
            yield record
            continue
        key = (record.path, record.qualname, record.jax)
        if (before := seen.get(key)) is not None:
            both = _both(before.seen, record.seen)
            record = replace(before, seen=both, ran=tuple(dict.fromkeys((*before.ran, *record.ran))))
        seen[key] = record
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
    every = (*other.observations, *one.observations)
    observations = {(seen.kind, seen.at, seen.exception, seen.handled): seen for seen in every}
    said = one if _was_traced(one) and not _was_traced(other) else other
    return replace(said, visits=list(visits.values()), observations=list(observations.values()))


def _was_traced(seen: Traced) -> bool:
    return any(visit.traced or visit.concrete for visit in seen.visits)


def _record(text: str, base: str, jax: str = "") -> Record | None:
    """The record of a line; one of what does not fit any more is `void`, and None is no record at all."""
    try:
        data = json.loads(text)
        path, qualname = _function(data["function"], base)
        kind = "seen" if "seen" in data else "args"
        if reason := _void_reason(data, path, qualname, base, jax):
            return Record(path, qualname, void=reason)
        if kind == "args":
            by, handled = tuple(data.get("by", ())), tuple(data.get("handled", ()))
            call = {"args": data["args"], "kwargs": data["kwargs"]}
            return Record(path, qualname, bool(data["eager"]), by, call, handled=handled)
        seen = from_json(json.dumps(with_places(data["seen"], lambda span: texts.absolute(_moved(span, base)))))
        ran = tuple(_function(name, base) for name in data["ran"])
        return Record(path, qualname, seen=seen, jax=str(data["jax"]), ran=ran)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _void_reason(data: dict[str, Any], path: str, qualname: str, base: str, jax: str) -> str:
    """Why a record does not hold, empty where it does."""
    if data["source"] != texts.own_hash(path, qualname):
        return f"recorded with another text of {qualname}"
    if "seen" not in data:
        return ""
    if "ran" not in data:
        return "recorded by an older jaxlint"
    for name, known in data["ran"].items():
        where, other = _function(name, base)
        if known != texts.whole_hash(where, other):
            return f"recorded with another text of {other}" + (", which it ran" if other != qualname else "")
    return f"recorded with jax {data['jax']}" if jax and jax != data["jax"] else ""


def _function(name: str, base: str) -> tuple[str, str]:
    """The real path and the qualified name of a function as a record names it."""
    file, _, qualname = name.rpartition(":")
    return os.path.realpath(os.path.join(base, file)), qualname


def _name(path: str, qualname: str, base: str) -> str:
    return f"{_relative(path, base)}:{qualname}"


def _relative(path: str, base: str) -> str:
    return os.path.relpath(path, base).replace(os.sep, "/")


def _moved(span: dict[str, Any], base: str) -> dict[str, Any]:
    return span | {"path": os.path.realpath(os.path.join(base, span["path"]))}


def seen_line(path: str, qualname: str, base: str, seen: Traced, jax: str, ran: Iterable[tuple[str, str]]) -> str:
    """The line for what was seen of a function whose file is ``path`` with a version of ``jax``.

    ``ran`` are the paths and qualified names of what it ran.  Places of a function are in functions, all others are
    left out; those of a module's own code, whose name is empty, are anywhere.
    """
    known = [
        replace(one, related=tuple(each for each in one.related if not qualname or _placed(each[0])))
        for one in seen.observations
    ]
    inside = [each.at for each in known] + [each.at for each in seen.visits]
    inside += [at for each in known for at, _ in each.related]
    owners = {(at.path, one.qualname if (one := texts.around(at.path, at.line)) else "") for at in inside}
    hashes = {_name(*each, base): texts.whole_hash(*each) for each in sorted({(path, qualname), *owners, *ran})}

    def place(span: dict[str, Any]) -> dict[str, Any]:
        return texts.relative(span) | {"path": _relative(span["path"], base)}

    data = with_places(json.loads(to_json(replace(seen, observations=known))), place)
    return line(path, qualname, base, {"jax": jax, "ran": hashes, "seen": data})


def _placed(at: Span) -> bool:
    return texts.around(at.path, at.line) is not None
