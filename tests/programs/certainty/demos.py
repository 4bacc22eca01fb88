# In a library's module that is run itself, too.

# --- a module of a package that another imports
# file: pkg/__init__.py
from .noise import noise
# file: pkg/noise.py
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 possible


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 possible
    print(total + demo())

# --- a module beside the program
# file: noise.py
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 certain


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 possible
    print(total + demo())
# file: train.py
from noise import noise

# --- a function that others import
# file: pkg/__init__.py
from pkg.noise import demo
# file: pkg/noise.py
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 certain


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 possible
    print(total + demo())

# --- a program
# file: noise.py
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 certain


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 certain
    print(total + demo())
# file: other.py
import jax

# --- a program that its tests import
# file: noise.py
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 certain


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 certain
    print(total + demo())
# file: test_noise.py
from noise import noise

# --- a program with arguments that another imports
# file: pkg/__init__.py
# file: pkg/noise.py
import argparse
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 certain


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 certain
    print(total + demo())
# file: pkg/evaluate.py
from pkg.noise import noise
