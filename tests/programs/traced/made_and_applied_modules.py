# Modules of equinox that check themselves, modules of flax that are applied, under a trace.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- checks of made equinox modules
import equinox as eqx

class Lens(eqx.Module):
    focal: jax.Array

    def __check_init__(self):
        if self.focal <= 0:  # JAX201
            raise ValueError("focal length")

class Zoom(Lens):
    far: float

    def __init__(self, focal):
        self.focal, self.far = focal, 2.0

    def __check_init__(self):
        if self.far < 1:
            raise ValueError("far")

@jax.jit
def magnify(focal, d):
    return d / Zoom(focal).focal

def main():
    return magnify(1.0, 2.0)

# --- checks that ask for no value
import equinox as eqx

class Lens(eqx.Module):
    focal: jax.Array
    width: int = eqx.field(static=True)

    def __check_init__(self):
        if self.focal.ndim or self.width < 0:
            raise ValueError("focal length")

class Plain:
    def __init__(self, x):
        self.x = x

    def __check_init__(self):
        if self.x > 0:
            raise ValueError("nobody calls this")

@jax.jit
def magnify(focal, d):
    return d / Lens(focal, 3).focal * Plain(d).x

def main():
    return magnify(1.0, 2.0)

# --- module applied under jit
import flax.linen as nn

class Gauge(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        h = nn.Dense(self.width)(x)
        if h.sum() > 0:  # JAX201
            h = -h
        return h

gauge = Gauge(3)

@jax.jit
def read(params, x):
    return gauge.apply(params, x)

def main():
    return read(gauge.init(jax.random.key(0), jnp.ones(3)), jnp.ones(3))

# --- applied module that asks for no value
import flax.linen as nn

class Gauge(nn.Module):
    width: int
    deep: bool = False
    kind: str = "sum"

    @nn.compact
    def __call__(self, x, train: bool = False, key=None):
        if self.deep and self.width > 2:
            x = nn.Dense(self.width)(x)
        if train:
            x = nn.Dropout(0.5)(x, deterministic=False)
        if key is not None:
            x = x + jax.random.normal(key, x.shape)
        for size in (2, 3):
            if x.ndim > 1 or size > self.width:
                x = nn.Dense(size)(x)
        if self.is_initializing():
            x = x + 0
        return getattr(jnp, self.kind)(x)

    def count(self):
        return self.width

gauge = Gauge(3, deep=True)

@jax.jit
def read(params, x, key):
    noise, drop, other = jax.random.split(key, 3)
    if gauge.apply(params, method="count") > 2:
        x = x + gauge.apply(params, x, True, noise, rngs={"dropout": drop})
    rows, _ = jax.lax.scan(lambda total, row: (total + gauge.apply(params, row), None), 0.0, jnp.ones((2, 3)))
    return x + rows + gauge.apply(params, x, key=other)

def main():
    params = gauge.init(jax.random.key(0), jnp.ones(3))
    return read(params, jnp.ones(3), jax.random.key(1))

# --- module method applied under jit
import flax.linen as nn

class Gauge(nn.Module):
    width: int

    def setup(self):
        self.inner = nn.Dense(self.width)

    def __call__(self, x):
        return self.inner(x)

    def scaled(self, x, rate):
        if rate > 1:  # JAX201
            x = x * rate
        return self.inner(x)

@jax.jit
def read(params, x, rate):
    return Gauge(3).apply(params, x, rate, method="scaled")

def main():
    return read(Gauge(3).init(jax.random.key(0), jnp.ones(3)), jnp.ones(3), 2.0)

# --- what a module applied under jit gives
import flax.linen as nn

class Gauge(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(3)(x)
        self.sow("intermediates", "h", h)
        return h

@jax.jit
def read(params, x):
    h, kept = Gauge().apply(params, x, mutable=["intermediates"])
    if kept and h.ndim:
        h = h * 2
    if h.sum() > 0:  # JAX201
        return -h
    return h

def main():
    return read(Gauge().init(jax.random.key(0), jnp.ones(3)), jnp.ones(3))

# --- the module of a flax TrainState runs under the trace of the step
import flax.linen as nn
import optax
from flax.training import train_state

class Net(nn.Module):
    guarded: bool = False

    @nn.compact
    def __call__(self, x):
        y = nn.Dense(3)(x)
        if self.guarded:
            y = y * 2.0
        if jnp.isnan(y).any():  # JAX201
            y = x
        return y

@jax.jit
def step(state, batch):
    def loss(params):
        return state.apply_fn({"params": params}, batch).mean()
    value, slopes = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=slopes), value

def main():
    net, batch = Net(), jnp.ones((2, 3))
    params = net.init(jax.random.key(0), batch)["params"]
    state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.sgd(0.1))
    for _ in range(2):
        state, value = step(state, batch)
        if value < 0.1 and state.step > 1:
            break
    return state

# --- a function that haiku makes pure runs where it is applied
import haiku as hk

def net(x):
    y = hk.Linear(1)(x)
    if y.sum() > 0:  # JAX201
        return y
    return -y

plain = hk.without_apply_rng(hk.transform(net))

def main():
    x = jnp.ones((2, 3))
    params = plain.init(jax.random.key(0), x)
    plain.apply(params, x)
    return jax.jit(lambda params, x: plain.apply(params, x).sum())(params, x)

# --- the same with a state and a key, made by a helper from a function that is handed on
import haiku as hk

def pooled(x):
    return x.mean() if x.ndim else x

def build(pool):
    def inner(x, train):
        if train:
            x = hk.dropout(hk.next_rng_key(), 0.5, x)
        y = pool(hk.BatchNorm(True, True, 0.9)(x, train))
        return x if y > 0 else -x  # JAX201

    return hk.transform_with_state(inner)

def make_step(model):
    @jax.jit
    def step(params, state, key, x):
        out, state = model.apply(params, state, key, x, True)
        return out.sum(), state

    return step

def main():
    key, x = jax.random.key(0), jnp.ones((2, 3))
    model = build(pooled)
    params, state = model.init(jax.random.key(1), x, True)
    return make_step(model)(params, state, key, x)

# --- two functions that one helper makes for haiku are two
import haiku as hk

def smooth(y):
    return jnp.where(y > 0, y, -y)

def sharp(y):
    return y if y.sum() > 0 else -y  # JAX201

def build(end):
    return hk.without_apply_rng(hk.transform(lambda x: end(hk.Linear(1)(x))))

def make_step(model):
    @jax.jit
    def step(params, x):
        return model.apply(params, x).sum()

    return step

def main():
    x = jnp.ones((2, 3))
    first, second = build(smooth), build(sharp)
    params = first.init(jax.random.key(0), x)
    return make_step(first)(params, x), make_step(second)(params, x)

# --- a flax module that is called as one of torch is
import flax.linen as nn

class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(nn.relu(nn.Dense(8)(x)))

def predict(model, x):
    return model(x)  # JAX317

def main():
    model = Mlp()
    model.init(jax.random.key(0), jnp.ones(4))
    return predict(model, jnp.ones(4))

if __name__ == "__main__":
    main()

# --- a layer of flax that is called by itself
import flax.linen as nn

def main():
    return jax.jit(lambda x: nn.Dense(2)(x))(jnp.ones(4))  # JAX317

if __name__ == "__main__":
    main()

# --- flax modules that are bound, applied, or called by what is applied
import flax.linen as nn

class Chain(nn.Module):
    first: nn.Module

    @nn.compact
    def __call__(self, x):
        return in_order([self.first, nn.Dense(2)], x)

class Doubled(nn.Module):
    def __call__(self, x):
        return 2 * x

def in_order(layers, x):
    for layer in layers:
        x = layer(x)
    return nn.Dense(3)(x)

def twice(model, x):
    return model(x) + model(x)

def main():
    x, model = jnp.ones(4), Chain(nn.Dense(5))
    variables = model.init(jax.random.key(0), x)
    bound = model.bind(variables)
    results = [bound(x), Doubled()(x), nn.apply(twice, model)(variables, x), model.apply(variables, x, method=twice)]
    try:
        results.append(model(x))
    except Exception:
        results.append(jax.jit(model.apply)(variables, x))
    return results

if __name__ == "__main__":
    main()

# --- a haiku module that is made where nothing transforms
import haiku as hk

class Encoder(hk.Module):
    def __call__(self, x):
        return jax.nn.relu(hk.Linear(8)(x))

def make():
    return Encoder()  # JAX317

def main():
    encoder = make()
    return hk.transform(encoder).init(jax.random.key(0), jnp.ones(4))

if __name__ == "__main__":
    main()

# --- haiku modules that are made in what is transformed, by one another, and in what nobody is seen to run
import haiku as hk

class Encoder(hk.Module):
    def __call__(self, x):
        return jax.nn.relu(hk.Linear(8)(x))

class Pair(hk.Module):
    def __init__(self):
        super().__init__()
        self.encoders = [Encoder() for _ in range(2)]

    def __call__(self, x):
        return self.encoders[0](x) + self.encoders[1](x)

def make():
    return Encoder()

def forward(x):
    return make()(x) + Pair()(x)

def elsewhere(x):
    return Encoder()(x)

def main():
    x, network = jnp.ones(4), hk.without_apply_rng(hk.transform(forward))
    params = network.init(jax.random.key(0), x)
    with_state = hk.transform_with_state(lambda x: Encoder()(x))
    with_state.init(jax.random.key(0), x)
    hk.testing.transform_and_run(elsewhere)(x)
    return jax.jit(network.apply)(params, x)

if __name__ == "__main__":
    main()

# --- haiku modules that are made where what is transformed is applied in compiled code
import haiku as hk

class Encoder(hk.Module):
    def __call__(self, x):
        return jax.nn.relu(hk.Linear(8)(x))

def encoding(cls):
    def encode(x):
        encoder = cls()
        return encoder(x)
    return encode

class Agent:
    def __init__(self, function):
        self.function = hk.without_apply_rng(hk.transform(function))

    def encode(self, params, x):
        return self.function.apply(params, x)

    @partial(jax.jit, static_argnums=0)
    def plan(self, params, x):
        return self.encode(params, x).sum()

def main():
    agent, x = Agent(encoding(Encoder)), jnp.ones(4)
    params = agent.function.init(jax.random.key(0), x)
    return agent.plan(params, x), jax.grad(lambda params: agent.encode(params, x).sum())(params)

if __name__ == "__main__":
    main()

# --- part is made in a method beside the compact one
import flax.linen as nn

class Head(nn.Module):
    def logits(self, x):
        return nn.Dense(2)(x)  # JAX715

    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)

def main():
    x = jnp.ones((1, 3))
    params = Head().init(jax.random.key(0), x)
    return Head().apply(params, x, method=Head.logits)

# --- part is made in a method of a part
import flax.linen as nn

class Head(nn.Module):
    def logits(self, x):
        x = nn.relu(x)
        return nn.Dense(2)(x)  # JAX715

class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return Head().logits(x)

def main():
    return Model().init(jax.random.key(0), jnp.ones((1, 3)))

# --- part is made in a method that a compact one or setup calls
import flax.linen as nn

class Head(nn.Module):
    def setup(self):
        self.last = self.made()

    def made(self):
        return nn.Dense(2)

    def __call__(self, x):
        return self.last(x)

class Base(nn.Module):
    def logits(self, x):
        return self.hidden(x)

    def hidden(self, x):
        return nn.Dense(2)(x)

class Model(Base):
    @nn.compact
    def __call__(self, x):
        return self.logits(Head()(x))

def main():
    return Model().init(jax.random.key(0), jnp.ones((1, 3)))

# --- a function that haiku makes pure is applied without the place of the key
import haiku as hk

def net(x, scale):
    return hk.Linear(1)(x) * scale

pure = hk.transform(net)

def forward(params, x):
    return pure.apply(params, x, 2.0)  # JAX715

def main():
    x = jnp.ones((2, 3))
    return forward(pure.init(jax.random.key(0), x, 2.0), x)

# --- a function that haiku makes pure is applied with a place for the key, or needs none
import haiku as hk

def net(x, scale=1.0):
    return hk.Linear(1)(x) * scale

pure = hk.transform(net)
plain = hk.without_apply_rng(pure)

def forward(params, x, *more):
    named = pure.apply(params, None, scale=2.0, x=x)
    return pure.apply(params, None, x), plain.apply(params, x, 2.0), plain.apply(params, x), pure.apply(params, *more), named

def main():
    x = jnp.ones((2, 3))
    return forward(pure.init(jax.random.key(0), x), x, None, x)

# --- the `apply` of a module and of what haiku makes pure are compiled and mapped as they are
import flax.linen as nn
import haiku as hk

SEEN, MEANS = {}, []

class Leaky(nn.Module):
    @nn.compact
    def __call__(self, x, train=False):
        hidden = nn.Dense(4)(x)
        SEEN["hidden"] = hidden  # JAX107
        return self._told(hidden) if train is None else hidden

    def _told(self, hidden):
        print(hidden.shape)
        return hidden

class Chatty(nn.Module):
    @nn.compact
    def __call__(self, x):
        hidden = nn.Dense(4)(x)
        self._tell(hidden)
        return hidden

    def _tell(self, hidden):
        print("mean", hidden.mean())  # JAX101

class Plain(nn.Module):
    @nn.compact
    def __call__(self, x, scale=None):
        hidden = nn.Dense(4)(x)
        if scale is not None and hidden.ndim > 1:
            hidden = hidden * scale
        return hidden

def net(x):
    y = hk.Linear(1)(x)
    MEANS.append(y.mean())  # JAX107
    return y

def main():
    x, key = jnp.ones((2, 3)), jax.random.key(0)
    leaky, chatty, plain, pure = Leaky(), Chatty(), Plain(), hk.transform(net)
    compiled = jax.jit(chatty.apply)
    compiled(chatty.init(key, x), x)
    jax.jit(plain.apply)(plain.init(jax.random.key(1), x), x, 2.0)
    jax.jit(pure.apply)(pure.init(jax.random.key(2), x), None, x)
    return jax.jit(leaky.apply)(leaky.init(jax.random.key(3), x), x)

# --- the `apply` of a module is mapped as it is
import flax.linen as nn

class Signed(nn.Module):
    def __call__(self, x):
        return x if x.sum() > 0 else -x  # JAX201

def main():
    return jax.vmap(Signed().apply, in_axes=(None, 0))({}, jnp.ones((2, 3)))

# --- a module is called itself, as one of torch is, and its `setup` has not run
import flax.linen as nn

class Head(nn.Module):
    width: int = 2

    def setup(self):
        self.dense = nn.Dense(self.width)

    def __call__(self, x):
        return jax.nn.relu(self.dense(x))

def main():
    head = Head()
    return head(jnp.ones((2, 3)))  # JAX317

if __name__ == "__main__":
    main()

# --- one that needs none of what its `setup` sets, one that is bound, one that another holds
import flax.linen as nn

class Head(nn.Module):
    width: int = 2
    dense: nn.Module = None

    def setup(self):
        self.extra = nn.Dense(self.width)

    def __call__(self, x, more=False):
        if more:
            return self.extra(x)
        return x

class Whole(nn.Module):
    def setup(self):
        self.head = Head()

    def __call__(self, x):
        return self.head(x, more=True)

def main():
    x, whole = jnp.ones((2, 3)), Whole()
    params = whole.init(jax.random.key(0), x)
    return Head()(x), whole.bind(params)(x), whole.apply(params, x)

# --- a layer of haiku that is made where nothing transforms
import haiku as hk

def layer(width):
    return hk.Linear(width)  # JAX317

def main():
    x = jnp.ones(4)
    params = hk.transform(lambda x: layer(2)(x)).init(jax.random.key(0), x)
    return layer(2), params

if __name__ == "__main__":
    main()

# --- layers of haiku that are made in what is transformed, and in what nobody is seen to run
import haiku as hk

def layer(width):
    return hk.Linear(width)

def forward(x):
    return hk.Sequential([layer(2), jax.nn.relu, hk.nets.MLP([2])])(x)

def elsewhere(x):
    return hk.Linear(2)(x)

def main():
    x = jnp.ones(4)
    hk.testing.transform_and_run(elsewhere)(x)
    return hk.transform(forward).init(jax.random.key(0), x)

if __name__ == "__main__":
    main()

# --- a dict that a compiled `apply` is given is a new one in it
import haiku as hk

def model():
    @hk.transform
    def step(data):
        data["noise"] = jax.random.normal(hk.next_rng_key(), (3,))
        data["seen"] = True
        return hk.Linear(2)(data["x"] + data["noise"])

    return step

class Sampler:
    def __init__(self, step):
        self.step = jax.jit(step)

    def __call__(self, params, key, data):
        return self.step(params, key, data)

def main():
    data, network = {"x": jnp.ones(3)}, model()
    params = network.init(jax.random.key(0), dict(data))
    Sampler(network.apply)(params, jax.random.key(1), data)
    assert list(data) == ["x"]

if __name__ == "__main__":
    main()

# --- what haiku gives of a function with a state is a pair
import haiku as hk

encoder = hk.transform_with_state(lambda x: hk.BatchNorm(True, True, 0.9)(x, True))

def main():
    x = jnp.ones((2, 3))
    params, state = encoder.init(jax.random.key(0), x)
    encoded, state = encoder.apply(params, state, None, x)
    return jnp.mean(encoded) + jnp.mean(encoder.apply(params, state, None, x))  # JAX308

if __name__ == "__main__":
    main()
