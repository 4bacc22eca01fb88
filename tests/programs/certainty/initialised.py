# Networks that are to begin alike, data that only gives shapes.

# --- a target network
# file: agent.py
import flax.linen as nn


def parameters(key, obs):
    net = nn.Dense(4)
    params = net.init(key, obs)
    target = net.init(key, obs)  # JAX402 possible
    return params, target

# --- a target network, by a function that is compiled
# file: agent.py
import haiku as hk
import jax


class Agent:
    def __init__(self):
        self.net = hk.transform(hk.nets.MLP([4, 2]))

    def begin(self, key, obs):
        init = jax.jit(lambda *args: self.net.init(*args))
        self.params = init(key, obs)
        self.target = init(key, obs)  # JAX402 possible


def both(key, obs):
    make = jax.jit(lambda *args: hk.transform(hk.nets.MLP([4, 2])).init(*args))
    first = make(key, obs)
    return first, make(key, 2 * obs)  # JAX402 likely

# --- two networks
# file: agent.py
import flax.linen as nn


def parameters(key, obs):
    actor, critic = nn.Dense(4), nn.Dense(1)
    return actor.init(key, obs), critic.init(key, obs)  # JAX402 likely


def ensemble(key, nets, obs):
    return [nn.Dense(4).init(key, obs) for _ in range(nets)]  # JAX402 likely

# --- data that only gives shapes
# file: agent.py
import haiku as hk
import jax


def parameters(key):
    dummy = jax.random.normal(key, (1, 3))
    print(dummy.shape)
    batch = dummy[None]
    return hk.transform(hk.nets.MLP([4])).init(key, batch)  # JAX402 possible


def parameters_and_data(key):
    data = jax.random.normal(key, (1, 3))
    return hk.transform(hk.nets.MLP([4])).init(key, data), data  # JAX402 possible

# --- data of a network that nobody can look into
# file: agent.py
import jax
import jax.numpy as jnp


def parameters(env, net, key):
    key = jax.random.split(key)[0]
    example = env.observe(key)
    return net.init(key, example)  # JAX402 possible


def parameters_and_start(env, net, key):
    start = jax.random.normal(key, (3,))
    return net.init(key, start), env.reset(start)  # JAX402 possible


def kept(net, key):
    start = jax.random.normal(key, (3,))
    params = net.init(jax.random.key(1), start)
    return params, jax.random.uniform(key)  # JAX401 possible


def split_below(net, key):
    start = jax.random.normal(key, (3,))
    key, subkey = jax.random.split(key)  # JAX401 certain
    return net.init(subkey, start), key


def zeros(key):
    like = jax.tree.map(jnp.zeros_like, jax.random.normal(key, (3,)))
    return like, jax.random.uniform(key)  # JAX401 possible


def moved(key):
    def start():
        return first

    first = jax.random.normal(key, (3,))
    shape = first.shape
    return shape, start(), jax.random.uniform(key)  # JAX401 certain


def headed(key):
    first = jax.random.normal(key, (3,))
    shape = first.shape
    for row in first:
        shape += (row,)
    return shape, jax.random.uniform(key)  # JAX401 certain


def keys(net, key, x):
    key, sub = jax.random.split(key)
    noise = jax.random.normal(sub)
    first, second = jax.random.split(sub)  # JAX401 certain
    return net.init(second, x), net.init(x, first), noise

# --- an example for a buffer
# file: buffer.py
import flashbax as fbx
import jax


def make(env, key, size):
    buffer = fbx.make_flat_buffer(size)
    example = env.play(jax.random.normal(key))
    state = buffer.init(example)
    return state, jax.random.uniform(key)  # JAX401 possible


def compiled(env, key, size, agents):
    buffer = fbx.make_flat_buffer(size)
    buffer = buffer.replace(init=jax.jit(buffer.init), add=jax.jit(buffer.add))
    example = {agent: jax.random.normal(key) for agent in agents}  # JAX403 possible
    state = buffer.init(example)

    def step(state, example):
        return buffer.add(state, example)

    return state, step, jax.random.uniform(key)  # JAX401 possible


def reset(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (3,)) + jax.random.uniform(second, (3,))


def example_of_a_reset(key, size):
    buffer = fbx.make_flat_buffer(size)
    state = buffer.init(reset(key))
    key, subkey = jax.random.split(key)  # JAX401 possible
    return state, key, subkey


def added(env, key, size):
    buffer = fbx.make_flat_buffer(size)
    example = jax.random.normal(key)
    state = buffer.init(example)

    def step():
        return buffer.add(state, example)

    return step, jax.random.uniform(key)  # JAX401 certain


def chain(sampler, key):
    position = jax.random.normal(key, (3,))
    state = sampler.init(position)
    return state, jax.random.uniform(key)  # JAX401 certain

# --- parameters of which one is a number at random
# file: agent.py
import flax.linen as nn
import jax
import jax.numpy as jnp


class Temperature(nn.Module):
    @nn.compact
    def __call__(self):
        low = self.param("low", lambda key: jnp.zeros(()))
        return low + self.param("log", lambda key: jax.random.normal(key))


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x * self.param("scale", nn.initializers.ones, ()) + nn.Dense(2)(x)


def begin(key, x):
    first = Temperature().init(key)
    return first, Temperature().init(key)  # JAX402 likely


def scaled(key, x):
    first = Scale().init(key, x)
    return first, Scale().init(key, x)  # JAX402 likely

# --- a target network, by a function that makes its module
# file: agent.py
import flax.linen as nn
import jax
import jax.numpy as jnp


def build(size, key):
    return nn.Dense(4).init(key, jnp.ones((1, size)))["params"]


class Agent:
    def __init__(self, size, optimizer, key):
        key, _ = jax.random.split(key)
        params = build(size, key)
        self.target = build(size, key)  # JAX402 possible
        self.state = optimizer.create(params)


class Slow:
    def __init__(self, size, optimizer, key):
        key, _ = jax.random.split(key)
        self.online = build(size, key)
        slow = build(size, key)  # JAX402 possible
        self.state = optimizer.init(self.online)
        self.both = (self.online, slow)


class Twins:
    def __init__(self, size, optimizer, key):
        key, _ = jax.random.split(key)
        self.first = build(size, key)
        self.second = build(size, key)  # JAX402 likely
        self.states = optimizer.create(self.first), optimizer.create(self.second)


class Pair:
    def __init__(self, size, optimizer, key):
        key, _ = jax.random.split(key)
        first = build(size, key)
        second = build(size, key)  # JAX402 likely
        self.state = optimizer.create((first, second))


class Used:
    def __init__(self, size, optimizer, key):
        key, _ = jax.random.split(key)
        first = build(size, key)
        second = build(size, key)  # JAX402 likely
        self.state = optimizer.create(first)
        self.mean = jax.tree.map(jnp.add, first, second)


def noise(size, key):
    return jax.random.normal(key, (size,))


class Noises:
    def __init__(self, size, smooth, key):
        first = noise(size, key)
        self.second = noise(size, key)  # JAX401 certain
        self.first = smooth(first)

# --- two modules, of which the names are folded into the key
# file: gan.py
import flax.linen as nn
import jax


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(4)(x))


class Critic(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(1)(x))


def losses(params, critic_params, key, x):
    fake = Net().apply(params, x, rngs={"dropout": key})
    return Critic().apply(critic_params, fake, rngs={"dropout": key})  # JAX402 possible


def twice(params, key, x):
    first = Net().apply(params, x, rngs={"dropout": key})
    second = Net().apply(params, x, rngs={"dropout": key})  # JAX402 likely
    return first, second


def each(params, key, batches):
    return [Net().apply(params, x, rngs={"dropout": key}) for x in batches]  # JAX402 likely


def twins(key, x):
    first = Critic()
    second = Critic()
    params = first.init(key, x)
    return params, second.init(key, x)  # JAX402 likely


class Pair:
    def __init__(self, key, x):
        self.net = Net()
        self.first = Critic()
        self.second = Critic()
        self.params = self.first.init(key, x)
        self.others = self.second.init(key, x)  # JAX402 likely


class Apart:
    def __init__(self, key, x):
        self.net = Net()
        self.critic = Critic()
        self.params = self.net.init(key, x)
        self.others = self.critic.init(key, x)  # JAX402 possible


def the_key_of_another(key, x):
    net_key, critic_key = jax.random.split(key)
    params = Net().init(net_key, x)
    return params, Critic().init(net_key, x)  # JAX402 likely


def a_key_of_its_own(key, x):
    net_key, critic_key = jax.random.split(key)
    params = Net().init(net_key, x)
    return params, Critic().init(net_key, x), critic_key  # JAX402 possible

# --- the value that a gradient is of
# file: train.py
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(4)(x))


def loss(params, x, key):
    return jnp.mean(Net().apply(params, x, rngs={"dropout": key}) ** 2)


def noisy(params, x, key):
    return jnp.mean((x @ params + jax.random.normal(key, x.shape)) ** 2)


def update(params, x, key):
    key, _ = jax.random.split(key)
    grads = jax.grad(loss)(params, x, key)
    return loss(params, x, key), grads  # JAX402 possible


def drawn(params, x, key):
    slope = jax.grad(noisy)
    grads = slope(params, x, key)
    return noisy(params, x, key), grads  # JAX401 possible


def other_data(params, x, y, key):
    grads = jax.grad(noisy)(params, x, key)
    return noisy(params, y, key), grads  # JAX401 certain


def other_function(params, x, key):
    grads = jax.grad(noisy)(params, x, key)
    return jnp.sum(x * jax.random.normal(key, x.shape)), grads  # JAX401 certain
