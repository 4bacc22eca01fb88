"""Somebody who edits a text through states that do not parse, and knows which findings must be there in each."""

from __future__ import annotations

import ast
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator

HALVES = (
    "value = jnp.sum(",
    "for i in",
    "if",
    "x = [1, (2,",
    'text = """',
    "def half(",
    "@jax.jit(",
    "import",
    "y = x +",
    "return (",
    "class",
    "lambda: (",
    "))",
    "else:",
    "with open('a' as",
    "    print(1)",
)
WHOLE = "unused = jnp.ones(3)"
COMMENT = "# meanwhile"
BRACKETS = frozenset("()[]:")
BLOCKS = ("body", "orelse", "finalbody")

Found = Counter[tuple[str, int]]
"""Findings by their rule and the number of the line that they start on."""


class Breaker:
    """Makes one edit after the other: something is broken, other places are edited meanwhile, and it is mended.

    Lines have numbers that stay when lines come and go.  ``broken`` are the numbers of the statement that is broken.
    """

    def __init__(self, seed: int, text: str) -> None:
        self.random = random.Random(seed)
        self._numbers = itertools.count()
        self.lines = [(next(self._numbers), line) for line in text.split("\n")]
        self.broken: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)

    @property
    def parses(self) -> bool:
        try:
            ast.parse(self.text)
        except SyntaxError:
            return False
        return True

    def found(self, places: Iterable[tuple[str, int]]) -> Found:
        """Findings whose places are lines, counted from 1, of the text as it is now."""
        return Counter((code, self.lines[line - 1][0]) for code, line in places)

    def outside(self, before: Found) -> Found:
        """Of the findings in the last text that parsed those outside the broken statement."""
        return Counter({one: count for one, count in before.items() if one[1] not in self.broken})

    def edits(self) -> Iterator[None]:
        """The edits from one text that parses to the next."""
        self._good = list(self.lines)
        self._extents = list(_extents(ast.parse(self.text)))
        yield from self.random.choice([self._open, self._cut, self._without])()
        self.broken = frozenset()
        if self.random.random() < 0.3:  # many comments have come
            self.lines = [line for line in self.lines if not line[1].strip().startswith(COMMENT)]
        yield

    def _open(self) -> Iterator[None]:
        """A statement is begun before another, key by key, and taken back or finished."""
        first, _ = self.random.choice(self._extents)
        indent = _indent(self.lines[first - 1][1])
        half = self.random.choice(HALVES)
        number = next(self._numbers)
        self.lines.insert(first - 1, (number, indent))
        for length in sorted({max(1, len(half) // 2), max(1, len(half) - 1), len(half)}):
            self._put(number, indent + half[:length])
            yield from self._while_broken()
        if self.random.random() < 0.5:
            self._put(number, indent + WHOLE)
        else:
            self.lines = [line for line in self.lines if line[0] != number]

    def _cut(self) -> Iterator[None]:
        """A bracket or a colon goes, and comes back."""
        number, line = self.random.choice([one for one in self.lines if set(one[1]) & BRACKETS and "#" not in one[1]])
        place = self.random.choice([index for index, char in enumerate(line) if char in BRACKETS])
        self._put(number, line[:place] + line[place + 1 :])
        self.broken = self._statement_of(number)
        yield from self._while_broken()
        self._put(number, line)

    def _without(self) -> Iterator[None]:
        """A line goes, and comes back."""
        first, last = self.random.choice(self._extents)
        at = self.random.randint(first, last) - 1
        line = self.lines.pop(at)
        before = self.lines[at - 1] if at else None
        self.broken = self._statement_of(line[0])
        yield from self._while_broken()
        self.lines.insert(0 if before is None else self.lines.index(before) + 1, line)

    def _statement_of(self, number: int) -> frozenset[int]:
        """The numbers of the lines of the statement with a line in it."""
        at = next(at for at, line in enumerate(self._good, 1) if line[0] == number)
        inside = (self._good[first - 1 : last] for first, last in self._extents if first <= at <= last)
        return frozenset(each for lines in inside for each, _ in lines)

    def _while_broken(self) -> Iterator[None]:
        """The text as it is, and with comments and empty lines that come elsewhere."""
        if self.parses:
            return
        yield
        for _ in range(self.random.randint(0, 2)):
            starts = [self._good[first - 1] for first, _ in self._extents]
            before = self.random.choice([line for line in starts if line[0] not in self.broken])
            new = self.random.choice(["", _indent(before[1]) + COMMENT])
            self.lines.insert(self.lines.index(before), (next(self._numbers), new))
            yield

    def _put(self, number: int, text: str) -> None:
        self.lines = [(one, text if one == number else line) for one, line in self.lines]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _extents(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """The first and the last line of each statement; of a compound one up to its body."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            blocks = [block for name in BLOCKS if isinstance(block := getattr(node, name, None), list) and block]
            starts = [_first(block[0]) for block in blocks]
            last = max(node.lineno, min(starts) - 1) if starts else node.end_lineno or node.lineno
            yield _first(node), last


def _first(statement: ast.stmt) -> int:
    return min([statement.lineno, *(part.lineno for part in getattr(statement, "decorator_list", []))])
