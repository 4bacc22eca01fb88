"""What fixes of arrays, keys and removed names make of a piece of code, to the letter, and what they leave alone."""

from __future__ import annotations

import textwrap

import pytest

from jaxlint.api import lint_source
from jaxlint.fixes.apply import apply
from jaxlint.project.documents import Document

HEADER = "import jax\nimport jax.numpy as jnp\n"


def fixed(body: str) -> str:
    """The code after one pass of every fix, unsafe ones too, without the imports that the test puts before it."""
    text = HEADER + textwrap.dedent(body)
    document = Document("/program.py", text)
    findings = [finding for finding in lint_source(text) if finding.fix is not None]
    return apply(document, findings)[0].text.removeprefix(HEADER)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x[0] = 1.0", "x = x.at[0].set(1.0)"),
        ("x[0] = 1, 2", "x = x.at[0].set((1, 2))"),
        ("x[1:, ::2] += y * 2", "x = x.at[1:, ::2].add(y * 2)"),
        ("x[0] -= 1 + 2", "x = x.at[0].add(-(1 + 2))"),
        ("x[0] //= 1 + 2", "x = x.at[0].set(x[0] // (1 + 2))"),
        ("x[0] = (\n        1.0  # why\n    )", "x = x.at[0].set(\n        1.0  # why\n    )"),
        ("x.at[0] = 1.0", "x = x.at[0].set(1.0)"),
        ("x.at(0).set(1.0)", "x.at[0].set(1.0)"),
        ("x.at[0].set(1.0).at[1].set(2.0)", "x = x.at[0].set(1.0).at[1].set(2.0)"),
        ("jnp.fill_diagonal(x, 0.0)", "x = jnp.fill_diagonal(x, 0.0, inplace=False)"),
        ("x = y = jnp.sum(x, out=y, axis=0,)", "x = y = jnp.sum(x, axis=0,)"),
    ],
)
def test_arrays(before: str, after: str) -> None:
    program = "\ndef f(y):\n    x = jnp.zeros((3, 4))\n    {}\n    return x\n"
    assert fixed(program.format(before)) == program.format(after)


@pytest.mark.parametrize(
    "statement",
    [
        "x[0] = z[0] = 1.0",
        "g().at[0].set(1.0)",
        "del x[0], x[1]",
    ],
)
def test_arrays_that_no_name_stands_for(statement: str) -> None:
    program = f"\ndef g():\n    return jnp.zeros(3)\ndef f(z):\n    x = jnp.zeros(3)\n    {statement}\n    return x\n"
    assert fixed(program) == program


@pytest.mark.parametrize(
    ("made", "operand"),
    [
        ("np.ones(3)", "jnp.asarray(x)"),
        ("n / 2 * np.ones(3)", "jnp.asarray(x)"),
        ("np.ones(3).reshape(3).copy()", "jnp.asarray(x)"),
        ("[1.0, 2.0]", "jnp.asarray(x)"),
        ("-np.ones(3)", "jnp.asarray(x)"),
        ("jnp.ones(3)", "x"),
        ("jnp.asarray(np.ones(3)).copy()", "x"),
        ("2.0 * jnp.ones(3)", "x"),
        ("n", "x"),
    ],
)
def test_what_has_no_at_is_made_an_array_as_the_removed_functions_did(made: str, operand: str) -> None:
    program = "\nimport numpy as np\ndef f(n):\n    x = {}\n    y = x\n    return {}\n"
    after = fixed(program.format(made, "jax.ops.index_add(x, jax.ops.index[:1], 1.0)"))
    assert after == program.format(made, f"{operand}.at[:1].add(1.0)")
    after = fixed(program.format(made, "jax.ops.index_update(y, 0, 1.0)"))
    assert after == program.format(made, f"{operand.replace('x', 'y')}.at[0].set(1.0)")


def test_array_of_an_outer_function_is_left_alone() -> None:
    program = """
        def outer(n):
            x = jnp.zeros(n)
            def set_first():
                x[0] = 1.0
            set_first()
            return x
        """
    assert fixed(program) == textwrap.dedent(program)


def test_split_follows_the_style_of_the_file() -> None:
    program = """
        from jax import random

        def other(rng):
            rng, rng_use = random.split(rng)
            return random.normal(rng_use)

        def f(rng):
            a = random.normal(rng)
            return a + random.uniform(rng)
        """
    assert """
    rng, rng_use = random.split(rng)
    a = random.normal(rng_use)
    return a + random.uniform(rng)
""" in fixed(program)


@pytest.mark.parametrize("name", ["noise_rng", "rng_noise", "step_rngs", "noise"])
def test_a_name_for_one_purpose_is_not_for_another(name: str) -> None:
    program = """
        from jax import random

        def other(rng):
            rng, {name} = random.split(rng)
            return random.normal({name})

        def f(rng):
            a = random.normal(rng)
            return a + random.uniform(rng)
        """
    after = fixed(program.replace("{name}", name))
    assert "    rng, subkey = random.split(rng)\n    a = random.normal(subkey)\n" in after


def test_new_names_hide_no_others() -> None:
    program = """
        def f(key, subkey):
            a = jax.random.normal(key)
            return a + jax.random.uniform(key), subkey
        """
    assert "    key, subkey2 = jax.random.split(key)\n    a = jax.random.normal(subkey2)\n" in fixed(program)


def test_imports_keep_the_other_names() -> None:
    program = """
        from jax.core import (
            Jaxpr,  # the program
            Tracer,
        )
        """
    assert (
        fixed(program)
        == """
from jax.core import (
            Tracer,
        )
from jax.extend.core import Jaxpr
""".replace("            Tracer", "    Tracer").replace("        )", ")")
    )


def test_imports_of_one_line_are_taken_apart() -> None:
    program = (
        '"""What it does."""\n\nfrom jax.numpy import zeros, DeviceArray as A  # both\n\nx = isinstance(zeros, A)\n'
    )
    made, _ = apply(Document("/p.py", program), lint_source(program))
    assert made.text == program.replace("zeros, DeviceArray as A", "zeros\nfrom jax import Array as A")


@pytest.mark.parametrize(
    "body",
    [
        "    x[name] = 1.0\n    x['w'] = 1.0\n",
        "    x[0]['w'] = 1.0\n    x[f'{name}'] += 1.0\n",
        "    x.at['w'] = 1.0\n",
    ],
)
def test_what_has_names_for_items_is_no_array(body: str) -> None:
    program = f"\ndef f(name):\n    x = jnp.zeros(3)\n{body}    return x\n"
    after = fixed(program)
    assert ".at['w']" not in after.replace("x.at['w'] = 1.0", "")
    assert ".at[f'" not in after


def test_an_annotation_is_no_proof_of_an_array() -> None:
    program = "\ndef f(x: jax.Array, i):\n    x[0] = 1.0\n    x[i] = 1.0\n    return x\n"
    assert fixed(program) == program


def test_an_index_that_is_not_known_may_be_a_name() -> None:
    text = HEADER + "\ndef f(i):\n    x = jnp.zeros(3)\n    x[i] = 1.0\n    x[i, 0] = 1.0\n    return x\n"
    found = {finding.location.line: finding.fix for finding in lint_source(text)}
    assert [fix is not None and fix.applicability.is_safe for fix in found.values()] == [False, True]


def test_attributes_are_assigned_where_that_can_be_done() -> None:
    program = """
        class Plain:
            def __init__(self):
                self.x = jnp.zeros(3)

            def write(self):
                self.x[0] = 1.0
        """
    assert "self.x = self.x.at[0].set(1.0)" in fixed(program)
    computed = """
        class Computed:
            @property
            def x(self):
                return jnp.zeros(3)

            def write(self):
                self.x[0] = 1.0
        """
    assert fixed(computed) == textwrap.dedent(computed)
