"""A session that mends: texts that do not parse keep the findings that are outside what is broken."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from jaxlint.running.once import Run
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from tests.session.editing import parses
from tests.session.test_notebook_edits import notebook

FILL = """\
import jax
import jax.numpy as jnp


def fill(n):
    x = jnp.zeros(n)
    x[0] = 1
    return x


@jax.jit
def step(x):
    print(x)
    if x > 0:
        return x
    return -x


@jax.jit
def other(
    x,
    key,
):
    a = jax.random.normal(key)
    return a + jax.random.normal(
        key,
    )
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "jaxlint.toml").write_text("")
    return Session(Configuration(str(tmp_path)), mends=True)


def told(session: Session, name: str, text: str) -> list[tuple[str, int]]:
    path = f"{session.configuration.cwd}/{name}"
    session.change(path, text)
    return [(each.code, each.location.line) for each in session.findings(path)]


WHOLE = [("JAX301", 7), ("JAX101", 13), ("JAX201", 14), ("JAX401", 25)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("x[0] = 1", "x[0 = 1", [("JAX001", 7), *WHOLE[1:]]),  # the statement itself
        ("print(x)", "print(x", [WHOLE[0], ("JAX001", 13), *WHOLE[2:]]),
        ("def step(x):\n", "def step(x\n", [WHOLE[0], ("JAX001", 12), *WHOLE[1:]]),  # its body is another statement
        ("        key,\n    )\n", "        key,\n", [*WHOLE[:3], ("JAX001", 25)]),  # a statement of several lines
        ("    key,\n):", "    key,\n", [*WHOLE[:3], ("JAX001", 20), ("JAX401", 25)]),
        (
            "import jax.numpy as jnp\n",
            'import jax.numpy as jnp\nx = """\n',
            [("JAX001", 3), *((c, n + 1) for c, n in WHOLE)],
        ),
        ("    return -x\n", "    return -x\n  y = 1\n", [*WHOLE[:3], ("JAX001", 17), ("JAX401", 26)]),
    ],
)
def test_one_broken_statement(session: Session, old: str, new: str, expected: list[tuple[str, int]]) -> None:
    assert told(session, "fill.py", FILL) == WHOLE
    assert sorted(told(session, "fill.py", FILL.replace(old, new, 1))) == sorted(expected)
    assert told(session, "fill.py", FILL) == WHOLE
    windows = FILL.replace("\n", "\r\n")
    assert told(session, "fill.py", windows) == WHOLE
    assert sorted(told(session, "fill.py", windows.replace(old.replace("\n", "\r\n"), new, 1))) == sorted(expected)


def test_a_file_that_never_parsed_has_that_alone(session: Session) -> None:
    assert told(session, "fill.py", FILL + "x = (\n") == [("JAX001", 28)]
    assert told(session, "fill.py", FILL) == WHOLE


def test_what_is_put_elsewhere_is_judged_though_two_places_are_broken(session: Session) -> None:
    told(session, "fill.py", FILL)
    text = FILL.replace("n)\n    x[0]", "n\n    x[0]")
    assert told(session, "fill.py", text) == [("JAX001", 6), *WHOLE]
    text = text.replace("x > 0:", "x >")
    assert told(session, "fill.py", text) == [("JAX001", 6), WHOLE[0], WHOLE[1], WHOLE[3]]
    text = text.replace("    a = jax.random.normal(key)\n", "\n    a = float(x)\n")
    assert told(session, "fill.py", text) == [("JAX001", 6), WHOLE[0], WHOLE[1], ("JAX211", 25)]


def test_a_long_text_that_is_broken_at_its_top_and_edited_at_its_end(session: Session) -> None:
    parts = [re.sub(r"def (\w+)", rf"def \1_{n}", FILL) for n in range(80)]
    whole = told(session, "long.py", "\n".join(parts))
    assert len(whole) == 320
    parts[0] = "half = (\n" + parts[0]
    parts[-1] = "# why\n" + parts[-1]
    moved = [(code, line + 1 + (line > 79 * 28)) for code, line in whole]
    assert told(session, "long.py", "\n".join(parts)) == [("JAX001", 1), *moved]


def test_fixes_are_made_outside_and_not_inside(session: Session) -> None:
    told(session, "fill.py", FILL)
    told(session, "fill.py", FILL.replace("@jax.jit\ndef step", "y = (\n\n\n@jax.jit\ndef step"))
    found = session.findings(f"{session.configuration.cwd}/fill.py")
    fixes = {each.code: [edit.location.line for edit in each.fix.edits] for each in found if each.fix is not None}
    assert fixes["JAX301"] == [7]
    assert fixes["JAX101"] == [16]


CELLS = [
    "import jax\nimport jax.numpy as jnp",
    "%time x = jnp.zeros(3)",
    "x[0] = 1\nx[1] = 2",
    "y = jax.jit(lambda x: -x if x > 0 else x)(1)",
]


def in_cells(session: Session, cells: list[str]) -> list[tuple[int, int, str]]:
    path = f"{session.configuration.cwd}/a.ipynb"
    session.change(path, notebook(cells))
    return [(each.location.cell, each.location.line, each.code) for each in session.findings(path)]


def test_a_broken_cell(session: Session) -> None:
    before = in_cells(session, CELLS)
    assert before == [(3, 1, "JAX301"), (3, 2, "JAX301"), (4, 1, "JAX201")]
    assert in_cells(session, [*CELLS[:2], "\nx[0] = 1\nx[1 = 2", CELLS[3]]) == [
        (3, 2, "JAX301"),
        (3, 3, "JAX001"),
        before[2],
    ]
    broken = [CELLS[0], "z = (", *CELLS[1:]]
    assert in_cells(session, broken) == [(2, 1, "JAX001"), *((cell + 1, line, code) for cell, line, code in before)]
    broken[-1] = "y = 1\nprint(jnp.ones(3)[0] == 1)\ny = jax.jit(lambda x: float(x))(1)"
    assert in_cells(session, broken)[-1] == (5, 3, "JAX211")
    assert in_cells(session, CELLS) == before


def test_cells_of_a_script(session: Session) -> None:
    script = "\n".join(f"# %%\n{cell}" for cell in (CELLS[0], "x = jnp.zeros(3)", CELLS[2], "jnp.sort(x)"))
    before = told(session, "cells.py", script)
    assert before == [("JAX301", 7), ("JAX301", 8)]
    assert told(session, "cells.py", script.replace("x[1] = 2", "x[1] = ")) == [("JAX301", 7), ("JAX001", 8)]
    assert told(session, "cells.py", script.replace("# %%\nx =", "# %%\nif\nx =")) == [
        ("JAX001", 5),
        ("JAX301", 8),
        ("JAX301", 9),
    ]
    assert told(session, "cells.py", script) == before


@pytest.mark.parametrize("seed", range(6))
def test_after_many_broken_states_a_text_has_what_a_first_run_finds(seed: int, session: Session) -> None:
    chance = random.Random(seed)
    path, text = f"{session.configuration.cwd}/fill.py", FILL
    Path(path).write_text(text)
    told(session, "fill.py", text)
    compared = 0
    for _ in range(60):
        place = chance.randrange(len(text))
        new = chance.choice(["(", ")", ":", '"""', "\n", "    ", "x", "\\", "", "", "", "", ""])
        text = text[:place] + new + text[place + (not new) :]
        if chance.random() < 0.1:
            text = FILL.replace("x > 0", chance.choice(["x > 1", "True", "x.ndim"]))
        found = told(session, "fill.py", text)
        if parses(text):
            first = Run.over([path], session.configuration, {path: text.encode()}).findings()
            assert found == [(each.code, each.location.line) for each in first]
            compared += 1
        else:
            assert [code for code, _ in found].count("JAX001") == 1
    assert compared > 5


def test_what_imports_a_text_that_broke_before_anybody_asked_is_judged_by_what_it_was(tmp_path: Path) -> None:
    sampling = "import jax\n\n\ndef noise(key):\n    return jax.random.normal(key)\n"
    training = "import jax\nfrom sampling import noise\n\nkey = jax.random.key(0)\na = noise(key) + noise(key)\n"
    for name, text in {"jaxlint.toml": "", "sampling.py": sampling, "training.py": training}.items():
        (tmp_path / name).write_text(text)
    by_file, by_buffer, later = (Session(Configuration(str(tmp_path))) for _ in range(3))
    by_buffer.open(f"{tmp_path}/sampling.py", sampling)
    assert later.all_findings()
    later.open(f"{tmp_path}/sampling.py", sampling + "\n")
    for session in (by_file, by_buffer, later):
        session.change(f"{tmp_path}/sampling.py", sampling + "x = (\n")
        found = session.all_findings()
        assert [each.code for each in found[f"{tmp_path}/sampling.py"]] == ["JAX001"]
        assert [each.code for each in found[f"{tmp_path}/training.py"]] == ["JAX401"]
