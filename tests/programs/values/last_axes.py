# Arrays of which the last axes alone are known: what is broadcast loses none of them, whatever it meets.

import jax
import jax.numpy as jnp
from jax import lax

# --- a loss that keeps the axis of what it was given, whatever else it is made of
def temperature_loss(log_alpha, log_prob, target=-1.0):
    return -log_alpha * lax.stop_gradient(log_prob + target)

def update(log_alpha, key):
    log_prob = jax.random.normal(key, (16, 2)).sum(-1)
    return jax.grad(temperature_loss)(log_alpha, log_prob)  # JAX601

def main():
    return update(jnp.float32(0.0), jax.random.key(0))

# --- its mean
def temperature_loss(log_alpha, log_prob, target=-1.0):
    return -jnp.mean(log_alpha * lax.stop_gradient(log_prob + target))

def update(log_alpha, key):
    log_prob = jax.random.normal(key, (16, 2)).sum(-1)
    return jax.grad(temperature_loss)(log_alpha, log_prob)

def main():
    return update(jnp.float32(0.0), jax.random.key(0))

# --- a mean over the second axis leaves the first, whatever the array is
def loss(params, x, y):
    return jnp.mean((x @ params - y) ** 2, axis=1)

def step(params, x, y):
    return jax.value_and_grad(loss)(params, x, y)  # JAX601

def main():
    return step(jnp.ones((3, 2)), jnp.ones((5, 3)), jnp.ones((5, 2)))

# --- a mean over the last axis may leave none
def loss(params, x, y):
    return jnp.mean((x @ params - y) ** 2, axis=-1)

def step(params, x, y):
    return jax.value_and_grad(loss)(params, x, y)

def main():
    return step(jnp.ones((3, 2)), jnp.ones(3), jnp.ones(2))

# --- what a convolution gives, without the first two axes
def corrected(params, image):
    return jax.nn.relu(lax.conv(image[None, None], params, (1, 1), "SAME"))[0, 0]

@jax.jit
def step(params, image, target):
    return jax.grad(lambda p: (corrected(p, image) - target) ** 2)(params)  # JAX601

def main():
    return step(jnp.ones((1, 1, 3, 3)), jnp.ones((8, 8)), jnp.ones((8, 8)))

# --- pairs of one array, summed over the coordinates only
@jax.jit
def forces(positions):
    def energy(x):
        return jnp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)

    return jax.grad(energy)(positions)  # JAX601

def main():
    return forces(jnp.ones((4, 3)))

# --- pairs of one array, summed
@jax.jit
def forces(positions):
    def energy(x):
        return jnp.sum((x[:, None, :] - x[None, :, :]) ** 2)

    return jax.grad(energy)(positions)

def main():
    return forces(jnp.ones((4, 3)))

# --- a carry that starts as a number and is joined with rows
def total(weights):
    return lax.scan(lambda carry, _: (carry + weights[:, None], None), jnp.float32(0.0), None, length=3)  # JAX702

def main():
    return jax.jit(total)(jnp.ones(3))

# --- a carry that starts as a number and takes the number of an array
def total(weights):
    def body(carry, _):
        return carry + weights[:, None][0, 0], None

    return lax.scan(body, jnp.float32(0.0), None, length=3)[0]

def main():
    return jax.jit(total)(jnp.ones(3))

# --- a branch that gives an array where the other gives a number
@jax.jit
def chosen(flag, x):
    return lax.cond(flag, lambda: x * jnp.ones(3), lambda: 0.0)  # JAX704

def main():
    return chosen(True, 2.0)

# --- a branch for a predicate with an axis
@jax.jit
def chosen(x, y):
    return lax.cond(x[..., None] > 0, lambda: y, lambda: -y)  # JAX704

def main():
    return chosen(jnp.ones(3), 1.0)

# --- what one lane of a map has of them
def loss(w, row):
    return w * row

@jax.jit
def slopes(w, x):
    rows = x * jnp.ones((4, 3))
    return jax.vmap(jax.grad(lambda row: loss(w, row)))(rows[0])

def main():
    return slopes(2.0, 1.0)

# --- what one lane of a map has of them, which is a row
@jax.jit
def slopes(w, x):
    rows = x * jnp.ones((4, 3))
    return jax.vmap(jax.grad(lambda row: w * row))(rows)  # JAX601

def main():
    return slopes(2.0, 1.0)

# --- a known array that is as long in one way and as short in another
@jax.jit
def slopes(w, x, flag):
    rows = jnp.ones(3) if x is None else jnp.float32(1.0)
    return jax.grad(lambda w: w * rows)(w)

def main():
    return slopes(2.0, 1.0, True)

# --- scalars that a vectorised function is given of arrays, with and without arguments that are none
def density(x, scale):
    return jnp.exp(-x * scale)

def main():
    x = jnp.ones((3, 4))
    by_scale = jnp.vectorize(jax.grad(density, argnums=1), signature="(),()->()")
    excluded = jnp.vectorize(jax.grad(lambda x, scale, how: density(x, scale)), excluded=(2,))
    return by_scale(x, x[0]), excluded(x, x[0], "plain")

# --- lanes of axes that nobody knows
def slopes(x, axes):
    return jax.vmap(jax.grad(lambda row: row * 2.0), in_axes=axes)(x * jnp.ones(3))

def main():
    return slopes(2.0, 0)

# --- what each row has picked, which is no mean yet
def loss(logits, labels):
    logp = jax.nn.log_softmax(logits)
    return -logp[jnp.arange(labels.shape[0]), labels]

def mean_loss(logits, labels):
    return loss(logits, labels).mean()

def picked_loss(logits, labels):
    logp = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(logp, labels[:, None], axis=1)[:, 0]

@jax.jit
def step(logits, labels):
    fine = jax.grad(mean_loss)(logits, labels)
    return fine - 0.1 * jax.grad(loss)(logits, labels)  # JAX601

def main():
    return step(jnp.ones((3, 4)), jnp.arange(3))

# --- the same by a function that keeps the axes
def loss(logits, labels):
    logp = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(logp, labels[:, None], axis=1)[:, 0]

@jax.jit
def step(logits, labels):
    return jax.grad(loss)(logits, labels)  # JAX601

def main():
    return step(jnp.ones((3, 4)), jnp.arange(3))

# --- what one row has picked, in each lane of a map, and by a number
def loss(logits, label):
    return -jax.nn.log_softmax(logits)[label]

@jax.jit
def steps(logits, labels):
    first = jax.grad(lambda row: -jax.nn.log_softmax(row)[labels[0]])(logits[0])
    return jax.vmap(jax.grad(loss))(logits, labels), first

def main():
    return steps(jnp.ones((3, 4)), jnp.arange(3))

# --- data of NumPy, whose shape is written
import numpy as np

RNG = np.random.default_rng(0)
X = jnp.asarray(RNG.normal(size=(100, 3)), dtype=jnp.float32)

def outputs(w):
    return jax.grad(lambda w: X @ w)(w)  # JAX601

def main():
    return outputs(jnp.zeros(3))

# --- lanes of data of NumPy, of different sizes
import numpy as np

def main():
    return jax.vmap(lambda a, b: a + b)(np.ones((4, 3)), np.zeros(5))  # JAX707

# --- lanes and rows of data of NumPy
import numpy as np

X = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)

def body(total, x):
    return total + x, None

def main():
    lanes = jax.vmap(jax.grad(lambda x: jnp.sum(x**2)))(X), jax.vmap(lambda x, y: x + y)(X, np.zeros(5, np.float32))
    columns = jax.vmap(lambda x: x.sum(), in_axes=1)(X), jax.vmap(jax.grad(lambda a: 2 * a))(np.random.randn(3))
    return lanes, columns, jax.lax.scan(body, jnp.zeros(3), X), jax.lax.scan(body, 0.0, X[:, 0])

# --- parts of data of NumPy, of different sizes
import numpy as np

def outputs(xs, ys):
    return jax.vmap(lambda a, b: a + b)(xs[:, 0], ys[1:])  # JAX707

def main():
    return outputs(np.ones((4, 3)), np.zeros(4))

# --- parts of data of NumPy, of the same size or of one that nobody knows, and entries
import numpy as np

def outputs(xs, ys, n):
    pairs = jax.vmap(lambda a, b: a + b)(xs[1:, 0], ys[1:]), jax.vmap(lambda a, b: a + b)(xs[:n, 0], ys[-3:])
    return pairs, jax.vmap(lambda a, b: a + b, in_axes=(0, None))(xs[::2], xs[0, 1]), ys[np.arange(2)]

def main():
    return outputs(np.ones((4, 3)), np.zeros(4), 3)

# --- a loss of optax for each row of what has rows
import optax

def td_loss(params, batch):
    observations, actions, rewards = batch
    values = jnp.take_along_axis(jnp.tanh(observations @ params), actions[:, None], axis=1)[:, 0]
    return optax.huber_loss(values, rewards)

class Agent:
    def __init__(self, params):
        self.params = params

    def learn(self, batch):
        return jax.grad(td_loss)(self.params, batch)  # JAX601

def main():
    Agent(jnp.ones((2, 3))).learn((jnp.ones((5, 2)), jnp.zeros(5, int), jnp.ones(5)))

# --- a loss of optax that is reduced, of one row, or of rows that may be one
import optax

def reduced(params, x, y):
    return optax.huber_loss((x @ params)[:, 0], y).mean()

def of_row(params, x, y):
    return optax.softmax_cross_entropy(jnp.stack([jnp.sum(x * params), 1.0]), y)

def of_any(params, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(jnp.tanh(x @ params), y)

def one(params, y):
    return optax.l2_loss(params[0], y)

def main():
    w = jnp.ones((2, 3))
    slopes = jax.grad(reduced)(w, jnp.ones((5, 2)), jnp.ones(5)), jax.grad(of_row)(w, w, jnp.ones(2))
    return slopes, jax.grad(of_any)(w, jnp.ones(2), 1), jax.grad(one)(jnp.ones(2), 1.0)

# --- arrays of NumPy whose numbers are spaced by a factor, divided or not, are no numbers
import jax
import jax.numpy as jnp
import numpy as np

def response(frequencies):
    return jax.vmap(lambda omega: 2.0 * omega)(jnp.asarray(frequencies))

def main():
    periods = np.logspace(-1.0, 1.0, 5)
    response(1.0 / periods), response(np.geomspace(1.0, 2.0, 5) / 3), response(2.0 * np.pi / np.hanning(5)[1:4])
    jax.vmap(lambda omega: 2.0 * omega)(jnp.asarray(1 / np.pi))  # JAX707
