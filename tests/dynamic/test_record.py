"""`jaxlint record`: calls that tests and scripts make are written down, and traced later."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from jaxlint.dynamic.inputs import recordings
from jaxlint.dynamic.inputs.outcome import Outcome, why_nothing
from jaxlint.dynamic.inputs.record import _python_command, main
from jaxlint.dynamic.observations import Kind, Origin

LIBRARY = """
    from functools import partial
    from typing import NamedTuple
    import jax, jax.numpy as jnp

    class State(NamedTuple):
        mean: jax.Array

    @partial(jax.jit, static_argnames="n")
    def scale(state, x, n):
        return State(state.mean * n), x

    def eager(x, kind):
        if x.ndim == 1:
            return x
        return -x

    def host(count):
        return count + 1

    def outer(xs):
        def body(carry, x):
            if carry.shape:
                return carry, x
            return carry + x, x
        return jax.lax.scan(body, jnp.float32(0), xs)

    class Policy:
        def score(self, x):
            assert x.shape
            return jax.jit(lambda y: y * 2)(x)
"""
TESTS = """
    import jax.numpy as jnp
    from lib import *

    def test_all():
        for size in range(2, 9):
            scale(State(jnp.zeros(size)), jnp.ones(()), 3)
        eager(jnp.zeros(4), "sum")
        host(3)
        outer(jnp.arange(3.0))
        Policy().score(jnp.zeros(2))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lib.py").write_text(textwrap.dedent(LIBRARY))
    (tmp_path / "test_lib.py").write_text(textwrap.dedent(TESTS))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other people's take longer than jax to be imported
    return tmp_path


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in (folder / recordings.DEFAULT_FILE).read_text().splitlines()]


def replayed(*names: str) -> list[dict[str, Any]]:
    """What is traced of the functions of lib.py with what is recorded in the working directory."""
    program = """
        import sys
        from jaxlint.dynamic import target
        from jaxlint.dynamic.observations import Job, to_json
        job = Job("lib", "lib.py", (".",), (), (), ("lib.py",), recordings=".jaxlint-recorded.jsonl")
        module, _ = target.load(job)
        for name in sys.argv[1:]:
            print(to_json(target.trace(job, module, name)))
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *names], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_tests_are_recorded(folder: Path) -> None:
    assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    calls: dict[str, list[Any]] = {}
    for one in lines(folder):
        if "args" in one:
            calls.setdefault(one["function"], []).append(one)
    # Three calls at most, traced ones as such, static arguments with their values.
    state = {"namedtuple": "lib:State", "fields": {"mean": "float32[2]"}}
    first = calls["lib.py:scale"][0]
    assert (first["args"], first["eager"]) == ([state, "float32[]", 3], False)
    assert len(calls["lib.py:scale"]) == 3
    assert [(one["args"], one["eager"]) for one in calls["lib.py:eager"]] == [(["float32[4]", {"str": "sum"}], True)]
    assert "lib.py:host" not in calls, "no array goes in: there is nothing to trace"
    records = {record.qualname: record for record in recordings.read(str(folder / recordings.DEFAULT_FILE))}
    seen = records["outer.<locals>.body"].seen
    assert seen is not None
    assert seen.inputs == "outer.<locals>.body(carry: float32[], x: float32[])"
    assert [(visit.at.line, visit.concrete > 0, visit.traced) for visit in seen.visits] == [(23, True, 0)]


def test_a_recorded_call_is_what_a_target_is_traced_with(folder: Path) -> None:
    main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"])
    names = ("scale", "eager", "outer.<locals>.body", "Policy.score")
    results = dict(zip(names, replayed(*names), strict=True))
    origins = {name: {one["origin"] for one in result["traced"]} for name, result in results.items()}
    assert origins["scale"] == {Origin.RECORDED}
    assert origins["eager"] == {Origin.LIFTED, Origin.RECORDED}, "the replay, and what the call itself did"
    assert Origin.RECORDED in origins["outer.<locals>.body"]
    assert "eager(x: float32[4], kind='sum')" in {one["inputs"] for one in results["eager"]["traced"]}


MADE = """
    import jax

    @jax.tree_util.register_pytree_node_class
    class Scaled:
        def __init__(self, base, power):
            if power < 0:
                raise ValueError("power")
            self.base, self.power = base, power

        def tree_flatten(self):
            return [vars(self).get("base")], None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children, 1) if children[0] is not None else cls()
"""
MADE_TESTS = """
    import jax
    import jax.numpy as jnp
    from lib import Scaled

    def test_all():
        jax.jit(lambda x: Scaled(x, 2).base)(jnp.zeros(2))
"""


def test_a_recorded_call_that_cannot_be_replayed_is_judged_by_what_it_did(folder: Path) -> None:
    (folder / "lib.py").write_text(textwrap.dedent(MADE))
    (folder / "test_lib.py").write_text(textwrap.dedent(MADE_TESTS))
    assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    assert "args" in lines(folder)[0]
    (result,) = replayed("Scaled.__init__")
    (traced,) = [one for one in result["traced"] if one["origin"] == Origin.RECORDED]
    assert [(visit["at"]["line"], visit["concrete"]) for visit in traced["visits"]] == [(7, 1)]


OTHERS = """
    def other(x, mode):
        if mode == "first":
            return x
        return -x

    def step(x):
        if x.sum() > 0:
            return x
        return -x
"""
OTHERS_TESTS = """
    import jax
    import jax.numpy as jnp
    from lib import other

    def test_all():
        for mode in "abcdefgh":
            jax.jit(lambda x: other(x, mode))(jnp.zeros(2))
"""


def test_what_is_recorded_of_other_functions_is_no_evidence_for_one_that_they_do_not_call(folder: Path) -> None:
    (folder / "lib.py").write_text(textwrap.dedent(OTHERS))
    (folder / "test_lib.py").write_text(textwrap.dedent(OTHERS_TESTS))
    assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    (result,) = replayed("step")
    assert {traced["origin"] for traced in result["traced"]} == {Origin.SYNTHESISED}
    assert {seen["at"]["line"] for traced in result["traced"] for seen in traced["observations"]} == {8}


MODES = """
    import jax.numpy as jnp

    class Half:
        def __init__(self, name):
            if name:
                self.name = name

        def __repr__(self):
            return self.name.upper()

    def reward(x, mode):
        if mode == "a":
            return x
        return -x

    def rounds(count):
        while count > 2:
            count //= 2
        return count
"""
MODES_TESTS = """
    import jax.numpy as jnp
    from lib import Half, reward, rounds

    def test_all():
        for mode in "abcde":
            for size in range(1, 6):
                reward(jnp.zeros(size), mode)
        assert rounds(8) == 2
        Half("half made while it is recorded")
"""


def test_other_modes_are_other_calls_and_calls_without_arrays_are_judged(folder: Path) -> None:
    (folder / "lib.py").write_text(textwrap.dedent(MODES))
    (folder / "test_lib.py").write_text(textwrap.dedent(MODES_TESTS))
    assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    calls = [line["args"] for line in lines(folder) if line["function"] == "lib.py:reward" and "args" in line]
    assert len(calls) == 8
    assert len({str(mode) for _, mode in map(tuple, calls)}) == 3
    (seen,) = [line["seen"] for line in lines(folder) if line["function"] == "lib.py:rounds"]
    assert [(visit["eager"], visit["concrete"]) for visit in seen["visits"]] == [(3, 0)]


def test_what_several_runs_saw_of_a_function_counts_together(folder: Path) -> None:
    """A file at a time, or one worker of several: the one that is written last need not have been everywhere."""
    (folder / "lib.py").write_text(textwrap.dedent(MODES))
    for size in (8, 1, 1):
        program = f"from lib import rounds\nrounds({size})\n"
        (folder / "test_lib.py").write_text(f"def test_it():\n{textwrap.indent(program, '    ')}")
        assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    (seen,) = [line["seen"] for line in lines(folder) if line["function"] == "lib.py:rounds"]
    assert [(visit["eager"], visit["values"]) for visit in seen["visits"]] == [(3, ["True", "False"])]


SHOWN = """
    class Half:
        def __init__(self):
            self.made_by = lambda: Half()

        def __repr__(self):
            self.times = getattr(self, "times", 0) + 1
            return "half"

    def step(half, x):
        return -x if half.times else x
"""
SHOWN_TESTS = """
    import jax
    import jax.numpy as jnp
    from lib import Half, step

    def test_all():
        half = Half()
        assert repr(half) == "half"
        jax.jit(lambda x: step(half, x))(jnp.zeros(2))
"""


def test_what_the_project_does_to_show_its_arguments_is_not_recorded(folder: Path) -> None:
    (folder / "lib.py").write_text(textwrap.dedent(SHOWN))
    (folder / "test_lib.py").write_text(textwrap.dedent(SHOWN_TESTS))
    assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    assert [(line["function"], line["seen"]["inputs"]) for line in lines(folder)] == [
        ("lib.py:step", "step(half=half, x: float32[2])")
    ], "under the trace, nobody but the recorder asked for the text of `half`"


ENDLESS = """
    import jax

    @jax.tree_util.register_pytree_node_class
    class Node:
        def __init__(self, next):
            self.next = next

        def tree_flatten(self):
            return [self.next], None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)

    def step(node, x):
        return -x if node.next else x
"""
ENDLESS_TESTS = """
    import jax.numpy as jnp
    from lib import Node, step

    def nested(calls):
        return nested(calls - 1) if calls else True

    def test_all():
        node = Node(None)
        node.next = node
        step(node, jnp.zeros(2))
        assert nested(100)
"""


def test_an_argument_that_contains_itself_does_no_harm(folder: Path) -> None:
    (folder / "lib.py").write_text(textwrap.dedent(ENDLESS))
    (folder / "test_lib.py").write_text(textwrap.dedent(ENDLESS_TESTS))
    assert main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"]) == 0
    (seen,) = [line["seen"] for line in lines(folder) if line["function"] == "lib.py:step"]
    assert [visit["eager"] for visit in seen["visits"]] == [1]


def test_a_changed_function_drops_its_records(folder: Path) -> None:
    main(["--", sys.executable, "-m", "pytest", "-q", "test_lib.py"])
    file = folder / recordings.DEFAULT_FILE
    before = {record.qualname for record in recordings.read(str(file))}
    library = folder / "lib.py"
    library.write_text("# moved down\n\n" + library.read_text().replace("return -x", "return -2 * x"))
    program = (
        "from jaxlint.dynamic.inputs.recordings import read; import sys; "
        "print(*{record.qualname for record in read(sys.argv[1])})"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    assert before - set(ran.stdout.split()) == {"eager"}


LAYERS = """
import jax
import jax.numpy as jnp

LIMIT = 3

def helper(x):
    return x * 2

@jax.jit
def cached(x):
    return x + 1

def outer(xs):
    def body(carry, x):
        if carry.ndim < LIMIT:
            return helper(carry), cached(x)
        return carry, x
    return jax.lax.scan(body, jnp.float32(0), xs)

class Box:
    size: int = 2

    @property
    def half(self):
        return self.size / 2

    @half.setter
    def half(self, value):
        self.size = value * 2

    def rounds(self):
        while self.half > 2:
            self.half = self.half / 2
        return self.half

def unrelated(x):
    return x
"""
LAYERS_TESTS = """
    import jax.numpy as jnp
    from lib import *

    def test_all():
        cached(jnp.ones(()))
        outer(jnp.arange(3.0))
        box = Box()
        box.size = 20
        assert box.rounds() > 0
"""


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layers")
    (folder / "lib.py").write_text(LAYERS)
    (folder / "test_lib.py").write_text(textwrap.dedent(LAYERS_TESTS))
    command = ["--out", str(folder / recordings.DEFAULT_FILE), "--source", str(folder), "--", sys.executable]
    before = os.getcwd()
    os.chdir(folder)
    try:
        assert main([*command, "-m", "pytest", "-q", "test_lib.py"]) == 0
    finally:
        os.chdir(before)
    return folder


def after(folder: Path, text: str, jax: str = "") -> tuple[dict[str, Any], dict[str, str]]:
    """With another text of the library, where something was seen, line and column by function, and what is void."""
    (folder / "lib.py").write_text(text)
    program = """
        import json, sys
        from jaxlint.dynamic.inputs.recordings import read, void
        seen = {
            one.qualname: [(visit.at.line, visit.at.column) for visit in one.seen.visits]
            for one in read(*sys.argv[1:])
            if one.seen
        }
        print(json.dumps([seen, {name: reason for (_, name), reason in void(*sys.argv[1:]).items()}]))
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(folder / recordings.DEFAULT_FILE), jax]
    seen, void = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return seen, void


def test_places_move_with_their_functions(layers: Path) -> None:
    assert after(layers, LAYERS) == ({"outer.<locals>.body": [[16, 12]], "Box.rounds": [[33, 15]]}, {})
    moved = LAYERS.replace("import jax\n", "# a comment\n\nimport jax\n", 1).replace("class Box", "\n\nclass Box")
    assert after(layers, moved) == ({"outer.<locals>.body": [[18, 12]], "Box.rounds": [[37, 15]]}, {})
    below = textwrap.indent(LAYERS.split("class Box")[1], "    ")
    deeper = f"{LAYERS.split('class Box')[0]}if True:\n    class Box{below.lstrip()}"
    assert after(layers, deeper) == ({"outer.<locals>.body": [[16, 12]], "Box.rounds": [[34, 19]]}, {})


@pytest.mark.parametrize(
    ("old", "new", "name", "reason"),
    [
        ("carry.ndim < LIMIT", "carry.ndim > LIMIT", "outer.<locals>.body", "outer.<locals>.body"),
        ("return x * 2", "return x * 3", "outer.<locals>.body", "helper, which it ran"),
        ("return x + 1", "return x + 2", "outer.<locals>.body", "cached, which it ran"),
        ("jnp.float32(0)", "jnp.zeros(3)", "outer.<locals>.body", "outer, which it ran"),
        ("LIMIT = 3", "LIMIT = jnp.ones(3)", "outer.<locals>.body", "outer, which it ran"),
        ("self.size / 2", "self.size // 2", "Box.rounds", "Box.half, which it ran"),
        ("value * 2", "value * 4", "Box.rounds", "Box.half, which it ran"),
        ("size: int = 2", "size: int = 4", "Box.rounds", "Box.half, which it ran"),
    ],
)
def test_what_was_seen_is_void_with_another_text_of_anything_that_ran(
    layers: Path, old: str, new: str, name: str, reason: str
) -> None:
    assert old in LAYERS
    seen, void = after(layers, LAYERS.replace(old, new))
    assert void[name] == f"recorded with another text of {reason}"
    assert seen.keys() == {"outer.<locals>.body", "Box.rounds"} - {name}


def test_what_did_not_run_may_change(layers: Path) -> None:
    seen, void = after(layers, LAYERS.replace("def unrelated(x):\n    return x", "def unrelated(x):\n    return -x"))
    assert (len(seen), void) == (2, {})


def test_what_was_seen_is_void_with_another_jax(layers: Path) -> None:
    import jax

    assert after(layers, LAYERS, jax.__version__)[1] == {}
    seen, void = after(layers, LAYERS, "0.4.30")
    assert seen == {}
    assert {*void.values()} == {f"recorded with jax {jax.__version__}"}


def test_a_script_is_recorded_and_its_exit_code_kept(folder: Path) -> None:
    script = folder / "train.py"
    script.write_text(
        "import sys, jax.numpy as jnp\nfrom lib import eager\neager(jnp.ones(3), sys.argv[1])\nsys.exit(3)\n"
    )
    assert main(["--out", "calls.jsonl", "--", sys.executable, "train.py", "mean"]) == 3
    (record,) = [one for one in recordings.read(str(folder / "calls.jsonl")) if one.call is not None]
    assert (record.qualname, record.call["args"]) == ("eager", ["float32[3]", {"str": "mean"}])


def test_errors_under_a_trace_are_recorded_where_they_happen(folder: Path) -> None:
    (folder / "train.py").write_text(
        textwrap.dedent(
            """
            import jax
            def make():
                def step(x):
                    return float(x)
                return jax.jit(step)
            make()(1.0)
            """
        )
    )
    assert main(["--", sys.executable, "train.py"]) == 1
    (record,) = recordings.read(str(folder / recordings.DEFAULT_FILE))
    assert record.seen is not None
    assert [(seen.kind, seen.at.line) for seen in record.seen.observations] == [(Kind.FLOAT, 5)]
    assert str(folder) not in (folder / recordings.DEFAULT_FILE).read_text(), "the file may be committed"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to catch")
def test_a_killed_process_loses_nothing(folder: Path) -> None:
    (folder / "train.py").write_text(
        "import time, jax.numpy as jnp\nfrom lib import *\n"
        "eager(jnp.ones(3), 'a')\nouter(jnp.ones(3))\ntime.sleep(60)\n"
    )
    program = "import sys; from jaxlint.dynamic.inputs.record import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen([sys.executable, "-c", program, "--", sys.executable, "train.py"])
    file = folder / recordings.DEFAULT_FILE
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (file.exists() and "outer" in file.read_text()):
        time.sleep(0.1)
    time.sleep(0.5)  # the scan inside `outer` runs
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(timeout=20) != 0
    assert {record.qualname for record in recordings.read(str(file))} >= {"eager", "outer", "outer.<locals>.body"}


def test_the_plugin_costs_nothing_when_it_is_off(folder: Path) -> None:
    (folder / "test_lib.py").write_text("import sys\ndef test_nothing(): assert 'jax' not in sys.modules\n")
    plugin = ["-p", "no:jaxlint", "-p", "jaxlint.dynamic.inputs.pytest_plugin", "-p", "no:hypothesispytest"]
    subprocess.run([sys.executable, "-m", "pytest", "-q", *plugin, "test_lib.py"], check=True)
    assert not (folder / recordings.DEFAULT_FILE).exists()


STRICT = """
    import jax
    import jax.numpy as jnp
    from jaxtyping import Array, Float

    class Scaler:
        def __init__(self, w):
            self.w = w

        def __call__(self, x):
            return x * self.w

    def step(x: Float[Array, "n"]) -> Float[Array, "n"]:
        seen = []
        seen.append(x)

        def body(carry, y):
            if carry.ndim:
                return carry, y
            return carry + y, Scaler(y).w

        jax.lax.scan(body, jnp.float32(0), x)
        try:
            return x * int(x[0])
        except TypeError:
            return x

    @jax.jit
    def run(x):
        return Scaler(x)(step(x))
"""
STRICT_TESTS = """
    import jax
    import jax.numpy as jnp
    import pytest
    from pkg import lib
    from checking import CHECKED

    def test_plain():
        lib.run(jnp.ones(3))
        assert "step" in CHECKED, "the other import hook works, too"

    def test_without_leaks():
        with jax.checking_leaks():
            lib.run(jnp.ones(5))
            jax.grad(lambda x: lib.run(x).sum())(jnp.ones(5))

    def test_with_a_leak():
        kept = []
        with jax.checking_leaks(), pytest.raises(Exception, match="Leaked"):
            jax.jit(lambda x: kept.append(x))(jnp.ones(2))

    def test_warnings():
        with pytest.raises(UserWarning):
            __import__("warnings").warn("an error here")
"""


def test_strict_settings_of_a_project_are_kept_and_recorded_under(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warnings are errors, jaxtyping's import hook is on, and JAX looks for leaks."""
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("")
    (folder / "pkg" / "lib.py").write_text(textwrap.dedent(STRICT))
    checking = "CHECKED = []\n\ndef check(function):\n    CHECKED.append(function.__name__)\n    return function\n"
    (folder / "checking.py").write_text(checking)
    (folder / "test_lib.py").write_text(textwrap.dedent(STRICT_TESTS))
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    asyncio = ["-o", "asyncio_default_fixture_loop_scope=function", "-W", "ignore::pytest.PytestConfigWarning"]
    typed = "--jaxtyping-packages=pkg.lib,checking.check"
    assert main(["--", sys.executable, "-m", "pytest", "-q", *asyncio, typed, "test_lib.py"]) == 0
    names = {line["function"].rpartition(":")[2]: line for line in lines(folder)}
    assert {"run", "step", "step.<locals>.body", "Scaler.__init__"} <= names.keys()
    (seen,) = [line["seen"] for line in lines(folder) if line["function"] == "pkg/lib.py:step.<locals>.body"]
    assert [visit["concrete"] > 0 for visit in seen["visits"]] == [True]


KINDS = """
    import unittest
    import jax.numpy as jnp
    from absl.testing import parameterized
    from lib import outer

    class Plain(unittest.TestCase):
        def test_outer(self):
            with self.subTest("three"):
                outer(jnp.arange(3.0))

    class Sizes(parameterized.TestCase):
        @parameterized.parameters(2, 4)
        def test_outer(self, size):
            outer(jnp.arange(float(size)))

    class Fails(unittest.TestCase):
        def test_fails(self):
            assert outer(jnp.arange(5.0))[1].sum() == 3

    class Last(unittest.TestCase):
        def test_last(self):
            outer(jnp.arange(6.0))
"""


@pytest.mark.parametrize(
    ("words", "sizes"),
    [
        ("-m unittest test_kinds", {2, 3, 4, 5, 6}),
        ("-m pytest -q -x test_kinds.py", {2, 3, 4, 5}),
        ("-m pytest -q -p xdist.plugin -n 2 test_kinds.py", {2, 3, 4, 5, 6}),
    ],
)
def test_every_runner_of_tests_is_recorded_and_its_exit_code_kept(folder: Path, words: str, sizes: set[int]) -> None:
    """One test of four fails."""
    (folder / "test_kinds.py").write_text(textwrap.dedent(KINDS))
    assert main(["--", sys.executable, *words.split()]) == 1
    calls = [one["args"][0] for one in lines(folder) if one["function"] == "lib.py:outer" and "args" in one]
    found = {int(text.removeprefix("float32[").removesuffix("]")) for text in calls}
    assert found <= sizes, "three calls of each process"
    assert len(found) >= 3


OWN = """
    import jax
    import jax.numpy as jnp
    import pytest
    from lib import eager

    @pytest.fixture
    def xs():
        return jnp.arange(3.0)

    def test_scan(xs):
        def body(carry, x):
            if carry.shape:
                return carry, x
            return carry + x, eager(x, "sum")
        jax.lax.scan(body, jnp.float32(0), xs)

    def test_fails(xs):
        assert len(xs) == 3 + 1
"""


def test_test_files_are_recorded_if_that_is_wanted(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Assertions say what they would, and nothing of the recorder is left in what pytest keeps for its next run."""
    (folder / "test_lib.py").write_text(textwrap.dedent(OWN))
    run = [sys.executable, "-m", "pytest", "-q", "test_lib.py"]
    assert subprocess.run(run, check=False).returncode == 1  # and keeps the compiled file
    expected = "assert 3 == (3 + 1)"
    assert expected in capfd.readouterr().out
    assert main(["--tests", "--", *run]) == 1
    assert expected in capfd.readouterr().out
    (seen,) = [line["seen"] for line in lines(folder) if line["function"] == "test_lib.py:test_scan.<locals>.body"]
    assert [visit["concrete"] > 0 for visit in seen["visits"]] == [True]
    assert "lib.py:eager" in {line["function"] for line in lines(folder)}
    assert subprocess.run(run, check=False).returncode == 1
    assert expected in capfd.readouterr().out


SET_EARLY = """
    import os
    os.environ["JAX_ENABLE_X64"] = "1"
    from lib import eager
    import jax.numpy as jnp
    os.environ["JAX_ENABLE_X64"] = "0"
    import jax
    assert eager(jnp.ones(3), "sum").dtype == "float64"
    assert jax.config.jax_enable_x64
"""


def test_variables_that_a_program_sets_before_it_imports_jax_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JAX reads them when it is imported, and the recorder has imported it before."""
    monkeypatch.delenv("JAX_ENABLE_X64", raising=False)
    (folder / "train.py").write_text(textwrap.dedent(SET_EARLY))
    assert main(["--", sys.executable, "train.py"]) == 0
    (call,) = [one["args"] for one in lines(folder) if one["function"] == "lib.py:eager" and "args" in one]
    assert call[0] == "float64[3]"


def test_what_records_nothing_fails_and_says_why(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "early.py").write_text("import lib\n")
    (folder / "train.py").write_text("from lib import host\nhost(1)\n")
    pytest_run = ["-m", "pytest", "-q", "test_lib.py"]
    for words, reason in [
        ([*pytest_run, "-k", "no_such_test"], "no test ran"),
        ([*pytest_run, "-p", "early"], "early.py, lib.py had been imported before the recorder was there"),
        (["train.py"], "1 function was called, with nothing in it to trace or to watch"),
    ]:
        assert main(["--", sys.executable, *words]) == 2
        assert f"error: nothing was recorded: {reason}" in capfd.readouterr().err


def test_files_that_could_not_be_watched_are_told(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "early.py").write_text("import lib\n")
    (folder / "late.py").write_text(textwrap.dedent(LIBRARY))
    test = "import late\nimport jax.numpy as jnp\n\ndef test_it():\n    late.eager(jnp.ones(3), 'sum')\n"
    (folder / "test_late.py").write_text(test)
    assert main(["--", sys.executable, "-m", "pytest", "-q", "-p", "early", "test_late.py"]) == 0
    said = capfd.readouterr().err
    assert "warning: early.py, lib.py had been imported before the recorder was there: nothing in them" in said


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ([Outcome(3, imported=1, called=1, noted=1)], ""),
        ([Outcome(3, tests=0), Outcome(3, imported=1, called=1, noted=1, tests=2)], ""),  # workers of one run
        ([], "the command ended before the recorder could say anything"),
        ([Outcome(0)], "there are no Python files to record"),
        ([Outcome(3, tests=0)], "no test ran"),
        ([Outcome(3, tests=0, uncollected=("a.py", "b.py"))], "pytest found none in a.py, b.py, because of errors"),
        ([Outcome(3)], "no file of the project was imported"),
        ([Outcome(3, elsewhere=("/env/lib/pkg/mod.py",))], "mod.py was imported, and not the project's own file"),
        ([Outcome(3, imported=2, tests=4)], "no function of the project was called"),
    ],
)
def test_why_nothing_was_recorded(outcomes: list[Outcome], reason: str) -> None:
    said = why_nothing(outcomes)
    assert reason in said
    assert bool(said) is bool(reason)


@pytest.mark.parametrize(
    ("words", "python", "arguments"),
    [
        ("python -m pytest -q", "python", "-m pytest -q"),
        ("python3.11 -W error -m pytest", "python3.11 -W error", "-m pytest"),
        ("python -uB -Wd -X dev train.py -W 3", "python -uB -Wd -X dev", "train.py -W 3"),
        ("python -Xdev -O -m unittest discover", "python -Xdev -O", "-m unittest discover"),
    ],
)
def test_options_of_python_are_kept(words: str, python: str, arguments: str) -> None:
    assert _python_command(words.split()) == (python.split(), arguments.split())


@pytest.mark.skipif(sys.platform == "win32", reason="there commands do not say what they are written in")
def test_what_starts_other_programs_has_to_start_the_recorder(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--", "env", "A=1", "pytest", "-q"]) == 2
    said = capfd.readouterr().err
    assert "env is no Python program" in said
    assert "`env ... jaxlint record -- pytest tests/`" in said


@pytest.mark.parametrize("words", [[], ["--"], ["--", "no-such-command"], ["--", "python", "-c", "1"]])
def test_what_cannot_be_run_is_said(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capfd.readouterr().err.startswith("error: ")
