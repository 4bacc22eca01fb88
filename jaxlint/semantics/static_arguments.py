"""Arguments that must be known at trace time: what a function or a method of an array raises when one is a tracer."""

from __future__ import annotations

from dataclasses import dataclass, replace

_SIZES = frozenset("shape N num slice_sizes slice_size num_classes num_segments".split())


@dataclass(frozen=True, slots=True)
class StaticArgument:
    """An argument that must be known at trace time; ``position`` is None when it is keyword only.

    ``starts_varargs``: from ``position`` on, every positional argument is one (``x.reshape(2, n)``).
    ``scalar_only``: a traced number is refused, a traced array is data (``jnp.histogram(x, bins)``).
    """

    position: int | None
    keyword: str
    error: str
    starts_varargs: bool = False
    scalar_only: bool = False

    @property
    def is_size(self) -> bool:
        """Whether it says how large something is, in whole numbers: a float is a TypeError."""
        return self.keyword in _SIZES and self.error != "TracerBoolConversionError"


_ERRORS = {
    "A": "TracerArrayConversionError",
    "B": "TracerBoolConversionError",
    "C": "ConcretizationTypeError",
    "I": "TracerIntegerConversionError",
    "T": "TypeError",
    "V": "ValueError",
}


def _static_arguments(prefix: str, table: str) -> dict[str, tuple[StaticArgument, ...]]:
    """Read lines of `function position:keyword:error ...`; position `-` is keyword only, `!` after the error letter
    says that only a scalar must be static (an array there is data)."""
    result = {}
    for line in table.strip().splitlines():
        function, *arguments = line.split()
        result[f"{prefix}.{function}"] = tuple(
            StaticArgument(
                None if position == "-" else int(position), keyword, _ERRORS[error[0]], scalar_only=error.endswith("!")
            )
            for position, keyword, error in (argument.split(":") for argument in arguments)
        )
    return result


_BISECTING = "bisect bisect_left bisect_right insort insort_left insort_right".split()

# Found by passing a tracer to every argument of every function under jit (JAX 0.10.2 and 0.12.0.1); what is not here
# accepts one, or takes no number (flags such as `unique_indices` are left out: nobody computes them).
STATIC_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = _static_arguments(
    "jax",
    """
    image.resize 1:shape:T
    lax.approx_max_k 1:k:T 2:reduction_dimension:T
    lax.approx_min_k 1:k:T 2:reduction_dimension:T
    lax.argmax 1:axis:T
    lax.argmin 1:axis:T
    lax.broadcast 1:sizes:B
    lax.broadcast_in_dim 1:shape:B 2:broadcast_dimensions:T
    lax.broadcast_to_rank 1:rank:B
    lax.broadcasted_iota 1:shape:T 2:dimension:C
    lax.collapse 1:start_dimension:I 2:stop_dimension:I
    lax.concatenate 1:dimension:T
    lax.cumlogsumexp 1:axis:C 2:reverse:B
    lax.cummax 1:axis:C 2:reverse:B
    lax.cummin 1:axis:C 2:reverse:B
    lax.cumprod 1:axis:C 2:reverse:B
    lax.cumsum 1:axis:C 2:reverse:B
    lax.dynamic_index_in_dim 2:axis:V 3:keepdims:V
    lax.dynamic_slice 2:slice_sizes:T
    lax.dynamic_slice_in_dim 2:slice_size:I 3:axis:C
    lax.dynamic_update_index_in_dim 3:axis:V
    lax.dynamic_update_slice_in_dim 3:axis:C
    lax.expand_dims 1:dimensions:T
    lax.fft 2:fft_lengths:V
    lax.full 0:shape:T
    lax.index_in_dim 1:index:I 2:axis:C 3:keepdims:B
    lax.integer_pow 1:y:T
    lax.iota 1:size:T
    lax.map -:batch_size:B
    lax.pad 2:padding_config:T
    lax.reduce_max 1:axes:T
    lax.reduce_min 1:axes:T
    lax.reduce_prod 1:axes:T
    lax.reduce_sum 1:axes:T
    lax.reshape 1:new_sizes:T
    lax.rev 1:dimensions:T
    lax.scan 3:length:C
    lax.slice 1:start_indices:T 2:limit_indices:T 3:strides:T
    lax.slice_in_dim 1:start_index:I 2:limit_index:I 3:stride:I 4:axis:I
    lax.sort 1:dimension:I 3:num_keys:B
    lax.sort_key_val 2:dimension:I
    lax.split 1:sizes:T 2:axis:I
    lax.squeeze 1:dimensions:I
    lax.stack 1:axis:I
    lax.tile 1:reps:T
    lax.top_k 1:k:B -:axis:I
    lax.transpose 1:permutation:I
    lax.unstack 1:axis:I
    nn.gelu 1:approximate:B
    nn.glu 1:axis:V
    nn.log_softmax 1:axis:V
    nn.logmeanexp 1:axis:V 3:keepdims:V
    nn.logsumexp 1:axis:T 3:keepdims:V
    nn.one_hot 1:num_classes:C -:axis:V
    nn.softmax 1:axis:C
    nn.standardize 1:axis:V
    numpy.all 1:axis:C 3:keepdims:V
    numpy.amax 1:axis:C 3:keepdims:V
    numpy.amin 1:axis:C 3:keepdims:V
    numpy.angle 1:deg:V
    numpy.any 1:axis:C 3:keepdims:V
    numpy.append 2:axis:V
    numpy.arange 0:start:C 1:stop:C 2:step:C
    numpy.argmax 1:axis:I 3:keepdims:B
    numpy.argmin 1:axis:I 3:keepdims:B
    numpy.argpartition 1:kth:V 2:axis:V
    numpy.argsort 1:axis:V
    numpy.argwhere -:size:C
    numpy.around 1:decimals:V
    numpy.array -:ndmin:B
    numpy.array_split 1:indices_or_sections:C 2:axis:C
    numpy.average 1:axis:C 4:keepdims:V
    numpy.bartlett 0:M:C
    numpy.bincount -:length:C
    numpy.blackman 0:M:C
    numpy.broadcast_to 1:shape:T
    numpy.compress -:size:B
    numpy.concat -:axis:I
    numpy.concatenate 1:axis:I
    numpy.count_nonzero 1:axis:V 2:keepdims:V
    numpy.cov 4:ddof:V
    numpy.cross 2:axisa:V 3:axisb:V 4:axisc:V 5:axis:V
    numpy.cumprod 1:axis:V
    numpy.cumsum 1:axis:V
    numpy.cumulative_prod -:axis:I
    numpy.cumulative_sum -:axis:I
    numpy.delete 2:axis:I
    numpy.diag 1:k:I
    numpy.diag_indices 0:n:C 1:ndim:C
    numpy.diagflat 1:k:T
    numpy.diagonal 1:offset:V 2:axis1:V 3:axis2:V
    numpy.diff 1:n:V 2:axis:V
    numpy.dsplit 1:indices_or_sections:C
    numpy.empty 0:shape:T
    numpy.empty_like 2:shape:T
    numpy.expand_dims 1:axis:C
    numpy.extract -:size:B
    numpy.eye 0:N:T 1:M:T
    numpy.fft.fft 1:n:I 2:axis:T
    numpy.fft.fft2 2:axes:T
    numpy.fft.fftfreq 0:n:C
    numpy.fft.fftn 1:s:I 2:axes:T
    numpy.fft.fftshift 1:axes:T
    numpy.fft.hfft 1:n:I 2:axis:I
    numpy.fft.ifft 1:n:I 2:axis:T
    numpy.fft.ifft2 2:axes:T
    numpy.fft.ifftn 1:s:I 2:axes:T
    numpy.fft.ifftshift 1:axes:T
    numpy.fft.ihfft 1:n:I 2:axis:I
    numpy.fft.irfft 1:n:I 2:axis:T
    numpy.fft.irfft2 2:axes:T
    numpy.fft.irfftn 1:s:I 2:axes:T
    numpy.fft.rfft 1:n:I 2:axis:T
    numpy.fft.rfft2 2:axes:T
    numpy.fft.rfftfreq 0:n:B
    numpy.fft.rfftn 1:s:I 2:axes:T
    numpy.flatnonzero -:size:C
    numpy.flip 1:axis:C
    numpy.full 0:shape:T
    numpy.full_like 3:shape:T
    numpy.geomspace 2:num:C 3:endpoint:V 5:axis:C
    numpy.gradient -:axis:V
    numpy.hamming 0:M:C
    numpy.hanning 0:M:C
    numpy.histogram 1:bins:C!
    numpy.histogram_bin_edges 1:bins:C!
    numpy.hsplit 1:indices_or_sections:C
    numpy.identity 0:n:T
    numpy.indices 0:dimensions:C
    numpy.insert 3:axis:C
    numpy.intersect1d -:size:V
    numpy.kaiser 0:M:C
    numpy.lexsort 1:axis:V
    numpy.linalg.cond 1:p:V
    numpy.linalg.diagonal -:offset:V
    numpy.linalg.matrix_norm -:keepdims:V
    numpy.linalg.matrix_power 1:n:V
    numpy.linalg.norm 1:ord:V 2:axis:V 3:keepdims:V
    numpy.linalg.tensordot -:axes:T
    numpy.linalg.tensorinv 1:ind:I
    numpy.linalg.tensorsolve 2:axes:I
    numpy.linalg.vecdot -:axis:I
    numpy.linalg.vector_norm -:axis:C -:keepdims:V -:ord:B
    numpy.linspace 2:num:C 3:endpoint:V 6:axis:C
    numpy.logspace 2:num:C 3:endpoint:V 6:axis:C
    numpy.mask_indices -:size:C
    numpy.max 1:axis:C 3:keepdims:V
    numpy.mean 1:axis:C 4:keepdims:V
    numpy.median 1:axis:V 4:keepdims:V
    numpy.min 1:axis:C 3:keepdims:V
    numpy.moveaxis 1:source:C 2:destination:C
    numpy.nanargmax 1:axis:I 3:keepdims:B
    numpy.nanargmin 1:axis:I 3:keepdims:B
    numpy.nancumprod 1:axis:V
    numpy.nancumsum 1:axis:V
    numpy.nanmax 1:axis:V 3:keepdims:V
    numpy.nanmean 1:axis:V 4:keepdims:V
    numpy.nanmedian 1:axis:V 4:keepdims:V
    numpy.nanmin 1:axis:V 3:keepdims:V
    numpy.nanpercentile 2:axis:V 6:keepdims:V
    numpy.nanprod 1:axis:V 4:keepdims:V
    numpy.nanquantile 2:axis:V 6:keepdims:V
    numpy.nanstd 1:axis:V 5:keepdims:V
    numpy.nansum 1:axis:V 4:keepdims:V
    numpy.nanvar 1:axis:V 5:keepdims:V
    numpy.nonzero -:size:C
    numpy.ones 0:shape:T
    numpy.ones_like 2:shape:T
    numpy.packbits 1:axis:V
    numpy.pad 1:pad_width:C
    numpy.partition 1:kth:V 2:axis:V
    numpy.percentile 2:axis:V 6:keepdims:V
    numpy.permute_dims 1:axes:I
    numpy.polyder 1:m:V
    numpy.polyfit 2:deg:V
    numpy.polyint 1:m:V
    numpy.prod 1:axis:C 4:keepdims:V
    numpy.ptp 1:axis:C 3:keepdims:V
    numpy.quantile 2:axis:V 6:keepdims:V
    numpy.repeat 2:axis:C -:total_repeat_length:B
    numpy.reshape 1:shape:T
    numpy.resize 1:new_shape:V
    numpy.roll 2:axis:C
    numpy.rollaxis 1:axis:V 2:start:V
    numpy.rot90 1:k:V 2:axes:V
    numpy.round 1:decimals:V
    numpy.setdiff1d -:size:C
    numpy.setxor1d -:size:V
    numpy.size 1:axis:I
    numpy.sort 1:axis:V
    numpy.split 1:indices_or_sections:C 2:axis:C
    numpy.squeeze 1:axis:C
    numpy.stack 1:axis:I
    numpy.std 1:axis:C 5:keepdims:V
    numpy.sum 1:axis:C 4:keepdims:V
    numpy.swapaxes 1:axis1:V 2:axis2:V
    numpy.take 2:axis:I
    numpy.take_along_axis 2:axis:V
    numpy.tensordot 2:axes:T
    numpy.tile 1:reps:T
    numpy.trace 2:axis1:V 3:axis2:V
    numpy.transpose 1:axes:I
    numpy.trapezoid 3:axis:V
    numpy.tri 0:N:T 1:M:T
    numpy.tril 1:k:V
    numpy.tril_indices 0:n:C 1:k:C 2:m:C
    numpy.tril_indices_from 1:k:C
    numpy.triu 1:k:V
    numpy.triu_indices 0:n:C 1:k:C 2:m:C
    numpy.triu_indices_from 1:k:C
    numpy.union1d -:size:C
    numpy.unique -:size:C
    numpy.unpackbits 1:axis:V
    numpy.unstack -:axis:V
    numpy.unwrap 2:axis:V
    numpy.vander 1:N:V 2:increasing:V
    numpy.var 1:axis:C 5:keepdims:V
    numpy.vecdot -:axis:I
    numpy.vsplit 1:indices_or_sections:C
    numpy.where -:size:C
    numpy.zeros 0:shape:T
    numpy.zeros_like 2:shape:T
    ops.segment_max 2:num_segments:C
    ops.segment_min 2:num_segments:C
    ops.segment_prod 2:num_segments:C
    ops.segment_sum 2:num_segments:C
    random.ball 1:d:C 3:shape:T
    random.bernoulli 2:shape:T
    random.beta 3:shape:T
    random.binomial 3:shape:T
    random.bits 1:shape:T
    random.categorical 2:axis:A 3:shape:T
    random.cauchy 1:shape:T
    random.chisquare 2:shape:T
    random.choice 1:a:C! 2:shape:B 5:axis:I
    random.dirichlet 2:shape:T
    random.double_sided_maxwell 3:shape:T
    random.exponential 1:shape:T
    random.f 3:shape:T
    random.gamma 2:shape:T
    random.generalized_normal 2:shape:T
    random.geometric 2:shape:T
    random.gumbel 1:shape:T
    random.laplace 1:shape:T
    random.loggamma 2:shape:T
    random.logistic 1:shape:T
    random.lognormal 2:shape:T
    random.maxwell 1:shape:T
    random.multinomial -:shape:T
    random.multivariate_normal 3:shape:T
    random.normal 1:shape:T
    random.orthogonal 1:n:C 2:shape:T 4:m:C
    random.pareto 2:shape:T
    random.permutation 1:x:C! 2:axis:I
    random.poisson 2:shape:T
    random.rademacher 1:shape:T
    random.randint 1:shape:T
    random.rayleigh 2:shape:T
    random.split 1:num:T
    random.t 2:shape:T
    random.triangular 4:shape:T
    random.truncated_normal 3:shape:T
    random.uniform 1:shape:T
    random.wald 2:shape:T
    random.weibull_min 3:shape:T
    scipy.fft.dct 2:n:T 3:axis:I
    scipy.fft.dctn 2:s:I 3:axes:I
    scipy.fft.idct 2:n:T 3:axis:I
    scipy.fft.idctn 2:s:I 3:axes:I
    scipy.integrate.trapezoid 3:axis:V
    scipy.linalg.convolution_matrix 1:n:V
    scipy.linalg.dft 0:n:V
    scipy.linalg.hadamard 0:n:V
    scipy.linalg.helmert 0:n:V
    scipy.linalg.hilbert 0:n:V
    scipy.linalg.invhilbert 0:n:V
    scipy.linalg.invpascal 0:n:V
    scipy.linalg.pascal 0:n:V
    scipy.special.bernoulli 0:n:C
    scipy.special.log_softmax -:axis:V
    scipy.special.logsumexp 1:axis:T 3:keepdims:V
    scipy.special.multigammaln 1:d:C
    scipy.special.softmax -:axis:C
    """,
)


# What the standard library has to know, of which CPython asks a tracer while JAX traces.
PYTHON_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = {
    **_static_arguments("bisect", "\n".join(f"{name} 0:a:B 1:x:B" for name in _BISECTING)),
    **_static_arguments(
        "itertools",
        """
        combinations 1:r:I
        combinations_with_replacement 1:r:I
        islice 1:stop:V 2:stop:V 3:step:V
        permutations 1:r:T
        product -:repeat:I
        repeat 1:times:I
        """,
    ),
    **_static_arguments("collections", "deque 1:maxlen:T"),
    **_static_arguments("decimal", "Decimal 0:value:T"),
    **_static_arguments("fractions", "Fraction 0:numerator:T 1:denominator:T"),
    **_static_arguments("datetime", "timedelta 0:days:T 1:seconds:T -:minutes:T -:hours:T"),
}


def _method_arguments(method: str) -> tuple[StaticArgument, ...]:
    """A method takes what the function of its name takes, less the array itself."""
    return tuple(
        replace(argument, position=None if argument.position is None else argument.position - 1)
        for argument in STATIC_ARGUMENTS[f"jax.numpy.{method}"]
    )


# `astype` and `view` take a dtype only; `clip`, `dot`, `conj` and the like accept tracers.
STATIC_METHOD_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = {
    "reshape": (StaticArgument(0, "shape", "TypeError", starts_varargs=True),),
    "transpose": (StaticArgument(0, "axes", "TracerIntegerConversionError", starts_varargs=True),),
} | {
    method: _method_arguments(method)
    for method in """
    all any argmax argmin argpartition argsort cumprod cumsum diagonal max mean min prod ptp repeat round sort squeeze
    std sum swapaxes take trace var
    """.split()
}
