"""The documentation as a site: it is built strictly, leads nowhere that is not there, and a browser shows it whole."""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from markdown_it import MarkdownIt

from jaxlint.api import __all__ as api
from jaxlint.vocabulary import addresses
from jaxlint.vocabulary.rules import all_rules

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Links(HTMLParser):
    """What one page refers to, the names of its places, and how many there are of some elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.counts: dict[str, int] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {name for name in (values.get("id"), values.get("name")) if name}
        self.targets += [link for link in (values.get("href"), values.get("src")) if link is not None]
        self.counts[tag] = self.counts.get(tag, 0) + 1


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `docs/contributing.md` says that it is built."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "docs/site/mkdocs.yml", "-d", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Links]:
    """All pages by their addresses below the site's."""
    return {
        path.relative_to(site).as_posix().removesuffix("index.html"): Links(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def test_every_link_leads_somewhere(site: Path, pages: dict[str, Links]) -> None:
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if not parts.scheme:
                address = urlsplit(urljoin(f"/{page}", target)).path.lstrip("/")
                assert address in pages or (site / unquote(address)).is_file(), f"{page}: {target}"
                if parts.fragment and address in pages:
                    assert unquote(parts.fragment) in pages[address].anchors, f"{page}: {target}"


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    loaded = re.compile(r"""<(?:script|img|iframe)\b[^>]*\bsrc="https?:|<link\b[^>]*rel="stylesheet"[^>]*https?:""")
    assert [path.name for path in site.rglob("*.html") if loaded.search(path.read_text(encoding="utf-8"))] == []


def test_each_rule_has_a_page_where_findings_lead_to(pages: dict[str, Links], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "SITE", "https://docs.example/")  # a checkout has no address
    for rule in all_rules().values():
        assert rule.url is not None
        assert rule.url.removeprefix("https://docs.example/") in pages


def test_the_list_has_every_rule_with_its_line(site: Path) -> None:
    text = (site / "rules" / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r'<tr class="rule".*?</tr>', text, re.DOTALL)
    assert len(rows) == len(all_rules())
    for row, rule in zip(rows, all_rules().values()):
        cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        assert cells[0] == rule.code
        assert cells[1].startswith(rule.name)
        assert cells[2:6] == [rule.family, rule.certainty.label, rule.fix, rule.stability]
        assert cells[6], f"{rule.code}: no line of its first bad example is reported"


def test_pages_of_rules_have_the_examples_and_nothing_of_the_tests(site: Path) -> None:
    for rule in all_rules().values():
        text = (site / "rules" / rule.code / "index.html").read_text(encoding="utf-8")
        for kind in ("bad", "good"):
            assert text.count(f'class="example {kind}"') == rule.body.count(f"```python {kind}\n"), rule.code
        assert "raises_here" not in text
        assert "```" not in text


def test_what_github_shows_the_site_shows(pages: dict[str, Links]) -> None:
    """Python's Markdown wants more blank lines and deeper margins than GitHub's: what it misses would be paragraphs."""
    reader = MarkdownIt("commonmark").enable("table")
    for path in sorted(DOCS.glob("*.md")):
        if path.name != "api.md":
            expected = Links(reader.render(path.read_text(encoding="utf-8"))).counts
            article = pages[f"{path.stem}/"].counts
            for tag in ("table", "pre", "blockquote"):
                assert article.get(tag, 0) >= expected.get(tag, 0), f"{path.name}: <{tag}>"


def test_pictures_are_on_the_site(pages: dict[str, Links]) -> None:
    shown = {target.rpartition("/")[2] for links in pages.values() for target in links.targets if "images/" in target}
    assert shown == {path.name for path in (DOCS / "images").iterdir()}


def test_the_reference_has_all_of_the_api(pages: dict[str, Links]) -> None:
    anchors = pages["api/"].anchors
    assert {name for name in api if not any(anchor.endswith(f".{name}") for anchor in anchors)} == set()


# -- in a browser -------------------------------------------------------------------------------------


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    driver = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium to open the site in")
    with driver.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def show(browser: Any, served: str) -> Iterator[Callable[..., Any]]:
    """Opens a page of the site, and holds in the end that nothing was fetched elsewhere or complained of."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(page: str, width: int = 1280, scheme: str = "light") -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        tab = contexts[-1].new_page()
        tab.on("console", lambda message: wrong.append(message.text))
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda request: wrong.append(request.url) if not _own(request.url, served) else None)
        tab.goto(served + page)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def _own(url: str, served: str) -> bool:
    return url.startswith((served, "data:", "blob:"))


def test_rules_are_searched_by_words_and_facts(show: Callable[..., Any]) -> None:
    page = show("rules/")
    page.locator(".rule-search input").fill("used again key")
    assert page.locator("tr.rule:visible").count() < 10
    page.locator(".rule-search input").fill("")
    page.locator("select[name=family]").select_option("random")
    page.locator("select[name=fix]").select_option("unsafe")
    rows = page.locator("tr.rule:visible").all()
    assert {row.get_attribute("data-family") for row in rows} == {"random"}
    assert page.locator("tr.family:visible").all_inner_texts() == ["Random"]
    assert page.url.endswith("?family=random&fix=unsafe")
    again = show("rules/?family=random&fix=unsafe")
    assert again.locator("tr.rule:visible").count() == len(rows)


def test_the_search_of_the_site_finds_a_rule(show: Callable[..., Any]) -> None:
    page = show("getting-started/")
    page.locator(".md-search__input").fill("TracerBoolConversionError")
    page.locator(".md-search-result__link").first.wait_for()
    assert "JAX20" in page.locator(".md-search-result__list").inner_text()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_pages_fit_the_window(show: Callable[..., Any], width: int, scheme: str) -> None:
    for address in ("rules/", "fixes/", "rules/JAX401/"):
        page = show(address, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, address
    bad, good = page.locator(".example.bad").first, page.locator(".example.good").first
    assert (bad.bounding_box()["y"] == good.bounding_box()["y"]) == (width > 1000)
