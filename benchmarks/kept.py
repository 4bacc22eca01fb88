"""Random work on real projects, with and without what earlier runs have kept: `python -m benchmarks.kept FOLDER ...`.

Some files of each folder are copied to a project of their own.  Statements, names, tokens and decorators change, files
go, come and get other names, and now and then all is as it was before.  After every step a run that may use what was
kept has to find what a run without it finds.  Exits with 1 if there was a difference, whose files lie in the --keep
folder.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from benchmarks.edits import LONGEST
from jaxlint.running.memory import Memory
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Finding
from tests.session.editing import Editor, parses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="where the files lie")
    parser.add_argument("--steps", type=int, default=100, help="of each folder")
    parser.add_argument("--files", type=int, default=8, help="how many files of each folder are taken")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("kept"), help="where files with a difference go")
    options = parser.parse_args()
    differences = 0
    for folder in options.folders:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as project:
            work = Work(Path(project), folder, options.files, options.seed)
            found = sum(_differs(work, number, options.keep) for number in range(options.steps))
        differences += found
        print(f"{folder.name}: {options.steps} steps,", end=" ")
        print(f"{found} with a difference, {time.monotonic() - began:.0f} s", flush=True)
    return 1 if differences else 0


class Work:
    """Somebody who works on some files of a folder."""

    def __init__(self, project: Path, folder: Path, count: int, seed: int) -> None:
        self.project, self.folder = project, folder
        self.random = Random(f"{seed}/{folder.name}")
        (project / ".git").mkdir()
        texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
        short = [path for path, text in texts.items() if 0 < len(text) <= LONGEST]
        taken = sorted(self.random.sample(short, min(count, len(short))))
        self.start = {str(path.relative_to(folder.parent)): texts[path] for path in taken}
        self.before: list[dict[str, str]] = []
        self.files = dict(self.start)

    def step(self) -> None:
        """Changes something."""
        self.before.append(dict(self.files))
        kind, names = self.random.random(), sorted(self.files)
        if not names or kind < 0.05:
            self.files = dict(self.random.choice([*self.before, self.start]))
        elif kind < 0.1:
            del self.files[self.random.choice(names)]
        elif kind < 0.15:
            name = self.random.choice(names)
            self.files[str(Path(name).with_name(f"{self.random.choice('abz')}.py"))] = self.files.pop(name)
        else:
            name = self.random.choice(names)
            text = self.files[name]
            editor = Editor(self.random.randrange(1 << 30), [text if parses(text) else self.start.get(name, "")])
            editor.edit()
            self.files[name] = editor.texts[0]

    def write(self) -> None:
        for path in self.project.rglob("*.py"):
            path.unlink()
        for name, text in self.files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def findings(self, memory: Memory | None) -> list[Finding]:
        settings = Settings(root=str(self.project), certainty=Certainty.POSSIBLE, preview=True)
        run = Run.over([str(self.project)], Configuration(str(self.project), fixed=settings))
        run.memory = memory
        return run.findings()


def _differs(work: Work, number: int, keep: Path) -> bool:
    """One step; a difference is told and kept."""
    if number:
        work.step()
    work.write()
    folder = str(work.project / ".jaxlint_cache")
    with_kept, without = work.findings(Memory(folder)), work.findings(None)
    if with_kept == without:
        return False
    kept = keep / f"{work.folder.name}-{number}"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(work.project, kept / "after")
    for name, text in work.before[-1].items() if work.before else ():
        path = kept / "before" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{work.folder.name}, step {number}: {kept}", flush=True)
    for sign, some, others in (("-", without, with_kept), ("+", with_kept, without)):
        for finding in some:
            if finding not in others:
                print("   ", sign, finding.path, finding.location.line, finding.code, finding.message, flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
