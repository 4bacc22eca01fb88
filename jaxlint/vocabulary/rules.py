"""The rules as their cards describe them.

A card is `rules/JAX401.md`: front matter between two `---` lines (`key: value`), then the page.  The cards lie
beside the package in a checkout and inside it in an installed wheel.
"""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass

from jaxlint.vocabulary.findings import Certainty, Severity

_CARD = re.compile(r"JAX\d{3}\.md\Z")


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
        """The page itself, Markdown without the front matter."""
        return _split_card(self.card)[1]

    @property
    def summary(self) -> str:
        """The first sentence of the page's first section, for lists."""
        for paragraph in re.split(r"\n\s*\n", self.body):
            text = " ".join(line for line in paragraph.splitlines() if not line.startswith("#")).strip()
            if text:
                return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
        return ""


def cards_folder() -> str:
    """The folder of the rule cards, in a wheel or in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "rules")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "rules")


@functools.cache
def all_rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the codes.

    Raises ValueError, naming the card, when a card's front matter is incomplete or has a bad value.
    """
    folder = cards_folder()
    names = sorted(name for name in os.listdir(folder) if _CARD.match(name)) if os.path.isdir(folder) else []
    rules = [_read_card(os.path.join(folder, name)) for name in names]
    return {rule.code: rule for rule in rules}


def find_rule(code_or_name: str) -> Rule | None:
    """The rule of this code (`JAX401`, any case) or name (`key-reused`), or None."""
    rules = all_rules()
    return rules.get(code_or_name.upper()) or _by_name().get(code_or_name.lower())


def codes_selected_by(selector: str) -> frozenset[str]:
    """The codes that a selector means: a code, the beginning of some, a name, or `ALL`; empty when it means none."""
    if selector.upper() == "ALL":
        return frozenset(all_rules())
    rule = _by_name().get(selector.lower())
    if rule is not None:
        return frozenset({rule.code})
    if not selector.upper().startswith("JAX"):
        return frozenset()
    return frozenset(code for code in all_rules() if code.startswith(selector.upper()))


@functools.cache
def _by_name() -> dict[str, Rule]:
    return {rule.name: rule for rule in all_rules().values()}


def _read_card(path: str) -> Rule:
    fields, _ = _split_card(path)
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
