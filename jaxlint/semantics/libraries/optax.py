"""optax: pure gradient transformations; what ``apply_updates`` and ``update`` return is all they do."""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library, Wrapper

LOSSES = (
    "cosine_distance cosine_similarity ctc_loss convex_kl_divergence hinge_loss huber_loss kl_divergence l2_loss "
    "log_cosh sigmoid_binary_cross_entropy sigmoid_focal_loss smooth_labels softmax_cross_entropy "
    "softmax_cross_entropy_with_integer_labels squared_error"
).split()

OPTIMISERS = (
    "adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lbfgs lion nadam "
    "nadamw noisy_sgd novograd optimistic_adam optimistic_gradient_descent radam rmsprop rprop scale_by_learning_rate "
    "sgd sign_sgd sm3 yogi"
).split()
OF_CONTRIB = "acprop ademamix adopt dadapt_adamw dpsgd galore madgrad momo momo_adam muon prodigy sophia".split()

LIBRARY = Library(
    name="optax",
    aliases={
        "optax._src.update": "optax",
        "optax._src.base": "optax",
        "optax.tree.random_like": "optax.tree_utils.tree_random_like",
    },
    wrappers={
        "optax.value_and_grad_from_state": Wrapper(
            Abstracts.DIFFERENTIATED, (0, "value_fn"), stages=False, own=frozenset(("state",)), result="value_and_grad"
        ),
    },
    # The count a schedule is called with is an array of the optimizer's state, traced with the train step.
    schedules={
        **{f"optax.{name}": (0, "learning_rate") for name in OPTIMISERS},
        **{f"optax.contrib.{name}": (0, "learning_rate") for name in OF_CONTRIB},
    },
    named_tuples={
        "optax.GradientTransformation": ("init", "update"),
        "optax.GradientTransformationExtraArgs": ("init", "update"),
    },
    # A schedule among the arguments is called with the number of updates by what is made, as by the optimiser itself.
    same_functions=frozenset(("optax.inject_hyperparams", "optax.inject_stateful_hyperparams")),
    put_together=frozenset(
        f"optax.{name}" for name in ("apply_if_finite", "chain", "masked", "named_chain", "partition", "MultiSteps")
    ),
    higher_order={
        "optax.scale_by_schedule": HigherOrder(Abstracts.ALL, ((0, "step_size_fn"),), "opaque"),
        "optax.power_iteration": HigherOrder(Abstracts.ALL, ((0, "matrix"),), "opaque", repeats=True),
        "optax.perturbations.make_perturbed_fun": HigherOrder(Abstracts.MAPPED, ((0, "fun"),), "opaque", stages=False),
    },
    key_uses={
        "optax.tree_utils.tree_random_like": KeyUse(KeyEffect.DRAW, ((0, "rng_key"),), sure=True),
        "optax.add_noise": KeyUse(KeyEffect.DRAW, ((2, "key"),)),
        "optax.noisy_sgd": KeyUse(KeyEffect.DRAW, ((3, "key"),)),
    },
    array_results=frozenset({*(f"optax.{loss}" for loss in LOSSES), *(f"optax.losses.{loss}" for loss in LOSSES)})
    | {"optax.global_norm"},
    pure_results=frozenset(
        {"optax.apply_updates", "optax.incremental_update", "optax.periodic_update", "optax.safe_int32_increment"}
    ),
)
