"""Python asking arrays for their truth: operators, branches and reductions, rewritten."""

from __future__ import annotations

import pytest

from tests.fixes.fixed_text import fixed, fixed_body

OPERATORS = {
    "return x > 0 and y > 0": "return (x > 0) & (y > 0)",
    "return x > 0 or y > 0 or n": "return x > 0 or y > 0 or n",
    "return jnp.where(0 < x < 1, x, y)": "return jnp.where((0 < x) & (x < 1), x, y)",
    "return jnp.where(0 <= x + 1 < y, x, y)": "return jnp.where((0 <= x + 1) & (x + 1 < y), x, y)",
    "return jnp.where(not n, x, y)": "return jnp.where(jnp.logical_not(n), x, y)",
    "return not x > 0": "return ~(x > 0)",
    "return not (x > 0 and y > 0)": "return ~((x > 0) & (y > 0))",
    "return x > 0 and not (y > 0 or 0 < n < 3)": "return (x > 0) & ~((y > 0) | ((0 < n) & (n < 3)))",
    "return x > 0 and not jnp.isnan(y)": "return (x > 0) & ~jnp.isnan(y)",
    "return (x > 0) and (y > 0)": "return (x > 0) & (y > 0)",
    "return x in (0, 1)": "return jnp.isin(x, jnp.array([0, 1]))",
    "return x not in [-1, 1.5]": "return ~jnp.isin(x, jnp.array([-1, 1.5]))",
    "return any(v > 0 for v in x)": "return jnp.any(jnp.array([v > 0 for v in x]))",
    "return all([x > 0, y > 0])": "return jnp.all(jnp.array([x > 0, y > 0]))",
    # the value is one of the operands, not a truth
    "z = jnp.sin(x)\nreturn z or y": "z = jnp.sin(x)\nreturn z or y",
    # what is asked first says whether the rest makes sense
    "return x.ndim == 2 and x[0, 0] > 0 and y > 0": "return x.ndim == 2 and x[0, 0] > 0 and y > 0",
    "return 0 < next(n) < 1": "return 0 < next(n) < 1",
    "return x in n": "return x in n",
}


@pytest.mark.parametrize("before", OPERATORS)
def test_operator(before: str) -> None:
    assert fixed_body(before, "JAX202") == OPERATORS[before]


def test_comments_are_not_lost() -> None:
    body = "return (\n    x > 0  # positive\n    and y > 0\n)"
    assert fixed_body(body, "JAX202") == body


def test_only_what_stays_a_python_value_for_python_values_is_safe() -> None:
    helper = """
        import jax


        def inside(x, low):
            return low < x < 1 and x > 2


        def outside(x):
            return not x > 0


        @jax.jit
        def f(x):
            return inside(x, 0), outside(x)
    """
    after = fixed(helper, "JAX202", unsafe=False)
    assert "return (low < x) & (x < 1) & (x > 2)" in after or "return ((low < x) & (x < 1)) & (x > 2)" in after
    assert "return not x > 0" in after
    assert "return ~(x > 0)" in fixed(helper, "JAX202")


def test_flag_becomes_static() -> None:
    before = """
        import jax


        @jax.jit
        def f(x, train: bool):
            if not train:
                return x
            return x * 2
    """
    assert '@partial(jax.jit, static_argnames="train")' in fixed(before, "JAX202")


BRANCHES = {
    "return x if x > 0 else -x": "return jnp.where(x > 0, x, -x)",
    "return x if y else x + 1": "return jnp.where(y, x, x + 1)",
    "return (x if (y > 0) else 0.0) * 2": "return (jnp.where(y > 0, x, 0.0)) * 2",
    "return g(x) if x > 0 else h(x)": "return jax.lax.cond(x > 0, lambda: g(x), lambda: h(x))",
    "return x / y if y > 0 else x": "return jax.lax.cond(y > 0, lambda: x / y, lambda: x)",
    "return x / 2 if y > 0 else x": "return jnp.where(y > 0, x / 2, x)",
    "if x > 0:\n    return x\nreturn 0.1 * x": "return jnp.where(x > 0, x, 0.1 * x)",
    "if x > 0:\n    return x\n\nreturn 0.1 * x": "return jnp.where(x > 0, x, 0.1 * x)",
    "if x > 0:\n    return x\nelse:\n    return y": "return jnp.where(x > 0, x, y)",
    "if x > 0:\n    return x\nelif y > 0:\n    return y\nelse:\n    return n": (
        "return jnp.where(x > 0, x, jnp.where(y > 0, y, n))"
    ),
    "if x > 0:\n    z = x\nelse:\n    z = y\nreturn z": "z = jnp.where(x > 0, x, y)\nreturn z",
    "if x > 0:\n    a = x\n    b = y\nelse:\n    b = x\n    a = y\nreturn a + b": (
        "a = jnp.where(x > 0, x, y)\nb = jnp.where(x > 0, y, x)\nreturn a + b"
    ),
    "if x > 0:\n    y = x\nreturn y": "y = jnp.where(x > 0, x, y)\nreturn y",
    "if x > 0:\n    y += n * 2\nreturn y": "y = jnp.where(x > 0, y + (n * 2), y)\nreturn y",
    "if x > 0:\n    y += 1\nelse:\n    y -= 1\nreturn y": "y = jnp.where(x > 0, y + 1, y - 1)\nreturn y",
    "if not x > 0 and y > 0:\n    return x\nreturn y": "return jnp.where(~(x > 0) & (y > 0), x, y)",
    "return sum(v * 2 for v in x if v > 0)": "return sum(jnp.where(v > 0, v * 2, 0) for v in x)",
}


@pytest.mark.parametrize("before", BRANCHES)
def test_branch(before: str) -> None:
    assert fixed_body(before, "JAX201", "JAX202") == BRANCHES[before]


@pytest.mark.parametrize(
    "body",
    [
        "while x > 0:\n    x = x - 1\nreturn x",
        "assert not x > 0 and y > 0\nreturn x",
        "if not x > 0:\n    g(x)\nreturn x",
        "assert x > 0\nreturn x",
        "if x > 0:\n    raise ValueError\nreturn x",
        "if x > 0:\n    print('positive')\nreturn x",
        "if x > 0:\n    z = x\nreturn y",  # z has no other value
        "if x > 0:\n    x = x + 1\n    y = x\nelse:\n    x = 0\n    y = 0\nreturn y",
        "if x > 0:\n    a, b = x, y\nelse:\n    a, b = y, x\nreturn a",
        "if x > 0:\n    # why\n    return x\nreturn y",
        "if x > 0:\n    return x\n# why\nreturn y",
        "if x > 0:\n    return x, y\nreturn y, x",
        "if x > 0:\n    return None\nreturn y",
        "return 'a' if x > 0 else 'b'",
        "return sum([v for v in x if (v > 0)])",
        "return [v for v in x if v > 0]",
    ],
)
def test_branch_that_stays(body: str) -> None:
    assert fixed_body(body, "JAX201", "JAX202") == body


def test_only_a_choice_between_scalars_of_the_condition_is_safe() -> None:
    assert fixed_body("return x if x > 0 else 0.1 * x", "JAX201", unsafe=False) == "return jnp.where(x > 0, x, 0.1 * x)"
    assert fixed_body("return x if y > 0 else 0", "JAX201", unsafe=False) == "return x if y > 0 else 0"
    assert "jnp" not in fixed(
        """
        import jax


        def helper(x):
            return x if x > 0 else 0


        @jax.jit
        def f(x):
            return helper(x)
        """,
        "JAX201",
        unsafe=False,
    )


TYPE_CHECKS = {
    "return type(x) is jnp.ndarray": "return isinstance(x, jax.Array)",
    "return type(x) is not jnp.ndarray": "return not isinstance(x, jax.Array)",
    "return x.dtype is jnp.float32": "return x.dtype == jnp.float32",
    "return x.dtype is not jnp.int32": "return x.dtype != jnp.int32",
    "return x.dtype in {jnp.float16, jnp.float32}": "return x.dtype in (jnp.float16, jnp.float32)",
    "return type(x) is np.ndarray": "return type(x) is np.ndarray",
    "return isinstance(x, float)": "return isinstance(x, float)",
}


@pytest.mark.parametrize("before", TYPE_CHECKS)
def test_type_check(before: str) -> None:
    body = f"x = jnp.sin(x)\n{before}"
    assert fixed_body(body, "JAX206") == f"x = jnp.sin(x)\n{TYPE_CHECKS[before]}"
