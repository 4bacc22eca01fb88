"""What the editor shows of a place: cards, variables, traced parameters."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from jaxlint.vocabulary.rules import all_rules
from tests.server.editor import Editor, Start, position

pytestmark = pytest.mark.asyncio(loop_scope="session")

Write = Callable[[dict[str, str]], None]

STEP = """\
import jax


@jax.jit
def step(x, key):
    noise = jax.random.normal(key, x.shape)
    n = x.shape[0]
    return noise * n + x  # jaxlint: ignore[key-reused]
"""


async def hover(editor: Editor, name: str, where: str) -> str:
    """The text over a place that `|` marks in a piece of the file."""
    uri = editor.uri(name)
    offset = editor.texts[uri].index(where.replace("|", "")) + where.index("|")
    at = types.HoverParams(types.TextDocumentIdentifier(uri), position(editor.texts[uri], offset))
    found = await editor.client.text_document_hover_async(at)
    return found.contents.value if found is not None else ""


async def test_variables(editor: Editor, write: Write) -> None:
    write({"step.py": STEP})
    editor.open("step.py")
    await editor.published("step.py")
    traced = await hover(editor, "step.py", "n + |x")
    assert "x: traced array or pytree of traced arrays [jax.jit]" in traced
    assert "step.py:4: `jax.jit` is applied here" in traced
    assert "step.py:5: parameter `x` is traced by `jit`" in traced
    assert "n: static: read off an array's shape or dtype [jax.jit]" in await hover(editor, "step.py", "noise * |n")
    key = await hover(editor, "step.py", "normal(|key")
    assert "key: traced" in key or "key: PRNG key" in key
    assert "not used before" in key or "parameter `key`" in key
    assert "x.shape: " in await hover(editor, "step.py", "x.sh|ape)")
    assert await hover(editor, "step.py", "|    return") == ""


async def test_what_other_files_do_with_a_function(editor: Editor, write: Write) -> None:
    """Only the modules that lead here are run for the answer; one of them applies the transform for another."""
    write(
        {
            "helper.py": "def double(x):\n    return 2 * x\n",
            "compile.py": "import jax\n\n\ndef compiled(function):\n    return jax.jit(function)\n",
            "main.py": "from compile import compiled\nfrom helper import double\n\nfast = compiled(double)\n",
            "again.py": "import jax\nfrom helper import double\n\njax.vmap(double)(jax.numpy.ones(3))\n",
            "other.py": "import jax\n\n\n@jax.jit\ndef other(x):\n    return x\n",
        }
    )
    editor.open("helper.py")
    await editor.published("helper.py")
    told = await hover(editor, "helper.py", "2 * |x")
    assert "[jax.jit]" in told
    assert "compile.py:5: `jax.jit` is applied here" in told
    assert "[jax.vmap]" in told
    assert "again.py:4: `jax.vmap` is applied here" in told


async def test_of_many_reasons_one_is_shown(editor: Editor, write: Write) -> None:
    callers = {f"user{n}.py": "import jax\nfrom helper import double\n\njax.jit(double)\n" for n in range(4)}
    write({"helper.py": "def double(x):\n    return 2 * x\n", **callers})
    editor.open("helper.py")
    await editor.published("helper.py")
    told = await hover(editor, "helper.py", "2 * |x")
    assert told.count("is applied here") == 1
    assert "other reasons for the same: 3" in told


async def test_a_key_says_where_it_was_consumed(editor: Editor, write: Write) -> None:
    write(
        {"keys.py": "import jax\n\nkey = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\n"}
    )
    editor.open("keys.py")
    await editor.published("keys.py")
    shown = await hover(editor, "keys.py", "b = jax.random.normal(|key)")
    assert "key: PRNG key" in shown
    assert "keys.py:3: made here" in shown
    assert "keys.py:4: key consumed by `jax.random.normal`" in shown


async def test_cards(editor: Editor, write: Write) -> None:
    write({"step.py": STEP, "show.py": "import jax\n\n\n@jax.jit\ndef f(x):\n    print(x)\n"})
    editor.open("step.py")
    editor.open("show.py")
    await editor.published("show.py")
    assert (await hover(editor, "step.py", "ignore[key-|reused")).startswith("**JAX401 key-reused**")
    shown = await hover(editor, "show.py", "pri|nt(x)")
    assert shown.startswith("**JAX101 print-in-traced-function**\n\nReports `print` of a traced value")
    assert "\n\n**Why it is bad**\n\n" in shown
    assert "- **see a value at run time**" in shown
    assert "Examples" not in shown
    assert shown.splitlines()[-1].startswith("[All of JAX101, with examples](file://")


async def test_what_a_rule_says_fits_on_a_screen() -> None:
    assert all(len(rule.in_short.splitlines()) < 40 for rule in all_rules().values())


async def test_what_was_recorded(editor: Editor, write: Write, folder: Path) -> None:
    call = {
        "function": "step.py:step",
        "source": "",
        "eager": False,
        "args": ["float32[3,4]", "key<fry>[]"],
        "kwargs": {},
    }
    write({"step.py": STEP, ".jaxlint-recorded.jsonl": json.dumps(call) + "\n"})
    editor.open("step.py")
    await editor.published("step.py")
    assert "recorded: x: float32[3,4]" in await hover(editor, "step.py", "n + |x")


async def test_inlay_hints(start: Start, write: Write) -> None:
    write({"step.py": STEP})
    editor = await start(options={"inlayHints": True})
    editor.open("step.py")
    await editor.published("step.py")
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    ask = types.InlayHintParams(types.TextDocumentIdentifier(editor.uri("step.py")), everything)
    hints = await editor.client.text_document_inlay_hint_async(ask)
    assert [(hint.position.line, hint.position.character, hint.label) for hint in hints] == [
        (4, 10, "traced"),
        (4, 15, "traced"),
    ]
    assert "parameter `x` is traced by `jit`" in hints[0].tooltip
    off = types.DidChangeConfigurationParams({"jaxlint": {"inlayHints": False}})
    editor.client.workspace_did_change_configuration(off)
    assert list(await editor.client.text_document_inlay_hint_async(ask)) == []


HELPER = """\
import jax


def double(x):
    return 2 * x


@jax.jit
def f(x):
    return x


def g(x):
    return x
"""
MAIN = """\
import jax
from helper import double

fast = jax.jit(double)
many = jax.vmap(double)
fast(1.0)
many(jax.numpy.ones(3))
"""


async def test_code_lenses(start: Start, write: Write) -> None:
    write({"helper.py": HELPER, "main.py": MAIN})
    editor = await start(options={"codeLens": True})
    uri = editor.open("helper.py")
    await editor.published("helper.py")
    ask = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    lenses = await editor.client.text_document_code_lens_async(ask)
    told = [(lens.range.start.line + 1, lens.command.title, lens.command.arguments[0]) for lens in lenses]
    assert told == [(4, "traced by 2 roots", editor.uri("main.py")), (9, "traced by jax.jit", uri)]
    editor.replace("helper.py", "import jax\n", "import jax\nhalf = (\n\n")
    editor.replace("helper.py", "def double(x):", "def double(x:")
    (lens,) = await editor.client.text_document_code_lens_async(ask)
    assert (lens.range.start.line + 1, lens.command.arguments[1]["start"]["line"]) == (11, 9)
    off = types.DidChangeConfigurationParams({"jaxlint": {"codeLens": False}})
    editor.client.workspace_did_change_configuration(off)
    assert list(await editor.client.text_document_code_lens_async(ask)) == []
