"""What values are: dicts where arrays are expected, errors that code handles, checks for tracers.

Short programs with a function ``main()``, as in ``test_traced_shapes``: JAX is the judge, and jaxlint has to report the
marked lines and nothing else.
"""

from __future__ import annotations

import re
import traceback

import jax
import pytest

from jaxlint.api import lint_source
from tests.test_traced_shapes import PRELUDE, RAISING

TREES_KEPT = {
    "collective-of-a-dict": """
@partial(jax.vmap, axis_name="i")
def step(x):
    metrics = jax.lax.pmean({"loss": x, "parts": [x, x]}, axis_name="i")
    metrics["scale"] = 1.0
    metrics["parts"][0] = x
    seen = jax.lax.all_to_all({"x": jnp.ones(2) * x}, "i", 0, 0)
    seen["own"] = x
    return metrics, seen

def main():
    return step(jnp.ones(2))
""",
    "collective-of-an-argument": """
@partial(jax.pmap, axis_name="i")
def step(metrics):
    metrics = jax.lax.psum(metrics, "i")
    metrics["scale"] = 1.0
    return sorted(metrics), max(metrics), metrics

def main():
    try:
        step({"loss": jnp.ones(1)})
    except TypeError:
        pass  # strings are no results
""",
    "collective-of-an-array": """
@partial(jax.vmap, axis_name="i")
def step(x):
    rows = jax.lax.all_gather(x, "i")
    rows[0] = 1.0  # JAX301
    return rows

def main():
    return step(jnp.ones(2))
""",
    "items-of-a-collective": """
@partial(jax.pmap, axis_name="i")
def step(x):
    metrics = jax.lax.pmean({"loss": x}, "i")
    if metrics["loss"] > 0:  # JAX201
        return metrics
    return x

def main():
    return step(jnp.ones(1))
""",
    "decision-on-a-collective-of-an-argument": """
@partial(jax.pmap, axis_name="i")
def step(loss):
    loss = jax.lax.pmean(loss, "i")
    return loss if loss > 0 else -loss  # JAX201

def main():
    return step(jnp.ones(1))
""",
    "barrier-placement-and-gradient-stop": """
@jax.jit
def step(x):
    state = jax.lax.optimization_barrier({"x": x})
    state["y"] = x
    state = jax.lax.stop_gradient(state)
    state["z"] = x
    state = jax.device_put({"x": x, "all": state})
    state["w"] = x
    return state

def main():
    state = jax.block_until_ready(step(1.0))
    state["v"] = 1.0
    state = jax.block_until_ready({"a": jnp.ones(2)})
    state["b"] = 1.0
    return state
""",
    "the-dict-that-was-given-stays": """
@jax.jit
def step(x):
    given = {"x": x}
    held = jax.lax.stop_gradient(given)
    held["flag"] = True
    given["flag"] = x
    return x if held["flag"] else -x

def main():
    return step(1.0)
""",
    "device-put-of-a-numpy-array": """
def main():
    x = jax.device_put(np.zeros(3))
    x[0] = 1.0  # JAX301
    return x
""",
}

HANDLED = {
    "another-error": """
def size(x):
    return int(x[0])  # JAX211

@jax.jit
def f(x):
    try:
        return x[: size(x)]
    except ValueError:
        return x

def main():
    return f(jnp.ones(3))
""",
    "its-superclass": """
@jax.jit
def f(x):
    try:
        n = int(x[0])
    except TypeError:
        n = 1
    return x + n

def main():
    return f(jnp.ones(3))
""",
    "one-of-several": """
ERRORS = (KeyError, jax.errors.ConcretizationTypeError)

@jax.jit
def f(x):
    try:
        n = 1 if x[0] else 2
    except ERRORS:
        n = 1
    return x + n

def main():
    return f(jnp.ones(3))
""",
    "in-a-caller": """
def size(x):
    return int(x.sum())

def middle(x):
    return size(x) + 1

@jax.jit
def f(x):
    try:
        n = middle(x)
    except Exception:
        n = 1
    return x + n

def main():
    return f(jnp.ones(3))
""",
    "raised-again": """
STATS = {}

def size(x):
    return int(x[0])  # JAX211

@jax.jit
def f(x):
    try:
        n = size(x)
    except TypeError:
        STATS["failed"] = 1
        raise
    return x + n

def main():
    return f(jnp.ones(3))
""",
    "suppressed": """
from contextlib import suppress

@jax.jit
def f(x):
    with suppress(TypeError):
        return x[: int(x[0])]
    return x

def main():
    return f(jnp.ones(3))
""",
    "another-error-suppressed": """
from contextlib import suppress

@jax.jit
def f(x):
    with suppress(KeyError, ValueError):
        return x[: int(x[0])]  # JAX211
    return x

def main():
    return f(jnp.ones(3))
""",
    "a-mask-that-is-an-index": """
@jax.jit
def f(x):
    try:
        return x[x > 0].sum()
    except IndexError:
        return x.sum()

def main():
    return f(jnp.ones(3))
""",
}

TRACER_CHECKS = {
    "result-of-unknown-code": """
def valid(make, x):
    ok = make(x)
    if not isinstance(ok, jax.core.Tracer):
        if jax.device_get(~jnp.all(ok)):
            raise ValueError
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)
""",
    "early-return": """
def valid(make, x):
    ok = make(x)
    if isinstance(ok, jax.core.Tracer):
        return x
    if jnp.all(ok):
        return -x
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)
""",
    "helper-that-asks-about-several": """
def is_traced(*xs):
    return any(isinstance(x, jax.core.Tracer) for x in xs)

def check(ok):
    assert jnp.all(ok)

def valid(make, x):
    ok = make(x)
    concrete = not is_traced(ok, x) and ok is not None
    if concrete:
        check(ok)
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)
""",
    "leaves-of-a-tree": """
def valid(make, x):
    out = make(x)
    if all(not isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(out)):
        print(jnp.mean(out["y"]))
    return x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: {"y": x}, 1.0)
""",
    "the-other-side": """
def valid(make, x):
    ok = make(x)
    if isinstance(ok, jax.core.Tracer):
        if jnp.all(ok):  # JAX201
            return x
    return -x

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)
""",
    "after-the-check": """
def valid(make, x):
    ok = make(x)
    if not isinstance(ok, jax.core.Tracer):
        assert jnp.all(ok)
    return x if x > 0 else -x  # JAX201

def main():
    return jax.jit(valid, static_argnums=0)(lambda x: x > 0, 1.0)
""",
}

PROGRAMS = {
    f"{group}/{name}": PRELUDE + source
    for group, programs in {"trees": TREES_KEPT, "handled": HANDLED, "checks": TRACER_CHECKS}.items()
    for name, source in programs.items()
}

each_program = pytest.mark.parametrize("name", PROGRAMS)


def expected(name: str) -> set[tuple[int, str]]:
    lines = enumerate(PROGRAMS[name].splitlines(), 1)
    return {(number, mark[1]) for number, line in lines if (mark := re.search(r"# (JAX\d+)$", line))}


@each_program
def test_jax_agrees_with_the_marks(name: str) -> None:
    namespace: dict[str, object] = {"__name__": "program"}
    exec(compile(PROGRAMS[name], "program.py", "exec"), namespace)
    main = namespace["main"]
    assert callable(main)
    marks = {(line, code) for line, code in expected(name) if code in RAISING}
    if not marks:
        jax.block_until_ready(main())
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which exception it is the cards say
        main()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.lineno for frame in frames if frame.filename == "program.py"][-1] in {line for line, _ in marks}


@each_program
def test_jaxlint_reports_exactly_the_marked_lines(name: str) -> None:
    assert {(finding.location.line, finding.code) for finding in lint_source(PROGRAMS[name])} == expected(name)
