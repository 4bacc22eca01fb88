"""What an editor is told while a text does not parse: edits of `server.py`'s module that pass through broken states.

    PYTHONPATH=. python benchmarks/broken_states.py [--files 300] [--lines 2000] [--edits 500] [--seed 0]

A real client and a real server.  Statements are begun key by key, brackets and lines go and come back, and other places
are edited meanwhile.  In every broken state each finding outside the broken statement has to be there, on its line, and
no other; whenever the text parses again, what is there has to be what is found before anything was edited or, after
other edits (every tenth time, for it takes long), what a first run finds.  Prints the time from an edit to its
diagnostics, of broken states and of others, and each difference; exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from server import percentile, write_project

from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from tests.server.breaking import Breaker, Found
from tests.server.conftest import launched
from tests.server.editor import Editor, capabilities

FIRST_RUNS = 10
"""Of so many texts that parse again one is compared with a first run."""


class Measured:
    """An editor, and what it was told."""

    def __init__(self, editor: Editor, module: Path, seed: int) -> None:
        self.editor = editor
        self.module = module
        self.breaker = Breaker(seed, module.read_text())
        self.known: dict[str, Found] = {}  # of texts that parse
        self.took: dict[bool, list[float]] = {True: [], False: []}  # by whether the text parses
        self.differences = 0
        self.compared = 0

    async def run(self, edits: int) -> None:
        self.editor.open(self.module.name)
        told = await self.editor.published(self.module.name)
        before = self.known[self.breaker.text] = self._found(told.diagnostics)
        while sum(map(len, self.took.values())) < edits:
            for _ in self.breaker.edits():
                found = await self._edit()
                if not self.breaker.parses:
                    self._compare(found, self.breaker.outside(before))
                    continue
                before = found
                self._compare(found, self._expected(found))

    async def _edit(self) -> Found:
        start = time.perf_counter()
        self.editor.rewrite(self.module.name, self.breaker.text)
        told = await self.editor.published(self.module.name)
        self.took[self.breaker.parses].append(1000 * (time.perf_counter() - start))
        return self._found(told.diagnostics)

    def _found(self, diagnostics: Iterable) -> Found:
        places = ((each.code, each.range.start.line + 1) for each in diagnostics)
        return self.breaker.found((code, line) for code, line in places if code != "JAX001")

    def _expected(self, found: Found) -> Found:
        text = self.breaker.text
        if text not in self.known:
            self.known[text] = found
            if len(self.known) % FIRST_RUNS == 0:
                self.known[text] = self._first_run(text)
        return self.known[text]

    def _first_run(self, text: str) -> Found:
        folder = str(self.module.parent)
        run = Run.over([str(self.module)], Configuration(folder), {str(self.module): text.encode()})
        return self.breaker.found((each.code, each.location.line) for each in run.findings())

    def _compare(self, found: Found, expected: Found) -> None:
        self.compared += expected.total()
        if found != expected:
            self.differences += 1
            print("gone:", dict(expected - found), "new:", dict(found - expected), flush=True)


async def measure(options: argparse.Namespace, scratch: Path) -> Measured:
    module = write_project(scratch, options.files, options.lines)
    editor = await launched(scratch, capabilities("neovim@0.9.1"), None, None, [scratch])
    measured = Measured(editor, module, options.seed)
    await measured.run(options.edits)
    await editor.leave()
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measured = asyncio.run(measure(options, Path(scratch)))
    for parses, took in measured.took.items():
        row = (statistics.median(took), percentile(took, 0.95), max(took))
        print(f"{len(took)} edits to {'a text that parses' if parses else 'a broken state'}:", end=" ")
        print("p50 {:.0f}, p95 {:.0f}, most {:.0f} ms".format(*row))
    print(f"{measured.compared} findings compared, {measured.differences} edits with a difference")
    return 1 if measured.differences else 0


if __name__ == "__main__":
    sys.exit(main())
