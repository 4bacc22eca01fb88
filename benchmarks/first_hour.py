"""A new user's hour with jaxlint, by script: what somebody types who has a project and has heard of the linter.

    python benchmarks/first_hour.py [--keep FOLDER] > hour.txt

In an empty folder, with an environment of its own: a wheel of this checkout is built and installed, then come init,
lint, why, fix, baseline, the commit hook (real git, real pre-commit), the editor (a real client of the protocol), a
notebook (from the command, and cell by cell in a real kernel) and the site.  Each command is printed with what it told
and how long it took.  A step that does not end as it should is told at the end, and the script exits with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
MOST_LINES = 60
"""Of longer output the beginning and the end are printed."""

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

ADDED = """

@jax.jit
def clip(x, most):
    if x > most:
        return most
    return x
"""

CELLS = (
    "import jax\nimport jax.numpy as jnp",
    "def relu(x):\n    if x > 0:\n        return x\n    return 0.0",
    "fast = jax.jit(relu)",
    "x = jnp.zeros(3)\nx.at[0].set(1.0)\nfast(x[1])",
)

EDITOR = '''\
"""A client of the protocol, as an editor has one: what it is told of a file, of a place in it, and what it offers."""

import asyncio
import sys
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient


async def main(path):
    client, told = LanguageClient("an editor", "1"), asyncio.Queue()
    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: told.put_nowait(params))
    await client.start_io("jaxlint", "server")
    root = types.WorkspaceFolder(path.parent.as_uri(), path.parent.name)
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), workspace_folders=[root]))
    client.initialized(types.InitializedParams())
    item = types.TextDocumentItem(path.as_uri(), "python", 1, path.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    found = (await asyncio.wait_for(told.get(), 60)).diagnostics
    for each in found:
        print(f"{each.range.start.line + 1}:{each.range.start.character + 1} {each.code} {each.message}")
    document, at = types.TextDocumentIdentifier(path.as_uri()), found[-1].range.start
    shown = await client.text_document_hover_async(types.HoverParams(document, at))
    print("--- hover ---", shown.contents.value, "--- actions ---", sep="\\n")
    context = types.CodeActionContext([])
    for action in await client.text_document_code_action_async(
        types.CodeActionParams(document, types.Range(at, at), context)
    ):
        print(action.title)
    item = types.VersionedTextDocumentIdentifier(version=2, uri=path.as_uri())
    broken = path.read_text().replace("import jax\\n", "import jax\\nrate = (\\n", 1)
    change = types.TextDocumentContentChangeWholeDocument(broken)
    client.text_document_did_change(types.DidChangeTextDocumentParams(item, [change]))
    found = (await asyncio.wait_for(told.get(), 60)).diagnostics
    print("--- a line that does not parse ---")
    for each in found:
        print(each.range.start.line + 1, each.code)
    await client.shutdown_async(None)
    client.exit(None)


asyncio.run(main(Path(sys.argv[1]).resolve()))
'''

KERNEL = '''\
"""Runs a notebook in a kernel, and prints what is shown below its cells."""

import sys

import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], 4)
notebook.cells.insert(0, nbformat.v4.new_code_cell("%load_ext jaxlint"))
nbclient.NotebookClient(notebook, allow_errors=True, timeout=120).execute()
for number, cell in enumerate(notebook.cells, 1):
    print(f"[{number}]", cell.source)
    for output in cell.outputs:
        print(output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue", ""))
'''


class Hour:
    """A folder, an environment, and what was typed in it."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.project.mkdir(parents=True)
        self.bin = folder / "venv" / "bin"
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        self.environment = {
            **kept,
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "JAX_PLATFORMS": "cpu",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_QUIET": "2",
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
            "COLUMNS": "100",
        }
        self.wrong: list[str] = []

    def title(self, text: str) -> None:
        print(f"\n## {text}\n", flush=True)

    def write(self, name: str, text: str) -> None:
        print(f"(writes {name})", flush=True)
        (self.project / name).write_text(text)

    def run(self, command: str, code: int = 0, shows: str = "", folder: Path | None = None) -> None:
        """Types a command, which has to end with this code and to print what matches ``shows``."""
        start = time.monotonic()
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder or self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._told(command, done.stdout, done.returncode, time.monotonic() - start, code, shows)

    def answer(self, command: str, answer: str, shows: str = "") -> None:
        """Types a command on a terminal, and the same answer to each of its questions."""
        start = time.monotonic()
        child, terminal = pty.fork()
        if not child:
            os.chdir(self.project)
            os.execvpe("sh", ["sh", "-c", command], {**self.environment, "TERM": "dumb"})
        printed = b""
        while True:
            try:
                read = os.read(terminal, 4096)
            except OSError:
                break
            printed += read
            if printed.rstrip(b" ").endswith((b"]", b"?")):
                os.write(terminal, f"{answer}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.decode().replace("\r", ""))
        self._told(command, output, code, time.monotonic() - start, 0, shows)

    def _told(self, command: str, output: str, code: int, took: float, expected: int, shows: str) -> None:
        lines = output.splitlines()
        if len(lines) > MOST_LINES:
            half = MOST_LINES // 2
            lines[half:-half] = [f"  … {len(lines) - 2 * half} lines …"]
        print(f"$ {command}", *lines, f"({took:.1f} s{f', exit {code}' if code else ''})", "", sep="\n", flush=True)
        if code != expected or not re.search(shows, output):
            self.wrong.append(f"{command}: exit {code} instead of {expected}, or it does not print {shows!r}")


def install(hour: Hour) -> None:
    hour.title("Install")
    hour.run(f"{sys.executable} -m venv {hour.bin.parent}")
    hour.run(f"pip wheel --quiet --no-deps --wheel-dir {hour.bin.parent}/dist {CHECKOUT}")
    hour.run(f"pip install --quiet {hour.bin.parent}/dist/*.whl")
    hour.run("jaxlint --version", shows=r"^jaxlint \d")
    hour.run("jaxlint --help", shows="Commands:")


def lint(hour: Hour) -> None:
    hour.title("A project, and its set-up")
    hour.write("train.py", TRAIN)
    hour.run("git init --quiet --initial-branch main && git add --all")
    hour.answer("jaxlint init", "y", shows="written, 3 findings")
    hour.title("Lint")
    hour.run("rm .jaxlint-baseline.json")
    hour.run("jaxlint", 1, shows="Found 3 errors")
    hour.run("jaxlint --output-format concise", 1, shows="train.py:10:8: JAX201")
    hour.run("jaxlint trian.py", 2, shows="train")
    hour.title("Why")
    hour.run("jaxlint why train.py:10", shows="is traced by `jit`")
    hour.run("jaxlint rule JAX201", shows="# JAX201")
    hour.title("Fix")
    hour.run("jaxlint --diff", 1, shows="jax.debug.print")
    hour.run("jaxlint --fix --output-format concise", 1, shows="1 fixed")
    hour.title("Baseline")
    hour.run("jaxlint baseline", shows="written, 2 findings")
    hour.run("jaxlint", shows="All checks passed")


def commit(hour: Hour) -> None:
    hour.title("Commit hook")
    hour.run("pip install --quiet pre-commit")
    hour.run("pre-commit install")
    hour.run("git config user.name A && git config user.email a@example.org && git add --all")
    hour.run("git commit --quiet -m 'What there was' && git log --oneline", shows="What there was")
    hour.write("train.py", (hour.project / "train.py").read_text() + ADDED)
    hour.run("git add --all && git commit -m 'Clip'", 1, shows="JAX201")


def edit(hour: Hour) -> None:
    hour.title("Editor")
    hour.run("jaxlint server", 2, shows=r"jaxlint-sharp-bits\[lsp\]")
    hour.run(f'pip install --quiet "$(ls {hour.bin.parent}/dist/*.whl)[lsp]"')
    (hour.bin.parent / "editor.py").write_text(EDITOR)
    hour.run(f"python {hour.bin.parent}/editor.py train.py", shows="Make `most` a static|Disable branch-on-traced")


def notebook(hour: Hour) -> None:
    hour.title("Notebook")
    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "execution_count": None, "source": cell}
        for n, cell in enumerate(CELLS)
    ]
    hour.write("demo.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    hour.run("jaxlint demo.ipynb", 1, shows="demo.ipynb:cell 2:2:8")
    hour.run("pip install --quiet jax ipykernel nbclient")
    (hour.bin.parent / "kernel.py").write_text(KERNEL)
    hour.run(f"python {hour.bin.parent}/kernel.py demo.ipynb", shows="JAX201(?s:.*)JAX302")


def site(hour: Hour) -> None:
    hour.title("Site")
    hour.run(f'pip install --quiet "$(ls {hour.bin.parent}/dist/*.whl)[docs]"')
    built = hour.bin.parent / "site"
    hour.run(f"mkdocs build --strict --quiet -f docs/site/mkdocs.yml --site-dir {built}", folder=CHECKOUT)
    hour.run(f"ls {built} {built}/rules | head -40", shows="index.html")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where all of it is left, to be looked at")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        start = time.monotonic()
        hour = Hour(options.keep or Path(scratch))
        for step in (install, lint, commit, edit, notebook, site):
            step(hour)
        print(f"All of it took {(time.monotonic() - start) / 60:.0f} minutes.")
    for line in hour.wrong:
        print(f"WRONG: {line}")
    return 1 if hour.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
