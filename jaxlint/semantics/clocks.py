"""What looks at the clock, what JAX only begins when it is called, and what waits for the results."""

from __future__ import annotations

from jaxlint.semantics.model import names

CLOCKS: frozenset[str] = names("time", "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns") | frozenset(
    ("timeit.default_timer", "datetime.datetime.now", "datetime.datetime.utcnow")
)

WAITING: frozenset[str] = names("jax", "block_until_ready device_get effects_barrier") | names(
    "jax.experimental.multihost_utils", "sync_global_devices process_allgather broadcast_one_to_all assert_equal"
)

WAITING_FOR_OTHERS: dict[str, str] = {
    "threading.Event": "wait",
    "threading.Thread": "join",
}
"""Objects by the method that ends when another thread has done something, which may be to wait for results."""

COMPUTING: frozenset[str] = (
    names(
        "jax.numpy",
        """
        dot matmul vdot inner outer tensordot einsum convolve correlate sort argsort lexsort cov corrcoef interp vecdot
        matvec vecmat kron
        """,
    )
    | names(
        "jax.numpy.linalg",
        """
        cholesky cond det eig eigh eigvals eigvalsh inv lstsq matmul matrix_power matrix_rank multi_dot pinv qr slogdet
        solve svd svdvals tensorsolve tensorinv
        """,
    )
    | names("jax.numpy.fft", "fft fft2 fftn ifft ifft2 ifftn rfft rfft2 rfftn irfft irfft2 irfftn")
    | names(
        "jax.scipy.linalg",
        """
        cholesky cho_factor cho_solve det eigh expm inv lu lu_factor lu_solve qr schur solve solve_triangular sqrtm svd
        """,
    )
    | names("jax.scipy.signal", "convolve convolve2d correlate correlate2d fftconvolve")
    | names(
        "jax.lax",
        """
        dot dot_general batch_matmul conv conv_general_dilated conv_transpose conv_with_general_padding sort
        reduce_window scan while_loop fori_loop map associative_scan
        """,
    )
)
"""Work that is worth timing."""

COMPUTING_LIGHTLY: frozenset[str] = names(
    "jax.numpy",
    """
    abs add all any arccos arcsin arctan arctan2 average clip concatenate cos cosh cross cumprod cumsum diff divide exp
    expm1 exp2 floor log log1p log2 log10 logaddexp max maximum mean median min minimum multiply power prod quantile sin
    sinh sqrt square stack std subtract sum tan tanh tile trace var where
    """,
) | names("jax.nn", "gelu log_softmax relu sigmoid silu softmax softplus swish logsumexp")
"""Work that may be as quick as to call it."""

_LIBRARIES = frozenset(
    "jax jaxlib flax haiku optax chex equinox distrax numpyro rlax jraph jaxopt optimistix diffrax lineax blackjax "
    "gymnax brax evosax objax tensorflow_probability jaxtyping".split()
)


def computes_with_jax(name: str) -> bool:
    """Whether a qualified name is one of JAX or of a library that computes with it: it hands arrays on."""
    return name.partition(".")[0] in _LIBRARIES
