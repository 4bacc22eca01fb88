"""Host functions, conversions and missing static arguments, rewritten."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.fixes.fixed_text import fixed, fixed_body

TWINS = {
    "return np.log(1 + np.exp(x))": "return jnp.log(1 + jnp.exp(x))",
    "return np.concatenate([x, y], axis=0)": "return jnp.concatenate([x, y], axis=0)",
    "return np.linalg.norm(x)": "return jnp.linalg.norm(x)",
    "return np.asarray(x, dtype=np.float32)": "return jnp.asarray(x, dtype=np.float32)",
    "return np.where(x > 0, x, 0)": "return jnp.where(x > 0, x, 0)",
    # what the twin does not have, or has under another name or at another place
    "return np.exp(x, dtype=np.float32)": "return np.exp(x, dtype=np.float32)",
    "return np.exp(x, where=y)": "return np.exp(x, where=y)",
    "return np.sort(x, -1, 'stable')": "return np.sort(x, -1, 'stable')",
    "return np.linalg.pinv(x, 1e-3)": "return np.linalg.pinv(x, 1e-3)",
    "return np.stack(*x)": "return np.stack(*x)",
}


@pytest.mark.parametrize("before", TWINS)
def test_twin(before: str) -> None:
    assert fixed_body(before, "JAX213") == TWINS[before]


def test_local_names_are_used() -> None:
    before = """
        from math import sqrt

        import jax
        import scipy.special as sp


        @jax.jit
        def f(x):
            return sqrt(x) * sp.erf(x)
    """
    after = fixed(before, "JAX213")
    assert "from math import sqrt\n\nimport jax\nimport scipy.special as sp\n\n\n@" in after
    assert "return jax.numpy.sqrt(x) * jax.scipy.special.erf(x)" in after


def test_a_helper_that_may_be_given_sizes_is_not_changed_without_asking() -> None:
    before = """
        import jax
        import numpy as np


        def half(x):
            return np.ceil(x / 2)


        @jax.jit
        def f(x):
            return half(x)
    """
    assert "return np.ceil(x / 2)" in fixed(before, "JAX213", unsafe=False)
    assert "return jax.numpy.ceil(x / 2)" in fixed(before, "JAX213")


REDUCTIONS = {
    "return max(x, 0.0)": "return jnp.maximum(x, 0.0)",
    "return min(x, y + 1, n)": "return jnp.minimum(jnp.minimum(x, y + 1), n)",
    "return max([v * 2 for v in x])": "return jnp.max(jnp.array([v * 2 for v in x]))",
    "return max(v * 2 for v in x)": "return jnp.max(jnp.array([v * 2 for v in x]))",
    "return sorted(x + 1)[0]": "return jnp.sort(x + 1)[0]",
    "return max(x, y, key=abs)": "return max(x, y, key=abs)",
    "return sorted(x, reverse=True)": "return sorted(x, reverse=True)",
}


@pytest.mark.parametrize("before", REDUCTIONS)
def test_reduction(before: str) -> None:
    assert fixed_body(before, "JAX203") == REDUCTIONS[before]


CONVERSIONS = {
    "return float(x + y)": "return (x + y)",
    "return float(x.argmax())": "return x.argmax().astype(float)",
    "return int(x) + 1": "return x.astype(int) + 1",
    "return bool(x > 0)": "return (x > 0)",
    "return x.sum().item()": "return x.sum()",
    "return f'{float(x)}'": "return f'{float(x)}'",
    "return jnp.zeros(int(x.max()))": "return jnp.zeros(int(x.max()))",
}


@pytest.mark.parametrize("before", CONVERSIONS)
def test_conversion(before: str) -> None:
    assert fixed_body(before, "JAX211") == CONVERSIONS[before]


STATIC = {
    "@jax.jit\ndef f(x, n):": '@partial(jax.jit, static_argnames="n")\ndef f(x, n):',
    "@jax.jit\ndef f(x, n: int, *, m=2):": '@partial(jax.jit, static_argnames="n")\ndef f(x, n: int, *, m=2):',
    "@partial(jax.jit)\ndef f(x, n):": '@partial(jax.jit, static_argnames="n")\ndef f(x, n):',
    "@partial(jax.jit, donate_argnums=0)\ndef f(x, n):": (
        '@partial(jax.jit, donate_argnums=0, static_argnames="n")\ndef f(x, n):'
    ),
    '@partial(jax.jit, static_argnames="m")\ndef f(x, m, n):': (
        '@partial(jax.jit, static_argnames=("m", "n"))\ndef f(x, m, n):'
    ),
    '@partial(jax.jit, static_argnames=["m"])\ndef f(x, m, n):': (
        '@partial(jax.jit, static_argnames=["m", "n"])\ndef f(x, m, n):'
    ),
    "@partial(jax.jit, static_argnums=(1,))\ndef f(x, m, n):": (
        "@partial(jax.jit, static_argnums=(1, 2,))\ndef f(x, m, n):"
    ),
    "@partial(jax.jit, static_argnums=1)\ndef f(x, m, n):": "@partial(jax.jit, static_argnums=(1, 2))\ndef f(x, m, n):",
    # an array, a jit that counts its arguments, options that are not seen
    "@jax.jit\ndef f(x, n: jax.Array):": "@jax.jit\ndef f(x, n: jax.Array):",
    "@partial(jax.jit, in_shardings=S)\ndef f(x, n):": "@partial(jax.jit, in_shardings=S)\ndef f(x, n):",
    "@partial(jax.jit, **options)\ndef f(x, n):": "@partial(jax.jit, **options)\ndef f(x, n):",
}


@pytest.mark.parametrize("head", STATIC)
def test_static_argument(head: str) -> None:
    start = "import jax\nimport jax.numpy as jnp\nfrom functools import partial\n\nS = options = g()\n\n\n"
    body = "\n    return x.reshape(n, -1)\n"
    assert fixed(start + head + body, "JAX223") == start + STATIC[head] + body


def test_static_argument_of_a_call() -> None:
    before = """
        import jax
        import jax.numpy as jnp


        def power(x, n):
            for _ in range(n):
                x = x * x
            return x


        fast = jax.jit(power)
        slope = jax.jit(jax.grad(power))
    """
    after = fixed(before, "JAX204")
    assert 'fast = jax.jit(power, static_argnames="n")' in after
    assert "slope = jax.jit(jax.grad(power))\n" in after


@pytest.mark.parametrize(
    "body",
    [
        "return jnp.zeros(n.max())",
        "return jnp.zeros(jnp.argmax(n))",
        "n = n + jnp.sum(x)\nreturn jnp.zeros(n)",
        "for v in n:\n    x = x + v\nreturn jnp.zeros(n)",
    ],
)
def test_what_is_used_as_an_array_stays_traced(body: str) -> None:
    assert fixed_body(body, "JAX223", "JAX204") == body


def test_cached_function_is_computed_outside_of_the_trace() -> None:
    before = '''
        import functools

        import jax
        import jax.numpy as jnp


        @functools.lru_cache
        def frequencies(n):
            """Of the positions."""
            steps = jnp.arange(n)  # from 0

            return 1.0 / 10000 ** (steps / n)


        @jax.jit
        def encode(x):
            return x * frequencies(x.shape[-1])
    '''
    body = '''
    """Of the positions."""
    with jax.ensure_compile_time_eval():
        steps = jnp.arange(n)  # from 0

        return 1.0 / 10000 ** (steps / n)
'''
    assert f"def frequencies(n):{body}" in fixed(before, "JAX113")


STEPS = {  # what a loop makes and uses -> what is made before it, and what stays; None where all stays
    "step = jax.jit(lambda v: 2 * v)\nprint(step(x))": ("step = jax.jit(lambda v: 2 * v)", "print(step(x))"),
    "step = jax.jit(lambda v: 2 * v)  # twice\nprint(step(x))": (
        "step = jax.jit(lambda v: 2 * v)  # twice",
        "print(step(x))",
    ),
    "step = jax.jit(\n    lambda v: 2 * v,\n)\nprint(step(x))": (
        "step = jax.jit(\n    lambda v: 2 * v,\n)",
        "print(step(x))",
    ),
    "if x is None:\n    continue\nstep = jax.jit(lambda v: 2 * v)\nprint(step(x))": (
        "step = jax.jit(lambda v: 2 * v)",
        "if x is None:\n    continue\nprint(step(x))",
    ),
    # more on the line, a name of two things, two names, a string that must keep its white space
    "step = jax.jit(lambda v: 2 * v); print(step(x))\nprint(x)": None,
    "step = jax.jit(lambda v: 2 * v)\nprint(step(x))\nstep = abs\nprint(step(x))": None,
    "one, step = 1, jax.jit(lambda v: 2 * v)\nprint(one, step(x))": None,
    "step = jax.jit(lambda v: 2 * len('''\n''') * v)\nprint(step(x))": None,
}


@pytest.mark.parametrize("body", STEPS)
def test_what_a_loop_makes_anew_is_made_before_it(body: str) -> None:
    head = "import jax\n\n\ndef run(xs):\n"
    loop = "    for x in xs:\n"
    before = head + loop + indent(body + "\n", " " * 8)
    after = before
    if (moved := STEPS[body]) is not None:
        after = head + indent(moved[0] + "\n", " " * 4) + loop + indent(moved[1] + "\n", " " * 8)
    assert fixed(before, "JAX502") == after


LEFT = {
    "brackets that go on further to the left": "    step = jax.jit(lambda v: v *\n  1000)\n    print(step(x))\n",
    "the only statement of its block": "    if x:\n        step = jax.jit(lambda v: 2 * v)\n    print(step(x))\n",
}


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_what_cannot_be_moved_stays_in_its_loop(body: str) -> None:
    before = f"import jax\n\nfor x in range(3):\n{body}"
    assert fixed(before, "JAX502") == before
