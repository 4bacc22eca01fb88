# Keys that only give shapes.

# --- a constant key for a shape
# file: env.py
import jax
import jax.numpy as jnp


class Game:
    def start(self, key):
        return {"board": jax.random.normal(key, (3, 3))}

    def seen(self, state):
        return jnp.ravel(state["board"])


game = Game()


@jax.jit
def step(x):
    return x * size() + drawn()


def size():
    state = game.start(jax.random.key(0))  # JAX406 possible
    seen = game.seen(state)
    return seen.shape[0]


def drawn():
    state = game.start(jax.random.key(0))  # JAX406 likely
    seen = game.seen(state)
    return seen[0]

# --- shards that are swapped in a carry
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((2,), ("i",))

@jax.shard_map(mesh=mesh, in_specs=(P("i"), P()), out_specs=P("i"))
def swapped(x, y):
    (x, y), _ = jax.lax.scan(lambda pair, _: (pair[::-1], ()), (x, y), (), length=2)
    return x

def main():
    return jnp.ones(6) + swapped(jnp.arange(6.0), jnp.arange(3.0))

# --- specs of shard_map for another number of arguments than the function takes
import jax

MESH = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
SPEC = jax.sharding.PartitionSpec("i")

def whiten(w, x):
    return x @ w

def main():
    apply = jax.shard_map(whiten, mesh=MESH, in_specs=(SPEC,), out_specs=SPEC)  # JAX712 certain
    return lambda x: apply(x)
