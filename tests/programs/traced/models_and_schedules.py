# Models of numpyro and schedules of optimisers run under the trace of who calls them.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- seeded model
import numpyro
import numpyro.distributions as dist
from numpyro import handlers

def coin():
    side = numpyro.sample("side", dist.Bernoulli(0.5))
    if side:  # JAX201
        return 1.0
    return 2.0

@jax.jit
def flip(key):
    return handlers.seed(coin, key)()

def main():
    return flip(jax.random.key(0))

# --- argument of a seeded model
import numpyro
import numpyro.distributions as dist
from numpyro.handlers import scale, seed

def coin(bias, deep=False):
    if bias > 0.5 and not deep:  # JAX202
        bias = 0.5
    return numpyro.sample("side", dist.Bernoulli(bias))

@jax.jit
def flip(key, bias):
    return seed(scale(coin, scale=2.0), rng_seed=key)(bias)

def main():
    return flip(jax.random.key(0), 0.2)

# --- density of a model
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density

def model(x, scale=1.0):
    mean = numpyro.sample("mean", dist.Normal(0.0, scale))
    if mean > 0:  # JAX201
        mean = -mean
    numpyro.sample("x", dist.Normal(mean, scale), obs=x)

@jax.jit
def energy(params, x):
    return -log_density(model, (x,), {"scale": 2.0}, params)[0]

def main():
    return energy({"mean": 1.0}, 2.0)

# --- models
import numpyro
import numpyro.distributions as dist
from numpyro import handlers
from numpyro.infer.util import log_density

def model(x, deep=False, obs=None):
    if deep and x is not None:
        x = x * 2
    mean = numpyro.sample("mean", dist.Normal(0.0, 1.0))
    seen = numpyro.sample("seen", dist.Normal(x + mean, 1.0), obs=obs)
    if obs is not None and seen > 1:
        return mean
    return seen

def coin():
    side = numpyro.sample("side", dist.Bernoulli(0.5))
    return 1.0 if side else 2.0

@jax.jit
def draw(key, x):
    first, other = jax.random.split(key)
    fixed = handlers.condition(handlers.seed(coin, other), {"side": 1})()
    return handlers.seed(model, first)(x, deep=True) + handlers.seed(model, 0)(x, obs=2.0) + fixed

@jax.jit
def energy(x):
    return log_density(coin, (), {}, {"side": 1})[0] + x

def main():
    handlers.seed(coin, jax.random.key(0))()
    handlers.trace(handlers.seed(coin, 0)).get_trace()
    return draw(jax.random.key(0), 2.0), energy(2.0)

# --- print of what a static model returns
def show(value):
    print("loss", value)  # JAX101

@partial(jax.jit, static_argnums=1)
def step(x, model):
    show(model(x))
    return x

def main():
    return step(1.0, jnp.sin)

# --- print of a static result
def show(value):
    print("sizes", value)

@partial(jax.jit, static_argnums=1)
def step(x, model):
    show(model(x.shape))
    show(model.__name__)
    return x

def main():
    return step(1.0, lambda shape: shape)

# --- schedule of an optimiser
import optax

def decay(count):
    if count < 10:  # JAX201
        return 0.1
    return 0.01

opt = optax.adam(learning_rate=decay)

@jax.jit
def update(grads, state):
    return opt.update(grads, state)

def main():
    return update(jnp.ones(2), opt.init(jnp.ones(2)))

# --- schedule in a chain
import optax

def train(steps, grads):
    def decay(count):
        return 0.1 if count < steps else 0.01  # JAX201

    opt = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(decay, momentum=0.9))

    @jax.jit
    def step(grads, state):
        updates, state = opt.update(grads, state)
        return updates, state

    return step(grads, opt.init(grads))

def main():
    return train(3, jnp.ones(2))

# --- schedules
import optax

def by_hand(count):
    return 0.1 if count < 10 else 0.01

def traced(count, end):
    if end > 3:
        return jnp.where(count < end, 0.1, 0.01)
    return 0.1

eager = optax.chain(optax.clip(1.0), optax.adam(by_hand))
jitted = optax.sgd(partial(traced, end=7))

@jax.jit
def update(grads, state):
    return jitted.update(grads, state)

def main():
    grads = jnp.ones(2)
    updates, state = eager.update(grads, eager.init(grads))
    return update(updates, jitted.init(grads))

# --- transformations of gradients that the project wrote
import optax

def skip_infinite(inner):
    def update(updates, state, params=None):
        if any(bool(jnp.isinf(leaf).any()) for leaf in jax.tree.leaves(updates)):  # JAX211
            return jax.tree.map(jnp.zeros_like, updates), state
        return inner.update(updates, state, params)

    return optax.GradientTransformation(inner.init, update)

def damp(scale):
    def update(updates, state, params=None):
        if params is not None and updates["w"].ndim:
            print(updates)  # JAX101
        if updates["w"] > scale:  # JAX201
            return jax.tree.map(lambda leaf: scale * leaf, updates), state
        return updates, state

    return optax.GradientTransformation(lambda params: (), update)

def by_the_host(scale):
    def update(updates, state, params=None):
        return (updates, state) if updates["w"] > scale else (jax.tree.map(jnp.zeros_like, updates), state)

    return optax.GradientTransformation(lambda params: (), update)

def fit(tx):
    params = {"w": jnp.ones(())}

    @jax.jit
    def step(params, state):
        updates, state = tx.update(jax.grad(lambda p: p["w"] ** 2)(params), state, params)
        return optax.apply_updates(params, updates), state

    return step(params, tx.init(params))

def main():
    fit(skip_infinite(optax.sgd(0.1)))

def in_a_chain():
    fit(optax.chain(optax.sgd(0.1), damp(2.0)))

def outside():
    tx = by_the_host(2.0)
    params = {"w": jnp.ones(())}
    return tx.update(params, tx.init(params))

# --- a sampler traces its model
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS

def model(y):
    scale = numpyro.sample("scale", dist.HalfCauchy(5.0))
    if scale > 10.0:  # JAX201
        scale = 10.0
    numpyro.sample("y", dist.Normal(0.0, scale), obs=y)

def main():
    sampler = MCMC(NUTS(model), num_warmup=2, num_samples=2, progress_bar=False)
    sampler.run(jax.random.key(0), jnp.ones(3))

# --- a sampler leaves the arguments of its model as they are
import numpyro
import numpyro.distributions as dist
from numpyro.infer import HMC, MCMC

def model(x, y=None, robust=True):
    shift = numpyro.sample("shift", dist.Normal(0.0, 5.0))
    scale = 2.0 if robust and x.shape[0] > 2 else 1.0
    if y is not None:
        scale = scale + 1.0
    numpyro.sample("y", dist.Normal(x + shift, scale), obs=y)

def main():
    sampler = MCMC(HMC(model), num_warmup=2, num_samples=2, progress_bar=False)
    sampler.run(jax.random.key(0), jnp.ones(3), y=jnp.ones(3))

# --- an object as a schedule is called with the number of updates
import optax

class Warmup:
    def __init__(self, peak, steps):
        self.peak, self.steps = peak, steps

    def __call__(self, count):
        if count < self.steps:  # JAX201
            return self.peak * count / self.steps
        return self.peak

class Smooth(Warmup):
    def __call__(self, count):
        return self.peak * jnp.minimum(1.0, count / self.steps)

def fit(tx):
    params = {"w": jnp.ones(())}

    @jax.jit
    def step(params, state):
        updates, state = tx.update(jax.grad(lambda p: p["w"] ** 2)(params), state, params)
        return optax.apply_updates(params, updates), state

    return step(params, tx.init(params))

def main():
    fit(optax.adam(Smooth(1e-3, 10)))
    return fit(optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(Warmup(1e-3, 10))))

# --- a schedule with a number bound by its name, and one with the number of the step left
import optax

def slow(step, examples: int):
    return step / int(2 * examples)

def fast(examples: int, step):
    return 1 / int(2 * step)  # JAX211

def make(examples: int):
    return optax.chain(
        optax.scale_by_schedule(partial(slow, examples=examples)),
        optax.scale_by_schedule(partial(fast, examples)),
    )

def main():
    made, weights = make(3), jnp.ones(2)
    return jax.jit(made.update)(weights, made.init(weights))

# --- schedules of the optimiser that a TrainState keeps
import optax
from flax.training.train_state import TrainState

def warm(count):
    if count < 3:  # JAX201
        return 0.1 * count
    return 0.3

def fast(count):
    return 0.1 / int(count + 1)  # JAX211

def smooth(count):
    return jnp.where(count < 3, 0.1 * count, 0.3)

@jax.jit
def step(state, grads):
    if state.tx is None:
        return state
    return state.apply_gradients(grads=grads)

def made(optimiser):
    return TrainState.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optimiser)

def main():
    grads = {"w": jnp.ones(2)}
    step(made(optax.sgd(smooth)), grads)
    step(made(optax.adam(warm)), grads)
    return step(made(optax.chain(optax.clip(1.0), optax.sgd(fast))), grads)

# --- the density of a model at given values, for many of them
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density

def model(n):
    loc = numpyro.sample("loc", dist.Normal(0.0, 2.0))
    numpyro.sample("x", dist.Normal(loc, 1.0).expand([n]))

def density(values):
    return log_density(model, (3,), {}, values)[0]

def main():
    return jax.jit(jax.vmap(density))({"loc": jnp.ones(2), "x": jnp.ones((2, 3))})
