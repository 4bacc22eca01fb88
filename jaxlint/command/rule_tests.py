"""`jaxlint test-rule`: what a rule says of the examples on its card.

    ```python bad            each line that must be reported ends in `# CODE`
    ```python fixed          behind a bad one: what `--fix --unsafe-fixes` makes of it
    ```python good           nothing may be reported

A block may hold several files, each below a line `# file: PATH`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.files.reading import read_text
from jaxlint.fixes.fixing import accepted, fix
from jaxlint.project.documents import Document, document_of_python
from jaxlint.project.program import Program
from jaxlint.running.once import findings_of
from jaxlint.settings.configuration import ConfigurationError
from jaxlint.settings.own_rules import OwnRule, OwnRuleError, installed_rules, know_of, rule_in_file
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Finding

_BLOCK = re.compile(r"^```python (?P<kind>bad|good|fixed)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_PROGRAM = "program.py"
_ROOT = os.path.join(os.sep, "card")
"""No folder: examples are not written anywhere."""


@dataclass(frozen=True)
class Example:
    """A block of a card: what ``kind`` it is, the ``line`` that it begins on, and its files by their names.

    ``lines`` are those of the card that stand before each file; ``fixed`` are the files as a fix should leave them.
    """

    kind: str
    line: int
    files: dict[str, str]
    lines: dict[str, int]
    fixed: dict[str, str] | None = None


@dataclass(frozen=True)
class Tested:
    """The result for a rule: how many examples there were, and a line for each thing that is not as the card says."""

    rule: OwnRule
    examples: int
    failures: list[str]


def test_rule(card_or_code: str) -> Tested:
    """Runs a rule over its card's examples.  Raises ConfigurationError where there is no such rule or card."""
    try:
        know_of()
        rule = _rule(card_or_code)
        know_of([rule] if rule.file else [])
        examples = list(_examples(read_text(rule.rule.card)))
    except OwnRuleError as error:
        raise ConfigurationError(str(error)) from None
    name = os.path.relpath(rule.rule.card)
    failures = [f"{name}: no {kind} example" for kind in ("bad", "good") if all(one.kind != kind for one in examples)]
    for example in examples:
        failures += (f"{name}:{line}: {told}" for line, told in _failures(rule, example))
    return Tested(rule, len(examples), failures)


def _rule(card_or_code: str) -> OwnRule:
    installed = installed_rules()
    if not card_or_code.endswith(".md"):
        found = next((rule for rule in installed if rule.code == card_or_code.upper()), None)
        if found is None:
            raise OwnRuleError(f"{card_or_code}: no card of a rule (CARD.md), and no rule of an installed package")
        return found
    real = os.path.realpath(card_or_code)
    found = next((rule for rule in installed if os.path.realpath(rule.rule.card) == real), None)
    return found or rule_in_file(os.path.abspath(card_or_code))


def _examples(text: str) -> Iterator[Example]:
    """The examples of a card, each with what becomes of it."""
    last: Example | None = None
    for block in _BLOCK.finditer(text.replace("\r\n", "\n")):
        line, files = text.count("\n", 0, block.start()) + 1, _files(block["text"])
        lines = {name: text.count("\n", 0, block.start("text") + at) for name, (at, _) in files.items()}
        texts = {name: content for name, (_, content) in files.items()}
        if block["kind"] == "fixed":
            if last is None or last.kind != "bad":
                raise OwnRuleError(f"line {line}: what is fixed stands behind a bad example")
            last = Example("bad", last.line, last.files, last.lines, texts)
            continue
        if last is not None:
            yield last
        last = Example(block["kind"], line, texts, lines)
    if last is not None:
        yield last


def _files(text: str) -> dict[str, tuple[int, str]]:
    """The files of a block by their names, each with how far from the beginning it starts."""
    heads = list(_FILE.finditer(text))
    ends = [*(head.start() for head in heads), len(text)]
    files = {} if heads and not text[: ends[0]].strip() else {_PROGRAM: (0, text[: ends[0]])}
    return files | {head[1]: (head.end(), text[head.end() : end]) for head, end in zip(heads, ends[1:])}


def _failures(rule: OwnRule, example: Example) -> Iterator[tuple[int, str]]:
    """What is not as the card says of one example, with the line of the card."""
    documents = {}
    for name, text in example.files.items():
        path = os.path.join(_ROOT, name)
        documents[path] = document_of_python(path, text)
    found = {
        (example.lines[os.path.relpath(one.path, _ROOT)] + one.location.line, one) for one in _lint(rule, documents)
    }
    broken = sorted((line, f"{one.code} {one.message}") for line, one in found if one.code != rule.code)
    yield from broken
    reported = {line: one.message for line, one in found if one.code == rule.code}
    expected = set(_marked(rule, example)) if example.kind == "bad" else set()
    for line in sorted(expected | reported.keys()):
        if line not in reported:
            yield line, f"{rule.code} is expected and not reported"
        elif line not in expected:
            yield line, f"{rule.code} is reported and not expected: {reported[line]}"
    if example.kind == "bad" and not expected:
        yield example.line, f"no line of the bad example ends in `# {rule.code}`"
    if example.fixed is not None and not broken:
        fix(lambda now: _lint(rule, now), documents, accepted(unsafe=True))
        for name, text in example.fixed.items():
            now = documents.get(os.path.join(_ROOT, name))
            if now is None or _plain(rule, now.text) != _plain(rule, text):
                made = "" if now is None else f":\n{now.text.rstrip()}"
                yield example.line, f"--fix makes something else of {name}{made}"


def _marked(rule: OwnRule, example: Example) -> Iterator[int]:
    """The lines of the card that must be reported."""
    for name, text in example.files.items():
        for number, line in enumerate(text.splitlines(), 1):
            if line.rstrip().endswith(f"# {rule.code}"):
                yield example.lines[name] + number


def _lint(rule: OwnRule, documents: dict[str, Document]) -> list[Finding]:
    """What the rule reports, and why it could not."""
    rules = (rule,) if rule.file else ()
    settings = Settings(select=(rule.code,), certainty=Certainty.POSSIBLE, preview=True, rules=rules)
    return findings_of(Program(_ROOT, settings, documents.values(), documents))


def _plain(rule: OwnRule, text: str) -> list[str]:
    """The lines of a text without the marks, which a fix may leave or not."""
    return [line.rstrip().removesuffix(f"# {rule.code}").rstrip() for line in text.strip().splitlines()]
