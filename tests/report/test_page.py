"""The page that `jaxlint report` writes, as a browser shows it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxlint.command.cli import main
from jaxlint.report.page.build import Page
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Finding, Location, Proof, Verdict

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

TRAINING = """\
import jax
import jax.numpy as jnp


def act(x):
    return jnp.tanh(x)


def loss(params, x):
    print("loss of", x)
    return act(x @ params).sum()


@jax.jit
def fit(params, xs):
    def body(carry, x):
        return carry - jax.grad(loss)(carry, x), act(x)

    return jax.lax.scan(body, params, xs)


def evaluate(x):
    jax.debug.callback(log, x)
    return act(x)


def log(x):
    print(x)


scores = jax.jit(jax.vmap(evaluate))
"""

HOSTILE = """\
import jax


@jax.jit
def f(x):
    print(x, "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>", "\u202eabc\x0c")
    return x  # <b>bold</b> &amp;
"""


def write(folder: Path, files: dict[str, str]) -> str:
    """The address of the page about these files."""
    for name, text in {"jaxlint.toml": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    before = os.getcwd()
    os.chdir(folder)
    try:
        assert main(["report", "-q"]) == 0
    finally:
        os.chdir(before)
    return (folder / "jaxlint-report.html").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    driver = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium to open the page in")
    with driver.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def show(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page, and holds in the end that the browser had nothing to complain of and fetched nothing."""
    contexts: list[Any] = []
    complaints: list[str] = []
    fetched: list[str] = []

    def opened(address: str, **options: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": 1200, "height": 800}, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert {url.partition("#")[0] for url in fetched if not url.startswith("data:")} <= {fetched[0]}


def test_findings_and_pictures_are_visible_with_and_without_scripts(tmp_path: Path, show: Callable[..., Any]) -> None:
    address = write(tmp_path, {"train.py": TRAINING})
    for scripts in (True, False):
        page = show(address, java_script_enabled=scripts)
        (finding,) = page.locator(".finding").all()
        assert finding.is_visible()
        assert "JAX101" in finding.inner_text()
        assert finding.locator(".mark").all_inner_texts()[0] == "print("
        assert finding.locator(".diff .added").inner_text().strip() == '+    jax.debug.print("loss of {}", x)'
        first, second = page.locator("svg.picture").all()
        assert first.is_visible()
        names = [box.text_content() for box in first.locator(".box .name").all()]
        assert names == ["fit", "fit.body", "loss", "act"]
        assert first.locator(".box.found .name").text_content() == "loss"
        assert second.locator(".box.host .name").text_content() == "log"


def test_steps_and_boxes_lead_to_their_lines(tmp_path: Path, show: Callable[..., Any]) -> None:
    page = show(write(tmp_path, {"train.py": TRAINING}))
    line = page.locator("#s1-14")
    assert not line.is_visible()
    page.locator(".steps a.place").first.click()
    line.wait_for(state="visible")
    assert line.inner_text().strip().endswith("@jax.jit")
    page.locator(".under a").first.click()
    assert page.locator("details.trace:target strong").inner_text() == "fit"


def test_the_name_of_a_file_is_seen_however_long_its_path_is(tmp_path: Path, show: Callable[..., Any]) -> None:
    page = show(write(tmp_path, {f"{'folder/' * 12}train.py": TRAINING}))
    link = page.locator("nav a.path").first
    edge = link.bounding_box()
    folder, name = (link.locator(part).bounding_box() for part in (".folder", ".file"))
    assert name["x"] + name["width"] <= edge["x"] + edge["width"] + 1
    assert link.locator(".file").evaluate("each => each.scrollWidth <= each.clientWidth")
    assert link.locator(".folder").evaluate("each => each.scrollWidth > each.clientWidth")
    assert folder["x"] + folder["width"] <= name["x"] + 1


def test_search_and_keys(tmp_path: Path, show: Callable[..., Any]) -> None:
    page = show(write(tmp_path, {"train.py": TRAINING, "other.py": TRAINING}))
    page.keyboard.press("/")
    page.keyboard.type("other.py jax101")
    assert page.locator(".finding:visible").count() == 1
    assert page.locator("#shown").inner_text() == "1 finding, 0 traces"
    page.keyboard.press("Escape")
    assert page.locator(".finding:visible").count() == 2
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.id") == "f2"


def test_a_page_with_three_hundred_roots_starts_folded(tmp_path: Path, show: Callable[..., Any]) -> None:
    root = "@jax.jit\ndef f{0}(x):\n    return g{0}(x)\n\ndef g{0}(x):\n    return x + 1\n\n"
    files = {
        f"part{part}.py": "import jax\n" + "".join(root.format(n) for n in range(part * 30, part * 30 + 30))
        for part in range(10)
    }
    page = show(write(tmp_path, files))
    assert page.locator("details.trace").count() == 300
    assert page.locator("details.trace:visible").count() == 0
    page.locator("#search").fill("f217")
    assert page.locator("details.trace:visible strong").all_inner_texts() == ["f217"]


def test_source_text_stays_text(tmp_path: Path, show: Callable[..., Any]) -> None:
    page = show(write(tmp_path, {"<img src=x onerror=alert(2)>.py": HOSTILE}))
    assert page.title() == f"jaxlint: {tmp_path.name}"
    shown = page.locator(".finding .code").first.inner_text()
    assert "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>" in shown
    assert "\u202e" not in shown
    assert "<b>bold</b> &amp;" in shown
    assert page.locator("main img, main b b").count() == 0
    assert page.locator(".group h3").first.inner_text() == "<img src=x onerror=alert(2)>.py 1"


def test_a_verdict_is_shown_with_its_evidence(tmp_path: Path, show: Callable[..., Any]) -> None:
    verdict = Verdict(Proof.CONFIRMED_IF, "0.9", ("f(x: float32[3])", "line 1: shown"), ("x is float32[3]",))
    finding = Finding("JAX101", "print-in-traced-function", "a message", Location("/m.py", 1), verdict=verdict)
    path = tmp_path / "page.html"
    path.write_text(Page("t", [finding], {}, Sources({}, "/"), "now").html(), encoding="utf-8")
    page = show(path.as_uri())
    assert page.locator(".chip.verdict").inner_text() == "confirmed-if"
    assert page.locator(".evidence").inner_text().split("\n") == [
        "traced confirmed if x is float32[3] (jax 0.9)",
        "",
        "f(x: float32[3])",
        "line 1: shown",
    ]


def test_without_its_libraries_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    # The test environment has them: uninstalling is not to be had.
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["report"]) == 2
    assert capsys.readouterr().err.strip().endswith("pip install 'jaxlint-sharp-bits[report]'")
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_no_editor_shows_is_cut_around_the_place(tmp_path: Path, show: Callable[..., Any]) -> None:
    program = f'import jax\n\n\n@jax.jit\ndef f(x):\n    y = "{"a" * 100_000}"; print(x)\n    return x\n'
    page = show(write(tmp_path, {"long.py": program}))
    assert page.locator(".finding .mark").first.inner_text() == "print(x)"
    assert "jax.debug.print" in page.locator(".diff .added").inner_text()
    assert len(page.content()) < 150_000
