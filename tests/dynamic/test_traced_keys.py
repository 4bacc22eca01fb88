"""Keys in jaxprs: every line marked AGAIN, and no other, spends a key again or makes a constant one."""

from __future__ import annotations

import inspect
import re
from typing import Any

import jax
import pytest

from jaxlint.dynamic import keys, oracle
from jaxlint.dynamic.observations import Kind

PROGRAMS = """
import jax
import jax.numpy as jnp
from jax import random as jr


def bad_line(k):
    a = jr.normal(k)
    return a + jr.uniform(k)  # AGAIN


def bad_split_use(k):
    a, b = jr.split(k)
    return jr.normal(k) + jr.normal(a) + jr.normal(b)  # AGAIN


def helper(k):
    return jr.normal(k, (2,))


def bad_helper(k):
    a = helper(k)
    b = helper(k)  # AGAIN
    return a + b


def bad_jit_helper(k):
    h = jax.jit(helper)
    a = h(k)
    b = h(k)  # AGAIN
    return a + b


def bad_scan_const(k):
    def body(c, x):
        return c + jr.normal(k), x  # AGAIN
    return jax.lax.scan(body, 0.0, jnp.arange(3.0))


def bad_scan_carry(k):
    def body(c, x):
        k, s = c
        return (k, s + jr.normal(k)), x  # AGAIN
    return jax.lax.scan(body, (k, 0.), jnp.arange(3.0))[1]


def bad_while(k):
    return jax.lax.while_loop(lambda c: c < 3, lambda c: c + jr.uniform(k), 0.)  # AGAIN


def bad_fori(k):
    return jax.lax.fori_loop(0, 5, lambda i, c: c + jr.normal(k), 0.)  # AGAIN


def bad_cond(k):
    y = jax.lax.cond(True, lambda k: jr.normal(k), lambda k: 0.0, k)
    return y + jr.normal(k)  # AGAIN


def bad_part(k):
    ks = jr.split(k, 4)
    a = jax.vmap(jr.normal)(ks)
    return a + jr.normal(ks[2])  # AGAIN


def bad_part2(k):
    ks = jr.split(k, 4)
    a = jr.normal(ks[1])
    return a + jr.normal(ks[1])  # AGAIN


def bad_fold_same(k):
    a = jr.normal(jr.fold_in(k, 1))
    return a + jr.normal(jr.fold_in(k, 1))  # AGAIN


def bad_loop(k):
    s = 0.
    for i in range(3):
        s += jr.normal(k)  # AGAIN
    return s


def bad_fold_split(k):
    a, b = jr.split(k)
    return jr.normal(jr.fold_in(k, 1)) + jr.normal(a)  # AGAIN


def bad_vmap(k):
    return jax.vmap(lambda x: x + jr.normal(k))(jnp.arange(3.0))  # AGAIN


def bad_const(x):
    k = jr.PRNGKey(0)  # AGAIN
    return x + jr.normal(k)


def bad_remat(k):
    f = jax.checkpoint(helper)
    a = f(k)
    return a + f(k)  # AGAIN


def good_split(k):
    k, s = jr.split(k)
    a = jr.normal(s)
    k, s = jr.split(k)
    return a + jr.normal(s)


def good_many(k):
    k1, k2, k3 = jr.split(k, 3)
    ks = jr.split(k1, 4)
    return jr.normal(k2) + jr.normal(k3) + jr.normal(ks[0]) + jr.normal(ks[1]) + jax.vmap(jr.normal)(ks[2:]).sum()


def good_scan(k):
    def body(k, x):
        k, s = jr.split(k)
        return k, jr.normal(s)
    return jax.lax.scan(body, k, jnp.arange(3.0))[1]


def good_scan_xs(k):
    return jax.lax.scan(lambda c, k: (c + jr.normal(k), 0.), 0.0, jr.split(k, 3))


def good_fold(k):
    return jax.lax.fori_loop(0, 5, lambda i, c: c + jr.normal(jr.fold_in(k, i)), 0.)


def good_fold2(k):
    return sum(jr.normal(jr.fold_in(k, i)) for i in range(3))


def good_cond(k):
    return jax.lax.cond(True, lambda k: jr.normal(k), lambda k: jr.uniform(k), k)


def good_vmap(k):
    return jax.vmap(lambda k, x: x + jr.normal(k))(jr.split(k, 3), jnp.arange(3.0))


def good_vmap_fold(k):
    return jax.vmap(lambda i: jr.normal(jr.fold_in(k, i)))(jnp.arange(3))


def good_remat_grad(k):
    def loss(w):
        f = jax.checkpoint(lambda w: jnp.sum(jnp.sin(w * jr.normal(k, (3,)))))
        return f(w)
    return jax.grad(loss)(jnp.ones(3))


def good_lib(k):
    k1, k2, k3, k4 = jr.split(k, 4)
    drawn = jr.permutation(k1, 5), jr.choice(k2, 5, (2,), replace=False), jr.categorical(k3, jnp.ones(4))
    return drawn, jr.gamma(k4, 2.0, (3,))


def good_dyn(k):
    ks = jr.split(k, 3)
    return jax.lax.fori_loop(0, 3, lambda i, c: c + jr.normal(ks[i]), 0.)


def bad_constant_captured(x):
    return x + jr.normal(KEY)  # AGAIN


KEY = jr.key(3)


def good_fold_far(k):
    first, second = jr.split(k)
    return jr.normal(first) + jr.normal(second) + jr.normal(jr.fold_in(k, 1000))
"""

_ABOUT_KEYS = (Kind.KEY_REUSE, Kind.SHARED_KEY, Kind.CONSTANT_KEY)
NAMES = re.findall(r"^def ((?:good|bad)_\w+)", PROGRAMS, re.MULTILINE)


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "raw"])
@pytest.mark.parametrize("name", NAMES)
def test_reuse(program: Any, name: str, typed: bool) -> None:
    it = program(PROGRAMS)
    function = getattr(it.load(), name)
    key = jax.eval_shape(lambda: jax.random.key(0) if typed else jax.random.PRNGKey(0))
    argument = jax.ShapeDtypeStruct((), "float32") if "const" in name and "scan" not in name else key
    lines, start = inspect.getsourcelines(function)
    again = {start + index for index, line in enumerate(lines) if "# AGAIN" in line}
    seen = it.trace(name, argument).observations
    assert {each.at.line for each in seen if each.kind in _ABOUT_KEYS} == again
    assert all(each.equations for each in seen if each.kind is Kind.KEY_REUSE)


@pytest.mark.parametrize("name", NAMES)
def test_what_jax_compiles_while_code_runs_is_searched(program: Any, name: str) -> None:
    it = program(PROGRAMS)
    function = getattr(it.load(), name)
    argument = jax.numpy.zeros(()) if "const" in name and "scan" not in name else jax.random.key(0)
    lines, start = inspect.getsourcelines(function)
    again = {start + index for index, line in enumerate(lines) if "# AGAIN" in line}
    with oracle.online([it.path]) as traced:
        jax.jit(function)(argument)
    seen = (each for each in traced.observations if each.kind in _ABOUT_KEYS)
    assert {each.at.line for each in seen} == again


def test_a_jaxpr_that_cannot_be_searched_costs_the_run_nothing(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    it = program(PROGRAMS)
    function = it.load().good_split

    def fails(*_: Any) -> None:
        raise KeyError(
            "num_consts"
        )  # as with the first jax that had no such parameter; none that is installed has others

    monkeypatch.setattr(keys, "search", fails)
    with oracle.online([it.path]):
        jax.jit(function)(jax.random.key(0))


def test_both_uses_are_told(program: Any) -> None:
    it = program("""
        import jax

        def f(k):
            a = jax.random.normal(k)
            return a + jax.random.uniform(k)
        """)
    [seen] = it.trace("f", jax.eval_shape(lambda: jax.random.key(0))).observations
    [(earlier, words)] = seen.related
    assert (seen.at.line, earlier.line, len(seen.equations)) == (5, 4, 2)
    assert "first" in words
    assert keys.check.__doc__
