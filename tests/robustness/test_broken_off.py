"""What cannot be analysed to its end is said in its place, and costs the findings of that place alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jaxlint.api import lint_paths, lint_source
from jaxlint.flow.domain.values import Value
from jaxlint.flow.limits import MAX_EVALUATIONS
from jaxlint.flow.models.python import builtin_calls
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from tests.limits_support import limited

HEADER = "import jax\nimport jax.numpy as jnp\n"
BRANCH = "\n\n@jax.jit\ndef {}(x):\n    if x > 0:\n        return x\n    return -x\n"


def lines(text: str) -> list[tuple[int, str]]:
    return [(finding.location.line, finding.code) for finding in lint_source(text)]


@pytest.fixture
def defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the model of `hash` raise, in the middle of whatever it is called in."""

    def broken(it: object, args: object, node: ast.AST) -> Value:
        raise ZeroDivisionError("of the model")

    monkeypatch.setitem(builtin_calls._BUILTINS, "hash", broken)


BROKEN = {
    "a function": "\n\n@jax.jit\ndef broken(x):\n    with jax.disable_jit():\n        return [hash(x) for _ in x]\n",
    "a function in a try": "\n\ndef broken(x):\n    try:\n        jax.jit(hash(x))\n    except OSError: pass\n",
    "a statement": "\n\n\nwith jax.disable_jit():\n    broken = [hash(x) for x in range(3)]\n",
    "a class": "\n\n\nclass Broken:\n    broken = [hash(x) for x in range(3)]\n",
}


@pytest.mark.usefixtures("defect")
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_defect_costs_the_findings_of_one_entry(broken: str) -> None:
    text = HEADER + BRANCH.format("before") + broken + BRANCH.format("after")
    (first, ok), (second, said), (third, too) = lines(text)
    assert (ok, said, too) == ("JAX201", "JAX004", "JAX201")
    assert (first, third) == (7, len(text.splitlines()) - 2)
    assert first < second < third


@pytest.mark.usefixtures("defect")
def test_the_rest_of_a_module_is_known_after_a_statement_that_broke_off() -> None:
    text = HEADER + "\nbroken = hash(3)\nroot = jax.jit\n" + BRANCH.format("after").replace("@jax.jit", "@root")
    assert lines(text) == [(4, "JAX004"), (10, "JAX201")]


@pytest.mark.usefixtures("defect")
def test_an_open_workspace_says_the_same(tmp_path: Path) -> None:
    text = HEADER + BROKEN["a statement"] + BROKEN["a function"] + BRANCH.format("after")
    path = tmp_path / "a.py"
    path.write_text(text)
    session = Session(Configuration(str(tmp_path)))
    found = [(finding.location.line, finding.code) for finding in session.findings(str(path))]
    assert sorted(found) == sorted(lines(text))
    assert [code for _, code in found].count("JAX004") == 2


def test_an_entry_beyond_the_limit_is_said() -> None:
    long = "\n\n@jax.jit\ndef long(x):\n" + "    x = jnp.sin(x) + 1\n" * 100 + "    return x\n"
    table = "\n\nTABLE = [" + "jnp.sin(1)," * 100 + "]\n"
    text = HEADER + BRANCH.format("before") + table + long + BRANCH.format("after")
    with limited([MAX_EVALUATIONS], 300):
        found = lint_source(text)
    assert [(finding.location.line, finding.code) for finding in found] == [
        (7, "JAX201"),
        (12, "JAX004"),
        (16, "JAX004"),
        (len(text.splitlines()) - 2, "JAX201"),
    ]
    assert "`long` takes more than" in found[2].message
    assert "defect" not in (found[2].help or "")


MAPPING_ITSELF = {
    "itself": "def layer(x):\n    return jax.vmap(layer)(x)\n",
    "through another": "def layer(x):\n    return outer(x)\n\n\ndef outer(x):\n    return jax.vmap(layer)(x)\n",
    "each other": "def layer(x):\n    return jax.vmap(outer)(x)\n\n\ndef outer(x):\n    return jax.vmap(layer)(x)\n",
    "through a library": "import equinox as eqx\n\n\ndef layer(x):\n    return eqx.filter_vmap(layer)(x)\n",
    "and its gradient": "def layer(x):\n    return jax.grad(jax.vmap(layer))(x)\n",
    "as a decorator": "@jax.vmap\ndef layer(x):\n    return jax.vmap(layer)(x)\n",
    "in a class": "class Layer:\n    @staticmethod\n    def layer(x):\n        return jax.vmap(Layer.layer)(x)\n",
    "by partial": "import functools\n\n\ndef layer(n, x):\n    return jax.vmap(functools.partial(layer, n))(x)\n",
    "as a default": "def layer(x):\n    inner = jax.vmap(lambda y: layer(y))\n    return inner(x)\n",
}


@pytest.mark.parametrize("text", MAPPING_ITSELF.values(), ids=MAPPING_ITSELF)
def test_a_function_that_maps_itself_ends_and_is_analysed(text: str) -> None:
    text = HEADER + "\n\n" + text.replace("return jax.v", "print(x)\n    return jax.v", 1) + BRANCH.format("after")
    codes = [code for _, code in lines(text)]
    assert "JAX201" in codes
    assert "JAX004" not in codes


def test_what_a_function_does_under_its_own_map_is_reported() -> None:
    text = HEADER + "\n\ndef layer(x):\n    if x > 0:\n        return x\n    return jax.vmap(layer)(x)\n"
    assert lines(text) == [(6, "JAX201")]


def test_modules_that_import_everything_from_each_other_end(tmp_path: Path) -> None:
    """No module has `unknown`, and each bases a class on what only another can tell."""
    branch = "@jax.jit\ndef f(x):\n    unknown(x)\n    if x > 0:\n        return x\n    return -x\n"
    for name, after in (("a", "b"), ("b", "c"), ("c", "a")):
        base = f"class {name.upper()}(make({after.upper()}), {after.upper()}):\n    y = nothing\n"
        (tmp_path / f"{name}.py").write_text(f"import jax\nfrom {after} import *\n\n\n{base}\n\n{branch}")
    found = lint_paths([tmp_path])
    assert [(Path(one.path).stem, one.code, one.location.line) for one in found] == [
        (name, "JAX201", 12) for name in "abc"
    ]


def test_a_net_of_modules_that_import_everything_ends(tmp_path: Path) -> None:
    """Each of thirty modules imports from the next two, twice as many ways with each."""
    for number in range(30):
        stars = "".join(f"from m{n} import *\n" for n in (number + 1, number + 2) if n < 30)
        (tmp_path / f"m{number}.py").write_text(f"import jax\n{stars}\n\nx{number} = jax.jit(unknown{number})\n")
    assert lint_paths([tmp_path]) == []
