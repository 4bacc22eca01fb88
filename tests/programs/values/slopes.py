# Gradients of what has no slope at zero, and what guards against it in time.
import jax
import jax.numpy as jnp

X = jnp.array([0.0, 1.0])

# --- the condition is a variable, and the logarithm another
def loss(p):
    is_positive = p > 0
    logp = jnp.log(p)
    return jnp.sum(jnp.where(is_positive, logp, 0.0))  # JAX605

def main():
    return jax.grad(loss)(X)

# --- a helper that two others call, of which one is differentiated
def safe_log(x):
    return jnp.where(x > 0, jnp.log(x), 0.0)  # JAX605

def entropy(p):
    return -jnp.sum(p * safe_log(p))

def main():
    return safe_log(X), jax.grad(entropy)(X)

# --- a helper that nobody differentiates
def safe_log(x):
    return jnp.where(x > 0, jnp.log(x), 0.0)

def main():
    return safe_log(X), jax.jit(safe_log)(X)

# --- the argument that is differentiated is the second
def loss(y, p):
    return jnp.sum(jnp.where(y > 0, jnp.log(y), 0.0) + jnp.where(p == 0, 0.0, 1 / p))  # JAX605

def main():
    return jax.grad(loss, argnums=1)(X, X)

# --- the data is not differentiated
def loss(p, y):
    return jnp.sum(p * jnp.where(y > 0, jnp.log(y), 0.0))

def main():
    return jax.jit(jax.value_and_grad(loss))(X, X)

# --- under jit, vmap and grad
def loss(p):
    return jnp.where((p > 0) & (p < 1), jnp.sqrt(p), 1.0)  # JAX605

def main():
    return jax.jit(jax.vmap(jax.grad(loss)))(X)

# --- a condition that is negated
def loss(p):
    return jnp.sum(jnp.where(~(p > 0), 0.0, jnp.log(p)))  # JAX605

def main():
    return jax.grad(loss)(X)

# --- the condition excludes another number
def loss(p):
    return jnp.sum(jnp.where(p < 5, jnp.log(p), 0.0))

def main():
    return jax.grad(loss)(X)

# --- what is not finite is looked for
def loss(p):
    logp = jnp.log(p)
    return jnp.sum(jnp.where(jnp.isfinite(logp), logp, 0.0))  # JAX605

def main():
    return jax.grad(loss)(X)

# --- a number is added inside
def loss(p):
    return jnp.sum(jnp.where(p > 0, jnp.log(p + 1e-9), 0.0) + jnp.where(p > 0, p / (p + 1e-9), 0.0))

def main():
    return jax.grad(loss)(X)

# --- params in a dict, and a norm with a bound
def loss(params):
    w = params["w"]
    return jnp.sum(w / jnp.clip(jnp.linalg.norm(w), 1e-6))  # JAX606

def main():
    return jax.grad(loss)({"w": 0 * X})

# --- the bound is inside
def loss(params):
    w = params["w"]
    return jnp.sum(w / jnp.sqrt(jnp.maximum(jnp.sum(w**2), 1e-6)))

def main():
    return jax.grad(loss)({"w": 0 * X})

# --- pairs of two axes in the middle
def energy(r):
    d = r[:, None, :] - r[None, :, :]
    return jnp.linalg.norm(d, axis=-1).sum()  # JAX606

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- pairs with the same axis are no pairs
def energy(r):
    d = r[:, None] - r[:, None]
    return jnp.sum(d)

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- pairs whose diagonal is taken out first
def energy(r):
    d = r[:, None] - r[None]
    i, j = jnp.triu_indices(3, 1)
    return jnp.linalg.norm(d[i, j], axis=-1).sum()

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- a logarithm of a quotient
def divergence(p, q):
    return jnp.sum(jnp.where(p == 0, 0.0, p * jnp.log(p / q)))  # JAX605

def main():
    return jax.grad(divergence)(X, X + 1)

# --- the root of two squares
def loss(p):
    r = jnp.sqrt(p[0] ** 2 + p[1] ** 2)  # JAX606
    return jnp.where(r > 0, p[0] / r, 0.0)

def main():
    return jax.grad(loss)(0 * X)

# --- a root that is a power
def energy(r):
    squared = jnp.square(r[:, None] - r[None]).sum(axis=-1)
    return jnp.sum(squared**0.5)  # JAX606

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- squares summed by einsum
def energy(r):
    d = r[:, None] - r[None]
    return jnp.sum(jnp.sqrt(jnp.einsum("ijk,ijk->ij", d, d)))  # JAX606

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- the standard deviation of what may be constant
def standardised(x):
    scale = x.std()  # JAX606
    return jnp.sum(jnp.where(scale > 0, x / scale, 0.0) ** 3)

def main():
    return jax.grad(standardised)(jnp.ones(3))

# --- an angle at the end of its range
def angle(c):
    return jnp.sum(jnp.where(jnp.abs(c) < 1, jnp.arccos(c), 0.0))  # JAX605

def main():
    return jax.grad(angle)(X)

# --- a helper gives the condition and the logarithm
def parts(p):
    return p > 0, jnp.log(p)

def loss(p):
    is_positive, logp = parts(p)
    return jnp.sum(jnp.where(is_positive, logp, 0.0))  # JAX605

def main():
    return jax.grad(loss)(X)

# --- a helper gives the logarithm of what is guarded
def parts(p):
    return p > 0, jnp.log(jnp.where(p > 0, p, 1.0))

def loss(p):
    is_positive, logp = parts(p)
    return jnp.sum(jnp.where(is_positive, logp, 0.0))

def main():
    return jax.grad(loss)(X)

# --- pairs of which the nearest images are taken
def displacement(r, box):
    d = r[:, None] - r[None]
    return d - box * jnp.round(d / box)

def energy(r, box=2.0):
    d = displacement(r, box)
    return jnp.sqrt(jnp.sum(d**2, axis=-1)).sum()  # JAX606

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- pairs of which the nearest images are taken, behind a condition
def energy(r, box=2.0):
    d = r[:, None] - r[None]
    d -= box * jnp.floor(d / box)
    distance = jnp.sqrt(jnp.sum(d**2, axis=-1))  # JAX606
    return jnp.where(distance > 0, distance**-6, 0.0).sum()

def main():
    return jax.grad(energy)(jnp.ones((3, 2)))

# --- pairs that are shifted by what is not zero with them, and the nearest images of others
def shifted(r, box=2.0):
    d = r[:, None] - r[None]
    d = d - box * jnp.round(d / box + 1.0)
    return jnp.sqrt(jnp.sum(d**2, axis=-1)).sum()

def energy(r, box=2.0):
    i, j = jnp.triu_indices(3, 1)
    d = (r[:, None] - r[None])[i, j]
    d = d - box * jnp.round(d / box)
    return jnp.sqrt(jnp.sum(d**2, axis=-1)).sum()

def main():
    r = jnp.arange(6.0).reshape(3, 2) / 4
    return jax.grad(shifted)(r), jax.grad(energy)(r)

# --- the only way from the weights to the loss is stopped, through a helper and with data that nobody knows
def fake(generator, z):
    return jnp.tanh(z @ generator)

def loss(generator, critic, z):
    made = jax.lax.stop_gradient(fake(generator, z))
    return -(made @ critic).mean()

def step(generator, critic, z):
    return generator - 0.1 * jax.grad(loss)(generator, critic, z)  # JAX607

def main():
    assert (step(jnp.ones((2, 3)), jnp.ones(3), jnp.ones(2)) == 1).all()

# --- the other player is stopped, and a way to the weights is left
def fake(generator, z):
    return jnp.tanh(z @ generator)

def loss(critic, generator, z, real):
    made = jax.lax.stop_gradient(fake(generator, z))
    return (made @ critic).mean() - (real @ critic).mean()

def bootstrapped(critic, z, real):
    target = jax.lax.stop_gradient(z @ critic)
    return ((real @ critic - target) ** 2).mean()

def estimated(mean, z, reward):
    drawn = jax.lax.stop_gradient(mean + z)
    return (-((drawn - mean) ** 2) * jax.lax.stop_gradient(reward(drawn))).mean()

def step(critic, generator, z, real, reward=jnp.sum):
    yield jax.grad(loss)(critic, generator, z, real)
    yield jax.grad(bootstrapped)(critic, jnp.ones((4, 3)), real)
    yield jax.grad(estimated)(critic, real + 1, reward)

def main():
    for slope in step(jnp.ones(3), jnp.ones((2, 3)), jnp.ones(2), jnp.zeros(3) + 2):
        assert slope.all()

# --- a step in a function that is an argument, with data that nobody knows
def quantised(x, levels):
    return jnp.round(x * levels) / levels

def straight_through(x, levels):
    return x + jax.lax.stop_gradient(quantised(x, levels) - x)

def model(w, x, quantiser):
    return jnp.tanh(quantiser(w, 8) @ x)

def train(w, x, y):
    def loss(w):
        return jnp.sum((model(w, x, quantised) - y) ** 2)

    def smooth(w):
        return jnp.sum((model(w, x, straight_through) - y) ** 2)

    return jax.grad(loss)(w), jax.grad(smooth)(w)  # JAX607

def main():
    flat, steep = train(jnp.ones((2, 3)) / 3, jnp.ones(3), jnp.zeros(2))
    assert not flat.any() and steep.all()

# --- of what the steps are multiplied with nobody knows that it is no other function of the weights
class Model:
    def __init__(self, w):
        self.w = w

    def __call__(self):
        return self.w * 2

def train(model, w, apply):
    def loss(w):
        model.w = w
        return jnp.sum(jnp.round(w) * model())

    def other(w):
        return jnp.sum(jnp.round(w) * apply(w))

    return jax.grad(loss)(w), jax.grad(other)(w)

def main():
    assert all(slope.any() for slope in train(Model(X), X + 1, jnp.sin))

# --- the function that is differentiated is the default of a parameter
def energy(r):
    d = r[:, None] - r[None, :]
    distance = jnp.sqrt(jnp.sum(d**2, axis=-1))  # JAX606
    return jnp.sum(jnp.where(distance > 0, 1 / distance, 0.0))

def force(r, of=energy):
    return -jax.grad(of)(r)

def main():
    assert jnp.isnan(force(jnp.ones((3, 2)))).all()

# --- the function that is differentiated by default takes care of zero
def energy(r):
    d = r[:, None] - r[None, :]
    squared = jnp.sum(d**2, axis=-1)
    distance = jnp.sqrt(jnp.where(squared > 0, squared, 1.0))
    return jnp.sum(jnp.where(squared > 0, 1 / distance, 0.0))

def force(r, of=energy):
    return -jax.grad(of)(r)

def main():
    assert not jnp.isnan(force(jnp.ones((3, 2)))).any()

# --- pairs in other units, and the unit is differentiated
def kernel(scale, x):
    return jnp.exp(-jnp.linalg.norm((x[:, None] - x[None]) / scale, axis=-1)).sum()  # JAX606

def other(scale, x, y):
    return jnp.exp(-jnp.linalg.norm((x[:, None] - y[None]) / scale, axis=-1)).sum()

def main():
    x = jnp.arange(6.0).reshape(3, 2)
    assert jnp.isnan(jax.grad(kernel, argnums=1)(2.0, x)).all()
    assert not jnp.isnan(jax.grad(other, argnums=1)(2.0, x, x + 1)).any()

# --- a small number is added to the norm of rows in which a bound, or a mask, may leave zeros only
def bounded(params, x):
    z = jnp.maximum(x @ params, 0)
    return z / (jnp.linalg.norm(z, axis=-1, keepdims=True) + 1e-8)  # JAX606

def masked(params, x):
    z = (x @ params) * (x.sum(-1, keepdims=True) > 0)
    norm = jnp.sqrt(jnp.sum(z**2, axis=-1, keepdims=True))  # JAX606
    return z / (1e-6 + norm)

def selected(params, x):
    z = jax.nn.relu(x @ params)
    return z / (jnp.linalg.norm(z, axis=-1, keepdims=True) + 1e-8)

def inside(params, x):
    z = jax.nn.relu(x @ params)
    return z / jnp.sqrt(jnp.sum(z**2, axis=-1, keepdims=True) + 1e-12)

def dense(params, x):
    z = x @ params
    return z / (jnp.linalg.norm(z, axis=-1, keepdims=True) + 1e-8)

def main():
    x, params = -jnp.ones((3, 2)), jnp.ones((2, 2))
    slopes = [jax.grad(lambda params: of(params, x).sum())(params) for of in (bounded, masked, selected, inside, dense)]
    assert [bool(jnp.isnan(slope).any()) for slope in slopes] == [True, True, False, False, False]

# --- pairs of the rows that two maps have of the same array
def kernel(scale, a, b):
    return jnp.exp(-jnp.linalg.norm((a - b) * scale))  # JAX606

def gram(scale, x, y):
    return jax.vmap(lambda a: jax.vmap(lambda b: kernel(scale, a, b))(y))(x)

def main():
    x = jnp.arange(6.0).reshape(3, 2)
    assert jnp.isnan(jax.grad(lambda scale: gram(scale, x, x).sum())(2.0))

# --- pairs of the rows that two maps have of the same unknown array
def distances(x):
    return jax.vmap(jax.vmap(lambda a, b: jnp.sqrt(jnp.sum((a - b) ** 2)), (None, 0)), (0, None))(x, x)  # JAX606

@jax.jit
def spread(x):
    return jax.grad(lambda x: distances(x).mean())(x)

def main():
    assert jnp.isnan(spread(jnp.arange(6.0).reshape(3, 2))).all()

# --- pairs of rows of two arrays, of rows and columns, and pairs that are kept from zero
def kernel(scale, a, b):
    return jnp.exp(-jnp.linalg.norm((a - b) * scale))

def gram(scale, x, y):
    return jax.vmap(lambda a: jax.vmap(lambda b: kernel(scale, a, b))(y))(x)

def crossed(scale, x):
    return jax.vmap(lambda a: jax.vmap(lambda b: kernel(scale, a, b), in_axes=1)(x))(x)

def smooth(scale, x):
    def pair(a, b):
        squared = jnp.sum((a - b) ** 2) * scale
        return jnp.sqrt(jnp.where(squared > 0, squared, 1.0)) + jnp.sqrt(squared + 1e-6)

    return jax.vmap(lambda a: jax.vmap(lambda b: pair(a, b))(x))(x)

def main():
    x = jnp.array([[0.0, 1.0], [2.0, 3.0]])
    assert not jnp.isnan(jax.grad(lambda scale: gram(scale, x, x + 9).sum())(2.0))
    assert not jnp.isnan(jax.grad(lambda scale: crossed(scale, x).sum())(2.0))
    assert not jnp.isnan(jax.grad(lambda scale: smooth(scale, x).sum())(2.0))

# --- a long computation behind a small number
def rolled(x):
    return 1.0 / (x * x * x * x * x * x * x * x * x * x * x * x * x + 1e-6)

def main():
    return jax.grad(lambda x: rolled(x).sum())(X)

# --- a vector of multiples of a cosine and a sine
def scale(theta):
    tangent = jnp.stack([2.0 * jnp.cos(theta), -3.0 * jnp.sin(theta)], axis=-1)
    return jnp.sum(1.0 / jnp.maximum(jnp.linalg.norm(tangent, axis=-1), 1e-6))

def main():
    return jax.value_and_grad(scale)(jnp.linspace(0.0, 6.0, 100))

# --- a vector with a one in it
def scale(x):
    return 1.0 / jnp.maximum(jnp.linalg.norm(jnp.stack([x, 2 * x, 1.0])), 1e-6)

def main():
    return jax.grad(scale)(0.0)

# --- a vector of two sines
def scale(theta):
    tangent = jnp.stack([2.0 * jnp.sin(theta), -3.0 * jnp.sin(theta)], axis=-1)
    return jnp.sum(1.0 / jnp.maximum(jnp.linalg.norm(tangent, axis=-1), 1e-6))  # JAX606

def main():
    return jax.value_and_grad(scale)(jnp.linspace(0.0, 6.0, 100))

# --- a vector of the cosine and the sine of two angles
def scale(angles):
    tangent = jnp.stack([jnp.cos(angles[0]), jnp.sin(angles[1])])
    return 1.0 / jnp.maximum(jnp.linalg.norm(tangent), 1e-6)  # JAX606

def main():
    return jax.grad(scale)(jnp.array([jnp.pi / 2, 0.0]))

# --- arccos of what was brought between its ends
def angle(x):
    return jnp.arccos(jnp.clip(x, min=-1, max=1))  # JAX606

def sine(x):
    return jnp.arcsin(jnp.minimum(jnp.maximum(x, -1.0), 1.0))  # JAX606

def half(x):
    return jnp.arccos(x.clip(-0.5, 1.0))  # JAX606

def main():
    assert jnp.isnan(jax.grad(angle)(1.5)) and jnp.isnan(jax.grad(sine)(1.5)) and jnp.isnan(jax.grad(half)(1.5))

# --- arccos of what is kept away from its ends, or is not differentiated backwards, and arctan
def angle(x, eps=1e-3):
    return jnp.arccos(jnp.clip(x, -1.0 + eps, 1.0 - eps))

def shown(x):
    return jnp.arccos(jnp.clip(x, -1.0, 1.0))

def replaced(x):
    cosine = jnp.clip(x, -1.0, 1.0)
    return jnp.arccos(jnp.where(jnp.abs(cosine) < 1, cosine, 0.0))

def bounded(x):
    return jnp.arctan(jnp.clip(x, -1.0, 1.0))

def main():
    slopes = jax.grad(angle)(1.5), jax.grad(replaced)(1.5), jax.grad(bounded)(1.5)
    assert all(map(jnp.isfinite, slopes)) and jax.jit(shown)(1.5) == 0.0

# --- a quotient of all pairs, in a helper, that a mask drops on the diagonal
def pair_energy(squared):
    inverse = (1.0 / squared) ** 3
    return 4 * (inverse**2 - inverse)

def energy(r):
    squared = jnp.sum((r[:, None] - r[None]) ** 2, axis=-1)
    mask = 1 - jnp.eye(r.shape[0])
    return 0.5 * jnp.sum(jnp.where(mask > 0, pair_energy(squared), 0.0))  # JAX605

def attraction(r, different):
    return jnp.where(different, jnp.log(jnp.abs(r[:, None] - r[None])), 0.0).sum()  # JAX605

def main():
    r = jnp.arange(6.0).reshape(3, 2)
    assert jnp.isnan(jax.grad(energy)(r)).all()
    assert jnp.isnan(jax.grad(attraction)(r[:, 0], ~jnp.eye(3, dtype=bool))).all()

# --- a quotient of all pairs whose diagonal is filled first, of chosen pairs, and of pairs of two sets
def filled(r):
    squared = jnp.sum((r[:, None] - r[None]) ** 2, axis=-1)
    return jnp.where(jnp.eye(3) > 0, 0.0, 1.0 / (squared + jnp.eye(3))).sum()

def replaced(r):
    squared = jnp.sum((r[:, None] - r[None]) ** 2, axis=-1)
    same = jnp.eye(3, dtype=bool)
    return jnp.where(same, 0.0, 1.0 / jnp.where(same, 1.0, squared)).sum()

def chosen(r, mask):
    i, j = jnp.triu_indices(3, 1)
    return jnp.where(mask, 1.0 / jnp.sum((r[:, None] - r[None])[i, j] ** 2, axis=-1), 0.0).sum()

def between(r, mask):
    return jnp.where(mask, 1.0 / jnp.sum((r[:, None] - jnp.ones((3, 2))[None]) ** 2, axis=-1), 0.0).sum()

def main():
    r = jnp.arange(6.0).reshape(3, 2) * 2
    assert all(jnp.isfinite(jax.grad(of)(r)).all() for of in (filled, replaced))
    assert all(jnp.isfinite(jax.grad(of)(r, True)).all() for of in (chosen, between))

# --- pairs of what was computed twice, in a helper that gets it twice
def squared_distance(x, y):
    return jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, -1)

def kernel(scale, x, y):
    return jnp.exp(-jnp.sqrt(squared_distance(x / scale, y / scale)))  # JAX606

def shifted(scale, x, y):
    return jnp.exp(-jnp.sqrt(squared_distance(x / scale, y / (scale + 1))))

def smooth(scale, x, y):
    return jnp.exp(-jnp.sqrt(squared_distance(x / scale, y / scale) + 1e-12))

def loss(scale, x, kernel):
    return kernel(scale, x, x).sum()

def main():
    x = jnp.arange(1.0, 7.0).reshape(3, 2)
    slopes = [jax.grad(loss)(1.0, x, of) for of in (kernel, shifted, smooth)]
    assert [bool(jnp.isnan(slope)) for slope in slopes] == [True, False, False]

# --- the root of what a bound has made zero
def box(size, p):
    q = jnp.abs(p) - size
    return jnp.sqrt(jnp.sum(jnp.maximum(q, 0.0) ** 2)) + jnp.minimum(jnp.max(q), 0.0)  # JAX606

def rounded(size, p):
    return jnp.linalg.norm(jnp.clip(jnp.abs(p) - size, 0.0)) - 0.1  # JAX606

def deviation(p, x):
    return jnp.sqrt(jnp.maximum(jnp.mean(p * x * x) - jnp.mean(p * x) ** 2, 0.0))  # JAX606

def main():
    assert jnp.isnan(jax.grad(box)(jnp.ones(3), jnp.zeros(3))).all()
    assert jnp.isnan(jax.grad(rounded)(jnp.ones(3), jnp.zeros(3))).all()
    assert jnp.isnan(jax.grad(deviation)(2.0, jnp.ones(3)))

# --- the root of what a bound keeps from zero, or was never negative, and relu, which selects
def above(size, p):
    q = jnp.abs(p) - size
    return jnp.sqrt(jnp.sum(jnp.maximum(q, 0.0) ** 2) + 1e-12) + jnp.sqrt(jnp.maximum(q, 1e-6)).sum()

def chosen(size, p):
    squared = jnp.sum(jnp.maximum(jnp.abs(p) - size, 0.0) ** 2)
    return jnp.where(squared > 0, jnp.sqrt(jnp.where(squared > 0, squared, 1.0)), 0.0)

def selected(size, p):
    return jnp.sqrt(jax.nn.relu(jnp.abs(p) - size)).sum() + jnp.linalg.norm(jax.nn.relu(jnp.abs(p) - size))

def length(size, p):
    return jnp.sqrt(jnp.maximum(jnp.sum((p - size) ** 2), 0.0))

def measured(size, p):
    return size.sum() * jnp.sqrt(jnp.maximum(p - 1.0, 0.0)).sum()

def main():
    for of in (above, chosen, selected, length, measured):
        assert jnp.isfinite(jax.grad(of)(jnp.ones(3), jnp.zeros(3))).all(), of

# --- pairs of what flax modules give for parameters that are differentiated
import flax.linen as nn

class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x):
        z = nn.Dense(4)(nn.relu(nn.Dense(8)(x)))
        return z, x, jax.lax.stop_gradient(z)

def distances(z):
    return jnp.linalg.norm(z[:, None] - z[None], axis=-1).sum()  # JAX606

def spread(z):
    return jnp.linalg.norm(z[:, None] - z[None], axis=-1).sum()

def loss(params, x):
    return distances(nn.Dense(4).apply(params["layer"], x)) + distances(Encoder().apply(params["net"], x)[0])

def other_loss(params, x):
    z, data, fixed = Encoder().apply(params["net"], x)
    frozen = {"params": jax.lax.stop_gradient(params["net"]["params"])}
    return (z**2).sum() + spread(data) + spread(fixed) + spread(Encoder().apply(frozen, x)[0])

def main():
    x, key = jnp.ones((3, 2)), jax.random.key(0)
    params = {"layer": nn.Dense(4).init(key, x), "net": Encoder().init(key, x)}
    assert jnp.isnan(jax.grad(loss)(params, x)["layer"]["params"]["kernel"]).all()
    assert jnp.isfinite(jax.grad(other_loss)(params, x)["net"]["params"]["Dense_1"]["kernel"]).all()

# --- distances of a cloud and itself, where one of the two is differentiated
def cost(x, y):
    return jnp.sum(jnp.sqrt(jnp.sum((x[:, None] - y[None]) ** 2, -1)))  # JAX606

def main():
    x = jax.random.normal(jax.random.key(0), (8, 2))
    return jax.grad(cost)(x, x)

# --- the same in what is compiled, and of the second one
def cost(x, y):
    return jnp.sum(jnp.sqrt(jnp.sum((x[:, None] - y[None]) ** 2, -1)))  # JAX606

@jax.jit
def debiased(x):
    return jax.grad(cost, argnums=1)(x, x)

def main():
    return debiased(jax.random.normal(jax.random.key(0), (8, 2)))

# --- distances of a cloud and another one, or of itself with what keeps them from zero
def cost(x, y):
    return jnp.sum(jnp.sqrt(jnp.sum((x[:, None] - y[None]) ** 2, -1)))

def smooth_cost(x, y):
    squared = jnp.sum((x[:, None] - y[None]) ** 2, -1)
    apart = jnp.where(squared > 0, jnp.sqrt(jnp.where(squared > 0, squared, 1.0)), 0.0)
    return jnp.sum(apart + jnp.sqrt(squared + 1e-12))

def main():
    x, y = jax.random.normal(jax.random.key(0), (2, 8, 2))
    return jax.grad(cost)(x, y), jax.grad(cost)(x, 2 * x), jax.grad(smooth_cost)(x, x)

# --- steps that are differentiated on their own, with the same array beside them that is not
def floored(a, b):
    return jnp.sum(jnp.floor(a) + b)

def total(a, b):
    return floored(a, b)

@jax.jit
def slope(x):
    return jax.grad(total)(x, x)  # JAX607

def main():
    return slope(jnp.ones(3))

# --- steps of what is not differentiated
def floored(a, b):
    return jnp.sum(jnp.floor(a) + b)

def total(a, b):
    return floored(a, b)

@jax.jit
def slope(x):
    return jax.grad(total, argnums=1)(x, x)

def main():
    return slope(jnp.ones(3))

# --- an entropy whose NaN is made zero
def loss(p):
    return -jnp.sum(jnp.nan_to_num(p * jnp.log(p)))  # JAX605

def main():
    return jax.grad(loss)(X)

# --- entropies of what is kept from zero, of what is not differentiated, and a product that is finite
def loss(p, q):
    kept = jnp.where(p > 0, p, 1.0)
    entropy = jnp.nan_to_num(kept * jnp.log(kept)) + jnp.nan_to_num(q * jnp.log(q)) * p
    return -jnp.sum(entropy + jnp.nan_to_num(p * jnp.exp(p)))

def main():
    return jax.grad(loss)(X, X)

# --- a parameter is called as one of the functions that it may be
class Kernel:
    def gradients(self, theta, x):
        return self.values_and_gradients(self.pure_kernel(), theta, x)

    @staticmethod
    def values_and_gradients(kernel, theta, x):
        gradient = jax.grad(kernel)
        return jax.vmap(lambda row: gradient(theta, row))(x)

class Constant(Kernel):
    def __init__(self, value, is_fixed):
        self.value, self.is_fixed = value, is_fixed

    def pure_kernel(self):
        if self.is_fixed:
            def kernel(theta, x):
                return self.value
        else:
            def kernel(theta, x):
                return jnp.exp(theta)
        return kernel

def main():
    return Constant(2.0, True).gradients(1.0, jnp.ones(2)), Constant(2.0, False).gradients(1.0, jnp.ones(2))

# --- the function itself is named, also from one inside
def gradients(value, theta, x):
    def kernel(theta, x):
        return value

    def row(x):
        return jax.grad(kernel)(theta, x)  # JAX607

    return jax.vmap(row)(x)

def main():
    return gradients(2.0, 1.0, jnp.ones(2))

# --- pairs of the rows of a parameter that nobody knows more of, in what two maps run
def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))  # JAX606

def gram(z, scale):
    return jax.vmap(lambda a: jax.vmap(lambda b: jnp.exp(-distance(a, b) / scale))(z))(z)

@jax.jit
def slope(x, params):
    return jax.grad(lambda z: jnp.sum(gram(z, params["scale"])))(x)

def of_any(x):
    return slope(x, {"scale": 1.0})

def main():
    assert jnp.isnan(of_any(jnp.arange(6.0).reshape(3, 2))).all()

# --- pairs of rows of two parameters that nobody knows more of, and of rows of what is not differentiated
def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))

def gram(x, y):
    return jax.vmap(lambda a: jax.vmap(lambda b: distance(a, b))(y))(x)

@jax.jit
def slope(x, y):
    return jax.grad(lambda z: jnp.sum(gram(z, y)))(x)

@jax.jit
def weights(x, w):
    return jax.grad(lambda w: jnp.sum(w * gram(x, x)))(w)

def main():
    x = jnp.arange(6.0).reshape(3, 2)
    assert jnp.isfinite(slope(x, x + 0.5)).all() and jnp.isfinite(weights(x, jnp.ones((3, 3)))).all()

# --- a norm, a root and a power are differentiated where they are zero
def cosine(a, b):
    return 1.0 - jnp.dot(a, b) / (jnp.linalg.norm(a) * jnp.linalg.norm(b))

def penalty(params, x):
    return jnp.mean((x @ params["w"]) ** 2) + 0.1 * jnp.linalg.norm(params["w"], axis=0)

def main():
    x = jnp.zeros(3)
    slopes = [
        jax.grad(cosine)(x, jnp.ones(3)),  # JAX606
        jax.jacrev(jnp.linalg.norm)(jnp.zeros(3)),  # JAX606
        jax.grad(lambda v: jnp.sqrt(jnp.sum(v**2)))(x),  # JAX606
        jax.jacfwd(lambda v: jnp.sqrt(v @ v))(jnp.zeros_like(x)),  # JAX606
        jax.value_and_grad(penalty)({"w": x}, jnp.ones((2, 3)))[1]["w"],  # JAX606
        jax.grad(lambda v: jnp.linalg.norm(jnp.ones((2, 3)) @ v))(x),  # JAX606
        jax.grad(lambda v: jnp.sum(v**0.5))(x),  # JAX606
    ]
    assert not any(jnp.isfinite(slope).any() for slope in slopes)

# --- a norm that is away from zero, of another order, not differentiated, beside the loss, or with a rule of its own
@jax.custom_jvp
def length(x):
    return jnp.linalg.norm(x)

@length.defjvp
def length_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    found = length(x)
    return found, jnp.dot(x, t) / jnp.where(found == 0, 1.0, found)

def kept(v):
    squared = jnp.sum(v**2)
    return jnp.sqrt(jnp.where(squared > 0, squared, 1.0))

def either(flag):
    x = jnp.zeros(3)
    if flag:
        x = jnp.ones(3)
    return jax.grad(jnp.linalg.norm)(x)

def main():
    x, y = jnp.zeros(3), jnp.ones(3)
    moved = x.at[0].set(1.0)
    slopes = [
        jax.grad(lambda v: jnp.sqrt(jnp.sum(v**2) + 1e-12))(x),
        jax.grad(lambda v: jnp.linalg.norm(v - y))(x),
        jax.grad(lambda v: jnp.linalg.norm(v, 1))(x),
        jax.grad(lambda v: jnp.linalg.norm(v, ord=jnp.inf))(x + 1),
        jax.grad(lambda v: (jnp.sum(v**2), jnp.linalg.norm(v)), has_aux=True)(x)[0],
        jax.grad(lambda v: jnp.sum(v**2) + jax.lax.stop_gradient(jnp.linalg.norm(v)))(x),
        jax.grad(lambda v: jnp.sum(v**2) * (jnp.linalg.norm(v) > 1))(x),
        jax.grad(lambda w, v: jnp.sum(w * v) * jnp.linalg.norm(v))(y, x),
        jax.grad(lambda v: jnp.sqrt(jnp.sum(jnp.exp(v))))(x),
        jax.grad(jnp.linalg.norm)(moved),
        jax.grad(length)(x),
        jax.grad(kept)(x),
        either(y[0] > 0),
    ]
    assert all(jnp.isfinite(slope).all() for slope in slopes)

# --- pairs to which a softening is added that is left at zero
def potential(x, m, soft=0.0):
    d = x[:, None] - x[None]
    r = jnp.sqrt((d**2).sum(-1) + soft**2)  # JAX606
    mask = ~jnp.eye(len(m), dtype=bool)
    return -0.5 * jnp.sum(jnp.where(mask, m[:, None] * m / jnp.where(mask, r, 1.0), 0.0))

def main():
    slope = jax.grad(potential)(jnp.arange(6.0).reshape(3, 2), jnp.ones(3))
    assert not jnp.isfinite(slope).any()

# --- pairs to which a softening is added that is not zero
def potential(x, m, soft=0.0):
    d = x[:, None] - x[None]
    r = jnp.sqrt((d**2).sum(-1) + soft**2)
    mask = ~jnp.eye(len(m), dtype=bool)
    return -0.5 * jnp.sum(jnp.where(mask, m[:, None] * m / jnp.where(mask, r, 1.0), 0.0))

def softened(x, soft):
    return jax.grad(potential)(x, jnp.ones(3), soft)

def main():
    x = jnp.arange(6.0).reshape(3, 2)
    assert jnp.isfinite(jax.grad(potential)(x, jnp.ones(3), 0.1)).all()
    assert jnp.isfinite(softened(x, 0.1)).all()

# --- a norm that is zero where it is differentiated, behind what chooses another result
def rotation(w):
    angle = jnp.linalg.norm(w)
    turned = jnp.concatenate([jnp.cos(angle)[None], jnp.sin(angle) * w / angle])
    return jnp.where(angle > 1e-8, turned, jnp.array([1.0, 0.0, 0.0, 0.0]))

def cost(w, points):
    rotated = jax.vmap(lambda q, p: q[0] * p, (None, 0))(rotation(w), points)
    return jnp.sum(rotated**2)

@jax.jit
def doubled(q):
    return jnp.sum(q * 2)

def main():
    x = jnp.zeros(3)
    slopes = [
        jax.grad(lambda w: rotation(w)[0])(x),  # JAX606
        jax.grad(cost)(x, jnp.ones((5, 3))),  # JAX606
        jax.grad(lambda w: doubled(rotation(w)))(x),  # JAX606
        jax.grad(lambda w: 3.0 * jnp.maximum(jnp.sum(w**2) ** 0.5 * 2.0, 1e-6))(x),  # JAX606
    ]
    assert not any(jnp.isfinite(slope).any() for slope in slopes)

# --- a choice between results none of which has a root of zero, one of which runs, and forwards
def safe(w):
    squared = w @ w
    is_small = squared < 1e-12
    angle = jnp.sqrt(jnp.where(is_small, 1.0, squared))
    return jnp.where(is_small, 0.5, jnp.sin(angle / 2) / angle) * w

def main():
    x = jnp.zeros(3)
    forward = jax.jacfwd(lambda w: jnp.where(w @ w > 1e-8, jnp.sqrt(w @ w) * 2.0, 1.0))(x)
    slopes = [
        jax.grad(lambda w: jnp.sum(safe(w)))(x),
        jax.grad(lambda w: jnp.where(jnp.linalg.norm(w) > 1e-8, w.sum(), 1.0))(x),
        jax.grad(lambda w: jax.lax.cond(w @ w > 1e-8, lambda: jnp.linalg.norm(w), lambda: 1.0))(x),
        jax.grad(lambda w: jnp.maximum(jax.lax.stop_gradient(jnp.linalg.norm(w)), 1e-6) * w.sum())(x),
        jax.grad(lambda w, v: jax.vmap(lambda q, p: q * p, (None, 0))(jnp.linalg.norm(w), v).sum(), 1)(x, jnp.ones(3)),
    ]
    assert all(jnp.isfinite(slope).all() for slope in slopes), forward

# --- a root of zero among what an array is unpacked into
def scaled(q, x):
    a, b = q
    return a * x + b

def main():
    slope = jax.grad(lambda w: jnp.sum(scaled(jnp.linalg.norm(w) * jnp.ones(2), 2.0)))(jnp.zeros(3))  # JAX606
    assert not jnp.isfinite(slope).any()

# --- what an array is unpacked into is not differentiated, or guarded
def scaled(q, x):
    a, b = q
    return a * x + b

def main():
    x = jnp.zeros(2)
    slopes = [
        jax.grad(lambda w: jnp.sum(scaled(jax.lax.stop_gradient(jnp.linalg.norm(w) * jnp.ones(2)), w)))(x),
        jax.grad(lambda w: scaled(jnp.where(w > 0, w, 1.0) ** 0.5, 2.0))(x),
    ]
    assert all(jnp.isfinite(slope).all() for slope in slopes)

# --- models of equinox and of flax nnx that are differentiated for what only takes steps
import equinox as eqx
from flax import nnx

class Net(eqx.Module):
    layer: eqx.nn.Linear
    scale: jax.Array

    def __call__(self, x):
        return self.scale * self.layer(x)

def missed(model, x, y):
    return jnp.mean((jnp.argmax(jax.vmap(model)(x), -1) != y).astype(jnp.float32))

def rounded(model, x, y):
    return jnp.mean(jnp.round(model(x)) - y)

def near(model, x, y):
    return jnp.mean((jax.vmap(model)(x)[:, 0] - y) ** 2), jnp.argmax(jax.vmap(model)(x), -1)

def step(x, y):
    net = Net(eqx.nn.Linear(2, 2, key=jax.random.key(0)), jnp.ones(2))
    good = eqx.filter_grad(near, has_aux=True)(net, x, y)
    return eqx.filter_grad(missed)(net, x, y), good  # JAX607

def main():
    x, y = jnp.ones((3, 2)), jnp.zeros(3)
    found, _ = step(x, y)
    assert not jnp.any(found.scale)
    layer = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
    slopes = nnx.grad(rounded)(layer, x, y[:, None])  # JAX607
    assert not jnp.any(slopes.kernel[...])

# --- the differences of all pairs of what a model of equinox holds
import equinox as eqx

class Cloud(eqx.Module):
    places: jax.Array
    count: int = 3

def spread(cloud):
    apart = cloud.places[:, None] - cloud.places[None]
    return jnp.sum(jnp.sqrt(jnp.sum(apart**2, -1)))  # JAX606

def main():
    slopes = eqx.filter_grad(spread)(Cloud(jnp.ones((3, 2))))
    assert jnp.isnan(slopes.places).all()
