"""NumPyro: models draw from the stream of a ``seed`` handler; inference objects take a key for each run.

A model's arguments are closed over, not traced, while its latent values are tracers: NOTHING, but staged.
Positions in ``key_methods`` do not count ``self``.
"""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library

FIRST = KeyUse(KeyEffect.DRAW, ((0, "rng_key"),))
DRAWS_FIRST = KeyUse(KeyEffect.DRAW, ((0, "rng_key"),), sure=True)
SAMPLE = KeyUse(KeyEffect.DRAW, ((0, "key"),), sure=True)
# A sampler runs its model with values, to find where to begin, and then in compiled loops, where each site is a tracer.
MODEL = HigherOrder(Abstracts.NOTHING, ((0, "model"),), "opaque")

DISTRIBUTIONS = (
    "AsymmetricLaplace Bernoulli BernoulliLogits BernoulliProbs Beta BetaBinomial BetaProportion Binomial "
    "BinomialLogits BinomialProbs Categorical CategoricalLogits CategoricalProbs Cauchy Chi2 Delta Dirichlet "
    "DirichletMultinomial DiscreteUniform Distribution Exponential FoldedDistribution Gamma GammaPoisson "
    "GaussianRandomWalk Geometric GeometricLogits GeometricProbs Gompertz Gumbel HalfCauchy HalfNormal Independent "
    "InverseGamma Kumaraswamy LKJ LKJCholesky Laplace LeftTruncatedDistribution LogNormal LogUniform Logistic "
    "LowRankMultivariateNormal MaskedDistribution MatrixNormal MixtureGeneral MixtureSameFamily Multinomial "
    "MultinomialLogits MultinomialProbs MultivariateNormal MultivariateStudentT NegativeBinomial2 Normal "
    "OrderedLogistic Pareto Poisson ProjectedNormal RelaxedBernoulli RelaxedBernoulliLogits "
    "RightTruncatedDistribution SineBivariateVonMises SoftLaplace StudentT TransformedDistribution TruncatedCauchy "
    "TruncatedDistribution TruncatedNormal Uniform Unit VonMises Weibull Wishart ZeroInflatedPoisson"
).split()

# What is sampled from these is what they were made of.
KEYLESS = ("Delta", "Unit")
DRAWING = [name for name in DISTRIBUTIONS if name not in KEYLESS]
SAMPLERS = ("sample", "sample_with_intermediates")

LIBRARY = Library(
    name="numpyro",
    aliases={
        "numpyro.primitives": "numpyro",
        "numpyro.infer.mcmc": "numpyro.infer",
        "numpyro.infer.svi": "numpyro.infer",
        "numpyro.infer.hmc": "numpyro.infer",
        "numpyro.infer.util.Predictive": "numpyro.infer.Predictive",
        "numpyro.distributions.distribution": "numpyro.distributions",
        "numpyro.distributions.continuous": "numpyro.distributions",
        "numpyro.distributions.discrete": "numpyro.distributions",
        "numpyro.contrib.control_flow.scan.scan": "numpyro.contrib.control_flow.scan",
        "numpyro.contrib.control_flow.cond.cond": "numpyro.contrib.control_flow.cond",
    },
    higher_order={
        "numpyro.contrib.control_flow.scan": HigherOrder(Abstracts.ALL, ((0, "f"),), "scan", repeats=True),
        "numpyro.contrib.control_flow.cond": HigherOrder(Abstracts.ALL, ((1, "true_fun"), (2, "false_fun")), "cond"),
        "numpyro.util.fori_collect": HigherOrder(Abstracts.ALL, ((2, "body_fun"),), "opaque", repeats=True),
        "numpyro.util.cond": HigherOrder(Abstracts.ALL, ((2, "true_fun"), (4, "false_fun")), "cond"),
        "numpyro.util.fori_loop": HigherOrder(Abstracts.ALL, ((2, "body_fun"),), "fori", repeats=True),
        "numpyro.util.while_loop": HigherOrder(
            Abstracts.ALL, ((0, "cond_fun"), (1, "body_fun")), "while", repeats=True
        ),
        "numpyro.util.soft_vmap": HigherOrder(Abstracts.ALL, ((0, "fn"),), "map"),
        "numpyro.infer.util.log_density": HigherOrder(Abstracts.NOTHING, ((0, "model"),), "density", stages=False),
        "numpyro.infer.util.potential_energy": HigherOrder(Abstracts.NOTHING, ((0, "model"),), "density", stages=False),
        "numpyro.infer.NUTS": MODEL,
        "numpyro.infer.HMC": MODEL,
        "numpyro.infer.SA": MODEL,
        "numpyro.infer.BarkerMH": MODEL,
        "numpyro.infer.SVI": HigherOrder(Abstracts.NOTHING, ((0, "model"), (1, "guide")), "opaque", stages=False),
    },
    key_uses={
        "numpyro.sample": KeyUse(KeyEffect.DRAW, ((3, "rng_key"),)),
        "numpyro.handlers.seed": KeyUse(KeyEffect.DRAW, ((1, "rng_seed"),)),
        "numpyro.infer.util.initialize_model": FIRST,
        "numpyro.infer.util.find_valid_initial_params": FIRST,
    },
    key_methods={
        "numpyro.infer.MCMC.run": FIRST,
        "numpyro.infer.MCMC.warmup": FIRST,
        "numpyro.infer.NUTS.init": FIRST,
        "numpyro.infer.HMC.init": FIRST,
        "numpyro.infer.SVI.init": DRAWS_FIRST,
        "numpyro.infer.SVI.run": DRAWS_FIRST,
        "numpyro.infer.Predictive.__call__": DRAWS_FIRST,
        "numpyro.infer.Trace_ELBO.loss": FIRST,
        "numpyro.infer.TraceMeanField_ELBO.loss": FIRST,
        "numpyro.infer.TraceGraph_ELBO.loss": FIRST,
        **{f"numpyro.distributions.{name}.{method}": SAMPLE for name in DRAWING for method in SAMPLERS},
    },
    never_keys=frozenset(f"numpyro.distributions.{name}.{method}" for name in KEYLESS for method in SAMPLERS),
    fresh_keys=frozenset({"numpyro.prng_key"}),
    key_scopes=frozenset({"numpyro.handlers.seed"}),
    # The handlers that leave the values of sites alone.
    same_functions=frozenset(f"numpyro.handlers.{name}" for name in ("block", "mask", "scale", "seed", "trace")),
    given_results={"numpyro.sample": (2, "obs"), "numpyro.deterministic": (1, "value")},
    implicit_rng=frozenset({"numpyro.prng_key", "numpyro.sample"}),
    array_results=frozenset({"numpyro.sample", "numpyro.deterministic", "numpyro.param", "numpyro.subsample"}),
)
