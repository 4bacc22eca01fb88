"""What is said of side effects under a trace: which object, what happens to it, what to do, and how sure that is."""

from __future__ import annotations

import pytest

from jaxlint.api import lint_source
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Finding

PRELUDE = "import jax\nimport jax.numpy as jnp\n\n"


def only_finding(source: str, certainty: Certainty = Certainty.LIKELY) -> Finding:
    """The one finding in a program from this certainty up."""
    (found,) = lint_source(PRELUDE + source, settings=Settings(certainty=certainty))
    return found


SAID = {
    "a tracer in a list is in the list, not in its method": (
        "rows = []\n\n@jax.jit\ndef f(x):\n    rows.append(x)\n    return x\n",
        "a tracer is stored in `rows`, which outlives the trace",
        "return it and store it in `rows` outside",
    ),
    "what scan collects is its second result": (
        (
            "rows = []\n\ndef body(c, x):\n    rows.append(c + x)\n    return c + x, None\n\n"
            "def f(xs):\n    return jax.lax.scan(body, 0.0, xs)\n"
        ),
        "a tracer is stored in `rows`",
        "second result of the body",
    ),
    "what grad carries out is its auxiliary value": (
        (
            "rows = []\n\ndef loss(w):\n    rows.append(w * 2)\n    return w**2\n\n"
            "def f(w):\n    return jax.grad(loss)(w)\n"
        ),
        "a tracer is stored in `rows`",
        "`has_aux=True`",
    ),
    "a list that gets a constant grows": (
        "rows = []\n\n@jax.jit\ndef f(x):\n    rows.append('step')\n    return x\n",
        "`rows` grows once, while JAX traces",
        "add it to `rows` outside",
    ),
    "a list that is popped shrinks": (
        "rows = [1.0, 2.0]\n\n@jax.jit\ndef f(x):\n    return x + rows.pop()\n",
        "`rows` shrinks once, while JAX traces; every later call works with the item of that time",
        "pass it as an argument",
    ),
    "an item that is counted up has a name": (
        "counts = {'calls': 0}\n\n@jax.jit\ndef f(x):\n    counts['calls'] += 1\n    return x\n",
        "an item of `counts` is set once, while JAX traces",
        "store it in `counts` outside",
    ),
    "an item of an item has one, too": (
        "stats = {'f': {'calls': 0}}\n\n@jax.jit\ndef f(x):\n    stats['f']['calls'] += 1\n    return x\n",
        "an item of `stats['f']` is set once",
        "store it in `stats['f']` outside",
    ),
    "a global that is counted up": (
        "calls = 0\n\n@jax.jit\ndef f(x):\n    global calls\n    calls += 1\n    return x\n",
        "`calls` is written once, while JAX traces",
        "return the new value of `calls`",
    ),
    "a variable of the environment": (
        "import os\n\n@jax.jit\ndef f(x):\n    os.environ['STAGE'] = 'eval'\n    return x\n",
        "`os.environ` is written once, while JAX traces",
        "set `os.environ` before the call",
    ),
    "a stale global": (
        (
            "rate = 1.0\n\n@jax.jit\ndef f(x):\n    return x * rate\n\n"
            "def g(x):\n    global rate\n    y = f(x)\n    rate = 2.0\n    return y + f(x)\n"
        ),
        "`rate` is read while JAX traces and becomes a constant",
        "pass `rate` as an argument",
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_the_object_and_the_remedy_are_named(case: str) -> None:
    source, message, advice = SAID[case]
    found = only_finding(source, Certainty.POSSIBLE)
    assert message in found.message
    assert advice in (found.help or "")


MEANT = {
    "functions that are kept": "kept = []\n\n@jax.jit\ndef f(x):\n    kept.append(lambda: 0)\n    return x\n",
    "shapes that are kept": "kept = []\n\n@jax.jit\ndef f(x):\n    kept.append(x.shape)\n    return x\n",
    "a number for each name": (
        "taken = {}\n\ndef unique(name):\n    taken[name] += 1\n    return name\n\n"
        "@jax.jit\ndef f(x):\n    unique('w')\n    return x\n"
    ),
    "something nobody knows": (
        "from other import describe\n\ndef f(x):\n    note = None\n\n    @jax.jit\n    def g(x):\n"
        "        nonlocal note\n        note = describe()\n        return x\n\n    return g(x), note\n"
    ),
}


@pytest.mark.parametrize("case", MEANT)
def test_what_a_trace_may_have_been_made_for_is_only_possible(case: str) -> None:
    assert only_finding(MEANT[case], Certainty.POSSIBLE).certainty is Certainty.POSSIBLE
