"""Smaller libraries: samplers, solvers, environments, evolution strategies, checkpointing.

One ``Library`` for each.  Solver callables are entered when the solver is built: "opaque" means that they
will be called with traced arguments nobody writes down.  Positions in ``key_methods`` do not count ``self``.
"""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library, Wrapper

FIRST_KEY = KeyUse(KeyEffect.DRAW, ((0, "key"),))
FIRST_RNG = KeyUse(KeyEffect.DRAW, ((0, "rng"),))
FIRST_RNG_KEY = KeyUse(KeyEffect.DRAW, ((0, "rng_key"),))
DRAWS_FIRST_KEY = KeyUse(KeyEffect.DRAW, ((0, "key"),), sure=True)
DRAWS_FIRST_RNG_KEY = KeyUse(KeyEffect.DRAW, ((0, "rng_key"),), sure=True)

# --- blackjax: the log density is traced inside the sampler's own loops, even in eager calls.

LOGDENSITY_SAMPLERS = (
    "additive_step_random_walk adjusted_mclmc adjusted_mclmc_dynamic barker_proposal chees_adaptation coordinate_slice "
    "dmhmc dynamic_hmc ghmc gist_step_size gist_trajectory_length hmc irmh mala mclmc "
    "mclmc_lrd_warmup meads_adaptation mhmc nuts orbital_hmc pathfinder rmh rmhmc slice_sampling"
).split()
LIKELIHOOD_SAMPLERS = (
    "adaptive_persistent_sampling_smc adaptive_tempered_smc nss nsswig persistent_sampling_smc tempered_smc"
).split()
# The steps that draw; of the other samplers, and of every `init`, read.py says which do.
BLACKJAX_STEPS = (
    "adaptive_tempered_smc additive_step_random_walk barker_proposal csgld dynamic_hmc elliptical_slice ghmc hmc irmh "
    "mala mclmc meanfield_vi nuts rmh rmhmc sghmc sgld sgnht"
).split()

BLACKJAX = Library(
    name="blackjax",
    aliases={
        "blackjax.barker": "blackjax.barker_proposal",
        "blackjax.dhmc": "blackjax.dynamic_hmc",
        "blackjax.multinomial_hmc": "blackjax.mhmc",
        "blackjax.normal_random_walk": "blackjax.rmh",
    },
    higher_order={
        **{
            f"blackjax.{sampler}": HigherOrder(Abstracts.ALL, ((0, "logdensity_fn"),), "opaque")
            for sampler in LOGDENSITY_SAMPLERS
        },
        **{
            f"blackjax.{sampler}": HigherOrder(Abstracts.ALL, ((0, "logprior_fn"), (1, "loglikelihood_fn")), "opaque")
            for sampler in LIKELIHOOD_SAMPLERS
        },
        "blackjax.elliptical_slice": HigherOrder(Abstracts.ALL, ((0, "loglikelihood_fn"),), "opaque"),
        "blackjax.pathfinder_adaptation": HigherOrder(Abstracts.ALL, ((1, "logdensity_fn"),), "opaque"),
        # These map the density over particles or samples, and stage nothing.
        **{
            f"blackjax.{sampler}": HigherOrder(Abstracts.MAPPED, ((0, "logdensity_fn"),), "opaque", stages=False)
            for sampler in ("fullrank_vi", "meanfield_vi", "multipathfinder", "schrodinger_follmer")
        },
        "blackjax.svgd": HigherOrder(Abstracts.MAPPED, ((0, "grad_logdensity_fn"),), "opaque", stages=False),
        "blackjax.mgrad_gaussian": HigherOrder(
            Abstracts.DIFFERENTIATED, ((0, "logdensity_fn"),), "opaque", stages=False
        ),
        "blackjax.sgld": HigherOrder(Abstracts.ALL, ((0, "grad_estimator"),), "opaque"),
        "blackjax.sghmc": HigherOrder(Abstracts.ALL, ((0, "grad_estimator"),), "opaque"),
        "blackjax.window_adaptation": HigherOrder(Abstracts.ALL, ((1, "logdensity_fn"),), "opaque"),
    },
    key_uses={"blackjax.util.run_inference_algorithm": DRAWS_FIRST_RNG_KEY},
    key_methods={
        **{f"blackjax.{sampler}.step": DRAWS_FIRST_RNG_KEY for sampler in BLACKJAX_STEPS},
        "blackjax.window_adaptation.run": FIRST_RNG_KEY,
    },
    never_keys=frozenset({"blackjax.nsswig.init"}),
)

# --- Solvers. jaxopt traces every argument of `fun`; optimistix and diffrax only the arrays among them.

JAXOPT_SOLVERS = {
    "Bisection": "optimality_fun",
    "BFGS": "fun",
    "Broyden": "fun",
    "FixedPointIteration": "fixed_point_fun",
    "AndersonAcceleration": "fixed_point_fun",
    "GaussNewton": "residual_fun",
    "GradientDescent": "fun",
    "LBFGS": "fun",
    "LBFGSB": "fun",
    "LevenbergMarquardt": "residual_fun",
    "MirrorDescent": "fun",
    "NonlinearCG": "fun",
    "PolyakSGD": "fun",
    "ProjectedGradient": "fun",
    "ProximalGradient": "fun",
}

JAXOPT = Library(
    name="jaxopt",
    higher_order={
        **{
            f"jaxopt.{solver}": HigherOrder(Abstracts.ALL, ((0, function),), "opaque")
            for solver, function in JAXOPT_SOLVERS.items()
        },
        "jaxopt.OptaxSolver": HigherOrder(Abstracts.ALL, ((0, "fun"),), "opaque"),
        # SciPy drives these from the host and asks JAX for gradients only.
        "jaxopt.ScipyMinimize": HigherOrder(Abstracts.DIFFERENTIATED, ((5, "fun"),), "opaque", stages=False),
        "jaxopt.ScipyBoundedMinimize": HigherOrder(Abstracts.DIFFERENTIATED, ((5, "fun"),), "opaque", stages=False),
    },
)

OPTIMISTIX = Library(
    name="optimistix",
    higher_order={
        f"optimistix.{solve}": HigherOrder(Abstracts.ARRAYS, ((0, "fn"),), "opaque")
        for solve in ("root_find", "minimise", "least_squares", "fixed_point")
    },
)

DIFFRAX = Library(
    name="diffrax",
    higher_order={
        "diffrax.ODETerm": HigherOrder(Abstracts.ARRAYS, ((0, "vector_field"),), "opaque"),
        "diffrax.ControlTerm": HigherOrder(Abstracts.ARRAYS, ((0, "vector_field"),), "opaque"),
        "diffrax.WeaklyDiagonalControlTerm": HigherOrder(Abstracts.ARRAYS, ((0, "vector_field"),), "opaque"),
        "diffrax.Event": HigherOrder(Abstracts.ARRAYS, ((0, "cond_fn"),), "opaque"),
    },
    key_uses={
        "diffrax.VirtualBrownianTree": KeyUse(KeyEffect.DRAW, ((4, "key"),)),
        "diffrax.UnsafeBrownianPath": KeyUse(KeyEffect.DRAW, ((1, "key"),)),
    },
    pytree_bases=frozenset({"diffrax.AbstractTerm", "diffrax.AbstractPath", "diffrax.AbstractSolver"}),
)

LINEAX = Library(
    name="lineax",
    higher_order={"lineax.FunctionLinearOperator": HigherOrder(Abstracts.ALL, ((0, "fn"),), "opaque")},
)

# --- Environments: eager by themselves, in practice always inside jit, vmap or scan.

BRAX_ENVIRONMENTS = (
    "brax.envs.Env",
    "brax.envs.PipelineEnv",
    "brax.envs.base.Env",
    "brax.envs.base.PipelineEnv",
    "brax.envs.env.Env",
)
BRAX_MAKERS = ("brax.envs.create", "brax.envs.get_environment")

BRAX = Library(
    name="brax",
    key_methods={f"{environment}.reset": FIRST_RNG for environment in (*BRAX_ENVIRONMENTS, *BRAX_MAKERS)},
)

GYMNAX_ENVIRONMENT = "gymnax.environments.environment.Environment"

GYMNAX = Library(
    name="gymnax",
    aliases={"gymnax.environments.Environment": GYMNAX_ENVIRONMENT, "gymnax.Environment": GYMNAX_ENVIRONMENT},
    key_methods={f"{GYMNAX_ENVIRONMENT}.{method}": FIRST_KEY for method in ("reset", "reset_env", "step", "step_env")},
    run_methods={f"{GYMNAX_ENVIRONMENT}.{method}_env": (method, "jax.jit") for method in ("reset", "step")},
)

# Its `reset` is compiled as well, and replaced by every environment (c793d09).
JAXMARL = Library(
    name="jaxmarl",
    aliases={"jaxmarl.environments.MultiAgentEnv": "jaxmarl.environments.multi_agent_env.MultiAgentEnv"},
    run_methods={"jaxmarl.environments.multi_agent_env.MultiAgentEnv.step_env": ("step", "jax.jit")},
)

# --- The first modules of Flax, gone since 0.4 and still in use with the JAX of their time.

FLAX_NN = Library(
    name="flax.deprecated",
    aliases={"flax.nn": "flax.deprecated.nn"},
    key_uses={"flax.deprecated.nn.stochastic": KeyUse(KeyEffect.DRAW, ((0, "init_rng"),), noise=True)},
)

# --- Evolution, reinforcement learning, graphs.

EVOSAX_STRATEGIES = (
    "ARS CMA_ES DE LES MA_ES OpenES PGPE PSO SNES Sep_CMA_ES SimpleES SimpleGA SimulatedAnnealing Strategy xNES"
).split()
# `init` leaves its key alone in most of them: read.py says in which.
EVOSAX_METHODS = ("initialize", "ask")

EVOSAX = Library(
    name="evosax",
    aliases={"evosax.algorithms": "evosax", "evosax.strategies": "evosax"},
    key_methods={
        f"evosax.{strategy}.{method}": DRAWS_FIRST_KEY for strategy in EVOSAX_STRATEGIES for method in EVOSAX_METHODS
    },
)

RLAX = Library(
    name="rlax",
    key_uses={
        f"rlax.{function}": DRAWS_FIRST_KEY
        for function in (
            "add_dirichlet_noise",
            "add_gaussian_noise",
            "add_ornstein_uhlenbeck_noise",
            "categorical_sample",
        )
    },
    higher_order={"rlax.knn_query": HigherOrder(Abstracts.ALL, ((3, "metric"),), "opaque")},
)

JRAPH = Library(
    name="jraph",
    array_results=frozenset({"jraph.segment_sum", "jraph.segment_mean", "jraph.segment_max", "jraph.segment_softmax"}),
    pure_results=frozenset({"jraph.pad_with_graphs", "jraph.batch", "jraph.unbatch"}),
    aliases={"jraph._src.graph.GraphsTuple": "jraph.GraphsTuple"},
    named_tuples={
        "jraph.GraphsTuple": ("nodes", "edges", "receivers", "senders", "globals", "n_node", "n_edge"),
    },
)

# --- TensorFlow Probability on JAX: `seed=` is the key, the sample shape comes before it.

TFP_PREFIX = "tensorflow_probability.substrates.jax.distributions"
TFP_DISTRIBUTIONS = (
    "Bernoulli Beta Binomial Categorical Cauchy Deterministic Dirichlet Distribution Exponential Gamma Gumbel "
    "HalfCauchy HalfNormal Independent InverseGamma Laplace LogNormal Logistic MixtureSameFamily Multinomial "
    "MultivariateNormalDiag MultivariateNormalFullCovariance MultivariateNormalTriL Normal OneHotCategorical Pareto "
    "Poisson Sample StudentT TransformedDistribution TruncatedNormal Uniform VonMises Weibull"
).split()

TFP = Library(
    name="tensorflow_probability",
    aliases={
        "tensorflow_probability.python.internal.backend.jax": "tensorflow_probability.substrates.jax",
        "tfp.substrates.jax": "tensorflow_probability.substrates.jax",
    },
    key_methods={
        f"{TFP_PREFIX}.{name}.sample": KeyUse(KeyEffect.DRAW, ((1, "seed"),), sure=True) for name in TFP_DISTRIBUTIONS
    },
    array_results=frozenset(f"{TFP_PREFIX}.{name}.sample" for name in TFP_DISTRIBUTIONS if name != "Distribution"),
)

# --- objax: keys live in a global generator; variables may be written under objax's own transforms.

OBJAX = Library(
    name="objax",
    wrappers={
        "objax.Jit": Wrapper(Abstracts.ALL, (0, "f"), static_nums="static_argnums"),
        "objax.Vectorize": Wrapper(
            Abstracts.MAPPED, (0, "f"), in_axes="batch_axis", options=("vc", "batch_axis"), stages=False
        ),
        "objax.Parallel": Wrapper(Abstracts.ALL, (0, "f"), static_nums="static_argnums"),
        "objax.Grad": Wrapper(
            Abstracts.DIFFERENTIATED,
            (0, "f"),
            argnums="input_argnums",
            options=("variables", "input_argnums"),
            stages=False,
        ),
        "objax.GradValues": Wrapper(
            Abstracts.DIFFERENTIATED,
            (0, "f"),
            argnums="input_argnums",
            options=("variables", "input_argnums"),
            stages=False,
            result="opaque",
        ),
    },
    streams=frozenset({"objax.random.Generator", "objax.Generator"}),
    module_bases=frozenset({"objax.Module"}),
    mutable_modules=frozenset({"objax.Module", "objax.TrainVar", "objax.StateVar"}),
)

# --- Saving: a checkpoint that stores a key draws nothing from it.

ORBAX_SAVERS = ("CheckpointManager", "Checkpointer", "AsyncCheckpointer", "PyTreeCheckpointer", "StandardCheckpointer")

ORBAX = Library(
    name="orbax",
    never_keys=frozenset(
        {
            *(f"orbax.checkpoint.{saver}.save" for saver in ORBAX_SAVERS),
            "orbax.checkpoint.args.StandardSave",
            "orbax.checkpoint.args.PyTreeSave",
            "orbax.checkpoint.args.JaxRandomKeySave",
            "orbax.checkpoint.args.Composite",
        }
    ),
)

# --- einops: what moves the axes of an array draws nothing from keys that are in it.

EINOPS = Library(
    name="einops",
    never_keys=frozenset(f"einops.{name}" for name in "rearrange reduce repeat einsum pack unpack parse_shape".split()),
)

OTHERS = (
    BLACKJAX,
    JAXOPT,
    OPTIMISTIX,
    DIFFRAX,
    LINEAX,
    FLAX_NN,
    BRAX,
    GYMNAX,
    JAXMARL,
    EVOSAX,
    RLAX,
    JRAPH,
    TFP,
    OBJAX,
    ORBAX,
    EINOPS,
)
