"""`jaxlint --dynamic` and `jaxlint record` as a user sees them: real code, real processes, real JAX."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxlint.dynamic.inputs.record import main as record_main

PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def clipped(x):
    if x > 1.0:
        return jnp.ones(())
    return x


def noisy(key, x):
    a = jax.random.normal(key, x.shape)
    return a + jax.random.uniform(key, x.shape)


def scaled(x, power):
    if power > 1:
        return x**power
    return x


fast = jax.jit(scaled)
"""

CALLS = """\
import jax
import jax.numpy as jnp
import program

print(program.noisy(jax.random.key(0), jnp.ones(3)))
try:
    program.clipped(2.0)
except jax.errors.TracerBoolConversionError:
    pass
"""


@pytest.fixture(scope="module")
def lacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a run has kept what the installed JAX lacks: finding that out takes as long as all the rest of a run."""
    folder = tmp_path_factory.mktemp("lacks")
    (folder / "jaxlint.toml").write_text("")
    (folder / "program.py").write_text(PROGRAM)
    assert jaxlint(folder, "--dynamic", ".").returncode == 1
    (kept,) = (folder / ".jaxlint_cache" / "dynamic").glob("lacks-*.jsonl")
    return kept


@pytest.fixture
def project(tmp_path: Path, lacks: Path) -> Path:
    (tmp_path / "jaxlint.toml").write_text("")
    (tmp_path / "program.py").write_text(PROGRAM)
    cache = tmp_path / ".jaxlint_cache" / "dynamic"
    cache.mkdir(parents=True)
    shutil.copy(lacks, cache)
    return tmp_path


def jaxlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "jaxlint", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def findings(folder: Path, *arguments: str) -> dict[int, dict[str, Any]]:
    """The findings of `--dynamic`, by line."""
    done = jaxlint(folder, "--dynamic", "--output-format", "json", *arguments, ".")
    assert "jaxlint" not in done.stderr  # at most a line that says how far it is
    return {finding["location"]["row"]: finding for finding in json.loads(done.stdout)}


def test_made_up_inputs_confirm_under_an_assumption_that_is_spelled_out(project: Path) -> None:
    found = findings(project)
    assert {line: finding["verdict"]["state"] for line, finding in found.items()} == {
        7: "confirmed-if",
        14: "confirmed-if",
        18: "confirmed-if",
    }
    assert found[18]["verdict"]["assumptions"]
    assert "line 7: " in found[7]["verdict"]["evidence"][1]
    assert found[14]["certainty"] == "certain"


def test_a_package_below_a_folder_that_no_import_could_name_is_imported(project: Path) -> None:
    package = project / "my-project" / "train"
    package.mkdir(parents=True)
    (project / "program.py").unlink()
    (package / "program.py").write_text(PROGRAM.replace("x > 1.0", "x > LIMIT") + "\nfrom .limits import LIMIT\n")
    (package / "limits.py").write_text("LIMIT = 1.0\n")
    verdicts = [finding["verdict"]["state"] for finding in findings(project).values()]
    assert verdicts == ["confirmed-if", "confirmed-if", "confirmed-if"]


def test_recorded_calls_confirm(project: Path) -> None:
    (project / "train.py").write_text(CALLS)
    recorded = jaxlint(project, "record", "--", sys.executable, "train.py")
    assert recorded.returncode == 0
    assert "recorded" in recorded.stderr
    found = findings(project)
    assert found[7]["verdict"]["state"] == "confirmed"
    assert found[14]["verdict"]["state"] == "confirmed"
    assert found[7]["verdict"]["assumptions"] == []


def test_real_calls_refute_and_the_finding_is_shown_on_request_only(project: Path) -> None:
    """`power` is a Python number in the only call there is, inside a function that is traced around it."""
    (project / "program.py").write_text(
        PROGRAM.replace(
            "fast = jax.jit(scaled)", "fast = jax.jit(scaled)\n\n\n@jax.jit\ndef cubed(x):\n    return scaled(x, 3)"
        )
    )
    (project / "train.py").write_text("import program\nprogram.cubed(2.0)\n")
    jaxlint(project, "record", "--", sys.executable, "train.py")
    assert 18 not in findings(project)
    shown = findings(project, "--certainty", "possible")[18]
    assert shown["verdict"]["state"] == "refuted-for"
    assert shown["certainty"] == "possible"


SCRIPT = """\
import itertools

import jax
import jax.numpy as jnp
import program

if __name__ == "__main__":
    program.noisy(jax.random.key(0), jnp.ones(3))
    for epoch in itertools.count():
        program.cubed(jnp.ones(3))
        if epoch == 3:
            open("checkpoint", "w").close()
            break
"""

TESTS = """\
import jax
import program
import pytest

from jaxlint.dynamic.inputs.record import main as record_main


def test_clipped():
    with pytest.raises(jax.errors.TracerBoolConversionError):
        program.clipped(2.0)
"""


def test_scripts_and_tests_of_the_project_are_run_for_inputs(project: Path) -> None:
    """The script and the test file are found by what they import, and nothing is written where they are."""
    text = PROGRAM + "\n\n@jax.jit\ndef cubed(x):\n    return scaled(x, 3)\n"
    (project / "program.py").write_text(text)
    (project / "run.py").write_text(SCRIPT)
    (project / "test_program.py").write_text(TESTS)
    before = {*project.iterdir()}
    found = findings(project, "--certainty", "possible", "--dynamic-timeout", "8")
    assert {line: finding["verdict"]["state"] for line, finding in found.items()} == {
        7: "confirmed",
        14: "confirmed",
        18: "refuted-for",
    }
    assert found[14]["verdict"]["evidence"][0] == "noisy(key: key<fry>[], x: float32[3])"
    assert {*project.iterdir()} == before
    assert len([*(project / ".jaxlint_cache" / "dynamic").glob("rehearsed-*")]) == 1


FEW = """\
import jax
import jax.numpy as jnp
import program

program.scaled(jnp.ones(3), 3)
"""


def test_what_nobody_has_recorded_is_run_for_beside_what_is_recorded(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording of a part of the tests takes no verdict from the rest."""
    text = PROGRAM + "\n\n@jax.jit\ndef cubed(x):\n    return scaled(x, 3)\n"
    (project / "program.py").write_text(text)
    (project / "few.py").write_text(FEW)
    (project / "test_program.py").write_text(TESTS)
    monkeypatch.chdir(project)
    assert record_main(["--", sys.executable, "few.py"]) == 0
    found = findings(project, "--dynamic-timeout", "8")
    assert found[7]["verdict"]["state"] == "confirmed", "its test was run"


MAIN = """\
import argparse
import os
import jax

if __name__ == "__main__":
    os.makedirs("outputs/today")  # as hydra does
    open("outputs/today/settings", "w").write(open("jaxlint.toml").read())
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2)
    key = jax.random.key(0)
    for step in range(parser.parse_args().steps):
        print(jax.random.normal(key))
"""

CELLS = (
    "import jax\n%matplotlib inline\ndisplay(key := jax.random.key(0))",
    "def noisy(key, n=3):\n    a = jax.random.normal(key, (n,))\n    return a + jax.random.uniform(key, (n,))",
    "@jax.jit\ndef clipped(x):\n    if x > 1:\n        return 1.0\n    return x\n\nnoisy(key)\nclipped(2.0)",
)


def test_what_stands_outside_of_functions_is_judged_and_cells_are_run(tmp_path: Path, lacks: Path) -> None:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in CELLS]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (tmp_path / "jaxlint.toml").write_text("")
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "shown.ipynb").write_text(json.dumps(notebook))
    (tmp_path / ".jaxlint_cache" / "dynamic").mkdir(parents=True)
    shutil.copy(lacks, tmp_path / ".jaxlint_cache" / "dynamic")
    before = {*tmp_path.iterdir()}
    for _ in "traced", "kept":
        done = jaxlint(tmp_path, "--dynamic", "--output-format", "json", ".")
        told = [(each["cell"], each["location"]["row"], each["verdict"]) for each in json.loads(done.stdout)]
        assert [(cell, row, verdict["state"], verdict["evidence"][0]) for cell, row, verdict in told] == [
            (None, 12, "confirmed", "python main.py"),
            (2, 3, "confirmed", "the cells of shown.ipynb"),
            (3, 3, "confirmed", "the cells of shown.ipynb"),
        ]
        assert told[1][2]["evidence"][1] == "cell 2, line 3: a key is drawn from that is drawn from before"
    assert {*tmp_path.iterdir()} == before


ENDLESS = """\
import signal
import jax

key = jax.random.key(0)
a = jax.random.normal(key)
b = jax.random.normal(key)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
while True:
    pass
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork what a process has seen ends with it")
def test_what_was_seen_before_something_that_never_ends_is_kept(project: Path) -> None:
    (project / "endless.py").write_text(ENDLESS)
    found = findings(project, "--dynamic-timeout", "2", "--select", "JAX401")
    assert found[6]["verdict"]["state"] == "confirmed"


def test_the_terminal_shows_the_verdict_with_the_version_of_jax(project: Path) -> None:
    import jax

    done = jaxlint(project, "--dynamic", "--select", "JAX401", ".")
    assert "traced: confirmed if key is uint32[2] (a PRNG key, by its name)" in done.stdout
    assert f"(jax {jax.__version__})" in done.stdout
    assert done.returncode == 1
    brief = jaxlint(project, "--dynamic", "--select", "JAX401", "--output-format", "concise", ".")
    assert brief.stdout.splitlines()[0].endswith("[confirmed-if]")


CLOSURES = """\
import jax


def made(scale):
    @jax.jit
    def step(key, x):
        return x + jax.random.normal(key) + scale * jax.random.uniform(key)

    return step


def body(carry, _):
    key, x = carry
    return (key, x + jax.random.normal(key)), x


if __name__ == "__main__":
    made(2.0)(jax.random.key(0), 1.0)
    jax.lax.scan(body, (jax.random.key(1), 0.0), length=3)
"""


def test_what_a_script_compiles_is_searched_for_keys(project: Path) -> None:
    """Neither function can be called from outside with what the script gives it."""
    (project / "program.py").write_text(CLOSURES)
    found = findings(project, "--certainty", "possible")
    assert {line: finding["verdict"]["state"] for line, finding in found.items()} == {7: "confirmed", 14: "confirmed"}
    assert found[7]["verdict"]["evidence"][0] == "made.<locals>.step(key: key<fry>[], x: float32[])"


def test_one_key_for_all_lanes_is_no_key_that_is_used_twice(project: Path) -> None:
    """Shared noise may be meant."""
    lanes = "jax.vmap(lambda x: x + jax.random.normal(key))(jax.numpy.arange(3.0))"
    lines = f"import jax\n\n\n@jax.jit\ndef noisy(key):\n    return {lanes}\n"
    (project / "program.py").write_text(f"{lines}\n\nif __name__ == '__main__':\n    noisy(jax.random.key(0))\n")
    assert findings(project) == {}
    found = findings(project, "--certainty", "possible")[6]
    assert (found["code"], found["verdict"]["state"]) == ("JAX405", "confirmed")


TIMED = """\
import time

import jax
import jax.numpy as jnp


@jax.jit
def power(x):
    return jax.lax.fori_loop(0, 50, lambda _, y: y @ x, x)


def bench(x):
    start = time.perf_counter()
    y = power(x)
    return time.perf_counter() - start, y


if __name__ == "__main__":
    bench(jnp.eye(800))
"""


def test_a_result_that_is_not_there_when_the_clock_is_read_confirms(project: Path) -> None:
    (project / "program.py").write_text(TIMED)
    (verdict,) = (finding["verdict"] for finding in findings(project).values())
    assert verdict["state"] == "confirmed"
    assert verdict["evidence"][1:3] == [
        "line 15: `y` is still being computed when the clock is read",
        "line 14: it begins here",
    ]


def test_without_dynamic_nothing_runs_and_the_verdict_is_null(project: Path) -> None:
    (project / "program.py").write_text(PROGRAM + "\nopen('ran', 'w').close()\n")
    done = jaxlint(project, "--output-format", "json", ".")
    assert {finding["verdict"] for finding in json.loads(done.stdout)} == {None}
    assert not (project / "ran").exists()


def test_a_second_run_reads_the_cache_and_a_change_does_not(project: Path) -> None:
    first = findings(project)
    (cached,) = (project / ".jaxlint_cache" / "dynamic").glob("[0-9a-f]*.jsonl")
    _, text = cached.read_text().split("\n", 1)
    text = text.replace("noisy(", "remembered(").rstrip("\n")
    cached.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}\n")
    second = findings(project)
    assert "remembered(" in second[14]["verdict"]["evidence"][0]
    (project / "program.py").write_text(PROGRAM + "\n")
    assert findings(project) == first
    assert jaxlint(project, "clean").stdout == "removed .jaxlint_cache\n"
    assert not (project / ".jaxlint_cache").exists()


def test_an_empty_cache_is_no_cache(project: Path) -> None:
    first = findings(project)
    for cached in (project / ".jaxlint_cache" / "dynamic").iterdir():
        cached.write_bytes(b"")
    assert findings(project) == first


def test_declared_inputs_are_used(project: Path) -> None:
    (project / "jaxlint.toml").write_text('[inputs]\n"program:scaled" = "(x: float32[2], power=3)"\n')
    verdict = findings(project, "--certainty", "possible")[18]["verdict"]
    assert verdict["state"] != "confirmed"
    assert "power=3" in " ".join(verdict["evidence"])


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("raise RuntimeError('no data')", "RuntimeError: no data"),
        ("raise SystemExit('no device')", "SystemExit: no device"),
    ],
)
def test_a_module_that_stops_is_judged_without_what_it_stops_at(project: Path, statement: str, said: str) -> None:
    (project / "program.py").write_text(PROGRAM + f"\n{statement}\n\n\n@jax.jit\ndef late(x):\n    return float(x)\n")
    found = findings(project)
    assert found[7]["verdict"]["state"] == "confirmed-if"
    late = found[max(found)]["verdict"]
    assert late["state"] == "confirmed-if"
    assert f"`{statement}` is left out, which raises {said}" in late["assumptions"]


@pytest.mark.parametrize("option", ["--dynamic-timeout", "--dynamic-budget"])
def test_limits_are_numbers_above_zero(project: Path, option: str) -> None:
    done = jaxlint(project, "--dynamic", option, "-3", ".")
    assert done.returncode == 2
    assert option in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_endless_function_costs_its_own_verdict_only(project: Path) -> None:
    loops = "import jax\n\n\n@jax.jit\ndef stuck(x):\n    while True:\n        pass\n    return float(x)\n"
    (project / "other.py").write_text(loops + "\n\n@jax.jit\ndef quick(x):\n    return float(x)\n")
    found = findings(project, "--dynamic-timeout", "3", "--select", "JAX211")
    assert found[max(found)]["verdict"]["state"] == "confirmed-if"


def test_why_shows_the_equations_of_a_line(project: Path) -> None:
    shown = jaxlint(project, "why", "program.py:14", "--dynamic").stdout
    assert "traced as noisy(key: uint32[2], x: " in shown
    assert "key-reuse: a key is drawn from that is drawn from before" in shown
    assert "= add " in shown


def test_what_only_tracing_sees_is_a_finding_of_its_own(project: Path) -> None:
    lines = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef stable(a):\n    return jnp.linalg.eigvals(a)\n"
    (project / "program.py").write_text(f"{lines}\n\nstable(jnp.eye(2))\n")
    assert findings(project) == {}
    found = findings(project, "--lower-for", "cuda,tpu", "--certainty", "possible")[7]
    assert (found["code"], found["origin"]) == ("JAX803", "tracing")
    assert "tpu" in found["verdict"]["evidence"][1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--dynamic --lower-for vax", "expected cuda, rocm or tpu, found vax"),
        ("--dynamic --lower-for ,", "expected cuda, rocm or tpu, found nothing"),
        ("--lower-for cuda", "--lower-for says how to trace, and nothing is traced without --dynamic"),
        ("--dynamic-budget 5", "nothing is traced without --dynamic"),
        ("report --platform cpu", "--platform says how to trace, and nothing is traced without --dynamic"),
        ("--dynamic --platform vax", "there is no 'vax' here, only cpu"),
    ],
)
def test_what_says_how_to_trace_is_looked_at_before_anything_runs(project: Path, arguments: str, said: str) -> None:
    (project / "program.py").write_text("while True:\n    pass\n")
    done = jaxlint(project, *arguments.split(), ".")
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


STUCK = """import pathlib
import tempfile

import jax


@jax.jit
def quick(x):
    return float(x)


@jax.jit
def stuck(x):
    value = float(x)
    pathlib.Path(tempfile.gettempdir(), "stuck").touch()
    while value:
        pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_tracing_and_what_is_decided_is_printed(project: Path, number: signal.Signals) -> None:
    (project / "program.py").write_text(STUCK)
    temporary = project / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "jaxlint", "--dynamic", "--output-format", "json", "--select", "JAX211", "."]
    process = subprocess.Popen(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not [*temporary.rglob("stuck")]:
        time.sleep(0.1)
    process.send_signal(number)
    out, said = process.communicate(timeout=30)
    states = [finding["verdict"]["state"] for finding in json.loads(out)]
    assert states == ["confirmed-if", "timed-out"]
    assert "warning: the run was interrupted: 1 function was not traced" in said
    assert process.returncode == 128 + number
    assert [*temporary.iterdir()] == []
    assert str(temporary).encode() not in b"".join(_environments())


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_a_long_run_tells_what_is_decided_while_it_goes_on(project: Path) -> None:
    (project / "program.py").write_text(f"{STUCK}\n\n@jax.jit\ndef meant(x):\n    return float(x)  # jaxlint: ignore\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "jaxlint", "--dynamic", "--select", "JAX211", "--output-format", "json", "."]
    process = subprocess.Popen(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if "JAX211" in line:
            process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    (told,) = [line for line in said if "JAX211" in line]
    first, *_ = json.loads(out)
    place = f"{first['location']['row']}:{first['location']['column']}"
    assert told.rstrip() == f"program.py:{place}: JAX211 {first['message']} [confirmed-if]"
    assert process.returncode == 130


def _environments() -> Iterator[bytes]:
    """The variables of all processes that may be looked at."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield (folder / "environ").read_bytes()


def test_a_spent_budget_went_to_the_functions_of_findings(project: Path) -> None:
    """Two workers, and two modules with functions that never end: nobody claims anything of those."""
    found = "import jax\n\n\n@jax.jit\ndef found(x):\n    return float(x)\n"
    endless = "\n\n@jax.jit\ndef endless(x):\n    while True:\n        pass\n"
    for name, text in {"a": found + endless, "b": found + endless, "c": found, "program": endless}.items():
        (project / f"{name}.py").write_text(text if "import" in text else f"import jax\n{text}")
    done = jaxlint(project, "--dynamic", "--dynamic-budget", "8", "--select", "JAX211", "--output-format", "json", ".")
    assert [finding["verdict"]["state"] for finding in json.loads(done.stdout)] == ["confirmed-if"] * 3
    assert "warning: the budget of 8 s was spent: 3 functions were not traced" in done.stderr
    assert done.returncode == 1
