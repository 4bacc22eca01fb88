"""What MkDocs does not know by itself: pages made of cards and of the README, links, and the address of the site."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pages
import playground
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from jaxlint import __version__
from jaxlint.vocabulary import addresses
from jaxlint.vocabulary.rules import all_rules

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
RULES = list(all_rules().values())
HAS_PLAYGROUND = playground.is_fetched()
"""Asked once: what is fetched while a site is built is for the next one."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The address is that of the code (`jaxlint/vocabulary/addresses.py`); rules stand by family."""
    config.site_url = addresses.SITE or None
    config.copyright = f"jaxlint {__version__}"
    (section,) = (part["Rules"] for part in config.nav or [] if "Rules" in part)
    for family, members in groupby(RULES, key=lambda rule: rule.family):
        section.append({family.capitalize(): [{f"{rule.code} {rule.name}": _card(rule.code)} for rule in members]})
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    said = json.loads((HERE / "jax_says.json").read_text(encoding="utf-8"))["said"]
    made = {"rules/index.md": pages.rules_page(RULES), "index.md": ""}
    made |= {_card(rule.code): "" for rule in RULES}
    known = [*_written(files), "README.md", *made]
    for rule in RULES:
        tried = HAS_PLAYGROUND and playground.example(rule) is not None
        made[_card(rule.code)] = pages.rule_page(rule, said.get(rule.code, []), known, tried)
    made["index.md"] = _home((REPOSITORY / "README.md").read_text(encoding="utf-8"), known)
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    if HAS_PLAYGROUND:
        for name, content in playground.files(RULES):
            files.append(File.generated(config, f"{playground.PLACE}/{name}", content=content))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page of docs/ with its links; generated ones have theirs."""
    if page.file.generated_by is not None:
        return markdown
    if page.file.src_uri == "playground.md":
        markdown = markdown.replace(playground.MARK, playground.shown(HAS_PLAYGROUND))
    known = _written(files)
    known += [file.src_uri for file in files.documentation_pages() if file.generated_by is not None]
    return pages.on_site(markdown, f"docs/{page.file.src_uri}", known)


def _written(files: Files) -> list[str]:
    """The pages of docs/ and their pictures, from the top of the repository."""
    pictures = (file for file in files.media_files() if file.src_uri.startswith("images/"))
    pages_and_pictures = (*files.documentation_pages(), *pictures)
    return [f"docs/{file.src_uri}" for file in pages_and_pictures if file.generated_by is None]


def _card(code: str) -> str:
    return f"rules/{code}.md"


def _home(readme: str, known: list[str]) -> str:
    """The README as the first page; the index of a page that long stands beside it."""
    return "---\ntitle: jaxlint\nhide: [navigation]\n---\n" + pages.on_site(readme, "README.md", known)
