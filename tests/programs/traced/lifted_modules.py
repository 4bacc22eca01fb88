# Modules whose calls flax lifts, and what their fields are then.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- module lifted twice
import flax.linen as nn

class Layer(nn.Module):
    size: int | None = None

    @nn.compact
    def __call__(self, x, train):
        if train:  # JAX201
            x = nn.Dense(self.size or 3)(x)
        return x

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.remat(Layer, static_argnums=(2,))
        return nn.jit(layer)(size=3)(x, True)

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]

# --- argument that a lifted scan goes through
import flax.linen as nn

class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, keep, train):
        if train:
            x = nn.Dense(3)(x)
        if keep.any():  # JAX201
            x = x + 1
        return x, None

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x, keep):
        split = {"params": True}
        axes = (0, nn.broadcast)
        layers = nn.scan(Layer, variable_axes={"params": 0}, split_rngs=split, in_axes=axes, length=2)
        return layers()(x, keep, True)[0]

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)), jnp.ones(2))[0]

# --- lifted module
import flax.linen as nn

class Layer(nn.Module):
    size: int

    @nn.compact
    def __call__(self, x):
        if x.sum() > 0:  # JAX201
            return x
        return nn.Dense(self.size)(x)

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.vmap(Layer, variable_axes={"params": 0}, split_rngs={"params": True})(2)(x)

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]

# --- fields of a module lifted twice
import flax.linen as nn

class Layer(nn.Module):
    size: int | None = None

    @nn.compact
    def __call__(self, x, train=True):
        size = self.size or 3
        if train:
            x = nn.Dense(x.shape[-1])(nn.Dense(size)(x))
        return x, None

class Other(Layer):
    deep: bool = False

class Layers(nn.Module):
    size: int
    scan: bool
    deep: bool

    @nn.compact
    def __call__(self, x):
        block = nn.remat(Layer, static_argnums=(2,))
        split = {"params": True}
        if self.scan:
            layers = nn.scan(block, variable_axes={"params": 0}, split_rngs=split, in_axes=nn.broadcast, length=2)
            return layers(size=self.size)(x, True)[0]
        x = partial(nn.jit(block, static_argnums=(2,)), size=self.size)()(x, False)[0]
        rows = nn.vmap(block, in_axes=(0, None), variable_axes={"params": 0}, split_rngs=split)
        x = nn.remat(Other if self.deep else Layer, static_argnums=(2,))(size=self.size)(x, True)[0]
        return rows(size=self.size)(x, True)[0]

def main():
    for scan in (True, False):
        Layers(4, scan, scan).init_with_output(jax.random.key(0), jnp.ones((4, 3)))

# --- fields of a lifted module
import flax.linen as nn

class Layer(nn.Module):
    size: int
    strict: bool = True

    def __post_init__(self):
        if self.strict and self.size > 3:
            raise ValueError
        super().__post_init__()

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.size)(x)

class Layers(nn.Module):
    strict: bool

    @nn.compact
    def __call__(self, x):
        many = nn.vmap(Layer, variable_axes={"params": 0}, split_rngs={"params": True})
        return many(2, strict=self.strict)(x)

def main():
    return Layers(True).init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]

# --- nnx.jit with options
from flax import nnx

@nnx.jit(static_argnums=0)
def scaled(n, x):
    if n > 2:
        x = -x
    if x > 0:  # JAX201
        return x * n
    return x

def main():
    return scaled(3, jnp.ones(()))

# --- number beside a module under nnx.jit
from flax import nnx

@nnx.jit
def repeated(model, n, x):
    for _ in range(n):  # JAX204
        x = model(x)
    return x

def main():
    return repeated(nnx.Linear(3, 3, rngs=nnx.Rngs(0)), 2, jnp.ones(3))

# --- item of a batch under nnx.remat
from flax import nnx

@nnx.remat
def masked(batch):
    if batch["mask"] > 0:  # JAX201
        return batch["x"]
    return -batch["x"]

def main():
    return masked({"mask": jnp.ones(()), "x": jnp.ones(3)})

# --- module, optimiser and metric under nnx.jit
import optax
from flax import nnx

class Net(nnx.Module):
    def __init__(self, rngs):
        self.layers = nnx.List([nnx.Linear(3, 3, rngs=rngs)])
        self.deep = True
        self.n = 3

@nnx.jit
def train(model, optimizer, metrics, x):
    def loss(model):
        y = x
        for layer in model.layers:
            y = layer(y)
        if model.deep and model.n > 2 and model.n != 5:
            y = -y
        return (y ** 2).mean()

    value, grads = nnx.value_and_grad(loss)(model)
    optimizer.update(model, grads)
    metrics.update(values=value)
    model.deep = False
    if not model or optimizer == model:
        return x
    return value

def main():
    model = Net(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    return train(model, optimizer, nnx.metrics.Average(), jnp.ones(3))

# --- module that is put together under jit
from flax import nnx

class Net(nnx.Module):
    def __init__(self, rngs):
        self.dense = nnx.Linear(3, 3, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)
        self.n = 3

    def __call__(self, x):
        if self.n > 2:
            x = -x
        print(x)  # JAX101
        return self.drop(self.dense(x))

def main():
    graph, params, rest = nnx.split(Net(nnx.Rngs(0)), nnx.Param, ...)

    @jax.jit
    def step(params, rest, x):
        net = nnx.merge(graph, params, rest)
        y = net(x)
        _, params, rest = nnx.split(net, nnx.Param, ...)
        return y, params, rest

    y, params, rest = step(params, rest, jnp.ones(3))
    return step(params, rest, y)

# --- module that equinox puts together
import equinox as eqx

class Net(eqx.Module):
    w: jax.Array
    deep: bool

    def __call__(self, x):
        if self.deep:
            x = -x
        if x > 0:  # JAX201
            return x
        return self.w * x

def main():
    params, static = eqx.partition(Net(jnp.ones(()), True), eqx.is_array)

    @jax.grad
    @jax.jit
    def slope(params, x):
        return eqx.combine(params, static)(x)

    return slope(params, 3.0)

# --- a number in a layer that equinox differentiates
import equinox as eqx

class Layer(eqx.Module):
    weight: jax.Array
    start: int
    width: int

    def __init__(self, width, key):
        self.weight = jax.random.normal(key, (3,))
        self.start, self.width = width - 1, 1

    def __call__(self, x):
        return (self.weight * x[: self.start + self.width]).sum() * x

class Model(eqx.Module):
    layers: list[Layer]

    def __init__(self, width, key):
        self.layers = [Layer(width, part) for part in jax.random.split(key)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

@eqx.filter_jit
def slope(model: eqx.Module, x):
    def loss(model: eqx.Module, x):
        return model(x).sum()

    return eqx.filter_value_and_grad(loss)(model, x)

def train(width):
    return slope(Model(width, jax.random.key(0)), jnp.ones(3))

def main():
    return train(3)

# --- an array of numbers in a layer that equinox differentiates
import equinox as eqx

class Layer(eqx.Module):
    weight: jax.Array
    width: jax.Array

    def __init__(self, width, key):
        self.weight = jax.random.normal(key, (3,))
        self.width = jnp.asarray(width)

    def __call__(self, x):
        return (self.weight * x[: self.width + 0]).sum() * x  # JAX224

@eqx.filter_jit
def slope(layer: eqx.Module, x):
    def loss(layer: eqx.Module, x):
        return layer(x).sum()

    return eqx.filter_value_and_grad(loss)(layer, x)

def train(width):
    return slope(Layer(width, jax.random.key(0)), jnp.ones(3))

def main():
    return train(3)

# --- an item of the dict that nnx.jit has made for the trace
from flax import nnx

class Net(nnx.Module):
    def __init__(self):
        self.scale = nnx.Param(jnp.ones(()))

def loss_of(net, batch):
    batch["x"] = batch["x"] / 255.0
    return (net.scale[...] * batch["x"]).mean()

@nnx.jit
def slope(net, batch):
    return nnx.grad(lambda net: loss_of(net, batch))(net)

def main():
    return slope(Net(), {"x": jnp.ones(3)})

# --- an item of a dict that is older than the trace of nnx.jit
from flax import nnx

class Net(nnx.Module):
    def __init__(self):
        self.scale = nnx.Param(jnp.ones(()))

kept = {}

def loss_of(net, batch):
    kept["x"] = batch["x"] / 255.0  # JAX107
    return (net.scale[...] * kept["x"]).mean()

@nnx.jit
def slope(net, batch):
    return nnx.grad(lambda net: loss_of(net, batch))(net)

def main():
    return slope(Net(), {"x": jnp.ones(3)})

# --- what is put into the dict that nnx.jit has made is read where it is not
from flax import nnx

@nnx.jit
def total(batch):
    batch["x"] = batch["x"] / 255.0  # JAX106
    return batch["x"].sum()

def main():
    batch = {"x": jnp.ones(3)}
    return total(batch), batch["x"].max()

# --- items of dicts that equinox compiles for
import equinox as eqx

@eqx.filter_jit
def slope(scale, batch):
    def loss_of(scale):
        batch["x"] = scale * batch["x"]
        return batch["x"].sum()
    return jax.grad(loss_of)(scale) if batch["square"] else scale

def main():
    batch = {"x": jnp.ones(3), "square": False}
    return slope(1.0, batch)

# --- an array in a dict that equinox compiles for
import equinox as eqx

@eqx.filter_jit
def f(batch):
    return batch["x"] if batch["low"] > 0 else -batch["x"]  # JAX201

def main():
    return f({"x": jnp.ones(3), "low": np.zeros(())})

# --- parameters that an unrolled layer of haiku has made before the loop
import haiku as hk

def sample(xs):
    core = hk.DeepRNN([hk.LSTM(3)])

    def body(i, v):
        return core(v[0], v[1])

    out, state = hk.dynamic_unroll(core, xs, core.initial_state(None))
    return jax.lax.fori_loop(0, 3, body, (out[-1], state))

def main():
    return hk.transform(sample).init(jax.random.key(0), jnp.ones((4, 3)))

# --- parameters that a layer of haiku makes in the loop
import haiku as hk

def sample(xs):
    core = hk.DeepRNN([hk.LSTM(3)])

    def body(i, v):
        return core(v[0], v[1])  # JAX114

    return jax.lax.fori_loop(0, 3, body, (xs[0], core.initial_state(None)))

def main():
    return hk.transform(sample).init(jax.random.key(0), jnp.ones((4, 3)))

# --- a variable of a module that JAX's own jit is given
from flax import nnx

class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros((), jnp.int32))
        self.total = nnx.Variable(jnp.zeros(()))

    def tick(self, x):
        self.count[...] += 1  # JAX106
        return x * self.count[...]

@jax.jit
def lost(counter, x):
    return counter.tick(x)

@jax.jit
def added(counter, x):
    counter.total[...] = counter.total[...] + x  # JAX106
    return x

def main():
    counter = Counter()
    return lost(counter, 1.0), added(counter, 2.0), counter.count[...], counter.total[...]

# --- a variable of a module that is handed back
from flax import nnx

class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros((), jnp.int32))

    def tick(self, x):
        self.count[...] += 1
        return x * self.count[...]

@jax.jit
def given_back(counter, x):
    y = counter.tick(x)
    return counter, y

@jax.jit
def taken_apart(counter, x):
    y = counter.tick(x)
    return nnx.state(counter), y

@nnx.jit
def carried_out(counter, x):
    return counter.tick(x)

def loss(counter, x):
    return counter.tick(x) * 1.0

@nnx.jit
def differentiated(counter, x):
    return nnx.value_and_grad(loss)(counter, x)[0]

@jax.jit
def made(x):
    counter = Counter()
    counter.count[...] += 2
    return counter.tick(x)

def main():
    counter = Counter()
    counter.count[...] = 3
    counter, y = given_back(counter, 1.0)
    state, z = taken_apart(counter, 1.0)
    nnx.update(counter, state)
    return y, z, carried_out(counter, 2.0), made(1.0), differentiated(counter, 1.0)

# --- a variable that is older than the trace is set by its items
from flax import errors, nnx

count = nnx.Variable(jnp.zeros(()))

@jax.jit
def f(x):
    count[...] = x  # JAX107
    return x

def main():
    try:
        return f(1.0)
    except errors.TraceContextError as refused:
        return refused

# --- variables that are references
from flax import nnx

class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros((), jnp.int32), hijax=True)

    def tick(self, x):
        self.count[...] += 1
        return x * self.count[...]

@jax.jit
def f(counter, x):
    return counter.tick(x)

def main():
    counter = Counter()
    counter.tick(1.0)  # which option lets a trace set it, releases of flax do not agree on
    return counter.count[...]

# --- a number that callers leave to its default
from flax import nnx

@nnx.jit
def sample(logits, top_k: int = 10):
    return jax.lax.top_k(logits, k=top_k)[1]

@nnx.jit
def step(logits):
    return sample(logits)

def main():
    return step(jnp.arange(20.0))

# --- a number that a caller passes
from flax import nnx

@nnx.jit
def sample(logits, top_k: int = 10):
    return jax.lax.top_k(logits, k=top_k)[1]  # JAX223

def main():
    return sample(jnp.arange(20.0), top_k=3)

# --- a step of a lifted scan gets one of the numbers that it goes through
import flax.linen as nn
from flax import nnx

def choose(index, x):
    return jax.lax.switch(index, [jnp.sin, jnp.cos], x)

class Step(nn.Module):
    @partial(jax.profiler.annotate_function, name="step")
    @nn.compact
    def __call__(self, carry, index):
        return choose(index, carry), index

class Steps(nn.Module):
    def setup(self):
        self.scanned = nn.scan(Step, in_axes=0, length=2)

    @nn.compact
    def __call__(self, x):
        x, _ = self.scanned()(x, jnp.arange(2))
        return nn.scan(lambda module, carry, index: (choose(index, carry), None), in_axes=0)(self, x, jnp.arange(2))

@nnx.scan
def steps(carry, index):
    return choose(index, carry), None

@nnx.scan(in_axes=(0, nnx.Carry), out_axes=(nnx.Carry, 0))
def turned(index, carry):
    return choose(index, carry), index

def main():
    x = jnp.ones(3)
    return Steps().apply({}, x), steps(x, jnp.arange(2)), turned(jnp.arange(2), x)

# --- a step of a lifted scan gets all of the numbers
import flax.linen as nn

class Steps(nn.Module):
    @nn.compact
    def __call__(self, x):
        def step(module, carry, index):
            return jax.lax.switch(index, [jnp.sin, jnp.cos], carry), None  # JAX705

        return nn.scan(step, in_axes=nn.broadcast, length=2)(self, x, jnp.arange(2))

def main():
    return Steps().apply({}, jnp.ones(3))

# --- a step of a lifted scan gets a row of the numbers
import flax.linen as nn

class Steps(nn.Module):
    @nn.compact
    def __call__(self, x):
        def step(module, carry, index):
            return jax.lax.switch(index, [jnp.sin, jnp.cos], carry), None  # JAX705

        return nn.scan(step, in_axes=0)(self, x, jnp.zeros((2, 2), int))

def main():
    return Steps().apply({}, jnp.ones(3))

# --- what all steps of a lifted scan give has another axis
import flax.linen as nn

class Steps(nn.Module):
    @nn.compact
    def __call__(self, x):
        scanned = nn.scan(lambda module, carry, row: (carry + row, jnp.ones(1)), in_axes=0)
        x, rows = scanned(self, x, jnp.ones((4, 3)))
        return x, rows[3, 0]

def main():
    return Steps().apply({}, jnp.ones(3))

# --- steps that make no parameters
import flax.linen as nn

def shifted(x):
    return jnp.tanh(x).sum()

class Net(nn.Module):
    @nn.compact
    def __call__(self, xs):
        scale = self.param("scale", nn.initializers.normal(), (4,))

        def step(module, carry, x):
            carry = jax.lax.cond(x.sum() > 0, lambda y: y * 2, lambda y: y, carry)
            return carry * scale.mean() + x, shifted(x)

        return nn.scan(step, variable_axes={"params": 0}, split_rngs={"params": False})(self, jnp.zeros(3), xs)

def main():
    return Net().init(jax.random.key(0), jnp.ones((4, 3)))

# --- steps that make parameters in a helper, or by a layer of the module that they are handed
import flax.linen as nn

def helped(module, x):
    return x * module.param("scale", nn.initializers.normal(), (3,))

class Helped(nn.Module):
    @nn.compact
    def __call__(self, xs):
        def step(module, carry, x):
            return helped(module, carry), x

        return nn.scan(step, variable_axes={"params": 0}, split_rngs={"params": False})(self, xs[0], xs)  # JAX413

class Chosen(nn.Module):
    def setup(self):
        self.dense = nn.Dense(3)

    def __call__(self, xs):
        def step(module, carry, x):
            return [layer(carry) for layer in (module.dense,)][0], x

        return nn.scan(step, variable_axes={"params": 0}, split_rngs={"params": False})(self, xs[0], xs)  # JAX413

def main():
    key, xs = jax.random.key(0), jnp.ones((4, 3))
    return Helped().init(key, xs), Chosen().init(key, xs)

# --- a layer that a method compiles
import flax.linen as nn
import jax
import jax.numpy as jnp

class Compiled(nn.Module):
    @nn.compact
    def __call__(self, x):
        hidden = jax.jit(lambda h: nn.Dense(4)(h))(x)  # JAX114
        return nn.Dense(1)(jnp.tanh(hidden))

def main():
    variables = Compiled().init(jax.random.key(0), jnp.ones((3, 4)))
    try:
        Compiled().apply(variables, jnp.ones((3, 4)))
    except jax.errors.UnexpectedTracerError:
        return
    raise AssertionError

# --- what is compiled in a method and has no parameters, and a model that is compiled as a whole
import flax.linen as nn
import jax
import jax.numpy as jnp

class Lifted(nn.Module):
    @nn.compact
    def __call__(self, x):
        double = jax.jit(lambda y: y * 2)
        return nn.Dense(1)(double(nn.jit(nn.Dense)(4)(x)))

class Inner(nn.Module):
    def setup(self):
        self.dense = nn.Dense(4)

    def __call__(self, x):
        return self.dense(x)

class Outer(nn.Module):
    @nn.compact
    def __call__(self, x):
        inner = Inner()
        return jax.jit(inner.apply)(inner.init(jax.random.key(0), x), x)

def main():
    x = jnp.ones((3, 4))
    variables = jax.jit(Lifted().init)(jax.random.key(0), x)
    jax.jit(Lifted().apply)(variables, x)
    return Outer().apply({}, x)
