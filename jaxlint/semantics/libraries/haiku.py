"""dm-haiku: functions become pure through ``hk.transform``; keys come from an ambient stream.

``hk.transform`` traces nothing, so it is no wrapper here.  What it returns is known under two names: the
call's (``haiku.transform``) and the class's (``haiku.Transformed``).
"""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library, Wrapper

WRAPPERS = {
    "haiku.transparent": Wrapper(Abstracts.NOTHING, (0, "method"), stages=False),
    "haiku.remat": Wrapper(Abstracts.ALL, static_nums="static_argnums"),
    "haiku.experimental.eval_summary": Wrapper(Abstracts.ALL, (0, "f"), result="opaque"),
    "haiku.experimental.jaxpr_info.make_model_info": Wrapper(Abstracts.ALL, (0, "f"), result="opaque"),
    "haiku.experimental.tabulate": Wrapper(Abstracts.ALL, (0, "f"), result="opaque"),
    "haiku.vmap": Wrapper(Abstracts.MAPPED, in_axes="in_axes", options=("in_axes",), stages=False),
    "haiku.grad": Wrapper(
        Abstracts.DIFFERENTIATED, argnums="argnums", options=("argnums", "has_aux"), stages=False, result="grad"
    ),
    "haiku.value_and_grad": Wrapper(
        Abstracts.DIFFERENTIATED,
        argnums="argnums",
        options=("argnums", "has_aux"),
        stages=False,
        result="value_and_grad",
    ),
}

OF_STATE = frozenset(("haiku.get_state", "haiku.set_state"))
STATEFUL = frozenset(
    f"haiku.{name}"
    for name in (
        *"BatchNorm ExponentialMovingAverage SpectralNorm nets.MobileNetV1 nets.ResNet".split(),
        *(f"nets.ResNet{depth}" for depth in (18, 34, 50, 101, 152, 200)),
        "nets.VectorQuantizerEMA",
    )
)
"""Modules that keep state whenever they are called, as they are made by default."""

HIGHER_ORDER = {
    "haiku.scan": HigherOrder(Abstracts.ALL, ((0, "f"),), "scan", repeats=True),
    "haiku.cond": HigherOrder(Abstracts.ALL, ((1, "true_fun"), (2, "false_fun")), "cond"),
    "haiku.switch": HigherOrder(Abstracts.ALL, ((1, "branches"),), "switch"),
    "haiku.while_loop": HigherOrder(Abstracts.ALL, ((0, "cond_fun"), (1, "body_fun")), "while", repeats=True),
    "haiku.fori_loop": HigherOrder(Abstracts.ALL, ((2, "body_fun"),), "fori", repeats=True),
    "haiku.map": HigherOrder(Abstracts.ALL, ((0, "f"),), "map", repeats=True),
    "haiku.eval_shape": HigherOrder(Abstracts.ALL, ((0, "fun"),), "operands"),
    "haiku.experimental.fast_eval_shape": HigherOrder(Abstracts.ALL, ((0, "fun"),), "operands"),
    "haiku.dynamic_unroll": HigherOrder(Abstracts.ALL, ((0, "core"),), "opaque", repeats=True),
}

# `apply` is not among them: whether it draws from its key is up to the function, and many do not.
INIT = KeyUse(KeyEffect.DRAW, ((0, "rng"),))

KEY_METHODS = {
    f"haiku.{owner}.init": INIT
    for owner in (
        "transform",
        "Transformed",
        "transform_with_state",
        "TransformedWithState",
        "multi_transform",
        "MultiTransformed",
        "multi_transform_with_state",
        "MultiTransformedWithState",
        "without_apply_rng",
    )
}

# What calling these gives is an array, whatever they are called with.
ARRAY_LAYERS = (
    *"AvgPool BatchNorm Bias Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose ConvND".split(),
    *"DepthwiseConv2D Embed Flatten GroupNorm InstanceNorm LayerNorm Linear MaxPool MultiHeadAttention".split(),
    *"RMSNorm Reshape SeparableDepthwiseConv2D".split(),
)

AMBIENT_KEYS = frozenset({"haiku.next_rng_key", "haiku.next_rng_keys", "haiku.maybe_next_rng_key"})

LIBRARY = Library(
    name="haiku",
    aliases={
        "haiku.checkpoint": "haiku.remat",
        "haiku.experimental.layer_stack": "haiku.layer_stack",
        "haiku.experimental.transparent_lift": "haiku.transparent_lift",
        "haiku._src.base": "haiku",
        "haiku._src.module": "haiku",
        "haiku._src.stateful": "haiku",
        "haiku._src.transform": "haiku",
    },
    wrappers=WRAPPERS,
    higher_order=HIGHER_ORDER,
    key_uses={
        "haiku.PRNGSequence": KeyUse(KeyEffect.DRAW, ((0, "key_or_seed"),)),
        "haiku.with_rng": KeyUse(KeyEffect.DRAW, ((0, "key"),), noise=True),
        "haiku.dropout": KeyUse(KeyEffect.DRAW, ((0, "rng"),), noise=True, sure=True),
        "haiku.multinomial": KeyUse(KeyEffect.DRAW, ((0, "rng"),), noise=True, sure=True),
    },
    key_methods=KEY_METHODS,
    key_scopes=frozenset({"haiku.with_rng"}),
    fresh_keys=AMBIENT_KEYS | {"haiku.PRNGSequence.next", "haiku.PRNGSequence.__next__", "haiku.PRNGSequence.take"},
    implicit_rng=AMBIENT_KEYS,
    streams=frozenset({"haiku.PRNGSequence"}),
    module_bases=frozenset({"haiku.Module", "haiku.RNNCore"}),
    made_pure={
        "haiku.transform": ("params", "rng"),
        "haiku.transform_with_state": ("params", "state", "rng"),
    },
    array_results=frozenset(
        {
            *(f"haiku.{layer}.__call__" for layer in ARRAY_LAYERS),
            "haiku.nets.MLP.__call__",
            "haiku.get_parameter",
            "haiku.dropout",
            "haiku.avg_pool",
            "haiku.max_pool",
            "haiku.one_hot",
            "haiku.multinomial",
        }
    ),
    static_results=frozenset({"haiku.running_init", "haiku.current_name"}),
    made_if={"haiku.running_init": False},
    pure_results=frozenset({"haiku.data_structures.merge", "haiku.data_structures.filter"}),
)
