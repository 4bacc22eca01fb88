"""Ten small programs that a worker traces first: what the oracle cannot see with the installed JAX is named.

Each program does one thing that must be observed, and a last one does nothing that may be.  A capability that fails
here is said by `missing`, so that its silence is not taken for a refutation.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.dynamic import oracle, private
from jaxlint.dynamic.observations import Kind, Origin


def _truth(x: Any) -> Any:
    return x if x[0] > 0 else -x


def _numbers(x: Any) -> Any:
    return x * float(x[0]) * sum(range(x[1].astype(int)))


def _array(x: Any) -> Any:
    return np.sin(x)


def _concrete(x: Any) -> Any:
    return jnp.arange(x[0])


def _store(x: Any) -> Any:
    x[0] = 1.0
    return x


def _nested(x: Any) -> Any:
    def body(carry: Any, item: Any) -> Any:
        return jax.jit(jax.vmap(lambda lane: lane if lane > item else carry))(x).sum(), item

    return jax.lax.scan(body, 0.0, x)


def _keys(x: Any) -> Any:
    key = jax.random.fold_in(jax.random.key(0), x[0].astype(int))
    return jax.random.normal(key) + jax.random.uniform(key)


_seen: list[Any] = []


def _state(x: Any) -> Any:
    _seen.append(None)
    return x * len(_seen)


def _leak(x: Any) -> Any:
    _seen.append(jnp.sin(x))
    return x


def _clean(x: Any) -> Any:
    y = jnp.linspace(0.0, x[0], 4).sum() if x.ndim == 1 and isinstance(x, jax.core.Tracer) else x
    return jax.jit(jax.grad(lambda v: jax.nn.softmax(v)[0] * y))(x)


_PROGRAMS: dict[str, tuple[Callable[..., Any], set[Kind]]] = {
    "truth of tracers": (_truth, {Kind.BOOL}),
    "numbers from tracers": (_numbers, {Kind.FLOAT, Kind.INDEX}),
    "arrays from tracers": (_array, {Kind.ARRAY}),
    "static values": (_concrete, {Kind.CONCRETE}),
    "item stores": (_store, {Kind.ITEM_STORE}),
    "nested transforms": (_nested, {Kind.BOOL}),
    "key reuse": (_keys, {Kind.KEY_REUSE}),
    "hidden state": (_state, {Kind.STATE}),
    "leaks": (_leak, {Kind.LEAK}),
    "silence": (_clean, set()),
}


@lru_cache(maxsize=1)
def missing() -> tuple[str, ...]:
    """The capabilities that do not work here, by name; empty if all do.  The answer is computed once a process."""
    absent = private.absent()
    return absent or tuple(name for name, (program, kinds) in _PROGRAMS.items() if not _works(program, kinds))


def _works(program: Callable[..., Any], kinds: set[Kind]) -> bool:
    try:
        traced = oracle.observe(
            program,
            [private.shaped(np.zeros(3, np.float32))],
            {},
            module=__name__,
            qualname=program.__name__,
            origin=Origin.SYNTHESISED,
            inputs="",
            sources=[__file__],
        )
    except Exception:  # a JAX whose inside looks different
        return False
    finally:
        _seen.clear()
    return {observation.kind for observation in traced.observations} - {Kind.CONSTANT_KEY} == kinds


def main(arguments: list[str]) -> None:
    """Prints what is missing, or which ``platforms`` there are, as JSON, for the process that judges."""
    print(json.dumps(private.platforms() if arguments == ["platforms"] else missing()))
