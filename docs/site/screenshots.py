"""The pictures in docs/images, taken by Chromium: the report about a small program, and the site.

python docs/site/screenshots.py            needs the extras `docs` and `report`, playwright, and Chromium on the path
"""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
IMAGES = HERE.parent / "images"

MODEL = """\
import jax
import jax.numpy as jnp


def start(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, (m, n)) for k, m, n in zip(keys, sizes, sizes[1:])]


def dropout(key, x, rate):
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)


def layer(weights, x):
    return x @ weights


def apply(params, key, x, rate=0.1):
    for hidden in params[:-1]:
        x = jax.nn.relu(layer(hidden, x))
        x = dropout(key, x, rate)
    return layer(params[-1], x)
"""

TRAIN = """\
import jax
import jax.numpy as jnp

from model import apply


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * labels, axis=-1))


def loss(params, key, images, labels):
    return cross_entropy(apply(params, key, images), labels)


def update(carry, batch):
    params, key = carry
    key, step_key = jax.random.split(key)
    value, gradients = jax.value_and_grad(loss)(params, step_key, *batch)
    if value > 100:
        gradients = jax.tree.map(jnp.zeros_like, gradients)
    jax.debug.callback(report, value)
    return (jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients), key), value


@jax.jit
def epoch(params, key, batches):
    return jax.lax.scan(update, (params, key), batches)


def report(value):
    print(f"loss {value:.3f}")


def predict(params, image):
    return jnp.argmax(apply(params, jax.random.key(0), image))


predict_all = jax.jit(jax.vmap(predict, in_axes=(None, 0)))
"""

PICTURES = {
    "report.png": ("report", "", "light", (1280, 1000)),
    "traces.png": ("report", "#traces", "light", (1280, 840)),
    "rules.png": ("site", "rules/?family=random", "light", (1280, 900)),
    "rule.png": ("site", "rules/JAX201/", "dark", (1280, 1100)),
}
"""What each picture shows: of the report or the site, where, and the window."""


def report(folder: Path) -> str:
    """The address of the report about the program."""
    project = folder / "mnist"
    project.mkdir()
    for name, text in {"jaxlint.toml": "", "model.py": MODEL, "train.py": TRAIN}.items():
        (project / name).write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "jaxlint", "report", "--quiet"], cwd=project, check=True)
    return (project / "jaxlint-report.html").as_uri()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Requests are not told of."""


def serve(folder: Path) -> str:
    """The address of the site, built and served until this process ends."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(HERE / "mkdocs.yml"), "-d", str(folder)]
    subprocess.run(command, check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def main() -> int:
    """Takes all pictures; 2 without a browser."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("screenshots: there is no Chromium on the path", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        addresses = {"report": report(folder), "site": serve(folder / "site")}
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for picture, (part, place, scheme, (width, height)) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(addresses[part] + place)
            page.wait_for_timeout(500)  # the last transition has ended
            page.screenshot(path=IMAGES / picture)
            print(f"docs/images/{picture}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
