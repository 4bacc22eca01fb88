# Logarithms that lose their digits, and those that were kept from it.
import jax
import jax.numpy as jnp

BIG = jnp.array([0.0, 120.0])

# --- what is inside is computed of something unknown
def loss(w, x, y):
    return jnp.log(1 + jnp.exp(-y * (x @ w)))  # JAX313

def main():
    return loss(jnp.ones(2), BIG, -1.0)

# --- a difference that is divided
def normaliser(x, m, t):
    return jnp.log(jnp.sum(jnp.exp((x - m) / t))) + m / t

def main():
    return normaliser(BIG, 120.0, 2.0)

# --- the same under jit
@jax.jit
def normaliser(x, t):
    z = (x - x.max()) / t
    return jnp.log(jnp.sum(jnp.exp(z))) + x.max() / t

def main():
    return normaliser(BIG, 2.0)

# --- a softmax of a method, and a logarithm of another line
class Policy:
    def __init__(self, w):
        self.w = w

    def probabilities(self, x):
        return jax.nn.softmax(self.w * x)

    def loss(self, x):
        return -jnp.log(jax.nn.softmax(self.w * x)).mean()  # JAX313

def main():
    return Policy(1.0).loss(BIG)

# --- a weighted sum of exponentials is no logsumexp
def main():
    return jnp.log(jnp.sum(jnp.array([1.0, 2.0]) * jnp.exp(BIG / 2)))

# --- the exponential of what is never positive
def cross_entropy(logits, labels):
    return jnp.maximum(logits, 0) - logits * labels + jnp.log(1 + jnp.exp(-jnp.abs(logits)))

def smooth(x, t):
    return jnp.log(1 + jnp.exp(-abs(x) / t)) + jnp.log1p(jnp.exp(-(jnp.square(x) / t)))

def main():
    return cross_entropy(BIG, 1.0) + smooth(BIG, 2.0)

# --- the exponential of an absolute value
def stretched(x):
    return jnp.log(1 + jnp.exp(jnp.abs(x)))  # JAX313

def main():
    return stretched(BIG)
