# Copies that nobody keeps, of objects of which little or nothing is known.

import jax
import jax.numpy as jnp

# --- an update of what only a jax array can be
def update(table, s, a, target):
    index = (s, a)
    table.at[index].add(target - table[index])  # JAX302 certain
    table = table.at[index].multiply(0.9)
    return table

# --- a cell of something else is set, or looked at
def update(frame, i):
    frame.at[i, "a"] = 3
    frame.at[i, "names"].append("b")
    return frame.at[i, "a"].add(3)

# --- what is put on a device is another array
def place(batch, sharding):
    jax.device_put(batch, sharding)  # JAX303 certain
    return batch

def placed(batch, sharding):
    jax.block_until_ready(batch)
    return jax.device_put(batch, sharding)

# --- a record that is traced, or a named tuple
@jax.jit
def step(state, x):
    def loss(params):
        y, new = state.apply_fn(params, x)
        state.replace(stats=new)  # JAX303 certain
        return y.mean()

    return state.replace(params=jax.grad(loss)(state.params))

def advance(state):
    state._replace(step=state.step + 1)  # JAX303 certain
    return state

# --- a table that changes, a text, and something unknown that has such a method
def clean(frame, text, table):
    frame.replace(1, 2, inplace=True)
    text = text.replace("a", "b")
    table.replace(column=3)
    return frame, text, table

# --- a record of which nothing is known but that an array, or what it has itself in that field, is put in by name
class Agent:
    def learn(self, gradients):
        self.state.apply_gradients(grads=gradients)  # JAX303 likely
        return self.state

def clamp(state):
    state.replace(x=jnp.clip(state.x, -1.0, 1.0))  # JAX303 likely
    state.replace(step=state.step + 1)  # JAX303 likely
    return state

@jax.jit
def step(state, gradients):
    state.apply_gradients(grads=gradients)  # JAX303 likely
    return state

# --- a frame that is changed in place, a file that is moved, what nobody can see, and gradients in another form
def clean(frame, path, target, changes, optimiser, pairs):
    frame.replace(value=jnp.ones(2), to_replace=1, inplace=True)
    path.replace(target=target)
    frame.replace(**changes)
    optimiser.apply_gradients(pairs)

# --- a record whose own method changes it
class Record:
    def replace(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)

    def apply_gradients(self, grads):
        self.params = grads

def set_both(record, x, gradients):
    record.replace(x=jnp.sin(x))
    record.apply_gradients(grads=gradients)

# --- a method of a record that gives a changed copy
from flax import struct

@struct.dataclass
class Meter:
    total: jax.Array
    count: int = 0

    def add(self, value):
        """Adds a value."""
        total = self.total + scaled(value)
        if self.count > 10:
            return self.replace(total=total)
        return self.replace(total=total, count=self.after(1))

    def after(self, steps):
        return self.count + steps

    def reset(self):
        return type(self)(jnp.zeros_like(self.total))

def scaled(value):
    return jnp.asarray(value) * 2

def run(meter: Meter, values):
    for value in values:
        meter.add(value)  # JAX303 certain
    meter.reset()  # JAX303 certain
    return meter.add(0.0)

# --- a method of a named tuple, and of an equinox module, that gives a changed copy
import equinox as eqx
from typing import NamedTuple

class Carry(NamedTuple):
    count: int

    def following(self):
        return self._replace(count=self.count + 1)

class Layer(eqx.Module):
    weight: jax.Array

    def normalized(self):
        return eqx.tree_at(lambda layer: layer.weight, self, self.weight / jnp.linalg.norm(self.weight))

def run(carry: Carry, layer: Layer):
    carry.following()  # JAX303 certain
    layer.normalized()  # JAX303 certain
    return carry, layer

# --- a step of a train state that is declared to be one
from flax.training.train_state import TrainState

@jax.jit
def step(state: TrainState, gradients):
    state.apply_gradients(grads=gradients)  # JAX303 certain
    return state

# --- a method of a record that does, or may do, more than to give a copy
from flax import struct

SEEN = []

def seen(value):
    SEEN.append(value)
    return value

@struct.dataclass
class Meter:
    total: jax.Array
    log: list
    scale: object

    def logged(self):
        self.log.append(self.total)
        return self.replace(total=self.total + 1)

    def noted(self):
        return self.replace(total=seen(self.total))

    def scaled(self):
        return self.replace(total=self.scale(self.total))

    def mapped(self):
        return self.replace(total=jax.tree.map(self.scale, self.total))

    def checked(self):
        assert self.total is not None
        return self.replace(total=self.total)

    def written(self):
        self.log[0] = self.total
        return self.replace(total=self.total)

    def grown(self):
        log = self.log
        log += [self.total]
        return self.replace(total=self.total)

    @property
    def loud(self):
        print("read")
        return self.total

    def read(self):
        return self.replace(total=self.loud)

    def overridden(self):
        return self.replace(total=self.total + 1)

class Printing(Meter):
    def overridden(self):
        print("step")
        return self

def run(meter: Meter):
    meter.logged()
    meter.noted()
    meter.scaled()
    meter.mapped()
    meter.checked()
    meter.written()
    meter.grown()
    meter.read()
    meter.overridden()
    return meter

# --- a compiled method may be called so that it is compiled
from flax import struct

@struct.dataclass
class Meter:
    total: jax.Array

    @jax.jit
    def add(self, value):
        return self.replace(total=self.total + value)

def run(meter: Meter):
    meter.add(0.0)
    return meter

# --- an update of an optimiser that is made of numbers
import optax

tx = optax.adam(1e-3)
chain = optax.chain(optax.clip(1.0), optax.sgd(0.1, momentum=0.9))

def step(grads, state, params):
    tx.update(grads, state, params)  # JAX303 certain
    chain.update(grads, state)  # JAX303 certain
    return params, state

# --- an update of an optimiser that is used, or that calls what nobody has seen
import optax
from elsewhere import logged

tx = optax.adam(1e-3)
told = optax.adam(logged)

def step(grads, state, params):
    told.update(grads, state, params)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state

# --- an optimiser's new state that a loop goes on without, and gradients that are added in place of the updates
import equinox as eqx
import optax

def train(optimiser, params, gradient, batches):
    state = optimiser.init(params)
    for batch in batches:
        grads = gradient(params, batch)
        updates, new_state = optimiser.update(grads, state, params)  # JAX303 likely
        params = eqx.apply_updates(params, updates)
    return params

class Trainer:
    def step(self, params, state, batch):
        loss, grads = self.value_and_grad(params, batch)
        updates, state = self.optimiser.update(grads, state, params)
        return optax.apply_updates(params, grads), state, loss  # JAX303 likely

# --- an optimiser's new state that nobody wants: of one that goes by what it has seen, in a loop
import optax

def train(params, gradient, batches):
    tx = optax.adam(1e-3)
    state = tx.init(params)
    for batch in batches:
        updates, _ = tx.update(gradient(params, batch), state)  # JAX303 likely
        params = optax.apply_updates(params, updates)
    return params

def descend(params, gradient, batches):
    tx = optax.sgd(1e-3)
    state = tx.init(params)
    for batch in batches:
        updates, _ = tx.update(gradient(params, batch), state)
        params = optax.apply_updates(params, updates)
    return params

def of_whatever(tx, params, gradient, batches):
    state = tx.init(params)
    for batch in batches:
        updates, _ = tx.update(gradient(params, batch), state)
        params = optax.apply_updates(params, updates)
    return params

def made(optimiser):
    def step(params, state, grads):
        updates, _ = optimiser.update(grads, state, params)  # JAX303 likely
        return optax.apply_updates(params, updates), state

    return step

def stepped(params, state, grads):
    return made(optax.adamw(1e-3))(params, state, grads)

def scanned(params, gradient, batches):
    tx = optax.adam(1e-3)

    def body(carry, batch):
        grads = gradient(carry.params, batch)
        updates, state = tx.update(grads, carry.state)
        return carry._replace(params=optax.apply_updates(carry.params, grads), state=state), None  # JAX303 likely

    return body

def each_from_the_start(params, gradient, batches):
    tx = optax.adam(1e-3)
    state = tx.init(params)
    found = []
    for batch in batches:
        updates, _ = tx.update(gradient(params, batch), state)
        found.append(optax.apply_updates(params, updates))
    return found

# --- an optimiser's new state that is kept, kept if all is finite, or of no use after one update
import optax

def train(optimiser, params, gradient, batches):
    state = optimiser.init(params)
    for batch in batches:
        grads = gradient(params, batch)
        updates, new_state = optimiser.update(grads, state, params)
        params, state = optax.apply_updates(params, updates), new_state
    return params

def careful(optimiser, params, state, grads, is_finite):
    updates, new_state = optimiser.update(grads, state, params)
    if is_finite:
        return optax.apply_updates(params, updates), new_state
    return params, state

def once(optimiser, params, grads):
    state = optimiser.init(params)
    updates, new_state = optimiser.update(grads, state, params)
    return optax.apply_updates(params, updates)

def twice(first, second, params, grads, state):
    grads, other = first.update(grads, state[0])
    updates, last = second.update(grads, state[1])
    return optax.apply_updates(params, updates), (other, last)

# --- what the modules of JAX do not have gives no result
def seeded(seed, n):
    jax.random.seed(seed)
    jnp.seed(seed)
    jax.nn.Dense(n)
    return jax.random.normal(jax.random.key(seed), (n,))

# --- what they have gives one
def seeded(seed, x):
    jax.random.permutation(jax.random.key(seed), x)  # JAX303 certain
    jax.nn.softmax(x)  # JAX303 certain
    return x
