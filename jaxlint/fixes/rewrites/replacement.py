"""What a rule of the user's puts in the place of a node; the rule has made the text of it."""

from __future__ import annotations

from jaxlint.fixes.source import Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    applicability = Applicability.SAFE if repair.fact("safe") else Applicability.UNSAFE
    content = repair.fact("content") or ""
    message = repair.fact("message") or "Make the change that the rule proposes"
    return Fix(message, applicability, (Edit(repair.location, content),))
