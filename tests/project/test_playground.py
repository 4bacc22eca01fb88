"""The playground: what it says in Python, and the page itself in a browser, with the Python that runs there."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jaxlint.vocabulary.rules import all_rules

REPOSITORY = Path(__file__).parents[2]
SITE = REPOSITORY / "docs" / "site"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

PRINTS = """\
import jax

@jax.jit
def step(x, scale):
    print("wide 😀", x)
    if scale > 1:
        x = x * scale
    return x

def draw(key):
    a = jax.random.normal(key)
    return a + jax.random.normal(key)
"""

HOSTILE = """\
import jax

@jax.jit
def step(x):
    print("<img src=x onerror=alert(1)>", x)  # </pre></textarea><script>alert(2)</script>
    assert x > 0, "<b onclick='alert(3)'>"
    return getattr(x, "<svg onload=alert(4)>")
"""


def examples() -> list[dict[str, Any]]:
    """The menu, without its groups."""
    return [example for family in build.examples(all_rules().values()) for example in family["examples"]]


def load(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, SITE / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


build = load("playground")
session = load("playground_session")


# -- in Python ----------------------------------------------------------------------------------------


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., Any]:
    playground = session.Playground(str(tmp_path))
    return lambda do, **more: json.loads(playground.answer(json.dumps({"do": do, **more})))


def utf16(text: str, start: int, end: int) -> str:
    """What JavaScript means by a range of a text."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def test_places_are_those_of_javascript(ask: Callable[..., Any]) -> None:
    told = ask("check", text=PRINTS, fixes=True)
    places = {finding["code"]: utf16(PRINTS, finding["start"], finding["end"]) for finding in told["findings"]}
    assert places == {
        "JAX101": 'print("wide 😀", x)',
        "JAX201": "scale > 1",
        "JAX401": "jax.random.normal(key)",
    }
    at = len(PRINTS[: PRINTS.index(", x)") + 2].encode("utf-16-le")) // 2
    hover = ask("hover", offset=at)
    assert "traced" in hover["lines"][0]
    assert utf16(PRINTS, hover["start"], hover["end"]) == "x"
    assert [utf16(PRINTS, *span) for span in ask("traced")["spans"]] == ["x", "scale"]
    edits = told["findings"][0]["fix"]["edits"]
    assert all(utf16(PRINTS, edit["start"], edit["end"]) in PRINTS for edit in edits)


def test_safe_fixes_are_made_at_once(ask: Callable[..., Any]) -> None:
    assert ask("check", text=PRINTS, fixes=True)["can fix"]
    fixed = ask("fix all")
    assert fixed["count"] == 1
    assert "jax.debug.print(" in fixed["text"]
    assert "print runs once" in "".join(ask("why", line=5)["lines"]), "the text is the old one until it is asked for"


def test_while_a_line_does_not_parse_the_rest_stays(ask: Callable[..., Any]) -> None:
    ask("check", text=PRINTS, fixes=True)
    broken = PRINTS.replace("def draw(key):", "half = (\n\ndef draw(key):").replace("wide 😀", "wider 😀")
    told = ask("check", text=broken, fixes=True)
    places = {finding["code"]: utf16(broken, finding["start"], finding["end"]) for finding in told["findings"]}
    assert places.pop("JAX001") == ""
    assert places == {"JAX101": 'print("wider 😀", x)', "JAX201": "scale > 1", "JAX401": "jax.random.normal(key)"}
    assert not told["can fix"]
    assert ask("fix all") == {"text": broken, "count": 0}
    assert [utf16(broken, *span) for span in ask("traced")["spans"]] == ["x", "scale"]
    at = len(broken[: broken.index("key)\n    return")].encode("utf-16-le")) // 2
    assert ask("hover", offset=at)["lines"][0].startswith("key: ")
    assert ask("hover", offset=broken.index("half")) == {"lines": []}
    assert "key" in "".join(ask("why", line=14)["lines"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = (" * 200, "JAX001"),
        ("def f(:\n", "JAX001"),
        ("import jax\n\0", "JAX001"),
        ("x = " + "-" * 400 + "1", "This text nests deeper than 300 levels"),
    ],
)
def test_what_cannot_be_analysed_is_one_line(ask: Callable[..., Any], text: str, told: str) -> None:
    answer = ask("check", text=text, fixes=True)
    found = answer.get("findings", [])
    assert [answer["error"].startswith(told)] if "error" in answer else [one["code"] for one in found] == [told]
    assert ask("hover", offset=0) == {"lines": []} or "error" in ask("hover", offset=0)
    assert ask("check", text="import jax\n", fixes=True)["findings"] == []


def test_the_menu_has_examples_in_which_the_rule_is_found(tmp_path: Path) -> None:
    assert len(examples()) > 0.8 * len(all_rules())
    for example in examples():
        options = {name: name in example["needs"] for name in ("possible", "preview")}
        found = session.Playground(str(tmp_path), **options).check(example["text"], fixes=False)["findings"]
        assert example["code"] in {finding["code"] for finding in found}
        assert not re.search(r"# JAX\d", example["text"]), example["code"]


# -- in a browser -------------------------------------------------------------------------------------


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *args: Any) -> None:
        """A page that is left does not wait for what it has asked for."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with the playground in it, which needs what it runs on."""
    pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium to open the playground in")
    if not build.is_fetched():
        try:
            build.fetch()
        except build.CannotFetchError as error:
            pytest.skip(f"Pyodide and libcst cannot be fetched: {error}")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "docs/site/mkdocs.yml", "-d", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    handler = functools.partial(Quiet, directory=str(folder))
    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def context(served: str) -> Iterator[Any]:
    """A browser in which nothing is fetched from elsewhere, no dialog opens and no script fails."""
    from playwright.sync_api import sync_playwright

    wrong: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = browser.new_context(
            viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
        )
        made.on("request", lambda request: None if _own(request.url, served) else wrong.append(request.url))
        made.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        made.on("weberror", lambda error: wrong.append(str(error.error)))
        yield made
        browser.close()
    assert wrong == []


@pytest.fixture(scope="module")
def started(context: Any, served: str) -> Any:
    """The page when its first result is there and fixes can be made."""
    page = context.new_page()
    page.goto(f"{served}playground/")
    page.wait_for_selector(".playground[data-state=ready]", timeout=90_000)
    print(f"cold: {page.get_attribute('.playground', 'data-cold')} ms")
    page.wait_for_selector(".playground .fix", timeout=60_000)
    return page


def _own(url: str, served: str) -> bool:
    return url.startswith((served, "data:", "blob:"))


def write(page: Any, text: str) -> None:
    """Puts a text in as one edit, as pasting does, and waits for what is said of it."""
    page.evaluate(
        """text => {
            const area = document.querySelector(".playground textarea");
            area.value = text;
            area.dispatchEvent(new Event("input"));
        }""",
        text,
    )
    page.wait_for_selector(".playground:not([data-state=edited])", timeout=60_000)


def codes(page: Any) -> list[str]:
    found: list[str] = page.locator(".found .head a").all_inner_texts()
    return found


def text_of(page: Any) -> str:
    text: str = page.input_value(".playground textarea")
    return text


def test_findings_lead_to_their_places_and_say_why(started: Any) -> None:
    write(started, PRINTS)
    assert codes(started) == ["JAX101", "JAX201", "JAX401"]
    assert started.locator(".marks .error, .marks .warning").all_inner_texts()[0] == 'print("wide 😀", x)'
    started.locator(".found > ol > li").nth(2).locator(".head .place").click()
    assert started.evaluate("getSelection().toString()") == "jax.random.normal(key)"
    why = started.locator(".found > ol > li").nth(1).locator("details")
    why.locator("summary").click()
    why.locator("pre .place").first.wait_for()
    assert "scale: traced" in why.inner_text()
    assert "`jax.jit` is applied here" in why.inner_text()


def test_a_fix_is_applied_and_taken_back(started: Any) -> None:
    write(started, PRINTS)
    started.locator(".found > ol > li").nth(0).locator(".apply").click()
    started.wait_for_selector(".playground[data-state=ready]")
    assert codes(started) == ["JAX201", "JAX401"]
    assert 'jax.debug.print("wide 😀 {}", x)' in text_of(started)
    started.keyboard.press("Control+z")
    started.wait_for_selector(".found li:nth-child(3)")
    assert text_of(started) == PRINTS
    started.click("[name=fix-all]")
    started.wait_for_function("document.querySelector('.playground textarea').value.includes('jax.debug.print')")


def test_the_pointer_and_the_cursor_tell_what_is_traced(started: Any) -> None:
    write(started, PRINTS)
    started.locator(".marks .traced").first.wait_for()
    assert started.locator(".marks .traced").all_inner_texts() == ["x", "scale"]
    box = started.locator(".colours .keyword", has_text="if").bounding_box()
    letter = box["width"] / 2
    started.mouse.move(box["x"] + 4 * letter, box["y"] + box["height"] / 2)  # in `scale`, behind `if `
    started.wait_for_selector(".tip:visible pre")
    assert "scale: traced" in started.inner_text(".tip")
    assert "JAX201" in started.inner_text(".tip")
    started.keyboard.press("Escape")
    assert started.is_hidden(".tip")
    at = PRINTS.encode("utf-16-le").index("key)".encode("utf-16-le")) // 2
    started.evaluate("at => document.querySelector('.playground textarea').setSelectionRange(at, at)", at)
    started.focus(".playground textarea")
    started.wait_for_function("document.querySelector('.here').textContent.startsWith('key: ')")


def test_a_link_brings_the_text_back(started: Any, context: Any, served: str) -> None:
    write(started, HOSTILE)
    started.check("[name=possible]")
    started.click("[name=share]")
    started.wait_for_url("**/playground/#code=*")
    assert started.evaluate("navigator.clipboard.readText()") == started.url
    other = context.new_page()
    other.goto(started.url)
    other.wait_for_function("document.querySelector('.playground textarea').value")
    assert text_of(other) == HOSTILE
    assert other.is_checked("[name=possible]")
    for fragment in ("code=%3Cimg%20src=x%20onerror=alert(1)%3E", "code=AAAA", "code=" + packed(b"\0" * 50_000_000)):
        other.goto("about:blank")
        other.goto(f"{served}playground/#{fragment}")
        other.wait_for_selector(".playground[data-state=failed]")
        assert re.match(r"(This link is not whole|The text of this link is too long)", other.inner_text(".status"))
    other.goto(f"{served}playground/?rule=JAX201")
    other.wait_for_function("document.querySelector('.playground textarea').value.includes('import jax')")
    assert text_of(other) == next(one["text"] for one in examples() if one["code"] == "JAX201")
    other.close()
    started.uncheck("[name=possible]")


def packed(data: bytes) -> str:
    import base64
    import zlib

    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


def test_nothing_in_a_text_is_html(started: Any) -> None:
    write(started, HOSTILE)
    assert "JAX101" in codes(started)
    started.locator(".found details summary").first.click()
    started.locator(".found details pre .place").first.wait_for()
    assert "<img src=x onerror=alert(1)>" in started.inner_text(".found")
    assert started.locator(".playground :is(img, b[onclick], svg, script:not([src]))").count() == 0


def test_the_newest_syntax_is_read(started: Any) -> None:
    """Python in the browser is 3.14; a template string formats nothing."""
    write(started, "import jax\n\n@jax.jit\ndef f(x):\n    y = t'{x:.2f}'\n    x[0] = 1\n    return x, y\n")
    assert codes(started) == ["JAX301"]


def test_what_is_too_much_is_one_line(started: Any) -> None:
    write(started, "x = 1\n" * 200_000)
    assert started.inner_text(".status").startswith("This text has 1,200,000 characters; the playground takes 200,000.")
    assert codes(started) == []
    write(started, "x = " + "-" * 5000 + "1\n")
    assert started.inner_text(".status").startswith("This text nests deeper than 300 levels")
    write(started, "def f(:\n")
    assert codes(started) == ["JAX001"]
    write(started, PRINTS)
    assert len(codes(started)) == 3


def test_a_worker_that_ends_is_replaced(started: Any) -> None:
    """The page that a worker ends on says so in a line, and the next text has another worker."""
    write(started, PRINTS)
    (worker,) = (one for one in started.workers if "/playground/" in one.url)
    with started.expect_worker():
        worker.evaluate(
            "() => { self.onmessage = ({ data }) => postMessage({ id: data.id, fatal: 'out of memory' }); }"
        )
        write(started, PRINTS + "# again\n")
    assert started.inner_text(".status").startswith("The analysis of this text ended (out of memory)")
    write(started, PRINTS + "# and again\n")
    assert len(codes(started)) == 3


def test_what_goes_wrong_is_said(context: Any, served: str) -> None:
    """Files that cannot be had: the menu, what makes fixes, and Python itself, which the next edit tries again."""
    page = context.new_page()
    page.route("**/examples.json", lambda route: route.fulfill(status=404))
    page.route("**/libcst.zip", lambda route: route.fulfill(status=503))
    page.goto(f"{served}playground/")
    page.wait_for_selector(".playground[data-state=failed]", timeout=90_000)
    assert page.inner_text(".status") == "Fixes cannot be made here: runtime/libcst.zip: 503."
    assert page.is_disabled("[name=example]")
    write(page, PRINTS)
    assert codes(page) == ["JAX101", "JAX201", "JAX401"]
    page.unroute("**/libcst.zip")
    page.route("**/jaxlint.zip", lambda route: route.fulfill(status=503))
    page.goto("about:blank")
    page.goto(f"{served}playground/")
    page.wait_for_selector(".playground[data-state=failed]", timeout=90_000)
    assert page.inner_text(".status") == "Python could not be started: runtime/jaxlint.zip: 503."
    page.unroute("**/jaxlint.zip")
    write(page, PRINTS)
    assert codes(page) == ["JAX101", "JAX201", "JAX401"]
    page.close()


def test_half_a_character_is_checked_too(started: Any) -> None:
    started.evaluate("document.querySelector('.playground textarea').setRangeText('import jax\\nx = \"\\ud83d\"\\n')")
    started.evaluate("document.querySelector('.playground textarea').dispatchEvent(new Event('input'))")
    started.wait_for_selector(".playground:not([data-state=edited])", timeout=20_000)


def test_an_edit_has_its_result_soon(started: Any) -> None:
    write(started, PRINTS)
    started.wait_for_selector(".playground .fix", timeout=60_000)
    started.focus(".playground textarea")
    started.keyboard.press("Control+End")
    took = []
    for number in range(8):
        started.keyboard.type(f"y{number} = draw(jax.random.key({number}))\n")
        started.wait_for_selector(".playground[data-state=ready]")
        time.sleep(0.3)
        took.append(int(started.get_attribute(".playground", "data-edit")))
    print(f"after an edit: {sorted(took)} ms")
    results = "() => window.results = (window.results ?? 0) + 1"
    started.evaluate(f"new MutationObserver({results}).observe(document.querySelector('.found'), {{childList: true}})")
    started.keyboard.type("z = 1\n" * 40, delay=15)
    assert started.evaluate("window.results") > 3, "results come while one types"
    started.wait_for_selector(".playground[data-state=ready]", timeout=20_000)
    assert codes(started) == ["JAX101", "JAX201", "JAX401"]
    assert sorted(took)[len(took) // 2] < 3000, "a busy machine may take longer than 0.3 s"


def test_the_keyboard_reaches_and_leaves_the_text(started: Any) -> None:
    write(started, "")
    started.focus(".playground textarea")
    started.keyboard.type("def f():\nreturn 1")
    assert text_of(started) == "def f():\n    return 1"
    started.keyboard.press("Tab")
    assert text_of(started) == "def f():\n    return 1    "
    started.keyboard.press("Escape")
    started.keyboard.press("Tab")
    assert started.evaluate("document.activeElement.tagName") != "TEXTAREA"


def test_the_menu_has_what_it_says(started: Any) -> None:
    started.select_option("[name=example]", "JAX701")
    started.wait_for_function("document.querySelector('.found .head a')?.textContent === 'JAX701'", timeout=20_000)
    assert started.is_checked("[name=preview]")
    started.uncheck("[name=preview]")


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_the_page_fits_the_window(started: Any, width: int, scheme: str) -> None:
    started.set_viewport_size({"width": width, "height": 800})
    started.emulate_media(color_scheme=scheme)
    write(started, PRINTS + "# " + "long " * 100 + "\n")
    assert started.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    code, found = (started.locator(f".playground {part}").bounding_box() for part in (".editor", ".found"))
    assert (code["y"] + code["height"] <= found["y"]) == (width < 900)
