"""What recorded calls say of findings: one recording under pytest, and the verdicts that are reached with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """\
import jax
import jax.numpy as jnp
from contextlib import suppress


class Model:
    def __init__(self, w):
        self.w = w  # made in the trace
        self.fill(w)

    def fill(self, w):
        self.v = w * 2  # made in the trace, by a helper

    def __call__(self, x):
        return x * self.w + self.v


@jax.jit
def make(w, x):
    return Model(w)(x)


class Counter:
    def bump(self, x):
        self.last = x  # older than the trace
        return x


@jax.jit
def handled(x):
    try:
        n = float(x)  # handled here
    except TypeError:
        n = 0.0
    return x * n


@jax.jit
def suppressed(x):
    n = 0
    with suppress(jax.errors.ConcretizationTypeError):
        n = int(x)  # suppressed
    return x * n


@jax.jit
def unrelated(x):
    try:
        return float(x)  # handled for something else
    except KeyError:
        return 0.0


@jax.jit
def raised_again(x):
    try:
        return float(x)  # raised again
    except TypeError as error:
        raise ValueError("static only") from error


def inner(x):
    if x > 0:  # handled by the caller
        return x
    return -x


@jax.jit
def safe(x):
    try:
        return inner(x)
    except jax.errors.TracerBoolConversionError:
        return jnp.abs(x)


def modes(x, mode, scale=2.0):
    size = x.shape[0] if mode == "plain" else x[0]
    if size:  # a tracer in another mode
        return x * scale
    return x


@jax.jit
def plain(x):
    return modes(x, "plain")


@jax.jit
def other(x):
    return modes(x, "other")


def scaled(x, power, offset=1):
    if power > offset:  # never a tracer
        return x**power
    return x


fast = jax.jit(scaled)


@jax.jit
def cubed(x):
    return scaled(x, 3) + scaled(x, 1)
"""

TESTS = """\
import jax
import jax.numpy as jnp
import program
import pytest


def test_all():
    program.make(jnp.ones(()), jnp.ones(3))
    jax.jit(program.Counter().bump)(jnp.ones(3))
    for function in (program.handled, program.suppressed, program.safe):
        function(jnp.ones(()))
    for function in (program.unrelated, program.raised_again):
        with pytest.raises(Exception):
            function(jnp.ones(()))
    program.plain(jnp.ones(3))
    program.cubed(2.0)
    with pytest.raises(jax.errors.TracerBoolConversionError):
        program.other(jnp.ones(3))
"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The verdicts of all that is reported, by the comment on its line."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "jaxlint.toml").write_text("")
    (folder / "program.py").write_text(PROGRAM)
    (folder / "test_program.py").write_text(TESTS)
    jaxlint(folder, "record", "--", sys.executable, "-m", "pytest", "-q", "test_program.py")
    ran = jaxlint(folder, "--dynamic", "--certainty", "possible", "--output-format", "json", "program.py")
    comments = [line.partition("# ")[2] for line in PROGRAM.splitlines()]
    found = json.loads(ran.stdout)
    return {comments[one["location"]["row"] - 1]: one["verdict"] | {"origin": one["origin"]} for one in found}


def jaxlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "jaxlint", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)


def test_what_a_traced_function_makes_is_no_outer_state(verdicts: dict[str, Any]) -> None:
    assert "made in the trace" not in verdicts
    assert "made in the trace, by a helper" not in verdicts
    assert verdicts["older than the trace"]["state"] == "confirmed"


@pytest.mark.parametrize("comment", ["handled here", "suppressed", "handled by the caller"])
def test_an_exception_that_the_code_catches_confirms_nothing(verdicts: dict[str, Any], comment: str) -> None:
    verdict = verdicts.get(comment)
    if verdict is not None:  # the static engine may know it as well
        assert verdict["state"] == "refuted-for"
        assert "the code catches this exception itself" in verdict["evidence"]


@pytest.mark.parametrize("comment", ["handled for something else", "raised again"])
def test_an_exception_that_gets_out_does(verdicts: dict[str, Any], comment: str) -> None:
    assert verdicts[comment]["state"] == "confirmed"


def test_another_static_argument_is_another_case(verdicts: dict[str, Any]) -> None:
    verdict = verdicts["a tracer in another mode"]
    assert verdict["state"] == "confirmed"
    assert verdict["evidence"][0] == "modes(x: float32[3], mode='other', scale=2.0)"


def test_a_refutation_names_all_that_it_holds_for(verdicts: dict[str, Any]) -> None:
    verdict = verdicts["never a tracer"]
    assert verdict["state"] == "refuted-for"
    assert {f"with scaled(x: float32[], power={power}, offset=1)" for power in (1, 3)} <= {*verdict["evidence"]}
