"""distrax: distributions and bijectors are pytrees; ``sample`` takes its key as ``seed=``, keyword only."""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library

DISTRIBUTIONS = (
    "Bernoulli Beta Categorical CategoricalUniform Clipped ClippedLogistic ClippedNormal Deterministic Dirichlet "
    "Distribution EpsilonGreedy Gamma Greedy Gumbel Independent Joint Laplace LogStddevNormal Logistic MixtureOfTwo "
    "MixtureSameFamily Multinomial MultivariateNormalDiag MultivariateNormalDiagPlusLowRank "
    "MultivariateNormalFromBijector MultivariateNormalFullCovariance MultivariateNormalTri Normal OneHotCategorical "
    "Quantized Softmax Transformed Uniform VonMises"
).split()

SEED = KeyUse(KeyEffect.DRAW, ((None, "seed"),), sure=True)

# What a joint distribution draws, and any that is only declared as one may be that, is a tree.
OF_ARRAYS = [name for name in DISTRIBUTIONS if name not in ("Distribution", "Joint")]

DRAWING = [name for name in DISTRIBUTIONS if name != "Deterministic"]

LIBRARY = Library(
    name="distrax",
    aliases={"distrax._src.distributions.distribution": "distrax"},
    # A bijector that is made of a function asks its jaxpr whether the Jacobian is constant, when it is made.
    higher_order={
        name: HigherOrder(Abstracts.ALL, ((0, parameter),), "opaque")
        for name, parameter in (
            ("distrax.Block", "bijector"),
            ("distrax.Inverse", "bijector"),
            ("distrax.Lambda", "forward"),
            ("distrax.as_bijector", "obj"),
        )
    }
    | {"distrax.Transformed": HigherOrder(Abstracts.ALL, ((1, "bijector"),), "opaque")},
    key_uses={
        "distrax.estimate_kl_best_effort": KeyUse(KeyEffect.DRAW, ((2, "rng_key"),)),
        "distrax.mc_estimate_kl": KeyUse(KeyEffect.DRAW, ((2, "rng_key"),)),
        "distrax.mc_estimate_kl_with_reparameterized": KeyUse(KeyEffect.DRAW, ((2, "rng_key"),)),
        "distrax.mc_estimate_mode": KeyUse(KeyEffect.DRAW, ((1, "rng_key"),)),
    },
    key_methods={
        **{f"distrax.{name}.sample": SEED for name in DRAWING},
        **{f"distrax.{name}.sample_and_log_prob": SEED for name in DRAWING},
        "distrax.HMM.sample": SEED,
    },
    never_keys=frozenset({"distrax.Deterministic.sample", "distrax.Deterministic.sample_and_log_prob"}),
    array_results=frozenset(
        {
            *(f"distrax.{name}.sample" for name in OF_ARRAYS),
            *(f"distrax.{name}.log_prob" for name in DISTRIBUTIONS),
            "distrax.importance_sampling_ratios",
            "distrax.multiply_no_nan",
        }
    ),
)
