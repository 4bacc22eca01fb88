"""What the tables say a library's transform does to an argument is what it does when it is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics.libraries import HIGHER_ORDER, WRAPPERS
from jaxlint.semantics.model import Abstracts

eqx = pytest.importorskip("equinox")
hk = pytest.importorskip("haiku")
nnx = pytest.importorskip("flax.nnx")
optax = pytest.importorskip("optax")
distrax = pytest.importorskip("distrax")
blackjax = pytest.importorskip("blackjax")
linen = pytest.importorskip("flax.linen")
partitioning = pytest.importorskip("flax.linen.partitioning")

X = jnp.ones(3)
KEY = jax.random.key(0)

# What a function sees of an array argument, for each thing that a transform can do to it.
SEEN = {
    Abstracts.ALL: "abstract",
    Abstracts.ARRAYS: "abstract",
    Abstracts.NODES: "abstract",
    Abstracts.MAPPED: "abstract",
    Abstracts.DIFFERENTIATED: "tracer",
    Abstracts.NOTHING: "concrete",
}


class Probe:
    """A function that notes how its last argument and a constant look to it, and returns a scalar."""

    def __init__(self) -> None:
        self.argument = self.constant = "not called"

    def __call__(self, *args: Any) -> Any:
        array = args[-1]
        self.argument, self.constant = look(array), look(jnp.sqrt(2.0))
        return jnp.sum(array)


def look(array: jax.Array) -> str:
    if not isinstance(array, jax.core.Tracer):
        return "concrete"
    try:
        bool(jnp.sum(array) > 0)
    except jax.errors.TracerBoolConversionError:
        return "abstract"
    return "tracer"


def in_haiku(run: Callable[[], Any]) -> Any:
    return hk.transform(run).apply({}, jax.random.key(0))


def in_linen(run: Callable[[Any], Any]) -> Any:
    class Outer(linen.Module):
        @linen.compact
        def __call__(self) -> Any:
            return run(self)

    return Outer().apply({})


def lifted(transform: Callable[..., Any], **options: Any) -> Callable[[Probe], Any]:
    """Apply a linen transform to a method that probes its argument."""
    return lambda probe: in_linen(lambda module: transform(lambda module, x: probe(x), **options)(module, X))


def step(sampler: Any) -> Any:
    return sampler.step(KEY, sampler.init(X))


WRAPPER_RUNS: dict[str, Callable[[Probe], Any]] = {
    "equinox.filter_jit": lambda f: eqx.filter_jit(f)(X),
    "equinox.filter_grad": lambda f: eqx.filter_grad(f)(X),
    "equinox.filter_value_and_grad": lambda f: eqx.filter_value_and_grad(f)(X),
    "equinox.filter_vmap": lambda f: eqx.filter_vmap(f)(X),
    "equinox.filter_pmap": lambda f: eqx.filter_pmap(f)(X[:1]),
    "equinox.filter_checkpoint": lambda f: eqx.filter_checkpoint(f)(X),
    "equinox.filter_make_jaxpr": lambda f: eqx.filter_make_jaxpr(f)(X),
    "haiku.remat": lambda f: in_haiku(lambda: hk.remat(f)(X)),
    "haiku.vmap": lambda f: in_haiku(lambda: hk.vmap(f, split_rng=False)(X)),
    "haiku.grad": lambda f: in_haiku(lambda: hk.grad(f)(X)),
    "haiku.value_and_grad": lambda f: in_haiku(lambda: hk.value_and_grad(f)(X)),
    "haiku.experimental.tabulate": lambda f: hk.experimental.tabulate(lambda x: f(x))(X),
    "haiku.experimental.eval_summary": lambda f: hk.experimental.eval_summary(lambda x: f(x))(X),
    "flax.linen.partitioning.remat": lifted(partitioning.remat),
    "flax.linen.partitioning.vmap_with_axes": lifted(partitioning.vmap_with_axes, variable_axes={}),
    "flax.linen.jit": lifted(linen.jit),
    "flax.linen.remat": lifted(linen.remat),
    "flax.linen.checkpoint": lifted(linen.checkpoint),
    "flax.linen.vmap": lifted(linen.vmap, variable_axes={}, split_rngs={}),
    "flax.linen.map_variables": lifted(linen.map_variables),
    "flax.nnx.jit": lambda f: nnx.jit(f)(X),
    "flax.nnx.vmap": lambda f: nnx.vmap(f)(X),
    "flax.nnx.remat": lambda f: nnx.remat(f)(X),
    "flax.nnx.grad": lambda f: nnx.grad(f)(X),
    "flax.nnx.value_and_grad": lambda f: nnx.value_and_grad(f)(X),
    "flax.nnx.make_jaxpr": lambda f: nnx.make_jaxpr(f, graph_updates=False)(X),
}

HIGHER_ORDER_RUNS: dict[str, Callable[[Probe], Any]] = {
    "equinox.filter_vjp": lambda f: eqx.filter_vjp(f, X),
    "equinox.filter_jvp": lambda f: eqx.filter_jvp(f, (X,), (X,)),
    "equinox.filter_eval_shape": lambda f: eqx.filter_eval_shape(f, X),
    "haiku.cond": lambda f: in_haiku(lambda: hk.cond(True, f, f, X)),
    "haiku.switch": lambda f: in_haiku(lambda: hk.switch(0, [f, f], X)),
    "haiku.map": lambda f: in_haiku(lambda: hk.map(f, X)),
    "haiku.scan": lambda f: in_haiku(lambda: hk.scan(lambda carry, x: (carry, f(x)), 0.0, X)),
    "haiku.fori_loop": lambda f: in_haiku(lambda: hk.fori_loop(0, 2, f, jnp.float32(0))),
    "haiku.eval_shape": lambda f: in_haiku(lambda: hk.eval_shape(f, X)),
    "haiku.experimental.fast_eval_shape": lambda f: hk.experimental.fast_eval_shape(f, X),
    "optax.power_iteration": lambda f: optax.power_iteration(lambda v: f(v) * v, v0=X),
    "optax.perturbations.make_perturbed_fun": lambda f: optax.perturbations.make_perturbed_fun(f)(KEY, X),
    "distrax.Lambda": lambda f: distrax.Lambda(f),
    "blackjax.meanfield_vi": lambda f: step(blackjax.meanfield_vi(f, optax.sgd(0.1), 2)),
    "blackjax.schrodinger_follmer": lambda f: step(blackjax.schrodinger_follmer(f, 2, 2)),
    "blackjax.slice_sampling": lambda f: step(blackjax.slice_sampling(f)),
    "blackjax.orbital_hmc": lambda f: step(blackjax.orbital_hmc(f, 0.1, X, 2)),
    "blackjax.mgrad_gaussian": lambda f: step(blackjax.mgrad_gaussian(f, jnp.eye(3))),
    "flax.linen.cond": lambda f: in_linen(lambda module: linen.cond(True, f, f, module, X)),
    "flax.linen.switch": lambda f: in_linen(lambda module: linen.switch(0, [f, f], module, X)),
    "flax.linen.vjp": lambda f: in_linen(lambda module: linen.vjp(f, module, X)[0]),
    "flax.nnx.cond": lambda f: nnx.cond(True, f, f, X),
    "flax.nnx.switch": lambda f: nnx.switch(0, [f, f], X),
    "flax.nnx.fori_loop": lambda f: nnx.fori_loop(0, 2, f, jnp.float32(0)),
    "flax.nnx.eval_shape": lambda f: nnx.eval_shape(f, X),
    "flax.nnx.vjp": lambda f: nnx.vjp(f, X, graph=False),
}


@pytest.mark.parametrize("name", WRAPPER_RUNS)
def test_wrappers_trace_as_the_table_says(name: str) -> None:
    probe = Probe()
    WRAPPER_RUNS[name](probe)
    assert probe.argument == SEEN[WRAPPERS[name].abstracts]
    assert (probe.constant == "abstract") == (WRAPPERS[name].stages and probe.argument != "concrete")


@pytest.mark.parametrize("name", HIGHER_ORDER_RUNS)
def test_higher_order_functions_trace_as_the_table_says(name: str) -> None:
    probe = Probe()
    HIGHER_ORDER_RUNS[name](probe)
    assert probe.argument == SEEN[HIGHER_ORDER[name].abstracts]
    assert (probe.constant == "abstract") == HIGHER_ORDER[name].stages


def test_linen_transforms_count_the_module_as_argument_zero() -> None:
    class Scale(linen.Module):
        @linen.compact
        def __call__(self, x: jax.Array, twice: bool) -> jax.Array:
            return x * 2 if twice else x

    assert linen.jit(Scale, static_argnums=2)().apply({}, X, True)[0] == 2
    assert linen.remat(Scale, static_argnums=2)().apply({}, X, True)[0] == 2
    assert WRAPPERS["flax.linen.jit"].counts_self
    assert WRAPPERS["flax.linen.remat"].counts_self


def test_equinox_leaves_what_is_no_array_alone() -> None:
    assert eqx.filter_jit(lambda x, flag: x if flag else -x)(X, True)[0] == 1
    assert WRAPPERS["equinox.filter_jit"].abstracts is Abstracts.ARRAYS


def test_carries_of_linen_cells_do_not_depend_on_the_key() -> None:
    cell = linen.LSTMCell(4)
    one, other = (cell.initialize_carry(jax.random.key(seed), (2, 3)) for seed in (0, 1))
    assert jax.tree.all(jax.tree.map(jnp.array_equal, one, other))


def test_carries_of_a_bidirectional_network_do_not_depend_on_the_key() -> None:
    cells = linen.RNN(linen.GRUCell(2)), linen.RNN(linen.GRUCell(2))
    network = linen.Bidirectional(*cells)
    variables = network.init(KEY, jnp.ones((1, 2, 3)))
    one, other = (network.apply(variables, jnp.ones((1, 2, 3)), init_key=jax.random.key(seed)) for seed in (0, 1))
    assert jnp.array_equal(one, other)
