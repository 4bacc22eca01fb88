# What objects keep that compiled functions ask them for.

import functools

import haiku as hk
import jax
import jax.numpy as jnp

# --- cached property is read in what the constructor compiles
class Basis:
    def __init__(self, size):
        self.size = size
        self.project = jax.jit(lambda x: self.grid @ x)

    @functools.cached_property
    def grid(self):  # JAX113
        return 2.0 * jnp.eye(self.size)

def main():
    basis = Basis(3)
    return basis.project(jnp.ones(3))

# --- cached property is read in a function that the constructor compiles
class Basis:
    def __init__(self, size):
        self.size = size

        def project(x):
            return self.grid @ x

        self.project = jax.jit(project)

    @functools.cached_property
    def grid(self):  # JAX113
        return 2.0 * jnp.eye(self.size)

def main():
    basis = Basis(3)
    return basis.project(jnp.ones(3))

# --- cached property is read by the constructor as well
class Basis:
    def __init__(self, size):
        self.size = size
        self.trace = jnp.trace(self.grid)
        self.project = jax.jit(lambda x: self.grid @ x)

    @functools.cached_property
    def grid(self):
        return 2.0 * jnp.eye(self.size)

class Mapped:
    def __init__(self, size):
        self.size = size

        def scaled(x):
            return self.grid @ x

        self.first = scaled(jnp.ones(size))
        self.project = jax.jit(scaled)

    @functools.cached_property
    def grid(self):
        return 2.0 * jnp.eye(self.size)

def main():
    one, other = Basis(3), Mapped(3)
    return one.project(jnp.ones(3)) @ one.grid, other.project(jnp.ones(3)) @ other.grid

# --- sequence of keys from outside is advanced
class Actor:
    def __init__(self, seed):
        self.rng = hk.PRNGSequence(seed)
        self.act = jax.jit(lambda x: x + jax.random.normal(next(self.rng), x.shape))  # JAX109

def main():
    return Actor(0).act(jnp.ones(2))

# --- sequence of keys of the trace, and one that is advanced outside
def noisy(key, x):
    keys = hk.PRNGSequence(key)
    return x + jax.random.normal(next(keys), x.shape) * jax.random.normal(next(keys), x.shape)

class Actor:
    def __init__(self, seed):
        self.rng = hk.PRNGSequence(seed)
        self.act = jax.jit(noisy)

    def step(self, x):
        return self.act(next(self.rng), x)

def main():
    actor = Actor(0)
    return actor.step(jnp.ones(2)) + actor.step(jnp.ones(2))

# --- weights that a method learns from the old ones, read by a compiled method of the same object
class Agent:
    def __init__(self, dim, seed=0):
        self.key = jax.random.PRNGKey(seed)
        self.weights = jnp.ones(dim)
        self.bias = jnp.zeros(dim)
        self.steps = 0
        self.heat = 1.0
        self.sharp = jax.jit(lambda x: x**self.steps)  # JAX108
        self.warm = jax.jit(self.warmed)

    @functools.partial(jax.jit, static_argnums=0)
    def values(self, x):
        return self.inner(x)

    def inner(self, x):
        return x @ self.weights + self.bias  # JAX108

    @functools.partial(jax.jit, static_argnums=0)
    def noisy(self, x):
        return x + jax.random.normal(self.key, x.shape)  # JAX108

    def warmed(self, x):
        return x * self.heat  # JAX108 possible

    def learn(self, x, rate=0.1):
        slope = jax.grad(lambda w: jnp.mean((x @ w) ** 2))(self.weights)
        changed = self.weights - rate * slope
        self.weights = changed
        self.steps += 1

    def draw(self):
        self.key, key = jax.random.split(self.key)
        return jax.random.normal(key)

    def set_heat(self, heat):
        self.heat = heat

def main():
    agent, x = Agent(3), jnp.ones(3)
    return agent.values(x) + agent.sharp(x) + agent.warm(x) + agent.noisy(x)

# --- one that compiles what it reads anew, or is handed it
class Agent:
    def __init__(self, dim):
        self.weights = jnp.ones(dim)
        self.values = jax.jit(lambda x: x @ self.weights)
        self.apply = jax.jit(lambda weights, x: x @ weights)

    def learn(self, x):
        self.weights = self.weights - x
        self.values = jax.jit(lambda x: x @ self.weights)

    def act(self, x):
        return self.apply(self.weights, x)

class Fitted:
    def __init__(self, dim):
        self.weights = jnp.ones(dim)

    def fit(self, xs):
        for x in xs:
            self.weights = self.weights - x

    @functools.partial(jax.jit, static_argnums=0)
    def predict(self, x):
        return x @ self.weights  # JAX108 possible

class Sized:
    def __init__(self, dim):
        self.weights = jnp.ones(dim)

    def learn(self, x):
        self.weights = self.weights - x

    @functools.partial(jax.jit, static_argnums=0)
    def padded(self, x):
        return x + jnp.zeros(self.weights.shape)

class Held:
    def __init__(self, state):
        self.state = state

    @functools.partial(jax.jit, static_argnums=0)
    def act(self, params, x):
        assert self.state is not None
        return self.state.apply_fn(params, x)

    def learn(self, grads):
        self.state = self.state.apply_gradients(grads=grads)

class Counting:
    def __init__(self):
        self.count = 0

    @functools.partial(jax.jit, static_argnums=0)
    def act(self, x):
        return self.counted(x)

    def counted(self, x):
        self.count += 1  # JAX105
        return x

class Local:
    def __init__(self, dim):
        self.weights = jnp.ones(dim)

    def learn(self, x):
        loss = jax.jit(lambda v: jnp.sum(v * self.weights))
        self.weights = self.weights - jax.grad(loss)(x)

class Compared:
    def __init__(self, rate):
        self.rate = rate

    def __hash__(self):
        return hash(self.rate)

    def __eq__(self, other):
        return self.rate == other.rate

    def slower(self):
        self.rate = self.rate / 2

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.rate

def main():
    x = jnp.ones(3)
    first, second = Agent(3), Compared(1.0)
    first.learn(x)
    second.slower()
    Local(3).learn(x)
    return first.act(x) + first.values(x) + second.step(x) + Sized(3).padded(x) + Fitted(3).predict(x)

# --- function that the constructor writes is traced by another method, and nobody is seen to make an object
class Fit:
    def __init__(self, rate):
        self.rate = rate
        verbose = False

        def loss(x):
            if verbose and x > 0:
                return x
            return x * rate if x > 0 else -x  # JAX201

        self.loss = loss

    def gradient(self, x):
        return jax.jit(jax.grad(self.loss))(x)

def main():
    return eval("Fit")(0.1).gradient(1.0)

# --- function of a factory that the constructor calls is traced by another method
def above(limit):
    def clipped(x):
        return limit if x > limit else x  # JAX201

    return clipped

class Model:
    def __init__(self, limit):
        self.activation = above(limit)

    def run(self, x):
        return jax.jit(self.activation)(x)

def main():
    return eval("Model")(0.1).run(1.0)

# --- lambda that the constructor keeps is traced by another method
class Reader:
    def __init__(self, scale):
        self.read = lambda x: float(x) * scale  # JAX211

    def run(self, xs):
        return jax.vmap(self.read)(xs)

def main():
    return eval("Reader")(0.1).run(jnp.ones(3))

# --- function that the constructor keeps compiled looks at what may be bound anew
class Steps:
    def __init__(self):
        is_first = True

        def step(x):
            nonlocal is_first
            if is_first:
                return x
            return x * 2

        def later():
            nonlocal is_first
            is_first = False

        self.step, self.later = jax.jit(step), later

    def run(self, x):
        self.later()
        return self.step(x)

def main():
    return eval("Steps")().run(1.0)

# --- function that the constructor keeps is another one in the object that another module's code gets hold of
class Chosen:
    def __init__(self):
        self.loss = lambda x: x if x > 0 else -x

    def run(self, x):
        return jax.jit(self.loss)(x)

def exchange(chosen):
    chosen.loss = lambda x: x * 2

def main():
    chosen = eval("Chosen")()
    exchange(chosen)
    return chosen.run(1.0)

# --- function that the constructor keeps is another one after a method has run
class Exchanged:
    def __init__(self):
        self.loss = lambda x: x if x > 0 else -x

    def use(self, name):
        setattr(self, "loss", lambda x: x * 2)

    def run(self, x):
        return jax.jit(self.loss)(x)

def main():
    exchanged = eval("Exchanged")()
    exchanged.use("double")
    return exchanged.run(1.0)

# --- attribute that other methods only hand on is what the constructor has made
import equinox as eqx

class Net(eqx.Module):
    weight: jax.Array
    activation: object

    def __init__(self, size):
        self.weight = jnp.ones(size)
        self.activation = jax.nn.relu

    def __call__(self, x):
        return self.activation(self.weight * x)

class Session:
    def __init__(self, size):
        self.net, self.x = Net(size), jnp.ones(size)

    def plain(self):
        return jax.jit(lambda net, x: net(x))(self.net, self.x)  # JAX511

    def filtered(self):
        return eqx.filter_jit(lambda net, x: net(x))(self.net, self.x)

def main():
    session = eval("Session")(3)
    session.filtered()
    return session.plain()
