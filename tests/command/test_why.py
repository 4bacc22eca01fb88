"""`jaxlint why FILE:LINE`: what is known of one line, and for what reason."""

from __future__ import annotations

from collections.abc import Callable

from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

TRAIN = """\
import jax
import jax.numpy as jnp
import numpy as np

buf = np.zeros(3)
table = jnp.arange(4)


def helper(x, n):
    return x * n


@jax.jit
def step(x, key):
    n = x.shape[0]
    noise = jax.random.normal(key, (n,))
    again = jax.random.uniform(key) + buf + table
    return helper(x, 3) + noise + again


def main(xs):
    return helper(xs, "a")
"""


def about(jaxlint: Jaxlint, write: Write, line: int) -> list[str]:
    write({"train.py": TRAIN})
    outcome = jaxlint("why", f"train.py:{line}")
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out.splitlines()


def test_a_finding_comes_with_its_reasons_and_its_cure(jaxlint: Jaxlint, write: Write) -> None:
    lines = about(jaxlint, write, 17)
    assert lines[0] == "train.py:17: again = jax.random.uniform(key) + buf + table"
    start = next(number for number, text in enumerate(lines) if text.startswith("JAX401 [key-reused] "))
    assert lines[start + 1] == "  train.py:16: key consumed by `jax.random.normal`"
    assert lines[start + 2].startswith("  help: split the key")


def test_a_tracer_comes_with_the_steps_that_made_it_one(jaxlint: Jaxlint, write: Write) -> None:
    lines = about(jaxlint, write, 15)
    start = lines.index("x: traced array or pytree of traced arrays [jax.jit]")
    assert lines[start + 1 : start + 3] == [
        "  train.py:13: `jax.jit` is applied here",
        "  train.py:14: parameter `x` is traced by `jit`",
    ]


def test_a_size_is_static(jaxlint: Jaxlint, write: Write) -> None:
    assert "n, bound here: static: read off an array's shape or dtype [jax.jit]" in about(jaxlint, write, 15)


def test_a_key_comes_with_what_used_it(jaxlint: Jaxlint, write: Write) -> None:
    lines = about(jaxlint, write, 17)
    start = next(number for number, text in enumerate(lines) if text.startswith("key: "))
    assert "  train.py:16: key consumed by `jax.random.normal`" in lines[start:]


def test_arrays_of_either_library(jaxlint: Jaxlint, write: Write) -> None:
    lines = about(jaxlint, write, 17)
    assert "buf: NumPy array [jax.jit]" in lines
    assert "table: a concrete 1-dimensional int jax array [jax.jit]" in lines


def test_each_way_to_reach_a_line_has_its_answer(jaxlint: Jaxlint, write: Write) -> None:
    lines = about(jaxlint, write, 10)
    assert "x: traced array or pytree of traced arrays [jax.jit]" in lines
    assert "x: unknown [eager]" in lines
    assert "n: constant 3 [jax.jit]" in lines
    assert "n: constant 'a' [eager]" in lines


def test_the_parameters_of_a_function(jaxlint: Jaxlint, write: Write) -> None:
    lines = about(jaxlint, write, 14)
    assert [line.split(":")[0] for line in lines[2:] if not line.startswith(" ")] == ["x", "key"]


def test_a_line_without_names(jaxlint: Jaxlint, write: Write) -> None:
    assert about(jaxlint, write, 4)[-1] == "nothing is known about this line: no name on it is evaluated"


def test_a_line_that_does_not_exist(jaxlint: Jaxlint, write: Write) -> None:
    about(jaxlint, write, 1)
    outcome = jaxlint("why", "train.py:99")
    assert (outcome.code, outcome.out, outcome.err) == (2, "", "jaxlint: train.py:99: the file has 22 lines\n")
    assert jaxlint("why", "train.py:0").code == 2
    assert jaxlint("why", ".:3").err == "jaxlint: . is a folder: expected FILE:LINE, such as train.py:12\n"


def test_a_file_that_cannot_be_parsed(jaxlint: Jaxlint, write: Write) -> None:
    write({"broken.py": "def f(:\n"})
    assert jaxlint("why", "broken.py:1").out.startswith("broken.py: ")


def test_a_place_without_a_line(jaxlint: Jaxlint) -> None:
    outcome = jaxlint("why", "train.py")
    assert outcome.code == 2
    assert "expected FILE:LINE, such as train.py:12" in outcome.err
