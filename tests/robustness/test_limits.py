"""Code at and beyond every limit, through the real command: a finding or nothing, never a dead process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEADER = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n"
DEEP = 10_000


def jaxlint(path: Path) -> subprocess.CompletedProcess[str]:
    """The command on one path, as a user runs it; fails the test for a traceback, a signal or a minute."""
    command = [sys.executable, "-m", "jaxlint", "--isolated", "--output-format", "concise", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=path.parent)
    assert result.returncode in (0, 1, 2), result
    assert "Traceback" not in result.stderr
    assert "internal error" not in result.stderr, result.stderr
    return result


def codes(result: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    """(line, code) of each reported finding."""
    found = []
    for line in result.stdout.splitlines():
        if " JAX" in line:
            place, _, rest = line.partition(": ")
            found.append((place.split(":")[1], rest.split()[0].rstrip(":")))
    return found


DEEP_EXPRESSIONS = {
    "parentheses": "(" * DEEP + "x" + ")" * DEEP,
    "lists": "[" * DEEP + "x" + "]" * DEEP,
    "dicts": "{1: " * DEEP + "x" + "}" * DEEP,
    "calls inside calls": "f(" * DEEP + "x" + ")" * DEEP,
    "calls of calls": "f" + "(x)" * DEEP,
    "attributes": "x" + ".at" * DEEP,
    "subscripts": "x" + "[0]" * DEEP,
    "subscripts inside subscripts": "x[" * DEEP + "0" + "]" * DEEP,
    "minus signs": "-" * DEEP + "x",
    "not": "not " * DEEP + "x",
    "lambdas": "lambda: " * DEEP + "x",
    "ternaries": "x if x else " * DEEP + "x",
    "powers": "x ** " * DEEP + "x",
    "sums": "x + " * DEEP + "x",
    "sums from the right": "x + (" * DEEP + "x" + ")" * DEEP,
    "comparisons": "x < " * DEEP + "x",
    "ands": "x and " * DEEP + "x",
    "adjacent strings": "'s' " * DEEP,
    "assignments": "y = " * DEEP + "x",
    "elements": "[" + "x, " * DEEP + "]",
    "arguments": "f(" + "x, " * DEEP + ")",
    "clauses": "[x " + "for y in x " * DEEP + "]",
    "formatted values": "f'" + "{x}" * DEEP + "'",
    "starred": "[" + "*x, " * DEEP + "]",
}


@pytest.mark.parametrize("name", DEEP_EXPRESSIONS)
def test_ten_thousand_levels_are_refused_or_handled_but_never_crash(name: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.py"
    path.write_text(f"{HEADER}    y = {DEEP_EXPRESSIONS[name]}\n    return y\n\n\nimport jax.numpy as jnp\n")
    result = jaxlint(path)
    assert result.returncode in (0, 1)
    told = {"JAX001", "JAX004", "JAX201", "JAX202", "JAX207", "JAX214", "JAX303", "JAX515"}
    assert {code for _, code in codes(result)} <= told


DEEP_STATEMENTS = {
    "elif": "    if x is None:\n        pass\n" + "    elif x is None:\n        pass\n" * DEEP,
    "decorators": "    @f\n" * DEEP + "    def g():\n        pass\n",
    "blocks": "".join(" " * (4 + n) + "if x is None:\n" for n in range(90)) + " " * 94 + "pass\n",
    "too many blocks": "".join(" " * (4 + n) + "if x is None:\n" for n in range(200)) + " " * 204 + "pass\n",
    "loops": "".join(" " * (4 + n) + "for y in x:\n" for n in range(15)) + " " * 19 + "pass\n",
    "functions": "".join(" " * (4 + n) + "def g(x):\n" for n in range(90)) + " " * 94 + "return x\n",
    "classes": "".join(" " * (4 + n) + "class G:\n" for n in range(90)) + " " * 94 + "pass\n",
    "with": "    with " + ", ".join(["x as y"] * DEEP) + ":\n        pass\n",
    "cases": "    match x:\n" + "        case 1:\n            pass\n" * DEEP,
    "parameters": "    def g(" + ", ".join(f"p{n}" for n in range(DEEP)) + "):\n        pass\n",
    "globals": "    global " + ", ".join(f"p{n}" for n in range(DEEP)) + "\n",
}


@pytest.mark.parametrize("name", DEEP_STATEMENTS)
def test_endless_statements_are_refused_or_handled_but_never_crash(name: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.py"
    path.write_text(f"{HEADER}{DEEP_STATEMENTS[name]}")
    result = jaxlint(path)
    assert result.returncode in (0, 1)


def test_code_nested_too_deeply_is_said_to_be_and_its_neighbours_are_linted(tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text("y = " + DEEP_EXPRESSIONS["parentheses"] + "\n")
    (tmp_path / "shallow.py").write_text(f"{HEADER}    if x > 0:\n        return x\n")
    result = jaxlint(tmp_path)
    assert result.returncode == 1
    assert codes(result) == [("1", "JAX004"), ("7", "JAX201")]


def test_a_sum_of_two_thousand_terms_is_analysed(tmp_path: Path) -> None:
    path = tmp_path / "long_sum.py"
    path.write_text(f"{HEADER}    y = {'x + ' * 2000}x\n    if y > 0:\n        return y\n    return x\n")
    assert codes(jaxlint(path)) == [("8", "JAX201")]


def test_a_chain_of_a_thousand_calls_through_functions_ends(tmp_path: Path) -> None:
    chain = "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n\n\n" for n in range(1000))
    path = tmp_path / "chain.py"
    path.write_text(f"{chain}def f1000(x):\n    return f0(x)\n\n\n{HEADER}    return f0(x)\n")
    assert jaxlint(path).returncode in (0, 1)


def test_many_paths_through_one_function_end(tmp_path: Path) -> None:
    branches = "".join(f"    if x.ndim == {n}:\n        x = x + {n}\n" for n in range(500))
    path = tmp_path / "paths.py"
    path.write_text(f"{HEADER}{branches}    if x.sum() > 0:\n        return x\n    return -x\n")
    assert codes(jaxlint(path)) == [("1007", "JAX201")]


def test_a_file_of_a_hundred_thousand_lines_is_linted(tmp_path: Path) -> None:
    about = '    """The wave.\n\n    Args:\n        key: A key.\n        x: Times.\n    """\n'
    code = "    y = jnp.sin(x)\n    y = y + jnp.cos(y) * 2\n    return jnp.where(y > 0, y, x)\n"
    one = f"def f{{n}}(key, x):\n{about}{code}\n\n"
    functions = "".join(one.format(n=n) for n in range(100_000 // one.count("\n")))
    path = tmp_path / "long.py"
    path.write_text(f"{HEADER}    return x\n\n\n{functions}@jax.jit\ndef last(x):\n    if x > 0:\n        return x\n")
    (line, code), *others = codes(jaxlint(path))
    assert (code, others) == ("JAX201", [])
    assert int(line) > 99_000


def test_a_file_of_fifty_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.py"
    path.write_bytes(b"x = 1  # padding\n" * (50 * 1024 * 1024 // 17))
    assert codes(jaxlint(path)) == [("1", "JAX004")]


BYTES = {
    "nothing": (b"", []),
    "only a byte order mark": (b"\xef\xbb\xbf", []),
    "null bytes": (b"x = 1\n\x00\n", ["JAX001"]),
    "only null bytes": (b"\x00" * 4096, ["JAX001"]),
    "UTF-16": ("import jax\n".encode("utf-16"), ["JAX002"]),
    "bytes that are not UTF-8": (b"x = '\xff\xfe'\n", ["JAX002"]),
    "Latin-1 that says so": ("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), []),
    "an unknown encoding": (b"# -*- coding: klingon -*-\nx = 1\n", ["JAX002"]),
    "a codec that makes no text": (b"# -*- coding: zlib -*-\nx = 1\n", ["JAX002"]),
    "a control character": (b"x = 1\n\x1a", ["JAX001"]),
    "form feeds and carriage returns": (b"\x0cimport jax\r\rx = 1\r\n\x0cy = 2", []),
    "no last line end": (b"x = 1", []),
    "a lone surrogate escape": (b"x = '\\ud800'\n", []),
    "an unfinished string": (b"x = '''", ["JAX001"]),
    "a backslash at the end": (b"x = 1 \\", ["JAX001"]),
    "an ELF header": (b"\x7fELF\x02\x01\x01" + bytes(range(256)), ["JAX002"]),
}


@pytest.mark.parametrize("name", BYTES)
def test_odd_bytes_give_at_most_one_clear_finding(name: str, tmp_path: Path) -> None:
    data, expected = BYTES[name]
    path = tmp_path / "odd.py"
    path.write_bytes(data)
    result = jaxlint(path)
    assert [code for _, code in codes(result)] == expected
    assert result.returncode == (2 if "JAX002" in expected else len(expected))


def test_an_annotation_that_calls_its_own_function_ends(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import jax\n\n\ndef f(x: jax.jit(f)(1).kind) -> f.kind:\n    return x\n\n\n"
        "@jax.jit\ndef g(x: jax.grad(g)(x)[0]):\n    print(x)\n    return f(x)\n"
    )
    assert codes(jaxlint(path)) == [("10", "JAX101")]
