# What a method takes and gives that derived classes replace.

import jax
import jax.numpy as jnp
import numpy as np

SCALAR = jax.ShapeDtypeStruct((), jnp.float32)

# --- a callback that a derived class replaces
class Env:
    def observed(self, x):
        return None

    def reward(self, x):
        return np.float32(x), np.float32(x)

    def step(self, x):
        return jax.pure_callback(self.observed, SCALAR, x), jax.pure_callback(self.reward, SCALAR, x)

class Walker(Env):
    def observed(self, x):
        return np.float32(x)

    def reward(self, x):
        return np.float32(x)

def main():
    return Walker().step(jnp.float32(1))

# --- a callback that no class replaces
class Env:
    def reward(self, x):
        return np.float32(x), np.float32(x)

    def step(self, x):
        return jax.pure_callback(self.reward, SCALAR, x)  # JAX713

class Walker(Env):
    def observed(self, x):
        return np.float32(x)

def main():
    return 0

# --- the condition and the body of a loop that a derived class replaces
class Loop:
    def goes_on(self, c):
        return None

    def body(self, c):
        return c, c

    def run(self, x):
        x = jax.lax.while_loop(self.goes_on, lambda c: c + 1, x)
        x = jax.lax.while_loop(lambda c: self.goes_on(c), lambda c: c + 1, x)
        return jax.lax.fori_loop(0, 3, lambda i, c: self.body(c), jnp.float32(x))

class Count(Loop):
    def goes_on(self, c):
        return c < 10

    def body(self, c):
        return c + 1

def main():
    return Count().run(jnp.float32(1))

# --- the condition of a loop that no class replaces
class Loop:
    def goes_on(self, c):
        return None

    def run(self, x):
        return jax.lax.while_loop(self.goes_on, lambda c: c + 1, x)  # JAX706

def main():
    return Loop().run(1.0)

# --- a loss that a derived class replaces
class Model:
    def loss(self, w):
        return w, w

    def penalty(self, w):
        return jnp.round(w)

    def gradients(self, w):
        value, pull = jax.vjp(self.penalty, w)
        return jax.grad(self.loss)(w), jax.grad(self.penalty)(w), pull(value)

class Square(Model):
    def loss(self, w):
        return w * w

    def penalty(self, w):
        return w * w

def main():
    return Square().gradients(jnp.float32(1))

# --- a penalty that no class replaces
class Model:
    def penalty(self, w):
        return jnp.round(w)

    def gradients(self, w):
        return jax.grad(self.penalty)(w)  # JAX607

class Square(Model):
    def loss(self, w):
        return w * w

def main():
    return Square().gradients(jnp.float32(1))

# --- the parameters of a step that a derived class replaces
class Steps:
    def step(self, c):
        return c

    def run(self, xs):
        return jax.lax.scan(self.step, 0.0, xs)

class Sums(Steps):
    def step(self, c, x):
        return c + x, x

def main():
    return Sums().run(jnp.arange(3.0))

# --- the parameters of a step that no class replaces
class Steps:
    def step(self, c):
        return c

    def run(self, xs):
        return jax.lax.scan(self.step, 0.0, xs)  # JAX701

def main():
    return Steps().run(jnp.arange(3.0))

# --- a callback that is given all lanes at once
def norms(x):
    return jnp.linalg.norm(x.reshape(-1, 4), axis=-1)

def norm(x):
    return jax.pure_callback(norms, SCALAR, x, vmap_method="expand_dims")

def norm_by(x, method):
    return jax.pure_callback(norms, SCALAR, x, vmap_method=method)

def main():
    x = jnp.ones((5, 4))
    return jax.vmap(norm)(x), jax.vmap(lambda x: norm_by(x, "broadcast_all"))(x)

# --- a callback that is given one lane after the other
def norms(x):
    return jnp.linalg.norm(x.reshape(-1, 4), axis=-1)

def norm(x):
    return jax.pure_callback(norms, SCALAR, x, vmap_method="sequential")  # JAX713

def lanes():
    return jax.vmap(norm)(jnp.ones((5, 4)))

def main():
    return 0
