# Functions that are called only where the code expects what JAX refuses there: lessons and tests.

import jax
import jax.numpy as jnp

# --- a lesson shows what is refused
@jax.jit
def branch(x):
    if x < 3:
        return 3.0 * x
    return x

def main():
    try:
        branch(2.0)
    except jax.errors.TracerBoolConversionError as error:
        print("refused:", error)

# --- a lesson compiles what is refused
def both(x):
    return (x > 0) and (x < 3)

compiled = jax.jit(both)
try:
    compiled(2.0)
except (jax.errors.TracerBoolConversionError, ValueError):
    print("refused")

def main():
    return 1.0

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

# --- it is called elsewhere, too
@jax.jit
def branch(x):
    if x < 3:  # JAX201
        return 3.0 * x
    return x

try:
    branch(2.0)
except jax.errors.TracerBoolConversionError:
    print("refused")

def main():
    return branch(1.0)

# --- another refusal is expected
@jax.jit
def number(x):
    return float(x)  # JAX211

def main():
    try:
        number(2.0)
    except jax.errors.NonConcreteBooleanIndexError:
        print("refused")

# --- whatever happens is caught, as programs do
@jax.jit
def branch(x):
    if x < 3:  # JAX201
        return 3.0 * x
    return x

def main():
    branch(1.0)

if __name__ == "__main__":
    try:
        branch(2.0)
    except Exception as error:
        print(error)

# --- a function of the same name is defined after the lesson
def branch(x):
    if x < 3:
        return 3.0 * x
    return x

try:
    jax.jit(branch)(2.0)
except jax.errors.TracerBoolConversionError:
    print("refused")

def branch(x):
    if x < 3:  # JAX201
        return 4.0 * x
    return x

def main():
    return jax.jit(branch)(2.0)
