"""Real code, damaged: what an editor's buffer, a bad merge or a broken disk would hand to the linter."""

from __future__ import annotations

import ast
import copy
import io
import keyword
import sysconfig
import tokenize
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

PACKAGES = ("chex", "distrax", "equinox", "flax", "haiku", "optax")
WINDOW = 60  # lines of a file that one input takes: small inputs fail faster and are easier to read


@cache
def real_files(packages: tuple[str, ...] = PACKAGES) -> tuple[Path, ...]:
    """The Python files of installed JAX libraries, in a fixed order; what is not installed is left out."""
    installed = Path(sysconfig.get_path("purelib"))
    return tuple(sorted(path for package in packages for path in (installed / package).rglob("*.py")))


def damaged_file(random: Random) -> bytes:
    """A part of a real file with one to three damages; the same ``random`` state gives the same bytes."""
    return damaged(excerpt(random.choice(real_files()), random).encode(), random)


def damaged(data: bytes, random: Random) -> bytes:
    """The data with one to three damages."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(DAMAGES)(data, random)
    return data


@cache
def _top_level(path: Path) -> tuple[list[str], list[tuple[int, int, bool]]]:
    """The lines of a file, and for each top-level statement its first and last line and whether it imports."""
    text = path.read_text(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    spans = []
    for node in tree.body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        spans.append((first - 1, node.end_lineno or first, isinstance(node, ast.Import | ast.ImportFrom)))
    return text.splitlines(keepends=True), spans


def excerpt(path: Path, random: Random) -> str:
    """The imports of a file and some neighbouring definitions of it: about ``WINDOW`` lines that still make sense."""
    lines, spans = _top_level(path)
    definitions = [(first, last) for first, last, imports in spans if not imports]
    if not definitions:
        return "".join(lines)
    kept = [(first, last) for first, last, imports in spans if imports]
    size = 0
    for first, last in definitions[random.randrange(len(definitions)) :]:
        kept.append((first, last))
        size += last - first
        if size > WINDOW:
            break
    return "".join("".join(lines[first:last]) for first, last in kept)


def truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def flip_byte(data: bytes, random: Random) -> bytes:
    if not data:
        return b"\x00"
    at = random.randrange(len(data))
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def drop_lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    return b"".join(lines[:at] + lines[at + random.randint(1, 5) :])


def repeat_lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at, to = random.randrange(len(lines) + 1), random.randrange(len(lines) + 1)
    return b"".join(lines[:to] + lines[at : at + random.randint(1, 10)] + lines[to:])


def indent_lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at, size = random.randrange(len(lines) + 1), random.randint(1, 8)
    moved = [random.choice((b"    ", b"\t", b" ")) + line for line in lines[at : at + size]]
    return b"".join(lines[:at] + moved + lines[at + size :])


def swap_tokens(data: bytes, random: Random) -> bytes:
    """Exchange some names with other names of the file, or some operators with other operators."""
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(data).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return truncate(data, random)
    kind = random.choice((tokenize.NAME, tokenize.NAME, tokenize.OP))
    chosen = [token for token in tokens if token.type == kind and not keyword.iskeyword(token.string)]
    if not chosen:
        return data
    lines = data.decode("utf-8", "replace").splitlines(keepends=True)
    picked = random.sample(chosen, min(4, len(chosen)))
    for token in sorted(picked, key=lambda token: token.start, reverse=True):
        (row, first), (_, last) = token.start, token.end
        lines[row - 1] = lines[row - 1][:first] + random.choice(chosen).string + lines[row - 1][last:]
    return "".join(lines).encode("utf-8", "replace")


def swap_expressions(data: bytes, random: Random) -> bytes:
    """Put other expressions of the file in the place of some of its expressions: the result still parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return data
    places = [
        (node, name)
        for node in ast.walk(tree)
        for name, value in ast.iter_fields(node)
        if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
    ]
    for node, name in random.sample(places, min(len(places), random.randint(1, 6))):
        other, field = random.choice(places)
        setattr(node, name, copy.deepcopy(getattr(other, field)))
    return ast.unparse(tree).encode("utf-8", "replace")


def rename_everything(data: bytes, random: Random) -> bytes:
    """Give several names of the file one name, so that it shadows itself."""
    text = data.decode("utf-8", "replace")
    words = sorted({word for word in text.replace(".", " ").replace("(", " ").split() if word.isidentifier()})
    for word in random.sample(words, min(len(words), 3)):
        text = text.replace(word, random.choice(words))
    return text.encode("utf-8", "replace")


DAMAGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(truncate, flip_byte, drop_lines, repeat_lines, indent_lines, swap_tokens, rename_everything),
    *(swap_expressions, swap_expressions, swap_expressions, swap_expressions, swap_expressions),
)
