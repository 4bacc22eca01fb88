# What JAX's checker does not see: `main` returns pairs, equal ones where a line is marked.

import jax
import jax.numpy as jnp

# --- folds from the last child on
def main(key):
    a, b, c = jax.random.split(key, 3)
    return [(c, jax.random.fold_in(key, i)) for i in range(2, 3)]  # JAX404

# --- folds moved not far enough
def main(key):
    a, b, c = jax.random.split(key, 3)
    return [(c, jax.random.fold_in(key, i + 2)) for i in range(1)]  # JAX404

# --- folds of a number s hash
def main(key):
    a, b = jax.random.split(key)
    return [(b, jax.random.fold_in(key, hash(i))) for i in range(1, 2)]  # JAX404

# --- folds moved down
def main(key):
    a, b = jax.random.split(key)
    return [(b, jax.random.fold_in(key, i + -1)) for i in range(2, 3)]  # JAX404

# --- folds that count down
def main(key):
    a, b = jax.random.split(key)
    return [(b, jax.random.fold_in(key, i)) for i in range(1, 0, -1)]  # JAX404

# --- the collection that a module asks for
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) + jax.random.normal(self.make_rng("noise"))

def predict(net: nn.Module, params, key, x):
    first = net.apply(params, x, rngs={"noise": key})
    return first, net.apply(params, x, rngs={"noise": key})  # JAX402

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    return [predict(Net(), Net().init(init, x), key, x)]

# --- a pass of a flax module in a function that is called twice, and in each pass of a loop
import flax.linen as nn

def forward(key):
    return nn.Dropout(0.5, deterministic=False).apply({}, jnp.ones(20), rngs={"dropout": key})

def main(key):
    first, second = jax.random.split(key)
    pair = forward(first), forward(first)  # JAX402
    return [pair, [forward(second) for _ in range(2)]]  # JAX402

# --- params stands in for what is not given
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) + jax.random.normal(self.make_rng("noise"))

def predict(net: nn.Module, params, key, x):
    first = net.apply(params, x, rngs={"params": key})
    return first, net.apply(params, x, rngs={"params": key})  # JAX402

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    return [predict(Net(), Net().init(init, x), key, x)]

# --- in one pass of traced branches
def make(noise, wanted):
    def run(x, i, key):
        return jax.lax.cond((x > -100.0) & (i == wanted), lambda x: x + noise(key), lambda x: x, x)

    return run

def main(key, count=4):
    first, second = make(jax.random.normal, 0), make(jax.random.uniform, 3)
    a, b = jax.random.split(key)
    xs = [jnp.zeros(())]
    for i in range(count):
        xs.append(second(first(xs[-1], i, a), i, b))
    return [(xs[1], xs[4])]

# --- in one pass of a condition that has a name
def make(noise, wanted):
    def run(x, i, key):
        now = (x > -100.0) & (i == wanted)
        return jax.lax.cond(now, lambda x: x + noise(key), lambda x: x, x)

    return run

def main(key, count=4):
    first, second = make(jax.random.normal, 0), make(jax.random.uniform, 3)
    a, b = jax.random.split(key)
    xs = [jnp.zeros(())]
    for i in range(count):
        xs.append(second(first(xs[-1], i, a), i, b))
    return [(xs[1], xs[4])]

# --- in one pass of a name for another condition
def run(x, i, key):
    now = i == 3
    now = i >= 0
    return jax.lax.cond(now, lambda x: jax.random.normal(key), lambda x: x, x)

def main(key, count=4):
    xs = [jnp.zeros(())]
    for i in range(count):
        xs.append(run(xs[-1], i, key))  # JAX403
    return [(xs[1], xs[4])]

# --- in one pass of a scan
def main(key):
    def step(total, i):
        return jax.lax.cond(i == 2, lambda x: x + jax.random.normal(key), lambda x: x, total), total

    totals = jax.lax.scan(step, jnp.zeros(()), jnp.arange(4))[1]
    return [(totals[0], totals[3])]

# --- in each pass of a scan
def main(key):
    def step(total, i):
        return total, jax.lax.cond(i < 3, lambda x: x + jax.random.normal(key), lambda x: x, total)  # JAX403

    noise = jax.lax.scan(step, jnp.zeros(()), jnp.arange(3))[1]
    return [(noise[0], noise[1])]

# --- same fold twice
def main(key):
    a = jax.random.normal(jax.random.fold_in(key, 3))
    b = jax.random.normal(jax.random.fold_in(key, 3))  # JAX401
    return [(a, b)]

# --- same fold twice in a helper
def at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))

def main(key, step=3):
    return [(at(key, step), at(key, step))]  # JAX401

# --- same fold twice in a jitted helper
@jax.jit
def jitter(i, x, key):
    return x + jax.random.normal(jax.random.fold_in(key, i), x.shape)

def main(key):
    return [(jitter(0, jnp.ones(3), key), jitter(0, jnp.ones(3), key))]  # JAX401

# --- split and fold
def main(key):
    first, second = jax.random.split(key)
    return [(second, jax.random.fold_in(key, 1))]  # JAX404

# --- legacy key
def main(key):
    key = jax.random.PRNGKey(0)
    a = jax.random.normal(key)
    return [(a, jax.random.normal(key))]  # JAX401

# --- legacy split twice
def main(key):
    key = jax.random.PRNGKey(0)
    a, b = jax.random.split(key)
    c, d = jax.random.split(key)  # JAX401
    return [(a, c), (b, d)]

# --- fold far from children
def main(key):
    first, second = jax.random.split(key)
    far = jax.random.fold_in(key, 100)
    return [(first, far), (second, far)]

# --- fold into a child
def main(key):
    first, parent = jax.random.split(key)
    return [(first, jax.random.fold_in(parent, 0)), (parent, jax.random.fold_in(parent, 1))]

# --- not keys
import random

import numpy as np

def main(key):
    rng = np.random.default_rng(0)
    state = random.Random(0)
    items = [1, 2, 3, 4]
    alpha = 0.3
    pairs = [(rng.normal(), rng.normal()), (np.random.beta(alpha, alpha), np.random.beta(alpha, alpha))]
    picked = random.choice(items), random.choice(items)
    return [*pairs, (state.random(), state.random())] if picked else []

# --- shapes only
def main(key, callee):
    def first_step(key):
        params = callee.init(key)
        return callee.step(params, key) + jax.random.normal(key)

    shape = jax.eval_shape(first_step, key).shape
    a, b = jax.random.split(key)
    return [(jax.random.normal(a, shape), jax.random.normal(b, shape))]

# --- streams
import flax.nnx as nnx
import haiku as hk

def main(key):
    rngs = nnx.Rngs(0)
    sequence = hk.PRNGSequence(0)
    a = jax.random.normal(rngs.dropout()), jax.random.normal(rngs.dropout())
    return [a, (jax.random.normal(next(sequence)), jax.random.normal(next(sequence)))]

# --- streams that draw
import flax.nnx as nnx

def main(key):
    rngs = nnx.Rngs(0)
    x, y = rngs.normal((3,)), rngs.uniform((3,))
    return [(x, 2 * (x - y) ** 2 + jnp.sort(x))]

# --- zip of functions and keys that are used again
def once(key):
    return jax.random.normal(key)

def main(key):
    keys = jax.random.split(key, 2)
    drawn = []
    for draw, sub in zip((once, jax.random.uniform), keys):
        drawn.append(draw(sub))
    return [(drawn[0], jax.random.normal(keys[0]))]  # JAX401

# --- a child that a helper splits off and one that its caller folds
def begin(key):
    first, second = jax.random.split(key)
    return second

def main(key):
    folded = jax.random.fold_in(key, 1)
    return [(folded, begin(key))]  # JAX404

# --- a child that a helper folds and one that its caller splits off
def at(key, number):
    return jax.random.fold_in(key, number)

def main(key):
    folded = at(key, 1)
    first, second = jax.random.split(key)  # JAX404
    return [(folded, second)]

# --- a child that a function in another folds in each lane
def main(key):
    def lane(x):
        return jax.random.fold_in(key, 1)

    folded = jax.vmap(lane)(jnp.ones(2))
    first, second = jax.random.split(key)  # JAX404
    return [(folded[0], second)]

# --- a child that is split off before a function in another folds it
def main(key):
    first, second = jax.random.split(key)

    def folded():
        return jax.random.fold_in(key, 1)  # JAX404

    return [(folded(), second)]

# --- a helper folds a number beyond the children that are split off
def at(key, number):
    return jax.random.fold_in(key, number)

def main(key):
    folded = at(key, 2)
    first, second = jax.random.split(key)
    return [(folded, second)]

# --- a helper folds a child and splits the rest off
def children(key):
    first, second = jax.random.split(key)
    return jax.random.fold_in(first, 1), second

def main(key):
    return [children(key)]

# --- one key for two streams of a flax module
import flax.linen as nn

class Fog(nn.Module):
    @nn.compact
    def __call__(self):
        w = self.param("w", nn.initializers.normal(1.0), (3,))
        return w, jax.random.normal(self.make_rng("noise"), (3,))

def main():
    key = jax.random.key(0)
    (w, noise), _ = Fog().init_with_output({"params": key, "noise": key})  # JAX401
    return [(w, noise)]

# --- one key for two streams of a flax module that is applied
import flax.linen as nn

class Fog(nn.Module):
    def __call__(self):
        return jax.random.normal(self.make_rng("noise"), (3,)), jax.random.normal(self.make_rng("rain"), (3,))

def main():
    key = jax.random.key(0)
    return [Fog().apply({}, rngs={"rain": key, "noise": key})]  # JAX401

# --- a key for each stream of a flax module, and one that only makes parameters
import flax.linen as nn

class Fog(nn.Module):
    @nn.compact
    def __call__(self):
        w = self.param("w", nn.initializers.normal(1.0), (3,))
        return w, jax.random.normal(self.make_rng("noise"), (3,)) + jax.random.normal(self.make_rng("rain"), (3,))

def main():
    key, other = jax.random.split(jax.random.key(0))
    variables = Fog().init({"params": key, "noise": key, "rain": key})
    return [Fog().apply(variables, rngs={"noise": other, "rain": jax.random.fold_in(other, 1)})]

# --- constant key behind a generator
def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

@jax.jit
def draw(scale):
    subs = stream(jax.random.key(7))  # JAX406
    return jax.random.normal(next(subs), (4,)) * scale

def main():
    return [(draw(1.0), draw(1.0))]

# --- constant key among the arguments of a call that uses another key again
@jax.jit
def draw(scale, key):
    def again(noise):
        return noise * scale, jax.random.split(key)

    (first, second), (noise, (once, twice)) = jax.random.split(key), again(  # JAX401
        jax.random.normal(jax.random.key(7), (4,))  # JAX406
    )
    return noise, second, twice

def main(key):
    one, other = jax.random.split(key)
    (noise, second, twice), (rain, _, _) = draw(1.0, one), draw(1.0, other)
    return [(noise, rain), (second, twice)]

# --- constant key in a state that a compiled function returns
@jax.jit
def reset(size, key):
    soil = jax.random.normal(key, (4,)) * size
    return soil, jax.random.key(7)  # JAX406

def main():
    keys = jax.random.split(jax.random.key(0))
    (_, one), (_, other) = reset(1.0, keys[0]), reset(1.0, keys[1])
    return [(jax.random.normal(one, (4,)), jax.random.normal(other, (4,)))]

# --- key that a compiled function splits and returns, and a constant one where none is given
@jax.jit
def reset(size, key):
    key, sub = jax.random.split(key)
    return jax.random.normal(sub, (4,)) * size, key

@jax.jit
def start(size):
    return jax.numpy.ones(4) * size, jax.random.key(7)

def main():
    keys = jax.random.split(jax.random.key(0))
    (_, one), (_, other) = reset(1.0, keys[0]), reset(1.0, keys[1])
    return [(jax.random.normal(one, (4,)), jax.random.normal(other, (4,))), (start(1.0)[0], one)]

# --- constant default key that goes through another compiled function, and a loop
@jax.jit
def inner(x, key):
    def body(x, key):
        return x + jax.random.normal(key), None

    return jax.lax.scan(body, x, jax.random.split(key, 3))[0]

@jax.jit
def outer(x, key=jax.random.key(0)):  # JAX406
    return inner(x, key)

def main():
    return [(outer(1.0), outer(2.0) - 1.0)]  # JAX401

# --- constant key in the state of an example that draws nothing
@jax.jit
def reset(key):
    del key
    return jax.numpy.zeros(4), jax.random.key(7)

def main():
    keys = jax.random.split(jax.random.key(0))
    return [(reset(keys[0])[1], keys[1])]

# --- one draw for each in an order that is drawn
def brightness(x, key, most):
    return x + jax.random.uniform(key, (), maxval=most)

def contrast(x, key, most):
    return x * jax.random.uniform(key, (), maxval=most)

def main(key, most=0.3, shuffle=True):
    order_key, brightness_key, contrast_key = jax.random.split(key, 3)

    def at(change, place):
        def changed(x, key, i):
            return jax.lax.cond(i == place, lambda x: change(x, key, most), lambda x: x, x)

        return changed

    brighter, sharper = at(brightness, 0), at(contrast, 1)

    def jitter(x):
        order = jax.random.permutation(order_key, 2) if shuffle else range(2)
        passes = []
        for i in order:
            before = x
            if most > 0:
                x = brighter(x, brightness_key, i)
            x = sharper(x, contrast_key, i)
            passes.append(x - before)
        return passes

    return [jitter(jnp.ones(3))]

# --- a draw in each pass but one of an order that is drawn
def main(key, n=3):
    order_key, noise_key = jax.random.split(key)

    def changed(x, key, i):
        return jax.lax.cond(i != 0, lambda x: x + jax.random.uniform(key), lambda x: x, x)

    def jitter(x):
        order = jax.random.permutation(order_key, n)
        return [changed(x, noise_key, i) for i in order if i > 0]  # JAX403

    return [jitter(jnp.ones(3))]

# --- dropout that is on in two passes of three
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dropout(0.5, deterministic=not train)(x)

def main(key):
    x = jnp.ones((8, 2))
    first = Net().apply({}, x, train=True, rngs={"dropout": key})
    second = Net().apply({}, x, train=True, rngs={"dropout": key})  # JAX402
    third = Net().apply({}, x, train=False, rngs={"dropout": key})
    return [(first, second), (third, x)]

# --- nnx stream that plain jit gets a copy of
from flax import nnx

def noise(rngs, shape):
    return jax.random.normal(rngs(), shape)  # JAX413

@jax.jit
def add_noise(x, rngs):
    return x + noise(rngs, x.shape)

def main(key):
    rngs = nnx.Rngs(0)
    return [(add_noise(jnp.zeros(3), rngs), add_noise(jnp.zeros(3), rngs))]

# --- nnx stream in a module that plain jit gets a copy of
from flax import nnx

class Noisy(nnx.Module):
    def __init__(self, rngs):
        self.rngs = rngs

    def __call__(self, x):
        return x + jax.random.normal(self.rngs.noise(), x.shape)  # JAX413

@jax.jit
def apply(model, x):
    return model(x)

def main(key):
    model, out = Noisy(nnx.Rngs(0)), []
    for _ in range(2):
        out.append(apply(model, jnp.zeros(3)))
    return [(out[0], out[1])]

# --- nnx streams that are carried out, made anew or used once
from flax import nnx

class Noisy(nnx.Module):
    def __init__(self, rngs):
        self.rngs = rngs

    def __call__(self, x):
        return x + jax.random.normal(self.rngs.noise(), x.shape)

@nnx.jit
def carried(model, x):
    return model(x)

@jax.jit
def returned(model, x):
    return model(x), model

@jax.jit
def state_returned(model, x):
    return model(x), nnx.state(model)

@jax.jit
def anew(x, rngs):
    return x + jax.random.normal(rngs(), x.shape)

@jax.jit
def many(x, key):
    rngs = nnx.Rngs(key)
    return [x + jax.random.normal(rngs(), x.shape) for _ in range(2)]

def main(key):
    model, x = Noisy(nnx.Rngs(0)), jnp.zeros(3)
    first, second = carried(model, x), carried(model, x)
    third, model = returned(model, x)
    fourth, state = state_returned(model, x)
    nnx.update(model, state)
    fifth = returned(model, x)[0]
    draws = [anew(x, nnx.Rngs(seed)) for seed in range(2)]
    return [(first, second), (third, second), (third, fourth), (fourth, fifth), tuple(draws), tuple(many(x, key))]

# --- a branch that differentiates draws from a key that its function is given
def step(x, key, n):
    def update(x):
        return x - jax.grad(lambda x, key: x * jax.random.normal(key))(x, key)

    return jax.lax.cond(n > 0, update, lambda x: x, x)

def main():
    return [(step(1.0, jax.random.key(0), 1), step(1.0, jax.random.key(1), 1))]

# --- what is compiled differentiates with a key that is the same in each call
key = jax.random.key(0)

@jax.jit
def step(x):
    return x - jax.grad(lambda x, key: x * jax.random.normal(key))(x, key)  # JAX406

def main():
    return [(step(1.0), step(1.0))]  # JAX401
