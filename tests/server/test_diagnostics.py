"""Diagnostics in the editor: what they hold, when they come, and that they follow every edit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.editor import Editor, Start, capabilities, codes

pytestmark = pytest.mark.asyncio(loop_scope="session")

IMPURE = """\
import jax


@jax.jit
def f(x):
    print(x)
    return x
"""

CALLER = """\
import jax
from helper import show

jax.jit(show)(1.0)
"""

HELPER = """\
def show(x):
    return x
"""

PULLING = capabilities(
    "visual-studio-code",
    text_document__diagnostic=types.DiagnosticClientCapabilities(),
    workspace__diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
)

Write = Callable[[dict[str, str]], None]


async def test_a_diagnostic_says_what_where_why_and_how_bad(editor: Editor, write: Write) -> None:
    write({"train.py": IMPURE})
    uri = editor.open("train.py")
    told = await editor.published("train.py")
    (found,) = told.diagnostics
    assert told.version == 1
    assert found.code == "JAX101"
    assert found.source == "jaxlint"
    assert found.severity == types.DiagnosticSeverity.Warning
    assert found.range == span(5, 4, 12)
    assert "runs once, while JAX traces" in found.message
    assert "help: use `jax.debug.print" in found.message
    related = [
        (step.location.uri, step.location.range.start.line + 1, step.message) for step in found.related_information
    ]
    assert related == [(uri, 4, "`jax.jit` is applied here"), (uri, 5, "parameter `x` is traced by `jit`")]
    card = found.code_description.href
    assert card.startswith("file://")
    assert Path(card.removeprefix("file://")).read_text().startswith("---\ncode: JAX101")


async def test_each_way_to_a_finding_is_told(editor: Editor, write: Write) -> None:
    jitted = "\n\n@jax.jit\ndef {0}(of_{0}):\n    show(of_{0})\n"
    write({"train.py": "import jax\n\n\ndef show(x):\n    print(x)\n" + jitted.format("f") + jitted.format("g")})
    editor.open("train.py")
    (found,) = (await editor.published("train.py")).diagnostics
    assert [(step.location.range.start.line + 1, step.message) for step in found.related_information] == [
        (8, "`jax.jit` is applied here"),
        (9, "parameter `of_f` is traced by `jit`"),
        (13, "another way here: `jax.jit` is applied here"),
        (14, "parameter `of_g` is traced by `jit`"),
    ]


async def test_tags(editor: Editor, write: Write) -> None:
    text = "import jax\n\nx = jax.numpy.ones(3)\nx.at[0].set(1)  # jaxlint: ignore[key-reused]\njax.tree_map(abs, x)\n"
    write({"old.py": text})
    editor.open("old.py")
    tags = {each.code: each.tags and each.tags[0] for each in (await editor.published("old.py")).diagnostics}
    assert tags == {
        "JAX003": types.DiagnosticTag.Unnecessary,
        "JAX302": types.DiagnosticTag.Unnecessary,
        "JAX801": types.DiagnosticTag.Deprecated,
    }


async def test_every_edit_is_followed(editor: Editor, write: Write) -> None:
    write({"train.py": IMPURE})
    editor.open("train.py")
    assert codes((await editor.published("train.py")).diagnostics) == ["6 JAX101"]
    editor.replace("train.py", "print(x)", "y = x")
    assert codes((await editor.published("train.py")).diagnostics) == []
    editor.replace("train.py", "@jax.jit", "\n@jax.jit")
    editor.replace("train.py", "y = x", "print(x)")
    assert codes((await editor.published("train.py")).diagnostics) == ["7 JAX101"]
    editor.replace("train.py", "print(x)", "print(")
    assert codes((await editor.published("train.py")).diagnostics) == ["7 JAX001"]
    editor.change("train.py", types.TextDocumentContentChangeWholeDocument(IMPURE))
    assert codes((await editor.published("train.py")).diagnostics) == ["6 JAX101"]


async def test_an_unsaved_buffer_counts_for_the_rest_of_the_project(editor: Editor, write: Write) -> None:
    write({"helper.py": HELPER, "main.py": CALLER})
    editor.open("helper.py")
    assert codes((await editor.published("helper.py")).diagnostics) == []
    editor.open("main.py")
    await editor.published("main.py")
    editor.replace("main.py", "jax.jit(show)(1.0)", "show(1.0)")
    editor.replace("helper.py", "return x", "print(x)")
    assert codes((await editor.published("helper.py")).diagnostics) == []
    editor.replace("main.py", "show(1.0)", "jax.jit(show)(1.0)")
    told = await editor.published("helper.py")
    assert codes(told.diagnostics) == ["2 JAX101"]
    assert told.diagnostics[0].related_information[0].location.uri == editor.uri("main.py")
    editor.close("main.py")
    assert codes((await editor.published("main.py")).diagnostics) == []
    editor.close("helper.py")
    assert codes((await editor.published("helper.py")).diagnostics) == []


async def test_a_file_that_changes_on_disk(editor: Editor, write: Write) -> None:
    write({"helper.py": HELPER.replace("return x", "print(x)"), "main.py": CALLER})
    editor.open("helper.py")
    assert codes((await editor.published("helper.py")).diagnostics) == ["2 JAX101"]
    write({"main.py": "from helper import show\n"})
    editor.wrote("main.py")
    assert codes((await editor.published("helper.py")).diagnostics) == []


async def test_configuration_is_followed_and_a_broken_one_said_once(editor: Editor, write: Write) -> None:
    write({"train.py": IMPURE})
    editor.open("train.py")
    assert codes((await editor.published("train.py")).diagnostics) == ["6 JAX101"]
    write({"jaxlint.toml": 'ignore = ["JAX101"]'})
    editor.wrote("jaxlint.toml")
    assert codes((await editor.published("train.py")).diagnostics) == []
    seen = len(editor.client.messages)
    write({"jaxlint.toml": "ignroe = []"})
    editor.wrote("jaxlint.toml")
    editor.replace("train.py", "print(x)", "print(x, x)")
    await editor.published("train.py")
    (message,) = editor.client.messages[seen:]
    assert message.message.endswith("jaxlint.toml: unknown key `ignroe`, did you mean `ignore`?")
    write({"jaxlint.toml": ""})
    editor.wrote("jaxlint.toml")
    assert codes((await editor.published("train.py")).diagnostics) == ["6 JAX101"]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 15), ("utf-16", 12), ("utf-32", 11)])
async def test_positions_are_counted_as_the_editor_does(start: Start, write: Write, encoding: str, column: int) -> None:
    write({"train.py": IMPURE.replace("    print(x)", "    '\x0c😀é'; print(x)")})
    editor = await start(
        capabilities("neovim@0.9.1", general=types.GeneralClientCapabilities(position_encodings=[encoding]))
    )
    assert editor.can.position_encoding == encoding
    editor.open("train.py")
    (found,) = (await editor.published("train.py")).diagnostics
    assert found.range == span(5, column, column + 8)
    # The same units in an edit.
    editor.change("train.py", types.TextDocumentContentChangePartial(span(5, column + 6, column + 7), "x + 10000"))
    (found,) = (await editor.published("train.py")).diagnostics
    assert found.range == span(5, column, column + 16)


def span(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line, start), types.Position(line, end))


async def test_pull(start: Start, write: Write) -> None:
    write({"helper.py": HELPER, "main.py": CALLER})
    editor = await start(PULLING)
    assert editor.can.diagnostic_provider.inter_file_dependencies
    editor.open("helper.py")
    first = await editor.pulled("helper.py")
    assert (first.kind, codes(first.items)) == ("full", [])
    again = await editor.pulled("helper.py", first.result_id)
    assert (again.kind, again.result_id) == ("unchanged", first.result_id)
    editor.replace("helper.py", "return x", "print(x)")
    assert codes((await editor.pulled("helper.py", first.result_id)).items) == ["2 JAX101"]
    # An edit of one file that changes the findings in another makes the editor ask for those.
    editor.open("main.py")
    await editor.pulled("main.py")
    editor.replace("main.py", "jax.jit(show)(1.0)", "show(1.0)")
    await editor.pulled("main.py")
    await editor.refreshed()
    assert codes((await editor.pulled("helper.py")).items) == []
    assert editor.client.diagnostics == {}, "diagnostics are pushed to an editor that asks for them"


async def test_the_whole_workspace_of_several_roots(start: Start, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "jaxlint.toml").write_text("")
        (tmp_path / name / "train.py").write_text(IMPURE)
        (tmp_path / name / "fine.py").write_text(HELPER)
    editor = await start(
        PULLING, settings={"diagnosticMode": "workspace"}, folders=[tmp_path / "one", tmp_path / "two"]
    )
    ask = editor.client.workspace_diagnostic_async
    first = (await ask(types.WorkspaceDiagnosticParams([]))).items
    found = {each.uri.removeprefix(tmp_path.as_uri() + "/"): codes(each.items) for each in first}
    assert found == {"one/fine.py": [], "one/train.py": ["6 JAX101"], "two/fine.py": [], "two/train.py": ["6 JAX101"]}
    known = [types.PreviousResultId(each.uri, each.result_id) for each in first]
    assert {each.kind for each in (await ask(types.WorkspaceDiagnosticParams(known))).items} == {"unchanged"}
    (tmp_path / "two" / "train.py").unlink()
    editor.folder = tmp_path
    editor.wrote("two/train.py", kind=types.FileChangeType.Deleted)
    later = (await ask(types.WorkspaceDiagnosticParams(known))).items
    assert [(each.uri, each.kind, codes(each.items)) for each in later if each.kind == "full"] == [
        (editor.uri("two/train.py"), "full", [])
    ]


async def test_settings_of_the_editor(start: Start, write: Write) -> None:
    write({"train.py": IMPURE, "other.py": IMPURE})
    editor = await start(options={"settings": {"ignore": ["JAX1"]}})
    editor.open("train.py")
    assert codes((await editor.published("train.py")).diagnostics) == []
    changed = types.DidChangeConfigurationParams({"jaxlint": {"diagnosticMode": "workspace"}})
    editor.client.workspace_did_change_configuration(changed)
    assert codes((await editor.published("other.py")).diagnostics) == ["6 JAX101"]
    assert codes((await editor.published("train.py")).diagnostics) == ["6 JAX101"]
    wrong = types.DidChangeConfigurationParams({"jaxlint": {"diagnosticMod": "workspace"}})
    editor.client.workspace_did_change_configuration(wrong)
    message = await editor.notified(types.WINDOW_SHOW_MESSAGE)
    assert message.message == "jaxlint: unknown setting `jaxlint.diagnosticMod`, did you mean `diagnosticMode`?"


async def test_an_editor_that_can_be_asked_is_asked(start: Start, write: Write) -> None:
    write({"train.py": IMPURE})
    can = capabilities("visual-studio-code", text_document__diagnostic=None)
    editor = await start(can, settings={"settings": {"ignore": ["JAX1"]}})
    editor.open("train.py")
    assert codes((await editor.published("train.py")).diagnostics) == []
    editor.client.set_configuration({}, section="jaxlint")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert codes((await editor.published("train.py")).diagnostics) == ["6 JAX101"]


async def test_the_first_look_at_a_project_shows_progress(start: Start, write: Write) -> None:
    write({"train.py": IMPURE})
    editor = await start(capabilities("visual-studio-code", text_document__diagnostic=None))
    editor.open("train.py")
    await editor.published("train.py")
    shown = [(await editor.notified(types.PROGRESS)).value["kind"] for _ in range(2)]
    assert shown == ["begin", "end"]
    editor.replace("train.py", "print(x)", "print(x, x)")
    await editor.published("train.py")
    assert len(editor.client.progress_reports) == 1


async def test_files_outside_the_workspace_new_ones_and_excluded_ones(editor: Editor, write: Write) -> None:
    write({"venv/lib.py": IMPURE, "jaxlint.toml": ""})
    editor.open("venv/lib.py")
    assert codes((await editor.published("venv/lib.py")).diagnostics) == []
    editor.open("untitled:Untitled-1", IMPURE)
    assert codes((await editor.published("untitled:Untitled-1")).diagnostics) == ["6 JAX101"]
