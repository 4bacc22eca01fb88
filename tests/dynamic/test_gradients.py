"""Gradients that are NaN at zero, and the places that are to blame: those that make it so by themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from jaxlint.dynamic import places
from jaxlint.dynamic.gradients import nan_gradients

BLAMED = {
    "a root behind where": ("y = jnp.where(x > 0, jnp.sqrt(x), 0.0)", "return y.sum()"),
    "a norm": ("y = jnp.linalg.norm(x)", "return 2 * y"),
    "a division behind where": ("y = jnp.where(x == 0, 1.0, jnp.sin(x) / x)", "return y"),
    "in a compiled function": ("y = jax.jit(lambda x: jnp.where(x > 0, jnp.log(x), 0.0))(x)", "return y.sum()"),
    "beside another one": ("y = jnp.sqrt(x * x)", "return y + jnp.sqrt(jnp.sum(x * x))"),
}

NOT_BLAMED = {
    "guarded": ("y = jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)", "return y.sum()"),
    "infinite, which is what it is": ("y = jnp.sqrt(x)", "return y.sum()"),
    "another place does it": ("y = jnp.sqrt(1 + x)", "return y + jnp.where(x > 0, jnp.log(x), 0.0)"),
    "its value is NaN as well": ("y = x / x", "return y.sum()"),
    "nobody differentiates it": ("y = jnp.sqrt(jax.lax.stop_gradient(x * x))", "return (x * y).sum()"),
    "no float": ("y = jnp.sum(x.astype(int))", "return y"),
    "it prints": ("y = jnp.sqrt(x * x)", "jax.debug.print('{}', y)", "return y"),
}


def blamed(lines: tuple[str, ...], path: Path) -> list[str]:
    """What is said of the value of `y`."""
    text = "\n    ".join(("def f(x):", *lines, ""))
    path.write_text(text)
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(function.body[0], ast.Assign)
    at = places.span_of(str(path), function.body[0].value)
    names: dict[str, object] = {"jax": jax, "jnp": jnp}
    exec(compile(text, str(path), "exec"), names)
    closed = jax.make_jaxpr(names["f"])(jnp.ones(3))  # type: ignore[arg-type]
    return [seen.detail for seen in nan_gradients(closed, places.Sources([str(path)]), [at])]


@pytest.mark.parametrize("lines", BLAMED.values(), ids=BLAMED)
def test_the_place_that_makes_it_so_is_blamed(lines: tuple[str, ...], tmp_path: Path) -> None:
    (told,) = blamed(lines, (tmp_path / "program.py").resolve())
    assert told == f"the gradient is NaN, and is not without the slope of `{lines[0].removeprefix('y = ')}`"


@pytest.mark.parametrize("lines", NOT_BLAMED.values(), ids=NOT_BLAMED)
def test_no_other_place_is(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert blamed(lines, (tmp_path / "program.py").resolve()) == []
