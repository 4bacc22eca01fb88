"""Notebooks for the workers: their cells are written out as one script, and what is seen there is told of the notebook.

The script is the text that is analysed, so that lines and columns are the same in both.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jaxlint.dynamic.observations import Job, Origin, Result, from_json, to_json, with_places
from jaxlint.project.program import Program


@dataclass(frozen=True, slots=True)
class Scripts:
    """The scripts that notebooks were written to, by the notebook's real path, and the notebooks by their script's."""

    of: dict[str, str]
    notebooks: dict[str, str]

    def run(self, job: Job) -> Job:
        """The job for the workers: that of a notebook runs its script, as the notebook's kernel would."""
        script = self.of.get(job.path)
        if script is None:
            return job
        probes = tuple(replace(span, path=self.of.get(span.path, span.path)) for span in job.probes)
        sources = tuple(self.of.get(path, path) if path == job.path else path for path in job.sources)
        return replace(job, path=script, probes=probes, sources=sources, run_as_main=True, common=None)

    def told(self, result: Result) -> Result:
        """The result with the places of scripts as those of their notebooks."""
        text = to_json(result)
        notebook = next((self.notebooks[script] for script in self.notebooks if script in text), None)
        if notebook is None:
            return result

        def back(place: dict[str, Any]) -> dict[str, Any]:
            return place | {"path": self.notebooks.get(place["path"], place["path"])}

        told: Result = from_json(json.dumps(with_places(json.loads(text), back)))
        for traced in told.traced:
            if traced.origin is Origin.IMPORT:
                traced.inputs = f"the cells of {os.path.basename(notebook)}"
        return told


@contextmanager
def written_out(program: Program, jobs: list[Job]) -> Iterator[Scripts]:
    """The scripts of the notebooks among the jobs, which are there while the block runs."""
    scripts, notebooks = Scripts({}, {}), [job for job in jobs if job.path.endswith(".ipynb")]
    if not notebooks:
        yield scripts
        return
    with tempfile.TemporaryDirectory(prefix="jaxlint-") as folder:
        for number, job in enumerate(notebooks):
            stem = os.path.splitext(os.path.basename(job.path))[0]
            script = Path(os.path.realpath(folder), str(number), f"{stem}.py")
            script.parent.mkdir()
            script.write_text(program.by_path[job.path].document.text, encoding="utf-8", errors="surrogatepass")
            scripts.of[job.path] = str(script)
            scripts.notebooks[str(script)] = job.path
        yield scripts
