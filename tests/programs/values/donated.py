# Arrays that are read after they were donated, and what looks like it.
import copy
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, donate_argnums=0)
def update(state, batch):
    return state + batch.sum()

# --- a loop that passes the array of before once more
def main():
    state = jnp.ones(3)
    for number in range(3):
        new = update(state, jnp.ones(number + 1))  # JAX508
    return new

# --- a while loop that does
def main(state=jnp.ones(3)):
    new = state
    while new.sum() < 100:
        new = update(state, jnp.ones(2))  # JAX508
    return new

# --- a pass that binds the name at its end, after the array was read
def main():
    state = jnp.ones(3)
    for _ in range(3):
        new = update(state, jnp.ones(2))
        print(new - state)  # JAX508
        state = new
    return state

# --- a pass that binds the name at its end
def main():
    state = jnp.ones(3)
    for _ in range(3):
        new = update(state, jnp.ones(2))
        print(new)
        state = new
    return state

# --- the array that a nested tuple was unpacked from
def main():
    step = jax.jit(lambda carry: jax.tree.map(lambda x: x + 1, carry), donate_argnums=0)
    mean, (scale, shift) = jnp.zeros(2), (jnp.ones(2), jnp.ones(3))
    step((mean, (scale, shift)))
    return shift + 1  # JAX508

# --- an object keeps a compiled closure that takes its argument for good
class Trainer:
    def __init__(self, rate):
        def descend(params, batch):
            return params - rate * batch

        self.descend = jax.jit(descend, donate_argnums=[0])
        self.keep = jax.jit(descend, donate_argnums=[1])

    def step(self, params, batch):
        params = jnp.array(params)
        new = self.descend(params, batch)
        return new + params  # JAX508

    def look(self, params, batch):
        params = jnp.array(params)
        new = self.keep(params, batch)
        return new + params

def main():
    trainer = Trainer(0.1)
    trainer.look(np.ones(3), jnp.ones(3))
    return trainer.step(np.ones(3), jnp.ones(3))

# --- an argument by name, donated by its number
def main():
    state = jnp.ones(3)
    new = update(batch=jnp.ones(2), state=state)
    return new @ state  # JAX508

# --- a method of the array
def main():
    state = jnp.ones(3)
    update(state, jnp.ones(2))
    return state.sum()  # JAX508

# --- an update of the array
def main():
    state = jnp.ones(3)
    update(state, jnp.ones(2))
    return state.at[0].set(1.0)  # JAX508

# --- an item of the array
def main():
    state = jnp.ones(3)
    update(state, jnp.ones(2))
    return state[0]  # JAX508

# --- a gradient of it
def main():
    state = jnp.ones(3)
    update(state, jnp.ones(2))
    return jax.grad(lambda x: x.sum())(state)  # JAX508

# --- a helper that donates what it is given
def step(state):
    return update(state, jnp.ones(2))

def main():
    state = jnp.ones(3)
    return step(state) + state  # JAX508

# --- a helper that donates a copy
def step(state):
    return update(state.copy(), jnp.ones(2))

def main():
    state = jnp.ones(3)
    return step(state) + state

# --- copies of all kinds
def main():
    state = jnp.ones(3)
    kept = [jnp.copy(state), jnp.array(state), state.copy(), copy.deepcopy(state), state + 0, np.array(state)]
    tree = jax.tree.map(jnp.copy, {"state": state})
    deep = copy.deepcopy({"state": state})
    new = update(state, jnp.ones(2))
    return new, kept[0] + kept[1] + kept[2] + kept[3] + kept[4] + kept[5], tree["state"] + deep["state"]

# --- a tree of which the one leaf is bound anew
def main():
    step = jax.jit(lambda params: {"w": params["w"] + 1}, donate_argnums=0)
    params = {"w": jnp.ones(3)}
    new = step(params)
    params["w"] = new["w"]
    return params["w"] + 1

# --- donated on a path that ends
def main(is_last=True):
    state = jnp.ones(3)
    if is_last:
        return update(state, jnp.ones(2))
    return state + 1

# --- donated and read under conditions that exclude each other
def main(is_last=np.random.rand() < 0.5):
    state = jnp.ones(3)
    if is_last:
        new = update(state, jnp.ones(2))
    if not is_last:
        new = state + 1
    return new

# --- an array of NumPy
def main():
    state = np.ones(3)
    return update(state, np.ones(2)) + state

# --- a number
def main():
    state = 2.0
    return update(state, np.ones(2)) + state

# --- options that are not known
def main(donate=()):
    step = jax.jit(lambda x: x + 1, donate_argnums=donate)
    state = jnp.ones(3)
    return step(state) + state

# --- without compilation nothing is donated
def main():
    state = jnp.ones(3)
    with jax.disable_jit():
        update(state, jnp.ones(2))
    return state + 1

# --- reading is expected to fail
def main():
    state = jnp.ones(3)
    update(state, jnp.ones(2))
    try:
        return state + 1
    except (RuntimeError, ValueError):
        return None

# --- a function that is only defined before, and called before
state = jnp.ones(3)

def show():
    print(state.sum())

def main():
    pass

show()
new = update(state, jnp.ones(2))

# --- a smaller result, and an argument that is not donated
def main():
    shorter = jax.jit(lambda x: x[1:], donate_argnums=0)
    x = jnp.ones(3)
    batch = jnp.ones(3)
    return shorter(x) + x[1:] + update(x, batch)[:2] + batch[:2]

# --- donated trees whose leaves are read by what is mapped over them
import optax

def made():
    @functools.partial(jax.jit, donate_argnums=0)
    def step(params, x):
        return jax.tree.map(lambda p: p + x, params)
    return step

def change(params, x):
    step = made()
    new = step(params, x)
    return jax.tree.map(jnp.subtract, new, params)  # JAX508

def moved(params, x):
    new = made()(params, x)
    return jax.tree.map(lambda a, b: a - b, new, params)  # JAX508

def norm(params, x):
    new = made()(params, x)
    return optax.global_norm(new), optax.global_norm(params)  # JAX508

def shapes(params, x):
    new = made()(params, x)
    return jax.tree.map(lambda a, b: a.reshape(b.shape), new, params)

def main():
    params = [{"w": jnp.ones(3)} for _ in range(4)]
    return shapes(params[0], 1.0), norm(params[1], 1.0), change(params[2], 1.0), moved(params[3], 1.0)

# --- the call that takes an array is given it a second time
@functools.partial(jax.jit, donate_argnums=0)
def towards(params, target):
    return params - 0.1 * (params - target)

def main():
    params = target = jnp.ones(3)
    for _ in range(2):
        params = towards(params, target)  # JAX508
    return params

# --- the call is given a copy
@functools.partial(jax.jit, donate_argnums=0)
def towards(params, target):
    return params - 0.1 * (params - target)

def main():
    params = jnp.ones(3)
    target = jnp.copy(params)
    for _ in range(2):
        params = towards(params, target)
        target = jnp.copy(params)
    return params

# --- one array in two places of a record that is taken for good
from typing import NamedTuple

class Cache(NamedTuple):
    k: jax.Array
    v: jax.Array

def make_cache():
    zeros = jnp.zeros((4, 8))
    return Cache(zeros, zeros)

@functools.partial(jax.jit, donate_argnames="cache")
def extend(cache, x):
    return Cache(cache.k + x, cache.v - x)

def main():
    return extend(make_cache(), 1.0)  # JAX508

# --- two arrays that are alike, and one in two places of a record that is only read
from typing import NamedTuple

class Cache(NamedTuple):
    k: jax.Array
    v: jax.Array

def zeros():
    return jnp.zeros((4, 8))

def make_cache():
    return Cache(zeros(), zeros())

@functools.partial(jax.jit, donate_argnames="cache")
def extend(cache, other):
    return Cache(cache.k + other.k, cache.v - other.v)

def main():
    both = zeros()
    twice = [jnp.zeros(3) for _ in range(2)]
    step = jax.jit(lambda arrays: [x + 1 for x in arrays], donate_argnums=0)
    return extend(make_cache(), Cache(both, both)), step(twice), step([both, both.copy()])

# --- one array in two places of a pair that no result is as large as
@functools.partial(jax.jit, donate_argnums=1)
def compare(params, pair):
    first, second = pair
    return jnp.square(first - second).mean(), jax.tree.map(jnp.sum, params)

def main(params=None):
    forward = jax.jit(lambda x: x @ jnp.ones((3, 2)))
    y = forward(jnp.ones((4, 3)))
    return compare(params, (y, y))

# --- a method of an array of which nobody knows more
def swapped(state, batch):
    new = update(state, batch)
    print(state.sum())  # JAX508
    return new

def main():
    return swapped(jnp.ones(3), jnp.ones(2))

# --- what can still be asked of what nobody knows more of: a shape, a method of a tree of the program, a copy of a dict
class Weights:
    def __init__(self, rows):
        self.rows, self.name = rows, "weights"

    def describe(self):
        return self.name

jax.tree_util.register_pytree_node(Weights, lambda w: ((w.rows,), w.name), lambda _, rows: Weights(*rows))

@functools.partial(jax.jit, donate_argnums=0)
def halve(tree):
    return jax.tree.map(lambda x: x / 2, tree)

def described(weights, tree, state, batch):
    new = halve(weights), halve(tree), update(state, batch)
    print(weights.describe(), len(tree.copy()), state.shape)
    return new

def main():
    return described(Weights(jnp.ones(2)), {"w": jnp.ones(2)}, jnp.ones(3), jnp.ones(2))

# --- functions of the program that ask for its form, or have read it before, or get what has taken its place
def squared(params):
    return jnp.sum(params**2)

def likeness(params):
    return jnp.zeros(params.shape, params.dtype)

def main():
    params = jnp.ones(3)
    before = squared(params)
    new = update(params, jnp.ones(2))
    form = likeness(params)
    params = new
    return before + squared(params) + form.sum()

# --- another shape of what was donated
def flat(state, batch):
    new = update(state, batch)
    print(state.reshape(-1).sum())  # JAX508
    return new

def main():
    return flat(jnp.ones(3), jnp.ones(2))

# --- another dtype of what was donated, which may be the same array
def as_floats(state: jax.Array, batch):
    new = update(state, batch)
    before = state.astype(jnp.float32)
    return new, before + 1  # JAX508

def main():
    return as_floats(jnp.ones(3), jnp.ones(2))

# --- another shape by a function
def flat(state, batch):
    new = update(state, batch)
    return new, jnp.reshape(state, (3, 1))  # JAX508

def main():
    return flat(jnp.ones(3), jnp.ones(2))

# --- another shape of a copy, and another dtype of which nobody wants more than the shape
def described(state, batch):
    kept = state.copy()
    new = update(state, batch)
    print(kept.reshape(-1).sum(), state.astype(jnp.float32).shape)
    return new, kept

def main():
    return described(jnp.ones(3), jnp.ones(2))

# --- the pass that donates is the last one
over = jax.jit(lambda u: u / 2, donate_argnums=0)
fresh = jax.jit(lambda u: u / 2)

def picture(pair, keep):
    previous, current = pair
    if not keep:
        return over(current), None
    return fresh(current), (previous, current)

def main(count=3):
    pair = jnp.ones(3), jnp.zeros(3)
    while pair is not None:
        count -= 1
        frame, pair = picture(pair, keep=count > 0)
    return frame

# --- the same, but for the pair that goes on
over = jax.jit(lambda u: u / 2, donate_argnums=0)

def picture(pair, keep):
    previous, current = pair
    if not keep:
        return over(current), pair  # JAX508
    return current / 2, pair

def main(count=3):
    pair = jnp.ones(3), jnp.zeros(3)
    for _ in range(count):
        frame, pair = picture(pair, keep=False)
    return frame

# --- in the last pass
over = jax.jit(lambda u, rate: rate * u, donate_argnums=0)
fresh = jax.jit(lambda u, rate: rate * u)

def main(rates=(0.5, 1.0, 2.0)):
    u, v = jnp.ones(3), jnp.ones(3)
    grids = []
    for i, rate in enumerate(rates):
        step = over if i == len(rates) - 1 else fresh
        grids.append(step(u, rate))
    for i in range(len(rates)):
        keep = i < len(rates) - 1
        if keep:
            grids.append(fresh(v, rates[i]))
        else:
            grids.append(over(v, rates[i]))
    return grids

# --- in the last pass, by a function that is told
over = jax.jit(lambda u, rate: rate * u, donate_argnums=0)
fresh = jax.jit(lambda u, rate: rate * u)

def advance(u, rate, keep):
    if keep:
        return fresh(u, rate)
    return over(u, rate)

def main(rates=(0.5, 1.0, 2.0)):
    u = jnp.ones(3)
    grids = []
    for i, rate in enumerate(rates):
        last = i == len(rates) - 1
        grids.append(advance(u, rate, not last))
    return grids

# --- in the first pass
over = jax.jit(lambda u, rate: rate * u, donate_argnums=0)
fresh = jax.jit(lambda u, rate: rate * u)

def main(rates=(0.5, 1.0, 2.0)):
    u = jnp.ones(3)
    grids = []
    for i, rate in enumerate(rates):
        if i == 0:
            grids.append(over(u, rate))
        else:
            grids.append(fresh(u, rate))  # JAX508
    return grids
