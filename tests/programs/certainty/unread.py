# Results that nobody reads.

# --- overwritten before it is read
# file: over.py
import jax
import jax.numpy as jnp


def children(key, n):
    keys = jnp.stack(jax.random.split(key, n)).reshape(n, -1)
    keys = jax.random.split(key, n + 1)  # JAX401 possible
    return keys


def numbers(key):
    x = jax.random.normal(key)
    x = jax.random.uniform(key)  # JAX401 possible
    return x


def carried(key, n):
    _, keys = jax.lax.scan(lambda k, _: (jax.random.split(k)[1], None), key, None, n)
    keys = jax.random.split(key, n)  # JAX401 possible
    return keys


def read_between(key):
    x = jax.random.normal(key)
    y = x + 1
    x = jax.random.uniform(key)  # JAX401 certain
    return x, y


def read_on_one_path(key, again):
    x = jax.random.normal(key)
    y = jax.random.uniform(key)  # JAX401 certain
    if again:
        x = y
    return x + y


def read_in_the_next_pass(key, n):
    x = last = 0.0
    for _ in range(n):
        last = x
        x = jax.random.normal(key)  # JAX403 certain
    return last


def read_by_a_closure(key):
    x = jax.random.normal(key)
    show = lambda: print(x)
    show()
    x = jax.random.uniform(key)  # JAX401 certain
    return x


def read_where_it_fails(key, f):
    x = jax.random.normal(key)
    try:
        x = f(jax.random.uniform(key))  # JAX401 certain
    except ValueError:
        pass
    return x


def forgotten(key):
    left, right = jax.random.split(key)
    return jax.random.normal(key)  # JAX401 certain

# --- dropped
# file: dropped.py
import jax


def sample(key):
    return jax.random.normal(key)


def step(x, key):
    return x + sample(key)


def a_draw_and_nothing_else(key):
    jax.random.bits(key)  # JAX303 certain
    return jax.random.normal(key)  # JAX401 certain


def mapped(keys):
    jax.vmap(jax.random.bits)(keys)
    return jax.vmap(jax.random.normal)(keys)  # JAX401 certain


def in_a_function_that_only_draws(key):
    _ = jax.jit(sample)(key)
    return jax.random.uniform(key)  # JAX401 certain


def in_a_lambda(key):
    (lambda k: jax.random.bits(k))(key)
    return sample(key)  # JAX401 certain


def twice(key):
    _ = sample(key)
    _ = sample(key)  # JAX401 certain


def of_a_step_that_is_run_to_compile_it(x, key):
    step(x, key)
    return jax.random.normal(key)  # JAX401 possible


def of_what_is_made_of_it(x, key):
    _ = x * jax.random.normal(key)
    return jax.random.normal(key)  # JAX401 possible


def a_split(key):
    jax.random.split(key)  # JAX407 certain
    return jax.random.normal(key)  # JAX401 possible

# --- returned to where it is overwritten
# file: evaluate.py
import jax
import jax.numpy as jnp


def setup(key, params, n):
    key, *keys = jax.random.split(key, n + 1)
    keys = jnp.stack(keys)
    return jax.pmap(jnp.sin), (params, keys)


def train(params, key, n, rounds):
    evaluate, (trained, keys) = setup(key, params, n)
    for _ in range(rounds):
        key, *keys = jax.random.split(key, n + 1)  # JAX401 possible
        keys = jnp.stack(keys)
        trained = evaluate(trained, keys)
    return trained


def train_at_once(params, key, n, rounds):
    evaluate, (trained, keys) = setup(key, params, n)
    trained = evaluate(trained, keys)
    for _ in range(rounds):
        key, *keys = jax.random.split(key, n + 1)  # JAX401 certain
        keys = jnp.stack(keys)
        trained = evaluate(trained, keys)
    return trained


def train_at_last(params, key, n, rounds):
    evaluate, (trained, keys) = setup(key, params, n)
    for _ in range(rounds):
        key, *keys = jax.random.split(key, n + 1)  # JAX401 certain
        trained = evaluate(trained, jnp.stack(keys))
    return trained, keys

# --- multiplied by zero
# file: zero.py
import jax


def start(key, f):
    x = 0.0 * jax.random.normal(key, (3,))
    return f(x, jax.random.uniform(key))  # JAX401 possible


def scaled(key, f):
    x = 0.1 * jax.random.normal(key, (3,))
    return f(x, jax.random.uniform(key))  # JAX401 certain

# --- the same statement again, before anybody reads what it sets
# file: again.py
import jax


def walk(key, x):
    for _ in range(10):
        key, sub = jax.random.split(key)
        x = step(x, sub)
    return x


def step(x, key):
    return x + jax.random.normal(key, x.shape)


def timed(key, x):
    y = walk(key, x).block_until_ready()
    y = walk(key, x).block_until_ready()  # JAX401 possible
    return y


def read_by_the_second(key, x):
    x = walk(key, x)
    x = walk(key, x)  # JAX401 certain
    return x


def read_between(key, x):
    y = walk(key, x)
    print(y + 1)
    y = walk(key, x)  # JAX401 certain
    return y


def of_something_else(key, x, z):
    y = walk(key, x) + 1
    y = walk(key, z)  # JAX401 certain
    return y

# --- kept in an attribute that nothing in the program reads
# file: layer.py
import jax


class Layer:
    def __init__(self, key, size):
        first, second = jax.random.split(key)
        self.weights = jax.random.normal(first, (size,))
        self.keys = jax.random.split(key, size)  # JAX401 possible
        self.noise = jax.random.normal(second)

    def __call__(self, x):
        return x @ self.weights + self.noise


class Noisy:
    def __init__(self, key, size):
        first, second = jax.random.split(key)
        self.weights = jax.random.normal(first, (size,))
        self.children = jax.random.split(key, size)  # JAX401 certain
        self.noise = jax.random.normal(second)

    def __call__(self, x):
        return x @ self.weights + self.noise + jax.random.normal(self.children[0])

# --- the name of the reference of an output is bound to what should be written there
# file: kernels.py
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def total_kernel(x_ref, o_ref):
    o_ref = jnp.sum(x_ref[...], -1)  # JAX714 certain


def total(x):
    shape = jax.ShapeDtypeStruct((x.shape[0],), x.dtype)
    return pl.pallas_call(total_kernel, out_shape=shape, interpret=True)(x)


def last_kernel(x_ref, o_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o_ref = x_ref[...]  # JAX714 certain


def last(x):
    return pl.pallas_call(last_kernel, out_shape=jax.ShapeDtypeStruct((3,), x.dtype), interpret=True)(x)

# --- the name of the reference of an input is bound anew, or that of an output once it is written
# file: kernels.py
import jax
from jax.experimental import pallas as pl


def kernel(unused, x_ref, o_ref, last_ref):
    unused = x_ref[...]
    o_ref[...] = x_ref[...] * 2
    o_ref = x_ref[...]
    last_ref = last_ref.at[0]
    last_ref[...] = x_ref[...]


def doubled(n, x):
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(kernel, out_shape=(shape, shape), interpret=True)(n, x)
