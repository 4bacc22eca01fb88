"""Real code as it is while somebody works on it: half a line, other arguments, a block twice, an open bracket.

What `mutations.py` does happens to bytes and tokens; this happens to lines, calls and blocks.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from random import Random

Damage = Callable[[str, Random], str]

OPENINGS = (
    *(
        "import (",
        "from jax import (",
        "from . import (",
        "import jax.",
        "from ",
        "def ",
        "def f(",
        "class ",
        "class A(",
    ),
    *("@", "@jax.jit(", "@partial(jax.jit, static_argnums=(", "for ", "for x in", "while ", "if x >", "else:", "try:"),
    *(
        "except ",
        "with ",
        "return ",
        "x = ",
        "x: ",
        "x[",
        "x.",
        "x.at[",
        "lambda x:",
        "jax.jit(",
        "jax.vmap(lambda x: ",
    ),
    *(
        "print(f'{x",
        "f'''{",
        "'''",
        '"""',
        "'",
        '"',
        "# type: ",
        "# jaxlint: ignore[",
        "# (",
        "(",
        "[",
        "{",
        "\\",
        "match x:",
    ),
    *(
        "case ",
        "yield ",
        "await ",
        "global ",
        "nonlocal ",
        "del ",
        "assert ",
        "raise ",
        "*",
        "**",
        "...",
        "%timeit ",
        "!ls",
    ),
)
"""What a line looks like when it has just been begun."""

ARGUMENTS = (
    *(
        "",
        "*args",
        "**kwargs",
        "*args, **kwargs",
        "None",
        "x",
        "x, x",
        "key",
        "key, key",
        "lambda x: x",
        "lambda *a, **k: a",
    ),
    *(
        "x=x",
        "f=None",
        "xs=None, length=3",
        "*x, *x",
        "**x, **x",
        "1, 2, 3, 4, 5, 6",
        "()",
        "[]",
        "{}",
        "self",
        "...",
        "x for x in x",
    ),
    *(
        "x := 1",
        "static_argnums=-1",
        "static_argnames=None",
        "in_axes=None",
        "axis=x",
        "key=key, shape=x",
        "'x'",
        "-1",
        "x,",
        "not x",
    ),
)


def half_a_line(text: str, random: Random) -> str:
    """A line ends somewhere in its middle."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = random.randrange(len(lines))
    line = lines[at].rstrip("\r\n")
    lines[at] = line[: random.randrange(len(line) + 1)] + "\n"
    return "".join(lines)


def begun_line(text: str, random: Random) -> str:
    """A line that somebody has just begun, as deep as the one before it or deeper."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    before = lines[at - 1] if at else ""
    indent = before[: len(before) - len(before.lstrip())].strip("\r\n") + random.choice(("", "", "    "))
    lines.insert(at, indent + random.choice(OPENINGS) + random.choice(("\n", "\n", "")))
    return "".join(lines)


def other_arguments(text: str, random: Random) -> str:
    """Some calls get other arguments, or their own once more, or lose some."""
    places = [node for node in _nodes(text) if isinstance(node, ast.Call)]
    for node in _disjoint(random.sample(places, min(len(places), random.randint(1, 5)))):
        function = ast.get_source_segment(text, node.func)
        own = [ast.get_source_segment(text, part) or "x" for part in node.args]
        forms = (
            random.choice(ARGUMENTS),
            ", ".join(own + own),
            ", ".join(own[:-1]),
            ", ".join(f"*{part}" for part in own),
        )
        text = _replaced(text, node, f"{function}({random.choice(forms)})")
    return text


def doubled_block(text: str, random: Random) -> str:
    """A statement stands there twice, or inside a copy of itself."""
    places = [node for node in _nodes(text) if isinstance(node, ast.stmt) and node.end_lineno is not None]
    if not places:
        return text
    compound = [node for node in places if isinstance(getattr(node, "body", None), list)]
    node = random.choice(compound or places)
    lines = text.splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    block = lines[first:last]
    for _ in range(random.choice((1, 1, 2, 5))):
        if random.random() < 0.5:
            lines[last:last] = block
        else:
            lines[last:last] = ["    " + line for line in block]
            block = lines[first:last] + ["    " + line for line in block]
            last = first + len(block)
    return "".join(lines)


def open_bracket(text: str, random: Random) -> str:
    """A bracket or a quote too many, or one too few."""
    places = [match.start() for match in re.finditer(r"[()\[\]{}'\"]", text)]
    if not places or random.random() < 0.4:
        at = random.randrange(len(text) + 1)
        return text[:at] + random.choice("()[]{}'\"\\#:") + text[at:]
    at = random.choice(places)
    return text[:at] + random.choice(("", "", text[at] * 3, "#")) + text[at + 1 :]


def commented_out(text: str, random: Random) -> str:
    """Some lines are comments, though not the whole statement, and the comment has a bracket of its own."""
    lines = text.splitlines(keepends=True)
    at, size = random.randrange(len(lines) + 1), random.randint(1, 30)
    mark = random.choice(("# ", "#", "# (", "# import (  # ", "# '''", "#: "))
    step = random.choice((1, 1, 2))
    lines[at : at + size] = [
        mark + line if number % step == 0 else line for number, line in enumerate(lines[at : at + size])
    ]
    return "".join(lines)


def unfinished_import(text: str, random: Random) -> str:
    """A list of imported names that never ends, with comments in it, somewhere or at the end."""
    lines = text.splitlines(keepends=True)
    at = random.choice((0, len(lines), random.randrange(len(lines) + 1)))
    prefix = random.choice(("", "# ", "    "))
    names = [
        f"{prefix}    Name{number},{random.choice(('', '  # one', '  # (', ' #'))}\n"
        for number in range(random.randint(1, 40))
    ]
    start = random.choice(("from .parts import (", "import (", "from jax import (  # ours", "from jax import \\"))
    lines[at:at] = [f"{prefix}{start}\n", *names]
    return "".join(lines)


def calls_itself(text: str, random: Random) -> str:
    """Names in a function become the function's own: it maps, scans and decorates itself."""
    functions = [node for node in _nodes(text) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    if not functions:
        return text
    function = random.choice(functions)
    name = function.name if isinstance(function, ast.FunctionDef) else "f"
    own = [part for part in ast.walk(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    for part in _disjoint(random.sample(own, min(len(own), random.randint(1, 4)))):
        text = _replaced(
            text, part, random.choice((name, f"jax.vmap({name})", f"jax.jit({name})(x)", f"jax.grad({name})"))
        )
    return text


def in_itself(text: str, random: Random) -> str:
    """An expression in itself, some levels deep."""
    places = [node for node in _nodes(text) if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.ListComp))]
    if not places:
        return text
    node = random.choice(places)
    inner = ast.get_source_segment(text, node) or "x"
    if len(inner) > 200 or "\n" in inner:
        return text
    form = random.choice(
        (
            "[{} for x in {}]",
            "jax.vmap(lambda x: {})({})",
            "({} if {} else x)",
            "jax.lax.cond(x, lambda: {}, lambda: {})",
            "{}({})",
        )
    )
    whole = inner
    for _ in range(random.randint(1, 6)):
        whole = form.replace("{}", whole, 1).replace("{}", inner)
    return _replaced(text, node, whole)


def _nodes(text: str) -> list[ast.AST]:
    """The nodes of a text that parses, none of any other."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return []


def _disjoint(nodes: list[ast.Call] | list[ast.Name]) -> list[ast.Call | ast.Name]:
    """The nodes from the last to the first, without those that overlap a later one."""
    kept: list[ast.Call | ast.Name] = []
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        end = (node.end_lineno or 0, node.end_col_offset or 0)
        if not kept or end <= (kept[-1].lineno, kept[-1].col_offset):
            kept.append(node)
    return kept


def _replaced(text: str, node: ast.expr, other: str) -> str:
    lines = text.splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = lines[first].encode()[: node.col_offset].decode("utf-8", "replace")
    tail = lines[last].encode()[node.end_col_offset :].decode("utf-8", "replace")
    return "".join(lines[:first]) + head + other + tail + "".join(lines[last + 1 :])


HALF_TYPED: tuple[Damage, ...] = (
    *(half_a_line, begun_line, other_arguments, other_arguments, doubled_block, open_bracket, commented_out),
    *(unfinished_import, calls_itself, calls_itself, in_itself),
)


def half_typed(text: str, random: Random) -> str:
    """The text with one to four of these; the same ``random`` state gives the same text."""
    for _ in range(random.choice((1, 1, 2, 2, 3, 4))):
        text = random.choice(HALF_TYPED)(text, random)
    return text
