"""The README as the distribution carries it: its links are addresses, where the site has one.

Hatch calls this when it builds (`tool.hatch.metadata.hooks` in pyproject.toml).
"""

from __future__ import annotations

import os
import re
import runpy
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_DOCUMENT = re.compile(r"\]\(docs/([\w-]+)\.md(#[\w-]*)?\)")
_RULES = re.compile(r"\]\(rules/(?:(JAX\d+)\.md)?\)")


class Readme(MetadataHookInterface):
    """The fields `readme` and `urls`, which depend on where the site is."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fills both in."""
        site = runpy.run_path(os.path.join(self.root, "jaxlint", "vocabulary", "addresses.py"))["SITE"]
        with open(os.path.join(self.root, "README.md"), encoding="utf-8") as file:
            text = file.read()
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, site)}
        if site:
            metadata["urls"] = {"Documentation": site, "Rules": f"{site}rules/", "Changelog": f"{site}changelog/"}


def absolute(text: str, site: str) -> str:
    """A README whose links to the documentation lead to the site, if there is one."""
    if not site:
        return text
    text = _DOCUMENT.sub(lambda found: f"]({site}{found[1]}/{found[2] or ''})", text)
    return _RULES.sub(lambda found: f"]({site}rules/{found[1] + '/' if found[1] else ''})", text)
