"""What libcst reads and what CPython reads are one tree, down to every position."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import warnings
from pathlib import Path

import libcst as cst
import pytest

from jaxlint.syntax.lower import parse
from jaxlint.syntax.lowering import REGISTRY

KINDS = (
    cst.BaseAugOp,
    cst.BaseBinaryOp,
    cst.BaseBooleanOp,
    cst.BaseCompOp,
    cst.BaseCompoundStatement,
    cst.BaseDictElement,
    cst.BaseElement,
    cst.BaseExpression,
    cst.BaseSlice,
    cst.BaseSmallStatement,
    cst.BaseStatement,
    cst.BaseSuite,
    cst.BaseUnaryOp,
    cst.MatchPattern,
)


def test_every_node_class_is_lowered() -> None:
    nodes = {node for node in vars(cst).values() if inspect.isclass(node) and issubclass(node, KINDS)}
    concrete = {node for node in nodes if not inspect.isabstract(node) and not node.__name__.startswith("Base")}
    assert concrete - REGISTRY.keys() == set()


def dump(tree: ast.Module) -> str:
    if sys.version_info < (3, 12):
        forget_places_in_f_strings(tree)
    return ast.dump(tree, include_attributes=True, indent=1)


def forget_places_in_f_strings(tree: ast.Module) -> None:
    """Before 3.12 the parts of an f-string have the place of the whole string, or a wrong one."""
    for string in ast.walk(tree):
        for part in ast.walk(string) if isinstance(string, ast.JoinedStr) else ():
            if isinstance(part, ast.expr) and part is not string:
                part.lineno = part.col_offset = part.end_lineno = part.end_col_offset = 0


def fronts(text: str) -> tuple[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes
        return dump(parse(text)), dump(ast.parse(text))


def sources() -> list[Path]:
    """Every third file of four libraries: enough for each construct, few enough to wait for."""
    found: list[Path] = []
    for package in ("chex", "equinox", "flax", "optax"):
        spec = importlib.util.find_spec(package)
        if spec is not None:
            found.extend(path for root in spec.submodule_search_locations or () for path in Path(root).rglob("*.py"))
    return sorted(found)[::3]


def test_real_files_are_read_alike() -> None:
    different = []
    for path in sources():
        lowered, expected = fronts(path.read_text(encoding="utf-8"))
        if lowered != expected:
            different.append(path.name)
    assert different == []


# Where a position or a shape is not what libcst's own would suggest.
SNIPPETS = [
    "f(x for x in y)",
    "f( # why\n (x for x in y) )",
    "f((x for x in y), 1)",
    "f(*a, b=(1), **(k))",
    "((1, 2))",
    "x = 1, 2,",
    "x = (((1, ), ), )",
    "x[a : ]",
    "x[ : ]",
    "x[(a) : (b) : ]",
    "x[a, ]",
    "x[(a, b)]",
    "x[a : b, ..., None]",
    "a and b and (c and d) or e",
    "a < b <= c != d is not e not in f",
    "not -x ** ~y @ z // w",
    "del a, (b), c[0]",
    "del (a, b)",
    "del (a)",
    "(x).y = z = (w)",
    "x: (int) = 1",
    "x.y: int",
    "x += yield",
    "if a:\n  b\nelif c:\n  d; e\nelse:\n  f",
    "if a: b; c;",
    "class A:\n  def f(): x;\ny",
    "try: a\nexcept B:\n  c;",
    "match a:\n  case b: c;",
    "for (i, *j), k in l: pass\nelse: m",
    "while (x := f()): break",
    "with (a as b, c as (d, e)): pass",
    "with (a), (b) as c: pass",
    "try:\n  a\nexcept (B, C) as d: e\nexcept: f\nelse: g\nfinally: h",
    "raise A from (b)",
    "assert a, (b)",
    "import a.b.c, d as e",
    "from . import (a as b, c,)",
    "from ...x.y import *",
    "@d\n@e(1)\nclass A(B, *C, m=D, **E): x = 1",
    "def f(a, /, b: (int) = 1, *c: (int), d, e=2, **k) -> (int): return",
    "def f(*, a): yield from b",
    "lambda: (yield)",
    "lambda a, /, b=1, *, c, **d: a",
    "async def f():\n  async with a as b: await c\n  async for d in e: [x async for x in y if z if w for v in u]",
    "{**a, 'b': (c), }",
    "{*a, b}",
    "{k: v for k, v in a}",
    "'a' 'b' \"c\"",
    "b'a' rb'\\n'",
    "u'a' 'b'",
    "'é' + f(x)",
    "x = '''a\r\nb'''\r\ny = 2",
    "f'a{x}b{{c}}\\n{y!r:>{w}.2f}' 'd' rf'\\n{z}'",
    "f'{x = }{y=!s}{z=:3}'",
    "f'''a\n{b}\n'''",
    "f'{x,}{(lambda: 1)}{ {1: 2}[1] }'",
    "f'\\N{DIGIT ONE}{a}'",
    "1_000 + 0x_ff + 1e400 - 2.5j",
    "...\nNone; True",
    "match a, b:\n  case 1 | -2 | 3+4j: pass\n  case (a.b): pass\n  case [x, *_] | (y, *z): pass",
    "match x:\n  case {'a': 1, **r}: pass\n  case C(a, b=[]): pass\n  case (_ as n) if n: pass\n  case 'a' 'b', : pass",
    "match x:\n  case None: pass\n  case (): pass\n  case *a, b: pass\n  case _: pass",
    "\f\nx = 1 \\\n  + 2  # a comment",
    "",
    "# only a comment",
]


@pytest.mark.parametrize("text", SNIPPETS)
def test_snippets_are_read_alike(text: str) -> None:
    lowered, expected = fronts(text)
    assert lowered == expected


@pytest.mark.skipif(sys.version_info < (3, 11), reason="new in 3.11")
@pytest.mark.parametrize("text", ["x[*a]", "x[*a, 1:2]", "def f(*a: *b): pass", "try: a\nexcept* B as c: d"])
def test_snippets_of_python_3_11_are_read_alike(text: str) -> None:
    lowered, expected = fronts(text)
    assert lowered == expected


@pytest.mark.parametrize(
    ("text", "line"), [("x = 1\ny = = 2\n", 2), ("'open", 1), ("a = 1\n    b = 2\n", 2), ("f(", 1)]
)
def test_an_error_says_where(text: str, line: int) -> None:
    with pytest.raises(SyntaxError) as caught:
        parse(text)
    assert caught.value.lineno == line
    assert caught.value.offset is not None
    assert caught.value.offset >= 1


def test_what_nests_too_deeply_is_a_syntax_error() -> None:
    with pytest.raises(SyntaxError, match="nested"):
        parse(" + ".join(["x"] * 900))
