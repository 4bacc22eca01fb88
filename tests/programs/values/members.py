# What arrays had once, and have no longer.

import jax
import jax.numpy as jnp

# --- device that is called
def main():
    x = jnp.ones(3)
    return x.device()  # JAX801

# --- device that is read
def main():
    x = jnp.ones(3)
    return x.device, x.devices(), jax.device_put(x, x.device).device.platform

# --- device that is a method, or not
def main():
    x = jnp.ones(3)
    if callable(x.device):
        return x.device()
    try:
        return x.device()
    except TypeError:
        return x.device

# --- buffer of an array
def main():
    return buffer(jnp.ones(3))

def buffer(x):
    x = jnp.asarray(x)
    return x.device_buffer  # JAX801

# --- buffer of an array that may have one
def main():
    return buffer(jnp.ones(3))

def buffer(x):
    x = jnp.asarray(x)
    if hasattr(x, "device_buffer"):
        return x.device_buffer
    if not hasattr(x, "to_py"):
        return x
    return x.to_py()

# --- split that is a method
@jax.jit
def halves(x):
    return jnp.sin(x).split(2)  # JAX801

def main():
    return halves(jnp.ones(4))

# --- split of a text, and a device of the host
class Device:
    def device(self):
        return "cpu"

def main():
    return "a b".split(), Device().device(), jnp.split(jnp.ones(4), 2)
