"""What the `update` of optimisers of optax takes beside gradients and state, by the name of what makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxlint.semantics import libraries

WITHOUT_PARAMETERS = (
    "adabelief adagrad adam adamax amsgrad noisy_sgd optimistic_adam optimistic_adam_v2 optimistic_gradient_descent "
    "radam rmsprop rprop sgd sign_sgd sm3 yogi nadam "
    "clip clip_by_block_rms clip_by_global_norm scale scale_by_adam scale_by_learning_rate scale_by_lion scale_by_rms "
    "scale_by_schedule scale_by_sign trace ema identity set_to_zero zero_nans centralize add_noise apply_every"
).split()
"""Optimisers that need no parameters, all of them with their default options."""

WITH_PARAMETERS = (
    "adadelta adafactor adamaxw adamw adan fromage lamb lars lion nadamw novograd "
    "adaptive_grad_clip add_decayed_weights keep_params_nonnegative scale_by_param_block_norm scale_by_param_block_rms "
    "scale_by_trust_ratio"
).split()
"""Optimisers whose updates depend on the parameters, whatever their options are."""

KEEPING = frozenset(
    f"optax.{name}"
    for name in "adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad lamb lbfgs lion nadam "
    "nadamw novograd radam rmsprop rprop yogi MultiSteps".split()
)
"""Optimisers whose updates depend on the gradients of before, whatever their options are."""

_SEARCHING = ("value", "grad", "value_fn")
_ASKING: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("scale_by_zoom_linesearch", "scale_by_backtracking_linesearch"), ("params", *_SEARCHING)),
    **dict.fromkeys(("polyak_sgd", "scale_by_polyak"), ("params", "value")),
    "contrib.reduce_on_plateau": ("value",),
}

NEEDED: Mapping[str, Sequence[str]] = {
    **{f"optax.{name}": () for name in WITHOUT_PARAMETERS},
    **{f"optax.{name}": ("params",) for name in WITH_PARAMETERS},
    **{f"optax.{name}": needed for name, needed in _ASKING.items()},
    "optax.lbfgs": ("params",),
}
"""What `update` must be given, by name.  Beside it anything may be."""

SEARCHED_BY_DEFAULT: Mapping[str, tuple[int, str, Sequence[str]]] = {"optax.lbfgs": (3, "linesearch", _SEARCHING)}
"""Optimisers that have another one inside unless an option, by position and name, says so, and what that needs."""

OF_OTHERS = frozenset(
    f"optax.{name}"
    for name in "chain named_chain apply_if_finite flatten masked partition multi_transform with_extra_args_support "
    "conditionally_mask conditionally_transform maybe_update MultiSteps".split()
)
"""What makes optimisers of others, which it is given, in a tuple, list or dict perhaps, and all of which it runs."""

MAKING = frozenset(libraries.SCHEDULES) | libraries.PUT_TOGETHER | OF_OTHERS | frozenset(NEEDED)
"""What makes optimisers."""
