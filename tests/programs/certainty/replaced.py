# Leaves of a layer that a key was drawn for, and what takes their place.

# --- in the function that makes the layer
# file: layers.py
import equinox as eqx
import jax
import jax.numpy as jnp


def scaled(key):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 possible
    return eqx.tree_at(lambda layer: layer.weight, layer, 0.02 * new)


def embedded(key):
    table = eqx.nn.Embedding(5, 4, key=key)
    table = eqx.tree_at(lambda t: t.weight, table, jax.random.normal(key, table.weight.shape))  # JAX401 possible
    return table


def both_leaves(key):
    layer = eqx.nn.Linear(3, 4, key=key)
    leaves = jax.random.normal(key, layer.weight.shape), jnp.zeros(4)  # JAX401 possible
    return eqx.tree_at(lambda layer: (layer.weight, layer.bias), layer, leaves)


def bias_stays(key):
    layer = eqx.nn.Linear(3, 4, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    return eqx.tree_at(lambda layer: layer.weight, layer, 0.02 * new)


def weight_stays(key):
    layer = eqx.nn.Embedding(3, 4, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    return layer, new


def read_before(key, x):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    y = layer(x)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    return y, eqx.tree_at(lambda layer: layer.weight, layer, new)


def kept_beside(key):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    return layer, eqx.tree_at(lambda layer: layer.weight, layer, new)


def added(key):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    return eqx.tree_at(lambda layer: layer.weight, layer, layer.weight + new)


def on_one_path(key, again):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    if again:
        layer = eqx.tree_at(lambda layer: layer.weight, layer, new)
    return layer


def in_a_loop(key, n):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    for _ in range(n):
        layer = eqx.tree_at(lambda layer: layer.weight, layer, new)
    return layer


def put_off(key):
    layer = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    new = jax.random.normal(key, layer.weight.shape)  # JAX401 certain
    return lambda: eqx.tree_at(lambda layer: layer.weight, layer, new)


def two_layers(key):
    first = eqx.nn.Linear(3, 4, use_bias=False, key=key)
    other = eqx.nn.Linear(3, 4, use_bias=False, key=key)  # JAX401 certain
    return first, other

# --- in helpers
# file: helpers.py
import equinox as eqx
import jax
import jax.numpy as jnp


def renewed(layer, *, key):
    layer = eqx.tree_at(lambda layer: layer.weight, layer, jax.random.normal(key, layer.weight.shape))
    if hasattr(layer, "bias"):
        if layer.bias is not None:
            layer = eqx.tree_at(lambda layer: layer.bias, layer, jnp.zeros_like(layer.bias))
    return layer


def weight_renewed(layer, *, key):
    return eqx.tree_at(lambda layer: layer.weight, layer, jax.random.normal(key, layer.weight.shape))


def shown(layer, *, key):
    print(layer)
    return weight_renewed(layer, key=key)


class Net(eqx.Module):
    first: eqx.nn.Linear
    last: eqx.nn.Linear
    table: eqx.nn.Embedding

    def __init__(self, key, use_bias):
        one, two, three = jax.random.split(key, 3)
        first = eqx.nn.Linear(3, 4, use_bias=use_bias, key=one)
        self.first = renewed(first, key=one)  # JAX401 possible
        last = renewed(eqx.nn.Linear(4, 4, key=two), key=two)  # JAX401 possible
        self.last = eqx.tree_at(lambda a: a.weight, last, jax.random.normal(two, (4, 4)))  # JAX401 possible
        self.table = weight_renewed(eqx.nn.Embedding(5, 4, key=three), key=three)  # JAX401 possible


def bias_stays(key):
    return weight_renewed(eqx.nn.Linear(4, 4, key=key), key=key)  # JAX401 certain


def somebody_looks(key):
    return shown(eqx.nn.Embedding(5, 4, key=key), key=key)  # JAX401 certain


def another_layer(key):
    first = eqx.nn.Embedding(5, 4, key=key)
    return first, renewed(eqx.nn.Linear(4, 4, key=jax.random.key(0)), key=key)  # JAX401 certain


def drawn_beside(key):
    layer = renewed(eqx.nn.Linear(4, 4, key=jax.random.key(0)), key=key)
    return layer, jax.random.normal(key, (4, 4))  # JAX401 certain
