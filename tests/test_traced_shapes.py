"""Tracing, effects and in-place updates under every transform: short programs, judged by JAX first and jaxlint second.

Each program has a function ``main()``.  Marks at the ends of lines say what jaxlint has to report, and that is all it
may report.  JAX is the judge: a program marked with a code of ``RAISING`` raises on the marked line, every other one
runs to its end.  The groups alternate between what goes wrong and what looks the same and does not.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import jax
import pytest

from jaxlint.api import lint_paths, lint_source

PRELUDE = "from functools import partial\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"

WAYS_INTO_A_TRACE = {
    "static-argument-that-the-function-does-not-take": """
KINDS = [jnp.float16, jnp.float32]

def embed(table, tokens, kind):
    if tokens > 3:
        return table
    return table[tokens].astype(KINDS[kind])

def main():
    for make in (jax.jit, jax.checkpoint, partial(jax.pmap, static_broadcasted_argnums=3)):
        for options in ({"static_argnums": 3}, {"static_argnames": "kinds"}):
            try:
                make(embed, **options)(jnp.ones(3), 1, 0)
            except (TypeError, ValueError):
                continue
            raise AssertionError("JAX takes it")

jitted = partial(jax.jit, static_argnums=(-4,))
checkpointed = jax.checkpoint(embed, static_argnums=(3,))

def never(table):
    return jitted(embed), checkpointed(table, 1, 0), jax.jit(embed, static_argnames="kinds")
""",
    "static-arguments-that-the-function-does-take": """
def choose(x, *flags):
    if x > 0:  # JAX201
        return x
    return -x if flags[1] else x

def main():
    return jax.jit(choose, static_argnums=(2, 5))(1.0, False, True)
""",
    "static-argument-by-name-among-others": """
def choose(x, flag, **others):
    if flag:
        return x
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return jax.jit(choose, static_argnums=-1, static_argnames=("scale",))(1.0, False, scale=1)
""",
    "static-method-around-a-transform": """
class Model:
    @staticmethod
    @jax.jit
    def clip(x):
        if x > 0:  # JAX201
            return x
        return -x

    @staticmethod
    @partial(jax.jit, static_argnums=0)
    def scale(large, x):
        return 10 * x if large else x

def main():
    assert Model().scale(True, 1.0) == Model.scale(True, 1.0)
    return [getattr(Model(), name)(1.0) for name in ("clip",)]
""",
    "module-lifted-twice": """
import flax.linen as nn

class Layer(nn.Module):
    size: int | None = None

    @nn.compact
    def __call__(self, x, train):
        if train:  # JAX201
            x = nn.Dense(self.size or 3)(x)
        return x

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.remat(Layer, static_argnums=(2,))
        return nn.jit(layer)(size=3)(x, True)

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]
""",
    "argument-that-a-lifted-scan-goes-through": """
import flax.linen as nn

class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, keep, train):
        if train:
            x = nn.Dense(3)(x)
        if keep.any():  # JAX201
            x = x + 1
        return x, None

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x, keep):
        split = {"params": True}
        axes = (0, nn.broadcast)
        layers = nn.scan(Layer, variable_axes={"params": 0}, split_rngs=split, in_axes=axes, length=2)
        return layers()(x, keep, True)[0]

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)), jnp.ones(2))[0]
""",
    "argument-of-a-scanned-function": """
import flax.linen as nn

class Sums(nn.Module):
    @nn.compact
    def __call__(self, x, rows):
        def body(module, total, row, double, limit):
            if double:
                row = 2 * row
            if limit:  # JAX201
                row = row + 1
            return total + row, None

        return nn.scan(body, in_axes=(0, nn.broadcast, 0))(self, x, rows, True, rows)[0]

def main():
    return Sums().apply({}, jnp.ones(()), jnp.ones(3))
""",
    "argument-next-to-a-dict": """
@jax.jit
def f(x, cache, rows):
    name = f"layer_{x.ndim}"
    index = name if cache else 0
    index = 0
    if rows:  # JAX201
        x = x + rows[index]
    return x + cache[name]

def main():
    return f(jnp.ones(3), {"layer_1": 1.0}, jnp.ones(3))
""",
    "lifted-module": """
import flax.linen as nn

class Layer(nn.Module):
    size: int

    @nn.compact
    def __call__(self, x):
        if x.sum() > 0:  # JAX201
            return x
        return nn.Dense(self.size)(x)

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.vmap(Layer, variable_axes={"params": 0}, split_rngs={"params": True})(2)(x)

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]
""",
    "mask-that-is-narrowed": """
@jax.jit
def f(rows, limits, table):
    return table[(rows > limits).any(axis=1)]  # JAX221

def main():
    return f(jnp.ones((2, 3)), jnp.ones((2, 3)), jnp.arange(2))
""",
    "declared-dict": """
@jax.jit
def f(params: dict[str, jax.Array]):
    if params["b"]:  # JAX201
        return params["w"]
    return 0

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})
""",
    "declared-list": """
@jax.jit
def f(rows: list[jax.Array]):
    for row in rows[1:]:
        if row:  # JAX201
            return row
    return 0

def main():
    return f([jnp.ones(()), jnp.ones(())])
""",
    "copy-of-a-declared-dict": """
@jax.jit
def f(params: dict[str, jax.Array]):
    copy = {**params, "c": 1.0}
    return min(copy["w"])  # JAX203

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})
""",
    "static-names-of-a-wrapped-function": """
from functools import wraps

def logged(f):
    @wraps(f)
    def wrapped(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapped

@partial(jax.jit, static_argnames=("n", "m"))
@logged
def f(x, n=1, m=2):
    return x * 2 if n > m else x

@partial(jax.jit, static_argnums=list(range(1, 3)), static_argnames=("n", "m"))
@logged
def g(x, n=1, m=2):
    return x * 2 if n > m else x

def main():
    return f(jnp.ones(3), 1, 2), f(jnp.ones(3), n=1), g(jnp.ones(3), 1, 2), g(jnp.ones(3), m=1)
""",
    "entries-handed-on": """
def scale(w, b):
    return w if b > 0 else -w  # JAX201

@jax.jit
def f(params):
    return scale(**{**params, "w": 1.0})

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})
""",
    "gradient-of-a-tree": """
@jax.jit
def f(params):
    slopes = jax.grad(lambda p: (p["w"] * p["b"]).sum())(params)
    return slopes["w"] if slopes["b"] > 0 else 0  # JAX201

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})
""",
    "transform-of-either-function": """
@partial(jax.jit, static_argnames="smooth")
def f(x, smooth):
    y = jax.checkpoint(jnp.sin if smooth else jnp.cos)(x)
    return y if y > 0 else -y  # JAX201

def main():
    return f(1.0, smooth=True)
""",
    "mask-of-either-array": """
@partial(jax.jit, static_argnames="smooth")
def f(x, y, smooth):
    if smooth:
        y = jnp.sin(x)
    return y[x > 0].sum()  # JAX221

def main():
    return f(jnp.ones(3), jnp.ones(3), smooth=False)
""",
    "jit-decorator": """
@jax.jit
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)
""",
    "jit-decorator-factory": """
@jax.jit(static_argnames="n")
def f(x, n):
    if x > n:  # JAX201
        return x
    return -x

def main():
    return f(1.0, n=2)
""",
    "jit-partial": """
@partial(jax.jit, static_argnums=1)
def f(x, n):
    while x < n:  # JAX201
        x = x + 1
    return x

def main():
    return f(1.0, 3)
""",
    "jit-call": """
def f(x):
    return x if x > 0 else -x  # JAX201

g = jax.jit(f)

def main():
    return g(1.0)
""",
    "jit-lambda": """
def main():
    return jax.jit(lambda x: x if x > 0 else -x)(1.0)  # JAX201
""",
    "jit-from-import-alias": """
from jax import jit as compiled

@compiled
def f(x):
    assert x > 0  # JAX201
    return x

def main():
    return f(1.0)
""",
    "module-alias": """
import jax as j

@j.jit
def f(x):
    return float(x)  # JAX211

def main():
    return f(1.0)
""",
    "numpy-alias-of-jnp": """
import jax.numpy as np

@jax.jit
def f(x):
    if np.any(x > 0):  # JAX201
        return np.sin(x)
    return x

def main():
    return f(np.ones(2))
""",
    "jit-nested": """
def main():
    scale = 2.0

    @jax.jit
    def inner(x):
        if x * scale > 1:  # JAX201
            return x
        return scale

    return inner(1.0)
""",
    "jit-method-static-self": """
class Model:
    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        if x.sum() > 0:  # JAX201
            return x
        return -x

def main():
    return Model().apply(jnp.ones(2))
""",
    "jit-bound-method": """
class Model:
    def __init__(self):
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return max(x, 0.0)  # JAX203

def main():
    return Model().apply(1.0)
""",
    "jit-static-method": """
class Model:
    @staticmethod
    @jax.jit
    def apply(x):
        return not x  # JAX202

def main():
    return Model.apply(1.0)
""",
    "jit-in-factory": """
def make_step(rate):
    @jax.jit
    def step(x):
        if x > rate:  # JAX201
            return x - rate
        return x

    return step

def main():
    return make_step(0.1)(1.0)
""",
    "jit-of-partial": """
def f(scale, x):
    return x if x > scale else scale  # JAX201

def main():
    return jax.jit(partial(f, 2.0))(1.0)
""",
    "decorator-of-the-project": """
def fast(function):
    return jax.jit(function)

@fast
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)
""",
    "jit-of-grad": """
def loss(w):
    return jnp.where(w > 0, w, 0.0) if w > -1 else 0.0  # JAX201

def main():
    return jax.jit(jax.grad(loss))(1.0)
""",
    "grad-of-jit": """
@jax.jit
def loss(w):
    return w * w if w > 0 else w  # JAX201

def main():
    return jax.grad(loss)(1.0)
""",
    "vmap-of-grad": """
def loss(w):
    if w > 0:  # JAX201
        return w * w
    return w

def main():
    return jax.vmap(jax.grad(loss))(jnp.ones(3))
""",
    "vmap": """
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return jax.vmap(f)(jnp.ones(3))
""",
    "vmap-keyword-is-mapped": """
def f(x, scale):
    if scale > 0:  # JAX201
        return x
    return -x

def main():
    return jax.vmap(f)(jnp.ones(3), scale=jnp.ones(3))
""",
    "vmap-in-axes": """
def f(x, scale):
    if x > scale:  # JAX201
        return x
    return scale

def main():
    return jax.vmap(f, in_axes=(0, None))(jnp.ones(3), 2.0)
""",
    "pmap": """
@jax.pmap
def f(x):
    return int(x)  # JAX211

def main():
    return f(jnp.ones(1))
""",
    "checkpoint": """
@jax.checkpoint
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)
""",
    "scan-carry": """
def body(carry, x):
    if carry > 0:  # JAX201
        carry = carry + x
    return carry, x

def main():
    return jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "scan-element": """
def main():
    def body(carry, x):
        return carry + max(x, 0.0), None  # JAX203

    return jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "fori-index": """
LAYERS = [1.0, 2.0, 3.0]

def main():
    return jax.lax.fori_loop(0, 3, lambda i, x: x + LAYERS[i], 0.0)  # JAX214
""",
    "fori-range": """
def body(i, x):
    for j in range(i):  # JAX204
        x = x + j
    return x

def main():
    return jax.lax.fori_loop(0, 3, body, 0.0)
""",
    "while-condition": """
def main():
    return jax.lax.while_loop(lambda s: s[0] < 3 and s[1] > 0, lambda s: (s[0] + 1, s[1]), (0, 1.0))  # JAX202
""",
    "while-body": """
def body(x):
    if x > 2:  # JAX201
        return x + 2
    return x + 1

def main():
    return jax.lax.while_loop(lambda x: x < 3, body, 0.0)
""",
    "cond-branch": """
def positive(x):
    return x if x < 10 else 10.0  # JAX201

def main():
    return jax.lax.cond(True, positive, lambda x: x, 1.0)
""",
    "switch-branch": """
def first(x):
    return np.log(x)  # JAX213

def main():
    return jax.lax.switch(0, [first, lambda x: x], 1.0)
""",
    "lax-map": """
def main():
    return jax.lax.map(lambda x: float(x), jnp.ones(3))  # JAX211
""",
    "eval-shape": """
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return jax.eval_shape(f, 1.0)
""",
    "make-jaxpr": """
def f(x):
    return sorted(x)[0]  # JAX203

def main():
    return jax.make_jaxpr(f)(jnp.ones(3))
""",
    "shard-map": """
def block(x):
    if x.sum() > 0:  # JAX201
        return x
    return -x

def main():
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")
    return jax.shard_map(block, mesh=mesh, in_specs=spec, out_specs=spec)(jnp.ones(2))
""",
    "grad-of-checkpoint": """
def loss(w):
    return w * w if w > 0 else w  # JAX201

def main():
    return jax.grad(jax.checkpoint(loss))(1.0)
""",
    "custom-vjp-under-jit": """
@jax.custom_vjp
def f(x):
    return x if x > 0 else -x  # JAX201

f.defvjp(lambda x: (f(x), x), lambda x, g: (g * x,))

@jax.jit
def g(x):
    return f(x)

def main():
    return g(1.0)
""",
    "helper-called-by-traced": """
def clip(x, limit):
    if x > limit:  # JAX201
        return limit
    return x

@jax.jit
def f(x):
    return clip(x * 2, 1.0)

def main():
    return f(1.0)
""",
    "two-helpers-away": """
def decide(x):
    return bool(x)  # JAX211

def middle(x):
    return decide(x + 1)

@jax.jit
def f(x):
    return middle(x)

def main():
    return f(1.0)
""",
    "method-called-by-traced": """
class Model:
    def clip(self, x):
        if x > 1:  # JAX201
            return 1.0
        return x

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.clip(x)

def main():
    return Model().apply(1.0)
""",
    "function-in-a-table": """
def relu(x):
    return x if x > 0 else 0.0  # JAX201

ACTIVATIONS = {"relu": relu, "tanh": jnp.tanh}

@partial(jax.jit, static_argnames="name")
def f(x, name):
    return ACTIVATIONS[name](x)

def main():
    return f(1.0, name="relu")
""",
    "container-leaf": """
@jax.jit
def f(params):
    w = params["layer"]["w"]
    if w.sum() > 0:  # JAX201
        return w
    return -w

def main():
    return f({"layer": {"w": jnp.ones(2)}})
""",
    "unpacked-argument": """
@jax.jit
def f(pair):
    x, y = pair
    return x if y else -x  # JAX201

def main():
    return f((1.0, 2.0))
""",
    "star-arguments": """
@jax.jit
def f(*xs, **options):
    if xs[0] > options["limit"]:  # JAX201
        return xs[0]
    return xs[1]

def main():
    return f(1.0, 2.0, limit=3.0)
""",
    "default-that-is-passed": """
@jax.jit
def f(x, train=True):
    if train:  # JAX201
        return x
    return -x

def main():
    return f(1.0, train=False)
""",
    "static-of-the-other-argument": """
@partial(jax.jit, static_argnums=(0,))
def f(n, x):
    return x if x > n else -x  # JAX201

def main():
    return f(2, 1.0)
""",
    "jnp-on-a-closed-over-array": """
LIMIT = jnp.ones(())

@jax.jit
def f(x):
    if LIMIT > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)
""",
    "checks-of-made-equinox-modules": """
import equinox as eqx

class Lens(eqx.Module):
    focal: jax.Array

    def __check_init__(self):
        if self.focal <= 0:  # JAX201
            raise ValueError("focal length")

class Zoom(Lens):
    far: float

    def __init__(self, focal):
        self.focal, self.far = focal, 2.0

    def __check_init__(self):
        if self.far < 1:
            raise ValueError("far")

@jax.jit
def magnify(focal, d):
    return d / Zoom(focal).focal

def main():
    return magnify(1.0, 2.0)
""",
    "backward-rule": """
@jax.custom_vjp
def root(x):
    return jnp.sqrt(x)

def forward(x):
    return root(x), x

def backward(x, g):
    if x > 0:  # JAX201
        return (g / (2 * jnp.sqrt(x)),)
    return (g,)

root.defvjp(forward, backward)

def main():
    jax.grad(root)(2.0)
    return jax.grad(jax.jit(root))(2.0)
""",
    "cotangent": """
@partial(jax.custom_vjp, nondiff_argnums=(1,))
def power(x, n):
    return x**n

def forward(x, n):
    return power(x, n), (x,)

def backward(n, residuals, g):
    if n > 1:
        n = n - 1
    if g > 0:  # JAX201
        g = -g
    return (g * residuals[0],)

power.defvjp(forward, backward)

@jax.jit
def slope(x):
    return jax.grad(lambda x: power(x, 2))(x)

def main():
    return slope(3.0)
""",
    "forward-rule": """
@jax.custom_jvp
def shrink(x):
    return x * 0.5

@shrink.defjvp
def shrink_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    if x > 0:  # JAX201
        t = -t
    return shrink(x), t

def main():
    return jax.jit(jax.grad(shrink))(2.0)
""",
    "module-applied-under-jit": """
import flax.linen as nn

class Gauge(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        h = nn.Dense(self.width)(x)
        if h.sum() > 0:  # JAX201
            h = -h
        return h

gauge = Gauge(3)

@jax.jit
def read(params, x):
    return gauge.apply(params, x)

def main():
    return read(gauge.init(jax.random.key(0), jnp.ones(3)), jnp.ones(3))
""",
    "module-method-applied-under-jit": """
import flax.linen as nn

class Gauge(nn.Module):
    width: int

    def setup(self):
        self.inner = nn.Dense(self.width)

    def __call__(self, x):
        return self.inner(x)

    def scaled(self, x, rate):
        if rate > 1:  # JAX201
            x = x * rate
        return self.inner(x)

@jax.jit
def read(params, x, rate):
    return Gauge(3).apply(params, x, rate, method="scaled")

def main():
    return read(Gauge(3).init(jax.random.key(0), jnp.ones(3)), jnp.ones(3), 2.0)
""",
    "what-a-module-applied-under-jit-gives": """
import flax.linen as nn

class Gauge(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(3)(x)
        self.sow("intermediates", "h", h)
        return h

@jax.jit
def read(params, x):
    h, kept = Gauge().apply(params, x, mutable=["intermediates"])
    if kept and h.ndim:
        h = h * 2
    if h.sum() > 0:  # JAX201
        return -h
    return h

def main():
    return read(Gauge().init(jax.random.key(0), jnp.ones(3)), jnp.ones(3))
""",
    "seeded-model": """
import numpyro
import numpyro.distributions as dist
from numpyro import handlers

def coin():
    side = numpyro.sample("side", dist.Bernoulli(0.5))
    if side:  # JAX201
        return 1.0
    return 2.0

@jax.jit
def flip(key):
    return handlers.seed(coin, key)()

def main():
    return flip(jax.random.key(0))
""",
    "argument-of-a-seeded-model": """
import numpyro
import numpyro.distributions as dist
from numpyro.handlers import scale, seed

def coin(bias, deep=False):
    if bias > 0.5 and not deep:  # JAX202
        bias = 0.5
    return numpyro.sample("side", dist.Bernoulli(bias))

@jax.jit
def flip(key, bias):
    return seed(scale(coin, scale=2.0), rng_seed=key)(bias)

def main():
    return flip(jax.random.key(0), 0.2)
""",
    "density-of-a-model": """
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density

def model(x, scale=1.0):
    mean = numpyro.sample("mean", dist.Normal(0.0, scale))
    if mean > 0:  # JAX201
        mean = -mean
    numpyro.sample("x", dist.Normal(mean, scale), obs=x)

@jax.jit
def energy(params, x):
    return -log_density(model, (x,), {"scale": 2.0}, params)[0]

def main():
    return energy({"mean": 1.0}, 2.0)
""",
    "schedule-of-an-optimiser": """
import optax

def decay(count):
    if count < 10:  # JAX201
        return 0.1
    return 0.01

opt = optax.adam(learning_rate=decay)

@jax.jit
def update(grads, state):
    return opt.update(grads, state)

def main():
    return update(jnp.ones(2), opt.init(jnp.ones(2)))
""",
    "schedule-in-a-chain": """
import optax

def train(steps, grads):
    def decay(count):
        return 0.1 if count < steps else 0.01  # JAX201

    opt = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(decay, momentum=0.9))

    @jax.jit
    def step(grads, state):
        updates, state = opt.update(grads, state)
        return updates, state

    return step(grads, opt.init(grads))

def main():
    return train(3, jnp.ones(2))
""",
}

STAYS_STATIC = {
    "fields-of-a-module-lifted-twice": """
import flax.linen as nn

class Layer(nn.Module):
    size: int | None = None

    @nn.compact
    def __call__(self, x, train=True):
        size = self.size or 3
        if train:
            x = nn.Dense(x.shape[-1])(nn.Dense(size)(x))
        return x, None

class Other(Layer):
    deep: bool = False

class Layers(nn.Module):
    size: int
    scan: bool
    deep: bool

    @nn.compact
    def __call__(self, x):
        block = nn.remat(Layer, static_argnums=(2,))
        split = {"params": True}
        if self.scan:
            layers = nn.scan(block, variable_axes={"params": 0}, split_rngs=split, in_axes=nn.broadcast, length=2)
            return layers(size=self.size)(x, True)[0]
        x = partial(nn.jit(block, static_argnums=(2,)), size=self.size)()(x, False)[0]
        rows = nn.vmap(block, in_axes=(0, None), variable_axes={"params": 0}, split_rngs=split)
        x = nn.remat(Other if self.deep else Layer, static_argnums=(2,))(size=self.size)(x, True)[0]
        return rows(size=self.size)(x, True)[0]

def main():
    for scan in (True, False):
        Layers(4, scan, scan).init_with_output(jax.random.key(0), jnp.ones((4, 3)))
""",
    "dict-indexed-with-made-up-names": """
@jax.jit
def f(x, cache, state, memory, table, kept):
    for i in range(2):
        name = f"layer_{i}"
        x = x + (cache[name] if cache else 0)
    if not state:
        return x
    if memory:
        x = sum((memory[part] for part in memory), x + state["layer_" + str(1)])
    for key in ("a", "b"):
        x = x + (table[key] if table else 0)
    return x if "layer_0" in kept and kept else 2 * x

def main():
    rows = {"layer_0": 1.0, "layer_1": 2.0}
    return f(jnp.ones(3), rows, rows, rows, {"a": 1.0, "b": 2.0}, rows)
""",
    "dict-indexed-with-a-name-that-is-handed-on": """
def layer_of(x, cache, name: str):
    return cache[name] if cache else x

@jax.jit
def f(x, cache):
    return layer_of(x, cache, "a")

def main():
    return f(jnp.ones(3), {"a": jnp.ones(3)}), f(jnp.ones(3), {})
""",
    "entry-that-only-some-dicts-have": """
@jax.jit
def f(x):
    parts = {"loss": {"value": x, "count": x}, "rows": {"value": x, "modes": ("sum",)}}
    return {
        name: part["value"].sum() if "modes" in part and "sum" in part["modes"] else part["value"]
        for name, part in parts.items()
    }

def main():
    return f(jnp.ones(3))
""",
    "array-compared-with-names": """
@jax.jit
def f(x):
    return x if x in ("a", None) else 2 * x

def main():
    return f(jnp.ones(3))
""",
    "looked-at-where-nothing-is-compiled": """
@jax.jit
def f(x):
    if jax.config.jax_disable_jit:
        assert not np.any(np.isnan(x))
    return x

def main():
    with jax.disable_jit():
        f(jnp.ones(3))
    return f(jnp.ones(3))
""",
    "kept-where-nothing-is-compiled": """
def main():
    seen = []
    def step(carry):
        seen.append(carry)
        return carry + 1
    with jax.disable_jit():
        jax.lax.while_loop(lambda carry: carry.sum() < 6, step, jnp.ones(3))
    return float(seen[0][0])
""",
    "kept-where-it-is-compiled-beside-what-is-not": """
def main():
    seen = []
    def step(carry):
        seen.append(carry)  # JAX107
        return carry + 1
    jax.lax.while_loop(lambda carry: carry.sum() < 6, step, jnp.ones(3))
    with jax.disable_jit():
        jax.lax.while_loop(lambda carry: carry.sum() < 6, lambda carry: carry + 1, jnp.ones(3))
    return float(seen[0])  # JAX211
""",
    "booleans-that-are-counted": """
@jax.jit
def f(rows, limits, table):
    over = rows > limits
    return table[over.sum(axis=1)], table[over.cumsum(axis=1)], table[over.prod(axis=0)]

def main():
    return f(jnp.ones((2, 3)), jnp.ones((2, 3)), jnp.arange(4))
""",
    "fields-of-a-lifted-module": """
import flax.linen as nn

class Layer(nn.Module):
    size: int
    strict: bool = True

    def __post_init__(self):
        if self.strict and self.size > 3:
            raise ValueError
        super().__post_init__()

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.size)(x)

class Layers(nn.Module):
    strict: bool

    @nn.compact
    def __call__(self, x):
        many = nn.vmap(Layer, variable_axes={"params": 0}, split_rngs={"params": True})
        return many(2, strict=self.strict)(x)

def main():
    return Layers(True).init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]
""",
    "cached-maker-of-compiled-functions": """
from functools import lru_cache

cached_jacobian = lru_cache(maxsize=None)(lambda f: jax.jit(jax.jacfwd(f, argnums=1), static_argnums=0))
cached_jit = lru_cache(maxsize=None)(jax.jit)

def scaled(n, x):
    return n * x

also_cached = lru_cache(scaled)

def main():
    x = jnp.ones(3)
    return cached_jacobian(scaled)(2, x), cached_jit(scaled, static_argnums=0)(2, x), also_cached(2, 3), scaled(2, x)
""",
    "value-of-a-custom-gradient": """
@jax.custom_gradient
def safe_log(x):
    return jnp.log(x), lambda g: g / x

@jax.jit
def f(x, i):
    return safe_log(x)[i]

def main():
    return f(jnp.ones(3), 1)
""",
    "declared-an-array-and-asked-for-a-mapping": """
import typing

def names(x: jax.Array):
    if isinstance(x, typing.Dict):
        return {key: x[key] for key in x}
    return x

def main():
    return jax.jit(names)(jnp.ones(3))
""",
    "cached-in-a-tree-of-the-trace": """
import dataclasses
import functools

@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Batch:
    lens: jax.Array

    @functools.cached_property
    def is_pad(self):
        return self.lens == 0

class Window:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def mask(self):
        return jnp.tril(jnp.ones((self.n, self.n)))

@jax.jit
def f(batch: Batch):
    return Window(3).mask @ (batch.is_pad + 1.0)

def main():
    batch = Batch(jnp.ones(3))
    return f(batch), f(batch), batch.is_pad
""",
    "module-imported-anew-after-the-calls": """
import jax.numpy as np

def norm(x):
    return x / np.linalg.norm(x)

NORMED = jax.pmap(lambda x: norm(x))(np.ones((1, 3)))
import numpy as np

def main():
    return np.asarray(NORMED)
""",
    "module-of-host-functions-for-a-while": """
import jax.numpy as np

if jnp.ones(()) == 1:
    import numpy as np
    DATA = np.ones(3)
    import jax.numpy as np

@jax.jit
def norm(x):
    return x / np.linalg.norm(x)

NORMED = norm(DATA)
import numpy as np

def main():
    return np.asarray(NORMED)
""",
    "no-none-for-an-argument-that-each-call-gives": """
import random

class Keys:
    def __init__(self, key=None):
        self.key = jax.random.key(random.randint(0, 9)) if key is None else key

@jax.jit
def f(x, key):
    return x + jax.random.normal(Keys(key).key)

def main():
    return f(1.0, jax.random.key(0))
""",
    "fields-made-by-helpers": """
from flax import struct
from flax.core import FrozenDict

def aside(**options):
    return struct.field(pytree_node=False, **options)

def counted(default):
    return aside(default=default)

def marked(**options):
    options["pytree_node"] = False
    return struct.field(**options)

fixed = partial(struct.field, pytree_node=False)
quiet = lambda **options: struct.field(pytree_node=False, **options)

class Agent(struct.PyTreeNode):
    weights: jax.Array
    config: FrozenDict = aside()
    mode: FrozenDict = marked()
    names: FrozenDict = quiet()
    depth: int = counted(2)
    width: int = fixed(default=2)

    @jax.jit
    def act(self, x):
        for _ in range(self.config["steps"]):
            x = x + self.weights
        if self.depth > 1 and self.width > 1 and self.mode["train"] and self.names["x"] == "loss":
            return x
        return -x

def main():
    config, mode, names = FrozenDict(steps=3), FrozenDict(train=True), FrozenDict(x="loss")
    return Agent(jnp.ones(2), config, mode, names).act(1.0)
""",
    "declared-containers": """
@jax.jit
def f(params: dict[str, jax.Array], rows: list[jax.Array]):
    if params and rows and rows[1:] and {**params}:
        pass
    for name in params:
        if name == "b":
            continue
    for name in sorted(params):
        if name:
            continue
    longer = rows + rows * 2 + [params["b"]]
    if longer or rows == [] or "c" in dict(params, c=rows[0]):
        pass
    return [row * 2 for row in longer]

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())}, [jnp.ones(()), jnp.ones(())])
""",
    "eager": """
def f(x):
    if x > 0:
        return float(x)
    return np.sin(x)

def main():
    return f(jnp.ones(()))
""",
    "static-name": """
@partial(jax.jit, static_argnames=("mode", "n"))
def f(x, mode, n=2):
    if mode == "sum":
        return x.sum()
    for _ in range(n):
        x = x * 2
    return x

def main():
    return f(jnp.ones(2), "sum"), f(jnp.ones(2), mode="twice", n=3)
""",
    "static-number": """
@partial(jax.jit, static_argnums=(1,))
def f(x, n):
    return x.reshape(n, -1) if n > 1 else x

def main():
    return f(jnp.ones(4), 2)
""",
    "static-number-by-name": """
@partial(jax.jit, static_argnums=1)
def f(x, flag):
    return x if flag else -x

def main():
    return f(1.0, flag=True)
""",
    "static-negative-number": """
@partial(jax.jit, static_argnums=-1)
def f(x, y, flag):
    return x if flag else y

def main():
    return f(1.0, 2.0, True)
""",
    "static-self": """
class Model:
    def __init__(self, deep):
        self.deep = deep

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        if self.deep:
            return x * 2
        return x

def main():
    return Model(True).apply(1.0)
""",
    "default-not-passed": """
@jax.jit
def f(x, train=True, axis=None):
    if train and axis is None:
        return x
    return -x

def main():
    return f(1.0)
""",
    "closed-over-python-value": """
def make(deep, limits):
    @jax.jit
    def f(x):
        if deep and (np.array(limits) > 0).all():
            return x * limits[0]
        return x

    return f

def main():
    return make(True, [1.0, 2.0])(1.0)
""",
    "bound-by-partial": """
def f(mode, x):
    return x if mode == "id" else -x

def main():
    return jax.jit(partial(f, "id"))(1.0)
""",
    "shape-and-dtype": """
@jax.jit
def f(x):
    if x.ndim == 1 and x.shape[0] > 2 and len(x) < 9 and x.dtype == jnp.float32:
        x = x.reshape(int(x.shape[0]), -1)
    if jnp.issubdtype(x.dtype, jnp.floating) and jnp.ndim(x) == 2 and np.shape(x)[0]:
        return x / float(np.prod(x.shape))
    return x

def main():
    return f(jnp.ones(4))
""",
    "none-and-isinstance": """
@jax.jit
def f(x, mask, rest):
    if mask is not None:
        x = x * mask
    if isinstance(x, jax.Array) and isinstance(rest, dict) and "w" in rest:
        x = x * rest["w"]
    return x if rest else -x

def main():
    return f(jnp.ones(2), None, {"w": 2.0}), f(jnp.ones(2), jnp.ones(2), {})
""",
    "container-structure": """
@jax.jit
def f(params, xs):
    total = 0.0
    for name, value in params.items():
        if name.startswith("w") and len(xs) > 1:
            total = total + value
    return total if params else xs[0]

def main():
    return f({"w": 1.0, "b": 2.0}, [1.0, 2.0])
""",
    "plain-grad": """
def loss(w, flag):
    if w > 0 and flag:
        return w * w
    return abs(w)

def main():
    return jax.grad(loss)(1.0, True), jax.value_and_grad(loss)(-1.0, flag="yes")
""",
    "grad-other-arguments": """
def loss(w, x, mode):
    return w * float(x) if mode == "mean" else w * np.sin(x)

def main():
    return jax.grad(loss)(1.0, jnp.ones(()), "mean")
""",
    "jvp-hessian-linearize": """
def f(x):
    return x * x if x > 0 else x

def main():
    y, df = jax.linearize(f, 1.0)
    return jax.jvp(f, (1.0,), (1.0,)), jax.hessian(f)(1.0), jax.vjp(f, 1.0)[0], df(1.0), y
""",
    "vmap-unmapped": """
def f(x, mode, scale):
    if mode == "double" and scale > 1:
        return x * float(scale)
    return x

def main():
    return jax.vmap(f, in_axes=(0, None, None))(jnp.ones(3), "double", 2.0)
""",
    "vmap-default": """
def f(x, train=False):
    return x if train else -x

def main():
    return jax.vmap(f)(jnp.ones(3))
""",
    "custom-vjp-eager": """
@jax.custom_vjp
def f(x):
    return x if x > 0 else -x

f.defvjp(lambda x: (f(x), x), lambda x, g: (g * x,))

def main():
    return f(1.0), jax.grad(f)(1.0)
""",
    "callbacks-run-on-the-host": """
def on_host(x):
    if x > 0:
        print("positive", float(x))
    return np.sin(np.asarray(x))

@jax.jit
def f(x):
    jax.debug.callback(on_host, x)
    return jax.pure_callback(on_host, jax.ShapeDtypeStruct((), jnp.float32), x)

def main():
    return f(jnp.ones(()))
""",
    "io-callback": """
from jax.experimental import io_callback

LOG = []

def record(x):
    LOG.append(float(x))

@jax.jit
def f(x):
    io_callback(record, None, x)
    return x * 2

def main():
    return f(1.0)
""",
    "compile-time-eval": """
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        n = int(jnp.sum(jnp.arange(4)))
        if jnp.sqrt(4.0) > 1:
            n = n + 1
    return x * n

def main():
    return f(1.0)
""",
    "tracer-guard": """
def f(x):
    if not isinstance(x, jax.core.Tracer):
        assert x > 0
        return float(x)
    return x

def main():
    return jax.jit(f)(1.0), f(1.0)
""",
    "iteration-unrolls": """
@jax.jit
def f(xs, pair):
    total = 0.0
    for i, x in enumerate(xs):
        total = total + x * i
    a, b = xs[:2]
    return total + a + sum(xs) + abs(b) + max(len(xs), 1) + sum(v for v in pair)

def main():
    return f(jnp.ones(3), (1.0, 2.0))
""",
    "loop-over-static-range": """
@jax.jit
def f(x):
    for i in range(x.shape[0]):
        x = x + i
    for n in np.arange(3):
        x = x * [1.0, 2.0, 3.0][n]
    return x

def main():
    return f(jnp.ones(3))
""",
    "numpy-on-static": """
@jax.jit
def f(x):
    freq = np.exp(-np.arange(x.shape[-1]) / 10)
    table = np.zeros(x.shape)
    table[0] = 1.0
    return x * freq + table + np.sqrt(x.shape[0])

def main():
    return f(jnp.ones((2, 3)))
""",
    "numpy-functions-that-dispatch": """
@jax.jit
def f(x):
    return np.sum(x) + np.mean(x, axis=0) + np.max(x) + np.reshape(x, -1)[0] + np.float64(2.0) * x.T.sum()

def main():
    return f(jnp.ones((2, 3)))
""",
    "closed-over-array-converted": """
TABLE = jnp.arange(4.0)

@jax.jit
def f(x):
    return x * np.asarray(TABLE)

def main():
    return f(1.0)
""",
    "local-function-of-the-same-name": """
class Trainer:
    def step(self, x):
        if x > 0:
            return float(x)
        return 0.0

    def run(self, x):
        def step(y):
            return y * 2

        return jax.jit(step)(x), self.step(x)

def main():
    return Trainer().run(1.0)
""",
    "jit-of-another-library": """
class numba:
    @staticmethod
    def jit(function):
        return function

@numba.jit
def f(x):
    if x > 0:
        return float(x)
    return 0.0

def main():
    return f(1.0)
""",
    "pytree-dataclass-static-field": """
from dataclasses import dataclass

@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["deep"])
@dataclass
class Layer:
    w: jax.Array
    deep: bool

@jax.jit
def f(layer, x):
    if layer.deep:
        x = x * 2
    return layer.w * x

def main():
    return f(Layer(jnp.ones(2), True), 1.0)
""",
    "partial-static-in-loop": """
def main():
    def body(deep, carry, x):
        if deep:
            carry = carry + x
        return carry, None

    return jax.lax.scan(partial(body, True), 0.0, jnp.ones(3))
""",
    "cond-of-a-library-function-with-two-operands": """
def f(flag, key, logits):
    return jax.lax.cond(flag, lambda key, logits: jnp.argmax(logits), jax.random.categorical, key, logits)

def main():
    return f(True, jax.random.key(0), jnp.zeros(3))
""",
    "cond-instead-of-if": """
@jax.jit
def f(x, i):
    x = jax.lax.cond(x.sum() > 0, lambda v: v, lambda v: -v, x)
    x = jnp.where((x > 0) & ~(x > 3), x, 0.0)
    x = jax.lax.switch(i, [jnp.sin, jnp.cos], x)
    return jax.lax.fori_loop(0, i, lambda j, v: v + j, x)

def main():
    return f(jnp.ones(2), 1)
""",
    "tree-map-is-eager": """
def check(x):
    if x > 0:
        return float(x)
    return 0.0

def main():
    return jax.tree.map(check, {"a": 1.0, "b": jnp.ones(())})
""",
    "equinox-filter-jit": """
import equinox as eqx

@eqx.filter_jit
def f(x, mode, deep):
    if mode == "double" and deep:
        return x * 2
    return x

def main():
    return f(jnp.ones(2), "double", True)
""",
    "lambda-static-index": """
LAYERS = [1.0, 2.0]

@jax.jit
def f(x):
    for i, scale in enumerate(LAYERS):
        x = x * LAYERS[i] + scale
    return x

def main():
    return f(1.0)
""",
    "version-guarded": """
@jax.jit
def f(x):
    if jax.__version_info__ >= (0, 4, 0) and jax.process_index() == 0 and jax.default_backend() != "none":
        return x
    return -x

def main():
    return f(1.0)
""",
    "checks-of-made-equinox-modules": """
import equinox as eqx

class Lens(eqx.Module):
    focal: jax.Array
    width: int = eqx.field(static=True)

    def __check_init__(self):
        if self.focal.ndim or self.width < 0:
            raise ValueError("focal length")

class Plain:
    def __init__(self, x):
        self.x = x

    def __check_init__(self):
        if self.x > 0:
            raise ValueError("nobody calls this")

@jax.jit
def magnify(focal, d):
    return d / Lens(focal, 3).focal * Plain(d).x

def main():
    return magnify(1.0, 2.0)
""",
    "rules-for-derivatives": """
@jax.custom_vjp
def root(x, key):
    return jnp.sqrt(x) + jax.random.normal(key)

def forward(x, key):
    return root(x, key), (x, x.ndim, key)

def backward(residuals, g):
    x, ndim, key = residuals
    if ndim or g is None:
        return g, None
    return g * jax.random.normal(key), None

root.defvjp(forward, backward)

@jax.custom_vjp
def eager(x):
    return x

def eager_backward(x, g):
    return (g if x > 0 else -g,)

eager.defvjp(lambda x: (x, x), eager_backward)

@partial(jax.custom_jvp, nondiff_argnums=(0,))
def power(n, x):
    return x**n

@power.defjvp
def power_rule(n, primals, tangents):
    (x,), (t,) = primals, tangents
    if n > 1 and t is not None:
        return power(n, x), n * t
    return power(n, x), t

@jax.custom_vjp
def given(x):
    return x

def given_backward(x, g):
    return (g * x if g > 0 else -g * x,)

given.defvjp(lambda x: (x, x), given_backward)

@jax.jit
def pulled(x):
    return jax.vjp(given, x)[1](1.0)

def main():
    jax.grad(eager)(2.0)
    jax.jit(eager)(2.0)
    jax.jit(lambda w: jax.grad(lambda w: w * eager(2.0))(w))(2.0)
    jax.jit(jax.grad(partial(power, 2)))(2.0)
    pulled(2.0)
    return jax.jit(jax.grad(root))(2.0, jax.random.key(0))
""",
    "module-applied-under-jit": """
import flax.linen as nn

class Gauge(nn.Module):
    width: int
    deep: bool = False
    kind: str = "sum"

    @nn.compact
    def __call__(self, x, train: bool = False, key=None):
        if self.deep and self.width > 2:
            x = nn.Dense(self.width)(x)
        if train:
            x = nn.Dropout(0.5)(x, deterministic=False)
        if key is not None:
            x = x + jax.random.normal(key, x.shape)
        for size in (2, 3):
            if x.ndim > 1 or size > self.width:
                x = nn.Dense(size)(x)
        if self.is_initializing():
            x = x + 0
        return getattr(jnp, self.kind)(x)

    def count(self):
        return self.width

gauge = Gauge(3, deep=True)

@jax.jit
def read(params, x, key):
    noise, drop, other = jax.random.split(key, 3)
    if gauge.apply(params, method="count") > 2:
        x = x + gauge.apply(params, x, True, noise, rngs={"dropout": drop})
    rows, _ = jax.lax.scan(lambda total, row: (total + gauge.apply(params, row), None), 0.0, jnp.ones((2, 3)))
    return x + rows + gauge.apply(params, x, key=other)

def main():
    params = gauge.init(jax.random.key(0), jnp.ones(3))
    return read(params, jnp.ones(3), jax.random.key(1))
""",
    "models": """
import numpyro
import numpyro.distributions as dist
from numpyro import handlers
from numpyro.infer.util import log_density

def model(x, deep=False, obs=None):
    if deep and x is not None:
        x = x * 2
    mean = numpyro.sample("mean", dist.Normal(0.0, 1.0))
    seen = numpyro.sample("seen", dist.Normal(x + mean, 1.0), obs=obs)
    if obs is not None and seen > 1:
        return mean
    return seen

def coin():
    side = numpyro.sample("side", dist.Bernoulli(0.5))
    return 1.0 if side else 2.0

@jax.jit
def draw(key, x):
    first, other = jax.random.split(key)
    fixed = handlers.condition(handlers.seed(coin, other), {"side": 1})()
    return handlers.seed(model, first)(x, deep=True) + handlers.seed(model, 0)(x, obs=2.0) + fixed

@jax.jit
def energy(x):
    return log_density(coin, (), {}, {"side": 1})[0] + x

def main():
    handlers.seed(coin, jax.random.key(0))()
    handlers.trace(handlers.seed(coin, 0)).get_trace()
    return draw(jax.random.key(0), 2.0), energy(2.0)
""",
    "schedules": """
import optax

def by_hand(count):
    return 0.1 if count < 10 else 0.01

def traced(count, end):
    if end > 3:
        return jnp.where(count < end, 0.1, 0.01)
    return 0.1

eager = optax.chain(optax.clip(1.0), optax.adam(by_hand))
jitted = optax.sgd(partial(traced, end=7))

@jax.jit
def update(grads, state):
    return jitted.update(grads, state)

def main():
    grads = jnp.ones(2)
    updates, state = eager.update(grads, eager.init(grads))
    return update(updates, jitted.init(grads))
""",
}

OPERATIONS = {
    "size-and-then-a-condition-on-it": """
@jax.vmap
def f(n):
    total, _ = jax.lax.scan(lambda total, _: (total + 1.0, None), 0.0, None, n - 1)  # JAX223
    return total if n > 0 else 0.0

def main():
    return f(jnp.arange(3))
""",
    "size-on-one-path-and-a-condition-on-another-value": """
@jax.jit
def f(x, n, flag):
    if flag is None:
        y = x
    else:
        y = jnp.zeros(n)  # JAX223
    if n > 2:  # JAX201
        y = y + 1
    return y

def main():
    return f(1.0, 3, None)
""",
    "field-made-by-a-helper": """
from flax import struct

def noted(**options):
    return struct.field(metadata={"unit": "m"}, **options)

class Agent(struct.PyTreeNode):
    weights: jax.Array
    config: dict = noted()

    @jax.jit
    def act(self, x):
        for _ in range(self.config["steps"]):  # JAX204
            x = x + self.weights
        return x

def main():
    return Agent(jnp.ones(2), {"steps": 3}).act(1.0)
""",
    "bool-operators": """
@jax.jit
def f(x, y):
    return (x > 0) or (y > 0)  # JAX202

def main():
    return f(1.0, 2.0)
""",
    "chained-comparison": """
@jax.jit
def f(x):
    return 0.0 < x < 1.0  # JAX202

def main():
    return f(0.5)
""",
    "membership": """
@jax.jit
def f(x):
    return x in (1, 2)  # JAX202

def main():
    return f(3)
""",
    "any-of-tracers": """
@jax.jit
def f(xs):
    return any([x > 1 for x in xs])  # JAX202

def main():
    return f([1.0, 2.0])
""",
    "comprehension-filter": """
@jax.jit
def f(xs):
    return [x for x in xs if x > 0]  # JAX201

def main():
    return f(jnp.ones(3))
""",
    "range-of-argument": """
@jax.jit
def f(x, n):
    for _ in range(n):  # JAX204
        x = x * 2
    return x

def main():
    return f(1.0, 3)
""",
    "int-of-jnp-shape": """
@jax.jit
def f(x):
    return x.reshape(int(jnp.prod(jnp.array(x.shape))))  # JAX207

def main():
    return f(jnp.ones((2, 2)))
""",
    "item": """
@jax.jit
def f(x):
    return x.sum().item()  # JAX211

def main():
    return f(jnp.ones(2))
""",
    "math": """
import math

@jax.jit
def f(x):
    return math.sqrt(x)  # JAX213

def main():
    return f(2.0)
""",
    "numpy-ufunc": """
@jax.jit
def f(x):
    y = x * 2
    return np.maximum(y, 0.0)  # JAX213

def main():
    return f(jnp.ones(2))
""",
    "float-under-plain-grad": """
def loss(w):
    return w * float(w)  # JAX211

def main():
    return jax.grad(loss)(1.0)
""",
    "list-indexed": """
@jax.jit
def f(i):
    return [1.0, 2.0, 3.0][i]  # JAX214

def main():
    return f(1)
""",
    "formatted": """
@jax.jit
def f(x):
    label = f"{x:.2f}"  # JAX215
    return x, len(label)

def main():
    return f(1.0)
""",
    "dict-key": """
@jax.jit
def f(i):
    return {0: 1.0, 1: 2.0}[i]  # JAX216

def main():
    return f(1)
""",
    "block-until-ready": """
@jax.jit
def f(x):
    y = x * 2
    y.block_until_ready()  # JAX217
    return y

def main():
    return f(1.0)
""",
    "boolean-mask": """
@jax.jit
def f(x):
    return x[x > 0].sum()  # JAX221

def main():
    return f(jnp.ones(3))
""",
    "boolean-mask-update": """
@jax.jit
def f(x):
    mask = jnp.isnan(x)
    return x.at[mask].set(0.0)  # JAX221

def main():
    return f(jnp.ones(3))
""",
    "nonzero": """
@jax.jit
def f(x):
    return jnp.nonzero(x > 0)  # JAX222

def main():
    return f(jnp.ones(3))
""",
    "where-one-argument": """
@jax.jit
def f(x):
    return jnp.where(x > 0)[0]  # JAX222

def main():
    return f(jnp.ones(3))
""",
    "unique": """
@jax.jit
def f(x):
    return jnp.unique(x)  # JAX222

def main():
    return f(jnp.ones(3))
""",
    "zeros-of-argument": """
@jax.jit
def f(n):
    return jnp.zeros(n)  # JAX223

def main():
    return f(3)
""",
    "reshape-to-argument": """
@jax.jit
def f(x, n):
    return x.reshape(n, -1)  # JAX223

def main():
    return f(jnp.ones(4), 2)
""",
    "arange-of-sum": """
@jax.jit
def f(x):
    return jnp.arange(x.sum())  # JAX223

def main():
    return f(jnp.ones(4, int))
""",
    "slice-to-argument": """
@jax.jit
def f(x, n):
    return x[:n]  # JAX224

def main():
    return f(jnp.ones(4), 2)
""",
    "window": """
def main():
    xs = jnp.arange(10.0)
    return jax.lax.fori_loop(0, 3, lambda i, t: t + xs[i : i + 3].sum(), 0.0)  # JAX224
""",
    "item-assignment": """
@jax.jit
def f(x):
    x[0] = 1.0  # JAX301
    return x

def main():
    return f(jnp.ones(2))
""",
    "item-assignment-eager": """
def main():
    x = jnp.linspace(0.0, 1.0, 5)
    x[1:3] *= 2  # JAX301
    return x
""",
    "numpy-buffer-write": """
@jax.jit
def f(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = x * i  # JAX110
    return out

def main():
    return f(1.0)
""",
    "out-argument": """
def main():
    x = jnp.ones(3)
    return jnp.add(x, x, out=x)  # JAX304
""",
    "readonly-view": """
def main():
    x = np.asarray(jnp.ones(3))
    x[0] = 2.0  # JAX306
    return x
""",
    "fill": """
def main():
    x = jnp.ones(3)
    x.fill(0)  # JAX303
    return x
""",
    "tuple-of-the-class-indexed": """
class Synth:
    waves = (jnp.sin, jnp.cos)

    def play(self, kind, t):
        return self.waves[kind](t)  # JAX214

@jax.jit
def note(kind, t):
    return Synth().play(kind, t)

def main():
    return note(0, 1.0)
""",
    "tuple-of-the-class-gone-through": """
class Synth:
    @staticmethod
    def loud(t):
        return t if t > 0 else -t  # JAX201

    waves = (jnp.sin, loud)

    @partial(jax.jit, static_argnums=0)
    def play(self, t):
        for wave in self.waves:
            t = wave(t)
        return t

def main():
    return Synth().play(1.0)
""",
}

OPERATIONS_THAT_WORK = {
    "array-operators": """
@jax.jit
def f(x, y):
    inside = (x > 0) & (y < 1) | ~(x == y)
    return jnp.where(inside, jnp.maximum(x, y), jnp.clip(x, 0.0, 1.0))

def main():
    return f(1.0, 2.0)
""",
    "traced-values-where-allowed": """
@jax.jit
def f(x, n):
    a = jnp.full((2,), n) + jnp.linspace(0, n, 2) + jnp.roll(x, n)[:2] + jnp.eye(2, k=n)[0]
    return a + x[n] + x.at[n].set(0.0)[:2] + jax.lax.dynamic_slice_in_dim(x, n, 2) + jax.nn.one_hot(n, 2)

def main():
    return f(jnp.ones(4), 1)
""",
    "sizes-given": """
@jax.jit
def f(x):
    a = jnp.nonzero(x > 0, size=2)[0]
    b = jnp.unique(x, size=2, fill_value=0)
    c = jnp.where(x > 0, x, 0.0)
    d = jnp.bincount(x.astype(int), length=3)
    e = jnp.repeat(x, jnp.ones(4, int), total_repeat_length=4)
    return a, b, c, d, e, jnp.sum(x, where=x > 0)

def main():
    return f(jnp.ones(4))
""",
    "static-mask": """
MASK = np.array([True, False, True])

@jax.jit
def f(x):
    return x[MASK], x[np.arange(2)], x[jnp.array([0, 1])], x[::2], x[len(x) // 2 :]

def main():
    return f(jnp.ones(3))
""",
    "eager-data-dependence": """
def main():
    x = jnp.arange(4.0)
    n = int(x.sum())
    return x[x > 1], jnp.unique(x), jnp.nonzero(x), jnp.zeros(n), x[:n], f"{x[0]:.2f}", max(x)
""",
    "mask-under-plain-grad": """
def loss(w):
    return jnp.sum(w[w > 0]) * len(jnp.nonzero(w)[0])

def main():
    return jax.grad(loss)(jnp.ones(3))
""",
    "conversion-of-shapes": """
import math

@jax.jit
def f(x):
    n = int(math.sqrt(x.shape[0])) + math.prod(x.shape)
    return x / math.sqrt(x.shape[-1]) + float(x.ndim) + jnp.zeros((n,)).sum()

def main():
    return f(jnp.ones(4))
""",
    "stacked-instead-of-written": """
@jax.jit
def f(x):
    rows = []
    for i in range(3):
        rows.append(x * i)
    out = jnp.zeros(3).at[1].set(x)
    return jnp.stack(rows) + out

def main():
    return f(1.0)
""",
    "array-of-constants": """
@jax.jit
def f(i):
    return jnp.array([1.0, 2.0, 3.0])[i] + jnp.asarray(np.arange(3.0))[i]

def main():
    return f(1)
""",
    "conversion-outside": """
@jax.jit
def f(x):
    return (x * x).sum()

def main():
    losses = []
    for _ in range(2):
        loss = f(jnp.ones(2))
        losses.append(float(loss))
        print(f"loss {loss:.3f}", loss.item())
    return np.mean(losses)
""",
    "array-references": """
@jax.jit
def f(x):
    ref = jax.new_ref(x)
    ref[0] = 5.0
    ref[...] += 1.0
    return ref[...]

def main():
    return f(jnp.ones(3))
""",
    "static-message": """
@jax.jit
def f(x):
    if x.ndim != 1:
        raise ValueError(f"expected a vector, got {x.shape} of {x.dtype!s:>8}")
    return x

def main():
    return f(jnp.ones(3))
""",
    "key-by-name": """
@jax.jit
def f(x):
    table = {x.dtype: 1.0, x.shape: 2.0, "w": x}
    return table["w"] * table[x.shape]

def main():
    return f(jnp.ones(3))
""",
    "tuple-of-the-class-indexed": """
from dataclasses import dataclass

class Synth:
    waves = (jnp.sin, jnp.cos)
    levels = (1.0, 2.0)
    gains = (3.0, 4.0)

    def __init__(self, gains):
        self.gains = gains

    def tune(self):
        self.levels = jnp.ones(2)

    def play(self, kind, t):
        rows = jnp.asarray(self.waves[0](t)) + self.levels[kind] * self.gains[kind]
        return rows if self.waves[-1] is jnp.cos and len(self.waves) > 1 else t

class Base:
    table = (1.0, 2.0)

    def read(self, kind):
        return self.table[kind]

class Wide(Base):
    table = jnp.ones(3)

@dataclass
class Record:
    steps: tuple = (1.0, 2.0)

    def step(self, kind):
        return self.steps[kind]

@jax.jit
def note(kind, t):
    synth = Synth(jnp.ones(2))
    synth.tune()
    return synth.play(kind, t) + Wide().read(kind) + Record(jnp.ones(2)).step(kind)

def main():
    return note(0, 1.0)
""",
}

EFFECTS = {
    "global-changed-before-another-call-of-what-is-made": """
RATE = 1.0

def make():
    @jax.jit
    def scale(x):
        return x * RATE  # JAX108

    return scale

scale = make()

def make_step():
    def step(x):
        return scale(x)

    return step

step = make_step()
first = step(1.0)
RATE = 2.0
second = step(1.0)

def main():
    assert first == second
""",
    "a-list-of-indices-that-another-body-finds-set": """
def main():
    where = [slice(None)] * 2

    def add(i, total):
        where[0] = i  # JAX107
        return total.at[tuple(where)].add(1.0)

    def double(i, total):
        return total.at[where[1]].multiply(2.0)

    total = jax.lax.fori_loop(0, 3, add, jnp.ones((3, 2)))
    return jax.lax.fori_loop(0, 3, double, total)
""",
    "bound-again-between-calls": """
def main():
    @jax.jit
    def step(x):
        return x * rate  # JAX108

    rate = 3.0
    first = step(1.0)
    rate = 4.0
    assert first == step(1.0)
""",
    "kept-over-another-setting": """
rate = 2.0

def make():
    @jax.jit
    def step(x):
        return x * rate  # JAX108
    return step

step = make()
results = [step(1.0)]
for rate in (1.0, 3.0):
    results.append(step(1.0))

def main():
    assert [float(result) for result in results] == [2.0, 2.0, 2.0]
""",
    "kept-by-a-rule-under-jit": """
class Problem:
    def solve(self, params):
        self.full = params * 2  # JAX107
        return params

problem = Problem()

@jax.custom_vjp
def solve(params):
    return problem.solve(params)

solve.defvjp(lambda params: (solve(params), None), lambda _, g: (g,))

def main():
    return jax.jit(jax.grad(lambda p: solve(p)))(1.0)
""",
    "made-of-what-is-mapped": """
class Cosmology:
    def __init__(self, rate):
        self.rate = rate
        self.tables = {}

def distance(cosmology, a):
    cosmology.tables["distance"] = a * jnp.linspace(0.0, 1.0, 8)  # JAX107
    return cosmology.tables["distance"].sum()

@jax.jit
def likelihood(rate):
    cosmology = Cosmology(rate)
    return jax.vmap(lambda a: distance(cosmology, a))(jnp.ones(3)).sum()

def main():
    return likelihood(2.0)
""",
    "drawn-where-no-key-is-given": """
import random

def noise(key=None):
    return random.random() if key is None else jax.random.normal(key)  # JAX103

@jax.jit
def f(x, key=None):
    return x + noise(key)

def main():
    return f(1.0)
""",
    "print": """
@jax.jit
def f(x):
    y = x * 2
    print("y", y)  # JAX101
    return y

def main():
    return f(1.0)
""",
    "print-of-a-list-of-what-may-be-a-dict": """
import logging

@jax.jit
def step(params):
    print(list(params))
    logging.info(list(params))
    for name in params:
        print(name)
    return params

def main():
    return step({"w": jnp.ones(3), "b": jnp.ones(2)})
""",
    "print-of-a-list-of-an-array": """
@jax.jit
def step(x):
    y = x * 2
    print(list(y))  # JAX101
    return y

def main():
    return step(jnp.ones(3))
""",
    "print-in-scan-helper": """
def report(value):
    print(value)  # JAX101

def body(carry, x):
    report(carry)
    return carry + x, None

def main():
    return jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "log": """
import logging

logger = logging.getLogger("train")

@jax.jit
def f(x):
    loss = x * x
    logger.warning("loss %s", loss)  # JAX102
    return loss

def main():
    return f(1.0)
""",
    "clock": """
import time

@jax.jit
def f(x):
    return x + time.time()  # JAX103

def main():
    return f(1.0)
""",
    "numpy-random": """
@jax.jit
def f(x):
    return x + np.random.normal(size=3)  # JAX103

def main():
    return f(1.0)
""",
    "python-random-in-vmap": """
import random

def noisy(x):
    return x + random.gauss(0.0, 1.0)  # JAX103

def main():
    return jax.vmap(noisy)(jnp.ones(3))
""",
    "global": """
CALLS = 0

@jax.jit
def f(x):
    global CALLS
    CALLS += 1  # JAX104
    return x

def main():
    return f(1.0)
""",
    "nonlocal": """
def main():
    steps = 0

    def body(carry, x):
        nonlocal steps
        steps = steps + 1  # JAX104
        return carry + x, None

    return jax.lax.scan(body, 0.0, jnp.ones(3)), steps
""",
    "outer-list": """
HISTORY = []

@jax.jit
def f(x):
    HISTORY.append("called")  # JAX105
    return x

def main():
    return f(1.0)
""",
    "outer-dict": """
STATS = {"n": 0}

@jax.jit
def f(x):
    STATS["n"] += 1  # JAX105
    return x

def main():
    return f(1.0)
""",
    "argument-dict": """
@jax.jit
def f(batch):
    batch["x"] = batch["x"] / 255.0  # JAX106
    return batch["x"].sum()

def main():
    batch = {"x": jnp.ones(3)}
    total = f(batch)
    return total, batch["x"]
""",
    "leak-to-global": """
LAST = None

@jax.jit
def f(x):
    global LAST
    LAST = x * 2  # JAX107
    return x

def main():
    return f(1.0)
""",
    "leak-to-list": """
SEEN = []

@jax.jit
def f(x):
    SEEN.append(x)  # JAX107
    return x

def main():
    return f(1.0)
""",
    "leak-to-self": """
class Model:
    def __init__(self):
        self.hidden = None

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        self.hidden = jnp.tanh(x)  # JAX107
        return self.hidden

def main():
    return Model().apply(1.0)
""",
    "leak-from-scan-body": """
def main():
    values = []

    def body(carry, x):
        values.append(carry + x)  # JAX107
        return carry + x, None

    return jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "kept-by-a-closure-for-the-next-trace": """
def wrap(scale):
    memory = {}

    def call(x):
        out = x * memory.get("last", scale)
        memory["last"] = out  # JAX107
        return out

    return jax.jit(call)

def main():
    return wrap(2.0)(1.0)
""",
    "tracer-in-a-cache": """
POWERS = {}

def power(x, n):
    if n not in POWERS:
        POWERS[n] = x**n  # JAX107
    return POWERS[n]

@jax.jit
def f(x):
    return power(x, 3)

def main():
    return f(2.0)
""",
    "pushed-more-often-than-popped": """
stack = []

@jax.jit
def f(params, x):
    stack.append(params)  # JAX107
    stack.append({"scale": 2.0 * x})
    y = x * stack[-2]["w"] * stack[-1]["scale"]
    stack.pop()
    return y

def main():
    return f({"w": 3.0}, 2.0)
""",
    "flag-that-the-loop-resets": """
def drive(xs):
    seen = False

    @jax.jit
    def step(x):
        nonlocal seen
        seen = True  # JAX104
        return x * 2

    marks = []
    for x in xs:
        seen = False
        step(x)
        marks.append(seen)
    return marks

def main():
    marks = drive([1.0, 2.0])
    assert marks == [True, False]
    return marks
""",
    "number-in-a-nonlocal-that-grows": """
def make():
    steps = 1

    def f(x):
        nonlocal steps
        steps = steps * 2  # JAX104
        return x * steps

    return jax.jit(f)

def main():
    f = make()
    return f(1.0), f(1.0)
""",
    "stale-after-a-helper-that-is-called-again": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

def step(x):
    return f(x)

first = step(1.0)
RATE = 2.0
second = step(1.0)

def main():
    return first, second
""",
    "print-in-a-window-that-is-full": """
@jax.jit
def f(xs):
    older = old = None
    for i in range(6):
        if older is not None:
            print("three of them:", older)  # JAX101
        older, old = old, xs[i]
    return old

def main():
    return f(jnp.arange(6.0))
""",
    "print-in-a-function-that-is-made-and-run": """
def make(scale):
    def inner(x, verbose):
        y = x * scale
        if verbose:
            print("inner", y)  # JAX101
        return y

    return inner

@jax.jit
def f(x):
    return make(2.0)(x, True)

def main():
    return f(1.0)
""",
    "arguments-beyond-the-parameters": """
@jax.jit
def f(scale, *rest, **more):
    print(rest)  # JAX101
    print(more["bias"])  # JAX101
    for row in rest:
        scale = scale + row
    return scale

def main():
    return f(1.0, 2.0, 3.0, bias=1.0)
""",
    "a-default-that-an-argument-beyond-the-parameters-may-replace": """
def total(x, axis=0, doubled=False):
    if doubled:
        x = 2 * x
    return jnp.sum(x, axis=axis)

def wrapped(function):
    along = jnp.vectorize(function, signature="(n)->()")

    def wrapper(x, *args, **kwargs):
        return along(x, *args, **kwargs) + jnp.sum(x, *args, **kwargs) + x.sum(*args)

    return wrapper

f = jax.jit(wrapped(total))
g = jax.jit(wrapped(jax.nn.logsumexp))

def main():
    return f(jnp.ones(3)) + g(jnp.ones(3))
""",
    "a-parameter-that-an-argument-beyond-the-parameters-must-fill": """
def total(x, doubled, axis=0):
    if doubled:  # JAX201
        x = 2 * x
    return jnp.sum(x, axis=axis)

@jax.jit
def f(x, *args):
    return total(x, *args)

def main():
    return f(jnp.ones(3), True)
""",
    "a-default-that-an-argument-replaces": """
def total(x, axis=0):
    return jnp.sum(x, axis=axis)  # JAX223

@jax.jit
def f(x, *args):
    return total(x, *args)

def main():
    return f(jnp.ones(3), 0)
""",
    "branch-on-an-argument-beyond-the-parameters": """
@jax.jit
def f(scale, *rows):
    for row in rows:
        if row > 0:  # JAX201
            scale = scale + row
    return scale

def main():
    return f(1.0, 2.0, 3.0)
""",
    "text-in-a-buffer": """
import io

LOG = io.StringIO()

@jax.jit
def f(x):
    LOG.write(f"{x}")  # JAX102
    return x * 2

def main():
    return f(1.0), LOG.getvalue()
""",
    "attribute-of-a-function": """
def squash(x):
    squash.latest = jnp.tanh(x)  # JAX107
    return squash.latest

@jax.jit
def f(x):
    return squash(x)

def main():
    return f(1.0)
""",
    "variable-that-is-no-reference": """
from flax import nnx

@jax.jit
def f(v):
    v["a"] = v["a"] + 1.0  # JAX106

def count(v):
    f(v)
    return v["a"]

def main():
    assert count(nnx.Variable({"a": jnp.zeros(())})) == 0.0
""",
    "settings-that-a-loop-changes": """
SETTINGS = {"gain": 1.0}

@jax.jit
def f(x):
    return SETTINGS["gain"] * x  # JAX108

def main():
    x = 1.0
    for value in (1.0, 2.0):
        SETTINGS["gain"] = value
        x = f(x)
    assert x == 1.0
    return x
""",
    "weights-that-are-bound-again": """
weights = {"w": 1.0, "b": 0.0}

@jax.jit
def predict(x):
    return x * weights["w"] + weights["b"]  # JAX108

def fit(x):
    global weights
    before = predict(x)
    weights = {"w": weights["w"] - 0.5, "b": 0.0}
    return before, predict(x)

def main():
    before, after = fit(2.0)
    assert before == after
    return after
""",
    "stale-global": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

def main():
    global RATE
    first = f(1.0)
    RATE = 2.0
    return first, f(1.0)
""",
    "stale-global-of-a-script": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

first = f(1.0)
RATE = 2.0
second = f(1.0)

def main():
    return first, second
""",
    "global-set-for-the-next-example": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

first = f(1.0)
RATE = 2.0

@jax.jit
def g(x):
    return x * RATE

second = g(1.0)

def main():
    return first, second
""",
    "global-set-for-the-next-function-of-that-name": """
RATE = 1.0

def scaled(x):
    return x * RATE

first = jax.jit(scaled)(1.0)
RATE = 2.0

def scaled(x):
    return x * RATE

second = jax.jit(lambda x: scaled(x))(1.0)

def main():
    return first, second
""",
    "global-set-to-what-it-was": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

first = f(1.0)
RATE = 1.0
second = f(1.0)

def main():
    return first, second
""",
    "debug-print-f-string": """
@jax.jit
def f(x):
    jax.debug.print(f"x = {x}")  # JAX111
    return x

def main():
    return f(1.0)
""",
    "isinstance-float": """
@jax.jit
def f(x):
    if isinstance(x, float):  # JAX206
        return x * 2
    return x

def main():
    return f(1.0)
""",
    "item-under-plain-grad": """
def loss(w):
    return w * w.item()  # JAX212

def main():
    return jax.grad(loss)(3.0)
""",
    "update-discarded": """
@jax.jit
def f(x):
    x.at[0].set(1.0)  # JAX302
    return x

def main():
    return f(jnp.zeros(2))
""",
    "sort-discarded": """
def main():
    x = jnp.array([2.0, 1.0])
    x.sort()  # JAX303
    return x
""",
    "next-of-a-counter": """
import itertools

ids = itertools.count()

@jax.jit
def tag(x):
    number = 2 * next(ids)  # JAX109
    return x + number

def main():
    assert tag(1.0) == 1.0
    assert tag(1.0) == 1.0
    return next(ids)
""",
    "next-of-a-cycle": """
import itertools

scales = itertools.cycle([1.0, 2.0])

@jax.jit
def scale(x):
    return x * next(scales)  # JAX109

def main():
    assert scale(1.0) == scale(1.0) == 1.0
""",
    "next-of-an-endless-generator": """
def belt():
    n = 0.0
    while True:
        n = n + 1.0
        yield n

feed = belt()

@jax.jit
def load(total):
    return total + next(feed)  # JAX109

def main():
    assert load(0.0) == load(0.0) == 1.0
""",
    "print-of-what-a-static-model-returns": """
def show(value):
    print("loss", value)  # JAX101

@partial(jax.jit, static_argnums=1)
def step(x, model):
    show(model(x))
    return x

def main():
    return step(1.0, jnp.sin)
""",
    "print-of-what-jax-computes-of-attributes": """
from flax import struct

@struct.dataclass
class World:
    mask: jax.Array
    height: jax.Array

@jax.jit
def step(world):
    mixed = jnp.where(world.mask, world.height, 0.0)
    print(mixed)  # JAX101
    up = jax.nn.relu(world.height)
    print("up", up)  # JAX101
    return up

def outer(world, ops):
    def body(carry, op):
        new = carry.height.at[0].set(1 - carry.height[0])
        print("new", new)  # JAX101
        return carry.replace(height=new), None

    return jax.lax.scan(body, world, ops)[0]

def main():
    world = World(jnp.ones(2, bool), jnp.ones(2))
    return step(world), outer(world, jnp.ones(3))
""",
    "key-split-into-an-attribute": """
class Dice:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def roll(self, total, _):
        self.key, sub = jax.random.split(self.key)  # JAX107
        return total + jax.random.normal(sub), None

    def game(self):
        return jax.lax.scan(self.roll, 0.0, None, length=6)

def main():
    return Dice(0).game()
""",
}

NO_EFFECTS = {
    "global-changed-after-the-last-call-of-what-a-class-gives": """
RATE = 1.0

class Steps:
    @staticmethod
    @jax.jit
    def scale(x):
        return x * RATE

scale = Steps.scale
first = scale(1.0)
RATE = 2.0
second = first * RATE

def main():
    return first, second
""",
    "global-set-before-the-first-call-of-what-is-made": """
RATE = 1.0

def make():
    @jax.jit
    def scale(x):
        return x * RATE

    return scale

scale = make()
RATE = 2.0
only = scale(1.0)

def main():
    return only
""",
    "two-bodies-with-one-list-of-indices": """
def main():
    where = [slice(None)] * 2

    def add(i, total):
        where[0] = i
        return total.at[tuple(where)].add(1.0)

    def double(i, total):
        where[0] = i
        return total.at[tuple(where)].multiply(2.0)

    total = jax.lax.fori_loop(0, 3, add, jnp.ones((3, 2)))
    return jax.lax.fori_loop(0, 3, double, total)
""",
    "once-for-what-is-not-registered": """
SEEN, LINES = set(), []

def note(x):
    if x.shape not in SEEN:
        SEEN.add(x.shape)
        LINES.append({"shape": str(x.shape)})

@jax.jit
def f(x):
    note(x)
    return x * 2

def main():
    return f(jnp.ones(3))
""",
    "bound-below-and-before-the-first-call": """
def main():
    @jax.jit
    def step(x):
        return x * rate

    rate = 3.0
    for scale in (1.0, 2.0):
        @jax.jit
        def again(x):
            return x * factor
        factor = scale * 2
        assert again(1.0) == factor
    assert step(1.0) == 3.0
""",
    "made-anew-after-another-setting": """
rate = 2.0

def make():
    def step(i, x):
        return x * rate
    return lambda x: jax.lax.fori_loop(0, 2, step, x)

def run(x):
    return make()(x)

results = [run(1.0)]
for rate in (1.0, 3.0):
    results.append(run(1.0))

def main():
    assert [float(result) for result in results] == [4.0, 1.0, 9.0]
""",
    "kept-by-a-rule-of-its-own": """
class Problem:
    def solve(self, params):
        self.full = jnp.ones(3).at[0].set(params)
        self.scale = float(params)
        return params * 2

problem = Problem()

@jax.custom_vjp
def solve(params):
    return problem.solve(params)

def forward(params):
    return solve(params), params

def backward(params, g):
    return (2 * g,)

solve.defvjp(forward, backward)

def run(params):
    value = jax.value_and_grad(lambda p: solve(p * 2) + 1)(params)
    return value, problem.full * problem.scale

def main():
    return run(1.0)
""",
    "made-of-nothing-that-is-mapped": """
class Cosmology:
    def __init__(self, rate):
        self.rate = rate
        self.tables = {}

def distance(cosmology, a):
    if "distance" not in cosmology.tables:
        cosmology.tables["distance"] = jnp.cumsum(jnp.linspace(0.0, 1.0, 8)) * cosmology.rate
    return jnp.interp(a, jnp.linspace(0.0, 1.0, 8), cosmology.tables["distance"])

@jax.jit
def likelihood(rate):
    cosmology = Cosmology(rate)
    return jax.vmap(lambda a: distance(cosmology, a))(jnp.ones(3)).sum() + distance(cosmology, 0.5)

def main():
    return likelihood(2.0)
""",
    "options-that-are-read-first": """
RATE = 1.0
SETTINGS = {"gain": 1.0}

@jax.jit
def f(x):
    return x * RATE * SETTINGS["gain"]

def train(x):
    return f(x)

def start(rate):
    global RATE
    RATE = rate
    SETTINGS["gain"] = rate
    for _ in range(2):
        y = train(1.0)
    return y

def main():
    return start(2.0)
""",
    "mode-that-is-set-for-a-while": """
import contextlib

depth = 0

@contextlib.contextmanager
def deeper():
    global depth
    depth += 1
    try:
        yield
    finally:
        depth -= 1

@jax.jit
def f(x):
    return x + 1 if depth else x

def main():
    with deeper():
        return f(1.0)
""",
    "numbers-for-names": """
taken = {}

def reset():
    global taken
    taken = {}

def unique(name):
    if name in taken:
        taken[name] += 1
        return name + str(taken[name])
    taken[name] = 0
    return name

@jax.jit
def f(x):
    return {unique("w"): x, unique("w"): x * 2}

def main():
    reset()
    return f(1.0)
""",
    "variable-that-is-a-reference": """
from flax import nnx

state = nnx.Variable(jnp.zeros(2), hijax=True)
table = nnx.Variable({"a": jnp.zeros(())}, hijax=True)

@jax.jit
def f(v, count):
    v["a"] = v["a"] + 1.0
    count[...] += 1.0

@jax.jit
def g(x):
    table["a"] = x
    state[...] = state[...] + x
    return x

def main():
    f(table, state)
    g(2.0)
    assert table["a"] == 2.0 and (state[...] == 3.0).all()
    return state[...]
""",
    "references": """
total = jax.new_ref(jnp.zeros(3))

@jax.jit
def f(ref, x):
    ref[0] = x

@jax.jit
def g(refs, x):
    refs["total"][2] = x

@jax.jit
def h(x):
    total[1] = x
    total[...] += x

def main():
    f(total, 1.0)
    g({"total": total}, 5.0)
    h(1.0)
    assert (total[...] == jnp.array([2.0, 2.0, 6.0])).all()
    return total[...]
""",
    "number-of-arguments-beyond-the-parameters": """
@partial(jax.jit, static_argnums=0)
def f(mode, *rows, **options):
    if mode == "sum" and len(rows) > 1:
        print(mode, len(rows), sorted(options))
    return sum(rows)

@jax.jit
def g(*rows):
    if not rows:
        return 0.0
    return rows[0]

def main():
    return f("sum", 1.0, 2.0, scale=1.0), g(3.0)
""",
    "what-a-function-keeps-of-its-shapes": """
@jax.jit
def f(x):
    f_shapes(x)
    return x * 2

def f_shapes(x):
    f_shapes.latest = x.shape

def main():
    y = f(jnp.ones(3))
    assert f_shapes.latest == (3,)
    return y
""",
    "pushed-and-popped": """
stack = []

def param(name):
    return stack[-1][name]

@jax.jit
def f(params, x):
    stack.append(params)
    y = x * param("w")
    stack.pop()
    return y

def main():
    y = f({"w": 3.0}, 2.0)
    assert not stack
    return y
""",
    "pushed-and-popped-by-functions": """
scopes = []

def enter(params):
    scopes.append(params)

def leave():
    return scopes.pop()

def dense(x):
    return x * scopes[-1]

@jax.jit
def f(params, x):
    enter(params)
    try:
        return dense(x)
    finally:
        leave()

@jax.jit
def g(params, x):
    enter(params["inner"])
    y = dense(x)
    leave()
    return y

def main():
    return f(3.0, 2.0), g({"inner": 1.0}, 2.0)
""",
    "set-and-set-back": """
class Net:
    params = None
    depth = 0

    def apply(self, params, x):
        self.params = params
        self.depth += 1
        y = self.layer(x)
        self.depth -= 1
        self.params = None
        return y

    def layer(self, x):
        return x * self.params * self.depth

net = Net()

@jax.jit
def f(params, x):
    return net.apply(params, x)

def main():
    y = f(3.0, 2.0)
    assert net.params is None and net.depth == 0
    return y
""",
    "entry-that-is-taken-out-again": """
table = {}
collected = []

@jax.jit
def f(x):
    table["x"] = x
    y = table["x"] * 2
    del table["x"]
    table["y"] = y
    z = table.pop("y") + 1
    for row in (y, z):
        collected.append(row)
    out = jnp.stack(collected)
    collected.clear()
    return out

def main():
    out = f(2.0)
    assert not table and not collected
    return out
""",
    "structure-found-out-while-tracing": """
def flat(f, tree):
    treedef = shape = None

    def leaves_of(tree):
        nonlocal treedef, shape
        leaves, treedef = jax.tree.flatten(f(tree))
        shape = leaves[0].shape
        return leaves

    leaves = jax.jit(leaves_of)(tree)
    assert shape == (2,)
    return jax.tree.unflatten(treedef, leaves)

def main():
    return flat(lambda tree: {"double": tree * 2}, jnp.ones(2))
""",
    "structures-kept-in-a-list": """
def flat(f, tree):
    treedefs = []

    def leaves_of(tree):
        leaves, treedef = jax.tree.flatten(f(tree))
        treedefs.append(treedef)
        return leaves

    leaves = jax.jit(leaves_of)(tree)
    return jax.tree.unflatten(treedefs[0], leaves)

def main():
    return flat(lambda tree: {"double": tree * 2}, jnp.ones(2))
""",
    "converted-once-and-for-all": """
def schedule_of(steps):
    def schedule(count):
        nonlocal steps
        steps = float(steps)
        return jnp.minimum(count, steps)

    return schedule

def main():
    rate = jax.jit(schedule_of(10))
    return rate(3.0), rate(12.0)
""",
    "global-changed-after-the-last-call": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

def step(x):
    return f(x)

first = step(1.0)
RATE = 2.0

def step(x):
    return x * RATE

second = step(1.0)

def main():
    return first, second
""",
    "global-set-before-the-first-call": """
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

RATE = 2.0
only = f(1.0)

def main():
    return only
""",
    "print-behind-a-name-that-is-set-by-then": """
@jax.jit
def f(x):
    a = b = c = None
    for _ in range(10):
        a, b, c = b, c, x
    if a is None:
        print("never", x)
    return x

def main():
    return f(1.0)
""",
    "print-behind-a-longer-window": """
@jax.jit
def f(x):
    a = b = c = d = e = g = h = i = j = k = None
    for _ in range(12):
        a, b, c, d, e, g, h, i, j, k = b, c, d, e, g, h, i, j, k, x
    if a is None:
        print("never", k)
    return x

def main():
    return f(1.0)
""",
    "quiet-function-of-a-maker": """
def setup():
    def minimize(x, verbose):
        y = jnp.sin(x)
        if verbose:
            print("done", y)
        return y

    return minimize

@jax.jit
def f(x):
    return setup()(x, False)

def main():
    return f(1.0)
""",
    "function-for-another-case": """
def run(x, debug=False):
    def report(value):
        print("value", value)

    y = x * 2
    if debug:
        report(y)
    return y

@jax.jit
def f(x):
    return run(x)

def main():
    return f(1.0)
""",
    "trace-time-messages": """
import logging

@jax.jit
def f(x):
    print("compiling for", x.shape, x.dtype)
    logging.info("compiling f for %s", x.shape)
    return x * 2

def main():
    return f(1.0)
""",
    "print-around-the-call": """
import time

@jax.jit
def f(x):
    return x * 2

def main():
    start = time.perf_counter()
    y = f(1.0)
    print("y", y, time.perf_counter() - start)
    return y
""",
    "print-under-plain-grad": """
def loss(w):
    print("w", w)
    return w * w

def main():
    return jax.grad(loss)(1.0)
""",
    "debug-print": """
@jax.jit
def f(x):
    jax.debug.print("x = {x} {}", x.shape[0], x=x)
    jax.debug.print(f"{x.shape}: {{}}", x)
    return x

def main():
    return f(jnp.ones(2))
""",
    "random-outside": """
WEIGHTS = np.random.default_rng(0).normal(size=3)

@jax.jit
def f(x):
    fixed = np.random.RandomState(0).normal(size=3)
    return x * WEIGHTS + fixed

def main():
    return f(1.0)
""",
    "local-containers": """
@jax.jit
def f(x):
    parts, named = [], {}
    for i in range(3):
        parts.append(x * i)
        named[f"part{i}"] = parts[-1]
    named.pop("part0")
    return parts, named

def main():
    return f(1.0)
""",
    "copied-argument": """
@jax.jit
def f(batch):
    batch = dict(batch)
    batch["x"] = batch["x"] / 255.0
    return batch["x"].sum()

def main():
    return f({"x": jnp.ones(3)})
""",
    "argument-returned": """
@jax.jit
def f(params):
    params["w"] = params["w"] * 2
    return params

def main():
    return f({"w": jnp.ones(3)})
""",
    "object-made-inside": """
class Box:
    def __init__(self):
        self.value = None

@jax.jit
def f(x):
    box = Box()
    box.value = x * 2
    return box.value

def main():
    return f(1.0)
""",
    "attribute-set-eagerly": """
class Actor:
    def __init__(self):
        self.state = jnp.zeros(())
        self.history = []
        self._step = jax.jit(lambda s, x: s + x)

    def act(self, x):
        self.state = self._step(self.state, x)
        self.history.append(self.state)
        return self.state

def main():
    actor = Actor()
    return actor.act(1.0) + actor.act(2.0)
""",
    "constant-global": """
RATE = 0.1
NAMES = {"w": 1.0}

@jax.jit
def f(x):
    return x * RATE * NAMES["w"]

def main():
    return f(1.0)
""",
    "callback-writes": """
SEEN = []

def keep(x):
    SEEN.append(float(x))
    print("kept", len(SEEN))

@jax.jit
def f(x):
    jax.debug.callback(keep, x)
    return x

def main():
    return f(1.0)
""",
    "isinstance-either": """
@jax.jit
def f(x):
    if isinstance(x, (int, float, jax.Array)):
        return x * 2
    return x[0]

def main():
    return f(1.0)
""",
    "update-kept": """
@jax.jit
def f(x):
    x = x.at[0].set(1.0)
    return x.at[1].add(2.0).sort()

def main():
    return f(jnp.zeros(2))
""",
    "linen-setup": """
import flax.linen as nn

class Net(nn.Module):
    width: int = 4

    def setup(self):
        self.dense = nn.Dense(self.width)

    def __call__(self, x, train=False):
        if train:
            x = x * 2
        return self.dense(x)

def main():
    net = Net()
    params = net.init(jax.random.key(0), jnp.ones((1, 2)))
    return jax.jit(net.apply)(params, jnp.ones((1, 2)))
""",
    "nnx-state": """
from flax import nnx

class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.count[...] = self.count[...] + 1
        return x

@nnx.jit
def f(counter, x):
    return counter(x)

def main():
    return f(Counter(), 1.0)
""",
    "numbers-of-counters": """
import itertools

ids = itertools.count()

def belt():
    n = 0.0
    while True:
        n = n + 1.0
        yield n

@jax.jit
def named(x):
    with jax.named_scope(f"layer{next(ids)}"):
        return x * 2

@jax.jit
def inside(x):
    mine, feed = itertools.count(1), belt()
    return x + next(mine) * next(mine) + next(feed)

@jax.jit
def weighted(x, rows):
    for number, row in zip(itertools.count(), rows):
        x = x + number * row
    return x

def main():
    return named(1.0), inside(1.0), weighted(1.0, [2.0, 3.0]), 2 + next(ids)
""",
    "print-of-a-static-result": """
def show(value):
    print("sizes", value)

@partial(jax.jit, static_argnums=1)
def step(x, model):
    show(model(x.shape))
    show(model.__name__)
    return x

def main():
    return step(1.0, lambda shape: shape)
""",
    "print-of-attributes-that-may-be-static": """
from flax import struct

@struct.dataclass
class World:
    height: jax.Array
    size: int = struct.field(pytree_node=False)
    name: str = struct.field(pytree_node=False)

@jax.jit
def step(world):
    print(world.name, world.size, jnp.shape(world.height), jnp.ndim(world.height))
    print(world.size * 2, world.name + "!", jnp.reshape(world.size, ()).dtype)
    if world.size > 2:
        return jnp.full((world.size,), world.height[0])
    return world.height

def main():
    return step(World(jnp.ones(2), 3, "flat"))
""",
    "key-split-outside-of-the-trace": """
class Dice:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def game(self):
        step = jax.jit(lambda total, key: total + jax.random.normal(key))
        return step(step(0.0, self.next()), self.next())

class Passed:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

@jax.jit
def inside(key):
    dice = Passed(key)
    return dice.draw() + dice.draw()

def main():
    return Dice(0).game() + inside(jax.random.key(1))
""",
}

HABITS_OF_REAL_CODE = {
    "configuration-closed-over": """
from dataclasses import dataclass

@dataclass(frozen=True)
class Config:
    layers: int = 2
    dropout: float = 0.0
    kind: str = "relu"

def make(config):
    @jax.jit
    def forward(x):
        for i in range(int(config.layers)):
            x = jax.nn.relu(x) if config.kind == "relu" else jnp.tanh(x)
        if bool(config.dropout > 0.0):
            x = x * (1 - float(config.dropout))
        return x

    return forward

def main():
    return make(Config())(jnp.ones(2))
""",
    "configuration-static": """
from dataclasses import dataclass

@dataclass(frozen=True)
class Config:
    deep: bool = True

@partial(jax.jit, static_argnames="config")
def forward(config, x):
    return x * 2 if config.deep else x

def main():
    return forward(Config(), 1.0)
""",
    "enum-static": """
import enum

class Kind(enum.Enum):
    SUM = 1
    MEAN = 2

@partial(jax.jit, static_argnums=1)
def reduce(x, kind):
    if kind is Kind.SUM or kind == Kind.MEAN:
        return x.sum()
    return x

def main():
    return reduce(jnp.ones(2), Kind.SUM)
""",
    "optional-argument": """
@jax.jit
def attend(q, mask=None, bias=None):
    if mask is None:
        mask = jnp.ones_like(q)
    if bias is not None:
        q = q + bias
    return q * mask

def main():
    return attend(jnp.ones(2)), attend(jnp.ones(2), jnp.zeros(2), bias=jnp.ones(2))
""",
    "shape-checks": """
@jax.jit
def f(x, y):
    assert x.shape == y.shape, f"{x.shape} and {y.shape}"
    if x.shape[0] % 2 == 0 and max(x.shape) < 100:
        half = min(x.shape[0] // 2, 8)
        return x[:half] + y[half : 2 * half]
    raise ValueError(f"odd length {len(x)}")

def main():
    return f(jnp.ones(4), jnp.ones(4))
""",
    "chex-shape-assertions": """
import chex

@jax.jit
def f(x, y):
    chex.assert_rank(x, 1)
    chex.assert_equal_shape([x, y])
    chex.assert_shape(x, (2,))
    return x + y

def main():
    return f(jnp.ones(2), jnp.ones(2))
""",
    "layers-in-a-list": """
class Net:
    def __init__(self, sizes):
        self.sizes = sizes

    def apply(self, params, x):
        for i, (layer, size) in enumerate(zip(params, self.sizes)):
            x = x @ layer["w"] + layer.get("b", 0.0)
            if i < len(params) - 1 and size > 1:
                x = jax.nn.relu(x)
        return x

def main():
    net = Net([2, 2])
    params = [{"w": jnp.ones((2, 2)), "b": jnp.ones(2)}, {"w": jnp.ones((2, 2))}]
    return jax.jit(net.apply)(params, jnp.ones(2))
""",
    "parameters-by-name": """
@jax.jit
def f(params, x):
    for name in sorted(params):
        if name.startswith("w") and params[name].ndim > 1:
            x = x @ params[name]
        elif name in ("b0", "b1"):
            x = x + params[name]
    for i in range(2):
        x = x + params[f"b{i}"]
    return x

def main():
    return f({"w0": jnp.ones((2, 2)), "b0": jnp.ones(2), "b1": jnp.ones(2)}, jnp.ones(2))
""",
    "tree-map-by-rank": """
@jax.jit
def decay(params):
    some_matrix = any(p.ndim > 1 for p in jax.tree.leaves(params))
    decayed = jax.tree.map(lambda p: p * 0.9 if p.ndim > 1 else p, params)
    return decayed if some_matrix else params

def main():
    return decay({"w": jnp.ones((2, 2)), "b": jnp.ones(2)})
""",
    "sum-and-reduce-of-lists": """
import functools
import operator

@jax.jit
def f(losses, weights):
    total = sum(w * loss for w, loss in zip(weights, losses))
    return total + functools.reduce(operator.add, losses) / len(losses)

def main():
    return f([1.0, 2.0], [0.5, 0.5])
""",
    "container-kinds": """
@jax.jit
def f(batch):
    if isinstance(batch, (tuple, list)):
        x, *rest = batch
        return x + sum(rest) if rest else x
    if isinstance(batch, dict):
        return batch["x"]
    return batch

def main():
    return f((1.0, 2.0)), f({"x": 1.0}), f(1.0)
""",
    "train-loop": """
import optax

@jax.jit
def step(params, state, x):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((p * x) ** 2))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss

optimizer = optax.sgd(0.1)

def main():
    params = jnp.ones(2)
    state = optimizer.init(params)
    history, best = [], float("inf")
    for i in range(3):
        params, state, loss = step(params, state, jnp.ones(2))
        history.append(loss.item())
        if loss < best:
            best = float(loss)
        if i % 2 == 0:
            print(f"{i}: {loss:.4f}", np.asarray(params))
    return history
""",
    "train-state-object": """
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    step: jax.Array

@partial(jax.jit, donate_argnums=0)
def update(state, grads):
    state = state._replace(params=state.params - 0.1 * grads, step=state.step + 1)
    return state

def main():
    state = State(jnp.ones(2), jnp.zeros((), int))
    while state.step < 3:
        state = update(state, jnp.ones(2))
    return state
""",
    "convergence-loop-eager": """
@jax.jit
def improve(x):
    return 0.5 * (x + 2.0 / x)

def main():
    x, error = jnp.ones(()), jnp.inf
    while error > 1e-3:
        new = improve(x)
        error = abs(new - x)
        x = new
    return x
""",
    "loader-on-the-host": """
def batches(n):
    rng = np.random.default_rng(0)
    for _ in range(n):
        batch = np.zeros((2, 3))
        batch[:] = rng.normal(size=(2, 3))
        batch += np.random.rand()
        yield jnp.asarray(batch)

@jax.jit
def f(x):
    return x.sum()

def main():
    return [f(batch) for batch in batches(2)]
""",
    "count-around-the-call": """
class Runner:
    def __init__(self):
        self.calls = 0
        self.seen = []
        self.run = jax.jit(lambda x: x * 2)

    def __call__(self, x):
        self.calls += 1
        y = self.run(x)
        self.seen.append(float(y))
        return y

def main():
    runner = Runner()
    return runner(1.0) + runner(2.0)
""",
    "cached-factory": """
import functools

@functools.lru_cache
def compiled(n):
    @jax.jit
    def f(x):
        return x * n

    return f

@functools.lru_cache
def frequencies(n):
    return np.arange(n) / n

@jax.jit
def g(x):
    return x * frequencies(3)

def main():
    return compiled(2)(1.0), g(1.0), frequencies(3)
""",
    "lambda-binds-the-mode": """
def f(x, mode, scale=None):
    if mode == "double":
        return x * 2
    return x if scale is None else x * scale

def main():
    return jax.vmap(lambda x: f(x, "double"))(jnp.ones(3)), jax.jit(lambda x: f(x, mode="id"))(1.0)
""",
    "checkpoint-static": """
@partial(jax.checkpoint, static_argnums=(1,))
def block(x, train):
    if train:
        return jnp.sin(x)
    return x

def main():
    return jax.grad(lambda x: block(x, True))(1.0)
""",
    "pmap-static": """
@partial(jax.pmap, static_broadcasted_argnums=1)
def f(x, mode):
    return x * 2 if mode == "double" else x

def main():
    return f(jnp.ones(1), "double")
""",
    "has-aux": """
def loss(w, x):
    prediction = w * x
    return jnp.mean(prediction**2), {"prediction": prediction, "n": len(x)}

@jax.jit
def step(w, x):
    (value, aux), grads = jax.value_and_grad(loss, has_aux=True)(w, x)
    return w - 0.1 * grads, value, aux

def main():
    w, value, aux = step(1.0, jnp.ones(3))
    return float(value), int(aux["n"])
""",
    "scan-with-local-state": """
def body(carry, x):
    parts = []
    for scale in (1.0, 2.0):
        parts.append(carry * scale + x)
    out = {"a": parts[0]}
    out["b"] = parts[1]
    return parts[-1], out

def main():
    return jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "scan-over-pytrees": """
def body(carry, batch):
    x, extra = batch
    if extra is None:
        carry = carry + x["v"]
    return carry, None

def main():
    return jax.lax.scan(body, 0.0, ({"v": jnp.ones(3)}, None), length=3)
""",
    "length-from-the-shape": """
@jax.jit
def windows(x):
    n, width = x.shape[0], 2
    rows = [x[i : i + width] for i in range(n - width + 1)]
    out = jnp.zeros((n, width))
    for i, row in enumerate(rows):
        out = out.at[i].set(row)
    return out

def main():
    return windows(jnp.arange(5.0))
""",
    "positions-from-numpy": """
@jax.jit
def embed(x):
    length, width = x.shape
    position = np.arange(length)[:, None]
    table = np.zeros((length, width), dtype=np.float32)
    table[:, 0::2] = np.sin(position / 10)
    table[:, 1::2] = np.cos(position / 10)
    mask = np.tril(np.ones((length, length), dtype=bool))
    return jnp.where(mask[0, 0], x + table, x)

def main():
    return embed(jnp.ones((3, 4)))
""",
    "rank-polymorphic": """
@jax.jit
def f(x):
    if not hasattr(x, "shape") or jnp.ndim(x) == 0:
        return jnp.atleast_1d(x)
    axis = -1 if x.ndim > 1 else 0
    return x.sum(axis=axis, keepdims=bool(x.ndim > 2))

def main():
    return f(1.0), f(jnp.ones((2, 2)))
""",
    "dtype-dispatch": """
@jax.jit
def f(x):
    if x.dtype == jnp.bool_ or jnp.issubdtype(x.dtype, jnp.integer):
        x = x.astype(jnp.float32)
    eps = float(jnp.finfo(x.dtype).eps)
    return x / (x.sum() + eps + np.pi)

def main():
    return f(jnp.arange(3))
""",
    "device-dispatch": """
@jax.jit
def f(x):
    if jax.default_backend() == "tpu" and len(jax.devices()) > 1:
        return x * 2
    return x

def main():
    return f(1.0)
""",
    "names-and-defaults": """
@partial(jax.jit, static_argnames=("name", "axes"))
def f(x, name=None, axes=()):
    name = name or "default"
    axes = tuple(axes) or (0,)
    return x.sum(axes) if name in {"default", "sum"} and 0 in axes else x

def main():
    return f(jnp.ones(2)), f(jnp.ones(2), name="sum", axes=(0,))
""",
    "lowered-and-compiled": """
def f(x):
    return x * 2

def main():
    compiled = jax.jit(f).lower(1.0).compile()
    cost = compiled.cost_analysis()
    y = compiled(1.0)
    if y > 1 and cost is not None:
        return float(y)
    return 0.0
""",
    "callback-with-buffers": """
def fill(x):
    out = np.empty_like(x)
    for i in range(len(out)):
        out[i] = np.sin(x[i])
    return out

@jax.jit
def f(x):
    return jax.pure_callback(fill, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")

def main():
    return f(jnp.ones(3))
""",
    "haiku-training-flag": """
import haiku as hk

def forward(x, is_training):
    x = hk.Linear(2)(x)
    if is_training:
        x = x * 2
    return x

network = hk.transform(forward)

@partial(jax.jit, static_argnums=2)
def apply(params, x, is_training):
    return network.apply(params, None, x, is_training)

def main():
    params = network.init(jax.random.key(0), jnp.ones((1, 2)), True)
    return apply(params, jnp.ones((1, 2)), True)
""",
    "equinox-module": """
import equinox as eqx

class Block(eqx.Module):
    linear: eqx.nn.Linear
    activation: str = eqx.field(static=True)

    def __init__(self, key):
        self.linear = eqx.nn.Linear(2, 2, key=key)
        self.activation = "relu"

    def __call__(self, x):
        x = self.linear(x)
        return jax.nn.relu(x) if self.activation == "relu" else x

@jax.jit
def apply(block, x):
    return block(x)

def main():
    return apply(Block(jax.random.key(0)), jnp.ones(2))
""",
    "linen-train-flag": """
import flax.linen as nn

class Net(nn.Module):
    deep: bool = True

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(2)(x)
        if train and self.deep:
            x = nn.Dropout(0.5, deterministic=not train)(x)
        return x

@partial(jax.jit, static_argnames="train")
def apply(params, x, key, train):
    return Net().apply(params, x, train, rngs={"dropout": key})

def main():
    params = Net().init({"params": jax.random.key(0)}, jnp.ones((1, 2)), train=False)
    return apply(params, jnp.ones((1, 2)), jax.random.key(1), train=False)
""",
    "registered-pytree": """
@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, x, name):
        self.x = x
        self.name = name

    def tree_flatten(self):
        return (self.x,), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, name)

@jax.jit
def f(pair):
    return pair.x * 2 if pair.name == "double" else pair.x

def main():
    return f(Pair(1.0, "double"))
""",
    "eager-branch-on-a-result": """
@jax.jit
def is_done(x):
    return x.sum() > 3

def main():
    x = jnp.zeros(2)
    for _ in range(10):
        if is_done(x):
            break
        x = x.at[0].add(1.0)
    return x if not is_done(x) else x * 2
""",
    "clone-of-an-argument-list": """
@jax.jit
def f(states):
    states = list(states)
    states[0] = states[0] + 1
    states.append(states[-1])
    return tuple(states)

def main():
    return f((1.0, 2.0))
""",
    "attribute-tested-twice": """
class Repeat:
    def __init__(self, times):
        self.times = times

    def __call__(self, x, cutoff=None):
        if self.times is not None:
            x = jnp.repeat(x, self.times, axis=0)
        if self.times is None or cutoff is None:
            x = 2 * x
        else:
            x[:cutoff] = 2 * x[:cutoff]  # JAX301
        return x

def main():
    return Repeat(int("2"))(np.ones(3), 1)
""",
    "attribute-tested-twice-the-other-way": """
class Repeat:
    def __init__(self, times):
        self.times = times

    def __call__(self, x, cutoff=None):
        if self.times is not None:
            x = jnp.repeat(x, self.times, axis=0)
        if self.times is None:
            x[:cutoff] = 2 * x[:cutoff]
        return x

def main():
    return Repeat(int("2"))(np.ones(3), 1)
""",
    "attribute-bound-after-the-test": """
class Buffer:
    def __init__(self):
        self.rows = None

    def add(self, row):
        if self.rows is None:
            self.rows = np.zeros((2, 3))
        else:
            self.rows = jnp.asarray(self.rows)
        if self.rows is None:
            return row
        self.rows = np.array(self.rows)
        self.rows[0] = row
        return self.rows

def main():
    buffer = Buffer()
    buffer.add(1.0)
    return buffer.add(2.0)
""",
    "schedule-from-a-table": """
def polynomial(step, steps):
    return min(step, steps) / steps  # JAX203

def compound(config):
    names = config["factors"].split("*")

    def rate_at(step):
        rate = 1.0
        for name in names:
            if name == "polynomial":
                rate *= polynomial(step, config["steps"])
        return rate

    return rate_at

SCHEDULES = {"compound": compound}

def schedule_of(config):
    return SCHEDULES[config["schedule"]](config)

def train_step(step, gradient, *, rate_at):
    return gradient * rate_at(step)

def train(config, gradients):
    rate_at = schedule_of(config)
    train_step_jitted = jax.jit(partial(train_step, rate_at=rate_at))
    for step, gradient in enumerate(gradients):
        gradient = train_step_jitted(step, gradient)
    return gradient

def main():
    return train({"schedule": "compound", "factors": "polynomial", "steps": 10}, jnp.ones(3))
""",
    "schedule-from-a-table-that-traces": """
def polynomial(step, steps):
    return jnp.minimum(step, steps) / steps

def compound(config):
    names = config["factors"].split("*")

    def rate_at(step):
        rate = 1.0
        for name in names:
            if name == "polynomial":
                rate *= polynomial(step, config["steps"])
        return rate

    return rate_at

SCHEDULES = {"compound": compound}

def schedule_of(config):
    return SCHEDULES[config["schedule"]](config)

def train(config, gradients):
    step = jax.jit(partial(lambda step, gradient, rate_at: gradient * rate_at(step), rate_at=schedule_of(config)))
    return step(3, gradients)

def main():
    return train({"schedule": "compound", "factors": "polynomial", "steps": 10}, jnp.ones(3))
""",
}


ACROSS_MODULES = {
    "static-field-from-elsewhere": """
# file: base.py
import flax.struct

def aside(**options):
    return flax.struct.field(pytree_node=False, **options)
# file: program.py
import flax.struct
import jax
from flax.core import FrozenDict

import base
from base import aside

@flax.struct.dataclass
class Agent:
    weights: jax.Array
    config: FrozenDict = aside()
    depth: int = base.aside(default=2)

@jax.jit
def act(agent, x):
    if agent.config["train"] and agent.depth > 1:
        return x * agent.weights
    return x

def main():
    return act(Agent(2.0, FrozenDict(train=True)), 1.0)
""",
    "helper-module": """
# file: ops.py
def clip(x, limit):
    if x > limit:  # JAX201
        return limit
    return x
# file: program.py
import jax

from ops import clip

@jax.jit
def step(x):
    return clip(x, 1.0)

def main():
    return step(2.0)
""",
    "jitted-elsewhere": """
# file: model.py
import numpy as np

def forward(w, x):
    return np.tanh(w * x)  # JAX213

def describe(w):
    return float(w)
# file: program.py
import jax

import model

forward = jax.jit(model.forward)

def main():
    return forward(1.0, 2.0), model.describe(1.0)
""",
    "re-exported": """
# file: nets/__init__.py
from .layers import relu as activation
# file: nets/layers.py
def relu(x):
    return max(x, 0.0)  # JAX203
# file: program.py
import jax

import nets

def main():
    return jax.vmap(nets.activation)(jax.numpy.ones(3))
""",
    "base-class-elsewhere": """
# file: base.py
from functools import partial

import jax

class Base:
    @partial(jax.jit, static_argnums=0)
    def run(self, x):
        return self.forward(x)
# file: program.py
from base import Base

class Model(Base):
    def forward(self, x):
        if x > 0:  # JAX201
            return x
        return -x

def main():
    return Model().run(1.0)
""",
    "branch-that-raises-elsewhere": """
# file: ops.py
def fail(x):
    \"\"\"Says no.\"\"\"
    raise ValueError("no")  # JAX112
# file: program.py
import jax

from ops import fail

@jax.jit
def step(x):
    return jax.lax.cond(x > 0, fail, lambda x: x, x)

def main():
    return step(1.0)
""",
    "branch-left-to-subclasses": """
# file: base.py
class Evaluator:
    def reset(self, x):
        \"\"\"Starts anew.\"\"\"
        raise NotImplementedError

    def step(self, x):
        raise NotImplementedError
# file: program.py
import jax

from base import Evaluator

class Search(Evaluator):
    def reset(self, x):
        return x * 0

    def step(self, x):
        return x + 1

def advance(x, evaluator: Evaluator):
    return jax.lax.cond(x > 3, evaluator.reset, evaluator.step, x)

def main():
    return jax.jit(advance, static_argnums=1)(2, Search())
""",
    "only-called-eagerly": """
# file: ops.py
def clip(x, limit):
    if x > limit:
        return limit
    return float(x)
# file: program.py
import jax

from ops import clip

@jax.jit
def step(x):
    return x * 2

def main():
    return clip(step(2.0), 1.0)
""",
    "static-from-elsewhere": """
# file: config.py
DEEP = True
WIDTHS = (2, 3)
# file: program.py
import jax

import config
from config import WIDTHS

@jax.jit
def step(x):
    if config.DEEP and len(WIDTHS) > 1:
        for width in WIDTHS:
            x = x * width
    return x

def main():
    return step(2.0)
""",
}

# Everything but these codes is silent under JAX: the program runs, with the wrong result.
RAISING = {
    "JAX110",
    "JAX112",
    "JAX201",
    "JAX202",
    "JAX203",
    "JAX204",
    "JAX207",
    "JAX211",
    "JAX213",
    "JAX214",
    "JAX215",
    "JAX216",
    "JAX217",
    "JAX221",
    "JAX222",
    "JAX223",
    "JAX224",
    "JAX301",
    "JAX303",
    "JAX304",
    "JAX306",
}
SILENT = {"effects/sort-discarded"}  # JAX303 where the method exists, and returns a copy

PROGRAMS = {
    f"{group}/{name}": {"program.py": PRELUDE + source}
    for group, programs in {
        "ways": WAYS_INTO_A_TRACE,
        "static": STAYS_STATIC,
        "operations": OPERATIONS,
        "allowed": OPERATIONS_THAT_WORK,
        "effects": EFFECTS,
        "harmless": NO_EFFECTS,
        "habits": HABITS_OF_REAL_CODE,
    }.items()
    for name, source in programs.items()
} | {
    f"modules/{name}": dict(re.findall(r"^# file: (\S+)\n(.*?)(?=^# file|\Z)", source, re.MULTILINE | re.DOTALL))
    for name, source in ACROSS_MODULES.items()
}

each_program = pytest.mark.parametrize("name", PROGRAMS)


def expected(name: str) -> set[tuple[str, int, str]]:
    """(file, line, code) of each mark."""
    return {
        (path, number, mark[1])
        for path, text in PROGRAMS[name].items()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := re.search(r"# (JAX\d+)$", line))
    }


def write(name: str, folder: Path) -> Path:
    (folder / "requirements.txt").write_text("jax\n", encoding="utf-8")
    for path, text in PROGRAMS[name].items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder / "program.py"


@pytest.fixture
def fresh_modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """What a program imports is its own, and gone afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@each_program
@pytest.mark.usefixtures("fresh_modules")
def test_jax_agrees_with_the_marks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = write(name, tmp_path)
    module = ModuleType("program")
    monkeypatch.setitem(sys.modules, "program", module)
    exec(compile(main.read_text(encoding="utf-8"), main, "exec"), vars(module))
    marks = expected(name)
    if name in SILENT or not any(code in RAISING for _, _, code in marks):
        jax.block_until_ready(module.main())
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which exception it is the cards say
        module.main()
    frames = [(f.filename, f.lineno) for f in traceback.extract_tb(caught.value.__traceback__)]
    own = [(Path(file).relative_to(tmp_path).as_posix(), line) for file, line in frames if str(tmp_path) in file]
    assert own[-1] in {(path, line) for path, line, _ in marks}


@each_program
def test_jaxlint_reports_exactly_the_marked_lines(name: str, tmp_path: Path) -> None:
    if len(PROGRAMS[name]) == 1:
        found = {("program.py", f.location.line, f.code) for f in lint_source(PROGRAMS[name]["program.py"])}
    else:
        write(name, tmp_path)
        findings = lint_paths([tmp_path])
        found = {(Path(f.path).relative_to(tmp_path).as_posix(), f.location.line, f.code) for f in findings}
    assert found == expected(name)
