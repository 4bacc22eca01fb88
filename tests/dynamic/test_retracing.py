"""What a recording says of compiled functions that are traced anew at each call, and of exceptions that calls raise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """\
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("lr",))
def step(params, lr):
    return params - lr * params


@jax.jit
def forward(tokens):
    return tokens.sum()


@functools.partial(jax.jit, donate_argnums=0)
def update(state, batch):
    return state + batch


def decay(params, rates):
    for i in range(len(rates)):
        params = step(params, rates[0] / (i + 1))  # another number each time
    return params


def few(params, n):
    for i in range(n):
        params = step(params, 0.5 ** min(i, 2))  # three numbers in many calls
    return params


def twice(params, n):
    for i in range(n):
        params = step(params, 0.1 / (i + 1))  # only two calls
    return params


def prefixes(tokens):
    for i in range(len(tokens)):
        print(forward(tokens[: i + 1]))  # longer each time


def fresh(x, n):
    for _ in range(n):
        x = jax.jit(lambda x: 2 * x)(x)  # a function each time
    return x


def change(state, batch):
    new = update(state, batch)
    return new - state  # donated


def expected(state, batch):
    new = update(state, batch)
    try:
        return new - state  # donated, and expected
    except RuntimeError:
        return new


def carried(xs):
    def body(carry, x):
        return {"a": carry["a"].astype(jnp.bfloat16), "b": carry["b"]}, x  # another dtype

    zero = jnp.zeros(2, jnp.float32)
    return jax.lax.scan(body, {"a": zero, "b": zero}, xs)


def compiled():
    return jax.jit(carried, static_argnums=3)  # not so many
"""

DRIVER = """\
import sys
from contextlib import suppress

import jax.numpy as jnp

sys.path.insert(0, ".")
import program

x = jnp.ones(4)
program.decay(x, [0.3, 0.3, 0.3, 0.3])
program.few(x, 9)
program.twice(x, 2)
program.prefixes(x)
program.fresh(x, 3)
program.expected(x + 0, x)
for run in (lambda: program.change(x + 0, x), lambda: program.carried(x), program.compiled):
    with suppress(Exception):
        run()
"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The verdicts of all that is reported, by the comment on its line."""
    folder = tmp_path_factory.mktemp("retraced")
    (folder / "jaxlint.toml").write_text("preview = true\n")
    (folder / "program.py").write_text(PROGRAM)
    driver = tmp_path_factory.mktemp("driver") / "drive.py"  # no part of the project: what it expects is its own affair
    driver.write_text(DRIVER)
    jaxlint(folder, "record", "--", sys.executable, str(driver))
    ran = jaxlint(folder, "--dynamic", "--certainty", "possible", "--output-format", "json", "program.py")
    comments = [line.partition("# ")[2] for line in PROGRAM.splitlines()]
    return {comments[one["location"]["row"] - 1]: one["verdict"] for one in json.loads(ran.stdout)}


def jaxlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "jaxlint", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("another number each time", "4 calls were 4 traces: each had another static argument `lr`: 0.3, 0.15, 0.0"),
        ("longer each time", "4 calls were 4 traces: each had another type of `tokens`: float32[1], float32[2], float"),
        ("a function each time", "3 calls were 3 traces: each had another function object of `<lambda>`"),
        ("donated", "RuntimeError: Array has been deleted"),
        ("another dtype", "The input carry component carry['a'] has type float32[2] but the corresponding output"),
        ("not so many", "Jitted function has static_argnums=(3,), but only accepts 1"),
    ],
)
def test_what_was_seen_is_confirmed_and_told(verdicts: dict[str, Any], comment: str, told: str) -> None:
    verdict = verdicts[comment]
    assert verdict["state"] == "confirmed"
    assert any(told in line for line in verdict["evidence"]), verdict["evidence"]


@pytest.mark.parametrize("comment", ["three numbers in many calls", "only two calls", "donated, and expected"])
def test_what_is_compiled_once_for_several_calls_confirms_nothing(verdicts: dict[str, Any], comment: str) -> None:
    if (verdict := verdicts.get(comment)) is not None:
        assert verdict["state"] not in ("confirmed", "confirmed-if")
