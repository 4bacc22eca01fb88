# A module's apply that is handed a key.

import jax
import jax.numpy as jnp

# --- apply of a module that leaves its key alone
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x)

    def decode(self, x, key):
        return x

def main(key):
    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, None)
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, noise) + jax.random.normal(noise)

# --- apply of a module that sets an attribute to what it was before
import flax.linen as nn

class Stack(nn.Module):
    def setup(self):
        self.width = 2
        self.width = self.width + 2
        self.dense = nn.Dense(self.width)

    def __call__(self, x):
        return self.dense(x)

def main():
    key, x = jax.random.PRNGKey(0), jnp.ones(2)
    params = Stack().init(jax.random.PRNGKey(1), x)
    return Stack().apply(params, x, rngs={"dropout": key}), jax.random.normal(key)

# --- apply of a module that draws
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def main(key):
    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, jax.random.key(2))
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, noise) + jax.random.normal(noise)  # JAX402

# --- apply with the key by name
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def main(key):
    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, jax.random.key(2))
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, key=noise) + jax.random.normal(noise)  # JAX402

# --- apply with a key that is among its own
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        x = nn.Dropout(0.5)(x, False)
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def main(key):
    x = jnp.ones((1, 2))
    keys = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
    variables = Net().init(keys, x, jax.random.key(3))
    noise, other = jax.random.split(key)
    return Net().apply(variables, x, noise, rngs={"dropout": noise})

# --- apply of a method by name
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def main(key):
    noise, other = jax.random.split(key)
    return Net().apply({}, jnp.ones(2), noise, method="decode") + jax.random.normal(noise)

# --- apply of a method
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def main(key):
    noise, other = jax.random.split(key)
    return Net().apply({}, jnp.ones(2), noise, method=Net.decode) + jax.random.normal(noise)

# --- apply of any module where all leave their key alone
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x)

    def decode(self, x, key):
        return x

def predict(net: nn.Module, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)

def main(key):
    x = jnp.ones((1, 2))
    return predict(Net(), Net().init(jax.random.key(1), x, None), x, key)

# --- apply of any module where one draws
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def predict(net: nn.Module, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)  # JAX402

def main(key):
    x = jnp.ones((1, 2))
    return predict(Net(), Net().init(jax.random.key(1), x, jax.random.key(2)), x, key)

# --- apply of what nobody knows
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x)

    def decode(self, x, key):
        return x

def predict(net, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)

def by_state(state, x, key):
    noise, other = jax.random.split(key)
    return state.apply_fn(state.params, x, noise) + jax.random.normal(noise)

def main(key):
    from flax.training.train_state import TrainState
    import optax

    x = jnp.ones((1, 2))
    variables = Net().init(jax.random.key(1), x, None)
    state = TrainState.create(apply_fn=Net().apply, params=variables, tx=optax.sgd(0.1))
    first, second = jax.random.split(key)
    return predict(Net(), variables, x, first) + by_state(state, x, second)

# --- apply of what nobody knows where a module draws
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

    def decode(self, x, key):
        return x

def predict(net, variables, x, key):
    noise, other = jax.random.split(key)
    return net.apply(variables, x, noise) + jax.random.normal(noise)  # JAX402

def main(key):
    x = jnp.ones((1, 2))
    return predict(Net(), Net().init(jax.random.key(1), x, jax.random.key(2)), x, key)

# --- a function of haiku that is only called random
import haiku as hk

def random_walk(x):
    return hk.Linear(2)(x)

network = hk.transform(random_walk)

def main(key):
    params = network.init(jax.random.key(1), jnp.ones((1, 2)))
    return network.apply(params, key, jnp.ones((1, 2))), jax.random.normal(key)

# --- a function of haiku that draws in a helper, whatever that is called
import haiku as hk
from haiku import next_rng_key as another

class Layer(hk.Module):
    def __call__(self, x):
        return self.shaken(x)

    def shaken(self, x):
        return x + jax.random.normal(another(), x.shape)

def walk(x):
    return Layer()(x)

network = hk.transform(walk)

def main(key):
    drawn = jax.random.normal(key)
    return network.apply({}, key, jnp.ones(3)), drawn  # JAX401

# --- what haiku has made pure asks for a key, twice
import haiku as hk

def shaken(x, is_training=True):
    return hk.dropout(hk.next_rng_key(), 0.5, x) if is_training else x

network = hk.transform(shaken)

def both(params, x, key):
    return network.apply(params, key, x) + network.apply(params, key, x + 1)  # JAX401

def main(key):
    return both({}, jnp.ones(3), key)

# --- what haiku has made pure, in a comprehension
import haiku as hk

network = hk.transform_with_state(lambda x: x + jax.random.normal(hk.next_rng_key(), x.shape))

def members(params, state, x, key):
    return [network.apply(params, state, key, x)[0] for _ in range(3)]  # JAX403

def main(key):
    return members({}, {}, jnp.ones(3), key)

# --- what haiku has made pure, with a key of its own each time
import haiku as hk

network = hk.transform(lambda x: x + jax.random.normal(hk.next_rng_key(), x.shape))

def members(params, x, key):
    key, other = jax.random.split(key)
    drawn = [network.apply(params, one, x) for one in jax.random.split(key, 3)]
    return drawn, network.apply(params, rng=other, x=x)

def main(key):
    return members({}, jnp.ones(3), key)

# --- what haiku has made pure draws in training, and this is none
import haiku as hk

class Net(hk.Module):
    def __call__(self, x, is_training):
        if is_training:
            x = hk.dropout(hk.next_rng_key(), 0.5, x)
        return x

network = hk.transform(lambda x, is_training: Net()(x, is_training))

def both(params, x, key):
    noise = jax.random.normal(key, x.shape)
    return network.apply(params, key, x, False) + network.apply(params, key, x, is_training=False) + noise

def main(key):
    return both({}, jnp.ones(3), key)

# --- what haiku has made pure is asked for the difference that its parameters make
import haiku as hk

network = hk.transform(lambda scale, x: scale * x + jax.random.normal(hk.next_rng_key(), x.shape))

def slope(x, key):
    return (network.apply({}, key, 2.0, x) - network.apply({}, key, 1.0, x)) / 2  # JAX401 possible

def main(key):
    return slope(jnp.ones(3), key)

# --- parameters that are no numbers at random
import flax.linen as nn

class Temperature(nn.Module):
    start: float = 1.0

    @nn.compact
    def __call__(self):
        low = self.param("low", nn.initializers.zeros, ())
        return jnp.exp(self.param("log", init_fn=lambda key: jnp.full((), jnp.log(self.start)))) + self.least(low)

    def least(self, low):
        return jnp.minimum(low, 0.0)

def main(key):
    variables = Temperature().init(key)
    return variables, jax.random.split(key)

# --- flax folds names into a key before it draws, so nothing that comes of the key itself is the same
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(4)(x))

class Agent:
    def __init__(self, apply, variables):
        self.apply, self.variables = apply, variables

    def forward(self, x, key):
        return self.apply(self.variables, x, rngs={"dropout": key})

    def act(self, x, key):
        return self.forward(x, key) + jax.random.normal(key)

    def fold(self, x, key):
        return self.forward(x, key), jax.random.split(key)

def begin(key):
    x = jax.random.normal(key, (1, 3))
    return x, Net().init({"params": key, "dropout": key}, x)

def by_one_nobody_knows(state, x, key):
    dropped = state.apply_fn(state.params, x, rngs={"dropout": key})
    return dropped + jax.random.normal(key)

def main(key):
    start, first, second = jax.random.split(key, 3)
    x, variables = begin(start)
    agent = Agent(Net().apply, variables)
    return agent.act(x, first), agent.fold(x, second)

# --- a key that flax gets for itself and for the module
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dropout(0.5)(x, False) + jax.random.normal(key)

def main(key):
    variables = Net().init({"params": key, "dropout": key}, jnp.ones(2), key)
    noise, other = jax.random.split(key)
    drawn = Net().apply(variables, jnp.ones(2), noise, rngs={"dropout": noise})
    return drawn + jax.random.normal(noise)  # JAX402

# --- haiku splits the key itself
import haiku as hk

network = hk.transform(lambda x: hk.Linear(2)(x))

def main(key):
    params = network.init(key, jnp.ones((1, 2)))
    first, second = jax.random.split(key)  # JAX402 possible
    return params, jax.random.normal(second)

# --- apply twice with a key of which nothing else tells that it is one
import flax.linen as nn

class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

def both(params, x, key):
    first = Noisy().apply(params, x, key)
    return first + Noisy().apply(params, x + 1, key)  # JAX402

def main(key):
    x = jnp.ones((1, 2))
    params = Noisy().init(jax.random.key(1), x, jax.random.key(2))
    return globals()["both"](params, x, key)

# --- apply with a key of its own each time
import flax.linen as nn

class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        return nn.Dense(2)(x) + jax.random.normal(key)

def both(params, x, key):
    key, subkey = jax.random.split(key)
    first = Noisy().apply(params, x, subkey)
    key, subkey = jax.random.split(key)
    return first + Noisy().apply(params, x + 1, subkey)

def main(key):
    x = jnp.ones((1, 2))
    params = Noisy().init(jax.random.key(1), x, jax.random.key(2))
    return globals()["both"](params, x, key)

# --- apply twice with what is no key
import flax.linen as nn

class Plain(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dense(2)(x) if train else x

def both(params, x, train):
    return Plain().apply(params, x, train) + Plain().apply(params, x, train)

def main(key):
    x = jax.random.normal(key, (1, 2))
    params = Plain().init(jax.random.key(1), x, True)
    return globals()["both"](params, x, True)

# --- the state of a training keeps a key that no step advances
def main(key):
    import optax
    from flax.training.train_state import TrainState

    class State(TrainState):
        key: jax.Array

    def step(state):
        noise = jax.random.normal(state.key)
        return state.apply_gradients(grads=state.params), noise  # JAX403

    state, total = State.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optax.sgd(0.1), key=key), 0.0
    for _ in range(2):
        state, noise = step(state)
        total += noise
    return total

# --- the state of a training keeps a key that each step advances
def main(key):
    import optax
    from flax.training.train_state import TrainState

    class State(TrainState):
        key: jax.Array

    def step(state):
        key, draws = jax.random.split(state.key)
        return state.apply_gradients(grads=state.params, key=key), jax.random.normal(draws)

    state, total = State.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optax.sgd(0.1), key=key), 0.0
    for _ in range(2):
        state, noise = step(state)
        total += noise
    return total

# --- the number of the step is folded into the key of the state
def main(key):
    import optax
    from flax.training.train_state import TrainState

    class State(TrainState):
        key: jax.Array

        @classmethod
        def create(cls, *, key, **fields):
            return super().create(key=jax.random.clone(key), **fields)

    def step(state):
        noise = jax.random.normal(jax.random.fold_in(state.key, state.step))
        return state.apply_gradients(grads=state.params), noise

    state, total = State.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optax.sgd(0.1), key=key), 0.0
    for _ in range(2):
        state, noise = step(state)
        total += noise
    return total
