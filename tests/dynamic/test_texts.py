"""How evidence writes values and errors: shortly, and without running their code."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.dynamic.recording import described, holds_tracer, shown


class Loud:
    def __repr__(self) -> str:
        raise AssertionError("nobody asked")

    __str__ = __repr__


VALUES: list[tuple[Any, str]] = [
    (None, "None"),
    (-1.5, "-1.5"),
    ((1, "a", [True]), "(1, 'a', [True])"),
    (list(range(8)), "[0, 1, 2, 3, 4, 5, 6, 7]"),
    (list(range(9)), "list"),
    ("x" * 58, f"'{'x' * 58}'"),
    ("x" * 59, f"'{'x' * 58}…"),
    (Loud(), "Loud"),
    ([Loud()], "[Loud]"),
    (np.ones((2, 3), np.float32), "float32[2,3]"),
    (np.float32(0.5), "float32[] 0.5"),
    (np.array([3], np.int32), "int32[1] 3"),
    (jnp.float32(0.5), "float32[]"),  # its value would have to be waited for
    (jnp.ones(2), "float32[2]"),
]


@pytest.mark.parametrize(("value", "text"), VALUES, ids=[text for _, text in VALUES])
def test_values(value: Any, text: str) -> None:
    assert shown(value) == text


def test_tracers_are_their_types() -> None:
    seen = []

    @jax.jit
    def f(x: Any, n: Any) -> Any:
        seen.append((shown(x), shown((n, 1)), holds_tracer(x), holds_tracer({"a": [x]}), holds_tracer([[[x]]])))
        return x

    f(jnp.ones(3), 2.0)
    assert seen == [("float32[3]", "(float32[] (weak), 1)", True, True, False)]
    assert not holds_tracer(jnp.ones(3))


def test_errors_are_one_line() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert described(ValueError("\n  first\nsecond")) == "ValueError: first"
    assert described(ValueError()) == "ValueError: "
    assert described(KeyError("x" * 300)) == f"KeyError: '{'x' * 199}"
    assert described(Odd()) == "Odd: "
