"""Flax: linen (lifted transforms, explicit rngs), nnx (mutable modules, Rngs) and the training helpers.

Facts are those of flax 0.12; a lifted linen transform counts ``self`` as argument 0 of the target.
Positions in ``key_methods`` do not count ``self``.
"""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library, Need, Wrapper

LINEN_MODULES = (
    "BatchNorm Bidirectional Conv ConvLSTMCell ConvLocal ConvTranspose Dense DenseGeneral Dropout Einsum Embed GRUCell "
    "GroupNorm InstanceNorm LSTMCell LayerNorm MGUCell Module MultiHeadAttention MultiHeadDotProductAttention "
    "OptimizedLSTMCell PReLU RMSNorm RNN RNNCellBase SelfAttention Sequential SimpleCell SpectralNorm WeightNorm"
).split()
# What calling these gives is an array, whatever they are called with.
ARRAY_LAYERS = (
    "BatchNorm Conv ConvLocal ConvTranspose Dense DenseGeneral Dropout Einsum Embed GroupNorm InstanceNorm LayerNorm "
    "MultiHeadAttention MultiHeadDotProductAttention PReLU RMSNorm SelfAttention"
).split()
NNX_ARRAY_LAYERS = (
    "BatchNorm Conv ConvTranspose Dropout Einsum Embed GroupNorm InstanceNorm LayerNorm Linear LinearGeneral LoRA "
    "LoRALinear MultiHeadAttention PReLU RMSNorm"
).split()
# Layers of nnx that are made with `rngs`, whether they draw from them or not.
NNX_METRICS = ("MultiMetric", *(f"metrics.{name}" for name in ("Average", "Accuracy", "Welford", "MultiMetric")))

NNX_KEYED_LAYERS = (
    "BatchNorm Conv ConvTranspose Einsum Embed GRUCell GroupNorm InstanceNorm LSTMCell LayerNorm Linear LinearGeneral "
    "LoRA LoRALinear MultiHeadAttention OptimizedLSTMCell RMSNorm SimpleCell SpectralNorm WeightNorm"
).split()
SIZED_CELLS = "GRUCell LSTMCell MGUCell OptimizedLSTMCell SimpleCell".split()
"""Those that take the size of their carry since flax 0.7 (flax's guide "Migrating to new RNN API")."""
LINEN_CELLS = [*SIZED_CELLS, "ConvLSTMCell", "RNNCellBase"]

# What a module does with the keys it is given; `rngs` is one key or a dict of collection name -> key.  Nothing draws
# from one itself: `Scope.make_rng` folds the module's path and a count into it.
LINEN_METHODS = {
    "init": KeyUse(KeyEffect.FOLD, ((0, "rngs"),)),
    "init_with_output": KeyUse(KeyEffect.FOLD, ((0, "rngs"),)),
    "lazy_init": KeyUse(KeyEffect.FOLD, ((0, "rngs"),)),
    "apply": KeyUse(KeyEffect.FOLD, ((None, "rngs"),)),
    "bind": KeyUse(KeyEffect.FOLD, ((None, "rngs"),)),
    "tabulate": KeyUse(KeyEffect.INSPECT, ((0, "rngs"),)),
}

SCAN = Wrapper(
    Abstracts.ALL,
    (0, "target"),
    in_axes="in_axes",
    options=("variable_axes", "variable_broadcast", "variable_carry", "split_rngs", "in_axes"),
    counts_self=True,
    carried=1,
    broadcast="flax.linen.broadcast",
    scans=True,
)
VMAP = Wrapper(
    Abstracts.MAPPED, (0, "target"), in_axes="in_axes", options=("variable_axes", "split_rngs", "in_axes"), stages=False
)

REMAT_OPTIONS = ("variables", "rngs", "concrete", "prevent_cse", "static_argnums")
REMAT = Wrapper(Abstracts.ALL, (0, "target"), static_nums="static_argnums", options=REMAT_OPTIONS, counts_self=True)

LINEN_LIFTED = {
    "flax.linen.jit": Wrapper(
        Abstracts.ALL,
        (0, "target"),
        static_nums="static_argnums",
        static_names="static_argnames",
        options=("variables", "rngs", "static_argnums", "static_argnames"),
        counts_self=True,
    ),
    "flax.linen.remat": REMAT,
    "flax.linen.checkpoint": REMAT,
    "flax.linen.scan": SCAN,
    "flax.linen.remat_scan": Wrapper(Abstracts.ALL, (0, "target"), counts_self=True),
    "flax.linen.vmap": VMAP,
    "flax.linen.partitioning.remat": Wrapper(
        Abstracts.ALL, (0, "target"), static_nums="static_argnums", options=REMAT_OPTIONS
    ),
    "flax.linen.partitioning.scan_with_axes": SCAN,
    "flax.linen.partitioning.vmap_with_axes": VMAP,
    "flax.linen.map_variables": Wrapper(Abstracts.NOTHING, (0, "target"), stages=False),
    "flax.linen.add_metadata_axis": Wrapper(Abstracts.NOTHING, (0, "target"), stages=False),
    "flax.linen.fold_rngs": Wrapper(Abstracts.NOTHING, (0, "target"), stages=False),
    "flax.linen.named_call": Wrapper(Abstracts.NOTHING, (0, "class_fn"), stages=False),
    "flax.linen.compact": Wrapper(Abstracts.NOTHING, (0, "fun"), stages=False),
    "flax.linen.nowrap": Wrapper(Abstracts.NOTHING, (0, "fun"), stages=False),
    "flax.linen.custom_vjp": Wrapper(Abstracts.NOTHING, (0, "fn"), stages=False),
}

LINEN_CONTROL = {
    "flax.linen.cond": HigherOrder(Abstracts.ALL, ((1, "true_fun"), (2, "false_fun")), "nn_cond"),
    "flax.linen.switch": HigherOrder(Abstracts.ALL, ((1, "branches"),), "nn_switch"),
    "flax.linen.while_loop": HigherOrder(Abstracts.ALL, ((0, "cond_fn"), (1, "body_fn")), "nn_while", repeats=True),
    "flax.linen.grad": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "fn"),), "operands", stages=False),
    "flax.linen.value_and_grad": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "fn"),), "operands", stages=False),
    "flax.linen.vjp": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "fn"),), "operands", stages=False),
    "flax.linen.jvp": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "fn"),), "opaque", stages=False),
    "flax.jax_utils.partial_eval_by_shape": HigherOrder(Abstracts.ALL, ((0, "fn"),), "opaque"),
    "flax.jax_utils.scan_in_dim": HigherOrder(Abstracts.ALL, ((0, "body_fn"),), "scan", repeats=True),
}

# A Module argument is split: its Variables are traced, its other attributes stay Python values.  Numbers are traced.
NNX_WRAPPERS = {
    "flax.nnx.jit": Wrapper(Abstracts.NODES, static_nums="static_argnums", static_names="static_argnames"),
    "flax.nnx.pmap": Wrapper(Abstracts.MAPPED, (0, "f"), static_nums="static_broadcasted_argnums", in_axes="in_axes"),
    "flax.nnx.shard_map": Wrapper(Abstracts.NODES, (0, "f")),
    "flax.nnx.vmap": Wrapper(Abstracts.MAPPED, (0, "f"), in_axes="in_axes", stages=False),
    "flax.nnx.scan": Wrapper(Abstracts.NODES, (0, "f"), in_axes="in_axes", scans=True, carry="flax.nnx.Carry"),
    "flax.nnx.remat": Wrapper(Abstracts.NODES, (0, "f"), static_nums="static_argnums"),
    "flax.nnx.checkify": Wrapper(Abstracts.ARRAYS, (0, "f"), result="opaque"),
    "flax.nnx.make_jaxpr": Wrapper(Abstracts.NODES, (0, "f"), static_nums="static_argnums", result="jaxpr"),
    "flax.nnx.grad": Wrapper(Abstracts.DIFFERENTIATED, (0, "f"), argnums="argnums", stages=False, result="grad"),
    "flax.nnx.value_and_grad": Wrapper(
        Abstracts.DIFFERENTIATED, (0, "f"), argnums="argnums", stages=False, result="value_and_grad"
    ),
    "flax.nnx.custom_vjp": Wrapper(Abstracts.NOTHING, static_nums="nondiff_argnums", stages=False),
    "flax.nnx.split_rngs": Wrapper(Abstracts.NOTHING, (0, "node"), stages=False),
    "flax.nnx.fork_rngs": Wrapper(Abstracts.NOTHING, (0, "node"), stages=False),
}

NNX_CONTROL = {
    "flax.nnx.cond": HigherOrder(Abstracts.NODES, ((1, "true_fun"), (2, "false_fun")), "cond"),
    "flax.nnx.switch": HigherOrder(Abstracts.NODES, ((1, "branches"),), "switch"),
    "flax.nnx.while_loop": HigherOrder(Abstracts.NODES, ((0, "cond_fun"), (1, "body_fun")), "while", repeats=True),
    "flax.nnx.fori_loop": HigherOrder(Abstracts.NODES, ((2, "body_fun"),), "fori", repeats=True),
    "flax.nnx.eval_shape": HigherOrder(Abstracts.NODES, ((0, "f"),), "operands"),
    "flax.nnx.vjp": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "f"),), "operands", stages=False),
    "flax.nnx.jvp": HigherOrder(Abstracts.DIFFERENTIATED, ((0, "f"),), "primals", stages=False),
}

KEY_METHODS = {
    **{f"flax.linen.{module}.{method}": use for module in LINEN_MODULES for method, use in LINEN_METHODS.items()},
    "flax.linen.Dropout.__call__": KeyUse(KeyEffect.DRAW, ((2, "rng"),), noise=True),
    "flax.linen.MultiHeadDotProductAttention.__call__": KeyUse(KeyEffect.DRAW, ((None, "dropout_rng"),), noise=True),
    "flax.linen.MultiHeadAttention.__call__": KeyUse(KeyEffect.DRAW, ((None, "dropout_rng"),), noise=True),
    "flax.linen.SelfAttention.__call__": KeyUse(KeyEffect.DRAW, ((None, "dropout_rng"),), noise=True),
}

# An Rngs is seeded with one key for all streams, or with a key for each stream by name.
RNGS_STREAMS = ("params", "dropout", "noise", "carry", "sample")

ARRAY_FUNCTIONS = ("avg_pool max_pool dot_product_attention combine_masks make_attention_mask make_causal_mask").split()

FREEZING = frozenset(("flax.core.freeze", "flax.core.frozen_dict.freeze"))
"""Functions that give a `FrozenDict`, whatever dict they are given."""

LIBRARY = Library(
    name="flax",
    aliases={
        "flax.linen.module": "flax.linen",
        "flax.linen.transforms": "flax.linen",
        "flax.linen.linear": "flax.linen",
        "flax.linen.stochastic": "flax.linen",
        "flax.linen.attention": "flax.linen",
        "flax.linen.recurrent": "flax.linen",
        "flax.linen.normalization": "flax.linen",
        "flax.linen.activation": "flax.linen",
        "flax.experimental.nnx": "flax.nnx",
        "flax.nnx.transforms": "flax.nnx",
        "flax.nnx.checkpoint": "flax.nnx.remat",
        "flax.nnx.bridge.Module": "flax.nnx.Module",
    },
    wrappers={**LINEN_LIFTED, **NNX_WRAPPERS},
    higher_order={**LINEN_CONTROL, **NNX_CONTROL},
    key_uses={
        "flax.nnx.Rngs": KeyUse(KeyEffect.DRAW, ((0, "default"), *((None, stream) for stream in RNGS_STREAMS))),
        "flax.linen.tabulate": KeyUse(KeyEffect.INSPECT, ((1, "rngs"),)),
        "flax.linen.dot_product_attention": KeyUse(KeyEffect.DRAW, ((None, "dropout_rng"),), noise=True),
        "flax.training.common_utils.shard_prng_key": KeyUse(KeyEffect.SPLIT, ((0, "prng_key"),), sure=True),
    },
    key_methods=KEY_METHODS,
    fresh_keys=frozenset(
        {
            *(f"flax.linen.{module}.make_rng" for module in LINEN_MODULES),
            "flax.nnx.Rngs.__call__",
            *(f"flax.nnx.Rngs.{stream}" for stream in RNGS_STREAMS),
            "flax.nnx.RngStream.__call__",
        }
    ),
    implicit_rng=frozenset(f"flax.linen.{module}.make_rng" for module in LINEN_MODULES),
    streams=frozenset({"flax.nnx.Rngs", "flax.nnx.RngStream"}),
    module_bases=frozenset(
        {*(f"flax.linen.{module}" for module in LINEN_MODULES), "flax.nnx.Module", "flax.nnx.Pytree", "flax.nnx.Object"}
    ),
    mutable_modules=frozenset(
        {
            "flax.nnx.Module",
            "flax.nnx.Pytree",
            "flax.nnx.Object",
            "flax.nnx.Variable",
            "flax.nnx.Param",
            "flax.nnx.Optimizer",
            "flax.nnx.Metric",
            "flax.nnx.MultiMetric",
        }
    ),
    variables=frozenset(
        f"flax.nnx.{name}" for name in ("BatchStat", "Cache", "Intermediate", "Param", "Perturbation", "Variable")
    ),
    changing_methods=frozenset(
        {
            "flax.nnx.Optimizer.update",
            "flax.nnx.ModelAndOptimizer.update",
            *(f"flax.nnx.{metric}.{method}" for metric in NNX_METRICS for method in ("update", "reset")),
        }
    ),
    # An nnx.Module is a pytree too, but of its Variables alone: its other attributes are never traced.
    pytree_bases=frozenset({"flax.struct.PyTreeNode", "flax.training.train_state.TrainState"}),
    record_makers={"flax.training.train_state.TrainState.create": ("step", "opt_state")},
    record_steps={"flax.training.train_state.TrainState.apply_gradients": ("step", "params", "opt_state")},
    structure_fields={"flax.training.train_state.TrainState": ("apply_fn", "tx")},
    pytree_decorators=frozenset({"flax.struct.dataclass"}),
    frozen_decorators={"flax.struct.dataclass": True},
    frozen_bases={
        "flax.struct.PyTreeNode": "record",
        "flax.training.train_state.TrainState": "record",
        **{f"flax.linen.{module}": "linen" for module in LINEN_MODULES},
    },
    static_fields={"flax.struct.field": "pytree_node=False"},
    array_results=frozenset(
        {
            *(f"flax.linen.{name}" for name in ARRAY_FUNCTIONS),
            *(f"flax.nnx.{name}" for name in ARRAY_FUNCTIONS),
            *(f"flax.linen.{layer}.__call__" for layer in ARRAY_LAYERS),
            *(f"flax.nnx.{layer}.__call__" for layer in NNX_ARRAY_LAYERS),
            "flax.training.common_utils.onehot",
            "flax.training.common_utils.stack_forest",
        }
    ),
    needs={
        **{f"flax.nnx.{layer}": (Need("rngs", of="nnx.Rngs"),) for layer in NNX_KEYED_LAYERS},
        **{f"flax.linen.{cell}": (Need("features", 0, since="0.7"),) for cell in SIZED_CELLS},
        "flax.nnx.Optimizer": (Need("wrt", 2, since="0.11"),),
        "flax.nnx.Optimizer.update": (Need("grads", 1, since="0.11"),),
        "flax.training.train_state.TrainState.create": tuple(map(Need, ("apply_fn", "params", "tx"))),
    },
    taken_apart={"flax.nnx.split": 0},
    made_whole=frozenset({"flax.nnx.merge"}),
    static_results=frozenset(
        {
            "flax.linen.merge_param",
            "flax.nnx.graphdef",
        }
    ),
    made_if={
        f"flax.linen.{module}.{method}": answer
        for module in LINEN_MODULES
        for method, answer in (("is_initializing", False), ("is_mutable_collection", False), ("has_variable", True))
    },
    pure_results=frozenset(
        {
            "flax.core.freeze",
            "flax.core.unfreeze",
            "flax.core.copy",
            "flax.jax_utils.replicate",
            "flax.jax_utils.unreplicate",
        }
    ),
    never_keys=frozenset(
        {
            "flax.jax_utils.replicate",
            "flax.jax_utils.unreplicate",
            "flax.training.checkpoints.save_checkpoint",
            "flax.training.checkpoints.save_checkpoint_multiprocess",
            "flax.training.common_utils.shard",
            "flax.serialization.to_bytes",
            "flax.serialization.to_state_dict",
            # Carries start at zero unless a cell is given another carry_init, so the key decides nothing.
            *(f"flax.linen.{cell}.initialize_carry" for cell in LINEN_CELLS),
            "flax.linen.Bidirectional.__call__",
        }
    ),
)
