# Keys that move on in a traced loop and are new each time, which JAX's own checker does not see.

import jax
import jax.numpy as jnp

# --- each key of a window of a scan is drawn from when it is the oldest
def main(key):
    first, second, third = jax.random.split(key, 3)

    def body(carry, x):
        key, old, older = carry
        key, sub = jax.random.split(key)
        return (key, sub, old), jax.random.normal(older)

    _, draws = jax.lax.scan(body, (first, second, third), jnp.arange(5))
    return [(draws[i], draws[j]) for i in range(5) for j in range(i)]

# --- keys take turns and are split
def main(key):
    first, second, third = jax.random.split(key, 3)

    def body(carry, x):
        a, b, c = carry
        a, sub = jax.random.split(a)
        return (b, c, a), jax.random.normal(sub)

    _, draws = jax.lax.scan(body, (first, second, third), jnp.arange(5))
    return [(draws[i], draws[j]) for i in range(5) for j in range(i)]

