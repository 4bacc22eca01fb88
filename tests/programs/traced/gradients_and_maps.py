# What grad, vmap, pmap, checkpoint and their kin trace, and what plain values they leave.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- gradient of a tree
@jax.jit
def f(params):
    slopes = jax.grad(lambda p: (p["w"] * p["b"]).sum())(params)
    return slopes["w"] if slopes["b"] > 0 else 0  # JAX201

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})

# --- transform of either function
@partial(jax.jit, static_argnames="smooth")
def f(x, smooth):
    y = jax.checkpoint(jnp.sin if smooth else jnp.cos)(x)
    return y if y > 0 else -y  # JAX201

def main():
    return f(1.0, smooth=True)

# --- mask of either array
@partial(jax.jit, static_argnames="smooth")
def f(x, y, smooth):
    if smooth:
        y = jnp.sin(x)
    return y[x > 0].sum()  # JAX221

def main():
    return f(jnp.ones(3), jnp.ones(3), smooth=False)

# --- jit of grad
def loss(w):
    return jnp.where(w > 0, w, 0.0) if w > -1 else 0.0  # JAX201

def main():
    return jax.jit(jax.grad(loss))(1.0)

# --- grad of jit
@jax.jit
def loss(w):
    return w * w if w > 0 else w  # JAX201

def main():
    return jax.grad(loss)(1.0)

# --- vmap of grad
def loss(w):
    if w > 0:  # JAX201
        return w * w
    return w

def main():
    return jax.vmap(jax.grad(loss))(jnp.ones(3))

# --- vmap
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return jax.vmap(f)(jnp.ones(3))

# --- vmap keyword is mapped
def f(x, scale):
    if scale > 0:  # JAX201
        return x
    return -x

def main():
    return jax.vmap(f)(jnp.ones(3), scale=jnp.ones(3))

# --- vmap in axes
def f(x, scale):
    if x > scale:  # JAX201
        return x
    return scale

def main():
    return jax.vmap(f, in_axes=(0, None))(jnp.ones(3), 2.0)

# --- pmap
@jax.pmap
def f(x):
    return int(x)  # JAX211

def main():
    return f(jnp.ones(1))

# --- checkpoint
@jax.checkpoint
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- eval shape
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return jax.eval_shape(f, 1.0)

# --- make jaxpr
def f(x):
    return sorted(x)[0]  # JAX203

def main():
    return jax.make_jaxpr(f)(jnp.ones(3))

# --- shard map
def block(x):
    if x.sum() > 0:  # JAX201
        return x
    return -x

def main():
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")
    return jax.shard_map(block, mesh=mesh, in_specs=spec, out_specs=spec)(jnp.ones(2))

# --- grad of checkpoint
def loss(w):
    return w * w if w > 0 else w  # JAX201

def main():
    return jax.grad(jax.checkpoint(loss))(1.0)

# --- custom vjp under jit
@jax.custom_vjp
def f(x):
    return x if x > 0 else -x  # JAX201

f.defvjp(lambda x: (f(x), x), lambda x, g: (g * x,))

@jax.jit
def g(x):
    return f(x)

def main():
    return g(1.0)

# --- plain grad
def loss(w, flag):
    if w > 0 and flag:
        return w * w
    return abs(w)

def main():
    return jax.grad(loss)(1.0, True), jax.value_and_grad(loss)(-1.0, flag="yes")

# --- grad other arguments
def loss(w, x, mode):
    return w * float(x) if mode == "mean" else w * np.sin(x)

def main():
    return jax.grad(loss)(1.0, jnp.ones(()), "mean")

# --- jvp hessian linearize
def f(x):
    return x * x if x > 0 else x

def main():
    y, df = jax.linearize(f, 1.0)
    return jax.jvp(f, (1.0,), (1.0,)), jax.hessian(f)(1.0), jax.vjp(f, 1.0)[0], df(1.0), y

# --- vmap unmapped
def f(x, mode, scale):
    if mode == "double" and scale > 1:
        return x * float(scale)
    return x

def main():
    return jax.vmap(f, in_axes=(0, None, None))(jnp.ones(3), "double", 2.0)

# --- vmap default
def f(x, train=False):
    return x if train else -x

def main():
    return jax.vmap(f)(jnp.ones(3))

# --- custom vjp eager
@jax.custom_vjp
def f(x):
    return x if x > 0 else -x

f.defvjp(lambda x: (f(x), x), lambda x, g: (g * x,))

def main():
    return f(1.0), jax.grad(f)(1.0)

# --- value of a custom gradient
@jax.custom_gradient
def safe_log(x):
    return jnp.log(x), lambda g: g / x

@jax.jit
def f(x, i):
    return safe_log(x)[i]

def main():
    return f(jnp.ones(3), 1)

# --- float under plain grad
def loss(w):
    return w * float(w)  # JAX211

def main():
    return jax.grad(loss)(1.0)

# --- item under plain grad
def loss(w):
    return w * w.item()  # JAX212

def main():
    return jax.grad(loss)(3.0)

# --- mask under plain grad
def loss(w):
    return jnp.sum(w[w > 0]) * len(jnp.nonzero(w)[0])

def main():
    return jax.grad(loss)(jnp.ones(3))

# --- options by position
def loss(w, n):
    return jnp.sum(w * n), n

@jax.jit
def step(w):
    g, n = jax.grad(loss, 0, True)(w, 3)
    (v, m), h = jax.value_and_grad(loss, 0, True)(w, 3)
    return g if n > 2 and m > 2 else h

def main():
    step(jnp.ones(3))
    jax.make_jaxpr(lambda n, x: x if n else -x, 0)(1, 2.0)

# --- options by position, and a traced one of what is computed beside the gradient
def loss(w, n):
    return jnp.sum(w * n), n

@jax.jit
def step(w):
    g, n = jax.grad(loss, 0, True)(w, w[0])
    return g if n > 2 else -g  # JAX201

def main():
    step(jnp.ones(3))

# --- the gradient of a dict
@jax.jit
def f(x: jax.Array):
    found = jax.grad(lambda p: p["w"].sum() * p["layers"][0])({"w": x, "layers": [x.sum()], "rest": None})
    if found["rest"]:
        return x
    if found["layers"][0] > 0:  # JAX201
        return x
    return found["w"]

def main():
    f(jnp.ones(3))

# --- the gradient of a registered dataclass
import dataclasses
import functools

@functools.partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["count"])
@dataclasses.dataclass
class Model:
    w: jax.Array
    count: int = 1

    def loss(self):
        return jnp.dot(self.w, self.w)

@jax.jit
def f(x: jax.Array):
    value, found = jax.value_and_grad(lambda model: model.loss())(Model(x, 2))
    if found.count > 1:
        x = x + found.w
    return float(found.w[0])  # JAX211

def main():
    f(jnp.ones(3))

# --- the gradient of a dict outside of traces
def main():
    params = {"w": jnp.ones(3), "b": jnp.ones(())}
    found = jax.grad(lambda p: p["w"].sum() * p["b"])(params)
    for name, leaf in found.items():
        if float(abs(leaf).max()) > 0:
            params[name] = params[name] - leaf
    return params if found["b"] > 0 else found

# --- a derivative by jacrev
@jax.jit
def f(x):
    y = jax.jacrev(lambda v: v * v)(x)
    return y if y > 0 else -y  # JAX201

def main():
    return f(1.0)

# --- derivatives by each argument, of each result
@jax.jit
def f(x, w):
    found = jax.jacfwd(lambda v, w: {"a": v * w, "b": v}, argnums=(0, 1))(x, w)
    by_x, by_w = found["a"]
    if by_w > 0:  # JAX201
        return by_x
    return found["b"][0]

def main():
    return f(1.0, 2.0)

# --- a hessian is kept
seen = []

@jax.jit
def f(x):
    y = jax.hessian(lambda v: (v * v).sum())(x)
    seen.append(y)  # JAX107
    return y

def main():
    return f(jnp.ones(3))

# --- what a jacobian has beside is no tracer, nor is its shape
@jax.jit
def f(x):
    y, mode = jax.jacrev(lambda v: (v * v, "square"), has_aux=True)(x)
    return y if mode == "square" and y.ndim else -y

def main():
    return jax.jacfwd(f)(jnp.ones(3))

# --- derivatives outside of traces, and those of the axes of both
def main():
    y = jax.jacobian(lambda v: jnp.stack([v.sum(), v.prod()]))(jnp.ones(3))
    z = jax.hessian(lambda v: v @ v)(jnp.ones(3))
    return y @ jnp.ones(3) if float(z[0, 0]) > 0 and y[0, 0] > 0 else y + z

# --- a draw from the key of a lane decides a branch
def flipped(key, x):
    turn, noise = jax.random.split(key)
    if jax.random.uniform(turn) < 0.1:  # JAX201
        x = -x
    return x + jax.random.normal(noise)

def shifted(key, x):
    if key.ndim or x.ndim:
        x = x + 1.0
    return jnp.where(jax.random.uniform(key) < 0.1, x, -x)

def main():
    xs = jnp.ones(3)
    keys = jax.random.split(jax.random.key(0), len(xs))
    first = jax.vmap(shifted)(keys, xs)
    return first, jax.vmap(flipped)(jax.random.split(jax.random.key(1), 3), xs)

# --- the gradient for a key, which is found out inside
def noisy(key, w):
    return jnp.sum(w * jax.random.normal(key, w.shape))

def slope(key, w):
    return jax.grad(noisy)(key, w)  # JAX602

def main():
    return slope(jax.random.key(0), jnp.ones(2))

# --- what Python has made a whole number of
def response(rate, dose):
    return rate * jnp.exp(-dose / 3.0)

def of_number(doses):
    return [jax.grad(response, argnums=0)(1.0, int(dose)) for dose in doses]

def main(doses=("1", "2")):
    of_number(doses)
    slope = jax.grad(response, argnums=1)
    return [slope(1.0, int(dose)) for dose in doses]  # JAX602

# --- how many of something there are
def main(names=("a", "b")):
    return jax.grad(lambda n: n * 2.0)(len(names))  # JAX602

# --- the gradient for a key in a dict
def slope(params):
    return jax.grad(lambda p: jnp.sum(p["w"] * jax.random.normal(p["key"])))(params)  # JAX602

def main():
    return slope({"w": jnp.ones(2), "key": jax.random.PRNGKey(0)})

# --- the gradient for a new key
def main():
    return jax.value_and_grad(lambda key, w: jnp.sum(w * jax.random.normal(key)))(jax.random.key(0), 1.0)  # JAX602

# --- a key beside what is differentiated, one that is allowed to be, and a pullback
def noisy(key, w):
    return jnp.sum(w * jax.random.normal(key, w.shape))

def main():
    key, w = jax.random.PRNGKey(0), jnp.ones(2)
    slopes = jax.grad(noisy, argnums=1)(key, w), jax.grad(noisy, allow_int=True)(jax.random.PRNGKey(1), w)
    return slopes, jax.vjp(noisy, jax.random.PRNGKey(2), w)[1](1.0)

# --- the gradients of a library for a function that gives a pair
from flax import nnx

def loss(model, x):
    out = model(x)
    return out.mean(), out

def step(model, x):
    return nnx.value_and_grad(loss)(model, x)  # JAX601

def main():
    step(nnx.Linear(2, 3, rngs=nnx.Rngs(0)), jnp.ones((4, 2)))

# --- the gradients of a library for a function that gives a pair, as they are told
import equinox as eqx
from flax import nnx

def loss(model, x):
    out = model(x)
    return out.mean(), out

def alone(model, x):
    return model(x).mean()

def filtered(w):
    return jnp.sum(w["w"]), w

def main():
    model, x = nnx.Linear(2, 3, rngs=nnx.Rngs(0)), jnp.ones((4, 2))
    told = nnx.value_and_grad(loss, has_aux=True)(model, x), nnx.grad(alone)(model, x)
    return told, eqx.filter_grad(filtered, has_aux=True)({"w": x}), eqx.filter_value_and_grad(alone)(jnp.sin, x)

# --- the terms of a series
from jax.experimental import jet

def main():
    value, (first, second) = jet.jet(jnp.sin, (0.5,), ((1.0, 0.0),))
    return value + first + second
