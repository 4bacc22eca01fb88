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

# --- the exponential of a magnitude times a negative number
def integral_of_tanh(x):
    return jnp.abs(x) + jnp.log(1 + jnp.exp(-2 * jnp.abs(x))) + jnp.log1p(jnp.exp(jnp.abs(x) / -2))

def bump(x):
    return jnp.log(1 + jnp.exp(-0.5 * x**2)) + jnp.log(1 + jnp.exp(-(x**2))) + jnp.log1p(jnp.exp(-jnp.power(x, 2)))

def main():
    assert jnp.isfinite(integral_of_tanh(BIG) + bump(BIG)).all()

# --- the same of a cube, and times another number
def steep(x):
    return jnp.log(1 + jnp.exp(2 * jnp.abs(x)))  # JAX313

def cubic(x):
    return jnp.log(1 + jnp.exp(-0.5 * x**3))  # JAX313

def main():
    assert jnp.isinf(steep(BIG)[1]) and jnp.isinf(cubic(-BIG)[1])

# --- one less a sigmoid that has a name, and log1p of it
def cross_entropy(logits, labels):
    p = jax.nn.sigmoid(logits)
    return -(1.0 - labels) * jnp.log(1.0 - p)  # JAX313

def failures(x, w):
    return jnp.log1p(-jax.scipy.special.expit(x * w))  # JAX313

def main():
    assert jnp.isinf(cross_entropy(BIG, 0.0)[1]) and jnp.isinf(failures(BIG, 1.0)[1])

# --- one less a sigmoid that is kept from one, and another number less one
def clipped(logits):
    p = jnp.clip(jax.nn.sigmoid(logits), 1e-7, 1 - 1e-7)
    return jnp.log(1 - p) + jnp.log1p(-jnp.minimum(jax.nn.sigmoid(logits), 0.999))

def inside(logits):
    return jnp.log(1 - jax.nn.sigmoid(jnp.clip(logits, -10, 10))) + jnp.log1p(-jax.nn.sigmoid(-jnp.abs(logits)))

def others(logits):
    return jnp.log(2 - jax.nn.sigmoid(logits)) + jnp.log(1 + 1e-6 - jax.nn.sigmoid(logits))

def main():
    assert all(jnp.isfinite(of(BIG)).all() for of in (clipped, inside, others))
