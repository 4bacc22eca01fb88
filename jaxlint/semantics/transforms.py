"""Which JAX functions trace a callable, and what each does to that callable's arguments.

Source: sharp-bits tables 3.1 to 3.3, each row run on JAX 0.10.2 and 0.12.0.1.  ``tests/semantics`` holds the table
against the installed jax: a public callable that takes a function is here or in ``LEFT_OUT``.
"""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, Callback, HigherOrder, Wrapper

_JIT = Wrapper(Abstracts.ALL, static_nums="static_argnums", static_names="static_argnames")
_PJIT = Wrapper(
    Abstracts.ALL,
    static_nums="static_argnums",
    static_names="static_argnames",
    options=("in_shardings", "out_shardings", "static_argnums", "static_argnames"),
)
_OF_GRAD = ("argnums", "has_aux", "holomorphic", "allow_int")
_OF_JACOBIAN = _OF_GRAD[:3]
_GRAD = Wrapper(Abstracts.DIFFERENTIATED, argnums="argnums", options=_OF_GRAD, stages=False, result="grad")
_JACOBIAN = Wrapper(Abstracts.DIFFERENTIATED, argnums="argnums", options=_OF_JACOBIAN, stages=False, result="jacobian")
_CHECKPOINT = Wrapper(Abstracts.ALL, static_nums="static_argnums", static_names="static_argnames")
_SHARD_MAP = Wrapper(Abstracts.ALL, function=(0, "f"), in_axes="in_specs", shards=True)
_OLD_SHARD_MAP = Wrapper(
    Abstracts.ALL, function=(0, "f"), in_axes="in_specs", options=("mesh", "in_specs", "out_specs"), shards=True
)
_PMAP = Wrapper(Abstracts.MAPPED, in_axes="in_axes", static_nums="static_broadcasted_argnums", options=("axis_name",))
_VMAP = Wrapper(Abstracts.MAPPED, in_axes="in_axes", options=("in_axes", "out_axes", "axis_name"), stages=False)
_UNTRACED = Wrapper(Abstracts.NOTHING, stages=False)
_CUSTOM = Wrapper(Abstracts.NOTHING, options=("nondiff_argnums",), stages=False)

WRAPPERS: dict[str, Wrapper] = {
    "jax.jit": _JIT,
    "jax.experimental.pjit.pjit": _PJIT,
    "jax.pmap": _PMAP,
    "jax.vmap": _VMAP,
    "jax.shard_map": _SHARD_MAP,
    "jax.experimental.shard_map.shard_map": _OLD_SHARD_MAP,
    "jax.smap": Wrapper(Abstracts.ALL, function=(0, "f"), shards=True),
    "jax.grad": _GRAD,
    "jax.value_and_grad": Wrapper(
        Abstracts.DIFFERENTIATED, argnums="argnums", options=_OF_GRAD, stages=False, result="value_and_grad"
    ),
    "jax.fwd_and_bwd": Wrapper(Abstracts.ALL, argnums="argnums", options=("argnums", "has_aux"), result="opaque"),
    "jax.jacfwd": _JACOBIAN,
    "jax.jacrev": _JACOBIAN,
    "jax.jacobian": _JACOBIAN,
    "jax.hessian": _JACOBIAN,
    "jax.checkpoint": _CHECKPOINT,
    "jax.remat": Wrapper(Abstracts.ALL, static_nums="static_argnums"),
    "jax.ad_checkpoint.checkpoint": _CHECKPOINT,
    "jax.custom_jvp": _CUSTOM,
    "jax.custom_vjp": _CUSTOM,
    "jax.custom_gradient": Wrapper(Abstracts.NOTHING, stages=False, result="first"),
    "jax.custom_batching.custom_vmap": Wrapper(Abstracts.ALL),
    "jax.custom_batching.sequential_vmap": Wrapper(Abstracts.ALL, function=(0, "f")),
    "jax.named_call": _UNTRACED,
    "jax.profiler.annotate_function": Wrapper(Abstracts.NOTHING, function=(0, "func"), stages=False),
    "jax.make_jaxpr": Wrapper(Abstracts.ALL, static_nums="static_argnums", options=("static_argnums",), result="jaxpr"),
    # What it is given is compiled, and knows itself what is static.
    "jax.export.export": Wrapper(Abstracts.NOTHING, function=(0, "fun_jit"), stages=False, result="opaque"),
    "jax.numpy.vectorize": Wrapper(Abstracts.MAPPED, function=(0, "pyfunc"), stages=False),
    "jax.numpy.frompyfunc": Wrapper(Abstracts.MAPPED, function=(0, "func"), stages=False),
    # It closes over the arguments, which stay what they are; what is computed with them is traced.
    "jax.experimental.checkify.checkify": Wrapper(Abstracts.NOTHING, function=(0, "f"), result="opaque"),
    "jax.experimental.sparse.sparsify": Wrapper(Abstracts.ALL, function=(0, "f")),
    "jax.experimental.custom_partitioning.custom_partitioning": Wrapper(
        Abstracts.ALL, static_nums="static_argnums", options=("static_argnums",)
    ),
    "jax.experimental.pallas.pallas_call": Wrapper(Abstracts.ALL, function=(0, "kernel"), result="pallas"),
    "jax.lax.composite": Wrapper(Abstracts.ALL, function=(0, "decomposition")),
}

_A = Abstracts.ALL
_D = Abstracts.DIFFERENTIATED
HIGHER_ORDER: dict[str, HigherOrder] = {
    "jax.lax.scan": HigherOrder(_A, ((0, "f"),), "scan", repeats=True),
    "jax.lax.cond": HigherOrder(_A, ((1, "true_fun"), (2, "false_fun")), "cond"),
    "jax.lax.switch": HigherOrder(_A, ((1, "branches"),), "switch"),
    "jax.lax.while_loop": HigherOrder(_A, ((0, "cond_fun"), (1, "body_fun")), "while", repeats=True),
    "jax.lax.fori_loop": HigherOrder(_A, ((2, "body_fun"),), "fori", repeats=True),
    "jax.lax.map": HigherOrder(_A, ((0, "f"),), "map", repeats=True),
    "jax.lax.associative_scan": HigherOrder(Abstracts.NOTHING, ((0, "fn"),), "reduce", stages=False),
    "jax.lax.reduce": HigherOrder(_A, ((2, "computation"),), "reduce"),
    "jax.lax.reduce_window": HigherOrder(_A, ((2, "computation"),), "reduce"),
    "jax.lax.custom_root": HigherOrder(_A, ((0, "f"), (2, "solve"), (3, "tangent_solve")), "opaque"),
    "jax.lax.custom_linear_solve": HigherOrder(_A, ((0, "matvec"), (2, "solve"), (3, "transpose_solve")), "opaque"),
    "jax.lax.platform_dependent": HigherOrder(Abstracts.NOTHING, ((0, "default"),), "platform", stages=False),
    "jax.scipy.optimize.minimize": HigherOrder(_A, ((0, "fun"),), "opaque", repeats=True),
    "jax.scipy.sparse.linalg.cg": HigherOrder(_A, ((0, "A"),), "opaque", repeats=True),
    "jax.scipy.sparse.linalg.gmres": HigherOrder(_A, ((0, "A"),), "opaque", repeats=True),
    "jax.scipy.sparse.linalg.bicgstab": HigherOrder(_A, ((0, "A"),), "opaque", repeats=True),
    "jax.experimental.ode.odeint": HigherOrder(_A, ((0, "func"),), "opaque", repeats=True),
    "jax.numpy.apply_along_axis": HigherOrder(Abstracts.MAPPED, ((0, "func1d"),), "opaque", stages=False),
    "jax.numpy.fromfunction": HigherOrder(Abstracts.MAPPED, ((0, "function"),), "opaque", stages=False),
    "jax.numpy.apply_over_axes": HigherOrder(Abstracts.NOTHING, ((0, "func"),), "untraced", stages=False),
    "jax.numpy.piecewise": HigherOrder(_A, ((2, "funclist"),), "switch_opaque"),
    "jax.eval_shape": HigherOrder(_A, ((0, "fun"),), "eval_shape"),
    "jax.closure_convert": HigherOrder(_A, ((0, "fun"),), "operands"),
    "jax.linear_transpose": HigherOrder(_A, ((0, "fun"),), "operands"),
    "jax.jvp": HigherOrder(_D, ((0, "fun"),), "primals", stages=False, options=("primals", "tangents", "has_aux")),
    "jax.vjp": HigherOrder(_D, ((0, "fun"),), "operands", stages=False),
    "jax.linearize": HigherOrder(_D, ((0, "fun"),), "operands", stages=False),
    "jax.experimental.jet.jet": HigherOrder(_A, ((0, "fun"),), "primals"),
    "jax.tree.map": HigherOrder(Abstracts.NOTHING, ((0, "f"),), "leaves", stages=False),
    "jax.tree_util.tree_map": HigherOrder(Abstracts.NOTHING, ((0, "f"),), "leaves", stages=False),
    "jax.tree_map": HigherOrder(Abstracts.NOTHING, ((0, "f"),), "leaves", stages=False),
    "jax.tree.map_with_path": HigherOrder(Abstracts.NOTHING, ((0, "f"),), "leaves_with_path", stages=False),
    "jax.tree_util.tree_map_with_path": HigherOrder(Abstracts.NOTHING, ((0, "f"),), "leaves_with_path", stages=False),
}

CALLBACKS: dict[str, Callback] = {
    "jax.pure_callback": Callback(),
    "jax.experimental.io_callback": Callback(),
    "jax.debug.callback": Callback(result="none"),
    "jax.experimental.buffer_callback.buffer_callback": Callback(result="function"),
    "jax.make_array_from_callback": Callback((2, "data_callback")),
}

# Context managers that change what tracing means for the code inside.
COMPILE_TIME_EVAL = "jax.ensure_compile_time_eval"
DISABLE_JIT = "jax.disable_jit"

LEFT_OUT: dict[str, str] = {}
