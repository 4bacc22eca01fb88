"""From configuration files and command-line values to `Settings`.

The closest `jaxlint.toml`, or `pyproject.toml` with a table `[tool.jaxlint]`, holds for a folder; nothing is merged
with folders further up, except through an explicit `extend`.  Whatever is wrong is one line that names file and key.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jaxlint.files.reading import read_file, read_text, reason_of
from jaxlint.settings.jax_version import load_toml, parse_version
from jaxlint.settings.own_rules import OwnRule, OwnRuleError, User, know_of, read_user, rules_in_files
from jaxlint.settings.resolved import Settings, is_selector
from jaxlint.vocabulary.findings import Certainty
from jaxlint.vocabulary.words import did_you_mean, shortened, shown

if TYPE_CHECKING:
    from jaxlint.semantics.rows import Row


class ConfigurationError(Exception):
    """A setting cannot be used; the message is the one line to print."""


Overrides = Mapping[str, object]
"""Values from the command line, by their key in a configuration file."""

_OF_A_SELECTION = ("ignore", "extend-select", "extend-ignore")
"""What a file adds to its own `select` and takes from it."""


@dataclass
class Configuration:
    """Finds the settings of folders.

    ``overrides`` are the command line's values and win over any file; ``file`` is the one configuration file to use
    everywhere, instead of the closest; ``isolated`` uses none; ``fixed`` settings win over everything.
    Relative patterns of the command line start at ``cwd``.  ``overrides_from`` is what messages call it.  ``cards`` are
    those of rules that the user names on the command line.
    """

    cwd: str
    overrides: Overrides = field(default_factory=dict)
    file: str | None = None
    isolated: bool = False
    fixed: Settings | None = None
    overrides_from: str = "command line"
    cards: tuple[str, ...] = ()
    _known: dict[str, Settings] = field(default_factory=dict)

    def settings_for(self, folder: str) -> Settings:
        """The settings that hold in a folder.  Raises ConfigurationError."""
        if folder not in self._known:
            try:
                self._known[folder] = self._resolve(folder)
            except OwnRuleError as error:
                raise ConfigurationError(str(error)) from None
        return self._known[folder]

    def file_for(self, folder: str) -> str | None:
        """The configuration file that holds in a folder, or None.  Raises ConfigurationError."""
        if self.file:
            return os.path.join(self.cwd, self.file)
        return None if self.isolated else closest_file(folder)

    def origins(self, folder: str) -> dict[str, str]:
        """Where each key that is set for a folder was set: the name of a file, or the command line.

        Raises ConfigurationError.
        """
        found: dict[str, str] = {}
        path = self.file_for(folder)
        for source, table in reversed(list(_with_extended(os.path.normpath(path)))) if path else ():
            found.update(dict.fromkeys(table, _relative(source)))
        if "select" in self.overrides:
            found.update(dict.fromkeys(_OF_A_SELECTION, self.overrides_from))
        for key in self.overrides:
            extended = found.get(key) if key.startswith("extend-") and key not in _OF_A_SELECTION else None
            found[key] = f"{extended}, {self.overrides_from}" if extended else self.overrides_from
        return found

    def _resolve(self, folder: str) -> Settings:
        if self.fixed is not None:
            know_of(self.fixed.rules)
            return self.fixed
        user = User() if self.isolated else read_user()
        named = rules_in_files(self.cards, self.cwd)
        know_of((*user.rules, *named))
        path = self.file_for(folder)
        settings = Settings() if path is None else load_file(path)
        overrides = parse_table(self.overrides, self.overrides_from, self.cwd)
        if "select" in overrides:
            # A new selection starts afresh, as in ruff: what the file ignores or adds belongs to the file's selection.
            settings = replace(settings, ignore=(), extend_select=(), extend_ignore=())
        for key in ("extend_select", "extend_ignore", "extend_exclude", "extend_include"):
            if key in overrides:
                overrides[key] = (*getattr(settings, key), *overrides[key])
        return _allowed(replace(settings, **overrides), user, named)


def _allowed(settings: Settings, user: User, named: tuple[OwnRule, ...]) -> Settings:
    """The settings with the rules that may be run: the user's own, those ``named`` for this run, and of what a project
    has those in folders that the user trusts."""
    own = {rule.code: rule for rule in (*user.rules, *named)}
    others = [rule for rule in settings.rules if rule.code not in own]
    trusted = [rule for rule in others if user.trusts(rule)]
    left = [rule for rule in others if rule not in trusted]
    return replace(settings, rules=(*own.values(), *trusted), untrusted=tuple(left))


def closest_file(folder: str) -> str | None:
    """The configuration file that holds in a folder, or None.  Raises ConfigurationError for one that is not TOML."""
    while True:
        own = os.path.join(folder, "jaxlint.toml")
        if os.path.exists(own):
            return own
        shared = os.path.join(folder, "pyproject.toml")
        if os.path.exists(shared) and _mentions_jaxlint(shared) and _table_in(shared) is not None:
            return shared
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def load_file(path: str) -> Settings:
    """The settings in one file, on top of those it extends.  Raises ConfigurationError."""
    settings = Settings()
    for source, table in reversed(list(_with_extended(os.path.normpath(path)))):
        folder = os.path.dirname(source)
        settings = replace(settings, root=folder, **parse_table(table, _relative(source), folder))
    return settings


def _with_extended(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The file and those it extends, directly or not, with their tables."""
    seen: set[str] = set()
    while True:
        seen.add(os.path.realpath(path))
        table = dict(_table_in(path) or {})
        base = table.pop("extend", None)
        yield path, table
        if base is None:
            return
        try:
            extended = _path(base, os.path.dirname(path))
        except ValueError as error:
            raise ConfigurationError(f"{_relative(path)}: extend: {error}") from None
        if os.path.realpath(extended) in seen:
            raise ConfigurationError(
                f"{_relative(extended)}: extend: the file extends itself, by way of {os.path.basename(path)}"
            )
        path = extended


def _relative(path: str) -> str:
    return os.path.relpath(path) if path.startswith(os.getcwd() + os.sep) else path


def parse_table(table: Mapping[str, object], source: str, folder: str) -> dict[str, Any]:
    """The fields of `Settings` that a table sets.  Raises ConfigurationError, which names ``source`` and the key.

    Relative patterns are taken to start at ``folder``.
    """
    values: dict[str, Any] = {}
    for key, value in sorted(table.items(), key=lambda item: item[0] != "rules"):  # other keys may speak of these
        parse = _KEYS.get(key)
        if parse is None:
            raise ConfigurationError(f"{source}: unknown key `{shortened(key)}`{did_you_mean(key, [*_KEYS, 'extend'])}")
        try:
            values[key.replace("-", "_")] = parse(value, folder)
        except ValueError as error:
            raise ConfigurationError(f"{source}: {key}: {error}") from None
    told = {row.name: row.source for row in values.get("libraries", ())}
    for name, _ in values.get("transforms", ()):
        if name in told:
            raise ConfigurationError(f"{source}: transforms: `{name}` is in {told[name]} as well")
    return values


def _mentions_jaxlint(path: str) -> bool:
    """Whether the file is worth parsing as TOML: a pyproject.toml that configures other tools only is not ours."""
    try:
        return b"jaxlint" in read_file(path)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {reason_of(error)}") from None


def _table_in(path: str) -> dict[str, Any] | None:
    """The file's settings as written, or None when it has no table for jaxlint."""
    try:
        data = load_toml(read_text(path))
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {reason_of(error)}") from None
    except ValueError as error:  # tomllib's error and UnicodeDecodeError are both ValueErrors
        raise ConfigurationError(f"{path}: not TOML: {str(error).splitlines()[0]}") from None
    if os.path.basename(path) != "pyproject.toml":
        return data
    tool = data.get("tool")
    table = tool.get("jaxlint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{path}: tool.jaxlint: expected a table, found {shown(table)}")
    return table


def _strings(value: object, folder: str) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ValueError(f"expected a list of strings, found {shown(value)}")


def _selectors(value: object, folder: str) -> tuple[str, ...]:
    from jaxlint.vocabulary.rules import all_rules

    selectors = _strings(value, folder)
    for selector in selectors:
        if not is_selector(selector):
            known = [word for rule in all_rules().values() for word in (rule.code, rule.name)]
            raise ValueError(f"unknown rule `{shortened(selector)}`{did_you_mean(selector, known)}")
    return tuple(selector if selector.islower() else selector.upper() for selector in selectors)


def as_patterns(written: Iterable[str], folder: str) -> tuple[str, ...]:
    """Patterns as `Settings` has them: names stay as they are; anything with a slash is a path from the folder on."""
    return tuple(
        os.path.normpath(os.path.join(folder, pattern)) if "/" in pattern.rstrip("/") else pattern.rstrip("/")
        for pattern in written
    )


def _patterns(value: object, folder: str) -> tuple[str, ...]:
    return as_patterns(_strings(value, folder), folder)


def _folders(value: object, folder: str) -> tuple[str, ...]:
    return tuple(_path(path or ".", folder) for path in _strings(value, folder))


def _path(value: object, folder: str) -> str:
    if isinstance(value, str) and value and "\0" not in value:
        return os.path.normpath(os.path.join(folder, value))
    raise ValueError(f"expected a path, found {shown(value)}")


def _pattern_table(value: object, folder: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a table from patterns to lists of rules, found {shown(value)}")
    return tuple((as_patterns([pattern], folder)[0], _selectors(rules, folder)) for pattern, rules in value.items())


def _certainty(value: object, folder: str) -> Certainty:
    known = {certainty.label: certainty for certainty in Certainty}
    if isinstance(value, str) and value in known:
        return known[value]
    hint = did_you_mean(value, known) if isinstance(value, str) else ""
    raise ValueError(f"expected possible, likely or certain, found {shown(value)}{hint}")


def _version(value: object, folder: str) -> str:
    if isinstance(value, str) and parse_version(value.lstrip("<>=!~^ ")) is not None:
        return value
    raise ValueError(f'expected a version of jax such as "0.4.30", found {shown(value)}')


def _transforms(value: object, folder: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not all(_is_dotted(name) and _is_dotted(like) for name, like in value.items()):
        raise ValueError(f'expected a table such as "mypkg.my_jit" = "jax.jit", found {shown(value)}')
    if value:
        from jaxlint.semantics.known import knows  # where many tables are
    for like in value.values():
        if not knows(like):
            raise ValueError(f"`{shortened(like)}` is no function that jaxlint knows")
    return tuple(value.items())


def _libraries(value: object, folder: str) -> tuple[Row, ...]:
    from jaxlint.settings.row_files import read_rows

    rows: dict[tuple[str, bool], Row] = {}
    for pattern in _strings(value, folder):
        found = glob.glob(pattern, root_dir=folder, recursive=True) if "\0" not in pattern else []
        if not found:
            raise ValueError(f"no file matches {shown(pattern)}")
        for path in sorted({_path(name, folder) for name in found}):
            for row in read_rows(path, _relative(path)):
                other = rows.setdefault((row.name, row.is_method), row)
                if other.source != row.source:
                    raise ValueError(f"`{row.name}` is in {other.source} and in {row.source}")
    return tuple(rows.values())


def _rules(value: object, folder: str) -> tuple[OwnRule, ...]:
    """The rules of cards, which are now known; whether they may be run is not for a project to say."""
    rules = rules_in_files(_strings(value, folder), folder)
    know_of(rules)
    return rules


def _inputs(value: object, folder: str) -> tuple[tuple[str, str], ...]:
    if isinstance(value, dict) and all(
        isinstance(name, str) and name.count(":") == 1 and isinstance(call, str) for name, call in value.items()
    ):
        return tuple(value.items())
    raise ValueError(f'expected a table such as "pkg.module:step" = "(x: float32[3], n=2)", found {shown(value)}')


def _is_dotted(value: object) -> bool:
    return isinstance(value, str) and "." in value and all(part.isidentifier() for part in value.split("."))


def _boolean(value: object, folder: str) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, found {shown(value)}")


_KEYS: dict[str, Callable[[object, str], object]] = {
    "select": _selectors,
    "ignore": _selectors,
    "extend-select": _selectors,
    "extend-ignore": _selectors,
    "per-file-ignores": _pattern_table,
    "exclude": _patterns,
    "extend-exclude": _patterns,
    "extend-include": _patterns,
    "src": _folders,
    "certainty": _certainty,
    "preview": _boolean,
    "jax-version": _version,
    "transforms": _transforms,
    "libraries": _libraries,
    "rules": _rules,
    "respect-gitignore": _boolean,
    "inputs": _inputs,
    "doctest": _boolean,
    "baseline": _path,
    "fix": _boolean,
    "unsafe-fixes": _boolean,
    "fixable": _selectors,
    "unfixable": _selectors,
}
