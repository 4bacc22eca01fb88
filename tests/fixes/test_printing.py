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
