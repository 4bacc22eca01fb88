"""What jaxlint says of JAX's own documentation: pages that show what goes wrong, beside what is fine.

    python benchmarks/jax_documentation.py --repository JAX_CLONE [--version 0.10.2] [--findings]

JAX_CLONE is a git clone of the jax repository.  Its pages and the docstrings of its errors mark the examples that raise
(the tag `raises-exception` of a cell, a `Traceback` below a prompt).  The marks are taken out, so that nothing tells
jaxlint of them, and the pages are linted with the rules in preview.  An example counts as found if something is
reported in it, or in a function or class that it names.  What is reported elsewhere is judged in
jax_documentation.toml, and so is why an example is not found.  Prints the table of docs/conformance.md; exits 1 where
something is not judged, or judged and no longer so.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Finding

PAGES = """
docs/notebooks/Common_Gotchas_in_JAX.md docs/faq.rst jax/_src/errors.py docs/control-flow.md docs/random-numbers.md
docs/jit-compilation.md docs/notebooks/autodiff_cookbook.md docs/pytrees.md docs/custom_pytrees.md
docs/gradient-checkpointing.md docs/notebooks/thinking_in_jax.md docs/key-concepts.md docs/tracing.md
docs/automatic-vectorization.md docs/automatic-differentiation.md docs/stateful-computations.md docs/debugging.md
docs/debugging/print_breakpoint.md docs/external-callbacks.md docs/buffer_donation.md
docs/notebooks/Custom_derivative_rules_for_Python_code.md
""".split()

JUDGED = Path(__file__).with_suffix(".toml")
SETTINGS = Settings(preview=True, extend_include=("*.md", "*.rst"), doctest=True)
_TAG = re.compile(r"^:tags: *\[.*raises-exception.*\] *$")
_DEFINITION = re.compile(r"[ >.]*(?:def|class) +(\w+)\b.*")
_PROMPT = re.compile(r"^ *(>>>|\.\.\.)( |$)")
_TRACEBACK = re.compile(r"^ *Traceback \(most recent call last\):")


@dataclass
class Page:
    """A page without its marks: ``examples`` are the first and last lines of those that raise."""

    path: str
    lines: list[str]
    examples: list[tuple[int, int]] = field(default_factory=list)

    def example_of(self, finding: Finding) -> int | None:
        """The number of the example that a finding is about: it is in it, or in what it uses by name."""
        line, (name, *_) = finding.location.line, finding.definition.split(".")
        for number, (first, last) in enumerate(self.examples):
            if first <= line <= last:
                return number
            begun = self._defined(name, last) if name else None
            if begun is not None and begun <= line <= last and self._mentions(first, last, name):
                return number
        return None

    def _defined(self, name: str, last: int) -> int | None:
        """Where the function or class that has a name on a line begins, with what decorates it."""
        definitions = ((number, _DEFINITION.match(self._line(number))) for number in range(1, last + 1))
        found = [number for number, match in definitions if match is not None and match.group(1) == name]
        if not found:
            return None
        begun = found[-1]
        while re.match(r"[ >.]*@", self._line(begun - 1)):
            begun -= 1
        return begun

    def _line(self, number: int) -> str:
        return self.lines[number - 1]

    def _mentions(self, first: int, last: int, name: str) -> bool:
        return any(re.search(rf"\b{name}\b", self._line(number)) for number in range(first, last + 1))


def unmarked(path: str, text: str) -> Page:
    """The page with blank lines in place of what says that an example raises."""
    page = Page(path, text.split("\n"))
    lines = list(page.lines)
    block = 1  # where the prompts begin that are looked at
    for number, line in enumerate(lines, 1):
        if _PROMPT.match(line) and not _PROMPT.match(lines[number - 2]):
            block = number
        if _TAG.match(line):
            end = next(at for at in range(number, len(lines)) if lines[at].startswith("```"))
            page.examples.append((number, end))
            page.lines[number - 1] = ""
        elif _TRACEBACK.match(line):
            end = next((at for at in range(number, len(lines)) if not lines[at].strip()), len(lines))
            page.examples.append((block, end))
            page.lines[number - 1 : end] = [""] * (end - number + 1)
    return page


def pages_of(repository: Path, version: str) -> list[Page]:
    """The pages that are there at a version.  Raises CalledProcessError where one is not."""
    show = ["git", "-C", str(repository), "show"]
    texts = [
        subprocess.run([*show, f"jax-v{version}:{path}"], check=True, capture_output=True, text=True).stdout
        for path in PAGES
    ]
    return [unmarked(path, text) for path, text in zip(PAGES, texts)]


def findings_in(pages: list[Page]) -> dict[str, list[Finding]]:
    """What is reported of each page, by its path; each page is a program of its own."""
    found: dict[str, list[Finding]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            root = Path(folder, str(number))
            (root / ".git").mkdir(parents=True)
            place = root / Path(page.path).name
            place.write_text("\n".join(page.lines), encoding="utf-8")
            found[page.path] = Run.over([str(root)], Configuration(str(root), fixed=SETTINGS)).findings()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repository", type=Path, required=True)
    parser.add_argument("--version", default="0.10.2")
    parser.add_argument("--findings", action="store_true", help="also list what is reported")
    options = parser.parse_args()
    judged = tomllib.loads(JUDGED.read_text(encoding="utf-8"))
    verdicts = {(row["page"], row["line"], row["rule"]): row["verdict"] for row in judged["finding"]}
    missed = {(row["page"], row["line"]) for row in judged["missed"]}
    open_questions: list[str] = []
    total: Counter[str] = Counter()
    print("| page | examples that raise | found | also shown, and found | right, and not meant | false |")
    print("|---|--:|--:|--:|--:|--:|")
    pages = pages_of(options.repository, options.version)
    reported = findings_in(pages)
    for page in pages:
        counts: Counter[str] = Counter(examples=len(page.examples))
        found: set[int] = set()
        for finding in reported[page.path]:
            key = (page.path, finding.location.line, finding.code)
            if options.findings:
                print(f"{page.path}:{finding.location.line}: {finding.code} {finding.message}", file=sys.stderr)
            number = page.example_of(finding)
            verdict = verdicts.pop(key, None)
            if number is not None and verdict is None:
                found.add(number)
            elif verdict is None:
                open_questions.append(f"{key[0]}:{key[1]}: {key[2]} is not judged: {finding.message}")
            else:
                counts[verdict] += 1
        counts["found"] = len(found)
        for number, (first, _) in enumerate(page.examples):
            if number in found:
                if (page.path, first) in missed:
                    open_questions.append(f"{page.path}:{first}: is found")
            elif (page.path, first) not in missed:
                open_questions.append(f"{page.path}:{first}: is not found, and nothing says why")
        total += counts
        row = [counts[name] for name in ("examples", "found", "shown", "right", "false")]
        print(f"| {page.path} | {' | '.join(map(str, row))} |")
    print(f"| all | {' | '.join(str(total[name]) for name in ('examples', 'found', 'shown', 'right', 'false'))} |")
    open_questions += [f"{page}:{line}: {rule} is judged and not reported" for page, line, rule in verdicts]
    for question in open_questions:
        print(question, file=sys.stderr)
    return 1 if open_questions else 0


if __name__ == "__main__":
    sys.exit(main())
