"""What jaxlint says of applications: training code, environments, examples and notebooks that nobody here wrote.

    python benchmarks/applications.py --clones DIR [--drawn 17] [--preview] [OWNER/NAME ...]
        [--draw N --seed S --cards FILE]

DIR holds git clones named OWNER__NAME of the repositories in applications.toml, whose commits are exported and
linted one by one with the default settings, or with the rules in preview as well.  Prints for each its lines, findings
and seconds of processor time for 10,000 lines, the findings of each rule for 1,000 lines, and the verdicts of
tests/ecosystem/applications.toml.  ``--draw`` writes N findings drawn at random as JSON lines for readers to judge
(benchmarks/judging.py says how): the place and what jaxlint prints there.
Exits 1 when a run ended with neither findings nor silence.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from judging import Place, by_rule, judgements, print_table, tomllib

JUDGED = Path(__file__).parent.parent / "tests" / "ecosystem" / "applications.toml"
READ = re.compile(
    r"\.(py|ipynb|toml|cfg|lock)$|requirements[^/]*\.txt$|(^|/)requirements/[^/]*\.txt$"
    r"|(^|/)environment[^/]*\.ya?ml$|Dockerfile[^/]*$|(^|/)README[^/]*$"
)
LINT = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", "--output-format", "json"]


@dataclass(frozen=True)
class Application:
    """A repository at one commit, of one of the drawings."""

    repository: str
    commit: str
    drawn: int


@dataclass(frozen=True)
class Run:
    """What one run over an application came to: its rows as ``--output-format json`` has them."""

    application: Application
    lines: int
    seconds: float
    rows: list[dict[str, object]]
    failure: str = ""


def applications(only: list[str], drawn: int | None = None) -> list[Application]:
    """Those of applications.toml, or the ones of them that are named, or of one drawing."""
    listed = tomllib.loads(Path(__file__).with_name("applications.toml").read_text(encoding="utf-8"))["application"]
    every = [Application(**row) for row in listed if not only or row["repository"] in only]
    return [each for each in every if drawn in (None, each.drawn)]


def export(application: Application, clones: Path, to: Path) -> int:
    """Writes the files jaxlint reads under ``to``, without blobs that the clone lacks.  Returns the lines of Python."""
    git = ["git", "-C", str(clones / application.repository.replace("/", "__"))]
    tree = subprocess.run([*git, "ls-tree", "-rz", application.commit], capture_output=True, check=True).stdout
    entries = [entry.split("\t", 1) for entry in tree.decode().split("\0") if entry]
    wanted = [(meta.split()[2], path) for meta, path in entries if READ.search(path) and not meta.startswith("120000")]
    lines = 0
    with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as objects:
        assert objects.stdin is not None
        assert objects.stdout is not None
        for blob, path in wanted:
            objects.stdin.write(blob.encode() + b"\n")
            objects.stdin.flush()
            head = objects.stdout.readline().split()
            if head[1] == b"missing":
                continue
            content = objects.stdout.read(int(head[2]) + 1)[:-1]
            target = to / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            lines += lines_of_python(path, content)
        objects.stdin.close()
    return lines


def lines_of_python(path: str, content: bytes) -> int:
    """The lines of a Python file, or of a notebook's code cells."""
    if path.endswith(".py"):
        return content.count(b"\n")
    if not path.endswith(".ipynb"):
        return 0
    try:
        cells = json.loads(content).get("cells", [])
        return sum("".join(cell["source"]).count("\n") + 1 for cell in cells if cell.get("cell_type") == "code")
    except (ValueError, AttributeError, KeyError, TypeError):
        return 0  # an old or damaged notebook: jaxlint says what it makes of it


def lint(application: Application, clones: Path, preview: bool = False) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / application.repository.split("/")[1]
        (root / ".git").mkdir(parents=True)  # a checkout is one program for that
        lines = export(application, clones, root)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*LINT, *(["--preview"] if preview else []), str(root)]
        result = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        try:
            rows = json.loads(result.stdout)
        except ValueError:
            return Run(application, lines, seconds, [], f"exit code {result.returncode}: {result.stderr[-300:]}")
        for row in rows:
            for place in (row, *row["related"]):
                place["filename"] = Path(place["filename"]).resolve().relative_to(root.resolve()).as_posix()
        return Run(application, lines, seconds, rows)


def place_of(application: Application, row: dict[str, object]) -> Place:
    location = row["location"]
    assert isinstance(location, dict)
    return Place(
        application.repository,
        application.commit,
        str(row["filename"]),
        int(row["cell"] or 0),
        location["row"],
        str(row["code"]),
    )


def draw(runs: list[Run], count: int, seed: int) -> list[dict[str, object]]:
    """``count`` findings (all, when there are fewer), each as likely as any other, in the order they were drawn."""
    every = [(place_of(run.application, row), row) for run in runs for row in run.rows]
    every.sort(key=lambda pair: (pair[0], str(pair[1]["message"])))
    random.Random(seed).shuffle(every)
    kept = ("message", "help", "certainty", "related")
    return [asdict(place) | {name: row[name] for name in kept} for place, row in every[:count]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", help="of applications.toml; all of them when none is given")
    parser.add_argument("--clones", type=Path, required=True, help="where the git clones lie")
    parser.add_argument("--drawn", type=int, choices=range(1, 18), help="only the repositories of this drawing")
    parser.add_argument("--preview", action="store_true", help="also what rules in preview find")
    parser.add_argument("--draw", type=int, default=0, help="how many findings to write for readers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cards", type=Path, default=Path("cards.jsonl"), help="where the drawn findings go")
    options = parser.parse_args()
    runs = []
    for application in applications(options.repositories, options.drawn):
        run = lint(application, options.clones, options.preview)
        cost = 10_000 * run.seconds / max(run.lines, 1)
        counts = f"{run.lines:8} lines {len(run.rows):5} findings {cost:6.1f} s / 10,000 lines"
        print(f"{application.repository:50} {counts} {run.failure}")
        runs.append(run)
    lines = sum(run.lines for run in runs)
    found = {place_of(run.application, row): str(row["message"]) for run in runs for row in run.rows}
    rules = collections.Counter(str(row["code"]) for run in runs for row in run.rows)
    print(f"\n{len(runs)} applications, {lines} lines, {rules.total()} findings; of each rule for 1,000 lines:")
    print("  ".join(f"{rule} {1000 * count / lines:.3f}" for rule, count in sorted(rules.items())) + "\n")
    print_table(by_rule(found, judgements(JUDGED)))
    if options.draw:
        drawn = draw(runs, options.draw, options.seed)
        options.cards.write_text("".join(json.dumps(card) + "\n" for card in drawn), encoding="utf-8")
    return 1 if any(run.failure for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
