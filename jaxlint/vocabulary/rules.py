"""The rules as their cards describe them.

A card is `rules/JAX401.md`: front matter between two `---` lines (`key: value`), then the page.  The cards lie
beside the package in a checkout and inside it in an installed wheel.  Rules that users write (`settings/own_rules.py`)
have cards of the same form wherever they like, and are among the rules for as long as a process knows of them.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from jaxlint.vocabulary.addresses import rule_page
from jaxlint.vocabulary.findings import Certainty, Severity

_CARD = re.compile(r"JAX\d{3}\.md\Z")
_OWN_CODE = re.compile(r"(?!JAX)[A-Z]{2,16}[0-9]{3,4}\Z")
_OWN_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+\Z")
_PREFIX = re.compile(r"[A-Z]+")

_USUAL = {
    "family": "custom",
    "certainty": "certain",
    "severity": "warning",
    "fix": "none",
    "dynamic": "none",
    "since": "",
    "stability": "stable",
}
"""What the card of a user's rule need not say."""

_FOR_TESTS = re.compile(r"```python (?:check|fixed)\n")  # opens code that runs the example above it
_EXCUSE = re.compile(r"<!-- not .* -->\n")  # why a test leaves an example out
_LEFT = re.compile(r"(?<=\d), not fixed$", re.MULTILINE)  # what `--fix` leaves, at the end of a marked line
"""What stands on a card for the tests alone (docs/contributing.md says what it means)."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule's metadata: the front matter of its card, and where the card is."""

    code: str
    name: str
    family: str
    certainty: Certainty
    severity: Severity
    fix: str
    dynamic: str
    since: str
    stability: str
    card: str

    @property
    def is_preview(self) -> bool:
        """Whether it is still measured on real code, and off unless it is asked for (`preview = true`)."""
        return self.stability == "preview"

    @property
    def body(self) -> str:
        """The page as people read it: Markdown without the front matter, and without what is there for the tests."""
        shown = "".join(_for_readers(_split_card(self.card)[1].splitlines(keepends=True)))
        return _LEFT.sub("", shown).rstrip() + "\n"

    @property
    def in_short(self) -> str:
        """Of the page what fits on a screen: what the rule reports, why that is bad, and what to write instead."""
        opening, *sections = re.split(r"^(?=## )", self.body, flags=re.MULTILINE)
        before = list(itertools.takewhile(lambda section: not section.startswith("## Examples"), sections))
        instead = [section for section in sections[len(before) :] if section.startswith("## I need to")]
        return "".join([opening, *before, *instead]).rstrip() + "\n"

    @property
    def url(self) -> str | None:
        """The page on the web; None where jaxlint has no address there, and for a card that is not its own."""
        return rule_page(self.code) if os.path.dirname(self.card) == cards_folder() else None

    @property
    def summary(self) -> str:
        """The first sentence of the page's first section, for lists."""
        for paragraph in re.split(r"\n\s*\n", self.body):
            text = " ".join(line for line in paragraph.splitlines() if not line.startswith("#")).strip()
            if text:
                return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
        return ""


def _for_readers(lines: list[str]) -> Iterator[str]:
    """The lines of a page without those that are there for the tests, each with the empty line after it."""
    is_inside = is_after = False
    for line in lines:
        if is_inside:
            is_inside = line != "```\n"
            is_after = not is_inside
        elif _FOR_TESTS.match(line):
            is_inside = True
        elif _EXCUSE.match(line):
            is_after = True
        else:
            if not (is_after and line == "\n"):
                yield line
            is_after = False


def cards_folder() -> str:
    """The folder of the rule cards, in a wheel or in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "rules")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "rules")


@functools.cache
def built_in_rules() -> dict[str, Rule]:
    """Every rule of jaxlint's own by its code, in the order of the codes.

    Raises ValueError, naming the card, when a card's front matter is incomplete or has a bad value.
    """
    folder = cards_folder()
    names = sorted(name for name in os.listdir(folder) if _CARD.match(name)) if os.path.isdir(folder) else []
    rules = [_read_card(os.path.join(folder, name)) for name in names]
    return {rule.code: rule for rule in rules}


@functools.cache
def all_rules() -> dict[str, Rule]:
    """Every rule by its code, jaxlint's own first, in the order of the codes.  Raises what `built_in_rules` does."""
    return built_in_rules() | dict(sorted(_OWN.items()))


_OWN: dict[str, Rule] = {}
"""The rules that users have written, as far as the process knows of them."""


def know_own_rules(rules: Iterable[Rule]) -> None:
    """From now on these are the rules that users have written."""
    found = {rule.code: rule for rule in rules}
    if found != _OWN:
        _OWN.clear()
        _OWN.update(found)
        all_rules.cache_clear()
        _by_name.cache_clear()


def find_rule(code_or_name: str) -> Rule | None:
    """The rule of this code (`JAX401`, any case) or name (`key-reused`), or None."""
    rules = all_rules()
    return rules.get(code_or_name.upper()) or _by_name().get(code_or_name.lower())


def codes_selected_by(selector: str) -> frozenset[str]:
    """The codes that a selector means: a code, the beginning of some, a name, or `ALL`; empty when it means none.

    The beginning of a code has all letters of it.
    """
    code = selector.upper()
    if code == "ALL":
        return frozenset(all_rules())
    rule = _by_name().get(selector.lower())
    if rule is not None:
        return frozenset({rule.code})
    return frozenset(one for one in all_rules() if one.startswith(code) and code.startswith(_letters(one)))


def _letters(code: str) -> str:
    found = _PREFIX.match(code)
    return found[0] if found else code


@functools.cache
def _by_name() -> dict[str, Rule]:
    return {rule.name: rule for rule in all_rules().values()}


def read_own_card(path: str) -> tuple[Rule, dict[str, str]]:
    """The rule that a card of a user's describes, and all that its front matter says.

    Raises OSError, and ValueError where the front matter is incomplete or has a bad value.
    """
    rule = _read_card(path, _USUAL)
    if not _OWN_CODE.match(rule.code):
        raise ValueError(f"{rule.code!r} is no code of a rule of your own: capital letters (not JAX) and 3 or 4 digits")
    if not _OWN_NAME.match(rule.name):
        raise ValueError(f"{rule.name!r} is no name of a rule: small letters, with hyphens, as in no-host-call")
    if any(rule.name == other.name for other in built_in_rules().values()):
        raise ValueError(f"{rule.name!r} is the name of one of jaxlint's rules")
    return rule, _split_card(path)[0]


def _read_card(path: str, usual: Mapping[str, str] = MappingProxyType({})) -> Rule:
    fields = {**usual, **_split_card(path)[0]}
    try:
        return Rule(
            code=fields["code"],
            name=fields["name"],
            family=fields["family"],
            certainty=Certainty[fields["certainty"].upper()],
            severity=Severity(fields["severity"]),
            fix=fields["fix"],
            dynamic=fields["dynamic"],
            since=fields["since"],
            stability=fields["stability"],
            card=path,
        )
    except (KeyError, ValueError) as error:
        raise ValueError(f"{os.path.basename(path)}: front matter lacks or misspells {error}") from None


def _split_card(path: str) -> tuple[dict[str, str], str]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    _, front, body = text.split("---\n", 2) if text.startswith("---\n") else ("", "", text)
    pairs = (line.partition(":") for line in front.splitlines() if line.strip())
    return {key.strip(): value.strip() for key, _, value in pairs}, body.lstrip("\n")
