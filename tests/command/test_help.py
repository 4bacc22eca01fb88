"""`--help`: a page that fits the terminal, for each command and for all."""

from __future__ import annotations

import argparse
import re

import pytest

from jaxlint.command.arguments import COMMANDS, parser_for
from jaxlint.command.cli import main
from tests.command.conftest import Jaxlint

OURS = [name for name in COMMANDS if parser_for(name) is not None]


def helped(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_page_is_no_wider_than_the_terminal(
    command: str, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    page = helped(capsys, *filter(None, [command]), "--help")
    assert max(map(len, page.splitlines())) <= columns
    assert page.endswith("\n")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_first_page_has_the_commands_as_a_table(
    flag: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = helped(capsys, flag).splitlines()
    assert lines[:3] == [
        "Find the sharp bits in JAX code without running it.",
        "",
        "Usage: jaxlint [COMMAND] [OPTIONS] [PATH...]",
    ]
    table = lines[lines.index("Commands:") + 1 :]
    table = table[: table.index("")]
    assert [line.split()[0] for line in table if line[2] != " "] == list(COMMANDS)
    columns = {len(re.match(r"  \S+ +", line)[0]) for line in table if line[2] != " "}  # type: ignore[index]
    assert len(columns) == 1


def test_options_stand_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    page = helped(capsys, "check", "--help")
    titles = [line.rstrip(":") for line in page.splitlines() if line.endswith(":") and line[0].isupper()]
    assert titles[0] == "Arguments"
    assert titles[-1] == "General"
    assert {"Rules", "Files", "Fixes", "Known findings", "Report", "Dynamic mode", "Configuration"} < set(titles)
    fixes = page.split("\nFixes:\n")[1].split("\n\n")[0]
    assert "--diff" in fixes
    assert "--select" not in fixes


@pytest.mark.parametrize("command", OURS)
def test_every_option_is_there_and_explained(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    parser = parser_for(command)
    assert parser is not None
    page = " ".join(helped(capsys, command, "--help").split())
    for action in parser._actions:
        assert action.help
        assert action.help is not argparse.SUPPRESS
        written = ", ".join(action.option_strings) or action.metavar
        assert f"{written}" in page
        assert action.help in page


def test_what_a_command_takes_is_in_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    used = {name: helped(capsys, name, "--help").splitlines()[2] for name in ("check", "rule", "why", "clean")}
    assert used == {
        "check": "Usage: jaxlint check [OPTIONS] [PATH...]",
        "rule": "Usage: jaxlint rule [OPTIONS] [RULE]",
        "why": "Usage: jaxlint why [OPTIONS] FILE:LINE",
        "clean": "Usage: jaxlint clean [OPTIONS]",
    }


MISSPELT = {
    "chekc": "jaxlint: chekc: no such command, file or folder, did you mean `check`?",
    "rul JAX101": "jaxlint: rul: no such command, file or folder, did you mean `rule`?",
    "--selct=JAX1 .": "jaxlint: no such option: --selct, did you mean `--select`?",
    "check . --output-fromat json": "jaxlint: no such option: --output-fromat, did you mean `--output-format`?",
    "report --formt html": "jaxlint: no such option: --formt, did you mean `--format`?",
    "check -x": "jaxlint: no such option: -x",
    "why a.py:1 b.py:2": "jaxlint: one argument too many: b.py:2",
    "rule --output-format yaml": "jaxlint: argument --output-format: expected text or json, found yaml",
    "rule --output-format jsno": "jaxlint: argument --output-format: expected text or json, found jsno, "
    "did you mean `json`?",
    "generate-shell-completion zhs": "jaxlint: argument SHELL: expected bash, fish or zsh, found zhs, "
    "did you mean `zsh`?",
}


@pytest.mark.parametrize(("arguments", "line"), MISSPELT.items(), ids=MISSPELT)
def test_what_is_misspelt_is_one_line(jaxlint: Jaxlint, arguments: str, line: str) -> None:
    outcome = jaxlint(*arguments.split())
    assert (outcome.code, outcome.out, outcome.err) == (2, "", line + "\n")


def test_a_file_goes_before_a_command_of_a_similar_name(jaxlint: Jaxlint, write: object) -> None:
    write({"chekc/a.py": "x = 1\n"})  # type: ignore[operator]
    assert jaxlint("chekc").code == 0
    assert jaxlint("cheese.py").err == "jaxlint: cheese.py: no such file or folder\n"


def test_a_misspelt_path_is_told_with_what_is_there(jaxlint: Jaxlint, write: object) -> None:
    write({"src/train.py": "x = 1\n"})  # type: ignore[operator]
    told = "jaxlint: {}: no such file or folder, did you mean `{}`?\n"
    assert jaxlint("src/trian.py").err == told.format("src/trian.py", "src/train.py")
    assert jaxlint("scr/").err == told.format("scr/", "src")
