"""The picture of a notebook in docs/images: its cells run by a kernel, shown by JupyterLab, taken by Chromium.

python docs/site/notebook_picture.py [--dark FILE.png]

Needs jupyterlab, nbclient, ipykernel, jax and playwright, and Chromium on the path. With `--dark` the theme is dark.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from playwright.sync_api import sync_playwright

IMAGE = Path(__file__).parent.parent / "images" / "notebook.png"

CELLS = [
    "import jax\nimport jax.numpy as jnp\n%load_ext jaxlint",
    "def relu(x):\n    if x > 0:\n        return x\n    return -x",
    "fast = jax.jit(relu)",
    "x = jnp.ones(())\n%jaxlint confirm relu",
]


def write_notebook(folder: Path) -> None:
    """The notebook, run."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    nbformat.write(notebook, folder / "demo.ipynb")


def write_settings(folder: Path, dark: bool) -> None:
    """What JupyterLab is to look like: without a question about news."""
    settings = folder / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    theme = "JupyterLab Dark" if dark else "JupyterLab Light"
    (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))
    (settings / "notification.jupyterlab-settings").write_text(json.dumps({"fetchNews": "false"}))


def serve(folder: Path, settings: Path) -> tuple[subprocess.Popen[bytes], str]:
    """JupyterLab on a free port, and the notebook's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--no-browser", "--allow-root", f"--port={port}", "--ServerApp.token=", f"--ServerApp.root_dir={folder}"]
    environment = {**os.environ, "JUPYTERLAB_SETTINGS_DIR": str(settings)}
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options], env=environment, stderr=subprocess.DEVNULL
    )
    for _ in range(60):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api")
            break
        except OSError:
            time.sleep(0.5)
    return server, f"http://127.0.0.1:{port}/lab/tree/demo.ipynb?reset"


def take(address: str, chromium: str, image: Path) -> None:
    """The picture, with the fix opened."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 960, "height": 900})
        page.goto(address, wait_until="domcontentloaded")
        page.wait_for_selector(".jaxlint", timeout=60_000)
        page.wait_for_timeout(2000)  # the last cell is drawn
        page.keyboard.press("Control+b")
        page.click(".jaxlint summary")
        page.wait_for_timeout(500)
        page.screenshot(path=image)
        browser.close()


def main() -> int:
    """Takes the picture; 2 without a browser."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dark", type=Path)
    dark = parser.parse_args().dark
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("notebook_picture: there is no Chromium on the path", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "notebooks"
        folder.mkdir()
        write_notebook(folder)
        write_settings(Path(name) / "settings", dark is not None)
        server, address = serve(folder, Path(name) / "settings")
        try:
            take(address, chromium, dark or IMAGE)
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
