"""What the editor offers to do about findings, and what becomes of the text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest
from lsprotocol import types

from tests.server.editor import Editor, Start, capabilities, codes

pytestmark = pytest.mark.asyncio(loop_scope="session")

Write = Callable[[dict[str, str]], None]

BRANCH = """\
import jax


@jax.jit
def step(x, train):
    y = x + 1
    if train > 0:
        raise ValueError
    return y
"""


async def actions(editor: Editor, name: str, line: int, only: list[str] | None = None) -> dict[str, types.CodeAction]:
    """The offers for a line, by title."""
    uri = editor.uri(name)
    span = types.Range(types.Position(line - 1, 0), types.Position(line - 1, 0))
    context = types.CodeActionContext([], only=only)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), span, context)
    offered = await editor.client.text_document_code_action_async(params)
    return {each.title: each for each in offered or []}


async def test_a_quick_fix(editor: Editor, write: Write) -> None:
    write({"fill.py": "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1  # héhé 😀\nx[1] = 2\n"})
    editor.open("fill.py")
    (first, _) = (await editor.published("fill.py")).diagnostics
    offered = await actions(editor, "fill.py", 4)
    fix = offered["Write `x = x.at[…].set(…)`"]
    assert fix.is_preferred
    assert fix.kind == "quickfix"
    assert [each.range for each in fix.diagnostics] == [first.range]
    editor.do(fix)
    assert editor.texts[editor.uri("fill.py")].splitlines()[3:] == ["x = x.at[0].set(1)  # héhé 😀", "x[1] = 2"]
    assert codes((await editor.published("fill.py")).diagnostics) == ["5 JAX301"]


async def test_fix_all(editor: Editor, write: Write) -> None:
    write({"fill.py": "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1\ny = 2\nx[1] = y\nx[2] += 1\n"})
    editor.open("fill.py")
    await editor.published("fill.py")
    offered = await actions(editor, "fill.py", 1, ["source.fixAll"])
    assert [each.kind for each in offered.values()] == ["source.fixAll.jaxlint"]
    editor.do(*offered.values())
    assert "\n".join(editor.texts[editor.uri("fill.py")].splitlines()[3:]) == (
        "x = x.at[0].set(1)\ny = 2\nx = x.at[1].set(y)\nx = x.at[2].add(1)"
    )
    assert codes((await editor.published("fill.py")).diagnostics) == []
    assert await actions(editor, "fill.py", 1, ["source.fixAll.jaxlint"]) == {}
    assert await actions(editor, "fill.py", 4, ["refactor"]) == {}


async def test_fix_all_is_made_when_it_is_chosen(start: Start, write: Write) -> None:
    write({"fill.py": "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1\n"})
    editor = await start(capabilities("visual-studio-code", text_document__diagnostic=None))
    editor.open("fill.py")
    await editor.published("fill.py")
    offered = (await actions(editor, "fill.py", 4))["Fix all that jaxlint can fix"]
    assert offered.edit is None
    resolved = await editor.client.code_action_resolve_async(offered)
    (change,) = resolved.edit.document_changes
    assert change.text_document.version == 1
    editor.do(resolved)
    assert editor.texts[editor.uri("fill.py")].endswith("\nx = x.at[0].set(1)\n")


async def test_disable_for_this_line(editor: Editor, write: Write) -> None:
    write({"step.py": BRANCH})
    editor.open("step.py")
    assert codes((await editor.published("step.py")).diagnostics) == ["7 JAX201"]
    editor.do((await actions(editor, "step.py", 7))["Disable branch-on-traced-value for this line"])
    assert "    if train > 0:  # jaxlint: ignore[branch-on-traced-value]\n" in editor.texts[editor.uri("step.py")]
    assert codes((await editor.published("step.py")).diagnostics) == []


async def test_declare_static(editor: Editor, write: Write) -> None:
    write({"step.py": BRANCH})
    editor.open("step.py")
    await editor.published("step.py")
    offered = await actions(editor, "step.py", 7)
    (static,) = (each for title, each in offered.items() if title.startswith("Make `train` a static argument"))
    assert not static.is_preferred
    editor.do(static)
    text = editor.texts[editor.uri("step.py")]
    assert '@partial(jax.jit, static_argnames="train")\n' in text
    assert "from functools import partial\n" in text
    assert codes((await editor.published("step.py")).diagnostics) == []


async def test_go_to_the_jit_that_traces(editor: Editor, write: Write) -> None:
    write(
        {
            "helper.py": "def show(x):\n    print(x)\n",
            "main.py": "import jax\nfrom helper import show\n\njax.jit(show)\n",
        }
    )
    editor.open("helper.py")
    await editor.published("helper.py")
    at = types.ImplementationParams(types.TextDocumentIdentifier(editor.uri("helper.py")), types.Position(1, 6))
    (place,) = await editor.client.text_document_implementation_async(at)
    assert (place.uri, place.range.start) == (editor.uri("main.py"), types.Position(3, 0))
    offered: Any = (await actions(editor, "helper.py", 2))["Go to the transform that traces this"]
    command = ast.literal_eval(offered.command)  # the client library takes an action with a command for a command
    asked = types.ExecuteCommandParams(command["command"], command["arguments"])
    await editor.client.workspace_execute_command_async(asked)
    (shown,) = editor.client.shown_documents
    assert (shown.uri, shown.selection.start, shown.take_focus) == (place.uri, place.range.start, True)
