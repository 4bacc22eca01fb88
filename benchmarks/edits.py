"""Random edits of real projects: `python -m benchmarks.edits --edits 500 --seed 0 FOLDER ...`.

Some files of each folder are copied to a project of their own and edited in a session that stays open: statements go,
come twice, change places or are put in, names, tokens and decorators change, and what does not parse is repaired.
After every edit the session has to find what a first run finds.  A difference is printed with the two texts of the file
that was edited last, which lie in the --keep folder; then a new session goes on.  Exits with 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.session.editing import Workspace

LONGEST = 20_000  # characters of a file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="where the files lie")
    parser.add_argument("--edits", type=int, default=500, help="of each folder")
    parser.add_argument("--files", type=int, default=8, help="how many files of each folder are taken")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("edits"), help="where texts with a difference go")
    options = parser.parse_args()
    differences = 0
    for folder in options.folders:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as project:
            Path(project, ".git").mkdir()
            texts = _some_of(folder, options.files, Random(f"{options.seed}/{folder.name}"))
            workspace = Workspace(Path(project), texts, options.seed)
            found = sum(_differs(workspace, number, folder.name, options.keep) for number in range(options.edits))
        differences += found
        print(f"{folder.name}: {options.edits} edits of {len(texts)} files, {found} with a difference,", end=" ")
        print(f"{time.monotonic() - began:.0f} s", flush=True)
    return 1 if differences else 0


def _some_of(folder: Path, count: int, random: Random) -> dict[str, str]:
    """The texts of some files of a folder by their names in it."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
    short = [path for path, text in texts.items() if 0 < len(text) <= LONGEST]
    taken = random.sample(short, min(count, len(short)))
    return {str(path.relative_to(folder.parent)): texts[path] for path in taken}


def _differs(workspace: Workspace, number: int, name: str, keep: Path) -> bool:
    """Edits once more; a difference is told and kept."""
    before = list(workspace.editor.texts)
    workspace.edit()
    if not (differing := workspace.differing()):
        return False
    kept = keep / f"{name}-{number}"
    for path, old, new in zip(workspace.paths, before, workspace.editor.texts):
        for side, text in (("before", old), ("after", new)):
            at = kept / side / path.relative_to(workspace.folder)
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_text(text, encoding="utf-8")
    print(f"{name}, edit {number}: {kept}", *differing, sep="\n    ", flush=True)
    workspace.reopen()
    return True


if __name__ == "__main__":
    sys.exit(main())
