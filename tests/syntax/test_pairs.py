"""Nodes of libcst and the nodes of `ast` that they are: found without positions, and compared by them here."""

from __future__ import annotations

import ast
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from jaxlint.project.documents import document_of_python
from jaxlint.syntax.pairs import DifferentText, pairs

TESTS = Path(__file__).parents[1]
FILES = sorted([*TESTS.glob("syntax/*.py"), *TESTS.glob("programs/[kt]*/[a-m]*.py"), TESTS / "test_order.py"])

EVERY_FORM = (
    '''\
"""docstring""" ""
import a.b as c, d
from . import (e, f as g)
def f(x: int = 1, /, *y, z=2, **w) -> None: pass
async def h():
    async for i in await j: yield i
    async with k as l, m: pass
class C(D, metaclass=E):
    @property
    def p(self): return self.q.r[1, 2:3, ...](*s, t=1, **u)
x = y = (a and b and not c or d)
x: int
x += -1 ** 2 if p else (lambda a, *b: a)(1)
del x, (y, z)
[*a, b for_ := 1] if 0 else {**a, "k": 1}
'''.replace("[*a, b for_ := 1]", "[*a, (b := 1)]")
    + """\
g = {a: b for a, b in c if d if e}, {a for a in b}, [a for a in b for c in d], sum(x for x in y)
try: raise A from b
except (B, C) as e: assert a, b
else: global q
finally: nonlocal_ = 1
while 1 < x <= 2 != 3:
    break
else: continue_ = a[b][c].d; e = 1,
match x:
    case [1, *_] | {"k": v, **rest} if y: pass
    case C(1, k=(None | -1)) as z: pass
    case (a): pass
    case _: pass
print("é", (é), ((é.ü)))
"""
)


STRINGS = """\
s = f"ü{x!r:>{w}}{y=}" "plain" "" rf"\\d{z}" f""
"""
"""The parts of a formatted string have other places in each version of Python."""


def placed(module: cst.Module, text: str) -> None:
    """Compares all pairs by where they are."""
    found = pairs(module, ast.parse(text))
    places = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    document = document_of_python("/x.py", text)
    for node, counterpart in found.items():
        if not isinstance(node, (cst.BaseExpression, cst.BaseStatement, cst.BaseSmallStatement)):
            continue  # a wrapper, which has the node of what is in it
        if isinstance(node, cst.Name) and isinstance(counterpart, ast.Attribute):
            assert node.value == counterpart.attr
            continue
        place, where = document.location(counterpart), places[node]
        if isinstance(node, (cst.GeneratorExp, cst.Tuple)):  # parentheses belong to one of the two only
            assert place.line <= where.start.line
        else:
            assert (place.line, place.column) == (where.start.line, where.start.column + 1), node


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pairs_are_at_one_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    placed(cst.parse_module(text), text)


def test_every_form_of_python() -> None:
    module = cst.parse_module(EVERY_FORM)
    placed(module, EVERY_FORM)
    text = EVERY_FORM + STRINGS
    found = pairs(cst.parse_module(text), tree := ast.parse(text))
    kinds = (ast.expr, ast.stmt, ast.arg, ast.alias, ast.ExceptHandler, ast.pattern)
    missed = {node for node in ast.walk(tree) if isinstance(node, kinds)} - set(found.values())
    # What a libcst node has no part for: indices that are tuples, formats, and the text between replacement fields.
    assert {type(node) for node in missed} <= {ast.Tuple, ast.JoinedStr, ast.FormattedValue, ast.Constant}


@pytest.mark.parametrize("other", ["x = 2; y", "z = 2", "x = f(2)", "x: int = 2", "def f(): pass", ""])
def test_trees_of_two_texts_are_told_apart(other: str) -> None:
    with pytest.raises(DifferentText):
        pairs(cst.parse_module("x = 1"), ast.parse(other))
