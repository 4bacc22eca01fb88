# Containers that a trace copies.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- item that nobody looks at again
@jax.jit
def f(state, x):
    scale = state.pop("scale")
    state["n"] = x
    return x * scale + state["n"]

def main():
    state = {"n": 0, "m": 1, "scale": 2}
    y = f(state, 2.0)
    return y, state["m"]

def unseen(state, x):
    return f(state, x), state["m"]

# --- item that is looked at again
@jax.jit
def f(state, x):
    scale = state.pop("scale")  # JAX106
    state["n"] = x  # JAX106
    return x * scale + state["n"]

def main():
    state = {"n": 0, "scale": 2}
    y = f(state, 2.0)
    return y, state["n"], state["scale"]

# --- variable that is bound again
def f(state):
    state["n"] = state["n"] + 1
    return state["n"]

count = jax.jit(f)

def main():
    state = {"n": 0}
    state = count(state)
    return state

# --- next pass of the loop
def f(history, x):
    history.append(x)  # JAX106
    return x + 1

step = jax.jit(f)

def main():
    history, x = [], 0
    for _ in range(3):
        if len(history) > 1:
            break
        x = step(history, x)
    return x

# --- argument that grad does not rebuild
def loss(w, params):
    params["w"] = w
    params["scale"] = 2.0
    return (params["w"] * params["scale"]).sum()

@jax.jit
def update(params):
    w = params["w"]
    slope = jax.grad(loss)(w, params)
    params["w"] = w - slope
    return params

def main():
    params = {"w": jnp.ones(2), "scale": 1.0}
    new = update(params)
    assert new["scale"] == 2.0 and params["scale"] == 1.0
    return new, params["w"]

# --- argument that grad does not rebuild and nobody returns
def loss(w, log):
    log["power"] = 2.0  # JAX106
    return (w ** log["power"]).sum()

@jax.jit
def slope(w, log):
    return jax.grad(loss)(w, log) * log["power"]

def main():
    log = {"power": 1.0}
    found = slope(jnp.ones(2), log)
    assert log["power"] == 1.0
    return found, log["power"]

# --- argument that grad rebuilds
def loss(params):
    params["scale"] = 2.0 * params["scale"]  # JAX106
    return (params["w"] * params["scale"]).sum()

@jax.jit
def slope(params):
    return jax.grad(loss)(params), params

def main():
    params = {"w": jnp.ones(2), "scale": 1.0}
    found, kept = slope(params)
    assert kept["scale"] == 1.0
    return found, params["scale"]

# --- auxiliary value of grad
@partial(jax.value_and_grad, has_aux=True)
def loss(w, metrics):
    metrics["loss"] = (w**2).sum()
    return metrics["loss"], metrics

@jax.jit
def step(w, metrics):
    (_, metrics), slope = loss(w, metrics)
    return w - slope, metrics

def main():
    w, metrics = step(jnp.ones(2), {"loss": 0.0})
    return w, metrics["loss"]

# --- helper changes what its caller returns
def halve(batch):
    batch["x"] = batch["x"] / 2

def take(batch, name):
    return batch.pop(name)

@jax.jit
def prepare(batch):
    halve(batch)
    label = take(batch, "label")
    return batch, label

def main():
    batch = {"x": 2.0, "label": 1.0}
    prepared, label = prepare(batch)
    assert prepared == {"x": 1.0} and batch["x"] == 2.0
    return prepared, label, batch["label"]

# --- helper returns what its caller drops
def halve(batch):
    batch["x"] = batch["x"] / 2  # JAX106
    return batch

@jax.jit
def total(batch):
    halve(batch)
    return batch["x"].sum()

def main():
    batch = {"x": jnp.ones(2)}
    found = total(batch)
    assert found == 1.0
    return found, batch["x"]

# --- argument that each lane gets whole
def add(history, x):
    history.append(x)  # JAX106
    return x

lanes = jax.vmap(add, in_axes=(None, 0))

def main():
    history = [0.0]
    lanes(history, jnp.ones(3))
    assert len(history) == 1
    return history

# --- plain grad changes the caller s own
def loss(w, log):
    log["count"] += 1
    return (w**2).sum()

def main():
    w, log = jnp.ones(2), {"count": 0}
    for _ in range(3):
        w = w - jax.grad(loss)(w, log)
    assert log["count"] == 3
    return w
