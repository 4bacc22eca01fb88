"""What of a module is another part after an edit, and where its lines are then."""

from __future__ import annotations

import pytest

from jaxlint.flow.source.parts import TEXT, Change, Parts
from jaxlint.project.documents import Document

MODULE = """\
import jax

SCALE = 2.0


def scaled(x, by=SCALE):
    return x * by


@jax.jit
def step(x):
    return scaled(x)


class Model:
    depth = 2

    def __init__(self):
        self.width = 3

    def loss(self, x):
        return x.sum()
"""


def change(old: str, new: str) -> Change:
    before, after = Parts.of(Document("m.py", old)), Parts.of(Document("m.py", new))
    return Change(before, after)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("return x * by", "return by * x", {"scaled"}),
        ("return scaled(x)", "return x", {"step"}),
        ("return x.sum()", "return x.mean()", {"Model.loss"}),
        ("SCALE = 2.0", "SCALE = 3.0", {"/"}),
        ("depth = 2", "depth = 3", {"/"}),
        ("@jax.jit\n", "@jax.remat\n", {"/", "step"}),
        ("by=SCALE", "by=1", {"=scaled", "scaled"}),
        ("by=SCALE", "by=print()", {"/", "=scaled", "scaled"}),  # a default that is computed runs with the module
        ("\n\n@jax", "\n\ndef added(x):\n    return x\n\n\n@jax", {"=added", "added"}),
        ("self.width", "self.height", {"=self.width", "=self.height", "+self.width", "+self.height", "Model.__init__"}),
        ("return scaled(x)", "global SCALE\n    SCALE = x\n    return x", {"=SCALE", "step"}),
        ("return scaled(x)", "SCALE[0] = 1\n    return x", {"=SCALE", "+SCALE[0]", "step"}),
        ("import jax\n", "import jax\nimport timeit\n", {"/", "^", "=scaled", "~timeit"}),
        ("# nothing", "# else", set()),
    ],
)
def test_an_edit_changes_the_parts_that_it_is_in(old: str, new: str, changed: set[str]) -> None:
    text = f"# nothing\n{MODULE}"
    assert change(text, text.replace(old, new, 1)).changed == {TEXT, *changed}


def test_functions_that_change_places_may_matter_to_anybody() -> None:
    one, other = "def f(x):\n    return x\n", "def g(x):\n    return 2 * x\n"
    assert change(one + other, other + one).changed == {TEXT, "/", "^", "=f", "=g", "f", "g"}


def test_a_line_is_found_where_its_part_is_now() -> None:
    longer = MODULE.replace("    return x * by", "    y = x * by\n    return y")
    moved = change(MODULE, f"\n\n{longer}")
    lines, new_lines = MODULE.splitlines(), f"\n\n{longer}".splitlines()
    for number, line in enumerate(lines, start=1):
        if line and "by" not in line:
            assert new_lines[moved.line(number) - 1] == line


@pytest.mark.parametrize("line", [7, 8, 40])
def test_a_line_of_what_is_not_as_it_was_is_nowhere(line: int) -> None:
    with pytest.raises(KeyError):
        change(MODULE, MODULE.replace("x * by", "by * x")).line(line)


@pytest.mark.parametrize("text", ["def f(:\n", "", "class A: x = 1\n", "def f(): return 1\n", "x = 1; y = 2\n"])
def test_any_text_has_parts(text: str) -> None:
    assert change(text, text).changed == set()
    assert TEXT in Parts.of(Document("m.py", text)).digests
