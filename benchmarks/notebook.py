"""How long a cell waits for its findings: notebooks, cell by cell as they would be run, by the process that checks.

    python benchmarks/notebook.py NOTEBOOK.ipynb …
    python benchmarks/notebook.py --alone NOTEBOOK.ipynb …    without the program around them

Nothing of a notebook is run.  What is measured is all that is added to a cell: the request, the analysis, drawing what
is found as text and HTML, the answer.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator

from jaxlint.notebook.client import Client
from jaxlint.notebook.history import History


def sources(path: str) -> list[str]:
    """The cells of code in a notebook."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def waits(path: str, cells: list[str]) -> Iterator[float]:
    """Seconds: first until the checker is ready, then for each cell."""
    client, history = Client(path), History()
    start = time.perf_counter()
    client.ask({"do": "warm up", "cells": []})
    yield time.perf_counter() - start
    for number, source in enumerate(cells, 1):
        history.add(number, source, False)
        start = time.perf_counter()
        request = {"cells": history.seen_from(number), "since": number, "raised at": [], "colour": False}
        client.ask({"do": "check", **request})
        yield time.perf_counter() - start
    client.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("notebooks", nargs="+")
    options = parser.parse_args()
    every: list[float] = []
    for notebook in options.notebooks:
        cells = sources(notebook)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "notebook.ipynb") if options.alone else os.path.abspath(notebook)
            ready, *each = waits(path, cells)
        every += each
        lines = sum(cell.count("\n") + 1 for cell in cells)
        told = f"ready in {ready * 1000:.0f} ms, {len(cells)} cells of {lines} lines"
        print(f"{notebook}: {told}: median {statistics.median(each) * 1000:.0f} ms, longest {max(each) * 1000:.0f} ms")
    every.sort()
    at = [every[int(len(every) * share)] * 1000 for share in (0.5, 0.9, 0.95, 0.99)]
    print(f"{len(every)} cells: median {at[0]:.0f} ms, 90 % {at[1]:.0f} ms, 95 % {at[2]:.0f} ms, 99 % {at[3]:.0f} ms")


if __name__ == "__main__":
    main()
