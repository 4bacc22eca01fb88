"""Rules in files: whose are run, what a card may say, what they do to a file, and `jaxlint test-rule`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxlint.command.cli import main
from jaxlint.running.session import Session
from jaxlint.settings import own_rules
from jaxlint.settings.configuration import Configuration

CARD = """\
---
code: HOUSE102
name: no-debug-print
rule: no_debug_print.py:NoDebugPrint
fix: safe
---

# HOUSE102 no-debug-print

Debugging output is not for others.

```python bad
import jax

def f(x):
    jax.debug.print("é {}", x)  # HOUSE102
    return x
```

```python fixed
import jax

def f(x):
    return x
```

```python good
import jax

def f(x):
    print(x)
```
"""

RULE = """\
import libcst as cst
from jaxlint.cst import Rule, TracingProvider


class NoDebugPrint(Rule):
    METADATA_DEPENDENCIES = (TracingProvider,)

    def visit_Expr(self, node: cst.Expr) -> None:
        if isinstance(node.value, cst.Call):
            called = self.get_metadata(TracingProvider, node.value.func)
            if called.name == "jax.debug.print":
                self.report(node, "debugging output", replacement=cst.RemoveFromParent(), is_safe=True, fix="Remove it")
"""

TRAIN = """\
from jax import debug


def f(x):
    s = "é"; debug.print("ü {}", x) ; t = 2

    if x:
        # why
        debug.print("once")
        return s
    return t
"""


class House:
    """A project with a rule of its own, and a user."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.user = folder / "home" / "jaxlint" / "user.toml"

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._capsys.readouterr()
        code = main(arguments)
        output = self._capsys.readouterr()
        return code, output.out, output.err

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def trust(self, what: str = "") -> None:
        self.user.parent.mkdir(parents=True, exist_ok=True)
        self.user.write_text(what or f'trust = ["{self.folder}"]\n')


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[House]:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project / "home"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    made = House(project, capsys)
    made.write("lint/HOUSE102.md", CARD)
    made.write("lint/no_debug_print.py", RULE)
    made.write("jaxlint.toml", 'rules = ["lint/*.md"]\nextend-exclude = ["lint"]\n')
    made.write("train.py", TRAIN)
    yield made
    own_rules._IN_FILES.clear()  # a process knows of the rules that it has met
    own_rules.know_of()


def test_a_project_cannot_have_code_run(house: House) -> None:
    house.write("lint/no_debug_print.py", "raise SystemExit('it ran')")
    code, out, err = house("train.py")
    assert (code, out) == (0, "All checks passed!\n")
    card = house.folder / "lint" / "HOUSE102.md"
    told = f"the rule HOUSE102 is not run: {house.user} does not `trust` {card.parent}"
    assert err == f"warning: {card}: {told}\n"


def test_the_settings_that_hold_name_cards(house: House) -> None:
    card = house.folder / "lint" / "HOUSE102.md"
    assert f"# {card}: the rule HOUSE102 is not run" in house("--show-settings", "train.py")[1]
    house.trust()
    code, out, _ = house("--show-settings", "train.py")
    assert code == 0
    assert f'rules = ["{card}"]' in out


def test_its_settings_and_comments_speak_of_rules_that_are_not_run(house: House) -> None:
    house.write("jaxlint.toml", 'rules = ["lint/*.md"]\nignore = ["no-debug-print"]\n')
    house.write("train.py", TRAIN.replace('("once")', '("once")  # jaxlint: ignore[HOUSE102]'))
    assert house("train.py")[:2] == (0, "All checks passed!\n")
    house.write("jaxlint.toml", 'rules = ["lint/*.md"]\nignore = ["no-debug-prints"]\n')
    line = "jaxlint: jaxlint.toml: ignore: unknown rule `no-debug-prints`, did you mean `no-debug-print`?\n"
    assert house("train.py") == (2, "", line)


@pytest.mark.parametrize(
    "trust", ['trust = ["{folder}"]', 'trust = ["{parent}/pro*"]', 'rules = ["{folder}/lint/HOUSE102.md"]']
)
def test_the_user_can(house: House, trust: str) -> None:
    house.trust(trust.format(folder=house.folder, parent=house.folder.parent))
    code, out, err = house("--output-format", "concise", "--no-cache", "train.py")
    assert (code, err) == (1, "")
    assert out.splitlines()[:2] == [
        "train.py:5:14: HOUSE102 [*] debugging output",
        "train.py:9:9: HOUSE102 [*] debugging output",
    ]


def test_so_can_the_command_line_and_isolated_reads_neither_file(house: House) -> None:
    house.trust()
    assert house("--isolated", "train.py")[:2] == (0, "All checks passed!\n")
    assert house("--isolated", "--rules", "lint/HOUSE102.md", "train.py")[0] == 1


def test_a_class_outside_of_the_trusted_folder_is_not_run(house: House) -> None:
    house.write("lint/HOUSE102.md", CARD.replace("no_debug_print.py", "../no_debug_print.py"))
    house.write("no_debug_print.py", "raise SystemExit('it ran')")
    house.trust(f'trust = ["{house.folder}/lint"]')
    assert house("train.py")[:2] == (0, "All checks passed!\n")


def test_a_fix_changes_nothing_else(house: House) -> None:
    house.trust()
    house("--fix", "train.py")
    fixed = TRAIN.replace('debug.print("ü {}", x) ; ', "").replace('        # why\n        debug.print("once")\n', "")
    assert (house.folder / "train.py").read_text(encoding="utf-8") == fixed


def test_notebooks_are_looked_at_cell_by_cell(house: House) -> None:
    house.trust()
    cell = '{"cell_type": "code", "source": %s, "metadata": {}, "outputs": [], "execution_count": null}'
    cells = ", ".join(
        cell % source for source in ('["import jax\\n", "%time x = 1"]', '["jax.debug.print(\\"1\\")\\n", "x"]')
    )
    house.write("n.ipynb", f'{{"cells": [{cells}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}')
    out = house("--output-format", "concise", "n.ipynb")[1]
    assert out.startswith("n.ipynb:cell 2:1:1: HOUSE102")


def test_results_are_not_kept_beyond_a_change_of_the_rule(house: House) -> None:
    house.trust()
    assert "debugging output" in house("train.py")[1]
    house.write("lint/no_debug_print.py", RULE.replace('"debugging output"', '"left in"'))
    assert "left in" in house("train.py")[1]
    house.write("lint/HOUSE102.md", CARD.replace("fix: safe", "stability: preview"))
    assert "left in" not in house("train.py")[1]
    assert "left in" in house("--preview", "train.py")[1]


def test_a_rule_that_breaks_off_costs_nobody_else(house: House) -> None:
    house.trust()
    house.write("lint/no_debug_print.py", RULE.replace('if called.name == "jax.debug.print":', "if 1 / 0:"))
    code, out, _ = house("--output-format", "concise", "train.py")
    assert code == 1
    told = "the rule HOUSE102 broke off (ZeroDivisionError: division by zero)"
    assert f"train.py:1:1: JAX004 {told}, findings of it in this file may be missing\n" in out


@pytest.mark.parametrize(
    ("card", "rule", "told"),
    [
        ("", RULE, "front matter lacks or misspells 'code'"),
        (CARD.replace("HOUSE102", "JAX999"), RULE, "'JAX999' is no code of a rule of your own"),
        (CARD.replace("no-debug-print", "key-reused"), RULE, "'key-reused' is the name of one of jaxlint's rules"),
        (CARD.replace("name: no-debug-print", "name: Prints"), RULE, "'Prints' is no name of a rule"),
        (CARD.replace("fix: safe", "severity: bad"), RULE, "front matter lacks or misspells 'bad' is not a valid"),
        (CARD.replace(":NoDebugPrint", ""), RULE, "rule: expected the file and the class of the rule"),
        (CARD.replace("no_debug_print.py", "gone.py"), RULE, "rule: no such file: gone.py"),
        (CARD, "NoDebugPrint = 1", "NoDebugPrint is no subclass of jaxlint.cst.Rule"),
        (CARD, RULE.replace("TracingProvider", "FindingProvider"), "NoDebugPrint asks for findings: they are made"),
        (CARD, "", "the rule HOUSE102 cannot be loaded: AttributeError: module"),
        (CARD, "def", "the rule HOUSE102 cannot be loaded: SyntaxError: invalid syntax"),
    ],
)
def test_what_is_wrong_is_one_line(house: House, card: str, rule: str, told: str) -> None:
    house.trust()
    house.write("lint/HOUSE102.md", card)
    house.write("lint/no_debug_print.py", rule)
    code, out, err = house("train.py")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "lint/HOUSE102.md: " in err
    assert told in err


def test_what_is_wrong_with_the_users_file_is_one_line(house: House) -> None:
    house.trust("trusts = []")
    assert house("train.py") == (2, "", f"jaxlint: {house.user}: unknown key `trusts`, did you mean `trust`?\n")
    house.trust("rules = 3")
    assert house("train.py")[2] == f"jaxlint: {house.user}: rules: expected a list of strings, found 3\n"


def test_a_card_is_a_test(house: House) -> None:
    told = "HOUSE102 no-debug-print: 2 examples, all as the card says\n"
    assert house("test-rule", "lint/HOUSE102.md") == (0, told, "")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  # HOUSE102", "", "HOUSE102.md:16: HOUSE102 is reported and not expected: debugging output"),
        ("    print(x)", "    print(x)  # HOUSE102\n```\n```python bad\n1", "no line of the bad example ends in"),
        ("def f(x):\n    jax.", "import jax.debug\njax.", "HOUSE102.md:16: HOUSE102 is expected and not reported"),
        ("```python good", "```python", "lint/HOUSE102.md: no good example"),
        ("    return x\n```\n\n```python good", "    return 1\n```\n\n```python good", "--fix makes something else"),
        ("    print(x)", "    jax.debug.print(x)", "HOUSE102.md:31: HOUSE102 is reported and not expected"),
    ],
)
def test_a_card_that_tells_something_else_fails(house: House, old: str, new: str, told: str) -> None:
    assert old in CARD
    house.write("lint/HOUSE102.md", CARD.replace(old, new))
    code, out, _ = house("test-rule", "lint/HOUSE102.md")
    assert code == 1
    assert told in out


def test_it_is_there_while_one_types(house: House) -> None:
    house.trust()
    session = Session(Configuration(str(house.folder)))
    session.open("train.py", TRAIN)
    assert [finding.code for finding in session.findings("train.py")] == ["HOUSE102", "HOUSE102"]
    session.change("train.py", TRAIN.replace('debug.print("once")', "pass"))
    (left,) = session.findings("train.py")
    assert left.fix is not None
    assert left.fix.message == "Remove it"
