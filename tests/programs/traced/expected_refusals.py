# Functions that are called only where the code expects what JAX refuses there: tests, and lessons, which are told.

import jax
import jax.numpy as jnp

# --- a lesson shows what is refused
@jax.jit
def branch(x):
    if x < 3:  # JAX201
        return 3.0 * x
    return x

try:
    branch(2.0)
except jax.errors.TracerBoolConversionError as error:
    print("refused:", error)

def main():
    return globals()["branch"](2.0)

# --- a test says that it is refused
import pytest

def main():
    @jax.jit
    def branch(x):
        if x > 0:
            return x
        return -x

    with pytest.raises(jax.errors.TracerBoolConversionError):
        branch(1.0)

# --- a test says that what is compiled of it is refused
import pytest

def both(x):
    return (x > 0) and (x < 3)

compiled = jax.jit(both)

def main():
    with pytest.raises((jax.errors.TracerBoolConversionError, ValueError)):
        compiled(2.0)

# --- it is called elsewhere, too
import pytest

@jax.jit
def branch(x):
    if x < 3:  # JAX201
        return 3.0 * x
    return x

def refused():
    with pytest.raises(jax.errors.TracerBoolConversionError):
        branch(2.0)

def main():
    return branch(1.0)

# --- another refusal is expected
import pytest

@jax.jit
def number(x):
    return float(x)  # JAX211

def refused():
    with pytest.raises(jax.errors.NonConcreteBooleanIndexError):
        number(2.0)

def main():
    return refused()

# --- what a class and a function have that only give it a name is refused
import pytest

class Branches:
    @staticmethod
    def branch(x):
        if x < 3:
            return 3.0 * x
        return x

branch = Branches.branch

def make():
    def number(x):
        return float(x)
    return number

number = make()

with pytest.raises(jax.errors.TracerBoolConversionError):
    jax.jit(branch)(2.0)

with pytest.raises(jax.errors.ConcretizationTypeError):
    jax.jit(number)(2.0)

def main():
    return branch(2.0)

# --- a function of the same name is defined after the test
import pytest

def branch(x):
    if x < 3:
        return 3.0 * x
    return x

with pytest.raises(jax.errors.TracerBoolConversionError):
    jax.jit(branch)(2.0)

def branch(x):
    if x < 3:  # JAX201
        return 4.0 * x
    return x

def main():
    return jax.jit(branch)(2.0)

# --- a handler of another exception than the one of integers
def repeated(x):
    for _ in range(x.sum()):  # JAX204
        x = x + 1
    return x

@jax.jit
def f(x):
    try:
        return repeated(x)
    except jax.errors.ConcretizationTypeError:
        return x

def main():
    return f(jnp.ones(3, int))

# --- a handler of another exception than that of an index
def chosen(x):
    return [1, 2][x]  # JAX214

@jax.jit
def f(x):
    try:
        return chosen(x)
    except jax.errors.ConcretizationTypeError:
        return 1

def main():
    return f(1)

# --- the exceptions of integers and of floats, each with its handler
@jax.jit
def f(x):
    try:
        return [1, 2][x]
    except jax.errors.TracerIntegerConversionError:
        pass
    try:
        return float(x)
    except jax.errors.ConcretizationTypeError:
        return 1

def main():
    return f(1)

# --- what is refused, as the code expects, does not run
from functools import partial

import jax

@partial(jax.jit, static_argnames="n")
def scaled(x, n):
    for _ in range(n):
        x = 2 * x
    return x

def body(n, x):
    return scaled(x, n)

def main():
    try:
        return jax.lax.fori_loop(0, 3, body, 1.0)
    except ValueError:
        return scaled(1.0, 3)

# --- of what an iterator gives a refused loop makes nothing
import jax
import jax.numpy as jnp

def fitted(weights, batch):
    x, y = batch
    return weights - 0.1 * x.T @ (x @ weights - y), None

def refused(xs, ys):
    return jax.lax.scan(fitted, jnp.ones(3), zip(xs, ys))  # JAX109

def main():
    xs, ys = jnp.ones((4, 8, 3)), jnp.ones((4, 8))
    return jax.lax.scan(fitted, jnp.ones(3), (xs, ys))

# --- what follows a conversion that is expected to fail runs without a trace
def trimmed(x, count):
    try:
        n = int(count)
    except jax.errors.ConcretizationTypeError:
        return x
    return x[:n] * float(count), [bool(part) for part in x]

@jax.jit
def f(x, count):
    return trimmed(x, count)

def main():
    return f(jnp.ones(3), 2), trimmed(jnp.ones(3), jnp.int32(2))

# --- what follows the handler runs under the trace
@jax.jit
def f(x):
    try:
        y = -x if x > 0 else x
    except jax.errors.TracerBoolConversionError:
        y = jnp.abs(x)
    if y > 1:  # JAX201
        return y
    return x

def main():
    return f(1.0)

# --- a script that runs its jobs, and tells which have failed, expects none to fail
import jax

def attempt(name, job, *args):
    try:
        return jax.jit(job)(*args)
    except jax.errors.TracerBoolConversionError as error:
        print(name, type(error).__name__)
        return None

def branch(x):
    if x > 0:  # JAX201
        return x
    return -x

for name, job in {"branch": branch}.items():
    attempt(name, job, 1.0)

def main():
    return jax.jit(globals()["branch"])(1.0)

# --- so does one that writes down which of them have
import logging

import jax.numpy as jnp

log = logging.getLogger(__name__)

def run(job, *args):
    try:
        return job(*args)
    except (TypeError, ValueError):
        log.error("a job has failed")
    return None

def first(x):
    x[0] = 1.0  # JAX301
    return x

run(lambda: first(jnp.ones(3)))

def main():
    return globals()["first"](jnp.ones(3))

# --- a handler that computes something else expects a failure, whatever it says of it
import jax
import jax.numpy as jnp

def compiled(job, x):
    try:
        return jax.jit(job)(x)
    except jax.errors.ConcretizationTypeError as error:
        print("not compiled:", error)
        return job(x)

def absolute(x):
    if x > 0:
        return x
    return -x

def main():
    return compiled(absolute, jnp.float32(1.0))

# --- so does one whose result is that of a method of what nobody knows, or of a function that is told of the failure
import jax
import jax.numpy as jnp

def first(job, x, others):
    try:
        return jax.jit(job)(x)
    except jax.errors.ConcretizationTypeError:
        return others.get("plain")(x)

def second(job, x):
    try:
        return jax.jit(job)(x)
    except jax.errors.ConcretizationTypeError as error:
        return plain(x, error)

def plain(x, why):
    return jnp.abs(x), str(why)

def absolute(x):
    if x > 0:
        return x
    return -x

def main():
    return first(absolute, jnp.float32(1.0), {"plain": jnp.abs}), second(absolute, jnp.float32(1.0))

# --- what stands in the `try` itself is shown there
import jax.numpy as jnp

def main():
    x = jnp.ones(3)
    try:
        x[0] = 1.0
    except TypeError as error:
        print("refused:", error)
    return x

# --- context managers of the project's own say that it is refused
import contextlib

import jax
import jax.numpy as jnp

@contextlib.contextmanager
def refused(*errors):
    try:
        yield
    except errors as error:
        print("refused:", type(error).__name__)
    else:
        raise AssertionError("nothing was raised")

class Refused:
    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        assert kind is not None
        return issubclass(kind, self.kind)

@jax.jit
def branch(x):
    if x > 0:
        return x
    return -x

def main():
    @jax.jit
    def number(x):
        return x * float(x)

    x = jnp.ones(3)
    with refused(jax.errors.TracerBoolConversionError, ValueError):
        branch(1.0)
    with Refused(jax.errors.ConcretizationTypeError):
        number(2.0)
    with refused(TypeError):
        x[0] = 1.0
    return x

# --- context managers that pass on what is raised, or keep something else
import contextlib

import jax
import jax.numpy as jnp

@contextlib.contextmanager
def timed():
    try:
        yield
    except Exception as error:
        print(error)
        raise
    finally:
        print("done")

@contextlib.contextmanager
def without(key):
    try:
        yield
    except KeyError:
        print("no", key)

class Closed:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False

class Around:
    def __init__(self, inner):
        self.inner = inner

    def __enter__(self):
        return self.inner.__enter__()

    def __exit__(self, *error):
        return self.inner.__exit__(*error)

class Finished(Closed):
    def __exit__(self, kind, error, trace):
        return kind is None

def main():
    x = jnp.ones(3)
    with timed(), without("x"), Closed(), Around(Closed()), Finished():
        x[0] = 1.0  # JAX301
    return x

# --- a key that a test uses twice for JAX to see
import jax

def test_reuse():
    key = jax.random.key(0)
    with jax.debug_key_reuse(True):
        a = jax.random.normal(key)
        try:
            b = jax.random.normal(key)
        except jax.errors.KeyReuseError as error:
            print("seen:", error)
            b = None
    return a, b

def main():
    return test_reuse()
