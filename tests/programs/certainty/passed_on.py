# Attributes that only what the same trace runs next reads.

# --- read by what the trace runs next
# file: model.py
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        self.hidden = jnp.tanh(x)  # JAX107 possible
        return self.head() + self.hidden.sum()

    def head(self):
        return self.hidden * 2

# --- read by what others run, too
# file: model.py
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        self.hidden = jnp.tanh(x)  # JAX107 certain
        return self.head()

    def head(self):
        return self.hidden * 2


def show(model, x):
    model.forward(x)
    return model.head()

# --- read by another method, before it is set, and by nobody
# file: model.py
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        self.hidden = jnp.tanh(x)  # JAX107 certain
        self.last = x  # JAX107 certain
        scale = self.scale
        self.scale = scale * x.max()  # JAX107 certain
        return self.head()

    def head(self):
        return self.hidden * 2

    def report(self):
        return self.hidden.mean()

# --- set back at the beginning of each episode, under the trace and outside
# file: control.py
import jax


class Controller:
    def __init__(self):
        self.gain = 1.0
        self.error = 0.0
        self.steps = 0

    def reset(self):
        self.error = 0.0
        self.steps = 0

    def set_gain(self, gain):
        self.gain = gain  # JAX107 possible

    def control(self, error):
        change = error - self.error
        self.error = error  # JAX107 possible
        self.steps += 1  # JAX105 possible
        return self.gain * change

    def mean(self):
        return self.error / self.steps
# file: train.py
import jax

from control import Controller


class Trainer:
    def __init__(self, controller: Controller):
        self.controller = controller
        self.slope = jax.jit(jax.grad(self.episode))

    def episode(self, gain):
        self.controller.reset()
        self.controller.set_gain(gain)
        error = gain
        for _ in range(3):
            error = error - self.controller.control(error)
        return self.controller.mean()

    def train(self, gain):
        for _ in range(10):
            gain = gain - self.slope(gain)
            self.controller.set_gain(gain)
        return gain

    def show(self):
        self.controller.reset()
        return self.controller.gain, self.controller.control(1.0)


def main():
    trainer = Trainer(Controller())
    return trainer.train(1.0), trainer.show()

# --- set back by nobody outside the trace, and by nobody at all
# file: control.py
import jax


class Controller:
    def __init__(self):
        self.error = 0.0
        self.total = 0.0

    def reset(self):
        self.error = 0.0

    def control(self, error):
        change = error - self.error
        self.error = error  # JAX107 certain
        self.total = self.total + change  # JAX107 certain
        return change


class Trainer:
    def __init__(self):
        self.controller = Controller()
        self.slope = jax.jit(jax.grad(self.episode))

    def episode(self, gain):
        self.controller.reset()
        error = gain
        for _ in range(3):
            error = error - self.controller.control(error)
        return error

    def show(self, gain):
        return self.slope(gain), self.controller.error


def main():
    return Trainer().show(1.0)

# --- an array that is donated in each pass but the last, by who is told which that is
# file: grids.py
import jax
import jax.numpy as jnp

over = jax.jit(lambda u, rate: rate * u, donate_argnums=0)
fresh = jax.jit(lambda u, rate: rate * u)


def advance(u, rate, keep):
    if keep:
        return fresh(u, rate)
    return over(u, rate)


def sweep(rates):
    u = jnp.ones(3)
    grids = []
    for i, rate in enumerate(rates):
        last = i == len(rates) - 1
        grids.append(advance(u, rate, keep=last))  # JAX508 likely
    return grids


def sweep_and_keep(rates):
    u = jnp.ones(3)
    grids = []
    for i, rate in enumerate(rates):
        last = i == len(rates) - 1
        grids.append(advance(u, rate, keep=not last))
    return grids
