# A key that another function had before it is split into its successor.

# --- an environment that is set back, or parameters that are made, with the key of the loop
import jax
import jax.numpy as jnp


def start(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (2,)), jax.random.uniform(second)


def play(seed, step, steps):
    key = jax.random.key(seed)
    state = start(key)
    total = 0.0
    for _ in range(steps):
        key, sub = jax.random.split(key)  # JAX401 possible
        state, reward = step(sub, state)
        total += reward
    return total


def play_unknown(env, seed, policy):
    rng = jax.random.key(seed)
    observation, state = env.reset(rng)
    for _ in range(10):
        rng, first, second = jax.random.split(rng, 3)  # JAX402 possible
        observation, state = env.step(first, state, policy(second, observation))
    return observation


class Player:
    def __init__(self, seed):
        self.key = jax.random.key(seed)
        self.weights = start(self.key)

    def act(self):
        self.weights = start(self.key)
        self.key, sub = jax.random.split(self.key)  # JAX401 possible
        return jax.random.normal(sub, (2,))

# --- a step that returns the successor of the key, after something else had it
import jax
import jax.numpy as jnp


@jax.jit
def step(params, key):
    key, sub = jax.random.split(key)
    return params + jax.random.normal(sub, params.shape), jnp.sum(params), key


@jax.jit
def step_without(params, key):
    key, sub = jax.random.split(key)
    return params + jax.random.normal(sub, params.shape), jnp.sum(params)


def pictures(params, key):
    return params + jax.random.normal(key, params.shape)


def train(params, key, log):
    for epoch in range(10):
        params, loss, key = step(params, key)  # JAX403 possible
        log(epoch, loss, pictures(params, key))
    return params


def train_from(key):
    params, loss, key = step(pictures(jnp.zeros(2), key), key)  # JAX401 certain
    return params, loss, key


def train_without(params, key, log):
    picture = pictures(params, key)
    params, loss = step_without(params, key)  # JAX401 certain
    log(loss, picture)
    return params

# --- keys that were handed out meet their equals
import jax


def keys_for(key, n):
    key, *keys = jax.random.split(key, n + 1)
    return keys


def draws(key):
    keys = keys_for(key, 2)
    first = [jax.random.normal(one) for one in keys]
    key, *keys = jax.random.split(key, 3)  # JAX401 certain
    return first, [jax.random.normal(one) for one in keys]

# --- the child that was meant is there, and nothing reads it
import jax


def start(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (2,)), jax.random.uniform(second)


def train(seed, update):
    key = jax.random.key(seed)
    key, start_key = jax.random.split(key)
    params = start(key)
    key, sub = jax.random.split(key)  # JAX401 certain
    return update(params, sub)


def train_each(key, update, params):
    for _ in range(10):
        key, sub = jax.random.split(key)  # JAX403 certain
        params = update(params, start(key))
    return params

# --- both are done here, the children are taken for something else, or nothing goes on with the key
import jax


def start(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (2,)), jax.random.uniform(second)


def drawn(key):
    noise = jax.random.normal(key, (3,))
    key, sub = jax.random.split(key)  # JAX401 certain
    return noise, jax.random.normal(sub, (3,)), key


def ensemble(key):
    first = start(key)
    keys = jax.random.split(key, 4)  # JAX401 certain
    return first, jax.vmap(start)(keys)


def again(key):
    first = start(key)
    second = start(key)  # JAX401 certain
    return first, second


def only_child(key):
    first = start(key)
    (key,) = jax.random.split(key, 1)  # JAX401 certain
    return first, start(key)
