"""Files with rows: what a project, or a package, says about functions that jaxlint cannot see.

A row that nothing would read is a mistake, like a name that is misspelt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TypeVar

from jaxlint.files.reading import read_text, reason_of
from jaxlint.semantics.rows import (
    ANYTHING,
    EFFECTS,
    UNDER,
    Called,
    Given,
    Made,
    Rest,
    Row,
    Several,
    Signature,
    Term,
)
from jaxlint.settings.jax_version import load_toml
from jaxlint.settings.row_terms import read_like, read_returns, read_runs, read_signature
from jaxlint.vocabulary.words import did_you_mean, shortened, shown

_T = TypeVar("_T")

_TABLES = ("functions", "methods", "aliases")
_KEYS = tuple(field.name for field in fields(Row) if field.name not in ("name", "source", "is_method"))


def read_rows(path: str, source: str) -> tuple[Row, ...]:
    """The rows of a file, under every spelling of their names; ``source`` is what messages call the file.

    Raises ValueError, whose one line names the file, the table and what is wrong.
    """
    try:
        data = load_toml(read_text(path))
    except OSError as error:
        raise ValueError(f"{source}: cannot be read: {reason_of(error)}") from None
    except ValueError as error:  # tomllib's error and UnicodeDecodeError are both ValueErrors
        raise ValueError(f"{source}: not TOML: {str(error).splitlines()[0]}") from None
    for key in data:
        if key not in _TABLES:
            raise ValueError(f"{source}: unknown table `{shortened(key)}`{did_you_mean(key, _TABLES)}")
    rows: dict[tuple[str, bool], Row] = {}
    for table in ("functions", "methods"):
        for name, value in _entries(data, table, source):
            try:
                row = _row(name, value, table, source)
            except ValueError as error:
                raise ValueError(f'{source}: {table}."{shortened(name)}": {error}') from None
            rows[name, row.is_method] = row
    for other, public in _entries(data, "aliases", source):
        _add_spellings(rows, other, public, f'{source}: aliases."{shortened(other)}"')
    if not rows:
        raise ValueError(f'{source}: the file says nothing: it has no table such as [functions."foolib.fold"]')
    return tuple(rows.values())


def _entries(data: Mapping[str, object], table: str, source: str) -> Iterator[tuple[str, object]]:
    found = data.get(table, {})
    if not isinstance(found, dict):
        raise ValueError(f"{source}: {table}: expected a table, found {shown(found)}")
    for name, value in found.items():
        if not (isinstance(name, str) and "." in name and all(part.isidentifier() for part in name.split("."))):
            raise ValueError(
                f'{source}: {table}: expected a qualified name in quotes, such as "foolib.fold", '
                f"found `{shortened(str(name))}`"
            )
        yield name, value


def _add_spellings(rows: dict[tuple[str, bool], Row], other: str, public: object, where: str) -> None:
    if not isinstance(public, str):
        raise ValueError(f"{where}: expected the name that rows use, found {shown(public)}")
    found = [key for key in rows if key[0] == public or key[0].startswith(f"{public}.")]
    if not found:
        raise ValueError(f"{where}: no row is about `{public}` or anything in it")
    for name, is_method in found:
        spelling = other + name[len(public) :]
        if (spelling, is_method) in rows:
            raise ValueError(f"{where}: there is a row for `{spelling}` already")
        rows[spelling, is_method] = replace(rows[name, is_method], name=spelling)


# -- one row ----------------------------------------------------------------------------------------------------


def _row(name: str, value: object, table: str, source: str) -> Row:
    if not isinstance(value, dict):
        raise ValueError(f"expected a table, found {shown(value)}")
    for key in value:
        if key not in _KEYS:
            raise ValueError(f"unknown key `{shortened(key)}`{did_you_mean(key, _KEYS)}")
    signature = _of("signature", lambda: read_signature(value["signature"])) if "signature" in value else None
    if signature is not None and table == "methods" and signature.names[:1] == ("self",):
        signature = _without_self(signature)
    row = Row(name, source, table == "methods", signature or Signature())
    if "like" in value:
        _refuse(value, ("runs", "under", "keys", "returns"), "`like` says it all")
        row = replace(row, like=_of("like", lambda: read_like(value["like"], signature)))
    if "runs" in value:
        row = replace(row, runs=_of("runs", lambda: read_runs(value["runs"], row.signature)))
        row = replace(row, under=_of("under", lambda: _word(value.get("under", "jit"), UNDER)))
    else:
        _refuse(value, ("under",), "nothing is run")
    keys = _of("keys", lambda: _effects(value.get("keys", {}), row.signature))
    static = _of("static", lambda: _parameters(value.get("static", []), row.signature))
    row = replace(row, keys=keys, static=static)
    if "returns" in value:
        row = replace(row, returns=_of("returns", lambda: read_returns(value["returns"], row.signature, row.runs)))
    _check(row, signature)
    return row


def _of(key: str, read: Callable[[], _T]) -> _T:
    try:
        return read()
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _refuse(value: Mapping[str, object], unread: tuple[str, ...], why: str) -> None:
    for key in unread:
        if key in value:
            raise ValueError(f"`{key}` would not be read: {why}")


def _without_self(signature: Signature) -> Signature:
    moved = (
        replace(parameter, position=None if parameter.position is None else parameter.position - 1)
        for parameter in signature.parameters[1:]
    )
    return replace(signature, parameters=tuple(moved))


def _word(value: object, known: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in known:
        return value
    hint = did_you_mean(value, known) if isinstance(value, str) else ""
    raise ValueError(f"expected {', '.join(known[:-1])} or {known[-1]}, found {shown(value)}{hint}")


def _effects(value: object, signature: Signature) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise ValueError(f'expected a table such as {{ key = "draw" }}, found {shown(value)}')
    return tuple((_name(name, signature), _word(effect, EFFECTS)) for name, effect in value.items())


def _parameters(value: object, signature: Signature) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list of parameters, found {shown(value)}")
    return tuple(_name(name, signature) for name in value)


def _name(value: object, signature: Signature) -> str:
    if isinstance(value, str) and signature.find(value) is not None:
        return value
    hint = did_you_mean(value, signature.names) if isinstance(value, str) else ""
    raise ValueError(f"{shown(value)} is no parameter of the signature{hint}")


# -- what nothing would read --------------------------------------------------------------------------------------


def _check(row: Row, signature: Signature | None) -> None:
    if not (row.like or row.runs or row.keys or row.static or row.returns):
        raise ValueError("the row says nothing")
    read = {name for term in _terms(row) for name in _names_in(term)}
    targets = [target for run in row.runs for target in run.targets]
    if signature is not None and not (read | {name for name, _ in row.keys} | set(row.static)) & {*signature.names}:
        raise ValueError("`signature` would not be read: nothing names a parameter")
    for target in targets:
        if target not in read and target not in row.carried and not target.startswith("_"):
            raise ValueError(f"runs: `{target}` is not read, neither by a run nor by `returns`")
    if row.under == "host":
        for run in row.runs:
            if run.targets or any(call.positional != (ANYTHING,) for call in run.calls):
                raise ValueError('runs: of what runs on the host nothing is followed: write "fun(...)"')


def _terms(row: Row) -> Iterator[Term]:
    """The terms of a row, but for what is assigned to."""
    if row.like is not None:
        yield row.like
    for run in row.runs:
        yield from run.calls
    if row.returns is not None:
        yield row.returns


def _names_in(term: Term) -> Iterator[str]:
    if isinstance(term, (Given, Rest)):
        yield term.name
    parts: tuple[Term, ...] = ()
    if isinstance(term, Several):
        parts = term.items
    elif isinstance(term, Called):
        parts = (term.function, *term.positional, *(value for _, value in term.named))
    elif isinstance(term, Made) and term.of is not None:
        parts = (term.of,)
    for part in parts:
        yield from _names_in(part)
