"""What a trace with the values that a shell has says of findings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.notebook.conftest import Shell, shell_in

BRANCH = "    if x > 0:\n        return x\n    return -x\n"

STATIC = """\
def f(x, n=3):
    for _ in range(n):
        x = float(x)
    return x
g = jax.jit(f, static_argnames="n")
"""

FLAG = """\
def f(x, flag=True):
    if flag:
        return x
    return float(x)
g = jax.jit(f, static_argnames="flag")
"""

KEY = """\
@jax.jit
def f(x):
    key = jax.random.key(0)
    return x + jax.random.normal(key) + jax.random.normal(key)
"""

FUNCTIONS = {
    "jitted": (f"@jax.jit\ndef f(x):\n{BRANCH}", "confirmed: TracerBoolConversionError"),
    "jitted elsewhere": (STATIC, "confirmed: ConcretizationTypeError"),
    "mapped": (f"def f(x):\n{BRANCH}h = lambda xs: jax.lax.map(f, xs)", "confirmed: TracerBoolConversionError"),
    "stopped before": (
        f"@jax.jit\ndef f(x):\n    y = jnp.dot(x, x, 7, 8, 9)\n{BRANCH}",
        "not reproduced: the trace stopped at Cell In[N], line 3, TypeError",
    ),
    "no exception": (KEY, "a trace does not tell"),
    "not as it is called": (FLAG, "not reproduced: with these arguments the trace goes through"),
    "another reason": (
        "@jax.jit\ndef f(x):\n    x[0] = jnp.ones(3) @ jnp.ones(4)\n    return x",
        "the trace stopped on this line, perhaps for another reason: TypeError",
    ),
    "no value": ("@jax.jit\ndef f(z):\n    return float(z)", "there is no value named `z`"),
    "no finding": ("@jax.jit\ndef f(x):\n    return x", "f: nothing is found in it"),
}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell_in(tmp_path_factory.mktemp("confirming")) as made:
        made.run("%load_ext jaxlint")
        made.run("import jax\nimport jax.numpy as jnp\nx = jnp.ones(())")
        yield made


@pytest.mark.parametrize("case", FUNCTIONS)
def test_a_function_is_traced(shell: Shell, capsys: pytest.CaptureFixture[str], case: str) -> None:
    source, expected = FUNCTIONS[case]
    number = shell.shell.execution_count
    shell.run(source)
    capsys.readouterr()
    shell.run("%jaxlint confirm f")
    told = capsys.readouterr().out
    assert expected.replace("In[N]", f"In[{number}]") in told
    assert ("  confirmed" in told) == expected.startswith("confirmed")


def test_the_last_function_is_at_hand(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run("@jax.jit\ndef first(x):\n    return float(x)")
    shell.run("@jax.jit\ndef last(x):\n    return float(x)")
    capsys.readouterr()
    shell.run("%jaxlint confirm")
    told = capsys.readouterr().out
    assert told.startswith("jax.jit: last(x=float32[])\nCell In[")
    assert "confirmed: ConcretizationTypeError" in told


def test_what_is_no_function(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run("%jaxlint confirm nothing")
    assert "nothing: no such function is defined" in capsys.readouterr().out
