"""What public functions of libraries do with the keys they are given, as read from the libraries' source.

Written by ``python benchmarks/library_facts.py --write``: what that script finds certain and no table beside this one
says.  A table written by hand goes before it.  Positions in ``key_methods`` do not count ``self``.
"""

from __future__ import annotations

from jaxlint.semantics.model import KeyEffect, KeyUse, Library, names


def _use(position: int | None, keyword: str, sure: bool) -> KeyUse:
    return KeyUse(KeyEffect.DRAW, ((position, keyword),), sure=sure)


BLACKJAX = Library(
    name="blackjax",
    key_methods={
        **dict.fromkeys(
            names(
                "blackjax",
                """
            pathfinder_adaptation.run staged_adaptation.run window_adaptation_low_rank.run
""",
            ),
            _use(0, "rng_key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            partial_posteriors_smc.step smc.partial_posteriors_path.as_top_level_api.step
""",
            ),
            _use(0, "key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adaptive_persistent_sampling_smc.step adjusted_mclmc.step adjusted_mclmc_dynamic.step
            chees_adaptation.run coordinate_slice.step dmhmc.step fullrank_vi.sample fullrank_vi.step
            gist_step_size.step gist_trajectory_length.step inner_kernel_tuning.step irmh_as_top_level_api.step
            laplace_dhmc.step laplace_dmhmc.step laplace_hmc.step laplace_mhmc.step
            mcmc.adjusted_mclmc.as_top_level_api.step mcmc.adjusted_mclmc_dynamic.as_top_level_api.step
            mcmc.barker.as_top_level_api.step mcmc.coupled_hmc.as_top_level_api.step
            mcmc.dynamic_hmc.as_top_level_api.step mcmc.elliptical_slice.as_top_level_api.step
            mcmc.ghmc.as_top_level_api.step mcmc.gist.as_top_level_api.step
            mcmc.gist_step_size.as_top_level_api.step mcmc.gist_trajectory_length.as_top_level_api.step
            mcmc.hmc.as_top_level_api.step mcmc.laplace_dynamic_hmc.as_top_level_api.step
            mcmc.laplace_hmc.as_top_level_api.step mcmc.laplace_hmc.laplace_marginal_factory.sample_theta
            mcmc.mala.as_top_level_api.step mcmc.marginal_latent_gaussian.as_top_level_api.step
            mcmc.mclmc.as_top_level_api.step mcmc.metrics.default_metric.sample_momentum
            mcmc.metrics.gaussian_euclidean.sample_momentum mcmc.metrics.gaussian_euclidean_low_rank.sample_momentum
            mcmc.metrics.gaussian_riemannian.sample_momentum mcmc.nuts.as_top_level_api.step
            mcmc.periodic_orbital.as_top_level_api.step mcmc.random_walk.additive_step_random_walk.step
            mcmc.rmhmc.as_top_level_api.step mcmc.slice.as_top_level_api.step mcmc.slice.coordinate_slice.step
            meads_adaptation.run meanfield_vi.sample mgrad_gaussian.step mhmc.step multipathfinder.init
            multipathfinder.sample ns.nss.as_top_level_api.step ns.nss.swig_as_top_level_api.step nss.step
            nsswig.step orbital_hmc.step pathfinder.init pathfinder.sample persistent_sampling_smc.step
            rmh_as_top_level_api.step schrodinger_follmer.step sgmcmc.csgld.as_top_level_api.step
            sgmcmc.sghmc.as_top_level_api.step sgmcmc.sgld.as_top_level_api.step sgmcmc.sgnht.as_top_level_api.step
            slice_sampling.step smc.adaptive_persistent_sampling.as_top_level_api.step
            smc.adaptive_tempered.as_top_level_api.step smc.inner_kernel_tuning.as_top_level_api.step
            smc.persistent_sampling.as_top_level_api.step smc.tempered.as_top_level_api.step tempered_smc.step
            util.thin_algorithm.step vi.fullrank_vi.as_top_level_api.sample vi.fullrank_vi.as_top_level_api.step
            vi.meanfield_vi.as_top_level_api.sample vi.meanfield_vi.as_top_level_api.step
            vi.pathfinder.as_top_level_api.init vi.pathfinder.as_top_level_api.sample
            vi.schrodinger_follmer.as_top_level_api.step
""",
            ),
            _use(0, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            ghmc.init mclmc.init mcmc.ghmc.as_top_level_api.init mcmc.mclmc.as_top_level_api.init
            sgmcmc.sgnht.as_top_level_api.init sgnht.init
""",
            ),
            _use(1, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adaptation.laps_burn_in.Adaptation.summary_statistics_fn
""",
            ),
            _use(2, "rng_key", sure=True),
        ),
    },
    key_uses={
        **dict.fromkeys(
            names(
                "blackjax",
                """
            smc.pretuning.update_parameter_distribution
""",
            ),
            _use(0, "key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adaptation.laps_burn_in.initialize eca.run_eca mcmc.hmc.static_binomial_sampling
            mcmc.proposal.progressive_biased_sampling mcmc.proposal.progressive_uniform_sampling mcmc.slice.doubling
            mcmc.slice.sample_direction ns.nss.random_order ns.nss.sample_direction_from_covariance
            ns.nss.sample_direction_from_covariance_factor ns.nss.stepping_out ns.utils.ess ns.utils.logX
            ns.utils.log_weights ns.utils.sample ns.utils.uniform_prior smc.base.step smc.persistent_sampling.step
            smc.pretuning.stratified smc.resampling.multinomial smc.resampling.residual smc.resampling.systematic
            util.generate_gaussian_noise util.generate_unit_vector vi.fullrank_vi.sample vi.fullrank_vi.step
            vi.meanfield_vi.sample vi.meanfield_vi.step vi.multipathfinder.multi_approximate
            vi.pathfinder.approximate vi.pathfinder.bfgs_sample vi.pathfinder.sample vi.schrodinger_follmer.step
""",
            ),
            _use(0, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adaptation.laps_burn_in.equipartition_fullrank eca.ensemble_execute_fn
            mcmc.integrators.partially_refresh_momentum sgmcmc.sgnht.init
""",
            ),
            _use(1, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            mclmc_lrd_warmup mcmc.ghmc.init mcmc.mclmc.init
""",
            ),
            _use(2, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            mcmc.mclmc.handle_high_energy mcmc.mclmc.handle_nans
""",
            ),
            _use(3, "key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            mclmc_find_L_and_step_size
""",
            ),
            _use(3, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adjusted_mclmc_find_L_and_step_size
""",
            ),
            _use(4, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adaptation.mclmc_adaptation.handle_nans
""",
            ),
            _use(6, "key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "blackjax",
                """
            adaptation.laps.laps
""",
            ),
            _use(7, "rng_key", sure=True),
        ),
    },
    never_keys=names(
        "blackjax",
        """
            adaptation.laps.Adaptation.summary_statistics_fn adaptive_tempered_smc.init
            additive_step_random_walk.init adjusted_mclmc.init barker.init coordinate_slice.init csgld.init
            elliptical_slice.init gist_step_size.init gist_trajectory_length.init hmc.init inner_kernel_tuning.init
            irmh.init irmh_as_top_level_api.init mala.init mcmc.adjusted_mclmc.as_top_level_api.init
            mcmc.barker.as_top_level_api.init mcmc.coupled_hmc.as_top_level_api.init
            mcmc.elliptical_slice.as_top_level_api.init mcmc.gist.as_top_level_api.init
            mcmc.gist_step_size.as_top_level_api.init mcmc.gist_trajectory_length.as_top_level_api.init
            mcmc.hmc.as_top_level_api.init mcmc.mala.as_top_level_api.init
            mcmc.marginal_latent_gaussian.as_top_level_api.init mcmc.nuts.as_top_level_api.init
            mcmc.periodic_orbital.as_top_level_api.init mcmc.random_walk.additive_step_random_walk.init
            mcmc.rmhmc.as_top_level_api.init mcmc.slice.as_top_level_api.init mcmc.slice.coordinate_proposal
            mcmc.slice.coordinate_slice.init mcmc.slice.fixed_order mgrad_gaussian.init mhmc.init
            multipathfinder.step normal_random_walk.init ns.nss.as_top_level_api.init ns.nss.live_covariance
            ns.nss.live_covariance_factor ns.nss.live_widths nss.init nuts.init orbital_hmc.init
            partial_posteriors_smc.init pathfinder.step pretuning.init rmh.init rmh_as_top_level_api.init rmhmc.init
            sghmc.init sgld.init sgmcmc.csgld.as_top_level_api.init sgmcmc.sghmc.as_top_level_api.init
            sgmcmc.sgld.as_top_level_api.init slice_sampling.init smc.adaptive_tempered.as_top_level_api.init
            smc.inner_kernel_tuning.as_top_level_api.init smc.partial_posteriors_path.as_top_level_api.init
            smc.pretuning.as_top_level_api.init smc.tempered.as_top_level_api.init tempered_smc.init
            vi.pathfinder.as_top_level_api.step
""",
    ),
)

CHEX = Library(
    name="chex",
    never_keys=names(
        "chex",
        """
            Dimensions.size
""",
    ),
)

EQUINOX = Library(
    name="equinox",
    never_keys=names(
        "equinox",
        """
            nn.AdaptiveAvgPool1d.__call__ nn.AdaptiveAvgPool2d.__call__ nn.AdaptiveAvgPool3d.__call__
            nn.AdaptiveMaxPool1d.__call__ nn.AdaptiveMaxPool2d.__call__ nn.AdaptiveMaxPool3d.__call__
            nn.AdaptivePool.__call__ nn.Pool.__call__ nn.RotaryPositionalEmbedding.__call__
""",
    ),
)

EVOSAX = Library(
    name="evosax",
    key_methods={
        **dict.fromkeys(
            names(
                "evosax",
                """
            algorithms.EvoTF_ES.ask algorithms.Open_ES.ask
""",
            ),
            _use(0, "key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "evosax",
                """
            algorithms.ASEBO.ask algorithms.CMAAnchoredLES.ask algorithms.CR_FM_NES.ask algorithms.CR_FM_NES.init
            algorithms.DifferentialEvolution.ask algorithms.DiffusionEvolution.ask
            algorithms.DiffusionEvolution.init algorithms.DiscoveredES.ask algorithms.ESMC.ask
            algorithms.GESMR_GA.ask algorithms.GESMR_GA.tell algorithms.GradientlessDescent.ask
            algorithms.GuidedES.ask algorithms.HillClimbing.ask algorithms.LM_MA_ES.ask algorithms.LearnedES.ask
            algorithms.LearnedGA.ask algorithms.MR15_GA.ask algorithms.NoiseReuseES.ask algorithms.PersistentES.ask
            algorithms.RandomSearch.ask algorithms.Rm_ES.ask algorithms.SAMR_GA.ask algorithms.SV_CMA_ES.ask
            algorithms.SV_CMA_ES.init algorithms.SV_CMA_ES.tell algorithms.SV_Open_ES.ask algorithms.SV_Open_ES.init
            algorithms.SV_Open_ES.tell algorithms.SimulatedAnnealing.tell
            algorithms.distribution_based.sv.base.SV_ES.ask algorithms.distribution_based.sv.base.SV_ES.init
            algorithms.distribution_based.sv.base.SV_ES.tell algorithms.iAMaLGaM_Full.anticipated_mean_shift
            algorithms.iAMaLGaM_Full.ask algorithms.iAMaLGaM_Univariate.anticipated_mean_shift
            algorithms.iAMaLGaM_Univariate.ask core.restart.BIPOPRestart.restart
            learned_evolution.lga_tools.SelectionAttention.__call__
""",
            ),
            _use(0, "key", sure=True),
        ),
    },
    key_uses={
        **dict.fromkeys(
            names(
                "evosax",
                """
            algorithms.population_based.diffusion_evolution.ddim_step algorithms.population_based.mr15_ga.mutation
            algorithms.population_based.simple_ga.crossover
            learned_evolution.cma_anchored_les_tools.initialize_meta_parameters
""",
            ),
            _use(0, "key", sure=True),
        )
    },
    never_keys=names(
        "evosax",
        """
            algorithms.ARS.init algorithms.ARS.tell algorithms.ASEBO.init algorithms.ASEBO.tell
            algorithms.CMAAnchoredLES.init algorithms.CMAAnchoredLES.tell algorithms.CMA_ES.init
            algorithms.CMA_ES.tell algorithms.CR_FM_NES.tell algorithms.DifferentialEvolution.init
            algorithms.DifferentialEvolution.tell algorithms.DiffusionEvolution.tell algorithms.DiscoveredES.init
            algorithms.DiscoveredES.tell algorithms.ESMC.init algorithms.ESMC.tell algorithms.EvoTF_ES.init
            algorithms.EvoTF_ES.tell algorithms.GESMR_GA.init algorithms.GradientlessDescent.init
            algorithms.GradientlessDescent.tell algorithms.GuidedES.init algorithms.GuidedES.tell
            algorithms.HillClimbing.init algorithms.HillClimbing.tell algorithms.LM_MA_ES.init
            algorithms.LM_MA_ES.tell algorithms.LearnedES.init algorithms.LearnedES.tell algorithms.LearnedGA.init
            algorithms.MA_ES.init algorithms.MA_ES.tell algorithms.MR15_GA.init algorithms.MR15_GA.tell
            algorithms.NoiseReuseES.init algorithms.NoiseReuseES.tell algorithms.Open_ES.init
            algorithms.Open_ES.tell algorithms.PGPE.init algorithms.PGPE.tell algorithms.PSO.init
            algorithms.PSO.tell algorithms.PersistentES.init algorithms.PersistentES.tell
            algorithms.RandomSearch.init algorithms.RandomSearch.tell algorithms.Rm_ES.init algorithms.Rm_ES.tell
            algorithms.SAMR_GA.init algorithms.SAMR_GA.tell algorithms.SNES.init algorithms.SNES.tell
            algorithms.Sep_CMA_ES.init algorithms.Sep_CMA_ES.tell algorithms.SimpleES.init algorithms.SimpleES.tell
            algorithms.SimpleGA.init algorithms.SimpleGA.tell algorithms.SimulatedAnnealing.init
            algorithms.base.metrics_fn algorithms.distribution_based.ars.metrics_fn algorithms.iAMaLGaM_Full.init
            algorithms.iAMaLGaM_Full.tell algorithms.iAMaLGaM_Univariate.init algorithms.iAMaLGaM_Univariate.tell
            algorithms.xNES.init algorithms.xNES.tell
""",
    ),
)

FLAX = Library(
    name="flax",
    key_uses={
        **dict.fromkeys(
            names(
                "flax",
                """
            core.nn.dropout
""",
            ),
            _use(4, "rng", sure=False),
        ),
        **dict.fromkeys(
            names(
                "flax",
                """
            linen.dot_product_attention_weights nnx.nn.attention.dot_product_attention_weights
""",
            ),
            _use(5, "dropout_rng", sure=False),
        ),
        **dict.fromkeys(
            names(
                "flax",
                """
            nnx.dot_product_attention
""",
            ),
            _use(6, "dropout_rng", sure=False),
        ),
        **dict.fromkeys(
            names(
                "flax",
                """
            core.nn.dot_product_attention
""",
            ),
            _use(8, "dropout_rng", sure=False),
        ),
    },
    never_keys=names(
        "flax",
        """
            core.FrozenDict.get core.Scope.get_flag core.Scope.has_flag core.pop
            errors.MPARestoreTargetRequiredError linen.module.TestScope.get_flag linen.module.TestScope.has_flag
            nnx.graph.RefMap.get
""",
    ),
)

NUMPYRO = Library(
    name="numpyro",
    key_methods={
        **dict.fromkeys(
            names(
                "numpyro",
                """
            distributions.AsymmetricLaplace.rsample distributions.AsymmetricLaplaceQuantile.rsample
            distributions.BernoulliLogits.rsample distributions.BernoulliProbs.rsample distributions.Beta.rsample
            distributions.BetaBinomial.rsample distributions.BetaNegativeBinomial.rsample
            distributions.BetaProportion.rsample distributions.BinomialLogits.rsample
            distributions.BinomialProbs.rsample distributions.CAR.rsample distributions.CategoricalLogits.rsample
            distributions.CategoricalProbs.rsample distributions.Cauchy.rsample distributions.Chi2.rsample
            distributions.CirculantNormal.rsample distributions.Dagum.rsample distributions.Dirichlet.rsample
            distributions.DirichletMultinomial.rsample distributions.DiscreteUniform.rsample
            distributions.DoublyTruncatedPowerLaw.rsample distributions.EulerMaruyama.rsample
            distributions.Exponential.rsample distributions.Gamma.rsample distributions.GammaPoisson.rsample
            distributions.GaussianCopula.rsample distributions.GaussianCopulaBeta.rsample
            distributions.GaussianRandomWalk.rsample distributions.GeometricLogits.rsample
            distributions.GeometricProbs.rsample distributions.Gompertz.rsample distributions.Gumbel.rsample
            distributions.HalfCauchy.rsample distributions.HalfNormal.rsample distributions.HurdleGamma.rsample
            distributions.HurdleLogNormal.rsample distributions.HurdleLogits.rsample
            distributions.HurdlePoisson.rsample distributions.HurdleProbs.rsample distributions.InverseGamma.rsample
            distributions.InverseWishart.rsample distributions.InverseWishartCholesky.rsample
            distributions.Kumaraswamy.rsample distributions.LKJ.rsample distributions.LKJCholesky.rsample
            distributions.Laplace.rsample distributions.LeftTruncatedDistribution.rsample
            distributions.LeftTruncatedGamma.rsample distributions.Levy.rsample distributions.LogNormal.rsample
            distributions.LogUniform.rsample distributions.Logistic.rsample
            distributions.LowRankMultivariateNormal.rsample distributions.LowerTruncatedPowerLaw.rsample
            distributions.MatrixNormal.rsample distributions.MixtureGeneral.rsample
            distributions.MixtureSameFamily.rsample distributions.MultinomialLogits.rsample
            distributions.MultinomialProbs.rsample distributions.MultivariateNormal.rsample
            distributions.MultivariateStudentT.rsample distributions.NegativeBinomial2.rsample
            distributions.NegativeBinomialLogits.rsample distributions.NegativeBinomialProbs.rsample
            distributions.Normal.rsample distributions.OrderedLogistic.rsample distributions.Pareto.rsample
            distributions.Poisson.rsample distributions.ProjectedNormal.rsample
            distributions.RelaxedBernoulliLogits.rsample distributions.RightTruncatedDistribution.rsample
            distributions.RightTruncatedGamma.rsample distributions.SineBivariateVonMises.rsample
            distributions.SineSkewed.rsample distributions.SoftLaplace.rsample distributions.StudentT.rsample
            distributions.TruncatedPolyaGamma.rsample distributions.TwoSidedTruncatedDistribution.rsample
            distributions.TwoSidedTruncatedGamma.rsample distributions.Uniform.rsample
            distributions.VonMises.rsample distributions.Weibull.rsample distributions.Wishart.rsample
            distributions.WishartCholesky.rsample distributions.ZeroInflatedLogits.rsample
            distributions.ZeroInflatedPoisson.rsample distributions.ZeroInflatedProbs.rsample
            distributions.ZeroSumNormal.rsample
""",
            ),
            _use(0, "key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.AIES.init infer.ESS.init infer.SA.init infer.TraceEnum_ELBO.loss
            infer.TraceMeanField_ELBO.loss_with_mutable_state infer.Trace_ELBO.loss_with_mutable_state
            infer.autoguide.AutoDAIS.sample_posterior infer.autoguide.AutoDelta.sample_posterior
            infer.autoguide.AutoSemiDAIS.sample_posterior
            infer.autoguide.AutoSurrogateLikelihoodDAIS.sample_posterior infer.ensemble.EnsembleSampler.init
""",
            ),
            _use(0, "rng_key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            distributions.AsymmetricLaplaceQuantile.sample
            distributions.AsymmetricLaplaceQuantile.sample_with_intermediates
            distributions.BetaNegativeBinomial.sample distributions.BetaNegativeBinomial.sample_with_intermediates
            distributions.CAR.sample distributions.CAR.sample_with_intermediates
            distributions.CirculantNormal.sample distributions.CirculantNormal.sample_with_intermediates
            distributions.Dagum.sample distributions.Dagum.sample_with_intermediates
            distributions.DoublyTruncatedPowerLaw.sample
            distributions.DoublyTruncatedPowerLaw.sample_with_intermediates distributions.EulerMaruyama.sample
            distributions.EulerMaruyama.sample_with_intermediates distributions.GaussianCopula.sample
            distributions.GaussianCopula.sample_with_intermediates distributions.GaussianCopulaBeta.sample
            distributions.GaussianCopulaBeta.sample_with_intermediates distributions.HurdleGamma.sample
            distributions.HurdleGamma.sample_with_intermediates distributions.HurdleLogNormal.sample
            distributions.HurdleLogNormal.sample_with_intermediates distributions.HurdleLogits.sample
            distributions.HurdleLogits.sample_with_intermediates distributions.HurdlePoisson.sample
            distributions.HurdlePoisson.sample_with_intermediates distributions.HurdleProbs.sample
            distributions.HurdleProbs.sample_with_intermediates distributions.InverseWishart.sample
            distributions.InverseWishart.sample_with_intermediates distributions.InverseWishartCholesky.sample
            distributions.InverseWishartCholesky.sample_with_intermediates distributions.LeftTruncatedGamma.sample
            distributions.LeftTruncatedGamma.sample_with_intermediates distributions.Levy.sample
            distributions.Levy.sample_with_intermediates distributions.LowerTruncatedPowerLaw.sample
            distributions.LowerTruncatedPowerLaw.sample_with_intermediates
            distributions.MixtureGeneral.component_sample distributions.NegativeBinomialLogits.sample
            distributions.NegativeBinomialLogits.sample_with_intermediates
            distributions.NegativeBinomialProbs.sample distributions.NegativeBinomialProbs.sample_with_intermediates
            distributions.RightTruncatedGamma.sample distributions.RightTruncatedGamma.sample_with_intermediates
            distributions.SineSkewed.sample distributions.SineSkewed.sample_with_intermediates
            distributions.TruncatedPolyaGamma.sample distributions.TruncatedPolyaGamma.sample_with_intermediates
            distributions.TwoSidedTruncatedDistribution.sample
            distributions.TwoSidedTruncatedDistribution.sample_with_intermediates
            distributions.TwoSidedTruncatedGamma.sample
            distributions.TwoSidedTruncatedGamma.sample_with_intermediates distributions.WishartCholesky.sample
            distributions.WishartCholesky.sample_with_intermediates distributions.ZeroInflatedLogits.sample
            distributions.ZeroInflatedLogits.sample_with_intermediates distributions.ZeroInflatedProbs.sample
            distributions.ZeroInflatedProbs.sample_with_intermediates distributions.ZeroSumNormal.sample
            distributions.ZeroSumNormal.sample_with_intermediates
""",
            ),
            _use(0, "key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            contrib.einstein.ASVGD.init contrib.einstein.ASVGD.run contrib.einstein.ASVGD.setup_run
            contrib.einstein.GraphicalKernel.compute contrib.einstein.MixtureGuidePredictive.__call__
            contrib.einstein.MixtureKernel.init contrib.einstein.RandomFeatureKernel.init contrib.einstein.SVGD.init
            contrib.einstein.SVGD.run contrib.einstein.SVGD.setup_run contrib.einstein.SteinLoss.loss
            contrib.einstein.SteinLoss.particle_loss contrib.einstein.SteinVI.init contrib.einstein.SteinVI.run
            contrib.einstein.SteinVI.setup_run contrib.einstein.stein_kernels.RadialGaussNewtonKernel.compute
            contrib.stochastic_support.DCC.run contrib.stochastic_support.SDVI.run
            contrib.stochastic_support.dcc.StochasticSupportInference.run infer.BarkerMH.init
            infer.DiscreteGibbs.init infer.DiscreteHMCGibbs.init infer.Gibbs.init infer.HMCECS.init
            infer.HMCGibbs.init infer.MixedHMC.init infer.RenyiELBO.loss
            infer.autoguide.AutoLaplaceApproximation.sample_posterior
""",
            ),
            _use(0, "rng_key", sure=True),
        ),
    },
    key_uses={
        **dict.fromkeys(
            names(
                "numpyro",
                """
            distributions.util.multinomial
""",
            ),
            _use(0, "key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.initialize_model
""",
            ),
            _use(0, "rng_key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.hmc_util.parametric_draws
""",
            ),
            _use(3, "rng_key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            distributions.util.binomial distributions.util.categorical distributions.util.von_mises_centered
""",
            ),
            _use(0, "key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.calibration.vsbc_diagnostic infer.gibbs.discrete_gibbs_sweep infer.psis_diagnostic
""",
            ),
            _use(0, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.hmc.momentum_generator infer.hmc_gibbs.block_update
""",
            ),
            _use(2, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.hmc_util.consensus
""",
            ),
            _use(3, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.hmc.build_tree
""",
            ),
            _use(5, "rng_key", sure=True),
        ),
        **dict.fromkeys(
            names(
                "numpyro",
                """
            infer.hmc.find_reasonable_step_size
""",
            ),
            _use(6, "rng_key", sure=True),
        ),
    },
    never_keys=names(
        "numpyro",
        """
            contrib.einstein.IMQKernel.compute contrib.einstein.LinearKernel.compute
            contrib.einstein.ProbabilityProductKernel.compute contrib.einstein.RBFKernel.compute
            contrib.einstein.RandomFeatureKernel.compute distributions.Delta.rsample distributions.Unit.rsample
            distributions.util.is_prng_key util.is_prng_key
""",
    ),
)

OPTAX = Library(
    name="optax",
    key_methods={
        **dict.fromkeys(
            names(
                "optax",
                """
            perturbations.Gumbel.sample perturbations.Normal.sample
""",
            ),
            _use(0, "key", sure=True),
        )
    },
    key_uses={
        **dict.fromkeys(
            names(
                "optax",
                """
            power_iteration
""",
            ),
            _use(None, "key", sure=False),
        ),
        **dict.fromkeys(
            names(
                "optax",
                """
            tree.split_key_like
""",
            ),
            _use(0, "rng_key", sure=True),
        ),
    },
)

RLAX = Library(
    name="rlax",
    key_methods={
        **dict.fromkeys(
            names(
                "rlax",
                """
            clipped_entropy_softmax.sample epsilon_greedy.sample greedy.sample softmax.sample
""",
            ),
            _use(0, "key", sure=True),
        )
    },
    key_uses={
        **dict.fromkeys(
            names(
                "rlax",
                """
            sample_start_indices tree_split_key
""",
            ),
            _use(0, "rng_key", sure=True),
        )
    },
)

VERSIONS = {
    "blackjax": "1.7.1",
    "chex": "0.1.92",
    "distrax": "0.1.9",
    "equinox": "0.13.8",
    "evosax": "0.3.2",
    "flax": "0.12.8",
    "haiku": "0.0.17",
    "numpyro": "0.22.0",
    "optax": "0.2.8",
    "rlax": "0.1.9",
}

LIBRARIES: tuple[Library, ...] = (
    BLACKJAX,
    CHEX,
    EQUINOX,
    EVOSAX,
    FLAX,
    NUMPYRO,
    OPTAX,
    RLAX,
)
