# Gradients that nobody is seen to call: what holds of them whatever they are given.
import jax
import jax.numpy as jnp
from jax import lax

# --- a module makes gradients for others, of what has none
def doubled(x):
    return lax.while_loop(lambda s: s < 9.0, lambda s: s * x, 1.0)


doubled_slope = jax.grad(doubled)  # JAX608 likely
doubled_tangent = jax.jacfwd(doubled)


def beside(w, x):
    return jnp.stack([w, x])


beside_slope = jax.grad(beside)  # JAX601 likely
beside_jacobian = jax.jacrev(beside)


@jax.value_and_grad  # JAX601 likely
def with_prediction(w, x):
    return jnp.sum(w * x), w * x


measured = jax.value_and_grad(lambda w, x: jnp.sum(w * x), has_aux=True)  # JAX603 likely
hits = jax.jit(jax.grad(lambda w, x: jnp.sum(jnp.round(w) * x)))  # JAX607 likely

# --- the same is called by the program, and told there
def beside(w, x):
    return jnp.stack([w, x])


beside_slope = jax.grad(beside)


def step(w, x):
    return beside_slope(w, x)  # JAX601 certain

# --- what they give depends on what they are given
def residuals(w, x, y):
    return x @ w - y


def scaled(w, lam=None):
    return jnp.sum(w) if lam is None else lam * jnp.sum(w)


def of_object(model, x):
    return model(x)


def counted(x, n):
    return lax.fori_loop(0, n, lambda i, s: s * x, 1.0)


def left_to_others(w):
    raise NotImplementedError


residual_slope = jax.grad(residuals)
slopes = jax.grad(scaled), jax.grad(of_object), jax.grad(counted), jax.grad(left_to_others)

# --- a registry differentiates what it is given
LOSSES = {}


def loss(function):
    LOSSES[function.__name__] = jax.jit(jax.value_and_grad(function))
    return function


@loss
def accuracy(logits, labels):
    guess = jnp.argmax(logits, -1)  # JAX607 likely
    return jnp.mean((guess - labels) ** 2.0)


@loss
def each(logits, labels):
    return jnp.stack([logits, labels])  # JAX601 likely


@loss
def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * labels, -1))


@loss
def rounded(x, target):
    q = jnp.round(x * 255.0) / 255.0
    return jnp.mean((x + lax.stop_gradient(q - x) - target) ** 2)

# --- the numbers up to a size are differentiated for
def slope(x):
    w = jnp.arange(x.shape[1])
    return jax.grad(lambda w: jnp.sum(x @ w))(w)  # JAX602 certain

# --- the numbers up to something unknown, and of a dtype that is asked for
def slope(x, settings):
    of_settings = jax.grad(lambda w: jnp.sum(x @ w))(jnp.arange(settings.stop))
    return of_settings, jax.grad(lambda w: jnp.sum(x @ w))(jnp.arange(x.shape[1], dtype=jnp.float32))

# --- a loss of which an optimiser may remember the gradient
import optax


def spread(params, x):
    squared = jnp.sum((params - x) ** 2, axis=-1)
    return jnp.sum(jnp.where(squared > 0, jnp.sqrt(squared), 0.0))  # JAX605 likely


def fit(params, x):
    solver = optax.lbfgs()
    value_and_grad = optax.value_and_grad_from_state(lambda p: spread(p, x))
    state = solver.init(params)
    for _ in range(5):
        value, grads = value_and_grad(params, state=state)
        updates, state = solver.update(grads, state, params, value=value, grad=grads, value_fn=spread)
        params = optax.apply_updates(params, updates)
    return params
