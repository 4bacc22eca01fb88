"""One function called with more constants than are looked at one by one: what is said then must hold for each."""

from __future__ import annotations

import pytest

from jaxlint.api import lint_source
from jaxlint.flow.limits import MAX_VARIANTS

MANY = MAX_VARIANTS.value + 4
HEADER = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"

SILENT = {
    "a branch for a number that nobody passes": """\
def scale(x, mode):
    if mode == -1:
        if x > 0:
            return x
    return x * mode


@jax.jit
def ladder(x):
    return {calls}
""",
    "a branch for a text that nobody passes": """\
def scale(x, mode):
    if mode == "host":
        return np.sin(x)
    return jnp.sin(x)


@jax.jit
def ladder(x):
    return {texts}
""",
    "a conversion behind an early return": """\
def scale(x, mode):
    if mode > -1:
        return x * mode
    print(x)
    return float(x)


@jax.jit
def ladder(x):
    return {calls}
""",
    "a key drawn from on a condition, and by the caller": """\
def scale(key, mode):
    if mode < 0:
        return jax.random.uniform(key)
    return mode


def ladder(key):
    x = key
    total = {calls}
    return total + jax.random.normal(key)
""",
    "a transform on a condition": """\
def scale(x, mode):
    if mode < 0:
        return jax.jit(never)(x)
    return x * mode


def never(x):
    return x


@jax.jit
def ladder(x):
    return {calls}
""",
    "a nested function on a condition": """\
def scale(x, mode):
    if mode < 0:
        def never(y):
            return float(x) + y
        return never
    return x * mode


@jax.jit
def ladder(x):
    return {calls}
""",
    "what another function does with it": """\
def scale(x, mode):
    return inner(x, (mode, 1))


def inner(x, modes):
    if modes[0] == -1 and x > 0:
        return x
    return x * modes[0]


@jax.jit
def ladder(x):
    return {calls}
""",
    "a result that depends on it": """\
def scale(x, mode):
    if mode < 0:
        return x
    return mode


@jax.jit
def ladder(x):
    {assigned}
    return x + 1 if last > 3 else x
""",
}


def filled(text: str) -> str:
    calls = " + ".join(f"scale(x, {number})" for number in range(MANY))
    texts = " + ".join(f'scale(x, "m{number}")' for number in range(MANY))
    assigned = "\n    ".join(f"last = scale(x, {number})" for number in range(MANY))
    return HEADER + text.replace("{calls}", calls).replace("{texts}", texts).replace("{assigned}", assigned)


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_no_call_does_is_not_said(text: str) -> None:
    assert [finding.message for finding in lint_source(filled(text))] == []


REPORTED = {
    "a branch on the array": (
        """\
def scale(x, mode):
    if x > mode:
        return x
    return x * mode


@jax.jit
def ladder(x):
    return {calls}
""",
        ["JAX201"],
    ),
    "a branch for the number of one call": (
        """\
def scale(x, mode):
    if mode == 7 and x > 0:
        return x
    return x * mode


@jax.jit
def ladder(x):
    return {calls}
""",
        ["JAX201"],
    ),
    "a branch on the last result": (
        """\
def scale(x, mode):
    return x * mode


@jax.jit
def ladder(x):
    {assigned}
    if last > 0:
        return x
    return last
""",
        ["JAX201"],
    ),
    "under a trace, after many calls without": (
        """\
def scale(x, mode):
    return np.sin(x) * mode


def plain(x):
    return {calls}


@jax.jit
def ladder(x):
    return scale(x, 1)
""",
        ["JAX213"],
    ),
}


@pytest.mark.parametrize(("text", "codes"), REPORTED.values(), ids=REPORTED)
def test_what_every_call_does_is_said(text: str, codes: list[str]) -> None:
    assert [finding.code for finding in lint_source(filled(text))] == codes


def test_a_draw_of_every_call_counts() -> None:
    text = "def scale(x, mode):\n    return jax.random.normal(x) * mode\n\n\ndef ladder(x):\n    {assigned}\n"
    (finding,) = [finding for finding in lint_source(filled(text)) if finding.code == "JAX401"]
    assert len({step.location.line for step in finding.related}) > MAX_VARIANTS.value
