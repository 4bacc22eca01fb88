# What is mapped over trees of which nothing is known, and what comes of it.
import jax
import jax.numpy as jnp

# --- a function of arrays stands where the tree is to be
def count(params):
    return sum(jax.tree.leaves(jax.tree.map(params, jnp.size)))  # JAX710 likely

# --- functions in a tree, a function that maps any other, and a number
def called(functions, x):
    return jax.tree.map(lambda function: function(x), functions)

def scaled(change, x):
    return jax.tree.map(change, jnp.pi), jax.tree.map(change, [jnp.sin, jnp.cos])

# --- a function that computes and gives nothing
def zeros(params):
    def fill(leaf):
        """Zeros like a leaf."""
        leaf = jnp.zeros_like(leaf)

    return jax.tree.map(fill, params)  # JAX710 certain

# --- a function that computes and gives nothing, beside statements that do nothing
def zeros(params):
    def fill(leaf):
        """Zeros like a leaf."""
        pass
        if False:
            print(leaf)
        leaf = jnp.zeros_like(leaf)

    def show(leaf):
        if True:
            print(leaf)
        leaf = jnp.zeros_like(leaf)

    jax.tree.map(show, params)
    return jax.tree.map(fill, params)  # JAX710 certain

# --- functions that give nothing and do something, or do what nobody knows
def shown(params, log, counts):
    def show(leaf):
        print(leaf)

    def note(leaf):
        counts["leaves"] = counts["leaves"] + leaf.size

    def hand_on(leaf):
        _ = log(leaf)

    def add(leaf):
        leaf += 1.0

    for function in (show, note, hand_on, add):
        jax.tree.map(function, params)

def none_for(params):
    def fill(leaf):
        doubled = 2 * leaf
        return None if doubled.ndim else doubled

    return jax.tree.map(fill, params)

# --- what is written as the view of a dict
def norms(params):
    return sum(jax.tree.map(lambda leaf: jnp.sum(leaf**2), params.values()))  # JAX710 likely

# --- lists of views, and other methods
def norms_of_all(params, model):
    squared = jax.tree.map(lambda leaf: jnp.sum(leaf**2), list(params.values()))
    return squared, jax.tree.map(jnp.sum, model.values(2)), jax.tree.map(jnp.sum, model.parameters())
