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
        """,
    "chex": "chex.chexify chex.assert_max_traces",
    "distrax": """
        distrax.Normal.sample distrax.Normal.sample_and_log_prob distrax.Deterministic.sample distrax.Categorical.sample
        distrax.Uniform.sample distrax.Clipped.sample distrax.mc_estimate_kl
        """,
    "equinox": """
        equinox.nn.Linear equinox.nn.Linear.__call__ equinox.nn.MLP equinox.nn.MLP.__call__ equinox.nn.Dropout.__call__
        equinox.nn.Conv2d equinox.nn.Conv2d.__call__ equinox.nn.MultiheadAttention.__call__ equinox.filter_vjp
        """,
    "evosax": """
        evosax.algorithms.CMA_ES.init evosax.algorithms.CMA_ES.ask evosax.algorithms.CMA_ES.tell
        evosax.algorithms.PSO.ask evosax.algorithms.SimulatedAnnealing.tell
        """,
    "flax": """
        flax.linen.dot_product_attention flax.training.common_utils.shard_prng_key flax.nnx.jit
        flax.linen.ConvLSTMCell.initialize_carry flax.linen.LSTMCell.initialize_carry
        flax.linen.OptimizedLSTMCell.initialize_carry flax.linen.GRUCell.initialize_carry
        """,
    "haiku": "haiku.dropout haiku.multinomial haiku.scan haiku.while_loop haiku.vmap haiku.grad haiku.map",
    "numpyro": """
        numpyro.distributions.Normal.sample numpyro.distributions.Gamma.sample numpyro.distributions.Delta.sample
        numpyro.distributions.Unit.sample numpyro.infer.SVI.init numpyro.infer.Trace_ELBO.loss
        """,
    "optax": """
        optax.add_noise optax.noisy_sgd optax.scale_by_schedule optax.perturbations.Normal.sample
        optax.tree.random_like optax.tree.split_key_like
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
    known = facts.explained()
    rows = {(fact.name, fact.parameter): (says, does) for fact, says, does in facts.differences(found(library))}
    expected = {
        place: (row["table"], row["source"]) for place, row in known.items() if place[0].partition(".")[0] == library
    }
    assert rows == expected  # an explanation of what is no difference any more has to go, too


def test_what_is_explained_is_in_the_part_that_is_read() -> None:
    assert {name for name, _ in facts.explained()} <= {name for names in SAMPLE.values() for name in names.split()}


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
