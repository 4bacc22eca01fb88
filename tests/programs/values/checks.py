# Checks for tracers.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- result of unknown code
def valid(make, x):
    ok = make(x)
    if not isinstance(ok, jax.core.Tracer):
        if jax.device_get(~jnp.all(ok)):
            raise ValueError
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)

# --- early return
def valid(make, x):
    ok = make(x)
    if isinstance(ok, jax.core.Tracer):
        return x
    if jnp.all(ok):
        return -x
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)

# --- helper that asks about several
def is_traced(*xs):
    return any(isinstance(x, jax.core.Tracer) for x in xs)

def check(ok):
    assert jnp.all(ok)

def valid(make, x):
    ok = make(x)
    concrete = not is_traced(ok, x) and ok is not None
    if concrete:
        check(ok)
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)

# --- leaves of a tree
def valid(make, x):
    out = make(x)
    if all(not isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(out)):
        print(jnp.mean(out["y"]))
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: {"y": x}, 1.0)

# --- the other side
def valid(make, x):
    ok = make(x)
    if isinstance(ok, jax.core.Tracer):
        if jnp.all(ok):  # JAX201
            return x
    return -x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)

# --- a function for traces and one for the host
def has_tracers(tree):
    return any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(tree))

def assert_positive(x):
    if not (x > 0).all():
        raise ValueError

def positive(x):
    return (x > 0).all()

def dispatch(on_host, traced):
    def check(*args, **kwargs):
        if traced is not None and has_tracers((args, kwargs)):
            traced(*args, **kwargs)
        else:
            on_host(*args, **kwargs)

    return check

check_positive = dispatch(assert_positive, positive)

@jax.jit
def f(x):
    check_positive(x)
    return x

def main():
    return f(1.0)

# --- no function for traces
def has_tracers(tree):
    return any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(tree))

def assert_positive(x):
    if not (x > 0).all():  # JAX202
        raise ValueError

def positive(x):
    return (x > 0).all()

def dispatch(on_host, traced):
    def check(*args, **kwargs):
        if traced is not None and has_tracers((args, kwargs)):
            traced(*args, **kwargs)
        else:
            on_host(*args, **kwargs)

    return check

check_positive = dispatch(assert_positive, None)

@jax.jit
def f(x):
    check_positive(x)
    return x

def main():
    return f(1.0)

# --- after the check
def valid(make, x):
    ok = make(x)
    if not isinstance(ok, jax.core.Tracer):
        assert jnp.all(ok)
    return x if x > 0 else -x  # JAX201

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)

# --- what is left where a value is no array, by itself and beside what is known
import numpy as np

AVAILABLE = True

@jax.jit
def kernel(r):
    if isinstance(r, (jnp.ndarray, jax.Array)):
        return jnp.exp(-0.5 * r)
    return np.exp(-0.5 * np.asarray(r))

@jax.jit
def other(r):
    if AVAILABLE and isinstance(r, jax.Array):
        return jnp.exp(-0.5 * r)
    return np.exp(-0.5 * np.asarray(r))

def main():
    return kernel(jnp.ones(2)), other(jnp.ones(2))

# --- without jax, nothing is traced
import numpy as np

try:
    import jax
    import jax.numpy as jnp
    HAS_JAX = True
except ImportError:
    jnp = np
    HAS_JAX = False

@jax.jit
def total(x):
    if HAS_JAX:
        return jnp.sum(x)
    return float(np.sum(x))

def main():
    return total(jnp.ones(2))

# --- without another library than jax, the program goes another way
import numpy as np

try:
    import jax
    import a_library_that_is_not_there
    HAS_BOTH = True
except ImportError:
    HAS_BOTH = False

@jax.jit
def total(x):
    if HAS_BOTH:
        return a_library_that_is_not_there.total(x)
    return jnp.sum(np.arctan(x))  # JAX213

def main():
    return total(jnp.ones(2))
