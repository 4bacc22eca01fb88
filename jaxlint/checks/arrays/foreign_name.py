"""JAX317: what NumPy or torch have and JAX does not."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.semantics.foreign import OF_OTHERS

_INSTEAD = {
    "random": "use `jax.random`, which takes a key",
    "testing": "use `numpy.testing`, which takes arrays of JAX as well",
    "numpy": "use `numpy.asarray(x)`",
    "cpu": 'use `jax.device_put(x, jax.devices("cpu")[0])`',
    "cuda": "use `jax.device_put`",
    "to": "use `x.astype(dtype)` or `jax.device_put(x, device)`",
    "detach": "use `jax.lax.stop_gradient(x)`",
    "clone": "use `x.copy()`",
    "unsqueeze": "use `jnp.expand_dims(x, axis)`, or `x[None]`",
    "permute": "use `x.transpose(axes)`",
    "numel": "use `x.size`",
    "dim": "use `x.ndim`",
    "float": "use `x.astype(jnp.float32)`",
    "long": "use `x.astype(jnp.int32)`",
    "int": "use `x.astype(jnp.int32)`",
}
_OF_MODULE = {
    **dict.fromkeys(("Inf", "Infinity", "PINF", "infty"), "use `jnp.inf`"),
    "NaN": "use `jnp.nan`",
    **dict.fromkeys(("float", "int", "complex"), "use Python's type of that name, or `jnp.float32` and its like"),
}


@check("JAX317", events.ForeignName)
def foreign_name(event: events.ForeignName) -> Iterator[Report]:
    is_module = event.owner.startswith("jax")
    owner = f"`{event.owner}`" if is_module else event.owner
    yield Report(
        event.node,
        f"{owner} has no `{event.name}`: AttributeError",
        _instead(event.name, is_module),
    )


def _instead(name: str, is_module: bool) -> str:
    if is_module and name in OF_OTHERS:
        return f"use `{OF_OTHERS[name]}`"
    known = {**_INSTEAD, **_OF_MODULE} if is_module else _INSTEAD
    return known.get(name, "NumPy or another library has it: write it with what JAX has, or convert first")


@check("JAX317", events.ForeignKeyword)
def foreign_keyword(event: events.ForeignKeyword) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` has no keyword `{event.keyword}`: TypeError",
        _KEYWORDS.get(event.keyword, "leave it out: arrays of JAX do not keep gradients"),
    )


@check("JAX317", events.ViewedBySize)
def viewed_by_size(event: events.ViewedBySize) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`view` of an array takes a dtype, and is given a size: {event.error}",
        "torch's `view` is `reshape` here: `x.reshape(sizes)`",
    )


@check("JAX317", events.AttributeCalled)
def attribute_called(event: events.AttributeCalled) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.name}` of an array is no method, and what it gives is called: TypeError",
        f"leave out the call: `x.{event.name}`; for one size, `x.shape[axis]`",
    )


@check("JAX317", events.UncallableModule)
def uncallable_module(event: events.UncallableModule) -> Iterator[Report]:
    yield Report(
        event.node,
        f"an object of `{event.name}` is called, which has `forward` and no `__call__`: TypeError",
        "torch runs `forward`; here it is `__call__` that is called",
    )


@check("JAX317", events.UnboundModule)
def unbound_module(event: events.UnboundModule) -> Iterator[Report]:
    if event.how == "called":
        raised = f"AttributeError, it has no `{event.needs}` yet" if event.needs else "CallCompactUnboundModuleError"
        message = f"a flax module, `{event.name}`, is called where nothing binds it: {raised}"
        advice = "it has no parameters of its own, as one of torch has: `model.apply(params, x)`"
    else:
        message = f"a haiku module, `{event.name}`, is made outside of what `hk.transform` runs: ValueError"
        advice = "make it in the function that is transformed: `hk.transform(lambda x: Model()(x))`"
    yield Report(event.node, message, advice, certainty=shown_outside_tests(event))


_KEYWORDS = {
    "dim": "it is called `axis`",
    "keepdim": "it is called `keepdims`",
    "size": "it is called `shape`",
    **dict.fromkeys(("low", "high"), "they are called `minval` and `maxval`"),
}
