"""The picture of the extension in docs/images: VS Code, as code-server has it, in Chromium.

python docs/site/vscode_picture.py

What is installed stays in build/vscode: code-server (npm), whose native modules are compiled with the headers that lie
beside node, so that nothing else is fetched. The extension is built from editors/vscode; in place of that for Python,
which is in no registry of packages, stands one that names this interpreter. Needs node 20 with its headers, a compiler,
pygls and playwright, and Chromium on the path. Before the picture is taken it is looked at what VS Code shows: marks,
hover, hints, quick fixes, and what stays of that while a line does not parse; 1 where something is missing.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

TOP = Path(__file__).parents[2]
IMAGE = TOP / "docs" / "images" / "vscode.png"
BUILD = TOP / "build" / "vscode"
CODE_SERVER = "code-server@4.99.4"
SERVER = BUILD / "node_modules" / "code-server"
NATIVE = ("@vscode/spdlog", "native-watchdog", "node-pty", "@parcel/watcher")
"""What VS Code's server needs of its native modules."""

PYTHON = {
    "name": "python",
    "publisher": "ms-python",
    "version": "2026.0.0",
    "engines": {"vscode": "^1.91.0"},
    "activationEvents": ["onLanguage:python"],
    "main": "./main.js",
}
INTERPRETER = f"""\
const uri = {{ fsPath: {json.dumps(sys.executable)} }};
exports.activate = () => ({{
  environments: {{
    getActiveEnvironmentPath: () => ({{ path: uri.fsPath }}),
    resolveEnvironment: async () => ({{ executable: {{ uri }} }}),
    onDidChangeActiveEnvironmentPath: () => ({{ dispose() {{}} }}),
  }},
}});
"""

SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": False,
    "jaxlint.inlayHints": True,
}

TRAIN = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(params, batch, key):
    noise = jax.random.normal(key, batch.shape)
    mask = jax.random.bernoulli(key, 0.9, batch.shape)
    loss = jnp.mean(((batch + noise) * mask @ params) ** 2)
    if loss > 10:
        print("diverged:", loss)
    return params - 0.1 * loss
"""


def run(*command: str | Path, folder: Path) -> None:
    subprocess.run(list(map(str, command)), cwd=folder, check=True, stdout=subprocess.DEVNULL)


def install() -> None:
    """Gets code-server, where it is not there yet, and compiles what it needs."""
    if (SERVER / "compiled").exists():
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund")
    run("npm", "install", *quiet, "--prefix", BUILD, CODE_SERVER, folder=BUILD)
    vscode = SERVER / "lib" / "vscode"
    for folder in (vscode, vscode / "extensions"):
        run("npm", "install", *quiet, "--omit=dev", "--legacy-peer-deps", folder=folder)
    headers = f"--nodedir={Path(shutil.which('node') or '').resolve().parents[1]}"
    for name in NATIVE:
        run("npx", "--yes", "node-gyp", "rebuild", headers, folder=vscode / "node_modules" / name)
    argon2 = BUILD / "node_modules" / "argon2"
    run("npx", "--yes", "node-pre-gyp", "rebuild", "--build-from-source", headers, folder=argon2)
    (SERVER / "compiled").touch()


def package(scratch: Path) -> list[Path]:
    """The extension, and what stands for that for Python, as files to be installed."""
    left_out = shutil.ignore_patterns("node_modules", "dist", "*.vsix")
    ours = shutil.copytree(TOP / "editors" / "vscode", scratch / "jaxlint", ignore=left_out)
    run("npm", "ci", "--no-audit", "--no-fund", folder=ours)
    run("npm", "run", "package", folder=ours)
    python = scratch / "python"
    python.mkdir()
    (python / "package.json").write_text(json.dumps(PYTHON))
    (python / "main.js").write_text(INTERPRETER)
    vsce = ours / "node_modules" / ".bin" / "vsce"
    run(vsce, "package", "--no-dependencies", "--allow-missing-repository", "--skip-license", folder=python)
    return [*python.glob("*.vsix"), *ours.glob("*.vsix")]


def serve(scratch: Path, extensions: list[Path]) -> tuple[subprocess.Popen[bytes], str]:
    """VS Code on a free port with the extensions and a project, and its address."""
    settings, project = scratch / "data" / "User" / "settings.json", scratch / "project"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(SETTINGS))
    project.mkdir()
    (project / "jaxlint.toml").write_text("")
    (project / "train.py").write_text(TRAIN)
    folders = (f"--user-data-dir={scratch / 'data'}", f"--extensions-dir={scratch / 'extensions'}")
    command = ("node", str(SERVER / "out" / "node" / "entry.js"), *folders, f"--config={scratch / 'config.yaml'}")
    for extension in extensions:
        run(*command, f"--install-extension={extension}", folder=scratch)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    options = ("--auth=none", f"--bind-addr={address}", "--disable-telemetry", "--disable-update-check")
    environment = {**os.environ, "PYTHONPATH": str(TOP), "EXTENSIONS_GALLERY": "{}"}
    server = subprocess.Popen([*command, *options, str(project)], env=environment, stdout=subprocess.DEVNULL)
    for _ in range(60):
        try:
            urllib.request.urlopen(f"http://{address}/healthz")
            break
        except OSError:
            time.sleep(0.5)
    return server, f"http://{address}/?folder={project}"


def look(page: Page) -> list[str]:
    """What is not shown and should be; in the end the picture's state: a name is hovered over."""
    missing = []

    def expect(selector: str, text: str | re.Pattern[str] | None = None, count: int = 1) -> None:
        try:
            page.locator(selector, has_text=text).nth(count - 1).wait_for(timeout=30_000)
        except Exception:
            missing.append(f"{selector} {text or ''}")

    page.locator(".explorer-folders-view .monaco-list-row", has_text="train.py").dblclick(timeout=60_000)
    expect(".squiggly-error", count=2)
    expect(".squiggly-warning")
    expect(".view-line", re.compile(r"^def.step\(params.?traced,"))
    page.locator(".view-line", has_text="print(").click()
    page.keyboard.press("Control+.")
    expect(".action-widget .action-item, .action-widget .monaco-list-row", "Use `jax.debug.print`")
    page.keyboard.press("Escape")
    page.locator(".view-line", has_text="return params").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("half =", delay=50)
    expect(".squiggly-error", count=3)  # the line that does not parse, and the others as before
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Delete")
    page.locator(".view-line", has_text="if loss").get_by_text("loss").first.hover()
    expect(".monaco-hover", "loss: traced scalar array [jax.jit]")
    expect(".monaco-hover", "JAX201 branch-on-traced-value")
    page.wait_for_timeout(1000)
    return missing


def main() -> int:
    """Takes the picture; 2 without a browser."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None or shutil.which("npm") is None:
        print("vscode_picture: it takes npm, and Chromium on the path", file=sys.stderr)
        return 2
    install()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        server, address = serve(Path(name), package(Path(name)))
        try:
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1100, "height": 620})
            page.goto(address)
            missing = look(page)
            page.screenshot(path=IMAGE)
            browser.close()
        finally:
            server.terminate()
            server.wait()
    for line in missing:
        print(f"vscode_picture: not shown: {line}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
