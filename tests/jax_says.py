"""What JAX says to the bad examples of the cards, as the site shows it.

    python -m tests.jax_says        runs them all (some minutes) and writes docs/site/jax_says.json

`tests/test_cards.py` holds what is written against each run, under the JAX that it was written with.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import jax

from tests.cards_support import Block, Card, cards, run_block

WRITTEN = Path(__file__).parents[1] / "docs" / "site" / "jax_says.json"

_LONGEST = 400
_LINES = 6
_RAISED = re.compile(r"[\w.]*(?:Error|Exception|Warning): ")
_INSIDE = re.compile(r"CpuCallback error calling callback: Traceback.*\n(?=\S)", re.DOTALL)
_ON_THIS_MACHINE = re.compile(r" at 0x[0-9a-f]+| \(pid=\d+\)| \(/[^)]*\)| with object id \d+")


def shown(said: Iterable[str]) -> list[str]:
    """What was said, once each: its beginning, without what differs from run to run."""
    return list(dict.fromkeys(filter(None, map(_beginning, said))))


def _beginning(said: str) -> str:
    """The first line of a message, with those that belong to it; the first lines of what was printed."""
    name, colon, message = said.strip().partition(": ")
    text = _ON_THIS_MACHINE.sub("", _INSIDE.sub("CpuCallback error: ", name + colon + message.lstrip()))
    lines = [line.rstrip() for line in text.splitlines() if line.strip()][:_LINES]
    kept = len(lines)
    if _RAISED.match(text):
        kept = next((n for n, pair in enumerate(pairwise(lines), 1) if not _goes_on(*pair)), kept)
    text = "\n".join(lines[:kept])
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"


def _goes_on(line: str, following: str) -> bool:
    return line.endswith((":", ",", ";")) or following.startswith(" ")


def written(card: Card) -> list[list[str] | None] | None:
    """What is written of each bad example of a card, None of one that is not run; None under another JAX."""
    told = json.loads(WRITTEN.read_text(encoding="utf-8"))
    return told["said"].get(str(card), []) if told["jax"] == jax.__version__ else None


def errors(said: Iterable[str]) -> list[str]:
    """The exceptions by name.  Warnings are not held against a run: some come once in a process."""
    return [match[1] for line in said if (match := re.match(r"([\w.]*(?:Error|Exception)): ", line))]


def bad_examples(card: Card) -> list[Block]:
    """Those examples of a card that are written of, in order."""
    return [block for block in card.blocks if block.kind == "bad"]


def _heard(block: Block) -> list[str] | None:
    if "not run" in block.excuses:
        return None
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return shown(run_block(block, Path(folder)))
        finally:
            os.chdir("/")


if __name__ == "__main__":
    told = {str(card): [_heard(block) for block in bad_examples(card)] for card in cards()}
    WRITTEN.write_text(json.dumps({"jax": jax.__version__, "said": told}, indent=1, ensure_ascii=False) + "\n")
