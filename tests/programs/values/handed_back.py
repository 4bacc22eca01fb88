# What gradients hand back, taken in the form that it has, and in another.
import jax
import jax.numpy as jnp

X = jnp.ones(3)

def loss(w):
    return jnp.sum(w * w), w

# --- aux of a derivative that is asked for by position
def main():
    value, tangent, aux = jax.jvp(loss, (X,), (X,), True)
    return value, aux

# --- aux of a derivative that is asked for by position, and left out
def main():
    value, tangent = jax.jvp(loss, (X,), (X,), True)  # JAX603

# --- aux of a pullback that options may ask for
def pulled(x, options):
    value, pullback, aux = jax.vjp(loss, x, **options)
    return aux

def main():
    return pulled(X, dict([("has_aux", True)]))

# --- aux of a derivative that options may ask for
def pushed(x, options):
    value, tangent, aux = jax.jvp(loss, (x,), (x,), **options)
    return aux

def main():
    return pushed(X, dict([("has_aux", True)]))

# --- aux of a pullback of primals of any number
def pulled(xs):
    value, pullback, aux = jax.vjp(lambda *xs: loss(xs[0])[0], *xs)  # JAX603

def main():
    pulled([X])

# --- aux that options of a gradient may ask for
def measured(x, options):
    (value, aux), gradient = jax.value_and_grad(loss, **options)(x)
    return value + jnp.sum(aux)

def told_beside(x, options):
    gradient, aux = jax.grad(loss, **options)(x)
    return aux

def main():
    options = dict([("has_aux", True)])
    return measured(X, options), told_beside(X, options)

# --- aux that the options of a decorator may ask for
from functools import partial

def made(options):
    @partial(jax.grad, **options)
    def slope(x):
        return jnp.sum(x), x

    return slope

def main():
    gradient, aux = made(dict([("has_aux", True)]))(X)
    return aux

# --- aux that options beside a known one leave out
def measured(x, options):
    return jax.value_and_grad(loss, has_aux=False, **options)(x)  # JAX601

def main():
    return measured(X, {})

# --- the pair for a loss is joined to another tuple
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    total, aux, slope = value + (gradient,)
    both = () + value
    both += value
    return total, aux, slope, len(both)

# --- the pair for a loss is repeated, and compared with a tuple
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    return len(value * 2), len(3 * value), value > (0.0,)

# --- the pair for a loss is added to a list in place
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    seen = []
    seen += value
    return seen

# --- the pair for a loss is added to a number
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    return 1 + value  # JAX603

# --- the pair for a loss is added to an array
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    return value + jnp.ones(2)  # JAX603

# --- the pair for a loss is scaled
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    return value * 0.5  # JAX603

# --- the pair for a loss is compared with a number
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    return value < 0.5  # JAX603

# --- one pair for a loss is subtracted from another
def main():
    value, gradient = jax.value_and_grad(loss, has_aux=True)(X)
    return value - value  # JAX603

# --- the pair for a loss goes through a function and a compiled one, and is written as a number
def step(w):
    value, gradient = jax.value_and_grad(loss, has_aux=True)(w)
    return w - 0.1 * gradient, value

def main():
    w, value = step(X)
    for _ in range(3):
        w, value = jax.jit(step)(w)
    return f"{value:.3f}"  # JAX603

# --- the pair for a loss goes through a function and is asked for what arrays have
def step(w):
    value, gradient = jax.value_and_grad(loss, has_aux=True)(w)
    return w - 0.1 * gradient, value

def main():
    w, value = step(X)
    return value.mean()  # JAX603

# --- the pair for a loss goes through a function and is unpacked there, or written as it is
def step(w):
    value, gradient = jax.value_and_grad(loss, has_aux=True)(w)
    return w - 0.1 * gradient, value

def main():
    w, (value, aux) = jax.jit(step)(X)
    w, pair = step(w)
    if hasattr(pair, "mean"):
        pair = pair.mean()
    return f"{value:.3f} {pair}", pair.index(pair[0])

# --- lists of weights and of probabilities, by name and by position
def mean(x):
    return jnp.average(x, weights=[0.2, 0.8])  # JAX308

def main():
    return mean(jnp.ones(2))

# --- lists for what is drawn from
def drawn(key):
    return jax.random.choice(key, 3, p=[0.1, 0.2, 0.7])  # JAX308

def main():
    return drawn(jax.random.key(0))

# --- arrays for what is drawn from, and a list that says a shape or axes
def drawn(key, p):
    first = jax.random.choice(key, 3, [2], p=jnp.array([0.1, 0.2, 0.7]))
    return jnp.average(jnp.ones((2, 3)), axis=0, weights=jnp.array([0.5, 0.5])), first

def main():
    return drawn(jax.random.key(0), 0.5)

# --- a pullback gives a tuple, also of one gradient
def main():
    value, pullback = jax.vjp(lambda w: w * w, X)
    gradient = pullback(X)
    return X - 0.1 * gradient  # JAX603

# --- a pullback of two arguments, unpacked into one
def main():
    value, pullback = jax.vjp(lambda w, b: w * b, X, X)
    (gradient,) = pullback(X)  # JAX603

# --- the gradient for arguments in a tuple is a tuple, also of one
def main():
    gradient = jax.grad(lambda w, b: jnp.sum(w * b), argnums=(0,))(X, X)
    return gradient.sum()  # JAX603

# --- gradients in a tuple are negated
def main():
    value, gradients = jax.value_and_grad(lambda w, b: jnp.sum(w * b), argnums=(0, 1))(X, X)
    return -gradients  # JAX603

# --- tuples of gradients that are taken apart, joined, compared and mapped over
def main():
    value, pullback = jax.vjp(lambda w: w * w, X)
    (gradient,) = pullback(X)
    of_both = jax.grad(lambda w, b: jnp.sum(w * b), argnums=(0, 1))(X, X)
    joined = pullback(X) + of_both
    scaled = jax.tree.map(lambda g: 0.1 * g, of_both)
    alone = jax.grad(lambda w, b: jnp.sum(w * b), argnums=0)(X, X)
    return gradient / 2, pullback(X)[0] * 2, joined, scaled, of_both == (), -alone, [g / 2 for g in of_both]

# --- aux of a function that gives none, and the loss is unpacked
def alone(w):
    return jnp.mean(w**2)

def main():
    both = jax.value_and_grad(alone, has_aux=True)(X)  # JAX603
    (value,), gradient = both

# --- aux that is not asked for, of a function that gives none
def alone(w):
    return jnp.mean(w**2)

def main():
    (value, aux), gradient = jax.value_and_grad(alone)(X)  # JAX603

# --- aux that may be asked for
def alone(w):
    return jnp.mean(w**2)

def measured(w, function, has_aux):
    gradient = jax.value_and_grad(function, has_aux=has_aux)
    if has_aux:
        (value, aux), slope = gradient(w)
    else:
        value, slope = gradient(w)
    return value

def main():
    return measured(X, alone, False), measured(X, lambda w: (alone(w), w), True)

# --- the loss is taken for the gradient, in a step or beside the parameters
def mean(w, x):
    return jnp.mean((x * w) ** 2)

def stepped(w, x):
    gradient, value = jax.value_and_grad(mean)(w, x)
    return w - 0.1 * gradient  # JAX603

def changed(w, x, rate):
    gradient, value = jax.value_and_grad(mean)(w, x)
    w -= gradient * rate  # JAX603
    return w

@jax.jit
def mapped(w, batch):
    gradient, value = jax.value_and_grad(mean)(w, *batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, w, gradient)  # JAX603

def main():
    right = X - 0.1 * jax.grad(mean)(X, X)
    for wrong in (stepped(X, X), changed(X, X, 0.1), mapped(X, (X,))):
        assert not jnp.allclose(wrong, right)

# --- a loss in the step: of Newton, of one that makes its own rate, and beside other numbers
def mean(w):
    return jnp.mean(w**2 - 2.0)

def newton(w):
    value, gradient = jax.value_and_grad(mean)(w)
    return w - value / gradient

def inverse(w):
    value, gradient = jax.value_and_grad(mean)(w)
    rate = 1.0 / gradient
    return w - rate * value

def polyak(w):
    value, gradient = jax.value_and_grad(mean)(w)
    return w - value * gradient / (gradient @ gradient), 1.0 - value, value - w

def usual(w, rate):
    value, gradient = jax.value_and_grad(mean)(w)
    return jax.tree.map(lambda p, g: p - rate * g, w, gradient), w - rate * gradient, value

def main():
    return newton(X), inverse(X), polyak(X), usual(X, 0.1)

# --- a step, and a power, of what comes from far
def far(x):
    y = jnp.sin(jnp.sin(jnp.sin(jnp.sin(x))))
    y = jnp.sin(jnp.sin(jnp.sin(jnp.sin(y))))
    y = jnp.sin(jnp.sin(jnp.sin(jnp.sin(y))))
    return jnp.sum(x - 0.1 * y) + jnp.sum(y**3)

def main():
    return jax.grad(far)(X)

# --- the loss is taken for the gradient, where both come out of a compiled function
def mean(w, x):
    return jnp.mean((x * w) ** 2)

def fit(w, x, rate=0.5):
    both = jax.jit(jax.value_and_grad(mean))
    for _ in range(3):
        gradient, value = both(w, x)
        w = w - rate * gradient  # JAX603
    return w

def main():
    return fit(X, X)

# --- the loss and the gradient of a compiled function in their places, or of another function
def mean(w, x):
    return jnp.mean((x * w) ** 2)

@jax.jit
def newton(w, x):
    return mean(w, x), jnp.ones(3)

def fit(w, x, rate=0.5):
    both = jax.jit(jax.value_and_grad(mean))
    for _ in range(3):
        value, gradient = both(w, x)
        w = w - rate * gradient
    other, _ = newton(w, x)
    y = x - rate * both(w, x)[0]
    return w - rate * other, y

def main():
    return fit(X, X)

# --- the loss comes first, and is given to an optimiser
import optax

def main():
    tx, params = optax.adam(0.1), {"w": jnp.ones(2)}
    state = tx.init(params)
    loss, grads = jax.value_and_grad(lambda params: jnp.sum(params["w"] ** 2))(params)
    updates, state = tx.update(grads, state, params)
    grads, loss = jax.value_and_grad(lambda params: jnp.sum(params["w"] ** 2))(params)
    return tx.update(grads, state, params)  # JAX603
