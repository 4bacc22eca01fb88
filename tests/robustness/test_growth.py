"""A program twice the size takes about twice the steps, whatever its shape."""

from __future__ import annotations

import ast
import cProfile
import pstats
import sys
import textwrap
from collections.abc import Callable

import pytest
from shapes import BLOCKS, EXPRESSIONS, FUNCTIONS, STATEMENTS, Shape, shapes

from jaxlint import api
from jaxlint.checks import run
from jaxlint.running import once

SIZES = {**dict.fromkeys(EXPRESSIONS, 24), **dict.fromkeys(BLOCKS, 24), **dict.fromkeys(STATEMENTS, 40)}
"""Where all bounds on what is nested are reached, as far as the parser goes."""
SLOW = {
    "modules in modules": 12,
    "two calls each with functions": 6,
    **dict.fromkeys(("closures returned", "for over a list", "for over range", "function mapped and scanned"), 12),
    "map and jit each other": 12,
    **dict.fromkeys(
        (
            *("comprehension in its filter", "comprehension in its element", "composed transforms"),
            *("dict comprehension in its value", "factories of factories", "generator in its element"),
            *("jitted functions around functions", "map all", "methods of each other"),
            *("methods that call each other twice and count elements",),
            *("methods that call each other twice and read elements",),
            *("methods that pass a key on to each other", "properties of the next"),
            *("properties of themselves", "set comprehension in its element"),
        ),
        16,
    ),
}
"""Where twice the usual size takes long to count."""
STEEPEST = 3.4
"""Steps for twice the size: twice as many where each part costs the same, four times where each looks at all others."""

ALL_BEFORE = {
    "inheritance",
    "inheritance, diamonds",
    "functions around functions (traced)",
    "jitted functions around functions (traced)",
    "either of two that a function gives",
    "methods that call each other twice and read elements",
    "methods that call each other twice and count elements",
}
"""Where each part looks at all others: the methods of a class run those of all its bases, for it alone, a closure is
told apart by all closures that it calls, and who calls a method is told of all that those below may draw twice."""
STEEPEST_OF_ALL = 4.2

FEW = 500_000
"""Steps that are no matter, whatever they grow by: a quarter of a second."""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the analysis in this thread, where its calls can be counted, and builds no fixes."""

    def on_stack(work: Callable[[], None]) -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(20_000)
        try:
            work()
        finally:
            sys.setrecursionlimit(limit)

    monkeypatch.setattr(run, "on_deep_stack", on_stack)
    monkeypatch.setattr(once, "_fixable", lambda document, findings, settings: findings)


def steps(text: str) -> int:
    """How many calls of functions it takes to lint a text."""
    ast.parse(text)
    profile = cProfile.Profile()
    profile.enable()
    found = api.lint_source(text)
    profile.disable()
    assert not [finding.message for finding in found if finding.code == "JAX004"]
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


ALL = shapes()


@pytest.mark.parametrize("name", ALL)
def test_steps_grow_with_the_size(name: str) -> None:
    shape: Shape = ALL[name]
    plain = name.rpartition(" (")[0] or name
    size = SLOW.get(plain) or SIZES.get(plain, 24)
    steps(shape(2))  # what is imported when first needed is no step
    large = steps(shape(2 * size))
    if large <= FEW:
        return
    small = steps(shape(size))
    steepest = STEEPEST_OF_ALL if name in ALL_BEFORE else STEEPEST
    assert large <= steepest * small, f"{small:,} steps, {large:,} for twice the size"


def test_there_are_many_shapes() -> None:
    assert len(ALL) > 200
    assert FUNCTIONS.keys() < ALL.keys()


def test_where_a_key_was_made_does_not_matter_to_who_is_given_it() -> None:
    """A library's functions are looked into once for all tests that make their keys themselves."""
    work = "".join(f"    x = jnp.sin(x) * jnp.cos(x + {n}.0)\n" for n in range(100))
    noise = f"def noise(key):\n    x = jax.random.normal(key)\n{work}    return x\n"

    def program(tests: int) -> str:
        callers = "".join(f"\n\ndef test_{n}():\n    noise(jax.random.key({n}))\n" for n in range(tests))
        return f"import jax\nimport jax.numpy as jnp\n\n\n{noise}{callers}"

    steps(program(1))
    assert steps(program(40)) < 1.5 * steps(program(10))


def test_a_counter_that_a_loop_keeps_is_nothing_new() -> None:
    """Each pass leaves the number of another one, and all else as it was."""

    def program(kept: str) -> str:
        return (
            "import jax\nimport jax.numpy as jnp\n\n\ndef f(x, n):\n    told = {}\n    for i in range(n):\n"
            f"        told.update(last={kept})\n{textwrap.indent(LONG, '        ')}    return told\n"
        )

    assert steps(program("i")) < 1.5 * steps(program("n"))


LONG = "".join(f"x = jnp.sin(x) * jnp.cos(x + {n}.0)\n" for n in range(100))


def test_what_else_a_dict_holds_does_not_matter_to_who_reads_any_of_it() -> None:
    """The reader is told what joins the entries, and that is the same for all who have set one of them."""
    entries = ", ".join(f'"p{n}": Parameter({n}.5)' for n in range(20))
    classes = (
        "class Parameter:\n    def __init__(self, value):\n        self.value = value\n\n\n"
        f"class Model:\n    def __init__(self):\n        self.parameters = {{{entries}}}\n"
    )
    reader = (
        "def read(model, name, x):\n    if name in model.parameters.keys():\n        x = x + 1\n"
        f"{textwrap.indent(LONG, '    ')}    return x * model.parameters[name].value\n"
    )

    def program(callers: int) -> str:
        setters = "".join(
            f"\n\ndef run_{n}(name, x):\n    model = Model()\n    model.parameters['p3'] = Parameter({n}.25)\n"
            "    return read(model, name, x)\n"
            for n in range(callers)
        )
        return f"import jax.numpy as jnp\n\n\n{classes}\n\n{reader}{setters}"

    steps(program(1))
    assert steps(program(40)) < 2 * steps(program(5))


def test_what_else_is_around_a_function_does_not_matter_to_what_a_condition_is_about() -> None:
    made = (
        "def apply(function, x):\n    return function(x)\n\n\n"
        "def make(scale, label):\n    def scaled(x):\n        return x * scale\n\n    def run(x, mode):\n"
        f"{textwrap.indent(LONG, '        ')}        if mode == 'train':\n            return apply(scaled, x)\n"
        "        return x\n\n    return run\n"
    )

    def program(callers: int) -> str:
        calls = "".join(f"\n\ndef run_{n}(x, mode):\n    return make(x, '{n}')(x, mode)\n" for n in range(callers))
        return f"import jax.numpy as jnp\n\n\n{made}{calls}"

    steps(program(1))
    assert steps(program(40)) < 2 * steps(program(5))
