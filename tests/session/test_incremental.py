"""What is kept through edits is what a first run would find: random edits of real programs, one after the other."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.project.documents import Document
from jaxlint.project.edits import edited
from jaxlint.running.once import Run
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from jaxlint.vocabulary.findings import Finding
from tests.session.editing import Editor, Workspace, parses

RULES = Path(__file__).parents[2] / "rules"
STEPS = 30


def example_programs() -> list[str]:
    """The Python blocks of one file of the rules' cards."""
    blocks = []
    for card in sorted(RULES.glob("JAX*.md")):
        for part in card.read_text(encoding="utf-8").split("```python ")[1:]:
            kind, _, rest = part.partition("\n")
            if kind.split()[0] in ("bad", "good") and "# file:" not in rest:
                blocks.append(rest.partition("```")[0])
    return blocks


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_leave_what_a_first_run_finds(seed: int, tmp_path: Path) -> None:
    """A text that does not parse is shown as such; others are judged by the last one that did."""
    texts = ["", *random.Random(seed).sample(example_programs(), 14)]
    workspace = Workspace(tmp_path, {f"module{number}.py": text for number, text in enumerate(texts)}, seed)
    for _ in range(STEPS):
        workspace.edit()
        assert workspace.differing() == []


@pytest.mark.parametrize("seed", range(2))
def test_an_edited_tree_is_the_tree_of_its_text(seed: int) -> None:
    editor = Editor(seed, ["\n\n".join(random.Random(seed).sample(example_programs(), 12))])
    document = Document("x.py", editor.texts[0])
    for _ in range(60):
        editor.edit()
        new = Document("x.py", editor.texts[0])
        edit = edited(document, new)
        if edit is None:
            assert not parses(editor.texts[0])
            continue
        document = new
        assert document.tree is not None
        expected = Document("x.py", editor.texts[0]).tree  # not what `ast` makes of it: cells keep what they show
        assert expected is not None
        assert dump(document.tree) == dump(expected)


def dump(tree: ast.Module) -> str:
    return ast.dump(tree, include_attributes=True)


def counting(session: Session, path: Path) -> Callable[[str], tuple[list[Finding], int]]:
    """The findings after a change of the file, and how many entries had to be run for them."""

    def change(text: str) -> tuple[list[Finding], int]:
        session.change(str(path), text)
        found = session.findings(str(path))
        (analysis,) = session._analyses.values()
        assert analysis._replay is not None
        return found, analysis._replay.runs

    return change


PROGRAM = """
import jax


def helper(x):
    return x * 2


@jax.jit
def first(x):
    return helper(x)


@jax.jit
def second(x):
    y = helper(x)
    if y > 0:
        return y
    return -y


@jax.jit
def third(x):
    return float(x)
"""


def test_only_what_depends_on_the_edit_runs_again(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    change = counting(Session(Configuration(str(tmp_path))), path)
    found, runs = change(PROGRAM)
    assert [finding.code for finding in found] == ["JAX201", "JAX211"]
    assert runs == 4
    assert change(PROGRAM.replace("float(x)", "int(x)"))[1] == 1
    assert change(PROGRAM.replace("x * 2", "x * 3"))[1] == 4
    moved, runs = change("# one\n# two\n" + PROGRAM.replace("x * 2", "x * 3"))
    assert [finding.location.line - 2 for finding in moved] == [finding.location.line for finding in found]
    assert [step.location.line - 2 for step in moved[0].related] == [step.location.line for step in found[0].related]
    assert runs == 0


def test_only_what_reads_a_changed_constant_runs_again(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    program = PROGRAM + "\n\nSCALE = 2\n\n\n@jax.jit\ndef fourth(x):\n    return float(x * SCALE)\n"
    path.write_text(program)
    change = counting(Session(Configuration(str(tmp_path))), path)
    found, runs = change(program)
    assert ([finding.code for finding in found], runs) == (["JAX201", "JAX211", "JAX211"], 5)
    again, runs = change(program.replace("SCALE = 2", "SCALE = 3"))
    assert (again, runs) == (found, 1)


def test_a_reason_is_that_of_the_call_and_not_of_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    found = Run.over([str(path)], Configuration(str(tmp_path))).findings()
    assert [step.location.line for step in found[0].related] == [14, 15]


def test_the_ways_to_a_finding_follow_the_edits(tmp_path: Path) -> None:
    """Two functions call one helper in the same manner: whichever is edited, the other one's way stays."""
    path = tmp_path / "program.py"
    jitted = "\n\n@jax.jit\ndef {0}(x):\n    return sign(x * 2)\n"
    program = "import jax\n\n\ndef sign(x):\n    return -x if x > 0 else x\n"
    program += jitted.format("first") + jitted.format("second")
    path.write_text(program)
    change = counting(Session(Configuration(str(tmp_path))), path)

    def ways(text: str) -> list[list[int]]:
        (found,) = change(text)[0]
        return [[step.location.line for step in way] for way in found.reasons]

    first, second = [8, 9], [13, 14]
    assert ways(program) == [first, second]
    assert ways(program.replace("sign(x * 2)", "x", 1)) == [second]
    assert ways(program) == [first, second]
    assert ways(program.rpartition("sign(x * 2)")[0] + "x\n") == [first]
    assert ways("# one\n" + program) == [[9, 10], [14, 15]]


def test_an_attribute_that_another_function_begins_to_set(tmp_path: Path) -> None:
    """Whether an object had an attribute before a trace is told by the whole module's text."""
    path = tmp_path / "program.py"
    step = (
        "import jax.numpy as jnp\nfrom flax import nnx\n\n@nnx.jit\ndef step(model, x):\n    model.last = jnp.sin(x)\n"
    )
    method = "\nclass Model(nnx.Module):\n    def reset(self):\n        self.{} = jnp.zeros(2)\n"
    path.write_text(step)
    change = counting(Session(Configuration(str(tmp_path))), path)
    for text, codes in (
        (step + method.format("first"), ["JAX114"]),
        (step + method.format("last"), []),
        (step + method.format("best"), ["JAX114"]),
    ):
        assert [finding.code for finding in change(text)[0]] == codes


def test_a_method_that_another_function_begins_to_run_with_init(tmp_path: Path) -> None:
    """Whether `init` runs a method is told by the names that the whole program mentions."""
    path = tmp_path / "program.py"
    text = """import flax.linen as nn
import jax

class World(nn.Module):
    def setup(self):
        self.cell = nn.Dense(3)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h) + x, None), xs[0], xs)

class Model(nn.Module):
    def setup(self):
        self.world = World()

    def __call__(self, xs):
        return self.world.{}(xs)

def start(key, xs):
    return Model().init(key, xs{})
"""
    path.write_text(text.format("other", ""))
    change = counting(Session(Configuration(str(tmp_path))), path)
    for names, codes in (
        (("observe", ""), ["JAX114"]),
        (("other", ""), []),
        (("other", ", method=World.observe"), ["JAX114"]),
        (("other", ", method=World.other"), []),
    ):
        assert [finding.code for finding in change(text.format(*names))[0]] == codes


def test_a_method_that_a_class_elsewhere_begins_to_have(tmp_path: Path) -> None:
    """What an unknown object does with a key is told by all classes of the program."""
    agent, world = tmp_path / "agent.py", tmp_path / "world.py"
    agent.write_text(
        "import jax\n\ndef act(model, key, x):\n    y = model.observe(key, x)\n    return y + jax.random.normal(key)\n"
    )
    world.write_text("import jax\n")
    (tmp_path / "jaxlint.toml").write_text('certainty = "possible"\n')
    session = Session(Configuration(str(tmp_path)))
    method = "import jax\n\nclass World:\n    def {}(self, key, x):\n        return {}\n"
    for text, codes in (
        (method.format("other", "x"), ["JAX402"]),
        (method.format("observe", "x"), []),
        (method.format("observe", "jax.random.normal(key)"), ["JAX402"]),
        (method.format("observe", "x"), []),
        ("import jax\n", ["JAX402"]),
    ):
        session.change(str(world), text)
        assert [finding.code for finding in session.findings(str(agent))] == codes


def test_an_import_that_nothing_reads_runs_nothing_again(tmp_path: Path) -> None:
    """Not even where a module makes classes and asks of all of them."""
    path = tmp_path / "program.py"
    method = "\nclass World:\n    def observe(self, key, x):\n        return x\n"
    act = "\ndef act(model, key, x):\n    y = model.observe(key, x)\n    return y + jax.random.normal(key)\n"
    path.write_text(PROGRAM + method + act)
    change = counting(Session(Configuration(str(tmp_path))), path)
    found, _ = change(PROGRAM + method + act)
    again, runs = change("import math\n" + PROGRAM + method + act)
    assert [finding.code for finding in again] == [finding.code for finding in found] == ["JAX201", "JAX211"]
    assert runs == 0


TOLD = """\
import jax
import jax.numpy as jnp

traces = 0


@jax.jit
def counted(x):
    global traces
    traces += 1
    return x


def check(x):
    counted(x)
    counted(x)
    assert traces == 1


def elsewhere(x):
    y = x * 2
    return y
"""


def test_who_asked_the_text_runs_again_only_when_it_answers_otherwise(tmp_path: Path) -> None:
    """Whether some `assert` counts traces decides about `counted`, wherever in the module it is."""
    path = tmp_path / "program.py"
    path.write_text(TOLD)
    change = counting(Session(Configuration(str(tmp_path))), path)
    found, _ = change(TOLD)
    again, runs = change(TOLD.replace("x * 2", "x * 3"))
    assert (again, runs) == (found, 1)
    without, runs = change(TOLD.replace("assert traces == 1", "print(traces)"))
    assert runs > 1
    assert without != found


SCRIPT = """\
from typing import NamedTuple

import jax
import jax.numpy as jnp

table = {"on": False}


def scale(x):
    return x * 2


@jax.jit
def update(x):
    if table["on"]:
        return scale(x)
    return float(x)


weights = jnp.ones(3)
table["on"] = True
print(update(weights))
"""


def test_a_function_that_comes_into_a_script_leaves_what_stands_alone(tmp_path: Path) -> None:
    """Statements that change what others have made run again, and what reads that; imports and definitions stay."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    change = counting(Session(Configuration(str(tmp_path))), path)
    change(SCRIPT)
    found, runs = change(SCRIPT.replace("weights =", "def unused(x):\n    return x\n\n\nweights ="))
    assert (found, runs) == ([], 1)
    found, _ = change(SCRIPT.replace('table["on"] = True\n', ""))
    assert [finding.code for finding in found] == ["JAX211"]
    found, _ = change(SCRIPT)
    assert found == []


def test_a_class_that_stands_alone_stays_when_what_a_script_changes_is_another(tmp_path: Path) -> None:
    """So nobody runs again who looks for the class of an argument among all that there are, as `train` has it."""
    program = SCRIPT.replace("\n\n@jax.jit", RECORD + "\n\n@jax.jit", 1)
    path = tmp_path / "script.py"
    path.write_text(program)
    change = counting(Session(Configuration(str(tmp_path))), path)
    change(program)
    found, runs = change(program.replace('table["on"] = True', 'table["on"] = 1'))
    assert (found, runs) == ([], 1)
    found, _ = change(program.replace("x * state.rate", "float(state.rate)"))
    assert [finding.code for finding in found] == ["JAX211"]


RECORD = """

class State(NamedTuple):
    rate: jax.Array
    step: int = 0


@jax.jit
def train(state, x):
    return x * state.rate

"""


def test_scripts_that_have_nothing_to_do_with_one_another_stay_when_one_is_edited(tmp_path: Path) -> None:
    """Both make arrays at their top, after which JAX is started; each is the first to do so where it runs."""
    script = SCRIPT.replace("weights = jnp.ones(3)\n", "").replace("update(weights)", "update(jnp.ones(3))")
    other, path = tmp_path / "other.py", tmp_path / "script.py"
    other.write_text(script)
    path.write_text(script)
    change = counting(Session(Configuration(str(tmp_path))), path)
    change(script)
    found, runs = change(script.replace("def scale", "import os\n\n\ndef scale"))
    assert (found, runs) == ([], 0)


def test_a_name_that_two_statements_bind_stays_when_one_goes(tmp_path: Path) -> None:
    """Examples in one file import what they need, each once more."""
    path = tmp_path / "program.py"
    path.write_text(TWICE)
    change = counting(Session(Configuration(str(tmp_path))), path)
    change(TWICE)
    found, _ = change(TWICE.removeprefix("import jax.numpy as jnp\n"))
    assert [(finding.code, finding.certainty.name) for finding in found] == [("JAX305", "CERTAIN")]


TWICE = """\
import jax.numpy as jnp
import jax
import jax.numpy as jnp


def pushed(state, force):
    velocity = state["velocity"]
    velocity += force
    return state


def main():
    return pushed({"velocity": jnp.ones(2)}, 1.0)
"""

SHARED = """\
import jax

TABLE = {"a": 0, "b": 0}
key = jax.random.key(0)
"""
CHANGING = """\
import jax
import shared

shared.TABLE["b"] = 5


@jax.jit
def apply(x):
    if shared.TABLE["b"]:
        return x
    return float(x)


print(apply(jax.numpy.ones(3)))
"""
DRAWING = """\
import jax
from shared import TABLE, key

TABLE["a"] = 2
first = jax.random.normal(key)
second = jax.random.uniform(key)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("key = jax.random.key(0)", "other = jax.random.key(0)"),
        ('"b": 0', '"b": 0, "c": 1'),
        ("import jax\n", "import jax\n\nLIMIT = 3\n"),
    ],
)
def test_what_modules_change_in_one_another_is_as_in_a_first_run(before: str, after: str, tmp_path: Path) -> None:
    texts = {"shared.py": SHARED, "changing.py": CHANGING, "drawing.py": DRAWING}
    workspace = Workspace(tmp_path, texts, seed=0)
    assert workspace.differing() == []
    for text in (SHARED.replace(before, after), SHARED):
        workspace.session.change(str(tmp_path / "shared.py"), text)
        workspace.editor.texts[0] = workspace.editor.parsed[0] = text
        assert workspace.differing() == []


METHODS = """\
import jax


def before(x):
    return x


class Model:
    def __init__(self, key):
        self.weights = jax.random.normal(key)
        self.bias = jax.random.normal(key)


def after(x):
    return x
"""


def test_a_finding_between_two_edits_moves_with_its_line(tmp_path: Path) -> None:
    """An editor may send both in one change: the lines of the class are one further down, not two and not none."""
    path = tmp_path / "program.py"
    path.write_text(METHODS)
    session = Session(Configuration(str(tmp_path)))
    lines = [
        [finding.location.line for finding in session.findings(str(path))]
        for text in (METHODS, METHODS.replace("    return x\n", "    y = x\n    return y\n"), METHODS)
        for _ in [session.change(str(path), text)]
    ]
    assert lines == [[11], [12], [11]]


TRAINING = """\
import jax
import jax.numpy as jnp


def loss(params, x):
    prediction = x @ params
    return jnp.mean(prediction**2)


@jax.jit
def step(params, x):
    return params - jax.grad(loss)(params, x)


@jax.jit
def other(x):
    return jax.vmap(lambda y: y * 2)(x)


@jax.jit
def another(x):
    return float(x)
"""


def test_an_edit_of_a_loss_runs_what_takes_its_gradient_and_no_more(tmp_path: Path) -> None:
    """The step places the gradient anew; that is still the one place where it is taken."""
    path = tmp_path / "training.py"
    path.write_text(TRAINING)
    change = counting(Session(Configuration(str(tmp_path))), path)
    change(TRAINING)
    for text, codes in (
        (TRAINING.replace("prediction**2", "prediction**2 + 1"), ["JAX211"]),
        (TRAINING.replace("return jnp.mean(", "print(params)\n    return jnp.mean("), ["JAX101", "JAX211"]),
        (TRAINING, ["JAX211"]),
    ):
        found, runs = change(text)
        assert [finding.code for finding in found] == codes
        assert runs <= 3


ARCHIVE = """\
import jax

INSERTED = []


@dataclass
class Archive:
    @classmethod
    def empty(cls, cells):
        return cls(cells)

    def insert(self, solution):
        INSERTED.append(solution)


def insert_all(archive, solutions):
    def step(archive, solution):
        return archive.insert(solution), None

    archive, _ = jax.lax.scan(step, archive, solutions)


def evolve(solutions):
    archive = Archive.empty(8)
    for _ in range(3):
        archive = insert_all(archive, solutions)
"""


def test_a_class_is_another_one_once_its_decorator_is_known(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text("")
    session = Session(Configuration(str(tmp_path)))
    path = f"{tmp_path}/archive.py"
    session.open(path, ARCHIVE)
    assert [(each.code, each.location.line) for each in session.findings(path)] == [("JAX107", 13)]
    session.change(path, f"from flax.struct import dataclass\n{ARCHIVE}")
    assert [(each.code, each.location.line) for each in session.findings(path)] == [("JAX107", 14)]
