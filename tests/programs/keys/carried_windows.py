# Keys that move on by one place in each pass of a traced loop: what a pass finds has come a long way.

import jax
import jax.numpy as jnp

# --- a key comes back after two passes of a scan
def main(key):
    first, second, third = jax.random.split(key, 3)

    def body(carry, x):
        key, old, older = carry
        y = jax.random.normal(older)  # JAX403
        key, sub = jax.random.split(key)
        return (key, sub, old), y + jax.random.normal(sub)

    return jax.lax.scan(body, (first, second, third), jnp.arange(5))

# --- a key comes back after two passes of fori_loop
def main(key):
    first, second, third = jax.random.split(key, 3)

    def body(i, carry):
        key, old, older, total = carry
        total = total + jax.random.normal(older)  # JAX403
        key, sub = jax.random.split(key)
        return key, sub, old, total + jax.random.normal(sub)

    return jax.lax.fori_loop(0, 5, body, (first, second, third, 0.0))

# --- keys take turns in a while_loop
def main(key):
    first, second, third = jax.random.split(key, 3)

    def body(carry):
        a, b, c, i, total = carry
        return b, c, a, i + 1, total + jax.random.normal(a)  # JAX403

    return jax.lax.while_loop(lambda carry: carry[3] < 5, body, (first, second, third, 0, 0.0))

# --- keys in a dict move on
def main(key):
    first, second, third = jax.random.split(key, 3)

    def body(carry, x):
        y = jax.random.normal(carry["older"])  # JAX403
        key, sub = jax.random.split(carry["key"])
        return {"key": key, "old": sub, "older": carry["old"]}, y + jax.random.normal(sub)

    return jax.lax.scan(body, {"key": first, "old": second, "older": third}, jnp.arange(5))

# --- loops in one another
def main(key):
    def inner(carry, x):
        key, last = carry
        key, sub = jax.random.split(key)
        return (key, sub), jax.random.normal(last)

    def outer(carry, x):
        carry, draws = jax.lax.scan(inner, carry, jnp.arange(3))
        return carry, draws.sum()

    return jax.lax.scan(outer, tuple(jax.random.split(key)), jnp.arange(3))
