"""Nothing in the tables is there for nobody: whatever a table can say is read where it gets its meaning."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxlint.flow.models.jax import higher_order
from jaxlint.semantics import libraries, model, transforms
from jaxlint.semantics.libraries import LIBRARIES
from jaxlint.semantics.rows import EFFECTS, OF_RESULTS, OF_RUNS, UNDER

PACKAGE = Path(__file__).parents[2] / "jaxlint"
TABLES = PACKAGE / "semantics"
READERS = {
    path: path.read_text(encoding="utf-8")
    for path in PACKAGE.rglob("*.py")
    if not path.is_relative_to(TABLES / "libraries")
}
MERGED = TABLES / "libraries" / "__init__.py"

OF_TESTS = {"LEFT_OUT", "WITH_CODE_OF_THEIR_OWN", "LIBRARIES"}
"""What tests compare with something else: what no table has and why, and the tables that are merged."""


def tables() -> Iterator[Any]:
    for path in sorted((*TABLES.glob("*.py"), MERGED)):
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            for target in targets:
                if isinstance(target, ast.Name) and target.id.isupper() and target.id not in OF_TESTS:
                    yield pytest.param(path, target.id, id=f"{path.stem}.{target.id}")


@pytest.mark.parametrize(("path", "name"), tables())
def test_a_table_is_read(path: Path, name: str) -> None:
    mention = re.compile(rf"\blibraries\.{name}\b" if path == MERGED else rf"\b{name}\b")
    assert any(other != path and mention.search(text) for other, text in READERS.items()) or is_part(path, name)


def is_part(path: Path, name: str) -> bool:
    """Whether another table of the file, or a function in it, is made with this one."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return sum(any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(part)) for part in body) > 1


def fields() -> Iterator[Any]:
    for kind in (model.Wrapper, model.HigherOrder, model.Callback, model.KeyFunction, model.KeyUse, model.Library):
        for field in dataclasses.fields(kind):
            if (kind, field.name) != (model.Library, "name"):
                yield pytest.param(kind, field.name, id=f"{kind.__name__}.{field.name}")


@pytest.mark.parametrize(("kind", "field"), fields())
def test_a_field_is_read_and_used(kind: type, field: str) -> None:
    texts = [MERGED.read_text(encoding="utf-8")] if kind is model.Library else READERS.values()
    assert any(re.search(rf"\.{field}\b", text) for text in texts)
    if kind is model.Library:
        assert any(getattr(library, field) for library in LIBRARIES)


def test_every_binding_has_a_row() -> None:
    rows = [*transforms.HIGHER_ORDER.values(), *libraries.HIGHER_ORDER.values()]
    assert {row.binding for row in rows} == higher_order._BINDINGS.keys()


def test_every_word_of_a_row_is_read() -> None:
    text = (PACKAGE / "flow" / "models" / "outside" / "row_calls.py").read_text(encoding="utf-8")
    words = {*OF_RUNS, *OF_RESULTS, *UNDER, *EFFECTS}
    last = {"tracer", "unknown"}  # what is none of the others
    unused = {"fold", "ignore"}  # nothing becomes of the key
    assert {word for word in words if f'"{word}"' not in text} == last | unused


def test_no_row_hides_another() -> None:
    first = {**transforms.WRAPPERS, **libraries.WRAPPERS}.keys()
    then = {**transforms.HIGHER_ORDER, **libraries.HIGHER_ORDER}.keys()
    called = {**transforms.CALLBACKS, **libraries.CALLBACKS}.keys()
    results = [libraries.FRESH_KEYS, libraries.STATIC_RESULTS, libraries.ARRAY_RESULTS, libraries.STREAMS]
    assert not first & then
    assert not (first | then) & called
    for table in (*results, libraries.PURE_RESULTS, libraries.NEVER_KEYS):
        assert not (first | then | called) & table
    assert not first & libraries.KEY_USES.keys()
    assert not libraries.NEVER_KEYS & (libraries.KEY_USES.keys() | libraries.KEY_METHODS.keys() | libraries.FRESH_KEYS)
    for number, table in enumerate(results):
        assert not any(table & other for other in results[number + 1 :])
