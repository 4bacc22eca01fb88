"""Where jaxlint is on the web: one setting, of which all links are made that reports, editors and the README carry."""

from __future__ import annotations

SITE = ""
"""The address of the documentation, with a slash at its end.  It is empty in a checkout, and nothing links there;
a release fills it in (`.ci/release.py`)."""


def rule_page(code: str) -> str | None:
    """The address of a rule's page, or None where there is no site."""
    return f"{SITE}rules/{code}/" if SITE else None
