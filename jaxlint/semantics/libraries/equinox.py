"""Equinox: modules are frozen pytrees, and the ``filter_*`` transforms trace array leaves only.

Positions in ``key_methods`` do not count ``self``.
"""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, Callback, HigherOrder, KeyEffect, KeyUse, Library, Need, Wrapper

# filter_grad and friends differentiate the inexact arrays of the first argument and take no argnums.
FIRST_ARGUMENT = Abstracts.DIFFERENTIATED

WRAPPERS = {
    "equinox.filter_jit": Wrapper(Abstracts.ARRAYS),
    "equinox.filter_grad": Wrapper(FIRST_ARGUMENT, stages=False, result="grad", filters=True),
    "equinox.filter_value_and_grad": Wrapper(FIRST_ARGUMENT, stages=False, result="value_and_grad", filters=True),
    "equinox.filter_jacfwd": Wrapper(
        FIRST_ARGUMENT, options=("has_aux",), stages=False, result="jacobian", filters=True
    ),
    "equinox.filter_jacrev": Wrapper(
        FIRST_ARGUMENT, options=("has_aux",), stages=False, result="jacobian", filters=True
    ),
    "equinox.filter_hessian": Wrapper(
        FIRST_ARGUMENT, options=("has_aux",), stages=False, result="jacobian", filters=True
    ),
    "equinox.filter_vmap": Wrapper(Abstracts.MAPPED, in_axes="in_axes", stages=False),
    "equinox.filter_pmap": Wrapper(Abstracts.MAPPED, in_axes="in_axes"),
    "equinox.filter_checkpoint": Wrapper(Abstracts.ARRAYS),
    "equinox.filter_make_jaxpr": Wrapper(Abstracts.ARRAYS, result="jaxpr"),
    "equinox.filter_custom_vjp": Wrapper(Abstracts.NOTHING, (0, "fn"), stages=False),
    "equinox.filter_custom_jvp": Wrapper(Abstracts.NOTHING, (0, "fn"), stages=False),
    "equinox.debug.assert_max_traces": Wrapper(Abstracts.NOTHING, (0, "fn"), stages=False),
    "equinox.nn.make_with_state": Wrapper(Abstracts.NOTHING, (0, "make_model"), stages=False, result="opaque"),
}

HIGHER_ORDER = {
    "equinox.filter_vjp": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "fun"),), "operands", stages=False, filters=True),
    "equinox.filter_jvp": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "fn"),), "primals", stages=False, filters=True),
    "equinox.filter_eval_shape": HigherOrder(Abstracts.ARRAYS, ((0, "fun"),), "operands"),
    "equinox.filter_closure_convert": HigherOrder(Abstracts.ARRAYS, ((0, "fn"),), "operands"),
    "equinox.internal.while_loop": HigherOrder(
        Abstracts.ALL, ((0, "cond_fun"), (1, "body_fun")), "while", repeats=True
    ),
    "equinox.internal.scan": HigherOrder(Abstracts.ALL, ((0, "f"),), "scan", repeats=True),
}

# Constructors that draw their weights from `key=`; an Embedding may be given its weight instead.
CONVOLUTIONS = ("Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d").split()
KEYED_LAYERS = (*CONVOLUTIONS, *"Embedding GRUCell LSTMCell Linear MLP MultiheadAttention SpectralNorm".split())
# Layers whose call draws from `key=` ...
DRAWING_LAYERS = ("Dropout", "MultiheadAttention", "Sequential")
# ... and those that take one only to fit into a Sequential.
IGNORING_LAYERS = (
    "AvgPool1d AvgPool2d AvgPool3d BatchNorm Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d Embedding GRUCell GroupNorm Identity LSTMCell Lambda LayerNorm Linear MLP MaxPool1d MaxPool2d "
    "MaxPool3d RMSNorm SpectralNorm WeightNorm"
).split()

# What calling these gives is an array, whatever they are called with.
ARRAY_LAYERS = (
    *CONVOLUTIONS,
    *"AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d AvgPool1d AvgPool2d AvgPool3d".split(),
    *"Dropout Embedding GRUCell GroupNorm Linear LayerNorm MLP MaxPool1d MaxPool2d MaxPool3d".split(),
    *"MultiheadAttention PReLU RMSNorm RotaryPositionalEmbedding".split(),
)

BY_KEYWORD = KeyUse(KeyEffect.DRAW, ((None, "key"),), sure=True)

LIBRARY = Library(
    name="equinox",
    wrappers=WRAPPERS,
    higher_order=HIGHER_ORDER,
    callbacks={"equinox.filter_pure_callback": Callback()},
    key_uses={f"equinox.nn.{layer}": BY_KEYWORD for layer in KEYED_LAYERS},
    key_methods={f"equinox.nn.{layer}.__call__": BY_KEYWORD for layer in DRAWING_LAYERS},
    module_bases=frozenset({"equinox.Module", "equinox.nn.StatefulLayer"}),
    pytree_bases=frozenset({"equinox.Module", "equinox.nn.StatefulLayer"}),
    frozen_bases={
        **{f"equinox.{name}": "equinox" for name in ("Module", "nn.StatefulLayer")},
        **{f"equinox.nn.{layer}": "equinox" for layer in {*KEYED_LAYERS, *DRAWING_LAYERS, *IGNORING_LAYERS}},
    },
    instance_checks={"equinox.Module": "__check_init__", "equinox.nn.StatefulLayer": "__check_init__"},
    taken_apart={"equinox.partition": 1},
    drawn_leaves={
        "equinox.nn.Embedding": frozenset(("weight",)),
        **{f"equinox.nn.{layer}": frozenset(("weight", "bias")) for layer in ("Linear", *CONVOLUTIONS)},
    },
    held_leaves={"equinox.nn.Sequential": (0, "layers"), "equinox.nn.Lambda": (0, "fn")},
    function_leaves={
        "equinox.nn.MLP": "final_activation",
        **{f"equinox.nn.{kind}Pool{rank}d": "" for kind in ("Avg", "Max") for rank in (1, 2, 3)},
        **{f"equinox.nn.Adaptive{kind}Pool{rank}d": "" for kind in ("Avg", "Max") for rank in (1, 2, 3)},
    },
    needs={f"equinox.nn.{layer}": (Need("key"),) for layer in KEYED_LAYERS if layer != "Embedding"},
    made_whole=frozenset({"equinox.combine"}),
    array_results=frozenset(f"equinox.nn.{layer}.__call__" for layer in ARRAY_LAYERS),
    static_fields={"equinox.field": "static=True", "equinox.static_field": ""},
    static_results=frozenset(
        {
            "equinox.is_array",
            "equinox.is_array_like",
            "equinox.is_inexact_array",
            "equinox.is_inexact_array_like",
            "equinox.tree_check",
            "equinox.tree_pformat",
        }
    ),
    pure_results=frozenset(
        {
            "equinox.apply_updates",
            "equinox.tree_at",
            "equinox.combine",
            "equinox.filter",
            "equinox.partition",
            "equinox.tree_inference",
            "equinox.nn.inference_mode",
            "equinox.error_if",
            "equinox.branched_error_if",
        }
    ),
    never_keys=frozenset(
        {
            *(f"equinox.nn.{layer}.__call__" for layer in IGNORING_LAYERS),
            "equinox.filter_shard",
            "equinox.is_array",
            "equinox.tree_pformat",
            "equinox.tree_pprint",
            "equinox.tree_serialise_leaves",
        }
    ),
)
