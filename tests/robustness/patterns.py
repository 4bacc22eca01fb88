"""Every regular expression of the package, how it is used, and texts that make an unsafe one slow."""

from __future__ import annotations

import ast
import importlib
import math
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import jaxlint

PACKAGE = Path(jaxlint.__file__).parent
USES = ("match", "fullmatch", "search", "finditer", "findall", "sub", "split")
COMMON = (" ", "\t", "\n", "a", "0", "_", ".", "#", '"', "'", "\\", "(", "[", "{", ":", "-", "=", "!", ">", "`", "\r\n")
Text = str | bytes


class Use(NamedTuple):
    """A pattern and the method it is used by, with the place where it is written."""

    where: str
    pattern: re.Pattern[Any]
    method: str

    def run(self, text: Text) -> None:
        if self.method in ("finditer", "findall"):
            for _ in self.pattern.finditer(text):
                pass
        elif self.method == "sub":
            self.pattern.sub(text[:0], text)
        else:
            getattr(self.pattern, self.method)(text)


def uses() -> Iterator[Use]:
    """All regular expressions in the package: those compiled by name, and those given to a function of `re`."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "import re\n" in text:
            module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
            yield from _in_module(text, vars(module), f"{path.relative_to(PACKAGE)}")


def _in_module(text: str, names: dict[str, Any], where: str) -> Iterator[Use]:
    for name, value in names.items():
        compiled = [part for part in _parts(value) if isinstance(part, re.Pattern)]
        if compiled and re.search(rf"^{name}\b.* = ", text, re.MULTILINE):
            methods = set(re.findall(rf"\b{name}\b(?:\[[\w\[\]]+\])?\.({'|'.join(USES)})\b", text))
            methods = methods or set(re.findall(rf"\bpattern\.({'|'.join(USES)})\b", text)) or {"search"}
            for pattern in compiled:
                yield from (Use(f"{where}: {name}", pattern, method) for method in sorted(methods))
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and _is_re(node.func.value)
            and node.args
        ):
            if node.func.attr in USES and isinstance(node.args[0], ast.Constant):
                yield Use(f"{where}:{node.lineno}", re.compile(node.args[0].value), node.func.attr)


def _is_re(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "re"


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _parts(part)
    else:
        yield value


def attacks(pattern: re.Pattern[Any]) -> Iterator[Callable[[int], Text]]:
    """Texts of any size that go far into the pattern, repeat a part of it or what it may look for, and then fail."""
    parts = dict.fromkeys(_repeated(parser.parse(pattern.pattern, pattern.flags), ""))
    for head, pump in [*parts, *dict.fromkeys(("", head + pump) for head, pump in parts)]:
        for end in ("", "\0", "\n!"):
            yield _text(pattern, head, pump, end)
    for pump in COMMON:
        yield _text(pattern, "", pump, "\0")
        yield _text(pattern, "", f"{pump}x", "\0")


def _text(pattern: re.Pattern[Any], head: str, pump: str, end: str) -> Callable[[int], Text]:
    def text(size: int) -> Text:
        made = head + pump * (size // max(len(pump), 1)) + end
        return made.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else made

    return text


def _repeated(tree: Any, head: str) -> Iterator[tuple[str, str]]:
    """(a text that leads there, a text that the repeated part matches) for each part that may be repeated."""
    for operation, argument in tree:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            for sample in _samples(argument[2]):
                yield head, sample
            yield from _repeated(argument[2], head)
        elif name == "SUBPATTERN":
            yield from _repeated(argument[3], head)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _repeated(branch, head)
        head += next(iter(_samples([(operation, argument)])), "")


def _samples(tree: Any) -> list[str]:
    """Some texts that a piece of a pattern matches, one for each alternative."""
    found = [""]
    for operation, argument in tree:
        options = _options(str(operation), argument)
        found = [text + option for text in found for option in options][:8]
    return found


def _options(name: str, argument: Any) -> list[str]:
    if name in ("LITERAL",):
        return [chr(argument)]
    if name == "NOT_LITERAL":
        return ["x" if argument != ord("x") else "y"]
    if name == "ANY":
        return ["x"]
    if name == "IN":
        return _class(argument)
    if name == "BRANCH":
        return [text for branch in argument[1] for text in _samples(branch)][:8]
    if name == "SUBPATTERN":
        return _samples(argument[3])
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least = argument[0]
        return [text * max(least, 1) for text in _samples(argument[2])] + ([""] if least == 0 else [])
    return [""]


def _class(members: Any) -> list[str]:
    if str(members[0][0]) == "NEGATE":
        for candidate in "ax0 _-.(\n":
            if not any(_contains(member, candidate) for member in members[1:]):
                return [candidate]
        return ["~"]
    found = []
    for kind, value in members:
        if str(kind) == "LITERAL":
            found.append(chr(value))
        elif str(kind) == "RANGE":
            found.append(chr(value[0]))
        else:
            found.append({"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "0", "CATEGORY_WORD": "a"}.get(str(value), "x"))
    return found[:6]


def _contains(member: Any, character: str) -> bool:
    kind, value = member
    if str(kind) == "LITERAL":
        return value == ord(character)
    if str(kind) == "RANGE":
        return value[0] <= ord(character) <= value[1]
    tests = {"CATEGORY_SPACE": str.isspace, "CATEGORY_DIGIT": str.isdigit}
    return tests.get(str(value), lambda text: text.isalnum() or text == "_")(character)


SMALL = (16, 20, 24, 28, 32, 36, 40)
"""Sizes at which an exponential time can be waited for, and at four times of which it cannot."""
SIZES = (*SMALL, 64, 256, 1024, 4096)
"""At the last, what grows with the square takes sixteen million steps."""
ENOUGH_S = 0.003
LONG_S = 0.3
"""What one measurement tells well enough."""
STEEPEST = 1.5
"""A power of the size: 1 is linear, 2 quadratic."""
IN_DOUBT = 1.2
"""What the start of a call still hides at a small size, or a busy machine: the next size decides."""


def growth(use: Use, text: Callable[[int], Text]) -> float:
    """The power of the size with which the time for a text grows, at the size where it can be measured; 0 if never."""
    for number, size in enumerate(SIZES):
        if number and all(_time(use, text(size)) > ENOUGH_S for _ in range(3)):
            power = _power(use, text, SIZES[number - 1], size)
            if IN_DOUBT < power <= STEEPEST:
                power = _power(use, text, size, size + 4 if size in SMALL else 4 * size)
            return power
    return 0.0


def _power(use: Use, text: Callable[[int], Text], small: int, large: int) -> float:
    """Both sizes are measured in turns: what slows the machine down for a while slows down both."""
    texts = text(small), text(large)
    best = [1e9, 1e9]
    for _ in range(10):
        best = [min(least, _time(use, text)) for least, text in zip(best, texts, strict=True)]
        if best[1] > LONG_S:
            break
    return math.log(best[1] / max(best[0], 1e-6)) / math.log(large / small)


def _time(use: Use, text: Text) -> float:
    start = time.process_time()
    use.run(text)
    return time.process_time() - start
