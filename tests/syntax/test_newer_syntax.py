"""Syntax that the running interpreter may not know becomes a tree that it does, and that does the same."""

from __future__ import annotations

import ast
import sys
from typing import Any

import pytest

from jaxlint.syntax.lower import parse


def run(text: str, **names: Any) -> dict[str, Any]:
    """Execute a lowered module and return its names."""
    exec(compile(parse(text), "<lowered>", "exec"), names)
    return names


def test_nested_quotes_in_an_f_string() -> None:
    # 3.12
    assert run("""who = {'name': 'key'}\ngreeting = f'hello {who['name']}'\n""")["greeting"] == "hello key"


def test_type_parameters_of_a_function() -> None:
    # 3.12
    assert run("def first[T: int](items: list): return items[0]\nhead = first([7])\n")["head"] == 7


def test_type_parameters_of_a_class() -> None:
    # 3.12, with a default of 3.13
    assert run("class Box[T = int]:\n    size = 3\n")["Box"].size == 3


def test_type_alias() -> None:
    # 3.12
    assert "Pair" in run("type Pair = tuple[int, int]\n")


def test_except_star_without_parentheses() -> None:
    # 3.11 and 3.14
    text = "try:\n    raise ValueError\nexcept* ValueError, TypeError:\n    caught = True\n"
    (statement,) = parse(text).body
    (handler,) = statement.handlers  # type: ignore[attr-defined]
    assert isinstance(handler.type, ast.Tuple)
    assert [name.id for name in handler.type.elts] == ["ValueError", "TypeError"]  # type: ignore[attr-defined]
    assert run(text)["caught"] is True


def test_except_without_parentheses() -> None:
    # 3.14
    assert run("try:\n    {}['x']\nexcept KeyError, ValueError:\n    caught = True\n")["caught"] is True


def test_template_strings_evaluate_their_parts() -> None:
    # 3.14: lowered to an f-string
    (statement,) = parse("t'{x!r:>{width}} and {y}'").body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.JoinedStr)
    assert ast.unparse(statement.value) == "f'{x!r:>{width}} and {y}'"


def test_unpacking_in_comprehensions() -> None:
    # 3.15
    names = run("flat = [*part for part in parts]\nset_ = {*part for part in parts}\n", parts=[[1, 2], [2, 3]])
    assert names["flat"] == [1, 2, 2, 3]
    assert names["set_"] == {1, 2, 3}


def test_dict_unpacking_in_comprehensions() -> None:
    # 3.15
    assert run("merged = {**part for part in parts}\n", parts=[{"a": 1}, {"b": 2}])["merged"] == {"a": 1, "b": 2}


def test_lazy_imports() -> None:
    # 3.15
    names = run("lazy import math as m, string\nlazy from math import pi\n")
    assert names["m"].pi == names["pi"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the nodes came with Python 3.12")
def test_type_parameters_are_kept_where_there_are_nodes_for_them() -> None:
    text = "def f[T: int, *Ts, **P](x: T) -> T: pass\nclass C[T]: pass\ntype A[T] = list[T]\n"
    assert ast.dump(parse(text), include_attributes=True) == ast.dump(ast.parse(text), include_attributes=True)
