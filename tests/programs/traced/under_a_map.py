# What a function that is compiled, differentiated or mapped gives inside a mapped one: a tracer if it comes of a lane.

import jax
import jax.numpy as jnp

# --- the result of a compiled function
@jax.jit
def both(x, y):
    return x.sum(), y.sum(), jnp.zeros_like(x).sum()

def run(x, y):
    first, second, third = both(x, y)
    if second > 0 and third == 0:
        x = x + 1
    return x if first > 0 else -x  # JAX201

def main():
    return jax.vmap(run, (0, None))(jnp.ones((2, 3)), jnp.ones(3))

# --- what a compiled function closes over
def run(x):
    total = jax.jit(lambda: x.sum())
    length = jax.jit(lambda: jnp.zeros(x.shape).sum())
    if length() == 0:
        x = x + 1
    return x if total() > 0 else -x  # JAX201

def main():
    return jax.vmap(run)(jnp.ones((2, 3)))

# --- a value and its gradient
def loss(x):
    return (x**2).sum()

def run(x):
    value, slope = jax.value_and_grad(loss)(x)
    return slope if value > 0 else x  # JAX201

def main():
    return jax.vmap(run)(jnp.ones((2, 3)))

# --- a function with rules of its own, and one that is mapped itself
@jax.custom_jvp
def smooth(x):
    return jnp.sin(x).sum()

@smooth.defjvp
def smooth_jvp(primals, tangents):
    return smooth(*primals), tangents[0].sum()

def run(x):
    return x if smooth(x) > 0 else -x  # JAX201

def main():
    return jax.vmap(run)(jnp.ones((2, 3)))

# --- a compiled function that draws from a key of the lane, or from one that all lanes have
@jax.jit
def draw(key):
    return jax.random.normal(key, (3,)).sum()

def run(key, common):
    shift = 1 if draw(common) > 0 else 2
    return shift if draw(key) > 0 else -shift  # JAX201

def main():
    return jax.vmap(run, (0, None))(jax.random.split(jax.random.key(0)), jax.random.key(1))

# --- arrays that only have the shape of a lane
def run(x):
    if jnp.zeros_like(x).sum() == 0 and jnp.full_like(x, 2).max() > 1:
        x = x + 1
    return x if jnp.full_like(x, x[0]).max() > 1 else -x  # JAX201

def main():
    return jax.vmap(run)(jnp.ones((2, 3)))

# --- outside of every trace a compiled function gives arrays, whatever was seen of it before
import flax.linen as nn
import optax
from flax.training import train_state

class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dropout(0.1, deterministic=not train)(x)
        return nn.Dense(4)(x)

def create_state(key, x):
    model = Mlp()
    params = model.init(key, x, train=False)["params"]
    return train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))

@jax.jit
def train_step(state, batch, key):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["x"], train=True, rngs={"dropout": key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state, {"loss": loss}

def main():
    key, init_key = jax.random.split(jax.random.key(0))
    batch = {"x": jnp.ones((2, 3)), "y": jnp.zeros(2, int)}
    state = create_state(init_key, batch["x"])
    for number in range(4):
        key, step_key = jax.random.split(key)
        state, metrics = train_step(state, batch, step_key)
        if number % 2 == 0:
            print(float(metrics["loss"]))

# --- a collective along an axis that the mesh does not have
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

def make_mesh(name):
    return Mesh(np.array(jax.devices()), (name,))

def mean(tree):
    return jax.tree.map(lambda g: jax.lax.pmean(g, "batch"), tree)  # JAX708

def step(x):
    return mean({"gradients": x})

run = jax.jit(jax.shard_map(step, mesh=make_mesh("data"), in_specs=P("data"), out_specs=P()))

def main():
    run(jnp.ones(4))

# --- a collective along an axis that another mesh has, or one that nobody knows
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

MESH = Mesh(np.array(jax.devices()), ("data",))

def total(x):
    return jax.lax.psum(x, "data")

def on(mesh, function):
    return jax.shard_map(function, mesh=mesh, in_specs=P(), out_specs=P())

def main():
    on(MESH, total)(jnp.ones(4))
    on(Mesh(np.array(jax.devices()), "hosts"), lambda x: jax.lax.psum(x, "hosts"))(jnp.ones(4))

# --- the name of an axis comes in a partial, and nobody is seen to call what maps
from functools import partial

def loss(x, axis="lanes"):
    return jax.lax.pmean(x, axis)  # JAX708

def over_lanes(x):
    return jax.vmap(partial(loss, axis="devices"), axis_name="lanes")(x)

def main():
    over_lanes(jnp.ones(3))

# --- the name of an axis is that of a map which nobody is seen to call this under
def update(x):
    x = x - jax.lax.pmean(x, "lanes")
    return x - jax.lax.pmean(x, "devices")

def over_lanes(x):
    return jax.vmap(update, axis_name="lanes")(x)

def over(function, axis_name="devices"):
    return jax.vmap(function, axis_name=axis_name)

def main():
    over(globals()["over_lanes"])(jnp.ones((2, 3)))

# --- the name of an axis is bound by somebody outside of the program
def update(x, axes=()):
    for axis in axes:
        x = jax.lax.pmean(x, axis)
    return x if not axes else jax.lax.pmean(x, "elsewhere")

def over_lanes(x, axes=("lanes",)):
    return jax.vmap(lambda row: update(row), axis_name="lanes")(x)

def main():
    over_lanes(jnp.ones(3))

# --- as many members as a map in another function has made
init = jax.vmap(lambda key: {"w": jax.random.normal(key, (2, 3)), "b": jnp.zeros(3)})

def logits(params, x):
    return x @ params["w"] + params["b"]

def ensemble(params, x):
    return jax.vmap(logits)(params, x)  # JAX707

def main():
    ensemble(init(jax.random.split(jax.random.key(0), 3)), jnp.ones((4, 2)))

# --- each member gets all rows, or rows of its own
init = jax.vmap(lambda key: {"w": jax.random.normal(key, (2, 3)), "b": jnp.zeros(3)})

def logits(params, x):
    return x @ params["w"] + params["b"]

def ensemble(params, x):
    return jax.vmap(logits, in_axes=(0, None))(params, x), jax.vmap(logits)(params, x[:3])

def last(key):
    made = jax.vmap(lambda key: jax.random.normal(key, (2,)), out_axes=-1)(jax.random.split(key, 5))
    return jax.vmap(jnp.dot, in_axes=(0, 0))(made, jnp.ones((2, 5)))

def main():
    ensemble(init(jax.random.split(jax.random.key(0), 3)), jnp.ones((4, 2))), last(jax.random.key(0))

# --- parameters of layers are mapped with the points
def init(key, *sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]

def network(params, x):
    h = x[None]
    for w, b in params:
        h = h @ w + b
    return h[0]

def per_point(params, x):
    return jax.vmap(network)(params, x)  # JAX707

def main():
    per_point(init(jax.random.key(0), 1, 8, 1), jnp.ones(5))

# --- parameters of layers are the same for all points, or stacked
def init(key, *sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]

def network(params, x):
    h = x[None]
    for w, b in params:
        h = h @ w + b
    return h[0]

def main():
    params = init(jax.random.key(0), 1, 8, 1)
    jax.vmap(network, (None, 0))(params, jnp.ones(5))
    members = jax.vmap(lambda key: init(key, 1, 8, 1))(jax.random.split(jax.random.key(0), 5))
    jax.vmap(network)(members, jnp.ones(5))
    jax.vmap(jax.vmap(network, (None, 0)), (0, None))(members, jnp.ones(7))

# --- a text is mapped over the first axis that it is said to have
def named(x, name):
    return x

def lanes(x):
    return jax.vmap(named, in_axes=(0, 0))(x, "name")  # JAX511

def one(x):
    return jax.vmap(named, in_axes=(0, None))(x, 1.0)

def main():
    one(jnp.ones(3)), lanes(jnp.ones(3))

# --- a number that each lane gives back
def reward(observed, before, is_first):
    return jnp.where(is_first, 0.0, jnp.sum(observed - before)), observed, False

@jax.jit
def rewards(observed, before, are_first):
    return jax.vmap(reward)(observed, before, are_first)

def step(carry, observed):
    gained, before, are_first = rewards(observed, *carry)
    return (before, are_first), gained

def main():
    start = jnp.zeros((3, 9)), jnp.ones(3, bool)
    return jax.lax.scan(step, start, jnp.ones((5, 3, 9)))

# --- a number that is no lane's
def main():
    double = jax.vmap(lambda x: 2 * x)
    return jax.lax.scan(lambda firsts, x: (False, double(x)), jnp.ones(3, bool), jnp.ones((5, 3)))  # JAX702

# --- a flag that each lane gives back is asked for
@jax.jit
def step(x):
    y, flags = jax.vmap(lambda x: (x, True))(x)
    if flags[0]:  # JAX201
        return y
    return -y

def main():
    return step(jnp.ones(3))

# --- NumPy's booleans that are made numbers
import numpy as np

def pick(label):
    return jnp.arange(2.0)[label]

def main():
    return jax.vmap(pick)((np.linspace(0, 1, 5) < 0.5).astype(int))

# --- NumPy's booleans as they are
import numpy as np

def pick(mask):
    return jnp.arange(2.0)[mask]  # JAX221

def main():
    return jax.vmap(pick)((np.ones((5, 2)) < 0.5).copy())

# --- a collective after a comprehension, where another function maps over the axis
@jax.jit
def norm(tree):
    return jnp.sqrt(jax.lax.psum(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)), "devices"))  # JAX708

def mean(tree):
    return jax.tree.map(lambda leaf: jax.lax.pmean(leaf, "devices"), tree)

def main():
    jax.vmap(mean, axis_name="devices")({"w": jnp.ones(2)})
    norm({"w": jnp.ones(2)})

if __name__ == "__main__":
    main()

# --- a collective for each leaf, of which there may be none
@jax.jit
def norms(tree):
    return [jax.lax.psum(leaf, "devices") for leaf in jax.tree.leaves(tree)]

def main():
    return norms({})

if __name__ == "__main__":
    main()

# --- a sharding along an axis that the mesh does not have
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(-1, 1), ("data", "model"))

def place(x):
    return jax.device_put(x, NamedSharding(mesh, P(None, ("data", "models"))))  # JAX712

def main():
    return place(jnp.ones((2, 3)))

# --- shardings along the axes of the mesh that each is made for
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def place(x, name, axis):
    mesh = Mesh(np.array(jax.devices()), (name,))
    spec = P(axis) if axis in mesh.axis_names else P()
    return jax.device_put(x, NamedSharding(mesh, spec))

def main():
    grid = jax.make_mesh((1, 1), ("rows", "columns"))
    first = jax.device_put(jnp.ones((2, 3)), NamedSharding(grid, P(("columns", "rows"), None)))
    second = jax.device_put(jnp.ones((2, 3)), NamedSharding(mesh=grid, spec=P()))
    return first, second, place(jnp.ones(3), "data", "model")

# --- axes for a dict, of an argument that is an object
import dataclasses
import functools

@functools.partial(jax.tree_util.register_dataclass, data_fields=["share", "total"], meta_fields=[])
@dataclasses.dataclass
class State:
    share: jax.Array
    total: jax.Array

def scenarios(state, rates):
    return jax.vmap(lambda state, rate: state.share * rate, in_axes=({"share": None}, 0))(state, rates)  # JAX707

def main():
    return scenarios(State(jnp.ones(3), jnp.ones(())), jnp.ones(2))

# --- axes for an object, for parts of a dict, and for all of what lies deeper
import dataclasses
import functools

@functools.partial(jax.tree_util.register_dataclass, data_fields=["share", "total"], meta_fields=[])
@dataclasses.dataclass
class State:
    share: jax.Array
    total: jax.Array

def main():
    state = State(jnp.ones(3), jnp.ones(2))
    first = jax.vmap(lambda state, rate: state.total * rate, in_axes=(State(None, 0), 0))(state, jnp.ones(2))
    params = {"w": [jnp.ones((4, 3)), jnp.ones((4, 2))], "state": state}
    axes = {"w": 0, "state": None}
    return first, jax.vmap(lambda p: p["w"][0].sum() * p["state"].share, in_axes=(axes,))(params)

# --- axes for other items than a dict has
def by_items(params, x):
    return jax.vmap(lambda p, x: p["w"] * x, in_axes=({"w": None}, 0))(params, x)  # JAX707

def main():
    return by_items({"w": jnp.ones(()), "b": jnp.ones(())}, jnp.ones(2))

# --- axes for a tuple, of an argument that is a list
def lanes(params, x):
    return jax.vmap(lambda p, x: p[0][0] * x, in_axes=([(None, 0)], 0))(params, x)  # JAX707

def main():
    return lanes([[jnp.ones(()), jnp.ones(2)]], jnp.ones(2))

# --- a single key where each lane has a key of its own
from functools import partial

@partial(jax.vmap, in_axes=(None, 0, 0))
def render(p, key, origin):
    return p * jax.random.uniform(key) + origin

def loss(p, seed, origins):
    key = jax.random.key(seed)
    return render(p, key, origins).mean()  # JAX707

def main():
    return loss(2.0, 0, jnp.ones(3))

# --- one of two keys where each lane has a key of its own
def main():
    key, drawn = jax.random.split(jax.random.key(0))
    return jax.vmap(jax.random.fold_in)(drawn, jnp.arange(3)), jax.random.normal(key)  # JAX707

# --- as many keys as there are lanes, however they were made
def drawn(keys):
    return jax.vmap(jax.random.normal)(keys)

def main(n=3):
    keys = jax.random.split(jax.random.key(0), (2, n))
    copies = drawn(jax.random.clone(jax.random.split(jax.random.key(1), n)))
    folded = drawn(jax.vmap(lambda i: jax.random.fold_in(jax.random.key(2), i))(jnp.arange(n)))
    seeds = drawn(jax.vmap(jax.random.key)(jnp.arange(n)))
    return drawn(keys[0]), drawn(keys[1:][0]), drawn(jax.random.key(3)[None]), copies, folded, seeds

# --- a key for all lanes
def main():
    return jax.vmap(lambda key, x: x * jax.random.normal(key), in_axes=(None, 0))(jax.random.key(0), jnp.ones(3))

# --- what is computed of a lane is said to be one for all lanes
def main():
    return jax.vmap(lambda row: (row.sum(), row * 2), out_axes=(None, 0))(jnp.ones((2, 3)))  # JAX707

# --- what is one for all lanes: of no lane, of its shape, of an argument that is not mapped, and what is summed over them
@jax.jit
def spread(rows, bias):
    def of_row(row, bias):
        blank = jnp.where(jnp.ones_like(row) > 0, 2.0, 3.0) + row.shape[0] + jnp.zeros(3, row.dtype)
        return blank, jnp.sin(bias), row * bias, jax.lax.fori_loop(0, 3, lambda i, c: c + 1.0, 0.0)

    return jax.vmap(of_row, in_axes=(0, None), out_axes=(None, None, 0, None))(rows, bias)

def main():
    rows = jnp.ones((2, 3))
    total = jax.vmap(lambda row: jax.lax.psum(row * 2, "rows"), out_axes=None, axis_name="rows")(rows)
    return spread(rows, 2.0), total

# --- an object that all lanes share is a copy in them
import dataclasses

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: jax.Array

def probed(state, y):
    state.x = state.x + y  # JAX106
    return state.x

def main():
    state = State(jnp.ones(3))
    jax.vmap(probed, in_axes=(None, 0))(state, jnp.arange(2.0))
    assert state.x.sum() == 3.0

# --- a raw key is mapped over, which is two numbers
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)

def main():
    return jax.vmap(noisy)(jnp.ones((3, 2)), jax.random.PRNGKey(0))  # JAX707

# --- one of the keys of an unknown key is mapped over by name
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)

def shared(key, xs):
    first, second = jax.random.split(key)
    return jax.vmap(noisy)(xs, key=first)  # JAX707

def main():
    return shared(jax.random.PRNGKey(0), jnp.ones((3, 2)))

# --- keys that are mapped over are several, or are of one lane
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)

def several(key, xs):
    one, other, last, kept = jax.random.split(key, 4)
    rows = jax.random.split(one, (2, len(xs)))
    shared = jax.vmap(noisy, in_axes=(0, None))
    return jax.vmap(noisy)(xs, rows[0]), jax.vmap(noisy)(xs, jnp.stack([other, last])), shared(xs, kept)

def main():
    made = jax.vmap(jax.random.PRNGKey)(jnp.arange(2))
    one = jax.random.PRNGKey(7)[None]
    xs = jnp.ones((2, 3))
    return several(jax.random.PRNGKey(0), xs), jax.vmap(noisy)(xs, made), jax.vmap(noisy)(xs[:1], one)
