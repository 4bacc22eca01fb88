"""The tables of libraries against the source of those that are installed, and what they let a user see.

`benchmarks/library_facts.py` compares everything; here a fixed part of each library is read, which takes seconds.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import library_facts as facts
import pytest
from jax.errors import KeyReuseError

from jaxlint.api import lint_source
from jaxlint.semantics.libraries import KEY_METHODS, KEY_USES, NEVER_KEYS, read

# Of each library callables of every kind: functions, constructors, methods, what a factory returns.
SAMPLE = {
    "blackjax": """
        blackjax.nuts.init blackjax.nuts.step blackjax.hmc.init blackjax.hmc.step blackjax.mclmc.init
        blackjax.mclmc.step blackjax.ghmc.init blackjax.rmh.step blackjax.normal_random_walk
        blackjax.adaptation.step_size.find_reasonable_step_size blackjax.adaptive_persistent_sampling_smc
        blackjax.adaptive_tempered_smc blackjax.additive_step_random_walk blackjax.barker blackjax.chees_adaptation
        blackjax.coordinate_slice blackjax.eca.splitR blackjax.fullrank_vi blackjax.ghmc blackjax.hmc blackjax.irmh
        blackjax.laplace_hmc blackjax.mala blackjax.mclmc_find_L_and_step_size blackjax.mcmc.mala.as_top_level_api
        blackjax.mcmc.mala.init blackjax.mcmc.slice.coordinate_slice blackjax.mgrad_gaussian blackjax.multipathfinder
        blackjax.ns.nss.stepping_out blackjax.nsswig blackjax.nuts blackjax.optimizers.lbfgs.minimize_lbfgs
        blackjax.persistent_sampling_smc blackjax.rmh blackjax.sgld blackjax.sgmcmc.grad_estimator
        blackjax.smc.solver.dichotomy blackjax.svgd blackjax.tempered_smc blackjax.util.thin_kernel
        blackjax.vi.svgd.as_top_level_api blackjax.vi.fullrank_vi.step
        """,
    "chex": "chex.chexify chex.assert_max_traces",
    "distrax": """
        distrax.Normal.sample distrax.Normal.sample_and_log_prob distrax.Deterministic.sample distrax.Categorical.sample
        distrax.Uniform.sample distrax.Clipped.sample distrax.mc_estimate_kl distrax.Block distrax.Inverse
        distrax.Lambda distrax.MultivariateNormalFromBijector distrax.Transformed distrax.as_bijector
        """,
    "equinox": """
        equinox.nn.Linear equinox.nn.Linear.__call__ equinox.nn.MLP equinox.nn.MLP.__call__ equinox.nn.Dropout.__call__
        equinox.nn.Conv2d equinox.nn.Conv2d.__call__ equinox.nn.MultiheadAttention.__call__ equinox.filter_vjp
        equinox.internal.eval_zero equinox.nn.Shared
        """,
    "evosax": """
        evosax.algorithms.CMA_ES.init evosax.algorithms.CMA_ES.ask evosax.algorithms.CMA_ES.tell
        evosax.algorithms.PSO.ask evosax.algorithms.SimulatedAnnealing.tell
        evosax.algorithms.distribution_based.sv.sv_open_es.svgd_grad_fn
        """,
    "flax": """
        flax.linen.dot_product_attention flax.training.common_utils.shard_prng_key flax.nnx.jit
        flax.linen.ConvLSTMCell.initialize_carry flax.linen.LSTMCell.initialize_carry
        flax.linen.OptimizedLSTMCell.initialize_carry flax.linen.GRUCell.initialize_carry
        flax.linen.Bidirectional.__call__ flax.core.jit flax.linen.partitioning.core_remat_static
        flax.linen.partitioning.remat flax.linen.partitioning.vmap_with_axes flax.linen.scan flax.nnx.pool
        flax.nnx.transforms.compilation.JitWrapped
        """,
    "haiku": """
        haiku.dropout haiku.multinomial haiku.scan haiku.while_loop haiku.vmap haiku.grad haiku.map haiku.switch
        haiku.experimental.eval_summary haiku.experimental.fast_eval_shape haiku.experimental.optimize_rng_use
        haiku.experimental.tabulate haiku.multi_transform
        """,
    "numpyro": """
        numpyro.distributions.Normal.sample numpyro.distributions.Gamma.sample numpyro.distributions.Delta.sample
        numpyro.distributions.Unit.sample numpyro.infer.SVI.init numpyro.infer.Trace_ELBO.loss
        numpyro.contrib.control_flow.scan numpyro.infer.elbo.guess_max_plate_nesting
        numpyro.infer.gibbs.discrete_gibbs_sweep numpyro.infer.hmc.velocity_verlet
        numpyro.infer.inspect.get_model_relations numpyro.infer.log_likelihood numpyro.infer.psis_diagnostic
        numpyro.infer.util.constrain_fn numpyro.render_model numpyro.util.cond numpyro.util.fori_collect
        numpyro.util.fori_loop numpyro.util.maybe_jit numpyro.util.while_loop
        """,
    "optax": """
        optax.add_noise optax.noisy_sgd optax.scale_by_schedule optax.perturbations.Normal.sample
        optax.tree.random_like optax.tree.split_key_like optax.losses.make_fenchel_young_loss
        optax.matrix_inverse_pth_root optax.microbatch optax.perturbations.make_perturbed_fun optax.power_iteration
        optax.second_order.hvp
        """,
    "rlax": "rlax.add_gaussian_noise rlax.categorical_sample rlax.softmax.sample rlax.tree_split_key rlax.knn_query",
}


def needs(library: str) -> None:
    """Skip where a library is not installed: neither is part of the extra `dev`, see docs/contributing.md."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed: its table was compared when benchmarks/library_facts.py last ran")


@functools.cache
def found(library: str) -> tuple[facts.Fact, ...]:
    return tuple(facts.facts(library, SAMPLE[library].split()))


@pytest.mark.parametrize("library", SAMPLE)
def test_tables_say_what_the_source_does_or_why_not(library: str) -> None:
    needs(library)
    rows = [row for row in facts.explained() if row["name"].startswith(library)]
    used = []
    for difference in facts.differences(found(library)):
        row = facts.explanation(difference, rows)
        assert row is not None, difference
        used.append(row)
    assert [row for row in rows if row not in used] == []  # what is no difference any more has to go, too


@pytest.mark.parametrize("library", SAMPLE)
def test_what_was_read_is_what_the_installed_version_does(library: str) -> None:
    needs(library)
    if facts.version_of(library) != read.VERSIONS[library]:
        pytest.skip(f"{library} was read in version {read.VERSIONS[library]}: run benchmarks/library_facts.py --write")
    for group, names in facts.unknown_to_tables(found(library)).items():
        for name in names:
            if group.table == "never_keys":
                assert name in NEVER_KEYS
            else:
                use = (KEY_METHODS if group.table == "key_methods" else KEY_USES)[name]
                assert (use.arguments, use.sure) == (((group.position, group.parameter),), group.sure)


# -- what the tables let a user see: programs that JAX's own checker judges as well ------------------------------------

PRELUDE = "import jax\nimport jax.numpy as jnp\n"
PROGRAMS = {
    "blackjax: a sampler that a factory made": """
import blackjax

def main(key):
    sampler = blackjax.nuts(lambda x: -jnp.sum(x**2), 0.1, jnp.ones(1))
    state = sampler.init(jnp.ones(1))
    state, _ = sampler.step(key, state)
    return sampler.step(key, state)  # JAX401
""",
    "blackjax: init leaves its key alone": """
import blackjax

def main(key):
    sampler = blackjax.nuts(lambda x: -jnp.sum(x**2), 0.1, jnp.ones(1))
    state = sampler.init(jnp.ones(1), key)
    return sampler.step(key, state)
""",
    "blackjax: an init that draws": """
import blackjax

def main(key):
    sampler = blackjax.mclmc(lambda x: -jnp.sum(x**2), 1.0, 0.1)
    state = sampler.init(jnp.ones(2), key)
    return sampler.step(key, state)  # JAX401
""",
    "blackjax: a key for each step": """
import blackjax

def main(key):
    sampler = blackjax.hmc(lambda x: -jnp.sum(x**2), 0.1, jnp.ones(1), 3)
    state = sampler.init(jnp.ones(1))
    for key in jax.random.split(key, 3):
        state, _ = sampler.step(key, state)
    return state
""",
    "optax: random trees": """
import optax

def main(key):
    tree = {"w": jnp.ones(2)}
    return optax.tree.random_like(key, tree), jax.random.normal(key)  # JAX401
""",
    "optax: a noise that is sampled": """
import optax

def main(key):
    noise = optax.perturbations.Normal()
    return noise.sample(key, (2,)), noise.sample(key, (3,))  # JAX401
""",
    "optax: a start that is drawn": """
import optax

def main(key):
    matrix = jax.random.normal(key, (2, 2))
    return optax.power_iteration(matrix, key=key)  # JAX402
""",
    "distrax: a constant is not drawn": """
import distrax

def main(key):
    return distrax.Deterministic(1.0).sample(seed=key) + jax.random.normal(key)
""",
    "distrax: a draw is drawn": """
import distrax

def main(key):
    return distrax.Normal(0.0, 1.0).sample(seed=key) + jax.random.normal(key)  # JAX401
""",
    "numpyro: a constant is not drawn": """
import numpyro.distributions as dist

def main(key):
    return dist.Delta(1.0).sample(key) + jax.random.normal(key)
""",
    "equinox: a call that takes a key to fit in": """
import equinox as eqx

def main(key):
    first, second = jax.random.split(key)
    layer = eqx.nn.MLP(2, 2, 2, 1, key=first)
    return layer(jnp.ones(2), key=second) + jax.random.normal(second)
""",
}


def marks(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.splitlines(), 1)
    return [(number, line.rpartition("# ")[2]) for number, line in lines if "  # JAX" in line]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_with_keys_for_libraries(name: str) -> None:
    needs(name.partition(":")[0])
    text = PRELUDE + PROGRAMS[name]
    assert [(finding.location.line, finding.code) for finding in lint_source(text)] == marks(text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_jax_agrees_on_these_programs(name: str) -> None:
    needs(name.partition(":")[0])
    module = ModuleType("program")
    sys.modules["program"] = module
    exec(PRELUDE + PROGRAMS[name], vars(module))
    try:
        with jax.debug_key_reuse(True):
            run: Any = jax.jit(module.main)
            if marks(PROGRAMS[name]):
                with pytest.raises(KeyReuseError):
                    run(jax.random.key(0))
            else:
                run(jax.random.key(0))
    finally:
        del sys.modules["program"]


# -- the same of functions that libraries trace: JAX raises where a finding is marked, and nowhere else ----------------

SIGN = """
def sign(x):
    if jnp.sum(x) > 0:{mark}
        return jnp.sum(x)
    return -jnp.sum(x)
"""
TRACED, PLAIN = SIGN.format(mark="  # JAX201"), SIGN.format(mark="")
CALLS = {
    "blackjax: a density that is mapped over samples": TRACED
    + """
import blackjax, optax

def main(x):
    fit = blackjax.meanfield_vi(sign, optax.sgd(0.1), 2)
    return fit.step(jax.random.key(0), fit.init(x))
""",
    "blackjax: a density in the loops of a step": TRACED
    + """
import blackjax

def main(x):
    sampler = blackjax.slice_sampling(sign)
    return sampler.step(jax.random.key(0), sampler.init(x))
""",
    "blackjax: a likelihood": TRACED
    + """
import blackjax

def main(x):
    sampler = blackjax.elliptical_slice(sign, mean=x, cov=jnp.eye(3))
    return sampler.step(jax.random.key(0), sampler.init(x))
""",
    "blackjax: a prior and a likelihood of nested sampling": TRACED
    + """
import blackjax

def main(x):
    sampler = blackjax.nss(lambda x: -jnp.sum(x**2), sign, 2)
    return sampler.init(jnp.stack([x, 2 * x, 3 * x]))
""",
    "blackjax: a gradient that is mapped over particles": TRACED
    + """
import blackjax, optax

def main(x):
    sampler = blackjax.svgd(jax.grad(sign), optax.sgd(0.1))
    return sampler.step(sampler.init(jnp.stack([x, 2 * x])))
""",
    "blackjax: a density that is only differentiated": PLAIN
    + """
import blackjax

def main(x):
    return blackjax.mgrad_gaussian(sign, jnp.eye(3)).init(x)
""",
    "optax: a matrix that is a function": TRACED
    + """
import optax

def main(x):
    return optax.power_iteration(lambda v: sign(v) * v, v0=x)
""",
    "optax: a function that is perturbed": TRACED
    + """
from optax.perturbations import make_perturbed_fun

def main(x):
    return make_perturbed_fun(sign, 10, use_baseline=False)(jax.random.key(0), x)
""",
    "optax: a loss of one row": PLAIN
    + """
import optax

def main(x):
    return optax.losses.make_fenchel_young_loss(sign)(x, x)
""",
    "distrax: a function that a bijector is made of": TRACED
    + """
import distrax

def main(x):
    return distrax.Lambda(sign)
""",
    "distrax: a function that transforms": TRACED
    + """
import distrax

def main(x):
    return distrax.Transformed(distrax.Normal(0.0, 1.0), sign)
""",
    "distrax: an inverse beside a forward": PLAIN
    + """
import distrax

def main(x):
    return distrax.Lambda(jnp.sinh, inverse=sign).inverse(x)
""",
    "haiku: a table of modules": TRACED
    + """
import haiku as hk

def main(x):
    return hk.experimental.tabulate(sign)(x)
""",
    "haiku: shapes, fast": TRACED
    + """
import haiku as hk

def main(x):
    return hk.experimental.fast_eval_shape(sign, x)
""",
    "numpyro: loops of its own": """
from numpyro.util import fori_loop

def body(i, x):
    if i > 0:  # JAX201
        return x
    return 2 * x

def main(x):
    return fori_loop(0, 3, body, x)
""",
    "numpyro: a condition of a loop": """
from numpyro.util import while_loop

def go_on(x):
    if jnp.sum(x) > 0:  # JAX201
        return jnp.sum(x) < 9
    return True

def main(x):
    return while_loop(go_on, lambda x: 2 * x, x)
""",
    "numpyro: branches": TRACED
    + """
from numpyro.util import cond

def main(x):
    return cond(True, x, sign, x, lambda x: jnp.sum(x))
""",
    "flax: a method that partitions": """
import flax.linen as nn
from flax.linen import partitioning

class Block(nn.Module):
    @partitioning.remat
    def __call__(self, x):
        if jnp.sum(x) > 0:  # JAX201
            return x
        return -x

def main(x):
    return Block().apply({}, x)
""",
    "flax: what a method that partitions is told": """
import flax.linen as nn
from flax.linen import partitioning

class Block(nn.Module):
    def __call__(self, x, train):
        return x if train else -x

def main(x):
    return partitioning.remat(Block, static_argnums=(1,))().apply({}, x, True)
""",
    "rlax: a distance": """
import rlax

def distance(x, y):
    if jnp.sum(x) > jnp.sum(y):  # JAX201
        return jnp.sum(x)
    return jnp.sum(y)

def main(x):
    return rlax.knn_query(jnp.stack([x, 2 * x]), x[None], 1, distance)
""",
}


@pytest.mark.parametrize("name", CALLS)
def test_programs_with_functions_for_libraries(name: str) -> None:
    text = PRELUDE + CALLS[name]
    assert [(finding.location.line, finding.code) for finding in lint_source(text)] == marks(text)


@pytest.mark.parametrize("name", CALLS)
def test_jax_agrees_on_what_libraries_trace(name: str) -> None:
    needs(name.partition(":")[0])
    program: dict[str, Any] = {"__name__": "program"}
    exec(PRELUDE + CALLS[name], program)
    if marks(CALLS[name]):
        with pytest.raises(jax.errors.TracerBoolConversionError):
            program["main"](jnp.ones(3))
    else:
        program["main"](jnp.ones(3))
