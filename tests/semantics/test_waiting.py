"""Where JAX looks through the results of each compiled call, the call waits for them (JAX509)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jaxlint.flow.source.looked_through import OPTIONS

PROGRAM = """
import jax
import jax.numpy as jnp

jax.config.update({option!r}, True)


@jax.jit
def step(x):
    return jnp.sin(x) @ jnp.cos(x)


x = jnp.ones((800, 800))
step(x)
assert all(step(x).is_ready() for _ in range(5))
"""


@pytest.mark.parametrize("option", OPTIONS)
def test_a_call_waits(option: str) -> None:
    """In a process of its own, for the options are those of the whole process."""
    subprocess.run([sys.executable, "-c", PROGRAM.format(option=option)], check=True, timeout=60)
