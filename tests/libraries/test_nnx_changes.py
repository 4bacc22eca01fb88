"""What changes the variables of flax's nnx: JAX's own transforms work on copies, and no trace may change what it was
not given."""

from __future__ import annotations

from typing import Any

import flax.errors
import jax
import jax.numpy as jnp
import optax
import pytest
from flax import nnx

from jaxlint.api import lint_source
from jaxlint.settings.resolved import Settings

HEAD = """\
import jax
import jax.numpy as jnp
import optax
from flax import nnx

class Steps(nnx.Variable):
    pass

class Counter(nnx.Module):
    def __init__(self):
        self.steps = Steps(jnp.array(0))

model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
optimiser = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"))
counter = Counter()
x = jnp.ones((2, 3))

def loss(model):
    return jnp.mean(model(x) ** 2)

"""

REFUSED = {
    "an optimiser under nnx.jit": """
        @nnx.jit
        def step(model):
            grads = nnx.grad(loss)(model)
            optimiser.update(model, grads)  # here

        step(model)
        """,
    "an optimiser under jax.jit": """
        @jax.jit
        def step(model):
            grads = nnx.grad(loss)(model)
            optimiser.update(model, grads)  # here

        step(model)
        """,
    "metrics": """
        @nnx.jit
        def note(model, optimiser):
            metrics.update(loss=loss(model))  # here

        note(model, optimiser)
        """,
    "a variable of the program's own": """
        @nnx.jit
        def count():
            counter.steps[...] += 1  # here

        count()
        """,
}

LOST = """
    @jax.jit
    def step(model, optimiser):
        value, grads = nnx.value_and_grad(loss)(model)
        optimiser.update(model, grads)  # here
        return value

    step(model, optimiser)
    """

CARRIED_OUT = {
    "by nnx.jit": """
        @nnx.jit
        def step(model, optimiser, metrics):
            value, grads = nnx.value_and_grad(loss)(model)
            metrics.update(loss=value)
            optimiser.update(model, grads)

        step(model, optimiser, metrics)
        """,
    "as a result": """
        @jax.jit
        def step(model, optimiser):
            grads = nnx.grad(loss)(model)
            optimiser.update(model, grads)
            return model, optimiser

        model, optimiser = step(model, optimiser)
        """,
    "put together and taken apart": """
        @jax.jit
        def step(graph, state):
            model, optimiser = nnx.merge(graph, state)
            optimiser.update(model, nnx.grad(loss)(model))
            return nnx.state((model, optimiser))

        nnx.update((model, optimiser), step(*nnx.split((model, optimiser))))
        """,
    "of what the trace has made": """
        @jax.jit
        def trained():
            model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
            optimiser = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
            optimiser.update(model, nnx.grad(loss)(model))
            return model(x)

        trained()
        """,
}


def program(part: str) -> str:
    return HEAD + "\n".join(line[4:] if part is LOST else line[8:] for line in part.split("\n"))


def run(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "optax": optax, "nnx": nnx}
    exec(compile(text, "program.py", "exec"), names)
    return names


def found(text: str) -> list[tuple[str, int]]:
    return [(one.code, one.location.line) for one in lint_source(text, settings=Settings())]


def marked(text: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if "# here" in line)


@pytest.mark.parametrize("part", REFUSED.values(), ids=REFUSED)
def test_flax_refuses_to_change_what_a_trace_was_not_given(part: str) -> None:
    text = program(part)
    with pytest.raises(flax.errors.TraceContextError):
        run(text)
    assert found(text) == [("JAX107", marked(text))]


def test_jax_loses_what_is_changed_in_its_copy() -> None:
    text = program(LOST)
    assert run(text)["optimiser"].step[...] == 0
    assert found(text) == [("JAX106", marked(text))]


@pytest.mark.parametrize("part", CARRIED_OUT.values(), ids=CARRIED_OUT)
def test_what_is_carried_out_is_neither(part: str) -> None:
    text = program(part)
    run(text)
    assert found(text) == []
