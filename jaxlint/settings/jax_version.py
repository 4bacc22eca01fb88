"""Which versions of jax a program says it runs with, read from its packaging files and nothing else."""

from __future__ import annotations

import ast
import glob
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from jaxlint.files.reading import read_text, reason_of

Version = tuple[int, ...]


class JaxVersions(NamedTuple):
    """The lowest and the highest version declared, either None when nothing is; a pin is both.

    ``implied``: the highest is what the pin of another package, which jax needs in a newer version, leaves.
    ``raised``: a package that comes with jax is asked for in some version at least, which may need a newer jax than the
    lowest.
    ``flax``: the highest version of flax that is declared, if that has an end.
    """

    minimum: Version | None = None
    maximum: Version | None = None
    implied: bool = False
    raised: bool = False
    flax: Version | None = None

    @property
    def in_words(self) -> str:
        lowest, highest = (".".join(map(str, version or ())) for version in (self.minimum, self.maximum))
        if lowest == highest:
            return lowest or "any"
        return f"{lowest} or newer" if not highest else f"{lowest or 'any'} up to {highest}"

    @property
    def is_pinned(self) -> bool:
        """Whether somebody has settled on one version, so that the next one comes only when they decide so."""
        return self.implied or (self.maximum is not None and self.minimum == self.maximum)


# `jax`, `jax[cuda12]>=0.4.30,<0.6`, `jax (>=0.4)`, `jax==0.4.30; python_version > "3.9"`
_REQUIREMENT = re.compile(
    r"^\s*(?P<name>[A-Za-z][\w.-]*)\s*(?:\[[^\]]*\]\s*)?(?:\(\s*)?(?P<clauses>(?:[<>=!~^][^;#)]*)?)"
)
_CLAUSE = re.compile(r"(?P<operator>===|==|~=|>=|<=|!=|<|>|\^|~)\s*v?(?P<version>\d+(?:\.\d+)*)(?P<series>\.\*)?")


_MOST_DIGITS = 9
"""Of a part of a version; a date has eight."""


def parse_version(text: str) -> Version | None:
    """`"0.4.30"` as `(0, 4, 30)`; whatever follows the digits is dropped.  None for what is no version."""
    match = re.match(r"\s*v?(\d+(?:\.\d+)*)", text)
    parts = match.group(1).split(".") if match else []
    return tuple(map(int, parts)) if parts and max(map(len, parts)) <= _MOST_DIGITS else None


def declared_jax(root: str, override: str | None = None, problems: list[str] | None = None) -> JaxVersions:
    """The versions that the program in this folder declares, or the setting `jax-version` when it is given.

    Lock files say what is installed and so win; of all other declarations the widest range counts.  Where none of them
    mentions jax, what an environment, an image or the instructions to install it name does.
    ``problems`` gains a line for each file that is there and cannot be read.
    """
    problems = [] if problems is None else problems
    if override is not None:
        return _bounds(override if override[:1] in "<>=!~^" else f"=={override}")
    for name, reader in _LOCKS.items():
        lines = _read(os.path.join(root, name), reader, problems)
        split = (line.partition("==") for line in reversed(lines))  # of several versions the first counts
        pinned = {package: parse_version(version) for package, _, version in split}
        if pinned.get("jax"):
            return JaxVersions(pinned["jax"], pinned["jax"], flax=pinned.get("flax"))
    for sources in (_DECLARATIONS, _INSTRUCTIONS):
        lists = [
            _read(path, reader, problems)
            for pattern, reader in sources.items()
            for path in sorted(glob.glob(os.path.join(glob.escape(root), pattern)))
        ]
        found = _asked(lists)
        if found is not None:
            return found
    return JaxVersions()


def installed_by(cells: Iterable[str]) -> JaxVersions | None:
    """The versions that a notebook's own commands install (`!pip install flax` gets any); None if they install none."""
    return _asked([list(_from_commands(cell)) for cell in cells])


def _asked(lists: Iterable[list[str]]) -> JaxVersions | None:
    """What lists of requirements allow together; None if they have nothing to do with jax."""
    declared: list[JaxVersions] = []
    mentioned: list[JaxVersions] = []
    raised = False
    flax: list[JaxVersions] = []
    for lines in lists:
        requirements = [found for line in lines if (found := _requirement(line))]
        limit = min(filter(None, (_limit(name, clauses) for name, clauses in requirements)), default=None)
        declared += [_below(_bounds(asked), limit) for name, asked in requirements if name == "jax" and asked]
        if not _ON_JAX.isdisjoint(name for name, _ in requirements):
            mentioned.append(_below(JaxVersions(), limit))
        flax += [_bounds(asked) for name, asked in requirements if name == "flax"]
        raised = raised or any(name in _ON_JAX - {"jax"} and _asks_for_newer(clauses) for name, clauses in requirements)
    allowed = _widest(declared or mentioned) if mentioned else None
    if allowed is None:
        return None
    newest = _widest(flax).maximum if flax else None
    return allowed._replace(raised=raised and allowed.minimum is not None, flax=newest)


def _asks_for_newer(clauses: str) -> bool:
    return any(match["operator"] in _LOWER for match in _CLAUSE.finditer(clauses))


def _below(bounds: JaxVersions, limit: Version | None) -> JaxVersions:
    """The bounds, with a limit if they have no highest version and it leaves any."""
    if limit is None or bounds.maximum is not None or (bounds.minimum is not None and bounds.minimum >= limit):
        return bounds
    return JaxVersions(bounds.minimum, limit, implied=True)


def _widest(declared: list[JaxVersions]) -> JaxVersions:
    """What all of several declarations allow together."""
    lows = [bounds.minimum for bounds in declared]
    highs = [bounds.maximum for bounds in declared if bounds.maximum is not None]
    lowest = None if all(low is None for low in lows) else min(low for low in lows if low is not None)
    if len(highs) < len(declared):
        return JaxVersions(lowest)
    return JaxVersions(lowest, max(highs), all(bounds.implied for bounds in declared))


_LOWER = ("==", "===", ">=", "~=", ">", "^", "~")
_UPPER = ("==", "===", "<=", "<")
_SERIES = ("~=", "^", "~")
"""pip's compatible release and what Poetry makes of it: any that goes on with the same series."""


def _next_series(version: Version, operator: str) -> Version:
    """The first version that is left out: the number that may not grow is one more."""
    if operator == "^":  # the first that is not 0, if any
        fixed = next((index for index, number in enumerate(version) if number), len(version) - 1)
    elif operator == "~":
        fixed = min(1, len(version) - 1)
    else:
        fixed = max(len(version) - 2, 0)
    return (*version[:fixed], version[fixed] + 1)


def _bounds(clauses: str) -> JaxVersions:
    minimum: Version | None = None
    maximum: Version | None = None
    excluded: list[Version] = []
    for match in _CLAUSE.finditer(clauses):
        version = parse_version(match["version"])
        operator = match["operator"]
        if version is not None and operator in ("!=", ">"):
            excluded.append(version if match["series"] else _padded(version))
        if operator in _LOWER:
            minimum = version
        if operator in _UPPER:
            maximum = version
        if version is not None and operator in _SERIES:
            maximum = _next_series(version, operator)
    for version in sorted(excluded):
        if minimum is not None and _padded(minimum)[: len(version)] == version:
            minimum = (*version[:-1], version[-1] + 1)  # the first that is not excluded
    return JaxVersions(minimum, maximum)


def _padded(version: Version) -> Version:
    return version + (0,) * (3 - len(version))


def _read(path: str, reader: Callable[[str], Iterator[str]], problems: list[str]) -> list[str]:
    """What a reader finds in a file; a file that is missing or broken declares nothing."""
    try:
        return list(reader(read_text(path)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        problems.append(f"{path}: cannot be read: {reason_of(error)}")
        return []
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []


def _requirement(line: str) -> tuple[str, str] | None:
    """The package of a requirement, in lower case, and what is asked of its version; empty if nothing is.  What holds
    for some versions of Python only (`numpy==1.19; python_version < "3.8"`) asks nothing of packages around jax."""
    match = _REQUIREMENT.match(line)
    if match is None:
        return None
    name = match["name"].lower()
    return name, match["clauses"] if name == "jax" or ";" not in line else ""


_ON_JAX = frozenset("jax jaxlib flax dm-haiku optax chex equinox numpyro distrax rlax jraph jaxline".split())
"""Packages that come with jax: a list of requirements that has one is about jax."""


def _limit(name: str, clauses: str) -> Version | None:
    """The first version of jax that asks for more of a package than its pin allows."""
    pin = re.match(r"\s*(===|==|~=)\s*([\d.]+)", clauses)
    version = parse_version(pin[2]) if pin is not None else None
    if pin is None or version is None:
        return None
    if pin[1] == "~=":  # the last number may grow
        version = (*version[:-1], _GREATEST)
    if name == "jaxlib":  # goes with a jax of its own series; the first of them had other numbers
        return (0, 3) if version < (0, 3) else (version[0], version[1] + 1) if len(version) > 2 else None
    return next((jax for jax, needed in _NEEDS.get(name, ()) if version < needed), None)


_GREATEST = 10**_MOST_DIGITS

_NEEDS: dict[str, tuple[tuple[Version, Version], ...]] = {
    "numpy": (((0, 4, 31), (1, 24)), ((0, 5), (1, 25)), ((0, 6, 2), (1, 26)), ((0, 10, 2), (2, 0))),
    "python": (((0, 4, 31), (3, 10)), ((0, 10, 2), (3, 11))),
    "scipy": (((0, 5), (1, 11)), ((0, 6, 2), (1, 12)), ((0, 10, 2), (1, 14))),
}
"""From which version on jax needs which version of other packages, by its release notes and its metadata."""


def _from_requirements(text: str) -> Iterator[str]:
    yield from text.splitlines()


def _from_environment(text: str) -> Iterator[str]:
    """conda: `- jax=0.4.13`, `- conda-forge::jax=0.4.13=pyhd8ed1ab_0`, `- jax[cuda]==0.4.13`."""
    for line in text.splitlines():
        entry = re.match(r"\s*-\s+[\"']?(?:[\w.-]+::)?([\w.-]+(?:\[[^\]]*\])?)\s*([^#\"']*)", line)
        if entry:
            exact = re.match(r"=\s*([\d.]+)", entry[2])
            yield f"{entry[1]}=={exact[1]}" if exact else f"{entry[1]}{entry[2]}"


def _from_commands(text: str) -> Iterator[str]:
    """What commands install, in the text for an image or for a reader: `pip install --upgrade "jax==0.4.13"`."""
    for line in text.replace("\\\n", " ").splitlines():
        for command in _INSTALL.finditer(line):
            yield from (word.strip("\"'") for word in command[1].split())


_INSTALL = re.compile(r"\b(?:pip3?|conda|mamba|uv) (?:install|add) ([^&|;`]*)")


def _from_pyproject(text: str) -> Iterator[str]:
    data = load_toml(text)
    project = _table(data.get("project"))
    groups = [project.get("dependencies"), *_table(project.get("optional-dependencies")).values()]
    groups += _table(data.get("dependency-groups")).values()
    for group in groups:
        for line in group if isinstance(group, list) else []:
            if isinstance(line, str):
                yield line
    yield from _from_poetry(_table(_table(data.get("tool")).get("poetry")))


def _from_poetry(poetry: dict[str, Any]) -> Iterator[str]:
    groups = [poetry, *map(_table, _table(poetry.get("group")).values())]
    for group in groups:
        for name, wanted in _table(group.get("dependencies")).items():
            version = wanted.get("version") if isinstance(wanted, dict) else wanted
            if isinstance(version, str):
                yield name + ("" if version == "*" else version if version[:1] in "<>=!~^" else f"=={version}")


def _from_setup_cfg(text: str) -> Iterator[str]:
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    lines = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        lines += [value for _, value in parser.items("options.extras_require")]
    yield from "\n".join(lines).splitlines()


def _from_setup_py(text: str) -> Iterator[str]:
    """Requirements written as literals in the call of `setup`, or anywhere else in the file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _from_lock(text: str) -> Iterator[str]:
    """The versions of jax and flax in a lock file.  Of its hundreds of packages only those of these names are read."""
    for start in _LOCKED_PACKAGE.split(text)[1:]:
        if _NAMED.search(start):
            for package in load_toml(f"[[package]]{start}")["package"]:
                if package.get("name") in ("jax", "flax") and isinstance(package.get("version"), str):
                    yield f"{package['name']}=={package['version']}"


_LOCKED_PACKAGE = re.compile(r"^\[\[package\]\]", re.MULTILINE)
_NAMED = re.compile(r"^name\s*=\s*[\"'](?:jax|flax)[\"']", re.MULTILINE)


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

_INSTRUCTIONS: dict[str, Callable[[str], Iterator[str]]] = {
    "environment*.y*ml": _from_environment,
    "*Dockerfile*": _from_commands,
    os.path.join("docker", "*Dockerfile*"): _from_commands,
    "README*": _from_commands,
}
"""Asked where no packaging file says a word of jax."""
