"""Broken, odd and enormous notebooks and prose: one clear line each, and not a byte changed but for the fix."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from jaxlint.command.cli import main

BAD = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx[0] = 1"
"""A program with one finding, in its last line, and one fix."""

FIX = (b"x[0] = 1", b"x = x.at[0].set(1)")


def notebook(*cells: object, **more: Any) -> bytes:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more).encode()


def code(source: object = BAD, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source} | more


def nested(depth: int, opening: str, closing: str, inner: str = "") -> bytes:
    return b'{"jax": ' + (opening * depth + inner + closing * depth).encode() + b"}"


GOOD = notebook(code())

ONE_LINE: dict[str, tuple[str, bytes, str]] = {
    # no notebook at all
    "cut off": ("a.ipynb", GOOD[: len(GOOD) // 2], "not JSON"),
    "a merge conflict": ("a.ipynb", b"<<<<<<< HEAD\n" + GOOD + b"\n=======\n{}\n>>>>>>> x\n", "not JSON"),
    "a trailing comma": ("a.ipynb", GOOD[:-1] + b",}", "not JSON"),
    "single quotes": ("a.ipynb", GOOD.replace(b'"cells"', b"'cells'"), "not JSON"),
    "two documents": ("a.ipynb", GOOD + GOOD, "not JSON"),
    "a raw line end in a string": ("a.ipynb", GOOD.replace(b"\\n", b"\n"), "not JSON"),
    "a null byte in a string": ("a.ipynb", GOOD.replace(b"\\n", b"\0"), "not JSON"),
    "an escape that does not exist": ("a.ipynb", GOOD.replace(b"\\n", b"\\q"), "not JSON"),
    "half an escape": ("a.ipynb", GOOD.replace(b"\\n", b"\\u00g"), "not JSON"),
    "a number of a million digits": ("a.ipynb", GOOD[:-1] + b', "n": ' + b"9" * 1_000_000 + b"}", "not JSON"),
    "not UTF-8": ("a.ipynb", GOOD.replace(b"zeros", b"z\xff\xfe"), "not UTF-8"),
    "UTF-16": ("a.ipynb", GOOD.decode().encode("utf-16"), "not UTF-8"),
    "a picture": ("a.ipynb", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not UTF-8"),
    "lists too deep": ("a.ipynb", nested(200_000, "[", "]"), "nested too deeply"),
    "objects too deep": ("a.ipynb", nested(200_000, '{"a": ', "}", "1"), "nested too deeply"),
    "brackets without an end": ("a.ipynb", b'{"jax": ' + b"[" * 200_000 + b"}", "nested too deeply"),
    # JSON, but of another form
    "a list": ("a.ipynb", b'["jax", ' + GOOD + b"]", "no object"),
    "a string": ("a.ipynb", b'"jax"', "no object"),
    "a number": ("a.ipynb", b"1e999", "no object"),
    "NaN": ("a.ipynb", b"NaN", "no object"),
    "an object of something else": ("a.ipynb", b'{"jax": 1}', "`nbformat`"),
    "a format of true": ("a.ipynb", notebook(code(), nbformat=True), "`nbformat`"),
    "a format in words": ("a.ipynb", notebook(code(), nbformat="4"), "`nbformat`"),
    "a format of NaN": ("a.ipynb", notebook(code(), nbformat=float("nan")), "`nbformat`"),
    "an older format": ("a.ipynb", notebook(code(), nbformat=3, worksheets=[]), "nbformat 3"),
    "a format to come": ("a.ipynb", notebook(code(), nbformat=5), "nbformat 5"),
    "no cells": ("a.ipynb", b'{"nbformat": 4, "metadata": {"jax": 1}}', "`cells`"),
    "cells in an object": ("a.ipynb", notebook(cells={"jax": code()}), "`cells`"),
    "a cell of null": ("a.ipynb", notebook(code(), None), "cell 2 has no `cell_type`"),
    "a cell in words": ("a.ipynb", notebook(BAD), "cell 1 has no `cell_type`"),
    "a cell without a type": ("a.ipynb", notebook({"source": BAD}), "cell 1 has no `cell_type`"),
    "a cell whose type is a list": ("a.ipynb", notebook(code(cell_type=["code"])), "cell 1 has no `cell_type`"),
    "no source": ("a.ipynb", notebook({"cell_type": "code", "jax": 1}), "`source` of cell 1"),
    "a source of null": ("a.ipynb", notebook(code(None), "jax"), "`source` of cell 1"),
    "a number for a source": ("a.ipynb", notebook(code(), code(42)), "`source` of cell 2"),
    "an object for a source": ("a.ipynb", notebook(code({"jax": BAD})), "`source` of cell 1"),
    "a source with a number in it": ("a.ipynb", notebook(code([BAD, 1])), "`source` of cell 1"),
    "a source of lists": ("a.ipynb", notebook(code([[BAD]])), "`source` of cell 1"),
    # a notebook or a file of prose, but no Python
    "a lone surrogate": ("a.ipynb", notebook(code(BAD + "\ny = '\ud800'")), "JAX001"),
    "a null byte in a cell": ("a.ipynb", notebook(code(BAD + "\ny = '\0'")), "JAX001"),
    "a cell that is no Python": ("a.ipynb", notebook(code(), code("x = (")), "JAX001"),
    "a string without an end": ("a.ipynb", notebook(code("x = '''jax"), code("y")), "JAX001"),
    "too many brackets in a cell": ("a.ipynb", notebook(code(BAD + "\ny = " + "(" * 5000 + ")" * 5000)), "JAX004"),
    "prose that is not UTF-8": ("a.md", b"jax caf\xe9\n```python\nimport jax\n```\n", "not text"),
    "prose in UTF-16": ("a.rst", "jax\n".encode("utf-16"), "not text"),
    "a cell of prose that is no Python": ("a.md", b"```{code-cell}\nimport jax\nx = (\n```\n", "JAX001"),
}
"""A file, and what the one line about it says."""


def fenced(source: str = BAD, fence: str = "```", info: str = "python") -> str:
    return f"{fence}{info}\n{source}\n{fence}\n"


PICTURE = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo\n" * 50_000}, "metadata": {}}

FIXED: dict[str, tuple[str, bytes]] = {
    "metadata that is a list": ("a.ipynb", notebook(code(metadata=[1, {"tags": 2}]), metadata=[{}])),
    "metadata that is null": ("a.ipynb", notebook(code(metadata=None), metadata=None)),
    "languages that are numbers": (
        "a.ipynb",
        notebook(code(), metadata={"kernelspec": 3, "language_info": {"name": 4}}),
    ),
    "tags that are words": ("a.ipynb", notebook(code(metadata={"tags": "raises-exception"}))),
    "outputs that are nonsense": ("a.ipynb", notebook(code(outputs=[None, 3, {"a": float("inf")}]))),
    "cells of unknown types": ("a.ipynb", notebook({"cell_type": "jax", "source": 1}, code())),
    "an empty list for a source": ("a.ipynb", notebook(code([]), code(""), code(["", ""]), code())),
    "one letter at a time": ("a.ipynb", notebook(code(["#jax\n", *BAD.replace("x[0] = 1", "")]), code(["x[0] = 1"]))),
    "keys twice": ("a.ipynb", GOOD.replace(b'"cells": ', b'"cells": [{"source": "x[0] = 2"}], "cells": ')),
    "a source twice": ("a.ipynb", GOOD.replace(b'"source": ', b'"source": "x[0] = 2", "source": ')),
    "keys in escapes": ("a.ipynb", GOOD.replace(b'"source"', b'"\\u0073ource"').replace(b'"cells"', b'"\\u0063ells"')),
    "braces in strings": ("a.ipynb", GOOD.replace(b'"metadata": {}', b'"metadata": {"a": "}]\\"{[\\\\"}')),
    "escapes of every kind": (
        "a.ipynb",
        GOOD.replace(b"jnp.zeros(3)", b'jnp.zeros(3) # \\u00e9\\ud83c\\udfb2\\/\\t\\"'),
    ),
    "letters beyond ASCII": ("a.ipynb", GOOD.replace(b"jnp.zeros(3)", "jnp.zeros(3) # é🎲\u2028\x7f".encode())),
    "a byte order mark": ("a.ipynb", codecs.BOM_UTF8 + GOOD),
    "carriage returns in the file": ("a.ipynb", json.dumps(json.loads(GOOD), indent=1).replace("\n", "\r").encode()),
    "carriage returns in a cell": ("a.ipynb", notebook(code(BAD.replace("\n", "\r")))),
    "all line ends in a cell": ("a.ipynb", notebook(code(BAD.replace("\n", "\r\n", 1).replace("3)\n", "3)\r") + "\n"))),
    "form feeds in a cell": ("a.ipynb", notebook(code("\f" + BAD.replace("\n", "\n\f\n") + "\f"))),
    "no white space": ("a.ipynb", json.dumps(json.loads(GOOD), separators=(",", ":")).encode()),
    "white space everywhere": (
        "a.ipynb",
        json.dumps(json.loads(GOOD), indent="\t\t \n", separators=(" , ", " :\n")).encode(),
    ),
    "a huge picture": ("a.ipynb", notebook(code(outputs=[PICTURE] * 4))),
    "a hundred thousand cells": ("a.ipynb", notebook(*[{"cell_type": "markdown", "source": "#"}] * 100_000, code())),
    "three thousand cells of code": ("a.ipynb", notebook(*[code("y = 1")] * 3_000, code())),
    "a huge cell": ("a.ipynb", notebook(code("y = 1\n" * 10_000 + BAD))),
    "a huge line": ("a.ipynb", notebook(code(f"y = '{'z' * 1_000_000}'\n{BAD}"))),
    "lists as deep as JSON goes": ("a.ipynb", notebook(code(), x=json.loads("[" * 300 + "]" * 300))),
    "shell lines with quotes": ("a.ipynb", notebook(code("!echo \"it's\n%%time?\n" + BAD))),
    "magics in the middle": ("a.ipynb", notebook(code("%time\n" + BAD.replace("\n", "\n%foo [(\n!x '''\n")))),
    "fences without an end": ("a.md", ("```text\n```\n```python\n" + BAD).encode()),
    "fences in fences": ("a.md", ("````markdown\n```python\nx[1] = 1\n```\n````\n" + fenced(fence="``````")).encode()),
    "fences of two kinds": ("a.md", ("~~~text\n```python\n~~~\n" + fenced()).encode()),
    "a fence closed by a shorter one": (
        "a.md",
        f"`````python\n{BAD}\n```\n'''`````\n".replace("```\n'''", "#```\n").encode(),
    ),
    "tabs before fences": ("a.md", "".join(f"\t{line}\n" for line in fenced().splitlines()).encode()),
    "careless indentation": (
        "a.md",
        ("    ```python\n  " + BAD.replace("\n", "\n   ") + "\n    ```\n")
        .replace("   x", "x")
        .replace("  import", "import")
        .encode(),
    ),
    "carriage returns in prose": ("a.md", fenced().replace("\n", "\r").encode()),
    "all line ends in prose": ("a.md", ("a\rb\r\nc\n" + fenced().replace("\n", "\r\n")).encode()),
    "null bytes in prose": ("a.md", b"\0 jax \0\n" + fenced().encode()),
    "form feeds in prose": (
        "a.rst",
        (".. code::\f python\n\n\f.. code:: python\n\n" + "".join(f"   {line}\n" for line in BAD.splitlines()))
        .encode()
        .replace(b"\f..", b"\f\n.."),
    ),
    "a directive at the end": (
        "a.rst",
        (
            "  .. code:: python\n\n" + "".join(f"     {line}\n" for line in BAD.splitlines()) + "\n.. code:: python"
        ).encode(),
    ),
    "options without an end": (
        "a.md",
        (fenced("---\ntags: [", info="{code-cell}") + fenced(info="{code-cell}")).encode(),
    ),
    "a hundred thousand lines": ("a.md", ("jax `\n" * 100_000 + fenced()).encode()),
    "two thousand blocks": ("a.md", (fenced("y = 1") * 2_000 + fenced()).encode()),
    "quotes in quotes": ("a.md", "".join(f"> > {line}\n" for line in fenced().splitlines()).encode()),
}
"""Files that are read, each with the one finding of `BAD`."""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    capsys.readouterr()
    status = main([*arguments, "--output-format", "concise", "-q", "--isolated"])
    outcome = capsys.readouterr()
    assert "internal error" not in outcome.err
    return status, outcome.out.splitlines()


@pytest.mark.parametrize(("name", "data", "said"), ONE_LINE.values(), ids=ONE_LINE)
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    status, lines = run(capsys, str(path))
    assert len(lines) == 1
    assert said in lines[0]
    assert len(lines[0]) < 300 + len(str(path))
    assert status == (2 if "JAX002" in lines[0] else 1)
    run(capsys, str(path), "--fix", "--unsafe-fixes")
    assert path.read_bytes() == data


@pytest.mark.parametrize("data", [b"", b" \n\t\n"], ids=["nothing", "white space"])
def test_a_notebook_of_which_nothing_is_written_yet_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    (tmp_path / "a.ipynb").write_bytes(data)
    assert run(capsys, str(tmp_path)) == (0, [])


@pytest.mark.parametrize(("name", "data"), FIXED.values(), ids=FIXED)
def test_what_can_be_read_is_fixed_and_nothing_else_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    _, lines = run(capsys, str(path))
    assert [line.split(": ")[1].split()[0] for line in lines] == ["JAX301"]
    run(capsys, str(path), "--fix", "--unsafe-fixes")
    assert path.read_bytes() == data.replace(*FIX)
    assert run(capsys, str(path)) == (0, [])


def test_there_are_enough_of_them() -> None:
    assert len(ONE_LINE) + len(FIXED) >= 50


def test_a_notebook_beyond_the_limit_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.ipynb"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    status, (line,) = run(capsys, str(path))
    assert (status, "JAX004" in line) == (1, True)
