"""Results that are kept between runs: the same answers as without, whatever happened meanwhile, and sooner."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint import fixes
from jaxlint.files import store
from jaxlint.files.store import Store
from jaxlint.flow.domain.values import ModuleScope
from jaxlint.flow.engine import entries
from jaxlint.flow.engine.machine import Machine
from jaxlint.running import once
from tests.command.conftest import IMPURE, Jaxlint, Outcome

Write = Callable[[dict[str, str]], None]

HELPER = "def report(x):\n    print(x)\n"
CALLER = "import jax\nfrom helper import report\n\n\n@jax.jit\ndef f(x):\n    report(x)\n    return x\n"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The roots of the programs that are analysed, as opposed to remembered."""
    found: list[str] = []
    analyse = once.findings_of

    def counted(program: once.Program, *rest: object, **named: object) -> list[once.Finding]:
        found.append(program.root)
        return analyse(program, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(once, "findings_of", counted)
    return found


def kept(project: Path) -> list[Path]:
    return sorted((project / ".jaxlint_cache" / "static").glob("*.jsonl"))


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github"])
def test_a_second_run_says_the_same_and_analyses_nothing(
    jaxlint: Jaxlint, write: Write, runs: list[str], form: str
) -> None:
    write({"a.py": IMPURE, "helper.py": HELPER, "caller.py": CALLER, "broken.py": "def f(:\n"})
    first = jaxlint("--output-format", form)
    second = jaxlint("--output-format", form)
    assert first == second
    assert first.code == 1
    assert len(runs) == 1


CHANGES: dict[str, Callable[[Path], object]] = {
    "an edit": lambda project: (project / "caller.py").write_text(CALLER.replace("jax.jit", "jax.remat")),
    "an edit of a file that another one imports": lambda project: (project / "helper.py").write_text("report = id\n"),
    "a new file": lambda project: (project / "b.py").write_text(IMPURE),
    "a file that is gone": lambda project: (project / "helper.py").unlink(),
    "a file with another name": lambda project: (project / "a.py").rename(project / "b.py"),
    "a setting": lambda project: (project / "jaxlint.toml").write_text('ignore = ["JAX101"]\n'),
    "a comment": lambda project: (project / "a.py").write_text(IMPURE.replace("(x)\n    r", "(x)  # noqa\n    r")),
    "what is declared": lambda project: (project / "requirements.txt").write_text("jax==0.4.1\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(jaxlint: Jaxlint, write: Write, project: Path, runs: list[str], change: str) -> None:
    write({"a.py": IMPURE, "helper.py": HELPER, "caller.py": CALLER})
    jaxlint()
    CHANGES[change](project)
    second = jaxlint()
    assert second == jaxlint("--no-cache")
    assert len(runs) == 3


def test_what_was_before_a_change_is_still_known(jaxlint: Jaxlint, write: Write, runs: list[str]) -> None:
    write({"a.py": IMPURE})
    first = jaxlint()
    write({"a.py": ""})
    jaxlint()
    write({"a.py": IMPURE})
    assert jaxlint() == first
    assert len(runs) == 2


def test_a_module_that_only_lies_there_is_looked_for_again(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    """Code that cannot start, as what it imports is gone, is not told of removed names."""
    write({"pkg/__init__.py": "", "pkg/a.py": "import jax\nfrom pkg.native import f\n\njax.tree_map(f, 1)\n"})
    form = ("--output-format", "concise")
    assert jaxlint(*form).found == jaxlint(*form, "--no-cache").found
    (project / "pkg" / "native.so").write_bytes(b"")
    assert jaxlint(*form).found == jaxlint(*form, "--no-cache").found == ["pkg/a.py:4 JAX801"]


def test_files_that_are_asked_for_differ(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "b.py": IMPURE})
    assert jaxlint("a.py", "--output-format", "concise").found == ["a.py:6 JAX101"]
    assert jaxlint("b.py", "--output-format", "concise").found == ["b.py:6 JAX101"]


def test_fixes_are_made_of_the_files(jaxlint: Jaxlint, write: Write, project: Path, runs: list[str]) -> None:
    """What somebody else may have written is printed at most: it never gets into a file."""
    write({"a.py": IMPURE})
    jaxlint("--output-format", "json")
    (file,) = kept(project)
    _, *lines = file.read_text().splitlines()
    Store(str(project / ".jaxlint_cache"), "static").keep(
        file.stem, [line.replace("jax.debug.print", "exec") for line in lines]
    )
    assert "exec(" in jaxlint("--output-format", "json").out
    assert jaxlint("--fix").code == 0
    assert "jax.debug.print(" in (project / "a.py").read_text()


def test_no_cache_neither_reads_nor_writes(jaxlint: Jaxlint, write: Write, project: Path, runs: list[str]) -> None:
    write({"a.py": IMPURE})
    jaxlint("--no-cache")
    assert not (project / ".jaxlint_cache").exists()
    jaxlint()
    jaxlint("--no-cache")
    assert len(runs) == 3


def test_the_folder_may_be_another_one(
    jaxlint: Jaxlint, write: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.py": IMPURE})
    jaxlint("--cache-dir", "kept")
    monkeypatch.setenv("JAXLINT_CACHE_DIR", str(project / "elsewhere"))
    jaxlint()
    assert not (project / ".jaxlint_cache").exists()
    assert len(list((project / "kept" / "static").iterdir())) == 1
    (project / "elsewhere" / "mine.txt").write_text("")
    assert jaxlint("clean").out == "removed elsewhere\n"
    assert jaxlint("clean", "--cache-dir", "kept").out == "removed kept\n"
    assert [path.name for path in (project / "elsewhere").iterdir()] == ["mine.txt"]
    assert not (project / "kept").exists()


def test_git_does_not_see_it(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    jaxlint()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    status = subprocess.run(["git", "status", "--short"], cwd=project, check=True, capture_output=True, text=True)
    assert ".jaxlint_cache" not in status.stdout


def test_a_folder_that_takes_nothing_is_no_trouble(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    (project / ".jaxlint_cache").write_text("a file\n")
    assert jaxlint("--output-format", "concise").found == ["a.py:6 JAX101"]
    assert (project / ".jaxlint_cache").read_text() == "a file\n"


def damaged(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return rng.choice(
        [
            data[:place],
            data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :],
            data[:place] + rng.randbytes(20) + data[place:],
            data + data[place:],
            b"",
        ]
    )


def test_damage_at_any_byte_changes_no_answer(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    first = jaxlint("--output-format", "json")
    (file,) = kept(project)
    whole, rng = file.read_bytes(), random.Random(0)
    for _ in range(60):
        data = damaged(whole, rng)
        file.write_bytes(data)
        assert jaxlint("--output-format", "json") == first, data
        assert file.read_bytes() == whole


def test_lines_of_another_form_are_not_believed(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    """The seal is right, and what it seals is nothing that this version writes."""
    write({"a.py": IMPURE})
    first = jaxlint()
    (file,) = kept(project)
    cache = Store(str(project / ".jaxlint_cache"), "static")
    for lines in ([], ["{}", "{}"], ["[]"], ["{}", "[1]"], ["{}", "not JSON"], ['{"a": 1}'], ["{}", '{"location": 3}']):
        cache.keep(file.stem, lines)
        assert jaxlint() == first, lines


def test_runs_at_once_and_runs_that_are_killed(write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "helper.py": HELPER, "caller.py": CALLER})
    command = [sys.executable, "-m", "jaxlint", "--output-format", "concise"]
    first = subprocess.run([*command, "--no-cache"], cwd=project, capture_output=True, text=True)
    for delay in (0.02, 0.2, 0.4, 0.6):
        running = [subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL) for _ in range(2)]
        try:
            running[0].wait(delay)
        except subprocess.TimeoutExpired:
            running[0].kill()
        for process in running:
            process.wait()
    later = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert (later.stdout, later.returncode) == (first.stdout, first.returncode)
    assert {path.suffix for path in (project / ".jaxlint_cache" / "static").iterdir()} == {".jsonl"}


def test_the_oldest_results_go_where_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 1_000)
    kept = Store(str(tmp_path), "static")
    for number in range(20):
        kept.keep(f"{number:02}", ["x" * 100])
        os.utime(tmp_path / "static" / f"{number:02}.jsonl", (number, number))
    assert kept.read("19") == ["x" * 100]
    assert kept.read("00") is None
    assert sum(path.stat().st_size for path in (tmp_path / "static").iterdir()) <= 1_000


EDITS = (
    "import jax\n",
    "@jax.jit\ndef f(x):\n    return report(x)\n",
    "def report(x):\n    print(x)\n    return x\n",
    "from b import report\n",
    "from a import *\n",
    "key = jax.random.key(0)\nx = jax.random.normal(key)\n",
    "y = jax.random.uniform(key)\n",
    "def f(:\n",
)


def edit(project: Path, rng: random.Random) -> None:
    """One step of somebody's work."""
    names = sorted(path.name for path in project.glob("*.py"))
    name = rng.choice(names) if names else "a.py"
    step = rng.randrange(5)
    if step == 0 and names:
        (project / name).unlink()
    elif step == 1 and names:
        (project / name).replace(project / rng.choice(["a.py", "b.py", "c.py"]))
    else:
        (project / rng.choice(["a.py", "b.py", "c.py"])).write_text("".join(rng.choices(EDITS, k=4)))


def normal(outcome: Outcome) -> str:
    return re.sub(r"\s+", " ", outcome.out)


def test_random_work_has_the_same_answers_with_and_without(jaxlint: Jaxlint, project: Path) -> None:
    rng = random.Random(1)
    for _ in range(60):
        edit(project, rng)
        assert normal(jaxlint()) == normal(jaxlint("--no-cache"))


def test_what_is_remembered_needs_none_of_the_analysis(write: Write, project: Path) -> None:
    """Neither libcst nor the interpreter is imported: they cost more than all the rest of such a run."""
    write({"a.py": IMPURE})
    code = "import sys; from jaxlint.command.cli import main; main(['-q']); print(*sys.modules, file=sys.stderr)"
    first, again = (
        subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True) for _ in range(2)
    )
    analysis = {"libcst", "jaxlint.checks.run", "jaxlint.flow.port", "jaxlint.flow.engine.machine"}
    assert "JAX101" in again.stdout
    assert analysis <= set(first.stderr.split())
    assert not analysis & set(again.stderr.split())


@pytest.fixture
def units(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules whose units are run."""
    found: list[str] = []
    run = entries.Engine.run_units

    def noted(engine: entries.Engine, names: list[str]) -> None:
        found.extend(names)
        run(engine, names)

    monkeypatch.setattr(entries.Engine, "run_units", noted)
    return found


TRAINING = (
    "import jax\nfrom helper import report\nfrom model import Model\n\n\n@jax.jit\ndef step(x):\n    return report(x)\n"
)
MODEL = "class Model:\n    def loss(self, x):\n        return x\n"
OTHER = "import jax\n\n\n@jax.jit\ndef g(x):\n    if x > 0:\n        return x\n    return -x\n"
FILES = {"helper.py": HELPER, "model.py": MODEL, "train.py": TRAINING, "other.py": OTHER}


@pytest.mark.parametrize(
    ("changed", "text", "expected"),
    [
        ("other.py", OTHER.replace("0", "1"), {"other"}),
        ("helper.py", "def report(x):\n    return float(x)\n", {"helper", "train"}),
        ("train.py", TRAINING.replace("report(x)", "x"), {"train"}),
        ("model.py", MODEL.replace("return x", "return 2 * x"), {"model"}),
        ("helper.py", f"{HELPER}\n\ndef other(x):\n    return x\n", {"helper"}),
        ("helper.py", f"def other(x):\n    return x\n\n\n{HELPER}", {"helper"}),  # what is told there moves
        ("helper.py", f"LIMIT = 1\n\n\n{HELPER}", {"helper", "train"}),
        ("helper.py", f"{HELPER}\n\ndef report(x):\n    return x\n", {"helper", "train"}),
        ("helper.py", f"{HELPER}\n\ndef set_it():\n    global report\n    report = id\n", {"helper", "train"}),
    ],
)
def test_only_units_that_look_at_what_has_changed_are_run(
    jaxlint: Jaxlint, write: Write, units: list[str], changed: str, text: str, expected: set[str]
) -> None:
    write(FILES)
    jaxlint()
    assert set(units) == {"helper", "model", "train", "other"}
    units.clear()
    write({changed: text})
    second = jaxlint()
    assert set(units) == expected
    assert second == jaxlint("--no-cache")


DERIVING = "from base import Base\n\n\nclass Derived(Base):\n    def scale(self, x):\n        return float(x)\n"
BASE = """import jax


class Base:
    def scale(self, x):
        return x

    def run(self, x):
        return jax.lax.scan(lambda c, y: (self.scale(c), y), x, x)
"""


def test_classes_of_a_library_are_of_no_file(jaxlint: Jaxlint, write: Write) -> None:
    made = "from flax.training import train_state\n\n\ndef make(apply, params, tx):\n"
    made += "    return train_state.TrainState.create(apply_fn=apply, params=params, tx=tx).step\n"
    write({"train.py": f"import jax\n{made}", "other.py": IMPURE})
    jaxlint()
    write({"other.py": f"{IMPURE}\n"})
    assert jaxlint() == jaxlint("--no-cache")


def test_a_class_that_derives_elsewhere_is_seen(jaxlint: Jaxlint, write: Write) -> None:
    """Nothing leads from the base to the derived class: it is found among all the classes of the program."""
    write({"base.py": BASE, "deriving.py": DERIVING.replace("(Base)", "")})
    for text in (DERIVING, DERIVING.replace("float(x)", "x"), DERIVING.replace("(Base)", "")):
        write({"deriving.py": text})
        assert jaxlint("--certainty", "possible") == jaxlint("--certainty", "possible", "--no-cache")


def test_which_files_are_asked_for_does_not_matter_to_what_is_kept(
    jaxlint: Jaxlint, write: Write, units: list[str]
) -> None:
    write(FILES)
    first = jaxlint("other.py")
    units.clear()
    jaxlint()
    assert "other" not in units
    assert jaxlint("other.py") == first


TUTORIAL = (
    "from base import Base\n\n\nclass Mine(Base):\n    def scale(self, x):\n        return float(x)\n\n\nMine()\n"
)


def notebook(*cells: str) -> str:
    rows = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules of whose bodies statements are run."""
    found: list[str] = []
    run = Machine.run_toplevel

    def noted(machine: Machine, scope: ModuleScope, statement: ast.stmt) -> None:
        found.append(scope.name)
        run(machine, scope, statement)

    monkeypatch.setattr(Machine, "run_toplevel", noted)
    return found


def test_a_notebook_is_not_run_again_when_another_file_is_edited(
    jaxlint: Jaxlint, write: Write, bodies: list[str]
) -> None:
    write(
        {
            "base.py": BASE,
            "other.py": OTHER,
            "tutorial.ipynb": notebook(TUTORIAL, "import jax\njax.jit(Mine().run)(jax.numpy.ones(3))"),
        }
    )
    first = jaxlint()
    assert "tutorial.ipynb" in first.out
    assert "tutorial@ipynb" in bodies
    bodies.clear()
    write({"other.py": OTHER.replace("0", "1")})
    second = jaxlint()
    assert "base" in bodies
    assert "tutorial@ipynb" not in bodies
    assert second == jaxlint("--no-cache")


def test_what_a_notebook_defines_is_its_own(jaxlint: Jaxlint, write: Write) -> None:
    """Two that derive from one class know nothing of each other, in whichever order they are run."""
    for names in (("a.ipynb", "b.ipynb"), ("b.ipynb", "a.ipynb")):
        bad, good = notebook(TUTORIAL, "run = Mine().run"), notebook("from base import Base\nrun = Base().run")
        write({"base.py": BASE, **dict(zip(names, (bad, good)))})
        both = jaxlint("--certainty", "possible", "--output-format", "json").out
        write({names[0]: notebook()})
        assert names[1] not in jaxlint("--certainty", "possible").out
        assert names[1] not in both


def test_who_changes_what_another_module_has_made_is_seen(jaxlint: Jaxlint, write: Write) -> None:
    """Nothing leads from the one who reads it to the one who writes it."""
    reading = OTHER.replace("x > 0", 'SEEN["flag"] and x > 0').replace(
        "import jax\n", "import jax\nfrom config import SEEN\n"
    )
    writing = 'from config import SEEN\nSEEN["flag"] = False\n'
    write({"config.py": 'SEEN = {"flag": True}\n', "reading.py": reading, "writing.py": "", "main.py": ""})
    assert "JAX201" in jaxlint().out
    for name, text in (("writing.py", writing), ("main.py", "import reading, writing\n")):
        write({name: text})
        found = jaxlint()
        assert found == jaxlint("--no-cache")
    assert "JAX201" not in found.out
    write({"main.py": ""})  # a script that nobody imports is another program's matter
    assert "JAX201" in jaxlint().out


def test_a_script_is_not_run_again_when_another_file_is_edited(
    jaxlint: Jaxlint, write: Write, bodies: list[str]
) -> None:
    write(
        {
            "helper.py": HELPER,
            "other.py": OTHER,
            "script.py": "import jax\nfrom helper import report\njax.jit(report)(1)\n",
        }
    )
    jaxlint()
    assert "script" in bodies
    bodies.clear()
    write({"other.py": OTHER.replace("0", "1")})
    second = jaxlint()
    assert "script" not in bodies
    assert second == jaxlint("--no-cache")


def test_fixes_and_removed_names_are_those_of_the_text(
    jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "import jax\n\n\n@jax.jit\ndef f(x):\n    return jax.tree_map(abs, x)\n"
    write({"old.py": old, "reusing.py": REUSING, "helper.py": HELPER})
    first = jaxlint("--output-format", "json")
    made: list[str] = []
    write({"helper.py": f"{HELPER}\n\n"})
    with monkeypatch.context() as patch:
        patch.setattr(fixes, "fix_for", lambda source, repair: made.append(repair.kind))
        assert jaxlint("--output-format", "json") == first
    assert made == []
    write({"old.py": f"{old}\n\n# more\n"})
    assert jaxlint("--output-format", "json") == jaxlint("--output-format", "json", "--no-cache")
    write({"old.py": old.replace("import jax\n", "import jax\nfrom helper.gone import a\n")})  # it cannot start
    assert jaxlint("--output-format", "json") == jaxlint("--output-format", "json", "--no-cache")


RECURSIVE = "import jax\n\n\n@jax.jit\ndef g(x):\n    return g(x)\n"
REUSING = """import jax


def sample(key):
    a = jax.random.normal(key)
    b = jax.random.normal(key)
    return a + b
"""


@pytest.mark.parametrize("arguments", [("--statistics",), ("--diff", "--unsafe-fixes")])
def test_after_an_edit_limits_and_fixes_are_those_of_a_run_without_a_cache(
    jaxlint: Jaxlint, write: Write, arguments: tuple[str, ...]
) -> None:
    write({"recursive.py": RECURSIVE, "reusing.py": REUSING, "other.py": OTHER})
    jaxlint()
    write({"other.py": OTHER.replace("0", "1")})
    outcome = jaxlint(*arguments)
    assert outcome == jaxlint(*arguments, "--no-cache")
    assert ("limit" if arguments == ("--statistics",) else "jax.random.split") in outcome.out
