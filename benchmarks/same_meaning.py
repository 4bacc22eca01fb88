"""Whether edits that mean nothing change what jaxlint says: `python -m benchmarks.same_meaning [--folder FOLDER]`.

Every kind of edit in `tests/robustness/kinds_of_edits.py` is applied to every program: the examples of the cards, those
of the tests' tables, and the files of a folder.  Prints for each kind how many programs were judged, and how many of
them differently; then each difference, with the explanation that there is for it, and explanations of what is the same.
`--run N` runs the examples of cards after edits, with their checks under JAX: about N of them, the same ones each time.
Exits with 1 if a difference is not explained, or a run fails.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tests.cards_support import Block, cards, run_block
from tests.robustness.edited import Line, Printed
from tests.robustness.edited_programs import Files, of_cards, of_folder, of_tests
from tests.robustness.explained_edits import EXPLAINED
from tests.robustness.judged import Difference, differences, edited, said_of
from tests.robustness.kinds_of_edits import EDITS

NOT_RUN = {
    ("inlined helpers", "JAX211-bad-265"): "an exception that goes through a `try` is shown on the `except`",
    ("other modules", "JAX502-bad-29"): "the check replaces functions of a module in which they no longer are",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="a folder with more programs")
    parser.add_argument("--run", type=int, default=0, metavar="N", help="how many edited examples to run")
    parser.add_argument("kinds", nargs="*", help="kinds of edits, instead of all")
    options = parser.parse_args()
    programs = of_cards() | of_tests() | (of_folder(options.folder) if options.folder else {})
    unexplained = judge(programs, options.kinds or list(EDITS))
    failed = run(options.run) if options.run else 0
    return 1 if unexplained or failed else 0


def judge(programs: dict[str, Files], kinds: Iterable[str]) -> int:
    """Prints how programs are judged after edits; returns how many differences nobody has explained."""
    judged: Counter[str] = Counter()
    found: dict[tuple[str, str], list[Difference]] = {}
    for name, files in programs.items():
        before = said_of(files)
        for kind in kinds:
            if (after := edited(files, kind)) is not None:
                judged[kind] += 1
                found[kind, name] = differences(before, after)
    differing = {at: all_of for at, all_of in found.items() if all_of}
    per_kind = Counter(kind for kind, _ in differing)
    print(f"{len(programs)} programs\n\n{'kind':<32}{'judged':>8}{'differently':>13}")
    for kind in kinds:
        print(f"{kind:<32}{judged[kind]:>8}{per_kind[kind]:>13}")
    total = sum(judged.values())
    print(f"{'all':<32}{total:>8}{len(differing):>13}   {len(differing) / max(total, 1):.2%}\n")
    for (kind, name), all_of in differing.items():
        why = EXPLAINED.get((kind, name), EXPLAINED.get((kind, "*"), "NOT EXPLAINED"))
        print(f"{kind} | {name} | {'; '.join(map(str, all_of))} | {why}")
    for kind, name in EXPLAINED.keys() & found.keys() - differing.keys():
        print(f"{kind} | {name} | the same now, though an explanation says it is not")
    return sum((kind, "*") not in EXPLAINED and (kind, name) not in EXPLAINED for kind, name in differing)


def run(most: int) -> int:
    """Runs edited examples; prints and returns how many fail though the example itself passes."""
    blocks = [block for card in cards() for block in card.blocks if "not run" not in block.excuses]
    pairs = [(block, kind) for block in blocks for kind in EDITS]
    failed = count = 0
    for block, kind in pairs[:: max(1, len(pairs) // most)]:
        after = edited(block.files, kind)
        if after is None or (kind, str(block)) in NOT_RUN:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # some write where they are
            try:
                run_block(replace(block, source=_with_marks(block, after.printed)), Path(folder))
            except Exception as error:  # whatever an edited program does wrong
                failed += 1
                print(f"{kind} | {block} | {type(error).__name__}: {error}")
    print(f"{count} edited examples run, {failed} fail")
    return failed


def _with_marks(block: Block, printed: Printed) -> str:
    """The text of an edited example with the marks of the original on the lines that stand for its lines."""
    marked = {Line(path, line): code for path, line, code in block.expected}
    parts = []
    for path, text in printed.files.items():
        lines = text.splitlines()
        for (number, _), origins in printed.places[path].items():
            codes = [marked[one] for one in origins if one in marked]
            if codes and "# JAX" not in lines[number - 1]:
                lines[number - 1] += f"  # {codes[0]}"
        parts += [f"# file: {path}", *lines]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
