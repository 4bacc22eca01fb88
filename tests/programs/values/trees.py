# Collectives keep the structure of what they are given.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- collective of a dict
@partial(jax.vmap, axis_name="i")
def step(x):
    metrics = jax.lax.pmean({"loss": x, "parts": [x, x]}, axis_name="i")
    metrics["scale"] = 1.0
    metrics["parts"][0] = x
    seen = jax.lax.all_to_all({"x": jnp.ones(2) * x}, "i", 0, 0)
    seen["own"] = x
    return metrics, seen

def main():
    return step(jnp.ones(2))

# --- collective of an argument
@partial(jax.pmap, axis_name="i")
def step(metrics):
    metrics = jax.lax.psum(metrics, "i")
    metrics["scale"] = 1.0
    return sorted(metrics), max(metrics), metrics

def main():
    try:
        step({"loss": jnp.ones(1)})
    except TypeError:
        pass  # strings are no results

# --- collective of an array
@partial(jax.vmap, axis_name="i")
def step(x):
    rows = jax.lax.all_gather(x, "i")
    rows[0] = 1.0  # JAX301
    return rows

def main():
    return step(jnp.ones(2))

# --- an array that is waited for
@jax.jit
def double(x):
    return 2 * x

def main():
    y = double(jnp.ones(3)).block_until_ready()
    y[0] = 1.0  # JAX301
    return y

# --- items of a collective
@partial(jax.pmap, axis_name="i")
def step(x):
    metrics = jax.lax.pmean({"loss": x}, "i")
    if metrics["loss"] > 0:  # JAX201
        return metrics
    return x

def main():
    return step(jnp.ones(1))

# --- decision on a collective of an argument
@partial(jax.pmap, axis_name="i")
def step(loss):
    loss = jax.lax.pmean(loss, "i")
    return loss if loss > 0 else -loss  # JAX201

def main():
    return step(jnp.ones(1))

# --- barrier placement and gradient stop
@jax.jit
def step(x):
    state = jax.lax.optimization_barrier({"x": x})
    state["y"] = x
    state = jax.lax.stop_gradient(state)
    state["z"] = x
    state = jax.device_put({"x": x, "all": state})
    state["w"] = x
    return state

def main():
    state = jax.block_until_ready(step(1.0))
    state["v"] = 1.0
    state = jax.block_until_ready({"a": jnp.ones(2)})
    state["b"] = 1.0
    return state

# --- the dict that was given stays
@jax.jit
def step(x):
    given = {"x": x}
    held = jax.lax.stop_gradient(given)
    held["flag"] = True
    given["flag"] = x
    return x if held["flag"] else -x

def main():
    return step(1.0)

# --- device put of a numpy array
def main():
    x = jax.device_put(np.zeros(3))
    x[0] = 1.0  # JAX301
    return x

# --- tree.map over a record of parts of an argument
from typing import NamedTuple

class State(NamedTuple):
    w: jax.Array
    b: jax.Array

@jax.jit
def record(params: dict[str, jax.Array]):
    state = jax.tree.map(jnp.sin, State(params["w"], params["b"]))
    if state.b > 0:  # JAX201
        return state.w
    return params["w"]

@jax.jit
def unpacked(params: dict[str, jax.Array]):
    state = jax.tree.map(jnp.sin, State(**params))
    return state.w if state.b > 0 else -state.w  # JAX201

@jax.jit
def computed(params: dict[str, jax.Array]):
    doubled = jax.tree.map(lambda leaf: leaf + 1, {name: leaf * 2 for name, leaf in params.items()})
    if doubled["w"][0]:  # JAX201
        return doubled
    return params

@jax.jit
def structure(params):
    state = jax.tree.map(jnp.sin, State(params["w"], params["b"]))
    return state.w if len(state) > 1 and state.b is not None else state.b

def main():
    params = {"w": jnp.ones(3), "b": jnp.ones(())}
    record(params)
    unpacked(params)
    computed(params)
    return structure(params)

# --- tree.map over a dataclass
import dataclasses

@partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["power"])
@dataclasses.dataclass(frozen=True)
class Data:
    w: jax.Array
    b: jax.Array
    power: int = 2

    def moved(self, by):
        return dataclasses.replace(self, w=self.w + by)

@jax.jit
def mapped(x, s):
    data = jax.tree.map(jnp.cos, Data(x, s))
    if data.power > 1:
        x = x + 1
    if data.moved(s).w > 0:  # JAX201
        return x
    return data.w

@jax.jit
def shapes(x, s):
    data = jax.tree.map(lambda leaf: leaf.ndim, Data(x, s))
    return x if data.w else s

def main():
    mapped(1.0, 2.0)
    return shapes(1.0, 2.0)

# --- what a record class has without an annotation is no field
import dataclasses

@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["count"])
@dataclasses.dataclass
class Cell:
    w: jax.Array
    count: int = 1
    rate = 0.5

    def step(self, e):
        return dataclasses.replace(self, w=self.w + e), np.full(3, self.rate)

    def bad(self, e):
        return self, np.full(3, self.w)  # JAX213

@jax.jit
def scanned(x):
    return jax.lax.scan(Cell.step, Cell(x), x)

@jax.jit
def bad(x):
    return jax.lax.scan(Cell.bad, Cell(x), x)

def main():
    scanned(jnp.ones(3))
    return bad(jnp.ones(3))

# --- what a callback gives has the structure of the shapes that it is told
def on_host(x):
    shapes = jax.ShapeDtypeStruct(x.shape[:-1], x.dtype), jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(lambda x: tuple(np.linalg.eigh(x)), shapes, x)

@jax.jit
def eigh(x):
    s, q = jnp.linalg.eigh(x)
    trace = jax.pure_callback(np.trace, jax.ShapeDtypeStruct((), x.dtype), x)
    if trace > 0:  # JAX201
        return s, q
    return jax.lax.cond(jnp.any(jnp.isnan(s)), on_host, lambda x: (s, q), x)

@jax.jit
def either(x):
    shape = jax.eval_shape(lambda x: (x, x), x)
    return jax.lax.cond(x[0, 0] > 0, lambda x: jax.pure_callback(lambda x: (x, x), shape, x), lambda x: (x, x), x)

def main():
    either(jnp.eye(2))
    eigh(jnp.eye(2))

# --- shards that are put on devices are one array
def summed(x, scale):
    return jnp.sum(x) * scale["a"]

def main():
    parts = [jnp.ones((2, 2))]
    x = jax.device_put_sharded(parts, jax.devices())  # JAX801
    scale = jax.device_put_replicated({"a": 2.0}, jax.devices())  # JAX801
    return jax.pmap(summed)(x, scale)
