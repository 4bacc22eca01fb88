"""Where the analysis gave up is told: `--statistics` counts each limit that was met, `jaxlint why` tells of a line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jaxlint.flow.limits import LIMITS
from tests.command.conftest import IMPURE, Jaxlint
from tests.limits_support import limited

Write = Callable[[dict[str, str]], None]

HEADER = """\
import functools

import jax
import jax.numpy as jnp


def inner(x):
    return x + 1


def helper(x, n=1):
    return inner(x) * n
"""
"""What every program begins with: its own first line is line 13."""

JIT = "@jax.jit\ndef f(x, xs=()):\n"
"""Lines 13 and 14."""

MODEL = """\
class Model:
    def __init__(self):
        self.size = 1

    @property
    def double(self):
        return inner(1)

    def draw(self, key):
        return jax.random.normal(key, (self.size,))


"""

DERIVED = """
class World:
    @jax.jit
    def step(self, state):
        return self.move(state)

    def move(self, state):
        return state


class Slow(World):
    def move(self, state):
        return state / 2


"""

MEETING = {
    "MAX_DEPTH": (1, JIT + "    return helper(x)\n", 15),
    "RESULT_PARTS": (1, "def g(x):\n    return [x, [x]]\n\n\n" + JIT + "    return g(x)\n", 13),
    "NESTED_FUNCTIONS": (0, JIT + "    def g(y):\n        return y\n    return g(x)\n", 17),
    "ASKED_PARTS": (0, "def g(c):\n    return c['a']\n\n\n" + JIT + "    return g({'a': x})\n", 14),
    "ASKED_DEPTH": (0, "def g(c):\n    return c['a']\n\n\n" + JIT + "    return g({'a': x})\n", 14),
    "SHARED_DEPTH": (1, JIT + "".join(f"    x = helper(x, {n})\n" for n in range(2, 40)) + "    return x\n", 12),
    "WORK_LIMIT": (1, JIT + "    x = x + 1\n    return helper(x)\n", 16),
    "RECURSION": (1, JIT + "    return f(x)\n", 15),
    "MAX_VARIANTS": (1, JIT + "    y = helper(x, 2)\n    return y + helper(x, 3)\n", 16),
    "MOST_CALLEES": (1, JIT + "    g = inner if xs.flag else helper\n    return g(x + 1)\n", 16),
    "MAX_LAYERS": (1, "f = jax.jit(jax.vmap(inner))\n", 13),
    "INITIAL_DEPTH": (1, MODEL, 14),
    "MAX_EVALUATIONS": (20, JIT + "    x = x + 1\n" * 20 + "    return x\n", 14),
    "FEW_EVALUATIONS": (3, JIT + "    x = jnp.sin(x) + 1\n    for y in xs:\n        x = x + y\n", 16),
    "MAX_PASSES": (2, JIT + "    for y in (1, 2, 3):\n        x = x + y\n", 15),
    "PASS_LIMIT": (2, JIT + "    a = b = c = None\n    for y in x:\n        a, b, c = b, c, x\n", 16),
    "DERIVED_CLASSES": (0, DERIVED, 15),
    "REPEATED_GENERATORS": (1, JIT + "    return [a + b for a in x for b in a]\n", 15),
}
"""For each limit that is counted a value, a program that meets it, and the line where it does."""


def test_all_that_are_counted_are_here() -> None:
    assert {name for name, limit in LIMITS.items() if limit.counted} == MEETING.keys()


@pytest.mark.parametrize("name", MEETING)
def test_a_limit_that_is_met_is_told(jaxlint: Jaxlint, write: Write, name: str) -> None:
    value, program, line = MEETING[name]
    limit = LIMITS[name]
    write({"a.py": HEADER + program})
    with limited([limit], value):
        rows = jaxlint("--statistics", "--output-format", "json").rows
        told = jaxlint("why", f"a.py:{line}").out
        assert (limit.name, value) in [(row["name"], row["limit"]) for row in rows if row["code"] is None]
        assert f": {limit.name} ({limit.most})\n  not known: {limit.lost}\n" in told


def test_the_table_tells_limits_after_rules(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE + "\n\n@jax.jit\ndef g(x):\n    return g(x) + g(x)\n"})
    assert jaxlint("--statistics").out.splitlines()[:2] == [
        "1  JAX101  print-in-traced-function",
        "2  limit   passes through a function that calls itself (at most 1 pass)",
    ]


def test_only_files_that_are_asked_for_count(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": "import jax\nimport b\n", "b.py": "import jax\n\n\n@jax.jit\ndef g(x):\n    return g(x)\n"})
    assert jaxlint("--statistics", "--output-format", "json", "a.py").rows == []
    assert len(jaxlint("--statistics", "--output-format", "json", "b.py").rows) == 1


SETTLED = {
    "layers made in each pass": """\
import flax.linen as nn


class Encoder(nn.Module):
    layers: int
    heads: int

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.heads)(x)
        for number in range(self.layers):
            x = nn.MultiHeadDotProductAttention(num_heads=self.heads, name=f"layer_{number}")(x)
        return x
""",
    "items by a number that each pass has": """\
import jax


def matched(cost, match):
    found = []
    for number in range(cost.shape[0]):
        found.append(match(cost[number]))
    return found
""",
}


@pytest.mark.parametrize("program", SETTLED.values(), ids=SETTLED)
def test_a_loop_whose_passes_are_alike_meets_no_limit(jaxlint: Jaxlint, write: Write, program: str) -> None:
    write({"a.py": program})
    assert jaxlint("--statistics", "--output-format", "json").rows == []
