"""What the functions of ``jax.random`` do to a key.

The effects are those of JAX's own key-reuse signatures (``jax.experimental.key_reuse``): a draw and a split use
the key up, ``fold_in`` leaves its parent usable, ``clone`` hands out the same key as a fresh one.
"""

from __future__ import annotations

from jaxlint.semantics.model import KeyEffect, KeyFunction

# Each sampler: its positional parameters in order, and how many of them have no default.
_SAMPLERS: dict[str, tuple[str, int]] = {
    "ball": ("key d p shape dtype", 2),
    "bernoulli": ("key p shape mode", 1),
    "beta": ("key a b shape dtype", 3),
    "binomial": ("key n p shape dtype", 3),
    "bits": ("key shape dtype", 1),
    "categorical": ("key logits axis shape replace mode", 2),
    "cauchy": ("key shape dtype", 1),
    "chisquare": ("key df shape dtype", 2),
    "choice": ("key a shape replace p axis mode", 2),
    "dirichlet": ("key alpha shape dtype", 2),
    "double_sided_maxwell": ("key loc scale shape dtype", 3),
    "exponential": ("key shape dtype", 1),
    "f": ("key dfnum dfden shape dtype", 3),
    "gamma": ("key a shape dtype", 2),
    "generalized_normal": ("key p shape dtype", 2),
    "geometric": ("key p shape dtype", 2),
    "gumbel": ("key shape dtype mode", 1),
    "laplace": ("key shape dtype", 1),
    "loggamma": ("key a shape dtype", 2),
    "logistic": ("key shape dtype", 1),
    "lognormal": ("key sigma shape dtype", 1),
    "maxwell": ("key shape dtype", 1),
    "multinomial": ("key n p", 3),
    "multivariate_normal": ("key mean cov shape dtype method", 3),
    "normal": ("key shape dtype", 1),
    "orthogonal": ("key n shape dtype m", 2),
    "pareto": ("key b shape dtype", 2),
    "permutation": ("key x axis independent", 2),
    "poisson": ("key lam shape dtype", 2),
    "rademacher": ("key shape dtype", 1),
    "randint": ("key shape minval maxval dtype", 4),
    "rayleigh": ("key scale shape dtype", 2),
    "t": ("key df shape dtype", 2),
    "triangular": ("key left mode right shape dtype", 4),
    "truncated_normal": ("key lower upper shape dtype", 3),
    "uniform": ("key shape dtype minval maxval", 1),
    "wald": ("key mean shape dtype", 2),
    "weibull_min": ("key scale concentration shape dtype", 3),
}

_OTHERS: dict[str, KeyFunction] = {
    "split": KeyFunction(KeyEffect.SPLIT, ("key", "num")),
    "fold_in": KeyFunction(KeyEffect.FOLD, ("key", "data"), required=2),
    "clone": KeyFunction(KeyEffect.CLONE, ("key",)),
    # Parameter 0 of a constructor is a seed (or raw bits), not a key.
    "key": KeyFunction(KeyEffect.CREATE, ("seed",), key=(0, "seed")),
    "PRNGKey": KeyFunction(KeyEffect.CREATE, ("seed",), key=(0, "seed")),
    "wrap_key_data": KeyFunction(KeyEffect.CREATE, ("key_bits_array",), key=(0, "key_bits_array")),
    "key_data": KeyFunction(KeyEffect.INSPECT, ("keys",), key=(0, "keys")),
    "key_impl": KeyFunction(KeyEffect.INSPECT, ("keys",), key=(0, "keys")),
    # Gone from jax.random since 0.4.31, but it drew when it was there, and older projects still call it.
    "shuffle": KeyFunction(KeyEffect.DRAW, ("key", "x", "axis"), required=2),
}

KEY_FUNCTIONS: dict[str, KeyFunction] = {
    name: KeyFunction(KeyEffect.DRAW, tuple(parameters.split()), required=required)
    for name, (parameters, required) in _SAMPLERS.items()
} | _OTHERS

LEFT_OUT: dict[str, str] = {
    "Key": "a type for annotations; takes and returns no key",
    "key_dtype": "names a dtype; takes and returns no key",
    "random_gamma_p": "a primitive, not a function",
}

# jax.nn.initializers: factories, whose result `init(key, shape, dtype)` draws from its key ...
INITIALIZERS: frozenset[str] = frozenset(
    """
    delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform
    lecun_normal lecun_uniform normal orthogonal truncated_normal uniform variance_scaling xavier_normal xavier_uniform
    """.split()
)
# ... the factory whose result ignores its key, and the functions that are initializers themselves and ignore theirs.
KEYLESS_INITIALIZERS: frozenset[str] = frozenset({"constant"})
DIRECT_INITIALIZERS: frozenset[str] = frozenset({"zeros", "ones"})
