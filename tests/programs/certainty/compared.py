# Equal numbers for what is compared.

# --- common random numbers
# file: es.py
import jax


def loss(params, key):
    return (params * jax.random.normal(key)).sum()


def gradient(params, key, step):
    noise_key, loss_key = jax.random.split(key)
    noise = jax.random.normal(noise_key, params.shape)
    above = loss(params + step * noise, loss_key)
    below = loss(params - step * noise, loss_key)  # JAX401 possible
    return (above - below) / (2 * step) * noise


def in_one_line(f, params, rng):
    return f(params + 1e-3, rng=rng) - f(params - 1e-3, rng=rng)  # JAX402 possible


def of_a_comprehension(params, key, step):
    above, at, below = (loss(params + shift, key) for shift in (step, 0.0, -step))  # JAX403 possible
    return (above - 2 * at + below) / step**2


def of_a_comprehension_for_nothing(params, key, step):
    above, below = (loss(params + shift, key) for shift in (step, -step))  # JAX403 certain
    return above, below


def which_is_better(old, new, key):
    scores_of_old = jax.jit(loss)(old, key)
    scores_of_new = jax.jit(loss)(new, key)  # JAX401 possible
    before, after = scores_of_old.mean(), scores_of_new.mean()
    return after > before


def gap_over_lanes(old, new, key):
    keys = jax.random.split(key, 8)
    of_old = jax.vmap(lambda lane: loss(old, lane))(keys)
    of_new = jax.vmap(lambda lane: loss(new, lane))(keys)  # JAX401 possible
    return (of_new - of_old).mean()


def sum_over_lanes(old, new, key):
    keys = jax.random.split(key, 8)
    of_old = jax.vmap(lambda lane: loss(old, lane))(keys)
    of_new = jax.vmap(lambda lane: loss(new, lane))(keys)  # JAX401 certain
    return (of_new + of_old).mean()

# --- whether two functions give the same
# file: equal.py
import jax
import jax.numpy as jnp


def old(key):
    return jax.random.normal(key, (3,))


def new(key):
    return jax.random.normal(key, (3,)) * 1.0


def check(key):
    before, after = old(key), new(key)  # JAX401 possible
    print("the same:", bool(jnp.array_equal(before, after)))

# --- two samplers are not compared by a difference
# file: data.py
import jax


def spread(key):
    return jax.random.normal(key) - jax.random.uniform(key)  # JAX401 certain


def steps(key, x):
    left = jax.random.normal(key, x.shape)
    right = jax.random.normal(key, x.shape)  # JAX401 certain
    return left - right

# --- both results go into one
# file: data.py
import jax
import jax.numpy as jnp


def ring(key, radius):
    return radius * jax.random.normal(key, (10, 2))


def rings(key):
    inner = ring(key, 1.0)
    outer = ring(key, 2.0)  # JAX401 certain
    return jnp.concatenate([inner, outer])

# --- a loop that compiles anew, beside one that is the same but for what it compiles
# file: shown.py
import jax


def body(x):
    return x + 1


def compiled_anew(x, n):
    i = 0
    while i < n:
        i = jax.jit(lambda x: body(x))(i)  # JAX502 possible
    return x + i


def compiled_once(x, n):
    i = 0
    while i < n:
        i = jax.jit(body)(i)
    return x + i


def another_loop(x, n):
    i = 0
    while i < n:
        i = jax.jit(lambda x: body(x))(i) + 1  # JAX502 likely
    return x + i
