"""print and misuses of jax.debug.print, rewritten."""

from __future__ import annotations

import pytest

from tests.fixes.fixed_text import fixed, fixed_body

PRINTS = {
    'print("x =", x)': 'jax.debug.print("x = {}", x)',
    "print(x)": 'jax.debug.print("{}", x)',
    "print(x, y + 1)": 'jax.debug.print("{} {}", x, y + 1)',
    "print(x, 'and', y, sep='')": "jax.debug.print('{}and{}', x, y)",
    'print(f"x={x}, {y!r:>20}")': 'jax.debug.print("x={}, {!r:>20}", x, y)',
    'print(f"{x:.3f} of {{y}}")': 'jax.debug.print("{:.3f} of {{y}}", x)',
    'print(f"{x=} {y = :.2f}")': 'jax.debug.print("x={} y = {:.2f}", x, y)',
    'print(x, "{}")': 'jax.debug.print("{} {{}}", x)',
    'print("%s: %.2f (%5d%%)" % (x, y, n))': 'jax.debug.print("{}: {:.2f} ({:5d}%)", x, y, n)',
    'print("%-8s|%6.2f" % (x, y))': 'jax.debug.print("{!s:<8}|{:6.2f}", x, y)',
    'print("{1} {0:.1f} {name}".format(x, y, name=n))': 'jax.debug.print("{} {:.1f} {}", y, x, n)',
    'print("shape", x.shape, "max", x.max())': 'jax.debug.print(f"shape {x.shape} max {{}}", x.max())',
    'print(f"{x.ndim:>4} {x} {{}}")': 'jax.debug.print(f"{x.ndim:>4} {{}} {{{{}}}}", x)',
    'print("a\\tb\\n", x, flush=True)': 'jax.debug.print("a\\tb\\n {}", x)',
    'print("it\'s", x, \'so "so"\')': 'jax.debug.print("it\'s {} so \\"so\\"", x)',
    'print("a" "b", x)': 'jax.debug.print("ab {}", x)',
    'print(r"\\d", x)': 'jax.debug.print("\\\\d {}", x)',
    "print((x, y))": 'jax.debug.print("{}", (x, y))',
}


@pytest.mark.parametrize("before", PRINTS)
def test_print(before: str) -> None:
    assert fixed_body(f"{before}\nreturn x", "JAX101") == f"{PRINTS[before]}\nreturn x"


@pytest.mark.parametrize(
    "statement",
    [
        'print("x", x, end="")',
        'print("x", x, file=log)',
        "print(*x)",
        'print("x", x, sep=n)',
        'print(f"{x:{n}}")',
        'print("%(a)s" % {"a": x})',
        'print("%*d" % (n, x))',
        "print(\n    x,  # why\n)",
        "print((z := x))",
        'print("{", x, "}")',
    ],
)
def test_print_that_stays(statement: str) -> None:
    assert fixed_body(f"{statement}\nreturn x", "JAX101") == f"{statement}\nreturn x"


def test_jax_under_its_local_name() -> None:
    before = """
        from jax import jit


        @jit
        def f(x):
            print(x)
            return x
    """
    after = fixed(before, "JAX101")
    assert after.startswith("from jax import jit\nimport jax\n")
    assert '    jax.debug.print("{}", x)\n' in after


MISUSES = {
    'jax.debug.print(f"x={x:.2f}")': 'jax.debug.print("x={:.2f}", x)',
    'jax.debug.print(f"x={x}", ordered=True)': 'jax.debug.print("x={}", x, ordered=True)',
    'jax.debug.print("x =", x)': 'jax.debug.print("x = {}", x)',
    'jax.debug.print("x=%.2f", x)': 'jax.debug.print("x={:.2f}", x)',
    'jax.debug.print("a={a} b={b}", x, y)': 'jax.debug.print("a={a} b={b}", a=x, b=y)',
}


@pytest.mark.parametrize("before", MISUSES)
def test_debug_print(before: str) -> None:
    assert fixed_body(f"{before}\nreturn x", "JAX111") == f"{MISUSES[before]}\nreturn x"


@pytest.mark.parametrize(
    "statement",
    [
        'jax.debug.print("x={}")',
        'jax.debug.print("x={} {}", x)',
        'jax.debug.print("x={a}", x, y)',
        'jax.debug.print("x={a}", b=x)',
        'jax.debug.print("x={", x)',
    ],
)
def test_debug_print_that_stays(statement: str) -> None:
    assert fixed_body(f"{statement}\nreturn x", "JAX111") == f"{statement}\nreturn x"


REPEATED = {
    "in a loop": "@jax.jit\ndef f(x):\n    for _ in range(3):\n        print(x)\n    return x\n",
    "in a comprehension": "@jax.jit\ndef f(x):\n    return [print(x) for _ in range(3)]\n",
    "in the body of a scan": "def f(c, x):\n    print(c)\n    return c, x\n\n\njax.lax.scan(f, 0.0, jnp.ones(3))\n",
    "in the body of a loop": "def f(i, x):\n    print(x)\n    return x\n\n\njax.lax.fori_loop(0, 3, f, jnp.ones(3))\n",
    "in a while loop": "def f(x):\n    print(x)\n    return x + 1\n\n\njax.lax.while_loop(lambda x: x < 3, f, 0)\n",
    "for each row": "def f(x):\n    print(x)\n    return x\n\n\njax.vmap(f)(jnp.ones(3))\n",
    "in a function that a map calls, too": """def g(x):
    print(x)
    return x


@jax.jit
def f(xs):
    return g(xs), jax.lax.map(g, xs)
""",
}


@pytest.mark.parametrize("case", REPEATED)
def test_what_prints_many_times_a_call_is_not_safe(case: str) -> None:
    before = f"import jax\nimport jax.numpy as jnp\n\n\n{REPEATED[case]}"
    assert fixed(before, "JAX101", unsafe=False) == before
    assert "jax.debug.print(" in fixed(before, "JAX101")


def test_what_prints_once_a_call_is_safe() -> None:
    before = "import jax\n\n\ndef g(x):\n    print(x)\n    return x\n\n\n@jax.jit\ndef f(x):\n    return g(x)\n"
    assert "jax.debug.print(" in fixed(before, "JAX101", unsafe=False)
