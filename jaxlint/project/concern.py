"""Whether any file that was asked for can have to do with JAX: by the imports in the texts, nothing is parsed.

A function need not mention JAX to run under a trace: another file may import and jit it.  What no chain of imports,
in whichever direction, connects with an import of JAX or of a library around it can neither get nor make a tracer
or a key, and need not be analysed.  The answer errs on the side of yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxlint.project.program import Module, Program

JAX_PACKAGES = frozenset(
    """
    blackjax brax chex diffrax distrax equinox evosax flax gymnax haiku jax jaxlib jaxopt jraph lineax mctx
    numpyro objax optax optimistix orbax rlax tensorflow_probability tfp
    """.split()
)
"""The outside packages in which tracers, keys and transforms come from; so does any whose name has `jax` in it."""

_IMPORT = re.compile(r"\bimport\b")
_FROM = re.compile(r"\bfrom\b")
_ORIGIN = re.compile(r"from((?:[ \t\f.]|\\\r?\n)*)(?:(\w[\w.]*)(?:[ \t\f]|\\\r?\n)*)?\Z")
_LONGEST_FROM = 400
_LISTED = re.compile(r"[\w.]+|[,*]|[ \t\f]+|[\r\n]+|#[^\r\n]*|\\\r?\n|[()]")
"""What a list of imported names is made of, none of which any other alternative can begin with."""

_ENDS_LIST = frozenset(("import", "from", "def", "class"))
"""Words that show that the list before them was never finished."""


def concerns_jax(program: Program) -> bool:
    """Whether analysing the program can find anything in its requested files, beyond what their text alone shows."""
    packages = _packages_of(program)
    imports = {name: list(imports_in(module.document.text)) for name, module in program.modules.items()}
    sources = [name for name, found in imports.items() if any(_leads_to(packages, one) for one in found)]
    if not sources:
        return False
    groups = _connected(program, imports)
    concerned = {groups[name] for name in sources}
    return any(groups[program.by_path[real].name] in concerned for real in program.requested)


def imports_jax(program: Program, text: str) -> bool:
    """Whether one of the program's modules, of this text, imports JAX or a library around it itself."""
    packages = _packages_of(program)
    return any(_leads_to(packages, one) for one in imports_in(text))


def _packages_of(program: Program) -> frozenset[str]:
    return JAX_PACKAGES | {name.partition(".")[0] for name, _ in program.settings.transforms}


class Import(NamedTuple):
    """One import statement: `from <level dots><module> import <names>`, or `import <names>` without a module."""

    level: int
    module: str | None
    names: tuple[str, ...]


def imports_in(text: str) -> Iterator[Import]:
    """Every import statement in a text, and some things that only look like one (in strings, after code).

    The text is gone through once, forwards: what was read for one statement is not read for another, so that no
    text, however broken, takes longer than its length.
    """
    position = line = 0
    commented = False
    while (found := _IMPORT.search(text, position)) is not None:
        start = found.start()
        broken = 1 + max(text.rfind("\n", position, start), text.rfind("\r", position, start))
        if broken or not position:
            line = broken
            commented = _is_comment(text, line, start)
        if commented:
            position = found.end()
            continue
        names, end = _listed_names(text, found.end())
        origin = _origin(text, max(position, start - _LONGEST_FROM), start)
        position = end
        yield Import(*origin, names) if origin is not None else Import(0, None, names)


def _is_comment(text: str, line: int, end: int) -> bool:
    """Whether the line that starts at ``line`` is a comment; no more than what comes before ``end`` is looked at."""
    return text[line:end].lstrip().startswith("#")


def _origin(text: str, begin: int, end: int) -> tuple[int, str] | None:
    """The dots and the module between a `from` and the `import` at ``end``, or None without a `from`."""
    start = text.rfind("from", begin, end)
    while start >= 0 and _FROM.match(text, start) is None:
        start = text.rfind("from", begin, start)
    match = _ORIGIN.match(text, start, end) if start >= 0 else None
    return None if match is None else (match[1].count("."), match[2] or "")


def _listed_names(text: str, position: int) -> tuple[tuple[str, ...], int]:
    """The first word between each two commas after an `import`, and where that list ends."""
    names: list[str] = []
    wanted, inside = True, False
    while (found := _LISTED.match(text, position)) is not None:
        token = found.group()
        if token in _ENDS_LIST or (token == "(" and (inside or names)) or (token[0] in "\r\n" and not inside):
            break
        position = found.end()
        if token == ")":
            break
        if token == "(":
            inside = True
        elif token == ",":
            wanted = True
        elif wanted and (token == "*" or token[0] == "." or token[0].isalnum() or token[0] == "_"):
            names.append(token)
            wanted = False
    return tuple(names), position


def _leads_to(packages: frozenset[str], found: Import) -> bool:
    heads = [found.module] if found.module else found.names
    return any("jax" in name or name.partition(".")[0] in packages for name in heads)


def _connected(program: Program, imports: dict[str, list[Import]]) -> dict[str, str]:
    """Each module's group: modules that imports connect, and packages with what lies in them, share one."""
    leader = {name: name for name in program.modules}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = name = leader[leader[name]]
        return name

    for name, module in program.modules.items():
        for dotted in _targets(program, module, imports[name]):
            for other in _prefixes(dotted):
                if other in leader:
                    leader[find(other)] = find(name)
    return {name: find(name) for name in leader}


def _targets(program: Program, module: Module, imports: Iterable[Import]) -> Iterator[str]:
    """What a module can reach by name: its own packages, and all that its imports mean."""
    yield module.name
    for level, origin, names in imports:
        if origin is None and not level:
            yield from (program.resolve_import(module, 0, name) for name in names)
        else:
            source = program.resolve_import(module, level, origin)
            yield source
            yield from (f"{source}.{name}" for name in names)


def _prefixes(dotted: str) -> Iterator[str]:
    while dotted:
        yield dotted
        dotted = dotted.rpartition(".")[0]
