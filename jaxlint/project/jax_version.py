"""Which versions of jax a program says it runs with, read from its packaging files and nothing else."""

from __future__ import annotations

import ast
import configparser
import glob
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from jaxlint.project.reading import read_text, reason_of

Version = tuple[int, ...]


class JaxVersions(NamedTuple):
    """The lowest and the highest version declared, either None when nothing is; a pin is both."""

    minimum: Version | None = None
    maximum: Version | None = None


# `jax`, `jax[cuda12]>=0.4.30,<0.6`, `jax (>=0.4)`, `jax==0.4.30; python_version > "3.9"`
_REQUIREMENT = re.compile(r"^\s*jax\s*(?:\[[^\]]*\]\s*)?(?:\(\s*)?(?P<clauses>[<>=!~][^;#)]*)", re.IGNORECASE)
_CLAUSE = re.compile(r"(?P<operator>===|==|~=|>=|<=|!=|<|>|\^|~)\s*v?(?P<version>\d+(?:\.\d+)*)")


_MOST_DIGITS = 9
"""Of a part of a version; a date has eight."""


def parse_version(text: str) -> Version | None:
    """`"0.4.30"` as `(0, 4, 30)`; whatever follows the digits is dropped.  None for what is no version."""
    match = re.match(r"\s*v?(\d+(?:\.\d+)*)", text)
    parts = match.group(1).split(".") if match else []
    return tuple(map(int, parts)) if parts and max(map(len, parts)) <= _MOST_DIGITS else None


def declared_jax(root: str, override: str | None = None, problems: list[str] | None = None) -> JaxVersions:
    """The versions that the program in this folder declares, or the setting `jax-version` when it is given.

    Lock files say what is installed and so win; of all other declarations the widest range counts.
    ``problems`` gains a line for each file that is there and cannot be read.
    """
    problems = [] if problems is None else problems
    if override is not None:
        return _bounds(override if override[:1] in "<>=!~^" else f"=={override}")
    for name, reader in _LOCKS.items():
        pinned = [version for version in _read(os.path.join(root, name), reader, problems) if version]
        if pinned:
            return _bounds(f"=={pinned[0]}")
    declared: list[JaxVersions] = []
    for pattern, reader in _DECLARATIONS.items():
        for path in sorted(glob.glob(os.path.join(glob.escape(root), pattern))):
            declared += [_bounds(clauses) for clauses in _read(path, reader, problems) if clauses]
    if not declared:
        return JaxVersions()
    lows = [bounds.minimum for bounds in declared]
    highs = [bounds.maximum for bounds in declared]
    lowest = None if all(low is None for low in lows) else min(low for low in lows if low is not None)
    return JaxVersions(lowest, None if None in highs else max(high for high in highs if high is not None))


def _bounds(clauses: str) -> JaxVersions:
    minimum: Version | None = None
    maximum: Version | None = None
    for match in _CLAUSE.finditer(clauses):
        version = parse_version(match["version"])
        operator = match["operator"]
        if operator in ("==", "===", ">=", "~=", ">", "^", "~"):
            minimum = version
        if operator in ("==", "===", "<=", "<"):
            maximum = version
    return JaxVersions(minimum, maximum)


def _read(path: str, reader: Callable[[str], Iterator[str]], problems: list[str]) -> list[str]:
    """What a reader finds in a file; a file that is missing or broken declares nothing."""
    try:
        return list(reader(read_text(path)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        problems.append(f"{path}: cannot be read: {reason_of(error)}")
        return []
    except (ValueError, SyntaxError, RecursionError, MemoryError, configparser.Error):
        return []


def _requirement(line: str) -> Iterator[str]:
    match = _REQUIREMENT.match(line)
    if match:
        yield match["clauses"]


def _from_requirements(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from _requirement(line)


def _from_pyproject(text: str) -> Iterator[str]:
    data = load_toml(text)
    project = _table(data.get("project"))
    groups = [project.get("dependencies"), *_table(project.get("optional-dependencies")).values()]
    groups += _table(data.get("dependency-groups")).values()
    for group in groups:
        for line in group if isinstance(group, list) else []:
            yield from _requirement(line) if isinstance(line, str) else ()
    yield from _from_poetry(_table(_table(data.get("tool")).get("poetry")))


def _from_poetry(poetry: dict[str, Any]) -> Iterator[str]:
    groups = [poetry, *map(_table, _table(poetry.get("group")).values())]
    for group in groups:
        wanted = _table(group.get("dependencies")).get("jax")
        version = wanted.get("version") if isinstance(wanted, dict) else wanted
        if isinstance(version, str) and version != "*":
            yield version if version[:1] in "<>=!~^" else f"=={version}"


def _from_setup_cfg(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    lines = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        lines += [value for _, value in parser.items("options.extras_require")]
    for line in "\n".join(lines).splitlines():
        yield from _requirement(line)


def _from_setup_py(text: str) -> Iterator[str]:
    """Requirements written as literals in the call of `setup`, or anywhere else in the file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _requirement(node.value)


def _from_lock(text: str) -> Iterator[str]:
    packages = load_toml(text).get("package", [])
    for package in packages if isinstance(packages, list) else []:
        if _table(package).get("name") == "jax" and isinstance(package.get("version"), str):
            yield package["version"]


def load_toml(text: str) -> dict[str, Any]:
    """TOML text as a dict.  Raises ValueError when it is not TOML, or nested beyond reason."""
    if any(line.count(".") > _DEEPEST_KEY and _longest_key(line) > _DEEPEST_KEY for line in text.split("\n")):
        raise ValueError(f"a key has more than {_DEEPEST_KEY} parts")
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return data


_DEEPEST_KEY = 200
"""Parts of a dotted key.  The parser's time for one grows with the square of their number."""


def _longest_key(line: str) -> int:
    """How many parts the longest dotted key of a line may have."""
    longest = run = 0
    for part in line.split("."):
        run = run + 1 if _KEY_PART.fullmatch(part) else 1
        longest = max(longest, run)
    return longest


_KEY_PART = re.compile(r"\s*[\w\"'-]+\s*")


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_LOCKS: dict[str, Callable[[str], Iterator[str]]] = {"uv.lock": _from_lock, "poetry.lock": _from_lock}

_DECLARATIONS: dict[str, Callable[[str], Iterator[str]]] = {
    "pyproject.toml": _from_pyproject,
    "setup.cfg": _from_setup_cfg,
    "setup.py": _from_setup_py,
    "*requirements*.txt": _from_requirements,
    os.path.join("requirements", "*.txt"): _from_requirements,
}
