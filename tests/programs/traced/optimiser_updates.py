# What an optimiser's update is given.

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


def loss(params, x):
    return jnp.mean((x * params["w"]) ** 2), {"x": x}


W = {"w": jnp.ones(3)}
X = jnp.ones(3)

# --- an optimiser of several, one of which decays, by their labels
def main():
    tx = optax.multi_transform({"a": optax.adamw(0.1), "b": optax.sgd(0.1)}, {"w": "b"})
    return tx.update(W, tx.init(W))  # JAX612

# --- updates that are gathered in an optimiser that decays
def main():
    tx = optax.MultiSteps(optax.adamw(0.1), 4).gradient_transformation()
    return tx.update(W, tx.init(W))  # JAX612

# --- parameters that are said to be None
def main():
    tx = optax.masked(optax.lamb(0.1), {"w": True})
    return tx.update(W, tx.init(W), params=None)  # JAX612

# --- an optimiser out of a list that either way decays
class Trainer:
    def __init__(self, decay):
        parts = [optax.clip(1.0)]
        if decay is not None:
            parts.append(optax.add_decayed_weights(decay))
        else:
            parts.append(optax.add_decayed_weights(1e-3))
        self.tx = optax.chain(*parts)

    def step(self, gradients, state):
        return self.tx.update(gradients, state)  # JAX612

def main():
    trainer = Trainer(None)
    return trainer.step(W, trainer.tx.init(W))

# --- an optimiser out of a list, of which one decays
class Trainer:
    def __init__(self, decay):
        parts = [optax.clip(1.0)]
        if decay:
            parts.append(optax.add_decayed_weights(decay))
        self.tx = optax.chain(*parts)

    def step(self, gradients, state):
        return self.tx.update(gradients, state)

def main():
    trainer = Trainer(0.0)
    return trainer.step(W, trainer.tx.init(W))

# --- an optimiser by its name, and the parameters where that one wants them
def make(name):
    return optax.adamw(0.1) if name == "adamw" else optax.adam(0.1)

def main(name="adam"):
    tx = make(name)
    state = tx.init(W)
    return tx.update(W, state, W) if name == "adamw" else tx.update(W, state)

# --- the two functions of an optimiser
init, update = optax.adamw(0.1)

def main():
    return update(W, init(W))  # JAX612

# --- the compiled update of an optimiser
tx = optax.adamw(0.1)

def main():
    return jax.jit(tx.update)(W, tx.init(W))  # JAX612

# --- the compiled update of an optimiser, with the parameters
tx = optax.adamw(0.1)

def main():
    return jax.jit(tx.update)(W, tx.init(W), W)

# --- a line search by options that are not seen
def make(**options):
    return optax.lbfgs(**options)

def main():
    tx = make(linesearch=None)
    return tx.update(W, tx.init(W), W)

# --- an update with what the caller has
tx = optax.adamw(0.1)

def apply(*given, **more):
    return tx.update(*given, **more)

def main():
    return apply(W, tx.init(W), params=W)

# --- a learning rate that falls where the loss stays
def main():
    tx = optax.chain(optax.sgd(0.1), optax.contrib.reduce_on_plateau())
    return tx.update(W, tx.init(W), W)  # JAX612

# --- a loss that is not known, with what comes beside it
tx = optax.adam(0.1)

def step(function, params, state, x):
    gradients = jax.grad(function, has_aux=True)(params, x)
    updates, state = tx.update(gradients, state, params)  # JAX612
    return optax.apply_updates(params, updates), state

def main():
    return step(loss, W, tx.init(W), X)

# --- gradients and more from a compiled function
tx = optax.adam(0.1)

@jax.jit
def compute(params, x):
    return jax.grad(loss, has_aux=True)(params, x)

def main(params=W):
    gradients = compute(params, X)
    return tx.update(gradients, tx.init(params), params)  # JAX612

# --- gradients and more for a function that is called with them
tx = optax.adam(0.1)

def apply(params, gradients, state):
    updates, state = tx.update(gradients, state, params)  # JAX612
    return optax.apply_updates(params, updates), state

def main(params=W):
    gradients = jax.grad(loss, has_aux=True)(params, X)
    return apply(params, gradients, tx.init(params))

# --- gradients for a function that is called with them
tx = optax.adam(0.1)

def apply(params, gradients, state):
    updates, state = tx.update(gradients, state, params)
    return optax.apply_updates(params, updates), state

def main(params=W):
    gradients, _ = jax.grad(loss, has_aux=True)(params, X)
    return apply(params, gradients, tx.init(params))

# --- gradients and more where a module of equinox is updated
class Scale(eqx.Module):
    factor: jax.Array

def main():
    model, tx = Scale(X), optax.adam(0.1)
    gradients = eqx.filter_grad(lambda m, x: (jnp.sum(m.factor * x), x), has_aux=True)(model, X)
    updates, _ = tx.update(gradients, tx.init(eqx.filter(model, eqx.is_array)))  # JAX612
    return eqx.apply_updates(model, updates)

# --- gradients and more for a state of flax
class State(train_state.TrainState):
    pass

def step(state: State, x):
    gradients = jax.grad(loss, has_aux=True)(state.params, x)
    return state.apply_gradients(grads=gradients)  # JAX612

def main():
    return step(State.create(apply_fn=None, params=W, tx=optax.adam(0.1)), X)

# --- gradients alone for a state of flax
class State(train_state.TrainState):
    pass

def step(state: State, x):
    gradients, _ = jax.grad(loss, has_aux=True)(state.params, x)
    return state.apply_gradients(grads=gradients)

def main():
    return step(State.create(apply_fn=None, params=W, tx=optax.adam(0.1)), X)

# --- gradients and more, gone through with the parameters
def main(params=W):
    gradients = jax.grad(loss, has_aux=True)(params, X)
    return jax.tree.map(lambda g, p: p - 0.1 * g, gradients, params)  # JAX710

# --- the parameters, gone through with gradients and more
def step(params, x):
    gradients = jax.grad(loss, has_aux=True)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)  # JAX710

def main():
    return step(W, X)

# --- one array, gone through with its gradient and more, and the function takes that apart
def step(params, x):
    gradients = jax.grad(lambda p: (jnp.sum(p * x), x), has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g[0], params, gradients)

def main():
    return step(X, X)

# --- the state of an optimiser is unpacked first
def loss(p):
    return jnp.sum(p["w"] ** 2)

def main():
    params, tx = {"w": jnp.ones(3)}, optax.adam(0.1)
    state = tx.init(params)
    for _ in range(2):
        state, updates = tx.update(jax.grad(loss)(params), state)
        params = optax.apply_updates(params, updates)  # JAX612

# --- updates of an optimiser in their place, and those of something else that gives the state first
def loss(p):
    return jnp.sum(p["w"] ** 2)

class Turned:
    def __init__(self, tx):
        self.tx = tx

    def update(self, gradients, state):
        updates, state = self.tx.update(gradients, state)
        return state, updates

def main():
    params, tx = {"w": jnp.ones(3)}, optax.adam(0.1)
    turned, state = Turned(tx), tx.init(params)
    for _ in range(2):
        both = tx.update(jax.grad(loss)(params), state)
        params, state = optax.apply_updates(params, both[0]), both[1]
        state, updates = turned.update(jax.grad(loss)(params), state)
        params = optax.apply_updates(params, updates)
    return params

# --- the loss is handed on for the state of an optimiser
def squared(p):
    return jnp.sum(p["w"] ** 2)

def main():
    params, tx = W, optax.chain(optax.clip_by_global_norm(1.0), optax.rmsprop(1e-2))
    state = tx.init(params)
    for _ in range(2):
        value, gradients = jax.value_and_grad(squared)(params)
        updates, _ = tx.update(gradients, state)  # JAX612
        params, state = optax.apply_updates(params, updates), value

# --- the state of an optimiser is handed on by a loop of JAX, and one that keeps none gets whatever there is
def squared(p):
    return jnp.sum(p["w"] ** 2)

tx = optax.chain(optax.clip_by_global_norm(1.0), optax.rmsprop(1e-2))

@jax.jit
def epoch(params, state, xs):
    def body(carry, x):
        params, state = carry
        value, gradients = jax.value_and_grad(squared)(params)
        updates, state = tx.update(gradients, state)
        return (optax.apply_updates(params, updates), state), value

    return jax.lax.scan(body, (params, state), xs)

def main():
    moved, _ = optax.identity().update(W, jnp.float32(0.0))
    return epoch(W, tx.init(W), jnp.ones(3)), moved

# --- the state of an optimiser is made of a module with a function in it
class Net(eqx.Module):
    weight: jax.Array
    activation: object

    def __init__(self, size):
        self.weight = jnp.ones(size)
        self.activation = jax.nn.relu

def main():
    net = Net(3)
    optax.sgd(0.1).init(net)
    optax.adam(0.1).init(eqx.filter(net, eqx.is_inexact_array))
    optax.adam(0.1).init({"w": jnp.ones(3), "b": None})
    return optax.chain(optax.clip(1.0), optax.adamw(0.1)).init(net)  # JAX612

# --- the state of an optimiser that a constructor has made is made of what the constructor has made
class Net(eqx.Module):
    weight: jax.Array
    activation: object = eqx.field(static=True)
    name: str

    def __init__(self, size):
        self.weight = jnp.ones(size)
        self.activation = jax.nn.relu
        self.name = "net"

class Session:
    def __init__(self, size):
        self.net, self.tx = Net(size), optax.lion(0.1)

    def start(self):
        return self.tx.init(self.net)  # JAX612

def main():
    return eval("Session")(3).start()

# --- what a step of a training state sets is traced as it was before
import flax.linen as nn
from flax.training.train_state import TrainState

class State(TrainState):
    target: dict

@jax.jit
def update(state, x):
    state = state.apply_gradients(grads=jax.grad(lambda w: jnp.sum(state.apply_fn(w, x)))(state.params))
    if state.step % 2 == 0:  # JAX201
        state = state.replace(target=state.params)
    return state

def main():
    net, x = nn.Dense(2), jnp.ones((1, 3))
    params = net.init(jax.random.key(0), x)
    state = State.create(apply_fn=net.apply, params=params, tx=optax.sgd(0.1), target=params)
    if state.apply_gradients(grads=params).step == 1:
        return update(state, x)

# --- the loss of a function that gives one of several is given for the gradient
def either(params, x):
    return jax.lax.cond(x > 0, lambda p: (p**2).sum(), lambda p: 0.0, params)

def step(params, state, x):
    grads, value = jax.value_and_grad(either)(params, x)
    updates, state = optax.adam(0.1).update(grads, state)  # JAX603
    return updates, state

def main():
    params = {"w": jnp.ones(2)}
    return step(params["w"], optax.adam(0.1).init(params), 1.0)
