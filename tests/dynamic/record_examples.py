"""Runs the checks of card examples under the recorder, as `jaxlint record` runs a project's tests.

``FOLDER EXAMPLE...``: each example is a project in ``FOLDER/EXAMPLE``, and its recording is written into that.  One
process runs them all, because importing JAX takes longer than most checks.  Prints the checks that fail.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
import warnings
from pathlib import Path

import jax

from jaxlint.dynamic import probes
from jaxlint.dynamic.inputs.recorder import recording
from jaxlint.dynamic.plan import RECORDINGS
from tests.cards_support import Block, cards, helpers


def main(folder: Path, names: list[str]) -> None:
    jax.config.update("jax_disable_most_optimizations", True)  # nobody waits for what these programs compute
    chosen = {str(block): block for card in cards() for block in card.blocks}
    for name in names:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run(chosen[name], folder / name)
        except BaseException:
            print(f"{name}: {traceback.format_exc()}")


def run(block: Block, folder: Path) -> None:
    """The example's import and check in one recording; nothing of it is left in this process."""
    files = [folder / path for path in block.files]
    module = ".".join(files[-1].relative_to(folder).with_suffix("").parts)
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    importlib.invalidate_caches()
    try:
        with recording(str(folder / RECORDINGS), [str(file) for file in files]):
            namespace = vars(importlib.import_module(module))
            marked = {(str(folder / path), line) for path, line, _ in block.expected}
            namespace.update(helpers(marked, str(folder)))
            exec(compile(block.check, f"<check of {folder.name}>", "exec"), namespace)
    finally:
        sys.path.remove(str(folder))
        probes.uninstall()
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", None)).startswith(str(folder)):
                del sys.modules[name]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
