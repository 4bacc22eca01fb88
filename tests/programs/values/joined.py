# Lists beside an operator: what Python joins and repeats, what NumPy computes with, and what JAX refuses.
import jax
import jax.numpy as jnp
import numpy as np

ONES = jnp.ones(2)

# --- an argument between two lists
@jax.jit
def path(first, inner, last):
    return jnp.stack([first] + inner + [last])

def longer(rows, row):
    return rows + [row] + [row]

def main():
    return path(ONES, [ONES, ONES], ONES), jax.jit(longer)([ONES], ONES)

# --- what was an argument between two lists is taken for an array
@jax.jit
def path(first, inner, last):
    return jnp.sum([first] + inner + [last])  # JAX308

def main():
    return path(ONES, [ONES, ONES], ONES)

# --- an argument is an array, by what is done with it
@jax.jit
def path(first, inner):
    inner = jnp.sin(inner)
    return [first] + inner  # JAX308

def main():
    return path(ONES, ONES)

# --- a list times an array of NumPy
def residual(weights, target):
    return weights - target

def main():
    x = 10 * np.random.rand(5, 3)
    target = [2, 3, -1] * x + 2
    return jax.jit(residual)(jnp.ones(3), target) + jnp.ones(3) * ((1, 2, 3) + x) * ([1, 2, 3] < x)

# --- a list times a number
def residual(weights, target):
    return weights - target  # JAX308

def main():
    target = [2, 3, -1] * 2
    return residual(jnp.ones(6), target)

# --- a method that a function which gives no function is put above
def difference(predicted, target):
    return jnp.mean((predicted - target) ** 2)

def main():
    try:
        class Scaled:
            @jax.jvp
            def __call__(self, x, v):
                return x, v
    except TypeError:
        return None
    return difference(Scaled()(ONES, ONES), ONES)

# --- a method that gives a pair
def difference(predicted, target):
    return jnp.mean((predicted - target) ** 2)  # JAX308

def main():
    class Scaled:
        def __call__(self, x, v):
            return x, v

    return difference(Scaled()(ONES, ONES), ONES)

# --- a list that is multiplied by an array, where a number was meant
def main():
    counts = [2, 3]
    assert counts * len(counts) == [2, 3, 2, 3]
    return counts * jnp.array(2)  # JAX308

# --- a field of equinox with a converter, of a class that has a constructor of its own
import equinox as eqx

class Arm(eqx.Module):
    lengths: jax.Array = eqx.field(converter=jnp.asarray)
    names: tuple

    def __init__(self, lengths=(0.3, 0.2)):
        self.lengths = lengths
        self.names = (1.0, 2.0)

    def reach(self, angle):
        return self.lengths * jnp.cos(angle)

    def named(self, angle):
        return self.names * jnp.cos(angle)  # JAX308

def main():
    arm = Arm()
    arm.reach(jnp.ones(2))
    return arm.named(jnp.ones(2))

# --- a tuple that was asked for its shape before
@jax.jit
def scaled(state, x):
    width = state.shape[-1]
    return state * x + width

def main():
    try:
        return scaled((jnp.ones(2), jnp.zeros(2)), ONES)
    except AttributeError:
        return scaled(ONES, ONES)

# --- a tuple of which is asked whether it has a shape
@jax.jit
def scaled(state, x):
    if hasattr(state, "shape"):
        return state * x
    return state[0] * x

@jax.jit
def refused(state, x):
    return state * x  # JAX308

def main():
    scaled((jnp.ones(2), jnp.zeros(2)), ONES)
    return refused((jnp.ones(2), jnp.zeros(2)), ONES)
