"""While a text does not parse: what is outside the broken statement is told, and can be worked with, as before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from tests.server.breaking import Breaker
from tests.server.editor import Editor, codes
from tests.server.test_actions import actions
from tests.server.test_hover import hover

pytestmark = pytest.mark.asyncio(loop_scope="session")

Write = Callable[[dict[str, str]], None]

EDITS = 60

HELPER = """\
import jax


def show(x):
    print(x)
    return x


def draw(key):
    return jax.random.normal(key, (3,))
"""

TRAIN = '''\
"""A module with findings of many kinds."""

import jax
import jax.numpy as jnp
from helper import draw, show

CACHE = []
rate = jnp.float32(0.1)


@jax.jit
def step(params, x):
    """One step."""
    CACHE.append(x)
    if jnp.sum(
        params,
        axis=0,
    ) > 0:
        return show(params)
    y = params[0] = x
    return y * rate


class Model:
    """Draws."""

    def __init__(self, key):
        self.noise = jax.random.normal(key, (3,))
        self.more = draw(
            key,
        )

    @jax.jit
    def __call__(self, x):
        try:
            print(x)
        except ValueError:
            x = 1
        return x if x > 0 else -x


@jax.vmap
def scale(x):
    for each in range(3):
        x = x + each
    assert x > 0
    return float(x)


def main():
    key = jax.random.PRNGKey(0)
    weights = jax.random.normal(key, (3,))
    bias = jax.random.normal(key, (3,))  # jaxlint: ignore[key-reused]
    x = jnp.zeros(3)
    x[0] = 1  # jaxlint: ignore[key-reused]
    x.at[1].set(2)
    while True:
        noise = jax.random.uniform(key)
        if noise > 0.5:
            break
    return weights, bias, x
'''


async def test_findings_outside_what_is_broken_never_vanish(editor: Editor, write: Write, folder: Path) -> None:
    write({"train.py": TRAIN, "helper.py": HELPER})
    editor.open("train.py")
    told = await editor.published("train.py")
    breaker = Breaker(0, TRAIN)
    before = breaker.found((each.code, each.range.start.line + 1) for each in told.diagnostics)
    assert before.total() == 11
    edits = 0
    while edits < EDITS:
        for _ in breaker.edits():
            edits += 1
            editor.rewrite("train.py", breaker.text)
            told = await editor.published("train.py")
            found = [(each.code, each.range.start.line + 1) for each in told.diagnostics if each.code != "JAX001"]
            if not breaker.parses:
                assert len(found) == len(told.diagnostics) - 1
                assert breaker.found(found) == breaker.outside(before), breaker.text
                continue
            first = Run.over(
                [str(folder)], Configuration(str(folder)), {str(folder / "train.py"): breaker.text.encode()}
            )
            expected = [each for each in first.findings() if each.path.endswith("train.py")]
            assert found == [(each.code, each.location.line) for each in expected]
            before = breaker.found(found)


def codes_only(told: list[str]) -> Counter[str]:
    return Counter(each.split()[1] for each in told)


async def test_what_is_changed_elsewhere_counts(editor: Editor, write: Write) -> None:
    write({"train.py": TRAIN, "helper.py": HELPER})
    editor.open("train.py")
    before = codes((await editor.published("train.py")).diagnostics)
    assert "14 JAX101" not in before
    assert codes_only(before)["JAX301"] == 2
    editor.replace("train.py", "def main():\n", "def main():\n    size = (1,\n")
    await editor.published("train.py")
    editor.replace("train.py", "    x[0] = 1  # jaxlint: ignore[key-reused]\n", "\n    x = x.at[0].set(1)\n")
    editor.replace("train.py", "    CACHE.append(x)\n", "    print(x)\n")
    told = await editor.published("train.py")
    now = codes(told.diagnostics)
    assert "14 JAX101" in now
    assert codes_only(now)["JAX301"] == 1
    assert codes_only(now)["JAX001"] == 1
    assert await actions(editor, "train.py", 14, ["source.fixAll"]) == {}
    editor.replace("train.py", "    size = (1,\n", "    size = (1,)\n")
    assert codes((await editor.published("train.py")).diagnostics) == [each for each in now if "JAX001" not in each]


async def test_hover_and_actions_go_on_outside(editor: Editor, write: Write) -> None:
    write({"train.py": TRAIN, "helper.py": HELPER})
    editor.open("train.py")
    await editor.published("train.py")
    editor.replace("train.py", "CACHE = []\n", "\nCACHE = [(\n")
    await editor.published("train.py")
    shown = await hover(editor, "train.py", "CACHE.append(|x)")
    assert "x: traced array or pytree of traced arrays [jax.jit]" in shown
    assert "train.py:12: `jax.jit` is applied here" in shown
    assert await hover(editor, "train.py", "|CACHE = [(") == ""
    at = types.ImplementationParams(types.TextDocumentIdentifier(editor.uri("train.py")), types.Position(14, 6))
    (place,) = await editor.client.text_document_implementation_async(at)
    assert (place.uri, place.range.start) == (editor.uri("train.py"), types.Position(11, 1))
    line = editor.texts[editor.uri("train.py")].splitlines().index("    x[0] = 1  # jaxlint: ignore[key-reused]") + 1
    offered = await actions(editor, "train.py", line)
    assert set(offered) >= {"Write `x = x.at[…].set(…)`", "Disable item-assignment for this line"}
    editor.do(offered["Write `x = x.at[…].set(…)`"])
    assert "\n    x = x.at[0].set(1)  # jaxlint: ignore[key-reused]\n" in editor.texts[editor.uri("train.py")]
    assert codes_only(codes((await editor.published("train.py")).diagnostics))["JAX301"] == 1


async def test_a_line_is_silenced_while_another_is_broken(editor: Editor, write: Write) -> None:
    write({"train.py": TRAIN, "helper.py": HELPER})
    editor.open("train.py")
    await editor.published("train.py")
    editor.replace("train.py", "rate = jnp.float32(0.1)\n", "\nrate = jnp.float32(0.1\n\n")
    line = editor.texts[editor.uri("train.py")].splitlines().index("            print(x)") + 1
    assert f"{line} JAX101" in codes((await editor.published("train.py")).diagnostics)
    editor.do((await actions(editor, "train.py", line))["Disable print-in-traced-function for this line"])
    assert "print(x)  # jaxlint: ignore[print-in-traced-function]\n" in editor.texts[editor.uri("train.py")]
    assert f"{line} JAX101" not in codes((await editor.published("train.py")).diagnostics)


async def test_other_files_see_the_places_as_they_are(editor: Editor, write: Write) -> None:
    write({"train.py": TRAIN, "helper.py": HELPER})
    editor.open("train.py")
    editor.open("helper.py")
    await editor.published("helper.py")
    editor.replace("train.py", "CACHE = []\n", "CACHE = []\n\n\nhalf = (\n")
    told = await editor.published("helper.py")
    (found,) = [each for each in told.diagnostics if each.code == "JAX101"]
    assert found.related_information[0].location.range.start.line == 13


async def test_a_file_that_comes_meanwhile_does_not_take_them_away(editor: Editor, write: Write) -> None:
    write({"train.py": TRAIN, "helper.py": HELPER})
    editor.open("train.py")
    before = codes((await editor.published("train.py")).diagnostics)
    editor.replace("train.py", "CACHE = []\n", "CACHE = [\n")
    outside = [each for each in before if not each.startswith("7 ")]
    assert codes((await editor.published("train.py")).diagnostics) == ["7 JAX001", *outside]
    write({"more.py": "import jax\n"})
    editor.wrote("more.py", kind=types.FileChangeType.Created)
    editor.replace("train.py", "CACHE = [\n", "\nCACHE = [\n")
    assert len(codes((await editor.published("train.py")).diagnostics)) == len(outside) + 1
