"""An open workspace reports what the command would, with buffers in place of files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from jaxlint.api import Settings
from jaxlint.running.once import Run
from jaxlint.running.session import Cancelled, Session
from jaxlint.settings.configuration import Configuration, ConfigurationError
from jaxlint.silencing.baseline import Baseline

HELPER = "def positive(x):\n    return x > 0\n"
TRAIN = """
import jax
from helper import positive


@jax.jit
def step(x):
    if positive(x):
        return x
    return -x
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\n")
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def codes(session: Session, path: Path) -> list[tuple[str, int]]:
    return [(finding.code, finding.location.line) for finding in session.findings(str(path))]


def test_a_buffer_stands_for_its_file_until_it_is_closed(workspace: Path) -> None:
    session = Session(Configuration(str(workspace)))
    train, helper = workspace / "train.py", workspace / "helper.py"
    assert codes(session, train) == [("JAX201", 8)]
    session.open(str(helper), "def positive(x):\n    return True\n")
    assert codes(session, train) == []
    session.change(str(helper), "\n" + HELPER)
    assert codes(session, train) == [("JAX201", 8)]
    session.change(str(helper), "def positive(x):\n    return False\n")
    assert codes(session, train) == []
    session.close(str(helper))
    assert codes(session, train) == [("JAX201", 8)]


def test_a_file_outside_of_the_workspace_may_come_to_import_from_a_folder_beside_it(tmp_path: Path) -> None:
    for path, text in {"work/pyproject.toml": "", "train.py": "", "near/helper.py": HELPER}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    session, train = Session(Configuration(str(tmp_path / "work"))), tmp_path / "train.py"
    session.open(str(train), TRAIN)
    assert codes(session, train) == []
    session.change(str(train), TRAIN.replace("from helper", "from near.helper"))
    assert codes(session, train) == [("JAX201", 8)]
    session.change(str(train), TRAIN)
    assert codes(session, train) == []


INNER = "class Still:\n    def step(self, key, state):\n        return state\n"
OUTER = """
class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)
"""
ROLLOUT = """
import jax
import env, other
from wrapper import Wrapper

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    return env.step(sub, jax.random.normal(sub))
"""


def test_a_class_that_another_module_gets_may_be_what_is_wrapped(tmp_path: Path) -> None:
    texts = {"env": INNER, "other": "import jax\n", "wrapper": OUTER, "train": ROLLOUT}
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\n")
    for name, text in texts.items():
        paths[name].write_text(text)
    session = Session(Configuration(str(tmp_path)))
    assert codes(session, paths["train"]) == []
    drawing = INNER.replace("return state", "return state + jax.random.normal(key)")
    session.open(str(paths["other"]), f"import jax\n\n{drawing}")
    assert codes(session, paths["train"]) == [("JAX402", 8)]
    session.close(str(paths["other"]))
    assert codes(session, paths["train"]) == []


def test_a_method_that_the_module_does_not_reach_is_looked_up_in_the_program(tmp_path: Path) -> None:
    rollout = ROLLOUT.replace("import env, other\nfrom wrapper import Wrapper\n", "")
    texts = {"env": INNER, "other": "import jax\n", "train": rollout}
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\n")
    for name, text in texts.items():
        paths[name].write_text(text)
    session = Session(Configuration(str(tmp_path)))
    assert codes(session, paths["train"]) == []
    drawing = INNER.replace("return state", "return state + jax.random.normal(key)")
    session.open(str(paths["other"]), f"import jax\n\n{drawing}")
    assert codes(session, paths["train"]) == [("JAX402", 6)]
    session.change(str(paths["other"]), INNER.replace("key, state", "state"))
    assert codes(session, paths["train"]) == [("JAX402", 6)]
    session.close(str(paths["other"]))
    assert codes(session, paths["train"]) == []


def test_files_come_change_and_go(workspace: Path) -> None:
    session = Session(Configuration(str(workspace)))
    train, other = workspace / "train.py", workspace / "other.py"
    train.write_text(TRAIN.replace("helper", "other"))
    assert codes(session, train) == []
    other.write_text(HELPER)
    session.file_changed(str(other))
    assert codes(session, train) == [("JAX201", 8)]
    other.write_text("def positive(x):\n    return None\n")
    session.file_changed(str(other))
    assert codes(session, train) == []
    other.unlink()
    session.file_changed(str(other))
    assert codes(session, train) == []
    assert set(session.all_findings()) == {str(train), str(workspace / "helper.py")}


def test_a_changed_configuration_counts(workspace: Path) -> None:
    session = Session(Configuration(str(workspace)))
    train = workspace / "train.py"
    assert codes(session, train) == [("JAX201", 8)]
    (workspace / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX201"]\n')
    session.file_changed(str(workspace / "pyproject.toml"))
    assert codes(session, train) == []


def test_the_workspace_has_what_the_command_reports(workspace: Path) -> None:
    (workspace / "scripts").mkdir()
    (workspace / "scripts" / "run.py").write_text(
        "import jax\n\nkey = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\n"
    )
    session = Session(Configuration(str(workspace)))
    found = [finding for findings in session.all_findings().values() for finding in findings]
    assert (
        sorted(found, key=lambda finding: finding.sort_key())
        == Run.over([str(workspace)], Configuration(str(workspace))).findings()
    )


def test_cancelling_loses_nothing(workspace: Path) -> None:
    session = Session(Configuration(str(workspace)))
    train = workspace / "train.py"
    with pytest.raises(Cancelled):
        session.findings(str(train), lambda: True)
    assert codes(session, train) == [("JAX201", 8)]


def test_what_is_in_the_baseline_is_known(workspace: Path) -> None:
    train, baseline = workspace / "train.py", workspace / ".jaxlint-baseline.json"
    session = Session(Configuration(str(workspace)))
    found = session.findings(str(train))
    assert [(finding.code, finding.location.line) for finding in found] == [("JAX201", 8)]
    lines = TRAIN.splitlines()
    Baseline(str(baseline), Counter()).grown(found, lambda place: lines).write()
    assert codes(session, train) == []
    session.open(str(train), "\n\n" + TRAIN.replace("    return -x", "    if positive(-x):\n        return -x"))
    assert codes(session, train) == [("JAX201", 12)]
    assert session.all_findings()[str(train)] == session.findings(str(train))
    assert len(Session(Configuration(str(workspace)), baselines=False).findings(str(train))) == 1
    baseline.write_text("{")
    with pytest.raises(ConfigurationError, match="not a baseline"):
        session.findings(str(train))
    baseline.unlink()
    assert codes(session, train) == [("JAX201", 10), ("JAX201", 12)]


def test_what_the_edited_file_shows_can_be_had_first(workspace: Path) -> None:
    session = Session(Configuration(str(workspace)))
    train, helper = workspace / "train.py", workspace / "helper.py"
    assert codes(session, train) == [("JAX201", 8)]
    changed = HELPER.replace("x > 0", "True") + "\n\nimport jax\nsign = jax.jit(lambda x: x if x > 0 else -x)\n"
    session.open(str(helper), changed)
    assert [finding.code for finding in session.findings(str(helper), prompt=True)] == ["JAX201"]
    assert [finding.code for finding in session.findings(str(train), prompt=True)] == []
    session.change(str(helper), HELPER)
    assert session.findings(str(helper), prompt=True) == []
    assert session.findings(str(helper)) == []
    assert codes(session, train) == [("JAX201", 8)]


ROWS = '[functions."foolib.compile"]\nlike = "jax.jit"\n'
USER = "import foolib\n\n\n@foolib.compile\ndef f(x):\n    print(x)\n"


def test_a_file_with_rows_that_changes(workspace: Path) -> None:
    rows, used = workspace / "rows" / "foolib.toml", workspace / "used.py"
    rows.parent.mkdir()
    rows.write_text(ROWS)
    used.write_text(USER)
    (workspace / "pyproject.toml").write_text('[tool.jaxlint]\nlibraries = ["rows/*.toml"]\n')
    session = Session(Configuration(str(workspace)))
    assert codes(session, used) == [("JAX101", 6)]
    rows.write_text(ROWS.replace("compile", "speed_up"))
    session.file_changed(str(rows))
    assert codes(session, used) == []
    (rows.parent / "more.toml").write_text(ROWS)
    session.file_changed(str(rows.parent / "more.toml"))
    assert codes(session, used) == [("JAX101", 6)]
    rows.write_text(ROWS)
    session.file_changed(str(rows))
    with pytest.raises(ConfigurationError, match="is in "):
        session.findings(str(used))


def test_edits_around_functions_with_rows(workspace: Path) -> None:
    (workspace / "pyproject.toml").write_text('[tool.jaxlint]\nlibraries = ["rows.toml"]\n')
    (workspace / "rows.toml").write_text(
        '[functions."foolib.fold"]\nsignature = "(init, xs, body)"\n'
        'runs = "init = body(init, each(xs))"\nreturns = "init"\n'
        '[functions."foolib.noise"]\nsignature = "(shape, key)"\nkeys = { key = "draw" }\nreturns = "array()"\n'
    )
    used = workspace / "used.py"
    head = "import foolib\n\n\n"
    fold = "def f(xs):\n    return foolib.fold(0.0, xs, lambda c, x: c if x > 0 else -c)\n\n\n"
    noise = "def g(k):\n    return foolib.noise((3,), k) + foolib.noise((3,), k)\n"
    session = Session(Configuration(str(workspace)))
    for text in (
        head + fold + noise,
        head + noise,
        head + "\n" + fold + noise,
        head + fold.replace("x > 0", "1") + noise,
    ):
        session.open(str(used), text)
        again = Session(Configuration(str(workspace)))
        again.open(str(used), text)
        assert codes(session, used) == codes(again, used)
        assert [code for code, _ in codes(session, used)] == ["JAX201"] * ("x > 0" in text) + ["JAX401"]


REGISTERING = """\
import jax


def registered(cls):
    jax.tree_util.register_pytree_node_class(cls)
"""
BOXES = """\
import jax


class Box:
    def __init__(self, w):
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@jax.jit
def total(box):
    return box.w


for each in (Box,):
    trees.registered(each)


def main():
    return total(Box(1.0))
"""


@pytest.mark.parametrize("line", ["import trees\n", "from trees import registered\n"])
def test_an_import_of_what_registers_classes_counts_when_it_comes_and_when_it_goes(line: str, tmp_path: Path) -> None:
    (tmp_path / "trees.py").write_text(REGISTERING)
    boxes = tmp_path / "boxes.py"
    boxes.write_text(BOXES)
    session = Session(Configuration(str(tmp_path), fixed=Settings(preview=True)))
    session.open(str(boxes), BOXES)
    assert codes(session, boxes) == [("JAX511", 26)]
    session.change(str(boxes), BOXES.replace("\n\n\nclass", f"\n{line}\n\nclass", 1))
    assert codes(session, boxes) == []
    session.change(str(boxes), BOXES)
    assert codes(session, boxes) == [("JAX511", 26)]
