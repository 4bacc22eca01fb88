# Models of numpyro, and who gives them their keys.
from functools import partial

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

# --- a model that is fitted in each step of a map, with a key of its own
def fit(i):
    def model(x):
        a = numpyro.sample("a", dist.Normal(0, 1))
        numpyro.sample("y", dist.Normal(a, 1), obs=x)

    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.1), Trace_ELBO(), x=jnp.ones(3))
    return svi.run(jax.random.PRNGKey(3 * i + 1), 100).params

def main():
    return jax.lax.map(fit, jnp.arange(4))

# --- a model that samples in a loop of jax.lax
def model(xs):
    def step(total, x):
        slope = numpyro.sample("slope", dist.Normal(0, 1))  # JAX413 likely
        return total + slope * x, total

    return jax.lax.scan(step, 0.0, xs)

def main():
    return numpyro.handlers.seed(model, 0)(jnp.ones(3))

# --- a model that no sampler is seen to run
def mixture(x):
    mu = numpyro.sample("mu", dist.Normal(0, 3).expand([2]))
    if mu[0] > mu[1]:  # JAX201 likely
        mu = mu[::-1]
    shift = int(mu[0])  # JAX211 likely
    numpyro.sample("x", dist.Normal(mu[0] + shift, 1.0), obs=x)

# --- a model that the program runs by itself
def mixture(x):
    mu = numpyro.sample("mu", dist.Normal(0, 3))
    if mu > 0:
        mu = -mu
    return numpyro.sample("x", dist.Normal(mu, 1.0), obs=x)

def simulate(key, x):
    return numpyro.handlers.seed(mixture, key)(x)

# --- a model that nobody is seen to run, with what is observed, known or no sample
def counts(x, y, deep=True):
    if deep and len(x) > 3:
        x = x[:3]
    size = numpyro.deterministic("size", len(x))
    if size > 2:
        x = x[:2]
    seen = numpyro.sample("seen", dist.Poisson(1.0), obs=y)
    if seen.shape:
        x = x + 1
    return x

# --- a part of a model, which the model calls
def prior():
    return numpyro.sample("a", dist.Normal(0, 1))

def model(x):
    a = prior()
    if a > 0:  # JAX201 likely
        a = -a
    numpyro.sample("x", dist.Normal(a, 1.0), obs=x)

# --- a model that each lane seeds with a key of its own
from numpyro import handlers

def model(x):
    return x * numpyro.sample("w", dist.Normal(0.0, 1.0))

def drawn(key, x):
    with handlers.seed(rng_seed=key):
        return model(x)

def traced(key, x):
    with handlers.trace() as sites, handlers.seed(rng_seed=key):
        model(x)
    return sites["w"]["value"]

def main():
    keys = jax.random.split(jax.random.key(0), (2, 3))
    values = jax.vmap(drawn, in_axes=(0, None))(keys[0], 1.0)
    assert len({float(value) for value in values}) == 3
    return jax.vmap(partial(traced, x=1.0))(keys[1])

# --- a model that each lane makes a seeded one of
from numpyro import handlers

def drawn(key, x):
    def model():
        return x * numpyro.sample("w", dist.Normal(0.0, 1.0))

    return handlers.seed(model, key)()

def main():
    keys = jax.random.split(jax.random.key(0), 3)
    values = jax.vmap(drawn, in_axes=(0, None))(keys, 1.0)
    assert len({float(value) for value in values}) == 3

# --- a model that is seeded around the map
from numpyro import handlers

def model(x):
    return x * numpyro.sample("w", dist.Normal(0.0, 1.0))  # JAX413 likely

def drawn(key, xs):
    with handlers.seed(rng_seed=key):
        return jax.vmap(model)(xs)

def main():
    values = drawn(jax.random.key(0), jnp.ones(3))
    assert len({float(value) for value in values}) == 1

# --- a function of haiku that each lane gives a key of its own
import haiku as hk

def noisy(key, x):
    with hk.with_rng(key):
        return x + jax.random.normal(hk.next_rng_key())

def lanes(keys, x):
    return jax.vmap(noisy, in_axes=(0, None))(keys, x)

def main():
    keys = jax.random.split(jax.random.key(1), 3)
    values = hk.transform(lanes).apply({}, jax.random.key(0), keys, 1.0)
    assert len({float(value) for value in values}) == 3

# --- haiku's transform of what keeps state
import haiku as hk

class Running(hk.Module):
    def __call__(self, x):
        mean = hk.get_state("mean", x.shape[-1:], init=jnp.zeros)
        hk.set_state("mean", 0.9 * mean + 0.1 * x.mean(0))
        return x - mean

def main():
    net = hk.transform(lambda x: hk.Linear(3)(Running()(x)))  # JAX715 certain
    return net.init(jax.random.key(0), jnp.ones((2, 3)))

# --- layers of haiku that keep some, with a place for it and without
import haiku as hk

def normalised(x):
    return hk.BatchNorm(True, True, 0.9)(x, is_training=True)

def main():
    x, key, other = jnp.ones((2, 3)), jax.random.key(0), jax.random.key(1)
    params, state = hk.transform_with_state(normalised).init(other, x)
    net = hk.without_apply_rng(hk.transform(normalised))  # JAX715 certain
    return params, state, net.init(key, x)

# --- state that is kept on a condition that is not known
import haiku as hk

def normalised(x, norm=None):
    return hk.BatchNorm(True, True, 0.9)(x, is_training=True) if norm else x

def main():
    net = hk.transform(normalised)
    return net.init(jax.random.key(0), jnp.ones((2, 3)))
