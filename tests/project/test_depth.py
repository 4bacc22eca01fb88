"""The measure that guards libcst is never below the depth of the tree, and stays small for ordinary code."""

from __future__ import annotations

import pytest

from jaxlint.project.depth import nesting_depth

DEEP = {
    "parentheses": "(" * 500 + ")" * 500,
    "unclosed parentheses": "(" * 500,
    "minus signs": "-" * 500 + "1",
    "nots": "not " * 500 + "x",
    "sum": "+".join(["x"] * 501),
    "attributes": "x" + ".a" * 500,
    "calls": "f" + "()" * 500,
    "subscripts": "x" + "[0]" * 500,
    "calls in calls": "f(" * 500 + ")" * 500,
    "sum across lines in brackets": "(" + "\n+".join(["x"] * 501) + ")",
    "conditional expressions": "x if y else " * 500 + "z",
    "lambdas": "lambda: " * 500 + "1",
    "adjacent strings": "'a' " * 500,
    "elif": "if x:\n    pass\n" + "elif y:\n    pass\n" * 500,
    "indentation": " " * 500 + "x",
}

SHALLOW = {
    "long list of negative numbers": "[" + ", ".join(["-1"] * 5000) + "]",
    "many statements": "x = -a.b + c\n" * 5000,
    "brackets inside strings": "x = '" + "(" * 5000 + "'\n",
    "operators inside comments": "# " + "+" * 5000 + "\n",
    "dots inside docstrings": '"""' + "." * 5000 + '\n"""\n',
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep(text: str) -> None:
    assert nesting_depth(text) >= 499


@pytest.mark.parametrize("text", SHALLOW.values(), ids=SHALLOW)
def test_shallow(text: str) -> None:
    assert nesting_depth(text) < 20
