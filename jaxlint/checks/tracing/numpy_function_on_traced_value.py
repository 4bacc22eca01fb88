"""JAX213: NumPy, math and other host libraries need concrete values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_traced, traced_since
from jaxlint.flow.domain import events
from jaxlint.semantics.host_libraries import MATH_ERRORS, MATH_TO_JNP, NUMPY_TO_JNP, SCIPY_TO_JAX


@check("JAX213", events.HostLibraryCall)
def numpy_function_on_traced_value(event: events.HostLibraryCall) -> Iterator[Report]:
    name = event.function
    if event.silent:
        message = f"`{name}` is given a tracer and silently answers False"
    else:
        usual = "ConcretizationTypeError" if name.startswith("math.") else "TracerArrayConversionError"
        error = MATH_ERRORS.get(name, usual)
        message = f"`{name}` needs the value of a tracer: {error}"
    twin = NUMPY_TO_JNP.get(name) or MATH_TO_JNP.get(name) or SCIPY_TO_JAX.get(name)
    yield Report(
        event.node,
        message,
        f"use `{twin.replace('jax.numpy', 'jnp')}`"
        if twin
        else "use `jax.pure_callback` for code that must run on the host",
        traced_since(event.value, event.context),
        event.certainty,
        repair=repair_traced("jax_function", event, event.value, function=name) if twin else None,
    )
