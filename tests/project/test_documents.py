"""Whatever bytes a file holds, it becomes a document: with a tree, or with one problem that says why not."""

from __future__ import annotations

import ast
import os
import warnings
from pathlib import Path

import pytest

from jaxlint.project.documents import MAX_BYTES, Document, read_document


def document(folder: Path, content: bytes) -> Document:
    path = folder / "module.py"
    path.write_bytes(content)
    return read_document(str(path))


READABLE = {
    "plain": b"x = 1\n",
    "empty": b"",
    "no newline at the end": b"x = 1",
    "byte order mark": b"\xef\xbb\xbfx = 'caf\xc3\xa9'\n",
    "declared latin-1": b"# -*- coding: latin-1 -*-\nx = 'caf\xe9'\n",
    "declared on the second line": b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
    "declared shift-jis": "# coding: shift_jis\nx = '\u65e5\u672c'\n".encode("shift_jis"),
    "windows line ends": b"if True:\r\n    x = 1\r\n",
    "old mac line ends": b"if True:\r    x = 1\r",
    "form feed between functions": b"x = 1\n\x0c\ny = 2\n",
    "tabs": b"if True:\n\tx = 1\n",
    "unicode identifiers": "été = 1\n".encode(),
    "sum of two thousand terms": b"x = " + b" + ".join([b"1"] * 2000) + b"\n",
}

UNREADABLE = {
    "not utf-8": (b"x = '\xff'\n", "JAX002"),
    "utf-16": ("x = 1\n".encode("utf-16"), "JAX002"),
    "unknown encoding": (b"# coding: klingon\n", "JAX002"),
    "an encoding that is not for text": (b"# coding: base64\nx\n", "JAX002"),
    "byte order mark against declaration": (b"\xef\xbb\xbf# coding: latin-1\n", "JAX002"),
    "null byte": (b"x = 1\0\n", "JAX001"),
    "unclosed bracket": (b"x = (\n", "JAX001"),
    "python 2": (b"print 'hello'\n", "JAX001"),
    "mixed tabs and spaces": (b"if x:\n\ty = 1\n        z = 2\n", "JAX001"),
    "parentheses": (b"(" * 10_000 + b")" * 10_000, "JAX004"),
    "minus signs": (b"-" * 10_000 + b"1", "JAX004"),
    "lambdas": (b"lambda: " * 10_000 + b"1", "JAX004"),
    "blocks": (b"".join(b" " * n + b"if x:\n" for n in range(200)) + b" " * 200 + b"pass", "JAX004"),
    "more than the size limit": (b"#" * (MAX_BYTES + 1), "JAX004"),
}


def nodes(tree: ast.Module) -> list[tuple[str, object, object]]:
    """The tree without recursion, which a sum of two thousand terms does not allow."""
    return [
        (type(node).__name__, getattr(node, "lineno", None), getattr(node, "value", None))
        for node in ast.walk(tree)
        if isinstance(node, (ast.Constant, ast.Name, ast.stmt, ast.BinOp))
        if not isinstance(getattr(node, "value", None), ast.AST)
    ]


@pytest.mark.parametrize("content", READABLE.values(), ids=READABLE)
def test_is_read_as_python_reads_it(tmp_path: Path, content: bytes) -> None:
    read = document(tmp_path, content)
    assert read.problem is None
    assert read.tree is not None
    assert nodes(read.tree) == nodes(ast.parse(content))


@pytest.mark.parametrize(("content", "code"), UNREADABLE.values(), ids=UNREADABLE)
def test_becomes_one_finding_of_one_line(tmp_path: Path, content: bytes, code: str) -> None:
    read = document(tmp_path, content)
    assert read.tree is None
    assert read.problem is not None
    assert read.problem.code == code
    assert read.problem.path == read.path
    assert "\n" not in read.problem.message


def test_syntax_error_points_at_the_place(tmp_path: Path) -> None:
    problem = document(tmp_path, "x = 1\ny = 'é' +\n".encode()).problem
    assert problem is not None
    assert (problem.location.line, problem.message) == (2, "SyntaxError: invalid syntax")


NEWER_SYNTAX = [
    "type X = int\n",
    "def f[T](x: T): pass\n",
    "f'{x['a']}'\n",
    "t'{x}'\n",
    "try: pass\nexcept A, B: pass\n",
]


@pytest.mark.parametrize("text", NEWER_SYNTAX)
def test_syntax_newer_than_the_running_python_is_read(text: str) -> None:
    read = Document("/m.py", text)
    assert read.problem is None
    assert read.tree is not None
    assert len(read.tree.body) == 1


def test_newer_syntax_that_nests_too_deeply_is_a_syntax_error_here() -> None:
    read = Document("/m.py", "type X = int\ny = " + "-" * 50_000 + "1\n")
    assert read.problem is not None
    assert read.problem.code in ("JAX001", "JAX004")


def test_missing_file_folder_and_pipe_are_findings_too(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    for path in (tmp_path / "gone.py", tmp_path, tmp_path / "pipe.py"):
        problem = read_document(str(path)).problem
        assert problem is not None
        assert problem.code == "JAX002"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission_is_a_finding(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("x = 1\n")
    secret.chmod(0)
    problem = read_document(str(secret)).problem
    assert problem is not None
    assert problem.message == "cannot read this file: Permission denied"


def test_no_warning_escapes(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert document(tmp_path, rb"x = '\d'; y = 1 is 1").problem is None


def location_of(text: str, name: str) -> tuple[int, int, int, int]:
    read = Document("/m.py", text)
    assert read.tree is not None
    node = next(node for node in ast.walk(read.tree) if isinstance(node, ast.Name) and node.id == name)
    place = read.location(node)
    return place.line, place.column, place.end_line, place.end_column


def test_columns_count_characters_from_one() -> None:
    assert location_of("abc = x\n", "x") == (1, 7, 1, 8)
    assert location_of("'日本' + x\n", "x") == (1, 8, 1, 9)
    assert location_of("'🎲' + x\n", "x") == (1, 7, 1, 8)


def test_lines_end_only_where_python_ends_them() -> None:
    assert location_of("a = 1\r\nb = 2\r\nx\r\n", "x")[0] == 3
    assert location_of("a = '\x0c\u2028\x85'\nx\n", "x")[0] == 2
    assert Document("/m.py", "a\x0cb\nc\rd\r\ne").lines == ["a\x0cb", "c", "d", "e"]
