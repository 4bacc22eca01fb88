"""Calls of everything that has a model, with arguments of every number and kind: none breaks the analysis off."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from argument_forms import VALUES, every_call, modelled_names, programs

from jaxlint.api import lint_source


@pytest.mark.parametrize("seed", [1])
def test_no_call_of_anything_modelled_breaks_the_analysis_off(seed: int) -> None:
    broken = []
    for text in programs(seed, count=3, share=0.15):
        broken += [finding.message for finding in lint_source(text) if finding.code in ("JAX001", "JAX004")]
    assert not broken, "\n".join(broken)


def test_what_is_modelled_is_called() -> None:
    special, others, words = modelled_names()
    assert {"jax.jit", "jax.lax.scan", "jax.tree.map", "jax.random.split", "enumerate", "functools.partial"} < {
        *special
    }
    assert {"numpy.sin", "math.sqrt"} < {*others}
    assert {"append", "reshape", "items"} < {*words}
    assert len(special) > 250
    assert len(list(every_call("f", Random(0)))) >= 20


def test_the_programs_are_python() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `True(x)`, and other things that are never right
        for text in [*programs(3, count=2, share=0.05), *VALUES]:
            compile(text, "program", "exec")


ODD = {
    "enumerate of nothing": "for i in enumerate():\n        print(i)",
    "enumerate by keyword": "for i, y in enumerate(iterable=[x, x], start=1):\n        print(i, y)",
    "reversed of nothing": "print(list(reversed()))",
    "a map over no tree": "print(jax.tree.map(lambda y: x))",
    "passes that no machine word counts": "for i in range(10**30):\n        print(i)",
    "a comprehension of passes that no machine word counts": "print([x + i for i in range(10**30)])",
    "a range of too many bounds": "for i in range(1, 2, 3, 4):\n        print(i)",
    "a slice of sizes that no machine word counts": "print(jax.numpy.zeros(10**30)[::2])",
    "a slice of a size below zero": "print(jax.numpy.zeros(-3)[::2])",
    "rules that count from the end of nothing": "jax.custom_vjp(lambda *rest: rest, nondiff_argnums=(1, -1))()",
    "a map over a tree by keyword": "print(jax.tree.map(f=lambda y: y, tree=[x, x]))",
}


@pytest.mark.parametrize("statement", ODD.values(), ids=ODD)
def test_findings_beside_an_odd_call_stay(statement: str) -> None:
    text = f"import jax\n\n\n@jax.jit\ndef f(x):\n    {statement}\n    if x > 0:\n        return x\n    return -x\n"
    found = [finding.code for finding in lint_source(text)]
    assert "JAX201" in found
    assert "JAX004" not in found


def test_what_enumerate_counts_from_is_known() -> None:
    text = (
        "import jax\n\n\n@jax.jit\ndef f(x):\n    for number, y in enumerate([x, x], start=1):\n"
        "        if number == 0 and y > 0:\n            return y\n    return x\n"
    )
    reached = text.replace("== 0", "!= 0")
    assert [finding.code for finding in lint_source(reached)] == ["JAX201"]
