"""A program that was carried to another process is the same program, and finds the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from jaxlint.checks.spread import Pool
from jaxlint.checks.units import Runner
from jaxlint.checks.worker import run_part
from jaxlint.flow.domain.rows import rows_for
from jaxlint.project.carried import CannotCarryError, carried, digest, program_in
from jaxlint.project.program import Program
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration

BRANCH = "import jax\n\n@jax.jit\ndef f(x):\n    return 1 if x > 0 else {number}\n"

FILES = {
    "jaxlint.toml": 'preview = true\ncertainty = "possible"\ndoctest = true\nextend-include = ["*.md"]\n'
    'libraries = ["rows.toml"]\njax-version = "0.5"\n',
    "rows.toml": '[functions."foolib.fold"]\nsignature = "(init, xs, body, scale=1.5)"\n'
    'runs = "init = body(init, each(xs))"\nreturns = "init"\n',
    "pkg/__init__.py": "from pkg import noise\n",
    "pkg/noise.py": "import jax\n\ndef draw(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n",
    "pkg/chex/__init__.py": "",
    "pkg/rows.py": "import foolib\n\ndef body(c, x):\n    return c if x > 0 else c + 1\n\n"
    "def run(xs):\n    return foolib.fold(0.0, xs, body)\n",
    "jax/numpy.py": "raise ImportError\n",
    "script.py": "import noise\nfrom pkg.noise import draw\nimport jax\n\ndraw(jax.random.key(0))\n",
    "tests/test_it.py": BRANCH.format(number=2),
    "latin.py": "# -*- coding: latin-1 -*-\n# caf\xe9\n" + BRANCH.format(number=3),
    "broken.py": "def f(:\n",
    "magic.py": "# %%\n%timeit 1\n# %%\n" + BRANCH.format(number=4),
    "page.md": "# Page\n\n```python\n" + BRANCH.format(number=5) + "```\n",
    "examples.py": '"""Doc.\n\n>>> import jax\n>>> f = jax.jit(lambda x: 1 if x > 0 else 2)\n>>> f(1.0)\n"""\n',
    "notes.ipynb": json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": [
                {
                    "cell_type": "code",
                    "id": "a",
                    "metadata": {},
                    "outputs": [],
                    "execution_count": None,
                    "source": BRANCH.format(number=6) + "f(1.0)\n",
                }
            ],
        }
    ),
    "inner/pyproject.toml": "[project]\nname = 'inner'\n",
    "inner/module.py": BRANCH.format(number=7),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="latin-1" if name == "latin.py" else "utf-8")
    (tmp_path / "data.py").write_bytes(b"\xff\xfe\x00")
    return tmp_path


class InAThread:
    """A crew of one worker, which is given the program as one elsewhere is."""

    def __init__(self) -> None:
        self.parts = 0

    @contextmanager
    def pool(self, runner: Runner) -> Iterator[Pool]:
        packs = carried(runner.program, rows_for(runner.program))
        with ThreadPoolExecutor(1) as executor:
            yield Pool(executor, self.run, 5, (digest(packs), runner.is_noting, *packs))

    def run(self, *given: object) -> str:
        self.parts += 1
        return run_part(*given)


def run_over(folder: Path) -> Run:
    return Run.over([str(folder)], Configuration(str(folder)))


def test_a_carried_program_finds_the_same(folder: Path) -> None:
    alone, elsewhere = run_over(folder), run_over(folder)
    elsewhere.crew = crew = InAThread()
    expected = alone.findings()
    assert elsewhere.findings() == expected
    assert crew.parts > 3
    names = {Path(finding.path).name for finding in expected}
    assert names >= {"noise.py", "rows.py", "test_it.py", "latin.py", "magic.py", "page.md", "notes.ipynb", "module.py"}
    assert names >= {"broken.py", "data.py", "examples.py"}


def described(program: Program) -> list[object]:
    around = program.around
    modules = [(name, one.path, one.is_package, one.is_test) for name, one in program.modules.items()]
    known = (around.jax, around.source_roots, around.hidden, around.packages, around.tests, around.foreign)
    named = [
        program.resolve_import(module, level, name)
        for module in program.modules.values()
        for level in (0, 1, 2)
        for name in ("noise", "pkg", "pkg.noise.draw", "jax.numpy", "chex", "module", "tests.test_it")
    ]
    return [program.root, modules, known, program.foreign, named]


def test_it_needs_no_files(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    programs = list(run_over(folder).programs())
    packs = [carried(program, rows_for(program)) for program in programs]
    before = [described(program) for program in programs]
    folder.rename(tmp_path_factory.mktemp("away") / "project")
    assert [described(program_in(one)) for one in packs] == before
    assert [program_in(one).settings.libraries for one in packs] == [one.settings.libraries for one in programs]


def test_it_is_the_very_same_or_none(folder: Path) -> None:
    program = next(iter(run_over(folder).programs()))
    packs = carried(program, ())
    texts = packs[1:]
    assert carried(program, ()) == packs
    (folder / "script.py").write_text("import jax\n")
    other, *_ = carried(next(iter(run_over(folder).programs())), ())
    with pytest.raises((CannotCarryError, KeyError)):
        program_in([other, *texts])
