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
